"use strict";
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
    const descending = head.ariaSort === "descending" || (!head.ariaSort && !head.classList.contains("number"));
    const value = (row) => {
      const cell = row.cells[head.cellIndex], number = cell.dataset.value;
      return number === undefined ? cell.textContent : number === "" ? -Infinity : Number(number);
    };
    const rows = [...body.rows].sort((a, b) => {
      const x = value(a), y = value(b);
      return (typeof x === "number" ? x - y : x.localeCompare(y)) * (descending ? 1 : -1);
    });
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.ariaSort = descending ? "ascending" : "descending";
    body.append(...rows);
  });
}

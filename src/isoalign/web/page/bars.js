// Lists of words with a bar and a number each.

import { element, formatScore, isolate } from "./dom.js";

/**
 * @param list where the entries go
 * @param entries {word, value, address, lang, badge, gloss, glossLang}
 * @param tone "first" or "second", the colour of the language
 */
export function drawBars(list, entries, tone) {
  const values = entries.map((entry) => entry.value);
  const low = Math.min(0, ...values);
  const span = Math.max(0, ...values) - low || 1;
  list.replaceChildren(
    ...entries.map((entry) => {
      const from = (Math.min(0, entry.value) - low) / span;
      const fill = element("span");
      fill.style.setProperty("--from", `${100 * from}%`);
      fill.style.setProperty("--size", `${(100 * Math.abs(entry.value)) / span}%`);
      const link = element("a", { href: entry.address, "data-go": true, class: tone }, isolate(entry.word, entry.lang));
      const name = element("span", {}, link);
      if (entry.gloss) name.append(" ", element("small", { class: "gloss" }, isolate(entry.gloss, entry.glossLang)));
      if (entry.badge) name.append(element("span", { class: "badge" }, entry.badge));
      return element(
        "li",
        {},
        name,
        element("span", { class: `bar ${tone}${entry.value < 0 ? " below" : ""}`, "aria-hidden": "true" }, fill),
        element("data", { value: entry.value }, formatScore(entry.value)),
      );
    }),
  );
}

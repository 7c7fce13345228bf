// A text field that completes from the vocabulary: the ARIA combobox pattern with a list below.

import { element, isolate } from "./dom.js";

const PAUSE = 60; // milliseconds: fast typing asks once

/**
 * @param input the field, role combobox
 * @param list the list, role listbox
 * @param find (text, signal) => promise of entries {word, member, lang, note}
 * @param choose called with an entry
 */
export function makeCombobox(input, list, { find, choose, tell }) {
  let entries = [];
  let active = -1;
  let timer = null;
  let running = null;

  function close() {
    clearTimeout(timer);
    running?.abort();
    entries = [];
    active = -1;
    list.hidden = true;
    list.replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function open(found) {
    entries = found;
    active = -1;
    input.removeAttribute("aria-activedescendant");
    list.replaceChildren(
      ...found.map((entry, number) =>
        element(
          "li",
          { role: "option", id: `completion-${number}`, "aria-selected": "false", "data-number": number },
          isolate(entry.word, entry.lang),
          element("small", {}, entry.note),
        ),
      ),
    );
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
  }

  function move(step) {
    if (!entries.length) return;
    const count = entries.length + 1; // one more place: the field itself
    active = ((active + 1 + step + count) % count) - 1;
    for (const option of list.children) option.setAttribute("aria-selected", "false");
    if (active < 0) {
      input.removeAttribute("aria-activedescendant");
      return;
    }
    const option = list.children[active];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  }

  async function refresh() {
    running?.abort();
    if (!input.value.trim()) {
      close();
      return;
    }
    running = new AbortController();
    const { signal } = running;
    try {
      const found = await find(input.value.trim(), signal);
      if (signal.aborted || document.activeElement !== input) return;
      open(found);
      tell(found.length ? `${found.length} completions` : "No word begins like this");
    } catch {
      if (!signal.aborted) close(); // the look-up itself will say what is wrong
    }
  }

  function take(number) {
    const entry = entries[number];
    close();
    choose(entry);
  }

  input.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (!event.isComposing || input.value) timer = setTimeout(refresh, PAUSE);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return; // keys belong to the input method
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) refresh();
      else move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && active >= 0) {
      event.preventDefault();
      take(active);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
  input.addEventListener("blur", close);
  // A press must not take the focus from the field before the click arrives.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) take(Number(option.dataset.number));
  });
  return { close };
}

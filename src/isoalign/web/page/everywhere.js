// One word in all languages of a model: its best translations into each of them, side by side.

import { ask } from "./api.js";
import { drawBars } from "./bars.js";
import { byId, element } from "./dom.js";
import { memberOf, toneOf } from "./languages.js";
import { addressOf } from "./state.js";

const K = 5;
const PAUSE = 2000; // before asking again for languages whose means are being computed

/** Show the word of an answer of /api/word in all other languages, if there are more than one. */
export async function showEverywhere(answer, model, state, signal) {
  const card = byId("everywhere");
  card.hidden = model.members.length < 3;
  if (card.hidden) return;
  card.setAttribute("aria-busy", "true");
  const { member, word } = answer;
  for (;;) {
    const found = await ask("/api/languages", { model: model.name, member, word, k: K }, signal);
    const columns = found.languages.map((entry, number) => makeColumn(entry, number, answer, model, state));
    byId("languages-side-by-side").replaceChildren(...columns);
    if (found.languages.every(({ translations }) => translations)) break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    signal.throwIfAborted();
  }
  card.setAttribute("aria-busy", "false");
}

function makeColumn({ member, translations }, number, answer, model, state) {
  const { name, title, lang } = memberOf(model, member);
  const id = `everywhere-${number}`;
  const href = addressOf({ model: state.model, member: answer.member, to: name, word: answer.word });
  const link = element("a", { href, "data-go": true, "aria-current": name === answer.to ? "true" : null }, title);
  const head = element("h4", { id }, link);
  if (!translations) return element("div", {}, head, element("p", { class: "hint" }, "Being computed …"));
  const list = element("ol", { class: "bars", "aria-labelledby": id });
  const entries = translations.map(({ word, score }) => ({
    word,
    value: score,
    lang,
    address: addressOf({ model: state.model, member: name, to: answer.member, word }),
  }));
  drawBars(list, entries, toneOf(model, name, answer.member));
  return element("div", {}, head, list);
}

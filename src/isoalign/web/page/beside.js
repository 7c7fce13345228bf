// One word in two models: the same direction, the translations of both side by side.

import { ask } from "./api.js";
import { drawBars } from "./bars.js";
import { byId, element } from "./dom.js";
import { memberOf, toneOf } from "./languages.js";
import { addressOf } from "./state.js";
import { verdictWords } from "./verdict.js";

const K = 8;

/** The models that have both languages of an answer, under the names that they give them. */
function rivals(models, model, answer) {
  const find = (other, name) => {
    const own = memberOf(model, name);
    return memberOf(other, name) ?? other.members.find(({ lang }) => lang && lang === own.lang);
  };
  return [...models.values()]
    .filter((other) => other !== model)
    .map((other) => ({ model: other, member: find(other, answer.member), to: find(other, answer.to) }))
    .filter(({ member, to }) => member && to && member !== to);
}

const describe = ({ method, normalize }) => [method, normalize?.replace("()", "")].filter(Boolean).join(", ");

/** Offer the models that a word can be compared in, and show the comparison that the state asks for. */
export async function showBeside(answer, model, models, state, signal) {
  const others = rivals(models, model, answer);
  byId("beside-choice").hidden = others.length === 0;
  byId("beside").replaceChildren(
    element("option", { value: "" }, "no other model"),
    ...others.map(({ model: { name } }) => element("option", { value: name }, name)),
  );
  const chosen = others.find(({ model: { name } }) => name === state.beside);
  byId("beside").value = chosen?.model.name ?? "";
  byId("two-models").hidden = !chosen;
  if (!chosen) return;
  const first = { model, member: memberOf(model, answer.member), to: memberOf(model, answer.to) };
  const found = await Promise.all(
    [first, chosen].map((way) => translate(way, answer.looked_up, signal)),
  );
  byId("h-two-models").textContent = `Two models side by side, into ${first.to.title}`;
  byId("models-side-by-side").replaceChildren(
    ...[first, chosen].map((way, number) => makeColumn(way, found, number, model, answer)),
  );
}

async function translate({ model, member, to }, word, signal) {
  try {
    const asked = { model: model.name, member: member.name, to: to.name, word, k: K, confidence: true };
    return await ask("/api/translate", asked, signal);
  } catch (error) {
    if (error.suggestions) return null; // unknown in this model
    throw error;
  }
}

function makeColumn({ model, member, to }, answers, number, shown, { member: own, to: other }) {
  const answer = answers[number];
  const id = `model-${number}`;
  const head = element("h4", { id }, model.name);
  const hint = element("p", { class: "hint" }, describe(model));
  if (!answer) return element("div", {}, head, hint, element("p", {}, "This model does not know the word."));
  const elsewhere = new Set((answers[1 - number]?.translations ?? []).map(({ word }) => word));
  const list = element("ol", { class: "bars", "aria-labelledby": id });
  const entries = answer.translations.map(({ word, score }) => ({
    word,
    value: score,
    lang: to.lang,
    badge: elsewhere.has(word) ? null : "only here",
    address: addressOf({ model: model.name, member: to.name, to: member.name, word }),
  }));
  drawBars(list, entries, toneOf(shown, other, own));
  const verdict = verdictWords(answer.confidence) || "not the best in both directions";
  return element("div", {}, head, hint, element("p", { class: "hint" }, `The first: ${verdict}.`), list);
}

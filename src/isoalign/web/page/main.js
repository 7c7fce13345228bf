// The page: read the state from the address, ask the server, show the answer.

import { ask, takeToken } from "./api.js";
import { makeCombobox } from "./combobox.js";
import { connectDictionary, showDictionary } from "./dictionary.js";
import { byId, element, isolate } from "./dom.js";
import { clearError, showError } from "./notice.js";
import { addressOf, followLinks, go, readState } from "./state.js";
import { drawAnswer, showAnswer } from "./words.js";

const K = 10;
const SIDES = ["source", "target"];

let models = null;
let running = null;

const tell = (text) => {
  byId("status").textContent = text;
};

function languageName(lang, side) {
  if (!lang) return side === "source" ? "source language" : "target language";
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(lang);
  } catch {
    return lang;
  }
}

async function loadModels() {
  const answer = await ask("/api/models");
  models = new Map(answer.models.map((model) => [model.name, model]));
  for (const model of models.values()) {
    for (const side of SIDES) model[side].name = languageName(model[side].lang, side);
    if (model.source.name === model.target.name) {
      for (const side of SIDES) model[side].name += ` (${side})`;
    }
  }
  byId("version").textContent = `isoalign ${answer.version}`;
  byId("models").hidden = models.size < 2;
  byId("model").replaceChildren(...[...models.keys()].map((name) => element("option", { value: name }, name)));
}

const modelOf = (state) => models.get(state.model) ?? models.values().next().value;

async function render({ moved = false } = {}) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const state = readState();
  try {
    if (!models) await loadModels();
    const model = modelOf(state);
    frame(state, model);
    if (state.view === "dictionary") {
      clearError();
      await showDictionary(state, model, { tell, fail });
      if (moved) byId("h-dictionary").focus({ preventScroll: true });
    } else {
      await showWord(state, model, { moved, signal });
    }
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
  }
}

/** Everything around the answer: views, model, credits. */
function frame(state, model) {
  const dictionary = state.view === "dictionary";
  byId("words").hidden = dictionary;
  byId("dictionary").hidden = !dictionary;
  const links = { words: { model: state.model }, dictionary: { model: state.model, view: "dictionary" } };
  for (const [view, target] of Object.entries(links)) {
    const link = byId(`to-${view}`);
    link.href = addressOf(target);
    if ((view === "dictionary") === dictionary) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId("model").value = model.name;
  byId("credits").replaceChildren(
    ...model.credits.map((credit) =>
      element("li", {}, ...linkAddresses(credit.acknowledgement), " ", outside(credit.homepage, "Source")),
    ),
  );
  const pair = `${model.source.name} – ${model.target.name}`;
  document.title = dictionary ? `Dictionary ${pair} · isoalign` : `${state.word ? `${state.word} · ` : ""}isoalign`;
  if (!dictionary && !state.word) showStart(state, model, pair);
  byId("start").hidden = dictionary || Boolean(state.word);
}

const outside = (href, text) => element("a", { href, rel: "noreferrer" }, text);

/** Text with the addresses in it made into links. */
function linkAddresses(text) {
  return text.split(/(https:\/\/[^\s()]+)/).map((part, number) => (number % 2 ? outside(part, part) : part));
}

function showStart(state, model, pair) {
  byId("result").hidden = true;
  byId("word").value = "";
  const examples = SIDES.flatMap((side) =>
    model[side].examples.map((word) => {
      const href = addressOf({ model: state.model, side, word });
      return element("li", {}, element("a", { href, "data-go": true }, isolate(word, model[side].lang)));
    }),
  );
  const sizes = SIDES.map((side) => `${model[side].words.toLocaleString("en")} ${model[side].name}`);
  byId("start").replaceChildren(
    element("p", { class: "hint" }, `${pair}: ${sizes.join(" and ")} words. Try one of these:`),
    element("ul", {}, ...examples),
  );
}

async function showWord(state, model, { moved, signal }) {
  if (!state.word) {
    clearError();
    return;
  }
  byId("word").value = state.word;
  byId("result").setAttribute("aria-busy", "true");
  try {
    const { word, side } = state;
    const answer = await ask("/api/word", { model: model.name, side, word, k: K }, signal);
    clearError();
    showAnswer(answer, model, state);
    tell(`${answer.translations.length} translations of ${answer.word}; the best is ${answer.translations[0].word}`);
    if (moved) {
      byId("headword").focus({ preventScroll: true });
      scrollTo({ top: 0 });
    }
  } catch (error) {
    if (error.name !== "AbortError") byId("result").hidden = true;
    throw error;
  } finally {
    if (!signal.aborted) byId("result").setAttribute("aria-busy", "false");
  }
}

const fail = (error) => showError(error, readState(), () => render());

function connect() {
  const box = makeCombobox(byId("word"), byId("completions"), {
    tell,
    async find(prefix, signal) {
      const model = modelOf(readState());
      const found = await ask("/api/complete", { model: model.name, prefix, limit: 8 }, signal);
      return found.words.map(({ word, side }) => ({ word, side, lang: model[side].lang, note: model[side].name }));
    },
    choose: ({ word, side }) => look(word, side),
  });
  const look = (word, side = null) => go(addressOf({ model: readState().model, side, word }), render);
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    box.close();
    const word = byId("word").value.trim();
    if (word) look(word);
  });
  byId("model").addEventListener("change", (event) => {
    go(addressOf({ ...readState(), model: event.target.value, side: null }), render);
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) drawAnswer(); // phones change the height alone while one scrolls
    width = innerWidth;
  });
  followLinks(render);
  connectDictionary({ render, fail });
}

takeToken();
connect();
await render();
if (!readState().word && !readState().view) byId("word").focus();

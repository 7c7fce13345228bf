// The page: read the state from the address, ask the server, show the answer.

import { ask, takeToken } from "./api.js";
import { makeCombobox } from "./combobox.js";
import { connectDictionary, showDictionary } from "./dictionary.js";
import { byId, element, isolate } from "./dom.js";
import { showEverywhere } from "./everywhere.js";
import { changeEnd, fillMembers, memberOf, nameMembers } from "./languages.js";
import { clearError, showError } from "./notice.js";
import { addressOf, followLinks, go, readState, replaceState } from "./state.js";
import { drawAnswer, showAnswer } from "./words.js";

const K = 10;

let models = null;
let direction = null; // the languages that the lists beside the search field show
let running = null;

const tell = (text) => {
  byId("status").textContent = text;
};

async function loadModels() {
  const answer = await ask("/api/models");
  models = new Map(answer.models.map((model) => [model.name, model]));
  models.forEach(nameMembers);
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
  document.title = `${dictionary ? "Dictionary · " : state.word ? `${state.word} · ` : ""}isoalign`;
  showLanguages(state, model);
  if (!dictionary && !state.word) showStart(state, model);
  byId("start").hidden = dictionary || Boolean(state.word);
}

/** The lists beside the search field; with two languages, the word alone says which way to go. */
function showLanguages({ member, to }, model) {
  const titles = model.members.map(({ title }) => title);
  const many = titles.length > 2;
  direction = many ? { member, to } : { member: null, to: null };
  byId("ask").textContent = many ? "A word in any language" : `A word in ${titles.join(" or ")}`;
  byId("languages").hidden = !many;
  fillMembers(byId("from"), model, member, "any language");
  fillMembers(byId("into"), model, to, "any other");
}

const outside = (href, text) => element("a", { href, rel: "noreferrer" }, text);

/** Text with the addresses in it made into links. */
function linkAddresses(text) {
  return text.split(/(https:\/\/[^\s()]+)/).map((part, number) => (number % 2 ? outside(part, part) : part));
}

function showStart(state, model) {
  byId("result").hidden = true;
  byId("word").value = "";
  const examples = model.members.flatMap((member) =>
    member.examples.map((word) => {
      const href = addressOf({ model: state.model, ...changeEnd(direction, "member", member.name), word });
      return element("li", {}, element("a", { href, "data-go": true }, isolate(word, member.lang)));
    }),
  );
  const sizes = model.members.map(({ title, words }) => `${words.toLocaleString("en")} ${title}`);
  byId("start").replaceChildren(
    element("p", { class: "hint" }, `${new Intl.ListFormat("en").format(sizes)} words. Try one of these:`),
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
    const answer = await findWord(state, model, signal);
    clearError();
    showLanguages(answer, model);
    showAnswer(answer, model, state);
    showEverywhere(answer, model, state, signal).catch((error) => {
      if (error.name !== "AbortError") fail(error);
    });
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

/** Ask for a word in the direction of a state, and where it is not known there, in any other. */
async function findWord(state, model, signal) {
  const { word, member, to } = state;
  const askFor = (way) => ask("/api/word", { model: model.name, ...way, word, k: K }, signal);
  try {
    return await askFor({ member, to });
  } catch (error) {
    if (!error.suggestions || !(member || to)) throw error;
  }
  const answer = await askFor({});
  replaceState({ ...state, member: answer.member, to: null });
  return answer;
}

const fail = (error) => showError(error, readState(), () => render());

function connect() {
  const box = makeCombobox(byId("word"), byId("completions"), {
    tell,
    async find(prefix, signal) {
      const model = modelOf(readState());
      const found = await ask("/api/complete", { model: model.name, prefix, limit: 8 }, signal);
      return found.words.map(({ word, member }) => {
        const { lang, title } = memberOf(model, member);
        return { word, member, lang, note: title };
      });
    },
    choose: ({ word, member }) => look(word, changeEnd(direction, "member", member)),
  });
  const look = (word, way) => go(addressOf({ model: readState().model, ...way, word }), render);
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    box.close();
    const word = byId("word").value.trim();
    if (word) look(word, direction);
  });
  byId("model").addEventListener("change", (event) => {
    go(addressOf({ ...readState(), model: event.target.value, member: null, to: null }), render);
  });
  for (const [id, end] of [["from", "member"], ["into", "to"]]) {
    byId(id).addEventListener("change", (event) => {
      const way = changeEnd(direction, end, event.target.value || null);
      go(addressOf({ ...readState(), ...way }), () => render()); // the focus stays on the list
    });
  }
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

// The page: read the state from the address, ask the server, show the answer.

import { ask, takeToken } from "./api.js";
import { showBeside } from "./beside.js";
import { makeCombobox } from "./combobox.js";
import { connectDictionary, showDictionary } from "./dictionary.js";
import { byId, element, isolate } from "./dom.js";
import { showEverywhere } from "./everywhere.js";
import { askForLanguages, changeEnd, fillMembers, memberOf, nameMembers } from "./languages.js";
import { connectList, showList } from "./list.js";
import { clearError, showError } from "./notice.js";
import { copyText } from "./share.js";
import { addressOf, followLinks, go, readState, replaceState } from "./state.js";
import { verdictWords } from "./verdict.js";
import { connectWords, drawAnswer, showAnswer } from "./words.js";

const K = 10;

let models = null;
let direction = null; // the languages that the lists beside the search field show
let running = null;
let shownWord = null; // what a copied link leads to

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
    } else if (state.view === "list") {
      clearError();
      showList(state, model);
      if (moved) byId("h-list").focus({ preventScroll: true });
    } else if (!state.word) {
      await showExample(state, model, signal);
    } else {
      await showWord(state, model, { moved, signal });
    }
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
  }
}

/** Everything around the answer: views, model, credits. */
function frame(state, model) {
  const view = ["dictionary", "list"].includes(state.view) ? state.view : "words";
  for (const name of ["words", "list", "dictionary"]) {
    byId(name).hidden = name !== view;
    const link = byId(`to-${name}`);
    link.href = addressOf({ model: state.model, view: name === "words" ? null : name });
    if (name === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId("model").value = model.name;
  byId("credits").replaceChildren(
    ...model.credits.map((credit) =>
      element("li", {}, ...linkAddresses(credit.acknowledgement), " ", outside(credit.homepage, "Source")),
    ),
  );
  byId("authors").hidden = model.credits.length === 0;
  document.title = `${view === "dictionary" ? "Dictionary · " : state.word ? `${state.word} · ` : ""}isoalign`;
  showLanguages(state, model);
  const start = view === "words" && !state.word;
  if (start) showStart(state, model);
  for (const id of ["start", "purpose", "for-example"]) byId(id).hidden = !start;
  byId("naming").hidden = true;
  if (start) askForLanguages(byId("naming"), model, () => render());
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
  byId("word").value = "";
  const titles = model.members.map(({ title }) => title);
  byId("purpose").textContent =
    `The words of ${new Intl.ListFormat("en").format(titles)} in one space: look one up, and see what it means in ` +
    `the other language${titles.length > 2 ? "s" : ""}, what lies near it, and how far to trust the answer.`;
  const examples = model.members.flatMap((member) =>
    member.examples.map((word) => {
      const href = addressOf({ model: state.model, ...changeEnd(direction, "member", member.name), word });
      return element("li", {}, element("a", { href, "data-go": true }, isolate(word, member.lang)));
    }),
  );
  const sizes = model.members.map(({ title, words }) => `${words.toLocaleString("en")} ${title}`);
  byId("start").replaceChildren(
    element("p", { class: "hint" }, `${new Intl.ListFormat("en").format(sizes)} words. Try one of these:`),
    element("ul", { class: "chips" }, ...examples),
  );
}

/** The first view: a word that nobody asked for, so that there is something to see. */
async function showExample(state, model, signal) {
  clearError();
  const [{ name: member, examples }] = model.members;
  if (!examples.length) {
    byId("result").hidden = true;
    return;
  }
  try {
    await present({ ...state, member, to: state.to === member ? null : state.to, word: examples[0] }, model, signal);
    showLanguages(state, model);
  } catch (error) {
    if (error.name !== "AbortError") byId("result").hidden = true;
    throw error;
  }
}

async function showWord(state, model, { moved, signal }) {
  byId("word").value = state.word;
  byId("result").setAttribute("aria-busy", "true");
  try {
    const answer = await present(state, model, signal);
    clearError();
    tell(describeAnswer(answer));
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

function describeAnswer({ translations, looked_up, confidence }) {
  const verdict = verdictWords(confidence);
  const best = `${translations[0].word}${verdict ? ` (${verdict})` : ""}`;
  return `${translations.length} translations of ${looked_up}; the best is ${best}`;
}

/** Ask for a word and show all that there is to it. */
async function present(state, model, signal) {
  const answer = await findWord(state, model, signal);
  showLanguages(answer, model);
  showAnswer(answer, model, state);
  const more = [showEverywhere(answer, model, state, signal), showBeside(answer, model, models, state, signal)];
  for (const part of more) {
    part.catch((error) => {
      if (error.name !== "AbortError") fail(error);
    });
  }
  shownWord = { ...readState(), view: null, member: answer.member, to: answer.to, word: answer.looked_up };
  return answer;
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

async function copyLink() {
  const button = byId("copy");
  try {
    await copyText(new URL(addressOf(shownWord), location.href).href);
    button.textContent = "Copied";
    tell("The link is copied.");
    setTimeout(() => {
      button.textContent = "Copy link";
    }, 2000);
  } catch (error) {
    fail(error);
  }
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
    go(addressOf({ ...readState(), model: event.target.value, member: null, to: null, beside: null }), render);
  });
  byId("beside").addEventListener("change", (event) => {
    go(addressOf({ ...shownWord, beside: event.target.value || null }), () => render()); // the focus stays on the list
  });
  byId("copy").addEventListener("click", copyLink);
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
  connectWords();
  connectList({
    tell,
    fail,
    turn(way) {
      replaceState({ ...readState(), ...way });
      render();
    },
  });
  connectDictionary({ render, fail });
}

takeToken();
connect();
if (!readState().word && !readState().view) byId("word").focus();
await render();

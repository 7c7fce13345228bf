// The induced dictionary: filter, sort, page through, download.

import { ask, download } from "./api.js";
import { byId, element, formatScore, isolate } from "./dom.js";
import { changeEnd, fillMembers, memberOf, toneOf } from "./languages.js";
import { addressOf, readState, replaceState } from "./state.js";

const PAGE = 50;
const PAUSE = 250;

const form = byId("filter");
const body = byId("pairs").tBodies[0];
const more = byId("more");
let running = null;
let direction = null; // of the pairs shown, as the server said it

function parameters(state) {
  const { model, member, to, contains, min_score, sort, mutual } = state;
  return { model, member, to, contains, min_score, sort, mutual };
}

/** Show the dictionary that a state describes. */
export async function showDictionary(state, model, { tell, fail }) {
  form.contains.value = state.contains ?? "";
  form.min_score.value = state.min_score ?? "";
  form.sort.value = state.sort;
  form.mutual.checked = state.mutual !== "false";
  const show = async (offset) => {
    const found = await load(state, model, offset);
    if (found === null) return;
    more.hidden = found.shown >= found.total;
    more.onclick = () => show(found.shown).catch(fail);
    tell(byId("count").textContent);
  };
  await show(0);
}

/** Fetch and append pairs; null if another request came in between. */
async function load(state, model, offset) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  if (!offset) byId("count").textContent = "Looking for pairs …";
  const found = await ask("/api/lexicon", { ...parameters(state), offset, limit: PAGE }, signal);
  if (signal.aborted) return null;
  direction = { member: found.member, to: found.to };
  const [own, other] = showDirection(model);
  const cell = (word, { name, lang }, { name: to }) => {
    const href = addressOf({ model: state.model, member: name, to: model.members.length > 2 ? to : null, word });
    const link = element("a", { href, "data-go": true, class: toneOf(model, name, to) }, isolate(word, lang));
    return element("td", {}, link);
  };
  const rows = found.pairs.map((pair) =>
    element(
      "tr",
      {},
      cell(pair.word, own, other),
      cell(pair.translation, other, own),
      element("td", { class: "number" }, formatScore(pair.score)),
    ),
  );
  if (offset) body.append(...rows);
  else body.replaceChildren(...rows);
  const all = found.max_rank >= Math.max(own.words, other.words);
  const range = all ? "all words" : `the ${found.max_rank.toLocaleString("en")} most frequent words`;
  byId("scope").textContent = `Every word’s best translation by CSLS, among ${range} of each language.`;
  byId("count").textContent = `${found.total.toLocaleString("en")} ${found.total === 1 ? "pair" : "pairs"}`;
  return { shown: offset + rows.length, total: found.total };
}

/** Name both languages wherever the dictionary does; return their members. */
function showDirection(model) {
  const [own, other] = [direction.member, direction.to].map((name) => memberOf(model, name));
  document.title = `Dictionary ${own.title} – ${other.title} · isoalign`;
  byId("dictionary-from").textContent = own.title;
  byId("dictionary-to").textContent = other.title;
  byId("sort-word").textContent = `by ${own.title} word`;
  byId("sort-translation").textContent = `by ${other.title} word`;
  const many = model.members.length > 2;
  byId("swap").textContent = many ? "⇄" : `${own.title} ⇄ ${other.title}`;
  byId("swap").setAttribute("aria-label", `Swap ${own.title} ⇄ ${other.title}`);
  for (const [end, name] of Object.entries(direction)) {
    form[end].closest("label").hidden = !many;
    fillMembers(form[end], model, name);
  }
  byId("ends").hidden = false;
  return [own, other];
}

/** Keep the address and the table in step with the form; call once. */
export function connectDictionary({ render, fail }) {
  let timer = null;
  function change() {
    const state = readState();
    state.contains = form.contains.value.trim();
    state.min_score = form.min_score.validity.valid ? form.min_score.value : "";
    state.sort = form.sort.value;
    state.mutual = String(form.mutual.checked);
    replaceState(state);
    render({ moved: false });
  }
  function turn(way) {
    replaceState({ ...readState(), ...way });
    render({ moved: false });
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    if (target === form.member || target === form.to) {
      turn(changeEnd(direction, target.name, target.value));
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(change, PAUSE);
  });
  byId("swap").addEventListener("click", () => turn({ member: direction.to, to: direction.member }));
  byId("download").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      await download("/api/lexicon", { ...parameters(readState()), format: "tsv" }, "dictionary.tsv");
    } catch (error) {
      fail(error);
    } finally {
      button.disabled = false;
    }
  });
}

// A list of words, pasted or dropped as a file: a table of translations, to be downloaded as CSV.

import { post, saveFile } from "./api.js";
import { byId, element, formatScore, isolate } from "./dom.js";
import { changeEnd, fillMembers, memberOf } from "./languages.js";
import { addressOf } from "./state.js";
import { verdictWords } from "./verdict.js";

const AT_ONCE = 200; // words in a request
const MOST = 50_000;
const SHOWN = 200; // rows of the table; the file holds all
const LONGEST = 200; // characters of a word, as the server allows
const K = 3;
const COLUMNS = ["word", "looked_up", "translation", "score", "confidence", "best_in_both_directions", "second", "third"];

let running = null;
let direction = { member: null, to: null };
let model = null;
let rows = [];

/** The words of a text: one a line; of a table with tabs, the first column. */
function readWords(text) {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/)
    .map((line) => line.split("\t")[0].trim())
    .filter((word) => word)
    .slice(0, MOST);
}

/** Rows as RFC 4180 wants them, for spreadsheets: with the mark by which they know UTF-8, and nothing that they would run. */
function formatCsv(table) {
  const safe = (value) => (/^[=+\-@\t\r＝＋－＠]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value);
  const quote = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const cell = (value) => quote(safe(value));
  return `\ufeff${table.map((row) => row.map((value) => cell(String(value))).join(",")).join("\r\n")}\r\n`;
}

function csvRow({ word, looked_up, translations, confidence }) {
  if (!translations) return [word, "", "", "", "unknown word", "", "", ""];
  const [best, ...next] = translations;
  const others = [0, 1].map((place) => next[place]?.word ?? "");
  return [word, looked_up, best.word, best.score, confidence.level ?? "", confidence.mutual ? "yes" : "no", ...others];
}

/** Show the form for a model. */
export function showList(state, chosen) {
  if (model !== chosen) byId("list-result").hidden = true;
  model = chosen;
  direction = { member: state.member, to: state.to };
  const many = model.members.length > 2;
  fillMembers(byId("list-from"), model, direction.member, "detect");
  fillMembers(byId("list-into"), model, direction.to, many ? "the next one" : "other language");
  document.title = "Translate a list · isoalign";
}

async function translate({ tell, fail }) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const words = readWords(byId("list-words").value);
  if (!words.length) {
    byId("list-words").focus();
    return;
  }
  byId("list-go").disabled = true;
  byId("list-result").hidden = false;
  byId("list-download").disabled = true;
  rows = [];
  try {
    let way = direction; // the first part decides the language for all
    for (let start = 0; start < words.length; start += AT_ONCE) {
      byId("list-count").textContent = `${start.toLocaleString("en")} of ${words.length.toLocaleString("en")} words …`;
      const part = words.slice(start, start + AT_ONCE);
      const asked = part.filter((word) => word.length <= LONGEST);
      const found = asked.length ? await request(way, asked, signal) : { ...way, results: [] };
      way = { member: found.member, to: found.to };
      const known = new Map(found.results.map((entry) => [entry.word, entry]));
      rows.push(...part.map((word) => known.get(word) ?? { word, translations: null }));
      showRows(way);
    }
    const unknown = rows.filter(({ translations }) => !translations).length;
    const missing = unknown ? `, ${unknown.toLocaleString("en")} of them unknown` : "";
    const [own, other] = [way.member, way.to].map((name) => memberOf(model, name)?.title);
    const ways = own ? `, ${own} to ${other}` : "";
    byId("list-count").textContent = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "word" : "words"}${missing}${ways}.`;
    byId("list-download").disabled = false;
    tell(byId("list-count").textContent);
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
  } finally {
    if (!signal.aborted) byId("list-go").disabled = false;
  }
}

/** Ask for some words; a server that is busy is asked again. */
async function request(way, words, signal) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await post("/api/translate", { model: model.name, ...way, words, k: K, confidence: true }, signal);
    } catch (error) {
      if (error.status !== 503 || attempt > 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      signal.throwIfAborted();
    }
  }
}

function showRows(way) {
  const body = byId("list-table").tBodies[0];
  const [own, other] = [way.member, way.to].map((name) => memberOf(model, name));
  body.replaceChildren(...rows.slice(0, SHOWN).map((row) => makeRow(row, own, other)));
  const left = rows.length - SHOWN;
  byId("list-rest").textContent = left > 0 ? `And ${left.toLocaleString("en")} more, which the file holds.` : "";
}

function makeRow({ word, looked_up, translations, confidence }, own, other) {
  if (!translations) {
    const cells = [element("td", {}, isolate(word, own?.lang)), element("td", { colspan: 4, class: "unknown" }, "unknown word")];
    return element("tr", {}, ...cells);
  }
  const [best, ...next] = translations;
  const href = addressOf({ model: model.name, member: own.name, to: other.name, word: looked_up });
  const alternatives = next.flatMap(({ word: text }, number) => [number ? ", " : "", isolate(text, other.lang)]);
  return element(
    "tr",
    {},
    element("td", {}, element("a", { href, "data-go": true }, isolate(word, own.lang))),
    element("td", {}, isolate(best.word, other.lang)),
    element("td", {}, verdictWords(confidence) || "–"),
    element("td", { class: "number" }, formatScore(best.score)),
    element("td", {}, ...alternatives),
  );
}

/** Let the form, the file field and a dropped file work; call once. */
export function connectList({ tell, fail, turn }) {
  const form = byId("list-form");
  const take = async (file) => {
    if (!file) return;
    byId("list-words").value = await file.text();
    await translate({ tell, fail });
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    translate({ tell, fail });
  });
  byId("list-file").addEventListener("change", (event) => take(event.target.files[0]));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    form.addEventListener(kind, (event) => {
      event.preventDefault();
      form.classList.toggle("over", kind === "dragover");
    });
  }
  form.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    if (file) take(file);
    else byId("list-words").value = event.dataTransfer.getData("text");
  });
  for (const [id, end] of [["list-from", "member"], ["list-into", "to"]]) {
    byId(id).addEventListener("change", (event) => turn(changeEnd(direction, end, event.target.value || null)));
  }
  byId("list-download").addEventListener("click", () => {
    saveFile(new Blob([formatCsv([COLUMNS, ...rows.map(csvRow)])], { type: "text/csv" }), "translations.csv");
  });
}

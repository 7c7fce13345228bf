// Words that changed, most first, with their neighbours then and now side by side.

import { ask, takeToken } from "/api.js";
import { byId, element, isolate } from "/dom.js";

const PAGE = 50;
const LEVEL = 0.05;
const form = byId("filter");
let asked = 0; // answers to earlier questions come too late
let shown = 0;

function neighbors(own, other, name) {
  const known = new Set(other);
  const words = own.map((word) => (known.has(word) ? isolate(word) : element("bdi", {}, element("b", {}, word))));
  const spaced = words.flatMap((word, place) => (place ? [" ", word] : [word]));
  return element("td", { class: `neighbors ${name}` }, ...spaced);
}

function row(word) {
  const number = (text) => element("td", { class: "number" }, text);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, isolate(word.word)),
    number(word.z.toFixed(1).replace("-", "\u2212")),
    number(word.q < 0.001 ? word.q.toExponential(0).replace("-", "\u2212") : word.q.toFixed(3)),
    number(word.distance.toFixed(3)),
    number(`${word.rank_then} → ${word.rank_now}`),
    neighbors(word.then, word.now, "then"),
    neighbors(word.now, word.then, "now"),
  );
}

function fillChoices(id, values, chosen) {
  const select = byId(id);
  if (select.options.length !== values.length) {
    select.replaceChildren(...values.map((text, place) => element("option", { value: String(place) }, text)));
    byId(`${id}-label`).hidden = values.length < 2;
  }
  select.value = String(chosen);
}

async function show({ more = false } = {}) {
  const question = ++asked;
  const fields = new FormData(form);
  const offset = more ? shown : 0;
  let found;
  try {
    found = await ask("/api/drift", {
      step: fields.get("step") ?? 0,
      measure: fields.get("measure") ?? 0,
      contains: fields.get("contains"),
      max_q: fields.get("changed") ? LEVEL : 1,
      offset,
      limit: PAGE,
    });
  } catch (error) {
    byId("notice").textContent = error.message;
    byId("notice").hidden = false;
    return;
  }
  if (question !== asked) return;
  byId("notice").hidden = true;
  fillChoices("step", found.steps.map((step) => `${step.old} → ${step.new}`), found.step);
  fillChoices("measure", found.measures, found.measure);
  byId("home").hidden = !found.home;
  byId("then").replaceChildren(isolate(found.steps[found.step].old));
  byId("now").replaceChildren(isolate(found.steps[found.step].new));
  byId("distance").textContent = found.measures[found.measure];
  const rows = found.words.map(row);
  if (more) byId("words").append(...rows);
  else byId("words").replaceChildren(...rows);
  shown = offset + rows.length;
  byId("more").hidden = shown >= found.total;
  const step = found.steps[found.step];
  byId("count").textContent =
    `${found.total.toLocaleString("en")} of ${step.words.toLocaleString("en")} words; ` +
    `${found.changed.toLocaleString("en")} changed at q ≤ ${LEVEL}.`;
}

takeToken();
form.addEventListener("input", () => show());
form.addEventListener("submit", (event) => event.preventDefault());
byId("more").addEventListener("click", () => show({ more: true }));
show();

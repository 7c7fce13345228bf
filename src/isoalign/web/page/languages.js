// The members of a model: what people call them, and the lists to choose them from.

import { element } from "./dom.js";

const KEY = "isoalign-languages"; // what people said about models that do not know their languages
const UNNAMED = ["source", "target"]; // names of members whose languages nobody knew
const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

function nameOf(lang) {
  try {
    return names.of(lang) ?? lang;
  } catch {
    return lang; // not a code at all
  }
}

/** What people said before; nothing where the browser keeps nothing. */
function told() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** Give every member of a model a title: its language, with its name where several have the same language. */
export function nameMembers(model) {
  const said = told()[model.name] ?? {};
  for (const member of model.members) member.lang ??= said[member.name] ?? null;
  const titles = model.members.map(({ lang, name }, number) => {
    if (lang) return nameOf(lang);
    return UNNAMED.includes(name) ? `language ${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number] ?? number + 1}` : name;
  });
  model.members.forEach((member, number) => {
    const shared = titles.filter((title) => title === titles[number]).length > 1;
    member.title = shared ? `${titles[number]} (${member.name})` : titles[number];
  });
}

/** Ask for the languages that a model does not know; call "done" once they are said. */
export function askForLanguages(form, model, done) {
  const unknown = model.members.filter(({ lang, name }) => !lang && UNNAMED.includes(name));
  form.hidden = unknown.length === 0;
  if (form.hidden) return;
  const lists = unknown.map(({ title, examples }) => {
    const options = [["", "choose"], ...knownLanguages()].map(([code, text]) => element("option", { value: code }, text));
    const select = element("select", {}, ...options);
    return { select, label: element("label", {}, `${title} (${examples.slice(0, 3).join(", ")} …) is `, select) };
  });
  form.replaceChildren(
    element("p", {}, "Which languages are these? The model does not say."),
    ...lists.map(({ label }) => label),
    element("button", {}, "Keep"),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    const said = Object.fromEntries(unknown.map(({ name }, number) => [name, lists[number].select.value || null]));
    localStorage.setItem(KEY, JSON.stringify({ ...told(), [model.name]: { ...told()[model.name], ...said } }));
    nameMembers(model);
    done();
  };
}

/** All two-letter codes that have a name, by name. */
function knownLanguages() {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const codes = letters.flatMap((a) => letters.map((b) => a + b));
  return codes
    .map((code) => [code, names.of(code)])
    .filter(([, name]) => name)
    .sort((a, b) => a[1].localeCompare(b[1]));
}

export function memberOf(model, name) {
  return model.members.find((member) => member.name === name);
}

/** The colour of a member beside another one: the earlier in the model has the first colour. */
export function toneOf(model, name, other) {
  const order = model.members.map((member) => member.name);
  return order.indexOf(name) < order.indexOf(other) ? "first" : "second";
}

/** Fill a list with the members of a model; "any" is the text of an entry for none of them. */
export function fillMembers(select, model, chosen, any = null) {
  const options = model.members.map(({ name, title }) => element("option", { value: name }, title));
  if (any) options.unshift(element("option", { value: "" }, any));
  select.replaceChildren(...options);
  select.value = chosen ?? "";
}

/** The direction after one end of it has changed; choosing the language of the other end swaps them. */
export function changeEnd({ member, to }, end, name) {
  if (end === "member") return { member: name, to: name && name === to ? member : to };
  return { member: name && name === member ? to : member, to: name };
}

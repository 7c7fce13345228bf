// The members of a model: what people call them, and the lists to choose them from.

import { element } from "./dom.js";

function languageName({ lang, name }) {
  if (!lang) return name;
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(lang);
  } catch {
    return lang;
  }
}

/** Give every member of a model a title: its language, with its name where several have the same language. */
export function nameMembers(model) {
  const titles = model.members.map(languageName);
  model.members.forEach((member, number) => {
    const shared = titles.filter((title) => title === titles[number]).length > 1;
    member.title = shared ? `${titles[number]} (${member.name})` : titles[number];
  });
}

export function memberOf(model, name) {
  return model.members.find((member) => member.name === name);
}

/** The colour of a member beside another one: the earlier in the model has the first colour. */
export function toneOf(model, name, other) {
  const names = model.members.map((member) => member.name);
  return names.indexOf(name) < names.indexOf(other) ? "first" : "second";
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

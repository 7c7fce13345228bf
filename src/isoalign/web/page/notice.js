// Say what went wrong and what can be done about it.

import { ServerError, UnreachableError, setToken } from "./api.js";
import { byId, element, isolate } from "./dom.js";
import { addressOf } from "./state.js";

/**
 * @param error what was thrown
 * @param state what was to be shown
 * @param again called to try once more
 */
export function showError(error, state, again) {
  byId("notice").replaceChildren(...explain(error, state, again));
  byId("notice").hidden = false;
}

export function clearError() {
  byId("notice").hidden = true;
}

function explain(error, state, again) {
  if (error instanceof ServerError && error.status === 401) return askForToken(again);
  if (error instanceof ServerError && error.suggestions) return suggest(error.suggestions, state);
  const button = element("button", { type: "button" }, "Try again");
  button.addEventListener("click", again);
  const hint = error instanceof UnreachableError ? " Is isoalign serve still running?" : "";
  return [element("p", {}, error.message + hint), button];
}

function suggest(suggestions, state) {
  const sentence = element("p", {}, isolate(state.word), " is not in the vocabulary.");
  if (!suggestions.length) return [sentence];
  const links = suggestions.map(({ word, member }) => {
    const href = addressOf({ model: state.model, member, word });
    return element("li", {}, element("a", { href, "data-go": true }, isolate(word)));
  });
  return [sentence, element("p", {}, "Perhaps one of these?"), element("ul", {}, ...links)];
}

function askForToken(again) {
  const field = element("input", { type: "password", "aria-label": "Token", autocomplete: "off", required: true });
  const form = element("form", {}, field, element("button", {}, "Go on"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setToken(field.value);
    again();
  });
  return [element("p", {}, "This server needs the token that it was started with."), form];
}

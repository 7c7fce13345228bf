// Make elements. Words only ever become text nodes, so none of them can become markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A word, set apart from the direction of the text around it. */
export function isolate(word, lang) {
  return element("bdi", { lang: languageTag(lang) }, word);
}

/** A language code if it can be one, so that fonts and voices fit the word. */
export function languageTag(lang) {
  return lang && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(lang) ? lang : null;
}

/** A score as people write it, with a minus that is as wide as a plus. */
export function formatScore(value) {
  return value.toFixed(3).replace("-", "\u2212");
}

export function byId(id) {
  return document.getElementById(id);
}

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

/** Cut the text of a label, which must be on the page, to the width that there is for it. */
export function shorten(text, word, room) {
  if (text.getComputedTextLength() <= room) return;
  const letters = [...word];
  const show = (count) => {
    text.textContent = `${letters.slice(0, count).join("")}…`;
  };
  let [fitting, tooMany] = [1, letters.length];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    show(middle);
    if (text.getComputedTextLength() > room) tooMany = middle;
    else fitting = middle;
  }
  show(fitting);
}

/** A score as people write it, with a minus that is as wide as a plus. */
export function formatScore(value) {
  return value.toFixed(3).replace("-", "\u2212");
}

export function byId(id) {
  return document.getElementById(id);
}

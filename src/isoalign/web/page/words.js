// One word: translations, neighbours before and after normalisation, the picture, the path through the rounds.

import { drawBars } from "./bars.js";
import { byId, element, isolate, shape } from "./dom.js";
import { memberOf, toneOf } from "./languages.js";
import { drawPath, fillRanks } from "./path.js";
import { drawPicture, mark } from "./picture.js";
import { addressOf } from "./state.js";

const count = (number) => number.toLocaleString("en");

let shown = null; // the last answer, to be drawn again when the window changes

/** A word of one of the two languages shown, to be translated into the other; of two, the other need not be named. */
function wordAddress(word, member) {
  const { answer, model, state } = shown;
  const to = member === answer.member ? answer.to : answer.member;
  return addressOf({ model: state.model, member, to: model.members.length > 2 ? to : null, word });
}

const tone = (member) => {
  const { answer, model } = shown;
  return toneOf(model, member, member === answer.member ? answer.to : answer.member);
};

/** Show an answer of /api/word. */
export function showAnswer(answer, model, state) {
  shown = { answer, model, state };
  const [own, other] = [memberOf(model, answer.member), memberOf(model, answer.to)];
  fillHead(answer, own);
  byId("h-translations").textContent = `Translations into ${other.title}`;

  const scores = answer.translations.map(({ word, score }) => ({
    word,
    value: score,
    lang: other.lang,
    address: wordAddress(word, other.name),
  }));
  drawBars(byId("translations"), scores, tone(other.name));

  const [before, after] = [answer.rounds[0], answer.rounds.at(-1)];
  const list = (neighbors, others, badge) => {
    const known = new Set(others.map(({ word }) => word));
    return neighbors.map(({ word, cosine }) => ({
      word,
      value: cosine,
      lang: own.lang,
      address: wordAddress(word, own.name),
      badge: known.has(word) ? null : badge,
    }));
  };
  drawBars(byId("before"), list(before, after, "leaves"), tone(own.name));
  drawBars(byId("after"), list(after, before, "new"), tone(own.name));
  fillRanks(byId("ranks"), answer.rounds, { lang: own.lang });
  byId("rounds").hidden = answer.rounds.length < 2;
  byId("legend").replaceChildren(
    ...[own, other].map(({ name, title }) => {
      const sample = shape("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, mark(tone(name), 5, 5));
      return element("li", {}, sample, title);
    }),
  );
  byId("result").hidden = false;
  drawAnswer();
}

function fillHead(answer, own) {
  byId("headword").replaceChildren(isolate(answer.word, own.lang));
  const place = answer.place ? `word ${count(answer.place)} of ${count(own.words)}` : "made from subwords";
  const about = [`${own.title}, ${place}`];
  for (const name of answer.known_in.filter((known) => known !== own.name)) {
    const href = addressOf({ model: shown.state.model, member: name, word: answer.word });
    about.push(" · ", element("a", { href, "data-go": true }, `the same in ${memberOf(shown.model, name).title}`));
  }
  byId("about").replaceChildren(...about);
}

/** Draw what depends on the width of the window. */
export function drawAnswer() {
  if (!shown || byId("result").hidden) return;
  const { answer, model } = shown;
  drawPicture(byId("picture"), answer.picture, {
    lang: (member) => memberOf(model, member).lang,
    tone,
    address: (point) => wordAddress(point.word, point.member),
  });
  drawPath(byId("path"), answer.rounds, {
    lang: memberOf(model, answer.member).lang,
    address: (word) => wordAddress(word, answer.member),
  });
}

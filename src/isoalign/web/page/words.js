// One word: translations, neighbours before and after normalisation, the picture, the path through the rounds.

import { drawBars } from "./bars.js";
import { byId, element, isolate, shape } from "./dom.js";
import { drawPath, fillRanks } from "./path.js";
import { drawPicture, mark } from "./picture.js";
import { addressOf } from "./state.js";

const SIDES = ["source", "target"];
const OTHER = { source: "target", target: "source" };
const count = (number) => number.toLocaleString("en");

let shown = null; // the last answer, to be drawn again when the window changes

const wordAddress = (word, side) => addressOf({ model: shown.state.model, side, word });

/** Show an answer of /api/word. */
export function showAnswer(answer, model, state) {
  shown = { answer, model, state };
  const [own, other] = [model[answer.side], model[OTHER[answer.side]]];
  fillHead(answer, own, other);

  const scores = answer.translations.map(({ word, score }) => ({
    word,
    value: score,
    lang: other.lang,
    address: wordAddress(word, OTHER[answer.side]),
  }));
  drawBars(byId("translations"), scores, OTHER[answer.side]);

  const [before, after] = [answer.rounds[0], answer.rounds.at(-1)];
  const list = (neighbors, others, badge) => {
    const known = new Set(others.map(({ word }) => word));
    return neighbors.map(({ word, cosine }) => ({
      word,
      value: cosine,
      lang: own.lang,
      address: wordAddress(word, answer.side),
      badge: known.has(word) ? null : badge,
    }));
  };
  drawBars(byId("before"), list(before, after, "leaves"), answer.side);
  drawBars(byId("after"), list(after, before, "new"), answer.side);
  fillRanks(byId("ranks"), answer.rounds, { lang: own.lang });
  byId("rounds").hidden = answer.rounds.length < 2;
  byId("legend").replaceChildren(
    ...SIDES.map((side) => {
      const sample = shape("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, mark(side, 5, 5));
      return element("li", {}, sample, model[side].name);
    }),
  );
  byId("result").hidden = false;
  drawAnswer();
}

function fillHead(answer, own, other) {
  byId("headword").replaceChildren(isolate(answer.word, own.lang));
  const place = answer.place ? `word ${count(answer.place)} of ${count(own.words)}` : "made of its parts";
  const about = [`${own.name}, ${place}`];
  if (answer.known_in.length > 1) {
    const href = wordAddress(answer.word, OTHER[answer.side]);
    about.push(" · ", element("a", { href, "data-go": true }, `the same in ${other.name}`));
  }
  byId("about").replaceChildren(...about);
}

/** Draw what depends on the width of the window. */
export function drawAnswer() {
  if (!shown || byId("result").hidden) return;
  const { answer, model } = shown;
  drawPicture(byId("picture"), answer.picture, {
    lang: (side) => model[side].lang,
    address: (point) => wordAddress(point.word, point.side),
  });
  drawPath(byId("path"), answer.rounds, {
    lang: model[answer.side].lang,
    address: (word) => wordAddress(word, answer.side),
  });
}

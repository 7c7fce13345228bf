// One word: translations, neighbours before and after normalisation, the picture, the path through the rounds.

import { drawBars } from "./bars.js";
import { byId, element, isolate, shape } from "./dom.js";
import { memberOf, toneOf } from "./languages.js";
import { describeChange, drawPath, fillRanks } from "./path.js";
import { drawPicture, mark, moves } from "./picture.js";
import { addressOf } from "./state.js";
import { calibrationOf, makeVerdict } from "./verdict.js";

const count = (number) => number.toLocaleString("en");

let shown = null; // the last answer, to be drawn again when the window changes
let picture = null;

/** A word of one of the two languages shown, to be translated into the other; of two, the other need not be named. */
function wordAddress(word, member) {
  const { answer, model, state } = shown;
  const to = member === answer.member ? answer.to : answer.member;
  return addressOf({ model: state.model, member, to: model.members.length > 2 ? to : null, word, beside: state.beside });
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
  showTranslations(answer, model, own, other);
  showNeighbors(answer, own, other);
  byId("legend").replaceChildren(
    ...[own, other].map(({ name, title }) => {
      const sample = shape("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, mark(tone(name), 5, 5));
      return element("li", {}, sample, title);
    }),
  );
  byId("stage").hidden = !moves(answer.picture);
  byId("slide").value = 100;
  byId("result").hidden = false;
  drawAnswer();
}

function showTranslations(answer, model, own, other) {
  const scores = answer.translations.map(({ word, score, gloss }) => ({
    word,
    value: score,
    lang: other.lang,
    gloss,
    glossLang: own.lang,
    address: wordAddress(word, other.name),
  }));
  drawBars(byId("translations"), scores, tone(other.name));
  byId("translations").firstElementChild?.append(makeVerdict(answer, calibrationOf(model, answer), own, other));
}

function showNeighbors(answer, own, other) {
  const [before, after] = [answer.rounds[0], answer.rounds.at(-1)];
  const glosses = new Map(answer.glosses.map(({ word, gloss }) => [word, gloss]));
  const list = (neighbors, others, badge) => {
    const known = new Set(others.map(({ word }) => word));
    return neighbors.map(({ word, cosine }) => ({
      word,
      value: cosine,
      lang: own.lang,
      gloss: glosses.get(word),
      glossLang: other.lang,
      address: wordAddress(word, own.name),
      badge: known.has(word) ? null : badge,
    }));
  };
  drawBars(byId("before"), list(before, after, "leaves"), tone(own.name));
  drawBars(byId("after"), list(after, before, "new"), tone(own.name));
  fillRanks(byId("ranks"), answer.rounds, { lang: own.lang });
  const change = describeChange(answer.rounds);
  byId("rounds").hidden = answer.rounds.length < 2;
  byId("rounds").open = change.any;
  byId("rounds-note").textContent = change.text;
}

function fillHead(answer, own) {
  byId("headword").replaceChildren(isolate(answer.looked_up, own.lang));
  const place = answer.place ? `word ${count(answer.place)} of ${count(own.words)}` : "made from subwords";
  const about = [`${own.title}, ${place}`];
  if (answer.looked_up !== answer.word) about.push(" · ", isolate(answer.word), " is known in another case only");
  for (const name of answer.known_in.filter((known) => known !== own.name)) {
    const href = addressOf({ model: shown.state.model, member: name, word: answer.looked_up });
    about.push(" · ", element("a", { href, "data-go": true }, `the same in ${memberOf(shown.model, name).title}`));
  }
  byId("about").replaceChildren(...about);
}

/** Draw what depends on the width of the window. */
export function drawAnswer() {
  if (!shown || byId("result").hidden) return;
  const { answer, model } = shown;
  const look = {
    lang: (member) => memberOf(model, member).lang,
    tone,
    address: (point) => wordAddress(point.word, point.member),
  };
  picture = drawPicture(byId("picture"), answer.picture, look, byId("slide").value / 100);
  sayStage();
  drawRounds();
}

/** The path is measured when it is drawn, so it must be unfolded. */
function drawRounds() {
  if (!byId("rounds").open || !shown) return;
  const { answer, model } = shown;
  drawPath(byId("path"), answer.rounds, {
    lang: memberOf(model, answer.member).lang,
    address: (word) => wordAddress(word, answer.member),
  });
}

function sayStage() {
  const part = Number(byId("slide").value);
  const text = part === 100 ? "after normalisation" : part === 0 ? "before normalisation" : `${part} per cent of the way`;
  byId("slide").setAttribute("aria-valuetext", text);
}

/** Let the slider and its ends move the picture; call once. */
export function connectWords() {
  const slide = byId("slide");
  slide.addEventListener("input", () => {
    picture?.show(slide.value / 100);
    sayStage();
  });
  for (const [id, end] of [["to-before", 0], ["to-after", 1]]) {
    byId(id).addEventListener("click", () =>
      picture?.glide(end, (part) => {
        slide.value = Math.round(100 * part);
        sayStage();
      }),
    );
  }
  byId("rounds").addEventListener("toggle", drawRounds);
}

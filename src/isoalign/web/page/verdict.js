// How far a translation can be trusted: in a word or two, and one click away, what they mean.

import { element, isolate } from "./dom.js";

const percent = (share) => `${Math.round(100 * share)} %`;

/** The verdict in words: "clear, best in both directions". */
export function verdictWords({ level, mutual }) {
  return [level, mutual ? "best in both directions" : null].filter(Boolean).join(", ");
}

/** What was measured of a direction of a model, or null. */
export function calibrationOf(model, { member, to }) {
  return model.calibrations.find((one) => one.member === member && one.to === to) ?? null;
}

/**
 * @param answer {confidence: {level, mutual, margin}, translations: [{word, gloss}], word}
 * @param calibration {words, levels: [{level, right, n, low, high}]} or null
 * @param own, other the members {title, lang}
 */
export function makeVerdict(answer, calibration, own, other) {
  const { level, mutual, margin } = answer.confidence;
  const summary = element("summary", {});
  if (level) summary.append(element("span", { class: `level ${level}` }, level), ", ");
  summary.append(mutual ? "best in both directions" : "not the best in both directions");
  return element(
    "details",
    { class: "verdict" },
    summary,
    element("p", {}, ...sayMutual(answer, mutual, own, other), ` It scores ${margin.toFixed(3)} better than the next.`),
    ...sayMeasured(calibration),
  );
}

function sayMutual({ looked_up, translations: [best] }, mutual, own, other) {
  const [word, found] = [isolate(looked_up, own.lang), isolate(best.word, other.lang)];
  if (mutual) return [`No ${other.title} word fits `, word, " better than ", found, `, and no ${own.title} word fits `, found.cloneNode(true), " better."];
  return [`No ${other.title} word fits `, word, " better than ", found, ", which itself is translated best by ", isolate(best.gloss, own.lang), "."];
}

function sayMeasured(calibration) {
  if (!calibration) {
    const command = element("code", {}, "isoalign align --calibrate");
    return [element("p", {}, "How often such translations are right was not measured for this model; ", command, " does.")];
  }
  const rows = calibration.levels.map(({ level, right, n, low, high }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("span", { class: `level ${level}` }, level)),
      element("td", {}, `${right} of ${n}`),
      element("td", {}, `${percent(right / n)} (${percent(low)} to ${percent(high)})`),
    ),
  );
  return [
    element("table", { class: "measured" }, element("caption", {}, "Right on held-out words, with the 95 % interval"), element("tbody", {}, ...rows)),
    element(
      "p",
      {},
      `Measured on ${calibration.words.toLocaleString("en")} dictionary words that a second model, learned in the same way, ` +
        "had not seen. Right means that the dictionary has the translation; good ones that it lacks count as wrong. Words " +
        "that no dictionary has may fare worse.",
    ),
  ];
}

// The ranks of a word's neighbours through the rounds of normalisation: one line per neighbour.

import { element, isolate, languageTag, shape, shorten } from "./dom.js";

const ROW = 26;
const TOP = 30;
const GAP = 10;

const wordsOf = (neighbors) => neighbors.map(({ word }) => word).join("\n");

/** Rounds after which the list is the same as before are one: [{name: "2–5", neighbors}]. */
function distinct(rounds) {
  const stages = [];
  rounds.forEach((neighbors, round) => {
    const last = stages.at(-1);
    if (round > 1 && last.words === wordsOf(neighbors)) last.to = round;
    else stages.push({ from: round, to: round, neighbors, words: wordsOf(neighbors) });
  });
  return stages.map(({ from, to, neighbors }) => ({ name: nameOf(from, to), neighbors }));
}

function nameOf(from, to) {
  if (from === 0) return "before";
  return from === to ? `${from}` : `${from}–${to}`;
}

/** Ranks of every word that is a neighbour in some stage: word -> [rank or null per stage]. */
function ranksOf(stages) {
  const ranks = new Map();
  stages.forEach(({ neighbors }, stage) =>
    neighbors.forEach(({ word }, rank) => {
      if (!ranks.has(word)) ranks.set(word, stages.map(() => null));
      ranks.get(word)[stage] ??= rank + 1;
    }),
  );
  return ranks;
}

/** Whether anything changes between the first round and the last, and a few words about it. */
export function describeChange(rounds) {
  const changes = rounds.filter((neighbors, round) => round && wordsOf(neighbors) !== wordsOf(rounds[round - 1])).length;
  if (!changes) return { any: false, text: "nothing changes" };
  const first = new Set(rounds[0].map(({ word }) => word));
  const entered = rounds.at(-1).filter(({ word }) => !first.has(word)).length;
  return { any: true, text: entered ? `${entered} new after the last round` : "only the order changes" };
}

function kindOf(ranks) {
  if (ranks[0] === null) return "entered";
  return ranks.at(-1) === null ? "left" : "kept";
}

export function drawPath(place, rounds, look) {
  const width = Math.max(place.clientWidth, 260);
  const most = Math.max(...rounds.map((neighbors) => neighbors.length));
  const stages = distinct(rounds);
  const tracks = [...ranksOf(stages)];
  const beyond = tracks.some(([, ranks]) => ranks.includes(null)); // then one more row, for ranks below the list
  const height = TOP + (most + (beyond ? 1 : 0)) * ROW;
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`,
    height,
    role: "group",
    "aria-label": "Ranks of the neighbours through the rounds; the table below says the same",
  });
  place.replaceChildren(svg);
  const labelRoom = Math.min(150, width * 0.27);
  const across = (stage) => labelRoom + GAP + ((width - 2 * (labelRoom + GAP)) * stage) / Math.max(stages.length - 1, 1);
  const down = (rank) => TOP + ((rank ?? most + 1) - 0.5) * ROW;
  stages.forEach(({ name }, stage) => {
    const x = across(stage);
    svg.append(
      shape("line", { class: "grid", x1: x, x2: x, y1: TOP - 4, y2: TOP + most * ROW }),
      shape("text", { class: "axis", x: stage ? x : x + 6, y: 16, "text-anchor": stage ? "middle" : "end" }, name),
    );
  });
  for (const [word, ranks] of tracks) {
    const track = shape("g", { class: `track ${kindOf(ranks)}` });
    svg.append(track);
    ranks.forEach((rank, stage) => {
      const next = ranks[stage + 1];
      if (stage + 1 < ranks.length && (rank !== null || next !== null)) {
        const points = `${across(stage)},${down(rank)} ${across(stage + 1)},${down(next)}`;
        track.append(shape("polyline", { points }));
      }
      if (rank !== null) track.append(shape("circle", { cx: across(stage), cy: down(rank), r: 3.5 }));
    });
    for (const [rank, x, anchor] of [
      [ranks[0], labelRoom, "end"],
      [ranks.at(-1), width - labelRoom, "start"],
    ]) {
      if (rank === null) continue;
      const text = shape("text", { x, y: down(rank) + 4.5, "text-anchor": anchor, lang: languageTag(look.lang) }, word);
      track.append(shape("a", { href: look.address(word), "data-go": true }, shape("title", {}, word), text));
      shorten(text, word, labelRoom);
    }
  }
}

export function fillRanks(table, rounds, look) {
  const stages = distinct(rounds);
  const head = stages.map(({ name }) => element("th", { scope: "col" }, name));
  const rows = [...ranksOf(stages)].map(([word, ranks]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, isolate(word, look.lang)),
      ...ranks.map((rank) => element("td", {}, rank === null ? "–" : String(rank))),
    ),
  );
  table.replaceChildren(
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Word"), ...head)),
    element("tbody", {}, ...rows),
  );
}

// The ranks of a word's neighbours through the rounds of normalisation: one line per neighbour.

import { element, isolate, languageTag, shape, shorten } from "./dom.js";

const ROW = 26;
const TOP = 30;
const GAP = 10;

/** Ranks of every word that is a neighbour in some round: word -> [rank or null per round]. */
export function ranksOf(rounds) {
  const ranks = new Map();
  rounds.forEach((neighbors, round) =>
    neighbors.forEach(({ word }, rank) => {
      if (!ranks.has(word)) ranks.set(word, rounds.map(() => null));
      ranks.get(word)[round] ??= rank + 1;
    }),
  );
  return ranks;
}

export const roundName = (round) => (round === 0 ? "before" : `${round}`);

function kindOf(ranks) {
  if (ranks[0] === null) return "entered";
  return ranks.at(-1) === null ? "left" : "kept";
}

export function drawPath(place, rounds, look) {
  const width = Math.max(place.clientWidth, 260);
  const most = Math.max(...rounds.map((neighbors) => neighbors.length));
  const tracks = [...ranksOf(rounds)];
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
  const across = (round) => labelRoom + GAP + ((width - 2 * (labelRoom + GAP)) * round) / Math.max(rounds.length - 1, 1);
  const down = (rank) => TOP + ((rank ?? most + 1) - 0.5) * ROW;
  rounds.forEach((_, round) => {
    const x = across(round);
    svg.append(
      shape("line", { class: "grid", x1: x, x2: x, y1: TOP - 4, y2: TOP + most * ROW }),
      shape("text", { class: "axis", x: round ? x : x + 6, y: 16, "text-anchor": round ? "middle" : "end" }, roundName(round)),
    );
  });
  for (const [word, ranks] of tracks) {
    const track = shape("g", { class: `track ${kindOf(ranks)}` });
    svg.append(track);
    ranks.forEach((rank, round) => {
      const next = ranks[round + 1];
      if (round + 1 < ranks.length && (rank !== null || next !== null)) {
        const points = `${across(round)},${down(rank)} ${across(round + 1)},${down(next)}`;
        track.append(shape("polyline", { points }));
      }
      if (rank !== null) track.append(shape("circle", { cx: across(round), cy: down(rank), r: 3.5 }));
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
  const head = rounds.map((_, round) => element("th", { scope: "col" }, roundName(round)));
  const rows = [...ranksOf(rounds)].map(([word, ranks]) =>
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

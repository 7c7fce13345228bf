// The neighbourhood of a word in the plane: both languages, pairs joined, from before normalisation to after.

import { languageTag, shape, shorten } from "./dom.js";
import { RADIUS, placeLabels } from "./labels.js";

const MARGIN = { side: 40, top: 24 };
const MOVE = 900; // milliseconds from one end to the other

/** The mark of a language: colours differ, and so do shapes. */
export function mark(tone, x, y, radius = RADIUS) {
  return tone === "first"
    ? shape("circle", { class: "mark first", cx: x, cy: y, r: radius })
    : shape("rect", { class: "mark second", x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius });
}

/** Whether normalisation moves any point visibly. */
export function moves(picture) {
  return picture.points.some(({ before, after }) => before.some((value, axis) => Math.abs(value - after[axis]) > 0.01));
}

/**
 * @param place the element to draw into
 * @param picture {points: [{word, member, before: [x, y], after: [x, y]}], links: [[from, to]]}; the word itself first
 * @param look {lang(member), tone(member), address(point)}
 * @param stage from 0, before normalisation, to 1, after it
 * @returns {show(stage), glide(stage, tell)}
 */
export function drawPicture(place, picture, look, stage = 1) {
  const width = Math.max(place.clientWidth, 260);
  const height = Math.round(Math.min(Math.max(width * 0.66, 320), 440));
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`,
    height,
    role: "group",
    "aria-label": "Words of both languages in the plane; near means similar",
  });
  const ends = ["before", "after"].map((end) => layOut(picture.points, end, width, height));
  const lines = picture.links.map((_, number) => shape("line", { class: number ? "link" : "link head" }));
  const linked = new Set(picture.links[0]);
  const points = picture.points.map((point, number) => {
    const tone = look.tone(point.member);
    const text = shape("text", { lang: languageTag(look.lang(point.member)) }, point.word);
    const leader = shape("line", { class: "leader" });
    const link = shape(
      "a",
      { href: look.address(point), "data-go": true, class: linked.has(number) ? `${tone} head` : tone, "aria-label": point.word },
      shape("title", {}, point.word),
      leader,
      mark(tone, 0, 0),
      text,
    );
    return { link, text, leader, word: point.word, first: linked.has(number) };
  });
  svg.append(...lines, ...points.map(({ link }) => link));
  place.replaceChildren(svg);
  for (const point of points) {
    shorten(point.text, point.word, width * 0.42); // measures text, so it must be on the page
    point.size = point.text.getBBox();
    point.mark = point.link.querySelector(".mark");
  }

  function show(part) {
    const places = ends[0].map(([x, y], number) => {
      const [x1, y1] = ends[1][number];
      return { x: x + (x1 - x) * part, y: y + (y1 - y) * part };
    });
    picture.links.forEach(([from, to], number) => {
      const [a, b] = [places[from], places[to]];
      set(lines[number], { x1: a.x, y1: a.y, x2: b.x, y2: b.y });
    });
    points.forEach((point, number) => {
      const { x, y } = places[number];
      point.mark.setAttribute("transform", `translate(${x} ${y})`);
    });
    placeLabels(points, places, picture.links, width, height);
  }

  let frame = null;
  function glide(to, tell) {
    cancelAnimationFrame(frame);
    const from = current;
    const start = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || from === to;
    const step = (now) => {
      const part = still ? 1 : Math.min(1, (now - start) / MOVE);
      const eased = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2;
      current = from + (to - from) * eased;
      show(current);
      tell(current);
      if (part < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }
  let current = stage;
  show(stage);
  return {
    glide,
    show(part) {
      cancelAnimationFrame(frame);
      current = part;
      show(part);
    },
  };
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** Scale both axes and both ends alike, so that distances stay comparable. */
function layOut(points, end, width, height) {
  const range = (axis) => {
    const values = points.flatMap(({ before, after }) => [before[axis], after[axis]]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [[left, right], [bottom, top]] = [range(0), range(1)];
  const room = [width - 2 * MARGIN.side, height - 2 * MARGIN.top];
  const scale = Math.min(room[0] / (right - left || 1), room[1] / (top - bottom || 1));
  return points.map((point) => [
    width / 2 + (point[end][0] - (left + right) / 2) * scale,
    height / 2 - (point[end][1] - (bottom + top) / 2) * scale,
  ]);
}

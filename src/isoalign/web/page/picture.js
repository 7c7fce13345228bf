// The neighbourhood of a word in the plane: both languages, pairs joined.

import { languageTag, shape, shorten } from "./dom.js";

const RADIUS = 5;
const STEP = 6;
const MARGIN = { side: 48, top: 26 };
const DIRECTIONS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];

/** The mark of a language: colours differ, and so do shapes. */
export function mark(tone, x, y, radius = RADIUS) {
  return tone === "first"
    ? shape("circle", { class: "mark first", cx: x, cy: y, r: radius })
    : shape("rect", { class: "mark second", x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius });
}

/**
 * @param place the element to draw into
 * @param picture {points: [{word, x, y, member}], links: [[from, to]]}; the first point is the word itself
 * @param look {lang(member), tone(member), address(point)}
 */
export function drawPicture(place, picture, look) {
  const width = Math.max(place.clientWidth, 260);
  const height = Math.round(Math.min(Math.max(width * 0.72, 300), 460));
  const svg = shape("svg", {
    viewBox: `0 0 ${width} ${height}`,
    height,
    role: "group",
    "aria-label": "Words of both languages in the plane; near means similar",
  });
  const points = layOut(picture.points, width, height);
  for (const [number, [from, to]] of picture.links.entries()) {
    const [a, b] = [points[from], points[to]];
    svg.append(shape("line", { class: number ? "link" : "link head", x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
  }
  const labels = points.map((point, number) => {
    const text = shape("text", { lang: languageTag(look.lang(point.member)) }, point.word);
    const tone = look.tone(point.member);
    const kind = number ? tone : `${tone} head`;
    const dot = mark(tone, point.x, point.y);
    const title = shape("title", {}, point.word);
    svg.append(shape("a", { href: look.address(point), "data-go": true, class: kind }, title, dot, text));
    return { point, text };
  });
  place.replaceChildren(svg);
  placeLabels(labels, obstacles(points, picture.links), width, height); // measures text, so it must be on the page
}

/** Scale both axes alike, so that distances stay comparable. */
function layOut(points, width, height) {
  const range = (name) => {
    const values = points.map((point) => point[name]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [[left, right], [bottom, top]] = [range("x"), range("y")];
  const room = [width - 2 * MARGIN.side, height - 2 * MARGIN.top];
  const scale = Math.min(room[0] / (right - left || 1), room[1] / (top - bottom || 1));
  return points.map((point) => ({
    ...point,
    x: width / 2 + (point.x - (left + right) / 2) * scale,
    y: height / 2 - (point.y - (bottom + top) / 2) * scale,
  }));
}

/** What labels should not cover: the points, and the lines as rows of small boxes. */
function obstacles(points, links) {
  const boxes = points.map(({ x, y }) => box(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS));
  for (const [from, to] of links) {
    const [a, b] = [points[from], points[to]];
    const steps = Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / STEP);
    for (let step = 1; step < steps; step += 1) {
      boxes.push(box(a.x + ((b.x - a.x) * step) / steps - 2, a.y + ((b.y - a.y) * step) / steps - 2, 4, 4));
    }
  }
  return boxes;
}

/** Put each label on the side of its point where it covers least. */
function placeLabels(labels, taken, width, height) {
  for (const { point, text } of labels) {
    shorten(text, point.word, width / 2);
    const size = text.getBBox();
    const ways = DIRECTIONS.map(([right, down], order) => {
      const x = point.x + right * (RADIUS + 4) - (size.width * (1 - right)) / 2;
      const y = point.y + down * (RADIUS + 2 + size.height / 2) - size.height / 2;
      const own = box(x, y, size.width, size.height);
      const outside = size.width * size.height - overlap(own, box(0, 0, width, height));
      const covered = taken.reduce((sum, other) => sum + overlap(own, other), 0);
      return { own, cost: 3 * outside + covered + order };
    });
    const best = ways.reduce((a, b) => (b.cost < a.cost ? b : a)).own;
    best.x = Math.max(0, Math.min(best.x, width - size.width));
    taken.push(best);
    text.setAttribute("x", best.x);
    text.setAttribute("y", best.y - size.y);
  }
}

const box = (x, y, width, height) => ({ x, y, width, height });

function overlap(a, b) {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

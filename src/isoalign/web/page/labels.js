// Labels of points that never cover each other: beside the point, else further off with a line, else only on demand.

export const RADIUS = 5;
const STEP = 6;
const FAR = 20;
const DIRECTIONS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];
const WAYS = [0, FAR].flatMap((distance) => DIRECTIONS.map(([right, down]) => ({ right, down, distance })));

/**
 * @param points [{text, leader, link, size, first}]; "first" ones choose their place before the others
 * @param places where they are
 * @param links pairs of points that a line joins
 */
export function placeLabels(points, places, links, width, height) {
  const page = box(0, 0, width, height);
  const marks = places.map(({ x, y }) => box(x - RADIUS - 1, y - RADIUS - 1, 2 * RADIUS + 2, 2 * RADIUS + 2));
  const lines = links.flatMap(([from, to]) => along(places[from], places[to]));
  const taken = [];
  const order = [...points.keys()].sort((a, b) => Number(points[b].first) - Number(points[a].first) || a - b);
  for (const number of order) {
    const point = points[number];
    const best = WAYS.map((way, rank) => {
      const own = boxAt(places[number], point.size, way);
      const hidden = total(own, taken) + total(own, marks) + (own.width * own.height - overlap(own, page));
      const kept = point.way === rank ? 30 : 0; // a label that moves with its point does not jump
      return { own, way, rank, hidden, cost: hidden * 10 + total(own, lines) + 2 * rank - kept };
    }).reduce((a, b) => (b.cost < a.cost ? b : a));
    const free = best.hidden < 0.5;
    point.link.classList.toggle("quiet", !free);
    point.way = free ? best.rank : null;
    if (free) taken.push(best.own);
    const at = free ? best.own : inside(boxAt(places[number], point.size, WAYS[0]), width, height);
    point.text.setAttribute("x", at.x);
    point.text.setAttribute("y", at.y - point.size.y);
    drawLeader(point.leader, places[number], at, free && best.way.distance > 0);
  }
}

function boxAt({ x, y }, size, { right, down, distance }) {
  const gap = RADIUS + 4 + distance;
  return box(
    x + right * (down ? gap * 0.8 : gap) - (size.width * (1 - right)) / 2,
    y + down * (gap - 2 + size.height / 2) - size.height / 2,
    size.width,
    size.height,
  );
}

function drawLeader(line, from, label, shown) {
  line.toggleAttribute("hidden", !shown);
  if (!shown) return;
  const x = Math.max(label.x, Math.min(from.x, label.x + label.width));
  const y = Math.max(label.y + 3, Math.min(from.y, label.y + label.height - 3));
  for (const [name, value] of Object.entries({ x1: from.x, y1: from.y, x2: x, y2: y })) line.setAttribute(name, value);
}

/** A line as a row of small boxes. */
function along(a, b) {
  const steps = Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / STEP);
  return Array.from({ length: Math.max(steps - 1, 0) }, (_, number) => {
    const part = (number + 1) / steps;
    return box(a.x + (b.x - a.x) * part - 2, a.y + (b.y - a.y) * part - 2, 4, 4);
  });
}

const box = (x, y, width, height) => ({ x, y, width, height });

const inside = (own, width, height) =>
  box(
    Math.max(0, Math.min(own.x, width - own.width)),
    Math.max(0, Math.min(own.y, height - own.height)),
    own.width,
    own.height,
  );

const total = (own, others) => others.reduce((sum, other) => sum + overlap(own, other), 0);

function overlap(a, b) {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

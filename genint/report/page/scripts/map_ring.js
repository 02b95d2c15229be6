// Ruler, names and inset of the circular map. Positions are angles; text stays upright.

import { rounded } from "./map_shapes.js";
import { tracksDepth } from "./map_tracks.js";
import { sizeText, tickPositions, tickStep, tickText } from "./map_scale.js";

const INSET_RADIUS_PX = 26;
const INSET_AWAY_PX = 44;
const LEAST_APART_PX = 56; // names of ticks are level, and those of both sides lean towards the origin
const LEAST_RIM = 0.1;
const LEAST_INSET_TURN = 0.06;
const STEP_PX = 16;
const MOST_STEPS = 160;
const NAMES_PX = 110; // beside a circle, before the tracks
const LEAST_NAMES_PX = 24;
const LEAST_NAME_PX = 56;
const CAPTION_RADIUS_PX = 56;
const LEAST_RADIUS_PX = 16;
const TRACK_DEPTHS_PX = [22, 15, 9];

/** How far inside the backbone the ruler is: within all lanes, with room for a name. */
function rimAway(view) {
  const lanes = view.model.lanes[-1];
  return view.tracks.depth(lanes) + (lanes ? 18 : 6);
}

/** Sine and cosine of the direction in which a place lies from the centre. */
function direction(view, u) {
  const angle = -Math.PI / 2 + u / view.radius;
  return [Math.cos(angle), Math.sin(angle)];
}

function textAnchor(across) {
  if (Math.abs(across) < 0.25) return "middle";
  return across > 0 ? "start" : "end";
}

export function ringRuler(view) {
  const inner = rimAway(view);
  const onRim = Math.max(1 - inner / view.radius, LEAST_RIM); // distances are shorter than on the backbone
  const step = tickStep(view.bpPerPx() / onRim, view.isWhole ? 64 : 110);
  const [low, high] = view.range();
  const ticks = view.shifts.flatMap((turn) =>
    tickPositions(Math.max(1, low - turn), Math.min(view.length, high - turn), step));
  // The last tick would overlap the first one where they nearly meet at the top.
  const room = (at) => (view.length - at) * view.pxPerBp() * onRim > LEAST_APART_PX;
  const kept = [...new Set(ticks)].filter((at) => at === 1 || room(at));
  return kept.map((position) => {
    const u = view.along(position - 0.5);
    const [x0, y0] = view.point(u, inner, -1).map(rounded);
    const [x1, y1] = view.point(u, inner + 5, -1).map(rounded);
    const [x, y] = view.point(u, inner + 9, -1);
    const [across, down] = direction(view, u);
    return {
      lines: [[x0, y0, x1, y1, "tick"]],
      text: { x: rounded(x), y: rounded(y + 3.5 - 4 * down), anchor: textAnchor(-across) },
      label: tickText(position, step, view.length),
    };
  });
}

/** The backbone and the rim with the ruler's ticks, as paths with their classes. */
export function ringBackbone(view) {
  const [low, high] = view.range().map((bp) => view.along(bp));
  const arcs = [[0, "gm-backbone"], [rimAway(view), "gm-rim"]].map(([v, kind]) => {
    const [x, y] = view.point(low, v, -1).map(rounded);
    return { d: `M${x} ${y}${view.curve(low, high, view.radius - v)}`, kind };
  });
  return view.isWhole ? arcs : [...arcs, ...inset(view)];
}

/** A small circle in the corner that says which part of the record is in sight. */
function inset(view) {
  const [x, y] = [view.width - INSET_AWAY_PX, INSET_AWAY_PX];
  const on = (angle) =>
    [x + INSET_RADIUS_PX * Math.cos(angle), y + INSET_RADIUS_PX * Math.sin(angle)].map(rounded).join(" ");
  const arc = (from, to) => {
    const middle = (from + to) / 2; // two arcs, for one alone cannot be a whole circle
    const bow = `A${INSET_RADIUS_PX} ${INSET_RADIUS_PX} 0 0 1 `;
    return `M${on(from)}${bow}${on(middle)}${bow}${on(to)}`;
  };
  const [low, high] = view.range().map((bp) => view.angleOf(bp));
  const widened = Math.max(0, LEAST_INSET_TURN - (high - low)) / 2;
  return [
    { d: arc(0, 2 * Math.PI), kind: "gm-inset" },
    { d: arc(low - widened, high + widened), kind: "gm-insight" },
  ];
}

/** Where a name can be placed beside its gene: outside of it, or inside on the reverse strand. */
export function ringLabelSpot(view, u, far, side, width) {
  const [across, down] = direction(view, u);
  const [x, middle] = view.point(u, far + 6, side);
  const anchor = textAnchor(side * across);
  const y = middle + 3.5 + 4.5 * side * down;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { x, y, anchor, box: [left, y - 9.5, left + width, y + 1.5] };
}

/** Bases along the circle that a name beside the gene has to itself, as pixels on either side. */
export function ringLabelReach(view, u, width) {
  const [across, down] = direction(view, u);
  return Math.abs(down) * width * (Math.abs(across) < 0.25 ? 0.5 : 1) + Math.abs(across) * 7;
}

/**
 * The longest stretch, of one along the circle, that lies in the box at a distance from the
 * backbone (less than nothing inside the circle); without length where none does.
 */
export function ringStretchInSight(view, low, high, away) {
  const inBox = (u) => {
    const [x, y] = view.point(u, away, 1);
    return x >= 0 && x <= view.width && y >= 0 && y <= view.height;
  };
  if (view.isWhole) return [low, high];
  const [first, last] = view.range();
  const part = last - first < view.length;
  const from = part ? Math.max(low, view.along(first)) : low;
  const to = part ? Math.min(high, view.along(last)) : high;
  const steps = Math.max(1, Math.min(MOST_STEPS, Math.ceil((to - from) / STEP_PX)));
  let [best, begun] = [[from, from], null];
  for (let n = 0; n <= steps; n += 1) {
    const u = from + ((to - from) * n) / steps;
    if (!inBox(u)) begun = null;
    else begun ??= u;
    if (begun !== null && u - begun > best[1] - best[0]) best = [begun, u];
  }
  return best;
}

/**
 * Nearest and furthest distance of each track from the backbone: inside the circle, where the names
 * of reverse genes end. They are thinner where there is little room; where there is none, there are none.
 */
export function ringTrackBands(view, count) {
  const inner = rimAway(view);
  for (const centre of [CAPTION_RADIUS_PX, LEAST_RADIUS_PX]) {
    for (const each of TRACK_DEPTHS_PX) {
      const depth = tracksDepth(count, each);
      const far = Math.min(inner + NAMES_PX + depth, view.radius - centre);
      if (far - depth < inner + LEAST_NAMES_PX) continue;
      return Array.from({ length: count }, (_, n) => {
        const near = far - depth + tracksDepth(n, each);
        return [near, near + each];
      });
    }
  }
  return [];
}

/** How long names inside the circle may be: up to the tracks, or as far from the centre. */
export function ringNamesRoom(view) {
  const [first] = view.trackBands(view.model.tracks.length);
  const end = first ? first[0] : Math.min(view.radius - CAPTION_RADIUS_PX, rimAway(view) + 2 * NAMES_PX);
  return Math.max(LEAST_NAME_PX, end - rimAway(view));
}

/** The text in the middle of the circle, where there is room. */
export function ringCaption(view) {
  const { id } = view.model.record;
  const bands = view.trackBands(view.model.tracks.length);
  const away = bands.length ? bands[bands.length - 1][1] + 6 : rimAway(view) + 40;
  const room = view.fitRadius - away;
  return view.isWhole && id.length * 4.8 < room ? [id, sizeText(view.length)] : [];
}

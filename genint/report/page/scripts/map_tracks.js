// GC content and GC skew along the record, as areas on both sides of a line: the mean of the
// record, and a skew of nothing. Above the line is up on a linear map and outward on a circle.

import { rounded, svgElement } from "./map_shapes.js";

const TRACK_GRADES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const TOP_GRADE = 62; // the letter behind it stands for a window without a value
const TRACK_GAP_PX = 4;

/** Values of a track from its letters; null where a window has none. */
function valuesOf(letters, lowest, highest) {
  return [...letters].map((letter) => {
    const grade = TRACK_GRADES.indexOf(letter);
    return grade > TOP_GRADE ? null : lowest + ((highest - lowest) * grade) / TOP_GRADE;
  });
}

/** Heights between -1 and 1, the furthest from the line being 1. */
function heightsOf(values, line) {
  const most = Math.max(...values.map((value) => (value === null ? 0 : Math.abs(value - line)))) || 1;
  return values.map((value) => (value === null ? 0 : (value - line) / most));
}

const inPercent = (share) => `${(share * 100).toFixed(1)} %`;

/** The tracks of a record, empty where it has none. */
export function tracksOf({ gc, length }) {
  if (!gc) return [];
  const { step_bp: step, window_bp: window, mean, lowest, highest, most_skew: most } = gc;
  const content = valuesOf(gc.content, lowest, highest);
  const skew = valuesOf(gc.skew, -most, most);
  const windows = `Windows of ${window.toLocaleString("en-US")} bp, one every ${step.toLocaleString("en-US")} bp.`;
  return [
    {
      kind: "gc", step, length, heights: heightsOf(content, mean),
      text: `GC content (grey): the line is the mean of ${inPercent(mean)}; from ${inPercent(lowest)} to ${inPercent(highest)}.`,
    },
    {
      kind: "skew", step, length, heights: heightsOf(skew, 0),
      text: `GC skew, (G − C) / (G + C): green above 0, purple below, at most ${most.toFixed(2)}. ${windows}`,
    },
  ];
}

/** How deep all tracks are that are each so many pixels deep. */
export function tracksDepth(count, each) {
  return count ? count * (each + TRACK_GAP_PX) : 0;
}

/** Places and heights in sight; on a circle they go on over the origin. */
function* pointsInSight({ heights, step, length }, view) {
  const [low, high] = view.range();
  const count = heights.length;
  const first = Math.floor(low / step) - 1;
  const last = Math.ceil(high / step) + 1;
  if (view.ends) {
    for (let n = Math.max(0, first); n <= Math.min(count - 1, last); n += 1) yield [n * step, heights[n]];
    return;
  }
  const closed = high - low >= length; // a whole circle ends where it begins
  for (let n = closed ? 0 : first; n <= (closed ? count : last); n += 1) {
    const turn = Math.floor(n / count);
    yield [turn * length + (n - turn * count) * step, heights[n - turn * count]];
  }
}

/** The area on one side of the line; of what lies on the line only the ends are kept. */
function areaPath(points, middle, half, side, view) {
  const corners = points.map(([bp, height]) => [view.along(bp), middle - Math.max(0, height * side) * half * side]);
  const kept = corners.filter(([, v], n) =>
    v !== middle || (corners[n - 1]?.[1] ?? middle) !== middle || (corners[n + 1]?.[1] ?? middle) !== middle);
  if (kept.length < 2) return "";
  const [start, end] = [kept[0][0], kept[kept.length - 1][0]];
  return view.path([[start, middle], ...kept, [end, middle]], -1);
}

/** Draws the tracks of a record where the view has room for them. */
export function drawTracks(group, view, tracks) {
  const bands = tracks.length ? view.trackBands(tracks.length) : [];
  const nodes = bands.flatMap(([near, far], n) => {
    const { kind } = tracks[n];
    const points = [...pointsInSight(tracks[n], view)];
    const [middle, half] = [(near + far) / 2, (far - near) / 2];
    const areas = [1, -1].map((side) =>
      svgElement("path", { d: areaPath(points, middle, half, side, view), class: `gm-${kind}-${side > 0 ? "above" : "below"}` }));
    return [...areas, ...lineOf(points, middle, view)];
  });
  group.replaceChildren(...nodes);
}

function lineOf(points, middle, view) {
  if (points.length < 2) return [];
  const [from, to] = [view.along(points[0][0]), view.along(points[points.length - 1][0])];
  const [x, y] = view.point(from, middle, -1).map(rounded);
  const line = view.ends ? `M${x} ${y}H${rounded(to)}` : `M${x} ${y}${view.curve(from, to, view.radius - middle)}`;
  return [svgElement("path", { d: line, class: "gm-rim" })];
}

// Names of genes: in the arrow where they fit, else beside it where nothing is in the way.

import { rounded, svgElement } from "./map_shapes.js";
import { MAP_DARK, MAP_LOOKS, MAP_RNA } from "./map_model.js";
import { ringLabelReach } from "./map_ring.js";

const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const INSIDE_PX = 13;
const LEAST_GENE_PX = 5;
const MOST_OUTSIDE = 160;

const textWidths = new Map();
let textMeter = null;

/** How wide a text is drawn; measured once for each text. */
function textWidth(text) {
  if (!textWidths.has(text)) {
    if (!textMeter) {
      textMeter = document.createElement("canvas").getContext("2d");
      textMeter.font = FONT;
    }
    if (textWidths.size > 20000) textWidths.clear();
    textWidths.set(text, textMeter.measureText(text).width);
  }
  return textWidths.get(text);
}

/** Boxes that are taken, in cells of a grid so that asking is quick however many there are. */
class TakenBoxes {
  constructor(cell = 48) {
    this.cell = cell;
    this.cells = new Map();
  }

  *#keys([left, top, right, bottom]) {
    for (let x = Math.floor(left / this.cell); x <= Math.floor(right / this.cell); x += 1) {
      for (let y = Math.floor(top / this.cell); y <= Math.floor(bottom / this.cell); y += 1) {
        yield `${x} ${y}`;
      }
    }
  }

  isFree(box) {
    const [left, top, right, bottom] = box;
    for (const key of this.#keys(box)) {
      for (const taken of this.cells.get(key) || []) {
        if (left < taken[2] && taken[0] < right && top < taken[3] && taken[1] < bottom) return false;
      }
    }
    return true;
  }

  take(box) {
    for (const key of this.#keys(box)) {
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(box);
    }
  }
}

/** The stretch of a piece that is in the box, along the backbone. */
function visibleStretch(piece, view) {
  const [low, high] = [view.along(piece.start), view.along(piece.end)];
  return view.kind === "linear" ? [Math.max(low, 2), Math.min(high, view.width - 2)] : [low, high];
}

function insideLabel(piece, view, width) {
  const { item } = piece;
  const [near, far] = view.tracks.across(item.lane, MAP_LOOKS[item.look].share);
  const [low, high] = visibleStretch(piece, view);
  if (far - near < INSIDE_PX || high - low < width + (far - near) * 0.5 + 8) return null;
  // Straight text in a bent arrow: it stands a little nearer to the centre, within the edges.
  const bulge = view.kind === "circular" ? width ** 2 / (8 * view.radius) : 0;
  if (bulge > (far - near - 8) / 2) return null;
  const shift = item.look === MAP_RNA ? 0 : item.side * (far - near) * 0.12;
  const u = (low + high) / 2 - shift;
  const [x, y] = view.point(u, (near + far) / 2 - (item.side * bulge) / 2, item.side).map(rounded);
  const turn = rounded(view.turnAt(u));
  const attributes = { x, y: rounded(y + 3.8), "text-anchor": "middle" };
  if (turn) attributes.transform = `rotate(${turn} ${x} ${y})`;
  const kind = item.look === MAP_DARK ? "gm-on-paper" : "gm-inside";
  return svgElement("text", { ...attributes, class: `gm-label ${kind}` }, item.label);
}

/** Boxes of the genes themselves, which names of a linear map must not cover. */
function geneBox(piece, view) {
  const { item } = piece;
  const [near, far] = view.tracks.across(item.lane, MAP_LOOKS[item.look].share);
  const [, one] = view.point(0, near, item.side);
  const [, other] = view.point(0, far, item.side);
  const [low, high] = visibleStretch(piece, view);
  return [low - 1, Math.min(one, other), high + 1, Math.max(one, other)];
}

/**
 * Distance from the backbone that is clear of genes around a place of a circle; null where
 * another gene lies between, which would then seem to have the name.
 */
function clearAway(piece, u, reach, drawn, view) {
  const { side, lane: own, look } = piece.item;
  let lane = own;
  for (const { item, start, end } of drawn) {
    if (item.side !== side || item.lane <= own) continue;
    const [low, high] = [view.along(start) - u, view.along(end) - u];
    if (low < 4 && high > -4) return null;
    if (low < reach && high > -reach) lane = Math.max(lane, item.lane);
  }
  return view.tracks.across(lane, lane === own ? MAP_LOOKS[look].share : 1)[1];
}

/** A line from a gene to its name that other lanes have pushed away; null where they touch. */
function radialLeader(u, from, to, side, view) {
  return to - from > 4 ? [...view.point(u, from + 1.5, side), ...view.point(u, to + 3, side)] : null;
}

/** The first spot beside a gene, from the nearest tier on, where nothing is in the way. */
function freeSpot(piece, width, drawn, taken, view) {
  const { item } = piece;
  const [low, high] = visibleStretch(piece, view);
  const u = (low + high) / 2;
  const [, edge] = view.tracks.across(item.lane, MAP_LOOKS[item.look].share);
  const far = view.kind === "linear"
    ? edge
    : clearAway(piece, u, ringLabelReach(view, u, width), drawn, view);
  if (far === null) return null;
  for (let tier = 0; tier < view.tiers; tier += 1) {
    const spot = view.labelSpot(u, far, item.side, width, tier);
    const [left, top, right, bottom] = spot.box;
    if (view.kind === "circular") spot.leader = radialLeader(u, edge, far, item.side, view);
    if (left < 0 || right > view.width || top < 0 || bottom > view.height) continue;
    const needed = [[left - 3, top, right + 3, bottom]];
    if (spot.leader) {
      const [x0, y0, x1, y1] = spot.leader;
      needed.push([Math.min(x0, x1) - 1, Math.min(y0, y1), Math.max(x0, x1) + 1, Math.max(y0, y1)]);
    }
    if (needed.every((box) => taken.isFree(box))) return { ...spot, needed };
  }
  return null;
}

function outsideLabels(wanted, drawn, view) {
  const taken = new TakenBoxes();
  if (view.kind === "linear") drawn.forEach((piece) => taken.take(geneBox(piece, view)));
  else rulerBoxes(view).forEach((box) => taken.take(box));
  const nodes = [];
  for (const piece of wanted.slice(0, MOST_OUTSIDE * 4)) {
    const [low, high] = visibleStretch(piece, view);
    if (high - low < LEAST_GENE_PX) continue;
    const spot = freeSpot(piece, textWidth(piece.item.label), drawn, taken, view);
    if (!spot) continue;
    spot.needed.forEach((box) => taken.take(box));
    const place = { x: rounded(spot.x), y: rounded(spot.y), "text-anchor": spot.anchor };
    nodes.push(svgElement("text", { ...place, class: "gm-label gm-outside" }, piece.item.label));
    if (spot.leader) {
      const [x1, y1, x2, y2] = spot.leader.map(rounded);
      nodes.unshift(svgElement("line", { x1, y1, x2, y2, class: "gm-leader" }));
    }
    if (nodes.length >= MOST_OUTSIDE) break;
  }
  return nodes;
}

/** Boxes of the numbers of a circular ruler, among which names of reverse genes stand. */
function rulerBoxes(view) {
  return view.ruler().map(({ text, label }) => {
    const width = textWidth(label);
    const left = text.anchor === "start" ? text.x : text.anchor === "end" ? text.x - width : text.x - width / 2;
    return [left, text.y - 9.5, left + width, text.y + 1.5];
  });
}

/**
 * Names of the genes that are drawn; those with a real name, and wide ones, come first. Where
 * most genes are too narrow for one, names beside the few others would only say which are long.
 */
export function placeLabels(pieces, view, mostNarrow) {
  const inside = [];
  const without = [];
  for (const piece of pieces.filter(({ item }) => !item.faded)) {
    const label = insideLabel(piece, view, textWidth(piece.item.label));
    if (label) inside.push(label);
    else without.push(piece);
  }
  if (mostNarrow) return inside;
  without.sort((one, other) =>
    other.item.named - one.item.named || other.end - other.start - (one.end - one.start));
  return [...outsideLabels(without, pieces, view), ...inside];
}

// Names of genes: in the arrow where they fit, else beside it where nothing is in the way.

import { rounded, svgElement } from "./map_shapes.js";
import { MAP_GROUPS } from "./map_groups.js";
import { MAP_DARK, MAP_RNA } from "./map_model.js";
import { acrossOf, freeSpot, geneBox, visibleStretch } from "./map_spots.js";
import { TakenBoxes } from "./map_taken.js";

const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const INSIDE_PX = 13;
const LEAST_GENE_PX = 5;
const MOST_OUTSIDE = 160;
const MOST_HITS = 60; // that have names however narrow they are
/** How names of hits are set: what most of them find a place with is taken. */
const FROM_LEFT = (one, other) => one.start - other.start;
const FROM_RIGHT = (one, other) => other.start - one.start;
const PLAIN = { leans: [0], order: null };
const HIT_TRIES = [
  PLAIN, { leans: [-1, 0, 1], order: FROM_LEFT }, { leans: [1, 0, -1], order: FROM_RIGHT },
];

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

/** A name within its gene, and the box that it takes there; null where it does not fit. */
function insideLabel(piece, view, model) {
  const { item } = piece;
  const width = textWidth(item.label);
  const [near, far] = acrossOf(item, view);
  const [low, high] = visibleStretch(piece, view);
  if (far - near < INSIDE_PX || high - low < width + (far - near) * 0.5 + 8) return null;
  // Straight text in a bent arrow: it is a little nearer to the centre, within the edges.
  const bulge = view.kind === "circular" ? width ** 2 / (8 * view.radius) : 0;
  if (bulge > (far - near - 8) / 2) return null;
  const shift = item.look === MAP_RNA ? 0 : item.side * (far - near) * 0.12;
  const u = (low + high) / 2 - shift;
  const [x, y] = view.point(u, (near + far) / 2 - (item.side * bulge) / 2, item.side).map(rounded);
  const turn = rounded(view.turnAt(u));
  const attributes = { x, y: rounded(y + 3.8), "text-anchor": "middle" };
  if (turn) attributes.transform = `rotate(${turn} ${x} ${y})`;
  const kind = `gm-label ${insideClass(item, model)}`;
  const cos = Math.abs(Math.cos((turn * Math.PI) / 180));
  const [across, down] = [(width / 2) * cos + 6, (width / 2) * Math.sqrt(1 - cos ** 2) + 6];
  const box = [x - across, y - down, x + across, y + down];
  return { box, node: svgElement("text", { ...attributes, class: kind }, item.label) };
}

function insideClass(item, model) {
  if (item.faded) return "gm-hushed";
  if (item.look === MAP_DARK) return "gm-on-paper";
  const pale = model.byCategory && item.look < MAP_DARK && MAP_GROUPS[item.group].pale;
  return pale ? "gm-on-pale" : "gm-inside";
}

function outsideLabel({ item }, spot) {
  const place = { x: rounded(spot.x), y: rounded(spot.y), "text-anchor": spot.anchor };
  const kind = item.faded ? "gm-label gm-outside gm-hushed" : "gm-label gm-outside";
  const nodes = [svgElement("text", { ...place, class: kind }, item.label)];
  if (spot.leader) {
    const [x1, y1, x2, y2] = spot.leader.map(rounded);
    nodes.unshift(svgElement("line", { x1, y1, x2, y2, class: "gm-leader" }));
  }
  return nodes;
}

/** Boxes of the numbers of a circular ruler, among which names of reverse genes are placed. */
function rulerBoxes(view) {
  return view.ruler().map(({ text, label }) => {
    const width = textWidth(label);
    const left = text.anchor === "start" ? text.x : text.anchor === "end" ? text.x - width : text.x - width / 2;
    return [left, text.y - 9.5, left + width, text.y + 1.5];
  });
}

/**
 * What is behind the origin has the fewest places, so it comes first; then what has a real name;
 * on a circle the outer lanes, whose names can only be outside; what is long.
 */
function byNeed(one, other, view) {
  return other.torn[0] - one.torn[0]
    || other.item.named - one.item.named
    || (view.kind === "circular" ? other.item.lane - one.item.lane : 0)
    || other.end - other.start - (one.end - one.start);
}

/** Names of some genes: within them, and beside them where `leastPx` of them are in sight. */
function labelsOf(pieces, drawn, taken, view, model, leastPx, { leans, order } = PLAIN) {
  const inside = [];
  const outside = [];
  const without = [];
  for (const piece of pieces) {
    const label = insideLabel(piece, view, model);
    if (label && (!piece.item.faded || taken.isFree(label.box))) inside.push(label.node);
    else without.push(piece);
  }
  if (view.kind === "linear") pieces.forEach((piece) => taken.take(geneBox(piece, view)));
  for (const piece of without.sort(order ?? ((one, other) => byNeed(one, other, view))).slice(0, MOST_OUTSIDE * 4)) {
    const [low, high] = visibleStretch(piece, view);
    if (high - low < leastPx) continue;
    const spot = freeSpot(piece, textWidth(piece.item.label), drawn, taken, view, leans);
    if (!spot) continue;
    spot.needed.forEach((box) => taken.take(box));
    outside.push(...outsideLabel(piece, spot));
    if (outside.length >= MOST_OUTSIDE) break;
  }
  return [...outside, ...inside];
}

function freshBoxes(view) {
  const taken = new TakenBoxes();
  if (view.kind === "circular") rulerBoxes(view).forEach((box) => taken.take(box));
  return taken;
}

/**
 * Names of the genes that are drawn; of what a filter shows first, of what it hides where room
 * is left. Where most genes are too narrow for one, names beside the few others would only say
 * which are long; a few hits have theirs always.
 */
export function placeLabels(pieces, view, model, mostNarrow, filtered) {
  const shown = pieces.filter(({ item }) => !item.faded);
  const faded = pieces.filter(({ item }) => item.faded);
  const hits = filtered && shown.length <= MOST_HITS;
  const leastPx = hits ? 0 : mostNarrow ? Infinity : LEAST_GENE_PX;
  const tries = (hits ? HIT_TRIES : [PLAIN]).map((how) => {
    const taken = freshBoxes(view);
    return { taken, first: labelsOf(shown, shown, taken, view, model, leastPx, how) };
  });
  const namesIn = ({ first }) => first.filter((node) => node.localName === "text").length;
  const { taken, first } = tries.reduce((best, one) => (namesIn(one) > namesIn(best) ? one : best));
  const last = labelsOf(faded, pieces, taken, view, model, mostNarrow ? Infinity : LEAST_GENE_PX);
  return [...last, ...first];
}

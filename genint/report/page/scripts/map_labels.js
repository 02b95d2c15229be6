// Names of genes: in the arrow where they fit, else beside it where nothing is in the way.

import { rounded, svgElement } from "./map_shapes.js";
import { MAP_GROUPS } from "./map_groups.js";
import { MAP_DARK, MAP_RNA, acrossOf, laneIn } from "./map_model.js";
import { TakenSlants, slantRoom, slantedSpot } from "./map_slants.js";
import { freeSpot, visibleStretch } from "./map_spots.js";
import { ringNamesRoom } from "./map_ring.js";
import { TakenBoxes } from "./map_taken.js";

const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const INSIDE_PX = 13;
const LEAST_GENE_PX = 3;
const LEAST_ID_PX = 14;
const LEAST_LETTERS = 5;
const MOST_OUTSIDE = 160;
const CAPTION_SIZE = 15 / 11; // of the title in the middle, measured as a name
const MOST_HITS = 60; // that have names however narrow they are
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

/** A text cut to so many pixels. */
function cutToWidth(text, mostPx) {
  let letters = [...text];
  while (letters.length > LEAST_LETTERS && textWidth(`${letters.join("")}…`) > mostPx) letters = letters.slice(0, -1);
  return letters.length < [...text].length ? `${letters.join("").trimEnd()}…` : text;
}

/** What can be written beside a gene of a circle, the longest first; inside a circle names end at its tracks. */
function textsBeside({ names, side }, view) {
  if (side > 0) return names;
  const room = ringNamesRoom(view);
  return [...new Set(names.map((name) => (textWidth(name) > room ? cutToWidth(name, room) : name)))];
}

/** The longest name that fits within its gene, and the box that it takes there; null where none does. */
function insideLabel(piece, view, model) {
  for (const text of piece.item.names) {
    const label = labelWithin(piece, text, view, model);
    if (label) return label;
  }
  return null;
}

function labelWithin(piece, text, view, model) {
  const { item } = piece;
  const width = textWidth(text);
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
  return { box, node: svgElement("text", { ...attributes, class: kind }, text) };
}

function insideClass(item, model) {
  if (item.faded) return "gm-hushed";
  if (item.look === MAP_DARK) return "gm-on-paper";
  const pale = model.byCategory && item.look < MAP_DARK && MAP_GROUPS[item.group].pale;
  return pale ? "gm-on-pale" : "gm-inside";
}

/** The longest name that has a place beside its gene, and that place; null where none has. */
function placeBeside(piece, drawn, taken, view) {
  const { names, side } = piece.item;
  if (view.kind === "linear") {
    const spot = slantedSpot(piece, drawn, taken.slants, view);
    const room = spot && slantRoom(view, spot.u);
    const text = spot && (names.find((name) => textWidth(name) <= room) ?? cutToWidth(names.at(-1), room));
    if (!text || textWidth(text) > room) return null;
    taken.slants.take(side, spot.u);
    return { text, ...spot };
  }
  for (const text of textsBeside(piece.item, view)) {
    const spot = freeSpot(piece, textWidth(text), drawn, taken.boxes, view);
    if (!spot) continue;
    spot.needed.forEach((box) => taken.boxes.take(box));
    return { text, ...spot };
  }
  return null;
}

function outsideLabel({ item }, spot) {
  const [x, y] = [spot.x, spot.y].map(rounded);
  const place = { x, y, "text-anchor": spot.anchor };
  if (spot.turn) Object.assign(place, { dy: 3.8, transform: `rotate(${spot.turn} ${x} ${y})` });
  const kind = item.faded ? "gm-label gm-outside gm-hushed" : "gm-label gm-outside";
  const nodes = [svgElement("text", { ...place, class: kind }, spot.text)];
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

/** The text in the middle of a circle. */
function captionBoxes(view) {
  const [x, y] = view.centre;
  return view.caption().map((line, n) => {
    const half = (textWidth(line) * CAPTION_SIZE) / 2;
    return [x - half, y + 20 * n - 18, x + half, y + 20 * n + 4];
  });
}

/**
 * What is behind the origin has the fewest places, so it comes first; then what has a real name;
 * on a circle the outer lanes, whose names can only be outside; what is long.
 */
function byNeed(one, other, view) {
  return other.torn[0] - one.torn[0]
    || other.item.named - one.item.named
    || (view.kind === "circular" ? laneIn(other.item, view) - laneIn(one.item, view) : 0)
    || other.end - other.start - (one.end - one.start);
}

/** Names of some genes: within them, and beside them where `leastPx` of them are in sight. */
function labelsOf(pieces, drawn, taken, view, model, leastPx) {
  const inside = [];
  const outside = [];
  const without = [];
  const idLeastPx = leastPx && Math.max(leastPx, LEAST_ID_PX); // ids of narrow genes say too little
  for (const piece of pieces) {
    const label = insideLabel(piece, view, model);
    if (label && (!piece.item.faded || taken.boxes.isFree(label.box))) inside.push(label.node);
    else without.push(piece);
  }
  let placed = 0;
  for (const piece of without.sort((one, other) => byNeed(one, other, view)).slice(0, MOST_OUTSIDE * 4)) {
    const [low, high] = visibleStretch(piece, view);
    if (high - low < (piece.item.named ? leastPx : idLeastPx)) continue;
    const spot = placeBeside(piece, drawn, taken, view);
    if (!spot) continue;
    outside.push(...outsideLabel(piece, spot));
    placed += 1;
    if (placed >= MOST_OUTSIDE) break;
  }
  return [...outside, ...inside];
}

/** What is taken before there is any name. */
function nothingTaken(view) {
  const boxes = new TakenBoxes();
  if (view.kind === "circular") [...rulerBoxes(view), ...captionBoxes(view)].forEach((box) => boxes.take(box));
  return { boxes, slants: new TakenSlants() };
}

/**
 * Names of the genes that are drawn; of what a filter shows first, then those of what it hides in
 * the room that is left. Where most genes are too narrow for one, names beside the few others would
 * only say which are long; a few hits have theirs always.
 */
export function placeLabels(pieces, view, model, mostNarrow, filtered) {
  const shown = pieces.filter(({ item }) => !item.faded);
  const faded = pieces.filter(({ item }) => item.faded);
  const leastPx = mostNarrow ? Infinity : LEAST_GENE_PX;
  const taken = nothingTaken(view);
  const hits = filtered && shown.length <= MOST_HITS;
  const first = labelsOf(shown, shown, taken, view, model, hits ? 0 : leastPx);
  const last = labelsOf(faded, pieces, taken, view, model, leastPx);
  return [...last, ...first];
}

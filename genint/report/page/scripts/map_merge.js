// Genes too narrow to be distinguished: blocks of a pixel that look like what prevails in them.

import { svgElement } from "./map_shapes.js";
import { MAP_DARK, MAP_LOOKS, colourClass, laneIn } from "./map_model.js";

const LOOK_COUNT = MAP_LOOKS.length;
const SHOWN_WEIGHT = 1e6; // whatever passes the filter is seen before what does not

export class MergedBlocks {
  constructor(view, byCategory) {
    this.view = view;
    this.byCategory = byCategory;
    this.columns = new Map(); // side and lane -> pixel -> appearance -> bases
  }

  /** A narrow gene counts where its middle is. */
  add(piece) {
    const at = Math.floor(this.view.along((piece.start + piece.end) / 2));
    this.#weigh(piece.item, at, piece.end - piece.start);
  }

  /** A gene of any width counts in every column that it covers. */
  addWide(piece) {
    const [low, high] = [this.view.along(piece.start), this.view.along(piece.end)];
    for (let at = Math.floor(low); at < high; at += 1) {
      this.#weigh(piece.item, at, Math.min(at + 1, high) - Math.max(at, low));
    }
  }

  #weigh(item, at, weight) {
    const row = `${item.side} ${laneIn(item, this.view)}`;
    if (!this.columns.has(row)) this.columns.set(row, new Map());
    const columns = this.columns.get(row);
    if (!columns.has(at)) columns.set(at, new Map());
    const weights = columns.get(at);
    const key = this.#keyOf(item);
    weights.set(key, (weights.get(key) ?? 0) + weight * (item.faded ? 1 : SHOWN_WEIGHT));
  }

  /** One number for all that is seen of a gene: look, group where it is coloured, faded or not. */
  #keyOf({ look, group, faded }) {
    const coloured = this.byCategory && look < MAP_DARK ? group : 0;
    return 2 * (coloured * LOOK_COUNT + look) + (faded ? 1 : 0);
  }

  #classOf(key) {
    const appearance = key >> 1;
    const group = Math.floor(appearance / LOOK_COUNT);
    const colour = colourClass(appearance % LOOK_COUNT, group, this.byCategory);
    return `gm-merged ${colour}${key % 2 ? " gm-faded" : ""}`;
  }

  /** One path for all blocks of an appearance, however many there are; what is faded lies below. */
  elements() {
    const paths = new Map();
    for (const [row, columns] of this.columns) {
      const [side, lane] = row.split(" ").map(Number);
      for (const [first, last, key] of runsOf(columns)) {
        const [near, far] = this.view.tracks.across(lane, MAP_LOOKS[(key >> 1) % LOOK_COUNT].share);
        const outline = [[first, near], [last, near], [last, far], [first, far]];
        if (!paths.has(key)) paths.set(key, []);
        paths.get(key).push(this.view.path(outline, side));
      }
    }
    return [...paths]
      .sort(([one], [other]) => (other % 2) - (one % 2) || one - other)
      .map(([key, pieces]) => svgElement("path", { d: pieces.join(""), class: this.#classOf(key) }));
  }
}

/** What prevails in a column; of two alike the lower, so that a redraw changes nothing. */
function prevailing(weights) {
  let [best, most] = [-1, -1];
  for (const [key, weight] of weights) {
    if (weight > most || (weight === most && key < best)) [best, most] = [key, weight];
  }
  return best;
}

/** Neighbouring columns that look the same, as [first pixel, last pixel, appearance]. */
function runsOf(columns) {
  const runs = [];
  for (const at of [...columns.keys()].sort((one, other) => one - other)) {
    const key = prevailing(columns.get(at));
    const before = runs[runs.length - 1];
    if (before && before[1] === at && before[2] === key) before[1] = at + 1;
    else runs.push([at, at + 1, key]);
  }
  return runs;
}

// Genes too narrow to be told apart: blocks of a pixel that look like what prevails in them.

import { svgElement } from "./map_shapes.js";
import { MAP_LOOKS } from "./map_model.js";

const LOOK_COUNT = MAP_LOOKS.length;
const SHOWN_WEIGHT = 1e6; // whatever passes the filter is seen before what does not

export class MergedBlocks {
  constructor(view) {
    this.view = view;
    this.columns = new Map(); // side and lane -> pixel -> bases of each look, shown then faded
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
    const row = `${item.side} ${item.lane}`;
    if (!this.columns.has(row)) this.columns.set(row, new Map());
    const columns = this.columns.get(row);
    if (!columns.has(at)) columns.set(at, new Float64Array(2 * LOOK_COUNT));
    const key = item.look + (item.faded ? LOOK_COUNT : 0);
    columns.get(at)[key] += weight * (item.faded ? 1 : SHOWN_WEIGHT);
  }

  /** One path for all blocks of a look, however many there are. */
  elements() {
    const paths = Array.from({ length: 2 * LOOK_COUNT }, () => []);
    for (const [row, columns] of this.columns) {
      const [side, lane] = row.split(" ").map(Number);
      for (const [first, last, key] of runsOf(columns)) {
        const [near, far] = this.view.tracks.across(lane, MAP_LOOKS[key % LOOK_COUNT].share);
        const outline = [[first, near], [last, near], [last, far], [first, far]];
        paths[key].push(this.view.path(outline, side));
      }
    }
    return paths
      .map((pieces, key) => ({ d: pieces.join(""), look: key % LOOK_COUNT, faded: key >= LOOK_COUNT }))
      .filter(({ d }) => d)
      .sort((one, other) => other.faded - one.faded)
      .map(({ d, look, faded }) =>
        svgElement("path", {
          d, class: `gm-merged gm-${MAP_LOOKS[look].css}${faded ? " gm-faded" : ""}`,
        }));
  }
}

/** Neighbouring columns that look the same, as [first pixel, last pixel, look]. */
function runsOf(columns) {
  const runs = [];
  for (const at of [...columns.keys()].sort((one, other) => one - other)) {
    const weights = columns.get(at);
    const key = weights.indexOf(Math.max(...weights));
    const before = runs[runs.length - 1];
    if (before && before[1] === at && before[2] === key) before[1] = at + 1;
    else runs.push([at, at + 1, key]);
  }
  return runs;
}

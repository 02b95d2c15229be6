// What slipping ribosomes may make: a thin mark along its gene, one step further out where it goes
// on in another frame. It is no gene of its own, and nothing to point at.

import { piecesInSight } from "./map_pieces.js";
import { MAP_SLIP, laneIn } from "./map_model.js";
import { svgElement } from "./map_shapes.js";

const SLIP_STEP_PX = 1.5;
const SLIP_AWAY_PX = 0.5;
const LEAST_SLIP_PX = 4;

/** A step of the mark, in the order of transcription. */
export function slipOutline(low, high, far, step) {
  const near = far + SLIP_AWAY_PX + step * SLIP_STEP_PX;
  return [[low, near], [high, near], [high, near + SLIP_STEP_PX], [low, near + SLIP_STEP_PX]];
}

function pathOf(product, view) {
  const [, far] = view.tracks.across(laneIn(product.host, view), 1);
  const last = product.parts.length - 1;
  const paths = [];
  for (const piece of piecesInSight(product, view)) {
    product.parts.forEach((part, n) => {
      const start = Math.max(part.start + piece.shift, piece.start);
      const end = Math.min(part.end + piece.shift, piece.end);
      const [low, high] = [view.along(start), view.along(end)];
      if (end <= start) return;
      const step = Math.min(1, product.side > 0 ? n : last - n);
      paths.push(view.path(slipOutline(low, high, far, step), product.side));
    });
  }
  const wide = view.along(product.end) - view.along(product.start) >= LEAST_SLIP_PX;
  return wide ? paths.join("") : "";
}

/** Marks of all products in sight. */
export function productMarks(model, view, exact) {
  const marks = [];
  for (const product of model.products) {
    const d = pathOf(product, view);
    if (!d) continue;
    const faded = product.host.faded ? " gm-faded" : "";
    const mark = svgElement("path", { d, class: `gm-slip${faded}` });
    if (exact) mark.append(svgElement("title", {}, `frameshift product of ${product.host.source.name}`));
    marks.push(mark);
  }
  return marks;
}

/** The mark of the legend. */
export const slipLook = { look: MAP_SLIP, colour: "gm-slip", word: "frameshift product" };

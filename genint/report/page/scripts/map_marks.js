// Which genes are selected, pointed at, or in focus. Marks have the colours of ink and paper,
// never one that could be a level's, and none covers the gene that it marks.

import { itemPath } from "./map_draw.js";
import { acrossOf } from "./map_model.js";
import { piecesInSight } from "./map_pieces.js";
import { svgElement } from "./map_shapes.js";

const BAND_PX = 4;
const RING_PX = 3.5;
const LEAST_OUTLINED_PX = 12;

/** A frame around a gene in its own lane, so many pixels off it on all sides. */
function framePath(piece, view, away) {
  const [near, far] = acrossOf(piece.item, view);
  const [low, high] = [view.along(piece.start) - away, view.along(piece.end) + away];
  const across = Math.min(away, Math.max(1, view.tracks.gap / 2 + 1));
  const [inner, outer] = [near - across, far + across];
  return view.path([[low, inner], [high, inner], [high, outer], [low, outer]], piece.item.side);
}

function frames(pieces, view, away) {
  return pieces.map((piece) => framePath(piece, view, away)).join("");
}

/** The outline of a wide gene; around a narrow one a frame, for a line would fill it. */
function outlinePath(pieces, view) {
  const widest = Math.max(...pieces.map((piece) => view.along(piece.end) - view.along(piece.start)));
  return widest < LEAST_OUTLINED_PX ? frames(pieces, view, RING_PX) : itemPath(pieces, view);
}

/** A band under the selected gene, lines around the one pointed at, a double ring for focus. */
export function drawMarks(layers, view, marked) {
  const bands = [];
  const outlines = [];
  for (const [kind, item] of Object.entries(marked)) {
    const pieces = item ? piecesInSight(item, view) : [];
    if (!pieces.length) continue;
    if (kind === "selected") bands.push(svgElement("path", { d: frames(pieces, view, BAND_PX), class: "gm-band" }));
    if (kind === "focused") {
      const d = frames(pieces, view, RING_PX);
      outlines.push(svgElement("path", { d, class: "gm-halo" }), svgElement("path", { d, class: "gm-mark gm-focused" }));
    } else {
      outlines.push(svgElement("path", { d: outlinePath(pieces, view), class: `gm-mark gm-${kind}` }));
    }
  }
  layers.bands.replaceChildren(...bands);
  layers.marks.replaceChildren(...outlines);
}

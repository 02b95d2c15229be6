// Names on a linear map: slanted, so that neighbours as near as a line of text all have theirs. They
// begin beyond the outermost lane, and a thin line leads to a gene further in.

import { acrossOf, laneIn } from "./map_model.js";
import { SHARES, visibleStretch } from "./map_spots.js";

const SLANT_DEGREES = 50;
const SLANT_SIN = Math.sin((SLANT_DEGREES * Math.PI) / 180);
const SLANT_COS = Math.cos((SLANT_DEGREES * Math.PI) / 180);
const APART_PX = 12 / SLANT_SIN; // along the backbone, so that lines of text are 12 apart
const COVERED_PX = 3;
const AWAY_FROM_LANES_PX = 12; // room in which the lines to the genes can lean
const ASIDE_PX = [0, 6, -6, 12, -12, 18, -18];

/** Places along the backbone that have a name, of each strand. */
export class TakenSlants {
  constructor() {
    this.places = { 1: [], [-1]: [] };
  }

  isFree(side, u) {
    return this.places[side].every((place) => Math.abs(place - u) >= APART_PX);
  }

  take(side, u) {
    this.places[side].push(u);
  }
}

/** How long a name may be that begins at a place: it ends within the drawing. */
export function slantRoom(view, u) {
  return Math.min(view.namesDepth / SLANT_SIN, (view.width - u - 4) / SLANT_COS);
}

/** Whether a gene further out lies over a place, which would then seem to have the name. */
function isCovered({ item }, u, drawn, view) {
  return drawn.some(({ item: other, start, end }) =>
    other.side === item.side && laneIn(other, view) > laneIn(item, view)
    && view.along(start) < u + COVERED_PX && view.along(end) > u - COVERED_PX);
}

/** Where the name of a gene can begin: the place that is free, and how its text is set; or null. */
export function slantedSpot(piece, drawn, taken, view) {
  const { side } = piece.item;
  const [low, high] = visibleStretch(piece, view);
  const [, far] = acrossOf(piece.item, view);
  const edge = view.tracks.depth(view.model.lanes[side]);
  for (const share of SHARES) {
    const foot = low + (high - low) * share;
    if (isCovered(piece, foot, drawn, view)) continue;
    const u = ASIDE_PX.map((aside) => foot + aside).find((place) => place >= 0 && taken.isFree(side, place));
    if (u === undefined) continue;
    const [x, y] = view.point(u, edge + AWAY_FROM_LANES_PX, side);
    const leader = [...view.point(foot, far + 1.5, side), ...view.point(u, edge + AWAY_FROM_LANES_PX - 2, side)];
    return { u, x, y, anchor: "start", turn: -side * SLANT_DEGREES, leader };
  }
  return null;
}

// Where the name of a gene can be placed: the stretch of it that is in sight, and the places beside it
// on a circle.

import { MAP_LOOKS, acrossOf, laneIn } from "./map_model.js";
import { ringLabelReach, ringStretchInSight } from "./map_ring.js";

export const SHARES = [0.5, 0.22, 0.78]; // of the stretch in sight, best first
const RING_TIER_PX = 14;
const SIDE_MARGIN_PX = 2;

/** The stretch of a piece that is in the box, along the backbone. */
export function visibleStretch(piece, view) {
  const [low, high] = [view.along(piece.start), view.along(piece.end)];
  if (view.kind === "linear") return [Math.max(low, SIDE_MARGIN_PX), Math.min(high, view.width - SIDE_MARGIN_PX)];
  const [near, far] = acrossOf(piece.item, view);
  return ringStretchInSight(view, low, high, (piece.item.side * (near + far)) / 2);
}

/**
 * Distance from the backbone that is clear of genes around a place of a circle; null where
 * another gene lies between, which would then seem to have the name.
 */
function clearAway(piece, u, reach, drawn, view) {
  const { side, look } = piece.item;
  const own = laneIn(piece.item, view);
  let lane = own;
  for (const { item, start, end } of drawn) {
    if (item.side !== side || laneIn(item, view) <= own) continue;
    const [low, high] = [view.along(start) - u, view.along(end) - u];
    if (low < 4 && high > -4) return null;
    if (low < reach && high > -reach) lane = Math.max(lane, laneIn(item, view));
  }
  return view.tracks.across(lane, lane === own ? MAP_LOOKS[look].share : 1)[1];
}

/** Beside a circle: nearest first, with a line where other lanes or names have pushed it away. */
function* ringSpots(piece, width, drawn, view) {
  const { side } = piece.item;
  const [low, high] = visibleStretch(piece, view);
  const [, edge] = acrossOf(piece.item, view);
  for (const share of SHARES) {
    const u = low + (high - low) * share;
    const clear = clearAway(piece, u, ringLabelReach(view, u, width), drawn, view);
    if (clear === null) continue;
    for (const far of [clear, clear + RING_TIER_PX]) {
      const spot = view.labelSpot(u, far, side, width);
      if (far - edge > 4) spot.leader = [...view.point(u, edge + 1.5, side), ...view.point(u, far + 3, side)];
      yield spot;
    }
  }
}

/** The first spot beside a gene of a circle where nothing is in the way. */
export function freeSpot(piece, width, drawn, taken, view) {
  for (const spot of ringSpots(piece, width, drawn, view)) {
    const [left, top, right, bottom] = spot.box;
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

// What a map shows: genes, RNA genes and CRISPR arrays of one record, and products of slipping
// ribosomes, unrolled to 0-based half-open stretches.

import { MAP_GROUPS, groupOf } from "./map_groups.js";
import { namesOf } from "./map_names.js";
import { BACKBONE_PX } from "./map_shapes.js";
import { tracksOf } from "./map_tracks.js";

/** How a level looks, by position in the levels: its word, its class, its share of the height. */
export const MAP_LOOKS = [
  { word: "HIGH", css: "high", share: 1 },
  { word: "MODERATE", css: "moderate", share: 0.8 },
  { word: "LOW", css: "low", share: 0.6 },
  { word: "SPECULATIVE", css: "speculative", share: 0.45 },
  { word: "dark matter", css: "none", share: 1 },
  { word: "RNA gene", css: "rna", share: 0.5 },
  { word: "CRISPR array", css: "crispr", share: 1 },
  { word: "frameshift product", css: "slip", share: 1 },
];
export const MAP_DARK = 4;
export const MAP_RNA = 5;
export const MAP_CRISPR = 6;
export const MAP_SLIP = 7;
const LEAST_LANE_PX = 6;
const MOST_LANES = 24; // what no genome has is drawn on the last lane

/**
 * Class of the colour: that of the level, or of the group of categories. Dark and RNA genes look
 * the same in both.
 */
export function colourClass(look, group, byCategory) {
  const { css } = byCategory && look < MAP_DARK ? MAP_GROUPS[group] : MAP_LOOKS[look];
  return `gm-${css}`;
}

/** A stretch over the origin ends beyond the length of its record. */
function unrolled(start, end, length) {
  return [start - 1, end >= start ? end : end + length];
}

/** Parts in the order of the unrolled record: those behind the origin come last. */
function partsOf(gene, from, length) {
  const parts = gene.parts.map(([start, end, strand]) => {
    let [low, high] = unrolled(start, end, length);
    if (low < from) [low, high] = [low + length, high + length];
    return { start: low, end: high, side: strand === "-" ? -1 : 1 };
  });
  return parts.sort((one, other) => one.start - other.start);
}

function itemOf(source, look, record) {
  const [start, end] = unrolled(source.start, source.end, record.length);
  const side = source.strand === "-" ? -1 : 1;
  const parts = look < MAP_RNA && source.parts && source.parts.length > 1
    ? partsOf(source, start, record.length)
    : [{ start, end, side }];
  return {
    source, look, start, end, side, parts,
    group: groupOf(source.category),
    index: look >= MAP_RNA ? null : source.index,
    // An array lies on no strand, so on the backbone itself.
    lane: look === MAP_CRISPR ? null : Math.min(source.lane || 0, MOST_LANES - 1),
    ...namesOf(source, { record, isGene: look < MAP_RNA, isDark: look === MAP_DARK }),
    faded: false,
  };
}

/** A product of slipping ribosomes at its gene; null where that is not on the map. */
function productOf({ gene, parts }, byIndex, record) {
  const host = byIndex.get(gene);
  if (!host || !parts.length) return null;
  const unfolded = partsOf({ parts }, host.start, record.length);
  const { side, lane } = host;
  const [start, end] = [unfolded[0].start, unfolded[unfolded.length - 1].end];
  return { host, side, lane, start, end, parts: unfolded, look: MAP_SLIP };
}

/**
 * All items in the order of their places, how many lanes each strand has, and products at their
 * genes.
 */
export function mapModel(record, genes, { rnas = [], arrays = [], products = [] } = {}) {
  const items = [
    ...genes.map((gene) => itemOf(gene, gene.level, record)),
    ...rnas.map((rna) => itemOf(rna, MAP_RNA, record)),
    ...arrays.map((array) => itemOf(array, MAP_CRISPR, record)),
  ].sort((one, other) => one.start - other.start || other.end - one.end);
  const lanes = { 1: 0, [-1]: 0 };
  for (const item of items) if (item.lane !== null) lanes[item.side] = Math.max(lanes[item.side], item.lane + 1);
  const byIndex = new Map();
  items.forEach((item, order) => {
    item.order = order;
    if (item.index !== null) byIndex.set(item.index, item);
  });
  const hasCategories = genes.some((gene) => gene.category);
  const circular = record.topology === "circular";
  const slips = products.map((product) => productOf(product, byIndex, record)).filter(Boolean);
  return { record, items, lanes, byIndex, products: slips, circular, hasCategories, byCategory: false, tracks: tracksOf(record) };
}

/**
 * The lane on which an item is drawn; null on the backbone. Genes too narrow for an eye to see which
 * overlap lie on the first one: further out they would be bars that belong to nothing.
 */
export function laneIn({ lane, start, end }, view) {
  return lane && (end - start) * view.pxPerBp() < LEAST_LANE_PX ? 0 : lane;
}

/** Nearest and furthest distance of an item from the backbone. */
export function acrossOf(item, view) {
  return view.tracks.across(laneIn(item, view), MAP_LOOKS[item.look].share);
}

/**
 * The item at a place of the drawing; the nearest one where genes are narrower than a finger,
 * and one that the filter shows before one that it hides.
 */
export function itemAt(model, view, x, y, slackPx) {
  const spot = view.spotAt(x, y);
  const onBackbone = spot.away <= BACKBONE_PX;
  const lane = view.tracks.laneAt(spot.away, model.lanes[spot.side]);
  if (lane === null && !onBackbone) return null;
  const most = slackPx * view.bpPerPx();
  const best = { shown: null, hidden: null };
  const nearest = { shown: most, hidden: most };
  for (const item of model.items) {
    const isThere = item.lane === null ? onBackbone : item.side === spot.side && laneIn(item, view) === lane;
    if (!isThere) continue;
    const kind = item.faded ? "hidden" : "shown";
    for (const shift of view.shifts) {
      const off = Math.max(item.start + shift - spot.bp, spot.bp - item.end - shift, 0);
      if (off <= nearest[kind]) [best[kind], nearest[kind]] = [item, off];
    }
  }
  // A hidden gene that is wide enough to be aimed at is meant when it is hit.
  const aimed = best.hidden && nearest.hidden === 0 && best.hidden.end - best.hidden.start > 2 * most;
  return best.shown && !(aimed && nearest.shown > 0) ? best.shown : best.hidden;
}

// What the shapes mean: one small arrow for each look, or for each group of categories.

import { MAP_GROUPS } from "./map_groups.js";
import { isRescued } from "./map_draw.js";
import { MAP_CRISPR, MAP_DARK, MAP_LOOKS, MAP_RNA, MAP_SLIP, colourClass } from "./map_model.js";
import { slipLook, slipOutline } from "./map_products.js";
import { countText } from "./map_scale.js";
import { arrayOutline, arrowOutline, lensOutline, rounded, svgElement } from "./map_shapes.js";

const SWATCH_WIDTH = 26;
const SWATCH_HEIGHT = 16;
const FULL_HEIGHT = 0;

function swatchOutlines(look, low, high, height) {
  if (look === MAP_RNA) return [lensOutline(low, high, 0, height)];
  if (look === MAP_CRISPR) return [arrayOutline(low, high, height / 2 - 4, height / 2 + 4)];
  const middle = (low + high) / 2;
  if (look === MAP_SLIP) return [slipOutline(low, middle, 4, 0), slipOutline(middle, high, 4, 1)];
  return [arrowOutline(low, high, 0, height, 1)];
}

/** A gene of a look as the map draws it, standing on a line at `bottom`. */
export function legendShape({ look, colour }, left, bottom) {
  const height = (SWATCH_HEIGHT - 2) * MAP_LOOKS[look].share;
  const d = swatchOutlines(look, left + 1, left + SWATCH_WIDTH - 1, height)
    .map((corners) => `M${corners.map(([u, v]) => `${rounded(u)} ${rounded(bottom - 1 - v)}`).join("L")}Z`)
    .join("");
  const open = look === MAP_DARK ? " gm-open" : "";
  return svgElement("path", { d, class: `gm-gene ${colour}${open}` });
}

function lookEntry(look, model) {
  const count = model.items.filter((item) => item.look === look).length;
  return { look, colour: colourClass(look, 0, false), word: MAP_LOOKS[look].word, count };
}

function groupEntry({ word }, group, model) {
  const count = model.items.filter((item) => item.look < MAP_DARK && item.group === group).length;
  return { look: FULL_HEIGHT, colour: colourClass(FULL_HEIGHT, group, true), word, count };
}

/** What only some records have: arrays, genes that the finder leaves out, frameshift products. */
function rareEntries(model) {
  const rescued = model.items.filter(isRescued).length;
  const left = { look: FULL_HEIGHT, colour: "gm-plain gm-rescued", word: "missed by the gene finder", count: rescued };
  const slips = { ...slipLook, count: model.products.length };
  return [lookEntry(MAP_CRISPR, model), left, slips].filter(({ count }) => count);
}

/**
 * What there is to explain, in rows: all levels, or the groups that the record has; dark and RNA
 * genes; and the heights, where only these show the level.
 */
export function legendRows(model) {
  const rest = [lookEntry(MAP_DARK, model), lookEntry(MAP_RNA, model)]
    .filter(({ look, count }) => look === MAP_DARK || count)
    .concat(rareEntries(model));
  const levels = MAP_LOOKS.slice(0, MAP_DARK).map((_, look) => lookEntry(look, model));
  if (!model.byCategory) return [{ title: "", entries: [...levels, ...rest] }];
  const groups = MAP_GROUPS.map((group, n) => groupEntry(group, n, model)).filter(({ count }) => count);
  const heights = levels.map((entry) => ({ ...entry, colour: "gm-plain" }));
  return [{ title: "", entries: [...groups, ...rest] }, { title: "Height:", entries: heights }];
}

/** What colour and height say, in one phrase. */
export function legendSentence(model) {
  return model.byCategory
    ? "colour shows the category of a gene, height the confidence of its function"
    : "colour and height of a gene show the confidence of its function";
}

function legendItem(entry) {
  const size = { width: SWATCH_WIDTH, height: SWATCH_HEIGHT, viewBox: `0 0 ${SWATCH_WIDTH} ${SWATCH_HEIGHT}` };
  const picture = svgElement("svg", { ...size, "aria-hidden": "true", focusable: "false" });
  picture.append(legendShape(entry, 0, SWATCH_HEIGHT));
  const number = document.createElement("span");
  number.className = "gm-count";
  number.textContent = countText(entry.count);
  const item = document.createElement("li");
  item.append(picture, `${entry.word} `, number);
  return item;
}

/** What the tracks show, or that a circle of this size has no room for them. */
export function showTracksNote(place, { tracks }, view) {
  const drawn = view.trackBands(tracks.length).length > 0;
  const note = drawn ? tracks.map(({ text }) => text).join(" ") : "GC content and GC skew: on the linear map, or closer.";
  place.textContent = tracks.length ? note : "";
  place.hidden = !tracks.length;
}

/** Writes the legend of the page into its place. */
export function showLegend(place, model) {
  const rows = legendRows(model).map(({ title, entries }) => {
    const list = document.createElement("ul");
    list.className = "gm-legend";
    list.setAttribute("aria-label", title ? "Legend of heights" : `Legend: ${legendSentence(model)}`);
    const items = entries.map(legendItem);
    if (title) items[0].prepend(`${title} `);
    list.append(...items);
    return list;
  });
  place.replaceChildren(...rows);
}

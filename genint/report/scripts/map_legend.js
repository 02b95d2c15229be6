// What the shapes mean: one small arrow for each look, or for each group of categories.

import { MAP_GROUPS } from "./map_groups.js";
import { MAP_DARK, MAP_LOOKS, MAP_RNA, colourClass } from "./map_model.js";
import { countText } from "./map_scale.js";
import { arrowOutline, lensOutline, rounded, svgElement } from "./map_shapes.js";

const SWATCH_WIDTH = 26;
const SWATCH_HEIGHT = 16;
const FULL_HEIGHT = 0;

/** A gene of a look as the map draws it, standing on a line at `bottom`. */
export function legendShape({ look, colour }, left, bottom) {
  const height = (SWATCH_HEIGHT - 2) * MAP_LOOKS[look].share;
  const corners = look === MAP_RNA
    ? lensOutline(left + 1, left + SWATCH_WIDTH - 1, 0, height)
    : arrowOutline(left + 1, left + SWATCH_WIDTH - 1, 0, height, 1);
  const d = `M${corners.map(([u, v]) => `${rounded(u)} ${rounded(bottom - 1 - v)}`).join("L")}Z`;
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

/**
 * What there is to explain, in rows: all levels, or the groups that the record has; dark and RNA
 * genes; and the heights, where these are all that tells the level.
 */
export function legendRows(model) {
  const rest = [lookEntry(MAP_DARK, model), lookEntry(MAP_RNA, model)]
    .filter(({ look, count }) => look === MAP_DARK || count);
  const levels = MAP_LOOKS.slice(0, MAP_DARK).map((_, look) => lookEntry(look, model));
  if (!model.byCategory) return [{ title: "", entries: [...levels, ...rest] }];
  const groups = MAP_GROUPS.map((group, n) => groupEntry(group, n, model)).filter(({ count }) => count);
  const heights = levels.map((entry) => ({ ...entry, colour: "gm-plain" }));
  return [{ title: "", entries: [...groups, ...rest] }, { title: "Height:", entries: heights }];
}

/** What colour and height say, in one phrase. */
export function legendSentence(model) {
  return model.byCategory
    ? "colour tells the category of a gene, height how sure its function is"
    : "colour and height of a gene tell how sure its function is";
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

// What the shapes mean: one small arrow for each look that the record has.

import { arrowOutline, lensOutline, rounded, svgElement } from "./map_shapes.js";
import { MAP_DARK, MAP_LOOKS, MAP_RNA } from "./map_model.js";

const SWATCH_WIDTH = 26;
const SWATCH_HEIGHT = 16;

/** A gene of a look as the map draws it, standing on a line at `bottom`. */
export function legendShape(look, left, bottom) {
  const height = (SWATCH_HEIGHT - 2) * MAP_LOOKS[look].share;
  const corners = look === MAP_RNA
    ? lensOutline(left + 1, left + SWATCH_WIDTH - 1, 0, height)
    : arrowOutline(left + 1, left + SWATCH_WIDTH - 1, 0, height, 1);
  const d = `M${corners.map(([u, v]) => `${rounded(u)} ${rounded(bottom - 1 - v)}`).join("L")}Z`;
  const open = look === MAP_DARK ? " gm-open" : "";
  return svgElement("path", { d, class: `gm-gene gm-${MAP_LOOKS[look].css}${open}` });
}

/** The looks that a legend has to explain: all levels, and RNA genes where there are some. */
export function legendLooks(model) {
  const looks = MAP_LOOKS.map((_, look) => look);
  return looks.filter((look) => look !== MAP_RNA || model.items.some((item) => item.look === look));
}

export function legendText(look, model) {
  const count = model.items.filter((item) => item.look === look).length;
  return { word: MAP_LOOKS[look].word, count };
}

/** The legend of the page. */
export function mapLegend(model) {
  const list = document.createElement("ul");
  list.className = "gm-legend";
  list.setAttribute("aria-label", "Legend: colour and height of a gene tell how sure its function is");
  for (const look of legendLooks(model)) {
    const { word, count } = legendText(look, model);
    const size = { width: SWATCH_WIDTH, height: SWATCH_HEIGHT, viewBox: `0 0 ${SWATCH_WIDTH} ${SWATCH_HEIGHT}` };
    const picture = svgElement("svg", { ...size, "aria-hidden": "true", focusable: "false" });
    picture.append(legendShape(look, 0, SWATCH_HEIGHT));
    const number = document.createElement("span");
    number.className = "gm-count";
    number.textContent = count;
    const entry = document.createElement("li");
    entry.append(picture, `${word} `, number);
    list.append(entry);
  }
  return list;
}

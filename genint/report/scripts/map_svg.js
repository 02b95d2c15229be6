// The current view as a file of its own: SVG 1.1 with attributes in place of style sheets, in the
// colours of the light theme, that drawing programs open and papers print.

import { drawGenes, drawRuler, drawingLayers } from "./map_draw.js";
import { legendLooks, legendShape, legendText } from "./map_legend.js";
import { sizeText } from "./map_scale.js";
import { svgElement } from "./map_shapes.js";

const INK = "#1c2733";
const SOFT = "#55636f";
const LINE = "#dbe2e8";
const PAPER = "#ffffff";
const FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";
const HEAD_PX = 34;
const FOOT_PX = 34;

/** Presentation attributes of each class of the style sheet, light theme. */
export const SVG_LOOKS = new Map(Object.entries({
  "gm-high": { fill: "#0b4f8a" },
  "gm-moderate": { fill: "#00765a" },
  "gm-low": { fill: "#8a5a00" },
  "gm-speculative": { fill: "#a8431a" },
  "gm-rna": { fill: SOFT },
  "gm-open": { fill: PAPER, stroke: "#5b6670", "stroke-width": 1, "stroke-dasharray": "3 2" },
  "gm-sliver": { fill: "#cdd2d6" },
  "gm-thin": { "stroke-width": 0.75, "stroke-dasharray": "none" },
  "gm-faded": { opacity: 0.2 },
  "gm-backbone": { fill: "none", stroke: SOFT, "stroke-width": 1.5 },
  "gm-rim": { fill: "none", stroke: LINE, "stroke-width": 1 },
  "gm-grid": { stroke: LINE, "stroke-width": 1, "stroke-opacity": 0.6 },
  "gm-leader": { stroke: SOFT, "stroke-width": 0.75 },
  "gm-inset": { fill: PAPER, stroke: LINE, "stroke-width": 4 },
  "gm-insight": { fill: "none", stroke: INK, "stroke-width": 4 },
  "gm-tick": { stroke: SOFT, "stroke-width": 1 },
  "gm-ruler": { fill: SOFT, "font-size": 11 },
  "gm-title": { fill: INK, "font-size": 15, "font-weight": 600 },
  "gm-size": { fill: SOFT, "font-size": 12 },
  "gm-label": { "font-size": 11 },
  "gm-inside": { fill: PAPER },
  "gm-outside": { fill: INK },
  "gm-on-paper": { fill: INK },
}));

function inlineLooks(root) {
  for (const element of root.querySelectorAll("[class]")) {
    for (const name of element.classList) {
      for (const [key, value] of Object.entries(SVG_LOOKS.get(name) || {})) element.setAttribute(key, value);
    }
    element.removeAttribute("class");
    element.removeAttribute("data-index");
  }
}

function legendRow(model, top) {
  const row = svgElement("g");
  let left = 16;
  for (const look of legendLooks(model)) {
    const { word, count } = legendText(look, model);
    const text = `${word} (${count})`;
    row.append(
      legendShape(look, left, top + 16),
      svgElement("text", { x: left + 32, y: top + 12, class: "gm-label gm-outside" }, text),
    );
    left += 32 + text.length * 7 + 16;
  }
  return [row, left];
}

const NOT_XML = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Text of the file. Whatever names say is escaped by the serializer. */
export function exportedSvg(model, view) {
  const { record } = model;
  const [first, last] = view.sight();
  const [legend, legendWidth] = legendRow(model, view.height + HEAD_PX + 6);
  const width = Math.ceil(Math.max(view.width, legendWidth));
  const height = view.height + HEAD_PX + FOOT_PX;
  const svg = svgElement("svg", { version: "1.1", width, height, viewBox: `0 0 ${width} ${height}` });
  svg.setAttribute("font-family", FAMILY);
  const name = record.description || record.id;
  const most = Math.floor(width / 9);
  const heading = name.length > most ? `${name.slice(0, most - 1)}…` : name;
  const said = `Genome map of ${record.id}, ${sizeText(record.length)}, ${record.topology}; `
    + `bases ${first} to ${last}; colour and height of a gene tell how sure its function is.`;
  const drawing = svgElement("svg", { y: HEAD_PX, width: view.width, height: view.height });
  const layers = drawingLayers(drawing);
  drawRuler(layers.ruler, view);
  drawGenes(layers, view, model, true);
  svg.append(
    svgElement("title", {}, name),
    svgElement("desc", {}, said),
    svgElement("rect", { width, height, fill: PAPER }),
    svgElement("text", { x: 16, y: 22, class: "gm-title" }, heading),
    drawing,
    legend,
  );
  inlineLooks(svg);
  const text = new XMLSerializer().serializeToString(svg).replace(NOT_XML, "\uFFFD");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

// The current view as a file of its own: SVG 1.1 with attributes in place of style sheets, in the
// colours of the light theme, that drawing programs open and papers print.

import { LIGHT } from "./map_colours.js";
import { drawGenes, drawRuler, drawingLayers } from "./map_draw.js";
import { MAP_GROUPS } from "./map_groups.js";
import { legendRows, legendSentence, legendShape } from "./map_legend.js";
import { countText, sizeText } from "./map_scale.js";
import { svgElement } from "./map_shapes.js";
import { drawTracks } from "./map_tracks.js";

const FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";
const HEAD_PX = 34;
const FOOT_PX = 34;
const LINE_PX = 22;

/** Presentation attributes of each class of the style sheet, light theme. */
export const SVG_LOOKS = new Map(Object.entries({
  "gm-high": { fill: LIGHT.high },
  "gm-moderate": { fill: LIGHT.moderate },
  "gm-low": { fill: LIGHT.low },
  "gm-speculative": { fill: LIGHT.speculative },
  ...Object.fromEntries(MAP_GROUPS.map(({ css }) => [`gm-${css}`, { fill: LIGHT[`gm-${css}`] }])),
  "gm-other": { fill: LIGHT.none },
  "gm-plain": { fill: LIGHT.soft },
  "gm-rna": { fill: LIGHT.soft },
  "gm-crispr": { fill: LIGHT.ink },
  "gm-slip": { fill: LIGHT.ink },
  "gm-open": { fill: LIGHT.paper, stroke: LIGHT.none, "stroke-width": 1, "stroke-dasharray": "3 2" },
  "gm-sliver": { fill: LIGHT.none, "fill-opacity": 0.32 },
  "gm-thin": { "stroke-width": 0.75, "stroke-dasharray": "none" },
  "gm-rescued": { stroke: LIGHT.ink, "stroke-width": 1.25, "stroke-dasharray": "2 2" },
  "gm-faded": { opacity: 0.2 },
  "gm-backbone": { fill: "none", stroke: LIGHT.soft, "stroke-width": 1.5 },
  "gm-rim": { fill: "none", stroke: LIGHT.line, "stroke-width": 1 },
  "gm-gc-above": { fill: LIGHT.soft },
  "gm-gc-below": { fill: LIGHT.soft },
  "gm-skew-above": { fill: LIGHT["gm-skew-above"] },
  "gm-skew-below": { fill: LIGHT["gm-skew-below"] },
  "gm-grid": { stroke: LIGHT.line, "stroke-width": 1, "stroke-opacity": 0.6 },
  "gm-leader": { stroke: LIGHT.soft, "stroke-width": 0.75 },
  "gm-inset": { fill: LIGHT.paper, stroke: LIGHT.line, "stroke-width": 4 },
  "gm-insight": { fill: "none", stroke: LIGHT.ink, "stroke-width": 4 },
  "gm-tick": { stroke: LIGHT.soft, "stroke-width": 1 },
  "gm-ruler": { fill: LIGHT.soft, "font-size": 11 },
  "gm-title": { fill: LIGHT.ink, "font-size": 15, "font-weight": 600 },
  "gm-size": { fill: LIGHT.soft, "font-size": 12 },
  "gm-label": { "font-size": 11 },
  "gm-inside": { fill: LIGHT.paper },
  "gm-on-pale": { fill: LIGHT["gm-on-pale"] },
  "gm-outside": { fill: LIGHT.ink },
  "gm-on-paper": { fill: LIGHT.ink },
  "gm-hushed": { fill: LIGHT.soft },
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

/** The legend, in as many lines as the width requires; and how high and wide it is. */
function legendLines(model, view) {
  const [top, most] = [view.height + HEAD_PX + 6, view.width];
  const group = svgElement("g");
  let [left, bottom, widest] = [0, top - LINE_PX + 16, 0];
  for (const { title, entries } of legendRows(model)) {
    [left, bottom] = [16, bottom + LINE_PX];
    entries.forEach((entry, n) => {
      const text = title ? entry.word : `${entry.word} (${countText(entry.count)})`;
      const needed = 32 + text.length * 7 + 16;
      if (left > 16 && left + needed > most) [left, bottom] = [16, bottom + LINE_PX];
      if (title && n === 0) {
        group.append(svgElement("text", { x: left, y: bottom - 4, class: "gm-label gm-outside" }, title));
        left += title.length * 7;
      }
      const place = { x: left + 32, y: bottom - 4, class: "gm-label gm-outside" };
      group.append(legendShape(entry, left, bottom), svgElement("text", place, text));
      left += needed;
      widest = Math.max(widest, left);
    });
  }
  for (const { text } of view.trackBands(model.tracks.length).length ? model.tracks : []) {
    bottom += LINE_PX;
    group.append(svgElement("text", { x: 16, y: bottom - 4, class: "gm-label gm-outside" }, text));
    widest = Math.max(widest, 16 + text.length * 6);
  }
  return [group, bottom - top - 16 + FOOT_PX, widest];
}

const NOT_XML = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Text of the file. Whatever names say is escaped by the serializer. */
export function exportedSvg(model, view) {
  const { record } = model;
  const [first, last] = view.sight();
  const [legend, foot, legendWidth] = legendLines(model, view);
  const width = Math.ceil(Math.max(view.width, legendWidth));
  const height = view.height + HEAD_PX + foot;
  const svg = svgElement("svg", { version: "1.1", width, height, viewBox: `0 0 ${width} ${height}` });
  svg.setAttribute("font-family", FAMILY);
  const name = record.description || record.id;
  const most = Math.floor(width / 9);
  const heading = name.length > most ? `${name.slice(0, most - 1)}…` : name;
  const description = `Genome map of ${record.id}, ${sizeText(record.length)}, ${record.topology}; `
    + `bases ${countText(first)} to ${countText(last)}; ${legendSentence(model)}.`;
  const drawing = svgElement("svg", { y: HEAD_PX, width: view.width, height: view.height });
  const layers = drawingLayers(drawing);
  drawRuler(layers.ruler, view);
  drawTracks(layers.tracks, view, model.tracks);
  drawGenes(layers, view, model, true);
  svg.append(
    svgElement("title", {}, name),
    svgElement("desc", {}, description),
    svgElement("rect", { width, height, fill: LIGHT.paper }),
    svgElement("text", { x: 16, y: 22, class: "gm-title" }, heading),
    drawing,
    legend,
  );
  inlineLooks(svg);
  const text = new XMLSerializer().serializeToString(svg).replace(NOT_XML, "\uFFFD");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

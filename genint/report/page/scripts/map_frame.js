// The elements of a map: toolbar, overview, drawing, legend, and text for screen readers only.

import { drawingLayers } from "./map_draw.js";
import { showLegend } from "./map_legend.js";
import { MapOverview } from "./map_overview.js";
import { svgElement } from "./map_shapes.js";
import { MapToolbar, fileButtons } from "./map_toolbar.js";
import { MapTooltip } from "./map_tooltip.js";

const MAP_HELP = "Ctrl or \u2318 + wheel or pinch to zoom, drag to pan. Keys: + − 0 and arrows; n and p go "
  + "from gene to gene, Enter opens one.";
const MAP_SPOKEN_HELP = "Plus, minus and zero zoom; arrow keys pan; N and P go from gene to gene, "
  + "Enter selects, Escape leaves. The table lists all genes.";

let mapCount = 0;

function block(className, text = null, name = "div") {
  const made = document.createElement(name);
  made.className = className;
  if (text !== null) made.textContent = text;
  return made;
}

/** The part that takes the keyboard: one stop of the Tab key for the whole drawing. */
function focusFrame(helpId) {
  const frame = block("gm-frame");
  frame.tabIndex = 0;
  frame.setAttribute("role", "application");
  frame.setAttribute("aria-roledescription", "genome map");
  frame.setAttribute("aria-describedby", helpId);
  return frame;
}

/**
 * Builds a map's elements into a container.
 * wants: what the toolbar requests; moveTo: where the overview is dragged to, in bases.
 */
export function mapFrame(container, model, wants, moveTo, signal) {
  mapCount += 1;
  const root = block("gm");
  const toolbar = new MapToolbar(root, model, wants);
  const stage = block("gm-stage");
  const overview = new MapOverview(model, stage, moveTo, signal);
  const help = block("gm-hidden", MAP_SPOKEN_HELP);
  help.id = `gm-help-${mapCount}`;
  const frame = focusFrame(help.id);
  const svg = svgElement("svg", { class: "gm-drawing", "aria-hidden": "true", focusable: "false" });
  const layers = drawingLayers(svg);
  frame.append(svg);
  stage.append(frame);
  const live = block("gm-hidden");
  live.setAttribute("aria-live", "polite");
  const legend = block("gm-legends");
  showLegend(legend, model);
  const tracksNote = block("gm-hint gm-tracks-note", null, "p");
  root.append(stage, legend, tracksNote, block("gm-hint", MAP_HELP, "p"), fileButtons(wants), help, live);
  const tooltip = new MapTooltip(root);
  container.append(root);
  return { root, toolbar, stage, overview, frame, svg, layers, live, legend, tracksNote, tooltip };
}

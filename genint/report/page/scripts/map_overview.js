// A bar with the whole record above the linear map: where the window lies, to be dragged.

import { Tracks, svgElement } from "./map_shapes.js";
import { LinearView } from "./map_linear.js";
import { MergedBlocks } from "./map_merge.js";
import { piecesInSight } from "./map_pieces.js";

const HEIGHT_PX = 30;
const LEAST_WINDOW_PX = 10;

/** The linear view at its smallest: both strands, one row each, no names. */
class OverviewView extends LinearView {
  layout(width) {
    this.width = width;
    this.height = HEIGHT_PX;
    this.axis = HEIGHT_PX / 2;
    this.tracks = new Tracks(10, 0, 1.5);
  }
}

export class MapOverview {
  constructor(model, parent, moveTo, signal) {
    this.view = new OverviewView(model);
    this.model = model;
    this.svg = svgElement("svg", { class: "gm-overview", "aria-hidden": "true", focusable: "false" });
    this.genes = svgElement("g");
    this.shades = [0, 1].map(() => svgElement("rect", { y: 0, height: HEIGHT_PX, class: "gm-shade" }));
    this.window = svgElement("rect", { y: 0.5, height: HEIGHT_PX - 1, rx: 3, class: "gm-window" });
    this.svg.append(this.genes, ...this.shades, this.window);
    parent.append(this.svg);
    this.#listen(moveTo, signal);
  }

  #listen(moveTo, signal) {
    let held = null;
    const bpAt = (event) => {
      const { left } = this.svg.getBoundingClientRect();
      return this.view.spotAt(event.clientX - left, 0).bp;
    };
    const on = (name, run) => this.svg.addEventListener(name, run, { signal });
    on("pointerdown", (event) => {
      if (event.button !== 0) return;
      const [low, high] = this.shown;
      const bp = bpAt(event);
      // Beside the window a press brings it there; in the window it is held where it was taken.
      held = bp >= low && bp <= high ? bp - low : (high - low) / 2;
      this.svg.setPointerCapture(event.pointerId);
      moveTo(bp - held);
    });
    on("pointermove", (event) => held !== null && moveTo(bpAt(event) - held));
    for (const name of ["pointerup", "pointercancel"]) on(name, () => { held = null; });
  }

  /** Draws the genes anew: after a change of width or of what is shown. */
  draw(width) {
    this.view.layout(width);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT_PX}`);
    const merged = new MergedBlocks(this.view, this.model.byCategory);
    const range = this.view.range();
    for (const item of this.model.items) {
      for (const piece of piecesInSight({ ...item, lane: 0 }, this.view, range)) merged.addWide(piece);
    }
    this.genes.replaceChildren(...merged.elements());
  }

  /** Moves the window; a window of a few bases is still wide enough to be taken. */
  move({ start, span }) {
    this.shown = [start, start + span];
    const [low, high] = [this.view.along(start), this.view.along(start + span)];
    const width = Math.max(LEAST_WINDOW_PX, high - low);
    const left = Math.max(0, Math.min(this.view.width - width, (low + high - width) / 2));
    this.window.setAttribute("x", left);
    this.window.setAttribute("width", width);
    this.shades[0].setAttribute("x", 0);
    this.shades[0].setAttribute("width", left);
    this.shades[1].setAttribute("x", left + width);
    this.shades[1].setAttribute("width", Math.max(0, this.view.width - left - width));
  }
}

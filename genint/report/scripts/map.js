// A genome map of one record: to scale, zoomed and panned, linked with the table of genes.

import { CircularView } from "./map_circular.js";
import { drawGenes, drawMarks, drawRuler, drawingLayers } from "./map_draw.js";
import { MapEvents } from "./map_events.js";
import { mapLegend } from "./map_legend.js";
import { LinearView } from "./map_linear.js";
import { itemAt, mapModel } from "./map_model.js";
import { MapOverview } from "./map_overview.js";
import { countText, sizeText } from "./map_scale.js";
import { svgElement } from "./map_shapes.js";
import { exportedSvg } from "./map_svg.js";
import { MapToolbar } from "./map_toolbar.js";
import { MapTooltip, itemSentence } from "./map_tooltip.js";

const LEAST_SELECTED_PX = 12;
const MOVE_MS = 220;
const HELP = "Ctrl + wheel or pinch to zoom, drag to pan. Keys: + − 0, arrows, n and p for genes, Enter.";
const SPOKEN_HELP = "Plus, minus and zero zoom; arrow keys pan; N and P go from gene to gene, "
  + "Enter selects, Escape leaves. The table lists all genes.";

let mapCount = 0;

class GenomeMap {
  constructor(container, { record, genes, rnas, onSelect, onHover }) {
    this.model = mapModel(record, genes, rnas || []);
    this.tell = { select: onSelect || (() => {}), hover: onHover || (() => {}) };
    this.views = { linear: new LinearView(this.model) };
    if (this.model.circular) this.views.circular = new CircularView(this.model);
    this.view = this.views.circular || this.views.linear;
    this.marked = { hovered: null, selected: null, focused: null };
    this.stop = new AbortController();
    this.frameAsked = 0;
    this.stale = { all: true, marks: true, overview: true };
    this.#build(container);
    this.sizes = new ResizeObserver(() => this.#resize());
    this.sizes.observe(this.stage);
    this.#resize();
  }

  #build(container) {
    mapCount += 1;
    const made = (className, name = "div") => {
      const element = document.createElement(name);
      element.className = className;
      return element;
    };
    this.root = made("gm");
    this.toolbar = new MapToolbar(this.root, this.model, this);
    this.stage = made("gm-stage");
    this.root.append(this.stage);
    const moveTo = (start) => this.#go({ ...this.views.linear.state, start }, true);
    this.overview = new MapOverview(this.model, this.stage, moveTo, this.stop.signal);
    this.frame = made("gm-frame");
    this.frame.tabIndex = 0;
    this.frame.setAttribute("role", "application");
    this.frame.setAttribute("aria-roledescription", "genome map");
    this.svg = svgElement("svg", { class: "gm-drawing", "aria-hidden": "true", focusable: "false" });
    this.layers = drawingLayers(this.svg);
    const help = made("gm-hidden");
    help.id = `gm-help-${mapCount}`;
    help.textContent = SPOKEN_HELP;
    this.frame.setAttribute("aria-describedby", help.id);
    this.frame.append(this.svg);
    this.live = made("gm-hidden");
    this.live.setAttribute("aria-live", "polite");
    this.tooltip = new MapTooltip(this.root);
    const hint = made("gm-hint", "p");
    hint.textContent = HELP;
    this.stage.append(this.frame);
    this.root.append(mapLegend(this.model), hint, help, this.live);
    container.append(this.root);
    this.events = new MapEvents(this.frame, this, this.stop.signal);
    const listen = (name, run) => this.frame.addEventListener(name, run, { signal: this.stop.signal });
    listen("blur", () => this.leave());
    window.addEventListener("scroll", () => this.tooltip.hide(), { passive: true, signal: this.stop.signal });
  }

  // -- drawing, at most once a frame

  #ask(what) {
    this.stale[what] = true;
    if (!this.frameAsked) this.frameAsked = requestAnimationFrame(() => this.#draw());
  }

  #resize() {
    const width = Math.max(200, Math.floor(this.stage.clientWidth));
    if (width === this.width) return;
    this.width = width;
    for (const view of Object.values(this.views)) view.layout(width);
    this.stale.overview = true;
    this.#ask("all");
  }

  #draw() {
    this.frameAsked = 0;
    const { view, model, layers, stale } = this;
    const { width, height } = view;
    if (stale.all) {
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      this.svg.setAttribute("width", width);
      this.svg.setAttribute("height", height);
      drawRuler(layers.ruler, view);
      drawGenes(layers, view, model);
      this.#describe();
    }
    if (view.kind === "linear") {
      if (stale.overview) this.overview.draw(width);
      if (stale.overview || stale.all) this.overview.move(view.state);
      stale.overview = false;
    }
    drawMarks(layers, view, model, this.marked);
    stale.all = false;
    stale.marks = false;
  }

  #describe() {
    const { record, items } = this.model;
    const [first, last] = this.view.sight();
    const place = `${countText(first)}–${countText(last)} of ${countText(record.length)} bp`;
    this.overview.svg.classList.toggle("gm-gone", this.view.kind !== "linear");
    this.frame.classList.toggle("gm-free", this.view.kind === "circular" && !this.view.isWhole);
    this.toolbar.update(this.view, place);
    const faded = items.filter((item) => item.faded).length;
    const filtered = faded ? `, ${items.length - faded} of them shown by the filter` : "";
    this.frame.setAttribute("aria-label", `Genome map of ${record.id}, ${this.view.kind}, `
      + `${items.length} genes on ${sizeText(record.length)}${filtered}; in sight: bases ${place}`);
  }

  // -- moving

  #go(state, atOnce = false) {
    cancelAnimationFrame(this.moving);
    const { view } = this;
    const [from, to] = [view.state, view.clamp(state)];
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (atOnce || still) {
      view.state = to;
      this.#ask("all");
      return;
    }
    let begun = null;
    const step = (now) => {
      begun = begun ?? now;
      const share = Math.min(1, (now - begun) / MOVE_MS);
      view.state = share < 1 ? view.between(from, to, 1 - (1 - share) ** 3) : to;
      this.#ask("all");
      if (share < 1) this.moving = requestAnimationFrame(step);
    };
    this.moving = requestAnimationFrame(step);
  }

  zoom(factor, spot = null, atOnce = false) {
    const item = this.marked.focused || this.marked.selected;
    if (!spot && item && this.view.shows(item.start, item.end)) {
      const next = this.view.zoomed(factor);
      const held = this.view.state;
      this.view.state = next;
      const state = this.view.around(item.start, item.end, 0);
      this.view.state = held;
      this.#go(state, atOnce);
    } else this.#go(this.view.zoomed(factor, spot), atOnce);
    this.pointAt(null);
  }

  pan(dx, dy, atOnce = false) {
    this.#go(this.view.panned(dx, dy), atOnce);
  }

  canPan() {
    return !this.view.isWhole;
  }

  fit() {
    this.#go(this.view.whole);
  }

  setView(kind) {
    if (!this.views[kind] || this.view.kind === kind) return;
    cancelAnimationFrame(this.moving);
    this.view = this.views[kind];
    this.tooltip.hide();
    this.stale.overview = true;
    this.#ask("all");
    if (this.marked.selected && !this.view.isWhole) this.#bring(this.marked.selected);
  }

  /** Pans to an item, and zooms in where it could hardly be seen. */
  #bring(item, leastPx = LEAST_SELECTED_PX) {
    const { view } = this;
    const seen = (item.end - item.start) * view.pxPerBp() >= leastPx;
    if (!seen || !view.shows(item.start, item.end)) this.#go(view.around(item.start, item.end, leastPx));
  }

  // -- pointing, choosing, stepping

  pointAt(spot, event = null) {
    const item = spot ? itemAt(this.model, this.view, spot.x, spot.y, 3) : null;
    if (item) this.tooltip.show(item, event.clientX, event.clientY);
    else this.tooltip.hide();
    this.frame.classList.toggle("gm-pointing", Boolean(item));
    if (item === this.marked.hovered) return;
    this.marked.hovered = item;
    this.#ask("marks");
    this.tell.hover(item ? item.index : null);
  }

  choose(spot, slackPx, event) {
    const item = itemAt(this.model, this.view, spot.x, spot.y, slackPx);
    if (!item) return;
    this.tooltip.show(item, event.clientX, event.clientY);
    this.#choose(item);
  }

  chooseFocused() {
    if (this.marked.focused) this.#choose(this.marked.focused);
  }

  #choose(item) {
    if (item.index === null) return; // RNA genes are shown, but there is nothing to open
    this.marked.selected = item;
    this.#ask("marks");
    this.tell.select(item.index);
  }

  /** The next item in the order of places that the filter shows; infinity: the last one. */
  step(by) {
    const shown = this.model.items.filter((item) => !item.faded);
    if (!shown.length) return;
    const from = this.marked.focused || this.marked.selected;
    const [first] = this.view.sight();
    let at = from ? shown.indexOf(from) + by : shown.findIndex((item) => item.end >= first);
    if (!Number.isFinite(by)) at = by;
    const item = shown[Math.max(0, Math.min(shown.length - 1, at))];
    this.marked.focused = item;
    this.#bring(item, 4);
    this.#ask("marks");
    this.live.textContent = itemSentence(item);
    this.#tipAtFocus(item);
  }

  /** The tooltip beside an item, once the drawing has come to rest. */
  #tipAtFocus(item) {
    const wait = () => {
      if (this.marked.focused !== item) return;
      if (!this.view.shows(item.start, item.end)) {
        this.tipWait = setTimeout(wait, MOVE_MS / 2);
        return;
      }
      const { tracks } = this.view;
      const [, far] = tracks.across(item.lane, 1);
      const u = this.view.along((item.start + item.end) / 2);
      const [x, y] = this.view.point(u, item.side > 0 ? 0 : far, item.side);
      const box = this.frame.getBoundingClientRect();
      this.tooltip.show(item, box.left + x, box.top + y);
    };
    clearTimeout(this.tipWait);
    this.tipWait = setTimeout(wait, MOVE_MS + 40);
  }

  leave() {
    clearTimeout(this.tipWait);
    this.tooltip.hide();
    this.marked.focused = null;
    this.#ask("marks");
  }

  // -- what the page asks for

  select(index) {
    const item = this.model.byIndex.get(index) || null;
    const known = item && item === this.marked.selected && this.view.shows(item.start, item.end);
    this.marked.selected = item;
    this.#ask("marks");
    if (item && !known) this.#bring(item);
  }

  hover(index) {
    this.marked.hovered = this.model.byIndex.get(index) || null;
    this.#ask("marks");
  }

  setShown(predicate) {
    for (const item of this.model.items) {
      item.faded = Boolean(predicate) && item.index !== null && !predicate(item.source);
    }
    this.stale.overview = true;
    this.#ask("all");
  }

  svgText() {
    return exportedSvg(this.model, this.view);
  }

  destroy() {
    this.stop.abort();
    this.sizes.disconnect();
    cancelAnimationFrame(this.frameAsked);
    cancelAnimationFrame(this.moving);
    clearTimeout(this.tipWait);
    this.root.remove();
  }
}

/**
 * Draws a map into a container.
 * record: { id, length, topology, description }; genes and rnas: those of the record.
 * onSelect(index) and onHover(index or null) are called for what the reader does on the map.
 */
export function createMap(container, options) {
  const map = new GenomeMap(container, options);
  return {
    select: (index) => map.select(index),
    setShown: (predicate) => map.setShown(predicate),
    hover: (index) => map.hover(index),
    setView: (kind) => map.setView(kind),
    fit: () => map.fit(),
    svg: () => map.svgText(),
    destroy: () => map.destroy(),
  };
}

// A genome map of one record: to scale, zoomed and panned, linked with the table of genes.

import { CircularView } from "./map_circular.js";
import { drawGenes, drawRuler } from "./map_draw.js";
import { MapEvents } from "./map_events.js";
import { mapFrame } from "./map_frame.js";
import { showLegend, showTracksNote } from "./map_legend.js";
import { LinearView } from "./map_linear.js";
import { drawMarks } from "./map_marks.js";
import { itemAt, laneIn, mapModel } from "./map_model.js";
import { MapMotion } from "./map_motion.js";
import { drawTracks } from "./map_tracks.js";
import { countText, sizeText } from "./map_scale.js";
import { exportedSvg } from "./map_svg.js";
import { itemSentence } from "./map_tooltip.js";

const LEAST_SELECTED_PX = 12;
const LEAST_FOCUSED_PX = 4;
const PICTURE_PX = { linear: 1600, circular: 1100 };

class GenomeMap {
  constructor(container, { record, genes, rnas, arrays, products, byCategory, ...calls }) {
    this.model = mapModel(record, genes, { rnas, arrays, products });
    this.model.byCategory = Boolean(byCategory) && this.model.hasCategories;
    this.tell = {
      select: calls.onSelect || (() => {}),
      hover: calls.onHover || (() => {}),
      colour: calls.onColour || ((chosen) => this.colourBy(chosen)),
      save: calls.onSave || (() => {}),
    };
    this.views = { linear: new LinearView(this.model) };
    if (this.model.circular) this.views.circular = new CircularView(this.model);
    this.view = this.views.circular || this.views.linear;
    this.marked = { hovered: null, selected: null, focused: null };
    this.stop = new AbortController();
    this.frameAsked = 0;
    this.stale = {};
    this.motion = new MapMotion(() => this.#ask("genes"));
    const moveTo = (start) => this.#go({ ...this.views.linear.state, start }, true);
    Object.assign(this, mapFrame(container, this.model, this, moveTo, this.stop.signal));
    this.#listen();
    this.#resize();
  }

  #listen() {
    const { signal } = this.stop;
    this.events = new MapEvents(this.frame, this, signal);
    this.frame.addEventListener("blur", () => this.leave(), { signal });
    window.addEventListener("scroll", () => this.tooltip.hide(), { passive: true, capture: true, signal });
    this.sizes = new ResizeObserver(() => this.#resize());
    this.sizes.observe(this.stage);
  }

  // -- drawing, at most once a frame

  #ask(what) {
    this.stale[what] = true;
    if (!this.frameAsked) this.frameAsked = requestAnimationFrame(() => this.#draw());
  }

  #resize() {
    const width = Math.max(200, Math.floor(this.stage.clientWidth));
    if (width === this.width) return;
    this.motion.finish();
    const item = this.marked.selected;
    const seen = item && this.view.shows(item.start, item.end);
    this.width = width;
    for (const view of Object.values(this.views)) view.layout(width);
    if (seen && !this.view.shows(item.start, item.end)) {
      this.view.state = this.view.around(item.start, item.end, 0); // a drawer may have narrowed it
    }
    this.stale.overview = true;
    this.#ask("genes");
  }

  #draw() {
    const { view, model, layers, stale } = this;
    this.frameAsked = 0;
    this.stale = {};
    if (stale.genes) {
      const { width, height } = view;
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      this.svg.setAttribute("width", width);
      this.svg.setAttribute("height", height);
      drawRuler(layers.ruler, view);
      drawTracks(layers.tracks, view, model.tracks);
      drawGenes(layers, view, model);
      this.#describe();
    }
    if (view.kind !== "linear") this.stale.overview = stale.overview; // when it is seen again
    else if (stale.overview) this.overview.draw(view.width);
    if (view.kind === "linear" && stale.genes) this.overview.move(view.state);
    drawMarks(layers, view, this.marked);
    if (this.marked.focused && !this.motion.isMoving && stale.genes) this.#tipAtFocus();
  }

  #describe() {
    const { record, items } = this.model;
    const [first, last] = this.view.sight();
    const place = `${countText(first)}–${countText(last)} of ${countText(record.length)} bp`;
    showTracksNote(this.tracksNote, this.model, this.view);
    this.overview.svg.classList.toggle("gm-gone", this.view.kind !== "linear");
    this.frame.classList.toggle("gm-free", this.view.kind === "circular" && !this.view.isWhole);
    this.toolbar.update(this.view, place);
    const shown = items.filter((item) => !item.faded).length;
    const filtered = shown < items.length ? `, ${countText(shown)} of them shown by the filter` : "";
    this.frame.setAttribute("aria-label", `Genome map of ${record.id}, ${this.view.kind}: `
      + `${countText(items.length)} genes on ${sizeText(record.length)}${filtered}. `
      + `In sight: bases ${place}.`);
  }

  // -- moving

  #go(state, atOnce = false) {
    this.motion.go(this.view, state, atOnce);
  }

  /** Zooms about a spot; without one about the gene at hand, or the middle. */
  zoom(factor, spot = null, atOnce = false) {
    this.motion.finish(); // so that quick presses add up
    const item = this.marked.focused || this.marked.selected;
    const held = !spot && item && this.view.shows(item.start, item.end);
    this.#go(held ? this.view.zoomedAround(item, factor) : this.view.zoomed(factor, spot), atOnce);
    this.pointAt(null);
  }

  pan(dx, dy, atOnce = false) {
    if (this.view.isWhole || (!dx && this.view.kind === "linear")) return false;
    this.motion.finish();
    return this.#go(this.view.panned(dx, dy), atOnce);
  }

  canPan() {
    return !this.view.isWhole;
  }

  fit() {
    this.#go(this.view.whole);
  }

  /** A stretch fills the drawing; ends are 1-based, the last before the first over the origin. */
  showStretch(first, last) {
    this.motion.finish();
    this.#go(this.view.window(first - 1, last < first ? last + this.model.record.length : last));
  }

  /** The reader wants other colours. */
  chooseColours(byCategory) {
    this.tell.colour(byCategory);
  }

  /** What colours tell: the category of a gene, or how sure its function is. */
  colourBy(byCategory) {
    this.model.byCategory = byCategory && this.model.hasCategories;
    this.toolbar.showColours();
    showLegend(this.legend, this.model);
    this.stale.overview = true;
    this.#ask("genes");
  }

  setView(kind) {
    if (!this.views[kind] || this.view.kind === kind) return;
    this.motion.stop();
    const before = this.view;
    this.view = this.views[kind];
    this.tooltip.hide();
    // What was in sight stays in sight: the views differ in shape only.
    const [first, last] = before.sight();
    const end = last < first ? last + this.model.record.length : last;
    this.#go(before.isWhole ? this.view.whole : this.view.window(first - 1, end), true);
  }

  /** Pans to an item, and zooms in where it could hardly be seen. */
  #bring(item, leastPx) {
    const { view } = this;
    this.motion.finish();
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
    if (!item) {
      this.tooltip.hide();
      return;
    }
    this.tooltip.show(item, event.clientX, event.clientY);
    this.#choose(item);
  }

  chooseFocused() {
    if (!this.marked.focused) return false;
    return this.#choose(this.marked.focused);
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
    const known = from ? shown.indexOf(from) : -1;
    const at = known >= 0 ? known + by : Math.max(0, shown.findIndex((item) => item.end >= first));
    const item = shown[Math.max(0, Math.min(shown.length - 1, Number.isFinite(by) ? at : by))];
    this.marked.focused = item;
    this.live.textContent = itemSentence(item);
    this.#bring(item, LEAST_FOCUSED_PX);
    this.#ask("genes");
  }

  #tipAtFocus() {
    const { start, end, side } = this.marked.focused;
    const [, far] = this.view.tracks.across(laneIn(this.marked.focused, this.view), 1);
    const u = this.view.along((start + Math.min(end, this.view.ends ? this.view.length : end)) / 2);
    const [x, y] = this.view.point(u, side > 0 ? 0 : far, side);
    const box = this.frame.getBoundingClientRect();
    this.tooltip.show(this.marked.focused, box.left + x, box.top + y);
  }

  leave() {
    this.tooltip.hide();
    this.marked.focused = null;
    this.#ask("marks");
    return false; // Escape may mean something to the page too
  }

  // -- called by the page

  select(index) {
    const item = this.model.byIndex.get(index) || null;
    this.motion.finish();
    const known = item && item === this.marked.selected && this.view.shows(item.start, item.end);
    this.marked.selected = item;
    this.#ask("marks");
    if (item && !known) this.#bring(item, LEAST_SELECTED_PX);
  }

  hover(index) {
    this.marked.hovered = this.model.byIndex.get(index) || null;
    this.#ask("marks");
  }

  setShown(predicate) {
    for (const item of this.model.items) {
      item.faded = Boolean(predicate) && (item.index === null || !predicate(item.source));
    }
    this.stale.overview = true;
    this.#ask("genes");
  }

  svgText() {
    return exportedSvg(this.model, this.view);
  }

  /** The reader wants a file of what is in sight, or of the whole record at a size of its own. */
  save(format, whole) {
    const { model, view } = this;
    const part = !whole && !view.isWhole;
    const svg = whole ? exportedSvg(model, wholeView(model, view)) : this.svgText();
    this.tell.save(model.record, format, { svg, bases: part ? view.sight() : null });
  }

  destroy() {
    this.stop.abort();
    this.sizes.disconnect();
    this.motion.stop();
    cancelAnimationFrame(this.frameAsked);
    this.root.remove();
  }
}

/** A view of the whole record in the form of another, as wide in any window. */
function wholeView(model, { kind }) {
  const whole = kind === "circular" ? new CircularView(model) : new LinearView(model);
  whole.layout(PICTURE_PX[kind]);
  return whole;
}

/**
 * Draws a map into a container.
 * record: { id, length, topology, description }; genes, rnas, arrays and products: those of the record.
 * onSelect(index) and onHover(index or null) are called for what the reader does on the map;
 * onColour(byCategory) and onSave(record, format, picture) for what the toolbar is asked for.
 */
export function createMap(container, options) {
  const map = new GenomeMap(container, options);
  return {
    select: (index) => map.select(index),
    setShown: (predicate) => map.setShown(predicate),
    hover: (index) => map.hover(index),
    setView: (kind) => map.setView(kind),
    colourBy: (byCategory) => map.colourBy(byCategory),
    fit: () => map.fit(),
    showStretch: (first, last) => map.showStretch(first, last),
    svg: () => map.svgText(),
    destroy: () => map.destroy(),
  };
}

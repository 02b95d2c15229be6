// The maps of the page: one for each record that has genes, drawn when it comes into sight.

import { data } from "./data.js";
import { byId, element, grouped, show } from "./dom.js";
import { saveMap } from "./exports.js";
import { keepChoice, keptChoice } from "./kept.js";
import { createMap } from "./map.js";

const MOST_AT_ONCE = 12;
const colourKey = "genint-map-colours";
const colourings = ["confidence", "category"];

export class Maps {
  constructor({ onSelect, onHover }) {
    this.calls = { onSelect, onHover, onColour: (byCategory) => this.#colour(byCategory), onSave: saveMap };
    this.byCategory = keptChoice(colourKey, colourings) === "category";
    this.records = data.records.filter((record) => record.genes > 0);
    this.drawn = new Map(); // record number -> its map
    this.boxes = new Map();
    this.shown = null;
    this.selected = null;
    this.choosing = this.records.length > MOST_AT_ONCE;
    this.watcher = new IntersectionObserver((seen) => this.#seen(seen), { rootMargin: "300px" });
    if (this.choosing) this.#offerChoice();
    else for (const record of this.records) byId("maps").append(this.#boxOf(record));
  }

  #offerChoice() {
    const choice = byId("map-record");
    for (const record of this.records) {
      choice.append(element("option", { value: record.index }, `${record.id} (${grouped(record.genes)} genes)`));
    }
    choice.addEventListener("change", () => this.#choose(Number(choice.value)));
    show(byId("map-choice"), true);
    const [most] = [...this.records].sort((one, other) => other.genes - one.genes || one.index - other.index);
    this.#choose(most.index);
  }

  #choose(number) {
    if (this.boxes.has(number)) return;
    for (const map of this.drawn.values()) map.destroy();
    this.drawn.clear();
    this.boxes.clear();
    byId("map-record").value = number;
    byId("maps").replaceChildren(this.#boxOf(data.records[number]));
  }

  #boxOf(record) {
    const place = element("div", { class: "map-place" });
    place.dataset.record = record.index;
    this.boxes.set(record.index, place);
    this.watcher.observe(place);
    if (this.records.length === 1 || this.choosing) return place;
    const title = element("h3", {}, record.id, element("span", { class: "soft" }, ` ${record.description}`));
    return element("div", { class: "map-of-many" }, title, place);
  }

  #seen(entries) {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) this.#draw(Number(target.dataset.record));
    }
  }

  #draw(number) {
    if (this.drawn.has(number) || !this.boxes.has(number)) return this.drawn.get(number);
    const place = this.boxes.get(number);
    this.watcher.unobserve(place);
    const onRecord = (item) => item.record === number;
    const map = createMap(place, {
      record: data.records[number],
      genes: data.genes.filter(onRecord),
      rnas: data.rnas.filter(onRecord),
      arrays: data.arrays.filter(onRecord),
      products: data.products.filter(onRecord),
      byCategory: this.byCategory,
      ...this.calls,
    });
    this.drawn.set(number, map);
    if (this.shown) map.setShown(this.shown);
    if (this.selected?.record === number) map.select(this.selected.index);
    return map;
  }

  /** One choice for all maps, which the next report has too. */
  #colour(byCategory) {
    this.byCategory = byCategory;
    keepChoice(colourKey, byCategory ? "category" : "confidence");
    for (const map of this.drawn.values()) map.colourBy(byCategory);
  }

  /** Mark a gene and bring it into view on the map of its record. */
  select(gene) {
    if (this.selected && this.selected.record !== gene?.record) {
      this.drawn.get(this.selected.record)?.select(null);
    }
    this.selected = gene;
    if (!gene) {
      for (const map of this.drawn.values()) map.select(null);
      return;
    }
    if (this.choosing) this.#choose(gene.record);
    this.#draw(gene.record)?.select(gene.index);
  }

  /** A stretch of a record, by its number; ends are 1-based. */
  showStretch(number, first, last) {
    if (this.choosing) this.#choose(number);
    this.#draw(number)?.showStretch(first, last);
  }

  hover(gene) {
    for (const [number, map] of this.drawn) map.hover(gene?.record === number ? gene.index : null);
  }

  /** Draw what the filter hides faded; null draws all alike. A filter by record shows its map. */
  setShown(test, record) {
    this.shown = test;
    if (this.choosing && record !== null) this.#choose(record);
    for (const map of this.drawn.values()) map.setShown(test);
  }
}

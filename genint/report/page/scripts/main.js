// The page: what filter, table, map and drawer have to do with one another.

import { data, placeOf } from "./data.js";
import { byId, notice, show } from "./dom.js";
import { fits, isFiltered, noFilter, shownGenes, state } from "./filters.js";
import { searchTexts } from "./search.js";
import { UNREADABLE, readHash, remember, restore, showWayBack } from "./address.js";
import { keepPlace, watchPointing } from "./keep_place.js";
import { startTheme } from "./theme.js";
import { GeneTable } from "./table.js";
import { showToolbar, startToolbar } from "./toolbar.js";
import { Drawer } from "./drawer.js";
import { startDark } from "./dark.js";
import { showExports, startExports } from "./exports.js";
import { Maps } from "./maps.js";
import { startOverview } from "./overview.js";

const ADDRESS_DELAY_MS = 250;

class ReportPage {
  constructor() {
    const open = (index) => this.open(index);
    const hover = (index) => this.hover(index);
    this.table = new GeneTable({ onOpen: open, onHover: hover });
    this.maps = new Maps({ onSelect: (index) => (index === null ? this.close() : open(index)), onHover: hover });
    this.drawer = new Drawer({
      beside: (index, step) => this.table.beside(index, step),
      isShown: (index) => this.table.positions.has(index),
      onReset: () => this.#reset(),
      onOpen: (index) => this.open(index, { focus: false }),
      onClose: () => this.close(),
    });
    this.origin = null; // where the focus was before the drawer opened
    this.timer = 0;
    startToolbar(() => this.filter());
    startExports(() => this.table.genes);
    startDark(open);
    startOverview((number, first, last) => this.maps.showStretch(number, first, last));
    addEventListener("popstate", () => this.follow(location.hash));
    addEventListener("hashchange", () => this.follow(location.hash));
    addEventListener("keydown", (event) => this.#search(event));
    byId("find").addEventListener("keydown", (event) => this.#fromSearch(event));
    watchPointing();
    showWayBack();
  }

  /** Take filter and gene from the address. */
  start() {
    const found = readHash(location.hash);
    if (found) restore(found);
    this.filter();
    this.follow(location.hash);
    (globalThis.requestIdleCallback ?? setTimeout)(searchTexts); // so that the first letter is quick
    if (this.drawer.isOpen) byId("map").scrollIntoView({ behavior: "instant" });
  }

  /** Show what fits the filter, in the table, on the map and in the numbers. */
  filter() {
    const test = fits();
    this.table.setGenes(shownGenes(test));
    this.table.select(this.drawer.gene?.index ?? null);
    this.maps.setShown(isFiltered() ? test : null, state.record);
    showToolbar(this.table.genes.length);
    showExports(this.table.genes.length);
    this.drawer.refresh();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => remember(this.drawer.gene), ADDRESS_DELAY_MS);
  }

  /** Show the gene of an address, or none; places in the page are the browser's matter. */
  follow(hash) {
    const found = readHash(hash);
    if (!found) return;
    if (found.has(UNREADABLE)) notice("The address of this page cannot be read; it names no gene and no filter.");
    const id = found.get("gene");
    if (id === undefined) {
      if (this.drawer.isOpen) this.close({ step: false });
      return;
    }
    const index = placeOf(id);
    if (index === undefined) {
      this.close({ step: false });
      notice(id.trim() ? `No gene of this report is called “${id.slice(0, 80)}”, or several are.` : "The address names no gene.");
    } else if (this.drawer.gene?.index !== index) this.open(index, { step: false, focus: false });
  }

  open(index, { step = true, focus = true } = {}) {
    const gene = data.genes[index];
    if (!this.drawer.isOpen) this.origin = document.activeElement;
    clearTimeout(this.timer);
    const first = !this.drawer.isOpen;
    const { row, below } = this.table.seen(index);
    const change = () => {
      this.drawer.show(gene);
      if (focus) this.drawer.focus();
    };
    const settle = () => {
      this.table.settle(index, below);
      this.table.select(index);
      this.table.reveal(index);
    };
    if (first) keepPlace({ items: [row], index }, change, settle);
    else {
      change();
      settle();
    }
    this.maps.select(gene);
    remember(gene, { step });
  }

  close({ step = true } = {}) {
    const gene = this.drawer.gene;
    if (!gene) return;
    const inside = byId("drawer").contains(document.activeElement);
    const { row, below } = this.table.seen(gene.index);
    keepPlace({ items: [row, this.origin], index: gene.index }, () => this.drawer.hide(), () => this.table.settle(gene.index, below));
    this.table.select(null);
    this.maps.select(null);
    if (step) remember(null, { step });
    if (inside) this.#giveBack(gene);
  }

  /** The focus goes back to where it came from, or to the gene's row. */
  #giveBack(gene) {
    const origin = this.origin;
    const fromTable = !origin || origin === document.body || byId("table-box").contains(origin);
    if (fromTable && this.table.focus(gene.index)) return;
    if (origin?.isConnected) origin.focus({ preventScroll: true });
    else byId("genes-title").focus({ preventScroll: true });
  }

  hover(index) {
    this.table.hover(index);
    this.maps.hover(index === null ? null : data.genes[index]);
  }

  #reset() {
    Object.assign(state, noFilter());
    this.filter();
    this.table.reveal(this.drawer.gene.index);
    this.drawer.focus();
  }

  /** From the search to what it found: down to the first row, Enter opens its gene. */
  #fromSearch(event) {
    const [first] = this.table.genes;
    if (!first || event.isComposing || !["ArrowDown", "Enter"].includes(event.key)) return;
    event.preventDefault();
    if (event.key === "ArrowDown") this.table.focus(first.index);
    else this.open(first.index);
  }

  #search(event) {
    const typing = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    byId("find").focus();
    byId("find").select();
  }
}

for (const part of document.querySelectorAll(".scripted")) show(part, true);
startTheme();
if (data.genes.length) new ReportPage().start();

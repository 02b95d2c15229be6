// The table of genes: rows of small genomes are all there, so that the browser's own search
// finds them; of large ones only those in sight, in a box that is as high as all of them.

import { data } from "./data.js";
import { byId, element, show } from "./dom.js";
import { rowOf, tagOf } from "./table_rows.js";

const WINDOWED_FROM = 120;
const SPARE_ROWS = 8;
const MEASURED_NAMES = 50;
const [LEAST_COLUMN_PX, MOST_COLUMN_PX, COLUMN_PADDING_PX] = [128, 480, 28];
const TAG_SHARE = 0.82; // of the size of letters, as in the style sheet

export class GeneTable {
  constructor({ onOpen, onHover }) {
    this.box = byId("table-box");
    this.table = byId("gene-table");
    this.body = this.table.tBodies[0];
    [this.above, this.below] = [0, 1].map(() =>
      element("tr", { class: "spacer", "aria-hidden": "true" }, element("td")), // one cell: hidden columns stay gone
    );
    this.rows = new Map(); // gene number -> row that is in the page
    this.genes = [];
    this.positions = new Map();
    this.current = 0; // position that the keyboard is at
    this.selected = null;
    this.hovered = null;
    this.rowHeight = 48;
    this.measured = false;
    this.whole = false; // all rows, for the printer
    this.#fitNames();
    this.#listen(onOpen, onHover);
  }

  /** The column of names is as wide as the longest one, up to a limit: names and ids never break. */
  #fitNames() {
    const { font, fontSize } = getComputedStyle(this.table);
    const meter = document.createElement("canvas").getContext("2d");
    const widest = (texts, share, weight) => {
      meter.font = font.replace(/^(normal|\d+) |^/u, `${weight} `).replace(fontSize, `${parseFloat(fontSize) * share}px`);
      const longest = texts.sort((one, other) => other.length - one.length).slice(0, MEASURED_NAMES);
      return Math.max(...longest.map((text) => meter.measureText(text).width));
    };
    const tags = data.genes.map((gene) => tagOf(gene) ?? "");
    const width = Math.max(widest(data.genes.map(({ name }) => name), 1, 600), widest(tags, TAG_SHARE, 400));
    const fitted = Math.ceil(Math.min(MOST_COLUMN_PX, Math.max(LEAST_COLUMN_PX, width + COLUMN_PADDING_PX)));
    this.table.style.setProperty("--names", `${fitted}px`);
  }

  #listen(onOpen, onHover) {
    let scheduled = false;
    const later = () => {
      if (scheduled) return;
      scheduled = true;
      requestAnimationFrame(() => {
        scheduled = false;
        this.#render();
      });
    };
    this.box.addEventListener("scroll", () => this.#windowed() && later(), { passive: true });
    new ResizeObserver(() => {
      this.measured = false;
      later();
    }).observe(this.box);
    this.box.addEventListener("keydown", (event) => this.#move(event));
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-gene]");
      if (!row || getSelection()?.type === "Range") return; // the user is selecting text
      this.current = this.positions.get(Number(row.dataset.gene));
      onOpen(Number(row.dataset.gene));
    });
    this.body.addEventListener("pointerover", (event) => {
      const row = event.target.closest("tr[data-gene]");
      onHover(row ? Number(row.dataset.gene) : null);
    });
    this.body.addEventListener("pointerleave", () => onHover(null));
    addEventListener("beforeprint", () => this.#showWhole(true));
    addEventListener("afterprint", () => this.#showWhole(false));
  }

  #showWhole(whole) {
    this.whole = whole;
    this.#render();
  }

  #windowed() {
    return this.genes.length > WINDOWED_FROM && !this.whole;
  }

  /** Show these genes in this order. */
  setGenes(genes) {
    this.genes = genes;
    this.positions = new Map(genes.map((gene, position) => [gene.index, position]));
    this.current = 0;
    this.box.scrollTop = 0;
    this.table.setAttribute("aria-rowcount", genes.length + 1);
    show(byId("no-genes"), genes.length === 0);
    this.#render();
  }

  /** First and last position (excluded) that should be in the page. */
  #range() {
    if (!this.#windowed()) return [0, this.genes.length];
    const above = Math.floor(this.box.scrollTop / this.rowHeight) - SPARE_ROWS;
    const inSight = Math.ceil(this.box.clientHeight / this.rowHeight) + 2 * SPARE_ROWS;
    const first = Math.max(0, Math.min(above, this.genes.length - inSight));
    return [first, Math.min(this.genes.length, first + inSight)];
  }

  #render() {
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    const [first, last] = this.#range();
    const before = this.rows;
    this.rows = new Map();
    for (let position = first; position < last; position += 1) {
      const gene = this.genes[position];
      const row = before.get(gene.index) ?? rowOf(gene);
      row.setAttribute("aria-rowindex", position + 2);
      this.rows.set(gene.index, row);
    }
    this.#space(this.above, first);
    this.#space(this.below, this.genes.length - last);
    this.#place([...before].filter(([index]) => !this.rows.has(index)).map(([, row]) => row));
    this.#mark();
    this.#keepFocus(focused);
    if (!this.measured && this.rows.size && !this.whole) this.#measure(this.rows.values().next().value);
  }

  /** New rows come in before old ones go: a box that shrinks meanwhile would be scrolled. */
  #place(leaving) {
    const gone = new Set(leaving);
    let next = this.above.isConnected ? this.above.nextSibling : this.body.firstChild;
    for (const row of this.rows.values()) {
      while (gone.has(next)) next = next.nextSibling;
      if (next === row) next = row.nextSibling;
      else this.body.insertBefore(row, next);
    }
    for (const row of gone) row.remove();
  }

  /** Narrow screens have cards, which are higher: looked at when the box changes its width. */
  #measure(line) {
    this.measured = true;
    const height = line.getBoundingClientRect().height;
    if (!height || Math.abs(height - this.rowHeight) < 0.5) return;
    this.rowHeight = height;
    this.#render();
  }

  #space(spacer, rows) {
    spacer.style.height = `${rows * this.rowHeight}px`;
    if (!rows) spacer.remove();
    else if (!spacer.isConnected) this.body[spacer === this.above ? "prepend" : "append"](spacer);
  }

  /** Moving rows takes the focus from them: give it back, or keep it in the box. */
  #keepFocus(focused) {
    if (!focused || document.activeElement === focused) return;
    const next = this.body.contains(focused) ? focused : this.box;
    next.focus({ preventScroll: true });
  }

  #mark() {
    const current = this.genes[this.current]?.index;
    const stop = this.rows.has(current) ? current : this.rows.keys().next().value;
    for (const [index, row] of this.rows) {
      row.querySelector("button").tabIndex = index === stop ? 0 : -1;
      row.classList.toggle("hovered", index === this.hovered);
      if (index === this.selected) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  select(index) {
    this.selected = index;
    if (this.positions.has(index)) this.current = this.positions.get(index);
    this.#mark();
  }

  /** Take up the row heights of another width; the row of a gene keeps its place in the box. */
  settle(index, before) {
    const row = this.rows.get(index);
    if (row) this.#measure(row);
    if (!row || before === null) return;
    this.box.scrollTop += row.getBoundingClientRect().top - this.box.getBoundingClientRect().top - before;
    this.#render();
  }

  /** Row of a gene if it is in sight in the box, and how far below the top of the box it is. */
  seen(index) {
    const row = this.rows.get(index);
    if (!row) return { row: null, below: null };
    const box = this.box.getBoundingClientRect();
    const { top, bottom } = row.getBoundingClientRect();
    const hidden = bottom <= box.top + this.table.tHead.offsetHeight || top >= box.bottom;
    return hidden ? { row: null, below: null } : { row, below: top - box.top };
  }

  hover(index) {
    this.rows.get(this.hovered)?.classList.remove("hovered");
    this.hovered = index;
    this.rows.get(index)?.classList.add("hovered");
  }

  /** Scroll the box, not the page, until a gene is in sight; false where it is filtered out. */
  reveal(index) {
    const position = this.positions.get(index);
    if (position === undefined) return false;
    const head = this.table.tHead.offsetHeight;
    const top = position * this.rowHeight;
    const room = this.box.clientHeight - head - this.rowHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top - this.rowHeight;
    else if (top > this.box.scrollTop + room) this.box.scrollTop = top - room / 2;
    this.#render();
    return true;
  }

  focus(index) {
    if (!this.reveal(index)) return false;
    this.current = this.positions.get(index);
    this.#mark();
    this.rows.get(index)?.querySelector("button").focus({ preventScroll: true });
    return true;
  }

  /** The gene before (-1) or behind (1) another in the order of the table. */
  beside(index, step) {
    const position = this.positions.get(index);
    return position === undefined ? null : (this.genes[position + step] ?? null);
  }

  #move(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("thead")) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 2);
    const last = this.genes.length - 1;
    const steps = {
      ArrowDown: this.current + 1,
      ArrowUp: this.current - 1,
      PageDown: this.current + page,
      PageUp: this.current - page,
      Home: 0,
      End: last,
    };
    if (!Object.hasOwn(steps, event.key) || last < 0) return;
    event.preventDefault();
    this.focus(this.genes[Math.max(0, Math.min(last, steps[event.key]))].index);
  }
}


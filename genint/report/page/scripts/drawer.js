// The drawer: one gene with all evidence for and against it. It is no dialog: map and table
// beside it stay in use.

import { LEVELS, canUnpack, detailsOf } from "./data.js";
import { geneHash } from "./address.js";
import { button, byId, element, levelBadge, show } from "./dom.js";
import { drawerParts } from "./drawer_parts.js";
import { copyButton } from "./sequences.js";

const NARROWEST = 360;
const WIDEST_SHARE = 0.7;
const KEY_STEP = 24;

const NO_UNPACKING =
  "This browser cannot open the details (it has no DecompressionStream). A newer one can; " +
  "the JSON and Markdown reports say the same.";

export class Drawer {
  constructor({ beside, isShown, onOpen, onClose, onReset }) {
    this.place = byId("drawer");
    this.gene = null;
    this.beside = beside;
    this.onOpen = onOpen;
    this.onClose = onClose;
    this.isShown = isShown;
    this.onReset = onReset;
    this.width = Math.min(544, innerWidth * 0.45);
    this.body = element("div", { class: "drawer-body" });
    this.head = element("div", { class: "drawer-head" });
    this.place.append(this.#handle(), this.head, this.body);
    addEventListener("keydown", (event) => {
      const clearing = event.target.closest?.("input[type=search]")?.value;
      if (event.key === "Escape" && this.gene && !clearing && !event.defaultPrevented) this.onClose();
    });
    addEventListener("beforeprint", () => {
      for (const folded of this.body.querySelectorAll("details")) folded.open = true;
    });
    this.covers = matchMedia("(max-width: 62rem)"); // as in the style sheet: a sheet over the page
    this.covers.addEventListener("change", () => this.#cover());
  }

  get isOpen() {
    return this.gene !== null;
  }

  /** Show a gene; what was shown before stays until the new one is there. */
  async show(gene) {
    const first = !this.isOpen;
    this.gene = gene;
    this.#fillHead(gene);
    if (first) {
      this.body.replaceChildren();
      show(this.place, true);
      document.documentElement.classList.add("with-drawer");
      this.#resize(this.width);
      this.#cover();
    }
    const parts = await this.#parts(gene);
    if (this.gene !== gene) return; // another gene was chosen meanwhile
    this.body.replaceChildren(...parts);
    this.place.scrollTop = 0;
  }

  async #parts(gene) {
    if (!canUnpack) return [element("p", { class: "soft" }, NO_UNPACKING)];
    try {
      const found = await detailsOf(gene.index);
      return drawerParts(found.gene, found.pages, found.others, found.online);
    } catch {
      return [element("p", {}, "The details of this gene cannot be read: the file is damaged.")];
    }
  }

  hide() {
    this.gene = null;
    show(this.place, false);
    document.documentElement.classList.remove("with-drawer");
    this.#cover();
  }

  /** What the sheet of a narrow screen lies on cannot be reached while it does. */
  #cover() {
    document.querySelector(".frame").inert = this.isOpen && this.covers.matches;
  }

  focus() {
    byId("drawer-title")?.focus({ preventScroll: true });
  }

  #fillHead(gene) {
    const step = (label, title, by) => {
      const next = this.beside(gene.index, by);
      const made = button(label, { class: "quiet", "aria-label": title, title, disabled: next ? null : "" }, () =>
        this.onOpen(next.index, by),
      );
      made.dataset.step = by;
      return made;
    };
    const focused = this.head.contains(document.activeElement) ? document.activeElement.dataset.step : null;
    this.head.replaceChildren(
      element(
        "div",
        { class: "drawer-tools" },
        ...(this.isShown(gene.index)
          ? [step("← Previous", "Previous gene of the table", -1), step("Next →", "Next gene of the table", 1)]
          : []),
        element("span", { class: "spread" }),
        copyButton("Copy link", "The link to this gene", () => location.href.split("#")[0] + geneHash(gene.id)),
        button("✕", { class: "quiet", "aria-label": "Close", title: "Close (Esc)" }, () => this.onClose()),
      ),
      element(
        "div",
        { class: "drawer-title" },
        element("h2", { id: "drawer-title", tabindex: -1 }, gene.name),
        levelBadge(LEVELS[gene.level], gene.score),
      ),
      element("p", { class: `hypothesis ${gene.function === null ? "soft" : ""}` }, gene.function ?? "Dark matter: not recognised with the databases used"),
      gene.file_only ? element("p", { class: "soft file-only" }, "The name only repeats the file's.") : "",
      this.#beyond(gene) ?? "",
    );
    const again = focused && this.head.querySelector(`[data-step="${focused}"]`);
    if (again) (again.disabled ? byId("drawer-title") : again).focus({ preventScroll: true });
  }

  /** Another filter, other neighbours in the table. */
  refresh() {
    if (this.gene) this.#fillHead(this.gene);
  }

  /** Where the filter hides the gene it has no neighbours in the table, and says so. */
  #beyond(gene) {
    if (this.isShown(gene.index)) return null;
    return element("p", { class: "beyond" }, "The filters hide this gene in the table. ",
      button("Clear filters", { class: "quiet" }, () => this.onReset()));
  }

  #resize(width) {
    this.width = Math.max(NARROWEST, Math.min(innerWidth * WIDEST_SHARE, width));
    document.documentElement.style.setProperty("--drawer", `${Math.round(this.width)}px`);
    this.handle.setAttribute("aria-valuenow", Math.round(this.width));
  }

  /** The edge by which the drawer is made wider: pulled, or moved with the arrow keys. */
  #handle() {
    this.handle = element("div", {
      class: "drawer-handle", role: "separator", tabindex: 0, "aria-orientation": "vertical",
      "aria-label": "Width of the drawer", "aria-valuemin": NARROWEST, "aria-valuemax": Math.round(innerWidth * WIDEST_SHARE),
      "aria-valuenow": Math.round(this.width), "aria-controls": "drawer",
    });
    this.handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.handle.setPointerCapture(event.pointerId);
    });
    this.handle.addEventListener("pointermove", (event) => {
      if (this.handle.hasPointerCapture(event.pointerId)) this.#resize(innerWidth - event.clientX);
    });
    this.handle.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: KEY_STEP, ArrowRight: -KEY_STEP }[event.key];
      if (!by) return;
      event.preventDefault();
      this.#resize(this.width + by);
    });
    return this.handle;
  }
}

// What one gene is, in a few lines beside it: for the pointer and for the keyboard alike.

import { countText, placeText } from "./map_scale.js";
import { isRescued, functionOf } from "./map_draw.js";
import { MAP_DARK, MAP_LOOKS, MAP_RNA } from "./map_model.js";

const AWAY_PX = 14;
const EDGE_PX = 8;

function plainElement(name, className, text = null) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== null) element.textContent = text;
  return element;
}

function lengthOf(item) {
  const bases = item.parts.reduce((sum, part) => sum + part.end - part.start, 0);
  const residues = item.source.lengthAa ? ` · ${countText(item.source.lengthAa)} aa` : "";
  return `${countText(bases)} bp${residues}`;
}

/** What there is to say about an item, in the order in which it is shown. */
export function itemTexts(item) {
  const { source, look } = item;
  const notes = [
    source.pseudo ? "pseudogene" : "",
    source.partial5 || source.partial3 ? "cut off at an end" : "",
    isRescued(item) ? `missed by the gene finder, probability ${source.rescue.toFixed(2)} of being a gene` : "",
    item.parts.length > 1 ? `${item.parts.length} parts` : "",
  ].filter(Boolean);
  const score = typeof source.score === "number" && look < MAP_DARK ? ` ${source.score.toFixed(2)}` : "";
  const label = functionOf(item);
  return {
    name: String(source.name || source.product || source.id),
    label: label || "",
    level: look === MAP_RNA ? source.kind || "RNA gene" : `${MAP_LOOKS[look].word}${score}`,
    place: placeText(source.start, source.end, source.strand),
    length: [lengthOf(item), ...notes].join(" · "),
  };
}

/** The same as one sentence, for screen readers. */
export function itemSentence(item) {
  const { name, label, level, place, length } = itemTexts(item);
  return [name, label === level ? "" : label, level, place, length].filter(Boolean).join(", ");
}

export class MapTooltip {
  constructor(parent) {
    this.element = plainElement("div", "gm-tooltip");
    this.element.hidden = true;
    parent.append(this.element);
  }

  /** Shows an item beside a point of the window, inside the window. */
  show(item, x, y) {
    const { name, label, level, place, length } = itemTexts(item);
    const badge = plainElement("span", `gm-badge gm-${MAP_LOOKS[item.look].css}`, level);
    const head = plainElement("div", "gm-tooltip-head");
    head.append(plainElement("strong", "", name), badge);
    const lines = [head];
    if (label && label !== level) lines.push(plainElement("div", "gm-tooltip-label", label));
    lines.push(plainElement("div", "gm-tooltip-place", place));
    lines.push(plainElement("div", "gm-tooltip-place", length));
    if (item.source.category) lines.push(plainElement("div", "gm-tooltip-place", item.source.category));
    this.element.replaceChildren(...lines);
    this.element.hidden = false;
    this.#place(x, y);
  }

  #place(x, y) {
    const { width, height } = this.element.getBoundingClientRect();
    const [right, bottom] = [window.innerWidth - EDGE_PX, window.innerHeight - EDGE_PX];
    const below = y + AWAY_PX + height <= bottom;
    const left = Math.max(EDGE_PX, Math.min(x + AWAY_PX, right - width));
    const top = below ? y + AWAY_PX : Math.max(EDGE_PX, y - AWAY_PX - height);
    this.element.style.left = `${Math.round(left)}px`;
    this.element.style.top = `${Math.round(top)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}

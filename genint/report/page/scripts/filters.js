// Which genes are shown, and in which order.

import { DARK, data } from "./data.js";
import { matching } from "./search.js";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** null stands for "any"; an empty text for "none" (no COG letter, no category). */
export function noFilter() {
  return { query: "", levels: new Set(), cog: null, category: null, record: null, verdict: null, bin: null, dark: false };
}

export const state = { ...noFilter(), sort: "place", descending: false };

export function isFiltered() {
  const { query, levels, cog, category, record, verdict, bin, dark } = state;
  return (
    Boolean(query.trim() || levels.size || dark) ||
    [cog, category, record, verdict, bin].some((one) => one !== null)
  );
}

const BINS = 20;

/** Step of the histogram: by the score as it is shown, halves to the even side; null if dark. */
function binOf(gene) {
  if (gene.level === DARK) return null;
  const hundred = gene.score * 100;
  const low = Math.floor(hundred);
  const shown = hundred - low === 0.5 ? low + (low % 2) : Math.round(hundred);
  return Math.min(Math.floor((shown * BINS) / 100), BINS - 1);
}

/** A test for genes: all filters, and all words of the search. */
export function fits() {
  const { levels, cog, category, record, verdict, bin, dark } = state;
  const found = matching(state.query);
  return (gene) =>
    (!levels.size || levels.has(gene.level)) &&
    (!dark || gene.level === DARK) &&
    (cog === null || (gene.cog ?? "") === cog) &&
    (category === null || (gene.category ?? "") === category) &&
    (record === null || gene.record === record) &&
    (verdict === null || gene.verdict === Number(verdict)) &&
    (bin === null || binOf(gene) === Number(bin)) &&
    found(gene);
}

const byPlace = (one, other) =>
  one.record - other.record || one.start - other.start || one.index - other.index;
const texts = (read) => (one, other) => collator.compare(read(one), read(other));

const ORDERS = {
  place: byPlace,
  name: texts((gene) => gene.name),
  length: (one, other) => one.lengthAa - other.lengthAa,
  confidence: (one, other) => other.level - one.level || one.score - other.score,
  function: texts((gene) => gene.label),
  cog: texts((gene) => gene.cog),
  pfam: texts((gene) => gene.pfam),
  go: texts((gene) => gene.go[0]),
  category: texts((gene) => gene.category),
};
const EMPTY = {
  function: (gene) => gene.function === null,
  cog: (gene) => gene.cog === null,
  pfam: (gene) => gene.pfam === null,
  go: (gene) => gene.go.length === 0,
  category: (gene) => gene.category === null,
};

/** The first look at an order: confidence from the best, all else from the first. */
export const startsDescending = (name) => name === "confidence";

export const isOrder = (name) => Object.hasOwn(ORDERS, name);

/** All genes in the chosen order; what has no value comes last either way. */
function orderedGenes() {
  const sign = state.descending ? -1 : 1;
  const order = ORDERS[state.sort];
  const empty = EMPTY[state.sort] ?? (() => false);
  return [...data.genes].sort(
    (one, other) =>
      empty(one) - empty(other) || (empty(one) ? 0 : sign * order(one, other)) || byPlace(one, other),
  );
}

let ordered = { key: null, genes: [] };

/** The genes that fit, in the chosen order. All are put in order once, not at each letter. */
export function shownGenes(test) {
  const key = `${state.sort} ${state.descending}`;
  if (ordered.key !== key) ordered = { key, genes: orderedGenes() };
  return ordered.genes.filter(test);
}

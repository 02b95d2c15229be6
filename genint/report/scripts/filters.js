// Which genes are shown, and in which order.

import { DARK, data } from "./data.js";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** null stands for "any"; an empty text for "none" (no COG letter, no category). */
export function noFilter() {
  return { query: "", levels: new Set(), cog: null, category: null, record: null, dark: false };
}

export const state = { ...noFilter(), sort: "place", descending: false };

export function isFiltered() {
  const { query, levels, cog, category, record, dark } = state;
  return Boolean(query.trim() || levels.size || dark) || [cog, category, record].some((one) => one !== null);
}

let searched = null;

/** What the search looks through, in lower case; made when it is first needed. */
export function searchTexts() {
  searched ??= data.genes.map((gene) =>
    [
      gene.id,
      gene.name,
      gene.locus,
      gene.function ?? "dark matter",
      gene.product,
      gene.pfam,
      gene.category,
      gene.cog && `COG ${gene.cog} ${data.cogNames.get(gene.cog) ?? ""}`,
      ...gene.go.map((id) => `${id} ${data.goNames.get(id) ?? ""}`),
      ...gene.accessions,
    ]
      .filter(Boolean)
      .join("\n")
      .toLowerCase(),
  );
  return searched;
}

/** A test for genes: all filters, and all words of the search. */
export function fits() {
  const { levels, cog, category, record, dark } = state;
  const words = state.query.toLowerCase().split(/\s+/u).filter(Boolean);
  const texts = words.length ? searchTexts() : null;
  return (gene) =>
    (!levels.size || levels.has(gene.level)) &&
    (!dark || gene.level === DARK) &&
    (cog === null || (gene.cog ?? "") === cog) &&
    (category === null || (gene.category ?? "") === category) &&
    (record === null || gene.record === record) &&
    words.every((word) => texts[gene.index].includes(word));
}

const byPlace = (one, other) =>
  one.record - other.record || one.start - other.start || one.index - other.index;
const texts = (read) => (one, other) => collator.compare(read(one), read(other));

const ORDERS = {
  place: byPlace,
  name: texts((gene) => gene.name),
  length: (one, other) => one.lengthAa - other.lengthAa,
  confidence: (one, other) => one.level - other.level || other.score - one.score,
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

export const isOrder = (name) => Object.hasOwn(ORDERS, name);

/** All genes in the chosen order; what has no value stands last either way. */
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

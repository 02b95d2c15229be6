// Functional categories in groups that colours can tell apart; readers of phage maps know most.

/** Order of the legend; `pale` groups have dark names on them in the light theme. */
export const MAP_GROUPS = [
  {
    css: "head", word: "head and packaging",
    categories: ["DNA packaging", "head and capsid", "head-tail connection"],
  },
  { css: "tail", word: "tail", pale: true, categories: ["tail"] },
  { css: "lysis", word: "lysis", categories: ["lysis"] },
  {
    css: "lysogeny", word: "lysogeny and mobility", pale: true,
    categories: ["integration and excision", "lysogeny control", "mobile elements"],
  },
  {
    css: "replication", word: "replication and nucleotides",
    categories: ["replication, recombination and repair", "nucleotide metabolism"],
  },
  {
    css: "expression", word: "transcription and translation",
    categories: ["transcription and its regulation", "translation", "protein folding and turnover"],
  },
  {
    css: "defence", word: "host takeover and defence",
    categories: ["host takeover and defence", "defence and resistance"],
  },
  { css: "metabolism", word: "metabolism and transport", categories: ["metabolism", "transport"] },
  {
    css: "cell", word: "envelope and cell processes", pale: true,
    categories: ["cell envelope", "cell division, motility and signalling"],
  },
  { css: "other", word: "other or unknown", categories: ["other", "unknown function"] },
];
const NO_GROUP = MAP_GROUPS.length - 1;

const groupsByCategory = new Map(
  MAP_GROUPS.flatMap(({ categories }, group) => categories.map((category) => [category, group])),
);

/** Position of the group of a category; what has none is among the others. */
export function groupOf(category) {
  return groupsByCategory.get(category) ?? NO_GROUP;
}

// One row of the table of genes.

import { LEVELS, data } from "./data.js";
import { element, grouped, levelBadge } from "./dom.js";

const SHOWN_TERMS = 2;
const LONG_NAME = 30; // letters, of which the end may be out of sight

function cell(kind, ...children) {
  return element("td", { class: `c-${kind}` }, ...children);
}

function clamped(text, kind = "") {
  return element("span", { class: `clamp ${kind}`, title: text }, text);
}

/** Place as text: start and end as in the file, and the strand. */
export function genePlace(gene) {
  return `${grouped(gene.start)}–${grouped(gene.end)} (${gene.strand})`;
}

/** Record of a gene, where there are several. */
export function geneRecord(gene) {
  return data.records.length > 1 ? data.records[gene.record].id : null;
}

function secondLine(text) {
  return text === null ? null : element("span", { class: "locus", title: text }, text);
}

const FILE_WORDS = new Map([
  ["agrees", "agrees with the file"],
  ["differs", "differs from the file"],
  ["only here", "named only here"],
  ["only in file", "named only in the file"],
  ["neither", "not named in the file either"],
  ["not in file", "not in the file"],
]);
const AGAINST_FILE = data.verdicts.map((verdict) => FILE_WORDS.get(verdict) ?? verdict);

export function flagsOf(gene) {
  const flags = [];
  if (gene.pseudo) flags.push("pseudogene");
  if (gene.partial5 || gene.partial3) flags.push("partial");
  if (gene.end < gene.start) flags.push("over the origin");
  if (gene.file_only) flags.push("file's name only");
  if (gene.verdict) flags.push(AGAINST_FILE[gene.verdict]);
  return flags;
}

/** Locus tag or id below a name; not the place, which has a column of its own. */
export function tagOf(gene) {
  const isPlace = gene.locus.startsWith(`${data.records[gene.record].id}:`);
  const tag = isPlace || gene.locus === gene.name ? gene.id : gene.locus;
  return tag === gene.name ? null : tag;
}

function functionCell(gene) {
  const known = gene.function !== null;
  const flags = flagsOf(gene).map((flag) => element("span", { class: "flag" }, flag));
  const small = [gene.cog && `COG ${gene.cog}`, gene.pfam, ...gene.go.slice(0, SHOWN_TERMS)]
    .filter(Boolean)
    .map((text) => element("span", { class: "tag mini", title: data.goNames.get(text) || null }, text));
  const under = element("div", { class: "under" }, flags, small);
  return cell("function", clamped(gene.label, known ? "" : "soft"), under);
}

function cogCell(gene) {
  if (gene.cog === null) return cell("cog");
  const name = data.cogNames.get(gene.cog) ?? "";
  return cell("cog", element("span", { class: "tag", title: `COG ${gene.cog}: ${name}` }, gene.cog));
}

function goCell(gene) {
  const tags = gene.go.map((id, at) => {
    const kind = at < SHOWN_TERMS ? "tag" : "tag rest"; // the rest is for paper
    return element("span", { class: kind, title: data.goNames.get(id) || id }, id);
  });
  const more = gene.go.length - SHOWN_TERMS;
  if (more > 0) {
    const names = gene.go.slice(SHOWN_TERMS).map((id) => `${id} ${data.goNames.get(id) ?? ""}`);
    tags.push(element("span", { class: "soft more", title: names.join("\n") }, `+${more}`));
  }
  return cell("go", tags.length ? element("div", { class: "terms" }, tags) : null);
}

/** The row of a gene; its button is what the keyboard moves over. */
export function rowOf(gene) {
  const level = LEVELS[gene.level];
  const opener = element("button", { type: "button", class: "gene", tabindex: -1, title: gene.name.length > LONG_NAME ? gene.name : null }, gene.name);
  const locus = secondLine(tagOf(gene));
  const row = element(
    "tr",
    { class: level.toLowerCase() },
    element("th", { scope: "row", class: "c-name" }, opener, locus),
    cell("place", genePlace(gene), secondLine(geneRecord(gene))),
    cell("length", element("span", {}, `${grouped(gene.lengthAa)} aa`)),
    cell("confidence", levelBadge(level, gene.score)),
    functionCell(gene),
    cogCell(gene),
    cell("pfam", gene.pfam && element("span", { class: "tag" }, gene.pfam)),
    goCell(gene),
    cell("category", gene.category && clamped(gene.category)),
  );
  row.dataset.gene = gene.index;
  return row;
}

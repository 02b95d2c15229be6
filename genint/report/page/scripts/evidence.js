// Evidence, hypotheses and the arithmetic of a score, for the drawer.

import { data } from "./data.js";
import { drawn, element, external, levelBadge } from "./dom.js";
import { proteinTrack } from "./protein_track.js";

const SOURCES = new Map([
  ["genbank", "Annotation of the file"],
  ["genint_family", "genint family"],
  ["pfam", "Pfam"],
  ["swissprot", "Swiss-Prot"],
  ["user_proteins", "User's proteins"],
  ["uniprot", "UniProt"],
  ["interpro", "InterPro"],
  ["bakta", "Bakta"],
  ["pharokka", "Pharokka"],
  ["phold", "Phold"],
  ["eggnog_mapper", "eggNOG-mapper"],
  ["interproscan", "InterProScan"],
  ["gene_context", "Gene context"],
  ["sequence_feature", "Sequence feature"],
  ["gene_call", "Gene call"],
]);

// What is not all of it never reads 100%: 640 residues of 641 are 99%.
export const percent = (share) => `${share < 1 ? Math.min(Math.round(share * 100), 99) : 100}%`;

function exponent(value) {
  return value === 0 ? "0" : value.toExponential(1);
}

/** Pairs of a word and its value, those without a value left out. */
export function factList(pairs, kind = "facts") {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element(
    "dl",
    { class: kind },
    ...known.flatMap(([word, value]) => [element("dt", {}, word), element("dd", {}, ...[value].flat())]),
  );
}

function measures(item) {
  const needs = item.threshold_bits === null ? "" : ` (threshold ${item.threshold_bits.toFixed(1)})`;
  const cover = [
    item.coverage === null ? null : `${percent(item.coverage)} of the protein`,
    item.target_coverage === null
      ? null
      : `${percent(item.target_coverage)} of ${item.similar ? "the similar protein" : "the profile"}`,
    item.protein_start === null ? null : `residues ${item.protein_start}–${item.protein_end}`,
  ];
  return [
    ["E-value", item.evalue === null ? null : exponent(item.evalue)],
    ["Bits", item.bits === null ? null : `${item.bits.toFixed(1)}${needs}`],
    ["Covers", cover.filter(Boolean).join(", ")],
  ];
}

/** What the name of a family rests on. */
function supportFacts(found) {
  if (!found) return [];
  const named = found.named_members ? `${found.agreeing} of ${found.named_members} named members, ` : "";
  const own = found.is_member ? "; this protein is one of them" : "";
  return [
    ["Name based on", `${named}${found.members} members from ${found.records} records${own}`],
    ["Consensus", `${percent(found.consensus)} of the weight of their names`],
    ["Above threshold", `${found.margin_bits.toFixed(1)} bits`],
  ];
}

/** Which protein is similar, and how much. */
function similarFacts(found) {
  if (!found) return [];
  const place = found.start === null ? "" : `, residues ${found.start}–${found.end} of ${found.length_aa}`;
  return [
    ["Similar to", found.name],
    ["Organism", found.organism],
    ["Identity", found.identity === null ? null : `${percent(found.identity)}${place}`],
  ];
}

/** A code of the evidence ontology, with its name where we know it. */
function evidenceCode(code, pages) {
  const name = data.ecoNames.get(code);
  const words = name ? element("span", { class: "soft" }, ` ${name}`) : null;
  return element("span", {}, external(code, pages.get(code)), words);
}

/** Observations of one origin count once. */
function originWords(origin) {
  const at = origin.indexOf(":");
  const [kind, name] = [origin.slice(0, at), origin.slice(at + 1)];
  const one = "one source, counted once";
  if (kind === "protein") return `that protein under this name, ${one}`;
  if (kind === "annotation") return `the annotation of ${name}, ${one}`;
  return at < 0 ? `${origin}, ${one}` : `${SOURCES.get(kind) ?? kind} ${name}, ${one}`;
}

/** What an observation adds to the score of which hypothesis; null where the result has no such figures. */
function weightWords(hypotheses, place) {
  const rank = hypotheses.findIndex((one) => one.evidence.includes(place));
  const weighed = (hypotheses[rank]?.terms ?? []).filter((term) => Number.isInteger(term.evidence));
  if (!weighed.length) return null;
  const own = weighed.filter((term) => term.evidence === place);
  if (!own.length) return "nothing, its source is counted already";
  const sum = own.reduce((all, term) => all + Number(term.log_odds.toFixed(2)), 0);
  return `${signed(sum)} log-odds${rank ? ` to “${hypotheses[rank].function}”` : ""}`;
}

function evidenceItem(item, place, pages, hypotheses) {
  const leads = hypotheses[0]?.evidence.includes(place) ?? false;
  const head = element(
    "p",
    { class: "evidence-head" },
    element("strong", {}, `#${place + 1} ${SOURCES.get(item.source) ?? item.source}`),
    element("span", { class: "soft" }, ` ${item.type.replaceAll("_", " ")}, ${item.specificity}`),
    element("span", { class: `side ${leads ? "leads" : ""}` }, leads ? "supports the hypothesis" : "supports another one"),
  );
  const facts = factList(
    [
      ["Claim", item.claim],
      ["Accession", item.accession && external(item.accession, pages.get(item.accession))],
      ...supportFacts(item.support),
      ...similarFacts(item.similar),
      ...measures(item),
      ["Database", item.database],
      ["Evidence code", item.eco && evidenceCode(item.eco, pages)],
      ["Reliability", [item.conf.toFixed(2), element("span", { class: "soft" }, ` alone, class ${item.strength}`)]],
      ["Adds", weightWords(hypotheses, place)],
      ["Counts as", element("span", { class: "soft" }, originWords(item.origin))],
    ],
    "facts tight",
  );
  return element("li", {}, head, element("p", {}, item.label), facts);
}

function trackOf(gene) {
  const leading = new Set(gene.hypotheses[0]?.evidence ?? []);
  return proteinTrack({ evidence: gene.evidence, features: gene.features, leading, length: gene.length_aa });
}

/** What the residues show by themselves; with its places where no evidence has shown them. */
export function featureParts(gene) {
  if (!gene.features.length) return [];
  const items = gene.features.map((one) =>
    element("li", {}, `${one.kind}, residues ${one.start}–${one.end}`, element("span", { class: "soft" }, ` ${one.method}, score ${one.score}`)),
  );
  return [
    element("h3", {}, "Sequence features"),
    gene.evidence.length ? null : trackOf(gene),
    element("ul", {}, items),
  ];
}

/** What the neighbours say: a category, and how often that is right. */
export function contextParts(context) {
  if (!context) return [];
  return [
    element("h3", {}, "Gene context"),
    element("p", {}, `Category ${context.category}, predicted from the neighbours; such predictions are right for ${percent(context.probability)} of genes.`),
    element("ul", {}, context.neighbours.map((text) => element("li", {}, text))),
  ];
}

/** Evidence with its places on the protein. */
export function evidenceParts(gene, pages) {
  if (!gene.evidence.length) return [];
  return [
    element("h3", {}, "Evidence"),
    trackOf(gene),
    element(
      "ol",
      { class: "evidence" },
      gene.evidence.map((item, place) => evidenceItem(item, place, pages, gene.hypotheses)),
    ),
  ];
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/** One step of the sum, drawn from where the step before ended. */
function step(from, to, low, span) {
  const x = (100 * (Math.min(from, to) - low)) / span;
  const width = Math.max(0.8, (100 * Math.abs(to - from)) / span);
  const zero = (100 * (0 - low)) / span;
  return drawn(
    "svg",
    { class: "step", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawn("line", { x1: zero, x2: zero, y1: 0, y2: 10 }),
    drawn("rect", { class: to < from ? "minus" : "plus", x, width, y: 2, height: 6 }),
  );
}

/** Log-odds and their sum as a waterfall; `meaning` says what the sum stands for. */
export function waterfall(terms, meaning) {
  const sums = [0]; // of the printed terms, as the reasoning adds them up
  for (const term of terms) sums.push(sums.at(-1) + Number(term.log_odds.toFixed(2)));
  const low = Math.min(...sums);
  const span = Math.max(...sums) - low || 1;
  const rows = terms.map((term, at) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, term.reason, Number.isInteger(term.evidence) ? element("span", { class: "soft" }, ` #${term.evidence + 1}`) : null),
      element("td", { class: "num" }, signed(term.log_odds)),
      element("td", { class: "steps" }, step(sums[at], sums[at + 1], low, span)),
    ),
  );
  const total = element(
    "tr",
    { class: "total" },
    element("th", { scope: "row" }, "sum"),
    element("td", { class: "num" }, signed(sums.at(-1))),
    element("td", {}, ...meaning(signed(-sums.at(-1)))),
  );
  const head = ["Term", "Log-odds", "Running sum"].map((title, at) =>
    element("th", { scope: "col", class: at === 1 ? "num" : null }, title),
  );
  return element(
    "table",
    { class: "score" },
    element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, rows, total),
  );
}

/** Arithmetic that most readers pass over: a line that opens it. */
export function folded(title, ...parts) {
  return element("details", { class: "fold arithmetic" }, element("summary", {}, title), ...parts);
}

/** The terms of the leading hypothesis's score, folded. */
export function scoreParts(hypothesis) {
  return [
    element("p", {}, `Leading hypothesis: ${hypothesis.function}; ${hypothesis.verdict}.`),
    folded(
      "How the score is calculated",
      waterfall(hypothesis.terms, (sum) => [
        "is a probability of ",
        levelBadge(hypothesis.level, hypothesis.score),
        element("span", { class: "soft" }, ` = 1 / (1 + exp(${sum}))`),
      ]),
    ),
  ];
}

function rival(hypothesis) {
  const numbers = hypothesis.evidence.map((place) => `#${place + 1}`).join(", ");
  const terms = hypothesis.terms.map((term) => `${signed(term.log_odds)} ${term.reason}`).join(", ");
  return element(
    "li",
    {},
    element("p", {}, levelBadge(hypothesis.level, hypothesis.score), " ", hypothesis.function),
    element("p", { class: "soft" }, `${hypothesis.specificity}; evidence ${numbers || "none"}; ${hypothesis.verdict}`),
    folded("Addends", element("p", { class: "soft" }, terms)),
  );
}

/** The hypotheses that lost, and why. */
export function rivalParts(hypotheses) {
  if (hypotheses.length < 2) return [];
  return [
    element("h3", {}, "Competing hypotheses"),
    element("ol", { class: "rivals", start: 2 }, hypotheses.slice(1).map(rival)),
  ];
}

// What the drawer says about a gene, part by part.

import { auditFact } from "./audit.js";
import { data } from "./data.js";
import { element, external, grouped, meter } from "./dom.js";
import { contextParts, evidenceParts, factList, featureParts, rivalParts, scoreParts } from "./evidence.js";
import { otherParts, rescueParts } from "./gene_call.js";
import { elsewhere, sequenceParts } from "./sequences.js";

const STRANDS = { "+": "forward strand", "-": "reverse strand" };
const ASPECTS = {
  molecular_function: "function",
  biological_process: "process",
  cellular_component: "component",
};
const COG_GROUNDS = {
  annotation: "as the file says",
  genint_family: "as for the members of this genint family",
  homology: "as for the similar protein",
  pfam: "as for proteins of this Pfam family",
  product_role: "by the role of the named product",
};
const CALLERS = {
  genbank: "the file",
  genint_nested: "genint, in addition to the gene finder",
  genint_overlapping: "genint, in addition to the gene finder",
  genint_internal_start: "genint, in addition to the gene finder",
};

function bullets(title, texts, kind = "ul") {
  if (!texts?.length) return [];
  return [element("h3", {}, title), element(kind, {}, texts.map((text) => element("li", {}, text)))];
}

function badge(text, page, title) {
  return element("li", {}, external(text, page, "tag"), title ? element("span", { class: "soft" }, ` ${title}`) : null);
}

/** Name of the Pfam family, as its evidence states it. */
function familyName(gene) {
  const label = gene.evidence.find((item) => item.accession === gene.pfam_id)?.label ?? "";
  const name = label.replace(gene.pfam_id, "").replace(/ \(E [^()]*\)$/u, "").trim();
  return name ? `Pfam ${name}` : "Pfam family";
}

/** COG, Pfam and GO with their names, linked to their databases. */
export function badges(gene, pages) {
  const cog = gene.cog_category
    ? [badge(`COG ${gene.cog_category}`, null, `${gene.cog_name ?? ""} (${COG_GROUNDS[gene.cog_source] ?? gene.cog_source})`)]
    : [];
  const pfam = gene.pfam_id ? [badge(gene.pfam_id, pages.get(gene.pfam_id), familyName(gene))] : [];
  const terms = gene.go.map((term) => {
    const aspect = ASPECTS[term.aspect] ? ` (${ASPECTS[term.aspect]})` : "";
    return badge(term.id, pages.get(term.id), `${term.name}${aspect}`);
  });
  const all = [...cog, ...pfam, ...terms];
  return all.length ? element("ul", { class: "badges" }, all) : null;
}

const span = (part) => `${grouped(part.start)}–${grouped(part.end)} (${part.strand})`;

function placeFacts(gene, pages) {
  const topology = data.records.find((record) => record.id === gene.record)?.topology;
  const ends = [gene.partial_5 && "5′ end", gene.partial_3 && "3′ end"].filter(Boolean);
  const cut = ends.length ? `cut off at the ${ends.join(" and the ")}` : null;
  const code = gene.translation_table === null ? null : `genetic code ${gene.translation_table}`;
  const frame = gene.codon_start > 1 ? `first whole codon at base ${gene.codon_start}` : null;
  return [
    [
      "Place",
      [
        external(gene.record, pages.get(`record:${gene.record}`)),
        `: ${grouped(gene.start)}–${grouped(gene.end)}, ${STRANDS[gene.strand]}`,
        gene.end < gene.start ? `, over the origin of the ${topology ?? ""} record` : null,
      ],
    ],
    ["Parts", gene.parts.length > 1 ? gene.parts.map(span).join(", ") : null],
    ["Length", `${grouped(gene.length_aa)} amino acids`],
    ["Reading", [code, frame].filter(Boolean).join(", ")],
    ["State", [gene.pseudo && "pseudogene", cut ?? (gene.partial && "partial")].filter(Boolean).join(", ")],
    ["Found by", `${CALLERS[gene.called_by] ?? gene.called_by}${gene.call_note ? `: ${gene.call_note}` : ""}`],
  ];
}

function comparedFact(compared) {
  if (!compared) return null;
  const start = compared.same_start ? "same start" : "another start";
  return `${compared.id}: ${compared.product ?? "no product"}; ${start}; ${compared.verdict.replaceAll("_", " ")}`;
}

/** The most precise statement that keeps its promise, and how often such statements held. */
function statementFact(statement) {
  if (!statement) return null;
  const { text, kind, right, judged } = statement;
  return `${text} (${kind}; ${grouped(right)} of ${grouped(judged)} such statements held for genes left out of the fit)`;
}

/** What online services answered, a fact for each: accessions with their pages, or the outcome of
 * the query. */
function onlineFacts(online, pages) {
  return online.map(([service, accessions, text]) => {
    const linked = accessions.flatMap((name, at) => [at ? ", " : "", external(name, pages.get(name))]);
    return [service, accessions.length ? [...linked, element("span", { class: "soft" }, ` ${text}`)] : text];
  });
}

/** Names, place, what the file says, and what online services know. */
export function facts(gene, pages, online) {
  const protein = gene.protein_id && external(gene.protein_id, pages.get(gene.protein_id));
  const inFile =
    gene.product === null && !protein
      ? null
      : [gene.product ?? "no product", protein ? [" (", protein, ")"] : []].flat();
  const label = gene.normalized_product;
  return factList([
    ["Gene", gene.name === gene.id ? gene.id : `${gene.id} (${gene.name})`],
    ["Locus", gene.locus === gene.id ? null : gene.locus],
    ...placeFacts(gene, pages),
    ["In the file", inFile],
    ["Compared", comparedFact(gene.compared)],
    ["Audit", auditFact(gene.audit)],
    ["Product name", label === gene.function ? null : label],
    ["Safe to say", statementFact(gene.statement)],
    ["Category", gene.category],
    ...onlineFacts(online, pages),
  ]);
}

function novelty(gene) {
  const item = gene.novelty;
  if (!item) return [];
  const steps = item.next_steps.length ? item.next_steps : [item.next_step];
  return [
    ...bullets("Next steps", steps, "ol"),
    ...elsewhere(gene),
    factList([
      ["Rank", `${item.rank} among the dark genes`],
      ["Priority", [meter(item.priority, item.priority.toFixed(3)), element("span", { class: "soft" }, " ranking aid, not a probability")]],
    ]),
    ...bullets("Reasons for the priority", item.reasons),
    ...bullets("Observations", item.observations),
    ...bullets("Neighbours", item.neighbours),
  ];
}

/** Everything below the drawer's head. */
export function drawerParts(gene, pages, others, online) {
  const leading = gene.hypotheses[0];
  return [
    gene.summary ? element("p", { class: "gene-summary" }, gene.summary) : null,
    badges(gene, pages),
    ...novelty(gene),
    gene.novelty ? element("h3", {}, "Gene") : null,
    facts(gene, pages, online),
    ...rescueParts(gene.rescue),
    ...bullets("Conflicts", gene.conflicts),
    ...bullets("Uncertainties", gene.uncertainties),
    ...evidenceParts(gene, pages),
    ...featureParts(gene),
    ...contextParts(gene.context),
    ...bullets("Reasoning", gene.reasoning_chain, "ol"),
    ...(leading ? scoreParts(leading) : []),
    ...rivalParts(gene.hypotheses),
    ...otherParts(others),
    ...(gene.novelty ? [] : elsewhere(gene)),
    ...sequenceParts(gene),
  ].filter((part) => part !== null);
}

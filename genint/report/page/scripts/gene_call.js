// Whether there is a gene, and what it may make besides its protein: parts of the drawer.

import { element, grouped } from "./dom.js";
import { factList, folded, percent, waterfall } from "./evidence.js";

function liesWhere(rescue) {
  const { host, kind } = rescue;
  if (host === null) return "It lies between the genes that the gene finder calls.";
  if (kind === "internal_start") return `It has the reading frame and the stop of ${host}, and an internal start.`;
  const frame = rescue.same_strand ? "in another reading frame, on the same strand" : "on the other strand";
  return kind === "nested"
    ? `It lies ${percent(rescue.host_overlap)} inside ${host}, ${frame}.`
    : `It shares ${percent(rescue.host_overlap)} of its bases with ${host}, ${frame}.`;
}

/** How often such probabilities held. */
function heldOut(held) {
  if (!held) return "";
  return `Of ${held.frames} frames with a probability of ${held.low.toFixed(1)} to ${held.high.toFixed(1)} in held-out genomes, ${held.genes} are annotated genes. `;
}

/** Why a gene that the gene finder leaves out is one, addend by addend. */
export function rescueParts(rescue) {
  if (!rescue) return [];
  const sure = rescue.probability.toFixed(2);
  return [
    element("h3", {}, "Is it a gene?"),
    element("p", {}, `The gene finder did not call it. ${liesWhere(rescue)} Probability ${sure} that it is a gene.`),
    folded(
      "How the probability is calculated",
      waterfall(rescue.terms, (sum) => [
        `is a probability of ${sure} that there is a gene`,
        element("span", { class: "soft" }, ` = 1 / (1 + exp(${sum}))`),
      ]),
    ),
    element(
      "p",
      { class: "soft" },
      `${heldOut(rescue.held_out)}Called as a gene from ${rescue.threshold.toFixed(2)} on.`,
    ),
  ];
}

function startItem(start) {
  const base = start.strand === "+" ? start.start : start.end;
  const site = start.rbs_motif ? `ribosome binding site ${start.rbs_motif}` : "no ribosome binding site found";
  return element(
    "li",
    {},
    factList(
      [
        ["First base", `${grouped(base)} (${start.codon}, ${site}, start score ${start.start_score.toFixed(1)})`],
        ["Product", `${grouped(start.length_aa)} amino acids, ${percent(start.share)} of the gene`],
        ["Probability", `${start.probability.toFixed(2)} that it is made too`],
        ["Reason", start.reason],
      ],
      "facts tight",
    ),
  );
}

function productItem(product) {
  const way = product.shift < 0 ? "one base back (−1)" : "one base on (+1)";
  return element(
    "li",
    {},
    factList(
      [
        ["Product", `${product.id}, ${grouped(product.length_aa)} amino acids`],
        ["Frameshift", `${way} at ${product.heptamer}, bases ${grouped(product.site_start)}–${grouped(product.site_end)}`],
        ["Continues in", product.joined ?? "no called gene"],
        ["Probability", `${product.probability.toFixed(2)} that it is made`],
        ["Reason", product.reason],
      ],
      "facts tight",
    ),
  );
}

/** Other starts and products; none is a gene of its own. */
export function otherParts({ starts, products }) {
  const lists = [["Alternative starts", starts, startItem], ["Alternative products", products, productItem]];
  return lists.flatMap(([title, items, shown]) => items.length
    ? [element("h3", {}, title), element("ul", { class: "evidence" }, items.map(shown))]
    : []);
}

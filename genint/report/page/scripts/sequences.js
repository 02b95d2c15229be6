// The protein and the bases of a gene: to read, to copy, to save, and to search elsewhere.

import { data, geneBases } from "./data.js";
import { button, element, external, grouped, notice } from "./dom.js";
import { saveFile } from "./exports.js";

const LETTERS_A_LINE = 60;
const BLAST = "https://blast.ncbi.nlm.nih.gov/Blast.cgi?PROGRAM=blastp&PAGE_TYPE=BlastSearch";
const HHPRED = "https://toolkit.tuebingen.mpg.de/tools/hhpred";
const FOLDSEEK = "https://search.foldseek.com/search";
const LONGEST_QUERY = 2000; // residues that every browser takes in an address
const FASTA_TYPE = "text/x-fasta;charset=utf-8";

/** Browsers give pages of a plain network address no clipboard, but let them copy what is selected. */
function copySelected(text) {
  const field = element("textarea", { class: "unseen", "aria-hidden": "true", tabindex: -1 });
  field.value = text;
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  before?.focus?.({ preventScroll: true });
  if (!copied) throw new Error("the browser refused");
}

/** Copies a text and says so, and what comes next. */
async function copyText(text, what, next = "") {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copySelected(text);
    notice(`${what} copied.${next}`);
  } catch {
    notice(`${what} could not be copied; select it and copy it by hand.`);
  }
}

export function copyButton(label, what, text) {
  return button(label, { class: "quiet" }, () => copyText(text(), what));
}

/** An entry of a FASTA file; blanks would end the id. */
function fastaOf(gene, letters) {
  const id = gene.id.replace(/\s/gu, "%20").replace(/^>/u, "%3E");
  const title = gene.product ?? gene.function ?? "hypothetical protein";
  const lines = letters.match(new RegExp(`.{1,${LETTERS_A_LINE}}`, "gu"));
  return `>${id} ${title}\n${lines.join("\n")}\n`;
}

function saveButton(gene, letters, ending) {
  const id = gene.id.replace(/[^A-Za-z0-9._-]+/gu, "_").slice(0, 60);
  const name = data.stem.includes(id) ? id : `${data.stem}_${id}`;
  return button("Save FASTA", { class: "quiet" }, () => saveFile(fastaOf(gene, letters), FASTA_TYPE, `${name}.${ending}`));
}

const residuesOf = (gene) => gene.translation.replace(/[^A-Za-z]/gu, "X");

/** A link to a service that takes no sequence in its address: it is copied, to be pasted there. */
function pasting(name, page, fasta) {
  const link = external(name, page);
  link.addEventListener("click", () => copyText(fasta, "The protein", ` Paste it at ${name}.`));
  return link;
}

/** Where else the protein can be searched; nothing is sent before a link is followed. */
export function elsewhere(gene) {
  const protein = residuesOf(gene);
  if (!protein) return [];
  const fasta = fastaOf(gene, protein);
  const filled = protein.length <= LONGEST_QUERY;
  const blast = filled ? external("BLAST", `${BLAST}&QUERY=${protein}`) : pasting("BLAST", BLAST, fasta);
  const others = [pasting("HHpred", HHPRED, fasta), ", ", pasting("Foldseek", FOLDSEEK, fasta)];
  const words = filled
    ? ["Search the protein: ", blast, " (opens with the sequence, which goes to the NCBI), ", ...others]
    : ["Search the protein: ", blast, ", ", ...others];
  return [element("p", { class: "elsewhere" }, ...words, " (a click copies the sequence, to be pasted there)")];
}

function numberedLines(letters) {
  const lines = [];
  for (let first = 0; first < letters.length; first += LETTERS_A_LINE) {
    const number = element("span", { class: "residue", "data-first": first + 1 });
    lines.push(number, `${letters.slice(first, first + LETTERS_A_LINE)}\n`);
  }
  return lines;
}

function sequencePart(gene, title, letters, ending) {
  const what = `The ${title === "Protein" ? "protein" : "nucleotide sequence"}`;
  const unit = title === "Protein" ? "aa" : "bp";
  return [
    element("div", { class: "beside" },
      element("h3", {}, title, element("span", { class: "soft" }, ` ${grouped(letters.length)} ${unit}`)),
      element("div", { class: "beside-buttons" },
        copyButton("Copy", what, () => letters),
        copyButton("Copy as FASTA", what, () => fastaOf(gene, letters)),
        saveButton(gene, letters, ending))),
    element("pre", { class: "sequence", tabindex: 0, role: "region", "aria-label": `${title} sequence` }, numberedLines(letters)),
  ];
}

/** The protein, and the bases where the page holds them. */
export function sequenceParts(gene) {
  const protein = residuesOf(gene);
  const bases = geneBases(gene);
  return [
    ...(protein ? sequencePart(gene, "Protein", protein, "faa") : []),
    ...(bases ? sequencePart(gene, "Nucleotide", bases, "ffn") : []),
  ];
}

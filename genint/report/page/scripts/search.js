// The search: words and quoted phrases in what is known of a gene, and bases of its record.

import { data } from "./data.js";

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

const BASE = /^\d[\d,]*$/u;
const BASES = /^(\d[\d,]*)(?:\.\.|-|–)(\d[\d,]*)$/u;
const number = (text) => Number(text.replaceAll(",", ""));

/** First and last base that a word names, or null. */
function basesOf(word) {
  if (BASE.test(word)) return [number(word), number(word)];
  const found = BASES.exec(word);
  return found && number(found[1]) <= number(found[2]) ? [number(found[1]), number(found[2])] : null;
}

/** A gene over the origin ends at a smaller base than it starts. */
function touches(gene, [first, last]) {
  const over = gene.end < gene.start;
  return over ? last >= gene.start || first <= gene.end : first <= gene.end && last >= gene.start;
}

function termsOf(query) {
  const found = query.toLowerCase().matchAll(/["“”]([^"“”]+)["“”]?|([^\s"“”]+)/gu);
  return [...found].map(([, phrase, word]) => ({ text: (phrase ?? word).trim(), bases: word ? basesOf(word) : null }));
}

/** A test for genes: every word and phrase of a query is found, or the base lies in the gene. */
export function matching(query) {
  const terms = termsOf(query).filter(({ text }) => text);
  if (!terms.length) return () => true;
  const texts = searchTexts();
  return (gene) =>
    terms.every(({ text, bases }) => texts[gene.index].includes(text) || (bases !== null && touches(gene, bases)));
}

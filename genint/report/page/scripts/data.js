// The data islands of the page as values.

export const LEVELS = ["HIGH", "MODERATE", "LOW", "SPECULATIVE", "NONE"];
export const DARK = LEVELS.indexOf("NONE");

const island = JSON.parse(document.getElementById("page-data").textContent);

/** Rows are arrays; the names of their fields are stored once beside them. */
function named(fields, rows) {
  return rows.map((row, index) => {
    const item = { index };
    for (let at = 0; at < fields.length; at += 1) item[fields[at]] = row[at];
    return item;
  });
}

function withParts(gene) {
  if (!gene.parts.length) gene.parts = [[gene.start, gene.end, gene.strand]];
  gene.label = gene.function ?? "dark matter";
  gene.partial5 = Boolean(gene.partial_5);
  gene.partial3 = Boolean(gene.partial_3);
  gene.lengthAa = gene.length_aa;
  return gene;
}

/** Fields of its GC tracks by name; null where a record has none. */
function withTracks(record) {
  const { gc } = record;
  record.gc = gc && Object.fromEntries(island.gc_fields.map((name, at) => [name, gc[at]]));
  return record;
}

export const data = {
  stem: island.file_stem,
  meanings: new Map(island.levels),
  cogNames: new Map(island.cog_names),
  goNames: new Map(island.go_names),
  ecoNames: new Map(island.eco_names),
  verdicts: island.verdicts,
  records: named(["id", "length", "topology", "description", "genes", "gc"], island.records).map(withTracks),
  genes: named(island.gene_fields, island.genes).map(withParts),
  rnas: named(island.rna_fields, island.rnas),
  arrays: named(island.array_fields, island.arrays),
  products: named(island.product_fields, island.products),
};

/** Genes by what they are called in a way; what two are called leads to neither. */
function placesBy(read) {
  const found = new Map();
  for (const gene of data.genes) found.set(read(gene), found.has(read(gene)) ? undefined : gene.index);
  return found;
}

const places = new Map();
for (const gene of data.genes) if (!places.has(gene.id)) places.set(gene.id, gene.index);
const otherPlaces = [placesBy((gene) => gene.locus), placesBy((gene) => gene.name)];

/** Position of the gene with an id, locus tag or name that no other has; undefined without one.
 * The page writes ids cleaned. */
export function placeOf(id) {
  const cleaned = id.trim().replace(/\s+/gu, " ").replace(/\p{C}/gu, "\uFFFD");
  for (const found of [places, ...otherPlaces]) {
    const place = found.get(id) ?? found.get(cleaned);
    if (place !== undefined) return place;
  }
  return undefined;
}

export const canUnpack = typeof DecompressionStream === "function";

/** Text of a compressed island. */
async function unpacked(element) {
  const bytes = Uint8Array.from(atob(element.textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Islands of a kind; each is unpacked when it is first needed, and at most a few are kept. */
class Chunks {
  constructor(kind) {
    this.elements = [...document.querySelectorAll(`script.${kind}`)];
    this.firsts = this.elements.map((element) => Number(element.dataset.first));
    this.kept = new Map();
  }

  /** The chunk with an item, and the place of the item in it. */
  async holding(item) {
    let at = this.firsts.length - 1;
    while (this.firsts[at] > item) at -= 1;
    const found = this.kept.get(at) ?? unpacked(this.elements[at]).then(JSON.parse);
    this.kept.delete(at);
    this.kept.set(at, found); // the last used comes last
    if (this.kept.size > 8) this.kept.delete(this.kept.keys().next().value);
    return { chunk: await found, place: item - this.firsts[at] };
  }
}

const details = new Chunks("details");
const darkChunks = new Chunks("dark");

/** All that is known of a gene, as in the JSON result, the pages of its accessions, what it may
 * make besides its protein, and what online services answered: [service, accessions, words]. */
export async function detailsOf(index) {
  const { chunk, place } = await details.holding(index);
  chunk.pages ??= new Map(chunk.links);
  chunk.byPlace ??= new Map(chunk.others);
  chunk.answers ??= new Map(chunk.online);
  const others = chunk.byPlace.get(place) ?? { starts: [], products: [] };
  return { gene: chunk.genes[place], pages: chunk.pages, others, online: chunk.answers.get(place) ?? [] };
}

/** What is known of the dark gene of a rank (1 is the first). */
export async function darkOf(rank) {
  const { chunk, place } = await darkChunks.holding(rank - 1);
  const [gene, reasons, observations, neighbours, nextSteps] = chunk[place];
  return { gene, reasons, observations, neighbours, nextSteps };
}

const ISLAND_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASES_A_LETTER = 3;
const heldBases = new Map(
  [...document.querySelectorAll("script.bases")].map((one) => [Number(one.dataset.first), one]),
);

/** Bases of a stretch of a record, 0-based, end excluded: three in a letter of the island. */
function stretchOf([letters, codes], start, end) {
  const first = Math.floor(start / BASES_A_LETTER);
  const threes = letters.slice(first, Math.ceil(end / BASES_A_LETTER));
  let text = "";
  for (const letter of threes) {
    const digits = ISLAND_LETTERS.indexOf(letter);
    text += "ACGT"[digits >> 4] + "ACGT"[(digits >> 2) & 3] + "ACGT"[digits & 3];
  }
  text = text.slice(start - first * BASES_A_LETTER).slice(0, end - start);
  for (const code of codes ? codes.split(",") : []) {
    const [from, letter, count] = code.split(":");
    const [low, high] = [Math.max(start, Number(from)), Math.min(end, Number(from) + Number(count))];
    if (low < high) text = text.slice(0, low - start) + letter.repeat(high - low) + text.slice(high - start);
  }
  return text;
}

const COMPLEMENTS = new Map([..."ACGTRYSWKMBDHVN"].map((code, at) => [code, "TGCAYRSWMKVHDBN"[at]]));

/** The reverse complement of bases. */
function reversed(bases) {
  return [...bases].reverse().map((code) => COMPLEMENTS.get(code)).join("");
}

/** Parts of a gene from 5' to 3'; without their order those on the strand of the first come first. */
function transcribed({ parts, part_order: order, strand }) {
  if (order?.length === parts.length) return order.map((at) => parts[at]);
  const first = parts.filter((part) => part.strand === strand);
  const rest = parts.filter((part) => part.strand !== strand);
  return [first, rest].flatMap((some) => (some[0]?.strand === "-" ? [...some].reverse() : some));
}

/** Bases of a gene as transcribed, its parts joined; null where the page does not hold them. */
export function geneBases(gene) {
  const number = data.records.findIndex(({ id }) => id === gene.record);
  const island = heldBases.get(number);
  if (!island) return null;
  const text = island.textContent.split(" ");
  const { length } = data.records[number];
  return transcribed(gene)
    .map(({ start, end, strand }) => {
      const bases = end < start
        ? stretchOf(text, start - 1, length) + stretchOf(text, 0, end)
        : stretchOf(text, start - 1, end);
      return strand === "-" ? reversed(bases) : bases;
    })
    .join("");
}

/** The lines of the TSV report: a header, then one for each gene. */
export async function tableLines() {
  return (await unpacked(document.querySelector("script.table"))).split("\n");
}

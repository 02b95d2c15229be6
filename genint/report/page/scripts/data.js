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

export const data = {
  stem: island.file_stem,
  meanings: new Map(island.levels),
  cogNames: new Map(island.cog_names),
  goNames: new Map(island.go_names),
  ecoNames: new Map(island.eco_names),
  verdicts: island.verdicts,
  records: named(["id", "length", "topology", "description", "genes"], island.records),
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

/** The lines of the TSV report: a header, then one for each gene. */
export async function tableLines() {
  return (await unpacked(document.querySelector("script.table"))).split("\n");
}

// Downloads: the lines of the TSV report for the genes that are shown, and the map.

import { canUnpack, data, tableLines } from "./data.js";
import { byId, grouped, notice, show } from "./dom.js";
import { pngOf } from "./map_png.js";

const PNG_SCALE = 3; // pixels for each of the page's: 300 dpi at the size of the page

export function saveFile(content, type, name) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const plain = (text) => text.replace(/[^A-Za-z0-9._-]+/gu, "_").slice(0, 60);

async function saveTable(genes) {
  try {
    const lines = await tableLines();
    const chosen = [lines[0], ...genes.map((gene) => lines[gene.index + 1])];
    const part = genes.length === data.genes.length ? "" : `_${genes.length}`;
    saveFile(`${chosen.join("\n")}\n`, "text/tab-separated-values;charset=utf-8", `${data.stem}_genes${part}.tsv`);
  } catch {
    notice("The table cannot be read: the file is damaged.");
  }
}

/**
 * Save a map. `picture` has its SVG and, where it shows a part of the record, the first and last base;
 * the name of the file says of which genome, record and part it is.
 */
export async function saveMap(record, format, { svg, bases }) {
  const id = plain(record.id);
  const genome = data.stem.endsWith(id) ? data.stem : `${data.stem}_${id}`;
  const name = [genome, "map", ...(bases ? [bases.join("-")] : [])].join("_");
  if (format === "svg") {
    saveFile(svg, "image/svg+xml", `${name}.svg`);
    return;
  }
  try {
    saveFile(await pngOf(svg, PNG_SCALE), "image/png", `${name}.png`);
  } catch {
    notice("This browser cannot make a PNG of the map; save it as SVG.");
  }
}

/** `genesOfTable` returns the genes of the table in its order. */
export function startExports(genesOfTable) {
  show(byId("save-table"), canUnpack);
  byId("save-table").addEventListener("click", () => saveTable(genesOfTable()));
}

export function showExports(count) {
  byId("save-table").textContent = `Save TSV of the ${grouped(count)} ${count === 1 ? "gene" : "genes"} shown`;
  byId("save-table").disabled = count === 0;
}

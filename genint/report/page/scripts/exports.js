// Downloads: the lines of the TSV report for the genes that are shown, and the map.

import { canUnpack, data, tableLines } from "./data.js";
import { byId, grouped, notice, show } from "./dom.js";

function save(text, type, name) {
  const address = URL.createObjectURL(new Blob([text], { type }));
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
    save(`${chosen.join("\n")}\n`, "text/tab-separated-values;charset=utf-8", `${data.stem}_genes${part}.tsv`);
  } catch {
    notice("The table cannot be read: the file is damaged.");
  }
}

/** `shownGenes` returns the genes of the table in its order, `pictures` the maps that are drawn. */
export function startExports(genesOfTable, pictures) {
  show(byId("save-table"), canUnpack);
  byId("save-table").addEventListener("click", () => saveTable(genesOfTable()));
  byId("save-map").addEventListener("click", () => {
    for (const { record, svg } of pictures()) {
      const id = plain(record.id);
      const name = data.stem.endsWith(id) ? data.stem : `${data.stem}_${id}`;
      save(svg, "image/svg+xml", `${name}_map.svg`);
    }
  });
}

export function showExports(count) {
  byId("save-table").textContent = `Save TSV of the ${grouped(count)} ${count === 1 ? "gene" : "genes"} shown`;
  byId("save-table").disabled = count === 0;
}

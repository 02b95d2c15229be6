"use strict";
// Contigs can be looked for and sorted; their genes are unpacked when they are opened.
const LEVELS = ["HIGH", "MODERATE", "LOW", "SPECULATIVE", "dark"];
const COLUMNS = ["Locus", "Place", "aa", "Function", "Level", "Score", "Product in the file", "Strongest evidence", "Rank if dark"];
const NUMBERS = new Set(["aa", "Score", "Rank if dark"]);
const MOST_FOUND = 500;
const table = document.getElementById("table");
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const names = rows.map((row) => row.cells[0].textContent);
const together = Number(table.dataset.together);
const blocks = Array.from(document.querySelectorAll("script.genes"));
const opened = new Map();

function genesOf(block) {
  if (!opened.has(block)) opened.set(block, unpacked(blocks[block].textContent.trim()));
  return opened.get(block);
}
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
function cellsOf(gene) {
  const [locus, start, end, strand, length, name, level, score, product, evidence, rank] = gene;
  const place = `${start.toLocaleString("en")}–${end.toLocaleString("en")} (${strand})`;
  const shown = name ? score.toFixed(2) : "";
  return [locus, place, String(length), name, LEVELS[level], shown, product, evidence, rank ? String(rank) : ""];
}
function tableOf(genes, contigs) {
  const made = element("table");
  const head = made.createTHead().insertRow();
  const titles = contigs ? ["Contig", ...COLUMNS] : COLUMNS;
  for (const title of titles) {
    const cell = element("th", title, NUMBERS.has(title) ? "number" : "");
    cell.scope = "col";
    head.append(cell);
  }
  const rowsOf = made.createTBody();
  genes.forEach((gene, at) => {
    const texts = contigs ? [contigs[at], ...cellsOf(gene)] : cellsOf(gene);
    const row = rowsOf.insertRow();
    texts.forEach((text, column) => row.append(element("td", text, NUMBERS.has(titles[column]) ? "number" : "")));
  });
  return made;
}
async function toggle(row, button) {
  const below = row.nextElementSibling;
  if (below && below.classList.contains("opened")) {
    below.remove();
    button.setAttribute("aria-expanded", "false");
    return;
  }
  const at = Number(row.dataset.at);
  button.setAttribute("aria-expanded", "true");
  const genes = (await genesOf(Math.floor(at / together)))[at % together];
  if (button.getAttribute("aria-expanded") !== "true") return;
  const opened = element("tr", undefined, "opened");
  const cell = element("td", genes.length ? undefined : "No genes.", "genes");
  cell.colSpan = row.cells.length;
  if (genes.length) cell.append(tableOf(genes));
  opened.append(cell);
  row.after(opened);
}
function sort(head, at) {
  const isNumber = head.classList.contains("number");
  const first = isNumber ? "descending" : "ascending";
  const order = head.getAttribute("aria-sort") === first ? (isNumber ? "ascending" : "descending") : first;
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const value = (row) => row.cells[at].textContent;
  const number = (row) => Number(value(row).replaceAll(",", "") || 0);
  for (const open of body.querySelectorAll("tr.opened")) open.remove();
  for (const button of body.querySelectorAll("button")) button.setAttribute("aria-expanded", "false");
  const compare = isNumber
    ? (a, b) => sign * (number(a) - number(b))
    : (a, b) => sign * value(a).localeCompare(value(b), "en", { numeric: true });
  body.append(...rows.toSorted(compare));
}
function showContigs(text) {
  const wanted = text.trim().toLowerCase();
  rows.forEach((row, at) => {
    const isHidden = wanted !== "" && !names[at].toLowerCase().includes(wanted);
    row.hidden = isHidden;
    const below = row.nextElementSibling;
    if (below && below.classList.contains("opened")) below.hidden = isHidden;
  });
}
async function lookForGenes(text) {
  const wanted = text.trim().toLowerCase();
  const section = document.getElementById("found");
  const told = document.getElementById("told");
  section.replaceChildren();
  section.hidden = true;
  told.textContent = "";
  if (!wanted) return;
  const genes = [];
  const contigs = [];
  let count = 0;
  for (let block = 0; block < blocks.length; block += 1) {
    const found = await genesOf(block);
    found.forEach((some, within) => some.forEach((gene) => {
      if (![gene[0], gene[5], gene[8], gene[9]].some((one) => one.toLowerCase().includes(wanted))) return;
      count += 1;
      if (genes.length >= MOST_FOUND) return;
      genes.push(gene);
      contigs.push(names[block * together + within]);
    }));
  }
  const shown = count > MOST_FOUND ? `, the first ${MOST_FOUND} are shown` : "";
  told.textContent = `${count.toLocaleString("en")} ${count === 1 ? "gene" : "genes"}${shown}`;
  if (genes.length) section.append(tableOf(genes, contigs));
  section.hidden = !genes.length;
}
for (const one of document.querySelectorAll(".scripted")) one.hidden = false;
Array.from(table.tHead.rows[0].cells).forEach((head, at) => {
  const button = element("button", head.textContent);
  button.type = "button";
  button.addEventListener("click", () => sort(head, at));
  head.replaceChildren(button);
});
for (const row of rows) {
  const button = element("button", row.cells[0].textContent);
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  row.cells[0].replaceChildren(button);
}
body.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button && button.closest("tr").parentElement === body) toggle(button.closest("tr"), button);
});
document.getElementById("contig").addEventListener("input", (event) => showContigs(event.target.value));
document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  lookForGenes(document.getElementById("gene").value);
});

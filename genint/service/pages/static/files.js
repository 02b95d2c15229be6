// The files of a finished genome, to be saved.

import { download } from "./api.js";
import { element, say } from "./dom.js";

const FORMATS = [
  ["gff3", "GFF3", "features, for genome browsers"],
  ["gbk", "GenBank", "the record with what was found added"],
  ["tsv", "TSV", "one gene a line, for spreadsheets"],
  ["json", "JSON", "the whole result, for programs"],
  ["faa", "Proteins", "FASTA of all proteins"],
  ["ffn", "Genes", "FASTA of genes and RNA genes"],
  ["md", "Markdown", "the report as text"],
  ["dark-fasta", "FASTA of dark proteins", "what to search next"],
];

/**
 * A list of files that opens and closes.
 *
 * @param {string} filename of the genome
 * @param {string} jobId
 */
export function fileMenu(filename, jobId) {
  const items = FORMATS.map(([format, name, what]) => {
    const labels = { "aria-label": `${name}: ${filename}`, title: what };
    const button = element("button", { type: "button", ...labels }, name);
    button.addEventListener("click", () => save(button, filename, `/jobs/${jobId}/result?format=${format}`));
    return element("li", {}, button);
  });
  const summary = element("summary", { "aria-label": `Files: ${filename}` }, "Files");
  return element("details", { className: "files" }, summary, element("ul", {}, ...items));
}

async function save(button, filename, path) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true"); // keeps the focus, which disabled would not
  say(`${button.textContent} of ${filename} is being made.`);
  try {
    const { content, name } = await download(path);
    const address = URL.createObjectURL(content);
    element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    say(`${name} was saved.`);
  } catch (error) {
    say(`${filename}: ${error.message}`);
  }
  button.removeAttribute("aria-disabled");
}

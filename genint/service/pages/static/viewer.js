// A result file, read and shown by the browser alone: the policy of this page allows no request.

import { byId, element, problem, setText, show } from "./dom.js";

const PAGE = 200;
const LARGEST_BYTES = 500_000_000;
const VERSION = /^1\.\d+$/;
const LEVELS = ["HIGH", "MODERATE", "LOW", "SPECULATIVE", "NONE"];

/** Genes with the text that they are found by. */
let genes = [];
let limit = PAGE;

/** What is wrong with a file, in words. */
class NotAResult extends Error {}

async function textOf(file) {
  if (file.size > LARGEST_BYTES) throw new NotAResult("The file is too large to be shown here.");
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = start[0] === 0x1f && start[1] === 0x8b;
  if (!isPacked) return file.text();
  try {
    const unpacked = file.stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(unpacked).text();
  } catch {
    throw new NotAResult("The file is damaged: it cannot be unpacked.");
  }
}

function resultIn(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new NotAResult("This is no JSON file.");
  }
  const version = found?.schema_version;
  if (typeof version !== "string" || !Array.isArray(found.genes)) {
    throw new NotAResult("This is no result file of genint (--format json).");
  }
  if (!VERSION.test(version)) {
    throw new NotAResult(`This file has the schema ${version}; this page reads 1.x.`);
  }
  return found;
}

async function open(file) {
  problem(byId("viewer-problem"), "");
  show(byId("result"), false);
  try {
    display(resultIn(await textOf(file)));
  } catch (error) {
    const known = error instanceof NotAResult;
    problem(byId("viewer-problem"), known ? error.message : "The file cannot be shown: it is damaged.");
  }
}

function display(result) {
  genes = result.genes.map((gene) => ({ gene, text: searched(gene) }));
  limit = PAGE;
  byId("find").value = "";
  byId("level").value = "";
  setText(byId("result-title"), result.input?.filename ?? "Result");
  const levels = LEVELS.map((level) => [level, genes.filter(({ gene }) => gene.confidence === level).length]);
  const counts = levels.map(([level, count]) => `${count} ${level}`).join(", ");
  setText(byId("counts"), `${genes.length} genes: ${counts}. Made by genint ${result.genint_version ?? "?"}.`);
  renew();
  show(byId("result"), true);
}

function searched(gene) {
  const accessions = list(gene.evidence).map((item) => item.accession);
  return [gene.id, gene.name, gene.locus, gene.product, gene.function, gene.pfam_id, ...accessions]
    .join(" ")
    .toLowerCase();
}

function renew() {
  const words = byId("find").value.trim().toLowerCase();
  const level = byId("level").value;
  const found = genes.filter(
    ({ gene, text }) => text.includes(words) && (level === "" || gene.confidence === level),
  );
  byId("genes").tBodies[0].replaceChildren(...found.slice(0, limit).map(({ gene }) => line(gene)));
  setText(byId("shown"), `${Math.min(limit, found.length)} of ${found.length} genes shown`);
  show(byId("more"), found.length > limit);
}

function line(gene) {
  const cell = (label, ...content) => element("td", { "data-label": label }, ...content);
  const name = LEVELS.includes(gene.confidence) ? gene.confidence : "NONE";
  const level = element("span", { className: `state ${name.toLowerCase()}` }, name);
  const score = name === "NONE" ? "" : Number(gene.score).toFixed(2);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("bdi", {}, gene.name || gene.id)),
    cell("Place", gene.locus ?? ""),
    cell("Level", level, " ", score),
    cell("Function", gene.function || (gene.is_dark ? "dark matter" : "")),
    cell("Why", why(gene)),
  );
}

/** Reasoning and evidence, made when they are opened. */
function why(gene) {
  const label = { "aria-label": `Why: ${gene.name || gene.id}` };
  const box = element("details", {}, element("summary", label, `${list(gene.evidence).length} observations`));
  box.addEventListener(
    "toggle",
    () => {
      const steps = list(gene.reasoning_chain).map((step) => element("li", {}, step));
      const seen = list(gene.evidence).map(({ label: text, source, conf }) =>
        element("li", {}, `[${Number(conf).toFixed(2)}] ${source}: ${text}`),
      );
      if (gene.product) box.append(element("p", {}, `In the file: ${gene.product}`));
      if (steps.length > 0) box.append(element("h3", {}, "Reasoning"), element("ol", {}, ...steps));
      if (seen.length > 0) box.append(element("h3", {}, "Evidence"), element("ul", {}, ...seen));
    },
    { once: true },
  );
  return box;
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

byId("file").addEventListener("change", (event) => {
  if (event.target.files.length > 0) open(event.target.files[0]);
  event.target.value = "";
});
// A file dropped beside the field would otherwise replace the page.
window.addEventListener("dragover", (event) => event.preventDefault());
window.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length > 0) open(event.dataTransfer.files[0]);
});
for (const id of ["find", "level"]) {
  byId(id).addEventListener("input", () => {
    limit = PAGE;
    renew();
  });
}
byId("more").addEventListener("click", () => {
  limit += PAGE;
  renew();
});

// The index of dark genes over all finished genomes.

import { ask } from "./api.js";
import { byId, element, setText, show, trouble } from "./dom.js";

const PAGE = 200;
const JOB = /^[0-9a-f-]{36}$/;

let cursor = null;
let total = 0;

export function prepareDark() {
  byId("more-dark").addEventListener("click", () => load());
  byId("dark-find").addEventListener("input", find);
}

export function openDark() {
  clearDark();
  load();
}

export function clearDark() {
  cursor = null;
  total = 0;
  byId("dark-genes").tBodies[0].replaceChildren();
  byId("dark-find").value = "";
  for (const id of ["dark-genes", "no-dark", "more-dark"]) show(byId(id), false);
  setText(byId("dark-count"), "");
}

async function load() {
  const more = byId("more-dark");
  more.disabled = true;
  try {
    const from = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await ask("GET", `/dark-genes?limit=${PAGE}${from}`);
    trouble("");
    cursor = answer.next_cursor;
    total = answer.total;
    byId("dark-genes").tBodies[0].append(...answer.genes.map(line));
    show(more, cursor !== null);
    find();
  } catch (error) {
    if (error.status !== 401) trouble(error.message);
  } finally {
    more.disabled = false;
  }
}

function line(gene) {
  const name = JOB.test(gene.job_id)
    ? element(
        "a",
        { href: `/reports/${gene.job_id}.html#gene=${encodeURIComponent(gene.id)}`, target: "_blank", rel: "noopener" },
        gene.name,
      )
    : gene.name;
  const label = (text) => ({ "data-label": text });
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, name),
    element("td", label("Locus"), gene.locus),
    element("td", label("Genome"), gene.organism),
  );
}

/** Show what was loaded and has the words that are looked for. */
function find() {
  const wanted = byId("dark-find").value.trim().toLowerCase();
  const lines = [...byId("dark-genes").tBodies[0].rows];
  let found = 0;
  for (const row of lines) {
    const fits = row.textContent.toLowerCase().includes(wanted);
    show(row, fits);
    if (fits) found += 1;
  }
  show(byId("dark-genes"), found > 0);
  show(byId("no-dark"), found === 0);
  setText(byId("no-dark"), lines.length ? "None of these." : "No dark gene yet: they come with finished genomes.");
  const loaded = lines.length < total ? `, ${lines.length} of them loaded` : "";
  const shown = wanted ? `${found} found; ` : "";
  setText(byId("dark-count"), `${shown}${total} dark ${total === 1 ? "gene" : "genes"}${loaded}`);
}

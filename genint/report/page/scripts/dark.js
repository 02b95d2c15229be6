// The dark-matter view: genes without a claim, the most promising first, some at a time.

import { canUnpack, darkOf, data } from "./data.js";
import { button, byId, element, grouped, meter, show } from "./dom.js";
import { genePlace, geneRecord } from "./table_rows.js";

const AT_FIRST = 10;
const MORE = 40;

function pairs(words) {
  return words
    .filter(([, texts]) => texts.length)
    .map(([word, texts]) =>
      element("div", {}, element("dt", {}, word), ...texts.map((text) => element("dd", {}, text))),
    );
}

function darkItem(gene, known, onOpen) {
  const opener = button(gene.name, { class: "gene" }, () => onOpen(gene.index));
  const head = element(
    "div",
    { class: "dark-head" },
    element("span", { class: "rank" }, `${gene.rank}`),
    element("h3", {}, opener),
    element("span", { class: "soft" }, [geneRecord(gene), genePlace(gene), `${gene.lengthAa} aa`].filter(Boolean).join(", ")),
    element("span", { class: "priority" }, "priority ", meter(gene.priority, gene.priority.toFixed(3))),
  );
  const rest = known
    ? element(
        "dl",
        { class: "dark-facts" },
        ...pairs([
          ["Next steps", known.nextSteps],
          ["Reasons", known.reasons],
          ["Observed", known.observations],
          ["Neighbours", known.neighbours],
        ]),
      )
    : null;
  return element("li", {}, head, rest);
}

async function known(gene) {
  try {
    return canUnpack ? await darkOf(gene.rank) : null;
  } catch {
    return null; // a damaged file: rank and priority are still there
  }
}

/** List the dark genes in the order of their ranks. */
export function startDark(onOpen) {
  const list = byId("dark-list");
  if (!list) return;
  const ranked = data.genes.filter((gene) => gene.rank > 0).sort((one, other) => one.rank - other.rank);
  const more = byId("more-dark");
  let shown = 0;
  const add = async (count) => {
    const next = ranked.slice(shown, shown + count);
    shown += next.length;
    const left = ranked.length - shown;
    show(more, left > 0);
    more.textContent = left > MORE ? `Show ${MORE} more of ${grouped(left)}` : `Show the last ${left === 1 ? "one" : left}`;
    const found = await Promise.all(next.map(known));
    list.append(...next.map((gene, at) => darkItem(gene, found[at], onOpen)));
  };
  more.addEventListener("click", () => add(MORE));
  add(AT_FIRST);
}

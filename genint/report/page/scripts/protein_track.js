// Where evidence and sequence features lie on the protein: one bar for each hit, one line for
// each kind of feature, all on the same scale.

import { drawn, element, grouped } from "./dom.js";

const LEFT = 1; // percent that stay free on both sides
const SPAN = 98;
const HIT_LINE = 26;
const FIRST_HIT = 34;

const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

/** Marks of the scale: not more than six, at round residues. */
function ticks(length) {
  const step = STEPS.find((one) => length / one <= 6) ?? length;
  const marks = [1];
  for (let residue = step; residue < length - step / 3; residue += step) marks.push(residue);
  return [...marks, length];
}

function at(residue, length) {
  return `${LEFT + (SPAN * residue) / length}%`;
}

function scale(length) {
  const marks = ticks(length).flatMap((residue) => {
    const x = at(residue === 1 ? 0 : residue, length);
    const anchor = residue === 1 ? "start" : residue === length ? "end" : "middle";
    return [
      drawn("line", { class: "tick", x1: x, x2: x, y1: 15, y2: 20 }),
      drawn("text", { class: "label", x, y: 11, "text-anchor": anchor }, grouped(residue)),
    ];
  });
  const bar = drawn("rect", {
    class: "protein", x: `${LEFT}%`, width: `${SPAN}%`, y: 20, height: 5, rx: 2.5,
  });
  return [...marks, bar];
}

function hitBar(hit, length, line) {
  const first = hit.item.protein_start - 1;
  const share = (hit.item.protein_end - first) / length;
  const y = FIRST_HIT + line * HIT_LINE;
  const label = `#${hit.number} ${hit.item.accession ?? hit.item.source}`;
  const behind = (first + (share * length) / 2) / length > 0.5; // label on the freer side
  const text = drawn(
    "text",
    {
      class: "hit-label",
      x: behind ? at(hit.item.protein_end, length) : at(first, length),
      y: y + 10,
      "text-anchor": behind ? "end" : "start",
    },
    `${label}  ${hit.item.protein_start}–${hit.item.protein_end}`,
  );
  return [
    text,
    drawn("rect", {
      class: hit.leads ? "hit leads" : "hit",
      x: at(first, length),
      width: `${SPAN * share}%`,
      y: y + 14,
      height: 7,
      rx: 2,
    }),
  ];
}

function legend(hits, kinds) {
  const seen = kinds.length ? "Grey: sequence features, which are no evidence of a function." : "";
  if (!hits.length) return seen;
  const covered = hits.some((hit) => !hit.leads)
    ? "Filled: supports the hypothesis. Outlined: supports another one."
    : "Residues of the protein that the evidence covers.";
  return `${covered} ${seen}`.trim();
}

/** All features of a kind on one line. */
function featureLine([kind, features], length, line) {
  const y = FIRST_HIT + line * HIT_LINE;
  const text = features.length > 1 ? `${kind} ×${features.length}` : `${kind}  ${features[0].start}–${features[0].end}`;
  return [
    drawn("text", { class: "hit-label", x: `${LEFT}%`, y: y + 10 }, text),
    ...features.map((one) =>
      drawn("rect", {
        class: "seen",
        x: at(one.start - 1, length),
        width: `${(SPAN * (one.end - one.start + 1)) / length}%`,
        y: y + 14,
        height: 7,
      }),
    ),
  ];
}

/** Features by their kinds, in the order of their first ones. */
function featureKinds(features) {
  const kinds = new Map();
  for (const one of features) kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one]);
  return [...kinds];
}

/** A figure of all hits and features with a place on the protein; null without one. */
export function proteinTrack({ evidence, features, leading, length }) {
  const hits = evidence
    .map((item, place) => ({ item, number: place + 1, leads: leading.has(place) }))
    .filter((hit) => hit.item.protein_start !== null && hit.item.protein_end !== null);
  const kinds = featureKinds(features);
  const lines = hits.length + kinds.length;
  if (!lines || length < 1) return null;
  const words = [
    ...hits.map(
      (hit) => `${hit.item.accession ?? hit.item.source} residues ${hit.item.protein_start} to ${hit.item.protein_end}`,
    ),
    ...features.map((one) => `${one.kind} residues ${one.start} to ${one.end}`),
  ];
  const svg = drawn(
    "svg",
    {
      class: "track",
      role: "img",
      "aria-label": `Protein of ${length} residues: ${words.join("; ")}`,
      width: "100%",
      height: FIRST_HIT + lines * HIT_LINE + 2,
    },
    ...scale(length),
    ...hits.flatMap((hit, line) => hitBar(hit, length, line)),
    ...kinds.flatMap((kind, line) => featureLine(kind, length, hits.length + line)),
  );
  return element("figure", { class: "track-figure" }, svg, element("figcaption", { class: "soft" }, legend(hits, kinds)));
}

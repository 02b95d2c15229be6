// The drawing: ruler, genes, names. The same code draws the page and the exported file.

import { arrayOutline, arrowOutline, joinOutline, lensOutline, rounded, svgElement } from "./map_shapes.js";
import { MAP_CRISPR, MAP_DARK, MAP_LOOKS, MAP_RNA, acrossOf, colourClass } from "./map_model.js";
import { MergedBlocks } from "./map_merge.js";
import { placeLabels } from "./map_labels.js";
import { piecesInSight } from "./map_pieces.js";
import { productMarks } from "./map_products.js";

const NARROWEST_PX = 1.5;
const LEAST_DASHED_PX = 6;

/** The corners of a part of a gene, and whether it carries the tip of the arrow. */
function partOutline(piece, part, tip, view) {
  const { item, shift } = piece;
  const start = Math.max(part.start + shift, piece.start);
  const end = Math.min(part.end + shift, piece.end);
  if (end <= start) return null;
  const [near, far] = acrossOf(item, view);
  const torn = [piece.torn[0] && start === piece.start, piece.torn[1] && end === piece.end];
  const [low, high] = [view.along(start), view.along(end)];
  if (item.look === MAP_CRISPR) return arrayOutline(low, high, near, far);
  if (item.look === MAP_RNA) return lensOutline(low, high, near, far);
  return arrowOutline(low, high, near, far, tip, torn);
}

/** One path for the whole of a gene in sight: its parts, and the line that joins them. */
export function itemPath(pieces, view) {
  const { item } = pieces[0];
  const paths = [];
  const tipped = item.side > 0 ? item.parts.length - 1 : 0;
  for (const piece of pieces) {
    const [near, far] = acrossOf(item, view);
    item.parts.forEach((part, n) => {
      const tip = n === tipped && !item.source.partial3 ? part.side : 0;
      const outline = partOutline(piece, part, tip, view);
      if (outline) paths.push(view.path(outline, item.side));
      const next = item.parts[n + 1];
      if (!next) return;
      const from = Math.max(part.end + piece.shift, piece.start);
      const to = Math.min(next.start + piece.shift, piece.end);
      if (to > from) {
        paths.push(view.path(joinOutline(view.along(from), view.along(to), near, far), item.side));
      }
    });
  }
  return paths.join("");
}

/** Ruler, backbone, and the text in the middle of a circle. */
export function drawRuler(group, view) {
  const nodes = view.backbone().map(({ d, kind }) => svgElement("path", { d, class: kind }));
  for (const tick of view.ruler()) {
    for (const [x1, y1, x2, y2, kind] of tick.lines) {
      nodes.push(svgElement("line", { x1, y1, x2, y2, class: `gm-${kind}` }));
    }
    const { x, y, anchor } = tick.text;
    nodes.push(svgElement("text", { x, y, "text-anchor": anchor, class: "gm-ruler" }, tick.label));
  }
  const caption = view.caption ? view.caption() : [];
  caption.forEach((line, n) => {
    const place = { x: rounded(view.centre[0]), y: rounded(view.centre[1] + 20 * n - 3) };
    const kind = n ? "gm-size" : "gm-title";
    nodes.push(svgElement("text", { ...place, "text-anchor": "middle", class: kind }, line));
  });
  group.replaceChildren(...nodes);
}

/**
 * Genes and their names. `exact` draws every gene as a shape of its own, for files; else genes
 * narrower than a pixel and a half are merged into blocks of the look that prevails.
 */
export function drawGenes(layers, view, model, exact = false) {
  const merged = new MergedBlocks(view, model.byCategory);
  const nodes = [];
  const wide = [];
  const range = view.range();
  const filtered = model.items.some((item) => item.faded);
  let narrow = 0;
  for (const item of model.items) {
    const pieces = piecesInSight(item, view, range);
    if (!pieces.length) continue;
    const width = Math.max(...pieces.map((piece) => view.along(piece.end) - view.along(piece.start)));
    const onBackbone = item.look === MAP_CRISPR;
    narrow += width < NARROWEST_PX && !onBackbone;
    if (width < NARROWEST_PX && !exact && !onBackbone) {
      pieces.forEach((piece) => merged.add(piece));
      if (filtered && !item.faded) wide.push(...pieces); // a hit may have a name however narrow it is
      continue;
    }
    const node = svgElement("path", { d: itemPath(pieces, view), class: classOf(item, width, model) });
    if (item.index !== null) node.setAttribute("data-index", item.index);
    if (exact) node.append(svgElement("title", {}, titleOf(item)));
    nodes.push(node);
    if (!onBackbone) wide.push(...pieces); // arrays have no names beside them
  }
  // What a filter hides lies under what it shows.
  nodes.sort((one, other) => other.classList.contains("gm-faded") - one.classList.contains("gm-faded"));
  layers.genes.replaceChildren(...merged.elements(), ...nodes, ...productMarks(model, view, exact));
  layers.labels.replaceChildren(...placeLabels(wide, view, model, narrow > wide.length / 2, filtered));
}

function classOf(item, width, model) {
  let open = "";
  // An outline wider than its gene would outshine its neighbours.
  if (item.look === MAP_DARK && width < NARROWEST_PX) open = " gm-sliver";
  else if (item.look === MAP_DARK) open = width < LEAST_DASHED_PX ? " gm-open gm-thin" : " gm-open";
  if (isRescued(item) && width >= LEAST_DASHED_PX) open += " gm-rescued";
  const colour = colourClass(item.look, item.group, model.byCategory);
  return `gm-gene ${colour}${open}${item.faded ? " gm-faded" : ""}`;
}

/** Whether the gene finder leaves a gene out. */
export function isRescued({ source }) {
  return typeof source.rescue === "number";
}

/** What an item does, or of what kind it is. */
export function functionOf({ look, source }) {
  if (look === MAP_CRISPR) return source.text;
  return look === MAP_RNA ? source.product || source.kind : source.label;
}

function titleOf(item) {
  const label = functionOf(item);
  return `${item.source.name || item.source.id}: ${label} (${MAP_LOOKS[item.look].word})`;
}

/** The layers of a drawing, from the lowest to the highest. */
export function drawingLayers(svg) {
  const names = ["bands", "ruler", "tracks", "genes", "marks", "labels"];
  const layers = Object.fromEntries(names.map((name) => [name, svgElement("g", { class: `gm-layer-${name}` })]));
  svg.replaceChildren(...Object.values(layers));
  return layers;
}

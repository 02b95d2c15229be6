// The address bar: "#gene=b0006&level=HIGH" names a gene and the filter, nothing else.

import { LEVELS, data } from "./data.js";
import { byId, show } from "./dom.js";
import { isOrder, noFilter, state } from "./filters.js";

/** Marks a name of an address that cannot be read. */
export const UNREADABLE = "";

/** Names and values of a hash; null where it is a place in the page, as "#dark" is. */
export function readHash(hash) {
  const text = hash.replace(/^#/u, "");
  if (!text.includes("=")) return text === "" ? new Map() : null;
  const found = new Map();
  for (const pair of text.split("&")) {
    const at = pair.indexOf("=");
    try {
      found.set(pair.slice(0, at), decodeURIComponent(pair.slice(at + 1)));
    } catch {
      return new Map([[UNREADABLE, text]]); // not an address that this page wrote
    }
  }
  return found;
}

const picked = (value) => value ?? null;

/** Take the filter that an address names. */
export function restore(found) {
  Object.assign(state, noFilter());
  state.query = found.get("find") ?? "";
  const names = (found.get("level") ?? "").split(",");
  state.levels = new Set(names.map((name) => LEVELS.indexOf(name)).filter((level) => level >= 0));
  state.cog = picked(found.get("cog"));
  state.category = picked(found.get("category"));
  state.verdict = picked(found.get("verdict"));
  state.bin = picked(found.get("bin"));
  const record = data.records[found.get("record")];
  state.record = record ? record.index : null;
  state.dark = found.get("dark") === "1";
  const sort = found.get("sort") ?? "place";
  state.descending = sort.startsWith("-");
  state.sort = isOrder(sort.replace("-", "")) ? sort.replace("-", "") : "place";
}

export function geneHash(id) {
  return `#gene=${encodeURIComponent(id)}`;
}

/** The address of the page as it is now. */
function address(gene) {
  const pairs = gene ? [["gene", gene.id]] : [];
  if (state.query.trim()) pairs.push(["find", state.query.trim()]);
  if (state.levels.size) pairs.push(["level", [...state.levels].sort().map((at) => LEVELS[at]).join(",")]);
  for (const name of ["cog", "category", "record", "verdict", "bin"]) {
    if (state[name] !== null) pairs.push([name, String(state[name])]);
  }
  if (state.dark) pairs.push(["dark", "1"]);
  const sort = `${state.descending ? "-" : ""}${state.sort}`;
  if (sort !== "place") pairs.push(["sort", sort]);
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return text ? `#${text}` : location.pathname + location.search;
}

/** Write the address; a step back leads to the gene before, never through filters. */
export function remember(gene, { step = false } = {}) {
  try {
    history[step ? "pushState" : "replaceState"](null, "", address(gene));
  } catch {
    // Some browsers refuse this for files; the page works without.
  }
}

/** Show the way to the list of genomes where a service gives this page; a saved one has none. */
export function showWayBack() {
  const isServed = /^https?:$/.test(location.protocol) && /^\/reports\/[0-9a-f-]{36}\.html$/.test(location.pathname);
  show(byId("home"), isServed);
}

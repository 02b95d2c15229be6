// Search, filters, sorting, and the bars of the charts that filter too.

import { data } from "./data.js";
import { byId, element, grouped, show } from "./dom.js";
import { isFiltered, noFilter, startsDescending, state } from "./filters.js";

const PICKS = ["cog", "category", "record", "verdict"];

function onPick(name, changed) {
  byId(name)?.addEventListener("change", (event) => {
    const { value } = event.target;
    const picked = value === "any" ? null : value.slice(1);
    state[name] = name === "record" && picked !== null ? Number(picked) : picked;
    changed();
  });
}

function onChips(changed) {
  byId("level-chips").addEventListener("click", (event) => {
    const chip = event.target.closest("[data-level]");
    if (!chip) return;
    const level = Number(chip.dataset.level);
    if (!state.levels.delete(level)) state.levels.add(level);
    changed();
  });
}

function onBars(changed) {
  for (const bars of document.querySelectorAll("[data-filter]")) {
    const name = bars.dataset.filter;
    const press = (event) => {
      const bar = event.target.closest("[data-key]");
      if (!bar) return;
      event.preventDefault();
      state[name] = state[name] === bar.dataset.key ? null : bar.dataset.key;
      changed();
    };
    bars.addEventListener("click", press);
    bars.addEventListener("keydown", (event) => {
      const drawnBar = event.target.closest("g[data-key]"); // buttons know these keys themselves
      if (drawnBar && (event.key === "Enter" || event.key === " ")) press(event);
    });
  }
}

function onSort(changed) {
  byId("gene-table").tHead.addEventListener("click", (event) => {
    const order = event.target.closest("[data-sort]")?.dataset.sort;
    if (!order) return;
    state.descending = state.sort === order ? !state.descending : startsDescending(order);
    state.sort = order;
    changed();
  });
  byId("sort").addEventListener("change", (event) => {
    state.sort = event.target.value;
    state.descending = startsDescending(state.sort);
    changed();
  });
}

/** Make the controls change the state; `changed` is called after each change. */
export function startToolbar(changed) {
  data.records.forEach((record, at) => {
    if (record.genes) byId("record")?.append(element("option", { value: `=${at}` }, record.id));
  });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("find").addEventListener("input", (event) => {
    state.query = event.target.value;
    changed();
  });
  byId("dark-only").addEventListener("change", (event) => {
    state.dark = event.target.checked;
    changed();
  });
  for (const name of PICKS) onPick(name, changed);
  onChips(changed);
  onBars(changed);
  onSort(changed);
  byId("clear").addEventListener("click", () => {
    Object.assign(state, noFilter());
    changed();
    byId("find").focus();
  });
}

/** Let the controls show the state, and the number of genes that are left. */
export function showToolbar(shown) {
  if (byId("find").value.trim() !== state.query.trim()) byId("find").value = state.query;
  byId("dark-only").checked = state.dark;
  byId("sort").value = state.sort;
  for (const name of PICKS) {
    if (byId(name)) byId(name).value = state[name] === null ? "any" : `=${state[name]}`;
  }
  for (const chip of document.querySelectorAll("[data-level]")) {
    chip.setAttribute("aria-pressed", state.levels.has(Number(chip.dataset.level)));
  }
  for (const bar of document.querySelectorAll("[data-filter] [data-key]")) {
    const name = bar.closest("[data-filter]").dataset.filter;
    bar.setAttribute("aria-pressed", state[name] === bar.dataset.key);
  }
  for (const head of document.querySelectorAll("[data-sort]")) {
    const cell = head.closest("th");
    if (head.dataset.sort !== state.sort) cell.removeAttribute("aria-sort");
    else cell.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
  }
  const total = data.genes.length;
  const genes = total === 1 ? "gene" : "genes";
  byId("shown-count").textContent = `${grouped(shown)} of ${grouped(total)} ${genes}`;
  byId("bars-count").textContent = `${grouped(shown)} of ${grouped(total)} ${genes} shown.`;
  show(byId("clear"), isFiltered());
}

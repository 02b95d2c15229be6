// What is said of the genome as a whole: its stretches are shown on the map.

import { data } from "./data.js";
import { byId, show } from "./dom.js";

/** `showStretch` takes the number of a record, the first and the last base. */
export function startOverview(showStretch) {
  const numbers = new Map(data.records.filter((record) => record.genes > 0).map((record) => [record.id, record.index]));
  for (const shower of document.querySelectorAll("#overview [data-first]")) {
    const { record, first, last } = shower.dataset;
    if (!numbers.has(record)) continue;
    show(shower, true);
    shower.addEventListener("click", () => {
      showStretch(numbers.get(record), Number(first), Number(last));
      byId("map").scrollIntoView();
    });
  }
}

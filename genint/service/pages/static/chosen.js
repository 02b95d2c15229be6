// Genomes that are chosen in the list: an archive of their files, two compared, all deleted.

import { ask } from "./api.js";
import { byId, ask as confirmed, element, say, setText, show } from "./dom.js";
import { save } from "./files.js";

/** As many as one archive takes. */
const MOST = 100;
const chosen = new Map();

/** Prepare the bar of actions; `onDeleted` is called after genomes were deleted. */
export function prepareChosen(onDeleted) {
  byId("choose-all").addEventListener("change", (event) => {
    for (const box of boxes()) {
      box.checked = event.target.checked;
      note(box);
    }
    tell();
  });
  byId("chosen").addEventListener("submit", (event) => {
    event.preventDefault();
    saveChosen(event.submitter);
  });
  byId("delete-chosen").addEventListener("click", (event) => deleteChosen(event.target, onDeleted));
}

function boxes() {
  return byId("jobs").tBodies[0].querySelectorAll("input[type=checkbox]");
}

/** A box that chooses a genome. */
export function chooser(jobId, filename) {
  const box = element("input", { type: "checkbox", value: jobId, "aria-label": `Choose ${filename}` });
  box.dataset.name = filename;
  box.checked = chosen.has(jobId);
  box.addEventListener("change", () => {
    note(box);
    tell();
  });
  return box;
}

function note(box) {
  if (box.checked) chosen.set(box.value, box.dataset.name);
  else chosen.delete(box.value);
}

/** Forget genomes that are not shown any more. */
export function keepChosen(shown) {
  for (const id of chosen.keys()) if (!shown.has(id)) chosen.delete(id);
  tell();
}

function tell() {
  const count = chosen.size;
  show(byId("chosen"), count > 0);
  setText(byId("chosen-count"), count === 1 ? "1 genome chosen" : `${count} genomes chosen`);
  const [first, second] = chosen.keys();
  show(byId("compare"), count === 2);
  if (count === 2) byId("compare").href = `/api/v1/jobs/${first}/difference?other=${second}`;
  const shown = boxes();
  byId("choose-all").checked = count > 0 && count === shown.length;
  byId("choose-all").indeterminate = count > 0 && count < shown.length;
}

async function saveChosen(button) {
  const picked = byId("formats").querySelectorAll("input:checked");
  const names = Array.from(picked, (box) => box.value);
  if (names.length === 0) return say("Choose a format first.");
  if (chosen.size > MOST) return say(`An archive takes ${MOST} genomes at most.`);
  const query = new URLSearchParams({ jobs: [...chosen.keys()].join(), formats: names.join() });
  return save(button, `${chosen.size} chosen`, `/results.zip?${query}`);
}

async function deleteChosen(button, onDeleted) {
  const count = chosen.size;
  const what = count === 1 ? [...chosen.values()][0] : `${count} genomes`;
  const question = `Delete ${what} with results and reports? This cannot be undone.`;
  if (!(await confirmed(question, "Delete"))) return;
  button.disabled = true;
  let deleted = 0;
  try {
    for (const id of [...chosen.keys()]) {
      await ask("DELETE", `/jobs/${id}`);
      chosen.delete(id);
      deleted += 1;
    }
    say(`${deleted === 1 ? what : `${deleted} genomes`} deleted.`);
  } catch (error) {
    say(`${deleted} of ${count} deleted: ${error.message}`);
  }
  button.disabled = false;
  await onDeleted();
  byId("find").focus();
}

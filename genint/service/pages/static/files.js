// The files of a finished genome, to be saved.

import { download } from "./api.js";
import { byId, element, say } from "./dom.js";

/** All formats that the service makes, as the page lists them: the report has a link of its own. */
function formats() {
  const boxes = byId("formats").querySelectorAll("input");
  const found = Array.from(boxes, (box) => [box.value, box.dataset.shown, box.parentElement.title]);
  return found.filter(([name]) => name !== "html");
}

/**
 * A list of files that opens and closes.
 *
 * @param {string} filename of the genome
 * @param {string} jobId
 */
export function fileMenu(filename, jobId) {
  const items = formats().map(([format, name, what]) => {
    const labels = { "aria-label": `${name}: ${filename}`, title: what };
    const button = element("button", { type: "button", ...labels }, name);
    button.addEventListener("click", () => save(button, filename, `/jobs/${jobId}/result?format=${format}`));
    return element("li", {}, button);
  });
  const summary = element("summary", { "aria-label": `Files: ${filename}` }, "Files");
  return element("details", { className: "files" }, summary, element("ul", {}, ...items));
}

/** Fetch a file and save it; `filename` says in messages of what it is. */
export async function save(button, filename, path) {
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

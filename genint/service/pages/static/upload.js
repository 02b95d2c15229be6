// Choosing genome files and handing them in.

import { newKey, upload } from "./api.js";
import { byId, element, fileSize, say, setText } from "./dom.js";

/** What has to be known before a mode is chosen; others need no word. */
const NOTES = {
  online:
    "Only checksums of the proteins and identifiers of the file leave this host, for UniProt and " +
    "InterPro; no sequence does.",
};

/** Files that wait to be sent: file, the options and key it was sent with, its line in the list. */
let waiting = [];
let isSending = false;

/** Prepare the form; `onSubmitted` is called after every genome that was taken. */
export function prepareUpload(onSubmitted) {
  const input = byId("files");
  const drop = byId("drop");
  input.addEventListener("change", () => {
    add(input.files);
    input.value = "";
  });
  // A file dropped beside the field would otherwise replace the page.
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => event.preventDefault());
  drop.addEventListener("dragover", () => drop.classList.add("over"));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    add(event.dataTransfer.files);
  });
  byId("mode").addEventListener("change", tellMode);
  tellMode(); // a browser may restore what was chosen before
  byId("upload").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isSending) sendAll(onSubmitted);
  });
}

function tellMode() {
  setText(byId("mode-note"), NOTES[byId("mode").value] ?? "");
}

/** Forget what waits: another user may log in. */
export function clearUpload() {
  waiting = [];
  byId("queue").replaceChildren();
  byId("proteins").value = "";
  offer();
}

function add(files) {
  for (const file of files) {
    const entry = { file, options: null, key: null };
    const remove = element("button", { type: "button" }, "Remove");
    remove.setAttribute("aria-label", `Remove ${file.name}`);
    remove.addEventListener("click", () => {
      waiting = waiting.filter((other) => other !== entry);
      entry.line.remove();
      offer();
      byId("files").focus();
    });
    const size = element("span", { className: "soft" }, fileSize(file.size));
    entry.line = element("li", {}, element("bdi", {}, file.name), size, remove);
    waiting.push(entry);
    byId("queue").append(entry.line);
  }
  offer();
}

function offer() {
  const count = waiting.length;
  const text = { 0: "Interpret", 1: "Interpret this file" }[count] ?? `Interpret ${count} files`;
  setText(byId("send"), text);
  byId("send").disabled = count === 0 || isSending;
}

async function sendAll(onSubmitted) {
  isSending = true;
  offer();
  const options = {
    phage: byId("phage").checked,
    afresh: byId("afresh").checked,
    mode: byId("mode").value,
    prefix: byId("prefix").value.trim(),
    date: byId("date").value,
    proteins: byId("proteins").files[0] ?? null,
  };
  for (const entry of [...waiting]) {
    if (waiting.includes(entry) && (await send(entry, options))) onSubmitted();
  }
  isSending = false;
  offer();
}

/** True once the service has taken the file. One that fails stays, and can be sent again. */
async function send(entry, options) {
  const { file, line } = entry;
  // The genome may have been taken although the answer got lost: sent again with the same key it
  // is one job.
  const { proteins } = options;
  const about = proteins && [proteins.name, proteins.size, proteins.lastModified];
  const request = JSON.stringify({ ...options, proteins: about });
  if (entry.options !== request) {
    entry.options = request;
    entry.key = newKey();
  }
  line.querySelector(".problem")?.remove();
  const bar = element("progress", { max: 1, value: 0 });
  bar.setAttribute("aria-label", `${file.name}: sent`);
  const remove = line.querySelector("button");
  remove.replaceWith(bar);
  try {
    await upload(file, { ...options, key: entry.key }, (share) => {
      bar.value = share;
    });
    waiting = waiting.filter((other) => other !== entry);
    line.remove();
    say(`${file.name} was submitted.`);
    return true;
  } catch (error) {
    bar.replaceWith(remove);
    line.append(element("p", { className: "problem", role: "alert" }, error.message));
    return false;
  }
}

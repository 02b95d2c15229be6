// Reports that are not public: links for others.

import { ask } from "./api.js";
import { byId, element, moment, say, setText, show } from "./dom.js";

export const arePublic = byId("genomes").dataset.publicReports === "true";
let job = null;

export function prepareShare() {
  byId("share-new").addEventListener("click", makeLink);
  byId("share-close").addEventListener("click", () => byId("share").close());
  byId("share-copy").addEventListener("click", copy);
}

/** Show the links to the report of a job. */
export async function share(shared) {
  job = shared;
  setText(byId("share-title"), `Links to the report of ${job.filename}`);
  showMade("");
  try {
    await list();
    byId("share").showModal();
  } catch (error) {
    say(error.message);
  }
}

async function list() {
  const { links } = await ask("GET", `/jobs/${job.job_id}/links`);
  byId("share-links").replaceChildren(...links.map(line));
  show(byId("share-none"), links.length === 0);
}

function line(link) {
  const until = link.expires_at ? ["expires ", moment(link.expires_at)] : ["does not expire"];
  const revoke = element("button", { type: "button" }, "Revoke");
  const made = element("span", {}, "made ", moment(link.created_at));
  revoke.addEventListener("click", () =>
    tried(async () => {
      await ask("DELETE", `/jobs/${job.job_id}/links/${link.id}`);
      showMade("");
      await list();
      byId("share-new").focus();
    }),
  );
  return element("li", {}, made, element("span", { className: "soft" }, ...until), revoke);
}

function makeLink() {
  return tried(async () => {
    const { url } = await ask("POST", `/jobs/${job.job_id}/links`, {});
    await list();
    showMade(new URL(url, location.origin).href);
    byId("share-url").select();
  });
}

/** What fails is said where it is seen: the dialog covers the page. */
async function tried(action) {
  try {
    await action();
  } catch (error) {
    setText(byId("share-title"), error.message);
  }
}

function showMade(url) {
  byId("share-url").value = url;
  setText(byId("share-copy"), "Copy");
  show(byId("share-made"), url !== "");
  show(byId("share-once"), url !== "");
}

async function copy() {
  try {
    await navigator.clipboard.writeText(byId("share-url").value);
    setText(byId("share-copy"), "Copied");
  } catch {
    byId("share-url").select();
  }
}

// Which view is shown, and to whom.

import { choose, prepareAccount } from "./account.js";
import { ask, session, whenSessionEnds } from "./api.js";
import { clearDark, openDark, prepareDark } from "./dark.js";
import { byId, ask as confirmed, moment, say, setText, show, trouble } from "./dom.js";
import { prepareGuest } from "./guest.js";
import { clearJobs, closeJobs, prepareJobs, refreshJobs } from "./jobs.js";
import { clearKeys, openKeys, prepareKeys } from "./keys.js";
import { prepareShare } from "./share.js";
import { clearUpload, prepareUpload } from "./upload.js";

const VIEWS = {
  genomes: { title: "Genomes", open: refreshJobs, close: closeJobs },
  dark: { title: "Dark genes", open: openDark, close: clearDark },
  keys: { title: "API keys", open: openKeys, close: clearKeys },
};
let current = null;

/** The view of the address. A guest may sign up, and has no keys. */
function wanted(known) {
  const name = location.hash.slice(1);
  if (known.guestUntil && name === "join") return "welcome";
  return name in VIEWS ? name : "genomes";
}

/** Show the view of the address, or the login form. */
function route({ focus = false } = {}) {
  const known = session.get();
  const name = known ? wanted(known) : "welcome";
  if (current !== null && current !== name) VIEWS[current]?.close();
  current = name;
  for (const view of document.querySelectorAll(".view")) show(view, view.id === name);
  show(byId("menu"), known !== null);
  show(byId("logout"), known !== null);
  tellWho(known);
  if (known && name === "welcome") choose(true);
  document.title = name in VIEWS ? `${VIEWS[name].title}: genint` : "genint";
  for (const link of byId("menu").children) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  trouble("");
  if (focus) byId("main").focus();
  VIEWS[name]?.open();
}

function tellWho(known) {
  const isGuest = Boolean(known?.guestUntil);
  setText(byId("who"), isGuest ? "Guest" : (known?.user.email ?? ""));
  for (const link of document.querySelectorAll(".of-account")) show(link, !isGuest);
  for (const id of ["join", "guest-note"]) show(byId(id), isGuest);
  if (isGuest) byId("guest-until").replaceChildren(moment(known.guestUntil));
  const asGuest = byId("as-guest"); // only where the service takes guests
  if (asGuest) show(asGuest, !isGuest);
}

/** Begin at the genomes, whatever the address said before. */
function enter() {
  say("");
  if (location.hash === "#join") history.replaceState(null, "", "/app");
  route({ focus: true });
}

function leave(text) {
  session.forget();
  clearJobs();
  clearDark();
  clearKeys();
  clearUpload();
  choose(false);
  route();
  say(text);
  byId("account").elements.email.focus();
}

whenSessionEnds(() => leave("Your session has ended. Please log in again."));
prepareAccount(enter);
prepareGuest(async () => {
  await session.restore();
  enter();
});
prepareUpload(refreshJobs);
prepareJobs();
prepareDark();
prepareShare();
prepareKeys();
byId("logout").addEventListener("click", async () => {
  const question = "Log out? A guest cannot come back to these genomes.";
  if (session.get()?.guestUntil && !(await confirmed(question, "Log out"))) return;
  try {
    await ask("DELETE", "/auth/session");
    leave("You are logged out.");
  } catch (error) {
    trouble(error.message);
  }
});
byId("end-guest").addEventListener("click", async () => {
  const question = "Delete all genomes, results and reports of this guest? This cannot be undone.";
  if (!(await confirmed(question, "Delete all of it"))) return;
  try {
    await ask("DELETE", "/auth/me", {});
    leave("Your genomes and all other data are deleted.");
  } catch (error) {
    if (error.status !== 401) trouble(error.message);
  }
});
window.addEventListener("hashchange", () => {
  if (location.hash === "#main") return;
  say("");
  route({ focus: true });
});
session.restore().then(() => route(), (error) => trouble(`${error.message} Load the page again.`));

// Which view is shown, and to whom.

import { choose, prepareAccount } from "./account.js";
import { ask, session, whenSessionEnds } from "./api.js";
import { clearDark, openDark, prepareDark } from "./dark.js";
import { byId, say, setText, show, trouble } from "./dom.js";
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

function wanted() {
  const name = location.hash.slice(1);
  return name in VIEWS ? name : "genomes";
}

/** Show the view of the address, or the login form. */
function route({ focus = false } = {}) {
  const known = session.get();
  const name = known ? wanted() : "welcome";
  if (current !== null && current !== name) VIEWS[current]?.close();
  current = name;
  for (const view of document.querySelectorAll(".view")) show(view, view.id === name);
  show(byId("menu"), known !== null);
  show(byId("logout"), known !== null);
  setText(byId("who"), known ? known.user.email : "");
  document.title = known ? `${VIEWS[name].title}: genint` : "genint";
  for (const link of byId("menu").children) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  trouble("");
  if (focus) byId("main").focus();
  VIEWS[name]?.open();
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
prepareAccount(() => {
  say("");
  route({ focus: true });
});
prepareUpload(refreshJobs);
prepareJobs();
prepareDark();
prepareShare();
prepareKeys();
byId("logout").addEventListener("click", async () => {
  try {
    await ask("DELETE", "/auth/session");
    leave("You are logged out.");
  } catch (error) {
    trouble(error.message);
  }
});
window.addEventListener("hashchange", () => {
  if (location.hash === "#main") return;
  say("");
  route({ focus: true });
});
session.restore().then(() => route(), (error) => trouble(`${error.message} Load the page again.`));

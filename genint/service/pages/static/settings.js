// The page of the account: password, sessions, deletion.

import { ask, session, whenSessionEnds } from "./api.js";
import { byId, ask as confirmed, problem, say, setText, show, trouble } from "./dom.js";

/** Show the forms to whoever is logged in. */
function open() {
  const known = session.get();
  if (!known || known.guestUntil) {
    leave(known ? "You are a guest: there is nothing to set." : "You are not logged in.");
    return;
  }
  setText(byId("settings-email"), known.user.email);
  for (const id of ["change-password", "delete-account"]) byId(id).reset();
  byId("change-password").elements.username.value = known.user.email;
  show(byId("settings"), true);
}

/** Take away all that was on the page. */
function leave(text) {
  byId("settings").remove();
  setText(byId("left-text"), text);
  show(byId("left"), true);
  byId("main").focus();
}

async function change(form) {
  problem(byId("change-problem"), "");
  const { current, new: wanted } = form.elements;
  try {
    const body = { current_password: current.value, new_password: wanted.value };
    session.keep(await ask("POST", "/auth/password", body));
    open();
    say("Your password is changed. All other browsers are logged out.");
  } catch (error) {
    refused("change-problem", error, current);
  }
}

async function logOutEverywhere() {
  try {
    await ask("POST", "/auth/logout-everywhere");
    session.forget();
    leave("You are logged out everywhere.");
  } catch (error) {
    if (error.status !== 401) trouble(error.message);
  }
}

async function remove(form) {
  problem(byId("delete-problem"), "");
  const { password } = form.elements;
  const question = "Delete your account with all genomes, results, reports and keys? This cannot be undone.";
  if (!(await confirmed(question, "Delete all of it"))) return;
  try {
    await ask("DELETE", "/auth/me", { password: password.value });
    session.forget();
    leave("Your account and all its data are deleted.");
  } catch (error) {
    refused("delete-problem", error, password);
  }
}

function refused(id, error, field) {
  if (error.status === 401) return;
  problem(byId(id), error.message);
  if (error.status === 403) field.select();
}

/** Run one action of a form at a time. */
function onSubmit(id, action) {
  byId(id).addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button");
    if (button.disabled) return;
    button.disabled = true;
    say("");
    trouble("");
    try {
      await action(event.target);
    } finally {
      button.disabled = false;
    }
  });
}

whenSessionEnds(() => {
  session.forget();
  leave("Your session has ended. Please log in again.");
});
onSubmit("change-password", change);
onSubmit("delete-account", remove);
byId("logout-everywhere").addEventListener("click", logOutEverywhere);
session.restore().then(open, (error) => trouble(error.message));

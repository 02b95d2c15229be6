// Signing up and logging in.

import { ask, session } from "./api.js";
import { byId, problem, setText, show } from "./dom.js";

let isNew = false;

/** Prepare the form; `onEnter` is called after login. */
export function prepareAccount(onEnter) {
  byId("account-switch").addEventListener("click", () => choose(!isNew));
  byId("account").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const button = byId("account-go");
    problem(byId("account-problem"), "");
    button.disabled = true;
    try {
      session.keep(await ask("POST", isNew ? "/auth/signup" : "/auth/login", values(form)));
      form.reset();
      onEnter();
    } catch (error) {
      problem(byId("account-problem"), explained(error));
      form.elements[error.status === 401 ? "password" : "email"].focus();
    } finally {
      button.disabled = false;
    }
  });
}

/** Show the form to sign up, or to log in. */
export function choose(newcomer) {
  isNew = newcomer;
  const verb = isNew ? "Create an account" : "Log in";
  show(byId("names"), isNew);
  show(byId("password-rule"), isNew);
  show(byId("forgotten"), !isNew);
  setText(byId("account-title"), verb);
  setText(byId("account-go"), verb);
  setText(byId("account-other"), isNew ? "Have an account?" : "New here?");
  setText(byId("account-switch"), isNew ? "Log in" : "Create an account");
  byId("account").elements.password.autocomplete = isNew ? "new-password" : "current-password";
  problem(byId("account-problem"), "");
}

function values(form) {
  const { email, password, first_name: first, last_name: last } = form.elements;
  const known = { email: email.value.trim(), password: password.value };
  return isNew ? { ...known, first_name: first.value.trim(), last_name: last.value.trim() } : known;
}

function explained(error) {
  if (error.status === 401) return "E-mail or password is wrong.";
  if (error.status === 409) return "There is an account with this e-mail already: log in instead.";
  return error.message;
}

// Setting a new password by a link. Its secret is behind the #, and goes from the address and
// the history of the browser at once.

import { ask } from "./api.js";
import { byId, problem, show } from "./dom.js";

let token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
const MISSING = "This link is not whole. Copy all of it, or request another one.";
problem(byId("reset-problem"), token ? "" : MISSING);

byId("reset").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector("button");
  if (!token) return;
  problem(byId("reset-problem"), "");
  button.disabled = true;
  try {
    const body = { token, new_password: form.elements.password.value };
    await ask("POST", "/auth/reset-password", body);
    token = "";
    form.reset();
    show(form, false);
    show(byId("reset-done"), true);
  } catch (error) {
    problem(byId("reset-problem"), error.message);
  } finally {
    button.disabled = false;
  }
});

// The same page opened again by another link.
window.addEventListener("hashchange", () => {
  if (location.hash.length > 1 && location.hash !== "#main") location.reload();
});

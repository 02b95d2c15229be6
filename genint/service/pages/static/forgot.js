// Requesting a link for a new password.

import { ask } from "./api.js";
import { byId, problem, setText } from "./dom.js";

byId("forgot").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector("button");
  problem(byId("forgot-problem"), "");
  setText(byId("forgot-done"), "");
  button.disabled = true;
  try {
    const answer = await ask("POST", "/auth/forgot-password", { email: form.elements.email.value.trim() });
    setText(byId("forgot-done"), answer.message);
  } catch (error) {
    problem(byId("forgot-problem"), error.message);
  } finally {
    button.disabled = false;
  }
});

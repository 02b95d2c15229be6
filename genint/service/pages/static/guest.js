// Trying the service without an account, where its operator allows that.

import { ask } from "./api.js";
import { byId, problem } from "./dom.js";

/** Prepare the button, if there is one; `onEnter` is called once the guest is in. */
export function prepareGuest(onEnter) {
  const button = byId("guest");
  button?.addEventListener("click", async () => {
    problem(byId("guest-problem"), "");
    button.disabled = true;
    try {
      await ask("POST", "/auth/guest");
      await onEnter();
    } catch (error) {
      problem(byId("guest-problem"), error.message);
    } finally {
      button.disabled = false;
    }
  });
}

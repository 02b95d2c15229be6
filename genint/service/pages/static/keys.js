// API keys: make, show once, list, revoke.

import { ask } from "./api.js";
import { byId, ask as confirmed, element, moment, say, setText, show, trouble } from "./dom.js";

const SCOPES = { full: "all", read: "read only" };

export function prepareKeys() {
  byId("new-key").addEventListener("submit", async (event) => {
    event.preventDefault();
    await make(event.target);
  });
  byId("copy").addEventListener("click", copy);
}

export function openKeys() {
  clearKeys();
  list();
}

/** Forget the keys on the page, above all the one that is shown once. */
export function clearKeys() {
  byId("raw-key").value = "";
  show(byId("made"), false);
  byId("key-list").tBodies[0].replaceChildren();
}

async function make(form) {
  const { name, expires, scope } = form.elements;
  const body = { name: name.value.trim(), scope: scope.value };
  if (expires.value) body.expires_in_days = Number(expires.value);
  try {
    const made = await ask("POST", "/keys", body);
    trouble("");
    form.reset();
    byId("raw-key").value = made.key;
    setText(byId("copy"), "Copy");
    show(byId("made"), true);
    byId("raw-key").focus();
    byId("raw-key").select();
    await list();
  } catch (error) {
    if (error.status !== 401) trouble(error.message);
  }
}

async function copy() {
  const field = byId("raw-key");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without HTTPS there is no clipboard; the key stays selected for the keyboard.
    say("Press Ctrl+C (or Cmd+C) to copy the key.");
    return;
  }
  setText(byId("copy"), "Copied");
  say("The key is in the clipboard.");
}

async function list() {
  try {
    const { keys } = await ask("GET", "/keys");
    byId("key-list").tBodies[0].replaceChildren(...keys.map(line));
    show(byId("key-list"), keys.length > 0);
    show(byId("no-keys"), keys.length === 0);
  } catch (error) {
    if (error.status !== 401) trouble(error.message);
  }
}

function line(key) {
  const cell = (label, content) => element("td", { "data-label": label }, content);
  const action = element("td", {}, key.revoked_at ? "revoked " : revokeButton(key));
  if (key.revoked_at) action.append(moment(key.revoked_at));
  return element(
    "tr",
    { className: key.revoked_at ? "revoked" : "" },
    element("th", { scope: "row" }, key.name),
    cell("Begins with", element("code", {}, key.key_prefix)),
    cell("Rights", SCOPES[key.scope]),
    cell("Made", moment(key.created_at)),
    cell("Last used", key.last_used_at ? moment(key.last_used_at) : "never"),
    cell("Expires", key.expires_at ? moment(key.expires_at) : "never"),
    action,
  );
}

function revokeButton(key) {
  const button = element("button", { type: "button" }, "Revoke");
  button.setAttribute("aria-label", `Revoke ${key.name}`);
  button.addEventListener("click", async () => {
    const question = `Revoke the key “${key.name}”? Programs that use it, or keys made with it, are shut out at once.`;
    if (!(await confirmed(question, "Revoke it"))) return;
    try {
      await ask("DELETE", `/keys/${encodeURIComponent(key.id)}`);
      say(`The key “${key.name}” is revoked.`);
      await list();
    } catch (error) {
      if (error.status !== 401) trouble(error.message);
    }
  });
  return button;
}

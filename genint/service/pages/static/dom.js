// Elements and sentences. Text always goes in as text: nothing here, or in any file of
// this page, turns a string into markup.

export const byId = (id) => document.getElementById(id);

/** A new element; `props` are properties, or attributes where they are of ARIA or data. */
export function element(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.includes("-") || name === "role") made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(...children);
  return made;
}

/** Change a text only where it differs, so that screen readers and selections rest. */
export function setText(node, text) {
  const wanted = String(text);
  if (node.textContent !== wanted) node.textContent = wanted;
}

export function show(node, visible) {
  node.hidden = !visible;
}

/** Show a message, also to screen readers. */
export function say(text) {
  setText(byId("notice"), text);
}

/** What is wrong with the page as a whole; an empty text takes it back. */
export function trouble(text) {
  setText(byId("trouble"), text);
  show(byId("trouble"), text !== "");
}

/** What is wrong with a form. */
export function problem(node, text) {
  setText(node, text);
  show(node, text !== "");
}

/** A moment in the reader's own time and language. */
export function moment(iso) {
  if (!iso) return element("span", {}, "");
  const when = new Date(iso);
  const text = when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return element("time", { dateTime: iso, title: when.toString() }, text);
}

/** Ask before something that cannot be undone; true for yes. */
export function ask(question, verb) {
  const dialog = byId("ask");
  setText(byId("ask-text"), question);
  setText(byId("ask-yes"), verb);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

const UNITS = ["bytes", "kB", "MB", "GB"];

export function fileSize(bytes) {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
}

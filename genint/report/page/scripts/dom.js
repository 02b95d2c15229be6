// Making elements. Text of the result is only ever text: nothing here reads markup.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** An element with attributes (all named in these scripts) and children; text stays text. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

export function button(label, attributes, onClick) {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onClick);
  return made;
}

/** A link to a page that the report names, which are all https; text without one. */
export function external(text, page, kind = null) {
  if (!page?.startsWith("https://")) return element("span", { class: kind }, text);
  const made = element("a", { class: kind, rel: "noopener noreferrer", target: "_blank" }, text);
  made.href = page;
  return made;
}

export function levelBadge(level, score = null) {
  const text = score === null || level === "NONE" ? level : `${level} ${score.toFixed(2)}`;
  return element("span", { class: `lv ${level.toLowerCase()}` }, text);
}

/** A number with a thin bar; the bar only repeats the number. */
export function meter(value, text) {
  const fill = drawn("rect", { width: Math.max(0, Math.min(1, value)) * 100, height: 1 });
  const bar = drawn(
    "svg",
    { class: "meter", viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": "true" },
    fill,
  );
  return element("span", { class: "metered" }, bar, element("span", { class: "num" }, text));
}

export const grouped = (number) => number.toLocaleString("en-US");

export function show(item, visible) {
  if (item) item.hidden = !visible;
}

let noticeTimer = 0;

/** A word to the reader that goes away by itself; screen readers speak it. */
export function notice(text) {
  const place = byId("notice");
  place.textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    place.textContent = "";
  }, 6000);
}

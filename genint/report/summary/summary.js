"use strict";
// A click on the head of a column sorts its table: numbers from high to low first, text from A to Z.
function valueOf(row, at) {
  const cell = row.cells[at];
  return cell.dataset.value ?? cell.textContent.trim();
}
function sort(head, at, isNumber) {
  const body = head.closest("table").tBodies[0];
  const before = head.getAttribute("aria-sort");
  const first = isNumber ? "descending" : "ascending";
  const order = before === first ? (isNumber ? "ascending" : "descending") : first;
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const number = (text) => (text === "" ? NaN : Number(text.replaceAll(",", "")));
  const compare = (a, b) => {
    if (!isNumber) return sign * a.localeCompare(b, "en", { numeric: true });
    const [one, other] = [number(a), number(b)];
    if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) - Number.isNaN(other);
    return sign * (one - other);
  };
  const rows = Array.from(body.rows, (row) => [valueOf(row, at), row]);
  rows.sort((a, b) => compare(a[0], b[0]));
  body.append(...rows.map((pair) => pair[1]));
}
for (const table of document.querySelectorAll("table.sortable")) {
  Array.from(table.tHead.rows[0].cells).forEach((head, at) => {
    const isNumber = head.classList.contains("number") || head.classList.contains("levels");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(head, at, isNumber));
    head.replaceChildren(button);
  });
}

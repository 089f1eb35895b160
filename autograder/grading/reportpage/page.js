// Sorts a table by the column whose heading is pressed, and the other way round when it is pressed again.
"use strict";
function value(row, column) {
  const cell = row.cells[column];
  return "v" in cell.dataset ? (cell.dataset.v === "" ? -Infinity : Number(cell.dataset.v)) : cell.textContent;
}
function compare(a, b) {
  if (typeof a === "string") return a.localeCompare(b, undefined, { numeric: true });
  return a === b ? 0 : a < b ? -1 : 1;
}
function sortBy(heading) {
  const column = heading.cellIndex, body = heading.closest("table").tBodies[0];
  const sign = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  const rows = Array.from(body.rows, (row) => [value(row, column), row]);
  rows.sort((a, b) => sign * compare(a[0], b[0]));
  body.append(...rows.map(([, row]) => row));
}
for (const button of document.querySelectorAll("table.sortable th button"))
  button.addEventListener("click", () => sortBy(button.parentNode));

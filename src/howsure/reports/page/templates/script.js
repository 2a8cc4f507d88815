{% include "sort.js" %}
for (const box of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button"), source = document.getElementById(box.dataset.copy);
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", () => navigator.clipboard.writeText(source.innerText).then(() => {
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }));
  box.append(button);
}
// Below 640 px rows are stacked; a table that is laid out otherwise is one to a screen reader by its roles alone.
const ROLES = { "": "table", tr: "row", "thead th": "columnheader", "tbody th": "rowheader", td: "cell" };
for (const table of document.querySelectorAll("table.stack")) {
  for (const [part, role] of Object.entries(ROLES)) {
    for (const one of part ? table.querySelectorAll(part) : [table]) one.setAttribute("role", role);
  }
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(part => { part.open = true; }));

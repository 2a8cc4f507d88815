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
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(part => { part.open = true; }));

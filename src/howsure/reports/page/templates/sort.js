for (const table of document.querySelectorAll("table.sortable:not([data-sorts])")) {
  table.dataset.sorts = "";
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    if ("plain" in table.dataset) {
      button.style.cssText = "background:none;border:0;padding:0;font:inherit;color:inherit;cursor:pointer;text-decoration:underline dotted";
    }
    button.textContent = head.textContent;
    head.textContent = "";
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = row => {
        const cell = row.cells[column], text = (cell.querySelector(".v, span") || cell).firstChild.textContent.trim();
        const plain = text.replace(/^[<≈ ]+/, "").replace(/,(?=\d{3})/g, "").replace("∞", "Infinity")
          .replace("−", "-").replace(/[%†*]$/, "");
        const below = text.startsWith("<") ? 0.999 : 1;
        return plain !== "" && !Number.isNaN(Number(plain)) ? Number(plain) * below : text;
      };
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => {
        const x = value(a), y = value(b);
        if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
        const order = typeof x === "number" ? x - y : x.localeCompare(y, undefined, {numeric: true});
        return up ? order : -order;
      });
      table.tBodies[0].append(...rows);
    });
  });
}

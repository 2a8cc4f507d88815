"""The page's own style and its one script: sorting tables. Nothing is fetched from outside."""

STYLE = """
:root{--ink:#1b1f24;--soft:#5b6570;--paper:#fff;--panel:#f5f7f9;--line:#d7dde3;--blue:#0072b2;--orange:#d55e00}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecf0;--soft:#a3adb8;--paper:#14181c;--panel:#1d2329;--line:#38414a;
--blue:#56b4e9;--orange:#f0a04b}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,header,footer{max-width:62rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2rem}h1{font-size:1.7rem;margin:0}h2{font-size:1.2rem;margin:2.2rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.2rem 0 .3rem}p,li{max-width:46rem}.soft{color:var(--soft)}small{color:var(--soft)}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;list-style:none;padding:0;margin:.8rem 0}a{color:var(--blue)}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5rem 0;width:100%}
caption{text-align:left;color:var(--soft);font-size:.9rem;padding:.2rem 0}th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:left}
td.n,th.n{text-align:right}td.n{white-space:nowrap}.differences td:first-child{min-width:11rem}.differences td,.differences th{padding:.3rem .4rem}
.differences{font-size:.9rem}thead th{border-bottom:2px solid var(--line);white-space:nowrap}
th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;cursor:pointer}
th button:focus-visible,a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--orange);outline-offset:2px}
th[aria-sort=ascending] button::after{content:" ▲"}th[aria-sort=descending] button::after{content:" ▼"}
.matrix{width:auto}.matrix td{text-align:right;min-width:3.2rem}.matrix td.hit{font-weight:600}
.matrix .axis{color:var(--soft);font-weight:400}svg.forest{width:100%;max-width:45rem;height:auto;display:block}
.matrices{display:flex;flex-wrap:wrap;gap:0 2.5rem}.matrices>div{max-width:100%}
.forest .grid{stroke:var(--line);stroke-opacity:1}.forest text{fill:var(--ink);font-size:13px}.forest .tick{fill:var(--soft);font-size:12px}
.forest .single{stroke:var(--blue);stroke-width:5;stroke-linecap:round}.forest .joint{stroke:var(--blue);stroke-width:1.6}
.forest .point{fill:var(--paper);stroke:var(--blue);stroke-width:2.6}
blockquote{margin:.4rem 0;padding:.6rem 1rem;background:var(--panel);border-left:4px solid var(--blue)}
code,pre{font:0.9rem/1.4 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
details{margin:.4rem 0}summary{cursor:pointer}footer{overflow-wrap:anywhere;padding:2rem 1.25rem 3rem;color:var(--soft);font-size:.9rem}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem}
@media print{nav,.skip,th button::after{display:none}h2,h3{break-after:avoid}tr,svg,.matrices>div{break-inside:avoid}
body{font-size:11pt}.scroll{overflow:visible}.matrix td{print-color-adjust:exact;-webkit-print-color-adjust:exact}main,header,footer{max-width:none}
details::details-content{content-visibility:visible;block-size:auto}summary{list-style:none;font-weight:600}}
"""

SCRIPT = """
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = row => {
        const text = row.cells[column].textContent.trim();
        const plain = text.replace(/^[<≈ ]+/, "").replace(/,(?=\\d{3})/g, "").replace("∞", "Infinity")
          .replace("−", "-");
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
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(part => { part.open = true; }));
"""

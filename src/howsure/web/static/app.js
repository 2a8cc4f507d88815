"use strict";

// Every state is in the address: #tab=counts&tp=77&… A file is not; its settings are.

const EXAMPLES = {
  counts: { tp: "77", fp: "44", fn: "10", tn: "702", metric: "f1" },
  matrix: { matrix: "2 2 2\n5 70 2\n0 2 15", rows: "prediction", metric: "macro_f1" },
  compare: { source: "counts", c111: "245", c110: "25", c101: "20", c100: "10",
             c011: "50", c010: "20", c001: "30", c000: "600", metric: "f1" },
  bayes: {
    a: "2088,154,1058\n2109,189,1066\n2098,190,1044\n2085,165,1094\n2069,192,1074\n2068,177,1110",
    b: "2075,151,1071\n2114,175,1061\n2080,175,1062\n2071,158,1108\n2041,169,1102\n2054,164,1124",
    name_a: "IOB2", name_b: "IOBES",
  },
  plan: { question: "one", metric: "f0.5", half_width: "0.02", prevalence: "0.615" },
};
const COPIES = { text: "Text", latex: "LaTeX", bibtex: "BibTeX", python: "Python", command: "Command line" };
const CUBE = ["c000", "c001", "c010", "c011", "c100", "c101", "c110", "c111"];

const tabs = [...document.querySelectorAll('[role="tab"]')];
const nameOf = tab => tab.id.replace("tab-", "");
const panelOf = name => document.getElementById(`panel-${name}`);
const formOf = name => panelOf(name).querySelector("form");
const latest = {};

function element(kind, attributes = {}, ...children) {
  const made = document.createElement(kind);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// --- state and address ------------------------------------------------------------------------------------------

function active() {
  return nameOf(tabs.find(tab => tab.getAttribute("aria-selected") === "true"));
}

function show(name, focus = false) {
  for (const tab of tabs) {
    const chosen = nameOf(tab) === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    panelOf(nameOf(tab)).hidden = !chosen;
    if (chosen && focus) tab.focus();
  }
}

function fieldsOf(form) {
  return [...form.elements].filter(field => field.name && field.type !== "file");
}

function state(name) {
  const form = formOf(name);
  const kept = fieldsOf(form).filter(field => !field.closest("fieldset[hidden]") && field.value.trim() !== "");
  return Object.fromEntries(kept.map(field => [field.name, field.value.trim()]));
}

function fill(name, values) {
  for (const field of fieldsOf(formOf(name))) {
    const plain = field.tagName === "SELECT" ? field.options[0].value : "";
    field.value = values[field.name] ?? plain;
    if (field.tagName === "SELECT" && field.selectedIndex < 0) field.value = plain;
  }
  arrange(formOf(name));
}

function arrange(form) {
  for (const part of form.querySelectorAll("[data-when]")) {
    const [key, value] = part.dataset.when.split("=");
    part.hidden = form.elements[key].value !== value;
  }
}

function address(name) {
  return "#" + new URLSearchParams({ tab: name, ...state(name) });
}

function remember(name) {
  const wanted = address(name);
  if (location.hash !== wanted) history.pushState(null, "", wanted);
}

function restore() {
  if (location.hash === "#main") return;
  const values = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const name = tabs.some(tab => nameOf(tab) === values.tab) ? values.tab : "counts";
  delete values.tab;
  show(name);
  if (Object.keys(values).length) {
    fill(name, values);
    if (!needsFile(name)) compute(name);
    else say(name, "The link holds the settings; choose the file again.");
  }
}

// --- asking -----------------------------------------------------------------------------------------------------

function needsFile(name) {
  return name === "file" || (name === "compare" && formOf(name).elements.source.value === "file");
}

async function read(response) {
  const made = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
  if (!response.ok) throw new Error(made.error);
  return made;
}

async function post(path, fields) {
  const body = JSON.stringify(fields);
  return read(await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body }));
}

async function send(name, more = {}) {
  const file = formOf(name).elements.file.files[0];
  if (!file) throw new Error("choose a file of predictions first");
  const { source, ...fields } = state(name);
  const form = new FormData();
  form.append("file", file);
  form.append("question", name === "compare" ? "compare" : "report");
  for (const [key, value] of Object.entries({ ...fields, ...more })) form.append(key, value);
  return read(await fetch("api/upload", { method: "POST", body: form }));
}

async function ask(name) {
  if (needsFile(name)) return (await send(name)).answers;
  const fields = state(name);
  if (name === "counts" || name === "matrix") {
    const { metric, ...rest } = fields;
    return Promise.all([post("api/intervals", fields), post("api/report", rest)]);
  }
  if (name === "compare") {
    const { source, ...rest } = fields;
    const cube = CUBE.map(key => rest[key] ?? "0");
    const others = Object.entries(rest).filter(([key]) => !CUBE.includes(key));
    return [await post("api/compare", { ...Object.fromEntries(others), cube })];
  }
  if (name === "plan") delete fields.question;
  return [await post(`api/${name}`, fields)];
}

function say(name, text, error = false) {
  const status = panelOf(name).querySelector(".status");
  status.textContent = text;
  status.classList.toggle("error", error);
}

// An error begins with the field that it is about, where there is one.
function blame(name, field) {
  for (const one of fieldsOf(formOf(name))) {
    if (one.name === field) one.setAttribute("aria-invalid", "true");
    else one.removeAttribute("aria-invalid");
  }
}

async function compute(name) {
  const turn = latest[name] = (latest[name] ?? 0) + 1;
  const results = panelOf(name).querySelector(".results");
  say(name, "Computing…");
  blame(name);
  results.setAttribute("aria-busy", "true");
  try {
    const answers = await ask(name);
    if (turn !== latest[name]) return;
    results.replaceChildren(...answers.map((answer, at) => shown(answer, `${name}-${at}`)));
    say(name, answers[0].said);
  } catch (error) {
    if (turn !== latest[name]) return;
    results.replaceChildren();
    say(name, error.message, true);
    blame(name, error.message.match(/^\w+/)?.[0]);
  }
  results.removeAttribute("aria-busy");
}

// --- showing ----------------------------------------------------------------------------------------------------

function shown(answer, key) {
  const heading = element("h2", { id: `${key}-title` }, answer.title);
  const part = element("section", { class: "answer", "aria-labelledby": `${key}-title` }, heading, tableOf(answer.table));
  for (const figure of answer.figures) {
    const drawn = element("div", { class: "figure" });
    drawn.innerHTML = figure.svg; // drawn and escaped by the server; the policy lets no script in it run
    part.append(element("h3", {}, figure.title), drawn);
  }
  part.append(copiesOf(answer.copies));
  if (answer.notes.length) {
    part.append(element("h3", {}, "Notes"), element("ul", {}, ...answer.notes.map(note => element("li", {}, note))));
  }
  return part;
}

function tableOf(table) {
  const numeric = new Set(table.numbers);
  const kind = at => (numeric.has(at) ? { class: "n" } : {});
  const head = table.header.map((text, at) => element("th", { scope: "col", ...kind(at) }, text));
  const body = table.rows.map((row, line) => {
    const cells = row.map((text, at) => element("td", kind(at), text));
    if (line === table.mark) cells[0].append(element("span", { class: "tag" }, " (default)"));
    return element("tr", line === table.mark ? { class: "mark" } : {}, ...cells);
  });
  const made = element("table", table.header.length === 2 ? { class: "facts" } : {}, element("caption", {}, table.caption),
    element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": table.caption }, made);
}

function copiesOf(copies) {
  const text = element("pre", { class: "copied", tabindex: "0", "aria-label": "What was copied" });
  text.hidden = true;
  const done = element("span", { role: "status", class: "tag" });
  const bar = element("div", { class: "copies", role: "group", "aria-label": "Copy this result" }, "Copy as");
  for (const [key, label] of Object.entries(COPIES)) {
    const button = element("button", { type: "button", "data-copy": key, "aria-pressed": "false" }, label);
    button.addEventListener("click", async () => {
      for (const other of bar.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
      text.textContent = copies[key];
      text.hidden = false;
      done.textContent = (await copy(copies[key])) ? "copied" : "select and copy it below";
    });
    bar.append(button);
  }
  bar.append(done);
  return element("div", {}, bar, text);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or not a secure address
  }
}

async function savePage(name) {
  say(name, "Making the page…");
  try {
    const made = await send(name, { page: "true" });
    const link = element("a", { download: "howsure-report.html" });
    link.href = URL.createObjectURL(new Blob([made.page], { type: "text/html" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(name, "The report page was saved as howsure-report.html.");
  } catch (error) {
    say(name, error.message, true);
  }
}

// --- events -----------------------------------------------------------------------------------------------------

for (const tab of tabs) {
  tab.addEventListener("click", () => { show(nameOf(tab)); remember(nameOf(tab)); });
  tab.addEventListener("keydown", event => {
    const at = tabs.indexOf(tab), last = tabs.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(nameOf(tabs[to]), true);
    remember(nameOf(tabs[to]));
  });
}

for (const tab of tabs) {
  const name = nameOf(tab), form = formOf(name);
  const run = () => { remember(name); compute(name); };
  arrange(form);
  form.addEventListener("submit", event => { event.preventDefault(); run(); });
  form.addEventListener("change", () => arrange(form));
  form.querySelector(".example")?.addEventListener("click", () => { fill(name, EXAMPLES[name]); run(); });
  form.querySelector(".page")?.addEventListener("click", () => savePage(name));
  form.querySelector(".link").addEventListener("click", async () => {
    remember(name);
    say(name, (await copy(location.href)) ? "The link to this state was copied." : location.href);
  });
}

// A file may be dropped anywhere: a page that does not take it is left for the file itself.
const dragging = on => document.body.classList.toggle("dragging", on);
addEventListener("dragover", event => { event.preventDefault(); dragging(true); });
addEventListener("dragleave", event => { if (!event.relatedTarget) dragging(false); });
addEventListener("drop", event => {
  event.preventDefault();
  dragging(false);
  if (!event.dataTransfer.files.length) return;
  const name = needsFile(active()) ? active() : "file";
  show(name);
  formOf(name).elements.file.files = event.dataTransfer.files;
  remember(name);
  compute(name);
});

addEventListener("popstate", restore);
restore();
fetch("api/catalogue").then(read).then(made => {
  const options = made.metrics.map(metric => element("option", { value: metric.name }, metric.text));
  document.getElementById("metrics").append(...options);
  document.getElementById("version").textContent = made.version;
}).catch(() => {});

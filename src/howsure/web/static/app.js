"use strict";

// Every state is in the address: #tab=counts&tp=77&… A file is not; its settings are.

const CUBE_KEYS = ["c000", "c001", "c010", "c011", "c100", "c101", "c110", "c111"];
const EXAMPLES = {
  counts: { tp: "77", fp: "44", fn: "10", tn: "702", metric: "f1" },
  matrix: { matrix: "2 2 2\n5 70 2\n0 2 15", rows: "prediction", metric: "macro_f1" },
  compare: { source: "totals", right_a: "85", total_a: "100", right_b: "91", total_b: "100" },
  eight: { source: "counts", c111: "245", c110: "25", c101: "20", c100: "10",
             c011: "50", c010: "20", c001: "30", c000: "600", metric: "f1" },
  bayes: {
    a: "2088,154,1058\n2109,189,1066\n2098,190,1044\n2085,165,1094\n2069,192,1074\n2068,177,1110",
    b: "2075,151,1071\n2114,175,1061\n2080,175,1062\n2071,158,1108\n2041,169,1102\n2054,164,1124",
    name_a: "IOB2", name_b: "IOBES",
  },
  plan: { question: "one", metric: "accuracy", half_width: "3%", expected: "85%", cost: "0.40" },
  paper: { figures: "accuracy=0.935, recall=88.5%, specificity=0.941", n: "833" },
};
// What must be given before an answer is worth asking for while one types.
const NEEDED = {
  counts: ["tp", "fp", "fn"], matrix: ["matrix"], bayes: ["a", "b"], paper: ["figures", "n"],
  totals: ["right_a", "total_a", "right_b", "total_b"], eight: CUBE_KEYS,
};
const PAUSE = 90; // milliseconds without a keystroke
const LONG_PAUSE = 400; // where half a number, 8 of 833, has no answer but a refusal
const COPIES = { text: "Text", latex: "LaTeX", bibtex: "BibTeX", python: "Python", command: "Command line" };
const TOTALS = ["right_a", "total_a", "right_b", "total_b", "same", "only_a", "only_b"];

const tabs = [...document.querySelectorAll('[role="tab"]')];
const nameOf = tab => tab.id.replace("tab-", "");
const panelOf = name => document.getElementById(`panel-${name}`);
const formOf = name => panelOf(name).querySelector("form");
const latest = {};

// Two tabs ask for a file; its fields are written once.
for (const place of document.querySelectorAll("[data-fields]")) {
  const fields = document.getElementById(place.dataset.fields).innerHTML;
  const name = place.closest("[role=tabpanel]").id.replace("panel-", "");
  place.insertAdjacentHTML("beforeend", fields.replaceAll("TAB-", `${name}-`));
}

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
  const untouched = field => field.type === "range" && field.value === field.defaultValue;
  const text = field => (field.tagName === "SELECT" ? field.value : field.value.trim()); // a choice may be a blank
  const kept = fieldsOf(form).filter(field => !field.closest("[hidden]:not([role=tabpanel])") && text(field) !== "" && !untouched(field));
  return Object.fromEntries(kept.map(field => [field.name, text(field)]));
}

function fill(name, values) {
  for (const field of fieldsOf(formOf(name))) {
    const plain = field.tagName === "SELECT" ? field.options[0].value : field.type === "range" ? field.defaultValue : "";
    if (field.name === "holds") field.dataset.said = values.holds ?? "";
    if ("columns" in field.dataset && values[field.name]) menu(field, [values[field.name]]); // until the file is there
    field.value = values[field.name] ?? plain;
    if (field.tagName === "SELECT" && field.selectedIndex < 0) field.value = plain;
  }
  arrange(formOf(name));
}

function arrange(form) {
  const met = condition => {
    const [, key, sign, value] = condition.match(/^(\w+)(!?=)(.*)$/);
    return (form.elements[key].value === value) === (sign === "=");
  };
  for (const part of form.querySelectorAll("[data-when]")) part.hidden = !part.dataset.when.split(" ").every(met);
}

function address(name) {
  return "#" + new URLSearchParams({ tab: name, ...state(name) });
}

function remember(name, typing = false) {
  const wanted = address(name);
  if (location.hash === wanted) return;
  if (typing) history.replaceState(null, "", wanted);
  else history.pushState(null, "", wanted);
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
  const { source, holds, ...fields } = state(name); // which fields are shown is the page's affair
  const form = new FormData();
  form.append("file", file);
  form.append("question", name === "compare" ? "compare" : "report");
  for (const [key, value] of Object.entries({ ...fields, ...more })) form.set(key, value);
  return read(await fetch("api/upload", { method: "POST", body: form }));
}

// The counts without what only the other questions of their tab use.
function countsOnly(fields) {
  const { times, prevalence, ...rest } = fields;
  return rest;
}

async function ask(name) {
  if (needsFile(name)) {
    const { answers, about } = await send(name);
    document.getElementById("models").replaceChildren(...about.models.map(model => element("option", { value: model })));
    return answers;
  }
  const fields = state(name);
  if (name === "counts") {
    const { metric, ...rest } = countsOnly(fields);
    const [one, every] = await Promise.all([post("api/estimate", countsOnly(fields)), post("api/report", rest)]);
    return [{ ...every, headline: one.headline, said: one.said, bar: one.figures[0]?.svg, axis: one.axis, copies: one.copies, notes: one.notes }];
  }
  if (name === "matrix") {
    const { metric, ...rest } = fields;
    return Promise.all([post("api/intervals", fields), post("api/report", rest)]);
  }
  if (name === "compare") {
    const { source, ...rest } = fields;
    if (source === "totals") return [await post("api/totals", rest)];
    const cube = CUBE_KEYS.map(key => rest[key] ?? "0");
    const others = Object.entries(rest).filter(([key]) => ![...CUBE_KEYS, ...TOTALS].includes(key));
    return [await post("api/compare", { ...Object.fromEntries(others), cube })];
  }
  if (name === "plan") delete fields.question;
  return [await post(`api/${name}`, fields)];
}

function say(name, text, error = false, rest = "", said = "") {
  const status = panelOf(name).querySelector(".status");
  status.replaceChildren(element("strong", {}, text), rest ? element("span", {}, ` ${rest}`) : "");
  status.classList.toggle("error", error);
  panelOf(name).querySelector(".said").textContent = said;
}

// An error begins with the field that it is about, where there is one.
function blame(name, field) {
  for (const one of fieldsOf(formOf(name))) {
    if (one.name === field) one.setAttribute("aria-invalid", "true");
    else one.removeAttribute("aria-invalid");
  }
}

function ready(name) {
  if (needsFile(name)) return false;
  const fields = state(name);
  const kind = name !== "compare" ? name : fields.source === "totals" ? "totals" : "eight";
  // "0." on the way to 0.02 is no goal yet; the server would refuse it.
  const begun = field => field.inputMode === "decimal" && fields[field.name] && !(parseFloat(field.value) > 0);
  if (kind === "plan" && fieldsOf(formOf(name)).some(begun)) return false;
  if (kind === "plan") return ["half_width", "se", "n", "budget", "difference", "accuracy_b"].some(key => fields[key]);
  // "the same rows" is half a question until one of the two counts that only such rows have is there.
  if (kind === "totals" && fields.same === "true" && !fields.only_a && !fields.only_b) return false;
  return NEEDED[kind].every(key => fields[key]);
}

async function compute(name, typing = false) {
  const turn = latest[name] = (latest[name] ?? 0) + 1;
  const results = panelOf(name).querySelector(".results");
  if (!typing) say(name, "Computing…");
  blame(name);
  results.setAttribute("aria-busy", "true");
  try {
    const answers = await ask(name);
    if (turn !== latest[name]) return;
    results.replaceChildren(...answers.map((answer, at) => shown(answer, `${name}-${at}`)));
    const [first, rest] = answers[0].headline;
    say(name, first, false, rest, answers[0].said);
    if (name === "counts") beside(answers[0]);
  } catch (error) {
    if (turn !== latest[name]) return;
    results.replaceChildren();
    say(name, error.message, true);
    blame(name, error.message.match(/^\w+/)?.[0]);
  }
  results.removeAttribute("aria-busy");
}

// --- beside the counts: totals, the bar, more rows, another prevalence, other methods ------------------------------------

function totals() {
  const form = formOf("counts");
  const plain = text => Number(text.replace(/[,'\s]/g, "") || NaN);
  for (const cell of form.querySelectorAll("[data-sum]")) {
    const sum = cell.dataset.sum.split(" ").reduce((all, key) => all + plain(form.elements[key].value), 0);
    cell.textContent = Number.isFinite(sum) ? sum.toLocaleString("en-GB") : "";
  }
}

function beside(answer) {
  const panel = panelOf("counts");
  panel.querySelector(".bar").innerHTML = answer.bar ?? ""; // drawn and escaped by the server
  const [from, to] = answer.bar ? answer.axis : ["", ""];
  panel.querySelector(".from").textContent = from;
  panel.querySelector(".to").textContent = to;
  panel.querySelector(".methods").hidden = false;
  totals();
  moreRows();
  elsewhere();
  methods();
}

async function aside(place, fields, sentence) {
  const key = `aside-${place}`, turn = latest[key] = (latest[key] ?? 0) + 1;
  const target = panelOf("counts").querySelector(place);
  try {
    const made = await post("api/estimate", fields);
    if (turn === latest[key]) target.textContent = sentence(made);
  } catch (error) {
    if (turn === latest[key]) target.textContent = error.message;
  }
}

function moreRows() {
  const form = formOf("counts"), times = Number((10 ** Number(form.elements.times.value)).toPrecision(2));
  const fields = { ...countsOnly(state("counts")), times: String(times) };
  const label = times === 1 ? "With these rows" : times < 1 ? `With ${times} of the rows` : `With ${times.toLocaleString("en-GB")} times the rows`;
  const rows = made => Math.round(made.rows[0].n).toLocaleString("en-GB");
  aside(".more", fields, made => `${label} (${rows(made)}): ${made.headline[1].replace(/^\(\S+ interval |\)\.$/g, "")}.`);
}

function elsewhere() {
  const fields = state("counts"), place = ".at";
  if (!fields.prevalence) { panelOf("counts").querySelector(place).textContent = ""; return; }
  aside(place, { ...countsOnly(fields), prevalence: fields.prevalence }, made => made.headline[0]);
}

async function methods() {
  const folded = panelOf("counts").querySelector(".methods");
  if (!folded.open) return;
  const turn = latest.methods = (latest.methods ?? 0) + 1;
  const made = await post("api/intervals", (({ anytime, ...rest }) => rest)(countsOnly(state("counts")))).catch(() => null);
  if (turn === latest.methods && made) folded.querySelector(".results").replaceChildren(shown(made, "methods"));
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

// --- a file: its columns as menus, filled with what was guessed -------------------------------------------------------

function menu(field, columns) {
  const kept = field.value;
  field.replaceChildren(field.options[0], ...columns.map(column => element("option", { value: column }, column)));
  field.value = columns.includes(kept) ? kept : "";
}

function namesIn(field) {
  return field.value.split(",").map(name => name.trim()).filter(Boolean);
}

// A button for each column, which adds it to the names or takes it away.
function chips(field, columns) {
  const chip = column => {
    const button = element("button", { type: "button", "aria-pressed": String(namesIn(field).includes(column)) }, column);
    button.addEventListener("click", () => {
      const names = namesIn(field), rest = names.filter(name => name !== column);
      field.value = (rest.length < names.length ? rest : [...names, column]).join(", ");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    return button;
  };
  const bar = field.parentElement.querySelector(".chips");
  bar.replaceChildren(...columns.map(chip));
  field.oninput = () => { for (const one of bar.children) one.setAttribute("aria-pressed", String(namesIn(field).includes(one.textContent))); };
}

// Takes the columns of the chosen file over; what a row holds is guessed unless somebody said it. True: ready to ask.
async function offer(name) {
  const form = formOf(name), { holds } = form.elements;
  let made;
  try {
    made = (await send(name, { question: "columns" })).about;
  } catch { return true; } // the answer itself says what is wrong with the file
  document.getElementById("columns").replaceChildren(...made.columns.map(column => element("option", { value: column })));
  if (made.holds && !holds.dataset.said) holds.value = made.holds;
  for (const field of form.querySelectorAll("[data-columns]")) menu(field, made.columns);
  const known = field => namesIn(field).some(one => one.includes("*") || made.columns.some(column => `_${column}`.endsWith(`_${one}`)));
  for (const field of form.querySelectorAll("[data-several]")) if (!known(field)) field.value = "";
  for (const [key, value] of Object.entries(made.filled)) if (!form.elements[key].value) form.elements[key].value = value;
  for (const field of form.querySelectorAll("[data-several]")) chips(field, made.columns);
  arrange(form);
  return made.holds === holds.value;
}

async function take(name) {
  const ready = await offer(name);
  remember(name);
  if (ready) compute(name);
  else say(name, "Name the columns, then compute.");
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
  let pause;
  const run = () => { clearTimeout(pause); remember(name); compute(name); };
  const moved = new Set();
  arrange(form);
  form.addEventListener("input", event => {
    if (name === "counts") totals();
    if (event.target.type === "file") return;
    moved.add(event.target.name);
    clearTimeout(pause);
    pause = setTimeout(() => {
      const alone = moved.size === 1 ? { times: moreRows, prevalence: elsewhere }[event.target.name] : undefined;
      moved.clear();
      if (!ready(name)) return;
      remember(name, true);
      if (name === "counts" && alone) alone();
      else compute(name, true);
    }, name === "paper" ? LONG_PAUSE : PAUSE);
  });
  form.addEventListener("submit", event => { event.preventDefault(); run(); });
  form.addEventListener("change", event => {
    arrange(form);
    if (event.target.name === "holds") event.target.dataset.said = "yes";
    if (event.target.type === "file" && event.target.files.length) take(name);
  });
  form.querySelector(".example")?.addEventListener("click", () => { fill(name, EXAMPLES[name]); run(); });
  form.querySelector(".page")?.addEventListener("click", () => savePage(name));
  form.querySelector(".link").addEventListener("click", async () => {
    remember(name);
    say(name, (await copy(location.href)) ? "The link to this state was copied." : location.href);
  });
}

panelOf("counts").querySelector(".methods").addEventListener("toggle", methods);

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
  take(name);
});

addEventListener("popstate", restore);
restore();
fetch("api/catalogue").then(read).then(made => {
  const options = made.metrics.map(metric => element("option", { value: metric.name }, metric.text));
  document.getElementById("metrics").append(...options);
  document.getElementById("version").textContent = made.version;
}).catch(() => {});

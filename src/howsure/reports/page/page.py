"""One self-contained page: light and dark, printable, readable by keyboard and screen reader."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

from howsure.reports.comparisons import HEADER, caption, printed
from howsure.reports.csv import as_csv
from howsure.reports.describe import COVERS, all_notes, cells_of, heading, report_document
from howsure.reports.describe import caption as report_caption
from howsure.reports.page.checklists import answers, methods_paragraph
from howsure.reports.page.contents import Dossier, dossier
from howsure.reports.page.style import SCRIPT, STYLE
from howsure.reports.svg import forest_svg
from howsure.results.base import json_ready
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.estimate import Report
from howsure.results.gap import Gap
from howsure.results.words import amount, count, number, percent
from howsure.tables.table import Table
from howsure.version import __version__

MOST_DIFFERENCES = 12
MOST_MODELS = 20


def report_html(report: Report) -> str:
    """Return the page of a report alone: its table, forest plots and notes."""
    return page(Dossier(_about(report) | report.about, report, None, (), {}, None))


def table_page(
    table: Table,
    made: Report | None = None,
    *,
    slices: dict[str, Report] | None = None,
    gaps: Sequence[Gap] = (),
) -> str:
    """Return the full page of a table: report, joint intervals, comparisons, matrices, classes, checklists."""
    return page(dossier(table, made, slices=slices, gaps=gaps))


def _about(report: Report) -> dict[str, Any]:
    sizes: dict[Any, float] = {}
    for row in report.rows:
        sizes.setdefault(getattr(row, "slice", None), row.n)
    models = dict.fromkeys(getattr(row, "of_model", row.model) for row in report.rows)
    return {
        "n": sum(sizes.values()), "labels": [], "models": list(models), "pos_label": None,
        "groups": report.rows[0].groups if len(sizes) == 1 else None,
        "weighted": False, "multilabel": False, "negatives_counted": True,
    }  # fmt: skip


def page(parts: Dossier) -> str:
    """Return the page of a dossier."""
    sections = [section for section in _sections(parts) if section[2]]
    links = "".join(f'<li><a href="#{key}">{escape(title)}</a></li>' for key, title, _ in sections)
    body = "".join(
        f'<section id="{key}" aria-labelledby="{key}-h"><h2 id="{key}-h">{escape(title)}</h2>{text}</section>'
        for key, title, text in sections
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>howsure report: {escape(', '.join(parts.report.models))}</title><style>{STYLE}</style></head><body>"
        '<a class="skip" href="#main">Skip to the report</a>'
        f'<header><h1>How sure are these scores?</h1><p class="soft">{escape(_lead(parts))}</p>'
        f'<nav aria-label="Contents"><ul>{links}</ul></nav></header><main id="main">{body}</main>'
        f"<footer><p>Made with howsure {__version__}.</p></footer>"
        f"<script>{SCRIPT}</script></body></html>\n"
    )


def _lead(parts: Dossier) -> str:
    sliced = f", {amount(len(parts.about['slices']), 'slice')}" if "slices" in parts.about else ""
    return (
        f"{amount(len(_models(parts)), 'model')}{sliced}, {amount(len(parts.report.metrics), 'metric')}, "
        f"{count(parts.about['n'])} rows, {percent(parts.report.level)} intervals."
    )


def _models(parts: Dossier) -> list[str]:
    """Return the models; a report on slices has a name for each model and slice."""
    return list(parts.about["models"] if "slices" in parts.about else parts.report.models)


def _sections(parts: Dossier) -> list[tuple[str, str, str]]:
    return [
        ("measured", "What was measured", _measured(parts)),
        ("scores", "Scores with intervals", _scores(parts.report)),
        ("forest", "Forest plots", _forests(parts)),
        ("compare", "Which differences are real", "".join(_comparison(made) for made in parts.comparisons)),
        ("matrices", "Confusion matrices", _matrices(parts)),
        ("classes", "Each class", _scores(parts.per_class) if parts.per_class is not None else ""),
        ("slices", "Subgroups", _slices(parts)),
        ("meaning", "What the intervals cover", "".join(f"<p>{escape(text)}</p>" for text in COVERS)),
        ("notes", "Notes and warnings", _notes(parts)),
        ("methods", "For a paper", _paper(parts)),
        ("again", "Signature and data", _download(parts)),
    ]


def table_html(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, title: str, numbers: set[int], kind: str = "sortable"
) -> str:
    """Return a table with a caption; numeric columns are right-aligned; every cell is escaped."""

    def cell(text: str, at: int, tag: str) -> str:
        right = ' class="n"' if at in numbers else ""
        scope = ' scope="col"' if tag == "th" else ""
        return f"<{tag}{right}{scope}>{escape(text)}</{tag}>"

    head = "".join(cell(text, at, "th") for at, text in enumerate(header))
    body = "".join("<tr>" + "".join(cell(text, at, "td") for at, text in enumerate(row)) + "</tr>" for row in rows)
    named = f' class="{kind}"' if kind else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(title, quote=True)}"><table{named}>'
        f"<caption>{escape(title)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _measured(parts: Dossier) -> str:
    about = parts.about
    facts = [("Rows", count(about["n"])), ("Models", ", ".join(_models(parts)))]
    if "slices" in about:
        facts.append(("Slices", ", ".join(map(str, about["slices"]))))
    if about["labels"]:
        shown = [str(label) for label in about["labels"][:20]]
        more = f" and {len(about['labels']) - 20} more" if len(about["labels"]) > 20 else ""
        facts.append(("Classes", f"{len(about['labels'])}: {', '.join(shown)}{more}"))
    if about["pos_label"] is not None:
        facts.append(("Positive class", str(about["pos_label"])))
    facts.append(
        ("Groups", "none given: rows are taken as independent" if about["groups"] is None else count(about["groups"]))
    )
    if about["weighted"]:
        facts.append(("Weights", "rows carry sampling weights"))
    facts.append(("Undefined scores", _undefined(parts.report)))
    return table_html(("fact", "value"), facts, title="The data", numbers=set(), kind="")


def _undefined(report: Report) -> str:
    several = len(report.models) > 1
    found = [f"{row.metric} of {row.model}" if several else row.metric for row in report.rows if math.isnan(row.value)]
    return f"{len(found)}: {', '.join(found)}" if found else "none"


def _scores(report: Report) -> str:
    rows = []
    for row in report.rows:
        parts = cells_of(row)
        rows.append([parts[name] for name in ("model", "metric", "value", "low", "high", "method")])
    header = (heading(report), "metric", "value", "low", "high", "method")
    return table_html(header, rows, title=report_caption(report), numbers={2, 3, 4})


def _forests(parts: Dossier) -> str:
    drawn = []
    for metric in parts.report.metrics:
        rows = [row for row in parts.report.rows if row.metric == metric]
        joint = [] if parts.joint is None else [row for row in parts.joint.rows if row.metric == metric]
        svg = forest_svg(rows, joint)
        if svg:
            drawn.append(f"<h3>{escape(metric)}</h3>{svg}")
    joint_text = "" if parts.joint is None else " Thin lines: simultaneous intervals over all models and metrics."
    return (
        f"<p><small>Thick lines: {percent(parts.report.level)} intervals.{joint_text}</small></p>{''.join(drawn)}"
        if drawn
        else ""
    )


def _slices(parts: Dossier) -> str:
    """Return the gaps between subgroups, each metric drawn, and all numbers in one table."""
    if not parts.slices:
        return ""
    gaps = "".join(_gap(made, several=len(parts.report.models) > 1) for made in parts.gaps)
    pairs = [(row.model, row.metric) for row in parts.report.rows]
    drawn = "".join(_slice_forest(parts, model, metric) for model, metric in pairs)
    rows = []
    for name, made in parts.slices.items():
        for row in made.rows:
            cells = cells_of(row)
            printed_parts = [cells[key] for key in ("model", "metric", "value", "low", "high")]
            rows.append([name, *printed_parts, count(row.n)])
    header = ("subgroup", "model", "metric", "value", "low", "high", "rows")
    title = f"{percent(parts.report.level)} intervals in each subgroup"
    return gaps + table_html(header, rows, title=title, numbers={3, 4, 5, 6}) + drawn


def _gap(made: Gap, *, several: bool) -> str:
    gap, low, high = (number(x) for x in (made.gap, made.low, made.high))
    worst = f"{made.worst} {number(made.worst_value)} [{number(made.worst_low)}, {number(made.worst_high)}]"
    whose = f" of {made.model}" if several else ""
    return (
        f"<p><strong>{escape(made.metric)}{escape(whose)}: gap {gap} [{low}, {high}]</strong>, worst {escape(worst)} "
        f"({percent(made.level)}, simultaneous over {made.slices} subgroups). {escape(made.sentence)}</p>"
    )


def _slice_forest(parts: Dossier, model: str, metric: str) -> str:
    named = {name: made[model, metric] for name, made in parts.slices.items() if (model, metric) in _pairs_of(made)}
    title = metric if len(parts.report.models) == 1 else f"{metric} of {model}"
    svg = forest_svg(list(named.values()), labels=list(named))
    return f"<h3>{escape(title)}</h3>{svg}" if svg else ""


def _pairs_of(report: Report) -> set[tuple[str, str]]:
    return {(row.model, row.metric) for row in report.rows}


def _comparison(made: Comparisons) -> str:
    table = table_html(
        (*HEADER[:-1], "verdict"), [printed(row) for row in made.rows], title=caption(made), numbers={2, 3, 4, 5}
    )
    tied = ", ".join(made.tied_with_best)
    lead = f"<p>Statistically tied with the best: <strong>{escape(tied)}</strong>.</p>"
    if len(made.rows) > MOST_DIFFERENCES:
        table = f"<details><summary>All {len(made.rows)} differences with their intervals</summary>{table}</details>"
    return f"<h3>{escape(made.metric)}</h3>{lead}{_difference_matrix(made)}{table}"


def _difference_matrix(made: Comparisons) -> str:
    """Return row − column for every two models, a tie where the interval holds no difference; for three or more."""
    names = [row.model for row in made.estimates]
    if made.versus != "pairs" or not 2 < len(names) <= MOST_MODELS:
        return ""
    found = {(row.b, row.a): row for row in made.rows}
    numbered = len(names) > 4 or max(map(len, names)) > 16
    lines = []
    for at, first in enumerate(names, 1):
        cells = [_difference(found.get((first, second)), found.get((second, first))) for second in names]
        lines.append((f"{at}. {first}" if numbered else first, *cells))
    title = f"{made.metric}, row − column; ≈ marks what these rows do not settle"
    header = ("model", *([str(at) for at, _ in enumerate(names, 1)] if numbered else names))
    return table_html(header, lines, title=title, numbers=set(range(1, len(names) + 1)), kind="differences")


def _difference(row: Comparison | None, mirrored: Comparison | None) -> str:
    chosen = row or mirrored
    if chosen is None:
        return "–"
    value = chosen.difference if row is not None else -chosen.difference
    return f"{'' if chosen.decided else '≈ '}{number(value)}"


def _matrices(parts: Dossier) -> str:
    labels = [str(label) for label in parts.about["labels"]]
    drawn = "".join(f"<div>{_matrix(model, matrix, labels)}</div>" for model, matrix in parts.matrices.items())
    return f'<div class="matrices">{drawn}</div>' if drawn else ""


def _matrix(model: str, matrix: Any, labels: list[str]) -> str:
    head = "".join(f'<th scope="col" class="n">{escape(label)}</th>' for label in labels)
    rows = []
    for at, line in enumerate(matrix):
        whole = sum(float(value) for value in line if not math.isnan(value))
        cells = "".join(_matrix_cell(float(value), whole, hit=at == column) for column, value in enumerate(line))
        rows.append(f'<tr><th scope="row">{escape(labels[at])}</th>{cells}</tr>')
    return (
        f'<h3>{escape(model)}</h3><div class="scroll" tabindex="0" role="region" aria-label="Confusion matrix of '
        f'{escape(model, quote=True)}"><table class="matrix">'
        "<caption>Truth in rows, prediction in columns; shade: share of the row</caption><thead>"
        f'<tr><th scope="col" class="axis">truth ↓ prediction →</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _matrix_cell(value: float, whole: float, *, hit: bool) -> str:
    kind = ' class="hit"' if hit else ""
    if math.isnan(value):
        return f"<td{kind}>not counted</td>"
    shade = f' style="background:rgba(0,114,178,{0.4 * value / whole:.2f})"' if whole > 0 and value > 0 else ""
    return f"<td{kind}{shade}>{count(value)}</td>"


def _notes(parts: Dossier) -> str:
    """Return what was noted, without advice that the page itself follows: comparisons and joint intervals are there."""
    followed = {"overlap"} if parts.comparisons else set()
    followed |= {"family"} if parts.joint is not None else set()
    kept = replace(parts.report, notes=tuple(note for note in parts.report.notes if note.kind not in followed))
    notes = dict.fromkeys([*map(str, parts.notes), *all_notes(kept)])
    for made in parts.comparisons:
        notes |= dict.fromkeys(f"{made.metric}: {note}" for note in made.notes if len(made) > 1 or note.kind != "joint")
    return "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>" if notes else "<p>None.</p>"


def _paper(parts: Dossier) -> str:
    checklist = "".join(
        f"<details><summary>{escape(item)}</summary><p>{escape(text)}</p></details>" for item, text in answers(parts)
    )
    return (
        f"<blockquote>{escape(methods_paragraph(parts))}</blockquote><h3>Reporting checklists</h3>"
        f"<p><small>What this tool knows, worded for each item. It is no claim of compliance.</small></p>{checklist}"
    )


def _download(parts: Dossier) -> str:
    document = report_document(parts.report) | {
        "signature": parts.signature,
        "about": parts.about,
        "comparisons": [made.to_dict() for made in parts.comparisons],
        "matrices": {model: matrix.tolist() for model, matrix in parts.matrices.items()},
        "per_class": [] if parts.per_class is None else parts.per_class.to_dicts(),
        "slices": {name: made.to_dicts() for name, made in parts.slices.items()},
        "gaps": [made.to_dict() for made in parts.gaps],
    }
    text = json.dumps(json_ready(document), ensure_ascii=False)
    table = as_csv([*parts.report.to_dicts(), *(parts.per_class.to_dicts() if parts.per_class is not None else [])])
    return (
        f"<p><code>{escape(parts.signature)}</code></p>"
        f"<p>{_link(text, 'json', 'application/json', 'Download the numbers (JSON)')} · "
        f"{_link(table, 'csv', 'text/csv', 'Download the table (CSV)')}</p>"
    )


def _link(text: str, ending: str, kind: str, words: str) -> str:
    data = base64.b64encode(text.encode()).decode()
    return f'<a download="howsure-report.{ending}" href="data:{kind};base64,{data}">{words}</a>'

"""One self-contained page: the answer first, light and dark, printable, readable by keyboard and screen reader.

What the page says and in which order is in ``templates``, a file for each section; here is what they are given.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from howsure.errors import LONG_SENTENCE, cut, need_extra, page_door, said, speaking
from howsure.errors.messages import reports as messages
from howsure.estimates.catalogue import METHODS
from howsure.estimates.methods.anytime import ANYTIME
from howsure.reports.boards.verdicts import leading
from howsure.reports.boards.wide import methods_said, wide_grid
from howsure.reports.csv import as_csv
from howsure.reports.describe import all_notes, intervals_said, report_document, support
from howsure.reports.grid import Grid, plain
from howsure.reports.grids import long_grid, pairs_grid
from howsure.reports.latex import grid_latex
from howsure.reports.page.boards import FEW_CLASSES, boards_of, class_tables, label_said, metrics_shown, pairs_of
from howsure.reports.page.checklists import answers, methods_paragraph, paper_sentence
from howsure.reports.page.contents import PageContents, page_contents
from howsure.results.base import Note, json_ready, note_of
from howsure.results.citation import bibtex
from howsure.results.estimate import Report
from howsure.results.gap import Gap
from howsure.results.sentences.phrases import phrase
from howsure.results.words import about, amount, count, metric_words, number, percent, units, worded
from howsure.tables.table import Table
from howsure.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_CLASSES = 20
MOST_ACROSS = 5  # metrics with their intervals across a printed page
LARGE = 40_000  # bytes, from which a file that the page carries along is compressed
MOST_PAIRS = 200  # that the downloaded numbers hold, of the leading metric


def report_html(report: Report) -> str:
    """Return the page of a report alone: its table, leaderboards and notes."""
    return page_of(PageContents(_about(report) | report.about, report, {}, None))


def table_page(
    table: Table,
    made: Report | None = None,
    *,
    slices: dict[str, Report] | None = None,
    gaps: Sequence[Gap] = (),
    by: str = "",
    name: str = "",
) -> str:
    """Return the full page of a table: verdict, leaderboards, all metrics, pairs, classes, subgroups, for a paper."""
    return page_of(page_contents(table, made, slices=slices, gaps=gaps, by=by, name=name))


def _about(report: Report) -> dict[str, Any]:
    sizes: dict[Any, float] = {}
    for row in report.rows:
        sizes.setdefault(getattr(row, "slice", None), row.n)
    models = dict.fromkeys(getattr(row, "of_model", row.model) for row in report.rows)
    return {
        "n": sum(sizes.values()), "labels": [], "models": list(models), "pos_label": None,
        "groups": report.rows[0].groups if len(sizes) == 1 and report.rows else None,
        "weighted": False, "multilabel": False, "negatives_counted": True,
    }  # fmt: skip


def page_of(parts: PageContents) -> str:
    """Return the page with these contents, in a page's own words."""
    with speaking(page_door):
        template, classes = _templates().get_template("page.html.jinja"), class_tables(parts)
        script = _templates().get_template("script.js").render()
        boards = boards_of(parts)
        return template.render(
            policy=_policy(script),
            parts=parts,
            about=parts.about,
            level=percent(parts.report.level),
            kind=intervals_said(parts.report),
            boards=boards,
            measured=_measured(parts),
            wide=_wide(parts),
            pairs=pairs_of(parts),
            curves=_curves(parts),
            classes=classes,
            few_classes=FEW_CLASSES,
            slices=_slices(parts),
            covers=_covers(parts),
            paper=_paper(parts),
            facts=_facts(parts),
            notes=_notes(parts),
            paragraph=methods_paragraph(parts),
            answers=answers(parts),
            methods=methods_said(parts.report.rows) if parts.report.rows else "",
            downloads=_downloads(parts),
            version=__version__,
        )


def _policy(script: str) -> str:
    """Return what the page allows itself: its own style and its one script, by its hash; nothing is fetched."""
    own = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{own}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


class Whole(str):
    """A text that the page holds whole, however long."""


def _finalized(value: Any) -> Any:
    """Return a text without its middle where it is a label of very many characters."""
    return cut(value, LONG_SENTENCE) if type(value) is str else value


def _parted(name: Any) -> Any:
    """Return a name that may be broken after the marks between its parts, which is where a reader would."""
    from markupsafe import Markup, escape

    text = str(escape(cut(str(name), LONG_SENTENCE)))
    return Markup("".join(f"{mark}<wbr>" if mark in "_-./:" else mark for mark in text))


@cache
def _templates() -> Environment:
    """Return the templates, which escape every text, with the filters that they may use."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise need_extra("jinja2", "page", messages.REPORT_PAGE()) from None
    made = Environment(
        loader=PackageLoader("howsure.reports.page"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, finalize=_finalized,
    )  # fmt: skip
    made.filters |= {
        "amount": amount, "count": count, "number": number, "percent": percent, "plain": plain, "worded": worded,
        "said": metric_words, "pairs": pairs_grid, "long": long_grid, "shaded": _shaded, "parted": _parted,
        "label": label_said,
    }  # fmt: skip
    made.globals |= {"phrase": phrase}
    return made


# --- what was measured -------------------------------------------------------------------------------------------


def _measured(parts: PageContents) -> list[str]:
    """Return what was measured, in a few words each."""
    about, rows = parts.about, parts.report.rows
    name = parts.grouped_by
    kind = "page independent" if about["groups"] is None else "page grouped"
    found = [phrase(kind, sampled=support(parts.report), name=name)]
    if "slices" in about:
        found = [f"{units(about['n'], parts.report.unit)} in {amount(len(about['slices']), 'slice')}"]
    if about["pos_label"] is not None and not about.get("answers"):
        positives = "" if parts.positives is None else f" ({count(parts.positives)} {parts.report.unit}s)"
        found.append(f"positive class {about['pos_label']}{positives}")
    elif len(about["labels"]) > 2 and not about.get("answers"):
        found.append(amount(len(about["labels"]), "classes").replace("classess", "classes"))
    if len(parts.report.models) > 3:
        found.append(amount(len(parts.report.models), "model"))
    found.append(f"{percent(parts.report.level)} {intervals_said(parts.report)}")
    if about["weighted"] and "tasks" not in about:  # tasks that count alike are no weights of rows
        found.append("with sampling weights")
    if rows and rows[0].fixed:
        found.append(phrase("page held", fixed=worded(rows[0].fixed)))
    return found if rows else found[:1]


def _facts(parts: PageContents) -> list[tuple[str, str]]:
    """Return what the data are, for those who unfold it."""
    about = parts.about
    facts = [("Sampled", support(parts.report)), ("Models", ", ".join(map(str, about["models"])))]
    if about["labels"]:
        shown = ", ".join(map(label_said, about["labels"][:MOST_CLASSES]))
        left = len(about["labels"]) - MOST_CLASSES
        facts.append(("Classes", f"{len(about['labels'])}: {shown}{f' and {left} more' if left > 0 else ''}"))
    facts.append(
        ("Groups", "none named" if about["groups"] is None else f"{count(about['groups'])} {parts.grouped_by}")
    )
    facts.append(("Undefined", _undefined(parts.report)))
    facts.append(("Signature", parts.signature))
    return facts


def _undefined(report: Report) -> str:
    several = len(report.models) > 1
    found = [f"{row.said} of {row.model}" if several else row.said for row in report.rows if math.isnan(row.value)]
    return f"{len(found)}: {', '.join(found)}" if found else "none"


def _covers(parts: PageContents) -> tuple[str, str]:
    """Return what the intervals cover, and what they do not."""
    report = parts.report
    runs = any(row.variance_shares for row in report.rows)
    covered, rest = ("covers runs", "covers not, runs") if runs else ("covers", "covers not")
    return phrase(covered, sampled=support(report)), phrase(rest, unit=report.unit)


def _wide(parts: PageContents) -> Grid | None:
    report = parts.report
    return (
        wide_grid(report, metrics_shown(parts))
        if len(report.models) > 1 and len(report) == len(report.models) * len(report.metrics)
        else None
    )


def _slices(parts: PageContents) -> list[dict[str, Any]]:
    """Return each model's subgroups as a wide table, named by their column."""
    if not parts.slices:
        return []
    metrics = parts.report.metrics
    found = []
    for model in parts.report.models:
        lines = []
        for name, made in parts.slices.items():
            own = {row.metric: row for row in made.rows if row.model == model}
            lines.append((name, [own.get(metric) for metric in metrics]))
        found.append({"model": model, "names": [metric_words(metric) for metric in metrics], "lines": lines})
    return found


def _curves(parts: PageContents) -> list[tuple[str, str]]:
    """Return each curve with its drawing."""
    several = len(parts.report.models) > 1
    titled = (
        (phrase("curve of", curve=made.said, model=made.model) if several else made.said, str(made.write("drawing")))
        for made in parts.curves
    )
    return [(f"{title[:1].upper()}{title[1:]}", drawing) for title, drawing in titled if drawing]


def _notes(parts: PageContents) -> list[str]:
    """Return what was noted, in plain words, without advice that the page itself follows."""
    report = parts.report
    every: list[Note] = [*parts.notes, *all_notes(report)]
    if len(report) * (1 - report.level) >= 0.5 and not report.joint:
        expected = about(len(report) * (1 - report.level))
        every.append(
            note_of("expected to miss", "family", size=len(report), level=percent(report.level), expected=expected)
        )
    shown = [
        Note(note).said(page_door)
        for at, note in enumerate(every)
        if note.kind not in ("overlap", "family") or at == len(every) - 1
    ]
    for metric in report.metrics[:1]:
        made = report.compared.get(metric)
        shown += [said(note.marked, page_door) for note in (made.notes if made is not None else ()) if note.detail]
    return list(dict.fromkeys(text for text in shown if text))


def _paper(parts: PageContents) -> dict[str, str]:
    """Return what goes into a paper: a sentence, the wide table, and the sources of the methods."""
    used = dict.fromkeys(row.method for row in parts.report.rows)
    own = (
        f"@software{{howsure,\n  title = {{howsure: error bars for classification metrics}},\n"
        f"  version = {{{__version__}}}\n}}"
    )
    cited = {entry.name: entry.citation for entry in (*METHODS, *ANYTIME) if entry.name in used and entry.citation}
    return {
        "Sentence": paper_sentence(parts), "LaTeX": Whole(_latex(parts)),
        "BibTeX": Whole("\n\n".join(part for part in (own, bibtex(cited)) if part)),
    }  # fmt: skip


def _latex(parts: PageContents) -> str:
    """Return the table of a paper: models in rows, as many metrics as fit across a page."""
    wide = _wide(parts)
    if wide is None:
        return parts.report.to_latex()
    return grid_latex(wide_grid(parts.report, metrics_shown(parts)[:MOST_ACROSS]))


def _shaded(matrix: Any) -> list[list[tuple[str, int]]]:
    """Return the counts of a confusion matrix, each with its share of the row as one of twenty shades, 0 for none."""
    lines = []
    for line in matrix.tolist():
        whole = sum(value for value in line if not math.isnan(value))
        lines.append([_shade(value, whole) for value in line])
    return lines


def _shade(value: float, whole: float) -> tuple[str, int]:
    if math.isnan(value):
        return "not counted", 0
    return count(value), round(20 * value / whole) if whole > 0 else 0


def _downloads(parts: PageContents) -> list[dict[str, str]]:
    """Return the files that the page carries along: all numbers, and the table of estimates."""
    compared = parts.report.compared.get(leading(parts.report)) if parts.report.rows else None
    document = report_document(parts.report) | {
        "signature": parts.signature,
        "about": parts.about,
        "comparisons": [compared.to_dict()] if compared is not None and len(compared) <= MOST_PAIRS else [],
        "matrices": {model: matrix.tolist() for model, matrix in parts.matrices.items()},
        "per_class": [] if parts.per_class is None else parts.per_class.to_dicts(),
        "slices": {name: made.to_dicts() for name, made in parts.slices.items()},
        "gaps": [made.to_dict() for made in parts.gaps],
        "curves": [made.to_dict() for made in parts.curves],
    }
    numbers = json.dumps(json_ready(document), ensure_ascii=False, separators=(",", ":"))
    table = as_csv([_rounded(row) for row in (*document["rows"], *document["per_class"])])
    return [
        _download(numbers, "json", "application/json", "numbers (JSON)"),
        _download(table, "csv", "text/csv", "table (CSV)"),
    ]


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the table to nine digits; the other file has all of them."""
    return {name: float(f"{value:.9g}") if isinstance(value, float) else value for name, value in row.items()}


def _download(text: str, ending: str, kind: str, words: str) -> dict[str, str]:
    """Return a file as a link holds it; a large one compressed."""
    data = text.encode()
    if len(data) > LARGE:
        data, ending, kind = gzip.compress(data, mtime=0), f"{ending}.gz", "application/gzip"
    return {"ending": ending, "kind": kind, "words": words, "data": Whole(base64.b64encode(data).decode())}

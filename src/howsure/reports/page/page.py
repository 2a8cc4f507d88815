"""One self-contained page: light and dark, printable, readable by keyboard and screen reader.

What the page says and in which order is in ``templates``, a file for each section; here is what they are given.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from howsure.errors import LONG_SENTENCE, cut, need_extra
from howsure.reports.csv import as_csv
from howsure.reports.describe import COVERS, all_notes, printed, report_document
from howsure.reports.grid import Grid, GridColumn, columns, plain
from howsure.reports.grids import long_grid
from howsure.reports.page.checklists import answers, methods_paragraph
from howsure.reports.page.contents import PageContents, page_contents
from howsure.reports.svg import forest_svg
from howsure.results.base import json_ready
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.estimate import Report
from howsure.results.gap import Gap
from howsure.results.words import amount, count, number, percent
from howsure.tables.table import Table
from howsure.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment

MOST_MODELS = 20
MOST_CLASSES = 20


def report_html(report: Report) -> str:
    """Return the page of a report alone: its table, forest plots and notes."""
    return page(PageContents(_about(report) | report.about, report, None, (), {}, None))


def table_page(
    table: Table,
    made: Report | None = None,
    *,
    slices: dict[str, Report] | None = None,
    gaps: Sequence[Gap] = (),
) -> str:
    """Return the full page of a table: report, joint intervals, comparisons, matrices, classes, checklists."""
    return page(page_contents(table, made, slices=slices, gaps=gaps))


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


def page(parts: PageContents) -> str:
    """Return the page with these contents."""
    templates = _templates()
    template = templates.get_template("page.html.jinja")
    script = templates.get_template("script.js").render()
    return template.render(
        policy=_policy(script),
        parts=parts,
        about=parts.about,
        models=_models(parts),
        level=percent(parts.report.level),
        facts=_facts(parts),
        forests=_forests(parts),
        curves=_curves(parts),
        slices=_slices(parts),
        slice_forests=_slice_forests(parts),
        covers=COVERS,
        notes=_notes(parts),
        paragraph=methods_paragraph(parts),
        answers=answers(parts),
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


@cache
def _templates() -> Environment:
    """Return the templates, which escape every text, with the filters that they may use."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise need_extra("jinja2", "page", "the report page") from None
    made = Environment(
        loader=PackageLoader("howsure.reports.page"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, finalize=_finalized,
    )  # fmt: skip
    made.filters |= {
        "amount": amount, "count": count, "number": number, "percent": percent,
        "plain": plain,
        "grid": lambda result: long_grid(result) if isinstance(result, Report) else result.write("grid"),
        "differences": _differences, "shaded": _shaded,
    }  # fmt: skip
    return made


def _models(parts: PageContents) -> list[str]:
    """Return the models; a report on slices has a name for each model and slice."""
    return list(parts.about["models"] if "slices" in parts.about else parts.report.models)


def _facts(parts: PageContents) -> Grid:
    """Return what was measured."""
    about = parts.about
    facts = [("Rows", count(about["n"])), ("Models", ", ".join(_models(parts)))]
    if "slices" in about:
        facts.append(("Slices", ", ".join(map(str, about["slices"]))))
    if about["labels"]:
        shown = ", ".join(map(str, about["labels"][:MOST_CLASSES]))
        left = len(about["labels"]) - MOST_CLASSES
        facts.append(("Classes", f"{len(about['labels'])}: {shown}{f' and {left} more' if left > 0 else ''}"))
    if about["pos_label"] is not None:
        facts.append(("Positive class", str(about["pos_label"])))
    independent = "none given: rows are taken as independent"
    facts.append(("Groups", independent if about["groups"] is None else count(about["groups"])))
    if about["weighted"]:
        facts.append(("Weights", "rows carry sampling weights"))
    facts.append(("Undefined scores", _undefined(parts.report)))
    return Grid(columns("fact", "value"), tuple(facts), "The data")


def _undefined(report: Report) -> str:
    several = len(report.models) > 1
    found = [f"{row.metric} of {row.model}" if several else row.metric for row in report.rows if math.isnan(row.value)]
    return f"{len(found)}: {', '.join(found)}" if found else "none"


def _forests(parts: PageContents) -> list[tuple[str, str]]:
    """Return each metric with its drawing, joint intervals behind."""
    joint = () if parts.joint is None else parts.joint.rows

    def drawn(metric: str) -> str:
        return forest_svg(*([row for row in rows if row.metric == metric] for rows in (parts.report.rows, joint)))

    return _that_are_drawn((metric, drawn(metric)) for metric in parts.report.metrics)


def _curves(parts: PageContents) -> list[tuple[str, str]]:
    """Return each curve with its drawing."""
    several = len(parts.report.models) > 1
    return _that_are_drawn(
        (f"{made.metric} of {made.model}" if several else made.metric, str(made.write("drawing")))
        for made in parts.curves
    )


def _that_are_drawn(titled: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(title, drawing) for title, drawing in titled if drawing]


def _slices(parts: PageContents) -> Grid:
    """Return all numbers of the subgroups in one table."""
    rows = tuple(
        (name, row.model, row.metric, *printed(row, "value", "low", "high"), count(row.n))
        for name, made in parts.slices.items()
        for row in made.rows
    )
    digits = ("value", "low", "high", "rows")
    title = f"{percent(parts.report.level)} intervals in each subgroup"
    return Grid(columns("subgroup", "model", "metric", *digits, numbers=digits), rows, title)


def _slice_forests(parts: PageContents) -> list[tuple[str, str]]:
    """Return each metric of each model with the drawing of its subgroups."""
    several = len(parts.report.models) > 1
    return _that_are_drawn(
        (f"{row.metric} of {row.model}" if several else row.metric, _slice_forest(parts, row.model, row.metric))
        for row in parts.report.rows
    )


def _slice_forest(parts: PageContents, model: str, metric: str) -> str:
    found = {
        name: row for name, made in parts.slices.items() for row in made if (row.model, row.metric) == (model, metric)
    }
    return forest_svg(list(found.values()), labels=list(found))


def _differences(made: Comparisons) -> Grid | None:
    """Return row − column for every two models, a tie where the interval holds no difference; for three or more."""
    names = [row.model for row in made.estimates]
    if made.versus != "pairs" or not 2 < len(names) <= MOST_MODELS:
        return None
    found = {(row.b, row.a): row for row in made.rows}
    numbered = len(names) > 4 or max(map(len, names)) > 16
    lines = []
    for at, first in enumerate(names, 1):
        cells = [_difference(found.get((first, second)), found.get((second, first))) for second in names]
        lines.append((f"{at}. {first}" if numbered else first, *cells))
    title = f"{made.metric}, row − column; ≈ marks what these rows do not settle"
    heads = [str(at) for at, _ in enumerate(names, 1)] if numbered else names
    return Grid((GridColumn("model"), *(GridColumn(head, "number") for head in heads)), tuple(lines), title)


def _difference(row: Comparison | None, mirrored: Comparison | None) -> str:
    chosen = row or mirrored
    if chosen is None:
        return "–"
    value = chosen.difference if row is not None else -chosen.difference
    return f"{'' if chosen.decided else '≈ '}{number(value)}"


def _shaded(matrix: Any) -> list[list[tuple[str, str]]]:
    """Return the counts of a confusion matrix, each with its share of the row as a shade; none of none."""
    lines = []
    for line in matrix.tolist():
        whole = sum(value for value in line if not math.isnan(value))
        lines.append([_shade(value, whole) for value in line])
    return lines


def _shade(value: float, whole: float) -> tuple[str, str]:
    if math.isnan(value):
        return "not counted", ""
    return count(value), f"{0.4 * value / whole:.2f}" if whole > 0 and value > 0 else ""


def _notes(parts: PageContents) -> list[str]:
    """Return what was noted, without advice that the page itself follows: comparisons and joint intervals are there."""
    followed = {"overlap"} if parts.comparisons else set()
    followed |= {"family"} if parts.joint is not None else set()
    kept = replace(parts.report, notes=tuple(note for note in parts.report.notes if note.kind not in followed))
    notes = [*map(str, parts.notes), *all_notes(kept)]
    for made in parts.comparisons:
        notes += [f"{made.metric}: {note}" for note in made.notes if len(made) > 1 or note.kind != "joint"]
    return list(dict.fromkeys(notes))


def _downloads(parts: PageContents) -> list[dict[str, str]]:
    """Return the files that the page carries along: all numbers, and the table of estimates."""
    document = report_document(parts.report) | {
        "signature": parts.signature,
        "about": parts.about,
        "comparisons": [made.to_dict() for made in parts.comparisons],
        "matrices": {model: matrix.tolist() for model, matrix in parts.matrices.items()},
        "per_class": [] if parts.per_class is None else parts.per_class.to_dicts(),
        "slices": {name: made.to_dicts() for name, made in parts.slices.items()},
        "gaps": [made.to_dict() for made in parts.gaps],
        "curves": [made.to_dict() for made in parts.curves],
    }
    numbers = json.dumps(json_ready(document), ensure_ascii=False)
    table = as_csv([*document["rows"], *document["per_class"]])
    return [
        _download(numbers, "json", "application/json", "Download the numbers (JSON)"),
        _download(table, "csv", "text/csv", "Download the table (CSV)"),
    ]


def _download(text: str, ending: str, kind: str, words: str) -> dict[str, str]:
    return {"ending": ending, "kind": kind, "words": words, "data": Whole(base64.b64encode(text.encode()).decode())}

"""The endpoints as plain functions: a dictionary of fields in, an answer out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from howsure.errors import MethodError
from howsure.errors.messages import web as messages
from howsure.estimates.catalogue import METHODS
from howsure.estimates.estimate import default_metrics, estimate, report
from howsure.estimates.estimate import intervals as all_intervals
from howsure.estimates.reconstruct import reconstruct
from howsure.metrics.catalogue import CATALOGUE
from howsure.planning.comparison import plan_comparison
from howsure.planning.plan import plan as plan_one
from howsure.reports.figures.sizes import plan_curve
from howsure.reports.latex import escaped
from howsure.reports.svg import svg
from howsure.results.citation import bibtex
from howsure.results.estimate import Report
from howsure.results.words import metric_words
from howsure.sources.kinds.counts import counts, matrix
from howsure.tables.table import Table
from howsure.version import __version__
from howsure.web import fields, limits
from howsure.web.answers import (
    Answer,
    answer,
    estimate_answer,
    intervals_answer,
    reconstruction_answer,
    report_answer,
    shown_table,
)
from howsure.web.copies import CONNOR, JIANG, call, cells_source, command, taken_along, written
from howsure.web.limits import Refused
from howsure.web.pasted import Cells

FIRST = ("f1", "macro_f1")

# --- counts and matrices --------------------------------------------------------------------------------------------


def typed_table(asked: fields.Typed) -> tuple[Table, str, Callable[..., str]]:
    """Return the table of counts or of a matrix, its Python source, and a function that writes its command line."""
    if asked.matrix is not None:
        return _matrix_table(asked, asked.matrix)
    four = asked.model_dump(include={"tp", "fp", "fn", "tn"})
    lacking = [name for name in ("tp", "fp", "fn") if four[name] is None]
    if lacking:
        raise Refused(messages.NOT_GIVEN_GIVE_COUNTS_TP_FP(lacking=", ".join(lacking)))

    def shell(**options: Any) -> str:
        return command("howsure", "counts", **four, **options)

    return counts(**four), call("hs.counts", **four), shell


def _matrix_table(asked: fields.Typed, given: Cells) -> tuple[Table, str, Callable[..., str]]:
    if asked.tp is not None or asked.rows is None:
        rule = messages.GIVE_COUNTS_OR_MATRIX_NOT_BOTH() if asked.rows else messages.ROWS_MUST_SAY_TRUTH_OR_PREDICTION()
        raise Refused(messages.MATRIX_IS_GIVEN(rule=rule))
    cells, labels = given[0], asked.labels or given[1]
    options: dict[str, Any] = {"rows": asked.rows, "labels": labels, "pos_label": asked.pos_label}
    table = limits.checked_table(matrix(cells, **options))
    file = written([",".join(f"{cell:.15g}" for cell in row) for row in cells], "matrix.csv")

    def shell(**more: Any) -> str:
        named = options | {"labels": ",".join(labels) if labels else None}
        return f"{file}\n{command('howsure', 'matrix', 'matrix.csv', **named, **more)}"

    return table, call("hs.matrix", cells_source(cells), **options), shell


def shown_first(table: Table) -> str:
    """Return the metric that is answered when none is named: F1 where it is a usual one, else the first of them."""
    usual = [metric.name for metric in default_metrics(table)]
    return next((name for name in FIRST if name in usual), usual[0])


def intervals(given: Mapping[str, Any] | fields.Intervals) -> Answer:
    """Answer: every applicable interval of one metric."""
    asked = fields.Intervals.read(given)
    table, source, shell = typed_table(asked)
    return intervals_of(table, source, shell, asked)


def intervals_of(
    table: Table,
    source: str,
    shell: Callable[..., str],
    asked: fields.Intervals | fields.Upload,
    model: str | None = None,
) -> Answer:
    """Return the answer for one metric of one model of a table."""
    metric = asked.metric or shown_first(table)
    options = asked.given("level", "undefined")
    default = estimate(table, metric, model=model, **options)
    made, notes = _side_by_side(table, metric, default.model, options)
    code = call("hs.intervals", "t", repr(metric), model=model, **options)
    copies = taken_along(shell(metric=metric, **options), f"t = {source}", f"print({code})")
    return intervals_answer(made, default, copies, notes)


def estimate_of(given: Mapping[str, Any] | fields.Estimate) -> Answer:
    """Answer: one metric by its default method, at another prevalence or with more rows if asked."""
    asked = fields.Estimate.read(given)
    table, source, shell = typed_table(asked)
    metric = asked.metric or shown_first(table)
    options = asked.given("level", "undefined", "anytime")
    scaled, more = table, ""
    if asked.times is not None:
        scaled, more = table.scaled(asked.times), f".scaled({asked.times:g})"
    metrics = [metric]
    if asked.prevalence is not None:
        metrics = [f"{name}@prevalence={asked.prevalence:g}" for name in dict.fromkeys((metric, "ppv", "npv"))]
    rows = tuple(estimate(scaled, name, **options) for name in metrics)
    named = {} if asked.prevalence is None else {name: metric_words(name.partition("@")[0]) for name in metrics}
    codes = [f"print({call('hs.estimate', 't', repr(name), **options)})" for name in metrics]
    copies = taken_along(shell(metric=metrics, **options), f"t = {source}{more}", *codes)
    return estimate_answer(Report(rows, rows[0].level), copies, named)


def paper(given: Mapping[str, Any] | fields.Paper) -> Answer:
    """Answer: the tables that round to a paper's figures, and their intervals."""
    asked = fields.Paper.read(given)
    figures = _figures(asked.figures or "")
    options = asked.given("n", "positives", "level")
    try:
        found = reconstruct(**options, **figures)
    except TypeError as error:  # a figure whose name is no metric
        raise Refused(messages.FIGURES_ARE_WRONG(error=error), 422) from None
    code = call("hs.reconstruct", **options, **figures)
    printed = [f"{name}={value}" for name, value in figures.items()]
    shell = command("howsure", "reconstruct", *printed, **options)
    return reconstruction_answer(found, taken_along(shell, f"print({code})"))


def _figures(text: str) -> dict[str, Any]:
    parts = [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]
    pairs = [part.partition("=") for part in parts]
    if not parts or not all(name.strip() and value.strip() for name, _, value in pairs):
        raise Refused(messages.FIGURES_MUST_BE_METRICS_AS_PRINTED())
    astray = [name for name, _, _ in pairs if name.strip() in ("n", "positives", "level", "method")]
    if astray:
        raise Refused(messages.FIGURES_HOLDS_HAS_FIELD_OF_OWN(astray=astray[0]))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _side_by_side(table: Table, metric: str, model: str, options: dict[str, Any]) -> tuple[Report, list[str]]:
    if len(table.labels) <= limits.MOST_RESAMPLED:
        return all_intervals(table, metric, model=model, **options), []
    rows = []
    for entry in METHODS:
        if not entry.batch:
            continue
        try:
            rows.append(estimate(table, metric, method=entry, model=model, **options))
        except MethodError:
            continue
    left = ", ".join(entry.name for entry in METHODS if not entry.batch)
    note = f"{len(table.labels)} classes: methods that resample ({left}) are left to the library, they take long"
    return Report(tuple(rows), rows[0].level), [note]


def report_of(given: Mapping[str, Any] | fields.Report) -> Answer:
    """Answer: several metrics with intervals."""
    asked = fields.Report.read(given)
    table, source, shell = typed_table(asked)
    options = asked.given("level", "undefined", "joint", "anytime")
    limits.at_most("metrics", len(asked.metrics or ()), limits.MOST_METRICS)
    code = call("hs.report", "t", metrics=asked.metrics, **options)
    copies = taken_along(shell(metric=asked.metrics or [], **options), f"t = {source}", f"print({code})")
    return report_answer(report(table, asked.metrics, **options), copies)


# --- plans ----------------------------------------------------------------------------------------------------------

FOR_COMPARISON = ("difference", "precision_b", "recall_b", "accuracy_b", "agreement", "margin")
FOR_ONE = (
    "half_width",
    "se",
    "predicted",
    "npv",
    "expected",
    "classes",
    "cost",
    "budget",
    "method",
    "assurance",
    "bound",
)


def plan(given: Mapping[str, Any] | fields.Plan) -> Answer:
    """Answer: how many rows to label, for one model or to tell two apart."""
    asked = fields.Plan.read(given)
    metric = asked.metric or "f1"
    options = asked.model_dump(exclude={"metric"}, exclude_none=True)
    paired = not options.pop("unpaired", False)
    comparing = any(name in options for name in FOR_COMPARISON)
    astray = [name for name in options if name in (FOR_ONE if comparing else ("power",))]
    astray += [] if comparing or paired else ["unpaired"]
    if astray:
        what = messages.A_COMPARISON() if comparing else messages.OF_ONE_MODEL()
        remedy = messages.LEAVE_IT_EMPTY() if comparing else messages.LEAVE_EMPTY_OR_GIVE_DIFFERENCE()
        raise Refused(messages.DOES_NOT_GO_WITH_PLAN(astray=", ".join(astray), what=what, remedy=remedy), 422)
    if comparing:
        made: Any = plan_comparison(metric, paired=paired, **options)
        code = call("hs.plan_comparison", repr(metric), paired=None if paired else False, **options)
        shell = command("howsure", "plan", metric, compare=True, unpaired=not paired, **options)
    else:
        expected = options.pop("expected", None)
        own = {} if expected is None else {metric: expected}
        made = plan_one(metric, **options, **own)
        code = call("hs.plan", repr(metric), **options, **own)
        price = {"cost_per_label": options.pop("cost", None)}
        shell = command("howsure", "plan", metric, **options, **price, expect=expected)
    return _plan_answer(made, comparing, taken_along(shell, f"print({code})"))


def _plan_answer(made: Any, comparing: bool, copies: dict[str, str]) -> Answer:
    plain = made.to_dict()
    wanted = ("metric", "n", "positives", "half_width", "se", "difference", "power", "level", "method", "test", "basis",
              "agreement", "n_clusters", "design_effect")  # fmt: skip
    facts = [(name.replace("_", " "), _fact(plain[name])) for name in wanted if plain.get(name) is not None]
    size = made.n or getattr(made, "positives", None) or 1
    figure = svg(plan_curve(made), width=720, height=310)
    source = CONNOR if comparing else JIANG
    cases = [] if comparing else made.case_rows()
    table = shown_table(("fact", "value"), facts, title=repr(made), numbers=(1,))
    if len(cases) > 2:
        table = shown_table(cases[0], cases[1:], title="If it turns out otherwise", numbers=range(len(cases[0]) - 1))
    return answer(
        f"{size:,} {'rows' if made.n is not None else 'positive rows'}", made.paragraph if comparing else made.beside,
        headline=made.answer_first, table=table,
        figures=[{"title": "What other numbers of rows give", "svg": figure}], notes=map(str, made.notes),
        rows=[plain | {"curve": [list(point) for point in made.curve()]}],
        copies={"text": str(made), "latex": escaped(made.paragraph), "bibtex": bibtex({"the plan": source}), **copies},
    )  # fmt: skip


def _fact(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else str(value)


def catalogue() -> dict[str, Any]:
    """Answer: the metrics and methods by name, and the limits."""
    return {
        "version": __version__,
        "metrics": [{"name": entry.name, "text": entry.text} for entry in CATALOGUE],
        "methods": [
            {"name": m.name, "kind": m.meaning, "text": m.text, "avoid": m.avoid, "citation": m.citation}
            for m in METHODS
        ],
        "limits": {"upload": limits.MOST_UPLOAD, "body": limits.MOST_BODY, "classes": limits.MOST_CLASSES},
    }

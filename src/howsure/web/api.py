"""The endpoints as plain functions: a dictionary of fields in, an answer out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from howsure.comparisons.bayes_test import bayes_test
from howsure.comparisons.catalogue import PAIR_METHODS
from howsure.comparisons.compare import compare as compare_two
from howsure.cross_validation.folds import folds
from howsure.errors import MethodError
from howsure.estimates.catalogue import METHODS
from howsure.estimates.estimate import estimate, report
from howsure.estimates.estimate import intervals as all_intervals
from howsure.metrics.catalogue import CATALOGUE
from howsure.planning.comparison import plan_comparison
from howsure.planning.plan import plan as plan_one
from howsure.reports.figures.sizes import plan_curve
from howsure.reports.latex import escaped
from howsure.reports.svg import svg
from howsure.results.citation import bibtex
from howsure.results.comparison import Comparison
from howsure.results.estimate import Report
from howsure.sources.kinds.counts import counts, matrix
from howsure.tables.design import plain_design
from howsure.tables.labels import Labels
from howsure.tables.table import Table
from howsure.version import __version__
from howsure.web import fields, limits
from howsure.web.answers import (
    Answer,
    answer,
    bayes_answer,
    comparison_answer,
    intervals_answer,
    report_answer,
    shown_table,
)
from howsure.web.copies import CONNOR, JIANG, call, command, python, written
from howsure.web.limits import Refused
from howsure.web.pasted import Cells

MOST_FACTOR = 100.0


# --- counts and matrices --------------------------------------------------------------------------------------------


def typed_table(asked: fields.Typed) -> tuple[Table, str, Callable[..., str]]:
    """Return the table of counts or of a matrix, its Python source, and a function that writes its command line."""
    if asked.matrix is not None:
        return _matrix_table(asked, asked.matrix)
    four = asked.model_dump(include={"tp", "fp", "fn", "tn"})
    lacking = [name for name in ("tp", "fp", "fn") if four[name] is None]
    if lacking:
        raise Refused(f"{', '.join(lacking)} not given; give the counts tp, fp and fn (tn if known), or a matrix")

    def shell(**options: Any) -> str:
        return command("howsure", "counts", **four, **options)

    return counts(**four), call("hs.counts", **four), shell


def _matrix_table(asked: fields.Typed, given: Cells) -> tuple[Table, str, Callable[..., str]]:
    if asked.tp is not None or asked.rows is None:
        rule = "give counts or a matrix, not both" if asked.rows else "rows must say 'truth' or 'prediction'"
        raise Refused(f"matrix is given; {rule}")
    cells, labels = given[0], asked.labels or given[1]
    options: dict[str, Any] = {"rows": asked.rows, "labels": labels, "pos_label": asked.pos_label}
    table = limits.checked_table(matrix(cells, **options))
    file = written([",".join(f"{cell:.15g}" for cell in row) for row in cells], "matrix.csv")

    def shell(**more: Any) -> str:
        named = options | {"labels": ",".join(labels) if labels else None}
        return f"{file}\n{command('howsure', 'matrix', 'matrix.csv', **named, **more)}"

    return table, call("hs.matrix", _cells(cells), **options), shell


def _cells(cells: list[list[float]]) -> str:
    return "[" + ", ".join("[" + ", ".join(f"{cell:.15g}" for cell in row) + "]" for row in cells) + "]"


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
    metric = asked.metric or ("f1" if table.pos_label is not None else "macro_f1")
    options = asked.given("level", "undefined")
    default = estimate(table, metric, model=model, **options)
    made, notes = _side_by_side(table, metric, default.model, options)
    code = call("hs.intervals", "t", repr(metric), model=model, **options)
    copies = {"python": python(f"t = {source}", f"print({code})"), "command": shell(metric=metric, **options)}
    return intervals_answer(made, default, copies, notes)


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
    options = asked.given("level", "undefined", "joint")
    limits.at_most("metrics", len(asked.metrics or ()), limits.MOST_METRICS)
    code = call("hs.report", "t", metrics=asked.metrics, **options)
    copies = {
        "python": python(f"t = {source}", f"print({code})"),
        "command": shell(metric=asked.metrics or [], **options),
    }
    return report_answer(report(table, asked.metrics, **options), copies)


# --- comparisons ----------------------------------------------------------------------------------------------------


def compare(given: Mapping[str, Any] | fields.Compare) -> Answer:
    """Answer: two models on the same rows, from eight counts."""
    asked = fields.Compare.read(given)
    cube = asked.cube
    if cube is None:
        raise Refused("cube is not given; give eight counts of rows by truth, prediction of a and prediction of b")
    if min(cube) < 0:
        raise Refused(f"cube holds {min(cube)}; a count must be zero or larger")
    if not sum(cube):
        raise Refused("cube holds no row; at least one count must be larger than zero", 422)
    a, b = asked.a or "A", asked.b or "B"
    if a == b:
        raise Refused(f"a and b are both {a!r}; give the models two names")
    return comparison_answer(by_every_method(cube_table(cube, (a, b)), asked, a, b), _cube_copies(cube, asked, a, b))


def cube_table(cube: list[int], models: tuple[str, str]) -> Table:
    """Return the table of two models from counts[truth, a, b]."""
    truth, first, second = np.indices((2, 2, 2)).reshape(3, -1)
    flat = np.array(cube, dtype=float)
    rows = Labels(truth, np.column_stack([first, second]), labels=(0, 1), pos_label=1)
    return Table(models, rows, plain_design(flat))


def pair_options(asked: fields.Compare | fields.Upload) -> dict[str, Any]:
    """Return the options of a comparison that were given."""
    return asked.given("level", "margin", "rope", "alternative", "undefined")


def by_every_method(table: Table, asked: fields.Compare | fields.Upload, a: str, b: str) -> list[Comparison]:
    """Return the comparison by the default method and by each other one that can serve."""
    metric, options = asked.metric or "accuracy", pair_options(asked)
    found = [compare_two(table, metric, a=a, b=b, **options)]
    for entry in PAIR_METHODS[1:]:
        if entry.name == "bootstrap" and len(table.labels) > limits.MOST_RESAMPLED:
            continue
        try:
            found.append(compare_two(table, metric, a=a, b=b, method=entry.name, **options))
        except MethodError:
            continue
    return found


def _cube_copies(cube: list[int], asked: fields.Compare, a: str, b: str) -> dict[str, str]:
    keys = [(truth, first, second) for truth in (0, 1) for first in (0, 1) for second in (0, 1)]
    metric, options = asked.metric or "accuracy", pair_options(asked)
    rows = ", ".join(f"{key}: {count}" for key, count in zip(keys, cube, strict=True))
    code = call("hs.compare", "t", repr(metric), a=a, b=b, **options)
    lines = [
        f"yes {key[0]},{key[1]},{key[2]} | head -n {count};" for key, count in zip(keys, cube, strict=True) if count
    ]
    shell = command("howsure", "compare", "-", truth="truth", pred=["a", "b"], pos_label="1", metric=metric, **options)
    return {
        "python": python(
            f"counts = {{{rows}}}  # (truth, {a}, {b}): rows",
            "truth, a, b = zip(*(row for row, number in counts.items() for _ in range(number)))",
            f"t = hs.table(truth, {{{a!r}: a, {b!r}: b}}, pos_label=1)",
            f"print({code})",
        ),
        "command": "{ echo truth,a,b; " + " ".join(lines) + " } | " + shell,
    }


def bayes(given: Mapping[str, Any] | fields.Bayes) -> Answer:
    """Answer: the Bayes test from the counts of folds."""
    asked = fields.Bayes.read(given)
    if asked.a is None or asked.b is None:
        raise Refused("a and b must both be given: a line of tp, fp, fn for each fold of each model")
    a, b = asked.name_a or "A", asked.name_b or "B"
    if a == b:
        raise Refused(f"name_a and name_b are both {a!r}; give the models two names")
    counted, factor = {a: asked.a, b: asked.b}, _factor(asked.factor)
    sides = [folds([tuple(row) for row in rows], factor=factor, model=name) for name, rows in counted.items()]
    options = asked.given("level", "rope", "prior")
    metrics = asked.metrics or ["precision", "recall", "f1"]
    limits.at_most("metrics", len(metrics), 12)
    tests = [bayes_test(sides[0], sides[1], metric, draws=200_000, **options) for metric in metrics]
    return bayes_answer(tests, _bayes_copies(counted, metrics, asked.factor, options))


def _factor(text: str | None) -> Any:
    try:
        factor = None if text is None else float(text)
    except ValueError:
        return text
    if factor is not None and not 0 < factor <= MOST_FACTOR:
        raise Refused(f"factor is {text}; it must lie above 0 and be at most {MOST_FACTOR:g}, or 'conservative'", 422)
    return factor


def _bayes_copies(
    counted: Mapping[str, list[list[float]]], metrics: list[str], factor: str | None, options: dict[str, Any]
) -> dict[str, str]:
    width = max(len(row) for rows in counted.values() for row in rows)
    lines = [",".join(["model", "repeat", "fold", *("tp", "fp", "fn", "tn")[:width]])]
    for name, rows in counted.items():
        for at, row in enumerate(rows):
            lines.append(
                ",".join([name.replace(",", " "), str(at // 2 + 1), str(at % 2 + 1), *(f"{x:.15g}" for x in row)])
            )
    made = [
        f"{key} = {call('hs.folds', _cells(rows), factor=_factor(factor), model=name)}"
        for key, (name, rows) in zip("ab", counted.items(), strict=True)
    ]
    tests = [f"print({call('hs.bayes_test', 'a', 'b', repr(metric), **options)})" for metric in metrics]
    shell = command("howsure", "bayes", "folds.csv", metric=metrics, model=list(counted), factor=factor, **options)
    return {"python": python(*made, *tests), "command": f"{written(lines, 'folds.csv')}\n{shell}"}


# --- plans ----------------------------------------------------------------------------------------------------------

FOR_COMPARISON = ("difference", "precision_b", "recall_b", "accuracy", "accuracy_b", "agreement", "margin")
FOR_ONE = ("half_width", "se", "predicted", "npv", "method", "assurance", "bound")


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
        what = "a comparison" if comparing else "one model"
        remedy = "leave it empty" if comparing else "leave it empty, or give the difference to detect"
        raise Refused(f"{', '.join(astray)} does not go with the plan of {what}; {remedy}", 422)
    if comparing:
        made: Any = plan_comparison(metric, paired=paired, **options)
        code = call("hs.plan_comparison", repr(metric), paired=None if paired else False, **options)
        shell = command("howsure", "plan", metric, compare=True, unpaired=not paired, **options)
    else:
        made = plan_one(metric, **options)
        code, shell = call("hs.plan", repr(metric), **options), command("howsure", "plan", metric, **options)
    return _plan_answer(made, comparing, {"python": python(f"print({code})"), "command": shell})


def _plan_answer(made: Any, comparing: bool, copies: dict[str, str]) -> Answer:
    plain = made.to_dict()
    wanted = ("metric", "n", "positives", "half_width", "se", "difference", "power", "level", "method", "test", "basis",
              "agreement", "n_clusters", "design_effect")  # fmt: skip
    facts = [(name.replace("_", " "), _fact(plain[name])) for name in wanted if plain.get(name) is not None]
    size = made.n or getattr(made, "positives", None) or 1
    figure = svg(plan_curve(made), width=720, height=310)
    source = CONNOR if comparing else JIANG
    return answer(
        f"{size:,} {'rows' if made.n is not None else 'positive rows'}", made.paragraph,
        table=shown_table(("fact", "value"), facts, title=repr(made), numbers=(1,)),
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

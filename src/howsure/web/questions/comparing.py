"""The questions about two models: on the same rows, by totals, and from the counts of folds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.comparisons.bayes_test import bayes_test
from howsure.comparisons.catalogue import PAIR_METHODS
from howsure.comparisons.compare import compare as compare_two
from howsure.comparisons.slices import Slices
from howsure.cross_validation.folds import folds
from howsure.errors import MethodError
from howsure.errors.messages import web as messages
from howsure.planning.comparison import plan_comparison
from howsure.results.comparison import Comparison
from howsure.sources.kinds.counts import counts
from howsure.tables.design import plain_design
from howsure.tables.labels import Labels
from howsure.tables.table import Table
from howsure.web import fields, limits
from howsure.web.answers import Answer, bayes_answer, comparison_answer
from howsure.web.copies import call, cells_source, command, taken_along, written
from howsure.web.limits import Refused

MOST_FACTOR = 100.0


def compare(given: Mapping[str, Any] | fields.Compare) -> Answer:
    """Answer: two models on the same rows, from eight counts."""
    asked = fields.Compare.read(given)
    cube = asked.cube
    if cube is None:
        raise Refused(messages.CUBE_IS_NOT_GIVEN())
    if min(cube) < 0:
        raise Refused(messages.CUBE_HOLDS_COUNT_MUST_BE_ZERO(min=min(cube)))
    if not sum(cube):
        raise Refused(messages.CUBE_HOLDS_NO_ROW(), 422)
    a, b = asked.a or "A", asked.b or "B"
    if a == b:
        raise Refused(messages.A_AND_B_ARE_BOTH(a=a))
    return comparison_answer(by_every_method(cube_table(cube, (a, b)), asked, a, b), _cube_copies(cube, asked, a, b))


def totals(given: Mapping[str, Any] | fields.Totals) -> Answer:
    """Answer: 85 of 100 against 91 of 100, on different rows or on the same."""
    asked = fields.Totals.read(given)
    a, b = asked.a or "A", asked.b or "B"
    if a == b:
        raise Refused(messages.A_AND_B_ARE_BOTH(a=a))
    sides = [(_given(asked, f"right_{key}"), _given(asked, f"total_{key}")) for key in "ab"]
    for key, (right, total) in zip("ab", sides, strict=True):
        if not 0 <= right <= total or total < 1:
            raise Refused(messages.RIGHT_LIE_BETWEEN_0_AND_TOTAL(key=key, right=right, total=total), 422)
    if asked.same:
        cube = _discordant(asked, sides)
        question = fields.Compare(metric="accuracy", **asked.given("level", "margin", "rope"))
        made = by_every_method(cube_table(cube, (a, b)), question, a, b)
        return comparison_answer(made, _cube_copies(cube, question, a, b))
    astray = [name for name in ("only_a", "only_b", "margin", "rope") if getattr(asked, name) is not None]
    if astray:
        raise Refused(messages.DOES_NOT_GO_WITH_DIFFERENT_ROWS(astray=astray[0]), 422)
    named = dict(zip((a, b), sides, strict=True))
    tables = {name: counts(tp=right, fp=0, fn=total - right) for name, (right, total) in named.items()}
    made = list(Slices(tables).compare("recall", **asked.given("level")).rows)
    parts = [f"{name!r}: hs.counts(tp={right}, fp=0, fn={total - right})" for name, (right, total) in named.items()]
    code = call(f"hs.Slices({{{', '.join(parts)}}}).compare", "'recall'", **asked.given("level"))
    shell = command(
        "howsure", "compare", *(f"{right}/{total}" for right, total in sides), unpaired=True, **asked.given("level")
    )
    copies = taken_along(shell, f"print({code})")
    return _settling(comparison_answer(made, copies), made[0], sides)


def _given(asked: fields.Totals, name: str) -> int:
    value = getattr(asked, name)
    if value is None:
        raise Refused(messages.NOT_GIVEN_GIVE_RIGHT_ANSWERS(name=name))
    return int(value)


def _discordant(asked: fields.Totals, sides: list[tuple[int, int]]) -> list[int]:
    """Return the eight counts of right and wrong answers on the same rows."""
    (right_a, total), (right_b, other) = sides
    if total != other:
        raise Refused(messages.TOTAL_A_AND_TOTAL_B(total=total, other=other), 422)
    only_a, only_b = asked.only_a, asked.only_b
    if only_a is None and only_b is None:
        raise Refused(messages.ONLY_A_IS_NOT_GIVEN(), 422)
    if only_a is None:
        only_a = right_a - (right_b - (only_b or 0))
    only_b = right_b - (right_a - only_a) if only_b is None else only_b
    both = right_a - only_a
    if both != right_b - only_b:
        raise Refused(
            messages.ONLY_A_AND_ONLY_B(only_a=only_a, only_b=only_b, both=both, right_b=right_b - only_b), 422,
        )  # fmt: skip
    neither = total - both - only_a - only_b
    if min(both, only_a, only_b, neither) < 0:
        raise Refused(messages.ONLY_A_AND_ONLY_B_ROWS_CANNOT_HOLD(only_a=only_a, only_b=only_b, total=total), 422)
    return [0, 0, 0, 0, neither, only_b, only_a, both]


def _settling(made: Answer, first: Comparison, sides: list[tuple[int, int]]) -> Answer:
    """Return the answer with what it would take to settle a difference."""
    shares = [right / total for right, total in sides]
    if first.low <= 0 <= first.high and 0 < min(shares) < max(shares) < 1:
        planned = plan_comparison("accuracy", accuracy=shares[0], accuracy_b=shares[1], paired=False, level=first.level)
        made["said"] = (
            f"That is not proof of equality. If the true difference is {abs(first.difference):.3f}, about "
            f"{planned.n:,} rows each settle it in 80 of 100 tests; the same rows for both need fewer."
        )
    return made


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
    metric, options = asked.metric or table.contents.leading, pair_options(asked)
    found = [compare_two(table, metric, a=a, b=b, **options)]
    for entry in PAIR_METHODS[1:]:
        if entry.resamples and len(table.labels) > limits.MOST_RESAMPLED:
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
    return taken_along(
        "{ echo truth,a,b; " + " ".join(lines) + " } | " + shell,
        f"counts = {{{rows}}}  # (truth, {a}, {b}): rows",
        "truth, a, b = zip(*(row for row, number in counts.items() for _ in range(number)))",
        f"t = hs.table(truth, {{{a!r}: a, {b!r}: b}}, pos_label=1)",
        f"print({code})",
    )


def bayes(given: Mapping[str, Any] | fields.Bayes) -> Answer:
    """Answer: the Bayes test from the counts of folds."""
    asked = fields.Bayes.read(given)
    if asked.a is None or asked.b is None:
        raise Refused(messages.A_AND_B_MUST_BOTH_BE_GIVEN())
    a, b = asked.name_a or "A", asked.name_b or "B"
    if a == b:
        raise Refused(messages.NAME_A_AND_NAME_B_ARE_BOTH(a=a))
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
        raise Refused(messages.FACTOR_LIE_ABOVE_0(text=text, most_factor=MOST_FACTOR), 422)
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
        f"{key} = {call('hs.folds', cells_source(rows), factor=_factor(factor), model=name)}"
        for key, (name, rows) in zip("ab", counted.items(), strict=True)
    ]
    tests = [f"print({call('hs.bayes_test', 'a', 'b', repr(metric), **options)})" for metric in metrics]
    shell = command("howsure", "bayes", "folds.csv", metric=metrics, model=list(counted), factor=factor, **options)
    return taken_along(f"{written(lines, 'folds.csv')}\n{shell}", *made, *tests)

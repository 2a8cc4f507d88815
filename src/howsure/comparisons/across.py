"""hs.compare_tables: the same metric on two test sets of different rows, such as two published confusion matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from howsure.comparisons.catalogue import PAIR_METHODS, check_single, chosen_pair_method
from howsure.comparisons.compare import check_claim, comparison_of, with_rope
from howsure.comparisons.pair import Alternative, Pair
from howsure.comparisons.slices import same_rows_note
from howsure.errors import InputError, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.catalogue import named_method
from howsure.estimates.estimate import check_table, check_undefined
from howsure.estimates.tail import Tail, one_sided
from howsure.metrics.names import MetricLike
from howsure.results.comparison import Comparison
from howsure.tables.covariance import crossings_apart, linearise
from howsure.tables.linearised import Linearised, check_one_scale, metric_on
from howsure.tables.table import Table, union_of_labels
from howsure.types import Undefined


def compare_tables(
    first: Table,
    second: Table,
    metric: MetricLike,
    *,
    model: str | tuple[str, str] | None = None,
    names: tuple[str, str] | None = None,
    method: Any = None,
    level: float = 0.95,
    kind: str = "difference",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    rope: float | None = None,
    single: Any = None,
    undefined: Undefined = "nan",
) -> Comparison:
    """Return the difference second − first of a metric on two independent test sets, with interval and p-value.

    For rows of different test sets: two published matrices, two hospitals, last year and this. Models that ran on the
    same rows belong into one table and ``compare``, which is several times sharper. The estimates are independent, so
    "mover" (the default; ``single`` names the one-table method whose limits it joins) and "wald" take a correlation of
    zero (Newcombe 1998, Stat. Med. 17:873). ``kind``, ``alternative``, ``margin`` and ``rope`` are as in ``compare``.
    ``model`` names the model of each table that holds several, ``names`` what to call the two sides.

    >>> from howsure import counts
    >>> compare_tables(counts(tp=77, fp=44, fn=10, tn=702), counts(tp=70, fp=20, fn=15, tn=400), "f1")
    F1: b − a = +0.060, 95% interval −0.035 to +0.152 (joined limits), p = 0.216, 1,338 rows
    """
    sides = _estimates(first, second, metric, model, names, undefined)
    check_claim(kind, alternative, margin, rope)
    through = np.diag([side.variance if side.crossing is None else side.through_rows.variance for side in sides])
    entry_of_one = None if single is None else named_method(single)
    pair = Pair(*sides, through, kind, entry_of_one, crossings_apart(sides))
    entry = chosen_pair_method(method, pair)
    check_single(single, entry)
    tail = Tail(level) if alternative == "two-sided" and margin is None else one_sided(level)
    found = entry(pair, tail, PAIR_METHODS)
    made = comparison_of(pair, tail, found, name=entry.name, level=level, alternative=alternative, margin=margin)
    note = same_rows_note({side.model: table for side, table in zip(sides, (first, second), strict=True)}, "test sets")
    rows = first.n + second.n
    apart = replace(made, n=rows, drawn="", paired=False, unpaired=None, notes=(*made.notes, *note))
    return with_rope(apart, pair, found, rope)


def _estimates(
    first: Table, second: Table, metric: MetricLike, model: Any, names: Any, undefined: Undefined
) -> tuple[Linearised, Linearised]:
    """Return the metric of each table, on one list of labels, under the names of the two sides."""
    for table in (first, second):
        check_table(table)
    check_undefined(undefined)
    models = model if isinstance(model, tuple) else (model, model)
    picked = [one.pick(one.models[one.model_index(name)]) for one, name in zip((first, second), models, strict=True)]
    labels = union_of_labels(picked[0].labels, picked[1].labels)
    aligned = [one if one.labels == labels else one.with_labels(labels) for one in picked]
    called = _names(names, (picked[0].model, picked[1].model))
    found = [
        replace(linearise(one, metric_on(one, metric), None, undefined), model=name)
        for one, name in zip(aligned, called, strict=True)
    ]
    check_one_scale(found[0], found[1])
    return found[0], found[1]


def _names(names: Any, models: tuple[str, str]) -> tuple[str, str]:
    if names is None:
        return models if models[0] != models[1] else ("a", "b")
    chosen = tuple(map(str, names)) if isinstance(names, (tuple, list)) else ()
    if len(chosen) != 2 or chosen[0] == chosen[1]:
        raise InputError(messages.NAMES_TWO_DIFFERENT_NAMES_FOR_SIDES(names=names, what=quoted(("2023", "2024"))))
    return chosen[0], chosen[1]

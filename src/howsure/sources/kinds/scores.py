"""Columns of scores to a Table: probabilities or ranks of the positive class, or one score for each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError, arg, check_choice, check_whole, is_number, quoted, setting
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Label
from howsure.sources.arrays.bad_values import is_missing
from howsure.sources.arrays.libraries import read_column
from howsure.sources.arrays.numbers import by_model, check_equal_lengths, sampled
from howsure.sources.arrays.refusals import type_name
from howsure.sources.arrays.tabulate import check_lengths, tabulate
from howsure.tables.kinds.scores import SUMS_TO, Scored, Thresholds
from howsure.tables.table import Table, positive_class
from howsure.types import Array, Ints

ABSTAIN = ("lowest",)
SHOWN = 5


def score_table(
    y_true: Any,
    scores: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    threshold: Thresholds | None = None,
    abstain: Label | None = None,
    decimals: int | None = None,
    counts: Array | None = None,
) -> Table:
    """Return the table of scored rows; a score that is no finite number is refused with the rows that have one.

    ``abstain="lowest"`` takes a missing score as lower than every other; ``decimals`` rounds scores, so that those that
    differ only by rounding tie. ``counts`` says how often each row occurred, and its weight is then that of each.
    """
    named = by_model("scores", scores, of="scores")
    if abstain is not None:
        check_choice("abstain", abstain, ABSTAIN)
    truth, names, ordered = coded_truth(y_true, labels)
    columns = {name: _numbers(name, column, abstain) for name, column in named.items()}
    check_equal_lengths({"truth": len(truth)} | {f'scores "{name}"': len(column) for name, column in columns.items()})
    design = sampled("truth", len(truth), weight=sample_weight, groups=groups, counts=counts)
    implied = positive_class(names, pos_label)
    positive = implied["pos_label"]
    parts = [_fitting(name, column, names, positive) for name, column in columns.items()]
    if len({part.ndim for part in parts}) > 1:
        raise InputError(messages.SCORES_HOLDS_MODELS_WITH_ONE_SCORE())
    block = np.stack(parts, axis=1) if parts[0].ndim == 2 else np.stack(parts).T  # a model's scores side by side
    block += 0.0  # −0.0 and 0.0 are one score
    if decimals is not None:
        block = np.round(block, check_whole("decimals", decimals, 0, messages.SUCH_AS_6()))
    if parts[0].ndim == 1 and positive is None:
        raise InputError(
            f"{arg('pos_label')} is missing: the labels {quoted(names)} do not say which class the scores are of; give "
            f"{setting('pos_label', names[-1])}" + ("" if len(names) == 2 else ", or a score for each class")
        )
    if parts[0].ndim == 1 and len(names) != 2:
        raise InputError(
            messages.SCORES_HOLDS_ONE_SCORE_ROW(names=quoted(names), number=len(names), other_names=names[-1])
        )
    rows = Scored(
        truth, block, thresholds_of(threshold, tuple(named)), numbered=counts is None, labels=names, ordered=ordered,
        **implied,
    )  # fmt: skip
    return Table(tuple(named), rows, design)


def coded_truth(y_true: Any, given: Sequence[Label] | None) -> tuple[Ints, tuple[Label, ...], bool]:
    """Return the true class of each row as a place among the labels, the labels, and whether they have an order."""
    column = read_column("truth", y_true)
    check_lengths([column], None)
    values = np.asarray(column.values[:])
    if column.vocabulary is None and given is None and values.dtype.kind in "bui":
        low, high = int(values.min()), int(values.max())
        if low >= 0 and high <= 1:
            pair: tuple[Label, ...] = (False, True) if column.kind == "booleans" else (0, 1)
            return values.astype(np.int8), pair, True
    found, codes = np.unique(values, return_inverse=True)
    seen = found.tolist() if column.vocabulary is None else [column.vocabulary[place] for place in found.tolist()]
    if column.kind == "booleans":
        seen = [bool(one) for one in seen]
    made = tabulate(seen, {"truth": seen}, labels=given, order=column.order)
    place = {label: index for index, label in enumerate(made.labels)}
    places = np.array([place[one] for one in seen], dtype=np.min_scalar_type(len(made.labels)))
    return places[codes], made.labels, made.ordered


def _numbers(name: str, data: Any, abstain: Label | None) -> Array:
    """Return a column of scores as floats: (rows,) or (rows, classes)."""
    who = messages.SCORES_OF(name=name)
    if hasattr(data, "to_numpy"):
        data = data.to_numpy()
    try:
        found = np.asarray(data)
        if found.dtype.kind == "O":
            found = np.array([_plain(row) for row in found])
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(
            messages.NUMPY_CANNOT_READ_AS_NUMBERS(who=who, type_name=type_name(data), error=error)
        ) from None
    if found.dtype.kind not in "biuf":
        example = found.flat[0] if found.size else ""
        raise InputError(messages.HOLDS_SCORES_MUST_BE_NUMBERS(who=who, example=example))
    if found.ndim not in (1, 2):
        raise InputError(messages.SHAPE_ROWS_ROWS_CLASSES(who=who, shape=found.shape))
    values = found.astype(np.float64, copy=False)
    bad = ~np.isfinite(values) if values.ndim == 1 else ~np.isfinite(values).all(1)
    if not bad.any():
        return values
    missing = np.isnan(values) if values.ndim == 1 else np.asarray(np.isnan(values).any(1))
    if abstain is not None and values.ndim == 1 and not (bad & ~missing).any():
        return np.where(missing, -np.inf, values)
    rows = np.flatnonzero(bad)
    which = ", ".join(map(str, rows[:SHOWN])) + (" …" if len(rows) > SHOWN else "")
    what = "missing" if missing[rows].all() else messages.NO_FINITE_NUMBER()
    lowest = setting("abstain", "lowest")
    raise InputError(
        messages.SCORES_ARE_NOT_FINITE(
            who=who, what=what, number=len(rows), number_of_values=len(values), which=which, lowest=lowest
        )
    )


def _plain(row: Any) -> Any:
    """Return what stands in a column of Python objects, nan for what is missing."""
    if isinstance(row, (list, tuple, np.ndarray)):
        return [_plain(one) for one in row]
    return np.nan if is_missing(row) else row


def _fitting(name: str, column: Array, names: tuple[Label, ...], positive: Label | None) -> Array:
    """Return the scores of one model; of two columns that sum to 1 the positive's, of more all of them."""
    if column.ndim == 1:
        return column
    who = messages.SCORES_OF(name=name)
    if column.shape[1] == 1:
        return column[:, 0]
    if column.shape[1] != len(names):
        raise InputError(messages.SCORE_COLUMNS_BUT_LABELS(who=who, shape=column.shape[1], names=quoted(names)))
    total = column.sum(1)
    off = np.flatnonzero(np.abs(total - 1) > SUMS_TO)
    if len(off):
        raise InputError(
            messages.SUMS_TO_IN_ROW(
                who=who, total=total[off[0]], off=off[0], number=len(off), number_of_total=len(total)
            )
        )
    if len(names) != 2:
        return column
    return column if positive is None else column[:, names.index(positive)]


def thresholds_of(threshold: Thresholds | None, models: Sequence[str]) -> tuple[float, ...] | str | None:
    """Return a threshold for each model, "argmax", or None."""
    if threshold is None or (isinstance(threshold, str) and threshold == "argmax"):
        return threshold
    if isinstance(threshold, Mapping):
        odd = [name for name in threshold if name not in models] + [name for name in models if name not in threshold]
        if odd:
            raise InputError(messages.THRESHOLD_NAMES_BUT_MODELS(threshold=quoted(threshold), models=quoted(models)))
        found = [threshold[name] for name in models]
    else:
        found = [threshold] * len(models)  # type: ignore[list-item]
    for one in found:
        if not is_number(one) or not np.isfinite(one):
            raise InputError.of("threshold", one, messages.FINITE_NUMBER_SUCH_AS_0())
    return tuple(map(float, found))

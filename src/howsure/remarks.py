"""Notes on an estimate: what is undefined and why, what sits on a boundary, how rows hang together."""

from __future__ import annotations

import numpy as np

from howsure.cells import Cells
from howsure.errors import quoted
from howsure.influence import value_of
from howsure.linear import Linear
from howsure.metric import Label, Metric
from howsure.results import Note, count

FEW_GROUPS = 30
MANY = 12


def remarks(linear: Linear) -> tuple[Note, ...]:
    """Return the notes that belong to an estimate whatever the interval method."""
    return tuple(note for part in (_undefined, _kinks, _groups, _weights) for note in part(linear))


def _undefined(linear: Linear) -> list[Note]:
    if linear.table.n == 0:
        return [Note(f"{linear.metric.name} is undefined: the table holds no rows", "undefined")]
    if linear.metric.over == "row":
        return _undefined_rows(linear)
    found = [note for part in linear.metric.per_class for note in _undefined_classes(linear, part)]
    if np.isnan(linear.value) and not found:
        return [Note(f"{linear.metric.name} is undefined (0/0): {_reason_for_one(linear)}", "undefined")]
    if np.isinf(linear.value):
        return [
            Note(
                f"{linear.metric.name} is infinite: its denominator is zero, so there is no standard error",
                "boundary",
            )
        ]
    return found + _flat(linear)


def _flat(linear: Linear) -> list[Note]:
    if np.isfinite(linear.value) and np.isnan(linear.variance) and linear.table.n_groups != 1:
        return [
            Note(
                f"{linear.metric.name} has no finite slope at {linear.value:.3g}, hence no standard error",
                "boundary",
            )
        ]
    return []


def _undefined_rows(linear: Linear) -> list[Note]:
    missing = np.isnan(value_of(linear.metric, linear.cells))
    rows = float(linear.table.counts[missing].sum())
    if not rows:
        return []
    what = {
        "nan": "so the average is undefined",
        "skip": "left out of the average",
        "zero": "counted as zero",
        "one": "counted as one",
    }
    return [
        Note(
            f"{linear.metric.name}: {count(rows)} rows have neither true nor predicted labels (0/0), {what[linear.undefined]}",
            "undefined",
        )
    ]


def _undefined_classes(linear: Linear, part: Metric) -> list[Note]:
    cells = linear.cells
    if cells.tp.ndim == 0:
        return []
    missing = np.flatnonzero(np.isnan(value_of(part, cells)))
    if linear.metric.name.startswith("micro"):
        missing = missing[:0]
    if not len(missing):
        return []
    labels = _labels_in_view(linear)
    what = {
        "nan": 'so the average is undefined; undefined="skip" leaves such classes out, "zero" counts them as zero',
        "skip": f"left out of the average, which is over {len(labels) - len(missing)} of {len(labels)} classes",
        "zero": "counted as zero",
        "one": "counted as one",
    }[linear.undefined]
    if linear.metric.name.startswith("weighted") and not np.isnan(linear.value):
        what = "without weight in the average" if (cells.actual[missing] == 0).all() else what
    reasons = "; ".join(f"class {labels[index]!r} {_reason(cells, index)}" for index in missing[:MANY]) + (
        f"; and {len(missing) - MANY} more" if len(missing) > MANY else ""
    )
    return [
        Note(
            f"{part.name} is 0/0 for {quoted([labels[i] for i in missing], most=MANY)} ({reasons}), {what}",
            "undefined",
        )
    ]


def _labels_in_view(linear: Linear) -> list[Label]:
    labels = linear.table.labels
    chosen = range(len(labels)) if linear.selection is None else np.atleast_1d(linear.selection)
    return [labels[index] for index in chosen]


def _reason(cells: Cells, index: int) -> str:
    actual, predicted = float(cells.actual[index]), float(cells.predicted[index])
    if actual == 0 and predicted == 0:
        return "is never true and never predicted"
    if actual == 0:
        return "is never true"
    if predicted == 0:
        return "is never predicted"
    return "holds every row"


def _reason_for_one(linear: Linear) -> str:
    if linear.metric.over != "class":
        return "all rows have the same true or the same predicted class"
    cells = linear.cells
    label = _labels_in_view(linear)[0]
    one = Cells(*(np.atleast_1d(part) for part in (cells.tp, cells.fp, cells.fn, cells.tn)))
    return f"class {label!r} {_reason(one, 0)}"


def _kinks(linear: Linear) -> list[Note]:
    """A formula with a minimum has no slope where its two sides tie (Yuan & Jiang, overlap)."""
    if linear.metric.kink is None or linear.metric.over != "class" or linear.table.n == 0:
        return []
    gap = float(linear.metric.kink(linear.cells))
    spread = float(np.sqrt((linear.cells.fp + linear.cells.fn) / linear.table.n))
    if abs(gap) > 3 * spread or (gap == 0 and spread == 0 and linear.cells.tp == 0):
        return []
    tied = "are equal" if gap == 0 else "nearly tie"
    return [
        Note(
            f"{linear.metric.name}: the numbers of true and of predicted positives {tied}, where the formula has a kink; "
            "the standard error is too small there and the limit law is not normal",
            "kink",
        )
    ]


def _groups(linear: Linear) -> list[Note]:
    groups = linear.table.n_groups
    if groups is None:
        return []
    if groups == 1:
        return [
            Note(
                "all rows belong to one group, so the spread between groups is unknown; give more groups",
                "groups",
            )
        ]
    notes = [
        Note(
            f"{count(linear.table.n)} rows in {groups} groups: design effect {linear.design_effect:.2f}, worth "
            f"{linear.effective_n:,.0f} independent rows; Student's t with {groups - 1} degrees of freedom",
            "groups",
        )
    ]
    if groups < FEW_GROUPS:
        notes.append(
            Note(
                f"only {groups} groups: below about {FEW_GROUPS} a cluster-robust error is itself uncertain",
                "few groups",
            )
        )
    return notes


def _weights(linear: Linear) -> list[Note]:
    if not linear.table.weighted:
        return []
    return [
        Note(
            f"rows carry sampling weights: worth {linear.effective_n:,.1f} independent rows for {linear.metric.name}",
            "weights",
        )
    ]

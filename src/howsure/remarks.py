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
    return tuple(note for part in (_undefined, _order, _kinks, _units, _groups, _weights) for note in part(linear))


def _undefined(linear: Linear) -> list[Note]:
    if linear.table.n == 0:
        return [Note(f"{linear.metric.name} is undefined: the table holds no rows", "undefined")]
    if linear.row_share:
        return []
    if linear.metric.over == "row":
        return _undefined_rows(linear)
    found = [note for part in linear.metric.per_class for note in _undefined_classes(linear, part)]
    if np.isnan(linear.value) and not found:
        return [Note(f"{linear.metric.name} is undefined (0/0): {_reason_for_one(linear)}", "undefined")]
    if np.isinf(linear.value):
        return [
            *found,
            Note(
                f"{linear.metric.name} is infinite: its denominator is zero, so there is no standard error",
                "boundary",
            ),
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
            f"{linear.metric.name}: {count(rows)} rows have neither true nor predicted labels (0/0), "
            f"{what[linear.undefined]}",
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
    if isinstance(linear.selection, str):
        return ["any"]
    chosen = range(len(labels)) if linear.selection is None else np.atleast_1d(linear.selection)
    return [labels[index] for index in chosen]


def _reason(cells: Cells, index: int) -> str:
    tp, fp, fn, tn = (float(part[index]) for part in (cells.tp, cells.fp, cells.fn, cells.tn))
    facts = {
        "never true": tp + fn == 0,
        "true in every row": fp + tn == 0,
        "never predicted": tp + fp == 0,
        "predicted for every row": fn + tn == 0,
    }
    found = " and ".join(fact for fact, holds in facts.items() if holds)
    return f"is {found}" if found else "makes both sides of the fraction zero"


def _reason_for_one(linear: Linear) -> str:
    if linear.metric.over != "class":
        return _reason_for_all(linear)
    cells = linear.cells
    label = _labels_in_view(linear)[0]
    tp, fp, fn, tn = (np.atleast_1d(part) for part in (cells.tp, cells.fp, cells.fn, cells.tn))
    one = Cells(tp, fp, fn, tn)
    return f"class {label!r} {_reason(one, 0)}"


def _reason_for_all(linear: Linear) -> str:
    cells, labels = linear.cells, _labels_in_view(linear)
    if linear.metric.name.startswith("micro"):
        margins = {"never true": cells.actual, "never predicted": cells.predicted}
        facts = [fact for fact, margin in margins.items() if not margin.any()]
        return f"each of the classes {quoted(labels, most=MANY)} is {' and '.join(facts) or 'in every row'}"
    facts = [f"class {labels[k]!r} is true in every row" for k in np.flatnonzero(cells.fp + cells.tn == 0)]
    facts += [f"class {labels[k]!r} is predicted for every row" for k in np.flatnonzero(cells.fn + cells.tn == 0)]
    return " and ".join(facts[:MANY]) or "both sides of the fraction are zero"


def _order(linear: Linear) -> list[Note]:
    """A metric that scores how far apart two classes are rests on their order; with two classes it does not."""
    table = linear.table
    if linear.metric.scores is None or table.ordered or len(table.labels) < 3:
        return []
    return [
        Note(
            f"{linear.metric.name}: classes are taken in the order {quoted(table.labels, most=MANY)}, sorted by name; "
            "give labels= if another order is meant",
            "order",
        )
    ]


def _kinks(linear: Linear) -> list[Note]:
    """A formula with a minimum has no slope where its two sides tie (Yuan & Jiang, overlap)."""
    if linear.table.n == 0:
        return []
    rules = (linear.metric,) if linear.metric.over == "class" else linear.metric.per_class
    return [note for rule in rules if rule.kink is not None for note in _ties(linear, rule)]


def _ties(linear: Linear, rule: Metric) -> list[Note]:
    micro = linear.metric.name.startswith("micro")
    if micro and linear.selection is None and not linear.table.multilabel:
        return []  # every miss is one false positive and one false negative: the two sides are one
    cells = linear.cells.pooled() if micro else linear.cells
    gaps, errors = np.atleast_1d(rule.kink(cells) if rule.kink else np.nan), np.atleast_1d(cells.fp + cells.fn)
    near = (np.abs(gaps) <= 3 * np.sqrt(errors / linear.table.n)) & (np.atleast_1d(cells.tp) + errors > 0)
    if not near.any():
        return []
    tied = "are equal" if (gaps[near] == 0).all() else "nearly tie"
    single = micro or linear.metric.over == "class"
    names = [] if single else [_labels_in_view(linear)[k] for k in np.flatnonzero(near)]
    whose = f"rows of {quoted(names, most=MANY)}" if names else "positives"
    return [
        Note(
            f"{linear.metric.name}: the numbers of true and of predicted {whose} {tied}, where the formula has a kink; "
            "the standard error is too small there and the limit law is not normal",
            "kink",
        )
    ]


def _units(linear: Linear) -> list[Note]:
    """Chunks of one sentence hang together; say what taking the sentence as the unit does."""
    if not linear.table.pooled or linear.metric.over != "class" or linear.table.groups is not None:
        return []
    if not np.isfinite(linear.design_effect):
        return []
    return [
        Note(
            f"the unit is the sentence: {count(linear.table.n)} of them, design effect {linear.design_effect:.2f} "
            "against independent chunks",
            "unit",
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
    effect = f"design effect {linear.design_effect:.2f}, worth {linear.effective_n:,.0f} independent rows"
    if not linear.design_effect > 0:
        effect = "no row moves the value, so that there is no design effect, and each group counts as one row"
    notes = [
        Note(
            f"{count(linear.table.n)} rows in {groups} groups: {effect}; Student's t with {groups - 1} degrees of "
            "freedom",
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
    how = "rows carry sampling weights" if linear.table.strata is None else "rows were sampled within strata"
    return [
        Note(
            f"{how}: worth {linear.effective_n:,.1f} independent rows for {linear.metric.name}",
            "weights",
        )
    ]

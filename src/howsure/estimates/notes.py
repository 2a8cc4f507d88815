"""Notes on an estimate: what is undefined and why, what sits on a boundary, how rows hang together."""

from __future__ import annotations

import numpy as np

from howsure.errors import quoted
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import value_of
from howsure.metrics.metric import Label, Metric
from howsure.results.base import Note
from howsure.results.words import count
from howsure.tables.contents import Codes
from howsure.tables.linearised import Linear
from howsure.tables.table import Table

FEW_GROUPS = 30
MANY = 12
MAJORITY = 0.8
FEW_COUNTED, SMALL_PART = 20, 0.25  # rows that a share counts, and their part of all rows
COUNTED = {
    frozenset(("tp", "fp")): "predicted positive",
    frozenset(("tp", "fn")): "actual positive",
    frozenset(("tn", "fn")): "predicted negative",
    frozenset(("tn", "fp")): "actual negative",
}


SAME = 1e-5  # weights may have been stored in single precision
BALANCED = Note(
    "the weights give every true class the same sum, as class_weight='balanced' does for training; here they are "
    "sampling weights: are they meant so? Without them the classes count as often as they occur",
    "balanced weights",
)


def remarks(linear: Linear) -> tuple[Note, ...]:
    """Return the notes that belong to an estimate whatever the interval method."""
    parts = (_undefined, _never_true, _majority, _few_counted, _order, _kinks, _units, _groups, _weights)
    return tuple(note for part in parts for note in part(linear))


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


def _never_true(linear: Linear) -> list[Note]:
    """A class that is predicted and never true enters the average of precision or F1 as 0, which is easily missed."""
    cells = linear.cells
    if not linear.metric.name.startswith("macro") or cells.tp.ndim == 0:
        return []
    strange = (cells.actual == 0) & (cells.predicted > 0)
    zero = [strange & (value_of(part, cells) == 0) for part in linear.metric.per_class]
    found = np.flatnonzero(np.any(zero, axis=0)) if zero else strange[:0]
    if not len(found):
        return []
    labels = quoted([_labels_in_view(linear)[index] for index in found], most=MANY)
    told, rest = f"class {labels} is predicted but never true: it counts", "it"
    if len(found) > 1:
        told, rest = f"classes {labels} are predicted but never true: they count", "them"
    check = f"check that truth and prediction are not swapped, or average without {rest}"
    return [Note(f"{told} as 0 in macro averages; {check}", "never true")]


def _majority(linear: Linear) -> list[Note]:
    """Nobody named the positive class, and it is the common one: the metric may be about the wrong class."""
    table, metric, cells = linear.table, linear.metric, linear.cells
    if not table.implied or len(table.labels) != 2 or metric.over != "class" or metric.label is not None:
        return []
    share = float(np.squeeze(cells.actual))
    if not share > MAJORITY:
        return []
    turned = value_of(metric, Cells(cells.tn, cells.fn, cells.fp, cells.tp))
    if np.allclose(turned, linear.value, equal_nan=True):
        return []
    rare = next(label for label in table.labels if label != table.pos_label)
    text = f"the positive class is {table.pos_label!r}, which {share:.0%} of rows are"
    remedy = f"give pos_label={rare!r} for the rare class, or pos_label={table.pos_label!r} to confirm"
    return [Note(f"{text}; {remedy}", "majority")]


def _few_counted(linear: Linear) -> list[Note]:
    """A share of few rows of a large table: n says too much of it."""
    table, metric = linear.table, linear.metric
    if metric.share is None or metric.over != "class" or table.weighted or table.pooled:
        return []
    what = COUNTED.get(frozenset((*metric.share.success, *metric.share.failure)))
    if what is None:
        return []
    part = sum(float(np.squeeze(linear.cells.counted(side))) for side in (metric.share.success, metric.share.failure))
    rows = round(part * table.n, 6)
    if not 0 < rows < FEW_COUNTED or part > SMALL_PART:
        return []
    many = "" if rows == 1 else "s"
    return [Note(f"{metric.name} rests on {count(rows)} {what}{many} of {count(table.n)} rows", "few rows")]


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
    worth = f"{how}: worth {linear.effective_n:,.1f} independent rows for {linear.metric.name}"
    return [Note(worth, "weights"), *([BALANCED] if balanced(linear.table) else [])]


def balanced(table: Table) -> bool:
    """Say whether weights depend on the true class alone and give all classes the same sum, as for training."""
    if table.strata is not None or not isinstance(table.rows, Codes):
        return False
    rows, weight = (np.bincount(table.rows.truth, weights=part) for part in (table.counts, table.weights))
    held = rows > 0
    each = (weight[held] / rows[held])[np.cumsum(held)[table.rows.truth] - 1]
    alike = np.allclose(table.weights, table.counts * each, rtol=SAME) and np.allclose(
        table.squares, table.counts * each**2, rtol=SAME
    )
    return bool(alike and np.ptp(rows[held]) > 0 and np.allclose(weight[held], weight[held].mean(), rtol=SAME))

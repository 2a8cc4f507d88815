"""Notes on a metric of labels: what is undefined and why, what sits on a boundary, what is easily overlooked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.errors import MetricError, quoted, setting
from howsure.errors.messages import tables as messages
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import value_of
from howsure.metrics.metric import Metric
from howsure.results.base import Note
from howsure.results.words import count, metric_words, units
from howsure.tables.design import Design
from howsure.tables.design_notes import no_slope
from howsure.types import Array, Ints

if TYPE_CHECKING:
    from howsure.tables.linearised import Linearised

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
SKIPPING = setting("undefined", "skip", quote='"')
BALANCED = Note(
    "the weights give every true class the same sum, as class_weight='balanced' does for training; here they are "
    "sampling weights: are they meant so? Without them the classes count as often as they occur",
    "balanced weights",
)


def label_notes(linear: Linearised) -> tuple[Note, ...]:
    """Return the notes on a metric of labels, whatever the interval method."""
    parts = (_undefined, _never_true, _majority, _few_counted, _order, _kinks, _units)
    return tuple(note for part in parts for note in part(linear))


def _undefined(linear: Linearised) -> list[Note]:
    if linear.n == 0:
        return [Note(f"{linear.said} is undefined: the table holds no rows", "undefined")]
    if linear.metric.over == "row":
        return [] if linear.metric.share is not None else _undefined_rows(linear)
    found = [note for part in linear.metric.per_class for note in _undefined_classes(linear, part)]
    if np.isnan(linear.value) and not found:
        return [Note(f"{linear.said} is undefined (0/0): {_reason_for_one(linear)}", "undefined")]
    if np.isinf(linear.value):
        return [
            *found,
            Note(
                f"{linear.said} is infinite: its denominator is zero, so there is no standard error",
                "boundary",
            ),
        ]
    return [*found, *no_slope(linear)]


def _undefined_rows(linear: Linearised) -> list[Note]:
    missing = np.isnan(value_of(linear.metric, linear.seen.cells))
    rows = float(linear.design.counts[missing].sum())
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
            f"{linear.said}: {count(rows)} rows have neither true nor predicted labels (0/0), {what[linear.undefined]}",
            "undefined",
        )
    ]


def _undefined_classes(linear: Linearised, part: Metric) -> list[Note]:
    cells = linear.seen.cells
    if cells.tp.ndim == 0:
        return []
    missing = np.flatnonzero(np.isnan(value_of(part, cells)))
    if linear.metric.average == "micro":
        missing = missing[:0]
    if not len(missing):
        return []
    labels = linear.seen.labels_in_view
    what = {
        "nan": f'so the average is undefined; {SKIPPING} leaves such classes out, "zero" counts them as zero',
        "skip": f"left out of the average, which is over {len(labels) - len(missing)} of {len(labels)} classes",
        "zero": "counted as zero",
        "one": "counted as one",
    }[linear.undefined]
    if linear.metric.average == "weighted" and not np.isnan(linear.value):
        what = "without weight in the average" if (cells.actual[missing] == 0).all() else what
    reasons = "; ".join(f"class {labels[index]!r} {_reason(cells, index)}" for index in missing[:MANY]) + (
        f"; and {len(missing) - MANY} more" if len(missing) > MANY else ""
    )
    found = quoted([labels[i] for i in missing], most=MANY)
    return [
        Note(
            f"{metric_words(part.name)} is 0/0 for {found} ({reasons}), {what}",
            "undefined",
        )
    ]


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


def _reason_for_one(linear: Linearised) -> str:
    if linear.metric.over != "class":
        return _reason_for_all(linear)
    cells = linear.seen.cells
    label = linear.seen.labels_in_view[0]
    tp, fp, fn, tn = (np.atleast_1d(part) for part in (cells.tp, cells.fp, cells.fn, cells.tn))
    one = Cells(tp, fp, fn, tn)
    return f"class {label!r} {_reason(one, 0)}"


def _reason_for_all(linear: Linearised) -> str:
    cells, labels = linear.seen.cells, linear.seen.labels_in_view
    if linear.metric.average == "micro":
        margins = {"never true": cells.actual, "never predicted": cells.predicted}
        facts = [fact for fact, margin in margins.items() if not margin.any()]
        return f"each of the classes {quoted(labels, most=MANY)} is {' and '.join(facts) or 'in every row'}"
    facts = [f"class {labels[k]!r} is true in every row" for k in np.flatnonzero(cells.fp + cells.tn == 0)]
    facts += [f"class {labels[k]!r} is predicted for every row" for k in np.flatnonzero(cells.fn + cells.tn == 0)]
    return " and ".join(facts[:MANY]) or "both sides of the fraction are zero"


def _never_true(linear: Linearised) -> list[Note]:
    """A class that is predicted and never true enters the average of precision or F1 as 0, which is easily missed."""
    cells = linear.seen.cells
    if linear.metric.average != "macro" or cells.tp.ndim == 0:
        return []
    strange = (cells.actual == 0) & (cells.predicted > 0)
    zero = [strange & (value_of(part, cells) == 0) for part in linear.metric.per_class]
    found = np.flatnonzero(np.any(zero, axis=0)) if zero else strange[:0]
    if not len(found):
        return []
    labels = quoted([linear.seen.labels_in_view[index] for index in found], most=MANY)
    told, rest = f"class {labels} is predicted but never true: it counts", "it"
    if len(found) > 1:
        told, rest = f"classes {labels} are predicted but never true: they count", "them"
    check = f"check that truth and prediction are not swapped, or average without {rest}"
    return [Note(f"{told} as 0 in macro averages; {check}", "never true")]


def _majority(linear: Linearised) -> list[Note]:
    """Nobody named the positive class, and it is the common one: the metric may be about the wrong class."""
    held, metric, cells = linear.contents, linear.metric, linear.seen.cells
    if not held.implied or len(held.labels) != 2 or metric.over != "class" or metric.label is not None:
        return []
    share = float(np.squeeze(cells.actual))
    if not share > MAJORITY:
        return []
    turned = value_of(metric, Cells(cells.tn, cells.fn, cells.fp, cells.tp))
    if np.allclose(turned, linear.value, equal_nan=True):
        return []
    rare = next(label for label in held.labels if label != held.pos_label)
    text = f"the positive class is {held.pos_label!r}, which {share:.0%} of rows are"
    remedy = (
        f"give {setting('pos_label', rare)} for the rare class, or {setting('pos_label', held.pos_label)} to confirm"
    )
    return [Note(f"{text}; {remedy}", "majority")]


def _few_counted(linear: Linearised) -> list[Note]:
    """A share of few rows of a large table: n says too much of it."""
    metric, n = linear.metric, linear.n
    if metric.share is None or metric.over != "class" or linear.design.weighted or linear.contents.pooled:
        return []
    what = COUNTED.get(frozenset((*metric.share.success, *metric.share.failure)))
    if what is None:
        return []
    part = sum(
        float(np.squeeze(linear.seen.cells.counted(side))) for side in (metric.share.success, metric.share.failure)
    )
    rows = round(part * n, 6)
    if not 0 < rows < FEW_COUNTED or part > SMALL_PART:
        return []
    many = "" if rows == 1 else "s"
    return [Note(f"{linear.said} rests on {count(rows)} {what}{many} of {count(n)} rows", "few rows")]


def fraction_of(linear: Linearised) -> tuple[float, float] | None:
    """Return numerator and denominator of a share of rows in whole rows; None where weights or a link stand between."""
    share = linear.metric.share
    if share is None or share.weight != 1.0 or linear.design.weighted or linear.view is None or not linear.n:
        return None
    parts = [linear.seen.cells.counted(side) for side in (share.success, share.failure)]
    if any(np.size(part) != 1 for part in parts):
        return None
    success, failure = (round(float(np.squeeze(part)) * linear.n, 6) for part in parts)
    return (success, success + failure) if np.isfinite(success + failure) else None


def _order(linear: Linearised) -> list[Note]:
    """A metric that scores how far apart two classes are rests on their order; with two classes it does not."""
    held = linear.contents
    if linear.metric.scores is None or held.ordered or len(held.labels) < 3:
        return []
    return [
        Note(
            f"{linear.said}: classes are taken in the order {quoted(held.labels, most=MANY)}, sorted by name; "
            f"give {setting('labels')} if another order is meant",
            "order",
        )
    ]


def _kinks(linear: Linearised) -> list[Note]:
    """A formula with a minimum has no slope where its two sides tie (Yuan & Jiang, overlap)."""
    if linear.n == 0:
        return []
    rules = (linear.metric,) if linear.metric.over == "class" else linear.metric.per_class
    return [note for rule in rules if rule.kink is not None for note in _ties(linear, rule)]


def _ties(linear: Linearised, rule: Metric) -> list[Note]:
    micro = linear.metric.average == "micro"
    if micro and linear.seen.selection is None and not linear.contents.several:
        return []  # every miss is one false positive and one false negative: the two sides are one
    cells = linear.seen.cells.pooled() if micro else linear.seen.cells
    gaps, errors = np.atleast_1d(rule.kink(cells) if rule.kink else np.nan), np.atleast_1d(cells.fp + cells.fn)
    near = (np.abs(gaps) <= 3 * np.sqrt(errors / linear.n)) & (np.atleast_1d(cells.tp) + errors > 0)
    if not near.any():
        return []
    tied = "are equal" if (gaps[near] == 0).all() else "nearly tie"
    single = micro or linear.metric.over == "class"
    names = [] if single else [linear.seen.labels_in_view[k] for k in np.flatnonzero(near)]
    whose = f"rows of {quoted(names, most=MANY)}" if names else "positives"
    return [
        Note(
            f"{linear.said}: the numbers of true and of predicted {whose} {tied}, where the formula has a kink; "
            "the standard error is too small there and the limit law is not normal",
            "kink",
        )
    ]


def _units(linear: Linearised) -> list[Note]:
    """Chunks of one sentence are clustered; say what taking the sentence as the unit does."""
    if not linear.contents.pooled or linear.metric.over != "class" or linear.design.groups is not None:
        return []
    if not np.isfinite(linear.design_effect):
        return []
    effect = f"design effect {linear.design_effect:.2f} against independent chunks"
    return [
        Note(
            f"Sentences ({count(linear.n)}) are treated as independent, not entities: those of one sentence are alike.",
            "unit",
        ),
        Note(f"{units(linear.n, 'sentence')}: {effect}", "unit effect", detail=True),
    ]


def class_weights(codes: Ints, design: Design) -> Array | None:
    """Return the weight of a row of each class that occurs, where weights depend on the class alone; None otherwise."""
    if design.strata is not None:
        return None
    rows, weight = (np.bincount(codes, weights=part) for part in (design.counts, design.weights))
    each = np.divide(weight, rows, out=np.zeros_like(rows), where=rows > 0)
    alike = np.allclose(design.weights, design.counts * each[codes], rtol=SAME, atol=0.0) and np.allclose(
        design.squares, design.counts * each[codes] ** 2, rtol=SAME, atol=0.0
    )
    return each if alike else None


def balanced_note(truth: Ints, design: Design) -> tuple[Note, ...]:
    """Return a note where weights depend on the true class alone and give all classes the same sum."""
    if class_weights(truth, design) is None:
        return ()
    rows, weight = (np.bincount(truth, weights=part) for part in (design.counts, design.weights))
    held = rows > 0
    same = np.ptp(rows[held]) > 0 and np.allclose(weight[held], weight[held].mean(), rtol=SAME)
    return (BALANCED,) if same else ()


def needs_negatives(metric: Metric) -> MetricError:
    """Return the refusal of a metric that needs true negatives."""
    without = [entry.name for entry in CATALOGUE if entry.over == "class" and not entry.needs_tn]
    return MetricError(messages.METRIC_NEEDS_TRUE_NEGATIVES_TABLE(metric=metric.name, without=quoted(without)))

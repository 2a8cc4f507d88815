"""Notes on a metric of scores: what is undefined and why, what is easily overlooked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.errors import setting
from howsure.metrics.metric import Label
from howsure.results.base import Note
from howsure.results.words import count, number
from howsure.tables.design_notes import no_slope

if TYPE_CHECKING:
    from howsure.tables.kinds.scores import Scored
    from howsure.tables.linearised import Linearised

NAMED = 5  # rows named in a note


def score_notes(linear: Linearised, held: Scored) -> tuple[Note, ...]:
    """Return the notes on a metric of scores, whatever the interval method."""
    if linear.n == 0:
        return (Note(f"{linear.metric.name} is undefined: the table holds no rows", "undefined"),)
    parts = (_undefined, _few, _backwards, _like_labels, _chosen, _bound, _prevalence, _ties, _bias)
    return tuple(note for part in parts for note in part(linear, held))


def _undefined(linear: Linearised, held: Scored) -> list[Note]:
    name, details = linear.metric.name, linear.details
    if np.isinf(linear.value):
        rows = details.get("impossible", ())
        how = f"{count(len(rows))} row{'s' * (len(rows) != 1)} gave the true class a probability of 0"
        which = f" (row {', '.join(map(str, rows[:NAMED]))}{' …' if len(rows) > NAMED else ''}, counting from 0)"
        text = f"{name} is infinite: {how}{which if held.numbered else ''}; '{name}[clip=1e-15]' keeps off the end"
        return [Note(text, "boundary")]
    if not np.isnan(linear.value):
        return list(no_slope(linear))
    if details.get("separated"):
        text = "one score separates the classes, or all scores are equal, so that no finite line fits"
        return [Note(f"{name} is undefined: {text}", "undefined")]
    if "least" in details:
        return [Note(f"{name} is undefined: no threshold reaches {details['bound']} {details['least']:g}", "undefined")]
    empty = [
        label for label, weight in zip(held.labels, held.support(linear.design.weights), strict=True) if not weight
    ]
    if empty:
        return [
            Note(f"{name} is undefined: no row is truly {_listed(empty)}; it needs rows of each class", "undefined")
        ]
    return [Note(f"{name} is undefined here", "undefined")]


def _listed(labels: list[Label]) -> str:
    return " or ".join(map(repr, labels[:NAMED])) + (" or others" if len(labels) > NAMED else "")


def _few(linear: Linearised, held: Scored) -> list[Note]:
    scoring = linear.metric.scoring
    if scoring is None or scoring.null is None or not np.isfinite(linear.value):
        return []
    sizes = held.support(linear.design.counts)
    place = int(np.argmin(np.where(sizes > 0, sizes, np.inf)))
    label = linear.metric.label
    if scoring.few > 5 and not held.each:  # it is about the positives
        place = held.positive_place
    elif label is not None:
        place = [str(one) for one in held.labels].index(str(label))
    rows = float(sizes[place])
    if not rows < scoring.few:
        return []
    many = "" if rows == 1 else "s"
    what = f"{linear.metric.name} rests on {count(rows)} row{many} of class {held.labels[place]!r}"
    if scoring.few > 5:
        return [Note(f"{what}; with so few it comes out too high on average", "few rows")]
    if rows == 1:
        return [Note(f"{what}, so its variance is unknown; the default interval does without", "few rows")]
    return [Note(what, "few rows")]


def _backwards(linear: Linearised, held: Scored) -> list[Note]:
    """A ranking that is surely worse than chance: the scores may be those of the other class."""
    scoring = linear.metric.scoring
    if scoring is None or scoring.chance is None or not np.isfinite(linear.variance):
        return []
    if not linear.value + 2 * float(np.sqrt(linear.variance)) < scoring.chance:
        return []
    remedy = "are the scores those of the other class? They are never turned round here"
    if not held.each:
        remedy += f"; give {setting('pos_label')}, or the scores negated"
    return [Note(f"{linear.metric.name} is {number(linear.value)}, surely worse than chance: {remedy}", "direction")]


def _like_labels(linear: Linearised, held: Scored) -> list[Note]:
    scoring = linear.metric.scoring
    if held.each or scoring is None or not scoring.ranked or len(held) < 3:
        return []
    levels = held.scored(linear.place).levels
    if len(levels) > 2:
        return []
    shown = " and ".join(f"{level:g}" for level in levels)
    return [Note(f"the scores take the value{'s' * (len(levels) > 1)} {shown} alone; these look like labels", "labels")]


def _chosen(linear: Linearised, held: Scored) -> list[Note]:
    cut = linear.metric.cut
    if cut is None or cut.kind != "best" or not np.isfinite(linear.value):
        return []
    at = number(linear.details["threshold"], 4)
    text = f"the threshold {at} was chosen on the same rows, which makes the value too high"
    return [Note(f"{text}; choose it on other rows, then ask for the metric at it", "chosen")]


def _bound(linear: Linearised, held: Scored) -> list[Note]:
    room = linear.details.get("room")
    if room is None or room >= 5 or linear.metric.cut is None or linear.metric.cut.bound is None:
        return []
    text = f"only about {number(room, 1)} rows lie beyond {linear.metric.cut.bound.name} {linear.metric.cut.value:g}"
    return [Note(f"{text}, so the threshold itself is uncertain", "few rows")]


def _prevalence(linear: Linearised, held: Scored) -> list[Note]:
    """Average precision depends on how common the positives are: rows sampled by class need weights."""
    scoring = linear.metric.scoring
    if scoring is None or scoring.few <= 5 or linear.design.strata is None:
        return []
    return [Note(f"{linear.metric.name} depends on the share of positives; the strata's weights set it", "prevalence")]


def _ties(linear: Linearised, held: Scored) -> list[Note]:
    tied = linear.details.get("tied", 0)
    if not tied:
        return []
    text = f"in {count(tied)} row{'s' * (tied != 1)} the true class ties at the last place that counts"
    return [Note(f"{text}; ties count against", "ties")]


def _bias(linear: Linearised, held: Scored) -> list[Note]:
    """ECE is above 0 for a perfect model too: say by how much."""
    spread = linear.details.get("model_spread")
    if spread is None:
        return []
    expected = expected_ece(linear)
    text = f"about {number(expected, 3)} of it is expected of a perfectly calibrated model with these scores"
    return [Note(f"{linear.metric.name} is {number(linear.value, 3)}; {text}", "bias")]


def expected_ece(linear: Linearised) -> float:
    """Return the mean ECE of a perfectly calibrated model with these scores: Σ √(2 v/π) over the bins."""
    return float(np.sqrt(2 * linear.details["model_spread"] / np.pi).sum())

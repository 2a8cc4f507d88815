"""The grammar after "@": at which threshold ("f1@0.5", "recall@specificity>=0.9"), or at which prevalence.

A part after "@" is one modifier of what stands before it, so modifiers chain from left to right. A modifier is a
function from the metric before it and its own text to a metric, or to None where the text is not its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from howsure.errors import MetricError
from howsure.errors.messages import metrics as messages
from howsure.metrics.metric import Metric
from howsure.metrics.scoring import Cut

NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
Named = Callable[[str], Metric]
Modifier = Callable[[Metric, str, Named], Metric | None]


def at_threshold(metric: Metric, text: str, named: Named) -> Metric | None:
    """Return a metric of labels where a score of at least the number is positive: "f1@0.5"."""
    if not re.fullmatch(NUMBER, text):
        return None
    return cut_at(metric, Cut("threshold", float(text)), f"{float(text):.12g}")


def at_word(metric: Metric, text: str, named: Named) -> Metric | None:
    """Return a metric at the threshold that is best for it, "f1@best", or at the highest class: "macro_f1@argmax"."""
    if text not in ("best", "argmax"):
        return None
    if text == "best" and metric.better is None:
        raise MetricError(messages.METRIC_BEST_HAS_NO_BEST(metric=metric.name))
    return cut_at(metric, Cut("best" if text == "best" else "argmax"), text)


def at_coverage(metric: Metric, text: str, named: Named) -> Metric | None:
    """Return a metric on the most confident rows: "accuracy@coverage=0.8"."""
    found = re.fullmatch(rf"coverage\s*=\s*({NUMBER})", text)
    if found is None:
        return None
    share = float(found[1])
    if metric.canonical != "accuracy":
        raise MetricError(messages.ACCURACY_ALONE_AT_COVERAGE(metric=metric.name, text=text))
    if not 0 < share <= 1:
        raise MetricError(messages.METRIC_NEEDS_SHARE_OF_ROWS_ABOVE(metric=metric.name, text=text))
    return cut_at(metric, Cut("coverage", share), f"coverage={share:g}")


def at_bound(metric: Metric, text: str, named: Named) -> Metric | None:
    """Return a metric at the threshold best for it among those that keep a bound: "recall@specificity>=0.9"."""
    found = re.fullmatch(rf"(.+?)\s*>=\s*({NUMBER})", text)
    if found is None:
        return None
    other, least = named(found[1].strip()), float(found[2])
    for one in (metric, other):
        if one.over != "class" or one.label is not None:
            raise MetricError(
                messages.METRIC_JOINS_METRICS_OF_POSITIVE_CLASS(metric=metric.name, text=text, one=one.name)
            )
    bottom, top = other.range
    if not bottom < least < top:
        raise MetricError(messages.METRIC_NEEDS_BOUND_BETWEEN(metric=metric.name, text=text, bottom=bottom, top=top))
    return cut_at(metric, Cut("where", least, other), f"{other.name}>={least:g}")


def at_prevalence(metric: Metric, text: str, named: Named) -> Metric | None:
    """Return any metric where a known share of rows is truly positive: "f1@prevalence=0.02"."""
    found = re.fullmatch(rf"prevalence\s*=\s*({NUMBER})(%?)", text)
    if found is None:
        return None
    share = float(found[1]) / (100 if found[2] else 1)
    words = f"prevalence={share:.12g}"
    if not 0 < share < 1:
        raise MetricError(messages.METRIC_NEEDS_PREVALENCE_BETWEEN_0(metric=metric.name, text=text))
    if metric.prior is not None:
        raise MetricError(messages.METRIC_NAMES_TWO_PREVALENCES(metric=metric.name, words=words))
    if metric.over == "values":
        raise MetricError(messages.METRIC_ABOUT_NUMBERS_HAVE_NO_PREVALENCE(metric=metric.name, words=words))
    return _renamed(metric, words, prior=share)


MODIFIERS: tuple[Modifier, ...] = (at_threshold, at_word, at_coverage, at_prevalence, at_bound)


def cut_at(metric: Metric, cut: Cut, words: str) -> Metric:
    """Return a metric of labels at a cut of the scores."""
    if metric.scoring is not None:
        raise MetricError(messages.METRIC_ABOUT_SCORES_THEMSELVES_AND_TAKES(metric=metric.name, words=words))
    if metric.cut is not None:
        raise MetricError(messages.METRIC_CUTS_SCORES_TWICE(metric=metric.name, words=words))
    return _renamed(metric, words, cut=cut)


def _renamed(metric: Metric, words: str, **more: Any) -> Metric:
    """Return a metric with a modifier in all of its names."""
    title = f"{metric.title or metric.name} at {words.replace('>=', ' ≥ ').replace('=', ' ')}"
    name, canonical = (f"{one}@{words}" for one in (metric.name, metric.canonical))
    aliases = tuple(f"{alias}@{words}" for alias in metric.aliases)
    return replace(metric, name=name, canonical=canonical, aliases=aliases, title=title, **more)


def modified(text: str, named: Named) -> Metric | None:
    """Return the metric of a name with "@" outside brackets; None where there is none.

    >>> from howsure.metrics.names import named
    >>> named("f1 @ 0.50").name, named("recall@specificity>=0.9").cut.value
    ('f1@0.5', 0.9)
    """
    place = _last(text)
    if place < 0:
        return None
    return cut_by(named(text[:place].strip()), text[place + 1 :].strip(), named)


def cut_by(metric: Metric, words: str, named: Named) -> Metric:
    """Return a metric with what stands after "@", also one that has no name in the catalogue."""
    found = next((made for modify in MODIFIERS if (made := modify(metric, words, named)) is not None), None)
    if found is None:
        raise MetricError(messages.METRIC_AFTER_IS_NOT_KNOWN(metric=metric.name, words=words))
    return found


def _last(text: str) -> int:
    """Return the place of the last "@" that is not in brackets, −1 without one."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == "]") - (text[place] == "[")
        if text[place] == "@" and depth == 0:
            return place
    return -1


def check_no_scores(metric: Metric) -> None:
    """Refuse a metric of scores, or one at a threshold, for rows that hold labels."""
    if metric.scoring is None and metric.cut is None:
        return
    what = messages.IS_ABOUT_SCORES() if metric.cut is None else messages.CUTS_SCORES()
    bare = metric.name.partition("@")[0]
    remedy = messages.LABELS_IN_PLACE_OF_SCORES() if metric.cut is None else messages.LABELS_NEED_NO_CUT(bare=bare)
    raise MetricError(messages.METRIC_IS_NOT_OF_THIS_KIND(metric=metric.name, what=what, remedy=remedy))

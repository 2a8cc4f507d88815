"""Bounds that hold at every moment at once: a confidence sequence for a share of successes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betaln, expit, log_expit, logit

from howsure.errors import InputError, MetricError, quoted
from howsure.estimates.tail import Tail
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.results.quantity import Quantity
from howsure.results.words import count, decimals_for, number, percent
from howsure.tables.linearised import linearise
from howsure.tables.table import Table
from howsure.types import Array

PRIOR = 0.5
_HALVINGS = 64
_FAR = 745.0  # expit(-745) is the smallest positive number


class Bound(Quantity):
    """A metric so far, with limits that hold at all times together: look as often as you like, stop when you like."""

    value: float
    low: float
    high: float
    level: float
    metric: str
    model: str
    n: float

    def __repr__(self) -> str:
        places = decimals_for(self.low, self.high)
        name = self.metric if self.model == "model" else f"{self.metric} of {self.model}"
        limits = f"[{number(self.low, places)}, {number(self.high, places)}]"
        return f"{name} = {number(self.value, places)} {limits} {percent(self.level)} at any time, n = {count(self.n)}"


def confidence_sequence(successes: Any, failures: Any, *, level: float = 0.95) -> tuple[Array, Array]:
    """Return limits for a share that hold with the level for all sample sizes together.

    Under a share p the ratio M = B(½+s, ½+f) / (B(½, ½) p^s (1−p)^f), the likelihood averaged over a Beta(½, ½) prior
    against that of p, is a martingale that starts at 1, so it ever reaches 1/(1−level) with probability at most 1−level
    (Ville 1939; Robbins 1970). The limits hold every p whose M is below. Assumes independent outcomes of one share.
    (Howard, Ramdas, McAuliffe & Sekhon 2021, Annals of Statistics 49:1055; Waudby-Smith & Ramdas 2024, JRSS B 86:1.)

    >>> low, high = confidence_sequence(90, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.772, 0.971)
    """
    sure = Tail(level).level
    s, f = np.broadcast_arrays(np.asarray(successes, dtype=float), np.asarray(failures, dtype=float))
    if (s < 0).any() or (f < 0).any() or not (np.isfinite(s) & np.isfinite(f)).all():
        raise InputError("successes and failures must be finite counts, zero or larger")
    room = np.asarray(betaln(PRIOR, PRIOR) - betaln(PRIOR + s, PRIOR + f) - np.log1p(-sure))
    # On the log-odds scale −s·log p − f·log(1−p) is convex with its least value at the observed share.
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = np.clip(np.where(s + f > 0, logit(s / (s + f)), 0.0), -_FAR, _FAR)

    def outside(x: Array) -> Array:
        return np.asarray(-s * log_expit(x) - f * log_expit(-x) >= room)

    low = np.where(s > 0, expit(_edge(outside, np.full(s.shape, -_FAR), centre)), 0.0)
    high = np.where(f > 0, expit(_edge(outside, np.full(s.shape, _FAR), centre)), 1.0)
    return low, high


def _edge(outside: Callable[[Array], Array], far: Array, near: Array) -> Array:
    """Return the point between far (outside) and near (inside) where outside ends, by halving; itself outside."""
    for _ in range(_HALVINGS):
        middle = (far + near) / 2
        out = outside(middle)
        far, near = np.where(out, middle, far), np.where(out, near, middle)
    return far


def anytime_bound(
    table: Table, metric: MetricLike = "accuracy", *, level: float = 0.95, model: str | None = None
) -> Bound:
    """Return the confidence sequence of a share metric on the rows counted so far.

    Any metric that is a share of rows, or follows from one (F1 from Jaccard), has one. Rows must be independent and
    without weights.
    """
    chosen = named(metric).check_own_prevalence()
    if chosen.share is None:
        raise MetricError(_no_share(chosen))
    one = table.pick(table.models[table.model_index(model)])
    if one.groups is not None or one.weighted:
        what = "groups" if one.groups is not None else "weights"
        raise InputError(
            f"table has {what}; an anytime bound takes independent rows that count once; count them without {what}"
        )
    if one.n == 0:
        return Bound(float("nan"), 0.0, 1.0, level, chosen.name, one.models[0], 0)
    linear = linearise(one, chosen)
    cells = linear.seen.cells
    successes, failures = (
        np.rint(cells.counted(names) * one.n) for names in (chosen.share.success, chosen.share.failure)
    )
    low, high = (float(chosen.share.link(end)) for end in confidence_sequence(successes, failures, level=level))
    return Bound(linear.value, low, high, level, chosen.name, linear.model, one.n)


def _no_share(metric: Metric) -> str:
    shares = [entry.name for entry in CATALOGUE if entry.share is not None]
    return (
        f"metric {metric.name!r} is no share of rows, so it has no anytime bound; the metrics that have one are "
        f"{quoted(shares)}"
    )

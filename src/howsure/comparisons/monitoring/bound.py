"""Bound: a metric on the rows counted so far, with limits that hold at every moment at once."""

from __future__ import annotations

from howsure.estimates.estimate import estimate
from howsure.estimates.methods.anytime import ANYTIME
from howsure.estimates.tail import Tail
from howsure.metrics.names import MetricLike
from howsure.results.quantity import Quantity
from howsure.results.words import count, decimals_for, method_words, number, percent
from howsure.tables.linearised import metric_on
from howsure.tables.table import Table


class Bound(Quantity):
    """A metric so far, with limits that hold at all times together: look as often as you like, stop when you like."""

    value: float
    low: float
    high: float
    level: float
    metric: str
    model: str
    n: float
    method: str = "anytime-beta"
    approximate: bool = False

    def __repr__(self) -> str:
        places = decimals_for(self.low, self.high)
        name = self.metric if self.model == "model" else f"{self.metric} of {self.model}"
        limits = f"[{number(self.low, places)}, {number(self.high, places)}]"
        how = f" ({method_words(self.method)})" if self.approximate else ""
        value = number(self.value, places)
        return f"{name} = {value} {limits} {percent(self.level)} at any time{how}, n = {count(self.n)}"


def anytime_bound(
    table: Table, metric: MetricLike = "accuracy", *, level: float = 0.95, model: str | None = None
) -> Bound:
    """Return limits of a metric on the rows counted so far that hold at all times together.

    Exact for a metric that is a share of rows or follows from one (F1 from Jaccard), and for a mean of row values in a
    range; approximate for every other, from 100 rows on. Rows must be independent and without weights.
    """
    chosen = metric_on(table, metric).check_own_prevalence()
    if table.n == 0:
        bottom, top = chosen.range
        name = table.models[table.model_index(model)]
        return Bound(float("nan"), bottom, top, Tail(level).level, chosen.name, name, 0)
    found = estimate(table, chosen, level=level, model=model, anytime=True)
    (entry,) = (one for one in ANYTIME if one.name == found.method)
    return Bound(
        found.value, found.low, found.high, level, chosen.name, found.model, found.n, entry.name, entry.approximate
    )

"""Tables that the tests of the methods share, and the limits of a method on one."""

from __future__ import annotations

import howsure as hs

Z = 1.959963984540054
TABLE = hs.counts(tp=77, fp=44, fn=10, tn=702)
SMALL = hs.counts(tp=8, fp=2, fn=3, tn=7)


def limits(table: hs.Table, metric: str | hs.Metric, method: object, level: float = 0.95) -> tuple[float, float]:
    found = hs.estimate(table, metric, method=method, level=level)
    return found.low, found.high

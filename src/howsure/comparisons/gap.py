"""The gap between the best slice and the worst, whichever they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from howsure.comparisons.against_best import may_be_best
from howsure.comparisons.contrasts import Reaches, pair_method
from howsure.errors import InputError
from howsure.errors.messages import comparisons as messages
from howsure.estimates.joint import joint_report
from howsure.metrics.metric import Metric
from howsure.results.base import Note, note_of
from howsure.results.comparison import Comparisons
from howsure.results.gap import Gap
from howsure.tables.covariance import Family


def gap_of(
    family: Family, pairs: Comparisons, names: Sequence[str], metric: Metric, level: float, notes: tuple[Note, ...]
) -> Gap:
    """Return the gap of one metric over slices from simultaneous intervals of all pairs and of all slices.

    If every pair's interval holds, the true gap lies between the largest lower limit (or 0) and the largest limit.
    """
    kept = [place for place in range(len(family)) if math.isfinite(family.values[place])]
    if len(kept) < 2:
        raise InputError(messages.METRIC_IS_DEFINED_IN_SLICES(metric=metric.name, number=len(kept)))
    lower_is_worse = metric.better != "lower"
    order = sorted(kept, key=lambda place: family.values[place], reverse=not lower_is_worse)
    rows = [row for row in pairs.rows if math.isfinite(row.difference)]
    low = max(0.0, *(max(row.low, -row.high) for row in rows))
    high = max(max(row.high, -row.low) for row in rows)
    single = family.some(kept)
    ends = [(row.low, row.high) for row in joint_report(single, level=level).rows]
    pick = min if lower_is_worse else max
    how = pair_method(None, single)
    tied = may_be_best(Reaches(single), better="lower" if lower_is_worse else "higher", level=level, method=how)
    candidates = [place for place, maybe in zip(kept, tied, strict=True) if maybe]
    undefined = [names[place] for place in range(len(family)) if place not in kept]
    said = [note_of("left out in", "undefined", metric=metric.name, names=", ".join(undefined))] if undefined else []
    if metric.better is None:
        said.append(note_of("lowest slice", "direction", metric=metric.name))
    return Gap(
        metric=metric.name, model=family.linears[0].model, gap=float(np.ptp(family.values[kept])), low=low, high=high,
        best=names[order[-1]], worst=names[order[0]], worst_value=float(family.values[order[0]]),
        worst_low=pick(low for low, _ in ends), worst_high=pick(high for _, high in ends),
        may_be_worst=tuple(names[place] for place in order if place in candidates), level=level, slices=len(kept),
        notes=(*said, *notes),
    )  # fmt: skip

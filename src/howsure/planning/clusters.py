"""Clustered rows: design effect from an intra-class correlation, or from a pilot with groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.errors import InputError, check_number
from howsure.errors.messages import planning as messages
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric
from howsure.results.plans.plan import Clusters
from howsure.tables.covariance import covariance, linearise
from howsure.tables.table import Table


def widening(clusters: Clusters, rows: float, tail: Tail) -> float:
    """Return t/z: what few clusters cost beyond the design effect (t with clusters − 1 degrees)."""
    degrees = rows / clusters.size - 1
    return tail.quantile(degrees) / tail.z if degrees >= 1 else math.inf


def clusters_of(size: float | None, icc: float | None) -> Clusters | None:
    """Return the design effect 1 + (size − 1)·icc (Kish 1965), or None where no clusters are planned.

    >>> clusters_of(20, 0.05)
    Clusters(design_effect=1.9500000000000002, size=20.0, icc=0.05)
    """
    if size is None and icc is None:
        return None
    if size is None or icc is None:
        raise InputError(messages.CLUSTER_SIZE_AND_ICC_GO_TOGETHER())
    _check_size(size)
    check_number("icc", icc, messages.LIE_BETWEEN_0_AND_1(), least=0, most=1)
    return Clusters(1 + (size - 1) * icc, float(size), float(icc))


def _check_size(size: Any) -> None:
    check_number("cluster_size", size, messages.ONE_OR_LARGER(), least=1)


def planned_clusters(metric: Metric, table: Table | None, size: float | None, icc: float | None) -> Clusters | None:
    """Return the clusters of a plan: as stated, or those of a pilot with groups where no icc is stated."""
    if table is not None and table.groups is not None and icc is None:
        return _pilot_clusters(table, metric, size)
    return clusters_of(size, icc)


def _pilot_clusters(table: Table, metric: Metric, size: float | None) -> Clusters:
    """Return the clusters of a pilot with groups: icc = (design effect − 1)/(m − 1), m = Σ size² / Σ size.

    With two models the design effect is that of their difference. A design effect below 1 counts as 1: a pilot is
    too small to promise a gain.
    """
    assert table.groups is not None
    sizes = np.bincount(np.unique(table.groups, return_inverse=True)[1], weights=table.counts)
    if len(sizes) < 2:
        raise InputError(messages.PILOT_HOLDS_ONE_GROUP_ALONE())
    together, alone = (_variance(one, metric) for one in (table, table.without_groups()))
    heavy = float((sizes**2).sum() / sizes.sum())
    effect = together / alone if alone > 0 else math.nan
    if not math.isfinite(effect):
        raise InputError(messages.PILOT_SHOWS_NO_VARIATION_CANNOT_SAY())
    icc = min(max((effect - 1) / (heavy - 1), 0.0), 1.0) if heavy > 1 else 0.0
    if size is None:
        return Clusters(max(effect, 1.0), float(sizes.mean()), icc)
    _check_size(size)
    return Clusters(1 + (size - 1) * icc, float(size), icc)


def _variance(table: Table, metric: Metric) -> float:
    joint = covariance(table, [linearise(table, metric, model) for model in table.models])
    sign = np.array([1.0]) if len(joint) == 1 else np.array([-1.0, 1.0])
    return float(sign @ joint @ sign)

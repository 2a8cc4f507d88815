"""What a plan for AUC rests on: the variance that its value, and the share of positives, imply."""

from __future__ import annotations

import numpy as np

from howsure.errors import InputError, arg, setting
from howsure.estimates.methods.ranking import null_interval
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric
from howsure.metrics.null_variance import auc_null, hanley_mcneil
from howsure.metrics.ranking import AUC
from howsure.metrics.scoring import Worth
from howsure.planning.basis import Basis
from howsure.planning.expected import Expected

MANY = 1e9


def auc_basis(metric: Metric, tail: Tail, known: Expected) -> Basis:
    """Return the basis of a plan for AUC: Hanley and McNeil's variance at the value and the prevalence expected.

    Hanley & McNeil (1982) Radiology 143:29; Obuchowski & McClish (1997) Stat. Med. 16:1529. Other metrics of scores
    need a pilot: their variance does not follow from their value.
    """
    if metric.scoring is not AUC.scoring:
        raise InputError(
            f"{arg('metric')} is {metric.name!r}, whose variance does not follow from its value; give a table of "
            f"scores as {setting('pilot')}"
        )
    if known.value is None or known.prevalence is None:
        raise InputError(
            f"a plan for {metric.name} needs the value expected, such as {metric.name}=0.85, and "
            f"{setting('prevalence')}, the share of positives; or a table of scores as {setting('pilot')}"
        )
    value, share = np.float64(known.value), known.prevalence

    def half(rows: float, assurance: float | None) -> float:
        ones, zeros = max(rows * share, 1.0), max(rows * (1 - share), 1.0)
        variance = hanley_mcneil(value, ones, zeros)
        worth = Worth(value, variance, ones, zeros, (ones, zeros), (variance / 2, variance / 2))
        low, high = null_interval(value, auc_null(worth), tail, (0.0, 1.0))
        return float(high - low) / 2

    return Basis(
        metric.name, float(hanley_mcneil(value, MANY * share, MANY * (1 - share)) * MANY), half, "wilson",
        f"AUC {known.value:g} at a prevalence of {share:g}, classes of like spread (Hanley & McNeil 1982)",
        (f"an AUC of {known.value:g} with {share:.0%} positives", "rows are independent",
         "positives and negatives spread alike"),
        prevalence=share, value=known.value,
    )  # fmt: skip

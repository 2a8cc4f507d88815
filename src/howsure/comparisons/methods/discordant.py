"""Two models' shares of the same rows (accuracy, recall, specificity): who alone was right, and tests on that."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scipy.special import bdtr, bdtrc, ndtr

from howsure.comparisons.pair import Alternative, Ends, Pair
from howsure.metrics.metric import Metric
from howsure.numerics.solving import bracketed_root


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Rows that count for both models alike, by whose outcome was a success: only a's, only b's, both, neither."""

    only_a: float
    only_b: float
    both: float
    neither: float

    @property
    def n(self) -> float:
        """Number of rows that count."""
        return self.only_a + self.only_b + self.both + self.neither


def outcomes_of(pair: Pair) -> Outcomes | None:
    """Return the paired successes of a share whose denominator no prediction can change, or None.

    Such are accuracy (all rows), recall (rows of the class), specificity (the others) and their complements.
    """
    first, second = (linear.contents.outcomes(linear) for linear in (pair.a, pair.b))
    if first is None or second is None or not pair.same_rows:
        return None
    counts = pair.a.design.weights * first.counted
    won_a, won_b = first.success, second.success
    masks = (won_a & ~won_b, won_b & ~won_a, won_a & won_b, ~won_a & ~won_b)
    return Outcomes(*(float(counts[mask].sum()) for mask in masks))


def why_not_counted(pair: Pair) -> str | None:
    """Say what a test on discordant rows lacks, or None."""
    if not pair.a.design.independent:
        return "it needs independent rows, and these have groups or weights"
    if outcomes_of(pair) is None:
        return "it needs a share of rows that no prediction can change: accuracy, recall, specificity or a complement"
    return None


def mcnemar_p(only_a: float, only_b: float, *, alternative: Alternative = "two-sided", mid: bool = False) -> float:
    """Return McNemar's exact p-value of two discordant counts, or its mid-P version.

    Given their sum, each discordant row is a fair coin if the models are equally good: twice the smaller binomial tail,
    at most 1. Mid-P takes half the probability of the observed count from each tail. Counts that are not whole have no
    binomial and give nan. McNemar (1947) Psychometrika 12:153; mid-P: Fagerland, Lydersen & Laake (2013) BMC Med. Res.
    Methodol. 13:91.

    >>> round(mcnemar_p(1, 9), 6), round(mcnemar_p(1, 9, mid=True), 6)
    (0.021484, 0.011719)
    """
    total = only_a + only_b
    if not (float(only_a).is_integer() and float(only_b).is_integer()):
        return math.nan
    if total == 0:
        return 1.0
    point = _binomial(int(min(only_a, only_b)), int(total))
    below, above = float(bdtr(only_b, int(total), 0.5)), float(bdtrc(only_b - 1, int(total), 0.5)) if only_b else 1.0
    half = point / 2 if mid else 0.0
    sides = {"less": below - half, "greater": above - half}
    if alternative != "two-sided":
        return sides[alternative]
    return min(2 * min(sides.values()), 1.0)


def corrected_mcnemar_p(only_a: float, only_b: float, *, alternative: Alternative = "two-sided") -> float:
    """Return the p-value of McNemar's chi-squared with continuity correction: z = (|x_b − x_a| − 1)/√(x_a + x_b).

    Edwards (1948) Psychometrika 13:185; what R's mcnemar.test and mlxtend print by default.

    >>> round(corrected_mcnemar_p(1, 9), 6)
    0.026857
    """
    total = only_a + only_b
    if total == 0:
        return 1.0
    apart = only_b - only_a
    z = max(abs(apart) - 1, 0) / math.sqrt(total)
    tail = float(ndtr(-z))
    if alternative == "two-sided":
        return min(2 * tail, 1.0)
    return tail if (apart > 0) == (alternative == "greater") else 1 - tail


def _binomial(k: int, n: int) -> float:
    return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2))


def tango_z(only_a: float, only_b: float, n: float, difference: float) -> float:
    """Return the score statistic of a difference of two shares of the same n rows.

    Tango (1998) Stat. Med. 17:891: (b − c − nδ)/√(n(2q + δ(1−δ))), b and c the rows that only one model gets right, q
    the share of c of greatest likelihood under δ, a root of a quadratic. At δ = 0 it is McNemar's (b − c)/√(b + c).
    """
    leading = 2 * n
    linear = -only_b - only_a + (2 * n - only_b + only_a) * difference
    constant = -only_a * difference * (1 - difference)
    share = (math.sqrt(max(linear**2 - 4 * leading * constant, 0.0)) - linear) / (2 * leading)
    spread = math.sqrt(max(n * (2 * share + difference * (1 - difference)), 0.0))
    gap = only_b - only_a - n * difference
    return gap / spread if spread > 0 else (0.0 if gap == 0 else math.copysign(math.inf, gap))


def tango_limits(only_a: float, only_b: float, n: float, z: float) -> Ends:
    """Return all differences that Tango's score test does not reject.

    >>> [round(limit, 4) for limit in tango_limits(0, 0, 50, 1.959963985)]
    [-0.0713, 0.0713]
    """
    centre = (only_b - only_a) / n
    low = _limit(lambda delta: tango_z(only_a, only_b, n, delta) - z, -1.0, centre)
    high = _limit(lambda delta: tango_z(only_a, only_b, n, delta) + z, centre, 1.0)
    return low, high


def _limit(function: Any, low: float, high: float) -> float:
    if low == high or not function(high) < 0 < function(low):
        return low if abs(function(low)) < abs(function(high)) else high
    return bracketed_root(function, low, high, tolerance=1e-13)


def shared_denominator(metric: Metric) -> bool:
    """Say whether a metric is a share of rows that no prediction can change."""
    share = metric.share
    return share is not None and share.weight == 1.0 and share.fixed_rows is not None

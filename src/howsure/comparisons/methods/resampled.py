"""Resampled differences of two models, and how their quantiles become limits and p-values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.comparisons.pair import Alternative, Pair
from howsure.errors import InputError
from howsure.errors.messages import comparisons as messages
from howsure.estimates.methods.bootstrap import Bootstrap, acceleration_of
from howsure.numerics.sampled_posterior import drawn_quantile
from howsure.types import Array


@dataclass(frozen=True)
class Resampled:
    """Resampled differences and how their quantiles become limits; bias and acceleration are 0 except for BCa."""

    ordered: Array
    bias: float
    acceleration: float
    mirror: float | None

    @staticmethod
    def of(pair: Pair, ordered: Array, options: Bootstrap) -> Resampled:
        if options.kind == "studentised":
            raise InputError(messages.KIND_STUDENTISED_NEEDS_ERROR_OF_EACH())
        if options.kind == "basic":
            return Resampled(ordered, 0.0, 0.0, 2 * pair.difference)
        if options.kind == "percentile":
            return Resampled(ordered, 0.0, 0.0, None)
        below = np.clip(_rank(ordered, pair.difference), 0.5 / len(ordered), 1 - 0.5 / len(ordered))
        return Resampled(ordered, float(ndtri(below)), _acceleration(pair), None)

    def quantile(self, probability: float) -> tuple[float, float]:
        """Return a limit and its Monte-Carlo error."""
        shifted = self.bias + float(ndtri(probability))
        rank = float(ndtr(self.bias + shifted / (1 - self.acceleration * shifted)))
        rank = 1 - rank if self.mirror is not None else rank
        found, error = drawn_quantile(self.ordered, rank)
        return found if self.mirror is None else self.mirror - found, error

    def p(self, null: float, side: Alternative) -> float:
        """Return the p-value: the tail at which the limit meets the null, never below 1/(resamples + 1).

        The correction for bias and acceleration is inverted, so the test and the interval agree.
        """
        at = null if self.mirror is None else self.mirror - null
        size = len(self.ordered)
        rank = (_rank(self.ordered, at) * size + 0.5) / (size + 1)
        rank = 1 - rank if self.mirror is not None else rank
        shifted = float(ndtri(rank)) - self.bias
        below = float(ndtr(shifted / (1 + self.acceleration * shifted) - self.bias))
        below = min(max(below, 1 / (size + 1)), 1 - 1 / (size + 1))
        return {"two-sided": 2 * min(below, 1 - below), "greater": below, "less": 1 - below}[side]


def _rank(ordered: Array, at: float) -> float:
    """Return the share of draws below a value; ties, which rounding may have parted, count half."""
    dust = 1e-12 * max(1.0, abs(at))
    return float(np.mean(ordered < at - dust) + np.mean(ordered <= at + dust)) / 2


def _acceleration(pair: Pair) -> float:
    """Return a sixth of the skewness of what each row or group adds to the difference.

    Σφ³/(6(Σφ²)^1.5), φ the influence on b less that on a; for a ratio, on log b less on log a.
    """
    scale = np.array([-1.0, 1.0]) / ([pair.a.value, pair.b.value] if pair.kind == "ratio" else 1.0)
    moved = scale[0] * pair.a.influence + scale[1] * pair.b.influence
    return acceleration_of(moved, pair.a.design)

"""The weighted generalised score test of two predictive values on the same rows."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from howsure.comparisons.pair import Alternative, Pair, p_of
from howsure.types import Array

# precision looks at positive predictions, NPV at negative ones
SIDES: dict[tuple[tuple[str, ...], ...], int] = {(("tp",), ("fp",)): 1, (("tn",), ("fn",)): 0}


def no_predictive_value(pair: Pair) -> str | None:
    """Say what the test lacks, or None."""
    share = pair.metric.share
    known = share is not None and (share.success, share.failure) in SIDES
    if not known or not pair.a.contents.one_truth or not isinstance(pair.seen.selection, int):
        return "it is about precision and npv of one class"
    if not pair.same_rows or not pair.a.design.independent:
        return "it needs both models on the same independent rows without weights"
    return None if pair.kind == "difference" else "it is about differences, not ratios"


def score_z(pair: Pair) -> float:
    """Return the score of equal predictive values: (b − a)/√( (p(1 − p) − 2c)·(1/n_a + 1/n_b) ).

    p is the predictive value pooled over both models, n_a and n_b the rows that each calls, and c the covariance that
    comes from rows which both call: c = (s(1 − p)² + r p²)/(n_a + n_b), s of them right and r wrong. Near its level
    where the unweighted score of Leisenring, Alonzo & Pepe (2000) Biometrics 56:345 is not.

    Source: Kosinski (2013) Stat. Med. 32:964.
    """
    calls = pair.a.contents.cross_table([pair.a.place, pair.b.place], pair.a.design.weights)
    assert calls is not None
    share, place = pair.metric.share, pair.seen.selection
    assert share is not None
    assert isinstance(place, int)
    side = SIDES[(share.success, share.failure)]
    right, wrong = _two_by_two(calls, place, side)
    n_a, n_b = (float((right + wrong)[index].sum()) for index in ((1, slice(None)), (slice(None), 1)))
    if n_a == 0 or n_b == 0:
        return math.nan
    p = float(right[1].sum() + right[:, 1].sum()) / (n_a + n_b)
    both = float(right[1, 1] * (1 - p) ** 2 + wrong[1, 1] * p**2) / (n_a + n_b)
    spread = (p * (1 - p) - 2 * both) * (1 / n_a + 1 / n_b)
    if spread <= 1e-15:
        return 0.0 if abs(pair.difference) < 1e-12 else math.copysign(math.inf, pair.difference)
    return pair.difference / math.sqrt(spread)


def score_p(z: float, side: Alternative) -> float:
    """Return the p-value of a score."""
    return p_of(float(ndtr(-abs(z))), z >= 0, side) if not math.isnan(z) else math.nan


def _two_by_two(calls: Array, place: int, side: int) -> tuple[Array, Array]:
    """Return rows by (a calls, b calls), those whose truth agrees with the call and those whose does not."""
    cube = calls
    for axis in range(3):
        mine = cube.take([place], axis)
        cube = np.concatenate([cube.sum(axis, keepdims=True) - mine, mine], axis)
    if side == 0:
        cube = cube[::-1, ::-1, ::-1]
    return cube[1], cube[0]

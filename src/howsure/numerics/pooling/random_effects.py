"""Meta-analysis: means weighted by precision, the spread between studies, and how unlike they are."""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy.special import gammaincc

from howsure.types import Array


class Pooled(NamedTuple):
    """A mean over studies with its variance and degrees of freedom, and the weights that it gives them."""

    mean: float
    variance: float
    degrees: float
    weights: Array


class Heterogeneity(NamedTuple):
    """How unlike studies are: Cochran's Q with its p-value, τ² (Paule & Mandel), and I², the share of τ² in a value."""

    q: float
    degrees: int
    p_value: float
    tau_squared: float
    i_squared: float


def fixed_effect(values: Array, variances: Array) -> Pooled:
    """Return the mean with weights 1/V: right where all studies measure the same, and only rows differ."""
    weights = 1 / variances
    total = float(weights.sum())
    return Pooled(float(weights @ values) / total, 1 / total, math.inf, weights / total)


def paule_mandel(values: Array, variances: Array) -> float:
    """Return τ², the variance between studies at which the weighted sum of squares is what it should be, K − 1.

    Σ (y − ȳ)²/(V + τ²) = K − 1, 0 where it is less already (Paule & Mandel 1982, J. Res. NBS 87:377). The sum falls
    with τ², so Newton's steps from below never pass the root (DerSimonian & Kacker 2007, Contemp. Clin. Trials 28:105).
    """
    tau_squared = 0.0
    for _ in range(200):
        weights = 1 / (variances + tau_squared)
        apart = values - weights @ values / weights.sum()
        excess = float(weights @ apart**2) - (len(values) - 1)
        step = excess / float(weights**2 @ apart**2) if excess > 0 else 0.0
        tau_squared += step
        if step <= 1e-14 * max(tau_squared, float(variances.min())):
            break
    return tau_squared


def hartung_knapp(values: Array, variances: Array) -> Pooled:
    """Return the random-effects mean with weights 1/(V + τ²), its variance from the spread of the values themselves.

    Variance Σ w(y − ȳ)²/((K − 1)·Σw) on K − 1 degrees of freedom (Hartung & Knapp 2001, Stat. Med. 20:3875), τ² by
    Paule & Mandel. Large studies weigh more, so it answers for a mean over studies weighted by precision.
    """
    weights = 1 / (variances + paule_mandel(values, variances))
    total = float(weights.sum())
    mean = float(weights @ values) / total
    variance = float(weights @ (values - mean) ** 2) / ((len(values) - 1) * total)
    return Pooled(mean, variance, len(values) - 1.0, weights / total)


def heterogeneity(values: Array, variances: Array) -> Heterogeneity:
    """Return Cochran's Q on K − 1 degrees of freedom, τ² and I² = τ²/(τ² + typical V) (Higgins & Thompson 2002)."""
    weights, degrees = 1 / variances, len(values) - 1
    q = float(weights @ (values - weights @ values / weights.sum()) ** 2)
    tau_squared = paule_mandel(values, variances)
    typical = degrees * float(weights.sum()) / (float(weights.sum()) ** 2 - float(weights @ weights))
    return Heterogeneity(
        q, degrees, float(gammaincc(degrees / 2, q / 2)), tau_squared, tau_squared / (tau_squared + typical)
    )

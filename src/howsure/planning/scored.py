"""What a plan for AUC rests on: the variance that its value, and the share of positives, imply; and that of two."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from howsure.errors import InputError, check_number
from howsure.errors.messages import planning as messages
from howsure.estimates.methods.ranking import tail_interval
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric
from howsure.metrics.null_variance import auc_null, hanley_mcneil
from howsure.metrics.ranking import AUC
from howsure.metrics.scoring import Worth
from howsure.planning.basis import Basis
from howsure.planning.expected import Expected, rate_between
from howsure.planning.power import PairMoments
from howsure.results.base import note_of
from howsure.results.sentences.phrases import phrase

MANY = 1e9
NODES = 40
APART = note_of("plan apart", "agreement")


def auc_basis(metric: Metric, tail: Tail, known: Expected) -> Basis:
    """Return the basis of a plan for AUC: Hanley and McNeil's variance at the value and the prevalence expected.

    Hanley & McNeil (1982) Radiology 143:29; Obuchowski & McClish (1997) Stat. Med. 16:1529. Other metrics of scores
    need a pilot: their variance does not follow from their value.
    """
    if metric.scoring is not AUC.scoring:
        raise InputError(messages.METRIC_WHOSE_VARIANCE_DOES_NOT_FOLLOW(metric=metric.name))
    if known.value is None or known.prevalence is None:
        raise InputError(messages.PLAN_FOR_NEEDS_VALUE_EXPECTED(metric=metric.name))
    value, share = np.float64(known.value), known.prevalence

    def half(rows: float, assurance: float | None) -> float:
        ones, zeros = max(rows * share, 1.0), max(rows * (1 - share), 1.0)
        variance = hanley_mcneil(value, ones, zeros)
        worth = Worth(value, variance, ones, zeros, (ones, zeros), (variance / 2, variance / 2))
        low, high = tail_interval(value, auc_null(worth), tail, (0.0, 1.0))
        return float(high - low) / 2

    return Basis(
        metric.name, float(hanley_mcneil(value, MANY * share, MANY * (1 - share)) * MANY), half, "mid-p",
        f"AUC {known.value:g} at a prevalence of {share:g}, classes of like spread (Hanley & McNeil 1982)",
        (phrase("plan auc", value=f"{known.value:g}", share=f"{share:.0%}"), phrase("plan rows independent"),
         phrase("plan auc alike")),
        prevalence=share, value=known.value,
    )  # fmt: skip


def two_aucs(
    auc: float | None, auc_b: float | None, prevalence: float | None, score_correlation: float | None, *, paired: bool
) -> PairMoments:
    """Return the difference of two AUC and n times its variance: binormal scores of equal spread in both classes.

    n·Var = (S_aa + S_bb − 2 S_ab)·(1/π + 1/(1 − π)), S_ab the covariance of the share of the other class that a row of
    one class outranks, by model a and by model b (DeLong, DeLong & Clarke-Pearson 1988 Biometrics 44:837). For normal
    scores that correlate by ρ within a class it is Φ₂(h, k; ρ/2) − Φ(h)Φ(k), h and k the normal quantiles of the two
    AUC; S_aa has ρ = 1. (The model of Obuchowski & McClish 1997 Stat. Med. 16:1529.)
    """
    for name, value in (("auc", auc), ("auc_b", auc_b)):
        if value is not None:
            check_number(name, value, messages.LIE_STRICTLY_BETWEEN_0_AND_1_SUCH_AS_0(), above=0, below=1)
    rate_between("prevalence", prevalence)
    if auc is None or prevalence is None:
        raise InputError(messages.COMPARISON_OF_AUC_NEEDS_MODEL_AUC())
    rho = 0.0 if score_correlation is None else score_correlation
    check_number("score_correlation", rho, messages.LIE_FROM_1_TO_1(), least=-1, most=1)
    scale = 1 / prevalence + 1 / (1 - prevalence)

    def moments(difference: float | None) -> tuple[float, float]:
        second = auc_b if auc_b is not None else auc + (difference or 0.0)
        if not 0 < second < 1:
            raise InputError.of(
                "difference", difference, messages.TAKES_AUC_BEYOND_0_OR_1(auc=auc), messages.ASK_FOR_LESS()
            )
        h, k = float(ndtri(auc)), float(ndtri(second))
        shared = 2 * outranked(h, k, rho) if paired else 0.0
        return second - auc, (outranked(h, h, 1.0) + outranked(k, k, 1.0) - shared) * scale

    return moments


def outranked(h: float, k: float, rho: float) -> float:
    """Return Φ₂(h, k; ρ/2) − Φ(h)Φ(k), the integral of the normal density of two over correlations from 0 to ρ/2.

    >>> round(outranked(1.0, 1.0, 1.0), 6)
    0.037343
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    r = rho / 4 * (nodes + 1)
    rest = 1 - r * r
    density = np.exp(-(h * h - 2 * r * h * k + k * k) / (2 * rest)) / (2 * math.pi * np.sqrt(rest))
    return float(weights @ density) * rho / 4

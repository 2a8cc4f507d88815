"""Frequentist tests of two models from the differences of their fold scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from howsure.cross_validation.designs import checked_correlations
from howsure.errors import InputError, check_level, is_number, numbers_of
from howsure.errors.messages import cross_validation as messages
from howsure.results.citation import Citation, Work
from howsure.results.cv_test import CvTest
from howsure.results.sentences.phrases import marked
from howsure.types import Floats

__all__ = ["blocked_three_by_two_t", "corrected_resampled_t", "five_by_two_f", "five_by_two_t"]


DIETTERICH = Work(("Dietterich",), 1998, "Neural Computation", "10", "1895-1923", before_journal=", ")
ALPAYDIN = Work(("Alpaydin",), 1999, "Neural Computation", "11", "1885-1892", before_journal=", ")
WANG = Work(("Wang", "Wang", "Jia", "Li"), 2014, "Neural Computation", "26", "208-235", before_journal=", ")
NADEAU = Work(("Nadeau", "Bengio"), 2003, "Machine Learning", "52", "239-281", before_journal=", ")
RANGE_NOTE = marked("cv range")
FLAT_NOTE = marked("cv flat")
BEYOND_NOTE = marked("cv beyond")


def five_by_two_t(differences: Any, *, level: float = 0.95) -> CvTest:
    """Test with Dietterich's 5×2cv paired t: the first difference over the root mean of five variances.

    ``differences`` are scores of b minus a on five random repeats of two-fold cross-validation, 5 rows by
    2 columns or ten values in the order of the folds. t = d₁₁ / √(Σ s²ᵢ / 5) with s²ᵢ = (dᵢ₁ − dᵢ₂)² / 2, on
    5 degrees of freedom. It depends on which fold came first; the F test does not.

    >>> five_by_two_t([[4, 2], [1, 1], [3, 5], [2, 2], [0, 2]])
    5×2cv paired t: t(5) = 3.651, p = 0.0147; difference 4.0000 [1.1841, 6.8159] 95%

    Source: Dietterich (1998), Neural Computation 10:1895.
    """
    folds = _folds(differences, repeats=5)
    scale = math.sqrt(_within(folds) / 5)
    return _t_test("5×2cv paired t", float(folds[0, 0]), scale, 5, level, DIETTERICH)


def five_by_two_f(differences: Any, *, level: float = 0.95) -> CvTest:
    """Test with Alpaydin's combined 5×2cv F: all ten squared differences over twice the five variances.

    F = Σ d² / (2 Σ s²ᵢ) on 10 and 5 degrees of freedom. The interval holds every δ that the test applied to
    d − δ does not reject; it is empty (nan) when it rejects them all.

    >>> five_by_two_f([[4, 2], [1, 1], [3, 5], [2, 2], [0, 2]])
    combined 5×2cv F: F(10, 5) = 5.667, p = 0.0347; difference 2.2000 [0.2707, 4.1293] 95%

    Source: Alpaydin (1999), Neural Computation 11:1885.
    """
    folds = _folds(differences, repeats=5)
    check_level(level)
    spread = 2 * _within(folds)
    statistic = _ratio(float((folds**2).sum()), spread)
    centre = float(folds.mean())
    room = (float(special.fdtri(10, 5, level)) * spread - _scatter(folds)) / 10
    margin = math.sqrt(room) if room >= 0 else math.nan
    notes = [marked("cv inverts")]
    if math.isnan(margin):
        notes.append(marked("cv rejects all"))
    return CvTest(
        name="combined 5×2cv F",
        difference=centre,
        statistic=statistic,
        df=(10.0, 5.0),
        p_value=float(special.fdtrc(10, 5, statistic)),
        low=centre - margin,
        high=centre + margin,
        level=level,
        citation=Citation(ALPAYDIN),
        notes=_notes(notes, spread, centre, margin),
    )


def blocked_three_by_two_t(
    differences: Any, *, level: float = 0.95, correlations: tuple[float, float] | None = None
) -> CvTest:
    """Test with the blocked 3×2cv t: the mean difference over the root mean squared deviation of the six.

    t = d̄ / √(Σ (d − d̄)² / 6) on 5 degrees of freedom, for the folds of ``BlockedCV(repeats=3)``.
    With correlations rho1 (two folds of a repeat) and rho2 (different repeats) the sum of squares has mean
    σ²(5 − rho1 − 4 rho2) and the mean has variance σ²(1 + rho1 + 4 rho2)/6: the two scales agree when
    rho1 + 4 rho2 = 2 (all correlations 0.4), and above that the test rejects too often.
    ``correlations=(rho1, rho2)`` sets the scale for given values, with Satterthwaite's degrees of freedom.

    >>> blocked_three_by_two_t([[4, 2], [1, 1], [3, 1]])
    blocked 3×2cv t: t(5) = 1.732, p = 0.144; difference 2.0000 [−0.9683, 4.9683] 95%

    Source: Wang, Wang, Jia & Li (2014), Neural Computation 26:208, with the statistic and the degrees of
    freedom that the second author's public R code computes; what is said of correlations is derived here.
    """
    folds = _folds(differences, repeats=3)
    widening, df = (1.0, 5.0) if correlations is None else _calibration(correlations)
    scale = widening * math.sqrt(_scatter(folds) / 6)
    note = marked("cv scale")
    if correlations is not None:
        note = marked("cv scale given", rho1=f"{correlations[0]:g}", rho2=f"{correlations[1]:g}")
    return _t_test("blocked 3×2cv t", float(folds.mean()), scale, df, level, WANG, note)


def corrected_resampled_t(differences: Any, *, n_train: float, n_test: float, level: float = 0.95) -> CvTest:
    """Test with Nadeau and Bengio's corrected resampled t: the variance of J folds, enlarged for overlap.

    t = d̄ / √((1/J + n_test/n_train)·s²) on J − 1 degrees of freedom, s² the sample variance of the J values.
    The correction is a heuristic for random splits; 1/J alone rejects far too often.

    >>> corrected_resampled_t([1, 2, 3, 2], n_train=90, n_test=10)
    corrected resampled t: t(3) = 4.076, p = 0.0267; difference 2.0000 [0.4385, 3.5615] 95%

    Source: Nadeau & Bengio (2003), Machine Learning 52:239.
    """
    values = _finite(differences).ravel()
    if len(values) < 2:
        raise InputError(messages.DIFFERENCES_ARE_TOO_FEW(number=len(values)))
    for argument, size in (("n_train", n_train), ("n_test", n_test)):
        if not (is_number(size) and math.isfinite(size) and size > 0):
            raise InputError.of(argument, size, messages.POSITIVE_GIVE_NUMBER_OF_ROWS_PER())
    folds = len(values)
    variance = _scatter(values) / (folds - 1)
    scale = math.sqrt((1 / folds + n_test / n_train) * variance)
    return _t_test("corrected resampled t", float(values.mean()), scale, folds - 1, level, NADEAU)


def _calibration(correlations: tuple[float, float]) -> tuple[float, float]:
    """Return by how much to widen √(Σ(d − d̄)²/6), and Satterthwaite's degrees of freedom.

    The deviations split into three contrasts within repeats, of variance σ²(1 − rho1), and two between
    repeats, of variance σ²(1 + rho1 − 2 rho2).
    """
    rho1, rho2 = checked_correlations(correlations, "None or a pair (rho1, rho2); the default is None.")
    within, between, mean = 1 - rho1, 1 + rho1 - 2 * rho2, 1 + rho1 + 4 * rho2
    if not (within >= 0 and between >= 0 and mean > 0 and within + between > 0):
        rule = messages.CORRELATIONS_ARE_IMPOSSIBLE()
        raise InputError(messages.CORRELATIONS_0_4_0(rho1=rho1, rho2=rho2, rule=rule))
    scatter = 3 * within + 2 * between
    return math.sqrt(mean / scatter), scatter**2 / (3 * within**2 + 2 * between**2)


def _t_test(name: str, difference: float, scale: float, df: float, level: float, work: Work, *notes: str) -> CvTest:
    check_level(level)
    statistic = _ratio(difference, scale)
    margin = -float(special.stdtrit(df, (1 - level) / 2)) * scale
    return CvTest(
        name=name,
        difference=difference,
        statistic=statistic,
        df=float(df),
        p_value=2 * float(special.stdtr(df, -abs(statistic))),
        low=difference - margin,
        high=difference + margin,
        level=level,
        citation=Citation(work),
        notes=_notes(notes, scale, difference, margin),
    )


def _notes(notes: Sequence[str], scale: float, difference: float, margin: float) -> tuple[str, ...]:
    flat = [FLAT_NOTE] if scale == 0 else []
    beyond = [BEYOND_NOTE] if abs(difference) + margin > 1 else []
    return (*notes, *flat, *beyond, RANGE_NOTE)


def _ratio(numerator: float, denominator: float) -> float:
    """Divide as IEEE does: x/0 is infinite and 0/0 nan."""
    if denominator:
        return numerator / denominator
    return math.copysign(math.inf, numerator) if numerator else math.nan


def _within(folds: Floats) -> float:
    """Return the sum over repeats of (d₁ − d̄)² + (d₂ − d̄)²."""
    return float(((folds[:, 0] - folds[:, 1]) ** 2).sum() / 2)


def _scatter(values: Floats) -> float:
    """Return Σ (d − d̄)², exactly 0 for equal values."""
    shifted = values - values.flat[0]
    return float(((shifted - shifted.mean()) ** 2).sum())


def _folds(differences: Any, *, repeats: int) -> Floats:
    """Return the differences as repeats × 2."""
    values = _finite(differences)
    if values.shape not in ((repeats, 2), (2 * repeats,)):
        rule = messages.TEST_NEEDS_SHAPE(repeats=repeats, other_repeats=2 * repeats)
        raise InputError(messages.DIFFERENCES_HAS_SHAPE(shape=values.shape, rule=rule))
    return values.reshape(repeats, 2)


def _finite(differences: Any) -> Floats:
    values = numbers_of("differences", differences, messages.NUMBERS_SCORE_OF_B_LESS())
    missing = int((~np.isfinite(values)).sum())
    if missing:
        cause = messages.EVERY_FOLD_NEEDS_SCORE_OF_BOTH()
        raise InputError(messages.DIFFERENCES_ARE_NOT_FINITE(missing=missing, cause=cause))
    return values

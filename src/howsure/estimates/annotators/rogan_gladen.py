"""hs.rogan_gladen: a rate as a judge sees it, corrected for errors of the judge that were measured elsewhere."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from howsure.errors import InputError, check_whole, is_number
from howsure.errors.messages import estimates as messages
from howsure.estimates.tail import Tail
from howsure.results.base import note_of
from howsure.results.estimate import Estimate
from howsure.results.words import number
from howsure.types import Side

PLUS = 2.0  # rows added to those behind sensitivity and specificity, half of each kind


class _Rate(NamedTuple):
    """A share and the number of rows behind it; infinite where it is known."""

    value: float
    rows: float

    def plus(self, rows: float) -> _Rate:
        """Return the rate with rows added, half of them successes."""
        if math.isinf(self.rows):
            return self
        return _Rate((self.value * self.rows + rows / 2) / (self.rows + rows), self.rows + rows)

    @property
    def variance(self) -> float:
        """p(1 − p)/n."""
        return self.value * (1 - self.value) / self.rows


def rogan_gladen(
    *,
    judged: int,
    n: int,
    sensitivity: tuple[int, int] | float,
    specificity: tuple[int, int] | float,
    level: float = 0.95,
    side: Side = "both",
) -> Estimate:
    """Return the true rate of positives behind the rate that a judge reports, with the interval of Lang & Reiczigel.

    θ = (P + Sp − 1)/(Se + Sp − 1), P = judged/n the share that the judge calls positive. ``sensitivity`` is (found, of)
    for the positives on which the judge was measured, ``specificity`` (left alone, of) for the negatives; or a number,
    if it is known. Only for Se and Sp from elsewhere, and for a rate alone. With people's labels on rows of the same
    data give the judge to hs.table: the same labels then say 1.6 to 4 times as much, and no more is assumed.

    It assumes that the judge errs here as often as where it was measured, given the truth. Rogan & Gladen (1978) Am. J.
    Epidemiol. 107:71; Lang & Reiczigel (2014) Prev. Vet. Med. 113:13.

    >>> rogan_gladen(judged=620, n=1000, sensitivity=(72, 80), specificity=(51, 60))
    prevalence = 0.627, 95% interval 0.543 to 0.713 (Lang–Reiczigel), 1,000 rows
    """
    rows = check_whole("n", n, 1, messages.GIVE_NUMBER_OF_ROWS_JUDGE_SAW())
    seen = _Rate(check_whole("judged", judged, 0, messages.GIVE_HOW_MANY_OF_THEM_CALLS(), most=rows) / rows, rows)
    right = _rate("sensitivity", sensitivity), _rate("specificity", specificity)
    tail = Tail(level, side)
    if right[0].value + right[1].value <= 1:
        raise InputError(messages.SENSITIVITY_AND_SPECIFICITY(right=right[0].value, other_right=right[1].value))
    plain = (seen.value + right[1].value - 1) / (right[0].value + right[1].value - 1)
    low, high = _limits(seen, *right, tail.z)
    notes = [note_of("rogan gladen", "assumption")]
    if not 0 <= plain <= 1:
        words = "rogan gladen outside" if low <= high else "rogan gladen contradicted"
        notes.insert(0, note_of(words, "outside", value=number(plain)))

    def again(*, level: float = level, method: Any = None) -> Estimate:
        if method not in (None, "lang-reiczigel"):
            raise InputError.of("method", method, messages.CORRECTION_HAS_ONE_METHOD_LANG_REICZIGEL())
        return rogan_gladen(
            judged=judged, n=n, sensitivity=sensitivity, specificity=specificity, level=level, side=side
        )

    return Estimate(
        value=min(max(plain, 0.0), 1.0), low=0.0 if side == "upper" and low <= high else low,
        high=1.0 if side == "lower" and low <= high else high,
        level=level, method="lang-reiczigel", se=math.sqrt(_variance(seen, *right, plain)), n=rows,
        metric="prevalence", notes=tuple(notes), side=side, metric_range=(0.0, 1.0), canonical="prevalence",
        again=again, says="confidence rate",
    )  # fmt: skip


def _rate(name: str, given: Any) -> _Rate:
    """Return a rate from how often it was right of how many, or from a number."""
    if is_number(given):
        if not 0 <= given <= 1:
            raise InputError.of(name, given, messages.AS_NUMBER_IS_SHARE_BETWEEN_0(), messages.OR_GIVE_RIGHT_OF())
        return _Rate(float(given), math.inf)
    try:
        right, of = given
    except (TypeError, ValueError):
        raise InputError.of(name, given, messages.RIGHT_72_80()) from None
    size = check_whole(name, of, 1, messages.GIVE_SETTING_RIGHT(name=name))
    return _Rate(check_whole(name, right, 0, messages.GIVE_SETTING_RIGHT(name=name), most=size) / size, size)


def _variance(seen: _Rate, se: _Rate, sp: _Rate, true: float) -> float:
    """Return the variance of the corrected rate by the delta method."""
    whole = seen.variance + true**2 * se.variance + (1 - true) ** 2 * sp.variance
    return whole / (se.value + sp.value - 1) ** 2


def _limits(seen: _Rate, sensitivity: _Rate, specificity: _Rate, z: float) -> tuple[float, float]:
    """Return the limits: the rate with a few rows added to each part, moved a little, ± z standard errors."""
    seen, se, sp = seen.plus(z * z), sensitivity.plus(PLUS), specificity.plus(PLUS)
    if se.value + sp.value <= 1:
        return 0.0, 1.0
    true = (seen.value + sp.value - 1) / (se.value + sp.value - 1)
    middle = true + 2 * z * z * (true * se.variance - (1 - true) * sp.variance)
    half = z * math.sqrt(_variance(seen, se, sp, true))
    if middle + half <= 0 or middle - half >= 1:
        return math.nan, math.nan  # no true rate goes with these errors
    return max(middle - half, 0.0), min(middle + half, 1.0)

"""hs.reconstruct: from a paper's rounded figures back to the counts, and from those to intervals."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from howsure.errors import InputError, MetricError, check_whole, quoted
from howsure.errors.messages import estimates as messages
from howsure.estimates.batch import batch_intervals
from howsure.estimates.methods.ranking import limits_of_sizes
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import values_of
from howsure.metrics.metric import Metric, selection_of
from howsure.metrics.names import named
from howsure.metrics.null_variance import hanley_mcneil
from howsure.metrics.ranking import AUC
from howsure.results.base import Note, note_of
from howsure.results.estimate import Estimate
from howsure.results.reconstruction import Reconstruction
from howsure.results.words import amount, number
from howsure.types import Array

SLACK = 1e-12  # a value that lies halfway may have been rounded either way
MOST_ROWS = 20_000  # with an unknown number of positives, each of which is tried
MOST_TABLES = 2_000_000
_BOTH = {"hits": ("tp", "tn"), "misses": ("fp", "fn")}
_PREVALENCE = ({"tp": 1.0, "fn": 1.0}, {"fp": 1.0, "tn": 1.0})
SPREAD_ALIKE = note_of("spread alike", "ranked")
FIGURE = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*(%?)\s*")


@dataclass(frozen=True)
class Figure:
    """A printed number: between which values it was rounded, and how it was printed."""

    metric: Metric
    text: str
    value: float
    low: float
    high: float
    decimals: int

    @property
    def parts(self) -> tuple[dict[str, float], dict[str, float]] | None:
        """The two sums of cells whose share the metric is, S/(S + F), if it is one."""
        if self.metric.tversky is not None:
            a, b = self.metric.tversky
            return {"tp": 1.0}, {"fp": a, "fn": b}
        if self.metric.share is None:
            return None
        success, failure = (
            dict.fromkeys((cell for name in names for cell in _BOTH.get(name, (name,))), 1.0)
            for names in (self.metric.share.success, self.metric.share.failure)
        )
        return success, failure


def reconstruct(
    *, n: int | None = None, positives: int | None = None, level: float = 0.95, method: Any = None,
    **figures: float | str,
) -> Reconstruction:  # fmt: skip
    """Return every whole-number table (tp, fp, fn, tn) that rounds to the figures of a paper.

    ``figures`` are metrics by name, as printed: a number has the decimals that it is written with, and text keeps a
    last zero (``recall="0.80"``, ``"80.0%"``). A figure that lies halfway may have been rounded up or down. Without
    ``n`` the tables know no true negatives; without ``positives`` every number of them is tried. Where no table gives
    these numbers, some figure is misprinted or about other rows: that is an error.
    ``found["f1"]`` is the interval that holds the intervals of all tables. ``auc`` may be printed too: from it follow
    no counts, but with ``n`` and ``positives`` an interval, by Hanley and McNeil's variance or ``method="newcombe"``.

    >>> found = reconstruct(n=500, positives=80, precision=0.81, recall=0.73, f1=0.76)
    >>> found.tables
    ((58, 14, 22, 406),)
    """
    read = [_figure(name, value) for name, value in figures.items()]
    if not read:
        raise InputError(messages.GIVE_FIGURES_WERE_PRINTED_BY_THEIR())
    ranked = {one.metric.name: one for one in read if one.metric.scoring is not None}
    _check_rows(n, positives, read)
    _check_ranked(n, positives, ranked)
    counted = [one for one in read if one.metric.name not in ranked]
    cells = _tables(n, positives, counted) if counted else np.empty((4, 0))
    if counted and not cells.shape[1]:
        said = ", ".join(f"{one.metric.name} {one.text}" for one in read)
        raise InputError(messages.NO_TABLE_GIVES_NUMBERS(said=said, among=_among(n, positives)))
    held = [None if n is None else cells[3]]

    def estimate_of(metric: Any) -> Estimate:
        chosen = named(metric)
        if chosen.name in ranked:
            assert n is not None
            assert positives is not None
            return _ranked(ranked[chosen.name], n, positives, level, None if counted and method is None else method)
        if not counted:
            raise MetricError(messages.METRIC_DOES_NOT_FOLLOW(chosen=chosen.name, ranked=quoted(ranked)))
        tp, fp, fn = cells[:3]
        found = batch_intervals(chosen, tp=tp, fp=fp, fn=fn, tn=held[0], method=method, level=level)
        return _covering(chosen, found, read, level, float(cells[:3].sum(0).min()) if n is None else float(n))

    rows = zip(*(part.tolist() for part in cells[:3]), [None] * cells.shape[1] if n is None else cells[3].tolist(),
               strict=True)  # fmt: skip
    return Reconstruction(
        tuple((int(tp), int(fp), int(fn), None if tn is None else int(tn)) for tp, fp, fn, tn in rows),
        {one.metric.name: one.text for one in read}, level, n, positives, tuple(_notes(read)), estimate_of,
    )  # fmt: skip


def _check_ranked(n: int | None, positives: int | None, ranked: dict[str, Figure]) -> None:
    """Refuse a metric of scores other than AUC, and AUC without the sizes of both classes."""
    for name, one in ranked.items():
        if one.metric.scoring is not AUC.scoring:
            raise MetricError(messages.METRIC_DOES_NOT_SAY_HOW_SURE(name=name))
        if n is None or positives is None or not 0 < positives < n:
            raise InputError(messages.NEEDS_ROWS_OF_BOTH_CLASSES(name=name, text=one.text))


def _ranked(one: Figure, n: int, positives: int, level: float, method: Any) -> Estimate:
    """Return the interval that holds those of every AUC that rounds to the printed one."""
    ends = max(one.low, 0.0), min(one.high, 1.0)
    name, low, high = limits_of_sizes(*ends, positives, n - positives, Tail(level), method)
    se = math.sqrt(float(hanley_mcneil(one.value, positives, n - positives)))
    return Estimate(
        value=one.value, low=low, high=high, level=level, method=name, se=se, n=float(n), metric=one.metric.name,
        notes=(SPREAD_ALIKE,), metric_range=one.metric.range, canonical=one.metric.name,
    )  # fmt: skip


def _covering(metric: Metric, found: Any, read: list[Figure], level: float, rows: float) -> Estimate:
    """Return the estimate whose interval holds those of all tables; its value is the printed one if there is one."""
    printed = [one.value for one in read if one.metric.canonical == metric.canonical]
    least, most = float(np.min(found.value)), float(np.max(found.value))
    tables = len(found.value)
    notes: tuple[Note, ...] = ()
    if tables > 1:
        notes = (
            note_of(
                "several reconstructed",
                "reconstructed",
                metric=metric.name,
                tables=amount(tables, "table"),
                least=number(least, 4),
                most=number(most, 4),
            ),
        )
    value = least if tables == 1 else (printed[0] if printed else (least + most) / 2)
    return Estimate(
        value=value, low=float(np.min(found.low)), high=float(np.max(found.high)), level=level, method=found.method,
        se=math.nan, n=rows, metric=metric.name, notes=notes,
        metric_range=metric.range, canonical=metric.name,
    )  # fmt: skip


# --- what was printed ------------------------------------------------------------------------------------------------


def _figure(name: str, given: Any) -> Figure:
    try:
        metric = named(name)
    except MetricError:
        raise TypeError(messages.NO_ARGUMENT_NOR_METRIC_OF_NAME(name=name)) from None
    rule = messages.NUMBER_AS_PRINTED_SUCH_AS_0(name=name)
    if isinstance(given, bool) or not isinstance(given, (int, float, str, np.number)):
        raise InputError.of(name, given, rule)
    text = given if isinstance(given, str) else repr(given.item() if isinstance(given, np.number) else given)
    found = FIGURE.fullmatch(text)
    try:
        value = Decimal(found.group(1) if found else text)
    except InvalidOperation:
        raise InputError.of(name, given, rule) from None
    if not value.is_finite():
        raise InputError.of(name, given, rule)
    exponent = value.as_tuple().exponent
    decimals = -int(exponent) if isinstance(exponent, int) else 0
    if found and found.group(2):
        value, decimals = value / 100, decimals + 2
    if decimals < 1:
        raise InputError(messages.DOES_NOT_SAY_HOW_MANY_DECIMALS(name=name, given=given, value=value))
    half = 0.5 * 10.0**-decimals
    low, high = float(value) - half, float(value) + half
    if high < metric.range[0] or low > metric.range[1]:
        raise InputError.of(name, given, rule)
    return Figure(metric, text.strip(), float(value), low, high, decimals)


def _check_rows(n: int | None, positives: int | None, read: list[Figure]) -> None:
    if n is not None:
        check_whole("n", n, 1)
    if positives is not None:
        check_whole("positives", positives, 1)
    if n is None and positives is None:
        raise InputError(messages.GIVE_N_ROWS_OF_TEST_SET())
    if n is not None and positives is not None and positives > n:
        raise InputError(messages.POSITIVES_MORE_THAN_ROWS_OF_N(positives=positives, n=n))
    needy = [one.metric.name for one in read if n is None and one.metric.needs_tn]
    if needy:
        raise InputError(messages.COUNTS_TRUE_NEGATIVES_N_IS_NEEDED(needy=needy[0]))
    if positives is None and n is not None and n > MOST_ROWS:
        raise InputError(messages.N_OF_MANY_ROWS_NUMBER(n=n))


def _among(n: int | None, positives: int | None) -> str:
    rows = "" if n is None else f" in {n} rows"
    return rows if positives is None else f"{rows} with {positives} positive"


def _notes(read: list[Figure]) -> Iterator[Note]:
    most = max(one.decimals for one in read)
    for one in read:
        if one.decimals < most and "%" not in one.text:
            yield note_of(
                "printed decimals",
                "decimals",
                metric=one.metric.name,
                printed=one.text,
                decimals=amount(one.decimals, "decimal"),
                full=f"{one.value:.{most}f}",
            )


# --- the search ------------------------------------------------------------------------------------------------------


def _tables(n: int | None, positives: int | None, read: list[Figure]) -> Array:
    """Return the cells tp, fp, fn, tn of all tables, (4, tables)."""
    share = next((one for one in read if one.parts == _PREVALENCE), None)
    low, high = (1, n) if positives is None else (positives, positives)
    assert low is not None
    assert high is not None
    if share is not None and n is not None:
        low, high = max(low, math.ceil(share.low * n - 1e-9)), min(high, math.floor(share.high * n + 1e-9))
    found, seen = [np.empty((4, 0))], 0
    for actual in range(low, high + 1):
        candidates = _candidates(actual, n, read)
        seen += candidates.shape[1]
        if seen > MOST_TABLES:
            raise _too_many()
        found.append(candidates[:, _kept(candidates, read)])
    return np.concatenate(found, axis=1)


def _too_many() -> InputError:
    return InputError(messages.MILLIONS_OF_TABLES_ARE_POSSIBLE())


def _candidates(actual: int, n: int | None, read: list[Figure]) -> Array:
    """Return tables with so many positives that lie within the bounds of the figures that are linear in the cells."""
    recall = [one for one in read if one.metric.tversky == (0.0, 1.0)]
    tp_low = max([0, *(math.ceil(one.low * actual - 1e-9) for one in recall)])
    tp_high = min([actual, *(math.floor(one.high * actual + 1e-9) for one in recall)])
    tp = np.arange(tp_low, tp_high + 1, dtype=float)
    fn = actual - tp
    low, high = np.zeros(len(tp)), np.full(len(tp), math.inf if n is None else float(n - actual))
    for one in read:
        if one.parts is not None:
            least, most = _bounds(one, tp, fn, 0.0 if n is None else float(n - actual))
            low, high = np.maximum(low, least), np.minimum(high, most)
    if not np.isfinite(high).all():
        raise InputError(messages.NOTHING_BOUNDS_FALSE_POSITIVES())
    first, last = np.ceil(low - 1e-9), np.floor(high + 1e-9)
    sizes = np.maximum(last - first + 1, 0).astype(np.int64)
    if sizes.sum() > MOST_TABLES:
        raise _too_many()
    place = np.repeat(np.arange(len(tp)), sizes)
    fp = first[place] + np.arange(len(place)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    tn = np.full(len(place), np.nan) if n is None else n - actual - fp
    return np.stack([tp[place], fp, fn[place], tn])


def _bounds(one: Figure, tp: Array, fn: Array, negatives: float) -> tuple[Array, Array]:
    """Return bounds of the false positives x: S/(S + F) lies between two values, S and F linear in x."""
    assert one.parts is not None
    (s0, s1), (f0, f1) = (_in_false_positives(part, tp, fn, negatives) for part in one.parts)
    low, high = np.full(len(tp), -math.inf), np.full(len(tp), math.inf)
    linked = one.metric.share is not None and one.metric.tversky is None
    ends = [max(0.0, min(1.0, end)) for end in (one.low, one.high)]
    least, most = (float(one.metric.share.unlink(end)) if linked and one.metric.share else end for end in ends)
    for constant, slope in (
        (s0 * (1 - least) - least * f0, s1 * (1 - least) - least * f1),
        (most * f0 - s0 * (1 - most), most * f1 - s1 * (1 - most)),
    ):  # constant + slope·x ≥ 0
        if abs(slope) < 1e-15:
            low = np.where(constant < -1e-9, math.inf, low)
        elif slope > 0:
            low = np.maximum(low, -constant / slope)
        else:
            high = np.minimum(high, -constant / slope)
    return low, high


def _in_false_positives(part: dict[str, float], tp: Array, fn: Array, negatives: float) -> tuple[Array, float]:
    """Return a sum of cells as constant and slope in the false positives: tn = negatives − x."""
    constant = part.get("tp", 0.0) * tp + part.get("fn", 0.0) * fn + part.get("tn", 0.0) * negatives
    return constant, part.get("fp", 0.0) - part.get("tn", 0.0)


def _kept(tables: Array, read: list[Figure]) -> Array:
    tp, fp, fn, tn = tables
    matrices = np.stack([tn, fp, fn, tp], axis=-1).reshape(-1, 2, 2)
    kept = np.ones(len(tp), dtype=bool)
    for one in read:
        value = values_of(one.metric, matrices, selection_of(one.metric, (0, 1), 1))
        kept &= (value >= one.low - SLACK) & (value <= one.high + SLACK)
    return kept

"""hs.bootstrap: an interval for any function of truth and predictions, by resampling rows or whole groups.

For what is no formula of cells. A metric of the catalogue, or a formula of one's own, is better served by ``estimate``:
its bootstrap draws counts, not rows.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice, check_seed, check_whole
from howsure.errors.messages import estimates as messages
from howsure.estimates.methods.bootstrap import KINDS, BootstrapKind, bca_ranks
from howsure.estimates.tail import Tail
from howsure.numerics.sampled_posterior import drawn_limits
from howsure.results.base import Note, note_of
from howsure.results.estimate import Estimate
from howsure.results.words import count
from howsure.types import Array, Floats, Ints

BLOCK = 2_000_000  # numbers that a block of resamples may hold
JACKKNIFE = 400  # at most so many parts are left out in turn
INNER = 25  # parts that are left out within a resample, for its own standard error
FEWEST = 100  # resamples that a quantile may rest on
OfRows = Callable[..., Any]
Told = Callable[[int, int], None]


def bootstrap(
    y_true: Any,
    y_pred: Any,
    function: OfRows,
    *,
    groups: Any = None,
    n_resamples: int = 9999,
    kind: BootstrapKind = "bca",
    level: float = 0.95,
    seed: int = 0,
    name: str | None = None,
    progress: Told | None = None,
) -> Estimate:
    """Return any function of truth and predictions with a bootstrap interval and its Monte-Carlo error.

    ``function(y_true, y_pred)`` returns one number. Rows are drawn with replacement, or with ``groups`` whole groups.
    A function with an argument ``axis`` is given many resamples at once, rows on the last axis; one with
    ``sample_weight`` is given distinct rows with how often each was drawn, if that gives the same number on the data;
    any other is called once a resample. The acceleration of BCa is from a jackknife, as is the standard error that
    "studentised" needs in every resample, which costs 25 calls more each. Resamples in which the function fails
    (ValueError, ZeroDivisionError) or is not finite are dropped and counted in a note. ``progress`` is told
    (resamples done, all).

    >>> import numpy as np
    >>> truth, guess = np.repeat([1, 1, 0, 0], [40, 10, 5, 45]), np.repeat([1, 0, 1, 0], [40, 10, 5, 45])
    >>> found = bootstrap(truth, guess, lambda y, p: np.mean(y == p), n_resamples=999, name="agreement")
    >>> round(found, 3), round(found.low, 2), round(found.high, 2)
    (0.85, 0.77, 0.91)

    Source: Efron (1987) JASA 82:171; Hall (1988) Ann. Stat. 16:927.
    """
    check_choice("kind", kind, KINDS)
    tail = Tail(level)
    number = check_whole("n_resamples", n_resamples, FEWEST, messages.USUALLY_9999())
    rows = _Rows.of(y_true, y_pred, groups, function)
    value = rows.value
    random = np.random.default_rng(check_seed(seed))
    values, errors = _resampled(rows, number, random, progress, studentised=kind == "studentised")
    shown = str(name or getattr(function, "__name__", type(function).__name__))
    draws = _Draws(rows, value, values, errors, kind)
    return draws.estimate(tail, shown, seed)


@dataclass(frozen=True)
class _Rows:
    """The data, the function of them, and how the function is called: plainly, by axis, or by weight."""

    truth: Array
    guess: Array
    function: OfRows
    groups: Ints | None
    how: str = "plain"

    @classmethod
    def of(cls, y_true: Any, y_pred: Any, groups: Any, function: OfRows) -> _Rows:
        truth, guess = np.asarray(y_true), np.asarray(y_pred)
        if not callable(function):
            raise InputError.of("function", function, messages.FUNCTION_OF_TRUTH_AND_PREDICTIONS())
        if truth.ndim == 0 or len(truth) != len(guess):
            raise InputError(messages.Y_TRUE_ROWS_BUT_Y_PRED(shape=truth.shape[:1], other_shape=guess.shape[:1]))
        codes = None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1].ravel()
        if codes is not None and len(codes) != len(truth):
            raise InputError(messages.GROUPS_ROWS_BUT_Y_TRUE(number=len(codes), number_of_truth=len(truth)))
        made = cls(truth, guess, function, codes)
        if made.units < 2:
            raise InputError(
                messages.BOOTSTRAP_NEEDS_TWO_UNITS(units=made.units, which="group" if groups is not None else "row")
            )
        return cls(truth, guess, function, codes, made._found_way())

    def _found_way(self) -> str:
        """Return how to call the function: what its signature allows, tried on the data."""
        try:
            names = inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return "plain"
        if "axis" in names:
            return "axis"
        if "sample_weight" not in names or self.truth.ndim > 1 or self.guess.ndim > 1 or self.truth.dtype == object:
            return "plain"
        weighed = self.weighed(self.distinct[1].sum(0) if self.distinct[1].ndim > 1 else self.distinct[1])
        alike = math.isclose(weighed, self.value, rel_tol=1e-9, abs_tol=1e-12)
        return "weight" if alike and len(self.distinct[0]) < len(self.truth) else "plain"

    @cached_property
    def value(self) -> float:
        """The function of the data; an error in it is the caller's to see."""
        return _number(self.function(self.truth, self.guess), self.function)

    @cached_property
    def units(self) -> int:
        """How many rows or groups are drawn."""
        return len(self.truth) if self.groups is None else int(self.groups.max()) + 1

    @cached_property
    def members(self) -> list[Ints]:
        """The rows of each group."""
        assert self.groups is not None
        order = np.argsort(self.groups, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.groups[order])) + 1)

    @cached_property
    def distinct(self) -> tuple[Ints, Array]:
        """One row of each kind, and how often each kind occurs: in all rows, or in each group."""
        _, true = np.unique(self.truth, return_inverse=True)
        _, guess = np.unique(self.guess, return_inverse=True)
        _, first, kind = np.unique(
            true.ravel() * (guess.max() + 1) + guess.ravel(), return_index=True, return_inverse=True
        )
        kind = kind.ravel()
        if self.groups is None:
            return first, np.bincount(kind)
        counts = np.zeros((self.units, len(first)))
        np.add.at(counts, (self.groups, kind), 1)
        return first, counts

    def weighed(self, weights: Array) -> float:
        """Return the function of the distinct rows, each as often as its weight says; absent kinds left out."""
        some = weights > 0
        first = self.distinct[0][some]
        return self.called(self.truth[first], self.guess[first], sample_weight=weights[some])

    def called(self, truth: Array, guess: Array, **more: Any) -> float:
        """Return the function's number, nan where it fails."""
        try:
            return _number(self.function(truth, guess, **more), self.function)
        except (ValueError, ZeroDivisionError):
            return math.nan

    def at(self, drawn: Ints) -> float:
        """Return the function of the drawn units, each as often as it occurs in ``drawn``."""
        if self.how == "weight":
            counts = self.distinct[1]
            if self.groups is not None:
                return self.weighed(np.bincount(drawn, minlength=self.units) @ counts)
        rows = drawn if self.groups is None else np.concatenate([self.members[unit] for unit in drawn])
        return self.called(self.truth[rows], self.guess[rows])

    def left_out(self, units: Ints, parts: int) -> Floats:
        """Return the function with each of some parts of the units left out in turn."""
        cuts = np.array_split(np.arange(len(units)), min(parts, len(units)))
        return np.array([self.at(np.delete(units, cut)) for cut in cuts])


def _number(found: Any, function: OfRows) -> float:
    if np.ndim(found) != 0:
        raise InputError(
            messages.FUNCTION_RETURNS_RETURN_ONE_NUMBER(function=getattr(function, "__name__", function), found=found)
        )
    return float(found)


def _resampled(
    rows: _Rows, number: int, random: np.random.Generator, progress: Told | None, *, studentised: bool
) -> tuple[Floats, Floats]:
    values, errors, done = np.empty(number), np.full(number, np.nan), 0
    for block in _blocks(rows, number):
        part = slice(done, done + block)
        if rows.how == "weight" and rows.groups is None and not studentised:
            counts = rows.distinct[1]
            values[part] = [
                rows.weighed(one) for one in random.multinomial(rows.units, counts / rows.units, size=block)
            ]
        else:
            drawn = random.integers(0, rows.units, (block, rows.units))
            values[part] = _values(rows, drawn)
            if studentised:
                errors[part] = [_spread(rows, random.permutation(one)) for one in drawn]
        done += block
        if progress is not None:
            progress(done, number)
    return values, errors


def _blocks(rows: _Rows, number: int) -> Iterator[int]:
    some = max(1, BLOCK // max(len(rows.truth), 1))
    for start in range(0, number, some):
        yield min(some, number - start)


def _values(rows: _Rows, drawn: Ints) -> Floats:
    if rows.how == "axis" and rows.groups is None:
        return np.asarray(rows.function(rows.truth[drawn], rows.guess[drawn], axis=-1), dtype=float)
    return np.array([rows.at(one) for one in drawn])


def _spread(rows: _Rows, units: Ints) -> float:
    """Return the standard error on some units by a jackknife of parts (Efron & Tibshirani 1993, chapter 11)."""
    found = rows.left_out(units, INNER)
    found = found[np.isfinite(found)]
    return float(np.sqrt((len(found) - 1) * np.var(found))) if len(found) > 1 else math.nan


@dataclass(frozen=True)
class _Draws:
    """The resampled values, from which limits at any level are read."""

    rows: _Rows
    value: float
    values: Floats
    errors: Floats
    kind: str
    notes: tuple[Note, ...] = field(default=())

    @cached_property
    def ordered(self) -> Floats:
        return np.sort(self.values[np.isfinite(self.values)])

    def estimate(self, tail: Tail, name: str, seed: int) -> Estimate:
        """Return the estimate, which can be asked again at another level without drawing anew."""
        low, high, error = self.limits(tail)

        def again(*, level: float = tail.level, method: Any = None) -> Estimate:
            if method is not None:
                raise InputError(messages.METHOD_FUNCTION_OF_ROWS_HAS_BOOTSTRAP())
            return self.estimate(Tail(level), name, seed)

        groups = None if self.rows.groups is None else self.rows.units
        se = float(np.std(self.ordered)) if len(self.ordered) else math.nan
        return Estimate(
            self.value, low, high, tail.level, f"bootstrap-{self.kind}", se, len(self.rows.truth), name,
            notes=self.said(low, high), groups=groups, seed=seed, error=error, again=again,
        )  # fmt: skip

    def said(self, low: float, high: float) -> tuple[Note, ...]:
        """Return notes on resamples that were dropped, and on an interval without width."""
        lost, notes = len(self.values) - len(self.ordered), []
        if lost:
            notes.append(
                note_of("resamples lost of function", "resamples", lost=count(lost), resamples=count(len(self.values)))
            )
        if low == high:
            notes.append(note_of("resamples alike of function", "degenerate"))
        return tuple(notes)

    def limits(self, tail: Tail) -> tuple[float, float, float]:
        """Return both limits and the larger of their Monte-Carlo errors."""
        if len(self.ordered) < FEWEST or not math.isfinite(self.value):
            return math.nan, math.nan, math.nan
        if self.kind == "studentised":
            return self._studentised(tail)
        low, high, error = drawn_limits(self.ordered, self._ranks(tail))
        if self.kind == "basic":
            low, high = 2 * self.value - high, 2 * self.value - low
        return low, high, error

    def _ranks(self, tail: Tail) -> list[float]:
        if self.kind != "bca":
            return [tail.probability, 1 - tail.probability]
        return bca_ranks(self.ordered, self.value, self.acceleration, tail)

    @cached_property
    def acceleration(self) -> float:
        """A sixth of the skewness of what each unit, or part of the units, adds; by a jackknife."""
        units = np.random.default_rng(0).permutation(self.rows.units)
        left = self.rows.left_out(units, JACKKNIFE)
        apart = np.nanmean(left) - left[np.isfinite(left)]
        square = float((apart**2).sum())
        return float((apart**3).sum()) / (6 * square**1.5) if square > 0 else 0.0

    def _studentised(self, tail: Tail) -> tuple[float, float, float]:
        se = _spread(self.rows, np.random.default_rng(0).permutation(self.rows.units))
        with np.errstate(all="ignore"):
            pivots = (self.values - self.value) / self.errors
        pivots = np.sort(pivots[np.isfinite(pivots)])
        if len(pivots) < FEWEST or not math.isfinite(se):
            return math.nan, math.nan, math.nan
        top, bottom, error = drawn_limits(pivots, (1 - tail.probability, tail.probability))
        return self.value - top * se, self.value - bottom * se, error * se

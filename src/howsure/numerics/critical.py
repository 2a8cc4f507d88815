"""Simultaneous critical values: the q for which P(max|Z_j| < q) is the level, Z normal with any correlation.

Coordinates that never move and duplicates are left out, independent blocks are kept apart (their probabilities
multiply), and each block gets an exact tail where there is one, otherwise a sampled one (see ``maxima``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.special import logit, ndtri

from howsure.errors import InputError, check_level, check_seed, is_number, numbers_of
from howsure.errors.messages import numerics as messages
from howsure.numerics.lattice_rules import SIZES
from howsure.numerics.max_normal_tail import Block, MaxSide, TailFunction, cell_tail, exact_tail, line_points, line_tail
from howsure.numerics.solving import bracketed_root
from howsure.results.quantity import Quantity
from howsure.types import Floats, Side

STANDARD_ERRORS = 4.0  # 99.8 % of a t variable with 11 degrees of freedom: twelve randomisations
BUDGET, LARGEST_BUDGET = 4e9, 1e11  # multiplications: a fraction of a second, and some tens of seconds
EXACT, BINNED = 1e-12, 1.5e-6  # relative errors of an exact tail, and of a sampled one apart from sampling
ROUNDING = 1e-13
EQUAL, APART = 1e-9, 0.32  # eigenvalues of one space, relative to the largest; lengths that a basis may begin with


class CriticalValue(Quantity):
    """A critical value, a float, with the bound on its numerical error, and how it was found."""

    value: float
    error: float
    level: float
    dimension: int
    rank: int
    how: str


def critical_value(
    correlation: npt.ArrayLike,
    level: float = 0.95,
    *,
    side: Side = "both",
    accuracy: float | None = None,
    seed: int = 0,
) -> CriticalValue:
    """Return q with P(max|Z_j| < q) = level, or P(max Z_j < q) = level for side="upper".

    side="lower" is P(min Z_j > −q) = level, with the same q as "upper": −Z is distributed as Z. The correlation may be
    singular. A coordinate with variance 0 never moves and is left out; without any other, q is 0. ``accuracy`` asks for
    an error in q, to be had for up to some tens of seconds; by default the error is below 1e-4 up to 6 coordinates,
    1e-3 up to 50 and 3e-3 up to 200 (1e-6 where ``how`` says exact). ``error`` is what was reached: four standard
    errors over twelve randomisations, hence a bound in about 99 of 100 cases.

    >>> round(float(critical_value([[1.0, 0.0], [0.0, 1.0]])), 6)
    2.236477
    """
    return MaxNormal(correlation, side=side, accuracy=accuracy, seed=seed).quantile(level)


def tail_probability(
    correlation: npt.ArrayLike,
    q: npt.ArrayLike,
    *,
    side: Side = "both",
    accuracy: float | None = None,
    seed: int = 0,
) -> tuple[Floats, Floats]:
    """Return P(max|Z_j| >= q) (or P(max Z_j >= q)) for one or many q, and the errors.

    These are the adjusted p-values of the statistics q. Far tails keep their relative accuracy, and ``accuracy``
    asks for a largest relative error.

    >>> p, error = tail_probability([[1.0, 0.0], [0.0, 1.0]], [1.959963985, 8.0])
    >>> [float(f"{value:.6g}") for value in p]
    [0.0975, 2.48838e-15]
    """
    return MaxNormal(correlation, side=side, accuracy=accuracy, seed=seed).tail(q)


class MaxNormal:
    """The largest of correlated normal coordinates, |Z_j| or Z_j: its quantiles and tails.

    All answers of one object come from one sample, which grows where accuracy asks for it. So adjusted p-values agree
    with the critical value beside them, and cost little more than it.
    """

    def __init__(
        self, correlation: npt.ArrayLike, *, side: Side = "both", accuracy: float | None = None, seed: int = 0
    ) -> None:
        _check_numbers(accuracy, seed)
        self._accuracy, self._seed = accuracy, seed
        self._family = _family(correlation, side)
        self._kept: list[TailFunction] | None = None
        self._asked = False  # for a quantile: tails then come from the sample that it came from
        self._more: Iterator[list[TailFunction]] | None = None

    def quantile(self, level: float) -> CriticalValue:
        """Return q with P(max < q) = level."""
        check_level(level)
        family = self._family
        if not family.parts:
            return CriticalValue(0.0, 0.0, level, family.dimension, 0, "exact: nothing moves")
        goal = family.usual_error if self._accuracy is None else self._accuracy
        wide = _bracket(level, family)
        q, error = sum(wide) / 2, math.inf
        for tails in self._samples(q):
            q = _quantile(tails, level, wide, (q - error, q + error), 1e-7 if family.sampled else 1e-12)
            error, least = _quantile_error(tails, q)
            if error <= max(goal, 2 * least):  # a larger sample would not lower what the bins leave open
                break
        self._asked = self._accuracy is None
        reached = min(error, wide[1] - wide[0]) + family.slack  # the bracket is exact: q lies nowhere else
        return CriticalValue(q, reached, level, family.dimension, family.rank, family.how)

    def tail(self, q: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Return P(max >= q) for one or many q, and the errors."""
        family = self._family
        rule = messages.NUMBER_OR_NUMBERS_WITHOUT_NAN()
        at = numbers_of("q", q, rule)
        if np.isnan(at).any():
            raise InputError.of("q", q, f"{rule}")
        if not family.parts:
            return np.where(at > 0, 0.0, 1.0), np.zeros(at.shape)
        if not at.size:
            return at.copy(), at.copy()
        tail = error = np.zeros(at.shape)
        for tails in self._samples(float(np.median(np.clip(at, -8.0, 8.0)))):
            found = np.array([_chance(tails, float(one)) for one in at.flat]).reshape(*at.shape, 3)
            tail, error = found[..., 0], found[..., 1] + found[..., 2]
            # an error d of q is one of about q·d in the logarithm of its tail, and a p near 1 asks for less
            goal = 4 * family.usual_error * (1 + tail) if self._accuracy is None else self._accuracy
            if self._asked or np.all(error <= goal * tail):
                break
        return tail, error

    def _samples(self, probe: float) -> Iterator[list[TailFunction]]:
        """Yield the tails of the largest sample that there is, then of larger ones."""
        if self._kept is not None:
            yield self._kept
        if self._more is None:
            self._more = _refinements(self._family, _budget(self._accuracy), self._seed, probe)
        for tails in self._more:
            self._kept = tails
            yield tails


# ---- what is given: checks, coordinates that move, independent blocks, unit vectors


@dataclass(frozen=True, slots=True)
class _Family:
    parts: tuple[tuple[Block, tuple[str, TailFunction] | None], ...]  # with the name and the tail of an exact case
    side: MaxSide
    dimension: int
    slack: float  # error in q that the rounding of the input leaves open

    @property
    def rank(self) -> int:
        return sum(block.rank for block, _ in self.parts)

    @property
    def size(self) -> int:
        return sum(block.size for block, _ in self.parts)

    @property
    def sampled(self) -> list[Block]:
        return [block for block, exact in self.parts if exact is None]

    @property
    def usual_error(self) -> float:
        if all(block.rank == 3 for block in self.sampled):
            return 1e-6
        return 9e-5 if self.dimension <= 6 else 9e-4 if self.dimension <= 50 else 2.7e-3

    @property
    def how(self) -> str:
        if self.sampled:
            return "quadrature" if all(block.rank == 3 for block in self.sampled) else "quasi-Monte-Carlo"
        names = {exact[0] for _, exact in self.parts if exact is not None}
        if len(self.parts) == 1:
            return f"exact: {names.pop()}"
        return "exact: independent" if names == {"rank 1"} else "exact: independent blocks"


def _family(correlation: npt.ArrayLike, asked: Side) -> _Family:
    if asked not in ("both", "upper", "lower"):
        rule = messages.BOTH_LARGEST_Z()
        raise InputError.of("side", asked, rule)
    side: MaxSide = "both" if asked == "both" else "upper"
    whole = _square(correlation)
    moving = np.diagonal(whole) != 0
    matrix = _correlation(whole, moving)
    parts, dropped = [], 0.0
    for members in _connected(np.abs(matrix) > ROUNDING):
        axes, lost = _axes(matrix[np.ix_(members, members)])
        block = _distinct(axes, side)
        parts.append((block, exact_tail(block)))
        dropped = max(dropped, lost)
    slack = max(1e-10, math.sqrt(2 * dropped * math.log(2 * len(whole) + 1)))
    return _Family(tuple(parts), side, len(whole), slack)


def _check_numbers(accuracy: float | None, seed: int) -> None:
    check_seed(seed)
    if accuracy is not None and not (is_number(accuracy) and accuracy > 0):
        raise InputError.of("accuracy", accuracy, messages.POSITIVE_ERROR_SUCH_AS_1E_4())


def _square(correlation: npt.ArrayLike) -> Floats:
    matrix = numbers_of("correlation", correlation, messages.SQUARE_MATRIX_OF_NUMBERS_ROW())
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise InputError(messages.CORRELATION_HAS_SHAPE(shape=matrix.shape))
    still = np.diagonal(matrix) == 0
    linked = np.abs(np.where(still[:, None] | still, matrix, 0.0)) > 1e-8
    if linked.any():
        row, column = (int(index) for index in np.argwhere(linked)[0])
        raise InputError(messages.CORRELATION_BUT_ONE_OF_TWO(row=row, column=column, matrix=matrix[row, column]))
    return matrix


def _correlation(whole: Floats, moving: npt.NDArray[np.bool_]) -> Floats:
    missing = moving[:, None] & moving & ~np.isfinite(whole)
    if missing.any():
        row, column = (int(index) for index in np.argwhere(missing)[0])
        raise InputError(
            messages.CORRELATION_EVERY_ENTRY_MUST_BE_NUMBER(row=row, column=column, whole=whole[row, column])
        )
    matrix = whole[np.ix_(moving, moving)]
    for name, wrong in (
        ("a diagonal that differs from 1", np.abs(np.diagonal(matrix) - 1)),
        ("a difference from its transpose", np.abs(matrix - matrix.T)),
        ("entries beyond ±1", np.abs(matrix) - 1),
    ):
        if len(matrix) and wrong.max() > 1e-8:
            raise InputError(messages.CORRELATION_SYMMETRIC_MATRIX_WITH_ONES(name=name, most=wrong.max()))
    return np.asarray((matrix + matrix.T) / 2)


def _connected(linked: npt.NDArray[np.bool_]) -> Iterator[npt.NDArray[np.intp]]:
    left = np.ones(len(linked), dtype=bool)
    while left.any():
        members = np.zeros(len(linked), dtype=bool)
        members[np.argmax(left)] = True
        while (grown := linked[members].any(axis=0) | members).sum() > members.sum():
            members = grown
        left &= ~members
        yield np.flatnonzero(members)


def _axes(matrix: Floats) -> tuple[Floats, float]:
    """Return unit rows, widest direction last, whose products are the correlations; and the largest lost variance."""
    values, vectors = np.linalg.eigh(matrix)
    if values[0] < -1e-8:
        raise InputError(messages.CORRELATION_HAS_EIGENVALUE(values=values[0]))
    kept = values > max(ROUNDING * len(matrix), -4 * values[0])
    axes = _fixed(values[kept], vectors[:, kept]) * np.sqrt(values[kept])
    lost = float(np.abs(values[~kept]).max(initial=0.0))
    return axes / np.linalg.norm(axes, axis=1, keepdims=True), lost


def _fixed(values: Floats, vectors: Floats) -> Floats:
    """Return eigenvectors that depend on the matrix alone: a sign, or a basis of equal eigenvalues, is anybody's.

    Within a space of equal eigenvalues Gram-Schmidt goes through the coordinates in their order and takes those that
    are well apart from the ones before; each of them turns one basis vector its way.
    """
    found = vectors.copy()
    ends = np.flatnonzero(np.diff(values) > EQUAL * values[-1]) + 1
    for start, stop in zip([0, *ends], [*ends, len(values)], strict=True):
        rest, basis = vectors[:, start:stop].copy(), np.zeros((stop - start, stop - start))
        for place in range(stop - start):
            lengths = np.linalg.norm(rest, axis=1)
            first = rest[int(np.argmax(lengths > APART * lengths.max()))]
            first = first - (first @ basis.T) @ basis  # a second time: once leaves what rounding lost
            basis[place] = first / np.linalg.norm(first)
            rest -= np.outer(rest @ basis[place], basis[place])
        found[:, start:stop] = vectors[:, start:stop] @ basis.T
    return found


def _distinct(axes: Floats, side: MaxSide) -> Block:
    cosines = axes @ axes.T
    alike = np.abs(cosines) if side == "both" else cosines
    first = ~(np.tril(alike, -1) > 1 - ROUNDING).any(axis=1)
    return Block(axes[first], cosines[np.ix_(first, first)], side)


# ---- from tails to answers


def _budget(accuracy: float | None) -> float:
    return BUDGET if accuracy is None else LARGEST_BUDGET


def _refinements(family: _Family, budget: float, seed: int, probe: float) -> Iterator[list[TailFunction]]:
    """Yield the tails of the blocks from ever larger samples, as far as the budget goes."""
    if not family.sampled:
        yield [exact[1] for _, exact in family.parts if exact is not None]
        return
    cost = sum(block.cost for block in family.sampled)
    sizes = [size for size in SIZES if size * cost <= budget] or [min(SIZES)]
    start = max((i for i, size in enumerate(sizes) if size <= 1021 and size * cost <= BUDGET / 8), default=0)
    small = sizes[max(start - 2, 0)]
    trials = [None if exact else _trial(block, small, probe, seed) for block, exact in family.parts]
    for size in sorted({*sizes[start::2], sizes[-1]}):
        random = np.random.default_rng(seed)
        tails = []
        for (block, exact), trial in zip(family.parts, trials, strict=True):
            sampler = line_tail if trial is not None and trial(size) < 1 else cell_tail
            tails.append(exact[1] if exact is not None else sampler(block, size, random))
        yield tails


def _trial(block: Block, size: int, probe: float, seed: int) -> Callable[[int], float] | None:
    """Return the spread of the line sampler over that of the cell sampler as a function of size, from a small trial."""
    if not block.crowded:
        return None
    cells, line = (_spread(tail(block, size, np.random.default_rng(seed))(probe)) for tail in (cell_tail, line_tail))
    points = line_points(block, size)
    return lambda larger: line / max(cells, 1e-300) * math.sqrt(points / line_points(block, larger) * larger / size)


def _spread(values: Floats) -> float:
    """Return the standard error of the mean over randomisations."""
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def _chance(tails: Sequence[TailFunction], q: float) -> tuple[float, float, float]:
    """Return P(max >= q) over independent blocks, its sampling error, and the error that no sample lowers."""
    if math.isinf(q):
        return float(q < 0), 0.0, 0.0
    staying, variance, floor = 0.0, 0.0, 0.0
    for tail in tails:
        values = tail(q)
        mean = min(float(values.mean()), 1.0)
        if mean == 1:
            return 1.0, STANDARD_ERRORS * _spread(values), 0.0
        staying += math.log1p(-mean)
        variance += (_spread(values) / (1 - mean)) ** 2
        floor += mean * (BINNED if len(values) > 1 else EXACT)
    chance = -math.expm1(staying)
    return chance, STANDARD_ERRORS * (1 - chance) * math.sqrt(variance), floor


def _bracket(level: float, family: _Family) -> tuple[float, float]:
    """Return the single critical value and Bonferroni's, with a margin for sampling noise."""
    share = (1 - level) / (2 if family.side == "both" else 1)
    low, high = -float(ndtri(share)) - 0.01, -float(ndtri(share / family.size)) + 0.01
    return max(low, 1e-9) if family.side == "both" else low, high


def _quantile(
    tails: Sequence[TailFunction], level: float, wide: tuple[float, float], near: tuple[float, float], tolerance: float
) -> float:
    """Return the root in the near bracket if it is there, else in the wide one."""

    @cache
    def excess(q: float) -> float:
        return float(logit(_chance(tails, q)[0]) - logit(1 - level))

    inside = wide[0] < near[0] and near[1] < wide[1] and excess(near[0]) > 0 > excess(near[1])
    return bracketed_root(excess, *(near if inside else wide), tolerance=tolerance)


def _quantile_error(tails: Sequence[TailFunction], q: float) -> tuple[float, float]:
    """Return the error of the probability over the density, and the part of it that no sample lowers."""
    step = 1e-3
    chance, sampling, floor = _chance(tails, q)
    density = (chance - _chance(tails, q + step)[0]) / step
    return ((sampling + floor) / density, floor / density) if density > 0 else (math.inf, 0.0)

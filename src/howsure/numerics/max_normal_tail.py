"""P(max|Z_j| >= q) as a function of q, for one block of correlated normal coordinates.

Write Z_j = a_j·g with unit vectors a_j and g standard normal in as many dimensions r as the correlation has rank.
Exact tails: rank 1, rank 2 (Owen's T function), and one common factor. Otherwise one of two samplers:

Cells. Along a random direction the first face that is met belongs to the nearest of the ±a_j, at the angle T, so

    P(max|Z_j| >= q) = E[ P(chi_r > q / cos T) ],

and the density of T at t is (share of the sphere at angle t from an axis) times (expected number of cells that reach
as far as t); the cell of a_j holds the directions nearer to a_j than to any other axis. Only the reach of the cells
is sampled. The sample does not depend on q, and as q grows the answer tends to its exact first term, so that far
tails keep their relative accuracy. Best unless many axes are nearly parallel.

Line. Given all but the first principal component of g, max|Z_j| < q leaves an interval for that component, whose
probability is known. Best where correlations are high.

Both use randomly shifted lattice rules, and neither cares whether the correlation is singular.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import betaln, erfc, gammaincc, ndtr, owens_t

from howsure.numerics import lattice_rules as lattice
from howsure.numerics.solving import integral
from howsure.types import Floats

SingleArray = npt.NDArray[np.float32]  # precise enough for samples, and twice as fast
MaxSide = Literal["both", "upper"]
TailFunction = Callable[[float], Floats]  # q -> P(max >= q), one value per randomisation, or a single one if exact

REPLICATES = 12
ANGLES = 4096  # bins of the histogram of angles
SHARED = 16  # of the axes, how many use the same directions
CHUNK = 2**19  # numbers in one intermediate array
FEW_DEGREES = 40  # up to here the terms of a finite sum cannot overflow
STORE = 2**24  # single-precision numbers that a line tail may keep
SINGLE = 2**18  # multiplications beyond which OpenBLAS wakes its threads


@dataclass(frozen=True, slots=True)
class Block:
    """Correlated coordinates: distinct unit vectors (rows), widest direction last, and their products."""

    axes: Floats
    cosines: Floats
    side: MaxSide

    @property
    def size(self) -> int:
        return len(self.axes)

    @property
    def rank(self) -> int:
        return int(self.axes.shape[1])

    @property
    def crowded(self) -> bool:
        """Whether one direction explains much of all coordinates, which the line sampler is for."""
        return self.rank > 3 and float(np.mean(self.axes[:, -1] ** 2)) > 0.4

    @property
    def cost(self) -> float:
        """Multiplications for one direction around every axis, over all randomisations."""
        return float(REPLICATES * self.size**2 * (self.rank + 20))


# ---- exact tails


def exact_tail(block: Block) -> tuple[str, TailFunction] | None:
    """Return the name and the tail of a case that needs no sampling, or None."""
    if block.rank == 1:
        sides = 2 if block.side == "both" or block.size == 2 else 1
        return "rank 1", lambda q: np.array([1.0 if sides == 2 and q <= 0 else sides * ndtr(-q)])
    if block.rank == 2:
        return "rank 2", _plane_tail(block)
    loadings = _loadings(block.cosines)
    if loadings is None:
        return None
    alike = np.ptp(np.abs(loadings)) < 1e-12
    return ("equicorrelated" if alike else "one factor"), _factor_tail(loadings, block.side)


def _plane_tail(block: Block) -> TailFunction:
    """Return the tail of a polygon whose sides all touch the circle of radius q.

    Each side is the nearest one up to the bisectors with its neighbours, and the mass beyond it up to an angle t is
    Owen's T(q, tan t). For q < 0 the polygon is a wedge away from the origin, between the two outermost sides.
    """
    both = block.side == "both"
    turn = math.pi if both else 2 * math.pi
    angles = np.sort(np.arctan2(block.axes[:, 1], block.axes[:, 0]) % turn)
    gaps = np.diff(angles, append=angles[0] + turn)
    slopes = np.where(gaps < math.pi, np.tan(np.minimum(gaps, math.pi) / 2), math.inf)
    wedge = math.tan((turn - float(gaps.max())) / 2)

    def tail(q: float) -> Floats:
        if q >= 0:
            return np.array([(4 if both else 2) * owens_t(q, slopes).sum()])
        inside = 0.0 if both or gaps.max() < math.pi else ndtr(q) - 2 * owens_t(q, wedge)
        return np.array([1.0 - inside])

    return tail


def _loadings(cosines: Floats) -> Floats | None:
    """Return l with r_ij = l_i l_j for i != j and all |l_i| < 1, if there is one."""
    if min(abs(cosines[0, 1]), abs(cosines[0, 2]), abs(cosines[1, 2])) < 1e-6:
        return None
    square = cosines[0, 1] * cosines[0, 2] / cosines[1, 2]
    if not 0 < square < 1:
        return None
    first = math.sqrt(square)
    loadings = np.concatenate([[first], cosines[0, 1:] / first])
    gap = np.outer(loadings, loadings) - cosines
    np.fill_diagonal(gap, 0.0)
    return loadings if np.abs(gap).max() < 1e-12 and np.abs(loadings).max() < 1 - 1e-9 else None


def _factor_tail(loadings: Floats, side: MaxSide) -> TailFunction:
    """Return the tail when Z_j = l_j f + sqrt(1 - l_j²) e_j: given f the coordinates are independent."""
    distinct, counts = np.unique(np.abs(loadings) if side == "both" else loadings, return_counts=True)
    noise = np.sqrt(1 - distinct**2)

    def tail(q: float) -> Floats:
        if side == "both" and q <= 0:
            return np.array([1.0])

        def beyond(f: Floats) -> Floats:
            drift = distinct * f[..., None]
            out = ndtr((drift - q) / noise)
            if side == "both":
                out = np.minimum(out + ndtr((-drift - q) / noise), 1.0)
            with np.errstate(divide="ignore"):
                chance = -np.expm1((counts * np.log1p(-out)).sum(axis=-1))
            return np.asarray(chance * np.exp(-0.5 * f * f) / math.sqrt(2 * math.pi))

        reach = abs(q) + 7.0
        points = np.concatenate([np.linspace(-reach, reach, 17), q / distinct, -q / distinct])
        return np.array([integral(beyond, np.unique(points[np.abs(points) <= reach]))])

    return tail


# ---- sampled tails: the cells around the axes


def cell_tail(block: Block, size: int, random: np.random.Generator) -> TailFunction:
    """Return the tail from the sampled reach of every axis' cell, with about ``size`` directions an axis."""
    both, rank = block.side == "both", block.rank
    width = (math.pi / 2 if both else math.pi) / ANGLES
    middle = (np.arange(ANGLES) + 0.5) * width
    ring = width * np.exp((rank - 2) * np.log(np.sin(middle)) - betaln((rank - 1) / 2, 0.5))
    weights = (2 if both else 1) * ring * _reaching(block, size, width, random)
    cosine = np.cos(middle)
    ahead, behind = ((weights[:, where], 1 / cosine[where]) for where in (cosine > 0, cosine < 0))

    def beyond(q: float, weights: Floats, secant: Floats) -> Floats:
        return np.asarray(weights @ chi_square_tail(rank, (q * secant) ** 2))

    def tail(q: float) -> Floats:
        if q > 0:
            return beyond(q, *ahead)
        return np.ones(1) if both else 1.0 - beyond(q, *behind)

    return tail


def chi_square_tail(degrees: int, x: Floats) -> Floats:
    """Return P(chi² > x), by the finite sum for a whole number of degrees: a third of the time of scipy's.

    With y = x/2: e^−y Σ y^k/k! for even degrees, erfc √y + e^−y Σ y^(k+½)/Γ(k+3/2) for odd ones. No term is
    negative, so far tails keep their digits.

    >>> [float(f"{chi_square_tail(k, np.array(7.0)):.6g}") for k in (3, 4)]
    [0.0718978, 0.135888]
    """
    if degrees > FEW_DEGREES:
        return np.asarray(gammaincc(degrees / 2, x / 2))
    y, odd = np.minimum(np.asarray(x) / 2, 1e6), degrees % 2  # e^−1e6 is 0
    total = np.ones_like(y)
    for k in np.arange(degrees / 2 - 1, 0.75, -1):
        total *= y / k
        total += 1.0
    shrink = np.exp(-y)
    if not odd:
        return np.asarray(shrink * total)
    root = np.sqrt(y)
    return np.asarray(erfc(root) + (shrink * total * root * (2 / math.sqrt(math.pi)) if degrees > 1 else 0.0))


def _reaching(block: Block, size: int, width: float, random: np.random.Generator) -> Floats:
    """Return the mean number of cells that reach each angle, one row per randomisation.

    Many axes take turns at a larger lattice, and each has it turned in its own way.
    """
    wanted = size * max(1, block.size // SHARED)
    pool = next((known for known in lattice.SIZES if known >= wanted), max(lattice.SIZES))
    stride = max(1, pool // size)
    shifts = random.random((REPLICATES, block.rank - 2))
    turns = np.exp(2j * math.pi * random.random((block.size, (block.rank - 1) // 2)))
    offsets = np.arange(REPLICATES)[:, None] * ANGLES
    ends, parts = np.zeros((2, REPLICATES * ANGLES))
    each = max(stride, CHUNK // (REPLICATES * max(block.size // stride, block.rank)))
    for start in range(0, pool, each):
        points = lattice.shifted(pool, shifts, start, min(start + each, pool))
        directions = lattice.directions(points).astype(np.float32)
        found, shares = [], []
        for axis in range(block.size):
            mine = directions[:, (axis - start) % stride :: stride]
            found.append(_cotangents(block, axis, turns[axis], mine))
            shares.append(np.full(mine.shape[1], 0.5 / len(range(axis % stride, pool, stride))))
        reach = (0.5 * math.pi - np.arctan(np.concatenate(found, axis=-1))) / width
        whole = np.minimum(reach.astype(np.intp), ANGLES - 1)
        share = np.broadcast_to(np.concatenate(shares), reach.shape)
        bins = (whole + offsets).ravel()
        ends += np.bincount(bins, weights=share.ravel(), minlength=len(ends))
        parts += np.bincount(bins, weights=(share * (reach - whole)).ravel(), minlength=len(ends))
    ends, parts = ends.reshape(REPLICATES, ANGLES), parts.reshape(REPLICATES, ANGLES)
    return np.asarray(np.cumsum(ends[:, ::-1], axis=1)[:, ::-1] - ends + parts)


def _cotangents(block: Block, axis: int, turns: npt.NDArray[np.complex128], directions: SingleArray) -> SingleArray:
    """Return the cotangents of the reach of one cell along directions (last axis) and along their opposites.

    Along h, orthogonal to a_j, the cell ends where another axis is as near: at the angle whose cotangent is the
    largest a_i·h / (1 - a_i·a_j), and -a_i·h / (1 + a_i·a_j) for the axis -a_i.
    """
    others = np.arange(block.size) != axis
    cosines = block.cosines[others, axis][:, None]
    rows = _turned(_around(block.axes, axis)[others], turns)
    across = directions.reshape(-1, block.rank - 1).T
    facing = rows / (1 - cosines)
    if block.side == "both":
        facing = np.concatenate([facing, -rows / (1 + cosines)])
    cotangents = _product(facing.astype(np.float32), across)
    pair = np.stack([cotangents.max(axis=0), -cotangents.min(axis=0)])
    return pair.reshape(2, *directions.shape[:2])


def _product(rows: SingleArray, columns: SingleArray) -> SingleArray:
    """Return rows @ columns, of few rows in parts that OpenBLAS keeps to one thread.

    Its threads are woken for a part of a millisecond and go on spinning after it: in a comparison of ten models they
    took two thirds of the processor's time.
    """
    each = SINGLE // rows.size // 64 * 64
    if each == 0:
        return rows @ columns
    found = np.empty((len(rows), columns.shape[1]), dtype=np.float32)
    for start in range(0, found.shape[1], each):
        part = slice(start, start + each)
        np.matmul(rows, columns[:, part], out=found[:, part])
    return found


def _around(axes: Floats, axis: int) -> Floats:
    """Return the axes' coordinates in the space orthogonal to one of them, widest directions still last.

    Gram-Schmidt on that axis a followed by the old basis from its end, in closed form: with s_i the length of
    (a_1, …, a_i) the new basis vectors are (s_i-1 / s_i) e_i - a_i / (s_i-1 s_i) (a_1, …, a_i-1, 0, …, 0).
    """
    a = axes[axis].copy()
    a[0] = a[0] if abs(a[0]) > 1e-8 else 1e-8  # the sign of a rounding error would turn the sample round
    lengths = np.sqrt(np.cumsum(a * a))
    result = np.cumsum(axes[:, :-1] * a[:-1], axis=1)
    result *= -a[1:] / (lengths[:-1] * lengths[1:])
    result += axes[:, 1:] * (lengths[:-1] / lengths[1:])
    return result


def _turned(rows: Floats, turns: npt.NDArray[np.complex128]) -> Floats:
    """Rotate each pair of coordinates, from the last one down, by its own angle."""
    pairs = rows[:, : -2 * len(turns) - 1 : -2] + 1j * rows[:, -2 : -2 * len(turns) - 1 : -2]
    pairs *= turns
    return np.concatenate([pairs.real, pairs.imag, rows[:, : rows.shape[1] % 2]], axis=1)


# ---- sampled tails: the line of the first principal component


def line_points(block: Block, size: int) -> int:
    """Return the number of points that cost as much as ``size`` directions an axis, as far as they can be kept."""
    effort = REPLICATES * (block.size * block.rank + 50 * (block.size + block.rank))
    most = min(size * block.cost / effort, STORE / (REPLICATES * block.size))
    return max((known for known in lattice.SIZES if known <= most), default=min(lattice.SIZES))


def line_tail(block: Block, size: int, random: np.random.Generator) -> TailFunction:
    """Return the tail from samples of all but the first principal component, at the cost of a cell tail of ``size``."""
    points = line_points(block, size)
    shifts = random.random((REPLICATES, block.rank - 1))
    axes = block.axes[:, ::-1]
    if block.side == "both":
        axes = axes * np.where(axes[:, :1] < 0, -1.0, 1.0)
    slopes = np.where(np.abs(axes[:, :1]) < 1e-30, 1e-30, axes[:, :1])
    start = np.empty((block.size, REPLICATES, points), dtype=np.float32)
    for i, shift in enumerate(shifts):
        rest = lattice.normals(lattice.shifted(points, shift[None], 0, points)[0])
        start[:, i] = (axes[:, 1:] / slopes) @ rest.T
    paces = (1 / slopes[:, 0]).tolist()

    def tail(q: float) -> Floats:
        high, low = np.full((2, REPLICATES, points), np.inf, dtype=np.float32)
        np.negative(low, out=low)
        for pace, drift in zip(paces, start, strict=True):
            if pace > 0:
                np.minimum(high, q * pace - drift, out=high)
            else:
                np.maximum(low, q * pace - drift, out=low)
            if block.side == "both":
                np.maximum(low, -q * pace - drift, out=low)
        return np.asarray(np.minimum(ndtr(-high.astype(float)) + ndtr(low.astype(float)), 1.0).mean(axis=1))

    return tail

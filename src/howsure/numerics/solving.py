"""Numerical solving: adaptive Gauss-Kronrod quadrature, a bracketing root finder, interpolation over counts.

All panels of one round of the quadrature are evaluated in one vectorised call. scipy has both, at the price of
importing scipy.integrate and scipy.optimize.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from howsure.types import Floats

Function = Callable[[Floats], Floats]

# Positive nodes of the 15-point Kronrod rule with its weights, and the weights of the 7-point Gauss rule on every
# second node (Kronrod 1965; checked in the tests against the polynomials that each rule must integrate exactly).
_HALF_NODES = np.array(
    [
        0.991455371120812639206854697526329,
        0.949107912342758524526189684047851,
        0.864864423359769072789712788640926,
        0.741531185599394439863864773280788,
        0.586087235467691130294144691693013,
        0.405845151377397166906606412076961,
        0.207784955007898467600689403773245,
        0.0,
    ]
)
_HALF_KRONROD = np.array(
    [
        0.022935322010529224963732008058970,
        0.063092092629978553290700663189204,
        0.104790010322250183839876322541518,
        0.140653259715525918745189590510238,
        0.169004726639267902826583426598550,
        0.190350578064785409913256402421014,
        0.204432940075298892414161999234649,
        0.209482141084727828012999174891714,
    ]
)
_HALF_GAUSS = np.array(
    [
        0.0,
        0.129484966168869693270611432679082,
        0.0,
        0.279705391489276667901467771423780,
        0.0,
        0.381830050505118944950369775488975,
        0.0,
        0.417959183673469387755102040816327,
    ]
)
NODES = np.concatenate([-_HALF_NODES, _HALF_NODES[-2::-1]])
KRONROD = np.concatenate([_HALF_KRONROD, _HALF_KRONROD[-2::-1]])
GAUSS = np.concatenate([_HALF_GAUSS, _HALF_GAUSS[-2::-1]])

_DEPTH = 40
_TOLERANCE = 1e-14


def integral(function: Function, points: Floats) -> float:
    """Integrate a function over the panels between sorted points, to about 1e-13 of the integral of its modulus.

    A panel is halved until its estimated error (QUADPACK's scaling of |Kronrod - Gauss|) is negligible against
    the whole. Put points near every sharp feature: what falls between all nodes is not seen.
    Piessens, de Doncker, Ueberhuber & Kahaner, QUADPACK (1983).

    >>> round(integral(np.exp, np.array([0.0, 1.0])), 14)
    1.71828182845905
    """
    low, high = points[:-1], points[1:]
    done = done_modulus = 0.0
    for _ in range(_DEPTH):
        kronrod, modulus, error = _panels(function, low, high)
        rough = error > _TOLERANCE * (done_modulus + float(modulus.sum()))
        done += float(kronrod[~rough].sum())
        done_modulus += float(modulus[~rough].sum())
        if not rough.any():
            return done
        middle = 0.5 * (low[rough] + high[rough])
        low, high = np.concatenate([low[rough], middle]), np.concatenate([middle, high[rough]])
    return done + float(_panels(function, low, high)[0].sum())


def _panels(function: Function, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
    half = 0.5 * (high - low)
    values = function(0.5 * (low + high)[:, None] + half[:, None] * NODES)
    kronrod, modulus = half * (values @ KRONROD), half * (np.abs(values) @ KRONROD)
    gap = np.abs(kronrod - half * (values @ GAUSS))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        error = np.where(modulus > 0, modulus * np.minimum(1.0, (200.0 * gap / modulus) ** 1.5), 0.0)
    return kronrod, modulus, error


def around_peak(log_function: Function, points: Floats, *, depth: float = 60.0) -> Floats:
    """Return the panels that matter: zoom in on the highest point, drop what lies ``depth`` below it.

    The log of the integrand is sampled at the points; the neighbourhood of its maximum is refined until
    neighbours differ by little. For a log-concave integrand nothing of weight can be lost.
    """
    values = log_function(points)
    for _ in range(40):
        best = int(np.argmax(values))
        if values[best] == -np.inf:
            return points[:0]
        left, right = max(best - 1, 0), min(best + 1, len(points) - 1)
        if not values[best] - min(values[left], values[right]) > 8.0:
            break
        finer = np.linspace(points[left], points[right], 11)[1:-1]
        points, keep = np.unique(np.concatenate([points, finer]), return_index=True)
        values = np.concatenate([values, log_function(finer)])[keep]
    heights = np.maximum(values[:-1], values[1:])
    kept = np.flatnonzero(heights > values.max() - depth)
    return points[kept[0] : kept[-1] + 2]


def bracketed_root(function: Callable[[float], float], low: float, high: float, *, tolerance: float = 1e-15) -> float:
    """Return the root between low and high, where the function has opposite signs (Chandrupatla 1997).

    Inverse quadratic interpolation while it behaves, bisection otherwise; infinite values are allowed.

    >>> round(bracketed_root(lambda x: x * x - 2.0, 0.0, 2.0), 12)
    1.414213562373
    """
    a, b, f_a, f_b = high, low, function(high), function(low)
    c, f_c, share = a, f_a, 0.5
    for _ in range(200):
        x = a + share * (b - a)
        f_x = function(x)
        if (f_x > 0) == (f_a > 0):
            c, f_c = a, f_a
        else:
            c, b, f_c, f_b = b, a, f_b, f_a
        a, f_a = x, f_x
        best = a if abs(f_a) < abs(f_b) else b
        slack = (2.0 * abs(best) * 2.3e-16 + tolerance) / abs(b - a)
        if slack >= 0.5 or f_a == 0 or f_b == 0:
            return best
        share = min(max(_share(a, b, c, f_a, f_b, f_c), slack), 1.0 - slack)
    return best


def first_count(met: Callable[[int], bool], low: int, high: int) -> int:
    """Return the smallest count above ``low`` that is met, where all from some count on are, and ``high`` is.

    >>> first_count(lambda n: n * n > 50, 0, 100)
    8
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if met(middle) else (middle, high)
    return high


def _share(a: float, b: float, c: float, f_a: float, f_b: float, f_c: float) -> float:
    if not (math.isfinite(f_a) and math.isfinite(f_b) and math.isfinite(f_c)) or f_a == f_c or f_b == f_c:
        return 0.5
    position, height = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
    if not 1.0 - math.sqrt(1.0 - position) < height < math.sqrt(position):
        return 0.5
    return f_a / (f_b - f_a) * f_c / (f_b - f_c) + (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)


def bracketed_roots(function: Function, low: Floats, high: Floats, *, tolerance: float = 1e-12) -> Floats:
    """Return where each of many functions falls through 0 between low and high: ``bracketed_root`` for all at once.

    ``function`` takes one point for each of them. One that is not above 0 at ``low`` gets low, and one that is above 0
    at ``high`` gets high.

    >>> bracketed_roots(lambda x: np.array([2.0, 9.0]) - x * x, np.zeros(2), np.full(2, 2.0)).round(12).tolist()
    [1.414213562373, 2.0]
    """
    a, b, f_a, f_b = high, low, function(high), function(low)
    known = np.where(f_b > 0, np.where(f_a > 0, high, np.nan), low)
    c, f_c, share = a, f_a, np.full(len(a), 0.5)
    for _ in range(200):
        x = a + share * (b - a)
        f_x = function(x)
        stays = (f_x > 0) == (f_a > 0)
        c, f_c, b, f_b = (np.where(stays, *pair) for pair in ((a, b), (f_a, f_b), (b, a), (f_b, f_a)))
        a, f_a = x, f_x
        best = np.where(np.abs(f_a) < np.abs(f_b), a, b)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            slack = (2.0 * np.abs(best) * 2.3e-16 + tolerance) / np.abs(b - a)
            if np.all((slack >= 0.5) | (f_a == 0) | (f_b == 0) | np.isfinite(known)):
                break
            place, height = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
            curved = f_a / (f_b - f_a) * f_c / (f_b - f_c) + (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)
            behaves = (1.0 - np.sqrt(1.0 - place) < height) & (height < np.sqrt(place)) & np.isfinite(curved)
        share = np.clip(np.where(behaves, curved, 0.5), np.minimum(slack, 0.5), np.maximum(1.0 - slack, 0.5))
    return np.where(np.isfinite(known), known, best)


# --- many values of a smooth function from few -----------------------------------------------------------------------

_FEWEST, _NARROW = 2_000, 16  # pairs, and counts in a tile, below which every pair is asked
_NODES = 10  # a tile is an eighth of its distance from zero: ρ = 34, and ρ^-10 is 5e-16
_CLOSE = 2e-13  # of a value: what the check allows


def smooth_on_counts(function: Callable[[Floats, Floats], Floats], first: Floats, second: Floats) -> Floats | None:
    """Return a function at many pairs of counts from its values at few, or None where that would not be exact.

    A limit of a share is analytic in successes and failures up to zero. So with k Chebyshev nodes the error falls as
    ρ^-k, ρ = c + √(c² - 1) where the middle of a range is c half-ranges away from zero. Each axis is cut into
    tiles, 8 between a power of two and the next; a value depends on its tile alone, not on the other pairs asked for.
    64 of the pairs are compared with the function itself, which notices one that is not smooth.

    >>> first, second = (part.ravel() for part in np.meshgrid(np.arange(300.0, 400), np.arange(200.0, 300)))
    >>> found = smooth_on_counts(lambda a, b: np.sqrt(a * b / (a + b) ** 3), first, second)
    >>> bool(np.allclose(found, np.sqrt(first * second / (first + second) ** 3), rtol=1e-12, atol=0))
    True
    >>> smooth_on_counts(lambda a, b: np.abs(a - 350.5), first, second) is None
    True

    Source: Trefethen (2013) Approximation Theory and Approximation Practice, theorem 8.2.
    """
    if len(first) < _FEWEST:
        return None
    widths = [_tile_width(part) for part in (first, second)]
    wide = (widths[0] >= _NARROW) & (widths[1] >= _NARROW)
    found = np.empty(len(first))
    found[~wide] = function(first[~wide], second[~wide])
    if wide.any():
        found[wide] = _from_tiles(function, first[wide], second[wide], widths[0][wide], widths[1][wide])
    some = np.linspace(0, len(first) - 1, 64).round().astype(int)
    asked = function(first[some], second[some])
    return found if np.all(np.abs(found[some] - asked) <= _CLOSE * np.abs(asked)) else None


def _tile_width(counts: Floats) -> Floats:
    """Return an eighth of the power of two at or below each count."""
    return np.asarray(np.ldexp(1.0, np.frexp(np.maximum(counts, 1.0))[1] - 4))


def _from_tiles(
    function: Callable[[Floats, Floats], Floats], first: Floats, second: Floats, one: Floats, other: Floats
) -> Floats:
    """Return the function by interpolation within tiles of these widths, all nodes of all tiles in one call."""
    corners = np.stack([first - first % one, second - second % other, one, other], axis=1)
    tiles, at = np.unique(corners, axis=0, return_inverse=True)
    nodes = (1 + np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)) / 2
    places = [tiles[:, [k]] + tiles[:, [k + 2]] * nodes for k in (0, 1)]
    pairs = [places[0][:, :, None], places[1][:, None, :]]
    values = function(*(part.ravel() for part in np.broadcast_arrays(*pairs))).reshape(len(tiles), _NODES, _NODES)
    found, order = np.empty(len(first)), np.argsort(at.ravel(), kind="stable")
    edges = np.searchsorted(at.ravel()[order], np.arange(len(tiles) + 1))
    for tile, value, start, stop in zip(tiles, values, edges[:-1], edges[1:], strict=True):
        some = order[start:stop]
        rows, columns = (first[some] - tile[0]).astype(int), (second[some] - tile[1]).astype(int)
        left, right = _tile_weights(int(tile[2])), _tile_weights(int(tile[3]))
        # einsum, not BLAS: the order of these sums must not hang on the processor
        found[some] = np.einsum("ik,jk->ij", np.einsum("ij,jk->ik", left, value), right)[rows, columns]
    return found


@cache
def _tile_weights(width: int) -> Floats:
    """Return what the value at each Chebyshev node counts at 0, 1, …, width - 1 of a tile."""
    degrees, angles = np.arange(_NODES), np.pi * (np.arange(_NODES) + 0.5) / _NODES
    turned = np.arccos(2 * np.arange(width) / width - 1)
    halved = np.where(degrees == 0, 1.0, 2.0) / _NODES
    at_counts, at_nodes = (np.cos(np.outer(part, degrees)) for part in (turned, angles))
    return np.asarray(np.einsum("cd,nd,d->cn", at_counts, at_nodes, halved))

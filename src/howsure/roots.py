"""A bracketing root finder for a function of one number."""

from __future__ import annotations

import math
from collections.abc import Callable


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


def _share(a: float, b: float, c: float, f_a: float, f_b: float, f_c: float) -> float:
    if not (math.isfinite(f_a) and math.isfinite(f_b) and math.isfinite(f_c)) or f_a == f_c or f_b == f_c:
        return 0.5
    position, height = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
    if not 1.0 - math.sqrt(1.0 - position) < height < math.sqrt(position):
        return 0.5
    return f_a / (f_b - f_a) * f_c / (f_b - f_c) + (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)

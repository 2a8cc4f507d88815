"""McNemar's test of two models' accuracy, exact and mid-P."""

from __future__ import annotations

import math

from scipy.special import bdtr


def mcnemar(only_a: float, only_b: float) -> dict[str, float]:
    """Return the exact and the mid-P McNemar p-values of two discordant counts.

    McNemar (1947) Psychometrika 12:153; mid-P: Fagerland, Lydersen & Laake (2013) BMC Med. Res. Methodol. 13:91.

    >>> {name: round(p, 6) for name, p in mcnemar(1, 9).items()}
    {'exact': 0.021484, 'mid_p': 0.011719}
    """
    total, least = only_a + only_b, min(only_a, only_b)
    if total == 0:
        return {"exact": 1.0, "mid_p": 1.0}
    if not float(total).is_integer() or not float(least).is_integer():
        return {"exact": math.nan, "mid_p": math.nan}
    tail = float(bdtr(least, int(total), 0.5))
    point = tail - (float(bdtr(least - 1, int(total), 0.5)) if least > 0 else 0.0)
    mid = 1.0 - point if only_a == only_b else 2 * tail - point
    return {"exact": min(2 * tail, 1.0), "mid_p": min(mid, 1.0)}

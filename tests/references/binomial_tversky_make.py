"""Score and likelihood-ratio limits of Tversky indices by brute force at 50 digits. Writes binomial_tversky.csv.

Run in this folder: python binomial_tversky_make.py (some minutes). Nothing of howsure is used: for a null value tau
the multiplier is bisected in its open range, an empty cell takes the residual mass at the end of that range, the
variance is summed over the fitted cells, and the null value is then bisected until the statistic is +z or -z.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from pathlib import Path

import mpmath as mp
from mpmath import mpf

mp.mp.dps = 50
TINY = mpf(10) ** (5 - mp.mp.dps)
Fit = tuple[list[mpf], list[mpf], list[mpf]]


def bisect(function: Callable[[mpf], mpf], low: mpf, high: mpf, steps: int) -> mpf:
    """Halve a bracket whose ends have different signs."""
    sign = function(low) > 0
    for _ in range(steps):
        middle = (low + high) / 2
        if (function(middle) > 0) == sign:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def constrained_fit(counts: list[mpf], contrast: list[mpf]) -> Fit:
    """Return counts, contrast and the fitted counts n p_i of the multinomial under a zero mean contrast."""
    used = [(w, c) for w, c in zip(contrast, counts, strict=True) if c > 0 and w != 0]

    def gradient(multiplier: mpf) -> mpf:
        return sum(w * c / (1 + multiplier * w) for w, c in used)

    surplus = gradient(mpf(0))
    end = min(-1 / w for w in contrast if w < 0) if surplus > 0 else max(-1 / w for w in contrast if w > 0)
    at_end = [i for i, w in enumerate(contrast) if abs(1 + end * w) < TINY]
    if all(counts[i] == 0 for i in at_end) and gradient(end) * surplus > 0:
        fitted = [mpf(0) if i in at_end else c / (1 + end * contrast[i]) for i, c in enumerate(counts)]
        fitted[at_end[0]] = sum(counts) - sum(fitted)
        return counts, contrast, fitted
    multiplier = bisect(gradient, mpf(0), end * (1 - TINY), 190)
    return counts, contrast, [c / (1 + multiplier * w) for c, w in zip(counts, contrast, strict=True)]


def score(fit: Fit) -> mpf:
    counts, contrast, fitted = fit
    variance = sum(w * w * p for w, p in zip(contrast, fitted, strict=True))
    return sum(w * c for w, c in zip(contrast, counts, strict=True)) / mp.sqrt(variance)


def profile(fit: Fit) -> mpf:
    counts, contrast, fitted = fit
    ratio = 2 * sum(c * mp.log(c / p) for c, p in zip(counts, fitted, strict=True) if c > 0)
    return mp.sign(sum(w * c for w, c in zip(contrast, counts, strict=True))) * mp.sqrt(abs(ratio))


def limit(statistic: Callable[[Fit], mpf], cells: list[mpf], a: mpf, b: mpf, z: mpf) -> mpf:
    """Return the tau at which the statistic equals z, searching in the log odds against a success."""
    tp, fp, fn = cells
    errors = a * fp + b * fn
    if (z > 0 and tp == 0) or (z < 0 and errors == 0):
        return mpf(0) if z > 0 else mpf(1)

    def excess(log_odds: mpf) -> mpf:
        return statistic(constrained_fit(cells, [mp.exp(log_odds), -a, -b])) - z

    near = mp.log(errors / tp) if errors > 0 and tp > 0 else mpf(-60 if z > 0 else 60)
    step = mp.sign(z) / 8
    while excess(near + step) * z < 0:
        near, step = near + step, 2 * step
    return 1 / (1 + mp.exp(bisect(excess, near, near + step, 110)))


def tables(rng: random.Random) -> list[tuple[list[float], float, float, float]]:
    """Return edge tables with common weights, then random ones from 0.03 to 1e15 with any weights."""
    edges = [(0, 3, 4), (5, 0, 0), (5, 3, 0), (5, 0, 3), (1, 0, 0), (0, 1, 0), (0, 0, 1), (77, 44, 10), (1e12, 1, 0)]
    chosen = [
        ([float(c) for c in cells], a, b, 1.96) for cells in edges for a, b in [(0.8, 0.2), (0.2, 0.8), (2.0, 0.3)]
    ]
    while len(chosen) < 110:
        top = rng.choice([1, 2, 3, 6, 15])
        cells = [0.0 if rng.random() < 0.15 else 10 ** rng.uniform(rng.choice([-1.5, 0, 0, 0]), top) for _ in range(3)]
        cells = [float(round(c)) for c in cells] if rng.random() < 0.6 else cells
        weights = rng.choice([(0.8, 0.2), (0.2, 0.8), (0.5, 0.5), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), None, None, None])
        a, b = weights or (10 ** rng.uniform(-3, 3), 10 ** rng.uniform(-3, 3))
        if cells[0] + a * cells[1] + b * cells[2] > 0 and sum(cells) >= 1:
            chosen.append((cells, a, b, rng.choice([0.3, 1.0, 1.96, 2.576, 4.9, 6.5])))
    return chosen


def main() -> None:
    rows = []
    for cells, a, b, z in tables(random.Random(2024)):
        exact = [mpf(c) for c in cells]
        row = [*map(repr, cells), repr(a), repr(b), repr(z)]
        for statistic in (score, profile):
            low, high = (limit(statistic, exact, mpf(a), mpf(b), sign * mpf(z)) for sign in (1, -1))
            row += [mp.nstr(low, 25), mp.nstr(high, 25), mp.nstr(high - low, 17)]
        odds = mpf(0.37 if len(rows) % 2 else 1.5) * (mpf(a) * exact[1] + mpf(b) * exact[2] + 1) / (exact[0] + 1)
        tau = float(1 / (1 + odds))
        null = [1 - mpf(tau), -mpf(a) * tau, -mpf(b) * tau]
        rows.append([*row, repr(tau), mp.nstr(score(constrained_fit(exact, null)), 17)])
    names = "tp fp fn a b z score_low score_high score_length profile_low profile_high profile_length tau statistic"
    with Path("binomial_tversky.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names.split(), *rows])


if __name__ == "__main__":
    main()

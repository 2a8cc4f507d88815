"""Coverage of intervals at tiny n, by listing every table in exact fractions. Writes enumeration_coverage.csv.

Run in this folder: python enumeration_make.py (a minute). Nothing of howsure is used, and no floating point: shares
are fractions, z is the fraction of its double, and whether an interval holds the truth is decided by its defining
inequality, without its limits.

    wald             (estimate - truth)^2 <= z^2 variance
    wilson           the same with the variance at the truth; F1 through its share F/(2-F)
    wilson-direct    the same for F1 itself: the variance at the truth is F(1-F)(2-F)^2/(2v), v = tp + fp + fn
    clopper-pearson  P(X >= x) >= tail and P(X <= x) >= tail at the truth; F1 through its share

``coverage`` is given that the metric is defined; ``undefined`` is the chance that it is not.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from pathlib import Path

Cells = tuple[int, ...]
Shares = tuple[Fraction, Fraction]
Z = {Fraction(4, 5): Fraction(1.2815515655446004), Fraction(19, 20): Fraction(1.959963984540054)}
POPULATIONS = {
    "even": (Fraction(2, 5), Fraction(1, 10), Fraction(1, 10), Fraction(2, 5)),
    "rare": (Fraction(3, 50), Fraction(1, 50), Fraction(1, 25), Fraction(22, 25)),
    "excellent": (Fraction(7, 20), Fraction(1, 100), Fraction(1, 50), Fraction(31, 50)),
}  # tp, fp, fn, tn
SIZES = (1, 2, 5, 12)
THREE = tuple(Fraction(part, 100) for part in (30, 5, 2, 6, 20, 7, 3, 7, 20))  # truth in rows


def tables(cells: int, n: int) -> Iterator[Cells]:
    """Yield every way of putting n rows into cells."""
    if cells == 1:
        yield (n,)
        return
    for first in range(n + 1):
        yield from ((first, *rest) for rest in tables(cells - 1, n - first))


def chance(counts: Cells, shares: tuple[Fraction, ...]) -> Fraction:
    ways = factorial(sum(counts)) // prod(map(factorial, counts))
    return ways * prod(share**count for share, count in zip(shares, counts, strict=True))


# ---- two classes: metrics that are a share x / (x + y), and F1 = 2u / (1 + u) of the share u = tp / (tp + fp + fn)

SHARES: dict[str, Callable[..., tuple[Fraction, Fraction]]] = {
    "precision": lambda tp, fp, fn, tn: (tp, fp),
    "recall": lambda tp, fp, fn, tn: (tp, fn),
    "npv": lambda tp, fp, fn, tn: (tn, fn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, fp + fn),
    "f1": lambda tp, fp, fn, tn: (tp, fp + fn),
}


def wald(x: int, y: int, truth: Fraction, level: Fraction, f1: bool) -> bool:
    n, share = x + y, Fraction(x, x + y)
    if not f1:
        return (share - truth) ** 2 <= Z[level] ** 2 * share * (1 - share) / n
    value, target = 2 * share / (1 + share), 2 * truth / (1 + truth)
    return (value - target) ** 2 <= Z[level] ** 2 * value * (1 - value) * (2 - value) ** 2 / (2 * n)


def wilson(x: int, y: int, truth: Fraction, level: Fraction, f1: bool) -> bool:
    n, share = x + y, Fraction(x, x + y)
    return (share - truth) ** 2 <= Z[level] ** 2 * truth * (1 - truth) / n


def wilson_direct(x: int, y: int, truth: Fraction, level: Fraction, f1: bool) -> bool:
    share = Fraction(x, x + y)
    value, target = 2 * share / (1 + share), 2 * truth / (1 + truth)
    return (value - target) ** 2 <= Z[level] ** 2 * target * (1 - target) * (2 - target) ** 2 / (2 * (x + y))


def clopper_pearson(x: int, y: int, truth: Fraction, level: Fraction, f1: bool) -> bool:
    n, tail = x + y, (1 - level) / 2
    mass = [comb(n, k) * truth**k * (1 - truth) ** (n - k) for k in range(n + 1)]
    return sum(mass[x:]) >= tail and sum(mass[: x + 1]) >= tail


METHODS = {"wald": wald, "wilson": wilson, "clopper-pearson": clopper_pearson, "wilson-direct": wilson_direct}


def covered(held: list[tuple[Cells, Fraction]], metric: str, truth: Fraction, method: str, level: Fraction) -> Shares:
    """Return the coverage given that the metric is defined, and the chance that it is not."""
    inside = undefined = Fraction(0)
    for counts, weight in held:
        x, y = SHARES[metric](*counts)
        if x + y == 0:
            undefined += weight
        elif METHODS[method](x, y, truth, level, metric == "f1"):
            inside += weight
    return inside / (1 - undefined), undefined


def two_classes() -> Iterator[tuple[object, ...]]:
    for (name, shares), n in product(POPULATIONS.items(), SIZES):
        held = [(counts, chance(counts, shares)) for counts in tables(4, n)]
        for metric, method, level in product(SHARES, METHODS, Z):
            success, failure = SHARES[metric](*shares)
            if metric == "f1" or method != "wilson-direct":
                truth = success / (success + failure)
                yield name, n, metric, method, level, *covered(held, metric, truth, method, level)


# ---- three classes: macro F1 by Wald; the influence of a cell is a fraction too


def macro_f1(shares: tuple[Fraction, ...]) -> tuple[Fraction, list[Fraction]] | None:
    """Return macro F1 and the influence of each cell, None if a class is 0/0."""
    total, influence = Fraction(0), [Fraction(0)] * 9
    for k in range(3):
        hit, both = shares[4 * k], sum(shares[3 * k : 3 * k + 3]) + sum(shares[k::3])
        if both == 0:
            return None
        f1 = 2 * hit / both
        total += f1 / 3
        for cell in range(9):
            seen = (cell // 3 == k) + (cell % 3 == k)
            influence[cell] += (2 * (cell == 4 * k) - f1 * seen) / both / 3
    return total, influence


def three_classes() -> Iterator[tuple[object, ...]]:
    found = macro_f1(THREE)
    assert found is not None
    truth = found[0]
    for n in (3, 5, 7):
        inside, undefined = dict.fromkeys(Z, Fraction(0)), Fraction(0)
        for counts in tables(9, n):
            shares = tuple(Fraction(count, n) for count in counts)
            made = macro_f1(shares)
            weight = chance(counts, THREE)
            if made is None:
                undefined += weight
                continue
            variance = sum(p * move**2 for p, move in zip(shares, made[1], strict=True)) / n
            for level, z in Z.items():
                if (made[0] - truth) ** 2 <= z**2 * variance:
                    inside[level] += weight
        for level, weight in inside.items():
            yield "three", n, "macro_f1", "wald", level, weight / (1 - undefined), undefined


def main() -> None:
    with Path("enumeration_coverage.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["population", "n", "metric", "method", "level", "coverage", "undefined"])
        for *names, level, coverage, undefined in (*two_classes(), *three_classes()):
            writer.writerow([*names, float(level), repr(float(coverage)), repr(float(undefined))])


if __name__ == "__main__":
    main()

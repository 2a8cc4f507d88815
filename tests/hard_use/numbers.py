"""Numbers at the ends of what there is: counts, levels, weights, factors."""

from __future__ import annotations

import math
from pathlib import Path

import mpmath as mp
import numpy as np

import howsure as hs
from hard_use.catalogue import refused, theme

NUMBERS = theme("Numbers")
PLAIN = hs.counts(tp=7, fp=2, fn=1, tn=5)


@NUMBERS.case("a level of 0, 1, nan, 95 or '0.95'", "refused: a level lies strictly between 0 and 1")
def levels(folder: Path) -> None:
    for level in (0, 1, float("nan"), 95, -0.5, "0.95", None, True):
        refused(lambda level=level: hs.estimate(PLAIN, "f1", level=level), "strictly between 0 and 1")


@NUMBERS.case("a level of 1 − 1e-9", "an interval that holds the one of 95 % and stays in the range")
def high_level(folder: Path) -> None:
    usual, high = (hs.estimate(PLAIN, "f1", level=level) for level in (0.95, 1 - 1e-9))
    assert 0 < high.low < usual.low < usual.high < high.high < 1


@NUMBERS.case("negative, nan or infinite counts", "refused, with the cell")
def no_counts(folder: Path) -> None:
    for wrong in (-1, float("nan"), float("inf")):
        refused(lambda wrong=wrong: hs.counts(tp=wrong, fp=1, fn=1), "tp is", "zero or larger")
        refused(lambda wrong=wrong: hs.matrix([[1, wrong], [1, 1]], rows="truth"), "row 0, column 1")


@NUMBERS.case("fractional counts (2.5)", "kept as they are: effective counts and weights have them")
def fractions(folder: Path) -> None:
    assert hs.counts(tp=2.5, fp=0.5, fn=0, tn=1).n == 4
    assert math.isclose(hs.estimate(hs.counts(tp=2.5, fp=0.5, fn=0), "precision").value, 2.5 / 3)


def _f1_of_share(share: mp.mpf) -> mp.mpf:
    return 2 * share / (1 + share)


def _true_limits(hits: int, errors: int) -> dict[str, list[mp.mpf]]:
    """Return the limits of F1 = 2u/(1 + u), u = hits/(hits + errors), in 50 digits: closed forms, and a root."""
    z, n = mp.mpf(1.959963984540054), mp.mpf(hits + errors)
    share, value = hits / n, 2 * mp.mpf(hits) / (2 * hits + errors)
    wald = z * mp.sqrt(hits * (1 - value) ** 2 + errors * (value / 2) ** 2) / (hits + mp.mpf(errors) / 2)
    centre, half = (hits + z * z / 2) / (n + z * z), z * mp.sqrt(hits * errors / n + z * z / 4) / (n + z * z)
    near = z * mp.sqrt(share * (1 - share) / n)

    def ratio(u: mp.mpf) -> mp.mpf:
        return 2 * (hits * mp.log(share / u) + errors * mp.log((1 - share) / (1 - u))) - z * z

    roots = [mp.findroot(ratio, (share + side * near * 0.999, share + side * near * 1.001)) for side in (-1, 1)]
    return {
        "wald": [value - wald, value + wald],
        "wilson": [_f1_of_share(centre - half), _f1_of_share(centre + half)],
        "profile": [_f1_of_share(root) for root in roots],
    }


@NUMBERS.case(
    "counts of 1e15", "both limits right to the last place of a double, so their width of 1.7e-8 to eight digits"
)
def large_counts(folder: Path) -> None:
    with mp.workdps(50):
        for method, (low, high) in _true_limits(4 * 10**15, 2 * 10**15).items():
            found = hs.estimate(hs.counts(tp=4e15, fp=1e15, fn=1e15, tn=2e15), "f1", method=method)
            for limit, true in ((found.low, low), (found.high, high)):
                assert abs(limit - true) <= np.spacing(limit), method
            assert abs((mp.mpf(found.high) - found.low) / (high - low) - 1) < 1.3e-8, method  # two such places


@NUMBERS.case("counts above 2⁵³ or below 1e-100", "refused: doubles cannot tell them apart, or their products vanish")
def impossible_counts(folder: Path) -> None:
    for wrong, rule in ((1e300, "above 2**53"), (1e16, "above 2**53"), (1e-305, "below 1e-100")):
        refused(lambda wrong=wrong: hs.counts(tp=wrong, fp=1, fn=1), rule)
        refused(lambda wrong=wrong: hs.matrix([[wrong, 1], [1, 1]], rows="truth"), rule)


@NUMBERS.case(
    "a thousandth of a true positive",
    "a lower limit below the value, an upper one above it: 5.2e-8 for 0.001 of 5.001 by Wilson's formula, "
    "below 1e-300 by Clopper–Pearson, mid-P and profile likelihood",
)
def tiny_counts(folder: Path) -> None:
    z = 1.959963984540054
    # Wilson's lower limit p solves 0.001/5.001 − p = z √(p (1 − p)/5.001); times 5.001 and squared, a quadratic.
    a, b, c = 5.001**2 + z * z * 5.001, -(2 * 0.001 * 5.001 + z * z * 5.001), 0.001**2
    expected = 2 * c / (-b + math.sqrt(b * b - 4 * a * c))
    assert round(expected * 1e8, 1) == 5.2
    for metric in ("precision", "f1", "f2"):
        for method in ("wilson", "clopper-pearson", "mid-p", "profile"):
            if metric == "f2" and method in ("clopper-pearson", "mid-p"):
                continue  # for shares alone
            found = hs.estimate(hs.counts(tp=1e-3, fp=5, fn=3), metric, method=method)
            assert 0 <= found.low < found.value < 0.3 < found.high < 0.6
            assert (found.low < 1e-300) == (method != "wilson")
            if (metric, method) == ("precision", "wilson"):
                assert math.isclose(found.low, expected, rel_tol=1e-9)


@NUMBERS.case("two models on 1e12 rows", "compared like on a hundred; the interval shrinks by the square root")
def large_comparison(folder: Path) -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 300)
    guesses = {name: np.where(random.random(300) < share, truth, 1 - truth) for name, share in (("a", 0.8), ("b", 0.7))}
    small = hs.table(truth, guesses)
    few, many = (hs.compare(one, "f1", a="a", b="b", method="wald") for one in (small, small.scaled(1e10)))
    assert math.isclose(many.difference, few.difference, rel_tol=1e-12)
    assert math.isclose((many.high - many.low) * 1e5, few.high - few.low, rel_tol=1e-6)


@NUMBERS.case(
    "joint intervals at a level of 1 %", "answered at the accuracy that is within reach, and the error is said"
)
def low_joint_level(folder: Path) -> None:
    found = hs.report(hs.counts(tp=4e11, fp=1e11, fn=2e11, tn=3e11), level=0.01, joint=True)
    assert 0 < found.critical_error < 1e-3
    assert all(row.low < row.value < row.high for row in found)


@NUMBERS.case("folds with a factor of 1e300", "refused: effective counts must stay countable")
def endless_factor(folder: Path) -> None:
    six = [(9, 1, 2), (8, 2, 3), (9, 2, 2), (8, 1, 3), (9, 1, 3), (8, 2, 2)]
    for factor in (1e300, 1e-300):
        made = (hs.folds(six, factor=factor), hs.folds(six[::-1], factor=factor))
        refused(lambda made=made: hs.bayes_test(*made, metric="f1"), "factor is", "nearer to 1")
    refused(lambda: hs.folds(six, factor=float("inf")), "factor is inf")


@NUMBERS.case("weights of 0 in some rows", "the rows count for nothing; the value is that of the others")
def zero_weights(folder: Path) -> None:
    found = hs.estimate(hs.table([1, 0, 1], [1, 1, 1], sample_weight=[1, 0, 1]), "accuracy")
    assert found.value == 1


@NUMBERS.case("weights all 0, negative, infinite, nan or text", "refused, with the first such row")
def bad_weights(folder: Path) -> None:
    for weights, words in (
        ([0, 0], "zero in all 2 rows"), ([1, -1], "-1.0 in row 1"), ([np.inf, 1], "inf in row 0"),
        ([1, np.nan], "missing value, in row 1"), (["a", "b"], "weights must be numbers"),
    ):  # fmt: skip
        refused(lambda weights=weights: hs.table([1, 0], [1, 0], sample_weight=weights), words)


@NUMBERS.case("groups of one row each", "the interval of independent rows, but for Student's t and G/(G − 1)")
def single_groups(folder: Path) -> None:
    truth, guess = [1, 0] * 50, [1, 1] * 50
    alone, grouped = (
        hs.estimate(hs.table(truth, guess, groups=g), "accuracy", method="wald") for g in (None, range(100))
    )
    assert grouped.value == alone.value
    assert math.isclose(grouped.se, alone.se * math.sqrt(100 / 99), rel_tol=1e-12)


@NUMBERS.case("all rows in one group", "the value without an interval, and a note: one group shows no spread")
def one_group(folder: Path) -> None:
    found = hs.estimate(hs.table([1, 0], [1, 1], groups=["x", "x"]), "accuracy")
    assert found.value == 0.5
    assert math.isnan(found.low)
    assert any("one group" in note for note in found.notes)


@NUMBERS.case("a group missing in some row, or more groups than rows", "refused, with the row or both lengths")
def bad_groups(folder: Path) -> None:
    refused(lambda: hs.table([1, 0], [1, 1], groups=["x", None]), "missing value, in row 1")
    refused(lambda: hs.table([1, 0], [1, 1], groups=[1, 2, 3]), "truth has 2 rows but groups has 3")


@NUMBERS.case("weights above 1e100, or none above 1e-100", "refused: sums of their squares are no numbers")
def extreme_weights(folder: Path) -> None:
    refused(lambda: hs.table([1, 0], [1, 1], sample_weight=[1, 1e154]), "1e+154 in row 1", "at most 1e+100")
    refused(lambda: hs.table([1, 0], [1, 1], sample_weight=[0, 1e-200]), "1e-200", "squares of weights vanish")


@NUMBERS.case("masked cells of a confusion matrix or of counts", "refused: a masked cell is no count")
def masked_counts(folder: Path) -> None:
    masked = np.ma.array([[3, 1], [1, 3]], mask=[[0, 1], [0, 0]])
    refused(lambda: hs.matrix(masked, rows="truth"), "masked in row 0, column 1")
    refused(lambda: hs.batch_intervals("f1", matrices=masked), "matrices has masked cells")

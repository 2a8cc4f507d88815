"""Coefficients of agreement: published examples, other programs, enumeration of pairs, slopes by differences."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import t
from statsmodels.stats.inter_rater import fleiss_kappa

import howsure as hs
from howsure.metrics.named_sums import KRIPPENDORFF
from howsure.sources.kinds.ratings import ratings_table
from howsure.tables.kinds.annotators.ratings import Ratings, RatingScale

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units, gaps.
_ = None
OBSERVERS = {
    "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    "C": [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
}
# Fleiss (1971) as tabulated in textbooks: ten subjects, fourteen raters, five categories; kappa 0.210.
FLEISS = np.array([
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
])  # fmt: skip
SCALES: tuple[RatingScale, ...] = ("nominal", "ordinal", "interval")


def raters(table: Any) -> dict[str, Any]:
    """Return a column for each rater from how many raters gave each category."""
    rows = np.array([np.repeat(np.arange(len(row)), row) for row in table])
    return {f"rater {place}": column for place, column in enumerate(rows.T)}


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_own_example(scale: RatingScale, alpha: float) -> None:
    found = hs.agreement(OBSERVERS, scale=scale)
    assert found.value == pytest.approx(alpha, abs=5e-4)
    assert found.low < found.value < found.high < 1
    assert any("1 of 12 items have fewer than two ratings" in note for note in found.notes)


def test_fleiss_own_example_and_statsmodels() -> None:
    found = hs.agreement(raters(FLEISS), "fleiss")
    assert found.value == pytest.approx(0.210, abs=5e-4)
    assert found.value == pytest.approx(fleiss_kappa(FLEISS), abs=1e-12)
    rng = np.random.default_rng(3)
    for _ in range(10):
        table = rng.multinomial(5, rng.dirichlet(np.ones(4)), size=30)
        assert hs.agreement(raters(table), "fleiss").value == pytest.approx(fleiss_kappa(table), abs=1e-12)


def test_cohen_is_the_kappa_of_a_table() -> None:
    first, second = [1, 1, 0, 2, 2, 1, 0, 0], [1, 0, 0, 2, 1, 1, 0, 2]
    found = hs.agreement({"a": first, "b": second}, "cohen")
    assert (found.value, found.low, found.high) == tuple(
        getattr(hs.estimate(hs.table(first, second), "kappa"), name) for name in ("value", "low", "high")
    )
    weighted = hs.agreement({"a": first, "b": second}, "cohen", scale="ordinal")
    assert weighted.value == hs.estimate(hs.table(first, second), "kappa_linear").value
    gaps = hs.agreement({"a": [*first, None, 1], "b": [*second, 1, None]}, "cohen")
    assert gaps.value == found.value
    assert "2 of 10 items lack a rating" in gaps.notes[0]


def by_pairs(columns: list[list[Any]], scale: RatingScale, *, other_items: bool = False) -> float:
    """Return alpha from every pair of ratings, as its definition has it: nothing of the library is used.

    Those expected are of any two ratings, or of ratings of two items.
    """
    items = [[value for value in row if value is not None] for row in zip(*columns, strict=True)]
    items = [item for item in items if len(item) > 1]
    every = [value for item in items for value in item]
    counts = {value: every.count(value) for value in set(every)}

    def apart(one: Any, other: Any) -> float:
        if scale == "nominal":
            return float(one != other)
        if scale == "interval":
            return float((one - other) ** 2)
        low, high = sorted((one, other))
        between = sum(counts[value] for value in counts if low <= value <= high)
        return float((between - (counts[low] + counts[high]) / 2) ** 2) if low != high else 0.0

    within = sum(sum(apart(*pair) for pair in permutations(item, 2)) / (len(item) - 1) for item in items) / len(every)
    pairs = list(permutations(every, 2))
    if other_items:
        pairs = [pair for two in permutations(items, 2) for pair in product(*two)]
    return 1 - within * len(pairs) / sum(apart(*pair) for pair in pairs)


@pytest.mark.parametrize("scale", SCALES)
def test_alpha_from_every_pair_of_ratings(scale: RatingScale) -> None:
    rng = np.random.default_rng(5)
    for _ in range(8):
        columns = [[None if rng.random() < 0.2 else int(value) for value in rng.integers(0, 4, 12)] for _ in range(4)]
        found = hs.agreement(dict(enumerate(columns)), scale=scale)
        assert found.value == pytest.approx(by_pairs(columns, scale), abs=1e-12)


@pytest.mark.parametrize("scale", SCALES)
def test_limits_compare_ratings_of_different_items(scale: RatingScale) -> None:
    """The upper limit is about the value without the pairs of one item, by t on at most one degree less than items."""
    rng = np.random.default_rng(17)
    for times in (1, 2, 1):  # items that occurred twice are two
        columns = [
            [None if rng.random() < 0.2 else int(value) for value in rng.integers(0, 3, 10)] * times for _ in "abc"
        ]
        table, centre = ratings_table(dict(enumerate(columns)), scale=scale), by_pairs(columns, scale, other_items=True)
        linear = table.contents.linearise(KRIPPENDORFF, table.models[0], 0, table.design, "nan")
        assert table.contents.centre(linear) == pytest.approx(centre, abs=1e-12)
        found = hs.agreement(dict(enumerate(columns)), scale=scale)
        reach = t.ppf(0.975, 10 * times - 1) * found.se / (1 - centre**2)
        above = np.tanh(np.arctanh(centre) + reach) - found.high
        assert above == pytest.approx(0, abs=1e-9) if scale == "nominal" else above < 1e-9


@pytest.mark.parametrize("scale", SCALES)
def test_slopes_by_differences(scale: RatingScale) -> None:
    """What an item does to observed and expected disagreement and to the number of ratings, by moving its weight."""
    rng = np.random.default_rng(7)
    codes = rng.integers(-1, 4, (15, 3))
    rows = Ratings(codes, scale, labels=(0, 1, 3, 7))
    weights = rng.uniform(0.5, 2.0, 15)
    found = rows.disagreement(weights)
    for item in range(15):
        sides = []
        for step in (1e-5, -1e-5):
            moved = weights.copy()
            moved[item] += step
            sides.append(rows.disagreement(moved).numbers)
        assert found.moves[:, item] == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("scale", SCALES)
def test_the_standard_error_is_that_of_a_jackknife(scale: RatingScale) -> None:
    """Leave each item out in turn: with many items the two agree to a few per cent."""
    rng = np.random.default_rng(11)
    truth = rng.integers(0, 4, 300)
    columns = [np.where(rng.random(300) < 0.75, truth, rng.integers(0, 4, 300)) for _ in range(3)]
    whole = hs.agreement(dict(enumerate(columns)), scale=scale)
    left = [
        hs.agreement({name: np.delete(column, row) for name, column in enumerate(columns)}, scale=scale).value
        for row in range(0, 300, 3)
    ]
    jackknife = np.sqrt(299 * np.var(left))
    assert whole.se == pytest.approx(jackknife, rel=0.1)


def test_groups_and_resampling() -> None:
    rng = np.random.default_rng(13)
    truth = np.repeat(rng.integers(0, 2, 40), 3)
    hard = np.repeat(rng.random(40) < 0.3, 3)
    columns = {name: np.where(hard & (rng.random(120) < 0.5), 1 - truth, truth) for name in "abc"}
    alone = hs.agreement(columns)
    together = hs.agreement(columns, groups=np.repeat(np.arange(40), 3))
    assert together.value == alone.value
    assert together.high - together.low > 1.1 * (alone.high - alone.low)
    resampled = alone.by(hs.Bootstrap(n_resamples=400, kind="percentile"))
    assert resampled.low == pytest.approx(alone.low, abs=0.05)


def test_perfect_and_undefined() -> None:
    perfect = hs.agreement({"a": [0, 1] * 20, "b": [0, 1] * 20})
    assert (perfect.value, perfect.high) == (1, 1)
    assert 0.3 < perfect.low < 0.95
    same = hs.agreement({"a": [1, 1, 1], "b": [1, 1, 1]})
    assert np.isnan(same.value)
    assert "all ratings are the same" in same.notes[0]
    alone = hs.agreement({"a": [1, None], "b": [None, 0]})
    assert "no item has two ratings" in alone.notes[0]


def test_ratings_of_any_library() -> None:
    lists = {"a": ["x", None, "y", "x"], "b": ["x", "y", "y", "x"], "c": ["y", "y", None, "x"]}
    plain = hs.agreement(lists)
    frame = pl.DataFrame(lists)
    assert hs.agreement(frame).same(plain)
    assert hs.agreement(frame.to_pandas()).same(plain)
    assert hs.agreement(frame.to_arrow()).same(plain)
    numbers = {"a": [1.0, np.nan, 2.0], "b": [1, 2, 2]}
    assert hs.agreement(numbers).value == pytest.approx(by_pairs([[1, None, 2], [1, 2, 2]], "nominal"))
    order = {"a": ["low", "high", "mid", "low"], "b": ["low", "mid", "mid", "low"]}
    ranked = hs.agreement(order, scale="ordinal", labels=["low", "mid", "high"])
    places = {name: [["low", "mid", "high"].index(one) for one in held] for name, held in order.items()}
    assert ranked.value == pytest.approx(by_pairs(list(places.values()), "ordinal"))


@pytest.mark.parametrize(
    ("ratings", "asked", "words"),
    [
        ({"a": [1, 0]}, {}, "ratings holds one annotator; agreement needs two or more"),
        ({"a": [1, 0], "b": [1]}, {}, "a has 2 rows but b has 1"),
        ({"a": [None], "b": [None]}, {}, "a has no label, nor has another annotator"),
        ({"a": ["x", 1], "b": ["x", "y"]}, {}, "mixes integers"),
        ({"a": [1, 0], "b": [1, 0]}, {"coefficient": "kendall"}, "coefficient is 'kendall'"),
        ({"a": [1, 0], "b": [1, 0]}, {"scale": "ratio"}, "scale is 'ratio'"),
        ({"a": [1, 0], "b": [1, 0], "c": [0, 0]}, {"coefficient": "cohen"}, "Cohen's kappa is for two"),
        ({"a": [1, 0], "b": [1, None]}, {"coefficient": "fleiss"}, "items with 1 and items with 2 ratings"),
        ({"a": [1, 0], "b": [1, 0]}, {"coefficient": "fleiss", "scale": "ordinal"}, "Fleiss' kappa is nominal"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, {"scale": "ordinal"}, "whose order nobody said"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, {"scale": "interval"}, "needs finite numbers"),
        ({"a": ["x", "y"], "b": ["x", "y"]}, {"labels": ["x"]}, "it lacks 'y', which annotators gave"),
        ({"a": [1, None], "b": [None, 1]}, {"coefficient": "cohen"}, "no item that both"),
    ],
)
def test_refusals(ratings: Any, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(hs.InputError, match=words):
        hs.agreement(ratings, asked.pop("coefficient", "krippendorff"), **asked)


def test_real_annotators(shared_data: Path) -> None:
    """README of judge-pandalm: the annotators agree in 0.913, 0.929 and 0.918 of the rows."""
    frame = pl.read_csv(shared_data / "judge-pandalm" / "judgments.csv")
    names = ["annotator1", "annotator2", "annotator3"]
    plain = [0.913, 0.929, 0.918]
    for (one, other), share in zip([(0, 1), (0, 2), (1, 2)], plain, strict=True):
        a, b = frame[names[one]], frame[names[other]]
        assert (a == b).mean() == pytest.approx(share, abs=5e-4)
        kappa = hs.agreement({"a": a, "b": b}, "cohen")
        margins = sum((a == label).mean() * (b == label).mean() for label in a.unique())
        assert kappa.value == pytest.approx(((a == b).mean() - margins) / (1 - margins))
        assert kappa.low < kappa.value < kappa.high
    three = hs.agreement(frame[names])
    assert three.value == pytest.approx(hs.agreement(frame[names], "fleiss").value, abs=1e-3)

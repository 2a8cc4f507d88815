"""Groups and weights: cluster-robust and linearised errors by hand, by R's survey package, and on real data."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, t

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import covariance, linearise

REFERENCES = Path(__file__).parents[1] / "references"
SLEEPERS = ("chambon", "deepsleepnet", "mixed_nn", "seqsleepnet", "simplesleepnet", "tsinalis")


def clustered(seed: int, *, groups: int = 12, size: int = 15) -> dict[str, np.ndarray]:
    """Return rows of groups that differ in skill: truth, guess, group and weight."""
    random = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), random.integers(3, size, groups))
    skill = random.beta(4, 2, groups)[group]
    truth = random.integers(0, 3, len(group))
    guess = np.where(random.uniform(size=len(group)) < skill, truth, random.integers(0, 3, len(group)))
    return {"truth": truth, "guess": guess, "group": group, "weight": random.gamma(2.0, size=len(group))}


def table_of(rows: dict[str, np.ndarray], *, groups: bool = True, weights: bool = True) -> hs.Table:
    return hs.table(
        rows["truth"],
        rows["guess"],
        groups=rows["group"] if groups else None,
        sample_weight=rows["weight"] if weights else None,
    )


def macro_f1_influence(truth: np.ndarray, guess: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Each row's influence on macro F1: mean over classes of (2·hit − F1·(actual + predicted)) / E(actual+predicted).

    F1 is the ratio of two means, 2·E(hit) / E(actual + predicted), and a ratio's influence is the residual over
    the denominator.
    """
    share, parts = weight / weight.sum(), []
    for label in np.unique([truth, guess]):
        actual, predicted = truth == label, guess == label
        both = actual.astype(float) + predicted
        hit = 2.0 * (actual & predicted)
        f1 = (share @ hit) / (share @ both)
        parts.append((hit - f1 * both) / (share @ both))
    return np.mean(parts, axis=0)


@pytest.mark.parametrize("seed", range(5))
def test_macro_f1_by_hand(seed: int) -> None:
    rows = clustered(seed)
    ones = np.ones(len(rows["truth"]))
    for weights in (False, True):
        weight = rows["weight"] if weights else ones
        moved = macro_f1_influence(rows["truth"], rows["guess"], weight) * weight / weight.sum()
        alone = linearise(table_of(rows, groups=False, weights=weights), named("macro_f1")).as_textbook()
        assert alone.variance == pytest.approx((moved**2).sum(), rel=1e-12)
        sums = np.bincount(rows["group"], weights=moved)
        together = linearise(table_of(rows, weights=weights), named("macro_f1")).as_textbook()
        assert together.variance == pytest.approx((sums**2).sum() * len(sums) / (len(sums) - 1), rel=1e-12)


def test_accuracy_of_groups_is_a_ratio_of_sums() -> None:
    """Σ_g (right_g − p·size_g)² / n² · G/(G−1): Cochran's ratio estimator."""
    rows = clustered(9)
    right = np.bincount(rows["group"], weights=rows["truth"] == rows["guess"])
    size = np.bincount(rows["group"])
    p, count = right.sum() / size.sum(), len(size)
    found = hs.estimate(table_of(rows, weights=False), "accuracy", method="wald")
    expected = ((right - p * size) ** 2).sum() / size.sum() ** 2 * count / (count - 1)
    assert found.se**2 == pytest.approx(expected, rel=1e-12)
    independent = p * (1 - p) / size.sum()
    assert found.design_effect == pytest.approx(expected / independent, rel=1e-12)
    assert found.effective_n == pytest.approx(size.sum() * independent / expected, rel=1e-12)
    assert found.groups == count


def test_interval_of_few_groups_uses_students_t() -> None:
    """With 3 groups of one row and accuracy: the 97.5 % point of t with 2 degrees of freedom, 4.302652729911275."""
    found = hs.estimate(hs.table([0, 1, 1], [0, 1, 0], groups=[1, 2, 3]), "accuracy", method="wald")
    assert (found.high - found.value) / found.se == pytest.approx(4.302652729911275, rel=1e-9)


def test_equal_groups_of_equal_rows() -> None:
    """Groups whose rows are all right or all wrong: a design effect of the group size times G/(G−1)."""
    right = np.repeat([1, 1, 1, 0, 1, 0, 1, 1], 6)
    table = hs.table(np.ones_like(right), right, groups=np.repeat(np.arange(8), 6))
    assert hs.estimate(table, "accuracy", method="wald").design_effect == pytest.approx(6 * 8 / 7, rel=1e-12)


def test_covariance_of_models_on_grouped_weighted_rows() -> None:
    """The product of group sums of two models' influences, and the variance of their difference from it."""
    rows, other = clustered(3), np.roll(clustered(3)["guess"], 5)
    weight = rows["weight"]
    table = hs.table(
        rows["truth"], {"a": rows["guess"], "b": other}, groups=rows["group"], sample_weight=rows["weight"]
    )
    found = covariance(table, [linearise(table, named("macro_f1"), model) for model in ("a", "b")])
    moved = [
        macro_f1_influence(rows["truth"], guess, weight) * weight / weight.sum() for guess in (rows["guess"], other)
    ]
    sums = np.stack([np.bincount(rows["group"], weights=part) for part in moved])
    count = sums.shape[1]
    assert found == pytest.approx(sums @ sums.T * count / (count - 1), rel=1e-12)


def test_groups_may_be_anything_hashable() -> None:
    rows = clustered(4)
    numbers = hs.estimate(table_of(rows), "macro_f1")
    words = hs.estimate(table_of(rows | {"group": np.array([f"patient {g}" for g in rows["group"]])}), "macro_f1")
    assert (numbers.value, numbers.se) == pytest.approx((words.value, words.se), rel=1e-13)
    assert numbers.groups == words.groups == 12


def test_chunks_of_one_group_are_one_group() -> None:
    """A group split over two chunks is whole again in their sum."""
    rows = clustered(5)
    half = len(rows["truth"]) // 2
    parts = [{name: column[part] for name, column in rows.items()} for part in (slice(None, half), slice(half, None))]
    added, whole = table_of(parts[0]) + table_of(parts[1]), table_of(rows)
    assert added.n_groups == whole.n_groups
    first, second = (linearise(table, named("macro_f1")).variance for table in (added, whole))
    assert first == pytest.approx(second, rel=1e-12)


def test_perfect_predictions_hide_rows_that_share_the_fate_of_a_group() -> None:
    """Two rows a group with correlation ¼: ¾ + ¼·2 = 1.25 rows for one. The linearised variance has no such effect."""
    table = hs.table([0, 1, 1, 0], [0, 1, 1, 0], groups=[1, 1, 2, 2])
    assert np.isnan(hs.estimate(table, "accuracy", method="wald").design_effect)
    found = hs.estimate(table, "accuracy")
    assert found.design_effect == pytest.approx(1.25)
    assert found.effective_n == pytest.approx(4 / 1.25)


RIGHT = np.r_[np.ones(20, int), np.zeros(400, int)]
NORMAL = 1.959963984540054


def check_perfect(table: hs.Table, metric: str, rows: float, quantile: float = NORMAL) -> None:
    """A share of so many rows, all right: the closed forms of mid-P (½pⁿ is the tail), Wilson and Clopper–Pearson."""
    tail = norm.sf(quantile)
    expected = {
        None: (2 * tail) ** (1 / rows),
        "wilson": rows / (rows + quantile**2),
        "clopper-pearson": tail ** (1 / rows),
    }
    for method, low in expected.items():
        found = hs.estimate(table, metric, method=method)
        assert (found.low, found.high) == (pytest.approx(low, rel=1e-12), 1), (metric, method)


@pytest.mark.parametrize("positives", [10.0, 0.5])
def test_weights_of_other_rows_do_not_move_a_perfect_share(positives: float) -> None:
    """Equal weights among the 20 positives: recall is 20 of 20, whatever the negatives weigh.

    A false positive would have the weight of a negative: for precision the 20 count as many as they outweigh.
    """
    negatives = 10.5 - positives
    table = hs.table(RIGHT, RIGHT, sample_weight=np.where(RIGHT == 1, positives, negatives))
    for metric, rows in (("recall", 20), ("precision", 20 * positives / negatives)):
        check_perfect(table, metric, rows)
    check_perfect(table, "specificity", 400)


def test_unequal_weights_of_a_perfect_share_count_as_kish_says() -> None:
    """A row that was missed may be as heavy as any: Kish's rows of all, of which the positives are a share."""
    weights = np.r_[np.full(10, 1.0), np.full(10, 3.0), np.full(400, 7.0)]
    worth = 2840**2 / (10 * 1 + 10 * 9 + 400 * 49) * 40 / 2840
    check_perfect(hs.table(RIGHT, RIGHT, sample_weight=weights), "recall", worth)


def test_a_perfect_score_in_groups() -> None:
    """A hidden error shares its group's fate with correlation ¼: each row counts ¾ + ¼ of the rows of its group.

    A miss may be in any group for accuracy. For recall it would be among rows predicted negative.
    """
    groups = np.r_[np.arange(20) % 5, np.arange(400) % 50]
    table = hs.table(RIGHT, RIGHT, groups=groups)
    size = np.bincount(groups)[groups]
    for metric, hiding, part in (("accuracy", np.ones(420, bool), 1.0), ("recall", RIGHT == 0, 20 / 420)):
        worth = 420 * part / (0.75 + 0.25 * size[hiding]).mean()
        check_perfect(table, metric, worth, t.ppf(0.975, 49))


def survey_rows() -> dict[str, np.ndarray]:
    frame = pd.read_csv(REFERENCES / "survey_rows.csv")
    return {name: frame[name].to_numpy() for name in frame}


def survey_errors() -> list[tuple[str, str, float, float]]:
    with (REFERENCES / "survey_errors.csv").open(newline="") as file:
        return [(row["design"], row["metric"], float(row["value"]), float(row["se"])) for row in csv.DictReader(file)]


@pytest.mark.parametrize(("design", "metric", "value", "se"), survey_errors())
def test_survey_package_of_r(design: str, metric: str, value: float, se: float) -> None:
    """svydesign and svycontrast (survey_make.R); without clusters, survey multiplies the variance by n/(n−1)."""
    rows = survey_rows()
    found = hs.estimate(table_of(rows, groups=design != "weights", weights=design != "groups"), metric, method="wald")
    n = len(rows["truth"])
    factor = np.sqrt(n / (n - 1)) if design == "weights" else 1.0
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.se * factor == pytest.approx(se, rel=1e-10)


@pytest.fixture(scope="module")
def nights(shared_data: Path) -> dict[str, np.ndarray]:
    """Return the epochs that a majority of the five human scorers agree on."""
    path = shared_data / "sleep-dodh" / "hypnograms.csv"
    if not path.exists():
        pytest.skip("the sleep staging data is not beside the repository (../shared/data/sleep-dodh)")
    frame = pd.read_csv(path)
    kept = frame[frame["majority"] != -1]
    return {name: kept[name].to_numpy() for name in ("record", "majority", *SLEEPERS)}


def test_sleepers_as_groups(nights: dict[str, np.ndarray]) -> None:
    """Macro F1 of six models: the epochs of a sleeper are clustered, 24 149 of them are worth 800 to 2 100."""
    truth, record = nights["majority"], nights["record"]
    effects = {}
    for model in SLEEPERS:
        plain = hs.estimate(hs.table(truth, nights[model]), "macro_f1", method="wald")
        grouped = hs.estimate(hs.table(truth, nights[model], groups=record), "macro_f1", method="wald")
        moved = macro_f1_influence(truth, nights[model], np.ones(len(truth))) / len(truth)
        sums = np.bincount(record, weights=moved)
        sums = sums[np.unique(record)]
        assert plain.se == pytest.approx(np.sqrt((moved**2).sum()), rel=1e-10)
        assert grouped.se == pytest.approx(np.sqrt((sums**2).sum() * 25 / 24), rel=1e-10)
        assert (plain.value, grouped.groups, grouped.n) == (grouped.value, 25, 24_149)
        effects[model] = grouped.design_effect
        assert effects[model] == pytest.approx((grouped.se / plain.se) ** 2, rel=1e-10)
    assert effects["mixed_nn"] == pytest.approx(24, abs=1)
    assert min(effects, key=effects.__getitem__) == "deepsleepnet"
    assert all(11 < effect < 31 for effect in effects.values())


def test_a_sleeper_at_a_time(nights: dict[str, np.ndarray]) -> None:
    """Twenty-five tables of a sleeper each, added up, are the table of all."""
    chunks = defaultdict(list)
    for index, record in enumerate(nights["record"]):
        chunks[record].append(index)
    tables = [
        hs.table(nights["majority"][rows], nights["mixed_nn"][rows], groups=nights["record"][rows], labels=range(5))
        for rows in chunks.values()
    ]
    whole = hs.table(nights["majority"], nights["mixed_nn"], groups=nights["record"])
    added = sum(tables)
    assert np.array_equal(added.matrix(), whole.matrix())
    assert linearise(added, named("macro_f1")).variance == pytest.approx(
        linearise(whole, named("macro_f1")).variance, rel=1e-12
    )


def test_a_perfect_score_says_what_its_groups_are_worth() -> None:
    """Ten groups of four, right throughout: 40 rows count as 40/(¾ + ¼·4), by Student's t of 9 degrees."""
    table = hs.table([1, 0] * 20, [1, 0] * 20, groups=[row // 4 for row in range(40)])
    found = hs.estimate(table, "accuracy")
    notes = {note.kind: note for note in found.notes}
    assert notes["groups"] == "Rows of one group are alike: for accuracy, 40 rows count like 23."
    assert "design effect 1.75, Student's t with 9 degrees of freedom" in notes["degrees"]
    check_perfect(table, "accuracy", 40 / 1.75, t.ppf(0.975, 9))
    assert hs.estimate(table, "accuracy", method="wilson").low == pytest.approx(0.817, abs=5e-4)

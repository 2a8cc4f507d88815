"""Rows with several labels: values as scikit-learn's, errors with the item as the unit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn import metrics as theirs

import howsure as hs
from howsure.metrics.gradient import moments
from howsure.metrics.names import named
from howsure.tables.covariance import linearise
from support.textbook import EACH_CLASS

SCORES: dict[str, Callable[..., float]] = {
    "precision": theirs.precision_score,
    "recall": theirs.recall_score,
    "f1": theirs.f1_score,
    "jaccard": theirs.jaccard_score,
}
LABELS = 4


def items(seed: int, size: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return indicators in which labels are correlated, errors too, and no item or label is empty."""
    random = np.random.default_rng(seed)
    mood = random.uniform(size=(size, 1))
    truth = (random.uniform(size=(size, LABELS)) < 0.2 + 0.6 * mood).astype(int)
    truth[np.arange(size), random.integers(0, LABELS, size)] = 1
    wrong = random.uniform(size=(size, LABELS)) < 0.4 * mood[::-1]
    guess = np.where(wrong, 1 - truth, truth)
    guess[np.arange(size), random.integers(0, LABELS, size)] = 1
    return truth, guess


def cells(truth: np.ndarray, guess: np.ndarray) -> np.ndarray:
    """Return tp, fp, fn, tn (first axis) of every item and label."""
    return np.stack([truth & guess, (1 - truth) & guess, truth & (1 - guess), (1 - truth) & (1 - guess)]).astype(float)


def value(name: str, parts: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return an average from each item's cells and weights (…, items), by definition."""
    kind, rule = name.split("_", 1)
    share = weight / weight.sum(-1, keepdims=True)
    shares = [share @ part for part in parts]
    if kind == "micro":
        return EACH_CLASS[rule](*(part.sum(-1) / LABELS for part in shares))
    by_label = EACH_CLASS[rule](*shares)
    support = shares[0] + shares[2]
    return by_label.mean(-1) if kind == "macro" else (by_label * support).sum(-1) / support.sum(-1)


def influences(name: str, parts: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return how the value moves as one item's weight does: fourth-order differences, an item at a time."""
    step = 1e-4
    shifts = np.array([-2, -1, 1, 2])[:, None, None] * step * np.diag(weight)
    low2, low, high, high2 = value(name, parts, weight + shifts)
    return (low2 - 8 * low + 8 * high - high2) / (12 * step)


NAMES = [f"{kind}_{rule}" for kind in ("micro", "macro", "weighted") for rule in EACH_CLASS]
NAMES.remove("weighted_kappa")


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", ["micro", "macro", "weighted", "samples"])
def test_values_are_theirs(seed: int, kind: str) -> None:
    truth, guess = items(seed)
    table = hs.table(truth, guess)
    for name, rule in SCORES.items():
        expected = rule(truth, guess, average=kind)
        assert hs.estimate(table, f"{kind}_{name}").value == pytest.approx(expected, rel=1e-12)


def test_exact_match_and_rows_like_theirs() -> None:
    truth, guess = items(3)
    table = hs.table(truth, guess)
    assert hs.estimate(table, "exact_match").value == pytest.approx(theirs.accuracy_score(truth, guess), rel=1e-14)
    assert hs.estimate(table, "samples_accuracy").value == pytest.approx(
        1 - theirs.hamming_loss(truth, guess), rel=1e-12
    )


@pytest.mark.parametrize("name", NAMES)
def test_error_has_the_item_as_its_unit(name: str) -> None:
    """Σ influence² / n², the influence of an item from the definition."""
    truth, guess = items(1)
    parts, ones = cells(truth, guess), np.ones(len(truth))
    found = linearise(hs.table(truth, guess), named(name))
    assert found.value == pytest.approx(float(value(name, parts, ones)), rel=1e-12)
    expected = (influences(name, parts, ones) ** 2).sum()
    assert found.variance == pytest.approx(expected, rel=1e-8, abs=1e-20)


@pytest.mark.parametrize("name", ["micro_f1", "macro_f1", "weighted_precision", "macro_mcc"])
def test_weights_and_groups_of_items(name: str) -> None:
    truth, guess = items(2)
    weight = np.random.default_rng(0).gamma(2.0, size=len(truth))
    group = np.arange(len(truth)) // 4
    moved = influences(name, cells(truth, guess), weight)
    weighted = linearise(hs.table(truth, guess, sample_weight=weight), named(name)).as_textbook()
    assert weighted.variance == pytest.approx((moved**2).sum(), rel=1e-8)
    grouped = linearise(hs.table(truth, guess, sample_weight=weight, groups=group), named(name)).as_textbook()
    count = group.max() + 1
    expected = (np.bincount(group, weights=moved) ** 2).sum() * count / (count - 1)
    assert grouped.variance == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("name", ["samples_f1", "samples_jaccard", "samples_precision", "exact_match"])
def test_rows_are_averaged_like_any_mean(name: str) -> None:
    truth, guess = items(4)
    tp, fp, fn, _ = cells(truth, guess).sum(-1)
    rules = {
        "samples_f1": 2 * tp / (2 * tp + fp + fn),
        "samples_jaccard": tp / (tp + fp + fn),
        "samples_precision": tp / (tp + fp),
        "exact_match": (fp + fn == 0).astype(float),
    }
    found = hs.estimate(hs.table(truth, guess), name, method="wald")
    assert found.value == pytest.approx(rules[name].mean(), rel=1e-14)
    assert found.se == pytest.approx(rules[name].std() / np.sqrt(len(truth)), rel=1e-12)


def test_rows_left_out_and_weighted() -> None:
    """Items without any label, true or predicted: the mean of the others, a ratio of two sums."""
    truth, guess = items(5)
    truth[:9], guess[:9] = 0, 0
    weight = np.linspace(1, 3, len(truth))
    tp, fp, fn, _ = cells(truth, guess)[:, 9:].sum(-1)
    score, kept = 2 * tp / (2 * tp + fp + fn), weight[9:]
    table = hs.table(truth, guess, sample_weight=weight)
    found = hs.estimate(table, "samples_f1", method="wald", undefined="skip")
    mean = (score * kept).sum() / kept.sum()
    assert found.value == pytest.approx(mean, rel=1e-13)
    assert found.se == pytest.approx(np.sqrt((kept**2 * (score - mean) ** 2).sum()) / kept.sum(), rel=1e-12)
    assert np.isnan(hs.estimate(table, "samples_f1").value)
    zero = hs.estimate(table, "samples_f1", undefined="zero").value
    assert zero == pytest.approx((score * kept).sum() / weight.sum(), rel=1e-13)


def test_labels_of_one_item_are_not_independent() -> None:
    """Four copies of one label tell no more than the label: taking them as 4n rows halves the error."""
    truth, guess = items(6)
    one = hs.estimate(hs.table(truth[:, 0], guess[:, 0]), "f1", method="wald")
    copies = hs.estimate(hs.table(truth[:, [0] * 4], guess[:, [0] * 4]), "micro_f1", method="wald")
    assert (copies.value, copies.se) == pytest.approx((one.value, one.se), rel=1e-12)
    flat = hs.estimate(hs.table(np.repeat(truth[:, 0], 4), np.repeat(guess[:, 0], 4)), "f1", method="wald")
    assert flat.se == pytest.approx(copies.se / 2, rel=1e-12)


def test_error_differs_from_that_of_independent_labels() -> None:
    """Items that are wrong in every label or in none: the error is nearly twice that of 4n independent labels."""
    truth, _ = items(7, size=400)
    guess = np.where(np.arange(400)[:, None] % 5 == 0, 1 - truth, truth)
    item = hs.estimate(hs.table(truth, guess), "micro_f1", method="wald")
    flat = hs.estimate(hs.table(truth.ravel(), guess.ravel()), "f1", method="wald")
    assert item.value == pytest.approx(flat.value, rel=1e-12)
    assert 1.5 < item.se / flat.se < 2


def test_one_label_is_its_own_binary_table() -> None:
    truth, guess = items(8)
    for index in range(LABELS):
        expected = hs.estimate(hs.table(truth[:, index], guess[:, index]), "mcc", method="wald")
        found = hs.estimate(hs.table(truth, guess), f"mcc[{index}]", method="wald")
        assert (found.value, found.se) == pytest.approx((expected.value, expected.se), rel=1e-12)


def test_one_label_a_row_is_the_single_label_table() -> None:
    """Indicators with one 1 in each row: the averages of the confusion matrix, value and error."""
    codes = np.random.default_rng(9).integers(0, 3, (2, 80))
    single, several = hs.table(*codes), hs.table(*np.eye(3, dtype=int)[codes])
    for name in ("micro_f1", "macro_f1", "weighted_recall", "macro_specificity", "macro_mcc"):
        first, second = (linearise(table, named(name)) for table in (single, several))
        assert (first.value, first.variance) == pytest.approx((second.value, second.variance), rel=1e-11)
    batch = moments(named("macro_f1"), single.matrix())
    assert linearise(several, named("macro_f1")).variance == pytest.approx(float(batch.variance), rel=1e-11)


def test_doors_of_multilabel_input() -> None:
    truth, guess = items(10, size=20)
    names = ["w", "x", "y", "z"]
    sets = [[{names[k] for k in np.flatnonzero(row)} for row in block] for block in (truth, guess)]
    doors = {
        "arrays": hs.table(truth, guess, labels=names),
        "booleans": hs.table(truth.astype(bool), guess.astype(bool), labels=names),
        "lists": hs.table(truth.tolist(), guess.tolist(), labels=names),
        "sets": hs.table(*sets),
        "lists of labels": hs.table(*([sorted(row) for row in block] for block in sets)),
        "pandas": hs.table(pd.DataFrame(truth, columns=names), pd.DataFrame(guess, columns=names)),
        "pandas in another order": hs.table(
            pd.DataFrame(truth, columns=names), pd.DataFrame(guess[:, ::-1], columns=names[::-1])
        ),
        "polars": hs.table(pl.DataFrame(truth, schema=names), pl.DataFrame(guess, schema=names)),
        "named": hs.table(truth, {"model": guess}, labels=names),
    }
    expected = hs.estimate(doors["arrays"], "macro_f1")
    for door, table in doors.items():
        assert table.labels == tuple(names), door
        found = hs.estimate(table, "macro_f1")
        assert (found.value, found.se) == pytest.approx((expected.value, expected.se), rel=1e-14), door


def test_two_models_and_chunks() -> None:
    truth, guess = items(11)
    table = hs.table(truth, {"good": truth, "real": guess})
    assert hs.estimate(table, "micro_f1", model="good").value == 1.0
    added = sum(hs.table(truth[k::3], {"good": truth[k::3], "real": guess[k::3]}) for k in range(3))
    for name in ("micro_f1", "samples_f1"):
        first, second = (hs.estimate(one, name, model="real") for one in (table, added))
        assert (first.value, first.se) == pytest.approx((second.value, second.se), rel=1e-13)


def test_chunks_with_other_labels_add_by_name() -> None:
    first = hs.table([{"a"}, {"b"}], [{"a"}, {"a", "b"}])
    second = hs.table([{"c"}, {"b"}], [{"c"}, {"c"}])
    whole = hs.table([{"a"}, {"b"}, {"c"}, {"b"}], [{"a"}, {"a", "b"}, {"c"}, {"c"}])
    added = first + second
    assert added.labels == whole.labels == ("a", "b", "c")
    assert hs.estimate(added, "macro_f1").value == hs.estimate(whole, "macro_f1").value


def test_renaming_labels() -> None:
    truth, guess = items(12)
    table = hs.table(truth, guess, labels=["w", "x", "y", "z"]).relabel({"w": "omega"})
    assert table.labels == ("omega", "x", "y", "z")
    assert hs.estimate(table, "f1[omega]").value == hs.estimate(hs.table(truth, guess), "f1[0]").value


SHARE_METHODS = ("wilson", "clopper-pearson", "mid-p", "agresti-coull", "profile", "beta", "hdi", "logit", "wald")


@pytest.mark.parametrize("more", ["", "groups", "weights"])
def test_exact_match_is_a_share_of_rows(more: str) -> None:
    """Rows that are right or wrong as a whole are like rows of one label: the intervals are those of accuracy."""
    truth, guess = items(13)
    right = (truth == guess).all(1).astype(int)
    given: dict = {
        "": {},
        "groups": {"groups": np.arange(len(truth)) // 4},
        "weights": {"sample_weight": np.random.default_rng(13).uniform(0.5, 2, len(truth))},
    }[more]
    table, plain = hs.table(truth, guess, **given), hs.table(np.ones(len(truth), int), right, **given)
    assert hs.estimate(table, "exact_match").method == "mid-p"
    for method in SHARE_METHODS:
        ours, theirs = hs.estimate(table, "exact_match", method=method), hs.estimate(plain, "accuracy", method=method)
        assert (ours.value, ours.se, ours.low, ours.high) == pytest.approx(
            (theirs.value, theirs.se, theirs.low, theirs.high), rel=1e-10
        ), method


@pytest.mark.parametrize("correct", [True, False])
def test_exact_match_at_the_ends(correct: bool) -> None:
    """No miss in n rows: Clopper & Pearson's lower limit is 0.025^(1/n)."""
    truth = [{"a"}, {"b"}, {"a", "b"}, set(), {"a"}] * 4
    guess = truth if correct else [row ^ {"a"} for row in truth]
    found = hs.estimate(hs.table(truth, guess), "exact_match", method="clopper-pearson")
    bound = 0.025 ** (1 / 20)
    assert (found.low, found.high) == pytest.approx((bound, 1.0) if correct else (0.0, 1 - bound), rel=1e-12)
    assert hs.posterior(hs.table(truth, guess), "exact_match").mean == pytest.approx((21 if correct else 1) / 22)


def test_rows_of_a_share_score_0_or_1() -> None:
    half = hs.Metric("half", lambda c: c.tp / (c.tp + c.fp + c.fn), over="row", share=named("accuracy").share)
    with pytest.raises(hs.errors.MetricError, match=r"says that it is a share of rows, but a row scores 0.5"):
        hs.estimate(hs.table([{"a"}, {"b"}], [{"a", "b"}, {"b"}]), half)


def rare(rows: int = 1000) -> np.ndarray:
    """Return indicators with 5, 3 and 2 rows of three labels, one label a row, and none in the others."""
    made = np.zeros((rows, 3), dtype=int)
    made[:5, 0] = made[5:8, 1] = made[8:10, 2] = 1
    return made


def wilson_end(rows: float, degrees: int = 999) -> float:
    """Return the lower end of Wilson's interval of ``rows`` out of ``rows``, with the quantile of Student's t."""
    return float(rows / (rows + stats.t.ppf(0.975, degrees) ** 2))


@pytest.mark.parametrize(
    ("metric", "rows"),
    [
        ("micro_f1", 2 * 10),  # F1 = 2u/(1+u) of u = 10 of 10: as one class with ten positives
        ("micro_recall", 10),
        ("micro_jaccard", 10),
        ("macro_recall", 3 * 2),  # one row of the rarest label moves the mean by 1/2 · 1/3
        ("macro_f1", 3 * 2 * 2),
        ("macro_recall[0,1]", 2 * 3),
        ("samples_f1", 10),  # the others are 0/0
        ("macro_specificity", 1000),  # never worth more than the rows there are
    ],
)
def test_a_perfect_score_rests_on_the_rows_that_could_have_spoilt_it(metric: str, rows: int) -> None:
    found = hs.estimate(hs.table(rare(), rare()), metric, undefined="skip", method="logit")
    assert found.value == found.high == 1.0
    assert found.low == pytest.approx(wilson_end(rows), abs=1e-9)


@pytest.mark.parametrize(("metric", "rows"), [("micro_f1", 5), ("micro_recall", 10), ("macro_recall", 6)])
def test_a_score_of_zero_rests_on_the_rows_that_could_have_raised_it(metric: str, rows: int) -> None:
    found = hs.estimate(hs.table(rare(), np.zeros_like(rare())), metric, method="logit")
    assert found.value == found.low == 0.0
    assert found.high == pytest.approx(1 - wilson_end(rows), abs=1e-9)


def test_labels_of_one_row_are_one_chance_to_err() -> None:
    """Ten rows with all three labels: thirty hits, but a row that is missed takes three with it."""
    truth = np.zeros((1000, 3), dtype=int)
    truth[:10] = 1
    assert hs.estimate(hs.table(truth, truth), "micro_recall").low == pytest.approx(wilson_end(10), abs=1e-9)


def test_perfect_scores_with_rare_labels_hold_the_truth() -> None:
    """300 rows, labels in 2, 5 and 20 % of them, 3 % of labels missed: recall 0.97, often 1 in the sample."""
    random, held, perfect = np.random.default_rng(5), 0, 0
    for _ in range(150):
        truth = (random.random((300, 3)) < (0.02, 0.05, 0.2)).astype(int)
        table = hs.table(truth, truth * (random.random((300, 3)) >= 0.03))
        found = hs.estimate(table, "macro_recall", undefined="skip", method="logit")
        if found.value == 1:
            perfect += 1
            held += found.low <= 0.97
    assert perfect >= 5
    assert held == perfect

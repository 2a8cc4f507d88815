"""Stratified labelling: right values through weights, the textbook variance, coverage, and the best allocation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import covariance, linearise
from support.refusals import refusal

SHARES = {0: 0.9, 1: 0.1}


def sample(seed: int, *, positives: int = 140, negatives: int = 360) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and guess of rows labelled within predicted classes: precision 0.8, recall 0.7 in the pool."""
    random = np.random.default_rng(seed)
    missed = 0.08 * (1 / 0.7 - 1) / 0.9
    guess = np.repeat([1, 0], [positives, negatives])
    return (random.uniform(size=len(guess)) < np.where(guess == 1, 0.8, missed)).astype(int), guess


def pool_cells(truth: np.ndarray, guess: np.ndarray) -> tuple[float, float, float, float]:
    """Return tp, fp, fn, tn as shares of the pool, by hand."""
    precision, missed = truth[guess == 1].mean(), truth[guess == 0].mean()
    return 0.1 * precision, 0.1 * (1 - precision), 0.9 * missed, 0.9 * (1 - missed)


def test_values_are_those_of_the_pool() -> None:
    truth, guess = sample(1)
    tp, fp, fn, tn = pool_cells(truth, guess)
    table = hs.stratified(truth, guess, shares=SHARES)
    expected = {
        "precision": tp / (tp + fp), "recall": tp / (tp + fn), "f1": 2 * tp / (2 * tp + fp + fn), "accuracy": tp + tn,
        "prevalence": tp + fn, "predicted_prevalence": 0.1,
        "mcc": (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    }  # fmt: skip
    for name, value in expected.items():
        assert hs.estimate(table, name, method="wald").value == pytest.approx(value, rel=1e-12), name
    assert table.n == 500
    assert hs.estimate(table, "predicted_prevalence", method="wald").se == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("finite", [False, True])
def test_variance_of_f1_is_the_textbook_sum(finite: bool) -> None:
    """Σ W_h² s_h²(φ)/n_h with s² over n_h − 1, times 1 − n_h/N_h for a finite pool."""
    truth, guess = sample(2)
    tp, fp, fn, _ = pool_cells(truth, guess)
    f1 = 2 * tp / (2 * tp + fp + fn)
    influence = (2 * truth * guess - f1 * (truth + guess)) / (2 * tp + fp + fn)
    variance = 0.0
    for stratum, share, left in ((1, 0.1, 1 - 140 / 200), (0, 0.9, 1 - 360 / 1800)):
        part = influence[guess == stratum]
        variance += share**2 * part.var(ddof=1) / len(part) * (left if finite else 1.0)
    table = hs.stratified(truth, guess, **({"pool": {1: 200, 0: 1800}} if finite else {"shares": SHARES}))
    assert hs.estimate(table, "f1", method="wald").se ** 2 == pytest.approx(variance, rel=1e-12)


def test_precision_is_the_binomial_of_its_stratum() -> None:
    truth, guess = sample(3)
    p = truth[guess == 1].mean()
    found = hs.estimate(hs.stratified(truth, guess, shares=SHARES), "precision", method="wald")
    assert found.se**2 == pytest.approx(p * (1 - p) / 139, rel=1e-12)


def test_any_strata_and_two_models_on_the_same_rows() -> None:
    """The variance of a difference from the influences, stratum by stratum."""
    random = np.random.default_rng(4)
    truth = random.integers(0, 2, 300)
    models = {name: np.where(random.uniform(size=300) < 0.8, truth, 1 - truth) for name in ("a", "b")}
    where = random.choice(["north", "south", "west"], 300)
    shares = {"north": 0.2, "south": 0.5, "west": 0.3}
    table = hs.stratified(truth, models, strata=where, shares=shares)
    right = {name: (guess == truth).astype(float) for name, guess in models.items()}
    gap = right["b"] - right["a"]
    value = sum(shares[h] * gap[where == h].mean() for h in shares)
    variance = sum(shares[h] ** 2 * gap[where == h].var(ddof=1) / (where == h).sum() for h in shares)
    found = hs.compare(table, "accuracy", method="wald")
    assert found.difference == pytest.approx(value, rel=1e-12)
    assert found.se**2 == pytest.approx(variance, rel=1e-12)


def test_groups_within_strata() -> None:
    random = np.random.default_rng(5)
    group = np.repeat(np.arange(30), 8)
    where = np.where(group < 12, "x", "y")
    truth = random.integers(0, 2, 240)
    guess = np.where(random.uniform(size=240) < random.beta(4, 1, 30)[group], truth, 1 - truth)
    table = hs.stratified(truth, guess, strata=where, groups=group, shares={"x": 0.3, "y": 0.7})
    right = (truth == guess).astype(float)
    value = 0.3 * right[where == "x"].mean() + 0.7 * right[where == "y"].mean()
    weight = np.where(where == "x", 0.3 / 96, 0.7 / 144)
    sums = np.bincount(group, weights=weight * (right - value))
    parts = (sums[:12], sums[12:])
    variance = sum(len(part) * part.var(ddof=1) for part in parts)
    found = hs.estimate(table, "accuracy", method="wald")
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.se**2 == pytest.approx(variance, rel=1e-12)
    with pytest.raises(hs.InputError, match=r"groups must lie within strata"):
        hs.stratified(truth, guess, groups=group, shares={0: 0.5, 1: 0.5})


def test_strata_stay_through_the_life_of_a_table() -> None:
    """merged, pick, binary, relabel, scaled and + keep value and variance."""
    truth, guess = sample(6)
    both = hs.stratified(truth, {"a": guess, "b": guess[::-1]}, strata=guess, shares=SHARES)
    table = hs.stratified(truth, guess, shares=SHARES)
    found = hs.estimate(table, "f1", method="wald")
    for other in (both.pick("a"), table.merged(), table.binary(1), table.relabel({0: "no", 1: "yes"})):
        again = hs.estimate(other, "f1[yes]" if "yes" in other.labels else "f1", method="wald")
        assert (again.value, again.se) == pytest.approx((found.value, found.se), rel=1e-12)
    double = hs.estimate(table + table, "f1", method="wald")
    assert double.value == pytest.approx(found.value, rel=1e-12)
    assert double.se == pytest.approx(found.se / math.sqrt(2), rel=1e-2)  # n_h/(n_h − 1) differs a little
    assert hs.estimate(table.scaled(4), "f1", method="wald").se == pytest.approx(found.se / 2, rel=1e-2)
    with pytest.raises(hs.InputError, match=r"one has strata, the other has none"):
        table + hs.table(truth, guess)


def test_the_bootstrap_draws_within_strata() -> None:
    truth, guess = sample(7)
    table = hs.stratified(truth, guess, shares=SHARES)
    found = hs.estimate(table, "f1", method=hs.Bootstrap(n_resamples=4000, kind="percentile", seed=1))
    wald = hs.estimate(table, "f1", method="wald")
    assert found.high - found.low == pytest.approx(wald.high - wald.low, rel=0.06)
    share = hs.estimate(table, "predicted_prevalence", method=hs.Bootstrap(n_resamples=200, kind="percentile"))
    assert share.high - share.low == pytest.approx(0, abs=1e-12)
    with pytest.raises(hs.MethodError, match=r"not made for strata"):
        hs.estimate(table, "f1", method=hs.Bootstrap(n_resamples=200, kind="studentised"))


def test_covariance_of_several_metrics_is_of_full_use() -> None:
    table = hs.stratified(*sample(8), shares=SHARES)
    linears = [linearise(table, named(name)) for name in ("f1", "recall", "accuracy")]
    joint = covariance(table, linears)
    assert joint == pytest.approx(joint.T)
    assert np.diag(joint) == pytest.approx([one.as_textbook().variance for one in linears])
    assert np.linalg.eigvalsh(joint).min() > -1e-15


def coverage(metric: str, method: str | None, replicates: int) -> tuple[float, float, float]:
    """Return coverage, the spread of the values and the mean standard error over many labelled samples."""
    made = hs.plan_strata(metric, n=300, predicted=0.1, precision=0.8, recall=0.7)
    hits, values, errors = 0, [], []
    for seed in range(replicates):
        rows = sample(1000 + seed, positives=made.allocation[1], negatives=made.allocation[0])
        found = hs.estimate(hs.stratified(*rows, shares=SHARES), metric, method=method)
        hits += found.low <= made.value <= found.high
        values.append(found.value)
        errors.append(found.se)
    return hits / replicates, float(np.std(values)), float(np.mean(errors))


@pytest.mark.parametrize("metric", ["f1", "recall"])
def test_coverage(metric: str) -> None:
    covered, spread, error = coverage(metric, None, 300)
    assert 0.91 < covered < 0.985  # Monte-Carlo error 0.013
    assert error == pytest.approx(spread, rel=0.12)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["f1", "recall", "accuracy", "mcc"])
def test_coverage_with_many_samples(metric: str) -> None:
    covered, spread, error = coverage(metric, None, 2500)
    assert 0.935 < covered < 0.975  # Monte-Carlo error 0.0044
    assert error == pytest.approx(spread, rel=0.05)


@pytest.mark.parametrize("method", ["wald", "logit"])
def test_effective_n_is_what_the_error_says(method: str) -> None:
    """Wilson's limits use n over the design effect: the rows of a simple sample with the same variance."""
    table = hs.stratified(*sample(9), shares=SHARES)
    linear = linearise(table, named("precision"))
    share = hs.estimate(table, "precision", method=method)
    linear = linear.as_textbook() if method == "wald" else linear
    assert linear.effective_n * 0.1 == pytest.approx(share.value * (1 - share.value) / share.se**2, rel=1e-9)
    found = hs.estimate(table, "precision", method="wilson")
    assert 0 < found.low < share.value < found.high < 1


# --- allocation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["f1", "recall", "f2", "accuracy", "mcc"])
def test_the_allocation_is_the_best_there_is(metric: str) -> None:
    """No other split of the labels has a smaller variance, with two hidden rows of any label: every split is tried.

    W_h² (s_h² + 2δ_h²/n_h) / n_h, and what independent rows would have grows by W_h·2δ_h²/n_h too.
    """
    made = hs.plan_strata(metric, n=400, predicted=0.1, precision=0.8, recall=0.7)
    tp, fn = 0.08, 0.08 * (1 / 0.7 - 1)
    matrix = 1e7 * np.array([[0.9 - fn, 0.02], [fn, tp]])
    table = hs.matrix(matrix, rows="truth", pos_label=1)
    influence = linearise(table, named(metric)).influence
    moved = np.zeros((2, 2))
    moved[table.rows.truth, table.rows.predictions[:, 0]] = influence
    splits, variances, unseen = np.arange(2, 399), 0.0, 0.0
    for stratum, labels in ((0, splits), (1, 400 - splits)):
        cells = matrix[:, stratum] / matrix[:, stratum].sum()
        within = moved[:, stratum] - cells @ moved[:, stratum]
        share, hidden = matrix[:, stratum].sum() / matrix.sum(), 2 * (within**2).mean() / labels
        variances = variances + share**2 * (cells @ within**2 + hidden) / labels
        unseen = unseen + share * hidden
    whole = float((matrix / matrix.sum() * moved**2).sum())
    assert made.allocation[0] == pytest.approx(splits[np.argmin(variances)], abs=1)
    assert made.se**2 == pytest.approx((variances * whole / (whole + unseen))[made.allocation[0] - 2], rel=1e-4)
    assert made.allocation[0] + made.allocation[1] == made.n == 400


def test_the_gain_is_that_over_simple_random_labelling() -> None:
    made = hs.plan_strata("f1", n=500, predicted=0.1, precision=0.8, recall=0.7)
    tp, fn = 0.08, 0.08 * (1 / 0.7 - 1)
    simple = hs.plan("f1", n=500, prevalence=tp + fn, precision=0.8, recall=0.7)
    assert made.random_se == pytest.approx(simple.se, rel=1e-12)
    assert made.gain == pytest.approx((simple.se / made.se) ** 2)
    assert made.gain > 1.5


def test_targets_and_other_ways_to_say_what_is_expected() -> None:
    made = hs.plan_strata("recall", half_width=0.08, predicted=0.1, precision=0.8, recall=0.7)
    assert made.half_width == pytest.approx(0.08, rel=5e-3)
    npv = 1 - 0.08 * (1 / 0.7 - 1) / 0.9
    same = hs.plan_strata("recall", half_width=0.08, predicted=0.1, precision=0.8, npv=npv)
    assert same.allocation == made.allocation
    assert same.se == pytest.approx(made.se, rel=1e-9)
    pilot = hs.plan_strata("macro_f1", n=300, pilot=[[40, 6, 1], [5, 120, 9], [2, 8, 30]])
    assert set(pilot.allocation) == {0, 1, 2}
    assert sum(pilot.allocation.values()) == 300
    assert hs.plan_strata("precision", n=100, predicted=0.1, precision=0.8).allocation == {0: 2, 1: 98}
    assert repr(hs.plan_strata("f1", n=500, predicted=0.1, precision=0.8, recall=0.7)) == (
        "f1: 500 labels (363 predicted 0, 137 predicted 1), half-width 0.0738 at 95%; simple random labelling needs "
        "1.56 times as many"
    )


def test_a_stratum_without_errors_is_pointed_out() -> None:
    table = hs.stratified([1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0], shares=SHARES)
    assert table.notes == (
        "stratum 0: all 3 labelled rows are truly 0; up to about 1 of it may not be: the error bar allows "
        "for two hidden rows of any label",
    )


def test_a_perfect_share_within_one_stratum_is_a_binomial_of_its_rows() -> None:
    right = [1] * 400 + [0] * 20
    table = hs.stratified(right, right, shares={1: 0.5, 0: 0.5})
    quantile = stats.t.ppf(0.975, 418)
    for metric, rows in (("npv", 20), ("precision", 400)):
        mid_p, wilson = hs.estimate(table, metric), hs.estimate(table, metric, method="wilson")
        assert mid_p.low == pytest.approx((2 * stats.norm.sf(quantile)) ** (1 / rows), rel=1e-12)
        assert wilson.low == pytest.approx(rows / (rows + quantile**2), rel=1e-12)


def test_a_perfect_recall_allows_for_what_a_large_stratum_may_hide() -> None:
    """No positive among 60 rows that stand for 0.893 of the pool: Wilson's 0 of 60 bounds what recall has missed.

    By the rule, recall rests on the positives found counted in rows of that stratum, each of which stands for 0.893/60.
    """
    table = hs.stratified([1] * 30 + [0] * 70, [1] * 40 + [0] * 60, shares={1: 0.107, 0: 0.893})
    quantile = stats.t.ppf(0.975, 98)
    found, hidden = 0.107 * 0.75, 0.893 * quantile**2 / (60 + quantile**2)
    assert hs.estimate(table, "recall", method="wilson").low == pytest.approx(found / (found + hidden), abs=0.02)
    rows = found / (0.893 / 60)
    default = hs.estimate(table, "recall").low
    assert default == pytest.approx((2 * stats.norm.sf(quantile)) ** (1 / rows), rel=1e-12)
    assert default < found / (found + 0.893 * (1 - 0.025 ** (1 / 60)))  # Clopper and Pearson's 0 of 60


ROWS: dict[str, Any] = {"y_true": [1, 1, 0, 0], "y_pred": [1, 1, 0, 0]}
REFUSALS: dict[str, tuple[Callable[[], object], str]] = {
    "no shares": (
        lambda: hs.stratified(**ROWS),
        "give one of shares= (each stratum's share of the pool) and pool= (its number of rows)",
    ),
    "names": (
        lambda: hs.stratified(**ROWS, shares={"a": 1.0}),
        "shares names 'a', but the labelled rows are of 0, 1; both must be the same, with some rows labelled in every "
        "stratum",
    ),
    "sum": (
        lambda: hs.stratified(**ROWS, shares={0: 0.5, 1: 0.4}),
        "shares sum to 0.9; they must sum to 1 (for numbers of rows use pool=)",
    ),
    "pool": (
        lambda: hs.stratified(**ROWS, pool={0: 100, 1: 1}),
        "pool has 1 rows in stratum 1, of which 2 are labelled; a pool holds at least its labelled rows",
    ),
    "one row": (
        lambda: hs.stratified([1, 0, 0], [1, 0, 0], shares={0: 0.5, 1: 0.5}),
        "stratum 1 has one labelled row; a variance needs two or more in every stratum",
    ),
    "two models": (
        lambda: hs.stratified([1, 0], {"a": [1, 0], "b": [1, 0]}, shares={0: 0.5, 1: 0.5}),
        "strata is missing and y_pred holds 2 models: 'a', 'b'; say which stratum each row was sampled from",
    ),
    "plan of nothing": (
        lambda: hs.plan_strata("f1", n=100, predicted=0.1),
        "give predicted= with precision= and recall= (or npv=), or a pilot: what to expect",
    ),
    "too few": (
        lambda: hs.plan_strata("f1", n=3, predicted=0.1, precision=0.8, recall=0.7),
        "n is 3; it must be a whole number, 4 or larger: 2 labels in each of 2 predicted classes",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    call, message = REFUSALS[name]
    assert refusal(call, hs.InputError) == message


@pytest.mark.parametrize("groups", [None, np.arange(200) // 5], ids=["rows", "groups"])
def test_joint_intervals_know_the_strata(groups: np.ndarray | None) -> None:
    """Each joint standard error is the single one, and two estimates have the covariance within strata."""
    random = np.random.default_rng(3)
    strata = np.arange(200) // 50
    truth = random.random(200) < np.array([0.1, 0.3, 0.6, 0.9])[strata]
    guess = np.where(random.random(200) < 0.85, truth, ~truth)
    table = hs.stratified(truth, guess, strata=strata, shares={0: 0.4, 1: 0.3, 2: 0.2, 3: 0.1}, groups=groups)
    single = hs.report(table, ["accuracy", "prevalence", "f1"], method="wald")
    joint = hs.report(table, ["accuracy", "prevalence", "f1"], method="wald", joint=True)
    assert [row.se for row in joint] == pytest.approx([row.se for row in single])
    moved = np.stack([truth == guess, truth]).astype(float)
    moved -= [[single["accuracy"].value], [single["prevalence"].value]]
    expected = 0.0
    for stratum, share in enumerate((0.4, 0.3, 0.2, 0.1)):
        part = moved[:, strata == stratum]
        if groups is not None:
            part = part.reshape(2, -1, 5).sum(2)
        expected += (share / 50) ** 2 * part.shape[1] * np.cov(part)[0, 1]
    assert joint.covariance[("model", "accuracy"), ("model", "prevalence")] == pytest.approx(expected)

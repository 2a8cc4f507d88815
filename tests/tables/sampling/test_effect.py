"""The design effect of weights, strata and groups: against the rule written out row by row; what must always hold."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import linearise
from howsure.tables.design import Design
from howsure.tables.sampling.rule import PartSums
from support.toy_numbers import MEAN, numbers

METRICS = ("accuracy", "recall", "precision", "f1", "mcc", "kappa", "balanced_accuracy", "macro_f1", "specificity")


# --- the rule, one row after the other ------------------------------------------------------------------------------


def value_of(metric: str, p: np.ndarray) -> float:
    """Return a metric of the shares of a confusion matrix, truth in rows, class 1 the positive one; written anew."""
    right, true, guessed = np.trace(p), p.sum(1), p.sum(0)
    recalls, f1 = np.diagonal(p) / true, 2 * np.diagonal(p) / (true + guessed)
    chance = true @ guessed
    return float({
        "accuracy": right, "recall": recalls[1], "recall[1]": recalls[1], "specificity": recalls[0],
        "precision": p[1, 1] / guessed[1], "f1": f1[1], "macro_f1": f1.mean(), "balanced_accuracy": recalls.mean(),
        "kappa": (right - chance) / (1 - chance),
        "mcc": (right - chance) / np.sqrt((1 - true @ true) * (1 - guessed @ guessed)),
    }[metric])  # fmt: skip


def slopes_of(metric: str, truth: Any, guess: Any, weight: Any) -> np.ndarray:
    """Return the influence of a row in each cell (truth, prediction): central differences of the value."""
    size, step = int(max(truth)) + 1, 1e-6
    shares = np.zeros((size, size))
    np.add.at(shares, (truth, guess), np.asarray(weight) / np.sum(weight))
    found = np.zeros(shares.shape)
    for place in itertools.product(range(size), repeat=2):
        toward = -shares.copy()  # a row more in this cell, all others a little less
        toward[place] += 1.0
        ahead, behind = (value_of(metric, shares + side * step * toward) for side in (1, -1))
        found[place] = (ahead - behind) / (2 * step)
    return found


def tail_of(weights: list[float]) -> float:
    """Return what few heavy rows tell of heavier ones: 1 + 1.5 (1 − m/n_K)⁸ 32/(m + 32), m = (Σw²)³/(Σw³)²."""
    one, two, three = (sum(w**power for w in weights) for power in (1, 2, 3))
    m, kish = two**3 / three**2, one**2 / two
    return 1 + 1.5 * max(0.0, 1 - m / kish) ** 8 * 32 / (m + 32)


def rule(
    cells: np.ndarray, truth: Any, guess: Any, weight: Any, strata: Any = None, groups: Any = None, left: Any = None
) -> tuple[float, float]:
    """Return n over the design effect and the degrees of freedom, by plain loops; ``cells`` hold the influences."""
    n, whole = len(truth), sum(weight)
    phi = [cells[k, j] for k, j in zip(truth, guess, strict=True)]
    parts = {0: range(n)} if strata is None else {h: [i for i in range(n) if strata[i] == h] for h in set(strata)}
    rows = shown = between = unseen = hidden_all = inverse = 0.0
    for h, some in parts.items():
        w = [weight[i] for i in some]
        sum_w, sum_w2, size = sum(w), sum(x * x for x in w), len(some)
        kish = sum_w**2 / sum_w2
        centre = 0.0 if strata is None else sum(weight[i] * phi[i] for i in some) / sum_w
        move = {i: phi[i] - centre for i in some}
        delta = {i: np.mean([(cells[k, guess[i]] - centre) ** 2 for k in range(len(cells))]) for i in some}
        seen = sum(weight[i] * move[i] ** 2 for i in some) * (1 if strata is None else size / (size - 1))
        hidden = 2 * sum(weight[i] * delta[i] for i in some) / kish
        b = [sum(weight[i] ** j * move[i] ** 2 for i in some) / sum(x**j for x in w) for j in range(3)]
        x = 1.0
        if b[1] > 1e-20:
            r, feared = b[2] / b[1], max(1.0, b[1] / b[0])
            e = kish * b[1] ** 2 / (sum(weight[i] * move[i] ** 4 for i in some) / sum_w)
            x = (r + max(0.0, feared - r) * 8 / (e + 8)) * tail_of(w)
        part = 1.0 if left is None else left[h]
        alone_here = x * sum_w2 / sum_w * seen
        rows += part * x * sum_w2 / sum_w * (seen + hidden)
        shown += part * alone_here
        hidden_all += hidden
        if groups is not None:
            units = sorted({groups[i] for i in some})
            inside = {u: [i for i in some if groups[i] == u] for u in units}
            heavy = {u: sum(weight[i] for i in inside[u]) for u in units}
            share = {u: heavy[u] / sum_w for u in units}
            total = sum(weight[i] * phi[i] for i in some)
            sums = {u: sum(weight[i] * phi[i] for i in inside[u]) - share[u] * total for u in units}
            h = np.array([share[u] for u in units])
            added = (h @ h - np.trace(quadratic(h, 1 / (1 - h)))) / 3 / (1 - h @ h)
            v = sum(sums[u] ** 2 / (1 - share[u]) for u in units)
            v += added * max(0.0, sum(sums[u] ** 2 / share[u] for u in units) - (len(units) - 1) * alone_here)
            b_groups = 2 / kish * sum(weight[i] * (0.75 * weight[i] + 0.25 * heavy[groups[i]]) * delta[i] for i in some)
            between, unseen = between + part * v, unseen + part * b_groups
            form = quadratic(h, 1 / (1 - h) + added / h)
            inverse += (part * (v + b_groups)) ** 2 * np.trace(form @ form) / np.trace(form) ** 2
    base = sum(weight[i] * phi[i] ** 2 for i in range(n)) * whole / n
    hidden_all *= whole / n
    alone = rows / (base + hidden_all)
    if strata is None:
        moves = [i for i in range(n) if abs(phi[i]) > 1e-9]
        alone = max([alone, *([sum(weight[i] for i in moves) / len(moves) * n / whole] if moves else [])])
    if groups is None:
        return n / alone, float("inf")
    each = np.array([sum(weight[i] for i in range(n) if groups[i] == u) for u in sorted(set(groups))])
    evenness = len(each) * (each @ each) / whole**2
    known = base > 1e-15
    clusters = 1 + max(0.0, between / shown - 1) / evenness if known else 1.0
    worst = max(unseen / hidden_all, max(between, shown) / base if known else 0.0)
    effect = max((between + clusters * hidden_all * worst) / (base + clusters * hidden_all), alone)
    most, total = len(set(groups)) - len(parts), between + unseen
    f = 1 - alone / effect
    return n / effect, min(most, max(4.0, total**2 / inverse / f**2)) if f > 0 else most


def quadratic(h: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the matrix of Σ times·S², S the sums of exchangeable groups less their share of all.

    Sums of group u have the variance h_u² (group means alike): Σ_u times_u g_u g_u', g_u row u of (I − h 1') diag(h).
    Its trace is the mean, and degrees of freedom are (tr M)² / tr M² (Satterthwaite).
    """
    rows = (np.eye(len(h)) - np.outer(h, np.ones(len(h)))) * h
    return np.asarray(rows.T @ np.diag(times) @ rows)


def sample(seed: int, *, n: int = 60, classes: int = 2) -> dict[str, Any]:
    """Return rows whose errors go with weight, stratum and group."""
    random = np.random.default_rng(seed)
    group = random.integers(0, 9, n)
    truth = random.integers(0, classes, n)
    weight = random.lognormal(0, 1, n)
    wrong = random.random(n) < 0.1 + 0.05 * (group % 4)
    return {
        "truth": truth, "guess": np.where(wrong, random.integers(0, classes, n), truth), "weight": weight,
        "group": group, "stratum": (group % 3).astype(int),
    }  # fmt: skip


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("design", ["weights", "groups", "both"])
def test_rows_and_groups_by_hand(metric: str, design: str) -> None:
    for seed in range(3):
        rows = sample(seed)
        weight = np.ones(60) if design == "groups" else rows["weight"]
        groups = None if design == "weights" else rows["group"]
        given_weight = {} if design == "groups" else {"sample_weight": weight}
        table = hs.table(rows["truth"], rows["guess"], pos_label=1, groups=groups, **given_weight)
        linear = linearise(table, named(metric))
        cells = slopes_of(metric, rows["truth"], rows["guess"], weight)
        expected = rule(cells, rows["truth"], rows["guess"], weight, groups=groups)
        assert (linear.effective_n, linear.degrees) == pytest.approx(expected, rel=1e-6)
        moved = cells[rows["truth"], rows["guess"]]
        plain = float(weight @ moved**2 / weight.sum() / 60)
        assert linear.variance == pytest.approx(plain * 60 / linear.effective_n, rel=1e-6)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("pool", [False, True])
def test_strata_by_hand(metric: str, grouped: bool, pool: bool) -> None:
    rows = sample(5, n=90)
    sizes = {0: 400, 1: 2000, 2: 600}
    shares = {h: size / 3000 for h, size in sizes.items()}
    how: dict[str, Any] = {"pool": sizes} if pool else {"shares": shares}
    groups = rows["group"] if grouped else None
    table = hs.stratified(rows["truth"], rows["guess"], strata=rows["stratum"], groups=groups, pos_label=1, **how)
    counts = np.bincount(rows["stratum"])
    weight = np.array([shares[h] / counts[h] for h in rows["stratum"]])
    left = {h: 1 - counts[h] / sizes[h] for h in sizes} if pool else None
    cells = slopes_of(metric, rows["truth"], rows["guess"], weight)
    expected = rule(cells, rows["truth"], rows["guess"], weight, rows["stratum"], groups, left)
    linear = linearise(table, named(metric))
    assert linear.effective_n == pytest.approx(expected[0], rel=1e-6)
    assert linear.degrees == pytest.approx(expected[1] if grouped else 87, rel=1e-6)


@pytest.mark.parametrize("metric", ["accuracy", "recall[1]", "macro_f1", "mcc"])
def test_three_classes_by_hand(metric: str) -> None:
    rows = sample(3, n=80, classes=3)
    table = hs.table(rows["truth"], rows["guess"], sample_weight=rows["weight"])
    cells = slopes_of(metric, rows["truth"], rows["guess"], rows["weight"])
    expected, _ = rule(cells, rows["truth"], rows["guess"], rows["weight"])
    assert linearise(table, named(metric)).effective_n == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("by", ["truth", "guess"])
@pytest.mark.parametrize("metric", METRICS)
def test_weights_of_classes_by_hand(metric: str, by: str) -> None:
    """V = Σ_k w_k (Σ wφ² + 2 w_k δ_k²): each class on its own, a hidden row of it anywhere on the other axis."""
    rows = sample(8, n=100)
    each = np.array([1.0, 7.0])
    weight = each[rows[by]]
    table = hs.table(rows["truth"], rows["guess"], sample_weight=weight, pos_label=1)
    cells = slopes_of(metric, rows["truth"], rows["guess"], weight)
    moved = cells[rows["truth"], rows["guess"]]
    square = (cells**2).mean(axis=1 if by == "truth" else 0)
    seen = np.bincount(rows[by], weights=weight * moved**2)
    hidden = 2 * each * square
    effect = (each @ (seen + hidden)) / weight.sum() / (seen.sum() + hidden.sum()) * 100
    assert linearise(table, named(metric)).effective_n == pytest.approx(100 / effect, rel=1e-6)


def test_numbers_without_labels() -> None:
    """δ² is half the mean square of what carries the estimate: Σwφ⁴/Σwφ²/2 for every row; strata hide two such rows."""
    random = np.random.default_rng(1)
    values, weight = random.random(40), random.gamma(1.0, size=40)
    linear = linearise(numbers({"a": values}, weight), MEAN)
    moved = values - np.average(values, weights=weight)
    b = [np.average(moved**2, weights=weight**j) for j in range(3)]
    kish = weight.sum() ** 2 / (weight**2).sum()
    errors = kish * b[1] ** 2 / np.average(moved**4, weights=weight)
    x = b[2] / b[1] + max(0.0, max(1.0, b[1] / b[0]) - b[2] / b[1]) * 8 / (errors + 8)
    assert linear.effective_n == pytest.approx(kish / x / tail_of(weight.tolist()), rel=1e-12)


@pytest.mark.parametrize(("weights", "m", "kish"), [([4.0] * 6, 6.0, 6.0), ([2.0, 1.0, 1.0], 2.16, 16 / 6)])
def test_rows_that_carry_the_squares(weights: list[float], m: float, kish: float) -> None:
    """By hand: 2, 1, 1 have Σw 4, Σw² 6, Σw³ 10, so m = 216/100; equal weights leave the design effect alone."""
    sums = [np.array(sum(w**power for w in weights)) for power in range(4)]
    nothing = [np.zeros(())] * 5
    expected = 1 + 1.5 * (1 - m / kish) ** 8 * 32 / (m + 32)
    assert PartSums(*sums, *nothing).tail == pytest.approx(expected, rel=1e-12)


def test_the_tail_is_seen_through_every_door_of_a_table() -> None:
    """Σw³ is kept by counting, adding and taking rows; one that nobody summed is the least that is possible."""
    random = np.random.default_rng(5)
    truth, guess, weight = random.integers(0, 2, 300), random.integers(0, 2, 300), random.pareto(1.5, 300) + 1
    whole = hs.table(truth, guess, sample_weight=weight)
    halves = [hs.table(truth[part], guess[part], sample_weight=weight[part]) for part in np.split(np.arange(300), 2)]
    for table in (whole, halves[0] + halves[1]):
        assert table.design.cubes.sum() == pytest.approx((weight**3).sum(), rel=1e-12)
    unknown = Design(whole.counts, whole.weights, whole.squares)
    assert (unknown.cubes <= whole.design.cubes * (1 + 1e-12)).all()


# --- what must always hold ------------------------------------------------------------------------------------------

ROWS = st.integers(2, 30).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.floats(0.01, 100), min_size=n, max_size=n),
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
    )
)
ASKED = ("accuracy", "f1[1]", "recall[2]", "precision[0]", "macro_f1", "mcc", "kappa", "weighted_f1")


@settings(max_examples=30, deadline=None)
@given(ROWS, st.sampled_from(["weights", "groups", "both"]))
def test_no_interval_without_width_and_nothing_hangs_on_order_or_scale(rows: Any, design: str) -> None:
    truth, guess, weight, group = map(np.array, rows)
    group[:2] = 0, 1  # two groups at least
    weights = {} if design == "groups" else {"sample_weight": weight}
    groups = {} if design == "weights" else {"groups": group}
    table = hs.table(truth, guess, labels=[0, 1, 2], **weights, **groups)
    order = np.random.default_rng(0).permutation(len(truth))
    turned = hs.table(
        truth[order], guess[order], labels=[0, 1, 2],
        **({} if design == "groups" else {"sample_weight": weight[order] * 1000.0}),
        **({} if design == "weights" else {"groups": group[order]}),
    )  # fmt: skip
    rows_alone = hs.table(truth, guess, labels=[0, 1, 2], **weights)
    for metric in ASKED:
        found = hs.estimate(table, metric, undefined="zero")
        if not np.isfinite(found.value):
            continue
        assert found.low < found.high, metric
        again = hs.estimate(turned, metric, undefined="zero")
        assert (again.low, again.high) == pytest.approx((found.low, found.high), rel=1e-7, abs=1e-7), metric
        if design != "weights":
            alone = hs.estimate(rows_alone, metric, undefined="zero").effective_n
            assert found.effective_n <= alone * (1 + 1e-9), metric


@settings(max_examples=20, deadline=None)
@given(ROWS)
def test_no_stratified_interval_without_width(rows: Any) -> None:
    truth, guess, _, stratum = map(np.array, rows)
    truth, guess, stratum = (np.r_[part, part] for part in (truth, guess, stratum))  # two rows a stratum at least
    held = np.unique(stratum)
    table = hs.stratified(truth, guess, strata=stratum, shares={int(h): 1 / len(held) for h in held}, labels=[0, 1, 2])
    for metric in ASKED:
        found = hs.estimate(table, metric, undefined="zero")
        if np.isfinite(found.value):
            assert found.low < found.high, metric


def test_equal_weights_are_no_weights() -> None:
    rows = sample(2)
    plain = hs.table(rows["truth"], rows["guess"], pos_label=1)
    equal = hs.table(rows["truth"], rows["guess"], sample_weight=np.full(60, 3.7), pos_label=1)
    for metric in METRICS:
        first, second = hs.estimate(plain, metric), hs.estimate(equal, metric)
        assert (second.low, second.high, second.se) == pytest.approx((first.low, first.high, first.se), rel=1e-11)
        assert second.effective_n == pytest.approx(60, rel=1e-12)


def test_what_is_added_vanishes_with_rows() -> None:
    """Ten thousand times the rows: the variance is the linearised one, but for the floor of groups at rows."""
    rows = sample(4, n=200)
    for more in ({"sample_weight": rows["weight"]}, {"groups": rows["group"]}):
        many = hs.table(rows["truth"], rows["guess"], pos_label=1, **more).scaled(1e4)
        for metric in ("accuracy", "f1", "mcc"):
            linear = linearise(many, named(metric))
            assert linear.variance == pytest.approx(
                linear.as_textbook().variance, rel=0.35 if "groups" in more else 2e-3
            )


def test_a_pool_that_is_wholly_labelled_leaves_nothing_to_vary() -> None:
    table = hs.stratified([1, 1, 0, 1, 0, 0], [1, 1, 1, 1, 0, 0], pool={1: 4, 0: 2})
    found = hs.estimate(table, "accuracy")
    assert found.low == pytest.approx(5 / 6, abs=1e-6)
    assert found.high == pytest.approx(5 / 6, abs=1e-6)

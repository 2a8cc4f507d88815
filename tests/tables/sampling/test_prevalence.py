"""Metrics at another prevalence: values against scikit-learn's weights, variances against finite differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as theirs

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import linearise

RNG = np.random.default_rng(3)
TRUTH = (RNG.random(120) < 0.4).astype(int)
GUESS = np.where(RNG.random(120) < 0.85, TRUTH, 1 - TRUTH)
OTHER = np.where(RNG.random(120) < 0.8, TRUTH, 1 - TRUTH)
SCORES = np.round(np.clip(0.25 * TRUTH + 0.75 * RNG.random(120), 0.01, 0.99), 2)  # with ties
GROUPS = np.arange(120) // 4
SHARE = 0.07
LABELS: dict[str, Callable[..., float]] = {
    "f1": theirs.f1_score, "precision": theirs.precision_score, "accuracy": theirs.accuracy_score,
    "mcc": theirs.matthews_corrcoef, "kappa": theirs.cohen_kappa_score, "jaccard": theirs.jaccard_score,
    "macro_f1": lambda *two, **more: theirs.f1_score(*two, average="macro", **more),
}  # fmt: skip
SCORED: dict[str, Callable[..., float]] = {
    "average_precision": theirs.average_precision_score, "brier": theirs.brier_score_loss, "auc": theirs.roc_auc_score,
    "log_loss": theirs.log_loss,
}  # fmt: skip
CASES = [(name, found, GUESS) for name, found in LABELS.items()] + [(n, f, SCORES) for n, f in SCORED.items()]


def class_weights(truth: Any = TRUTH, share: float = SHARE) -> Any:
    """π_y/n_y, times all rows."""
    ones = truth.mean()
    return np.where(truth == 1, share / ones, (1 - share) / (1 - ones))


def table_for(columns: Any, **more: Any) -> hs.Table:
    return hs.table(TRUTH, scores={"m": columns}, **more) if columns is SCORES else hs.table(TRUTH, columns, **more)


@pytest.mark.parametrize(("name", "their", "columns"), CASES, ids=[case[0] for case in CASES])
def test_values_are_those_of_weighted_rows(name: str, their: Callable[..., float], columns: Any) -> None:
    expected = their(TRUTH, columns, sample_weight=class_weights())
    assert hs.estimate(table_for(columns), f"{name}@prevalence={SHARE}") == pytest.approx(expected, abs=1e-12)
    assert hs.estimate(table_for(columns).at_prevalence(SHARE), name) == pytest.approx(expected, abs=1e-12)


@cache
def slopes(name: str, other: bool = False) -> Any:
    """How much a metric changes with the weight of each row, by central differences."""
    their = (LABELS | SCORED)[name]
    columns = SCORES if name in SCORED else OTHER if other else GUESS
    weights, step = class_weights() / len(TRUTH), 1e-5
    found = np.empty(len(TRUTH))
    for row in range(len(TRUTH)):
        moved = [weights.copy() for _ in range(2)]
        moved[0][row] += step
        moved[1][row] -= step
        up, down = (their(TRUTH, columns, sample_weight=one * len(TRUTH)) for one in moved)
        found[row] = (up - down) / (2 * step)
    return found


def within_classes(moved: Any) -> Any:
    """Slopes around the mean of their class."""
    return moved - np.where(TRUTH == 1, moved[TRUTH == 1].mean(), moved[TRUTH == 0].mean())


@pytest.mark.parametrize(("name", "their", "columns"), CASES, ids=[case[0] for case in CASES])
def test_variances_are_those_of_finite_differences(name: str, their: Callable[..., float], columns: Any) -> None:
    """V = Σ_y π_y² s²_y(ψ)/n_y with n_y − 1 in s²."""
    moved = slopes(name)
    parts = [share**2 * moved[label == TRUTH].var(ddof=1) / (label == TRUTH).sum()
             for label, share in ((1, SHARE), (0, 1 - SHARE))]  # fmt: skip
    found = linearise(table_for(columns), named(f"{name}@prevalence={SHARE}")).as_textbook()
    assert found.variance == pytest.approx(sum(parts), rel=2e-5)


@pytest.mark.parametrize("name", ["f1", "mcc", "accuracy"])
def test_groups_may_run_through_the_classes(name: str) -> None:
    """Σ_g (Σ_{i in g} w_i (ψ_i − ψ̄_y))² · G/(G − 1), by finite differences."""
    weighted = within_classes(slopes(name)) * class_weights() / len(TRUTH)
    sums = np.bincount(GROUPS, weights=weighted)
    expected = float(sums @ sums) * len(sums) / (len(sums) - 1)
    made = linearise(hs.table(TRUTH, GUESS, groups=GROUPS), named(f"{name}@prevalence={SHARE}"))
    assert made.as_textbook().variance == pytest.approx(expected, rel=2e-5)
    assert made.degrees >= 29  # what rows would give is known: infinite where groups add nothing
    again = hs.estimate(hs.table(TRUTH, GUESS, groups=GROUPS), f"{name}@prevalence={SHARE}", method="bootstrap")
    assert again.high - again.low == pytest.approx(2 * 1.96 * expected**0.5, rel=0.25)


def test_resamples_keep_the_prevalence() -> None:
    design = hs.table(TRUTH, GUESS, groups=GROUPS).at_prevalence(SHARE).design
    table = hs.table(TRUTH, GUESS, groups=GROUPS)
    truth = table.contents.truth
    for sample in design.resamples(np.random.default_rng(0), 20, most=10_000):
        assert sample.weights @ (truth == 1) / sample.weights.sum(1) == pytest.approx(SHARE)


def test_predictive_values_are_those_of_bayes_rule() -> None:
    t = hs.counts(tp=180, fp=20, fn=20, tn=180)
    for metric in ("ppv", "npv"):
        assert hs.estimate(t, f"{metric}@prevalence=2%") == pytest.approx(
            hs.estimate(t, f"{metric}_at(0.02)"), abs=1e-12
        )


@pytest.mark.parametrize("metric", ["recall", "specificity", "balanced_accuracy"])
def test_what_does_not_move_has_the_interval_of_its_rows(metric: str) -> None:
    t = hs.counts(tp=150, fp=12, fn=20, tn=180)
    moved, own = hs.estimate(t, f"{metric}@prevalence=0.02"), hs.estimate(t, metric)
    assert moved == pytest.approx(own, abs=1e-12)
    assert (moved.low, moved.high) == pytest.approx((own.low, own.high), abs=0.006)
    assert moved.notes == (f"{hs.estimate(t, f'{metric}@prevalence=0.02').said} does not change with the prevalence",)


def test_the_own_prevalence_changes_no_value() -> None:
    t = hs.table(TRUTH, GUESS)
    own = float(TRUTH.mean())
    for metric in ("f1", "mcc", "kappa"):
        assert hs.estimate(t.at_prevalence(own), metric) == pytest.approx(hs.estimate(t, metric), abs=1e-12)


def test_comparisons_pair_the_rows() -> None:
    t = hs.table(TRUTH, {"one": GUESS, "two": OTHER})
    made = hs.compare(t, f"f1@prevalence={SHARE}", a="two", b="one")
    same = hs.compare(t.at_prevalence(SHARE), "f1", a="two", b="one")
    assert (made.difference, made.low, made.high) == (same.difference, same.low, same.high)
    both = [within_classes(slopes("f1", other)) * class_weights() / len(TRUTH) for other in (False, True)]
    classes = [TRUTH == 1, TRUTH == 0]
    gap = both[0] - both[1]
    expected = sum(float(gap[one] @ gap[one]) * one.sum() / (one.sum() - 1) for one in classes)
    family = hs.compare(t, f"f1@prevalence={SHARE}", a="two", b="one", method="wald")
    assert family.se == pytest.approx(expected**0.5, rel=0.05)
    assert hs.compare_all(t, f"f1@prevalence={SHARE}")[0].difference == pytest.approx(-made.difference)


def test_a_prior_of_several_classes() -> None:
    truth = RNG.integers(0, 3, 300)
    guess = np.where(RNG.random(300) < 0.7, truth, RNG.integers(0, 3, 300))
    prior = {0: 0.7, 1: 0.2, 2: 0.1}
    rows = np.array([prior[label] / (truth == label).mean() for label in truth])
    expected = theirs.f1_score(truth, guess, average="macro", sample_weight=rows)
    assert hs.estimate(hs.table(truth, guess).at_prevalence(prior), "macro_f1") == pytest.approx(expected, abs=1e-12)
    one = np.where(truth == 2, 0.1 / (truth == 2).mean(), 0.9 / (truth != 2).mean())
    expected = theirs.f1_score(truth == 2, guess == 2, sample_weight=one)
    assert hs.estimate(hs.table(truth, guess), "f1[2]@prevalence=0.1") == pytest.approx(expected, abs=1e-12)


def test_names_thresholds_and_words() -> None:
    t = hs.table(TRUTH, scores={"m": SCORES})
    made = hs.estimate(t, "f1@0.5@prevalence=0.07")
    expected = theirs.f1_score(TRUTH, SCORES >= 0.5, sample_weight=class_weights())
    assert made == pytest.approx(expected, abs=1e-12)
    assert named("F1 @ prevalence = 2%".lower()).name == "f1@prevalence=0.02"
    assert made.said == "F1@0.5 at prevalence 0.07"
    assert "the prevalence" in made.held_fixed


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a share above 1": (lambda: hs.estimate(hs.table(TRUTH, GUESS), "f1@prevalence=1.5"), "between 0 and 1"),
    "two prevalences": (lambda: named("f1@prevalence=0.1@prevalence=0.2"), "two prevalences"),
    "numbers": (lambda: hs.estimate(hs.table(values={"m": [0.1, 0.4]}), "mean@prevalence=0.1"), "no prevalence"),
    "no negatives": (lambda: hs.estimate(hs.counts(tp=5, fp=3, fn=2), "f1@prevalence=0.1"), "true negatives"),
    "one row of a class": (
        lambda: hs.estimate(hs.counts(tp=1, fp=3, fn=0, tn=9), "f1@prevalence=0.1"), "1 row of class"),
    "no positive class": (lambda: hs.table(list("abc") * 4, list("abc") * 4).at_prevalence(0.1), "positive one"),
    "classes left out": (
        lambda: hs.table(list("abc") * 4, list("abc") * 4).at_prevalence({"a": 0.5, "b": 0.5}), "name each"),
    "no sum of 1": (lambda: hs.table(list("ab") * 4, list("ab") * 4).at_prevalence({"a": 0.5, "b": 0.4}), "sum to 1"),
    "twice": (lambda: hs.table(TRUTH, GUESS).at_prevalence(0.1).at_prevalence(0.2), "strata already"),
    "a plan": (lambda: hs.plan("f1@prevalence=0.1", half_width=0.1, prevalence=0.2), "on a table"),
    "joint intervals of two populations": (
        lambda: hs.report(hs.table(TRUTH, GUESS), ["f1", "f1@prevalence=0.1"], joint=True), "different prevalences"),
    "a study": (
        lambda: hs.study("f1@prevalence=0.1", ["wald"], {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}, n=10),
        "on a table"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_had_is_refused(case: str) -> None:
    call, words = REFUSED[case]
    with pytest.raises(hs.HowsureError, match=words):
        call()

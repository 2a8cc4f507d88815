"""Joint intervals: the covariance behind them, the critical value, and what happens at the edges."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import norm, t

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import covariance, family_of, linearise
from howsure.tables.in_pairs import joined_pairs

Z = 1.959963984540054


def three_models(n: int = 400, *, classes: int = 2, seed: int = 0, **more) -> hs.Table:
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, n)
    shared = random.random(n)
    predictions = {
        name: np.where(0.5 * shared + 0.5 * random.random(n) < skill, truth, random.integers(0, classes, n))
        for name, skill in (("a", 0.55), ("b", 0.6), ("c", 0.7))
    }
    return hs.table(truth, predictions, **more)


def columns(table: hs.Table) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and predictions of every row, as many as were counted."""
    times = table.counts.astype(int)
    return np.repeat(table.rows.truth, times).astype(int), np.repeat(table.rows.predictions, times, axis=0).astype(int)


def test_choice_one_is_the_formula_of_the_paper() -> None:
    """M ± q √(V/n), V with n − 1 from H = d1·ZA + d2·A + d3·Z, and q from P(max|Z| < q) = 0.95 by brute force."""
    table = three_models()
    truth, predictions = columns(table)
    n, influence, values = len(truth), [], []
    for a in predictions.T:
        za, ea, ez = (truth * a).mean(), a.mean(), truth.mean()
        f1 = 2 * za / (ea + ez)
        values += [1 - np.mean(truth != a), f1]
        influence.append(2 * truth * a - a - truth)
        influence.append((truth * a - 0.5 * f1 * a - 0.5 * f1 * truth) / (0.5 * ea + 0.5 * ez))
    covariances = np.cov(np.array(influence))
    report = hs.report(table, ["accuracy", "f1"], joint=True, method="wald")
    half = report.critical_value * np.sqrt(np.diagonal(covariances) / n)
    assert [row.value for row in report] == pytest.approx(values, abs=1e-14)
    assert [row.low for row in report] == pytest.approx(values - half, abs=1e-12)
    assert [row.high for row in report] == pytest.approx(values + half, abs=1e-12)
    draws = np.random.default_rng(1).multivariate_normal(np.zeros(6), covariances, 400_000)
    largest = np.abs(draws / np.sqrt(np.diagonal(covariances))).max(axis=1)
    assert np.mean(largest < report.critical_value) == pytest.approx(0.95, abs=4 * math.sqrt(0.05 * 0.95 / 400_000))


def test_choice_two_adds_the_blurring_with_the_individual_quantile() -> None:
    """Erratum Y5: D = Σd² z²/(2n) with z, not q; erratum Y6: q from the blurred correlation."""
    table = three_models(150)
    truth, predictions = columns(table)
    n = len(truth)
    report = hs.report(table, "accuracy", joint=True, method="blurred")
    right = (predictions == truth[:, None]).astype(float)
    blurred = np.cov(right.T) + np.diag([6 * Z**2 / (2 * n)] * 3)
    q = float(hs.critical_value(blurred / np.sqrt(np.outer(np.diagonal(blurred), np.diagonal(blurred)))))
    assert report.critical_value == pytest.approx(q, abs=1e-6)
    half = [(row.high - row.low) / 2 for row in report]
    assert half == pytest.approx(q * np.sqrt(np.diagonal(blurred) / n), abs=1e-7)


def test_default_is_each_metrics_own_method_at_the_level_of_the_critical_value() -> None:
    table = three_models(120)
    report = hs.report(table, ["accuracy", "mcc", "f2"], joint=True)
    level = 1 - 2 * norm.sf(report.critical_value)
    for row in report:
        single = hs.estimate(table, row.metric, model=row.model, level=level)
        assert row.method == single.method
        assert row.interval == pytest.approx(single.interval, abs=0.002 if row.metric == "mcc" else 1e-9)  # n − 1 for n


@pytest.mark.parametrize(("metric", "scale"), [("accuracy", "logit"), ("mcc", "atanh"), ("lift", "log")])
def test_a_named_scale_takes_the_same_quantile(metric: str, scale: str) -> None:
    report = hs.report(three_models(120), metric, joint=True, method=scale)
    q = report.critical_value
    for row in report:
        to = {"logit": lambda x: math.log(x / (1 - x)), "atanh": math.atanh, "log": math.log}[scale]
        slope = {"logit": 1 / (row.value * (1 - row.value)), "atanh": 1 / (1 - row.value**2), "log": 1 / row.value}[
            scale
        ]
        assert to(row.low) == pytest.approx(to(row.value) - q * row.se * slope, abs=1e-9)
        assert to(row.high) == pytest.approx(to(row.value) + q * row.se * slope, abs=1e-9)


def test_one_estimate_is_no_family() -> None:
    report = hs.report(hs.counts(tp=30, fp=5, fn=10, tn=55), "f1", joint=True)
    assert report.critical_value == pytest.approx(Z, abs=1e-9)
    assert report.joint
    assert report.rows[0].meaning == "joint"


def test_functions_of_each_other_and_identical_models_add_nothing() -> None:
    """Erratum Y11: F1 and Jaccard of one model have correlation 1, and a copy of a model is the model."""
    table = three_models()
    truth, predictions = columns(table)
    alone = hs.report(table, "f1", models=["a"], joint=True)
    assert hs.report(table, ["f1", "jaccard"], models=["a"], joint=True).critical_value == pytest.approx(
        alone.critical_value, abs=1e-6
    )
    twice = hs.table(truth, {"a": predictions[:, 0], "copy": predictions[:, 0], "b": predictions[:, 1]})
    once = hs.table(truth, {"a": predictions[:, 0], "b": predictions[:, 1]})
    pair = [hs.report(one, ["accuracy", "f1"], joint=True).critical_value for one in (twice, once)]
    assert pair[0] == pytest.approx(pair[1], abs=2e-4)


def test_more_metrics_than_moments() -> None:
    names = ["accuracy", "f1", "f0.5", "f2", "jaccard", "mcc", "kappa", "informedness", "precision", "recall"]
    report = hs.report(three_models(), names, models=["b"], joint=True)
    assert Z < report.critical_value < ndtri(1 - 0.025 / 10)


def test_a_perfect_model_keeps_a_width_and_counts_as_independent() -> None:
    truth = np.array([0, 1] * 30)
    noisy = truth.copy()
    noisy[:9] = 1 - noisy[:9]
    table = hs.table(truth, {"perfect": truth, "noisy": noisy})
    report = hs.report(table, "accuracy", joint=True)
    perfect = report[("perfect", "accuracy")]
    assert perfect.high == 1
    assert 0.85 < perfect.low < 1
    assert report.critical_value == pytest.approx(float(ndtri((1 + math.sqrt(0.95)) / 2)), abs=1e-6)
    wald = hs.report(table, "accuracy", joint=True, method="wald")
    assert wald[("perfect", "accuracy")].interval == (1.0, 1.0)
    assert wald.critical_value == pytest.approx(Z, abs=1e-9)


def test_nothing_but_perfect_models() -> None:
    truth = [0, 1] * 20
    report = hs.report(hs.table(truth, {"p": truth, "q": truth}), ["accuracy", "f1"], joint=True)
    assert all(0.8 < row.low < 1 and row.high == 1 for row in report)


def test_undefined_estimates_stay_in_the_report_and_out_of_the_family() -> None:
    truth = [1, 0, 1, 0, 1, 1] * 10
    table = hs.table(truth, {"never": [0] * 60, "some": [1, 0, 0, 0, 1, 1] * 10})
    report = hs.report(table, ["precision", "accuracy"], joint=True)
    assert math.isnan(report[("never", "precision")].low)
    assert "All 3 (1 more is undefined) hold together" in report.notes[-1]
    assert any(note.kind == "undefined" for note in report[("never", "precision")].notes)


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("kind", ["plain", "weights", "groups", "both"])
def test_covariance_of_a_family(classes: int, kind: str) -> None:
    """The shortcuts (indicators of predictions, merged tables) against the row-by-row covariance."""
    random = np.random.default_rng(classes)
    more = {}
    if kind in ("weights", "both"):
        more["sample_weight"] = random.random(300) + 0.2
    if kind in ("groups", "both"):
        more["groups"] = random.integers(0, 25, 300)
    table = three_models(300, classes=classes, **more)
    metrics = [named(name) for name in ("accuracy", "mcc", "macro_f1", "kappa_quadratic", "recall[1]", "f1[0]")]
    whole = covariance(table, [linearise(table, metric, name) for name in table.models for metric in metrics])
    assert family_of(table, metrics).linearised == pytest.approx(whole, abs=1e-16, rel=1e-10)
    assert family_of(table, metrics).as_textbook().covariances == pytest.approx(whole, abs=1e-16, rel=1e-10)


def test_groups_by_hand() -> None:
    """Cluster-robust covariance and Student's t, from sums of influences within groups."""
    random = np.random.default_rng(7)
    truth, groups = random.integers(0, 2, 200), random.integers(0, 12, 200)
    predictions = {name: np.where(random.random(200) < 0.8, truth, 1 - truth) for name in "ab"}
    report = hs.report(hs.table(truth, predictions, groups=groups), "accuracy", joint=True, method="wald")
    right = np.stack([predictions[name] == truth for name in "ab"], axis=1).astype(float)
    sums = np.array([(right - right.mean(0))[groups == g].sum(0) for g in range(12)])
    expected = sums.T @ sums / 200**2 * 12 / 11
    assert [row.se for row in report] == pytest.approx(np.sqrt(np.diagonal(expected)), rel=1e-12)
    q = hs.critical_value(expected / np.sqrt(np.outer(np.diagonal(expected), np.diagonal(expected))))
    quantile = t.isf(norm.sf(float(q)), 11)
    assert report.critical_value == pytest.approx(quantile, rel=1e-9)
    assert report[0].high - report[0].value == pytest.approx(quantile * report[0].se, rel=1e-9)


def test_table_held_in_pairs_gives_the_same_report() -> None:
    table = three_models(250)
    pairs = joined_pairs({pair: table.pick(*pair) for pair in itertools.combinations(table.models, 2)}, table.models)
    whole, apart = (hs.report(one, ["accuracy", "f1"], joint=True) for one in (table, pairs))
    assert apart.critical_value == pytest.approx(whole.critical_value, abs=1e-9)
    assert [row.low for row in apart] == pytest.approx([row.low for row in whole], abs=1e-12)


def test_multilabel_rows() -> None:
    truth = [{"x"}, {"x", "y"}, {"y"}, set(), {"z"}] * 12
    table = hs.table(truth, {"a": [{"x"}, {"x"}, {"y", "z"}, set(), {"z"}] * 12, "b": truth[1:] + truth[:1]})
    report = hs.report(table, ["micro_f1", "macro_f1", "exact_match"], joint=True)
    assert len(report) == 6
    assert all(row.low <= row.value <= row.high for row in report)


def test_another_method_runs_at_the_matching_single_level() -> None:
    table = three_models()
    report = hs.report(table, "accuracy", joint=True, method="wilson")
    from scipy.stats import norm

    single = hs.estimate(table, "accuracy", model="a", method="wilson", level=1 - 2 * norm.sf(report.critical_value))
    assert report[("a", "accuracy")].interval == pytest.approx(single.interval, abs=1e-12)


def test_a_method_that_does_not_fit_is_refused() -> None:
    with pytest.raises(hs.MethodError, match="'blurred' cannot serve metric 'macro_f1'"):
        hs.report(three_models(classes=3), "macro_f1", joint=True, method="blurred")


def test_single_intervals_side_by_side_say_what_they_are_not() -> None:
    table = three_models()
    kinds = {note.kind for note in hs.report(table, ["accuracy", "f1"]).notes}
    assert kinds == {"overlap"}
    many = ["accuracy", "f1", "f2", "mcc", "kappa", "precision", "recall"]
    notes = {note.kind: note for note in hs.report(table, many).notes}
    assert "With 21 intervals at 95%, expect about one to miss" in notes["family"]
    assert not {note.kind for note in hs.report(table, many, joint=True).notes} & {"family", "overlap"}


def test_moving_rows() -> None:
    """A share is carried by the rows it counts; a macro average by those of the rarest class."""
    table = hs.matrix([[900, 50, 0], [30, 15, 0], [2, 0, 3]], rows="truth")
    one = {name: linearise(table, named(name)) for name in ("accuracy", "recall[2]", "macro_recall")}
    assert one["accuracy"].moving_rows == pytest.approx(1000)
    assert one["recall[2]"].moving_rows == pytest.approx(5)
    assert one["macro_recall"].moving_rows < 20


@pytest.mark.parametrize("joint", [False, True])
def test_a_report_needs_a_model(joint: bool) -> None:
    with pytest.raises(hs.InputError, match="models is empty; name at least one of 'a', 'b', 'c'"):
        hs.report(three_models(), "accuracy", models=[], joint=joint)


def test_the_critical_value_of_grouped_rows_is_the_one_that_was_used() -> None:
    """With 15 groups: Student's t of 14 degrees; half-widths over standard errors tell what the intervals took."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 300)
    guesses = {name: np.where(random.random(300) < share, truth, 1 - truth) for name, share in RIGHT.items()}
    table = hs.table(truth, guesses, groups=random.integers(0, 15, 300))
    made = hs.report(table, ["accuracy", "f1"], joint=True, method="wald")
    for row in made:
        assert (row.high - row.value) / row.se == pytest.approx(made.critical_value, rel=1e-12)
    assert f"critical value {made.critical_value:.4f}, Student's t of 14 degrees" in made.notes[1]
    assert f"a single interval takes {t.ppf(0.975, 14):.4f}" in made.notes[1]
    pairs = hs.compare_all(table, "accuracy", method="wald")
    for pair in pairs:
        assert (pair.high - pair.difference) / pair.se == pytest.approx(pairs.critical_value, rel=1e-12)
    assert f"critical value {pairs.critical_value:.4f}, Student's t of 14 degrees" in pairs.notes[1]


RIGHT = {"a": 0.8, "b": 0.75, "c": 0.7}

"""hs.plan_comparison: Connor's formula, brute-force power of paired and unpaired plans, and every refusal."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import logit
from scipy.stats import norm

import howsure as hs
from howsure.metrics.names import named
from howsure.planning.agreement import paired_shares
from howsure.planning.comparison import _shifted

A = {"prevalence": 0.3, "precision": 0.8, "recall": 0.7}
Z = float(norm.ppf(0.975))


def confusion(prevalence: float, precision: float, recall: float) -> np.ndarray:
    tp = prevalence * recall
    fp = tp / precision - tp
    return np.array([[1 - prevalence - fp, fp], [prevalence - tp, tp]])


def f1_parts(counts: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Return F1 of one model in many tables[truth, a, b], and each cell's influence on it."""
    matrix = counts.sum(axis=3 if axis == 2 else 2)
    tp, fp, fn = matrix[:, 1, 1], matrix[:, 0, 1], matrix[:, 1, 0]
    size = (2 * tp + fp + fn) / counts.sum((1, 2, 3))
    value = 2 * tp / (2 * tp + fp + fn)
    truth, a, b = np.indices((2, 2, 2))
    guess = a if axis == 2 else b
    moved = (2 * truth * guess)[None] - value[:, None, None, None] * (truth + guess)[None]
    return value, moved / size[:, None, None, None]


def f1_tests(shares: np.ndarray, n: int, *, paired: bool, tables: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return simulated differences of F1 and their standard errors: influence by hand, no library code."""
    random = np.random.default_rng(seed)
    first = random.multinomial(n, shares.ravel(), size=tables).reshape(-1, 2, 2, 2)
    second = first if paired else random.multinomial(n, shares.ravel(), size=tables).reshape(-1, 2, 2, 2)
    (value_a, moved_a), (value_b, moved_b) = f1_parts(first, 2), f1_parts(second, 3)
    if paired:
        variance = (first * (moved_b - moved_a) ** 2).sum((1, 2, 3)) / n**2
    else:
        variance = ((first * moved_a**2).sum((1, 2, 3)) + (second * moved_b**2).sum((1, 2, 3))) / n**2
    return value_b - value_a, np.sqrt(variance)


# --- McNemar ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "discordant", "power"), [(0.05, 0.15, 0.8), (0.1, 0.3, 0.9), (-0.02, 0.04, 0.8)])
def test_accuracy_is_connors_formula(gap: float, discordant: float, power: float) -> None:
    made = hs.plan_comparison("accuracy", accuracy=0.8, accuracy_b=0.8 + gap, agreement=1 - discordant, power=power)
    root = Z * math.sqrt(discordant) + norm.ppf(power) * math.sqrt(discordant - gap**2)
    assert made.n == math.ceil(root**2 / gap**2)
    assert made.test == "McNemar"
    assert made.power_at(made.n) >= power > made.power_at(made.n - 1)


def test_recall_is_connors_formula_among_positives() -> None:
    """Errors independent given the truth: discordant positives are r(1−s) + s(1−r)."""
    made = hs.plan_comparison("recall", prevalence=0.2, precision=0.8, recall=0.7, recall_b=0.8)
    discordant = 0.7 * 0.2 + 0.3 * 0.8
    root = Z * math.sqrt(discordant) + norm.ppf(0.8) * math.sqrt(discordant - 0.1**2)
    assert made.n == math.ceil(root**2 / 0.1**2 / 0.2)


@pytest.mark.parametrize("part", [1.0, 0.9])
def test_power_of_mcnemars_test_by_brute_force(part: float) -> None:
    made = hs.plan_comparison("accuracy", accuracy=0.8, accuracy_b=0.85, agreement=0.85)
    n = int(made.n * part)
    drawn = np.random.default_rng(2).multinomial(n, [0.05, 0.10, 0.85], size=40_000)
    power = np.mean(np.abs(drawn[:, 1] - drawn[:, 0]) > Z * np.sqrt(drawn[:, 0] + drawn[:, 1]))
    if part == 1.0:
        assert power == pytest.approx(0.8, abs=0.012)  # Monte-Carlo error 0.002, the lattice of counts the rest
    else:
        assert power < 0.78
    assert power == pytest.approx(made.power_at(n), abs=0.012)


# --- F1 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("design", ["paired, agreement 0.9", "paired, independent", "unpaired"])
def test_power_for_f1_by_brute_force(design: str) -> None:
    agreement, paired = (0.9 if "0.9" in design else None), design != "unpaired"
    made = hs.plan_comparison("f1", recall_b=0.78, precision_b=0.84, agreement=agreement, paired=paired, **A)
    shares = paired_shares(confusion(**A), confusion(0.3, 0.84, 0.78), agreement)
    assert made.difference == pytest.approx(2 * 0.84 * 0.78 / 1.62 - 2 * 0.8 * 0.7 / 1.5, rel=1e-12)
    for n, low, high in ((made.n, 0.785, 0.815), (int(0.9 * made.n), 0.0, 0.78)):
        gap, error = f1_tests(shares, n, paired=paired, tables=20_000, seed=3)
        power = np.mean(np.abs(gap) > Z * error)
        assert low < power < high
        assert power == pytest.approx(made.power_at(n), abs=0.015)


def test_non_inferiority_by_brute_force() -> None:
    made = hs.plan_comparison("f1", difference=0.0, margin=0.03, agreement=0.9, **A)
    shares = paired_shares(confusion(**A), confusion(**A), 0.9)
    for n, low, high in ((made.n, 0.785, 0.815), (int(0.9 * made.n), 0.0, 0.78)):
        gap, error = f1_tests(shares, n, paired=True, tables=20_000, seed=4)
        assert low < np.mean(gap + 0.03 > norm.ppf(0.95) * error) < high


def test_non_inferiority_of_an_error_rate_points_the_other_way() -> None:
    rate, right = (
        hs.plan_comparison(name, accuracy=0.8, accuracy_b=0.79, agreement=0.9, margin=0.03)
        for name in ("error_rate", "accuracy")
    )
    assert rate.n == right.n
    assert rate.difference == pytest.approx(0.01)
    assert rate.power_at(rate.n) == pytest.approx(right.power_at(right.n))


def test_a_difference_alone_moves_model_b_on_the_logit_scale() -> None:
    made = hs.plan_comparison("f1", difference=0.04, agreement=0.9, **A)
    start = confusion(**A)
    rates = np.array([start[1, 1] / 0.3, start[0, 0] / 0.7])

    def f1(step: float) -> float:
        recall, specificity = 1 / (1 + (1 - rates) / rates * math.exp(-step))
        return float(0.6 * recall / (0.3 * recall + 0.3 + 0.7 * (1 - specificity)))

    steps = np.linspace(0, 2, 200_001)
    step = steps[int(np.argmin([abs(f1(s) - f1(0) - 0.04) for s in steps[::100]])) * 100]
    recall, specificity = 1 / (1 + (1 - rates) / rates * math.exp(-step))
    second = np.array([[0.7 * specificity, 0.7 * (1 - specificity)], [0.3 * (1 - recall), 0.3 * recall]])
    gap, error = f1_tests(paired_shares(start, second, 0.9), made.n, paired=True, tables=20_000, seed=5)
    assert np.mean(np.abs(gap) > Z * error) == pytest.approx(0.8, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["f1", "mcc", "accuracy"])
def test_power_of_the_comparison_that_will_be_run(metric: str) -> None:
    """The default of hs.compare at the planned n: its p-value is below 0.05 as often as planned."""
    made = hs.plan_comparison(metric, recall_b=0.8, precision_b=0.86, agreement=0.9, **A)
    shares = paired_shares(confusion(**A), confusion(0.3, 0.86, 0.8), 0.9)
    truth, a, b = (part.ravel() for part in np.indices((2, 2, 2)))
    hits = 0
    for drawn in np.random.default_rng(6).multinomial(made.n, shares.ravel(), size=300):
        rows = [np.repeat(part, drawn) for part in (truth, a, b)]
        hits += hs.compare(hs.table(rows[0], {"a": rows[1], "b": rows[2]}), metric).p_value < 0.05
    assert hits / 300 == pytest.approx(0.8, abs=0.07)  # three Monte-Carlo errors


# --- pilots, several models, clusters, the reverse -------------------------------------------------------------------


def test_a_pilot_is_its_own_paired_table() -> None:
    counts = np.array([[[400, 30], [20, 50]], [[40, 45], [15, 200]]])
    rows = [np.repeat(part.ravel(), counts.ravel()) for part in np.indices((2, 2, 2))]
    table = hs.table(rows[0], {"a": rows[1], "b": rows[2]})
    found = hs.compare(table, "f1", method="wald")
    made = hs.plan_comparison("f1", pilot=table)
    assert made.difference == pytest.approx(found.difference, rel=1e-12)
    assert made.variance == pytest.approx(found.se**2 * 800, rel=1e-12)
    assert made.n == math.ceil((Z + norm.ppf(0.8)) ** 2 * found.se**2 * 800 / found.difference**2)
    assert hs.plan_comparison("f1", pilot=counts).n == made.n


def test_macro_f1_from_a_pilot_of_three_classes() -> None:
    random = np.random.default_rng(8)
    truth = random.integers(0, 3, 600)
    a, b = (np.where(random.uniform(size=600) < skill, truth, random.integers(0, 3, 600)) for skill in (0.6, 0.7))
    table = hs.table(truth, {"a": a, "b": b})
    found = hs.compare(table, "macro_f1", method="wald")
    made = hs.plan_comparison("macro_f1", pilot=table, difference=0.02)
    assert made.n == math.ceil((Z + norm.ppf(0.8)) ** 2 * found.se**2 * 600 / 0.02**2)


def test_several_models_need_more() -> None:
    """Šidák's quantile; against one baseline the joint one is smaller (Dunnett: 2.349 for three)."""
    one, sidak, joint = (
        hs.plan_comparison("f1", difference=0.03, agreement=0.9, comparisons=k, correlation=r, **A)
        for k, r in ((1, None), (3, None), (3, 0.5))
    )
    assert sidak.critical == pytest.approx(norm.ppf(1 - (1 - 0.95 ** (1 / 3)) / 2), rel=1e-12)
    assert joint.critical == pytest.approx(2.349, abs=1e-3)
    assert one.n < joint.n < sidak.n
    several = hs.plan_comparison("f1", difference=0.0, margin=0.03, agreement=0.9, comparisons=3, **A)
    assert several.critical == pytest.approx(norm.ppf(1 - 0.05 / 3), rel=1e-12)


def test_clusters_multiply() -> None:
    plain = hs.plan_comparison("f1", difference=0.03, agreement=0.9, **A)
    made = hs.plan_comparison("f1", difference=0.03, agreement=0.9, cluster_size=11, icc=0.1, **A)
    assert made.n == pytest.approx(2 * plain.n, abs=2)
    assert made.n_clusters == math.ceil(made.n / 11)
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 500)
    a, b = (np.where(random.uniform(size=500) < 0.8, truth, 1 - truth) for _ in range(2))
    table = hs.table(truth, {"a": a, "b": b}, groups=np.repeat(np.arange(100), 5))
    alone, together = (hs.compare(one, "f1", method="wald").se for one in (table.without_groups(), table))
    made = hs.plan_comparison("f1", pilot=table, difference=0.1)
    assert made.clusters.design_effect == pytest.approx(max((together / alone) ** 2, 1.0), rel=1e-9)


def test_the_reverse() -> None:
    forward = hs.plan_comparison("f1", difference=0.03, agreement=0.9, **A)
    back = hs.plan_comparison("f1", n=forward.n, agreement=0.9, **A)
    assert back.difference == pytest.approx(0.03, rel=1e-3)
    power = hs.plan_comparison("f1", n=forward.n, difference=0.03, agreement=0.9, **A)
    assert power.power == pytest.approx(0.8, abs=2e-4)
    half = hs.plan_comparison("f1", n=forward.n // 2, difference=0.03, agreement=0.9, **A)
    assert half.power == pytest.approx(norm.cdf((Z + norm.ppf(0.8)) / math.sqrt(2) - Z), abs=1e-3)
    assert dict(forward.curve([forward.n // 2]))[forward.n // 2] == pytest.approx(half.power, abs=1e-9)


def test_agreement_and_both_performances_come_out() -> None:
    first, second = confusion(**A), confusion(0.3, 0.84, 0.78)
    for agreement in (0.75, 0.8, 0.85, 0.9, 0.95):
        shares = paired_shares(first, second, agreement)
        assert np.einsum("zkk->", shares) == pytest.approx(agreement)
        assert shares.sum(2) == pytest.approx(first)
        assert shares.sum(1) == pytest.approx(second)
        assert (shares >= 0).all()


def test_the_plan_says_itself_and_draws_itself() -> None:
    made = hs.plan_comparison("accuracy", accuracy=0.8, accuracy_b=0.85, agreement=0.85)
    assert repr(made) == "accuracy: 469 shared rows to detect a difference of 0.0500 with power 0.8 at 95%"
    assert made.paragraph == (
        "We plan 469 labelled rows (the same rows for both models) to detect a difference of 0.0500 in accuracy with "
        "power 0.8 at the 95% level (McNemar test). Assumptions: the models agree on 85% of rows; the difference of "
        f"one row has standard deviation {math.sqrt(0.15 - 0.05**2):.4f}. Computed with howsure {hs.__version__}."
    )
    assert json.loads(made.to_json())["n"] == 469
    pytest.importorskip("matplotlib")
    from howsure.reports.figures.canvas import caption_of

    axes = made.plot(sizes=[200, 469, 900])
    assert caption_of(axes) == "95% level, McNemar test, paired."
    assert axes.lines[0].get_ydata()[1] == pytest.approx(made.power_at(469))


REFUSALS: dict[str, tuple[dict[str, Any], str]] = {
    "no margin": ({"difference": 0.0, "margin": 0.0}, "margin is 0.0; it must be a finite number larger than 0"),
    "power": ({"difference": 0.02, "power": 1.0}, "power is 1.0; it must lie strictly between 0 and 1, such as 0.8"),
    "power below the level": (
        {"difference": 0.02, "power": 0.05},
        "power is 0.05, not above 1 − level = 0.05, which needs no data; ask for more",
    ),
    "nothing asked": ({}, "give difference= (then n is found), b's own performance, or n= (the difference is found)"),
    "no difference": ({"difference": 0.0}, "difference is 0.0; it must be a finite number other than 0"),
    "the same model": (
        {"recall_b": 0.7},
        "difference is 0 as planned: no number of rows can show it; plan for a difference",
    ),
    "beyond the margin": (
        {"difference": -0.05, "margin": 0.03},
        "difference is -0.05, beyond the margin 0.03: no number of rows can show it",
    ),
    "too far": (
        {"difference": 0.5},
        "difference is 0.5; f1 cannot move that far from the performance of model a; ask for less, or give the "
        "performance of both",
    ),
    "agreement": (
        {"recall_b": 0.9, "agreement": 0.99},
        "agreement is 0.99; with these performances it lies between 0.7600 (errors apart as far as possible) and "
        "0.9250 (errors shared as far as possible)",
    ),
    "margin": ({"difference": 0.1, "margin": -1}, "margin is -1; it must be a finite number larger than 0"),
    "comparisons": ({"difference": 0.1, "comparisons": 0}, "comparisons is 0; it must be a whole number, 1 or larger"),
    "correlation": (
        {"difference": 0.1, "comparisons": 2, "correlation": 1},
        "correlation is 1; it must be from 0 to below 1, such as 0.5 for one baseline",
    ),
    "accuracy for f1": (
        {"accuracy": 0.8, "difference": 0.1},
        "accuracy says too little about 'f1'; give precision=, recall= and prevalence=, or a pilot",
    ),
    "n": ({"n": 1}, "n is 1; it must be a whole number, 2 or larger"),
    "two differences": (  # f1 of b is 0.9, of a 2·0.8·0.7/1.5 = 0.7467
        {"difference": 0.02, "precision_b": 0.9, "recall_b": 0.9},
        "difference is 0.02, but the performances of a and b differ by 0.1533 in f1; leave out the difference, or the "
        "performance of b",
    ),
    "agreement of different rows": (
        {"difference": 0.02, "agreement": 0.9, "paired": False},
        "agreement is 0.9, but the plan is for two separate test sets, which share no rows to agree on; leave "
        "agreement out, or plan for the same rows",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    given, message = REFUSALS[name]
    with pytest.raises(hs.InputError) as caught:
        hs.plan_comparison("f1", **{**A, **given})
    assert str(caught.value) == message


RATES_OF_A_PILOT = ("prevalence", "precision", "recall_b", "specificity", "accuracy", "accuracy_b", "agreement")


@pytest.mark.parametrize("name", RATES_OF_A_PILOT)
def test_a_pilot_takes_no_rates_beside_it(name: str) -> None:
    with pytest.raises(hs.InputError) as caught:
        hs.plan_comparison("f1", pilot=np.full((2, 2, 2), 9), difference=0.1, **{name: 0.8})
    told = f"pilot and {name} were both given; the pilot says what to expect, so leave {name} out"
    assert str(caught.value) == told


def test_a_difference_that_is_the_one_of_both_performances_is_no_contradiction() -> None:
    made = hs.plan_comparison("accuracy", difference=0.05, accuracy=0.8, accuracy_b=0.85, agreement=0.85)
    assert made.n == 469  # as without it


OF_TWO = "it must be a table of two models, or counts[truth, a, b] with K entries a side, zero or larger"
BAD_PILOTS: dict[str, tuple[Callable[[], object], str]] = {
    "one model": (
        lambda: hs.counts(tp=1, fp=1, fn=1, tn=1),
        "pilot holds 1 model: 'model'; a comparison is planned from two: pick them with table.pick(a, b)",
    ),
    "a matrix": (lambda: [[1, 2], [3, 4]], f"pilot has the shape (2, 2); {OF_TWO}"),
    "negative": (lambda: -np.ones((2, 2, 2)), f"pilot holds a count below 0 or missing; {OF_TWO}"),
    "nothing": (lambda: np.zeros((2, 2, 2)), f"pilot holds no rows; {OF_TWO}"),
    "words": (lambda: {"tp": 1}, f"pilot is {{'tp': 1}}; {OF_TWO}"),
}


@pytest.mark.parametrize("name", BAD_PILOTS)
def test_bad_pilots(name: str) -> None:
    pilot, message = BAD_PILOTS[name]
    with pytest.raises(hs.InputError) as caught:
        hs.plan_comparison("f1", pilot=pilot(), difference=0.1)
    assert str(caught.value) == message


@pytest.mark.parametrize("n", [60, 80])
def test_a_difference_that_nearly_reaches_the_end_of_the_range_is_found(n: int) -> None:
    """Two test sets: d = (z₀.₉₇₅ + z₀.₈)·√((0.85·0.15 + p(1−p))/n), p = 0.85 + d; from d = 0 it points beyond 0.15."""
    factor = Z + float(norm.ppf(0.8))

    def short(d: float) -> float:
        return float(factor * math.sqrt((0.85 * 0.15 + (0.85 + d) * (0.15 - d)) / n) - d)

    assert short(0.0) > 0.15
    made = hs.plan_comparison("accuracy", n=n, paired=False, accuracy=0.85)
    assert made.difference == pytest.approx(brentq(short, 0.0, 0.15), abs=1e-8)


def test_too_few_rows_for_any_rise_are_refused_with_the_room_there_is() -> None:
    with pytest.raises(hs.InputError, match=r"n is 30; so few rows detect no rise of accuracy .* at most 0\.15; plan"):
        hs.plan_comparison("accuracy", n=30, paired=False, accuracy=0.85)


def test_the_other_model_moves_both_rates_equally_on_the_logit_scale() -> None:
    first = np.array([[0.63, 0.07], [0.06, 0.24]])  # prevalence 0.3, recall 0.8, specificity 0.9
    second = _shifted(named("f1"), first, 0.04)
    assert second.sum(1) == pytest.approx([0.7, 0.3])
    moved = logit([second[1, 1] / 0.3, second[0, 0] / 0.7]) - logit([0.8, 0.9])
    assert moved[0] == pytest.approx(moved[1], rel=1e-9)
    assert moved[0] > 0
    f1 = [2 * cells[1, 1] / (2 * cells[1, 1] + cells[0, 1] + cells[1, 0]) for cells in (first, second)]
    assert f1[1] - f1[0] == pytest.approx(0.04, abs=1e-9)


def test_the_name_of_the_positive_class_changes_no_plan() -> None:
    """The positive class may come first or last among the labels."""
    random = np.random.default_rng(8)
    truth = random.random(400) < 0.3
    said = [np.where(random.random(400) < right, truth, ~truth) for right in (0.75, 0.9)]
    plans = []
    for names in (["no", "yes"], ["other", "most"]):
        columns = [np.array(names)[part.astype(int)] for part in (truth, *said)]
        table = hs.table(columns[0], {"a": columns[1], "b": columns[2]}, pos_label=names[1])
        plans.append(hs.plan_comparison("precision", pilot=table, power=0.8))
    assert plans[0].n == plans[1].n

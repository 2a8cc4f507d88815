"""Wang & Li (2019), Tables 2 to 5: credible intervals and probabilities from the authors' counts."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, special

from howsure.numerics.share_difference import monte_carlo_probability, probability_greater
from howsure.numerics.share_posterior import SharePosterior
from papers.wang2019_counts import COUNTS

FACTOR = 0.368802110327923733  # E[1/(1 + rho1 + 4 rho2)], eq. 22; erratum W7
METRICS = ("P", "R", "F1")

# Table 2, per cent: (task, metric) -> interval of A, interval of B
TABLE_2 = {
    ("CWS", "P"): ((95.55, 95.62), (95.60, 95.67)),
    ("CWS", "R"): ((95.04, 95.11), (95.16, 95.23)),
    ("CWS", "F1"): ((95.30, 95.36), (95.39, 95.44)),
    ("NER", "P"): ((90.59, 91.30), (90.70, 91.41)),
    ("NER", "R"): ((87.69, 88.48), (87.78, 88.57)),
    ("NER", "F1"): ((89.21, 89.77), (89.32, 89.87)),
    ("ORG", "P"): ((91.37, 92.86), (91.85, 93.31)),
    ("ORG", "R"): ((64.89, 67.11), (64.45, 66.68)),
    ("ORG", "F1"): ((76.06, 77.74), (75.93, 77.61)),
}
# Printed truncated where all others are rounded (erratum W9): (task, metric, model, end)
TRUNCATED = {("CWS", "R", 0, 1): 95.118, ("NER", "P", 1, 0): 90.7096}

# Tables 3 to 5: printed P(H0), and its exact value (erratum W9)
P_H0 = {
    ("CWS", "P"): (0.024, "0.0240917"),
    ("CWS", "R"): (0.001, "1.46112e-05"),
    ("CWS", "F1"): (0.001, "8.67761e-06"),
    ("NER", "P"): (0.321, "0.3200702"),
    ("NER", "R"): (0.372, "0.3725673"),
    ("NER", "F1"): (0.300, "0.3002026"),
    ("ORG", "P"): (0.191, "0.1902533"),
    ("ORG", "R"): (0.706, "0.7050395"),
    ("ORG", "F1"): (0.587, "0.5873356"),
}


def posterior(task: str, model: str, metric: str, prior: float = 1.0) -> SharePosterior:
    tp, fp, fn = FACTOR * np.sum(COUNTS[task][model], axis=0)
    if metric == "P":
        return SharePosterior(tp + prior, fp + prior)
    if metric == "R":
        return SharePosterior(tp + prior, fn + prior)
    return SharePosterior(tp + prior, fp + fn + 2 * prior, weight=0.5)


def test_the_factor_is_the_closed_form_of_eq_22() -> None:
    x = [k * math.log(k) for k in (3.5, 2.5, 3.0, 2.0)]
    assert 2 * (x[0] - x[1] - x[2] + x[3]) == pytest.approx(FACTOR, abs=1e-14)


@pytest.mark.parametrize(("task", "metric"), TABLE_2)
def test_table_2(task: str, metric: str) -> None:
    for index, model in enumerate("AB"):
        ends = posterior(task, model, metric).interval(0.95)
        for side in (0, 1):
            printed, percent = TABLE_2[task, metric][index][side], 100 * ends[side]
            if (task, metric, index, side) in TRUNCATED:
                exact = TRUNCATED[task, metric, index, side]
                assert percent == pytest.approx(exact, abs=6e-4)
                assert math.floor(100 * percent) / 100 == printed
            else:
                assert round(percent, 2) == printed


@pytest.mark.parametrize(("task", "metric"), P_H0)
def test_tables_3_to_5(task: str, metric: str) -> None:
    printed, exact = P_H0[task, metric]
    p_h1, p_h0 = probability_greater(posterior(task, "B", metric), posterior(task, "A", metric))
    digits = len(exact.split("e")[0].replace(".", "").lstrip("0"))
    assert f"{p_h0:.{digits}g}" == exact
    assert p_h0 == pytest.approx(printed, abs=0.00101)  # the paper's own Monte-Carlo error and rounding
    assert p_h0 + p_h1 == 1.0
    assert (p_h0 >= p_h1) == (task == "ORG" and metric in ("R", "F1"))  # the printed decisions; W1: not line 17


def test_the_papers_own_million_draws_agree_with_the_quadrature() -> None:
    b, a = posterior("CWS", "B", "P"), posterior("CWS", "A", "P")
    estimate, error = monte_carlo_probability(b, a)
    assert abs(estimate - probability_greater(b, a).greater) < 4 * error < 0.001


def test_the_held_counts_are_the_published_ones(shared_data: Path) -> None:
    with (shared_data / "bcv3x2-counts" / "counts.csv").open() as file:
        rows = [(r["task"], r["model"], int(r["tp"]), int(r["fp"]), int(r["fn"])) for r in csv.DictReader(file)]
    ours = [(task, model, *six) for task, models in COUNTS.items() for model in models for six in models[model]]
    assert sorted(rows) == sorted(ours)
    assert len(ours) == 36


@pytest.mark.parametrize("law", [SharePosterior(11, 5), SharePosterior(11, 5, 0.5), SharePosterior(3.5, 1.25, 0.5)])
def test_densities_integrate_to_one(law: SharePosterior) -> None:
    # Eqs. 25 and 26 lack a -1 in both exponents and give 0.20 for (11, 5): W3.
    assert integrate.quad(law.pdf, 0, 1, epsabs=1e-12)[0] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(("tp", "fp", "fn"), [(9, 4, 3), (120.25, 30.5, 11.0), (0.0, 2.0, 1.0), (3.0, 0.0, 0.0)])
def test_eq_27(tp: float, fp: float, fn: float) -> None:
    a, b, t = fp + fn + 2, tp + 1, np.linspace(0.01, 0.99, 99)
    eq_27 = 2**a * (1 - t) ** (a - 1) * (2 - t) ** (-a - b) * t ** (b - 1) / special.beta(a, b)
    np.testing.assert_allclose(SharePosterior(b, a, weight=0.5).pdf(t), eq_27, rtol=1e-11)


def test_eq_30_and_the_order_of_its_quantiles() -> None:
    tp, wrong = 77, 54
    low, high = SharePosterior(tp + 1, wrong + 2, weight=0.5).interval(0.95)
    quantile = {p: (lambda u: u / (1 - u))(special.betaincinv(wrong + 2, tp + 1, p)) for p in (0.025, 0.975)}
    assert low == pytest.approx(2 / (2 + quantile[0.975]), abs=1e-13)
    assert high == pytest.approx(2 / (2 + quantile[0.025]), abs=1e-13)


def test_modes_of_eqs_5_and_6() -> None:
    assert SharePosterior(78, 45).mode == pytest.approx(77 / 121, abs=1e-14)


def test_a_prior_of_one_is_not_flat_on_f1() -> None:
    # W4: before any data the Jaccard share is Beta(1, 2) and the mean of F1 is 6 - 8 log 2.
    assert SharePosterior(1, 2, weight=0.5).mean == pytest.approx(6 - 8 * math.log(2), abs=1e-14)


@pytest.mark.parametrize(
    ("prior", "n", "printed"),
    [(1.0, 25, 0.705), (1.0, 50, 0.819), (1.0, 100, 0.874), (0.5, 25, 0.926), (0.5, 50, 0.944), (0.5, 100, 0.954)],
)
def test_exact_coverage_near_one(prior: float, n: int, printed: float) -> None:
    """W4: F1 = 0.97 at prevalence 0.3; only tp and fp + fn matter, so enumerate both."""
    f1, prevalence = 0.97, 0.3
    share = f1 / (2 - f1)
    relevant = prevalence * f1 / share
    covered = 0.0
    for tp in range(n + 1):
        for wrong in range(min(n - tp, 60) + 1):
            total = tp + wrong
            chance = special.binom(n, total) * relevant**total * (1 - relevant) ** (n - total)
            chance *= special.binom(total, tp) * share**tp * (1 - share) ** wrong
            if chance > 1e-9:
                below = SharePosterior(tp + prior, wrong + 2 * prior, weight=0.5).cdf(f1)
                covered += chance * (0.025 <= below <= 0.975)
    assert covered == pytest.approx(printed, abs=6e-4)

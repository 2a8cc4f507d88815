"""Jiang (2020): the table of V, the sample sizes of section 2.3, and section 2.4 by simulation and exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

import howsure as hs
from howsure.results.coverage import PaperRow
from howsure.studies.papers import jiang2020


def by_cell(rows: list[PaperRow]) -> dict[str, PaperRow]:
    return {row.cell: row for row in rows}


def test_section_2_3_to_the_printed_digits() -> None:
    for row in jiang2020.example_rows():
        digits = len(f"{row.printed:g}".split(".")[1]) if row.printed < 1 else 0
        assert round(row.ours, max(digits, 3)) == row.printed, row


@pytest.mark.parametrize("heavier", [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.4, 3.0])
def test_largest_variance_is_the_maximum(heavier: float) -> None:
    d = 1 - heavier
    found = minimize_scalar(
        lambda t: -t * (1 - t) * (1 - d * t) ** 2, bounds=(0, 1), method="bounded", options={"xatol": 1e-12}
    )
    assert jiang2020.largest_variance(heavier) == pytest.approx(-found.fun, rel=1e-10)


def test_table_of_v() -> None:
    rows = list(jiang2020.bound_rows())
    assert [round(row.ours, 4) for row in rows] == [0.1549, 0.1695, 0.1861, 0.2050, 0.2262]
    assert all(abs(row.difference) <= 0.00005 for row in rows)


def test_sample_sizes() -> None:
    """Erratum J4: 16665 without rounding V, 16004 without rounding the standard error to 0.01."""
    rows = by_cell(list(jiang2020.size_rows()))
    assert rows["positives, s.e. 0.01"].ours == 10249
    assert rows["n, s.e. 0.01"].ours == 16665
    assert rows["n, half width 0.02"].ours == 16004
    assert "J4" in rows["n, half width 0.02"].note


def test_population_of_section_2_4() -> None:
    """Z ~ Bernoulli(0.5), A = I(S > 1), S|Z ~ N(2.5 Z, 1); erratum J7: the exact F0.5 is 0.8693168."""
    hit, alarm = norm.sf(1, loc=2.5), norm.sf(1)
    cells = [jiang2020.MODEL[cell] for cell in ("tp", "fp", "fn", "tn")]
    assert cells == pytest.approx([hit / 2, alarm / 2, (1 - hit) / 2, (1 - alarm) / 2], rel=1e-14)
    row = next(jiang2020.model_rows())
    assert round(row.ours, 7) == 0.8693168
    assert row.printed == 0.8691099


@pytest.fixture(scope="module")
def model() -> dict[str, PaperRow]:
    return by_cell(list(jiang2020.model_rows()))


def test_mean_and_spread_of_the_estimates(model: dict[str, PaperRow]) -> None:
    """Exact, against 10⁴ samples in print: 4 standard errors, sd/√10⁴ for the mean and sd/√(2·10⁴) for the spread."""
    spread = model["s.d. of the estimates"].ours
    assert abs(model["mean of the estimates"].difference) < 4 * spread / 100
    assert abs(model["s.d. of the estimates"].difference) < 4 * spread / math.sqrt(2e4)
    # The standard error varies by some 3.5 % from sample to sample, its mean by a hundredth of that.
    assert abs(model["mean standard error"].difference) < 4 * 0.04 * spread / 100


def test_exact_moments_against_simulated_samples(model: dict[str, PaperRow]) -> None:
    rng = np.random.default_rng(0)
    tp, fp, fn, _ = rng.multinomial(1000, list(jiang2020.MODEL.values()), size=200_000).T
    index = tp / (tp + 0.8 * fp + 0.2 * fn)
    assert model["mean of the estimates"].ours == pytest.approx(index.mean(), abs=5 * index.std() / math.sqrt(2e5))
    assert model["s.d. of the estimates"].ours == pytest.approx(index.std(), rel=5 / math.sqrt(4e5))


def test_coverage_by_simulation_and_exactly(model: dict[str, PaperRow]) -> None:
    """Erratum J7: 0.9478 (10⁶ replicates), printed 0.9455 from 10⁴: one standard error of print is 0.0023."""
    rows = by_cell(list(jiang2020.coverage_rows(replicates=60_000, seed=1)))
    exact, drawn = rows["coverage, exact"], rows["coverage, simulated"]
    assert exact.se is None
    assert abs(exact.ours - drawn.ours) < 4 * drawn.se
    assert exact.ours == pytest.approx(0.9478, abs=0.00005 + 4 * math.sqrt(0.0495 / 1e6))
    assert abs(exact.difference) < 2.5 * 0.0023
    assert abs(model["coverage of the printed F0.5"].difference) < 2.5 * 0.0023


def test_section_2_4_is_a_study_anyone_can_run() -> None:
    row = hs.study("f0.5", "wald", jiang2020.MODEL, 1000)
    assert row[0].truth == pytest.approx(0.8693168, abs=5e-8)

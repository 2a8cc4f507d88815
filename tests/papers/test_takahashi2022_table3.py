"""Takahashi et al. (2022), Table 3: coverage of the Wald interval for micro F1, macro F1 and macro F1*."""

from __future__ import annotations

import math

import pytest
from scipy.stats import binom

import howsure as hs
from howsure.results.coverage import PaperRow
from howsure.studies.papers import takahashi2022

QUICK = 20_000


def cells(metric: str, sizes: tuple[int, ...], **options: object) -> list[PaperRow]:
    return list(takahashi2022.table_3_rows(takahashi2022.simulation_study(sizes, (metric,), **options)))


def test_micro_f1_is_exact_for_every_n() -> None:
    """All 18 cells; the paper's 10⁶ replicates and three digits allow 0.0005 plus 3.5 standard errors."""
    rows = cells("micro_f1", takahashi2022.SIZES)
    assert len(rows) == 18
    assert all(row.se is None for row in rows)
    for row in rows:
        assert abs(row.difference) <= 0.0005 + 3.5 * math.sqrt(0.95 * 0.05 / 1e6), row


@pytest.mark.parametrize(("scenario", "share"), [("scenario 1", 0.8), ("scenario 2", 0.72), ("scenario 3", 0.48)])
def test_micro_f1_equals_a_sum_over_the_binomial(scenario: str, share: float) -> None:
    """Micro F1 is accuracy, so its coverage is a sum over the number of right rows."""
    n, z = 50, 1.959963984540054
    expected = sum(
        binom.pmf(right, n, share)
        for right in range(n + 1)
        if abs(right / n - share) <= z * math.sqrt(right / n * (1 - right / n) / n)
    )
    row = hs.study("micro_f1", "wald", takahashi2022.SCENARIOS[scenario], n)[0]
    assert row.coverage == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("metric", ["macro_f1", "macro_f1_star"])
def test_macro_averages_within_monte_carlo_error(metric: str) -> None:
    """n = 25, 50, 100, 500 in three scenarios, given that the average is defined (erratum T6)."""
    for row in cells(metric, (25, 50, 100, 500), replicates=QUICK, seed=1):
        assert abs(row.difference) <= 0.0005 + 4 * row.se, row


def test_counting_undefined_samples_as_misses_does_not_fit() -> None:
    """Erratum T6: macro F1* at n = 25 would be 0.646 in scenario 2 and 0.706 in scenario 3."""
    found = takahashi2022.simulation_study((25,), ("macro_f1_star",), replicates=QUICK)["macro_f1_star"]
    for scenario, misses, defined in (("scenario 2", 0.646, 0.835), ("scenario 3", 0.706, 0.860)):
        (row,) = found.where(population=scenario)
        assert 1 - row.undefined == pytest.approx(defined, abs=0.012)
        assert row.coverage * (1 - row.undefined) == pytest.approx(misses, abs=0.014)


def test_only_the_first_row_of_table_4_can_be_recomputed() -> None:
    rows = list(takahashi2022.table_4_rows())
    assert len(rows) == 36
    for row in rows:
        if row.cell.startswith("MNN"):
            assert round(row.ours, 3) == row.printed, row
        else:
            assert row.ours is None
            assert row.difference is None
            assert row.note == takahashi2022.NOT_GIVEN


def test_sections_2_and_3_to_the_printed_digits() -> None:
    rows = list(takahashi2022.example_rows())
    assert len(rows) == 16 + 9
    for row in rows:
        digits = len(f"{row.printed:g}".split(".")[1])
        assert round(row.ours, max(digits, 2)) == row.printed, row


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["macro_f1", "macro_f1_star"])
def test_every_cell_with_a_quarter_million_replicates(metric: str) -> None:
    for row in cells(metric, takahashi2022.SIZES, replicates=250_000, seed=2):
        if row.note == takahashi2022.PRINTED_SLIP:
            # Erratum T7: printed 0.947, right 0.9488.
            assert abs(row.ours - 0.9488) <= 4 * row.se
            assert row.difference > 3 * row.se
        else:
            assert abs(row.difference) <= 0.0005 + 4 * row.se, row


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["macro_f1", "macro_f1_star"])
def test_n_25_by_enumerating_all_13_9_million_tables(metric: str) -> None:
    """The paper's own Monte-Carlo error is the only one left: 3.5 standard errors of 10⁶ replicates, and rounding."""
    found = takahashi2022.simulation_study((25,), (metric,), exact=True)
    rows = list(takahashi2022.table_3_rows(found))
    assert len(rows) == 3
    for row in rows:
        assert row.se is None
        assert abs(row.difference) <= 0.0005 + 3.5 * math.sqrt(row.ours * (1 - row.ours) / 0.8e6), row
    if metric == "macro_f1_star":
        defined = [1 - found[metric].where(population=f"scenario {k}")[0].undefined for k in (2, 3)]
        assert [round(value, 3) for value in defined] == [0.835, 0.860]

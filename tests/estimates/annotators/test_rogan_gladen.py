"""A rate corrected for a judge's errors: against R, by simulation, and its refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from references.stored import stored


@pytest.mark.parametrize("row", stored("prevalence_limits"), ids=lambda row: f"{row['judged']} of {row['n']}")
def test_limits_by_r(row: dict[str, str]) -> None:
    n = {name: int(row[name]) for name in ("judged", "n", "found", "positives", "right", "negatives")}
    found = hs.rogan_gladen(
        judged=n["judged"], n=n["n"], sensitivity=(n["found"], n["positives"]),
        specificity=(n["right"], n["negatives"]), level=float(row["level"]),
    )  # fmt: skip
    assert (found.low, found.high) == pytest.approx((float(row["low"]), float(row["high"])), abs=2e-9)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_the_value_undoes_what_the_judge_did() -> None:
    for rate in (0.1, 0.5, 0.8):
        seen = rate * 0.9 + (1 - rate) * 0.2
        found = hs.rogan_gladen(judged=round(seen * 10**6), n=10**6, sensitivity=0.9, specificity=0.8)
        assert found.value == pytest.approx(rate, abs=1e-6)
        assert found.se == pytest.approx(np.sqrt(seen * (1 - seen) / 10**6) / 0.7, rel=1e-4)


def test_the_standard_error_is_the_delta_methods() -> None:
    """JUDGES, formulas: n·V of a rate of 0.8, Se = Sp = 0.9, judge on very many rows, 0.2·n and 0.8·n rows behind."""
    n = 10**6
    found = hs.rogan_gladen(judged=740_000_000, n=10**9, sensitivity=(720_000, 800_000), specificity=(180_000, 200_000))
    assert found.se**2 * n == pytest.approx(0.141, abs=5e-4)


def test_coverage() -> None:
    rng = np.random.default_rng(4)
    for rate, se, sp, rows in ((0.3, 0.85, 0.8, 60), (0.8, 0.9, 0.9, 40), (0.05, 0.8, 0.95, 80)):
        hit, size = 0, 1500
        for _ in range(size):
            judged = rng.binomial(400, rate * se + (1 - rate) * (1 - sp))
            counts = (rng.binomial(rows, se), rows), (rng.binomial(rows, sp), rows)
            found = hs.rogan_gladen(judged=int(judged), n=400, sensitivity=counts[0], specificity=counts[1])
            hit += found.low <= rate <= found.high
        assert hit / size > 0.935  # 0.95 less 2.6 standard errors of the simulation


def test_it_says_what_it_assumes_and_what_is_impossible() -> None:
    found = hs.rogan_gladen(judged=15, n=100, sensitivity=(45, 50), specificity=(40, 50))
    assert found.value == 0
    assert "−0.071" in found.notes[0]
    assert "errs here as often" in found.notes[1]
    assert found.at(0.9).high < found.high
    assert found.by("lang-reiczigel").same(found)
    with pytest.raises(hs.InputError, match="one method"):
        found.by("wald")
    bound = hs.rogan_gladen(judged=15, n=100, sensitivity=(45, 50), specificity=(40, 50), side="upper")
    assert bound.low == 0
    assert 0 < bound.high < found.high
    wrong = hs.rogan_gladen(judged=0, n=400, sensitivity=(180, 200), specificity=(160, 200))
    assert np.isnan([wrong.low, wrong.high]).all()
    assert "does not err here as it did" in wrong.notes[0]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"judged": 11}, "judged is 11"),
        ({"n": 0}, "n is 0"),
        ({"sensitivity": (9, 8)}, "sensitivity is 9"),
        ({"sensitivity": 1.2}, "as a number it is a share"),
        ({"specificity": "high"}, r"it must be \(right, of\)"),
        ({"sensitivity": 0.5, "specificity": 0.5}, "together they must exceed 1"),
    ],
)
def test_refusals(asked: dict[str, Any], words: str) -> None:
    usual: dict[str, Any] = {"judged": 5, "n": 10, "sensitivity": (8, 10), "specificity": (9, 10)}
    with pytest.raises(hs.InputError, match=words):
        hs.rogan_gladen(**(usual | asked))

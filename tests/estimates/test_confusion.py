"""hs.confusion: shares of a matrix with intervals for whole rows, against statsmodels and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from statsmodels.stats.proportion import multinomial_proportions_confint, proportion_confint

import howsure as hs
from howsure.numerics.multinomial import goodman, quesenberry_hurst, sison_glaz

MATRIX = np.array([[56, 7, 3], [10, 80, 4], [0, 12, 30]])
TABLE = hs.matrix(MATRIX, rows="truth", labels=["a", "b", "c"])


def limits(report: hs.Report) -> Any:
    return np.array([row.interval for row in report]).reshape(3, 3, 2)


@pytest.mark.parametrize("method", ["goodman", "sison-glaz"])
def test_rows_against_statsmodels(method: str) -> None:
    found = limits(hs.confusion(TABLE, method=method, level=0.9))
    for row, counts in zip(found, MATRIX, strict=True):
        assert row == pytest.approx(multinomial_proportions_confint(counts, 0.1, method), abs=1e-9)


@pytest.mark.parametrize(("method", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "beta")])
def test_single_shares_against_statsmodels(method: str, theirs: str) -> None:
    for given, whole in (("truth", MATRIX.sum(1, keepdims=True)), ("prediction", MATRIX.sum(0)), (None, MATRIX.sum())):
        found = limits(hs.confusion(TABLE, method=method, given=given))
        expected = np.stack(proportion_confint(MATRIX, np.broadcast_to(whole, (3, 3)), method=theirs), -1)
        assert found == pytest.approx(np.nan_to_num(expected), abs=1e-9)


def test_quesenberry_and_hurst_by_the_quadratic() -> None:
    """The limits solve (p̂ − p)² = χ² p(1 − p)/n; χ² with k − 1 = 2 degrees has the quantile −2 log(1 − level)."""
    counts, square = np.array([20.0, 30, 50]), -2 * np.log(0.05)
    for end in quesenberry_hurst(counts, level=0.95):
        assert (counts / 100 - end) ** 2 == pytest.approx(square * end * (1 - end) / 100, rel=1e-9)


@pytest.mark.parametrize("method", [goodman, quesenberry_hurst, sison_glaz])
def test_all_shares_are_held_together(method: Any) -> None:
    shares = np.array([0.5, 0.3, 0.2])
    drawn = np.random.default_rng(1).multinomial(120, shares, size=400)
    ends = [method(one, level=0.9) for one in drawn]
    held = np.mean([((low <= shares) & (shares <= high)).all() for low, high in ends])
    assert held > 0.9 - 3 * np.sqrt(0.09 / 400)


def test_names_sizes_and_words() -> None:
    report = hs.confusion(TABLE)
    assert report[1].metric == "predicted b | true a"
    assert [row.n for row in report[:3]] == [66] * 3
    assert report[1] == pytest.approx(7 / 66)
    assert report[1].meaning == "joint"
    assert hs.confusion(TABLE, method="wilson")[1].meaning == "confidence"
    assert "hold together" in str(report)


def test_groups_make_wider_intervals() -> None:
    truth, guess = np.repeat(["a", "b"], 60), np.repeat(["a", "b", "a", "b"], [50, 10, 20, 40])
    plain = hs.confusion(hs.table(truth, guess))
    pairs = hs.confusion(hs.table(np.repeat(truth, 2), np.repeat(guess, 2), groups=np.repeat(np.arange(120), 2)))
    for one, other in zip(plain, pairs, strict=True):
        assert one.interval == pytest.approx(other.interval, rel=0.01)  # each row twice tells no more than once
    heavy = hs.confusion(hs.table(truth, guess, groups=np.arange(120) // 5))
    assert all(wide.high - wide.low > row.high - row.low for wide, row in zip(heavy, plain, strict=True))


def test_refusals() -> None:
    with pytest.raises(hs.InputError, match="method"):
        hs.confusion(TABLE, method="wald")
    with pytest.raises(hs.InputError, match="given"):
        hs.confusion(TABLE, given="rows")  # type: ignore[arg-type]
    with pytest.raises(hs.InputError, match="one true and one predicted label a row"):
        hs.confusion(hs.counts(tp=3, fp=1, fn=2))


def test_a_class_that_never_occurs_has_no_shares() -> None:
    report = hs.confusion(hs.matrix([[5, 1], [0, 0]], rows="truth"))
    assert np.isnan([row.low for row in report]).tolist() == [False, False, True, True]

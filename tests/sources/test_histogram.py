"""Histograms of scores: what binning changes lies within its certificate, whoever counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import howsure as hs

RNG = np.random.default_rng(9)
TRUTH = (RNG.random(4000) < 0.2).astype(int)
SCORES = 1 / (1 + np.exp(-(RNG.normal(size=4000) + 1.5 * TRUTH - 1)))
polars = pytest.importorskip("polars")
FRAME = polars.DataFrame({"y": TRUTH, "p": SCORES})


@pytest.mark.parametrize("bins", [10, 100, 65_536])
def test_results_lie_within_the_certificate(bins: int) -> None:
    exact = hs.table(TRUTH, scores=SCORES)
    made = hs.histogram(FRAME, truth="y", scores="p", bins=bins)
    found, bound = made.table(), made.certificate()
    one, other = (hs.estimate(t, "auc", method="wald") for t in (found, exact))
    assert abs(one.value - other.value) <= bound.auc + 1e-12
    assert abs(one.se - other.se) <= bound.auc_se + 1e-9
    low, high = bound.average_precision
    assert low - 1e-12 <= hs.estimate(exact, "average_precision").value <= high + 1e-12
    assert high - low <= 30 / bins
    assert found.n == 4000


def test_average_precision_with_negatives_first_by_hand() -> None:
    """One bin of two positives and one negative: 1/2, 2/3 with the negative first; 1, 1 with it last."""
    made = hs.histogram(polars.DataFrame({"y": [0, 1, 1], "p": [0.5, 0.5, 0.5]}), truth="y", scores="p", bins=2)
    assert made.certificate().average_precision == pytest.approx(((1 / 2 + 2 / 3) / 2, 1.0))


def test_parts_add_up_and_engines_agree(tmp_path: Path) -> None:
    whole = hs.histogram(FRAME, truth="y", scores="p", bins=50)
    parts = hs.histogram(FRAME[:1000], truth="y", scores="p", bins=50) + hs.histogram(
        FRAME[1000:], truth="y", scores="p", bins=50
    )
    assert np.array_equal(whole.counts["p"], parts.counts["p"])
    FRAME.write_csv(tmp_path / "scores.csv")
    FRAME.write_parquet(tmp_path / "scores.parquet")
    for source in (tmp_path / "scores.csv", tmp_path / "scores.parquet", FRAME.lazy()):
        assert np.array_equal(hs.histogram(source, truth="y", scores=["p"], bins=50).counts["p"], whole.counts["p"])


def test_what_cannot_be_binned_is_refused() -> None:
    with pytest.raises(hs.InputError, match="1 rows have no truth or no probability"):
        hs.histogram(polars.DataFrame({"y": [0, 1], "p": [0.5, 1.5]}), truth="y", scores="p")
    with pytest.raises(hs.InputError, match="has no column 'q'"):
        hs.histogram(FRAME, truth="y", scores="q")

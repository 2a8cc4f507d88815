"""Histograms of scores: what binning changes lies within its certificate, whoever counts."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import covariance, linearise

RNG = np.random.default_rng(9)
TRUTH = (RNG.random(4000) < 0.2).astype(int)
SCORES = 1 / (1 + np.exp(-(RNG.normal(size=4000) + 1.5 * TRUTH - 1)))

FRAME = pl.DataFrame({"y": TRUTH, "p": SCORES})


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
    made = hs.histogram(pl.DataFrame({"y": [0, 1, 1], "p": [0.5, 0.5, 0.5]}), truth="y", scores="p", bins=2)
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
        hs.histogram(pl.DataFrame({"y": [0, 1], "p": [0.5, 1.5]}), truth="y", scores="p")
    with pytest.raises(hs.InputError, match="has no column 'q'"):
        hs.histogram(FRAME, truth="y", scores="q")


class TestSecondPass:
    """Covariances from sums of the engine are those of the rows, binned alike."""

    N, BINS = 500, 64

    def frame(self, positive="it's", negative="no"):
        rng = np.random.default_rng(51)
        truth = rng.random(self.N) < 0.3
        one = np.clip(0.6 * rng.random(self.N) + 0.4 * truth, 0, 1)
        other = np.where(rng.random(self.N) < 0.1, 1.0, 0.5 * one + 0.4 * rng.random(self.N))
        names = np.where(truth, positive, negative) if isinstance(positive, str) else truth.astype(int)
        return pl.DataFrame({"y": names, "a": one, "b": other, "g": rng.integers(0, 40, self.N)})

    def of_rows(self, frame, metric, positive, *, groups):
        middles = {
            name: (np.minimum(np.floor(frame[name].to_numpy() * self.BINS), self.BINS - 1) + 0.5) / self.BINS
            for name in ("a", "b")
        }
        table = hs.table(
            frame["y"], scores=middles, pos_label=positive, groups=frame["g"].to_numpy() if groups else None
        )
        return covariance(table, [linearise(table, named(metric), name) for name in ("a", "b")])

    @pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
    @pytest.mark.parametrize("positive", ["it's", 1])
    def test_the_same_covariance(self, engine, positive):
        frame = self.frame(positive)
        connection = duckdb.connect()
        connection.register("held", frame.to_arrow())
        source = {"memory": frame, "polars": frame.lazy(), "duckdb": connection.sql("SELECT * FROM held")}[engine]
        found = hs.histogram(source, truth="y", scores=["a", "b"], bins=self.BINS, pos_label=positive)
        for metric in ("auc", "average_precision"):
            for group in (None, "g"):
                second = found.covariance(source, truth="y", metric=metric, group=group)
                rows = self.of_rows(frame, metric, positive, groups=group is not None)
                np.testing.assert_allclose(second.matrix, rows, rtol=1e-11)
        assert second.labels == (("a", "average_precision"), ("b", "average_precision"))

    def test_bins_do_not_depend_on_the_engine(self):
        frame = self.frame(1)
        found = [
            hs.histogram(source, truth="y", scores=["a", "b"], bins=self.BINS)
            for source in (frame, frame.lazy(), duckdb.sql("SELECT * FROM frame"))
        ]
        for other in found[1:]:
            for name in ("a", "b"):
                np.testing.assert_array_equal(found[0].counts[name], other.counts[name])

    def test_other_rows_are_refused(self, tmp_path):
        frame = self.frame(1)
        found = hs.histogram(frame, truth="y", scores=["a", "b"], bins=self.BINS)
        for source, more, words in (
            (frame.lazy().head(400), {}, "has 400 rows in the bins"),
            (frame.filter(pl.col("y") == 1), {}, "has no rows of 0"),
            (frame, {"metric": "brier"}, "metric is 'brier'"),
            (frame, {"group": "patient"}, "no column 'patient'"),
            (str(tmp_path / "a.csv"), {}, "give a lazy frame"),
        ):
            with pytest.raises(hs.InputError, match=words):
                found.covariance(source, truth="y", **more)

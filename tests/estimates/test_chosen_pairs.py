"""Joint intervals over a chosen list of (model, metric) pairs (Yuan & Jiang 2025: possibly different measures)."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs

RNG = np.random.default_rng(5)
TRUTH = RNG.integers(0, 2, 400)
TABLE = hs.table(TRUTH, {name: np.where(RNG.random(400) < share, TRUTH, 1 - TRUTH) for name, share in
                         (("bert", 0.85), ("svm", 0.75))})  # fmt: skip
PAIRS = [("bert", "f1"), ("svm", "lift"), ("svm", "cosine")]


@pytest.mark.parametrize("method", ["wald", "blurred", None])
def test_a_chosen_set_has_the_covariance_of_the_whole(method: str | None) -> None:
    whole = hs.report(TABLE, ["f1", "lift", "cosine"], joint=True, method=method)
    some = hs.report(TABLE, PAIRS, joint=True, method=method)
    assert [(row.model, row.metric) for row in some] == PAIRS
    at = [whole.covariance.labels.index(pair) for pair in PAIRS]
    assert some.covariance.matrix == pytest.approx(whole.covariance.matrix[np.ix_(at, at)], rel=1e-12)
    assert 1.96 < (some.critical_value or 0) < (whole.critical_value or 0)


def test_q_of_two_pairs_by_simulation() -> None:
    made = hs.report(TABLE, PAIRS[:2], joint=True, method="wald")
    spread = np.sqrt(np.diagonal(made.covariance.matrix))
    draws = np.random.default_rng(1).multivariate_normal([0, 0], made.covariance.matrix, 200_000) / spread
    held = float((np.abs(draws) < made.critical_value).all(axis=1).mean())
    assert held == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / 200_000))


def test_single_intervals_of_pairs_are_those_of_estimates() -> None:
    made = hs.report(TABLE, PAIRS)
    for row, (model, metric) in zip(made, PAIRS, strict=True):
        assert row.same(hs.estimate(TABLE, metric, model=model).replace(notes=row.notes, again=row.again))


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        ([("bert", "f1"), "lift"], {}, "holds 'lift' beside pairs"),
        ([("bart", "f1")], {}, "Did you mean 'bert'"),
        ([("bert", "f1"), ("bert", "f1")], {}, "twice"),
        ([("bert", "f1")], {"models": ["svm"]}, "does not go with pairs"),
    ],
)
def test_refusals(pairs: list[object], options: dict[str, object], message: str) -> None:
    with pytest.raises(hs.InputError, match=message):
        hs.report(TABLE, pairs, **options)  # type: ignore[arg-type]

"""Every kind of data keeps the protocol: two routes to the same number, whatever a row holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.contents import Contents
from howsure.tables.covariance import covariance, linearise
from howsure.tables.linearised import Linearised
from support.toy_numbers import MEAN, numbers

RNG = np.random.default_rng(11)
N = 90
TRUTH = RNG.integers(0, 3, N)
SHARES = {"a": 0.8, "b": 0.6}
GUESSES = {name: np.where(RNG.random(N) < share, TRUTH, RNG.integers(0, 3, N)) for name, share in SHARES.items()}
SETS = (RNG.random((N, 4)) < 0.4).astype(int)
GUESSED_SETS = {name: np.where(RNG.random((N, 4)) < share, SETS, 1 - SETS) for name, share in SHARES.items()}
GROUPS = RNG.integers(0, 12, N)
WEIGHTS = RNG.uniform(0.2, 3, N)
VALUES = {name: RNG.random(N) for name in SHARES}
SUMS = {name: {"errors": RNG.integers(0, 4, N), "words": RNG.integers(3, 20, N)} for name in SHARES}
CELLS = {name: tuple(RNG.integers(1, 6, (3, N))) for name in SHARES}
KINDS: dict[str, tuple[Callable[..., hs.Table], tuple[Any, ...]]] = {
    "labels": (partial(hs.table, TRUTH, GUESSES), ("accuracy", "macro_f1", "mcc", "f1[1]", "kappa_linear")),
    "label sets": (partial(hs.table, SETS, GUESSED_SETS), ("micro_f1", "macro_f1", "f1[2]", "samples_jaccard")),
    "numbers": (lambda **more: numbers({"a": RNG.random(N), "b": RNG.random(N)}), (MEAN,)),
    "values": (lambda **more: hs.table(values=VALUES, range=(0, 1), **more), ("mean",)),
    "sums": (lambda **more: hs.sums(SUMS), ("errors/words", "per_unit_errors/words")),
    "counts per unit": (lambda **more: hs.counts(CELLS), ("f1", "recall", "per_unit_f1")),
    "scores": (lambda **more: hs.table(TRUTH > 0, scores=VALUES, **more), ("auc", "average_precision")),
}
CASES = [(kind, metric) for kind, (_, metrics) in KINDS.items() for metric in metrics]


def linear_of(kind: str, metric: Any, **more: Any) -> Linearised:
    """Return a metric of model b, the second column."""
    return linearise(KINDS[kind][0](**more), named(metric), "b", "skip")


def at(linear: Linearised, weights: np.ndarray) -> Linearised:
    """Return the same metric on the same rows with other weights, from the beginning."""
    design = linear.design.reweighted(weights)
    return linear.contents.linearise(linear.metric, linear.model, linear.place, design, linear.undefined)


@pytest.mark.parametrize(("kind", "metric"), CASES)
def test_values_at_other_weightings(kind: str, metric: Any) -> None:
    linear = linear_of(kind, metric)
    weights = RNG.uniform(0.1, 4, (6, len(linear.contents)))
    found = linear.contents.values_at(linear, weights)
    assert found == pytest.approx([at(linear, row).value for row in weights], rel=1e-10)


@pytest.mark.parametrize(("kind", "metric"), CASES)
def test_influences_at_other_weightings(kind: str, metric: Any) -> None:
    linear = linear_of(kind, metric)
    weights = RNG.uniform(0.1, 4, (3, len(linear.contents)))
    found = linear.contents.influences_at(linear, weights)
    if found is None:  # not known: the bootstrap that needs it says so
        with pytest.raises(hs.MethodError, match="needs the influence of a row in every resample"):
            hs.estimate(KINDS[kind][0](), metric, model="b", method=hs.Bootstrap(200, kind="studentised"))
        return
    share = weights / weights.sum(1, keepdims=True)
    centred = found - (share * found).sum(1, keepdims=True)
    assert centred == pytest.approx(np.stack([at(linear, row).influence for row in weights]), rel=1e-8, abs=1e-10)


@pytest.mark.parametrize(("kind", "metric"), CASES)
def test_influence_is_the_derivative_in_the_weight_of_a_row(kind: str, metric: Any) -> None:
    linear = linear_of(kind, metric)
    weights, step = linear.design.weights, 1e-6
    for row in (0, 3, len(linear.contents) - 1):
        moved = np.stack([weights, weights])
        moved[:, row] += (step, -step)
        ahead, behind = linear.contents.values_at(linear, moved)
        assert linear.influence[row] == pytest.approx((ahead - behind) / (2 * step) * weights.sum(), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    "sampled", [{}, {"sample_weight": WEIGHTS}, {"groups": GROUPS}], ids=["rows", "weights", "groups"]
)
@pytest.mark.parametrize("kind", ["labels", "label sets"])
def test_covariances_are_those_of_the_influences(kind: str, sampled: dict[str, Any]) -> None:
    """Labels take a route through indicators of the predictions: it must not matter."""
    make, metrics = KINDS[kind]
    table = make(**sampled)
    linears = [linearise(table, named(metric), model, "skip") for model in ("a", "b") for metric in metrics]
    expected = table.design.covariance(lambda part: np.stack([one.influence_of(part) for one in linears]), len(linears))
    assert covariance(table, linears) == pytest.approx(expected, rel=1e-9, abs=1e-15)
    alone = [linearise(table.pick(one.model), one.metric, None, "skip") for one in linears]
    if table.contents.compact:
        assert covariance(table, alone) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("metric", KINDS["labels"][1])
@pytest.mark.parametrize("undefined", ["nan", "skip"])
def test_pseudo_rows_are_pseudo_counts(metric: str, undefined: Any) -> None:
    """Labels smooth their matrix; rows that are joined to the others give the same."""
    linear = linearise(KINDS["labels"][0](), named(metric), "b", undefined)
    by_matrix = linear.contents.smoothed(linear, 70.0, 1.96)
    by_rows = Contents.smoothed(linear.contents, linear, 70.0, 1.96)
    assert float(by_matrix.value) == pytest.approx(float(by_rows.value), rel=1e-12)
    assert float(by_matrix.variance) == pytest.approx(float(by_rows.variance), rel=1e-10)
    assert by_matrix.weights.sum() == pytest.approx(by_rows.weights.sum())


@pytest.mark.parametrize("kind", KINDS)
def test_rows_can_be_split_and_put_together_again(kind: str) -> None:
    make, metrics = KINDS[kind]
    table = make()
    first = np.arange(len(table.contents)) % 2 == 0
    whole = table.some_rows(first) + table.some_rows(~first)
    assert whole.n == table.n
    for metric in metrics:
        one, other = (linearise(each, named(metric), "a", "skip") for each in (table, whole))
        assert one.value == pytest.approx(other.value, rel=1e-12)
        assert one.variance == pytest.approx(other.variance, rel=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_saved_arrays_bring_the_rows_back(kind: str, tmp_path: Path) -> None:
    """Through a file of numpy's, for every kind of data: the same rows, and the same estimates."""
    make, metrics = KINDS[kind]
    table = make()
    arrays: dict[str, Any] = dict(table.contents.to_arrays())
    np.savez(tmp_path / "rows.npz", **arrays)
    with np.load(tmp_path / "rows.npz", allow_pickle=False) as saved:
        again = replace(table, contents=replace(table.contents, **saved))
    assert np.array_equal(again.contents.keys(), table.contents.keys())
    for metric in metrics:
        one, other = (linearise(each, named(metric), "a", "skip") for each in (table, again))
        assert (one.value, one.variance) == (other.value, other.variance)

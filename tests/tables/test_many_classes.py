"""Very many classes: the same numbers as from the K×K matrix, in memory of K, and a word where the matrix is needed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef

import howsure as hs
from howsure.cli.app import howsure
from howsure.errors import InputError, MethodError, MetricError
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import Gradient, gradient_of
from howsure.metrics.names import named
from howsure.tables import labels, many_classes
from howsure.tables.sampling.effect import cell_moments

RNG = np.random.default_rng(5)
CLASSES, ROWS = 30, 2000
TRUTH = RNG.integers(0, CLASSES, ROWS)
TRUTH[TRUTH == 7] = 8
MODELS = {
    name: np.where(RNG.random(ROWS) < share, TRUTH, RNG.integers(0, CLASSES, ROWS))
    for name, share in zip("ab", (0.6, 0.7), strict=True)
}
MODELS = {name: np.where(guess == 9, 10, guess) for name, guess in MODELS.items()}
DESIGNS: dict[str, Any] = {
    "plain": {},
    "weights": {"sample_weight": RNG.integers(1, 5, ROWS) / 2},
    "groups": {"groups": RNG.integers(0, 200, ROWS)},
}
EXACT = [
    "accuracy", "micro_f1", "micro_f1[without 3]", "macro_recall[1,2,5]", "macro_f1", "weighted_f1", "macro_precision",
    "weighted_precision", "macro_f1_star", "balanced_accuracy", "mcc", "kappa", "macro_mcc", "macro_jaccard", "f1[3]",
    "recall[3]", "precision[3]", "specificity[3]", "mcc[3]",
]  # fmt: skip


@pytest.fixture
def without_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (labels, many_classes):
        monkeypatch.setattr(module, "MOST_CLASSES", 5)


def _numbers(design: str, metric: str, undefined: str) -> list[float]:
    table = hs.table(TRUTH, MODELS, labels=range(CLASSES), **DESIGNS[design])
    plain = metric in ("accuracy", "micro_f1", "micro_f1[without 3]") or metric.endswith("[3]")
    one = hs.estimate(table, metric, model="a", undefined=undefined, method=None if plain else "smoothed-t")
    wald = hs.estimate(table, metric, model="a", undefined=undefined, method="wald")
    both = hs.compare(table, metric, a="a", b="b", undefined=undefined, method="wald")
    return [one.value, one.se, wald.low, wald.high, both.difference, both.se, one.low, one.high, both.low, both.high]


CASES = [("plain", metric, "skip") for metric in EXACT]
CASES += [(design, metric, "skip") for design in ("weights", "groups") for metric in ("accuracy", "macro_f1", "mcc")]
CASES += [("plain", metric, "zero") for metric in ("macro_precision", "weighted_precision", "macro_f1_star")]


@pytest.mark.parametrize(("design", "metric", "undefined"), CASES)
def test_the_same_as_with_the_matrix(request: pytest.FixtureRequest, design: str, metric: str, undefined: str) -> None:
    """Values, standard errors and Wald limits to rounding; limits with pseudo-rows to 0.2 % of the length."""
    expected = _numbers(design, metric, undefined)
    request.getfixturevalue("without_matrix")
    found = _numbers(design, metric, undefined)
    assert found[:6] == pytest.approx(expected[:6], rel=1e-9, abs=1e-12, nan_ok=True)
    assert found[6:8] == pytest.approx(expected[6:8], abs=0.002 * (expected[7] - expected[6]))
    assert found[8:] == pytest.approx(expected[8:], abs=0.002 * (expected[9] - expected[8]))


@pytest.mark.parametrize("metric", [name for name in EXACT if "[" not in name])
def test_slopes_against_complex_steps(metric: str) -> None:
    parts = RNG.integers(1, 40, (4, 12)) / 1000
    cells, chosen = Cells(*parts), named(metric)
    dense, found = gradient_of(chosen, cells), many_classes.class_gradient(chosen, cells)
    for cell in ("tp", "fp", "fn", "tn"):
        assert getattr(found, cell) == pytest.approx(getattr(dense, cell), rel=1e-9, abs=1e-12)


def test_helpers_against_the_table_of_cells() -> None:
    slopes = Gradient(*RNG.normal(size=(4, 8)))
    truth, guess = (part.ravel() for part in np.indices((8, 8)))
    assert many_classes.at_rows(slopes, truth, guess) == pytest.approx(slopes.by_cell[truth, guess], abs=1e-12)
    holed = Gradient(*np.where(RNG.random((4, 8)) < 0.1, np.nan, RNG.normal(size=(4, 8))))
    for one in (slopes, replace(holed, tn=slopes.tn)):
        for axis in (0, 1):
            expected = cell_moments(one.by_cell - 0.3, axis)
            assert many_classes.class_moments(one, 0.3, axis) == pytest.approx(expected, abs=1e-12)
    truth, guess, each = many_classes.pseudo_cells(np.arange(8))
    added = many_classes.class_cells(truth, guess, each, 8)
    even = np.indices((8, 8)).reshape(2, -1)
    expected = many_classes.class_cells(even[0], even[1], np.full(64, 1 / 128), 8)
    assert each.sum() == pytest.approx(0.5)
    for cell in ("tp", "fp", "fn", "tn"):
        assert getattr(added, cell) == pytest.approx(getattr(expected, cell), abs=1e-12)


@pytest.fixture(scope="module")
def columns() -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3000, 30_000)
    return truth, np.where(rng.random(30_000) < 0.8, truth, rng.integers(0, 3000, 30_000))


class TestManyClasses:
    """3 000 classes, whose matrix of slopes would take gigabytes."""

    def test_values_are_those_of_scikit_learn(self, columns: tuple[Any, Any]) -> None:
        truth, guess = columns
        table = hs.table(truth, guess)
        for name, value in {
            "macro_f1": f1_score(truth, guess, average="macro"),
            "weighted_f1": f1_score(truth, guess, average="weighted"),
            "micro_f1": f1_score(truth, guess, average="micro"),
            "balanced_accuracy": balanced_accuracy_score(truth, guess),
            "mcc": matthews_corrcoef(truth, guess),
            "kappa": cohen_kappa_score(truth, guess),
            "f1[17]": f1_score(truth == 17, guess == 17),
        }.items():
            assert float(hs.estimate(table, name, undefined="skip")) == pytest.approx(value, abs=1e-9), name
        assert float(hs.scores.balanced_accuracy_score(truth, guess, adjusted=True)) == pytest.approx(
            balanced_accuracy_score(truth, guess, adjusted=True), abs=1e-9
        )

    def test_the_bootstrap(self, columns: tuple[Any, Any]) -> None:
        table = hs.table(*columns)
        found = hs.estimate(table, "accuracy", method=hs.Bootstrap(n_resamples=200, kind="percentile"))
        usual = hs.estimate(table, "accuracy", method="wald")
        assert (found.low, found.high) == pytest.approx((usual.low, usual.high), abs=2e-3)

    def test_what_needs_the_matrix_says_so(self, columns: tuple[Any, Any]) -> None:
        table = hs.table(*columns)
        assert table.matrix().trace() == (columns[0] == columns[1]).sum()  # which fits, if it is asked for
        many = hs.table(np.arange(20_000), np.arange(20_000))
        with pytest.raises(InputError, match=r"there are 20,000 classes.*ask for accuracy"):
            many.matrix()
        for metric in (
            "kappa_linear",
            "g_mean",
            hs.Metric("first", lambda c: c.tp[..., 0] / c.tp.sum(-1), over="classes"),
        ):
            with pytest.raises(
                MetricError, match=r"3,000 classes.*choose accuracy, a metric of one class or an average"
            ):
                hs.estimate(table, metric)
        with pytest.raises(MethodError, match="it needs a confusion matrix, and there are 3,000 classes"):
            hs.estimate(table, "macro_f1", method="dirichlet", undefined="skip")

    def test_report_page_and_joint_intervals(self, columns: tuple[Any, Any], tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_text("truth,pred\n" + "".join(f"c{one},c{other}\n" for one, other in zip(*columns, strict=True)))
        done = CliRunner().invoke(
            howsure,
            [
                "report",
                str(path),
                "--undefined",
                "skip",
                "--html",
                str(tmp_path / "a.html"),
                "--joint",
                "--format",
                "csv",
            ],
        )
        assert done.exit_code == 0, done.output
        assert "macro_f1" in done.output
        assert (tmp_path / "a.html").stat().st_size < 20_000_000


SCRIPT = """
import resource, numpy as np, howsure as hs
rng = np.random.default_rng(0)
truth = rng.integers(0, 20_000, 200_000)
guess = np.where(rng.random(200_000) < 0.8, truth, rng.integers(0, 20_000, 200_000))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
table = hs.table(truth, guess)
for metric in ("accuracy", "macro_f1", "weighted_f1", "micro_f1", "f1[17]"):
    hs.estimate(table, metric, undefined="skip")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory() -> None:
    """20 000 classes, whose matrix alone has 3 GB, in 300 MB."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 300

"""The benchmark page is made of the stored results, misses are shown, and the truths it compares with are true."""

from __future__ import annotations

import doctest
import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy.special import ndtr
from sklearn.metrics import confusion_matrix, f1_score, precision_score, recall_score

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "benchmarks"
RESULTS = SCRIPTS / "results"
PAGE = ROOT / "docs" / "benchmarks.md"

pytestmark = pytest.mark.skipif(not SCRIPTS.exists(), reason="the source archive comes without the benchmarks")

# What was asked for: the name starts so, and the limit is this.
ASKED = {
    "2 classes, bool: counting": 4,
    "2 classes, int8: counting": 4,
    "2 classes, int64: counting": 2.5,
    "2 classes, 10 models, bool: counting": 12,
    "2 classes, 10 models, int8: counting": 12,
    "100 classes, int16: counting": 12,
    "100 classes, int32: counting": 12,
    "100 classes, int64: counting": 12,
    "numpy U: f1_score": 5,
    "numpy object: f1_score": 5,
    "pandas category: f1_score": 5,
    "pandas int64: f1_score": 5,
    "polars String: f1_score": 5,
    "polars Int64: f1_score": 5,
    "Arrow string: f1_score": 5,
    "bool, 10,000,000 rows: report": 0.01,
    "int8, 10,000,000 rows: report": 0.01,
    "int64, 10,000,000 rows: report": 0.01,
    "Parquet, 100,000,000 rows": 500,
    "100,000 classes, accuracy: megabytes": 1000,
    "100,000 classes, accuracy: CPU seconds": 10,
    "100,000 classes, f1[17]: megabytes": 1000,
    "100,000 classes, macro_f1: megabytes": 1000,
    "100,000 classes, macro_f1: CPU seconds": 10,
    "1,000,000 scores, auc: one sort": 2.5,
    "1,000,000 scores, average_precision: one sort": 4,
    "1,000,000 scores, f1 over all thresholds: one sort": 3,
    "10,000,000 scores, auc: one sort": 2.5,
    "10,000,000 scores, average_precision: one sort": 4,
    "10,000,000 scores, f1 over all thresholds: one sort": 3,
    "10,000,000 scores binned in DuckDB: megabytes": 500,
    "10,000,000 judged rows, int8": 1.2,
    "10,000,000 judged rows, int64": 1.2,
    "10,000,000 judged rows, words": 1.2,
    "9999 resamples of 1,000,000 rows": 1000,
}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch):
    """Import a script of the benchmark, and forget it afterwards."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    before = set(sys.modules)

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    yield load
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and Path(sys.modules[name].__file__).parent == SCRIPTS:
            del sys.modules[name]


def test_the_page_is_what_the_stored_results_give(script) -> None:
    assert script("page").render(RESULTS) == PAGE.read_text(encoding="utf-8")


def test_every_target_stands_on_the_page_with_its_limit(script) -> None:
    record, page = script("record"), script("page")
    parts = [record.load(name, RESULTS) for name in page.PARTS]
    targets = {target.name: target for part in parts if part for target in part.targets}
    for start, limit in ASKED.items():
        found = [target for name, target in targets.items() if name.startswith(start)]
        assert [target.limit for target in found] == [limit], start
        assert found[0].name in PAGE.read_text(encoding="utf-8")


def test_a_part_run_again_keeps_the_others_and_a_miss_is_shown(script, tmp_path: Path) -> None:
    record, page = script("record"), script("page")
    machine = {"load at the start": "0.5", "cores": "2"}

    def keep(name: str, ratio: float) -> None:
        section = record.Section(f"a table of {name}", "Some words.", ["", "ratio"], [["x", ratio], ["y", None]])
        targets = [record.Target(f"{name} a", ratio, 12), record.Target(f"{name} b", ratio, 5, "at least")]
        record.save(record.Part(name, [section], targets, machine, 0.1), tmp_path)

    keep("memory", 20.0)
    keep("growth", 8.0)
    keep("memory", 13.5)
    text = page.render(tmp_path)
    assert "a table of growth" in text
    assert "| memory a | at most 12 | 13.5 |  | **no** |" in text
    assert "| memory b | at least 5 | 13.5 |  | yes |" in text
    assert "3 of 4 targets are reached" in text
    assert "20.0" not in text
    assert "Not run yet: Counting, against scikit-learn" in text


def test_answers_are_asked_for_in_sorts(script) -> None:
    asked = {
        "`compare_all`, 20 models, 1,000 rows, accuracy": 4,
        "`compare_all`, 20 models, 1,000 rows, F1": 4,
        "`compare_all`, 100 models, 1,000 rows, accuracy": 65,
        "`report(joint=True)`, 20 models, nine metrics": 4,
        "1,000 × `estimate` of four counts, all different": 1.5,
        "`intervals`, 50 classes, 5,000 rows, macro F1": 13,
        "`report`, 50 classes, 5,000 rows": 0.4,
    }
    assert {case.name: case.limit for case in script("sorts").cases()} == asked
    assert script("memory").LIMIT_OF_INCREMENTS == 1.5


def test_a_run_that_was_stopped_goes_on_with_what_is_left(script, tmp_path: Path) -> None:
    run, page = script("run"), script("page")
    assert run.unfinished(tmp_path) == list(page.PARTS)
    (tmp_path / run.DONE).write_text("memory\nlibraries\n", encoding="utf-8")
    assert run.unfinished(tmp_path) == list(page.PARTS)[2:]


def test_a_ratio_is_that_of_the_medians(script) -> None:
    rounds = script("clock").Rounds({"ours": np.array([2.0, 4.0, 90.0]), "theirs": np.array([1.0, 1.0, 9.0])})
    ratio = rounds.ratio("ours", "theirs")
    assert (ratio.value, ratio.low, ratio.high) == (4.0, 3.0, 7.0)


def test_the_scripts_examples_run(script) -> None:
    for name in ("clock", "others"):
        result = doctest.testmod(script(name))
        assert result.attempted > 0
        assert result.failed == 0


def test_the_true_quantiles_agree_with_one_another(script) -> None:
    """Independent variables have a product; two variables are a chain and share a factor, two different integrals."""
    quantiles = script("quantiles")
    product = (2 * ndtr(2.4) - 1) ** 7
    assert quantiles.factor_chance(np.zeros(7), 2.4) == pytest.approx(product, abs=1e-12)
    assert quantiles.chain_chance(7, 0.0, 2.4) == pytest.approx(product, abs=1e-12)
    for correlation in (0.3, 0.7):
        shared = quantiles.factor_chance(np.full(2, np.sqrt(correlation)), 2.1)
        assert quantiles.chain_chance(2, correlation, 2.1) == pytest.approx(shared, abs=1e-12)


def test_the_metrics_of_the_simulations_are_those_of_scikit_learn(script) -> None:
    others = script("others")
    matrix = np.random.default_rng(0).integers(1, 30, (3, 3))
    truth, guess = others.rows_of(matrix)
    assert np.array_equal(confusion_matrix(truth, guess), matrix)
    for name, score in (("f1", f1_score), ("precision", precision_score), ("recall", recall_score)):
        expected = score(truth, guess, average="macro")
        assert others.value(matrix, f"macro_{name}") == pytest.approx(expected, abs=1e-12)
    two = matrix[:2, :2]
    assert others.value(two, "f1") == pytest.approx(f1_score(*others.rows_of(two)), abs=1e-12)


def test_a_part_runs_and_writes_its_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    command = [sys.executable, str(SCRIPTS / "run.py"), "memory", "--share", "0.0001"]
    done = subprocess.run(
        [*command, "--results", str(tmp_path), "--page", str(page)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "| 100 classes, int8 |" in text
    assert str(tmp_path) not in text

"""posterior, cvtest, split, critical, and folds typed by hand."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from support.command_line import COLUMNS, TRUTH, X, Y, rows_of, run

A = ["20,3,4", "21,4,3", "19,4,5", "22,2,2", "20,3,4", "21,4,3"]
B = ["22,3,4", "23,4,3", "21,4,5", "24,2,2", "22,3,4", "23,4,3"]
TYPED = [part for fold in A for part in ("--a", fold)] + [part for fold in B for part in ("--b", fold)]


def numbers(folds: list[str]) -> list[tuple[float, ...]]:
    return [tuple(map(float, fold.split(","))) for fold in folds]


# --- the Bayes test ----------------------------------------------------------------------------------------------


def test_folds_typed_by_hand_are_those_of_the_file(folds: Path) -> None:
    (typed,), (read,) = rows_of("bayes", *TYPED), rows_of("bayes", folds)
    assert typed["p_h0"] == read["p_h0"]
    assert "--b is missing" in run("bayes", "--a", "1,2,3", "--a", "1,2,3", code=2).stderr
    assert "each must be TP,FP,FN" in run("bayes", "--a", "1,2,x", "--b", "1,2,3", code=2).stderr
    assert "--a does not go with a file" in run("bayes", folds, "--a", "1,2,3", code=2).stderr


@pytest.mark.parametrize("pairing", ["paired", "independent"])
def test_predictions_are_tested_on_the_rows_they_share(file: Path, pairing: Any) -> None:
    (made,) = rows_of("bayes", file, *COLUMNS, "--pred", "bert", "--pred", "svm", "--pairing", pairing)
    table = hs.table(TRUTH, {"bert": X, "svm": Y}, pos_label="a")
    expected = hs.bayes_test(table, metric="f1", pairing=pairing)
    assert (made["p_h0"], made["pairing"]) == (expected.p_h0, pairing)


# --- posteriors --------------------------------------------------------------------------------------------------


def test_a_posterior_of_counts() -> None:
    (made,) = rows_of("posterior", "--tp", 77, "--fp", 44, "--fn", 10)
    u = np.random.default_rng(0).beta(78, 56, 2_000_000)  # Wang & Li 2019, eq. 27: F1 = 2u/(1 + u)
    drawn = 2 * u / (1 + u)
    assert made["mean"] == pytest.approx(drawn.mean(), abs=2e-4)
    assert (made["low"], made["high"]) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=4e-4)
    assert "give FILES of predictions, or the counts" in run("posterior", "--tp", 1, code=2).stderr


def test_posteriors_of_models_and_of_folds(file: Path, folds: Path) -> None:
    columns = [*COLUMNS, "--pred", "bert", "--pred", "svm"]
    rows: Any = rows_of("posterior", file, *columns, "-m", "recall", "--kind", "hdi", "--level", 0.8)
    law = hs.posterior(hs.table(TRUTH, Y, pos_label="a"), "recall")
    assert [row["model"] for row in rows] == ["bert", "svm"]
    assert (rows[1]["low"], rows[1]["high"]) == law.interval(0.8, kind="hdi")
    (first, _) = rows_of("posterior", folds, "--folds")
    assert first["mean"] == hs.posterior(hs.folds(numbers(A)), "f1").mean


# --- t and F tests -----------------------------------------------------------------------------------------------


def scores(folds: list[str]) -> np.ndarray:
    return np.array([2 * tp / (2 * tp + fp + fn) for tp, fp, fn in numbers(folds)])


def test_the_blocked_t_test() -> None:
    (made,) = rows_of("cvtest", *TYPED)
    differences = scores(B) - scores(A)
    assert made["difference"] == pytest.approx(differences.mean())
    spread = ((differences - differences.mean()) ** 2).sum() / 6
    assert made["statistic"] == pytest.approx(differences.mean() / spread**0.5)


def test_other_tests_and_other_numbers_of_folds() -> None:
    ten = [part for fold in [*A, *A[:4]] for part in ("--a", fold)]
    ten += [part for fold in [*B, *A[:4]] for part in ("--b", fold)]
    assert "there are 10 folds; choose the test with --test" in run("cvtest", *ten, code=2).stderr
    (made,) = rows_of("cvtest", *ten, "--test", "5x2-f")
    assert made["df"] == [10, 5]
    assert "--n-train and --n-test" in run("cvtest", *ten, "--test", "corrected-t", code=2).stderr
    (made,) = rows_of("cvtest", *ten[:-2][:18], *ten[20:38], "--test", "corrected-t", "--n-train", 90, "--n-test", 10)
    assert made["df"] == 8


def test_correlations_set_the_scale_of_the_blocked_t_test(folds: Path) -> None:
    differences = scores(B) - scores(A)
    rho1, rho2 = 0.5, 0.45
    widened = (1 + rho1 + 4 * rho2) / (5 - rho1 - 4 * rho2)  # of the variance of the mean over the sum of squares / 6
    expected = differences.mean() / (widened * ((differences - differences.mean()) ** 2).sum() / 6) ** 0.5
    for source in (TYPED, [folds]):
        (made,) = rows_of("cvtest", *source, "--correlations", rho1, rho2)
        assert made["statistic"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        (
            ["--n-train", 9],
            "--n-train does not go with blocked-3x2-t, which has no use for it; leave it out, or choose",
        ),
        (["--n-test", 9, "--test", "blocked-3x2-t"], "--n-test does not go with blocked-3x2-t"),
        (["--test", "corrected-t", "--correlations", 0.5, 0.5], "--correlations does not go with corrected-t"),
        (["--factor", 1], "No such option"),
    ],
)
def test_an_option_that_a_test_has_no_use_for_is_refused(options: list[Any], refused: str) -> None:
    assert refused in " ".join(run("cvtest", *TYPED, *options, code=2).stderr.split())


# --- designs -----------------------------------------------------------------------------------------------------


def test_a_design_shares_a_quarter(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("split", "--n", 40, "--quiet").stdout)))
    first = [{row["row"] for row in rows if row[f"repeat_{at}"] == "1"} for at in (1, 2, 3)]
    assert [len(part) for part in first] == [20, 20, 20]
    assert [len(first[a] & first[b]) for a, b in ((0, 1), (0, 2), (1, 2))] == [10, 10, 10]
    path = tmp_path / "rows.csv"
    path.write_text("label,patient\n" + "".join(f"{'x' if at % 4 else 'y'},{at // 2}\n" for at in range(40)))
    done = run("split", path, "--label", "label", "--group", "patient", "--repeats", 2)
    table = list(csv.DictReader(io.StringIO(done.stdout)))
    assert all(table[at]["block"] == table[at + 1]["block"] for at in range(0, 40, 2))
    assert "groups kept whole" in done.stderr
    assert "Did you mean 'label'?" in run("split", path, "--label", "lable", code=2).stderr
    assert "give a CSV FILE, or the number of rows" in run("split", code=2).stderr


def test_critical_values(tmp_path: Path) -> None:
    (made,) = rows_of("critical", "--size", 2)
    single = (1 + 0.95**0.5) / 2  # independent: P(|Z| < q)² = 0.95
    from statistics import NormalDist

    assert made["value"] == pytest.approx(NormalDist().inv_cdf(single), abs=1e-6)
    path = tmp_path / "matrix.csv"
    path.write_text("1,0.5\n0.5,1\n")
    (read,), (same,) = rows_of("critical", path), rows_of("critical", "--size", 2, "--correlation", 0.5)
    assert read["value"] == pytest.approx(same["value"], abs=1e-6)
    path.write_text("1,a\n")
    assert "is no matrix of numbers" in run("critical", path, code=2).stderr
    assert "give a CSV FILE with a correlation matrix, or --size" in run("critical", code=2).stderr

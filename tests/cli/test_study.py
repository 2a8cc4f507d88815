"""study: any metric, method and population, and the papers by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from support.command_line import rows_of, run

SHARES = {"tp": 0.08, "fp": 0.08 * 3 / 7, "fn": 0.02, "tn": 0.9 - 0.08 * 3 / 7}  # precision 0.7, recall 0.8 of 10%
ONE = ["study", "f1", "--n", 15, "--method", "wilson"]


@pytest.mark.parametrize(
    "text",
    [",".join(str(SHARES[cell]) for cell in ("tp", "fp", "fn", "tn")), "prevalence=0.1,recall=0.8,precision=0.7"],
)
def test_populations_of_two_classes(text: str) -> None:
    (row,) = rows_of(*ONE, "--population", text)
    (expected,) = hs.study("f1", ["wilson"], SHARES, n=15)
    assert row["coverage"] == pytest.approx(expected.coverage, abs=1e-12)


def test_populations_of_three_classes(tmp_path: Path) -> None:
    shares = [[0.2, 0.05, 0.05], [0.1, 0.2, 0.1], [0.05, 0.05, 0.2]]
    typed = ";".join(",".join(map(str, line)) for line in shares)
    path = tmp_path / "matrix.csv"
    path.write_text("\n".join(",".join(str(round(100 * part)) for part in line) for line in shares))
    base = ["study", "macro_f1", "--n", 30, "--method", "wald", "--replicates", 200]
    (first,), (second,) = rows_of(*base, "--population", typed), rows_of(*base, "--population", path)
    assert first["coverage"] == second["coverage"]
    assert first["truth"] == pytest.approx(hs.study("macro_f1", ["wald"], shares, n=30, replicates=200)[0].truth)


def test_several_populations_are_named() -> None:
    text = run(*ONE, "--population", "easy:.4,.1,.1,.4", "--population", "rare:.1,.1,.1,.7").stdout
    assert text.splitlines()[0].split()[:2] == ["population", "metric"]
    assert "the true value is easy 0.8000; rare 0.5000" in text


def test_sides_and_simulation() -> None:
    base = [*ONE, "--population", ".4,.1,.1,.4"]
    (upper,) = rows_of(*base, "--side", "upper")
    (drawn,) = rows_of(*base, "--simulate", "--replicates", 400, "--seed", 5)
    assert (upper["side"], upper["exact"]) == ("upper", True)
    assert (drawn["exact"], drawn["replicates"], drawn["seed"]) == (False, 400, 5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["presicion"], "Did you mean precision?"),
        (["lam2023"], "Did you mean 'lam2024'?"),
        (["f1"], "--population is missing; give four shares or counts tp,fp,fn,tn"),
        (["f1", "--population", "1,2"], "it must be four shares or counts tp,fp,fn,tn"),
        (["f1", "--population", "prevalence=0.1"], "prevalence"),
        (["jiang2020", "--method", "wald"], "--method does not go with the paper jiang2020"),
    ],
)
def test_mistakes(arguments: list[Any], said: str) -> None:
    assert said in run("study", *arguments, code=2).stderr


def test_a_paper_by_its_name() -> None:
    text = run("study", "jiang2020").stdout
    assert "Jiang: F measures and sample sizes" in text
    assert "printed numbers come out" in text

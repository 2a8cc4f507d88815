"""Small files of every kind that the command line reads, and a call of every verb on them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("click")
from support.command_line import COLUMNS, TRUTH, X, Y, written


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = [*["north"] * 20, *["south"] * 20]
    return written(tmp_path / "preds.csv", label=TRUTH, bert=X, svm=Y, site=place)


@pytest.fixture
def square(tmp_path: Path) -> Path:
    path = tmp_path / "matrix.csv"
    path.write_text(",a,b,c\na,2,5,0\nb,2,70,2\nc,2,2,15\n")
    return path


@pytest.fixture
def folds(tmp_path: Path) -> Path:
    counts = [[20, 3, 4], [21, 4, 3], [19, 4, 5], [22, 2, 2], [20, 3, 4], [21, 4, 3]]
    places = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]
    rows = [
        f"{model},{repeat},{fold},{tp + more},{fp},{fn}"
        for model, more in (("A", 0), ("B", 2))
        for (repeat, fold), (tp, fp, fn) in zip(places, counts, strict=True)
    ]
    path = tmp_path / "folds.csv"
    path.write_text("\n".join(["model,repeat,fold,tp,fp,fn", *rows]))
    return path


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    """Three sentences with four gold entities; the tagger finds two of them and one that is not there."""
    path = tmp_path / "tags.conll"
    path.write_text(
        "Ann B-PER B-PER\nmet O O\nBob B-PER O\n\nin O O\nNew B-LOC B-LOC\nYork I-LOC I-LOC\n\n"
        "Acme B-ORG O\nsaid O B-ORG\n"
    )
    return path


SCORED = ["--truth", "truth", "--score", "bert"]


@pytest.fixture
def scored(tmp_path: Path) -> Path:
    """Return a file of a truth and the scores of a model."""
    rows = "\n".join(f"{int(k % 10 >= 4)},{(k * 37 % 100 + (k % 10 >= 4) * 60) / 160:.4f}" for k in range(120))
    path = tmp_path / "scored.csv"
    path.write_text(f"truth,bert\n{rows}\n", encoding="utf-8")
    return path


@pytest.fixture
def verbs(file: Path, square: Path, folds: Path, tagged: Path, scored: Path) -> dict[str, list[object]]:
    columns = [*COLUMNS, "--pred", "bert", "--pred", "svm"]
    return {
        "report": ["report", file, *columns],
        "counts": ["counts", "--tp", 77, "--fp", 44, "--fn", 10, "--tn", 702],
        "matrix": ["matrix", square, "--rows", "truth"],
        "spans": ["spans", tagged],
        "compare": ["compare", file, *columns, "--metric", "f1"],
        "gate": ["gate", file, *columns, "--model", "bert", "--metric", "f1", "--at-least", 0.5],
        "curve": ["curve", scored, *SCORED, "--metric", "f1"],
        "calibration": ["calibration", scored, *SCORED],
        "threshold": ["threshold", scored, *SCORED, "--metric", "precision", "--at-least", 0.6],
        "plan": ["plan", "f1", "--half-width", 0.05, "--prevalence", 0.1],
        "reconstruct": ["reconstruct", "--n", 833, "accuracy=0.935", "recall=0.885", "specificity=0.941"],
        "bayes": ["bayes", folds],
        "posterior": ["posterior", file, *columns],
        "cvtest": ["cvtest", folds],
        "split": ["split", "--n", 8, "--quiet"],
        "critical": ["critical", "--size", 2],
        "study": ["study", "f1", "--population", ".4,.1,.1,.4", "--n", 10, "--method", "wald"],
        "choose": ["choose", file, "--judge", "svm", "--pred", "bert", "-n", 10],
        "agreement": [
            "agreement",
            file,
            "--annotator",
            "label",
            "--annotator",
            "bert",
            "--annotator",
            "svm",
            "--pairs",
        ],
        "rogan-gladen": ["rogan-gladen", "--judged", 620, "--n", 1000, "--sensitivity", "72/80", "--specificity", 0.85],
        "metrics": ["metrics"],
        "methods": ["methods"],
        "papers": ["papers"],
    }

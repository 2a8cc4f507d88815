"""The recipes for MLflow and Hugging Face evaluate, as docs/how-to/trackers.md has them, run with the packages."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from support.doc_blocks import blocks_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "trackers.md"
WHY = "is not installed; make test-friends installs it"

pytestmark = [pytest.mark.friends, pytest.mark.skipif(not PAGE.exists(), reason="needs a clone, with its docs")]


def begun() -> dict[str, Any]:
    """Return the names that the first block of the page makes."""
    names: dict[str, Any] = {"__name__": "page"}
    (first, *_) = [block for block in blocks_of(PAGE) if block.language == "python"]
    exec(first.text, names)
    return names


def recipe(word: str) -> str:
    (found,) = [block.text for block in blocks_of(PAGE) if block.language == "py" and word in block.text]
    return found


@pytest.mark.skipif(importlib.util.find_spec("mlflow") is None, reason=f"mlflow {WHY}")
def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path / 'runs.db'}")
    names = begun()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import mlflow

        mlflow.set_tracking_uri(f"sqlite:///{tmp_path / 'runs.db'}")
        exec(recipe("import mlflow"), names)
        run = mlflow.last_active_run()
        page = mlflow.artifacts.load_text(f"{run.info.artifact_uri}/report.html")
    assert run.data.metrics == pytest.approx(names["report"].flat())
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "0.833" in page


@pytest.mark.skipif(importlib.util.find_spec("evaluate") is None, reason=f"evaluate {WHY}")
def test_evaluate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    names = begun()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(recipe("import evaluate"), names)
        made = names["F1WithInterval"]().compute(predictions=names["model"], references=names["truth"], level=0.9)
        both = names["evaluate"].combine([names["F1WithInterval"]()])
        together = both.compute(predictions=names["model"], references=names["truth"])
    expected = hs.estimate(hs.table(names["truth"], names["model"]), "f1", level=0.9).flat()
    assert made == pytest.approx(expected)
    assert together == pytest.approx(names["report"]["f1"].flat())

"""The recipes of the page on engines run as a reader would run them: saved as a script, started by Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from support.doc_blocks import assert_shown, recipe

pytestmark = pytest.mark.engines

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "engines.md"
if not PAGE.exists():
    pytest.skip("the source archive comes without the documentation", allow_module_level=True)
QUICK_SPARK = "--master local[1] --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=1 pyspark-shell"


def run_recipe(word: str, folder: Path) -> None:
    """Run the blocks that hold a word as one script, and compare what it prints."""
    code, shown = recipe(PAGE, word)
    (folder / "digits.csv").write_text((files("howsure.cli") / "example" / "digits.csv").read_text(encoding="utf-8"))
    (folder / "recipe.py").write_text(code, encoding="utf-8")
    own = {"PYSPARK_SUBMIT_ARGS": QUICK_SPARK, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "recipe.py"], cwd=folder, env=os.environ | own, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert_shown(shown, done.stdout, word)


def test_dask(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="needs the package 'distributed' (extra 'engines')")
    run_recipe("Client(", tmp_path)


def test_spark(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="needs the package 'pyspark' (extra 'engines')")
    if shutil.which("java") is None:
        pytest.skip("needs Java (Debian package default-jre-headless)")
    run_recipe("SparkSession", tmp_path)

"""The bundled example is what its script makes, and tells the story its README tells."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "make_example.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    specification = importlib.util.spec_from_file_location("make_example", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def errors(rows: list[dict[str, str]], model: str) -> int:
    return sum(row["truth"] != row[model] for row in rows)


@pytest.mark.parametrize("name", ["tumours.csv", "digits.csv"])
def test_script_remakes_the_file(script: ModuleType, name: str) -> None:
    assert script.EXAMPLES[name]() == (script.FOLDER / name).read_text(encoding="utf-8")


def test_every_bundled_table_has_a_maker_and_is_small(script: ModuleType) -> None:
    files = {path.name: path.stat().st_size for path in script.FOLDER.glob("*.csv")}
    assert files.keys() == script.EXAMPLES.keys()
    assert sum(files.values()) < 50_000


def test_tumours_have_two_close_models_and_a_worse_one(script: ModuleType) -> None:
    rows = rows_of(script.FOLDER / "tumours.csv")
    # scikit-learn's 569 tumours hold 212 malignant ones; 284 are the odd rows.
    assert len(rows) == 569 // 2
    assert {row["truth"] for row in rows} == {"malignant", "benign"}
    close = abs(errors(rows, "linear") - errors(rows, "neighbours"))
    assert close < 10 < errors(rows, "centroid") - errors(rows, "linear")


def test_digits_have_two_close_models_and_a_worse_one(script: ModuleType) -> None:
    rows = rows_of(script.FOLDER / "digits.csv")
    assert len(rows) == 1797 - 1797 // 2
    assert {row["truth"] for row in rows} == set("0123456789")
    close = abs(errors(rows, "nearest") - errors(rows, "neighbours"))
    assert close < 20 < errors(rows, "naive_bayes") - errors(rows, "neighbours")

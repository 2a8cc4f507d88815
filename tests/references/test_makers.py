"""Every stored table has a maker that runs without us, and is used by a test; a change of a cell is noticed."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def load() -> ModuleType:
    """Return scripts/references.py as a module."""
    spec = importlib.util.spec_from_file_location("references_script", ROOT / "scripts" / "references.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SCRIPT = load()


def test_every_maker_is_listed_and_every_table_has_one() -> None:
    assert {path.name for path in HERE.glob("*_make.*")} == {maker.script for maker in SCRIPT.MAKERS}
    made = [file for maker in SCRIPT.MAKERS for file in maker.files]
    assert len(made) == len(set(made))
    inputs = {file for maker in SCRIPT.MAKERS for file in maker.reads} - set(made)
    assert {path.name for path in HERE.glob("*.csv")} == {*made, *inputs}
    assert inputs == {"compare_models.csv"}


@pytest.mark.parametrize("maker", SCRIPT.MAKERS, ids=lambda maker: maker.script)
def test_a_maker_names_its_tables_and_leaves_us_out(maker: object) -> None:
    text = (HERE / maker.script).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(import|from)\s+howsure|system2?\(|subprocess", text, re.MULTILINE)
    for file in maker.files:
        stem = file.removesuffix(".csv")
        assert stem in text or stem.split("_", 1)[0] + "_{" in text, file
    for package in maker.programs if maker.in_r else ():
        listed = (ROOT / "scripts" / "reference_packages.txt").read_text(encoding="utf-8").split()
        assert f"r-cran-{package.lower()}" in listed


def test_every_table_is_used_by_a_test() -> None:
    tests = "".join(
        path.read_text(encoding="utf-8") for path in HERE.parent.rglob("test_*.py") if path != Path(__file__)
    )
    unused = [path.name for path in HERE.glob("*.csv") if f'"{path.stem}"' not in tests and path.name not in tests]
    assert unused == []


@pytest.mark.parametrize(
    ("made", "verdict"),
    [
        ("name,x,q\na,0.5,1.0\nb,1e-20,2.0\n", "same"),
        ("name,x,q\na,0.5000000001,1.001\nb,0,2.0\n", "same"),
        ("name,x,q\na,0.500000001,1.0\nb,1e-20,2.0\n", "differs in 1 cells, first line 2, x"),
        ("name,x,q\na,0.5,1.0\nb,1e-20,2.003\n", "differs in 1 cells, first line 3, q"),
        ("name,x,q\na,0.5,1.0\nc,1e-20,2.0\n", "differs in 1 cells, first line 3, name"),
        ("name,x,q\na,0.5,1.0\n", "differs in shape"),
        ("name,y,q\na,0.5,1.0\nb,1e-20,2.0\n", "differs in shape"),
    ],
)
def test_a_changed_cell_is_noticed(made: str, verdict: str, tmp_path: Path) -> None:
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text("name,x,q\na,0.5,1.0\nb,1e-20,2.0\n")
    new.write_text(made)
    assert SCRIPT.compare(old, new, noise={"q": 2e-3}, floor=1e-14)[2].startswith(verdict)


def test_tiny_numbers_count_where_no_floor_is_set(tmp_path: Path) -> None:
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text("p\n1e-40\n")
    new.write_text("p\n2e-40\n")
    assert SCRIPT.compare(old, new, noise={}, floor=0.0)[1:] == (
        0.5,
        "differs in 1 cells, first line 2, p: 1e-40 stored, 2e-40 made",
    )


def test_a_quick_maker_gives_the_stored_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole path for one maker in Python; `make references` runs them all."""
    (maker,) = SCRIPT.chosen(["seqeval"], quick=True)
    assert [row.verdict for row in SCRIPT.outcomes(maker, write=False)] == ["same", "same"]


def test_without_r_its_makers_are_skipped_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SCRIPT, "r_versions", dict)
    (maker,) = SCRIPT.chosen(["caret"], quick=True)
    rows = SCRIPT.outcomes(maker, write=False)
    assert [row.verdict for row in rows] == ["skipped: no R caret"] * 2
    assert all(row.good for row in rows)

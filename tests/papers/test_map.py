"""The map of the papers: every row is run, by command and by call, and compared with the print; none is skipped."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.cli.verbs.papers.study import PAPERS
from howsure.studies.papers import yuan2025
from howsure.studies.papers.paper_map import MapRow, map_files, map_rows, setups
from support.command_line import run

ROWS = map_rows()
PAGE = Path(__file__).parents[2] / "docs" / "papers" / "map.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the files of the map, in which commands and calls run."""
    path, before = tmp_path_factory.mktemp("map"), Path.cwd()
    for name, text in map_files().items():
        (path / name).write_text(text, encoding="utf-8")
    os.chdir(path)
    yield path
    os.chdir(before)


@pytest.fixture(scope="module")
def said() -> dict[str, Any]:
    """What each command said; several rows ask the same one."""
    return {}


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the calls see."""
    return {"hs": hs, "Path": Path, "yuan": yuan2025.rows(replicates=300)}


def numbers(found: Any) -> list[float]:
    listed = found if isinstance(found, (list, tuple, np.ndarray)) else [found]
    return [math.nan if value is None else float(value) for value in listed]


def called(row: MapRow, names: dict[str, Any]) -> list[float]:
    scope = dict(names)
    *before, last = [part for part in re.split(r";\s*(?![^(]*\))", f"{setups()[row.paper]}; {row.python}") if part]
    exec("\n".join(before), scope)
    return numbers(eval(last, scope))


def commanded(row: MapRow, said: dict[str, Any]) -> list[float]:
    if row.command not in said:
        drawn = Path("figures")
        for file in drawn.iterdir() if drawn.exists() else ():
            file.unlink()
        made = json.loads(run(*shlex.split(row.command), "--format", "json").stdout)
        made = made["rows"] if made.keys() == {"schema", "version", "rows"} else made
        said[row.command] = made, len(list(drawn.iterdir())) if drawn.exists() else 0
    out, figures = said[row.command]
    return numbers(eval(row.out, {"out": out, "figures": figures, "Path": Path}))


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.paper}: {row.item}" for row in ROWS])
def test_row(row: MapRow, folder: Path, said: dict[str, Any], names: dict[str, Any]) -> None:
    ours = called(row, names)
    if row.command:
        assert commanded(row, said) == pytest.approx(ours, rel=1e-9, abs=1e-12, nan_ok=True)
    check_shown(row, ours)
    if not row.printed:
        return
    assert len(row.printed) == len(ours)
    for printed, value in zip(row.printed, ours, strict=True):
        unit = 10.0 ** -len(printed.partition(".")[2])
        if printed and not row.differs:
            assert abs(value - float(printed)) <= max(1.001 * unit, row.within or 0.0), (printed, value)


def check_shown(row: MapRow, ours: list[float]) -> None:
    """The numbers that the map shows as ours are those that come out, to the digits shown or as draws allow."""
    if row.ours == ("",):
        return
    assert len(row.ours) == len(ours)
    for shown, value in zip(row.ours, ours, strict=True):
        if shown == "undefined":
            assert math.isnan(value)
            continue
        unit = 10.0 ** -len(shown.partition(".")[2])
        assert abs(value - float(shown)) <= max(0.51 * unit, row.within or 0.0), (shown, value)


def test_every_paper_is_on_the_map() -> None:
    counted = Counter(row.paper for row in ROWS)
    assert set(counted) == set(PAPERS)
    assert min(counted.values()) >= 12
    assert len(ROWS) >= 75
    assert len({(row.paper, row.item) for row in ROWS}) == len(ROWS)


def test_the_page_has_every_row() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for row in ROWS:
        assert f"### {row.item}" in page
        assert row.python in page
        assert not row.command or f"howsure {row.command}" in page
    assert f"{len(ROWS)} rows" in page


def test_the_verb_prints_it(tmp_path: Path) -> None:
    everything, one = run("papers").stdout, run("papers", "lam2024").stdout
    assert all(row.item in everything for row in ROWS)
    assert "tau(0.64" not in one
    assert "howsure counts --tp 77" in one
    assert len(json.loads(run("papers", "jiang2020", "--format", "json").stdout)["rows"]) == len(map_rows("jiang2020"))
    assert "Did you mean 'lam2024'" in run("papers", "lam2023", code=2).stderr
    run("papers", "--files", tmp_path / "made", "-q")
    assert {path.name for path in (tmp_path / "made").iterdir()} == set(map_files())

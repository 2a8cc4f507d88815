"""What a release holds and says: the archives, the versions that are allowed, and the papers around the code."""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import howsure

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RUN_TIME = ("cli", "files", "figures", "page", "studies", "web", "crf")
CHECKS = runpy.run_path(str(ROOT / "scripts" / "check_dist.py"))
OLDEST = runpy.run_path(str(ROOT / "scripts" / "oldest_versions.py"))


@pytest.fixture(scope="module", params=["wheel", "sdist"])
def archive(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build one archive from the sources, without the network."""
    builders = pytest.importorskip(f"hatchling.builders.{request.param}", reason="hatchling is not installed")
    builder = getattr(builders, f"{'Wheel' if request.param == 'wheel' else 'Sdist'}Builder")(str(ROOT))
    return Path(next(iter(builder.build(directory=str(tmp_path_factory.mktemp("dist"))))))


def test_archives_hold_what_they_need_and_nothing_else(archive: Path) -> None:
    assert CHECKS["faults"](archive) == []


def test_version_is_semantic_and_written_once(archive: Path) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?", howsure.__version__)
    assert f"howsure-{howsure.__version__}" in archive.name
    assert "version" in PROJECT["dynamic"]
    assert "version:" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8").replace("cff-version:", "")


def test_a_missing_file_is_a_fault(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = (*CHECKS["NEEDED"], "howsure/not_there.txt")
    monkeypatch.setitem(CHECKS["faults"].__globals__, "NEEDED", wanted)
    assert [one for one in CHECKS["faults"](archive) if "not_there" in one]


def test_every_requirement_of_the_library_has_a_floor() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(one for name in RUN_TIME for one in extras[name])]
    assert [one for one in wanted if not re.fullmatch(r"[a-z0-9-]+>=[0-9.]+", one)] == []
    assert extras["all"] == [f"howsure[{','.join(name for name in RUN_TIME if name != 'crf')}]"]


def test_the_command_reads_files() -> None:
    extras = PROJECT["optional-dependencies"]
    assert set(extras["files"]) < set(extras["cli"])


def test_the_oldest_versions_are_the_floors() -> None:
    found = OLDEST["oldest"](PROJECT)
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(one for name in (*RUN_TIME, "test") for one in extras[name])]
    floors = {tuple(one.split(">=")) for one in wanted if ">=" in one}
    pinned = {tuple(one.split("==")) for one in found if "==" in one}
    assert {name for name, _ in floors - pinned} <= set(OLDEST["LEFT_OUT"])
    assert pinned <= floors
    names = [re.split("[<>=]", one)[0] for one in found]
    assert len(names) == len(set(names)), "a package with two floors"
    assert not set(names) & set(OLDEST["LEFT_OUT"])


def test_python_floor_is_the_one_that_runs_the_oldest_lane() -> None:
    assert PROJECT["requires-python"] == ">=3.11"
    assert sys.version_info >= (3, 11)
    assert "python3.11 -m venv" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_extra_has_a_probe() -> None:
    """An extra that nobody tries alone is an extra that misses a package."""
    assert set(CHECKS["PROBES"]) == {*RUN_TIME, "all"}


def test_messages_name_extras_that_exist() -> None:
    """An unknown extra is no error for pip: it would install nothing, and the message would come again."""
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = re.findall(r'raise need_extra\([^,]+, "(\w+)"', text)
    assert len(named) == text.count("raise need_extra(")
    assert set(named) <= set(RUN_TIME)


def test_changelog_names_every_public_function() -> None:
    """Functions by name; classes that they return need no line of their own."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    functions = [name for name in howsure.__all__ if name.islower() and not name.startswith("_")]
    assert [name for name in functions if not re.search(rf"\bhs\.{name}\b", text)] == []
    assert re.search(rf"^## \[{re.escape(howsure.__version__)}\]", text, re.MULTILINE)

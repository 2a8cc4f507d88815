"""A lane that was killed goes on with what is left: what passed on these very files is kept until it is through."""

from __future__ import annotations

import hashlib
import os
import platform
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import pytest

# What is made from the rest, and what is not of the project.
NOT_SOURCES = frozenset({"__pycache__", "build", "dist", "site", "htmlcov"})
THROUGH = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


def add_option(parser: pytest.Parser) -> None:
    """Let a lane name the file that keeps what passed."""
    parser.addoption("--going-on", metavar="FILE", help="leave out what passed before this lane was killed")


@cache
def beside() -> list[str]:
    """Return the packages of this environment with their versions."""
    return sorted(f"{one.name} {one.version}" for one in distributions())


def state(root: Path) -> str:
    """Return what a test's outcome may hang on: every file of the project, the packages beside it, the profile."""
    found = hashlib.sha256(repr((platform.python_version(), os.environ.get("HYPOTHESIS_PROFILE"))).encode())
    found.update(repr(beside()).encode())
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith(".") and name not in NOT_SOURCES)
        for path in (Path(folder, name) for name in sorted(files) if not name.startswith(".")):
            found.update(f"{path.relative_to(root)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


def register(config: pytest.Config) -> None:
    """Go on where the lane was killed, if a file is named that keeps what passed."""
    name = config.getoption("--going-on")
    if name is None:
        return
    if hasattr(config, "workerinput"):  # of the process that hands out the tests, which alone reads and writes the file
        passed = config.workerinput["passed"]
    else:
        kept = Kept(config.rootpath / name, state(config.rootpath))
        config.pluginmanager.register(kept)
        passed = kept.passed
    config.pluginmanager.register(LeavesOut(frozenset(passed)))


class LeavesOut:
    """Leaves out the tests that passed before."""

    def __init__(self, passed: frozenset[str]) -> None:
        self.passed = passed

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        done = [item for item in items if item.nodeid in self.passed]
        config.hook.pytest_deselected(items=done)
        items[:] = [item for item in items if item.nodeid not in self.passed]


class Kept:
    """Keeps the names of the tests that pass, one a line, below the state of the files that they passed on."""

    def __init__(self, path: Path, now: str) -> None:
        self.path = path
        head, *lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else [""]
        self.passed = lines[:-1] if head == now else []  # the last line may be half written
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in (now, *self.passed)), encoding="utf-8")
        self.stream = path.open("a", encoding="utf-8", buffering=1)
        self.called: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["passed"] = self.passed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a test down when it passed and was cleared away without an error."""
        if report.when == "call" and report.passed:
            self.called.add(report.nodeid)
        elif report.when == "teardown" and report.passed and report.nodeid in self.called:
            self.stream.write(f"{report.nodeid}\n")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Forget everything when the lane is through, whether or not a test failed."""
        self.stream.close()
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.passed:
            session.exitstatus = pytest.ExitCode.OK  # it was killed after the last test
        if exitstatus in THROUGH:
            self.path.unlink()

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.passed:
            tests = "1 test" if len(self.passed) == 1 else f"{len(self.passed)} tests"
            terminalreporter.write_line(f"went on after {tests} that had passed on the same files")

"""What every test may lean on: reproducible hypothesis runs, the optional real data, a served calculator."""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from support import resuming
from support.served import served
from support.snapshots import Snapshots

settings.register_profile(
    "quick",
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("thorough", parent=settings.get_profile("quick"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--refresh-snapshots", action="store_true", help="write tests/snapshots/*.txt anew")
    resuming.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    resuming.register(config)


def pytest_collection() -> None:
    gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in docstrings of the library alone: here are none, and every worker would look for them."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


# What begins first, so that at the end nobody waits for a worker that has just begun what takes ten seconds.
LONG = (
    "tests/surface/test_docs.py", "tests/planning/test_plan.py", "tests/scores/test_sklearn_suite.py",
    "tests/properties/", "tests/papers/test_map.py", "tests/hard_use/", "tests/tables/test_many_classes.py",
)  # fmt: skip


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_collection_finish() -> None:
    """Leave what was collected, millions of objects that stay to the end, out of every later search for garbage."""
    gc.freeze()
    gc.enable()
    atexit.register(gc.unfreeze)  # packages that count what they leak look when the interpreter ends


# What the summary counts, by where a test stands.
COUNTED = {
    "published numbers": ("tests/papers/",),
    "references of other programs": ("tests/references/", "tests/friends/"),
    "doors for data": ("tests/sources/", "tests/engines/"),
}
PROPERTIES = "tests/properties/"  # and wherever hypothesis draws the examples


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many tests of published numbers, references, doors and properties passed, of all that ran."""
    ran = {"passed": [], "failed": []} | {key: terminalreporter.stats.get(key, []) for key in ("passed", "failed")}
    every = [(key == "passed", one) for key, some in ran.items() for one in some if one.when == "call"]
    held = {what: [good for good, one in every if one.nodeid.startswith(places)] for what, places in COUNTED.items()}
    held["properties"] = [good for good, one in every if "hypothesis" in one.keywords or PROPERTIES in one.nodeid]
    said = [f"{what} {sum(some)} of {len(some)}" for what, some in held.items() if some]
    if said:
        terminalreporter.write_line(f"checked: {', '.join(said)}")


@pytest.fixture
def snapshots(request: pytest.FixtureRequest) -> Snapshots:
    """Texts as they are shown, compared with their files."""
    return Snapshots(request.config.getoption("--refresh-snapshots"))


DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real data beside the repository, or skip."""
    if not DATA.is_dir():
        pytest.skip("the real data is not beside the repository (../shared/data)")
    return DATA


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Serve the calculator for the whole session and return its address, without a slash at the end."""
    with served() as where:
        yield where

"""What every test may lean on: reproducible hypothesis runs, the optional real data, a served calculator."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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

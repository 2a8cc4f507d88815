"""With the profile ``thorough`` (make test-slow) the spoilt files are in the slow lane, twenty times as many."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("HYPOTHESIS_PROFILE") == "thorough":
        for item in items:
            if item.path == HERE / "test_readers.py":
                item.add_marker(pytest.mark.slow)

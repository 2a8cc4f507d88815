"""With the profile ``thorough`` (make test-slow) the properties are in the slow lane: twenty times the examples."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("HYPOTHESIS_PROFILE") == "thorough":
        for item in items:
            if HERE in item.path.parents:
                item.add_marker(pytest.mark.slow)

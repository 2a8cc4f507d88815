"""Modin, where it is installed beside a pandas that it takes: the same table."""

from __future__ import annotations

import os
from typing import Any

import pytest

from support import doors

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

os.environ.setdefault("MODIN_ENGINE", "python")
modin = pytest.importorskip("modin.pandas", reason="needs Modin, which keeps pandas below 3", exc_type=ImportError)


def test_same_table() -> None:
    def door(columns: dict[str, list[Any]]) -> Any:
        return modin.DataFrame(columns)

    doors.check_source(door)

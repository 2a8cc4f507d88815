"""Both ways of counting a text file."""

from __future__ import annotations

import pytest

from howsure.sources.files import duckdb_scan
from support.written import WAYS


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Count text files in Python, then with DuckDB: both must agree."""
    monkeypatch.setattr(duckdb_scan, "SMALL", WAYS[request.param])
    return str(request.param)

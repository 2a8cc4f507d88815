"""Data frames: pandas if installed, otherwise polars."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from howsure.errors import InputError, need_package, quoted
from howsure.errors.messages import reports as messages
from howsure.reports.csv import spread_out

BACKENDS = ("pandas", "polars")


def frame_of_rows(result: Any, *, backend: str | None = None) -> Any:
    """Return a result of several rows as a tidy data frame, one row each."""
    return to_frame(result.to_dicts(), backend)


def flat_frame(result: Any, *, backend: str | None = None) -> Any:
    """Return the same of rows that hold lists, which are left out."""
    kept = [
        {key: value for key, value in row.items() if not isinstance(value, (list, dict))} for row in result.to_dicts()
    ]
    return to_frame(kept, backend)


def to_frame(rows: list[dict[str, Any]], backend: str | None = None) -> Any:
    """Return the rows as a data frame of the asked or the first installed library."""
    if backend is not None and backend not in BACKENDS:
        raise InputError.of("backend", backend, messages.ONE_OF_BACKENDS(backends=quoted(BACKENDS)))
    plain = [spread_out(row | {"notes": "; ".join(row["notes"])} if "notes" in row else row) for row in rows]
    for name in BACKENDS if backend is None else (backend,):
        try:
            library = import_module(name)
        except ImportError:
            continue
        return library.DataFrame(plain)
    raise need_package(backend or BACKENDS[0], messages.TO_FRAME())

"""Data frames: pandas if installed, otherwise polars."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from howsure.errors import InputError, need_package, quoted

BACKENDS = ("pandas", "polars")


def to_frame(rows: list[dict[str, Any]], backend: str | None = None) -> Any:
    """Return the rows as a data frame of the asked or the first installed library."""
    if backend is not None and backend not in BACKENDS:
        raise InputError(f"backend is {backend!r}; it must be one of {quoted(BACKENDS)}")
    plain = [row | {"notes": "; ".join(row["notes"])} if "notes" in row else row for row in rows]
    for name in BACKENDS if backend is None else (backend,):
        try:
            library = import_module(name)
        except ImportError:
            continue
        return library.DataFrame(plain)
    raise need_package(backend or BACKENDS[0], "to_frame()")

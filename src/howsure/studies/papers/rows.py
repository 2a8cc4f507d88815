"""Rows and figures of a paper by its name: printed numbers beside ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from howsure.results.coverage import PaperRow


def row_maker(table: str, **common: Any) -> Callable[..., PaperRow]:
    """Return a function that makes rows of one table, with fields that all of them share."""
    return partial(PaperRow, table, **common)


def printed_cells(text: str, scenarios: Iterable[str], columns: Sequence[str]) -> Iterator[tuple[str, int, str, float]]:
    """Return scenario, n, column and number of each cell of a printed table: a line a size, columns by scenario."""
    cells = [(scenario, column) for scenario in scenarios for column in columns]
    for line in text.strip().splitlines():
        n, *values = line.split()
        for (scenario, column), value in zip(cells, values, strict=True):
            yield scenario, int(n), column, float(value)


def share_error(share: float, draws: int) -> float:
    """Return the Monte-Carlo error of a share counted over so many draws: √(p(1 − p)/draws)."""
    return math.sqrt(share * (1 - share) / draws)


def paper_rows(name: str, **options: Any) -> list[PaperRow]:
    """Return the rows of a paper; options that it does not take, or that are None, are left out."""
    rows = _module(name).rows
    known = signature(rows).parameters
    return list(rows(**{key: value for key, value in options.items() if value is not None and key in known}))


def takes(name: str, option: str) -> bool:
    """Say whether the rows of a paper depend on an option such as ``data``."""
    return option in signature(_module(name).rows).parameters


def has_figures(name: str) -> bool:
    """Say whether there is a figure of the paper to draw."""
    return hasattr(_module(name), "figures")


def paper_figures(name: str, folder: Path, *, form: str = "svg") -> list[Path]:
    """Draw the paper's figures into a folder and return the files; none, and no folder, where it has none."""
    return list(_module(name).figures(folder, form=form)) if has_figures(name) else []


def _module(name: str) -> Any:
    return import_module(f"howsure.studies.papers.{name}")

"""Rows and figures of a paper by its name: printed numbers beside ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from howsure.results.coverage import PaperRow


def row_maker(table: str, **common: Any) -> Callable[..., PaperRow]:
    """Return a function that makes rows of one table, with fields that all of them share."""
    return partial(PaperRow, table, **common)


def share_error(share: float, draws: int) -> float:
    """Return the Monte-Carlo error of a share counted over so many draws: √(p(1 − p)/draws)."""
    return math.sqrt(share * (1 - share) / draws)


def paper_rows(name: str, **options: Any) -> list[PaperRow]:
    """Return the rows of a paper; options that it does not take, or that are None, are left out."""
    rows = import_module(f"howsure.studies.papers.{name}").rows
    known = signature(rows).parameters
    return list(rows(**{key: value for key, value in options.items() if value is not None and key in known}))


def paper_figures(name: str, folder: Path) -> list[Path]:
    """Draw the paper's figures into a folder and return the files."""
    draw = getattr(import_module(f"howsure.studies.papers.{name}"), "figures", None)
    folder.mkdir(parents=True, exist_ok=True)
    return [] if draw is None else list(draw(folder))

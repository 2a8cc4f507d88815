"""PaperRow: a printed number beside ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any


@dataclass(frozen=True)
class PaperRow:
    """One number of a paper: as printed (None where the text has none), and as recomputed.

    ``se`` is the Monte-Carlo error of ours, None where it is exact. ``note`` names what stands between the two.
    """

    table: str
    cell: str
    printed: float | None
    ours: float | None
    se: float | None = None
    note: str = ""

    @property
    def difference(self) -> float | None:
        """ours − printed, or None where one of them is missing."""
        return None if self.printed is None or self.ours is None else self.ours - self.printed

    def to_dict(self) -> dict[str, Any]:
        """Return every field and the difference."""
        return asdict(self) | {"difference": self.difference}

    def __repr__(self) -> str:
        ours = "–" if self.ours is None else f"{self.ours:.6g}" + (f" ± {self.se:.1g}" if self.se else "")
        printed = "–" if self.printed is None else f"{self.printed:g}"
        return f"{self.table}, {self.cell}: printed {printed}, ours {ours}" + (f" ({self.note})" if self.note else "")


def row_maker(table: str) -> Callable[..., PaperRow]:
    """Return a function that makes rows of one table."""
    return partial(PaperRow, table)

"""PaperRow: a printed number beside ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

OPEN = "open"


@dataclass(frozen=True)
class PaperRow:
    """One number of a paper: as printed (None where the text has none), and as recomputed.

    ``se`` is the Monte-Carlo error of ours, ``printed_se`` that of the print, None where exact. ``note`` names what
    stands between the two; one that starts with "open" says that nothing explains it. ``decimals`` is how many the
    paper prints, trailing zeros too. ``again`` marks a second look at a number that another row counts: another
    reading of the text, or another way of computing.
    """

    table: str
    cell: str
    printed: float | None
    ours: float | None
    se: float | None = None
    note: str = ""
    printed_se: float | None = None
    decimals: int | None = None
    again: bool = False

    @property
    def difference(self) -> float | None:
        """ours − printed, or None where one of them is missing."""
        return None if self.printed is None or self.ours is None else self.ours - self.printed

    @property
    def unit(self) -> float:
        """One unit of the last printed digit."""
        text = f"{self.printed!r}"
        shown = len(text.partition(".")[2]) if "." in text and "e" not in text else 0
        return 10.0 ** -(shown if self.decimals is None else self.decimals)

    @property
    def agrees(self) -> bool:
        """Whether ours is the printed value, give or take one unit of its last digit and three Monte-Carlo errors."""
        if self.difference is None:
            return False
        return abs(self.difference) <= self.unit * 1.001 + 3 * math.hypot(self.se or 0.0, self.printed_se or 0.0)

    @property
    def standing(self) -> str:
        """Say "agrees", "explained" (a stated reason), "open", "not recomputed", or "" where nothing is printed."""
        if self.printed is None:
            return ""
        if self.ours is None:
            return "not recomputed"
        if self.agrees:
            return "agrees"
        return "explained" if self.note and not self.note.startswith(OPEN) else OPEN

    @property
    def as_printed(self) -> str:
        """The printed number as the paper writes it."""
        if self.printed is None:
            return "–"
        return f"{self.printed:g}" if self.decimals is None else f"{self.printed:.{self.decimals}f}"

    def to_dict(self) -> dict[str, Any]:
        """Return every field, the difference and the standing."""
        return asdict(self) | {"difference": self.difference, "standing": self.standing}

    def __repr__(self) -> str:
        ours = "–" if self.ours is None else f"{self.ours:.6g}" + (f" ± {self.se:.1g}" if self.se else "")
        return f"{self.table}, {self.cell}: printed {self.as_printed}, ours {ours}" + (
            f" ({self.note})" if self.note else ""
        )


def row_maker(table: str, **common: Any) -> Callable[..., PaperRow]:
    """Return a function that makes rows of one table, with fields that all of them share."""
    return partial(PaperRow, table, **common)


def share_error(share: float, draws: int) -> float:
    """Return the Monte-Carlo error of a share counted over so many draws: √(p(1 − p)/draws)."""
    return math.sqrt(share * (1 - share) / draws)

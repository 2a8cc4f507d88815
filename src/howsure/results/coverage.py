"""Coverage: the rows of a study, frozen, with repr and to_dict."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from howsure.errors.messages import results as messages
from howsure.results.base import Listed, rows_document
from howsure.results.words import percent


@dataclass(frozen=True)
class CoverageRow:
    """How one method did for one metric, population and n.

    All are given that the metric is defined; ``undefined`` is the probability that it is not. ``above``: the whole
    interval lies above the truth. ``failed``: the method gives no limits although the metric has a value; that counts
    as a miss, so coverage + above + below + failed = 1. ``se`` and ``length_se`` are Monte-Carlo errors, 0 if exact.
    """

    metric: str
    method: str
    n: int
    level: float
    truth: float
    coverage: float
    length: float
    overshoot: float
    degenerate: float
    undefined: float
    above: float
    below: float
    failed: float
    exact: bool
    replicates: int | None = None
    seed: int | None = None
    se: float = 0.0
    length_se: float = 0.0
    population: str = ""
    side: str = "both"

    def __repr__(self) -> str:
        how = "exact" if self.exact else f"simulated, ± {self.se:.4f}"
        where = f" in {self.population}" if self.population else ""
        lost = f"; {self.undefined:.2%} of samples undefined and left out" if self.undefined >= 0.00005 else ""
        return (
            f"{self.metric} by {self.method}{where}, n = {self.n:,}: {percent(self.level)} interval covers "
            f"{self.coverage:.4f} ({how}), length {self.length:.4f}{lost}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every field with full precision."""
        return asdict(self)


@dataclass(frozen=True)
class Coverage(Listed[CoverageRow]):
    """The rows of a study; ``where`` picks some, ``[method, n]`` one."""

    rows: tuple[CoverageRow, ...]

    def _named(self, index: Any) -> CoverageRow:
        """Return the row of (method, n)."""
        method, n = index
        found = self.where(method=method, n=n)
        if len(found) != 1:
            raise KeyError(messages.ROWS_MATCH_ASK(index=index, number=len(found)))
        return found.rows[0]

    def where(self, **wanted: Any) -> Coverage:
        """Return the rows whose fields have these values: ``where(method="wald", population="S1")``."""
        return Coverage(
            tuple(row for row in self.rows if all(getattr(row, name) == value for name, value in wanted.items()))
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per row."""
        return [row.to_dict() for row in self.rows]

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the rows as JSON with their schema's version."""
        return json.dumps(rows_document("coverage", self.to_dicts()), indent=indent)

    def plot(self) -> Any:
        """Draw coverage over length against n, a column per population, and return matplotlib's axes as an array."""
        return self.write("figure")

    def __repr__(self) -> str:
        return f"Coverage({len(self.rows)} rows)"

    def __str__(self) -> str:
        return "\n".join(map(repr, self.rows))


@dataclass(frozen=True)
class PaperRow:
    """One number of a paper: as printed (None where the text has none), and as recomputed.

    ``se`` is the Monte-Carlo error of ours, ``printed_se`` that of the print, None where exact. ``note`` names what
    stands between the two; where that explains nothing, the row is ``unexplained`` (a standing of "open", so documents
    have no field of their own for it). ``decimals`` is how many the paper prints, trailing zeros too. ``again`` marks a
    second look at a number that another row counts: another reading of the text, or another way of computing.
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
    unexplained: bool = False

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
        """Say "agrees", "explained" (a stated reason), "open", "not recomputed", or "" where nothing is printed.

        A second look at a number is "again", so that each number counts once wherever standings are counted.
        """
        if self.printed is None:
            return ""
        if self.again:
            return "again"
        if self.ours is None:
            return "not recomputed"
        if self.agrees:
            return "agrees"
        return "explained" if self.note and not self.unexplained else "open"

    @property
    def as_printed(self) -> str:
        """The printed number as the paper writes it."""
        if self.printed is None:
            return "–"
        return f"{self.printed:g}" if self.decimals is None else f"{self.printed:.{self.decimals}f}"

    def to_dict(self) -> dict[str, Any]:
        """Return every field, the difference and the standing, which says what is unexplained."""
        held = {name: value for name, value in asdict(self).items() if name != "unexplained"}
        return held | {"difference": self.difference, "standing": self.standing}

    def __repr__(self) -> str:
        ours = "–" if self.ours is None else f"{self.ours:.6g}" + (f" ± {self.se:.1g}" if self.se else "")
        return f"{self.table}, {self.cell}: printed {self.as_printed}, ours {ours}" + (
            f" ({self.note})" if self.note else ""
        )

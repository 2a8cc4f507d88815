"""Coverage: the rows of a study, frozen, with repr and to_dict."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from howsure.results.estimate import json_ready, percent


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
        return (
            f"{self.metric} by {self.method}{where}, n = {self.n:,}: {percent(self.level)} interval covers "
            f"{self.coverage:.4f} ({how}), length {self.length:.4f}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every field with full precision."""
        return asdict(self)


@dataclass(frozen=True)
class Coverage(Sequence[CoverageRow]):
    """The rows of a study; ``where`` picks some, ``[method, n]`` one."""

    rows: tuple[CoverageRow, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        """Return a row by position, or by (method, n)."""
        if isinstance(index, (int, slice)):
            return self.rows[index]
        method, n = index
        found = self.where(method=method, n=n)
        if len(found) != 1:
            raise KeyError(f"{index!r}: {len(found)} rows match; ask for (method, n), or use where()")
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
        """Return the rows as JSON."""
        return json.dumps(json_ready(self.to_dicts()), indent=indent)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a tidy data frame."""
        from howsure.reports.frames import to_frame

        return to_frame(self.to_dicts(), backend)

    def plot(self) -> Any:
        """Draw coverage over length against n, a column per population, and return matplotlib's axes as an array."""
        from howsure.reports.figures.curves import plot_coverage

        return plot_coverage(self)

    def __repr__(self) -> str:
        return f"Coverage({len(self.rows)} rows)"

    def __str__(self) -> str:
        return "\n".join(map(repr, self.rows))

    def _repr_html_(self) -> str:
        from howsure.reports.notebook import coverage_notebook

        return coverage_notebook(self)

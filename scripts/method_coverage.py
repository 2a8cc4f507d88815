"""Study every interval method for the pictures and tables of its reference page, at the levels 0.90, 0.95 and 0.99.

    python scripts/method_coverage.py [--again metric …]

Writes docs/reference/methods/coverage.json: a series per metric, method, n and level, over populations with 30 %
positives in which precision and recall have the same value. What the file holds already is kept, so that a run may be
broken off and gone on with; ``--again`` makes the series of some metrics anew. Coverage is exact but for the methods
that draw and for macro F1, which are simulated; ``se`` is then the largest Monte-Carlo error of the series. Takes some
ten minutes from nothing.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from recommendation import population

import howsure as hs

TARGET = Path(__file__).resolve().parents[1] / "docs" / "reference" / "methods" / "coverage.json"
PREVALENCE = 0.3
SIZES = (25, 100)
LEVELS = (0.95, 0.9, 0.99)
QUALITIES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.84, 0.88, 0.9, 0.92, 0.94, 0.96, 0.97, 0.98, 0.99)
FEWER = (0.5, 0.6, 0.7, 0.8, 0.9, 0.94, 0.97, 0.99)
EXACT = ("recall", "f1", "mcc", "kappa", "odds_ratio", "lr_plus", "lr_minus")
AVERAGE = ("wald", "logit", "smoothed", "smoothed-t", "mover-gamma")
DRAWN: tuple[tuple[str, str, Any, int], ...] = (
    ("recall", "bootstrap", hs.Bootstrap(n_resamples=999), 1_000),
    ("f1", "bootstrap", hs.Bootstrap(n_resamples=999), 1_000),
    ("mcc", "dirichlet", hs.Bayes(draws=2000), 1_000),
    ("macro_f1", "dirichlet", hs.Bayes(draws=2000), 1_000),
)
Series = dict[str, Any]


def series(metric: str, found: hs.Coverage, level: float, *, name: str | None = None) -> Iterator[Series]:
    """Yield one series per method and n of a study."""
    for method in dict.fromkeys(row.method for row in found):
        for n in SIZES:
            rows = [row for row in found if (row.method, row.n) == (method, n)]
            yield {
                "metric": metric, "method": name or method, "n": n, "level": level,
                "exact": all(row.exact for row in rows), "se": round(max(row.se for row in rows), 5),
                "quality": [float(row.population) for row in rows],
                "coverage": [round(row.coverage, 5) for row in rows],
                "length": [_short(row.length) for row in rows],
            }  # fmt: skip


def _short(length: float) -> float | None:
    return round(length, 5) if math.isfinite(length) else None


def sources(metric: str, qualities: tuple[float, ...]) -> dict[str, Any]:
    return {f"{quality:g}": population(metric, PREVALENCE, quality) for quality in qualities}


def wanted() -> Iterator[tuple[str, str, float]]:
    """Yield metric, method and level of every series."""
    for level in LEVELS:
        for metric in EXACT:
            every = hs.study(metric, None, population(metric, PREVALENCE, 0.7), 2)
            yield from ((metric, row.method, level) for row in every)
        yield from (("macro_f1", method, level) for method in AVERAGE)
    yield from ((metric, name, 0.95) for metric, name, _, _ in DRAWN)


def made(metric: str, method: str, level: float) -> Iterator[Series]:
    """Yield the series of one metric and method at one level, one for each n."""
    drawn = {(one, name): (options, replicates) for one, name, options, replicates in DRAWN}
    if (metric, method) in drawn:
        options, replicates = drawn[metric, method]
        how: dict[str, Any] = {"exact": False, "replicates": replicates, "level": level}
        yield from series(metric, hs.study(metric, options, sources(metric, FEWER), SIZES, **how), level, name=method)
        return
    how = (
        {"exact": False, "replicates": 40_000 if level == 0.95 else 10_000} if metric == "macro_f1" else {"exact": True}
    )
    yield from series(metric, hs.study(metric, method, sources(metric, QUALITIES), SIZES, level=level, **how), level)


def key(one: Series) -> tuple[str, str, float]:
    return one["metric"], one["method"], one["level"]


def write(kept: Sequence[Series]) -> None:
    """Write the series, one to a line, sorted by metric, level, method and n."""
    order = sorted(kept, key=lambda one: (one["metric"], one["level"], one["method"], one["n"]))
    lines = ",\n".join(json.dumps(one) for one in order)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main() -> None:
    """Run the studies that are missing, and write after each."""
    again = sys.argv[2:] if sys.argv[1:2] == ["--again"] else []
    old = json.loads(TARGET.read_text(encoding="utf-8")) if TARGET.exists() else []
    kept = [one for one in old if one["metric"] not in again]
    for metric, method, level in wanted():
        if (metric, method, level) not in map(key, kept):
            print(metric, method, level, flush=True)
            kept += made(metric, method, level)
            write(kept)


if __name__ == "__main__":
    main()

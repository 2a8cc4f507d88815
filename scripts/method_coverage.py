"""Study every interval method for the pictures of its reference page.

    python scripts/method_coverage.py [metric …]

Writes docs/reference/methods/coverage.json: a series per metric, method and n, over populations with 30 % positives in
which precision and recall have the same value. With metrics named, only their exact series are made anew. Coverage is
exact but for the methods that draw and for macro F1, which are simulated; ``se`` is then the largest Monte-Carlo error
of the series. Takes a few minutes.
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
QUALITIES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.84, 0.88, 0.9, 0.92, 0.94, 0.96, 0.97, 0.98, 0.99)
FEWER = (0.5, 0.6, 0.7, 0.8, 0.9, 0.94, 0.97, 0.99)
EXACT = ("recall", "f1", "mcc", "kappa", "odds_ratio", "lr_plus", "lr_minus")
AVERAGE = ("wald", "logit", "smoothed", "smoothed-t")
DRAWN: tuple[tuple[str, str, Any, int], ...] = (
    ("recall", "bootstrap", hs.Bootstrap(n_resamples=999), 1_000),
    ("f1", "bootstrap", hs.Bootstrap(n_resamples=999), 1_000),
    ("mcc", "dirichlet", hs.Bayes(draws=2000), 1_000),
    ("macro_f1", "dirichlet", hs.Bayes(draws=2000), 1_000),
)
Series = dict[str, Any]


def series(metric: str, found: hs.Coverage, *, name: str | None = None) -> Iterator[Series]:
    """Yield one series per method and n of a study."""
    for method in dict.fromkeys(row.method for row in found):
        for n in SIZES:
            rows = [row for row in found if (row.method, row.n) == (method, n)]
            yield {
                "metric": metric, "method": name or method, "n": n, "exact": all(row.exact for row in rows),
                "se": round(max(row.se for row in rows), 5),
                "quality": [float(row.population) for row in rows],
                "coverage": [round(row.coverage, 5) for row in rows],
                "length": [_short(row.length) for row in rows],
            }  # fmt: skip


def _short(length: float) -> float | None:
    return round(length, 5) if math.isfinite(length) else None


def sources(metric: str, qualities: tuple[float, ...]) -> dict[str, Any]:
    return {f"{quality:g}": population(metric, PREVALENCE, quality) for quality in qualities}


def exact_series(metrics: Sequence[str]) -> Iterator[Series]:
    """Yield the series of every method that needs no draws."""
    for metric in metrics:
        print(metric)
        yield from series(metric, hs.study(metric, None, sources(metric, QUALITIES), SIZES, exact=True))


def simulated_series() -> Iterator[Series]:
    """Yield the series of macro F1 and of the methods that draw."""
    average = hs.study("macro_f1", AVERAGE, sources("macro_f1", QUALITIES), SIZES, exact=False, replicates=40_000)
    yield from series("macro_f1", average)
    for metric, name, method, replicates in DRAWN:
        print(metric, name)
        found = hs.study(metric, method, sources(metric, FEWER), SIZES, exact=False, replicates=replicates)
        yield from series(metric, found, name=name)


def main() -> None:
    """Run the studies and write the series, one to a line."""
    metrics = sys.argv[1:] or EXACT
    made = list(exact_series(metrics))
    if len(sys.argv) == 1:
        made += simulated_series()
    else:
        old = json.loads(TARGET.read_text(encoding="utf-8"))
        made = [one for one in old if one["metric"] not in metrics or not one["exact"]] + made
    lines = ",\n".join(json.dumps(one) for one in made)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()

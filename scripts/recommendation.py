"""Make the page "Which interval?": coverage and length of every method, drawn and tabulated.

    python scripts/recommendation.py [--jobs 2] [--quick]

Writes docs/explanation/which-interval.md, its figures and its data. Finished parts are kept in build/recommendation:
an interrupted run goes on where it stopped. From nothing it takes some ten minutes of one core. ``--quick`` takes fewer
sizes and replicates, to look at the layout.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from coverage_figure import COLOURS, Line, coverage_figure
from study_of_levels import section as levels

import howsure as hs
from howsure.results.base import json_ready

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "explanation" / "which-interval.md"
STORE = ROOT / "build" / "recommendation"

METRICS = ("precision", "recall", "specificity", "f1", "f0.5", "f2", "jaccard", "mcc", "macro_f1")
SIZES = (25, 50, 100, 200, 500, 1000, 5000)
PREVALENCES = (0.01, 0.05, 0.1, 0.2, 0.5)
MODELS = {"fair (0.7)": 0.7, "strong (0.95)": 0.95}
USUAL, LEVELS = 0.95, (0.9, 0.99)  # besides 0.95, at which every method is studied; here the default alone
SLOW = ("mid-p", "hdi")  # no closed form: simulated where enumeration would take minutes
REPLICATES, DRAWN_REPLICATES = 4_000, 200
DRAWN = {
    "bootstrap": hs.Bootstrap(n_resamples=999),
    "studentised": hs.Bootstrap(n_resamples=999, kind="studentised"),
    "dirichlet": hs.Bayes(draws=2000),
}
DRAWN_SIZES, DRAWN_PREVALENCES = (25, 100, 500), (0.05, 0.5)
LABELS = {"studentised": 'hs.Bootstrap(kind="studentised")'}
"""What a user writes for a method that has no name of its own."""
Row = dict[str, Any]


def population(metric: str, prevalence: float, quality: float) -> Any:
    """Return the shares: one class with precision = recall = quality; for macro F1 three classes, one of them rare."""
    if metric != "macro_f1":
        return {"prevalence": prevalence, "precision": quality, "recall": quality}
    actual = np.array([prevalence, (1 - prevalence) / 2, (1 - prevalence) / 2])
    shares = np.diag(quality * actual)
    for truth in range(3):
        others = [guess for guess in range(3) if guess != truth]
        shares[truth, others] = (1 - quality) * actual[truth] * actual[others] / actual[others].sum()
    return shares


def populations(metric: str, prevalences: Iterable[float]) -> dict[str, Any]:
    return {f"{prevalence:g}|{name}": population(metric, prevalence, quality)
            for prevalence in prevalences for name, quality in MODELS.items()}  # fmt: skip


def rows_of(metric: str, *, sizes: tuple[int, ...], replicates: int, jobs: int) -> Iterator[Row]:
    """Yield the study of every method for one metric at level 0.95, and of the default at other levels."""
    common: dict[str, Any] = {"checkpoint": STORE, "jobs": jobs, "progress": "bar"}
    sources = populations(metric, PREVALENCES)
    every = [row.method for row in hs.study(metric, None, next(iter(sources.values())), 2)]
    for names in ([name for name in every if name not in SLOW], [name for name in every if name in SLOW]):
        yield from _by_feasibility(metric, names, sources, sizes, replicates, common)
    for level in LEVELS:
        asked = common | {"level": level}
        yield from _by_feasibility(metric, [default_of(metric)], sources, sizes, replicates, asked)
    some = populations(metric, DRAWN_PREVALENCES)
    few = tuple(n for n in sizes if n in DRAWN_SIZES)
    for name, method in DRAWN.items():
        found = hs.study(metric, method, some, few, exact=False, replicates=DRAWN_REPLICATES, **common)
        yield from (row | {"method": name} for row in _told(found, USUAL))


def _by_feasibility(
    metric: str, names: list[str], sources: Row, sizes: tuple[int, ...], replicates: int, common: Row
) -> Iterator[Row]:
    """Yield exact figures where the tables are few enough for seconds, and simulated ones elsewhere."""
    slow = any(name in SLOW for name in names) or metric == "mcc"
    most = 100 if slow else 200
    small, large = ([n for n in sizes if (n <= most) == yes] for yes in (True, False))
    for some, how in ((small, {}), (large, {"exact": False})):
        if names and some:
            found = hs.study(metric, names, sources, some, replicates=replicates, **how, **common)
            yield from _told(found, common.get("level", USUAL))


def _told(found: hs.Coverage, level: float) -> Iterator[Row]:
    for row in found:
        prevalence, model = row.population.split("|")
        yield row.to_dict() | {"prevalence": float(prevalence), "model": model, "level": level}


# --- the page ---------------------------------------------------------------------------------------------------------


def page(rows: list[Row]) -> str:
    """Return the page as Markdown."""
    usual = [row for row in rows if row["level"] == USUAL]
    parts = [INTRODUCTION, recommendation_table(usual), worst_of(usual), EXCEPTIONS, levels(), STUDY]
    for metric in dict.fromkeys(row["metric"] for row in rows):
        every, name = [row for row in rows if row["metric"] == metric], default_of(metric)
        some = [row for row in every if row["level"] == USUAL]
        parts += [f"## {title(metric)}\n", f"![Coverage of intervals for {metric}](which-interval/{metric}.svg)\n"]
        parts += [by_size(some), by_prevalence(some, name), by_level(every, name)]
    simulated = sum(not row["exact"] for row in rows)
    parts.append(CLOSING.format(rows=len(rows), simulated=simulated))
    return "\n".join(parts)


def title(metric: str) -> str:
    from howsure.metrics.names import named

    return named(metric).title or metric


def default_of(metric: str) -> str:
    source = population(metric, 0.5, 0.7)
    return hs.study(metric, "default", source, 2)[0].method


def recommendation_table(rows: list[Row]) -> str:
    """Return, per metric: the default, what it covers, and what Wald covers."""
    lines = [
        "| metric | default | lowest / mean coverage, n ≤ 100 | n ≥ 200 | Wald, n ≤ 100 |",
        "|---|---|---|---|---|",
    ]
    for metric in dict.fromkeys(row["metric"] for row in rows):
        name = default_of(metric)
        cells = [
            spread(row for row in rows if (row["metric"], row["method"]) == (metric, method) and keep(row["n"]))
            for method, keep in ((name, _small), (name, _large), ("wald", _small))
        ]
        lines.append(f"| {title(metric)} | `{name}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _small(n: int) -> bool:
    return n <= 100


def _large(n: int) -> bool:
    return n >= 200


def spread(rows: Iterable[Row]) -> str:
    values = [row["coverage"] for row in rows if counts(row)]
    return f"{min(values):.3f} / {fmean(values):.3f}" if values else "–"


def counts(row: Row) -> bool:
    """Say whether a row is worth a summary: the metric is defined in most samples."""
    return row["coverage"] is not None and row["coverage"] == row["coverage"] and row["undefined"] <= 0.05


def by_size(rows: list[Row]) -> str:
    """Return lowest and mean coverage and mean length of every method, per n, over all populations."""
    sizes = sorted({row["n"] for row in rows})
    lines = [
        "Lowest coverage, mean coverage and mean length over the populations where the metric is defined in at least "
        "95 % of samples.\n",
        "| method | " + " | ".join(f"n = {n}" for n in sizes) + " |",
        "|---|" + "---|" * len(sizes),
    ]
    for method in dict.fromkeys(row["method"] for row in rows):
        cells = [summary([row for row in rows if (row["method"], row["n"]) == (method, n)]) for n in sizes]
        lines.append(f"| `{LABELS.get(method, method)}` | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def worst_of(rows: list[Row]) -> str:
    """Return the population in which each default covers least, by name."""
    lines = ["The worst population of each default:\n"]
    for metric in dict.fromkeys(row["metric"] for row in rows):
        name = default_of(metric)
        own = (row for row in rows if (row["metric"], row["method"]) == (metric, name) and counts(row))
        row = min(own, key=lambda one: one["coverage"])
        lines.append(
            f"- {title(metric)}: {row['coverage']:.3f} at n = {row['n']}, prevalence {row['prevalence']:.0%}, "
            f"the {row['model']} model{'' if row['exact'] else ' (simulated)'}."
        )
    return "\n".join([*lines, ""])


def by_level(rows: list[Row], method: str) -> str:
    """Return what the default covers at each level and n, and its length."""
    sizes, levels_asked = (sorted({row[name] for row in rows}) for name in ("n", "level"))
    lines = [
        f"The default, `{method}`, by level: lowest / mean coverage · mean length.\n",
        "| level | " + " | ".join(f"n = {n}" for n in sizes) + " |",
        "|---|" + "---|" * len(sizes),
    ]
    for level in levels_asked:
        own = [row for row in rows if (row["method"], row["level"]) == (method, level)]
        cells = [summary([row for row in own if row["n"] == n]) for n in sizes]
        lines.append(f"| {level:g} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def summary(rows: list[Row]) -> str:
    """Return lowest / mean coverage and mean length of the populations that count."""
    some = [row for row in rows if counts(row)]
    return f"{spread(some)} · {fmean(row['length'] for row in some):.3f}" if some else "–"


def by_prevalence(rows: list[Row], method: str) -> str:
    """Return what the default covers at each prevalence and n, for both models."""
    sizes = sorted({row["n"] for row in rows})
    lines = [
        f"The default, `{method}`, by prevalence (coverage for the fair model, for the strong one; in brackets where "
        "the metric is undefined in more than 5 % of samples).\n",
        "| prevalence | " + " | ".join(f"n = {n}" for n in sizes) + " |",
        "|---|" + "---|" * len(sizes),
    ]
    for prevalence in sorted({row["prevalence"] for row in rows}):
        cells = []
        for n in sizes:
            some = [row for row in rows if (row["method"], row["n"], row["prevalence"]) == (method, n, prevalence)]
            shown = (f"{row['coverage']:.3f}" if counts(row) else f"({row['coverage']:.3f})" for row in some)
            cells.append(", ".join(shown))
        lines.append(f"| {prevalence:.0%} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def figure(metric: str, rows: list[Row]) -> str:
    """Return the figure of one metric: a panel per model and prevalence, a line per method."""
    lines = []
    rows = [row for row in rows if row["level"] == USUAL]
    for method in COLOURS:
        for model in MODELS:
            for prevalence in PREVALENCES:
                place = (method, model, prevalence)
                some = [row for row in rows if (row["method"], row["model"], row["prevalence"]) == place]
                points = tuple((row["n"], row["coverage"]) for row in some if row["coverage"] == row["coverage"])
                if points:
                    lines.append(Line(f"{model} model", f"prevalence {prevalence:.0%}", method, points))
    return coverage_figure(lines, title=f"Coverage of 95 % intervals for {title(metric)}, over n")


COLUMNS = (
    "metric", "method", "level", "model", "prevalence", "n", "truth", "coverage", "se", "length", "failed",
    "overshoot", "degenerate", "undefined", "exact",
)  # fmt: skip


def data(rows: list[Row]) -> str:
    """Return the numbers as JSON: the names of the columns, and a list per row."""
    short = [
        [float(f"{row[name]:.5g}") if isinstance(row[name], float) else row[name] for name in COLUMNS] for row in rows
    ]
    lines = ",\n".join(json.dumps(json_ready(row)) for row in short)
    return f'{{"columns": {json.dumps(COLUMNS)}, "rows": [\n{lines}\n]}}\n'


INTRODUCTION = """# Which interval?

![Coverage of every method for F1 over the number of rows](which-interval/f1.svg)

The default keeps close to 95 % at every size; Wald, the usual formula, does not.

What to take from it:

- **Take the default.** It is the shortest of those that keep the level, or near it.
- **Do not take `wald`** with fewer than several hundred rows of the class, least of all near 0 or 1.
- **If the level must be guaranteed**, take `clopper-pearson`, as gates do. The price is length.
- **If you want to say "with probability 95 %"**, take `beta`, a credible interval: it covers nearly as well.
- **At other levels than 0.95** the default keeps its promise too, and `wilson` does not: [levels](#levels).

This page is made by `make recommendation`; its numbers are in [which-interval.json](which-interval.json).

Every method that can serve a metric was asked for 95 % intervals in ten populations: five prevalences (1 % to 50 %)
and two models, a fair one (precision and recall 0.7) and a strong one (0.95). For macro F1 there are three classes,
one of which has the given prevalence. Coverage should be 0.95: less is a false promise, more is a needlessly long
interval. Coverage is exact, by enumeration of all tables, wherever that is feasible. All numbers are given that the
metric is defined; where it is undefined in more than 5 % of samples, there is too little data for any method and the
population is left out of the summaries. A method that gives no limits for a table misses. The methods that draw
(`bootstrap`, `hs.Bootstrap(kind="studentised")`, `dirichlet`) rest on 200 samples a population: a Monte-Carlo error of
0.015 where coverage is 0.95 and up to 0.035 where it is lower, at three sizes and two prevalences only.
"""

EXCEPTIONS = """These are the lowest of the populations of this page. There are others in which methods fall short:

- `wilson`, the default before 0.2.0, n = 25, 30 % positives: recall 0.934 where precision and recall are
  0.97, 0.914 at 0.98 and 0.928 at 0.99; F1 0.895 at 0.99. At n = 100 no population of that series is
  below 0.948 ([wilson](../reference/methods/wilson.md)).
- `mover-gamma`, macro F1 with hardly five rows a class, falls to 0.917 with 6 classes and
  n = 25, 0.875 with 12 and n = 50, 0.869 with 20 and n = 90 in the worst populations
  ([averages](averages.md#the-small-n-problem) has 2 to 20 classes, at three levels).
- `smoothed-t`, in the series of [its page](../reference/methods/smoothed-t.md): the lowest at n = 25 are 0.936 (MCC)
  and 0.934 (macro F1). Of several labels a row: [multi-label](../how-to/multilabel.md#rare-labels).
"""

STUDY = """
The tables from here on are of level 0.95 unless they name another. Means over classes by `mover-gamma`, with 2 to 20
classes: [averages](averages.md). Weights, strata and groups: [clusters and weights](clusters-and-weights.md).
"""

CLOSING = """## How it was made

{rows} rows, {simulated} of them simulated with seed 0, the rest exact: what can be enumerated in seconds, up to
200 rows (100 for MCC, `mid-p` and `hdi`), macro F1 apart. The others rest on 4000 samples (a standard error of 0.0035,
at most 0.008), the methods that draw on 200 (0.015, at most 0.035). `bootstrap` is
BCa and `hs.Bootstrap(kind="studentised")` the bootstrap-t, both with 999 resamples of the table's cells (the default is
9999); `dirichlet` is `hs.Bayes(draws=2000)`. In [which-interval.json](which-interval.json) the bootstrap-t is called
`studentised`.
"""


def main() -> None:
    """Run the studies and write the page, its figures and its data."""
    parser = argparse.ArgumentParser(description="Make the page that compares interval methods.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="fewer sizes and replicates")
    parser.add_argument("--folder", type=Path, default=PAGE.parent, help="where to write the page")
    parser.add_argument("--stored", action="store_true", help="write the page from the numbers that are stored")
    options = parser.parse_args()
    if options.stored:
        held = json.loads((PAGE.parent / "which-interval.json").read_text())
        stored = [dict(zip(held["columns"], row, strict=True)) for row in held["rows"]]
        (options.folder / "which-interval.md").write_text(page(stored))
        return
    sizes, replicates = (SIZES[:3], 2_000) if options.quick else (SIZES, REPLICATES)
    rows: list[Row] = []
    for metric in METRICS:
        print(metric)
        rows += rows_of(metric, sizes=sizes, replicates=replicates, jobs=options.jobs)
    folder = options.folder / "which-interval"
    folder.mkdir(parents=True, exist_ok=True)
    for metric in METRICS:
        (folder / f"{metric}.svg").write_text(figure(metric, [row for row in rows if row["metric"] == metric]))
    (options.folder / "which-interval.json").write_text(data(rows))
    (options.folder / "which-interval.md").write_text(page(rows))


if __name__ == "__main__":
    main()

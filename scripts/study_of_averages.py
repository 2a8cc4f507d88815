"""Coverage of the default interval of plain means over classes, at several levels: the evidence for it.

    python scripts/study_of_averages.py [--seed 20261118] [--write | --stored]

Populations of 2 to 20 classes of three kinds: ordinary (recall of each class between 0.45 and 0.97), excellent (0.90 to
0.997), skewed (shares of classes that differ up to tenfold). For each, n rows are drawn until there are enough samples
in which every class was seen, and counted how often an interval holds the true value. A cell is a metric, a number of
classes, n and a level, over populations of all three kinds. Results are kept in docs/explanation/averages.json, a line
to a cell, so that a run may be broken off and gone on with; another seed begins anew. ``--write`` puts the tables into
docs/explanation/averages.md.

How the method was chosen: its form and the limits of a class were compared on other populations (recalls and shares
from other laws, other sizes, some hundreds of samples each). The populations of this script played no part in that.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import howsure as hs
from howsure.types import Array

PAGE = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "averages.md"
STORE = PAGE.with_suffix(".json")
KINDS = {"ordinary": (0.45, 0.97), "excellent": (0.90, 0.997), "skewed": (0.55, 0.98)}
CELLS = (
    (2, 8), (2, 30), (2, 60), (3, 12), (3, 40), (3, 100), (6, 25), (6, 60), (6, 150), (12, 50), (12, 130), (12, 300),
    (20, 90), (20, 300), (20, 500),
)  # fmt: skip
METRICS = ("macro_f1", "balanced_accuracy", "macro_precision", "macro_f2", "macro_f1_star")
LEVELS = {0.95: METRICS, 0.9: METRICS[:2], 0.99: METRICS[:2]}
EACH, SAMPLES, RIVAL = 4, 4_000, 300  # populations of a kind; samples of each, and those that the rival is given
Row = dict[str, Any]


def population(kind: str, classes: int, rng: np.random.Generator) -> Array:
    """Return the shares of a random confusion matrix, truth in rows."""
    spread = 0.75 if kind == "skewed" else 0.25
    sizes = np.exp(np.clip(rng.normal(0, spread, classes), -1.15, 1.15))
    low, high = KINDS[kind]
    recall = low + (high - low) * rng.beta(1.5, 1.0, classes)
    table = np.diag(recall)
    for k in range(classes):
        near = rng.gamma(0.8, size=classes - 1) + 0.05
        table[k, np.arange(classes) != k] = (1 - recall[k]) * near / near.sum()
    return table * (sizes / sizes.sum())[:, None]


def samples(metric: str, shares: Array, n: int, wanted: int, rng: np.random.Generator) -> Array:
    """Return tables of n rows in which every class is true at least once, and predicted where precision counts."""
    found, classes = [], len(shares)
    axes = (-1, -2) if metric in ("macro_precision", "macro_f1_star") else (-1,)
    for _ in range(60):
        drawn = rng.multinomial(n, shares.ravel(), size=wanted).reshape(-1, classes, classes)
        found.append(drawn[np.all([(drawn.sum(axis) > 0).all(-1) for axis in axes], axis=0)])
        if sum(map(len, found)) >= wanted:
            break
    return np.concatenate(found)[:wanted].astype(float)


def true_value(metric: str, shares: Array) -> float:
    """Return the metric of the population: its classes' values by hand, then their mean."""
    right, actual, predicted = np.diagonal(shares), shares.sum(1), shares.sum(0)
    if metric == "macro_f1_star":
        first, second = (true_value(one, shares) for one in ("macro_precision", "balanced_accuracy"))
        return 2 * first * second / (first + second)
    share = {"macro_f1": 0.5, "balanced_accuracy": 1.0, "macro_precision": 0.0, "macro_f2": 0.8}[metric]
    return float(np.mean(right / (share * actual + (1 - share) * predicted)))


def cell(metric: str, classes: int, n: int, level: float, *, seed: int, wanted: int = SAMPLES, each: int = EACH) -> Row:
    """Return what the default and smoothed-t cover over populations of all kinds, and how long they are."""
    held, rival, lengths, names = [], [], [], []
    for kind in KINDS:
        for number in range(each):
            rng = np.random.default_rng([seed, classes, n, number, list(KINDS).index(kind)])
            shares = population(kind, classes, rng)
            tables, truth = samples(metric, shares, n, wanted, rng), true_value(metric, shares)
            ours = hs.batch_intervals(metric, matrices=tables, level=level)
            theirs = hs.batch_intervals(metric, matrices=tables[:RIVAL], level=level, method="smoothed-t")
            held.append(float(np.mean((ours.low <= truth) & (truth <= ours.high))))
            rival.append(float(np.mean((theirs.low <= truth) & (truth <= theirs.high))))
            lengths.append([float(np.mean(one.high - one.low)) for one in (ours, theirs)])
            names.append(f"{kind} {number}")
    worst = int(np.argmin(held))
    ours_length, rival_length = np.mean(lengths, axis=0)
    return {
        "metric": metric, "classes": classes, "n": n, "level": level, "seed": seed, "populations": len(held),
        "samples": len(tables), "lowest": round(held[worst], 4), "worst": names[worst],
        "mean": round(float(np.mean(held)), 4), "length": round(float(ours_length), 4),
        "rival_lowest": round(min(rival), 4), "rival_mean": round(float(np.mean(rival)), 4),
        "rival_length": round(float(rival_length), 4),
    }  # fmt: skip


def key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("metric", "classes", "n", "level", "seed"))


def run(seed: int) -> list[Row]:
    """Make the cells that are missing, and write after each."""
    kept: list[Row] = json.loads(STORE.read_text(encoding="utf-8")) if STORE.exists() else []
    kept = [row for row in kept if row["seed"] == seed]
    for level, metrics in LEVELS.items():
        for metric in metrics:
            for classes, n in CELLS:
                if (metric, classes, n, level, seed) not in map(key, kept):
                    kept.append(cell(metric, classes, n, level, seed=seed))
                    lines = ",\n".join(json.dumps(row) for row in kept)
                    STORE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
                    print(kept[-1], flush=True)
    return kept


def tables(rows: list[Row]) -> Iterator[str]:
    """Yield a table for each metric, as Markdown: lowest / mean coverage and mean length at each level."""
    for metric in dict.fromkeys(row["metric"] for row in rows):
        some = [row for row in rows if row["metric"] == metric]
        levels = sorted({row["level"] for row in some})
        yield f"`{metric}`, `mover-gamma` (in brackets `smoothed-t`, at level 0.95), worst population at level 0.95:\n"
        yield "| classes, n | " + " | ".join(f"level {level:g}" for level in levels) + " | `smoothed-t` | worst |"
        yield "|---|" + "---|" * (len(levels) + 2)
        for classes, n in CELLS:
            own = {row["level"]: row for row in some if (row["classes"], row["n"]) == (classes, n)}
            if set(own) != set(levels):
                continue
            shown = (
                f"{own[level]['lowest']:.3f} / {own[level]['mean']:.3f} · {own[level]['length']:.3f}"
                for level in levels
            )
            usual = own[0.95]
            old = f"({usual['rival_lowest']:.2f} / {usual['rival_mean']:.3f} · {usual['rival_length']:.3f})"
            yield f"| {classes}, {n} | " + " | ".join(shown) + f" | {old} | {usual['worst'].split()[0]} |"
        yield ""


def main() -> None:
    """Run the study, and write its tables if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=20_261_118)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--stored", action="store_true", help="write the tables from what is kept")
    options = parser.parse_args()
    rows = json.loads(STORE.read_text(encoding="utf-8")) if options.stored else run(options.seed)
    if options.write or options.stored:
        begin, end = "<!-- study, made by scripts/study_of_averages.py: begin -->", "<!-- study: end -->"
        text = PAGE.read_text(encoding="utf-8")
        before, after = text.split(begin)[0], text.split(end)[1]
        PAGE.write_text(f"{before}{begin}\n\n" + "\n".join(tables(rows)) + f"\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

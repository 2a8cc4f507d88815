"""How many labels hs.choose saves, and whether hs.stratified then keeps its level: labels drawn again and again.

    python scripts/label_coverage.py [--samples 400] [--data folder of judge-pandalm]

A pool with a judge has labels everywhere; each sample hides them, chooses rows to label and estimates. Three ways:
labels at random over the pool, rows of ``choose`` without any label before, and a quarter of the labels at random with
the rest by ``choose``. Prints, for each, how often the 95% interval held the value of the pool, and how many labels at
random one chosen label is worth: by the squared width of the intervals, and by the variance of the estimates.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import howsure as hs

WAYS = ("random", "chosen", "chosen after a quarter")
ROWS = 20_000
LABELS = (100, 200, 400)


class Pool(NamedTuple):
    """Rows with a truth, a prediction and a judge's answer (None where it gave none)."""

    name: str
    metric: str
    truth: Any
    model: Any
    judge: Any


def simulated(metric: str, prevalence: float, sensitivity: float, specificity: float, echo: float = 0.0) -> Pool:
    """Return a pool of two classes; the model finds 0.85 of positives and takes 0.05 of negatives for some."""
    rng = np.random.default_rng(7)
    truth = (rng.random(ROWS) < prevalence).astype(int)
    model = np.where(truth == 1, rng.random(ROWS) < 0.85, rng.random(ROWS) < 0.05).astype(int)
    judge = np.where(truth == 1, rng.random(ROWS) < sensitivity, rng.random(ROWS) > specificity).astype(int)
    judge = np.where(rng.random(ROWS) < echo, model, judge)
    words = f"{metric}, {prevalence:g} positive, judge {sensitivity:g}/{specificity:g}"
    return Pool(words + (f", repeats the model in {echo:g}" if echo else ""), metric, truth, model, judge)


def pandalm(folder: Path) -> Iterator[Pool]:
    """Yield the pools of judge-pandalm: the majority of three annotators, one machine judged by the other."""
    with (folder / "judgments.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    people = [[row[f"annotator{k}"] for k in (1, 2, 3)] for row in rows]
    truth = np.array([Counter(said).most_common(1)[0][0] for said in people])
    model = np.array([row["pandalm7b"] for row in rows])
    judge = np.array([None if row["gpt35"] == "unreadable" else row["gpt35"] for row in rows], dtype=object)
    for metric in ("accuracy", "macro_f1"):
        yield Pool(f"judge-pandalm, {metric}", metric, truth, model, judge)


def estimates(pool: Pool, labels: int, seed: int) -> Iterator[hs.Estimate]:
    """Yield the estimate of each way from one draw of labels."""
    rng, size, every = np.random.default_rng(seed), len(pool.truth), sorted(set(pool.truth.tolist()))
    drawn = rng.choice(size, labels, replace=False)
    whole = {"pool": {"all": size}, "strata": ["all"] * labels}
    yield hs.estimate(hs.stratified(pool.truth[drawn], pool.model[drawn], labels=every, **whole), pool.metric)
    for before in (0, labels // 4):
        known = np.full(size, None, dtype=object)
        first = rng.choice(size, before, replace=False)
        known[first] = pool.truth[first]
        given = {"truth": known} if before else {}
        said: Any = {"judge": pool.judge, "predictions": {"m": pool.model}, "metric": pool.metric, "seed": seed}
        choice = hs.choose(**given, **said, n=labels - before)
        rows = [*choice.labelled.rows, *choice.rows]
        strata = [*choice.labelled.strata, *choice.strata]
        table = hs.stratified(pool.truth[rows], pool.model[rows], strata=strata, pool=choice.pool, labels=every)
        yield hs.estimate(table, pool.metric)


def line(pool: Pool, labels: int, samples: int) -> str:
    """Return one line of the table."""
    true = hs.estimate(hs.table(pool.truth, pool.model), pool.metric).value
    found = [list(estimates(pool, labels, seed)) for seed in range(samples)]
    each = list(zip(*found, strict=True))
    covered = [np.mean([one.low <= true <= one.high for one in way]) for way in each]
    widths = [np.mean([one.high - one.low for one in way]) for way in each]
    spread = [np.var([one.value for one in way]) for way in each]
    cells = [f"{share:.3f}" for share in covered]
    cells += [f"{(widths[0] / width) ** 2:.2f}" for width in widths[1:]]
    cells += [f"{spread[0] / one:.1f}" for one in spread[1:]]
    return f"| {pool.name} | {labels} | " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--samples", type=int, default=400)
    asked.add_argument("--labels", type=int, nargs="*", default=LABELS)
    asked.add_argument("--data", type=Path, help="folder of judge-pandalm")
    given = asked.parse_args()
    pools = [
        simulated("accuracy", 0.2, 0.9, 0.9), simulated("accuracy", 0.2, 0.98, 0.98),
        simulated("f1", 0.05, 0.8, 0.8), simulated("f1", 0.05, 0.9, 0.9), simulated("f1", 0.2, 0.9, 0.9),
        simulated("f1", 0.2, 0.9, 0.9, echo=0.5),
    ]  # fmt: skip
    pools = [*(pandalm(given.data) if given.data else ()), *pools]
    head = [
        f"{what}: {way}"
        for what, ways in (("covered", WAYS), ("width", WAYS[1:]), ("variance", WAYS[1:]))
        for way in ways
    ]
    print(f"| pool | labels | {' | '.join(head)} |\n|{'---|' * (len(head) + 2)}")
    for pool in pools:
        for labels in given.labels:
            print(line(pool, labels, given.samples), flush=True)


if __name__ == "__main__":
    main()

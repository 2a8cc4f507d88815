"""The study of hs.choose: labels of a pool hidden and drawn again, at random or where they tell most.

A pool with a judge has labels everywhere; each sample hides them, chooses rows to label and estimates. The ways: labels
at random over the pool; the same with the judge on the rest; rows of ``choose`` without any label before; those with
the judge on the rest; and a quarter of the labels at random, the others by ``choose``.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import howsure as hs

WAYS = ("random", "random, judge", "chosen", "chosen, judge", "after a quarter")
ROWS = 20_000


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
    rng, size = np.random.default_rng(seed), len(pool.truth)
    yield from _without_and_with(pool, rng.choice(size, labels, replace=False).tolist(), ["all"] * size)
    for before in (0, labels // 4):
        known = np.full(size, None, dtype=object)
        first = rng.choice(size, before, replace=False)
        known[first] = pool.truth[first]
        given = {"truth": known} if before else {}
        said: Any = {"judge": pool.judge, "predictions": {"m": pool.model}, "metric": pool.metric, "seed": seed}
        choice = hs.choose(**given, **said, n=labels - before)
        rows = [*choice.labelled.rows, *choice.rows]
        alone, judged = _without_and_with(pool, rows, choice.every.strata)
        yield alone
        if not before:
            yield judged


def _without_and_with(pool: Pool, rows: Sequence[int], strata: Sequence[str]) -> tuple[hs.Estimate, hs.Estimate]:
    """Return the estimate of people's labels alone, and that with the judge on the rest of the pool."""
    known = np.full(len(pool.truth), None, dtype=object)
    known[list(rows)] = pool.truth[list(rows)]
    every = sorted(set(pool.truth.tolist()))
    found = hs.estimate(hs.stratified(known, pool.model, strata=strata, judge=pool.judge, labels=every), pool.metric)
    return found.human, found


def line(pool: Pool, labels: int, samples: int, first: int = 0) -> dict[str, Any]:
    """Return what was found of one pool and number of labels; seeds from ``first`` on."""
    true = hs.estimate(hs.table(pool.truth, pool.model), pool.metric).value
    found = [list(estimates(pool, labels, first + seed)) for seed in range(samples)]
    each = list(zip(*found, strict=True))
    widths = [np.mean([one.high - one.low for one in way]) for way in each]
    spread = [np.var([one.value for one in way]) for way in each]
    return {
        "pool": pool.name, "labels": labels, "samples": samples,
        "covered": [round(float(np.mean([one.low <= true <= one.high for one in way])), 4) for way in each],
        "width": [round(float((widths[0] / width) ** 2), 3) for width in widths],
        "variance": [round(float(spread[0] / one), 2) for one in spread],
    }  # fmt: skip


def kept(path: Path | None) -> list[dict[str, Any]]:
    """Return the lines that are in a file already."""
    return json.loads(path.read_text(encoding="utf-8")) if path is not None and path.exists() else []


def keep(lines: list[dict[str, Any]], path: Path | None) -> None:
    """Write the lines so far."""
    if path is not None:
        rows = ",\n".join(map(json.dumps, lines))
        path.write_text(f"[\n{rows}\n]\n", encoding="utf-8")

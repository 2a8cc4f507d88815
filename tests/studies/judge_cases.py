"""Studies with a judge that go through the library one sample at a time: row values, and labels drawn in strata.

Populations are drawn; nothing was chosen on them. A line holds what intervals of people alone and with the judge cover.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import howsure as hs

FRESH = 20261120
VALUES, STRATA = 16, 12  # populations
SAMPLES = 300
Line = dict[str, Any]
Draw = Callable[[np.random.Generator, int], np.ndarray]


# --- row values


def shape(rng: np.random.Generator) -> tuple[str, Draw]:
    """Return one of four kinds of values in [0, 1]: beta, a rubric, shares of right answers, best marks and others."""
    kind = int(rng.integers(4))
    if kind == 0:
        a, b = rng.uniform(0.5, 8, 2)
        return f"beta {a:.1f} {b:.1f}", lambda random, size: random.beta(a, b, size)
    if kind == 1:
        shares = rng.dirichlet(np.ones(5))
        return "rubric of five marks", lambda random, size: random.choice(np.linspace(0, 1, 5), size, p=shares)
    if kind == 2:
        a, b, answers = *rng.uniform(0.3, 3, 2), int(rng.integers(2, 17))
        words = f"shares of {answers} answers"
        return words, lambda random, size: random.binomial(answers, random.beta(a, b, size)) / answers
    share, a, b = rng.uniform(0.3, 0.9), *rng.uniform(1, 5, 2)
    words = f"best marks in {share:.2f}"
    return words, lambda random, size: np.where(random.random(size) < share, 1.0, random.beta(a, b, size))


def of_values(number: int, n: int, samples: int) -> Line:
    """Return what is covered of a mean of row values; the judge is off by a constant and by noise of its own."""
    rng = np.random.default_rng([FRESH, number])
    words, draw = shape(rng)
    off, noise, times = rng.uniform(-0.15, 0.15), rng.uniform(0.03, 0.4), int(rng.integers(3, 20))
    true = float(np.mean(draw(rng, 2_000_000)))

    def table(random: np.random.Generator) -> hs.Table:
        values = draw(random, n * (1 + times))
        judge = np.clip(values + random.normal(off, noise, len(values)), 0, 1)
        known = np.where(np.arange(len(values)) < n, values, np.nan)
        return hs.table(values=known, judge=judge, range=(0, 1))

    found = _covered(
        lambda random: (table(random), true), "mean", samples, np.random.default_rng([FRESH, 1, number, n])
    )
    return {"kind": "values", "number": number, "n": n, "name": words, "noise": round(noise, 3)} | found


# --- labels in strata


def of_strata(number: int, n: int, samples: int) -> Line:
    """Return what is covered where labels come from strata of a finite pool and the judge has seen all of it.

    Strata are what ``hs.choose`` makes of another judge, or the predicted classes.
    """
    rng = np.random.default_rng([FRESH, 2, number])
    prevalence, hit, alarm = rng.uniform(0.05, 0.5), rng.uniform(0.6, 0.97), rng.uniform(0.01, 0.2)
    judges, echo = rng.uniform(0.6, 0.99, 4), rng.uniform(0, 0.4)
    size, metric = int(rng.choice([500, 1500, 5000])), ("accuracy", "f1", "recall", "mcc")[number % 4]
    chosen = number // 4 % 2 == 0

    def sample(random: np.random.Generator) -> tuple[hs.Table, float]:
        truth = (random.random(size) < prevalence).astype(int)
        model, first, second = (
            np.where(truth == 1, random.random(size) < a, random.random(size) < b).astype(int)
            for a, b in ((hit, alarm), (judges[0], 1 - judges[1]), (judges[2], 1 - judges[3]))
        )
        judge = np.where(random.random(size) < echo, model, second)
        if chosen:
            seed = int(random.integers(1 << 30))
            choice = hs.choose(judge=first, predictions={"m": model}, n=n, metric=metric, seed=seed)
            strata, rows = np.array(choice.every.strata), np.array(choice.rows)
        else:
            strata = model
            parts = [np.flatnonzero(model == label) for label in (0, 1)]
            rows = np.concatenate([random.choice(part, min(len(part), n // 2), replace=False) for part in parts])
        known = np.full(size, np.nan)
        known[rows] = truth[rows]
        true = hs.estimate(hs.table(truth, model, labels=[0, 1]), metric, method="wald").value
        return hs.stratified(known, model, judge=judge, strata=strata, labels=[0, 1]), true

    found = _covered(sample, metric, samples, np.random.default_rng([FRESH, 3, number, n]))
    words = f"{metric}, {'strata by choose' if chosen else 'strata by prediction'}, pool of {size}"
    return {"kind": "strata", "number": number, "n": n, "name": words} | found


def _covered(
    sample: Callable[[np.random.Generator], tuple[hs.Table, float]], metric: str, samples: int, rng: np.random.Generator
) -> Line:
    held: list[tuple[float, ...]] = []
    for _ in range(samples):
        table, true = sample(rng)
        found = hs.estimate(table, metric)
        people = found.human
        if np.isfinite(people.value):
            inside = (one.low - 1e-9 <= true <= one.high + 1e-9 for one in (people, found))
            held.append((*inside, people.high - people.low, found.high - found.low, found.gain or 1.0))
    human, gain, long, short, worth = np.mean(held, axis=0).round(4).tolist()
    return {"samples": len(held), "human": human, "gain": gain, "length": round(short / long, 3), "worth": worth}


# --- all of it


def wanted() -> Iterator[tuple[str, int, int]]:
    """Yield kind, population and n, each kind once before any twice."""
    for number in range(max(VALUES, STRATA)):
        yield from (("values", number, n) for n in (25, 100) if number < VALUES)
        yield from (("strata", number, n) for n in (60, 150) if number < STRATA)


def run(path: Path, samples: int = SAMPLES) -> list[Line]:
    """Compute what the file lacks, and return all of it."""
    makers = {"values": of_values, "strata": of_strata}
    done = {(line["kind"], line["number"], line["n"]) for line in lines_of(path)}
    with path.open("a", encoding="utf-8") as file:
        for kind, number, n in wanted():
            if (kind, number, n) not in done:
                file.write(json.dumps(makers[kind](number, n, samples)) + "\n")
                file.flush()
    return lines_of(path)


def lines_of(path: Path) -> list[Line]:
    """Return what was computed."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def summary(lines: list[Line]) -> list[Line]:
    """Return one line a kind and n: lowest and mean coverage of people alone and with the judge, length, the worst."""
    found = []
    for kind, n in sorted({(line["kind"], line["n"]) for line in lines}):
        own = [line for line in lines if (line["kind"], line["n"]) == (kind, n)]
        made: Line = {"kind": kind, "n": n, "populations": len(own), "samples": min(line["samples"] for line in own)}
        for who in ("human", "gain"):
            held = [line[who] for line in own]
            made[who] = [min(held), round(float(np.mean(held)), 4)]
        made |= {what: round(float(np.mean([line[what] for line in own])), 3) for what in ("length", "worth")}
        found.append(made | {"worst": min(own, key=lambda line: line["gain"])})
    return found

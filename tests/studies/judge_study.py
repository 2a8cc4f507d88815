"""The study of intervals with a judge: populations on which nothing was chosen, samples of them, and the figures.

A population holds the shares of (truth, judge, prediction a, prediction b). Rows come one by one, in groups whose rows
are partly alike, or with weights, of which some follow from what the judge says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from howsure.estimates.tail import Tail
from studies.design_covered import true_value
from studies.design_samples import Floats, Samples
from studies.judge_samples import JudgedSamples, MovedSamples, published, undefined

FRESH = 20261118
POPULATIONS, SAMPLES, BLOCK = 60, 4000, 1000
SIZES = {"rows": (25, 50, 100, 500), "groups": (25, 50, 200, 500), "weights": (25, 50, 200, 500)}
SINGLE = {2: ("accuracy", "recall[1]", "precision[1]", "f1[1]", "mcc"), 3: ("macro_f1",), 5: ("macro_f1",)}
PAIRED = {2: ("accuracy", "f1[1]", "mcc"), 3: ("macro_f1",), 5: ()}
MOST_OTHERS = 6.0  # times as many other rows as labels, where rows are drawn one by one
Line = dict[str, Any]
Cell = tuple[str, int, int, int]


@dataclass(frozen=True)
class JudgedPopulation:
    """Shares of (truth, judge, a, b), how many times as many other rows there are as labels, and how rows are drawn.

    ``weights`` are by the judge's label and a further draw of ``chances``; rows are drawn the less often the heavier
    they are by the judge. ``together`` rows are a group, in which each is as the first with chance ``alike``.
    """

    shares: Floats
    pool: float
    weights: Floats
    chances: Floats
    together: int
    alike: float

    @property
    def width(self) -> int:
        """Number of classes."""
        return len(self.shares)

    @property
    def drawn(self) -> Floats:
        """Chances of (truth, judge, a, b, weight) in a sample with weights."""
        own = self.weights @ self.chances  # a draw of weights does not depend on the row
        tilted = self.shares / own[None, :, None, None]
        return np.asarray(tilted[..., None] * self.chances / tilted.sum())


def judged_population(number: int, width: int, seed: int = FRESH) -> JudgedPopulation:
    """Return one of the populations: a judge that errs alone, and sometimes repeats model a."""
    rng = np.random.default_rng([seed, width, number])
    if width == 2:
        positive = rng.uniform(0.05, 0.7)
        truth = np.array([1 - positive, positive])
        first, second = (_binary(rng, (0.5, 0.97), (0.01, 0.3)) for _ in range(2))
        judge = _binary(rng, (0.5, 0.99), (0.01, 0.5))
    else:
        truth = rng.dirichlet(np.full(width, 4.0))
        first, second, judge = (_answers(rng, width) for _ in range(3))
    echo = rng.uniform(0, 0.4)
    said = np.einsum("tj,a->tja", judge, np.ones(width)) * (1 - echo) + echo * np.eye(width)[None]
    weights = rng.lognormal(0, rng.uniform(0.2, 0.8), 4)[None] * np.ones((width, 1))
    if number % 2:
        weights = weights * rng.uniform(0.3, 3.0, (width, 1))
    return JudgedPopulation(
        np.einsum("t,ta,tb,tja->tjab", truth, first, second, said), float(rng.uniform(5, 100)), weights,
        rng.dirichlet(np.full(4, 3.0)), int(rng.integers(2, 7)), float(rng.uniform(0.1, 0.7)),
    )  # fmt: skip


def _answers(rng: np.random.Generator, width: int) -> Floats:
    right = rng.uniform(0.5, 0.97)
    return np.asarray(right * np.eye(width) + (1 - right) * rng.dirichlet(np.ones(width), size=width))


def _binary(rng: np.random.Generator, hits: tuple[float, float], alarms: tuple[float, float]) -> Floats:
    hit, alarm = rng.uniform(*hits), rng.uniform(*alarms)
    return np.array([[1 - alarm, alarm], [1 - hit, hit]])


# --- samples


def drawn_samples(
    kind: str, population: JudgedPopulation, n: int, size: int, rng: np.random.Generator
) -> JudgedSamples:
    """Return fresh samples."""
    if kind == "groups":
        codes, others = drawn_groups(population, n, size, rng)
        return of_groups(population.width, codes, others)
    shape, rest = population.shares.shape, round(population.pool * n)
    shares, weights = population.shares[..., None], np.ones((population.width, 1))
    if kind == "weights":
        shares, weights = population.drawn, population.weights
    x = rng.multinomial(n, shares.ravel(), size=size).reshape(-1, *shape, shares.shape[-1])
    u = rng.multinomial(rest, shares.sum(0).ravel(), size=size).reshape(-1, *shape[1:], shares.shape[-1])
    return of_cells(x.astype(float), u.astype(float), weights)


def of_cells(x: Floats, u: Floats, weights: Floats) -> JudgedSamples:
    """Return samples from counts by (truth,) judge, a, b and weight; weights by the judge's label and a draw."""
    wide = weights[:, None, None, :]
    plain = bool((weights == 1).all())
    labelled, others = (
        (part[..., 0],) * 3 if plain else tuple((part * wide**power).sum(-1) for power in (0, 1, 2)) for part in (x, u)
    )
    human = [part.sum(2)[:, None] for part in labelled]
    human.append((x * wide**3).sum((1, 2, 3, 4, 5))[:, None])
    n = round(float(labelled[0][0].sum()))
    if plain:  # such rows are worth what they are
        sizes = np.full(len(x), float(n))
        made: Samples = MovedSamples(*human, None, None, False, n, sizes, np.full(len(x), np.inf))
    else:
        made = Samples(*human, None, None, False, n)
    return JudgedSamples(labelled, others, made)  # type: ignore[arg-type]


def drawn_groups(population: JudgedPopulation, n: int, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return the cells (truth, judge, a, b) of the rows of labelled groups and of others: (sample, group, row)."""
    chances = np.cumsum(population.shares.ravel())
    each = []
    for groups in (
        max(n // population.together, 4),
        round(min(population.pool, MOST_OTHERS) * n / population.together),
    ):
        shape = (size, groups, population.together)
        codes = np.minimum(np.searchsorted(chances, rng.random(shape)), len(chances) - 1)
        each.append(np.where(rng.random(shape) < population.alike, codes[:, :, :1], codes))
    return each[0], each[1]


def of_groups(width: int, codes: Floats, others: Floats) -> JudgedSamples:
    """Return samples from the cells of the rows of labelled groups and of others."""
    seen, free = codes, others % width**3
    labelled, rest = (_counted(part.reshape(len(part), -1), width, axes) for part, axes in ((seen, 4), (free, 3)))
    table = labelled.sum(2)[:, None]
    without_judge = codes // width**3 * width**2 + codes % width**2
    size, groups, together = codes.shape
    in_groups = _counted(without_judge.reshape(-1, together), width, 3).reshape(size, groups, *[width] * 3)
    human = Samples(table, table, table, table.sum((2, 3, 4)), in_groups, np.ones((groups, 1)), False, codes[0].size)
    return JudgedSamples((labelled,) * 3, (rest,) * 3, human, (seen, free))


def _counted(codes: Floats, width: int, axes: int) -> Floats:
    """Return how often each cell of so many axes occurs in each line."""
    place = np.arange(len(codes))[:, None] * width**axes + codes
    return np.bincount(place.ravel(), minlength=len(codes) * width**axes).reshape(-1, *[width] * axes).astype(float)


# --- figures


def computed(cell: Cell, samples: int = SAMPLES, seed: int = FRESH) -> Line:
    """Return what intervals of one kind, number of classes, n and population cover, for every metric."""
    kind, width, n, number = cell
    population = judged_population(number, width, seed)
    rng, tail = np.random.default_rng([seed, 1, len(kind), width, n, number]), Tail(0.95)
    kept: dict[str, list[Any]] = {}
    for start in range(0, samples, BLOCK):
        made = drawn_samples(kind, population, n, min(BLOCK, samples - start), rng)
        for name in SINGLE[width]:
            if kind != "rows" and name == "precision[1]":
                continue
            found = made.single(name, tail)
            more = published(made, name) if kind == "rows" else None
            kept.setdefault(name, []).append((~undefined([name], made.human, (0,)), *found, more))
        for name in PAIRED[width]:
            found = made.difference(name, tail)
            kept.setdefault(f"{name} difference", []).append((~undefined([name], made.human, (0, 1)), *found, None))
    return {"cell": list(cell), "metrics": {name: _figures(name, population, parts) for name, parts in kept.items()}}


def _figures(name: str, population: JudgedPopulation, parts: list[Any]) -> Line:
    metric, _, paired = name.partition(" ")
    table = population.shares.sum(1)
    true = true_value(metric, table.sum(2))
    if paired:
        true = true_value(metric, table.sum(1)) - true
    known = np.concatenate([part[0] for part in parts])
    line: Line = {"true": true, "samples": int(known.sum()), "worth": _mean(parts, 3, known)}
    for place, who in ((1, "human"), (2, "gain"), (4, "wald")):
        if parts[0][place] is None:
            continue
        low, high = (np.concatenate([part[place][end] for part in parts])[known] for end in (0, 1))
        line[who] = float(np.mean((low <= true + 1e-12) & (true - 1e-12 <= high)))
        line[f"{who}_length"] = float(np.mean(high - low))
    return line


def _mean(parts: list[Any], place: int, known: Floats) -> float:
    return float(np.mean(np.concatenate([part[place] for part in parts])[known]))


def wanted(populations: int = POPULATIONS) -> Iterator[Cell]:
    """Yield every cell, each kind, n and number of classes once before any twice."""
    for number in range(populations):
        for kind, sizes in SIZES.items():
            for width in SINGLE:
                yield from ((kind, width, n, number) for n in sizes)


def lines_of(path: Path) -> list[Line]:
    """Return the finished lines; a torn one is ignored."""
    found = []
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(text))
        except ValueError:
            continue
    return found


def run(path: Path, samples: int = SAMPLES, kinds: Sequence[str] = tuple(SIZES)) -> list[Line]:
    """Compute what the file lacks of some kinds, and return all of it."""
    done = {tuple(line["cell"]) for line in lines_of(path)}
    with path.open("a", encoding="utf-8") as file:
        for cell in wanted():
            if cell not in done and cell[0] in kinds:
                file.write(json.dumps(computed(cell, samples)) + "\n")
                file.flush()
    return lines_of(path)


def summary(lines: list[Line]) -> list[Line]:
    """Return one line a kind, metric and n: lowest and mean coverage over populations, mean length beside people's."""
    found = []
    keys = dict.fromkeys((*line["cell"][:3], name) for line in lines for name in line["metrics"])
    for key in sorted(keys, key=_order):
        own = [
            (line["cell"][3], line["metrics"][key[3]]) for line in lines
            if tuple(line["cell"][:3]) == key[:3] and key[3] in line["metrics"]
        ]  # fmt: skip
        figures = [one for _, one in own]
        made: Line = {"kind": key[0], "metric": key[3], "classes": key[1], "n": key[2], "populations": len(own)}
        made["samples"] = min(one["samples"] for one in figures)
        for who in ("human", "gain", "wald"):
            held = [one[who] for one in figures if who in one]
            made |= {who: [round(min(held), 4), round(float(np.mean(held)), 4)]} if held else {}
        made["worst"] = min(own, key=lambda one: one[1]["gain"])[0]
        ratios = np.array([one["gain_length"] / one["human_length"] for one in figures])
        made["length"] = round(float(np.mean(ratios[np.isfinite(ratios)])), 3)
        made["worth"] = round(float(np.mean([one["worth"] for one in figures])), 3)
        found.append(made)
    return found


def _order(key: tuple[Any, ...]) -> tuple[Any, ...]:
    kind, width, n, name = key
    names = [*SINGLE[2], "macro_f1"]
    return (list(SIZES).index(kind), "difference" in name, n, names.index(name.split()[0]), width)

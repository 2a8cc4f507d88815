"""The study of weights, strata and groups: which populations, what was found of each, and the figures of a family.

Every population has 4000 samples at level 0.95; one in four has 1000 at 0.90 and 0.99 besides, and its lengths beside
those of the ideal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from studies.design_covered import covered
from studies.design_families import FAMILIES, fresh_population

SAMPLES, EVERY = 4000, 4
LEVELS = (0.95, 0.90, 0.99)
SIZE = 100  # populations of a family at least
OPEN = ("groups that fail wholly", "few heavy rows", "balancing weights times others")  # hard ones, fewer of them
OPEN_SIZE = 34
Line = dict[str, Any]


def wanted(families: Iterable[str] = tuple(FAMILIES)) -> list[tuple[str, str, int]]:
    """Return family, kind and number of every population, each kind once before any twice."""
    sizes = {one: -(-(OPEN_SIZE if one in OPEN else SIZE) // len(FAMILIES[one])) for one in families}
    return [
        (family, kind, number)
        for number in range(max(sizes.values()))
        for family in sizes
        for kind in FAMILIES[family]
        if number < sizes[family]
    ]


def lines_of(file: Path) -> list[Line]:
    """Return what was computed."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def run(
    file: Path, families: Iterable[str] = tuple(FAMILIES), *, part: tuple[int, int] = (0, 1), most: int = SIZE,
    samples: int = SAMPLES, seed: int | None = None,
) -> list[Line]:  # fmt: skip
    """Compute what is not in the file yet, or one of several equal parts of it; return all lines.

    ``most`` is how many populations of a kind there are at most.
    """
    done = {_place(line) for line in lines_of(file)}
    for order, place in enumerate(wanted(families)):
        if place not in done and order % part[1] == part[0] and place[2] < most:
            write(file, computed(*place, samples=samples, seed=seed))
    return lines_of(file)


def _place(line: Line) -> tuple[str, str, int]:
    return line["family"], line["kind"], line["number"]


def write(file: Path, line: Line) -> None:
    """Append one line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")


def computed(family: str, kind: str, number: int, *, seed: int | None = None, samples: int = SAMPLES) -> Line:
    """Return what the defaults cover on one population."""
    population, own = fresh_population(family, kind, number, seed)
    whole = number % EVERY == 0
    cells = covered(
        population, samples=samples, seed=[*own, samples], levels=LEVELS if whole else LEVELS[:1], ideal=whole
    )
    groups = 0 if population.groups is None else int(population.groups.max()) + 1
    return {"family": family, "kind": kind, "number": number, "name": population.name, "n": population.n,
            "classes": population.classes, "groups": groups, "cells": cells}  # fmt: skip


def cells_of(lines: Iterable[Line], *, paired: bool, level: float = LEVELS[0]) -> list[tuple[Line, Line]]:
    """Return the cells of estimates or of differences at a level, each with its population."""
    return [
        (cell, line)
        for line in lines
        for cell in line["cells"]
        if cell["level"] == level and ("difference" in cell["metric"]) == paired
    ]


def figures(cells: Iterable[tuple[Line, Line]]) -> dict[str, float]:
    """Return the lowest coverage, its 5 % point and mean, and the median length over the ideal's."""
    chosen = [cell for cell, _ in cells]
    held = np.array([cell["coverage"] for cell in chosen])
    lengths = [cell["length"] for cell in chosen if cell["length"] and np.isfinite(cell["length"])]
    return {"lowest": float(held.min()), "low": float(np.quantile(held, 0.05)), "mean": float(held.mean()),
            "length": float(np.median(lengths)) if lengths else float("nan"), "cells": len(held)}  # fmt: skip

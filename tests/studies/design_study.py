"""The study of weights, strata and groups: which populations, what was found of each, and the figures of a family.

Every population has 1000 samples first. Those with the lowest figures of each family have 4000 new ones, so that no
lowest figure is the lowest by chance.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from studies.design_populations import FAMILIES, fresh_population
from studies.design_samples import covered

SAMPLES, AGAIN = 1000, 4000
WORST = 4  # populations of a family that are looked at again
SIZE = 100  # populations of a family at least
OPEN, OPEN_SIZE = "groups that fail wholly", 34  # where nothing reaches the figure
Line = dict[str, Any]


def wanted(families: Iterable[str] = tuple(FAMILIES)) -> list[tuple[str, str, int]]:
    """Return family, kind and number of every population, each kind once before any twice."""
    sizes = {family: OPEN_SIZE if family == OPEN else -(-SIZE // len(FAMILIES[family])) for family in families}
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


def run(file: Path, families: Iterable[str] = tuple(FAMILIES), *, level: float = 0.95) -> list[Line]:
    """Compute what is not in the file yet: each population, then the worst of each family again; return all lines."""
    chosen = tuple(families)
    done = {_place(line) for line in lines_of(file)}
    for place in wanted(chosen):
        if place not in done:
            compute(file, *place, level=level, samples=SAMPLES, ideal=place[2] % 4 == 0)
    lines = lines_of(file)
    done = {_place(line) for line in lines if line["samples"] == AGAIN}
    for family in chosen:
        for line in worst(lines, family):
            if _place(line) not in done:
                compute(file, *_place(line), level=level, samples=AGAIN, ideal=False)
    return lines_of(file)


def _place(line: Line) -> tuple[str, str, int]:
    return line["family"], line["kind"], line["number"]


def worst(lines: Iterable[Line], family: str) -> list[Line]:
    """Return the populations of a family whose lowest figure of the first samples is lowest."""
    own = [line for line in lines if line["family"] == family and line["samples"] == SAMPLES]
    return sorted(own, key=lambda line: min(cell["coverage"] for cell in line["cells"]))[:WORST]


def compute(file: Path, family: str, kind: str, number: int, *, level: float, samples: int, ideal: bool) -> None:
    """Append one line: what the defaults cover on one population."""
    population, seed = fresh_population(family, kind, number)
    cells = covered(population, samples=samples, seed=[*seed, samples], level=level, ideal=ideal)
    line = {"family": family, "kind": kind, "number": number, "name": population.name, "n": population.n,
            "classes": population.classes, "level": level, "samples": samples, "cells": cells}  # fmt: skip
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")


def figures(lines: Iterable[Line], family: str, *, paired: bool) -> dict[str, float]:
    """Return the lowest coverage by the new samples, 5 % point and mean by the first, and length over the ideal's."""
    cells: dict[int, list[Line]] = {SAMPLES: [], AGAIN: []}
    for line in lines:
        if line["family"] == family:
            cells[line["samples"]] += [cell for cell in line["cells"] if ("difference" in cell["metric"]) == paired]
    held = np.array([cell["coverage"] for cell in cells[SAMPLES]])
    lengths = [cell["length"] / cell["ideal"] for cell in cells[SAMPLES] if cell["ideal"]]
    lowest = min((cell["coverage"] for cell in cells[AGAIN]), default=float("nan"))
    return {"lowest": lowest, "low": float(np.quantile(held, 0.05)), "mean": float(held.mean()),
            "length": float(np.median(lengths)), "cells": len(held)}  # fmt: skip

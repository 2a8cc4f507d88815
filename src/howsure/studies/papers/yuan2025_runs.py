"""The simulations behind Yuan & Jiang's Tables IV to VII: one run per population and n, kept as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.studies.joint_coverage import JointCoverage
from howsure.studies.kept import run_kept
from howsure.tables.table import Table
from howsure.types import Array

WAYS = ("corrected", "joint", "individual", "individual-corrected", "scaled")


@dataclass(frozen=True)
class Asked:
    """A run: the population, what is measured, how many rows are drawn how often, and whether lengths are relative."""

    name: str
    world: Table
    metrics: tuple[str, ...]
    n: int
    replicates: int
    seed: int
    relative: bool = False

    @property
    def key(self) -> list[Any]:
        """All that the numbers depend on, as JSON."""
        cells = self.world.contents.keys().tolist()
        return [
            cells,
            self.world.counts.tolist(),
            list(self.metrics),
            self.n,
            self.replicates,
            self.seed,
            self.relative,
        ]


@dataclass(frozen=True)
class Run:
    """What a run found: true values, single coverages, and for each way and rule (None: all) coverage and length."""

    models: tuple[str, ...]
    metrics: tuple[str, ...]
    n: int
    replicates: int
    found: Mapping[str, Any]

    @property
    def truths(self) -> Array:
        """The true values, rule by rule."""
        return np.array(self.found["truths"])

    def members(self, rule: str | None) -> list[int]:
        """Return the places of one rule's estimates, or of all."""
        width = len(self.metrics)
        if rule is None:
            return list(range(width * len(self.models)))
        start = self.models.index(rule) * width
        return list(range(start, start + width))

    def joint(self, way: str, rule: str | None = None) -> tuple[float, float]:
        """Return the share of samples in which all intervals hold, and their mean length."""
        coverage, length, _ = self.found["joint"][f"{way} {rule}"]
        return coverage, length

    def length_spread(self, way: str, rule: str | None = None) -> float:
        """Return the standard deviation of the mean length from sample to sample."""
        return float(self.found["joint"][f"{way} {rule}"][2])

    def critical(self, rule: str | None) -> float:
        """Return the critical value of a rule's joint intervals."""
        return float(self.found["critical"][str(rule)])

    def single(self, way: str) -> list[float]:
        """Return how often the individual interval of each estimate holds its true value."""
        return list(self.found["single"][way])


def runs(asked: Sequence[Asked], **options: Any) -> list[Run]:
    """Return what the runs find; ``options`` are jobs, checkpoint and progress."""
    done = run_kept(_run, [(one.key, (one,)) for one in asked], study="yuan2025", **options)
    return [
        Run(one.world.models, one.metrics, one.n, one.replicates, found) for one, found in zip(asked, done, strict=True)
    ]


def _run(asked: Asked) -> dict[str, Any]:
    run = JointCoverage(asked.world, asked.metrics, asked.n, asked.replicates, asked.seed)
    rules: list[str | None] = [*asked.world.models, None]
    relative = {"relative": asked.relative}
    return {
        "truths": run.truths.tolist(),
        "critical": {str(rule): run.critical(run.members(rule), "joint") for rule in rules},
        "single": {way: run.single(way) for way in ("individual", "individual-corrected")},
        "joint": {
            f"{way} {rule}": [*run.joint(way, rule, **relative), run.length_error(way, rule, **relative)]
            for way in WAYS
            for rule in rules
        },
    }

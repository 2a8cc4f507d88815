"""hs.study with joint=True: do simultaneous intervals of several models and metrics all hold as often as they say?"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError, MethodError, check_whole, quoted
from howsure.errors.messages import studies as messages
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named
from howsure.numerics.parallel import Progress
from howsure.results.coverage import Coverage, CoverageRow
from howsure.studies.joint_coverage import JointCoverage
from howsure.studies.kept import run_kept
from howsure.tables.table import Table

PART = 5000
# What each is called here, and what its joint and its single intervals are called by the simulation.
JOINT = {"default": ("scaled", "individual-scaled"), "wald": ("joint", "individual"),
         "blurred": ("corrected", "individual-corrected")}  # fmt: skip


def joint_study(
    metrics: MetricLike | Iterable[MetricLike],
    methods: Any,
    population: Any,
    n: Sequence[int],
    *,
    level: float,
    replicates: int,
    seed: int,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Coverage:
    """Return how often all intervals of all models and metrics hold together, and how often single ones would.

    The rows of ``population``, a table of one or more models, are drawn with replacement. Two rows per method and n:
    the simultaneous intervals, and beside them ("…, single") single intervals that are asked to hold together.
    """
    world, chosen = _checked(population, metrics)
    names = _methods(methods)
    work = [
        ([size, start, stop], (world, chosen, size, start, stop, level, seed, names))
        for size in n
        for start, stop in _parts(replicates)
    ]
    study = ["joint", [metric.canonical for metric in chosen], world.contents.keys().tolist(),
             world.counts.tolist(), list(world.models), level, seed, names]  # fmt: skip
    done = run_kept(_part, work, study=study, jobs=jobs, checkpoint=checkpoint, progress=progress)
    found = []
    for size in n:
        parts = [result for (key, _), result in zip(work, done, strict=True) if key[0] == size]
        found += [_row(parts, name, chosen, world, size, level, replicates, seed) for name in parts[0]["sums"]]
    return Coverage(tuple(found))


def _checked(population: Any, metrics: Any) -> tuple[Table, tuple[Metric, ...]]:
    if not isinstance(population, Table) or not population.contents.one_truth:
        raise InputError(messages.POPULATION_MUST_BE_TABLE())
    if not population.design.independent:
        raise InputError(messages.POPULATION_HAS_GROUPS_WEIGHTS_OR_STRATA())
    listed = [metrics] if isinstance(metrics, (str, Metric)) else list(metrics)
    if not listed:
        raise InputError(messages.METRIC_IS_EMPTY())
    return population, tuple(map(named, listed))


def _methods(methods: Any) -> list[str]:
    names = list(JOINT) if methods is None else [methods] if isinstance(methods, str) else list(methods)
    unknown = [name for name in names if name not in JOINT]
    if unknown or not names:
        raise MethodError(messages.METHODS_HOLDS_JOINT_STUDIES_KNOW(unknown=unknown, joint=quoted(JOINT)))
    return names


def _parts(replicates: int) -> list[tuple[int, int]]:
    check_whole("replicates", replicates, 1)
    return [(start, min(start + PART, replicates)) for start in range(0, replicates, PART)]


def _part(
    world: Table, metrics: tuple[Metric, ...], n: int, start: int, stop: int, level: float, seed: int,
    names: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """Return sums over some samples: how many count, and per way of making intervals how many hold, and lengths."""
    run = JointCoverage(world, metrics, n, stop - start, (seed, n, start), level)
    kept, members = run.defined, run.members(None)
    sums = {}
    for name in names:
        for title, method in zip((name, f"{name}, single"), JOINT[name], strict=True):
            q = run.critical(members, method)
            ends = [run.limits(member, method, q) for member in members]
            sums[title] = _sums(run, ends, kept)
    return {"defined": int(kept.sum()), "samples": stop - start, "sums": sums}


def _sums(run: JointCoverage, ends: Sequence[tuple[Any, Any]], kept: Any) -> list[float]:
    held, flat, over = np.ones(len(kept), dtype=bool), np.zeros(len(kept), dtype=bool), np.zeros(len(kept), dtype=bool)
    length = np.zeros(len(kept))
    for (low, high), truth, evidence in zip(ends, run.truths, run.evidences, strict=True):
        bottom, top = evidence.metric.range
        held &= (low <= truth) & (truth <= high)
        over |= (low < bottom - 1e-12) | (high > top + 1e-12)
        flat |= high == low
        length += (high - low) / len(ends)
    chosen = length[kept]
    finite = chosen[np.isfinite(chosen)]
    counts = (held[kept].sum(), over[kept].sum(), flat[kept].sum())
    return [*map(float, counts), float(len(finite)), float(finite.sum()), float((finite**2).sum())]


def _row(
    parts: Sequence[dict[str, Any]], name: str, metrics: Sequence[Metric], world: Table, n: int, level: float,
    replicates: int, seed: int,
) -> CoverageRow:  # fmt: skip
    held, over, flat, bounded, length, square = np.sum([part["sums"][name] for part in parts], axis=0).tolist()
    defined, samples = sum(part["defined"] for part in parts), sum(part["samples"] for part in parts)
    coverage, mean = (held / defined, length / bounded) if defined and bounded else (math.nan, math.nan)
    spread = max(square / bounded - mean**2, 0.0) if bounded else math.nan
    what = ", ".join(metric.name for metric in metrics)
    return CoverageRow(
        metric=what if len(world.models) == 1 else f"{len(world.models)} models × {what}", method=name, n=n,
        level=level, truth=math.nan, coverage=coverage, length=mean, overshoot=over / max(defined, 1),
        degenerate=flat / max(defined, 1), undefined=1 - defined / samples, above=math.nan, below=math.nan, failed=0.0,
        exact=False, replicates=replicates, seed=seed, se=math.sqrt(coverage * (1 - coverage) / max(defined, 1)),
        length_se=math.sqrt(spread / bounded) if bounded else math.nan,
    )  # fmt: skip

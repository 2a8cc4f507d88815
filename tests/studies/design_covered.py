"""What the default intervals cover on one population of a design, and how long they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.estimates.tail import Tail
from howsure.metrics.gradient import moments
from howsure.metrics.names import named
from studies.design_populations import DesignPopulation
from studies.design_samples import PAIRED, SINGLE, Floats, Samples, difference_limits, limits

BLOCK, KNOWN = 1000, 0.99


def true_value(name: str, shares: Floats) -> float:
    """Return a metric of the true shares of (truth, prediction)."""
    metric = named(name)
    return float(moments(metric, shares, selection=None if metric.label is None else int(metric.label)).value)


def covered(
    population: DesignPopulation, *, samples: int, seed: Any, levels: Sequence[float] = (0.95,), ideal: bool = True
) -> list[dict[str, Any]]:
    """Return coverage and length of each default on one population, single estimates and differences b − a.

    All samples are for the first level, the first thousand for the others. ``ideal``: these thousand are also given the
    true design effect; their length is what there is to reach. A metric that is undefined in more than 1 % of samples
    is left out; otherwise figures are given that it is defined.
    """
    random, kept = np.random.default_rng(seed), _Kept({}, {})
    for start in range(0, samples, BLOCK):
        made = Samples.of(population, random, min(BLOCK, samples - start))
        for name in SINGLE:
            for level in levels if start == 0 else levels[:1]:
                kept.see(made, name, level)
        if ideal and start == 0:
            kept.first["made"] = made
    return [row for level in levels for name in SINGLE for row in kept.rows(population, name, level)]


@dataclass
class _Kept:
    """Values and limits of the samples seen so far, by metric and level."""

    seen: dict[tuple[str, float], list[Any]]
    first: dict[str, Samples]

    def see(self, made: Samples, name: str, level: float) -> None:
        tail, held = Tail(level), [made.moved(name, model) for model in ((0, 1) if name in PAIRED else (0,))]
        ends = limits(made, name, 0, held[0], tail)
        self.seen.setdefault((name, level), []).append((held[0].value, held[0].base, *ends))
        if name in PAIRED:
            gap = held[1].value - held[0].value
            self.seen.setdefault((f"{name} difference", level), []).append((gap, *difference_limits(made, name, tail)))

    def _all(self, name: str, level: float) -> list[Floats]:
        parts = [np.concatenate(part) for part in zip(*self.seen[name, level], strict=True)]
        known = np.isfinite(parts[0])
        return [part[known] for part in parts] if known.mean() >= KNOWN else []

    def rows(self, population: DesignPopulation, name: str, level: float) -> list[dict[str, Any]]:
        true, tail, found = true_value(name, population.true.sum(-1)), Tail(level), []
        if held := self._all(name, level):
            value, base, low, high = held
            best = None
            if self.first:
                best = _ideal_length(self.first["made"], name, float(np.mean(base)) / float(np.var(value)), tail)
            found.append(_row(name, level, true, low, high, best))
        if name in PAIRED and (held := self._all(f"{name} difference", level)):
            gap, low, high = held
            other = true_value(name, population.true.sum(1)) - true
            found.append(_row(f"{name} difference", level, other, low, high, 2 * tail.z * float(np.std(gap))))
        return found


def _ideal_length(samples: Samples, name: str, worth: float, tail: Tail) -> float:
    moved = samples.moved(name, 0)
    size = np.full(len(moved.size), worth)
    told = moved._replace(size=size, degrees=np.full(len(size), np.inf))
    low, high = limits(samples, name, 0, told, tail, told=True)
    return float(np.mean((high - low)[np.isfinite(moved.value)]))


def _row(name: str, level: float, true: float, low: Floats, high: Floats, ideal: float | None) -> dict[str, Any]:
    held = (low <= true + 1e-12) & (true - 1e-12 <= high)
    length = float(np.mean(high - low))
    return {
        "metric": name, "level": level, "true": round(true, 4), "coverage": round(float(np.mean(held)), 5),
        "below": round(float(np.mean(high < true - 1e-12)), 5), "length": None if ideal is None else
        round(length / ideal, 3), "samples": len(low),
    }  # fmt: skip

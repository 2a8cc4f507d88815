"""Means over runs of many samples at once: the limits of hs.estimate and hs.compare, from counts of pairs of answers.

All runs of two models predict the same rows. ``pairs[y, c, d]`` counts the rows of class y for which both c and d hold,
c and d each "run r of model m says p". Written anew from the formulas of docs/how-to/runs.md, not from the library's
code; a test compares both.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import ndtri, stdtrit

from howsure.metrics.gradient import moments
from howsure.metrics.names import named

TAIL = 0.025
Z = float(-ndtri(TAIL))


def pairs_of(truth: np.ndarray, said: np.ndarray, classes: int) -> np.ndarray:
    """Return the counts of pairs (class, models × runs × classes, the same) of one sample; said is [model, run, row].

    Rows must be sorted by truth.
    """
    width = said.shape[0] * said.shape[1] * classes
    holds = (said[:, :, None, :] == np.arange(classes, dtype=said.dtype)[:, None]).reshape(width, -1).astype(np.float32)
    ends = np.searchsorted(truth, np.arange(classes + 1))
    parts = (holds[:, start:stop] for start, stop in pairwise(ends))
    return np.stack([part @ part.T for part in parts])


@dataclass(frozen=True)
class RunSamples:
    """One metric on many samples: values [sample, model, run], and covariances through rows [sample, model, model]."""

    metric: str
    rows: int
    values: np.ndarray
    through_rows: np.ndarray
    own: np.ndarray  # the variance through rows of each run
    counted: np.ndarray  # the rows that the metric counts as a share, of each model

    @property
    def means(self) -> np.ndarray:
        """The means over runs, [sample, model]."""
        return self.values.mean(-1)

    @property
    def between(self) -> np.ndarray:
        """B = S²/R, [sample, model]."""
        return self.values.var(-1, ddof=1) / self.values.shape[-1]

    @property
    def cells(self) -> np.ndarray:
        """What a row × run adds to both parts, [sample, model]: rows less the mean of C off its diagonal."""
        runs = self.values.shape[-1]
        rows = np.diagonal(self.through_rows, axis1=-2, axis2=-1)
        return np.asarray((self.own.sum(-1) - runs * rows) / (runs * (runs - 1)))

    def difference(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return b − a, half the length of its interval, and half of what rows alone would give."""
        between, runs = self.between, self.values.shape[-1]
        rows = self.through_rows[:, 0, 0] + self.through_rows[:, 1, 1] - 2 * self.through_rows[:, 0, 1]
        shared, total = rows - self.cells.sum(-1), between.sum(-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            degrees = total**2 / ((between**2).sum(-1) / (runs - 1))
        t = stdtrit(np.where(total > 0, degrees, runs - 1), 1 - TAIL)
        half = np.sqrt(np.maximum(t**2 * total + Z**2 * np.maximum(shared, 0), Z**2 * rows))
        return self.means[:, 1] - self.means[:, 0], half, Z * np.sqrt(rows)

    def single(self, model: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Return the limits of one model: Wilson's interval at the half-width of runs and rows, with pseudo-rows."""
        chosen, value, n = named(self.metric), self.means[:, model], self.counted[:, model]
        (bottom, top), rows = chosen.range, self.through_rows[:, model, model]
        each, runs = self.values[:, model], self.values.shape[-1]
        if self.metric == "f1":
            u, slope, each = value / (2 - value), 2 / (2 - value) ** 2, each / (2 - each)  # Jaccard's share
        else:
            u, slope = (value - bottom) / (top - bottom), np.full_like(value, 1 / (top - bottom))
            each = (each - bottom) / (top - bottom)
        t = float(stdtrit(runs - 1, 1 - TAIL))
        odds = (each * n[:, None] + 0.5) / (n[:, None] * (1 - each) + 0.5)
        square = np.log(odds).var(-1, ddof=1)
        by_odds = (u * (1 - u)) ** 2 * (t**2 * square / runs + Z**2 * (1 - 2 * u) ** 2 * square**2 / (2 * (runs - 1)))
        between, shared = self.between[:, model], np.maximum(rows - self.cells[:, model], 0)
        centre = (n * u + Z**2 / 4) / (n + Z**2 / 2)
        ends = Z**2 / 4 * (centre**2 + (1 - centre) ** 2)
        smooth = (n**2 * slope**2 * rows + n * (u - centre) ** 2 + ends) / (n + Z**2 / 2)
        room = u * (1 - u)
        with np.errstate(invalid="ignore", divide="ignore"):
            plus = np.maximum(slope**2 * rows / room, smooth / (n * centre * (1 - centre)))  # over u(1 − u)
            more = np.where(rows > 0, plus * room / (slope**2 * rows), 1.0)
            of_runs = np.maximum(slope**2 * t**2 * between, by_odds)
            wide = np.maximum((of_runs + Z**2 * slope**2 * shared * more) / room, Z**2 * plus)
        wide = np.where(room > 0, wide, Z**2 * smooth / (n * centre * (1 - centre)))
        middle, reach = (u + wide / 2) / (1 + wide), np.sqrt(wide * room + wide**2 / 4) / (1 + wide)
        low, high = middle - reach, middle + reach
        if self.metric == "f1":
            return 2 * low / (1 + low), 2 * high / (1 + high)
        return bottom + (top - bottom) * low, bottom + (top - bottom) * high


def run_samples(metric: str, pairs: np.ndarray, models: int, runs: int) -> RunSamples:
    """Return a metric on samples of counts of pairs, [sample, class, models·runs·classes, the same]."""
    classes = pairs.shape[1]
    shape = (len(pairs), classes, models, runs, classes)
    held = np.diagonal(pairs, axis1=-2, axis2=-1).reshape(shape).transpose(0, 2, 3, 1, 4).astype(float)
    n = float(held[0, 0, 0].sum())
    chosen = named(metric)
    found = moments(chosen, held.reshape(-1, classes, classes), selection=1 if chosen.over == "class" else None)
    influence = np.nan_to_num(found.influence).reshape(held.shape)
    by_class = influence.transpose(0, 3, 1, 2, 4).reshape(*shape[:3], -1) / runs
    flat = pairs.reshape(len(pairs), classes, models, runs * classes, models, runs * classes)
    rows = np.einsum("symi,symink,synk->smn", by_class, flat, by_class, optimize=True) / n**2
    own = (held * influence**2).sum((-1, -2)) / n**2
    counted = (held.sum((-1, -2)) - held[..., 0, 0]).mean(-1) if metric == "f1" else np.full(held.shape[:2], n)
    return RunSamples(metric, int(n), found.value.reshape(held.shape[:3]), rows, own, counted)

"""The example of Wang & Li (2019), section 2.4: logistic regression, n = 600, 3×2 blocked cross-validation, F1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from howsure.cross_validation.designs import effective_factor
from howsure.cross_validation.hadamard import two_level_array
from howsure.estimates.batch import batch_intervals
from howsure.estimates.methods.credible import Bayes
from howsure.studies.kept import run_kept
from howsure.types import Floats

SIZE, SHIFT, LEVEL = 600, 0.5, 0.95
BLOCK = 100
FACTORS = {"0.3688": effective_factor(3), "1/3": 1 / 3, "1/6": 1 / 6}
# The text says only how a sample is drawn; the first is what it describes. Are labels drawn, and blocks stratified?
_DRAWN = {
    "iid labels, plain blocks": (True, False), "iid labels, stratified blocks": (True, True),
    "300/300 labels, plain blocks": (False, False), "300/300 labels, stratified blocks": (False, True),
}  # fmt: skip
DESIGNS = tuple(_DRAWN)


@dataclass(frozen=True)
class Simulated:
    """Coverage and mean length of the 95 % interval of F1 for each factor, over so many data sets.

    ``truth`` is the F1 of the mean cells of a rule trained on half the data. ``inflation`` is Var(R_k) over the
    binomial r(1 − r)/(n₊/2), ``rho`` the correlations of the recalls of two validations: within, between repeats.
    """

    design: str
    replicates: int
    truth: float
    coverage: dict[str, float]
    length: dict[str, float]
    length_error: dict[str, float]
    inflation: float
    rho: tuple[float, float]

    def error(self, coverage: float) -> float:
        """Return the standard error of a coverage."""
        share = (coverage * self.replicates + 1) / (self.replicates + 2)
        return math.sqrt(share * (1 - share) / self.replicates)


def simulate(design: str, *, replicates: int = 500, seed: int = 0) -> Simulated:
    """Return what the intervals of F1 do over so many data sets of one design."""
    return simulate_all((design,), replicates=replicates, seed=seed)[0]


def simulate_all(
    designs: Sequence[str] = DESIGNS, *, replicates: int = 500, seed: int = 0, **options: Any
) -> list[Simulated]:
    """Return the same of several designs; ``options`` are jobs, checkpoint and progress."""
    starts = range(0, replicates, BLOCK)
    work = [(design, min(BLOCK, replicates - start), start, seed) for design in designs for start in starts]
    keyed = [([*piece], piece) for piece in work]
    parts = run_kept(_part, keyed, study="wang2019, section 2.4", **options)
    each = len(starts)
    return [_simulated(design, replicates, parts[at * each : (at + 1) * each]) for at, design in enumerate(designs)]


def _part(design: str, size: int, start: int, seed: int) -> list[Any]:
    """Return the counts and rates of some data sets; each part has a stream of its own, whoever runs it."""
    rng = np.random.default_rng([seed, DESIGNS.index(design), start])
    return [part.tolist() for part in _folds_of(*_sample(design, size, rng))]


def _simulated(design: str, replicates: int, parts: Sequence[Any]) -> Simulated:
    counts, rates = (np.concatenate([np.array(part[k], dtype=float) for part in parts]) for k in (0, 1))
    # The truth: the mean cells (true and false positive rate, classes alike) of all rules trained on 300 rows.
    hit, alarm = rates.reshape(-1, 2).mean(axis=0)
    truth = 2 * hit / (hit + alarm + 1)
    pooled = counts.sum(axis=1)
    found = {name: _interval(pooled * factor) for name, factor in FACTORS.items()}
    recall = counts[..., 0] / (counts[..., 0] + counts[..., 2])
    spread = np.cov(recall, rowvar=False)
    return Simulated(
        design,
        replicates,
        float(truth),
        {name: float(np.mean((low <= truth) & (truth <= high))) for name, (low, high) in found.items()},
        {name: float(np.mean(high - low)) for name, (low, high) in found.items()},
        {name: float(np.std(high - low) / math.sqrt(replicates)) for name, (low, high) in found.items()},
        float(np.trace(spread) / 6 / (hit * (1 - hit) / (SIZE / 4))),
        _correlations(spread),
    )


def _sample(design: str, size: int, rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Return features (size, n, 2), labels (size, n) and the block 0 … 3 of every row."""
    random, stratified = _DRAWN[design]
    if random:
        y = (rng.random((size, SIZE)) < 0.5).astype(float)
    else:
        y = np.tile(np.arange(SIZE) % 2, (size, 1)).astype(float)
    x = rng.standard_normal((size, SIZE, 2)) + SHIFT * y[..., None]
    order = np.argsort(rng.random((size, SIZE)), axis=1)
    if stratified:
        order = np.take_along_axis(order, np.argsort(np.take_along_axis(y, order, 1), axis=1, kind="stable"), 1)
    block = np.empty((size, SIZE), dtype=np.int64)
    np.put_along_axis(block, order, np.broadcast_to(np.arange(SIZE) % 4, (size, SIZE)), axis=1)
    return x, y, block


def _folds_of(x: Floats, y: Floats, block: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return the counts tp fp fn of the six validations, and hit and alarm rate of the six rules."""
    counts, rates = [], []
    design = np.concatenate([np.ones((*y.shape, 1)), x], axis=2)
    for trained in two_level_array(3).T:
        for side in (1, 0):
            inside = trained[block] == side
            weights = _logistic(design, y, inside)
            said, tested = np.einsum("rnk,rk->rn", design, weights) > 0, ~inside
            cells = (said & (y == 1), said & (y == 0), ~said & (y == 1))
            counts.append(np.stack([(cell & tested).sum(axis=1) for cell in cells], axis=1))
            rates.append(_rates(weights))
    return np.stack(counts, axis=1).astype(float), np.stack(rates, axis=1)


def _logistic(design: Floats, y: Floats, inside: NDArray[np.bool_]) -> Floats:
    """Return the maximum-likelihood weights of each data set, from the rows inside, by Newton's method."""
    weights = np.zeros((len(y), design.shape[2]))
    kept = np.where(inside[..., None], design, 0.0)
    for _ in range(8):
        chance = expit(np.einsum("rnk,rk->rn", design, weights))
        slope = np.einsum("rnk,rn->rk", kept, y - chance)
        curve = np.einsum("rnk,rnl->rkl", kept * (chance * (1 - chance))[..., None], design)
        weights += np.linalg.solve(curve, slope[..., None])[..., 0]
    return weights


def _rates(weights: Floats) -> Floats:
    """Return P(said positive | class 1) and P(said positive | class 0) of linear rules, exactly."""
    length = np.hypot(weights[:, 1], weights[:, 2])
    lift = SHIFT * (weights[:, 1] + weights[:, 2])
    return np.stack([ndtr((weights[:, 0] + lift) / length), ndtr(weights[:, 0] / length)], axis=1)


def _interval(effective: Floats) -> tuple[Floats, Floats]:
    tp, fp, fn = effective.T
    found = batch_intervals("f1", tp=tp, fp=fp, fn=fn, method=Bayes(prior=1.0), level=LEVEL)
    return found.low, found.high


def _correlations(spread: Floats) -> tuple[float, float]:
    """Return rho1 (two validations of one repeat) and rho2 (of different repeats)."""
    repeat = np.arange(6) // 2
    same = (repeat[:, None] == repeat) & ~np.eye(6, dtype=bool)
    apart = repeat[:, None] != repeat
    variance = np.trace(spread) / 6
    return float(spread[same].mean() / variance), float(spread[apart].mean() / variance)

"""Two models on the same rows: one Dirichlet on the joint table counts[truth, prediction of A, prediction of B]."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import special

from howsure import betas
from howsure.contrasts import Chances
from howsure.dirichlet import dirichlet_blocks, log_gamma_blocks, posterior_shapes
from howsure.errors import InputError
from howsure.quadrature import FloatArray
from howsure.sampled import SampledPosterior, Value


def discordant_probability(gained: float, lost: float, *, prior: float = 0.5) -> Chances:
    """Return P(B is better than A) from the rows that only B, and that only A, gets right: Bayesian McNemar.

    Exact for metrics that only the discordant rows move: P(Beta(gained + prior, lost + prior) > 1/2). The prior is the
    sum of the joint prior over the cells that were summed (accuracy sums two cells, recall and specificity one).
    Altham (1971), Biometrika 58:561.

    >>> discordant_probability(1, 0, prior=1.0)
    Chances(greater=0.75, less=0.25)
    """
    for name, value, least in (("gained", gained, 0.0), ("lost", lost, 0.0), ("prior", prior, 5e-324)):
        if not least <= value < math.inf:
            raise InputError(f"{name} is {value!r}; it must be a finite count of at least 0 (the prior above 0).")
    half = np.array(0.5)
    shapes = gained + prior, lost + prior
    return Chances(float(betas.sf(*shapes, half, half)), float(betas.cdf(*shapes, half, half)))


def sampled_difference(
    counts: npt.ArrayLike,
    value: Value,
    *,
    prior: npt.ArrayLike | None = None,
    draws: int = 100_000,
    seed: int = 0,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> SampledPosterior:
    """Return the posterior of metric(B) - metric(A) on the same rows, by draws from the joint Dirichlet.

    ``value`` maps tables of shape (draws, K, K), truth in rows, to one number a draw. Unlike a comparison of two
    separate posteriors it uses that both models saw the same rows, and is the narrower the more they agree.

    >>> joint = [[[30, 2], [1, 3]], [[4, 6], [2, 52]]]
    >>> accuracy = lambda p: p[:, 0, 0] + p[:, 1, 1]
    >>> bool(sampled_difference(joint, accuracy, draws=2000).sf(0) > 0.6)
    True
    """
    _check_joint(counts)
    blocks = dirichlet_blocks(counts, prior=prior, draws=draws, seed=seed)
    differences = [value(block.sum(axis=2)) - value(block.sum(axis=3)) for block in blocks]
    return SampledPosterior(np.concatenate(differences), seed=seed, bounds=bounds)


def paired_tversky_probability(
    counts: npt.ArrayLike,
    a: float,
    b: float,
    *,
    prior: npt.ArrayLike | None = None,
    draws: int = 100_000,
    seed: int = 0,
) -> tuple[float, float]:
    """Return P(T_B > T_A) of a Tversky index tp/(tp + a fp + b fn) on the same rows, and its standard error.

    counts[truth, prediction of A, prediction of B], each 0 or 1. T_B - T_A increases in the Gamma variable x of
    the cell (1, 0, 1): seven gammas are drawn and the chance that x lies beyond the root is exact (Rao-Blackwell),
    so the error is below that of counting draws. a = b = 1/2: F1; a = 1, b = 0: precision.

    >>> joint = [[[600, 40], [30, 30]], [[20, 40], [10, 230]]]
    >>> probability, standard_error = paired_tversky_probability(joint, 0.5, 0.5)
    >>> round(probability, 2), standard_error < 0.003
    (0.99, True)
    """
    if np.shape(counts) != (2, 2, 2):
        raise InputError(f"counts has shape {np.shape(counts)}; it must be 2 x 2 x 2: [truth, A, B], each 0 or 1.")
    if not (a >= 0 and b >= 0 and 0 < a + b < math.inf):
        raise InputError(f"a is {a!r} and b is {b!r}; both must be at least 0 and one above 0; 1/2 and 1/2 is F1.")
    shape = posterior_shapes(counts, prior)[1, 0, 1]
    blocks = log_gamma_blocks(counts, prior=prior, draws=draws, seed=seed)
    chances = np.concatenate([special.gammaincc(shape, _root(np.exp(logs), a, b)) for logs in blocks])
    return float(chances.mean()), float(chances.std(ddof=1) / math.sqrt(draws))


def _root(g: FloatArray, a: float, b: float) -> FloatArray:
    """Return the x in the cell (1, 0, 1) at which T_B = T_A, or 0 if T_B > T_A for all x.

    T_B > T_A iff (x + hit)(a fp_A + b (miss + x)) > (hit + only_a)(a fp_B + b (miss + only_a)): quadratic in x.
    """
    hit, miss, only_a = g[:, 1, 1, 1], g[:, 1, 0, 0], g[:, 1, 1, 0]
    false_a, false_b = g[:, 0, 1, 0] + g[:, 0, 1, 1], g[:, 0, 0, 1] + g[:, 0, 1, 1]
    # hit (a fp_A + b miss) minus the right-hand side, with the common terms cancelled by hand.
    constant = a * hit * (g[:, 0, 1, 0] - g[:, 0, 0, 1]) - b * hit * only_a
    constant -= only_a * (a * false_b + b * (miss + only_a))
    linear = a * false_a + b * (miss + hit)
    root = np.sqrt(np.maximum(linear * linear - 4.0 * b * constant, 0.0))
    return np.maximum(-2.0 * constant / (linear + root), 0.0)


def _check_joint(counts: npt.ArrayLike) -> None:
    shape = np.shape(counts)
    if len(shape) != 3 or len(set(shape)) != 1:
        raise InputError(f"counts has shape {shape}; it must be K x K x K: [truth, prediction of A, prediction of B].")

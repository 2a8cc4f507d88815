"""Populations that the tests of hs.study and of coverage share."""

from __future__ import annotations

import numpy as np

from howsure.tables.population import Population

HALF = {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}
THREE = [[0.40, 0.05, 0.05], [0.10, 0.15, 0.05], [0.02, 0.03, 0.15]]


def random_population(classes: int, *, seed: int, recall: tuple[float, float] = (0.4, 0.98)) -> Population:
    """Return a made-up population to try a method on, the same for the same seed.

    Prevalences are Dirichlet(1), recalls uniform, errors spread at random.
    """
    rng = np.random.default_rng([seed, classes])
    actual, right = rng.dirichlet(np.ones(classes)), rng.uniform(*recall, classes)
    spread = rng.dirichlet(np.ones(classes - 1), classes)
    shares = np.zeros((classes, classes))
    shares[~np.eye(classes, dtype=bool)] = (spread * ((1 - right) * actual)[:, None]).ravel()
    shares[np.diag_indices(classes)] = right * actual
    return Population(shares, 1 if classes == 2 else None, tuple(range(classes)), f"random {classes}/{seed}")

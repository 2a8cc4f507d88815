"""Rules on one feature, as Yuan & Jiang's first simulation trains them: steps between 0 and 1 on the line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtr

from howsure.studies.joint_coverage import table_of_cells
from howsure.tables.table import Table
from howsure.types import Array

TREES = 100
SHIFT = 1.0  # X | Z = 0 ~ N(0, 1), X | Z = 1 ~ N(1, 1)


@dataclass(frozen=True)
class Steps:
    """A rule: ``values[k]`` between ``breaks[k−1]`` and ``breaks[k]``."""

    breaks: Array
    values: Array

    def __call__(self, x: Array) -> Array:
        return np.asarray(self.values[np.searchsorted(self.breaks, x)])


def training_set(size: int, seed: int) -> tuple[Array, Array]:
    """Return features and outcomes: half positives, normal with means 0 and 1."""
    random = np.random.default_rng(seed)
    z = random.integers(0, 2, size)
    return random.standard_normal(size) + SHIFT * z, z


def nearest_neighbour(x: Array, z: Array) -> Steps:
    """Return the 1-NN rule: breaks half-way between neighbours of different outcome."""
    order = np.argsort(x)
    x, z = x[order], z[order]
    turns = np.flatnonzero(z[1:] != z[:-1])
    return Steps((x[turns] + x[turns + 1]) / 2, np.concatenate([z[:1], z[turns + 1]]))


def logistic(x: Array, z: Array) -> Steps:
    """Return the rule of logistic regression, fitted by Newton's method: one break, where the chance is one half."""
    design = np.column_stack([np.ones(len(x)), x])
    weights = np.zeros(2)
    for _ in range(50):
        chance = expit(design @ weights)
        step = np.linalg.solve((design * (chance * (1 - chance))[:, None]).T @ design, design.T @ (z - chance))
        weights += step
        if np.abs(step).max() < 1e-12:
            break
    rises = weights[1] > 0
    return Steps(np.array([-weights[0] / weights[1]]), np.array([0, 1]) if rises else np.array([1, 0]))


def random_forest(x: Array, z: Array, seed: int) -> Steps:
    """Return a random forest: on one feature a full-grown tree is the 1-NN rule of its bootstrap sample."""
    random = np.random.default_rng([seed, 1])
    trees = [nearest_neighbour(x[chosen], z[chosen]) for chosen in random.integers(0, len(x), (TREES, len(x)))]
    breaks = np.unique(np.concatenate([tree.breaks for tree in trees]))
    inside = np.concatenate([breaks[:1] - 1, (breaks[1:] + breaks[:-1]) / 2, breaks[-1:] + 1])
    votes = np.mean([tree(inside) for tree in trees], axis=0)
    return Steps(breaks, (votes > 0.5).astype(int))


def rules(seed: int, *, size: int = 500) -> dict[str, Steps]:
    """Return the three rules of one training set."""
    x, z = training_set(size, seed)
    return {
        "1-NN": nearest_neighbour(x, z),
        "Logistic Regression": logistic(x, z),
        "Random Forest": random_forest(x, z, seed),
    }


def population(trained: dict[str, Steps]) -> Table:
    """Return the exact joint shares of (Z, rules): normal probabilities between all breaks, no million draws."""
    breaks = np.unique(np.concatenate([rule.breaks for rule in trained.values()]))
    edges = np.concatenate([[-np.inf], breaks, [np.inf]])
    inside = np.concatenate([breaks[:1] - 1, (breaks[1:] + breaks[:-1]) / 2, breaks[-1:] + 1])
    predictions = np.stack([rule(inside) for rule in trained.values()], axis=1)
    cells = np.concatenate([np.column_stack([np.full(len(inside), z), predictions]) for z in (0, 1)])
    chances = np.concatenate([np.diff(ndtr(edges - SHIFT * z)) / 2 for z in (0, 1)])
    return table_of_cells(cells, chances, tuple(trained)).merged()

"""Plans of rows that come in clusters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

import howsure as hs


def test_design_effect_and_whole_clusters() -> None:
    """Worst case of accuracy: z²·¼·deff/h² would be enough with many clusters; few need Student's t."""
    made = hs.plan("accuracy", half_width=0.05, cluster_size=30, icc=0.1)
    effect = 1 + 29 * 0.1
    assert made.clusters.design_effect == pytest.approx(effect)
    assert made.n == made.n_clusters * 30

    def half(clusters: int) -> float:
        return t.ppf(0.975, clusters - 1) * math.sqrt(0.25 * effect / (30 * clusters))

    assert half(made.n_clusters) <= 0.05 < half(made.n_clusters - 1)
    assert made.half_width == pytest.approx(half(made.n_clusters), rel=1e-9)
    assert hs.plan("accuracy", se=0.02, cluster_size=30, icc=0.1).n_clusters == math.ceil(0.25 * effect / 0.0004 / 30)
    assert hs.plan("accuracy", n=900, cluster_size=30, icc=0.1).half_width == pytest.approx(half(30), rel=1e-9)


def clustered(groups: int, size: int, seed: int) -> hs.Table:
    """Return rows whose being right is Beta(7.2, 1.8) per group: an intra-class correlation of 1/(1+9) = 0.1."""
    random = np.random.default_rng(seed)
    right = random.uniform(size=(groups, size)) < random.beta(7.2, 1.8, (groups, 1))
    truth = random.integers(0, 2, groups * size)
    guess = np.where(right.ravel(), truth, 1 - truth)
    return hs.table(truth, guess, groups=np.repeat(np.arange(groups), size))


def test_icc_of_a_pilot_with_groups() -> None:
    pilot = clustered(400, 10, 3)
    made = hs.plan("accuracy", se=0.01, pilot=pilot)
    assert made.clusters.icc == pytest.approx(0.1, abs=0.03)
    assert made.clusters.design_effect == pytest.approx(hs.estimate(pilot, "accuracy", method="wald").design_effect)
    larger = hs.plan("accuracy", se=0.01, pilot=pilot, cluster_size=40)
    assert larger.clusters.design_effect == pytest.approx(1 + 39 * made.clusters.icc)


def test_a_clustered_plan_reaches_its_half_width() -> None:
    made = hs.plan("accuracy", half_width=0.05, prevalence=0.5, recall=0.8, specificity=0.8, cluster_size=10, icc=0.1)
    widths = []
    for seed in range(60):
        found = hs.estimate(clustered(made.n_clusters, 10, 100 + seed), "accuracy", method=made.method)
        widths.append((found.high - found.low) / 2)
    assert np.mean(widths) == pytest.approx(0.05, rel=0.04)  # s.e. of the mean is near 1%

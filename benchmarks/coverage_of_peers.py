"""Coverage of every package's 95 % interval on the same simulated samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from others import ask, installed, value
from record import Cell, Effort, Section, Target

from howsure.studies.papers.takahashi2022 import SCENARIOS

SAMPLES = 1000


@dataclass(frozen=True)
class Population:
    """Shares of the cells, truth in rows; how many rows a sample has; what is estimated."""

    name: str
    shares: np.ndarray
    n: int
    metric: str
    skipped: tuple[str, ...] = ()


THREE = np.full((3, 3), 0.01) + np.diag([0.94 / 3 - 0.01] * 3)
ROWS = "scipy, BCa"
ONLY_F1 = "statsmodels, Wilson by hand"
POPULATIONS = [
    Population("F1 = 0.72, n = 100", np.array([[0.84, 0.05], [0.02, 0.09]]), 100, "f1"),
    Population("F1 = 0.97, n = 30", np.array([[0.68, 0.01], [0.01, 0.30]]), 30, "f1"),
    Population("macro F1 = 0.94, n = 30", THREE / THREE.sum(), 30, "macro_f1", (ONLY_F1,)),
    Population(
        "macro F1, Takahashi's scenario 3, n = 1000", SCENARIOS["scenario 3"], 1000, "macro_f1", (ONLY_F1, ROWS)
    ),
    Population("macro precision, the same", SCENARIOS["scenario 3"], 1000, "macro_precision", (ONLY_F1, ROWS)),
]
PEERS = [
    "howsure",
    "confidenceinterval",
    "prob_conf_mat",
    "prob_conf_mat, uniform prior",
    "percentile bootstrap (MLstatkit's)",
    "scipy, BCa",
    "statsmodels, Wilson by hand",
]


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Simulate every population."""
    samples = effort.times(SAMPLES, 20)
    asked = [peer for peer in PEERS if installed(peer)]
    cells = {population.name: covered(population, asked, samples) for population in POPULATIONS}
    lines: list[list[Cell]] = [[peer, *(cell[peer] for cell in cells.values())] for peer in asked]
    error = 1.96 * np.sqrt(0.95 * 0.05 / samples)
    text = (
        f"Share of {samples:,} samples whose interval holds the true value of the population, which is known; mean "
        f"width in brackets. It should be 0.950; by chance it may be off by ±{error:.3f}. A sample without an "
        "interval (not a number, or an error) is a miss, and the share of these follows. Every package sees the same "
        "samples and is called with its defaults. The bootstrap of MLstatkit is drawn as tables instead of rows, "
        "which has the same law: on rows a thousand samples would take hours. scipy is left out at n = 1000 for the "
        "same reason; a dash is not asked or not offered."
    )
    return [Section("Coverage", text, ["", *cells], lines)], []


def covered(population: Population, peers: list[str], samples: int) -> dict[str, str | None]:
    """Return coverage, mean width and share without an interval for each peer."""
    random = np.random.default_rng(8)
    drawn = random.multinomial(population.n, population.shares.ravel(), size=samples)
    tables = drawn.reshape(-1, *population.shares.shape)
    truth = float(value(population.shares, population.metric))
    found: dict[str, str | None] = {}
    for peer in peers:
        if peer in population.skipped:
            found[peer] = None
            continue
        limits = np.array([ask(peer, table, population.metric) for table in tables])
        found[peer] = _cell(limits, truth)
    return found


def _cell(limits: np.ndarray, truth: float) -> str | None:
    low, high = limits.T
    absent = np.isnan(low) | np.isnan(high)
    if absent.all():
        return None
    # Limits that a package rounds to the true value itself still hold it.
    inside = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    text = f"{np.mean(inside):.3f} ({np.mean((high - low)[~absent]):.3f})"
    return f"{text}, none in {np.mean(absent):.3f}" if absent.any() else text

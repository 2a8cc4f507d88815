"""The joint critical value q, P(max|Z| < q) = 0.95, against R's qmvnorm: time, error, and how q moves with the seed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable

import numpy as np
from clock import in_turn
from record import Cell, Effort, Section, Target
from scipy.optimize import brentq
from scipy.special import ndtr

import howsure as hs

LEVEL = 0.95
SEEDS = 10
FEW_SEEDS = 3
"""For more than 20 coordinates, where R takes seconds a call."""
SCRIPT = """
suppressMessages(library(mvtnorm))
given <- scan(file("stdin"), quiet = TRUE)
size <- given[1]; seeds <- given[2]
correlation <- matrix(given[-(1:2)], size, size)
one <- function(seed) { set.seed(seed); qmvnorm(0.95, corr = correlation, tail = "both.tails")$quantile }
for (seed in 1:seeds) {
  seconds <- system.time(q <- one(seed))
  cat(seconds["user.self"] + seconds["sys.self"], format(q, digits = 12), "\\n")
}
"""


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Compare on matrices whose q an integral in one dimension gives to ten digits."""
    columns = ["correlation", "q", "error of howsure", "its own bound", "error of R", "R over seeds, SD", "R / howsure"]
    text = (
        f"`hs.critical_value` against `qmvnorm` of R's mvtnorm (both tails), each at its defaults, over {SEEDS} seeds "
        f"of R ({FEW_SEEDS} for 50 coordinates); its error is the root mean square. The true q of these matrices "
        "comes from integrals in one dimension: a common factor is integrated out (equal or unequal loadings), a "
        "chain step by step (correlation ρ to the power of the distance). The last column is R's CPU time, the "
        "median of the seeds and without starting R, over our elapsed time; R runs after ours, not in turn."
    )
    if shutil.which("Rscript") is None:
        text += " R is not installed here, so its columns are empty."
    lines = [line(name, *case, effort) for name, case in cases().items()]
    return [Section("Critical values", text, columns, lines)], []


def cases() -> dict[str, tuple[np.ndarray, float]]:
    """Return correlation matrices with their true q."""
    found: dict[str, tuple[np.ndarray, float]] = {}
    for size in (3, 6, 20, 50):
        loadings = np.full(size, np.sqrt(0.5))
        found[f"{size} equal, 0.5"] = (factor(loadings), solve(lambda q, held=loadings: factor_chance(held, q)))
    loadings = np.linspace(-0.9, 0.95, 12)
    found["12 of one factor, loadings −0.9 to 0.95"] = factor(loadings), solve(lambda q: factor_chance(loadings, q))
    for size in (6, 20):
        apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
        found[f"{size} in a chain, 0.7"] = 0.7**apart, solve(lambda q, held=size: chain_chance(held, 0.7, q))
    return found


def solve(chance: Callable[[float], float]) -> float:
    """Return the q at which the probability is the level."""
    return float(brentq(lambda q: chance(q) - LEVEL, 1.5, 6.0, xtol=1e-12))


def factor(loadings: np.ndarray) -> np.ndarray:
    """Return the correlation of variables that share one factor."""
    matrix = np.outer(loadings, loadings)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def factor_chance(loadings: np.ndarray, q: float) -> float:
    """Return P(max|Z| < q) given one factor: an integral over the factor of independent probabilities."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    shared, rest = 9 * nodes[:, np.newaxis], np.sqrt(1 - loadings**2)
    inside = ndtr((q - loadings * shared) / rest) - ndtr((-q - loadings * shared) / rest)
    density = np.exp(-((9 * nodes) ** 2) / 2) / np.sqrt(2 * np.pi)
    return float(9 * weights @ (density * inside.prod(axis=1)))


def chain_chance(size: int, step: float, q: float) -> float:
    """Return P(max|Z| < q) of a chain: the density that has stayed inside, carried from one variable to the next."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    places, scale = q * nodes, np.sqrt(1 - step**2)
    move = np.exp(-(((places[:, np.newaxis] - step * places) / scale) ** 2) / 2) / (scale * np.sqrt(2 * np.pi))
    held = np.exp(-(places**2) / 2) / np.sqrt(2 * np.pi)
    for _ in range(size - 1):
        held = move @ (q * weights * held)
    return float(q * weights @ held)


def line(name: str, correlation: np.ndarray, truth: float, effort: Effort) -> list[Cell]:
    """Return the errors of both programs and the ratio of their times."""
    ours = hs.critical_value(correlation, LEVEL)
    seconds = in_turn({"ours": lambda: hs.critical_value(correlation, LEVEL)}, budget=effort.budget(3)).median("ours")
    first: list[Cell] = [name, f"{truth:.6f}", scientific(abs(ours.value - truth)), scientific(ours.error)]
    asked = ask_r(correlation, effort.times(SEEDS if len(correlation) <= 20 else FEW_SEEDS, 2))
    if asked is None:
        return [*first, None, None, None]
    times, values = asked
    error = float(np.sqrt(np.mean((values - truth) ** 2)))
    return [*first, scientific(error), scientific(float(values.std(ddof=1))), float(np.median(times)) / seconds]


def ask_r(correlation: np.ndarray, seeds: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the CPU seconds and the q of each seed, or None without R and mvtnorm."""
    program = shutil.which("Rscript")
    if program is None:
        return None
    given = " ".join(map(json.dumps, [len(correlation), seeds, *correlation.ravel().tolist()]))
    done = subprocess.run([program, "-e", SCRIPT], input=given, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    rows = [line.split() for line in done.stdout.splitlines() if len(line.split()) == 2 and not line.startswith("[")]
    times, values = np.array(rows, dtype=float).T
    return times, values


def scientific(value: float) -> str:
    """Write an error."""
    return f"{value:.0e}".replace("e-0", "e-")

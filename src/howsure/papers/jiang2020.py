"""Jiang (2020), formulas for F measures: sections 2.1, 2.3 and 2.4, recomputed; 2.4 by simulation and exactly."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.batch import many_counts
from howsure.enumeration import outcomes
from howsure.estimates import estimate
from howsure.metrics import tversky
from howsure.naming import named
from howsure.papers.rows import PaperRow, row_maker
from howsure.sources.typed import counts
from howsure.study import Progress, study
from howsure.worst_case import largest_variance

# The only table of 535 rows that gives every printed figure of section 2.3 (erratum J9).
JUICE = counts(tp=286, fp=47, fn=43, tn=159)
A, B, PREVALENCE = 0.8, 0.2, 0.615
TABLE_V = {0.5: 0.1549, 0.6: 0.1695, 0.7: 0.1861, 0.8: 0.2050, 0.9: 0.2262}

# Section 2.4: Z ~ Bernoulli(0.5), A = I(S > 1), S|Z ~ N(2.5 Z, 1), n = 1000, 10 000 repetitions.
HIT, ALARM = float(ndtr(2.5 - 1)), float(ndtr(-1.0))
MODEL = {"tp": 0.5 * HIT, "fp": 0.5 * ALARM, "fn": 0.5 * (1 - HIT), "tn": 0.5 * (1 - ALARM)}
SIZE = 1000
PRINTED_TRUTH = 0.8691099


def rows(
    *,
    replicates: int = 100_000,
    seed: int = 0,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> list[PaperRow]:
    """Return every number of the paper beside ours."""
    simulated = coverage_rows(replicates=replicates, seed=seed, jobs=jobs, checkpoint=checkpoint, progress=progress)
    return [*example_rows(), *bound_rows(), *size_rows(), *model_rows(), *simulated]


def example_rows() -> Iterator[PaperRow]:
    """Yield section 2.3: the orange-juice table."""
    make, table = row_maker("Section 2.3"), JUICE
    found = estimate(table, "f0.5", method="wald")
    yield make("n", 535, table.n)
    yield make("E ZA", 0.535, table.tp / table.n)
    yield make("tau(0.8, 0.2)", 0.861, estimate(table, tversky(A, B), method="wald").value)
    yield make("tau(0.64, 0.04)", 0.900, estimate(table, tversky(A * A, B * B), method="wald").value)
    yield make("s.e. of F0.5", 0.0162, found.se)
    yield make("half width", 0.032, (found.high - found.low) / 2)
    yield make("E Z", 0.615, estimate(table, "prevalence", method="wald").value)


def bound_rows() -> Iterator[PaperRow]:
    """Yield the table of V in proposition 1 (iii)."""
    make = row_maker("Proposition 1 (iii)")
    for heavier, printed in TABLE_V.items():
        yield make(f"V({heavier:g})", printed, largest_variance(heavier))


def size_rows() -> Iterator[PaperRow]:
    """Yield the sample sizes of section 2.3, as printed and without rounding on the way."""
    make, bound = row_maker("Section 2.3, sample size"), largest_variance(max(A, B))
    exact = 0.02 / float(-ndtri(0.025))
    rounded, coarse = "the paper rounds V to 0.2050", "the paper also rounds 0.02/1.96 to 0.01 (erratum J4)"
    yield make("positives, s.e. 0.01", 10250, math.ceil(bound / (0.01**2 * B)), note=rounded)
    yield make("n, s.e. 0.01", 16667, math.ceil(bound / (0.01**2 * B * PREVALENCE)), note=rounded)
    yield make("n, half width 0.02", 16667, math.ceil(bound / (exact**2 * B * PREVALENCE)), note=coarse)


def model_rows() -> Iterator[PaperRow]:
    """Yield section 2.4: the true F0.5, and the mean and spread of estimate and standard error at n = 1000, exactly."""
    make, metric = row_maker("Section 2.4"), tversky(A, B)
    truth = MODEL["tp"] / (MODEL["tp"] + A * MODEL["fp"] + B * MODEL["fn"])
    drawn = "the paper draws 10⁶ pairs for it (erratum J7)"
    yield make("F0.5 of the model", PRINTED_TRUTH, truth, note=drawn)
    shares = np.array([MODEL[cell] for cell in ("tp", "fp", "fn", "tn")])
    sums = np.zeros(5)
    for cells, chance in outcomes(shares, SIZE):
        evidence = many_counts(metric, *cells.T)
        away = evidence.value - truth
        inside = np.abs(evidence.value - PRINTED_TRUTH) <= 1.96 * evidence.se
        sums += [chance @ part for part in (np.ones(len(away)), away, away**2, evidence.se, inside)]
    mean, square, error, covered = (sums[1:] / sums[0]).tolist()
    note = "the paper takes 10⁴ samples"
    yield make("mean of the estimates", 0.8693013, truth + mean, note=note)
    yield make("s.d. of the estimates", 0.01283146, math.sqrt(square - mean**2), note=note)
    yield make("mean standard error", 0.01280255, error, note=note)
    yield make("coverage of the printed F0.5", 0.9455, covered, note=f"{note}; s.e. of print 0.0023")


def coverage_rows(
    *,
    replicates: int = 100_000,
    seed: int = 0,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Iterator[PaperRow]:
    """Yield the coverage at n = 1000 by simulation, as in the paper, and by enumerating all tables."""
    make, metric = row_maker("Section 2.4"), named("f0.5")
    common: dict[str, Any] = {"jobs": jobs, "checkpoint": checkpoint, "progress": progress}
    note = "the paper takes 10⁴ samples, around a slightly wrong target (erratum J7)"
    drawn = study(metric, "wald", MODEL, SIZE, exact=False, replicates=replicates, seed=seed, **common)[0]
    yield make("coverage, simulated", 0.9455, drawn.coverage, drawn.se, note)
    exact = study(metric, "wald", MODEL, SIZE, exact=True, **common)[0]
    yield make("coverage, exact", 0.9455, exact.coverage, note=note)

"""Jiang (2020), formulas for F measures: sections 2.1, 2.3 and 2.4, recomputed; 2.4 by simulation and exactly."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.estimates.estimate import estimate
from howsure.estimates.evidence import evidence_of_counts
from howsure.metrics.catalogue import tversky
from howsure.metrics.largest_variance import largest_variance
from howsure.metrics.names import named
from howsure.numerics.parallel import Progress
from howsure.results.coverage import PaperRow
from howsure.sources.kinds.counts import counts
from howsure.studies.enumerate import outcomes
from howsure.studies.kept import staged
from howsure.studies.papers.drawing import save_figure
from howsure.studies.papers.rows import row_maker, share_error
from howsure.studies.study import study

# The only table of 535 rows that gives every printed figure of section 2.3 (erratum J9).
JUICE = counts(tp=286, fp=47, fn=43, tn=159)
A, B, PREVALENCE = 0.8, 0.2, 0.615
TABLE_V = {0.5: 0.1549, 0.6: 0.1695, 0.7: 0.1861, 0.8: 0.2050, 0.9: 0.2262}

# Section 2.4: Z ~ Bernoulli(0.5), A = I(S > 1), S|Z ~ N(2.5 Z, 1), n = 1000, 10 000 repetitions.
HIT, ALARM = float(ndtr(2.5 - 1)), float(ndtr(-1.0))
MODEL = {"tp": 0.5 * HIT, "fp": 0.5 * ALARM, "fn": 0.5 * (1 - HIT), "tn": 0.5 * (1 - ALARM)}
SIZE = 1000
PRINTED_TRUTH = 0.8691099
DRAWS = 10_000
EDGES = np.linspace(0.81, 0.92, 45)  # of the bars of Figure 1


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
    make, table = row_maker("Section 2.3", decimals=3), JUICE
    found = estimate(table, "f0.5", method="wald")
    yield make("n", 535, table.n, decimals=0)
    yield make("E ZA", 0.535, table.tp / table.n)
    yield make("tau(0.8, 0.2)", 0.861, estimate(table, tversky(A, B), method="wald").value)
    yield make("tau(0.64, 0.04)", 0.900, estimate(table, tversky(A * A, B * B), method="wald").value)
    yield make("s.e. of F0.5", 0.0162, found.se, decimals=4)
    yield make("half width", 0.032, (found.high - found.low) / 2)
    yield make("E Z", 0.615, estimate(table, "prevalence", method="wald").value)


def bound_rows() -> Iterator[PaperRow]:
    """Yield the table of V in proposition 1 (iii)."""
    make = row_maker("Proposition 1 (iii)", decimals=4)
    for heavier, printed in TABLE_V.items():
        yield make(f"V({heavier:g})", printed, largest_variance(heavier))


def size_rows() -> Iterator[PaperRow]:
    """Yield the sample sizes of section 2.3 without rounding on the way; the notes round as the paper does."""
    make, bound = row_maker("Section 2.3, sample size", decimals=0), largest_variance(max(A, B))
    exact = 0.02 / float(-ndtri(0.025))
    positives = math.ceil(0.2050 / (0.01**2 * B))
    whole = math.ceil(positives / PREVALENCE)
    rounded = "the paper rounds V to 0.2050, which gives"
    coarse = "the paper also rounds 0.02/1.96 to 0.01 (erratum J4), which gives"
    share = B * PREVALENCE
    yield make("positives, s.e. 0.01", 10250, math.ceil(bound / (0.01**2 * B)), note=f"{rounded} {positives}")
    yield make("n, s.e. 0.01", 16667, math.ceil(bound / (0.01**2 * share)), note=f"{rounded} {whole}")
    yield make("n, half width 0.02", 16667, math.ceil(bound / (exact**2 * share)), note=f"{coarse} {whole}")


@dataclass(frozen=True)
class EstimateLaw:
    """The estimate of F0.5 and its standard error over all tables of section 2.4, exactly."""

    truth: float
    mean: float
    spread: float
    mean_error: float
    spread_of_errors: float
    covered: float
    histogram: tuple[float, ...]


@cache
def estimate_law() -> EstimateLaw:
    """Enumerate the tables of 1000 rows; coverage is that of the printed F0.5, as in the paper."""
    truth = MODEL["tp"] / (MODEL["tp"] + A * MODEL["fp"] + B * MODEL["fn"])
    sums, bars = np.zeros(6), np.zeros(len(EDGES) - 1)
    for cells, chance in outcomes(np.array([MODEL[cell] for cell in ("tp", "fp", "fn", "tn")]), SIZE):
        evidence = evidence_of_counts(tversky(A, B), *cells.T)
        away, error = evidence.value - truth, evidence.se
        inside = np.abs(evidence.value - PRINTED_TRUTH) <= 1.96 * error
        sums += [chance @ part for part in (np.ones(len(away)), away, away**2, error, error**2, inside)]
        bars += np.histogram(evidence.value, EDGES, weights=chance)[0]
    mean, square, error, squares, covered = (sums[1:] / sums[0]).tolist()
    spreads = math.sqrt(square - mean**2), math.sqrt(squares - error**2)
    return EstimateLaw(truth, truth + mean, spreads[0], error, spreads[1], covered, tuple(bars.tolist()))


def model_rows() -> Iterator[PaperRow]:
    """Yield section 2.4: the true F0.5, and the mean and spread of estimate and standard error at n = 1000, exactly.

    The print has the errors of its draws: 10⁶ pairs for the truth, 10⁴ samples for the rest.
    """
    make, law = row_maker("Section 2.4"), estimate_law()
    drawn, note = "the paper draws 10⁶ pairs for it (erratum J7)", "the paper takes 10⁴ samples"
    error = law.spread * math.sqrt(SIZE / 1e6)
    yield make("F0.5 of the model", PRINTED_TRUTH, law.truth, note=drawn, printed_se=error, decimals=7)
    yield make("mean of the estimates", 0.8693013, law.mean, note=note, printed_se=law.spread / 100, decimals=7)
    error = law.spread / math.sqrt(2 * DRAWS)
    yield make("s.d. of the estimates", 0.01283146, law.spread, note=note, printed_se=error, decimals=8)
    error = law.spread_of_errors / math.sqrt(DRAWS)
    yield make("mean standard error", 0.01280255, law.mean_error, note=note, printed_se=error, decimals=8)
    error = share_error(law.covered, DRAWS)
    yield make("coverage of the printed F0.5", 0.9455, law.covered, note=note, printed_se=error)


def coverage_rows(
    *,
    replicates: int = 100_000,
    seed: int = 0,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Iterator[PaperRow]:
    """Yield the coverage at n = 1000 by simulation, as in the paper, and by enumerating all tables."""
    make, metric = row_maker("Section 2.4", again=True, printed_se=share_error(0.9455, DRAWS)), named("f0.5")
    common: dict[str, Any] = {"jobs": jobs, "checkpoint": checkpoint}
    first, second = staged(progress, 2)
    note = "the paper takes 10⁴ samples, around a slightly wrong target (erratum J7)"
    drawn = study(metric, "wald", MODEL, SIZE, exact=False, replicates=replicates, seed=seed, progress=first, **common)[
        0
    ]
    yield make("coverage, simulated", 0.9455, drawn.coverage, drawn.se, note)
    exact = study(metric, "wald", MODEL, SIZE, exact=True, progress=second, **common)[0]
    yield make("coverage, exact", 0.9455, exact.coverage, note=note)


def figures(folder: str | Path, *, form: str = "svg") -> list[Path]:
    """Draw Figure 1 as a file (svg, png or pdf) into a folder and return it; needs matplotlib."""
    return [save_figure(Path(folder) / f"jiang2020-figure-1.{form}", (5, 3.4), _histogram)]


def _histogram(figure: Any) -> None:
    """The exact law of the estimate in bars, and the normal curve of the proposition."""
    law, panel = estimate_law(), figure.subplots()
    width = float(EDGES[1] - EDGES[0])
    panel.bar(
        EDGES[:-1], np.array(law.histogram) / width, width, align="edge", color="#56b4e9", label="estimates, exact"
    )
    x = np.linspace(EDGES[0], EDGES[-1], 201)
    curve = np.exp(-(((x - law.truth) / law.spread) ** 2) / 2) / (law.spread * math.sqrt(2 * math.pi))
    panel.plot(x, curve, color="#d55e00", label="normal")
    panel.set(title="F0.5 at n = 1000 (Figure 1)", xlabel="estimate", ylabel="density")
    panel.legend(fontsize=8, frameon=False)

"""Takahashi, Yamamoto, Kuchiba & Koyama (2022), micro and macro F1: sections 2 and 3, Tables 3 and 4, recomputed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from howsure.estimates.estimate import estimate
from howsure.numerics.parallel import Progress
from howsure.results.coverage import Coverage, CoverageRow, PaperRow
from howsure.sources.kinds.counts import matrix
from howsure.studies.kept import staged
from howsure.studies.papers.rows import printed_cells, row_maker, share_error
from howsure.studies.study import study

SIZES = (25, 50, 100, 500, 1000, 5000)
METRICS = ("micro_f1", "macro_f1", "macro_f1_star")

# Table 1a: predictions in rows, truth in columns.
TABLE_1 = [[2, 2, 2], [5, 70, 2], [0, 2, 15]]

# Section 2: what is printed with two and with three decimals.
SECTION_2: dict[str, float] = {
    "micro_precision": 0.87, "micro_recall": 0.87, "micro_f1": 0.87,
    "precision[1]": 0.33, "precision[2]": 0.91, "precision[3]": 0.88,
    "recall[1]": 0.29, "recall[2]": 0.95, "recall[3]": 0.79,
    "f1[1]": 0.308, "f1[2]": 0.927, "f1[3]": 0.833,
    "macro_f1": 0.689, "macro_precision": 0.708, "macro_recall": 0.674, "macro_f1_star": 0.691,
}  # fmt: skip

# Section 3: standard error, low, high.
SECTION_3: dict[str, tuple[float, float, float]] = {
    "micro_f1": (0.0336, 0.804, 0.936),
    "macro_f1": (0.0650, 0.562, 0.817),
    "macro_f1_star": (0.0649, 0.563, 0.818),
}

# Table 2, in cells of 1/30 and 1/100, predictions in rows.
SCENARIOS: dict[str, Any] = {
    "scenario 1": (np.array([[8, 1, 1], [1, 8, 1], [1, 1, 8]]) / 30).T,
    "scenario 2": (np.array([[64, 3, 3], [8, 4, 3], [8, 3, 4]]) / 100).T,
    "scenario 3": (np.array([[32, 1, 1], [24, 8, 1], [24, 1, 8]]) / 100).T,
}

# Per n: three scenarios of micro F1, macro F1, macro F1*.
TABLE_3 = """
25    .885 .901 .890   .921 .790 .774   .930 .870 .821
50    .937 .935 .923   .941 .864 .853   .935 .918 .905
100   .933 .938 .936   .937 .914 .914   .943 .936 .933
500   .949 .949 .948   .947 .944 .945   .946 .947 .947
1000  .946 .948 .948   .947 .947 .947   .947 .949 .947
5000  .950 .950 .950   .951 .949 .949   .951 .950 .950
"""
SLIP = ("scenario 3", 1000, "macro_f1_star")

# Appendix D: the table behind row MNN of Table 4; each list is a column of the paper, that is, a true class.
MNN = [
    [5022, 577, 188, 19, 395],
    [407, 2468, 989, 4, 965],
    [130, 630, 27254, 1021, 763],
    [13, 0, 1236, 6399, 5],
    [103, 258, 609, 0, 9611],
]
# Table 4: value, low, high of the three averages.
TABLE_4: dict[str, tuple[float, ...]] = {
    "MNN": (0.859, 0.856, 0.862, 0.805, 0.801, 0.809, 0.807, 0.803, 0.811),
    "SVM": (0.797, 0.794, 0.800, 0.750, 0.746, 0.754, 0.756, 0.752, 0.760),
    "RF": (0.817, 0.814, 0.820, 0.724, 0.720, 0.729, 0.746, 0.741, 0.750),
    "MLP": (0.814, 0.811, 0.817, 0.772, 0.768, 0.776, 0.778, 0.774, 0.782),
}

# Section 4, text: what it prints of the true values, with two decimals.
SECTION_4: dict[str, dict[str, float]] = {
    "scenario 1": {
        "micro_precision": 0.80, "macro_precision": 0.80, "micro_recall": 0.80, "macro_recall": 0.80,
        "micro_f1": 0.80, "macro_f1": 0.80, "macro_f1_star": 0.80,
    },
    "scenario 2": {
        "prevalence[1]": 0.80, "prevalence[2]": 0.10, "recall[1]": 0.80, "recall[2]": 0.40,
        "precision[1]": 0.91, "precision[2]": 0.27, "micro_f1": 0.72, "macro_f1": 0.50, "macro_f1_star": 0.51,
    },
    "scenario 3": {
        "prevalence[1]": 0.80, "prevalence[2]": 0.10, "precision[1]": 0.94, "precision[2]": 0.24,
        "recall[1]": 0.40, "recall[2]": 0.80, "micro_f1": 0.48, "macro_f1": 0.44, "macro_f1_star": 0.55,
    },
}  # fmt: skip

DRAWS = 1_000_000
NOT_GIVEN = "the confusion matrix is not in the paper, so this row cannot be recomputed"
DROPPED = "given that the average is defined; samples without a class were dropped (erratum T6)"
PRINTED_SLIP = "a slip in print (erratum T7)"


def rows(
    *,
    replicates: int = 100_000,
    seed: int = 0,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> list[PaperRow]:
    """Return every number of the paper beside ours.

    Table 3 is exact for micro F1 and simulated for the macro averages; the paper took 10⁶ replicates.
    """
    found = simulation_study(replicates=replicates, seed=seed, jobs=jobs, checkpoint=checkpoint, progress=progress)
    return [*example_rows(), *true_value_rows(), *table_3_rows(found), *table_4_rows()]


def example_rows() -> Iterator[PaperRow]:
    """Yield sections 2 and 3: the 3 × 3 example."""
    table = matrix(TABLE_1, rows="prediction", labels=["1", "2", "3"])
    make = row_maker("Section 2")
    for metric, printed in SECTION_2.items():
        yield make(metric, printed, estimate(table, metric, method="wald").value)
    make = row_maker("Section 3")
    for metric, (se, low, high) in SECTION_3.items():
        found = estimate(table, metric, method="wald")
        for name, printed, ours in (("s.e.", se, found.se), ("low", low, found.low), ("high", high, found.high)):
            yield make(f"{metric}, {name}", printed, ours, decimals=4 if name == "s.e." else 3)


def true_value_rows() -> Iterator[PaperRow]:
    """Yield the true values of the three scenarios that the text of section 4 prints."""
    make = row_maker("Section 4", decimals=2)
    for scenario, printed in SECTION_4.items():
        table = matrix(SCENARIOS[scenario], rows="truth", labels=["1", "2", "3"], n=300)
        for metric, value in printed.items():
            yield make(f"{scenario}, {metric}", value, estimate(table, metric, method="wald").value)


def simulation_study(
    sizes: tuple[int, ...] = SIZES, metrics: tuple[str, ...] = METRICS, *, progress: Progress = None, **options: Any
) -> dict[str, Coverage]:
    """Return the study of each average in the three scenarios, Wald intervals as in the paper."""
    stages = zip(metrics, staged(progress, len(metrics)), strict=True)
    return {metric: study(metric, "wald", SCENARIOS, sizes, progress=stage, **options) for metric, stage in stages}


def table_3_rows(found: dict[str, Coverage]) -> Iterator[PaperRow]:
    """Yield the cells of Table 3 that the studies cover."""
    make = row_maker("Table 3", decimals=3)
    for scenario, n, metric, printed in printed_cells(TABLE_3, SCENARIOS, METRICS):
        for row in found.get(metric, Coverage(())):
            if (row.population, row.n) == (scenario, n):
                cell = f"{scenario}, n = {n}, {metric}"
                errors = {"se": None if row.exact else row.se, "printed_se": share_error(printed, DRAWS)}
                yield make(cell, printed, row.coverage, note=_note(row), **errors)


def _note(row: CoverageRow) -> str:
    if (row.population, row.n, row.metric) == SLIP:
        return PRINTED_SLIP
    return f"{DROPPED}; defined: {1 - row.undefined:.3f}" if row.undefined > 0.0005 else ""


def table_4_rows() -> Iterator[PaperRow]:
    """Yield Table 4; only the matrix of MNN is in the paper."""
    make, table = row_maker("Table 4", decimals=3), matrix(MNN, rows="truth")
    for model, printed in TABLE_4.items():
        for place, metric in enumerate(METRICS):
            found = estimate(table, metric, method="wald") if model == "MNN" else None
            for offset, name in enumerate(("value", "low", "high")):
                ours = None if found is None else float(getattr(found, name))
                note = NOT_GIVEN if found is None else ""
                yield make(f"{model}, {metric}, {name}", printed[3 * place + offset], ours, note=note)

"""Lam, Gopal & Qian (2024), four intervals for F1: section 6, Tables 3 to 6 and Figures 1 to 3, recomputed exactly."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from howsure.estimates.batch import batch_intervals
from howsure.estimates.estimate import estimate
from howsure.numerics.parallel import Progress
from howsure.results.coverage import Coverage, PaperRow
from howsure.sources.kinds.counts import counts
from howsure.studies.papers import lam2024
from howsure.studies.papers.drawing import save_figure
from howsure.studies.papers.rows import printed_cells, row_maker, share_error
from howsure.studies.study import study

METHODS = ("clopper-pearson", "wald", "wilson-direct", "wilson")
SIZES = (25, 50, 100, 500, 1000, 5000)

# Section 5.1: p11, p10, p01, p00 are true positives, false positives, false negatives, true negatives.
SCENARIOS: dict[str, dict[str, float]] = {
    "scenario 1": {"tp": 0.40, "fp": 0.10, "fn": 0.10, "tn": 0.40},
    "scenario 2": {"tp": 0.64, "fp": 0.16, "fn": 0.16, "tn": 0.04},
    "scenario 3": {"tp": 0.16, "fp": 0.04, "fn": 0.64, "tn": 0.16},
}

# Section 6: low, high and length of each method on 77, 44, 10, 702.
EXAMPLE = counts(tp=77, fp=44, fn=10, tn=702)
SECTION_6: dict[str, tuple[float, float, float]] = {
    "clopper-pearson": (0.665, 0.805, 0.139),
    "wald": (0.674, 0.807, 0.134),
    "wilson-direct": (0.664, 0.799, 0.135),
    "wilson": (0.669, 0.801, 0.133),
}

# Per n: three scenarios of four methods.
TABLE_3 = """
25    .976 .905 .949 .952   .971 .929 .953 .950   .973 .903 .952 .954
50    .968 .925 .949 .952   .965 .942 .945 .952   .969 .930 .953 .947
100   .963 .941 .949 .949   .962 .944 .949 .952   .964 .941 .950 .951
500   .957 .948 .949 .950   .955 .949 .950 .950   .957 .948 .950 .950
1000  .955 .949 .950 .950   .954 .949 .950 .950   .955 .949 .950 .950
5000  .952 .950 .950 .950   .952 .950 .950 .950   .952 .949 .950 .950
"""
TABLE_4 = """
25    .382 .343 .368 .328   .296 .270 .285 .263   .468 .447 .395 .414
50    .264 .243 .255 .238   .205 .192 .198 .189   .343 .327 .303 .312
100   .183 .172 .176 .170   .143 .136 .138 .135   .245 .234 .225 .228
500   .079 .077 .077 .077   .062 .061 .061 .061   .109 .106 .105 .105
1000  .055 .054 .054 .054   .044 .043 .043 .043   .076 .075 .075 .075
5000  .025 .024 .024 .024   .019 .019 .019 .019   .034 .034 .033 .033
"""

DRAWS = 1_000_000
REPLICATES = "the paper simulates 10⁶ samples (standard error 0.0002 to 0.0003)"
ILLEGIBLE = "illegible in the paper's text (erratum L10)"


def rows(
    *, jobs: int = 1, checkpoint: str | os.PathLike[str] | None = None, progress: Progress = None
) -> list[PaperRow]:
    """Return every number of the paper beside ours; all of ours are exact."""
    found = simulation_study(jobs=jobs, checkpoint=checkpoint, progress=progress)
    return [*example_rows(), *table_rows(found)]


def example_rows() -> Iterator[PaperRow]:
    """Yield section 6: F1 and its four intervals for one BERT model."""
    make, table = row_maker("Section 6", decimals=3), EXAMPLE
    yield make("f1", 0.740, estimate(table, "f1").value)
    for method, (low, high, length) in SECTION_6.items():
        found = estimate(table, "f1", method=method)
        yield make(f"{method}, low", low, found.low)
        yield make(f"{method}, high", high, found.high)
        yield make(f"{method}, length", length, found.high - found.low)


def simulation_study(**options: Any) -> Coverage:
    """Return the paper's 18 conditions × 4 methods by exact enumeration."""
    return study("f1", METHODS, SCENARIOS, SIZES, **options)


def table_rows(found: Coverage) -> Iterator[PaperRow]:
    """Yield Tables 3 to 6 from the study of all conditions."""
    for table, text, field in (("Table 3", TABLE_3, "coverage"), ("Table 4", TABLE_4, "length")):
        make = row_maker(table, decimals=3)
        for scenario, n, method, printed in printed_cells(text, SCENARIOS, METHODS):
            ours = getattr(_one(found, scenario, n, method), field)
            error = share_error(printed, DRAWS) if field == "coverage" else None
            note = _note(ours - printed)
            yield make(f"{scenario}, n = {n}, {method}", printed, ours, note=note, printed_se=error)
    for table, field in (("Table 5", "overshoot"), ("Table 6", "degenerate")):
        make = row_maker(table)
        for scenario, n, method, _ in printed_cells(TABLE_3, SCENARIOS, METHODS):
            ours = getattr(_one(found, scenario, n, method), field)
            yield make(f"{scenario}, n = {n}, {method}", None, ours, note=ILLEGIBLE)


def _note(difference: float) -> str:
    return "" if abs(difference) <= 0.0005 else REPLICATES


def _one(found: Coverage, scenario: str, n: int, method: str) -> Any:
    (row,) = found.where(population=scenario, n=n, method=method)
    return row


def figures(folder: str | Path, *, form: str = "svg") -> list[Path]:
    """Draw Figures 1 to 3 as files (svg, png or pdf) into a folder and return them; needs matplotlib."""

    return draw_figures(folder, simulation_study(), form=form)


# --- the figures, as data -------------------------------------------------------------------------------------------


def figure_1(points: int = 101) -> dict[str, list[float]]:
    """Return F1 = 2F*/(1 + F*) over F* from 0 to 1."""
    share = np.linspace(0, 1, points)
    f1 = batch_intervals("f1", tp=share, fp=1 - share, fn=0).value
    return {"f_star": share.tolist(), "f1": f1.tolist()}


def figure_2(found: Coverage) -> list[dict[str, Any]]:
    """Return coverage (panel A) and expected length (panel B) over n, one line per scenario and method."""
    lines = []
    for scenario in SCENARIOS:
        for method in METHODS:
            some = found.where(population=scenario, method=method)
            lines.append(
                {
                    "scenario": scenario,
                    "method": method,
                    "n": [row.n for row in some],
                    "coverage": [row.coverage for row in some],
                    "length": [row.length for row in some],
                }
            )
    return lines


def figure_3(relevant: tuple[int, ...] = (10, 20, 50, 100, 500, 1000), points: int = 101) -> list[dict[str, Any]]:
    """Return the lengths of Wilson direct and indirect over F1 for several ν = tp + fp + fn.

    F1 runs over a grid, so tp = ν·F1/(2 − F1) is not whole: both intervals are functions of ν and F1 alone.
    """
    f1 = np.linspace(0, 1, points)
    lines = []
    for nu in relevant:
        tp = nu * f1 / (2 - f1)
        ends = {name: batch_intervals("f1", tp=tp, fp=nu - tp, fn=0, method=name) for name in METHODS[2:]}
        lengths = {name: (one.high - one.low).tolist() for name, one in ends.items()}
        lines.append({"nu": nu, "f1": f1.tolist(), **lengths})
    return lines


COLOURS = {"clopper-pearson": "#e69f00", "wald": "#d55e00", "wilson-direct": "#009e73", "wilson": "#0072b2"}


def draw_figures(folder: str | Path, found: Coverage, *, form: str = "svg") -> list[Path]:
    """Draw the three figures as files (svg, png or pdf) into a folder and return them; needs matplotlib."""
    figures = (("1", (4, 3.4), _link), ("2", (11, 6), _study), ("3", (11, 6), _lengths))
    return [
        save_figure(Path(folder) / f"lam2024-figure-{name}.{form}", size, partial(paint, found=found))
        for name, size, paint in figures
    ]


def _link(figure: Any, found: Coverage) -> None:
    line, panel = lam2024.figure_1(), figure.subplots()
    panel.plot(line["f_star"], line["f1"], color="#0072b2")
    panel.set(xlabel="F*", ylabel="F1", xlim=(0, 1), ylim=(0, 1), title="F1 = 2F*/(1 + F*)")


def _study(figure: Any, found: Coverage) -> None:
    panels = figure.subplots(2, len(lam2024.SCENARIOS), sharex=True, sharey="row")
    columns = list(lam2024.SCENARIOS)
    for line in lam2024.figure_2(found):
        column = columns.index(line["scenario"])
        for row, what in enumerate(("coverage", "length")):
            panels[row][column].semilogx(
                line["n"], line[what], "o-", markersize=3, color=COLOURS[line["method"]], label=line["method"]
            )
            panels[row][column].set(title=f"{line['scenario']}: {what}", xlabel="n")
    for panel in panels[0]:
        panel.axhline(0.95, color="#444", linestyle="--", linewidth=1)
    panels[0][0].legend(fontsize=8)


def _lengths(figure: Any, found: Coverage) -> None:
    lines = lam2024.figure_3()
    for panel, line in zip(figure.subplots(2, 3).ravel(), lines, strict=True):
        for method in ("wilson-direct", "wilson"):
            panel.plot(line["f1"], line[method], color=COLOURS[method], label=method)
        panel.set(title=f"ν = {line['nu']}", xlabel="F1", ylabel="length")
        panel.legend(fontsize=8)

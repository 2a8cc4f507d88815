"""Figures 1 to 3 of Lam, Gopal & Qian (2024), drawn from exact numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from howsure.coverage import Coverage
from howsure.papers import lam2024
from howsure.papers.drawing import draw

COLOURS = {"clopper-pearson": "#e69f00", "wald": "#d55e00", "wilson-direct": "#009e73", "wilson": "#0072b2"}


def draw_figures(folder: str | Path, found: Coverage) -> list[Path]:
    """Draw the three figures as SVG files into a folder and return them; needs matplotlib."""
    figures = (("1", (4, 3.4), _link), ("2", (11, 6), _study), ("3", (11, 6), _lengths))
    return [
        draw(Path(folder) / f"lam2024-figure-{name}.svg", size, partial(paint, found=found))
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

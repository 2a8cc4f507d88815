"""Wang & Li (2019), the Bayes test on 3×2 cross-validation: Tables 2 to 5 from the authors' counts, and section 2.4."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from howsure.comparisons.bayes_test import bayes_test
from howsure.cross_validation.designs import effective_factor
from howsure.cross_validation.folds import Folds, folds
from howsure.estimates.posterior import posterior
from howsure.numerics.parallel import Progress
from howsure.results.coverage import PaperRow
from howsure.studies.papers.drawing import save_figure
from howsure.studies.papers.rows import row_maker, share_error
from howsure.studies.papers.wang2019_simulation import DESIGNS, Simulated, simulate_all

METRICS = {"P": "precision", "R": "recall", "F1": "f1"}
Pair = tuple[Folds, Folds]
TAG_SETS = {"CWS": ("BMES", "BB2B3MES"), "NER": ("IOB2", "IOBES"), "ORG": ("IOB2", "IOBES")}

# (tp, fp, fn) of the six validations of each model, repeats 1 1 2 2 3 3. Source: the numbers (gold, predicted and
# correct chunks) in the authors' b3x2cv_baytest_prf.py, github.com/RamboWANG/acl2019, commit ee811c8.
COUNTS: dict[tuple[str, str], tuple[tuple[int, int, int], ...]] = {
    ("CWS", "A"): ((533644, 24049, 27270), (521973, 24286, 27060), (528014, 24987, 27805),
                   (527333, 23950, 26795), (525858, 24221, 26948), (529186, 24736, 27955)),
    ("CWS", "B"): ((534649, 23489, 26265), (522380, 24134, 26653), (528709, 24609, 27110),
                   (527878, 23734, 26250), (526632, 23912, 26174), (529580, 24732, 27561)),
    ("NER", "A"): ((10297, 1025, 1332), (10423, 1005, 1447), (10333, 1037, 1385),
                   (10347, 1055, 1434), (10276, 988, 1408), (10424, 1070, 1391)),
    ("NER", "B"): ((10326, 1003, 1303), (10429, 1011, 1441), (10354, 1003, 1364),
                   (10339, 1047, 1442), (10270, 999, 1414), (10447, 1034, 1368)),
    ("ORG", "A"): ((2088, 154, 1058), (2109, 189, 1066), (2098, 190, 1044),
                   (2085, 165, 1094), (2069, 192, 1074), (2068, 177, 1110)),
    ("ORG", "B"): ((2075, 151, 1071), (2114, 175, 1061), (2080, 175, 1062),
                   (2071, 158, 1108), (2041, 169, 1102), (2054, 164, 1124)),
}  # fmt: skip

# Per cent: low and high of model A, low and high of model B.
TABLE_2 = {
    ("CWS", "P"): (95.55, 95.62, 95.60, 95.67),
    ("CWS", "R"): (95.04, 95.11, 95.16, 95.23),
    ("CWS", "F1"): (95.30, 95.36, 95.39, 95.44),
    ("NER", "P"): (90.59, 91.30, 90.70, 91.41),
    ("NER", "R"): (87.69, 88.48, 87.78, 88.57),
    ("NER", "F1"): (89.21, 89.77, 89.32, 89.87),
    ("ORG", "P"): (91.37, 92.86, 91.85, 93.31),
    ("ORG", "R"): (64.89, 67.11, 64.45, 66.68),
    ("ORG", "F1"): (76.06, 77.74, 75.93, 77.61),
}
TRUNCATED = {("CWS", "R", "A, high"), ("NER", "P", "B, low")}

# Tables 3 to 5: P(H0) and the decision.
P_H0 = {
    ("CWS", "P"): 0.024, ("CWS", "R"): 0.001, ("CWS", "F1"): 0.001,
    ("NER", "P"): 0.321, ("NER", "R"): 0.372, ("NER", "F1"): 0.300,
    ("ORG", "P"): 0.191, ("ORG", "R"): 0.706, ("ORG", "F1"): 0.587,
}  # fmt: skip
NUMBER = {"CWS": "Table 3", "NER": "Table 4", "ORG": "Table 5"}
TINY = "exact; the paper prints 0.001 for what its 10⁶ draws cannot resolve (erratum W9)"
DRAWN = "exact; the paper counts 10⁶ draws (standard error 0.0005; erratum W9)"


def rows(
    *,
    replicates: int = 500,
    seed: int = 0,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> list[PaperRow]:
    """Return every number of the paper beside ours; only section 2.4 is simulated."""
    options: dict[str, Any] = {"jobs": jobs, "checkpoint": checkpoint, "progress": progress}
    simulated = simulation_rows(replicates=replicates, seed=seed, **options)
    return [*factor_rows(), *interval_rows(), *decision_rows(), *simulated]


@cache
def fold_counts(task: str, model: str) -> Folds:
    """Return the six folds of one model of the paper: task CWS, NER or ORG, model A or B."""
    return folds(COUNTS[task, model], model=TAG_SETS[task]["AB".index(model)])


def _pair(task: str) -> Pair:
    return fold_counts(task, "A"), fold_counts(task, "B")


def factor_rows() -> Iterator[PaperRow]:
    """Yield the factor of eqs. 22 to 24."""
    note = "the mean of a reciprocal (erratum W7); times 3 it exceeds 1: the effective sample exceeds the data (W8)"
    yield row_maker("Eqs. 22 to 24", decimals=4)("factor", 0.3688, effective_factor(3), note=note)


def interval_rows() -> Iterator[PaperRow]:
    """Yield the 36 ends of Table 2, in per cent."""
    make = row_maker("Table 2", decimals=2)
    for (task, metric), printed in TABLE_2.items():
        laws = (posterior(held, METRICS[metric]) for held in _pair(task))
        ends = [100 * end for law in laws for end in law.interval(0.95)]
        for place, end, ours in zip(("A, low", "A, high", "B, low", "B, high"), printed, ends, strict=True):
            note = "printed truncated, not rounded (erratum W9)" if (task, metric, place) in TRUNCATED else ""
            yield make(f"{task}, {metric} of {place}", end, ours, note=note)


def decision_rows() -> Iterator[PaperRow]:
    """Yield the nine P(H0) of Tables 3 to 5; the decision stands in the cell."""
    for (task, metric), printed in P_H0.items():
        found = bayes_test(*_pair(task), METRICS[metric])
        note = TINY if found.p_h0 < 1e-4 else DRAWN if abs(found.p_h0 - printed) > 0.0005 else ""
        make = row_maker(NUMBER[task], decimals=3, printed_se=share_error(found.p_h0, 1_000_000))
        yield make(f"{task}, P(H0) of {metric}: {found.decision}", printed, found.p_h0, note=note)


def simulation_rows(*, replicates: int = 500, seed: int = 0, **options: Any) -> Iterator[PaperRow]:
    """Yield section 2.4: how often the interval of F1 holds the truth, and its length, in four readings of the text.

    The first is what the text describes; the others are second looks at the same printed numbers.
    """
    make = row_maker("Section 2.4")
    for found in simulate_all(replicates=replicates, seed=seed, **options):
        yield from _simulated(make, found)


def _simulated(make: Any, found: Simulated) -> Iterator[PaperRow]:
    again = found.design != DESIGNS[0]
    paper = {
        "0.3688": (0.945, 0.0854, "(erratum W8): none of four readings gives it", ""),
        "1/6": (0.996, 0.117, "(erratum W8): the interval of 2015", "open (erratum W8): no reading gives it"),
        "1/3": (None, None, "factor='conservative'", ""),
    }
    for name, (coverage, length, note, length_note) in paper.items():
        held, long = found.coverage[name], found.length[name]
        cell, wide = f"{found.design}, factor {name}", 4 if name == "0.3688" else 3
        unexplained = coverage is not None
        why = ("our guess at another reading; " if again else "open " if unexplained else "") + note
        common = {"again": again, "unexplained": unexplained}
        yield make(f"{cell}, coverage", coverage, held, found.error(held), why, decimals=3, **common)
        yield make(f"{cell}, length", length, long, found.length_error[name], length_note, decimals=wide, **common)


# --- the figures -------------------------------------------------------------------------------------------------

FIGURES = {"figure-1": "CWS", "figure-2": "NER", "figure-3": "ORG"}


def curves(task: str, *, points: int = 201) -> list[dict[str, Any]]:
    """Return the densities of one figure: P, R, F1 of both models, each from its 0.001 to its 0.999 quantile."""
    return densities(_pair(task), points=points)


def densities(pair: Pair, *, points: int = 201) -> list[dict[str, Any]]:
    """Return the densities of P, R and F1 of two models, each from its 0.001 to its 0.999 quantile.

    "calibrated" is the paper's posterior (solid), "averaged" that of Wang et al. (2015), the mean of folds (dashed).
    """
    lines = []
    for short, metric in METRICS.items():
        for model, held in zip("AB", pair, strict=True):
            for kind, some in (("calibrated", held), ("averaged", held.with_factor(1 / len(held)))):
                law = posterior(some, metric)
                x = np.linspace(float(law.ppf(0.001)), float(law.isf(0.001)), points)
                lines.append(
                    {
                        "metric": short,
                        "model": model,
                        "tags": held.model,
                        "kind": kind,
                        "x": x.tolist(),
                        "pdf": law.pdf(x).tolist(),
                    }
                )
    return lines


def figures(folder: str | Path, *, form: str = "svg") -> list[Path]:
    """Draw Figures 1 to 3 as files (svg, png or pdf) into a folder and return them; needs matplotlib."""
    return [
        save_figure(
            Path(folder) / f"wang2019-{name}.{form}", (11, 3.4), partial(paint_densities, task=task, pair=_pair(task))
        )
        for name, task in FIGURES.items()
    ]


def paint_densities(figure: Any, task: str, pair: Pair) -> None:
    """Draw the densities of a task, a panel for each of P, R and F1."""
    colours = {"A": "#0072b2", "B": "#d55e00"}  # Okabe & Ito
    panels = dict(zip(METRICS, figure.subplots(1, len(METRICS)), strict=True))
    for line in densities(pair):
        style = "-" if line["kind"] == "calibrated" else "--"
        label = f"{line['tags']}, {line['kind']}"
        panels[line["metric"]].plot(line["x"], line["pdf"], style, color=colours[line["model"]], label=label)
    for metric, panel in panels.items():
        panel.set_title(f"{task}: {metric}")
        panel.set_xlabel(metric)
        panel.set_ylabel("posterior density")
        panel.locator_params(axis="x", nbins=4)
    figure.legend(*panels["P"].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)

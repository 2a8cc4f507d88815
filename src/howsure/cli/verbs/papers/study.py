"""study: each paper's tables recomputed, or a coverage study of one's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from howsure.cli.options import (
    SIDES,
    OneOf,
    given,
    level_option,
    output_options,
    plot_option,
    refuse,
    seed_option,
    undefined_option,
)
from howsure.cli.output import deliver, save_drawing, watched, wrote

PAPERS = {
    "lam2024": "Lam, Gopal & Qian: four F1 intervals",
    "takahashi2022": "Takahashi et al.: micro and macro F1",
    "wang2019": "Wang & Li: the Bayes test on 3×2 cross-validation",
    "jiang2020": "Jiang: F measures and sample sizes",
    "yuan2025": "Yuan & Jiang: joint intervals of nine measures",
}
CELLS = ("tp", "fp", "fn", "tn")
TYPED = (
    "four shares or counts tp,fp,fn,tn; rates prevalence=…,recall=…,precision=… (or specificity=…); a K×K matrix "
    "'a,b;c,d' of shares or counts, or a CSV file of one, rows as --rows says; fractions such as 8/30 are shares too"
)
FOR_METRICS = ("populations", "sizes", "methods", "checkpoint", "simulate", "figure")


@click.command(epilog="Papers: " + " · ".join(f"{name} ({text})" for name, text in PAPERS.items()))
@click.argument("what")
@click.option("--data", type=click.Path(exists=True, file_okay=False), help="Folder with the raw data of a paper.")
@click.option("--replicates", type=int, help="Simulated data sets per cell; default: enough to check, not to publish.")
@click.option(
    "--population",
    "populations",
    multiple=True,
    help="For a metric: true shares or counts tp,fp,fn,tn; or prevalence=…,recall=…,precision=… (or specificity=…); "
    "or a K×K matrix 'a,b;c,d' of them or a CSV file of one. Fractions (8/30) are taken. Repeat for several; a name "
    "may stand before ':'.",
)
@click.option(
    "--rows",
    type=OneOf(("truth", "prediction")),
    default="truth",
    show_default=True,
    help="What the rows of a matrix in --population are.",
)
@click.option("--n", "sizes", multiple=True, type=int, help="For a metric: number of rows; repeat for several.")
@click.option("--method", "methods", multiple=True, help="For a metric: interval method; repeat for several.")
@level_option
@click.option("--side", type=OneOf(SIDES), default="both", show_default=True, help="One-sided bounds.")
@undefined_option
@click.option("--simulate", is_flag=True, help="Simulate also where exact enumeration is feasible.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Processes to spread over.")
@click.option("--checkpoint", type=click.Path(file_okay=False), help="Folder that keeps finished parts: resume there.")
@seed_option
@click.option("--figures", type=click.Path(file_okay=False), help="Folder to draw the figures into.")
@plot_option
@output_options
def study(what: str, **options: Any) -> None:
    """Recompute the tables of a paper (WHAT is its name), or study the intervals of a metric (WHAT is a metric)."""
    if what in PAPERS:
        _paper(what, options)
    else:
        _metric(what, options)


def _paper(name: str, options: dict[str, Any]) -> None:
    from howsure.reports.grids import paper_grid
    from howsure.reports.writing import written
    from howsure.studies.papers.rows import paper_figures, paper_rows

    refuse(options, FOR_METRICS, f"the paper {name}; they belong to the study of a metric")
    data = None if options["data"] is None else Path(options["data"])
    rows = paper_rows(name, data=data, replicates=options["replicates"], seed=options["seed"], jobs=options["jobs"])
    if options["figures"] is not None:
        for path in paper_figures(name, Path(options["figures"])):
            wrote(path)
    grid, form = paper_grid(PAPERS[name], rows), options["format_"]
    text = written(replace(grid, caption="") if form == "text" else grid, form)
    deliver(f"{grid.caption}\n\n{text}" if form == "text" else text, options["output"])


def _metric(metric: str, options: dict[str, Any]) -> None:
    from howsure.errors import InputError
    from howsure.studies.study import study as make_study
    from howsure.tables.population import SHAPES

    _check_name(metric)
    refuse(options, ("data",), "the study of a metric")
    try:
        made = make_study(
            metric, list(options["methods"]) or None, _populations(options["populations"], options["rows"]),
            n=list(options["sizes"]) or [25, 50, 100], level=options["level"], side=options["side"],
            undefined=options["undefined"], exact=False if options["simulate"] else None, seed=options["seed"],
            jobs=options["jobs"], checkpoint=options["checkpoint"],
            progress="bar" if watched(options["quiet"]) else None, **given(options, ("replicates",)),
        )  # fmt: skip
    except InputError as error:
        raise InputError(error.marked.replace(SHAPES, f"give {TYPED}")) from None
    if options["figures"] is not None:
        folder = Path(options["figures"])
        folder.mkdir(parents=True, exist_ok=True)
        save_drawing(made.plot(), str(folder / "coverage.svg"))
    if options["figure"] is not None:
        save_drawing(made.plot(), options["figure"])
    deliver(made.write(options["format_"]), options["output"])


def _check_name(metric: str) -> None:
    """Refuse what is neither a metric nor a paper, with the nearest of both."""
    from howsure.errors import MetricError, nearest
    from howsure.metrics.names import named

    try:
        named(metric)
    except MetricError as error:
        paper = nearest(metric, PAPERS)
        raise MetricError(f"{error.marked}{paper} Papers: {', '.join(PAPERS)}") from None


def _populations(texts: tuple[str, ...], rows: str) -> Any:
    from howsure.errors import InputError, arg

    if not texts:
        raise InputError(f"{arg('population')} is missing; give {TYPED}. Or name a paper: {', '.join(PAPERS)}")
    named = [_named(text, at) for at, text in enumerate(texts, 1)]
    if len(named) == 1 and named[0][0] is None:
        return _population(named[0][1], rows)
    return {name or str(at): _population(text, rows) for at, (name, text) in enumerate(named, 1)}


def _named(text: str, at: int) -> tuple[str | None, str]:
    """Return the name of a population, if one stands before a colon, and what follows it."""
    name, colon, rest = text.partition(":")
    return (name, rest) if colon and not Path(text).is_file() else (None, text)


def _population(text: str, rows: str) -> Any:
    """Return the shares of four cells, of rates, of a matrix, or of a file of one."""
    import numpy as np

    from howsure.errors import InputError, number_of
    from howsure.sources.files.matrix_files import matrix_cells
    from howsure.tables.population import population_of
    from howsure.tables.table import positive_of

    if Path(text).is_file():
        cells, labels = matrix_cells(text, rows=rows)
        made = population_of(cells if rows == "truth" else np.transpose(cells))
        return made if labels is None else replace(made, labels=tuple(labels), positive=positive_of(labels))
    try:
        if "=" in text:
            pairs = (part.split("=", 1) for part in text.split(","))
            return {name.strip(): number_of(value) for name, value in pairs}
        if ";" in text:
            cells = [[number_of(part) for part in line.split(",")] for line in text.split(";")]
            return cells if rows == "truth" else np.transpose(cells)
        return dict(zip(CELLS, map(number_of, text.split(",")), strict=True))
    except ValueError:
        raise InputError.of("population", text, f"it must be {TYPED}") from None

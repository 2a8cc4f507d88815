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
    one_metric,
    output_options,
    plot_option,
    refuse,
    seed_option,
    together,
    undefined_option,
)
from howsure.cli.output import deliver, draw_result, save_drawing, say, watched, wrote
from howsure.errors.messages import cli as messages

PAPERS = {
    "lam2024": "Lam, Gopal & Qian: four F1 intervals",
    "takahashi2022": "Takahashi et al.: micro and macro F1",
    "wang2019": "Wang & Li: the Bayes test on 3×2 cross-validation",
    "jiang2020": "Jiang: F measures and sample sizes",
    "yuan2025": "Yuan & Jiang: joint intervals of nine measures",
}
CELLS = ("tp", "fp", "fn", "tn")
TYPED = messages.FOUR_SHARES_OR_COUNTS_TP_FP()
FOR_METRICS = ("populations", "sizes", "methods", "simulate", "figure")
CORPUS = ("schemes", "types", "pos_column", "word_column", "tag_column", "iterations")


corpus_options = together(
    click.option(
        "--scheme", "schemes", multiple=True,
        help="For a corpus: a tag set to compare; give two, A first. Default: IOB2 and IOBES. "
        "The file's own is found by itself.",
    ),
    click.option(
        "--type", "types", multiple=True,
        help="For a corpus: also chunks of this type alone, as the paper does with ORG; repeat for several.",
    ),
    click.option("--word-column", type=int, help="For a corpus: column of words, from 0; the first unless given."),
    click.option("--pos-column", type=int, help="For a corpus: column of parts of speech; without it, words alone."),
    click.option("--tag-column", type=int, help="For a corpus: column of gold tags; the last unless given."),
    click.option("--iterations", type=click.IntRange(min=1), help="For a corpus: most steps of training; 50 usually."),
)  # fmt: skip


@click.command(epilog="Papers: " + " · ".join(f"{name} ({text})" for name, text in PAPERS.items()))
@click.argument("what", callback=one_metric)
@click.option(
    "--data",
    help="Of yuan2025 a folder with abalone.csv and letter.csv, or 'openml' to fetch them: its rules are trained anew. "
    "Of wang2019 a CoNLL file of your own: its chunking experiment on that corpus.",
)
@click.option("--splits", type=click.IntRange(min=1), help="For --data of yuan2025: random splits; 10 unless given.")
@corpus_options
@click.option("--replicates", type=int, help="Simulated data sets per cell; default: enough to check, not to publish.")
@click.option(
    "--population",
    "populations",
    multiple=True,
    help="For a metric: true shares or counts tp,fp,fn,tn; or prevalence=…,recall=…,precision=… (or specificity=…); "
    "or a K×K matrix 'a,b;c,d' of them or a CSV file of one. Fractions (8/30) are taken. For a metric of scores: "
    "auc=…,prevalence=…[,shape=…,spread=…,hidden=…,levels=…,mirrored=true], or slope=…,intercept=…; with "
    "per_group=…,icc=…,weights=… for groups and weights. Repeat for several; a name may stand before ':'.",
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
@click.option(
    "--figure-format",
    "form",
    type=OneOf(("svg", "png", "pdf")),
    default="svg",
    show_default=True,
    help="Form of the figures in that folder.",
)
@plot_option
@output_options
def study(what: Any, **options: Any) -> None:
    """Recompute the tables of a paper (WHAT is its name), or study the intervals of a metric (WHAT is a metric)."""
    if isinstance(what, str) and what in PAPERS:
        _paper(what, options)
    else:
        _metric(what, options)


def _paper(name: str, options: dict[str, Any]) -> None:
    from howsure.reports.grids import paper_grid
    from howsure.studies.papers.rows import has_figures, paper_figures, paper_rows, takes

    refuse(options, FOR_METRICS, messages.PAPER_THEY_BELONG_TO_STUDY(name=name))
    shared = {"jobs": options["jobs"], "checkpoint": options["checkpoint"]}
    shared["progress"] = "bar" if watched(options["quiet"]) else None
    if name == "wang2019" and options["data"] is not None:
        refuse(options, ("replicates", "splits"), messages.WITH_A_CORPUS())
        _corpus(options, shared)
        return
    refuse(options, CORPUS, messages.STUDY_WITHOUT_CORPUS())
    if not takes(name, "data"):
        refuse(options, ("data", "splits"), messages.PAPER_NEEDS_NO_DATA(name=name))
    if options["splits"] is not None and options["data"] is None:
        raise click.UsageError(messages.SPLITS_GOES_WITH_DATA())
    wanted = {name: options[name] for name in ("data", "replicates", "seed", "splits")}
    rows = paper_rows(name, **wanted, **shared)
    if options["figures"] is not None and not has_figures(name):
        say(f"note: {PAPERS[name].partition(':')[0]} have no figures; nothing was drawn", err=True)
    elif options["figures"] is not None:
        for path in paper_figures(name, Path(options["figures"]), form=options["form"]):
            wrote(path)
    _deliver(paper_grid(PAPERS[name], rows), options)


def _corpus(options: dict[str, Any], shared: dict[str, Any]) -> None:
    """Run the chunking experiment on a corpus of the reader's."""
    from howsure.cli.data import on_disk
    from howsure.reports.grids import paper_grid
    from howsure.studies.papers.wang2019_corpus import corpus_figures, corpus_rows, experiment, read_corpus

    columns = {"word": options["word_column"], "pos": options["pos_column"], "tag": options["tag_column"]}
    with on_disk(options["data"], ".conll") as path:
        corpus = read_corpus(path, **{name: column for name, column in columns.items() if column is not None})
    asked = {"schemes": options["schemes"] or None, "types": options["types"], "iterations": options["iterations"]}
    found = experiment(
        corpus, seed=options["seed"], **{key: value for key, value in asked.items() if value is not None}, **shared
    )
    if options["figures"] is not None:
        for figure in corpus_figures(found, Path(options["figures"]), form=options["form"]):
            wrote(figure)
    title = f"Wang & Li's chunking experiment on {Path(options['data']).name}: {corpus.words}"
    _deliver(paper_grid(title, corpus_rows(found, level=options["level"])), options)


def _deliver(grid: Any, options: dict[str, Any]) -> None:
    from howsure.reports.writing import written

    form = options["format_"]
    text = written(replace(grid, caption="") if form == "text" else grid, form)
    deliver(f"{grid.caption}\n\n{text}" if form == "text" else text, options["output"])


def _metric(metric: Any, options: dict[str, Any]) -> None:
    from howsure.errors import InputError
    from howsure.errors.messages.studies import SCORE_POPULATIONS
    from howsure.studies.study import study as make_study
    from howsure.tables.population import SHAPES

    _check_name(metric)
    refuse(options, ("data", "splits", *CORPUS), messages.STUDY_OF_METRIC())
    try:
        made = make_study(
            metric, list(options["methods"]) or None, _populations(options["populations"], options["rows"]),
            n=list(options["sizes"]) or [25, 50, 100], level=options["level"], side=options["side"],
            undefined=options["undefined"], exact=False if options["simulate"] else None, seed=options["seed"],
            jobs=options["jobs"], checkpoint=options["checkpoint"],
            progress="bar" if watched(options["quiet"]) else None, **given(options, ("replicates",)),
        )  # fmt: skip
    except InputError as error:
        said = error.marked
        for shapes in (SHAPES, SCORE_POPULATIONS()):
            said = said.replace(shapes, f"give {TYPED}")
        raise InputError(said) from None
    if options["figures"] is not None:
        folder = Path(options["figures"])
        folder.mkdir(parents=True, exist_ok=True)
        save_drawing(made.plot(), str(folder / f"coverage.{options['form']}"))
    draw_result(made, options)
    deliver(made.write(options["format_"]), options["output"])


def _check_name(metric: Any) -> None:
    """Refuse what is neither a metric nor a paper, with the nearest of both."""
    from howsure.errors import MetricError, nearest
    from howsure.metrics.names import named

    try:
        named(metric)
    except MetricError as error:
        paper = nearest(str(metric), PAPERS)
        raise MetricError(
            messages.UNKNOWN_METRIC_OR_PAPER(marked=error.marked, paper=paper, papers=", ".join(PAPERS))
        ) from None


def _populations(texts: tuple[str, ...], rows: str) -> Any:
    from howsure.errors import InputError

    if not texts:
        raise InputError(messages.POPULATION_IS_MISSING(typed=TYPED, papers=", ".join(PAPERS)))
    named = [_named(text, at) for at, text in enumerate(texts, 1)]
    if len(named) == 1 and named[0][0] is None:
        return _population(named[0][1], rows)
    return {name or str(at): _population(text, rows) for at, (name, text) in enumerate(named, 1)}


def _named(text: str, at: int) -> tuple[str | None, str]:
    """Return the name of a population, if one stands before a colon, and what follows it."""
    name, colon, rest = text.partition(":")
    return (name, rest) if colon and not Path(text).is_file() else (None, text)


def _field(name: str, text: str) -> Any:
    """Return what stands after a name: a number, but for the few that are words."""
    from howsure.errors import number_of

    if name == "mirrored":
        return {"true": True, "false": False}[text.lower()]
    return text if name == "shape" else number_of(text)


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
            return {name.strip(): _field(name.strip(), value.strip()) for name, value in pairs}
        if ";" in text:
            cells = [[number_of(part) for part in line.split(",")] for line in text.split(";")]
            return cells if rows == "truth" else np.transpose(cells)
        return dict(zip(CELLS, map(number_of, text.split(",")), strict=True))
    except (ValueError, KeyError):
        raise InputError.of("population", text, messages.POPULATION_AS_TYPED(typed=TYPED)) from None

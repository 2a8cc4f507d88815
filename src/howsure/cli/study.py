"""study: each paper's tables recomputed, or a coverage study of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from howsure.cli.options import output_options
from howsure.cli.output import deliver, draw, say, watched

PAPERS = {
    "lam2024": "Lam, Gopal & Qian: four F1 intervals",
    "takahashi2022": "Takahashi et al.: micro and macro F1",
    "wang2019": "Wang & Li: the Bayes test on 3×2 cross-validation",
    "jiang2020": "Jiang: F measures and sample sizes",
    "yuan2025": "Yuan & Jiang: joint intervals of nine measures",
}


@click.command(epilog="Papers: " + " · ".join(f"{name} ({text})" for name, text in PAPERS.items()))
@click.argument("what")
@click.option("--data", type=click.Path(exists=True, file_okay=False), help="Folder with the raw data of a paper.")
@click.option("--replicates", type=int, help="Simulated data sets per cell; default: enough to check, not to publish.")
@click.option("--population", help="For a metric: true shares tp,fp,fn,tn, separated by commas.")
@click.option("--n", "sizes", multiple=True, type=int, help="For a metric: number of rows; repeat for several.")
@click.option("--method", "methods", multiple=True, help="For a metric: interval method; repeat for several.")
@click.option("--level", type=float, default=0.95, show_default=True)
@click.option("--jobs", type=int, default=1, show_default=True, help="Processes to spread over.")
@click.option("--checkpoint", type=click.Path(file_okay=False), help="Folder that keeps finished parts: resume there.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--figures", type=click.Path(file_okay=False), help="Folder to draw the figures into.")
@output_options
def study(what: str, **options: Any) -> None:
    """Recompute the tables of a paper (WHAT is its name), or study the intervals of a metric (WHAT is a metric)."""
    if what in PAPERS:
        _paper(what, options)
    else:
        _metric(what, options)


def _paper(name: str, options: dict[str, Any]) -> None:
    from howsure.reports.papers import paper_figures, paper_rows, paper_text

    data = None if options["data"] is None else Path(options["data"])
    rows = paper_rows(name, data=data, replicates=options["replicates"], seed=options["seed"])
    if options["figures"] is not None:
        for path in paper_figures(name, Path(options["figures"])):
            say(f"drew {path}", err=True)
    form = options["format_"]
    deliver(paper_text(name, PAPERS[name], rows, form), options["output"])


def _metric(metric: str, options: dict[str, Any]) -> None:
    from howsure.errors import InputError
    from howsure.naming import named
    from howsure.reports.plain_tables import coverage_grid
    from howsure.study import study as make_study

    named(metric)
    if options["population"] is None:
        raise InputError(
            f"population is missing; give --population tp,fp,fn,tn as shares, or a paper: {', '.join(PAPERS)}"
        )
    try:
        shares = dict(zip(("tp", "fp", "fn", "tn"), map(float, options["population"].split(",")), strict=True))
    except ValueError:
        raise InputError(f"population is {options['population']!r}; it must be four numbers tp,fp,fn,tn") from None
    made = make_study(
        metric, list(options["methods"]) or None, shares, n=list(options["sizes"]) or [25, 50, 100],
        level=options["level"], seed=options["seed"], jobs=options["jobs"], checkpoint=options["checkpoint"],
        progress="bar" if watched(options["quiet"]) else None,
        **({} if options["replicates"] is None else {"replicates": options["replicates"]}),
    )  # fmt: skip
    if options["figures"] is not None:
        folder = Path(options["figures"])
        folder.mkdir(parents=True, exist_ok=True)
        draw(made.plot(), str(folder / "coverage.svg"))
    form = options["format_"]
    deliver(str(made) if form == "text" else coverage_grid(made).written(form), options["output"])

"""metrics and methods: the catalogues, printed."""

from __future__ import annotations

import click

from howsure.cli.options import output_options
from howsure.cli.output import deliver

ALSO = (
    "Also: f<beta> (f3), tversky(a,b), ppv_at(prevalence), npv_at(prevalence); averages macro_ micro_ weighted_ "
    "samples_ of any class metric;\none class as f1[cat]; some classes as micro_f1[A,B] or micro_f1[without O]; any of "
    "them where 2% of rows are positive as\nf1@prevalence=0.02. Of scores also: partial_auc[fpr<=0.1], "
    "recall@specificity>=0.9, precision@recall>=0.8, top3_accuracy;\nany metric of labels at a threshold as f1@0.5, at "
    "its best one as f1@best, of the surest rows as accuracy@coverage=0.8;\noptions as ece[bins=10] and "
    "log_loss[clip=1e-6]."
)


@click.command()
@output_options
def metrics(format_: str, output: str | None, quiet: bool, verbose: bool) -> None:
    """List every metric: name, aliases, formula, range."""
    from howsure.metrics.catalogue import CATALOGUE
    from howsure.metrics.names import OF_SCORES
    from howsure.reports.grids import record_grid
    from howsure.reports.writing import written
    from howsure.results.words import brief

    rows = [
        {
            "name": entry.name,
            "aliases": ", ".join(entry.aliases),
            "formula": entry.text,
            "range": f"{brief(entry.range[0])} … {brief(entry.range[1])}",
            "better": entry.better or "",
            "of": "scores" if entry.scoring is not None else "labels",
        }
        for entry in (*CATALOGUE, *OF_SCORES)
    ]
    text = written(record_grid(rows, "" if format_ == "text" else f"{len(rows)} metrics.", "metrics"), format_)
    deliver(f"{text}\n{ALSO}" if format_ == "text" and not quiet else text, output)


@click.command()
@output_options
def methods(format_: str, output: str | None, quiet: bool, verbose: bool) -> None:
    """List every interval method: what it does, its citation, when not to use it."""
    from howsure.estimates.catalogue import METHODS
    from howsure.reports.grids import record_grid
    from howsure.reports.writing import written

    rows = [
        {
            "name": entry.name,
            "aliases": ", ".join(entry.aliases),
            "kind": entry.meaning,
            "what": entry.text,
            "avoid when": entry.avoid,
            "citation": entry.citation,
        }
        for entry in METHODS
    ]
    if format_ != "text":
        deliver(written(record_grid(rows, f"{len(rows)} interval methods.", "methods"), format_), output)
        return
    deliver("\n".join(_entry(row, quiet=quiet) for row in rows), output)


def _entry(row: dict[str, str], *, quiet: bool) -> str:
    also = f" ({row['aliases']})" if row["aliases"] else ""
    head = f"{row['name']}{also} · {row['kind']}"
    more = f"\n  {row['what']}\n  avoid: {row['avoid when']}\n  source: {row['citation']}\n"
    return head if quiet else head + more

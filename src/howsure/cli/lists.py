"""metrics and methods: the catalogues, printed."""

from __future__ import annotations

import json

import click

from howsure.cli.options import FORMATS
from howsure.reports.spreadsheet import as_csv

form_option = click.option("--format", "format_", type=click.Choice(FORMATS[:4]), default="text", show_default=True)


@click.command()
@form_option
def metrics(format_: str) -> None:
    """List every metric: name, aliases, formula, range."""
    from howsure.metrics import CATALOGUE

    rows = [
        {
            "name": entry.name,
            "aliases": ", ".join(entry.aliases),
            "formula": entry.text,
            "range": f"{entry.range[0]:g} … {entry.range[1]:g}".replace("inf", "∞"),
            "better": entry.better or "",
        }
        for entry in CATALOGUE
    ]
    click.echo(_listed(rows, format_))
    if format_ == "text":
        click.echo(
            "\nAlso: f<beta> (f3), tversky(a,b), ppv_at(prevalence), npv_at(prevalence); averages macro_ micro_ weighted_ "
            "samples_ of any class metric;\none class as f1[cat]; some classes as micro_f1[A,B] or micro_f1[without O]."
        )


@click.command()
@form_option
def methods(format_: str) -> None:
    """List every interval method: what it does, its citation, when not to use it."""
    from howsure.intervals import METHODS

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
        click.echo(_listed(rows, format_))
        return
    for row in rows:
        also = f" ({row['aliases']})" if row["aliases"] else ""
        click.echo(
            f"{row['name']}{also} · {row['kind']}\n  {row['what']}\n  avoid: {row['avoid when']}\n  source: {row['citation']}\n"
        )


def _listed(rows: list[dict[str, str]], form: str) -> str:
    if form == "json":
        return json.dumps(rows, indent=2, ensure_ascii=False)
    if form == "csv":
        return as_csv(rows)
    names = list(rows[0])
    if form == "md":
        lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
        return "\n".join(
            lines + ["| " + " | ".join(row[name].replace("|", "\\|") for name in names) + " |" for row in rows]
        )
    widths = [max(len(name), *(len(row[name]) for row in rows)) for name in names]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in [names, *([row[name] for name in names] for row in rows)]
    )

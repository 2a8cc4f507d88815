"""compare and gate: differences and verdicts."""

from __future__ import annotations

import json
from typing import Any

import click

from howsure.cli.data import read_table
from howsure.cli.options import data_options, output_options, statistics_options
from howsure.cli.output import deliver
from howsure.reports.spreadsheet import as_csv

ADJUST = ("joint", "holm", "none")


@click.command()
@click.argument("files", nargs=-1, required=True)
@data_options
@click.option("-m", "--metric", default="accuracy", show_default=True, help="Metric to compare.")
@click.option("--baseline", help="Compare every model with this one. Default: all pairs, or the first of two.")
@click.option(
    "--adjust", type=click.Choice(ADJUST), default="joint", show_default=True, help="Control over all comparisons."
)
@click.option("--margin", type=float, help="Margin of non-inferiority or equivalence.")
@click.option("--rope", type=float, help="Region of practical equivalence: plus or minus this.")
@click.option(
    "--alternative", type=click.Choice(("two-sided", "greater", "less")), default="two-sided", show_default=True
)
@statistics_options
@output_options
def compare(files: tuple[str, ...], metric: str, baseline: str | None, adjust: str, **options: Any) -> None:
    """Compare the models in FILES on the same rows; the first is the baseline."""
    from howsure.compare import compare as compare_two
    from howsure.many import compare_all

    table = read_table(files, options, quiet=options["quiet"])
    shared = {"level": options["level"], "method": options["method"], "undefined": options["undefined"]}
    if len(table.models) == 2:
        a = baseline or table.models[0]
        b = next(name for name in table.models if name != a)
        wanted = {name: options[name] for name in ("margin", "rope", "alternative")}
        made: Any = compare_two(table, metric, a=a, b=b, **wanted, **shared)
        rows = [made.to_dict()]
    else:
        made = compare_all(table, metric, baseline=baseline, adjust=adjust, **shared)
        rows = made.to_dicts()
    deliver(_comparison_as(made, rows, options["format_"]), options["output"])


def _comparison_as(made: Any, rows: list[dict[str, Any]], form: str) -> str:
    if form == "json":
        return str(made.to_json(indent=2))
    if form == "csv":
        return as_csv(rows)
    from howsure.reports.comparisons import comparisons_html, comparisons_latex, comparisons_markdown, comparisons_text

    writers = {
        "text": comparisons_text,
        "md": comparisons_markdown,
        "latex": comparisons_latex,
        "html": comparisons_html,
    }
    return writers[form](made)


@click.command()
@click.argument("files", nargs=-1, required=True)
@data_options
@click.option("-m", "--metric", required=True, help="Metric to judge.")
@click.option("--at-least", type=float, help="Pass when the lower bound reaches this.")
@click.option("--at-most", type=float, help="Pass when the upper bound stays below this.")
@click.option("--baseline", help="Judge against this model instead of a threshold.")
@click.option(
    "--margin", type=float, default=0.0, show_default=True, help="How much worse than the baseline is allowed."
)
@click.option("--model", help="The model to judge, when there are several.")
@statistics_options
@output_options
@click.pass_context
def gate(ctx: click.Context, /, files: tuple[str, ...], metric: str, **options: Any) -> None:
    """Judge a model: exit 0 pass, 1 fail, 3 inconclusive, 2 usage or data error."""
    from howsure.gate import gate as judge

    table = read_table(files, options, quiet=options["quiet"])
    made = judge(
        table, metric, at_least=options["at_least"], at_most=options["at_most"], baseline=options["baseline"],
        margin=options["margin"], model=options["model"], level=options["level"], method=options["method"],
        undefined=options["undefined"],
    )  # fmt: skip
    form = options["format_"]
    text = (
        made.to_json(indent=2)
        if form == "json"
        else as_csv([json.loads(made.to_json())])
        if form == "csv"
        else str(made)
    )
    deliver(text, options["output"])
    ctx.exit(made.exit_code)

"""compare and gate: differences and verdicts."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.data import read_table
from howsure.cli.options import chosen_method, data_options, output_options, plot_option, statistics_options
from howsure.cli.output import coloured, deliver, draw
from howsure.reports.spreadsheet import as_csv

ADJUST = ("joint", "holm", "none")


@click.command()
@click.argument("files", nargs=-1, required=True)
@data_options
@click.option("-m", "--metric", default="accuracy", show_default=True, help="Metric to compare.")
@click.option("--baseline", help="Compare every model with this one. Default: all pairs, or the first of two.")
@click.option(
    "--adjust", type=click.Choice(ADJUST), help="Control over all comparisons of three or more models: joint (default)."
)
@click.option("--margin", type=float, help="Margin of non-inferiority or equivalence.")
@click.option("--rope", type=float, help="Region of practical equivalence: plus or minus this.")
@click.option(
    "--alternative", type=click.Choice(("two-sided", "greater", "less")), help="For two models: two-sided (default)."
)
@plot_option
@statistics_options
@output_options
def compare(files: tuple[str, ...], metric: str, baseline: str | None, **options: Any) -> None:
    """Compare the models in FILES on the same rows; the first is the baseline."""
    from howsure.compare import compare as compare_two
    from howsure.many import compare_all

    table = read_table(files, options, quiet=options["quiet"])
    method = chosen_method(options["method"], options["seed"])
    shared = {"level": options["level"], "method": method, "undefined": options["undefined"]}
    if len(table.models) == 2:
        _refuse(options, ("adjust",), "two models")
        a = baseline or table.models[0]
        b = next(name for name in table.models if name != a)
        made: Any = compare_two(table, metric, a=a, b=b, **_given(options, ("margin", "rope", "alternative")), **shared)
        rows = [made.to_dict()]
    else:
        _refuse(options, ("margin", "rope", "alternative"), f"{len(table.models)} models; name two with --pred")
        made = compare_all(table, metric, baseline=baseline, **_given(options, ("adjust",)), **shared)
        rows = made.to_dicts()
    if options["figure"] is not None:
        draw(made.plot(), options["figure"])
    deliver(_comparison_as(made, rows, options["format_"]), options["output"])


def _given(options: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: options[name] for name in names if options[name] is not None}


def _refuse(options: dict[str, Any], names: tuple[str, ...], question: str) -> None:
    """Refuse an option that the question has no use for, rather than ignore it."""
    for name in _given(options, names):
        raise click.UsageError(f"--{name} does not go with {question}")


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
@plot_option
@statistics_options
@output_options
@click.pass_context
def gate(ctx: click.Context, /, files: tuple[str, ...], metric: str, **options: Any) -> None:
    """Judge a model: exit 0 pass, 1 fail, 3 inconclusive, 2 usage or data error."""
    from howsure.gate import gate as judge

    table = read_table(files, options, quiet=options["quiet"])
    made = judge(
        table, metric, at_least=options["at_least"], at_most=options["at_most"], baseline=options["baseline"],
        margin=options["margin"], model=options["model"], level=options["level"],
        method=chosen_method(options["method"], options["seed"]), undefined=options["undefined"],
    )  # fmt: skip
    if options["figure"] is not None:
        draw(made.plot(), options["figure"])
    deliver(_gate_as(made, options), options["output"])
    ctx.exit(made.exit_code)


def _gate_as(made: Any, options: dict[str, Any]) -> str:
    form = options["format_"]
    if form == "json":
        return str(made.to_json(indent=2))
    if form != "text":
        from howsure.reports.plain_tables import gate_grid

        return gate_grid(made).written(form)
    said = repr(made) if options["quiet"] else str(made)
    colour = {"pass": "green", "fail": "red", "inconclusive": "yellow"}[made.verdict]
    return said if options["output"] else coloured(made.verdict, colour) + said.removeprefix(made.verdict)

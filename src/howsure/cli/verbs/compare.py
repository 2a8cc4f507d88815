"""compare and gate: differences and verdicts."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.data import labels_of, on_disk, read_table, right_of_all
from howsure.cli.options import (
    OneOf,
    chosen_method,
    data_options,
    given,
    one_metric,
    output_options,
    plot_option,
    refuse,
    statistics_options,
    together,
)
from howsure.cli.output import deliver, deliver_result, draw_result, in_form, say
from howsure.errors.messages import cli as messages

ADJUST = ("joint", "holm", "none")
TWO = ("margin", "rope", "alternative", "ratio")
MANY = ("adjust", "versus")
COLUMNS = ("truth", "predictions", "scores", "values", "model_column", "unit", "sums", "separator", "group", "weight")
TEXT = (".csv", ".tsv", ".txt")  # files that may hold counts typed by hand

question_options = together(
    click.option(
        "-m", "--metric", callback=one_metric,
        help="Metric to compare, or package:metric. Default: accuracy; mean of values, F1 or the ratio of sums.",
    ),
    click.option("--baseline", help="Compare every model with this one. Default: all pairs, or the first of two."),
    click.option(
        "--versus", type=OneOf(("pairs", "baseline", "best")),
        help="For three or more models: every two, all with the baseline, or each with the best of the others.",
    ),
    click.option(
        "--adjust", type=OneOf(ADJUST), help="Control over all comparisons of three or more models: joint (default)."
    ),
    click.option("--margin", type=float, help="Margin of equivalence (TOST), with --alternative of non-inferiority."),
    click.option("--rope", type=float, help="Region of practical equivalence: plus or minus this."),
    click.option(
        "--alternative", type=OneOf(("two-sided", "greater", "less")), help="For two models: two-sided (default)."
    ),
    click.option(
        "--anytime", is_flag=True,
        help="Limits and p-values that hold at every look at a growing test set: stop when it is settled.",
    ),
    click.option("--ratio", is_flag=True, help="For two models: the ratio b / a instead of the difference b − a."),
    click.option("--single", help="Interval method of one model whose limits the method 'mover' joins."),
    click.option(
        "--unpaired", is_flag=True,
        help="FILES are two test sets of different rows: matrices (with --rows), or counts tp, fp, fn (and tn).",
    ),
    click.option("--rows", type=OneOf(("truth", "prediction")), help="With --unpaired: what the rows of a matrix are."),
    click.option("--by", help="Compare the values of this column (subgroups) instead of the models."),
    click.option("--model", help="With --by: the model, when there are several."),
)  # fmt: skip


@click.command()
@click.argument("files", nargs=-1, required=True)
@data_options
@question_options
@click.option("--pairs", is_flag=True, help="Show every pair, also where there are many.")
@click.option("--html", type=click.Path(dir_okay=False), help="Also write a self-contained page to this file.")
@plot_option
@statistics_options
@output_options
def compare(files: tuple[str, ...], by: str | None, **options: Any) -> None:
    """Compare the models in FILES on the same rows; the first is the baseline.

    With --by COLUMN compare the subgroups of one model instead; with --unpaired two test sets that share no rows:
    two files, or right answers of all answers, such as 85/100 91/100.
    """
    if options["unpaired"]:
        refuse(options | {"by": by}, ("by", *MANY, "baseline", "html", "anytime"), messages.WITH_UNPAIRED())
        made = _apart(files, options)
    elif by is not None:
        refuse(options, ("anytime",), messages.BY_COMPARES_MODELS())
        refuse(options, ("rows",), messages.BY_IS_NOT_UNPAIRED())
        refuse(options, ("html",), messages.BY_HAS_ITS_PAGE_IN_REPORT())
        made = _slices(files, by, options)
    else:
        if all(right_of_all(file) is not None for file in files):
            raise click.UsageError(messages.RIGHT_ANSWERS_ARE_UNPAIRED(files=" ".join(files)))
        refuse(options, ("model", "rows"), messages.COMPARISON_OF_MODELS())
        table = read_table(files, options, quiet=options["quiet"])
        made = _models(table, options)
        if options["html"] is not None:
            _page(table, options)
    how = {"verbose": options["verbose"]} | ({"pairs": options["pairs"]} if hasattr(made, "ranking") else {})
    deliver_result(made, options, **how)


def _page(table: Any, options: dict[str, Any]) -> None:
    """Write the page that leads with the metric compared, the usual ones of the table after it."""
    from howsure.estimates.estimate import default_metrics, report
    from howsure.metrics.names import named
    from howsure.reports.page.page import table_page

    first = named(options["metric"] or table.contents.leading)
    others = [one for one in default_metrics(table) if one.canonical != first.canonical]
    shared = given(options, ("level", "undefined", "anytime"))
    made = report(table, [first, *others], **shared)
    deliver(table_page(table, made), options["html"])


def _models(table: Any, options: dict[str, Any]) -> Any:
    from howsure.comparisons.compare import compare as compare_two
    from howsure.comparisons.compare_all import compare_all

    metric, baseline = options["metric"] or table.contents.leading, options["baseline"]
    shared = given(options, ("level", "undefined", "single", "anytime")) | {"method": chosen_method(options)}
    if len(table.models) == 2:
        refuse(options, MANY, messages.OF_TWO_MODELS())
        a = table.models[table.model_index(baseline)] if baseline else table.models[0]
        b = next(name for name in table.models if name != a)
        kind = "ratio" if options["ratio"] else "difference"
        asked = given(options, ("margin", "rope", "alternative"))
        return compare_two(table, metric, a=a, b=b, kind=kind, **asked, **shared)
    refuse(options, TWO, messages.MODELS_NAME_TWO_WITH_PRED(number=len(table.models)))
    return compare_all(table, metric, baseline=baseline, **given(options, MANY), **shared)


def _apart(files: tuple[str, ...], options: dict[str, Any]) -> Any:
    from pathlib import Path

    from howsure.comparisons.across import compare_tables

    if len(files) != 2:
        raise click.UsageError(messages.UNPAIRED_COMPARES_TWO_FILES_SECOND_LESS(number=len(files)))
    totals = [one for file in files if (one := right_of_all(file)) is not None]
    names: tuple[str, str] | None = ("A", "B")
    if len(totals) == len(files):
        metric, (first, second) = "accuracy", _totals(totals, options)
    else:
        first, second = (_one_table(file, options) for file in files)
        metric = options["metric"] or first.contents.leading
        stems = (Path(files[0]).stem, Path(files[1]).stem)
        called = stems if stems[0] != stems[1] else files
        names = None if first.model != second.model else (called[0], called[1])
    asked = given(options, ("margin", "rope", "alternative", "level", "undefined", "single", "model"))
    asked |= {"kind": "ratio" if options["ratio"] else "difference", "method": chosen_method(options)}
    return compare_tables(first, second, metric, names=names, **asked)


def _totals(sides: list[tuple[int, int]], options: dict[str, Any]) -> list[Any]:
    """Return the tables of right answers: 85/100 and 91/100."""
    from howsure.sources.kinds.counts import counts

    refuse(options, ("truth", "predictions", "rows", "model"), messages.OF_RIGHT_ANSWERS())
    if options["metric"] not in (None, "accuracy"):
        raise click.UsageError(messages.METRIC_CANNOT_BE_HAD_OF_RIGHT(options=options["metric"]))
    return [counts(tp=right, fp=0, fn=total - right, tn=0) for right, total in sides]


def _one_table(file: str, options: dict[str, Any]) -> Any:
    """Return the table of one test set: counts, a matrix where --rows says so, else rows with a truth or values."""
    from howsure.cli.verbs.counts import read_counts
    from howsure.sources.files.matrix_files import read_matrix

    if given(options, COLUMNS):
        refuse(options, ("rows",), messages.NAMED_COLUMNS_BELONGS_TO_MATRIX())
        return read_table((file,), options, quiet=options["quiet"])
    with on_disk(file) as path:
        if options["rows"] is not None:
            return read_matrix(path, rows=options["rows"], labels=labels_of(options), pos_label=options["pos_label"])
        found = read_counts(path) if path.lower().endswith(TEXT) else []
        if not found:
            return _guessed(file, path, options)
        if len(found) > 1:
            raise click.UsageError(messages.HOLDS_ROWS_OF_COUNTS(file=file, number=len(found)))
        return found[0]


def _guessed(file: str, path: str, options: dict[str, Any]) -> Any:
    """Return the table of a file whose columns say what they are; else say that it may be a matrix."""
    from howsure.errors import InputError

    try:
        return read_table((path,), options, quiet=options["quiet"])
    except InputError as error:
        raise InputError(messages.NO_FILE_OF_COUNTS(marked=error.marked, file=file)) from None


def _slices(files: tuple[str, ...], by: str, options: dict[str, Any]) -> Any:
    from howsure.cli.verbs.slices import read_all_slices

    refuse(options, (*TWO, "versus", "strata", "shares", "pool"), messages.WITH_BY())
    parts = read_all_slices(files, by, options)
    asked = given(options, ("model", "baseline", "adjust", "level", "single", "undefined"))
    return parts.compare(options["metric"] or parts.total.contents.leading, method=chosen_method(options), **asked)


@click.command()
@click.argument("files", nargs=-1, required=True)
@data_options
@click.option("-m", "--metric", required=True, callback=one_metric, help="Metric to judge; your own as package:metric.")
@click.option("--at-least", type=float, help="Pass when the lower bound reaches this.")
@click.option("--at-most", type=float, help="Pass when the upper bound stays below this.")
@click.option("--baseline", help="Judge against this model instead of a threshold.")
@click.option(
    "--margin", type=float, default=0.0, show_default=True, help="How much worse than the baseline is allowed."
)
@click.option("--model", help="The model to judge, when there are several.")
@click.option("--anytime", is_flag=True, help="Bounds that hold at every look at a growing test set.")
@click.option(
    "--history",
    type=click.Path(dir_okay=False),
    help="Keep each verdict in this file of JSON lines, and compare with the last release, paired by --id.",
)
@click.option("--release", help="With --history: name this run a release, which later runs are compared with.")
@plot_option
@statistics_options
@output_options
@click.pass_context
def gate(ctx: click.Context, /, files: tuple[str, ...], metric: str, **options: Any) -> None:
    """Judge a model: exit 0 pass, 1 fail, 3 inconclusive, 2 usage or data error."""
    from howsure.comparisons.gate import gate as judge

    table = read_table(files, options | {"metric": metric}, quiet=options["quiet"])
    made = judge(
        table, metric, at_least=options["at_least"], at_most=options["at_most"], baseline=options["baseline"],
        margin=options["margin"], model=options["model"], level=options["level"],
        method=chosen_method(options), undefined=options["undefined"], anytime=options["anytime"],
    )  # fmt: skip
    draw_result(made, options)
    colour = {"pass": "green", "fail": "red", "inconclusive": "yellow"}[made.verdict]
    shown = colour if options["format_"] == "text" else None
    deliver(_gate_as(made, options), options["output"], colour=shown)
    if options["history"] is not None:
        from howsure.cli.history import remember

        for line in remember(files, made, metric, options):
            say(line, err=True)
    elif options["release"] is not None:
        raise click.UsageError(messages.RELEASE_NAMES_RUN_IN_HISTORY())
    ctx.exit(made.exit_code)


def _gate_as(made: Any, options: dict[str, Any]) -> str:
    if options["format_"] != "text":
        return in_form(made, options["format_"])
    text = in_form(made, "text", quiet=options["quiet"], verbose=options["verbose"])
    return text if options["quiet"] else f"{text}\nExit code {made.exit_code}."

"""posterior: the distribution of a metric given the data, with credible intervals and its curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from howsure.cli.data import on_disk, read_table
from howsure.cli.options import (
    OneOf,
    data_options,
    level_option,
    one_metric,
    output_options,
    plot_option,
    refuse,
    seed_option,
)
from howsure.cli.output import deliver, save_drawing
from howsure.cli.verbs.papers.bayes import (
    averaged_laws,
    averaged_option,
    factor_options,
    folds_in,
    weighing_of,
    where_option,
)
from howsure.errors.messages import cli as messages

if TYPE_CHECKING:
    from howsure.tables.table import Table

CELLS = ("tp", "fp", "fn", "tn")


@click.command()
@click.argument("files", nargs=-1)
@click.option("--tp", type=float, help="True positives, instead of FILES.")
@click.option("--fp", type=float, help="False positives.")
@click.option("--fn", type=float, help="False negatives.")
@click.option("--tn", type=float, help="True negatives, for metrics that need them.")
@click.option("--folds", is_flag=True, help="FILES is one file of cross-validation counts, as for 'howsure bayes'.")
@where_option
@factor_options
@averaged_option
@click.option("-m", "--metric", default="f1", show_default=True, callback=one_metric, help="Metric.")
@click.option("--prior", type=float, help="Prior mass per cell. Default: 1 for shares (as the paper), else 2/K².")
@click.option("--kind", type=OneOf(("equal", "hdi")), default="equal", show_default=True, help="Credible interval.")
@click.option("--draws", type=int, default=100_000, show_default=True, help="Draws, where there is no closed form.")
@level_option
@seed_option
@plot_option
@data_options
@output_options
def posterior(files: tuple[str, ...], metric: Any, **options: Any) -> None:
    """Give the posterior of a metric for every model: mean, mode, standard deviation, credible interval.

    The data are FILES of predictions, or four counts. --plot draws the curves of all models over one another.
    """
    from howsure.cli.own_metric import name_of
    from howsure.estimates.posterior import posterior as law_of
    from howsure.reports.figures.densities import plot_posteriors
    from howsure.reports.grids import posteriors_grid
    from howsure.reports.writing import written

    shared = {"prior": options["prior"], "draws": options["draws"], "seed": options["seed"]}
    asked = options | {"metric": metric}
    held = _held(files, asked)
    laws: Any = {name: law_of(data, metric, model=model, **shared) for name, data, model in held}
    level, kind = options["level"], options["kind"]
    if options["figure"] is not None:
        dashed = averaged_laws({name: data for name, data, _ in held}, metric, options["prior"])
        more = {"dashed": dashed if options["averaged"] else {}}
        save_drawing(plot_posteriors(laws, metric=name_of(metric), level=level, kind=kind, **more), options["figure"])
    elif options["averaged"]:
        raise click.UsageError(messages.AVERAGED_GOES_WITH_PLOT())
    grid = posteriors_grid(laws, level=level, kind=kind, metric=name_of(metric))
    deliver(written(grid, options["format_"]), options["output"])


def _held(files: tuple[str, ...], options: dict[str, Any]) -> list[tuple[str, Any, str | None]]:
    """Return what each posterior is of: a name, a table and its model, or the folds of a model."""
    if options["folds"]:
        if len(files) != 1:
            raise click.UsageError(messages.FOLDS_NEEDS_ONE_FILE_WITH_COLUMNS())
        with on_disk(files[0]) as path:
            return [(name, one, None) for name, one in folds_in(path, options, weighing_of(options)).items()]
    refuse(options, ("where", "factor", "correlations", "averaged"), messages.PREDICTIONS_OR_COUNTS())
    table = _table(files, options)
    return [(model, table, model) for model in table.models]


def _table(files: tuple[str, ...], options: dict[str, Any]) -> Table:
    from howsure.sources.kinds.counts import counts

    cells = {name: options[name] for name in CELLS}
    if files:
        refuse(options, CELLS, messages.WITH_FILES())
        return read_table(files, options, quiet=options["quiet"])
    if any(cells[name] is None for name in CELLS[:3]):
        raise click.UsageError(messages.GIVE_FILES_OF_PREDICTIONS_OR_COUNTS())
    return counts(**cells)

"""critical: the value that makes several intervals hold together."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.data import on_disk
from howsure.cli.options import SIDES, OneOf, level_option, output_options, seed_option
from howsure.cli.output import deliver
from howsure.errors.messages import cli as messages


@click.command()
@click.argument("file", required=False)
@click.option("--size", type=click.IntRange(min=1), help="Number of estimates, instead of FILE.")
@click.option("--correlation", type=float, default=0.0, show_default=True, help="With --size: the same for every two.")
@level_option
@click.option("--side", type=OneOf(SIDES), default="both", show_default=True, help="One-sided bounds.")
@click.option("--accuracy", type=float, help="Error to stay below.")
@seed_option
@output_options
def critical(file: str | None, **options: Any) -> None:
    """Give q with P(max |Z| < q) = level for correlated estimates: intervals of ± q standard errors hold together.

    FILE is a CSV file with the correlation matrix; or give --size and --correlation.
    """
    from howsure.numerics.critical import critical_value
    from howsure.reports.grids import critical_grid
    from howsure.reports.writing import written

    asked = {name: options[name] for name in ("level", "side", "accuracy", "seed")}
    found = critical_value(_matrix(file, options), **asked)
    grid = critical_grid(found, options["level"], options["side"])
    deliver(written(grid, options["format_"]), options["output"])


def _matrix(file: str | None, options: dict[str, Any]) -> Any:
    import numpy as np

    from howsure.errors import InputError

    if (file is None) == (options["size"] is None):
        raise click.UsageError(messages.GIVE_CSV_FILE_WITH_CORRELATION_MATRIX())
    if file is None:
        return np.where(np.eye(options["size"], dtype=bool), 1.0, options["correlation"])
    with on_disk(file) as path:
        try:
            return np.atleast_2d(np.loadtxt(path, delimiter=",", encoding="utf-8-sig"))
        except ValueError as error:
            raise InputError(messages.NO_MATRIX_OF_NUMBERS_SEPARATED(file=file, error=error)) from None

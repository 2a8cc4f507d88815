"""counts: metrics with intervals from four counts, or from a file with many of them."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.data import on_disk, right_of_all, shown_as
from howsure.cli.options import refuse
from howsure.cli.output import deliver_result
from howsure.cli.verbs.report import deliver_report, matrix_option, report_of, report_options
from howsure.errors.messages import cli as messages

if TYPE_CHECKING:
    from howsure.tables.table import Table

CELLS = ("tp", "fp", "fn", "tn")


@click.command(epilog="--method all shows every method that serves a metric, side by side.")
@click.argument("given", nargs=-1, metavar="[TP FP FN [TN] | FILE]")
@click.option("--tp", type=float, help="True positives.")
@click.option("--fp", type=float, help="False positives.")
@click.option("--fn", type=float, help="False negatives.")
@click.option("--tn", type=float, help="True negatives; F1, precision and recall need none.")
@click.option("--n", "number", type=float, help="Number of rows, where the four are shares.")
@click.option(
    "--unit", help="Column of units (image, document): the counts of FILE are those of units of one test set."
)
@click.option("--group", help="With --unit: column of what units belong together.")
@matrix_option
@report_options
def counts(given: tuple[str, ...], number: float | None, unit: str | None, group: str | None, **options: Any) -> None:
    """Report metrics with intervals from three or four counts: howsure counts 77 44 10 702.

    Right answers of all answers will do for accuracy: howsure counts 185/200.

    FILE, instead of counts, is a CSV file with the columns tp, fp, fn (and tn): a report for each of its rows, named by
    its other columns ("-" reads standard input; a file whose name is a number is ./77). With --unit its rows are units
    of one test set, also of several models (yolo_tp, detr_tp).
    """
    from howsure.sources.kinds.counts import counts as typed

    cells = {name: options.pop(name) for name in CELLS}
    file = _place(given, cells)
    if file is not None and (right := right_of_all(file)) is not None:
        cells.update(zip(CELLS, (right[0], 0, right[1] - right[0], 0), strict=True))
        file, options["metrics"] = None, options["metrics"] or ("accuracy",)
    if unit is not None:
        if file is None or number is not None:
            raise click.UsageError(messages.UNIT_NAMES_COLUMN_OF_FILE())
        deliver_report(_units(file, unit, group, options["quiet"]), options)
        return
    if group is not None:
        raise click.UsageError(messages.GROUP_GOES_WITH_UNIT())
    if file is not None:
        if any(value is not None for value in cells.values()):
            raise click.UsageError(messages.FILE_DOES_NOT_GO_WITH_TP())
        if number is not None:
            raise click.UsageError(messages.N_GOES_WITH_TP_FP_FN())
        _many(file, options)
        return
    missing = [f"--{name}" for name in CELLS[:3] if cells[name] is None]
    if missing:
        raise click.UsageError(messages.MISSING_GIVE_TP_FP_AND_FN(missing=", ".join(missing)))
    deliver_report(typed(**cells, n=number), options)


def _place(given: tuple[str, ...], cells: dict[str, float | None]) -> str | None:
    """Put bare numbers into the cells, in the order tp, fp, fn, tn; return the file if one is named instead."""
    try:
        numbers = [float(text.replace(",", "")) for text in given]
    except ValueError:
        if len(given) > 1:
            raise click.UsageError(messages.NEITHER_THREE_OR_FOUR_COUNTS(given=" ".join(given))) from None
        return given[0]
    if not numbers:
        return None
    if any(value is not None for value in cells.values()):
        raise click.UsageError(messages.BARE_COUNTS_DO_NOT_GO())
    if len(numbers) not in (3, 4):
        raise click.UsageError(messages.COUNTS_ARE_GIVEN(number=len(numbers)))
    cells.update(zip(CELLS, numbers, strict=False))
    return None


def _units(file: str, unit: str, group: str | None, quiet: bool) -> Table:
    """Return the table of counts per unit, of one model or several."""
    from howsure.sources.files.request import ReadRequest
    from howsure.sources.read import read
    from howsure.sources.rows.columns import columns_in
    from howsure.sources.rows.doors import systems_of

    with on_disk(file) as path:
        held = columns_in(path, ReadRequest())
        upper = any(column.endswith("TP") for column in held) and not any(column.endswith("tp") for column in held)
        cells = [name.upper() if upper else name for name in CELLS]
        first = [columns[0] for columns in systems_of(cells[:3], held).values()]
        counted = all(column[:-2] + cells[3] in held for column in first)  # true negatives too
        return read(path, unit=unit, sums=cells if counted else cells[:3], group=group)


def _many(file: str, options: dict[str, Any]) -> None:
    from howsure.results.class_counts import ClassCounts
    from howsure.results.estimate import Report

    refuse(options, ("joint", "html", "plot_matrix", "pairs"), messages.FILE_OF_COUNTS())
    reports = [report_of(table, options) for table in _read(file)]
    rows = tuple(row for made in reports for row in made.rows)
    cells = tuple(row for report in reports if report.classes is not None for row in report.classes)
    made = Report(rows, options["level"], classes=ClassCounts(cells))
    deliver_result(made, options, **shown_as(options))


def _read(file: str) -> list[Table]:
    """Return a table for each row of a file of counts."""
    from howsure.errors import InputError

    with on_disk(file) as path:
        found = read_counts(path, name=file)
        held = ", ".join(map(repr, _lines(path)[0])) or messages.NO_ROW()
    if not found:
        raise InputError(messages.FILE_OF_COUNTS_NEEDS_COLUMNS_TP(file=file, held=held))
    return found


def _lines(path: str) -> tuple[list[str], list[dict[str, str]]]:
    """Return the header of a CSV file and its rows by column, stripped."""
    from howsure.errors import InputError

    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            header = [name.strip() for name in next(csv.reader(stream), [])]
            if not {*CELLS[:3]} <= {name.lower() for name in header}:
                return header, []  # no counts, and perhaps a large file
            reader = csv.DictReader(stream, fieldnames=header, restval="")
            return header, [{str(name): str(value).strip() for name, value in line.items()} for line in reader]
    except (csv.Error, UnicodeDecodeError) as error:
        raise InputError(messages.CANNOT_BE_READ_AS_COUNTS(path=path, error=error)) from None


def read_counts(path: str, *, name: str | None = None) -> list[Table]:
    """Return a table for each row of a file with the columns tp, fp and fn; none where it has no such columns."""
    from howsure.errors import InputError
    from howsure.sources.kinds.counts import counts as typed

    header, lines = _lines(path)
    columns = {column.lower(): column for column in header}
    if any(cell not in columns for cell in CELLS[:3]):
        return []
    found = []
    for place, line in enumerate(lines, 2):
        called = " ".join(value for column, value in line.items() if column.lower() not in CELLS and value)
        try:
            cells = {cell: float(line[columns[cell]]) for cell in CELLS if cell in columns and line[columns[cell]]}
            found.append(typed(**cells, model=called or f"row {place - 1}"))
        except (TypeError, ValueError) as error:
            raise InputError(
                messages.LINE_EVERY_ROW_NEEDS_COUNTS_TP(name=name or path, place=place, error=error)
            ) from None
    return found

"""Columns of labels with gaps, every row of them: what annotators said, rows that nobody labelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from howsure.errors import InputError
from howsure.errors.messages.sources import rows as messages
from howsure.metrics.metric import Label
from howsure.sources.files.request import ReadRequest
from howsure.sources.files.text_labels import decoder, fitting_labels, label_remarks
from howsure.sources.kinds.labels import table
from howsure.sources.kinds.ratings import is_blank
from howsure.sources.rows.asked import RowsAsked, named_columns
from howsure.sources.rows.columns import RowColumns, read_columns
from howsure.tables.table import Table


def read_with_gaps(
    source: Any, request: ReadRequest, columns: Mapping[str, str], extra: Mapping[str, str] | None = None,
    numbers: Mapping[str, str] | None = None,
) -> RowColumns:  # fmt: skip
    """Return columns of labels, in which an empty cell is None, and further ones and numbers without gaps.

    ``columns``, ``extra`` and ``numbers`` map a column to the argument that names it. Labels of a text file are numbers
    where all of them, in all these columns, are.
    """
    made = read_columns(source, request, numbers or {}, {**columns, **(extra or {})}, optional=columns)
    cells = {column: [None if is_blank(cell) else cell for cell in made.names[column]] for column in columns}
    found = [cell for held in cells.values() for cell in held if cell is not None]
    if found and all(isinstance(cell, str) for cell in found):
        decode = decoder(set(found), request.labels)
        cells = {column: [None if cell is None else decode(cell) for cell in held] for column, held in cells.items()}
    made.names |= cells
    made.notes += label_remarks(sorted({cell for held in cells.values() for cell in held if isinstance(cell, str)}))
    return made


def read_ratings(
    source: Any, columns: Sequence[str], *, group: str | None = None, **asked: Any
) -> tuple[dict[str, list[Any]], list[Any] | None, list[str]]:
    """Return the ratings of each annotator in a file or frame, the groups of items, and notes."""
    request = ReadRequest(group=group, **asked)
    made = read_with_gaps(source, request, dict.fromkeys(columns, "annotators"), request.naming("group"))
    return {column: made.names[column] for column in columns}, made.names.get(group or ""), made.notes


def read_annotated(
    source: Any, request: ReadRequest, asked: RowsAsked, truths: Sequence[str], **how: Any
) -> Table:  # fmt: skip
    """Return the table of models against what several annotators said, each a column of a file or frame."""
    others = {"scores": request.score_columns, "judge": request.judge, "id": request.id, "abstain": request.abstain}
    for name, value in others.items():
        if value is not None:
            raise InputError(messages.BESIDE_SEVERAL_ANNOTATORS(name=name, value=value))
    if asked.any:
        raise InputError(messages.TRUTH_NAMES_SEVERAL_ANNOTATORS_AND_ROWS())
    given = request.predictions
    if given is None:
        raise InputError(messages.PREDICTIONS_IS_MISSING())
    models = named_columns(given)
    wanted = dict.fromkeys(truths, "truth") | dict.fromkeys(models.values(), "predictions")
    columns = read_with_gaps(source, request, wanted, request.naming("group"), request.naming("weight"))
    cells = [cell for column in wanted for cell in columns.names[column]]
    made = table(
        {column: columns.names[column] for column in truths},
        {name: columns.names[column] for name, column in models.items()},
        labels=fitting_labels(request.labels, cells), pos_label=_fitting(request.pos_label, cells),
        sample_weight=columns.numbers.get(request.weight or ""), groups=columns.names.get(request.group or ""), **how,
    )  # fmt: skip
    made = made if request.group is None else made.grouped_by(request.group)
    return replace(made, notes=(*made.notes, *columns.notes))


def _fitting(pos_label: Label | None, cells: Sequence[Any]) -> Label | None:
    found = None if pos_label is None else fitting_labels([pos_label], cells)
    return None if found is None else found[0]

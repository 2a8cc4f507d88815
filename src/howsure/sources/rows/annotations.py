"""Columns of labels with gaps, every row of them: what annotators said, rows that nobody labelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from howsure.sources.files.request import ReadRequest
from howsure.sources.files.text_labels import decoder, label_remarks
from howsure.sources.kinds.ratings import is_blank
from howsure.sources.rows.columns import RowColumns, read_columns


def read_with_gaps(
    source: Any, request: ReadRequest, columns: Mapping[str, str], extra: Mapping[str, str] | None = None
) -> RowColumns:
    """Return columns of labels, in which an empty cell is None, and further columns that need a value in every row.

    ``columns`` and ``extra`` map a column to the argument that names it. Labels of a text file are numbers where all of
    them, in all these columns, are.
    """
    made = read_columns(source, request, {}, {**columns, **(extra or {})}, optional=columns)
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
    extra = {} if group is None else {group: "group"}
    made = read_with_gaps(source, request, dict.fromkeys(columns, "annotators"), extra)
    return {column: made.names[column] for column in columns}, made.names.get(group or ""), made.notes

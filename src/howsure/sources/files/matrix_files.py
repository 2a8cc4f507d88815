"""Files of counts rather than rows: a confusion matrix, or the counts of each fold of a cross-validation."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import NamedTuple

from howsure.errors import InputError, nearest, number_of, quoted
from howsure.errors.messages.sources import files as messages
from howsure.metrics.metric import Label
from howsure.sources.files.formats import check_files, files_of
from howsure.sources.files.guess_columns import plain_name
from howsure.sources.files.text_labels import decoder
from howsure.sources.files.text_records import DELIMITERS, fields_of, opened
from howsure.sources.kinds.counts import check_rows, matrix
from howsure.tables.table import Table

_MEANS = {
    "truth": ("true", "truth", "actual", "gold", "reference", "target", "observed", "obs"),
    "prediction": ("predicted", "prediction", "pred", "predictions", "output"),
}
_FOLDS = {
    "model": ("model", "classifier", "algorithm", "learner", "system", "method"),
    "repeat": ("repeat", "replication", "rep", "repetition", "run", "i"),
    "fold": ("fold", "split", "half", "j", "k"),
    "tp": ("tp", "true_positive", "true_positives", "hits"),
    "fp": ("fp", "false_positive", "false_positives"),
    "fn": ("fn", "false_negative", "false_negatives", "misses"),
    "tn": ("tn", "true_negative", "true_negatives"),
    "gold": ("gold", "actual", "support", "positives", "condition_positive"),
    "predicted": ("predicted", "predicted_positive", "predictions", "flagged"),
}
_COUNTS = ("tp", "fp", "fn", "tn", "gold", "predicted")


class FoldCounts(NamedTuple):
    """The counts of one model in one fold of one repeat."""

    model: str
    repeat: int
    fold: int
    tp: float
    fp: float
    fn: float
    tn: float | None = None


def _cells(source: str | PathLike[str]) -> tuple[str, list[list[str]]]:
    """Return a file's name and its fields, line by line, blank lines left out."""
    name = files_of(source)[0]
    check_files([name])
    with opened(name) as file:
        lines = [line for line in file if line.strip()]
    if not lines:
        raise InputError(messages.HOLDS_NOTHING_BUT_BLANKS(name=name))
    try:
        best = max(DELIMITERS + " ", key=lambda mark: min(len(fields_of(line, mark)) for line in lines[:3]))
        rows = [[field.strip() for field in row] for row in csv.reader(lines, delimiter=best) if row]
    except csv.Error as error:
        raise InputError(messages.NO_TABLE_OF_COUNTS(name=name, error=error)) from None
    return repr(fspath(name)), rows


def read_matrix(
    source: str | PathLike[str],
    *,
    rows: str,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    model: str = "model",
    n: float | None = None,
) -> Table:
    """Read a confusion matrix from a CSV file, with or without labels in its first line and first column.

    ``rows`` says whether the rows are the "truth" or the "prediction"; a file that names its own axes otherwise is
    refused. Shares in place of counts need ``n``, the number of rows. Labels such as true_cat and pred_cat lose what
    stands before the class.
    """
    numbers, found = matrix_cells(source, rows=rows)
    names = found if labels is None else labels
    return matrix(numbers, rows=rows, labels=names, pos_label=pos_label, model=model, n=n)


def matrix_cells(source: str | PathLike[str], *, rows: str) -> tuple[list[list[float]], list[Label] | None]:
    """Read the cells of a confusion matrix as they stand in a CSV file, and its labels if it has any."""
    check_rows(rows)
    name, cells = _cells(source)
    header, named = _labelled(name, cells)
    body = cells[1:] if header else cells
    counts = [row[1:] if named else row for row in body]
    for place, row in enumerate(counts, start=1 + header):
        if len(row) != len(body) or not all(map(_is_number, row)):
            raise InputError(
                messages.ROW_NOT_COUNTS_ROWS_OF_CONFUSION(name=name, place=place, row=row, number=len(body))
            )
    found = _labels(name, cells[0] if header else None, [row[0] for row in body] if named else None, len(body), rows)
    return [[number_of(field) for field in row] for row in counts], found


def _labelled(name: str, cells: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """Return whether the first line and the first column hold labels: the shape tells, for labels may be numbers."""
    excess = len(cells) - len(cells[0])
    if abs(excess) > 1:
        raise InputError(messages.ROWS_OF_FIELDS(name=name, number=len(cells), number_of_cells=len(cells[0])))
    both = excess == 0 and not _is_number(cells[0][0])
    return both or excess == 1, both or excess == -1


def _is_number(text: str) -> bool:
    try:
        number_of(text)
    except ValueError:
        return False
    return "_" not in text  # Python reads 1_000 as a number; no table of counts means it


def _labels(name: str, top: list[str] | None, left: list[str] | None, size: int, rows: str) -> list[Label] | None:
    if top is not None:
        _check_axes(name, top[0] if len(top) > size else "", top[-size:], rows)
    above = None if top is None else [_bare(text) for text in top[-size:]]
    beside = None if left is None else [_bare(text) for text in left]
    if above is not None and beside is not None and above != beside:
        raise InputError(messages.LABELS_ON_TOP_AT_LEFT(name=name, above=quoted(above), beside=quoted(beside)))
    chosen = above or beside
    if chosen is None:
        return None
    if len(set(chosen)) < size and all(map(_is_number, chosen)):  # what the shape made labels are counts
        wide = (size, size + 1) if top is None else (size + 1, size)
        raise InputError(messages.ROWS_OF_NUMBERS(name=name, wide=wide[0], other_wide=wide[1]))
    read = decoder(chosen)
    return [read(text) for text in chosen]


def _axis(text: str) -> str | None:
    """Return which axis a word such as "predicted" or "true_cat" speaks of."""
    first = plain_name(text).split("_")[0]
    return next((axis for axis, words in _MEANS.items() if first in words), None)


def _bare(text: str) -> str:
    """Return a label without "true_" or "pred_" before it.

    >>> _bare("true_N1"), _bare("Predicted: cat"), _bare("truth")
    ('N1', 'cat', 'truth')
    """
    words = "|".join(word for some in _MEANS.values() for word in some)
    found = re.fullmatch(rf"(?:{words})[\s_.:=-]+(.+)", text, re.IGNORECASE)
    return found[1] if found else text


def _check_axes(name: str, corner: str, top: Sequence[str], rows: str) -> None:
    """Refuse a file whose corner or column names contradict ``rows``."""
    columns = {_axis(text) for text in top if _bare(text) != text}
    said = _axis(corner)
    opposite = {"truth": "prediction", "prediction": "truth"}
    if len(columns) == 1 and None not in columns:
        axis = columns.pop()
        assert axis is not None
        said = opposite[axis]
    if said is not None and said != rows:
        raise InputError(
            messages.ROWS_NAMES_ROWS(rows=rows, name=name, said=said, corner=corner, top=quoted(top, most=3))
        )


def read_fold_counts(source: str | PathLike[str], *, where: Mapping[str, str] | None = None) -> list[FoldCounts]:
    """Read counts per model, repeat and fold from a CSV file; ``where`` keeps the rows with given values in a column.

    Columns go by usual names (model or classifier, repeat or run, fold or split, tp, fp, fn, tn). Without fp and fn
    they follow from ``predicted`` and ``gold``; without model or repeat there is one. Models keep the order of the
    file: the first is the baseline.
    """
    name, (header, *body) = _cells(source)
    places = _places(header)
    kept = [row for row in body if _matches(name, header, row, where or {})]
    if not kept:
        raise InputError(messages.NO_ROW_OF_COUNTS(name=name, what=f" where {dict(where)}" if where else ""))
    found = [_fold(name, line, row, header, places) for line, row in enumerate(kept, start=2)]
    keys = [one[:3] for one in found]
    double = next((key for key in keys if keys.count(key) > 1), None)
    if double is not None:
        others = [column for column in header if header.index(column) not in places.values()]
        raise InputError(
            messages.MODEL_REPEAT_FOLD_MORE_THAN_ONCE(
                name=name, double=double[0], other_double=double[1], third_double=double[2], others=quoted(others)
            )
        )
    place = {model: at for at, model in enumerate(dict.fromkeys(one[0] for one in found))}
    return sorted(found, key=lambda one: (place[one[0]], *one[1:3]))


class NoCounts(InputError):
    """The file has no columns of counts per fold."""


def _places(header: Sequence[str]) -> dict[str, int]:
    plain = [plain_name(column) for column in header]
    found = {part: next((plain.index(name) for name in names if name in plain), None) for part, names in _FOLDS.items()}
    places = {part: place for part, place in found.items() if place is not None}
    derived = {"fp": "predicted", "fn": "gold"}
    lacking = [part for part in ("fold", "tp", "fp", "fn") if part not in places and derived.get(part) not in places]
    if lacking:
        raise NoCounts(
            messages.COLUMNS_ARE_NOT_IN_FILE(
                lacking=quoted(lacking), header=quoted(header), hint=nearest(lacking[0], plain)
            )
        )
    return places


def _matches(name: str, header: Sequence[str], row: Sequence[str], where: Mapping[str, str]) -> bool:
    unknown = [column for column in where if column not in header]
    if unknown:
        raise InputError(messages.WHERE_NAMES_COLUMN(unknown=unknown[0], name=name, header=quoted(header)))
    return all(row[header.index(column)] == str(value) for column, value in where.items())


def _fold(name: str, line: int, row: Sequence[str], header: Sequence[str], places: Mapping[str, int]) -> FoldCounts:
    if len(row) != len(header):
        raise InputError(
            messages.ROW_FIELDS_BUT_HEADER(name=name, line=line, number=len(row), number_of_header=len(header))
        )
    values = {part: _number(name, line, part, row[place]) for part, place in places.items() if part in _COUNTS}
    tp = values["tp"]
    fp = values.get("fp", values.get("predicted", 0.0) - tp)
    fn = values.get("fn", values.get("gold", 0.0) - tp)
    for part, sum_of, other in (("predicted", "fp", fp), ("gold", "fn", fn)):
        if (part in values and tp + other != values[part]) or other < 0:
            raise InputError(
                messages.ROW_BUT_TP(name=name, line=line, part=part, values=values[part], sum_of=sum_of, tp=tp + other)
            )
    model = row[places["model"]] if "model" in places else "model"
    repeat, fold = (_index(name, line, part, row, places) for part in ("repeat", "fold"))
    return FoldCounts(model, repeat, fold, tp, fp, fn, values.get("tn"))


def _number(name: str, line: int, part: str, text: str) -> float:
    value = float(text) if _is_number(text) else -1.0
    if not 0 <= value < float("inf"):
        raise InputError(messages.ROW_COUNT_MUST_BE_FINITE_NUMBER(name=name, line=line, part=part, text=text))
    return value


def _index(name: str, line: int, part: str, row: Sequence[str], places: Mapping[str, int]) -> int:
    if part not in places:
        return 1
    digits = "".join(character for character in row[places[part]] if character.isdecimal())
    if not 0 < len(digits) < 10:
        raise InputError(messages.CELL_IS_NO_NUMBER(name=name, line=line, part=part, row=row[places[part]]))
    return int(digits)

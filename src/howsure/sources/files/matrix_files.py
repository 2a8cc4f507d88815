"""Files of counts rather than rows: a confusion matrix, or the counts of each fold of a cross-validation."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import NamedTuple

from howsure.errors import InputError, arg, nearest, number_of, quoted, setting
from howsure.metrics.metric import Label
from howsure.sources.files.formats import check_files, files_of
from howsure.sources.files.guess_columns import plain_name
from howsure.sources.files.text_labels import decoder
from howsure.sources.files.text_records import DELIMITERS, fields_of, opened
from howsure.sources.kinds.counts import ROWS, matrix
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
        raise InputError(f"{name!r} holds nothing but blanks; give the counts, one row a line")
    try:
        best = max(DELIMITERS + " ", key=lambda mark: min(len(fields_of(line, mark)) for line in lines[:3]))
        rows = [[field.strip() for field in row] for row in csv.reader(lines, delimiter=best) if row]
    except csv.Error as error:
        raise InputError(f"{name!r} is no table of counts ({error}); give the counts, one row a line") from None
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
    if rows not in ROWS:
        raise InputError.of("rows", rows, "it must be 'truth' (as in scikit-learn) or 'prediction' (as in R's caret)")
    name, cells = _cells(source)
    header, named = _labelled(name, cells)
    body = cells[1:] if header else cells
    counts = [row[1:] if named else row for row in body]
    for place, row in enumerate(counts, start=1 + header):
        if len(row) != len(body) or not all(map(_is_number, row)):
            raise InputError(
                f"{name}, row {place}: {row} are not the {len(body)} counts that {len(body)} rows of a confusion "
                "matrix need; give K rows of K counts, labels in the first row and column if at all"
            )
    found = _labels(name, cells[0] if header else None, [row[0] for row in body] if named else None, len(body), rows)
    return [[number_of(field) for field in row] for row in counts], found


def _labelled(name: str, cells: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """Return whether the first line and the first column hold labels: the shape tells, for labels may be numbers."""
    excess = len(cells) - len(cells[0])
    if abs(excess) > 1:
        raise InputError(
            f"{name} has {len(cells)} rows of {len(cells[0])} fields; a confusion matrix is square, with labels in "
            "the first row and column if at all"
        )
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
        raise InputError(
            f"{name} has the labels {quoted(above)} on top but {quoted(beside)} at the left; both must be the same, "
            "in the same order"
        )
    chosen = above or beside
    if chosen is None:
        return None
    if len(set(chosen)) < size and all(map(_is_number, chosen)):  # what the shape made labels are counts
        wide = (size, size + 1) if top is None else (size + 1, size)
        raise InputError(
            f"{name} has {wide[0]} rows of {wide[1]} numbers; a confusion matrix is square: give K rows of K counts, "
            "with labels in the first row and column if at all"
        )
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
            f"{arg('rows')} is {rows!r}, but {name} names its rows {said!r} (its first line is {corner!r}, "
            f"{quoted(top, most=3)}); pass {setting('rows', said)}, or correct the file"
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
        raise InputError(f"{name} has no row of counts{f' where {dict(where)}' if where else ''}; check the file")
    found = [_fold(name, line, row, header, places) for line, row in enumerate(kept, start=2)]
    keys = [one[:3] for one in found]
    double = next((key for key in keys if keys.count(key) > 1), None)
    if double is not None:
        others = [column for column in header if header.index(column) not in places.values()]
        raise InputError(
            f"{name} has model {double[0]!r}, repeat {double[1]}, fold {double[2]} more than once; each must be there "
            f"once; choose among the rows with {setting('where')}, by one of {quoted(others)}"
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
            f"columns {quoted(lacking)} are not in the file; its columns are {quoted(header)}; counts per fold need "
            f"fold, tp, fp and fn.{nearest(lacking[0], plain)}"
        )
    return places


def _matches(name: str, header: Sequence[str], row: Sequence[str], where: Mapping[str, str]) -> bool:
    unknown = [column for column in where if column not in header]
    if unknown:
        raise InputError(
            f"{arg('where')} names the column {unknown[0]!r}, which {name} does not have; it has {quoted(header)}"
        )
    return all(row[header.index(column)] == str(value) for column, value in where.items())


def _fold(name: str, line: int, row: Sequence[str], header: Sequence[str], places: Mapping[str, int]) -> FoldCounts:
    if len(row) != len(header):
        raise InputError(f"{name}, row {line} has {len(row)} fields, but the header has {len(header)}; correct the row")
    values = {part: _number(name, line, part, row[place]) for part, place in places.items() if part in _COUNTS}
    tp = values["tp"]
    fp = values.get("fp", values.get("predicted", 0.0) - tp)
    fn = values.get("fn", values.get("gold", 0.0) - tp)
    for part, sum_of, other in (("predicted", "fp", fp), ("gold", "fn", fn)):
        if (part in values and tp + other != values[part]) or other < 0:
            raise InputError(
                f"{name}, row {line}: {part} is {values[part]:g}, but tp + {sum_of} is {tp + other:g}; correct the "
                "counts"
            )
    model = row[places["model"]] if "model" in places else "model"
    repeat, fold = (_index(name, line, part, row, places) for part in ("repeat", "fold"))
    return FoldCounts(model, repeat, fold, tp, fp, fn, values.get("tn"))


def _number(name: str, line: int, part: str, text: str) -> float:
    value = float(text) if _is_number(text) else -1.0
    if not 0 <= value < float("inf"):
        raise InputError(f"{name}, row {line}: {part} is {text!r}; a count must be a finite number, zero or larger")
    return value


def _index(name: str, line: int, part: str, row: Sequence[str], places: Mapping[str, int]) -> int:
    if part not in places:
        return 1
    digits = "".join(character for character in row[places[part]] if character.isdecimal())
    if not 0 < len(digits) < 10:
        raise InputError(f"{name}, row {line}: {part} is {row[places[part]]!r}; it must be a number")
    return int(digits)

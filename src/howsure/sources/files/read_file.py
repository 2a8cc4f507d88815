"""hs.read of tabular files: CSV, TSV, Parquet, Arrow and JSON of any size, counted without holding their rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from os import PathLike
from typing import Any

from howsure.errors import InputError
from howsure.errors.messages.sources import files as messages
from howsure.sources.arrays.bad_values import ABSENT, Fault, Faults, refuse_text_scores, score_among, status_of
from howsure.sources.files.count_rows import count_engine, repeats_of
from howsure.sources.files.distinct_rows import MOST_CELLS, MOST_PAIR_ROWS, Distinct, Roles, Rules, table_of, tables_of
from howsure.sources.files.duckdb_engine import Duck
from howsure.sources.files.formats import check_files, files_of, format_of
from howsure.sources.files.guess_columns import check_truth, repeat_remark, watched_columns
from howsure.sources.files.request import ReadRequest, TooManyLabels, guessed, roles_of, too_many
from howsure.sources.files.scans.delimited import scan_delimited
from howsure.sources.files.scans.scan import Scan
from howsure.sources.files.text_labels import Decode, decoder, fitting_labels, label_remarks, typed, unchanged
from howsure.tables.table import Table

__all__ = ["read_file", "read_file_slices"]


# A format is loaded with the first file that has it; the usual one, lines of text, at once.


def _scan_json(files: Sequence[str], kind: str, duck: Duck) -> Scan:
    from howsure.sources.files.scans.json_objects import scan_json

    return scan_json(files, kind, duck)


def _scan_parquet(files: Sequence[str], kind: str, duck: Duck) -> Scan:
    from howsure.sources.files.scans.parquet import scan_parquet

    return scan_parquet(files, kind, duck)


def _scan_arrow(files: Sequence[str], kind: str, duck: Duck) -> Scan:
    from howsure.sources.files.scans.arrow import scan_arrow

    return scan_arrow(files, kind, duck)


_SCANS: dict[str, Callable[[Sequence[str], str, Duck], Scan]] = {
    "csv": scan_delimited,
    "tsv": scan_delimited,
    "jsonl": _scan_json,
    "json": _scan_json,
    "parquet": _scan_parquet,
    "arrow": _scan_arrow,
}
_LOOKED_AT = 1_000_000
_SEARCHED = 100_000
"""Records among which the first bad one is sought for a note; a refusal ends the work, and seeks among all."""


def read_file(source: str | PathLike[str], request: ReadRequest) -> Table:
    """Count the distinct rows of a file, a glob, a directory or a URL.

    Columns that are not named are guessed from their names and values where that is obvious, and the table's notes
    say how. Rows that cannot be counted (a missing label, one of another type, a line with too few fields) are
    refused with the first line, or left out and noted. Memory stays bounded: joint rows of many models that would not
    fit are counted in pairs of models.
    """
    with request.start() as duck:
        scan = scan_of(source, request, duck)
        roles, remarks = columns_of(scan, request)
        if request.most_labels is not None:
            _check_labels(scan, roles, request.most_labels)
        found = _table(scan, roles, request)
        remarks += label_remarks([label for label in found.labels if label != request.abstain])
        remarks += repeat_remarks(scan, roles, request)
    return replace(found, notes=tuple(dict.fromkeys((*found.notes, *remarks))))


def read_file_slices(source: str | PathLike[str], request: ReadRequest) -> dict[Any, Table]:
    """Return one table per value of the column ``by``, all with the same labels, from one count."""
    with request.start() as duck:
        scan = scan_of(source, request, duck)
        roles, remarks = columns_of(scan, request)
        distinct = _count(scan, roles)
        if distinct is None:
            raise too_many(scan.name)
        return tables_of(*with_types(scan, roles, distinct, request.rules(scan.name)), notes=remarks)


def scan_of(source: str | PathLike[str], request: ReadRequest, duck: Duck) -> Scan:
    """Return the files that a name stands for, checked and ready to be counted."""
    files = files_of(source)
    duck.admit(files)
    return checked_scan(files, request, duck)


def checked_scan(files: Sequence[str], request: ReadRequest, duck: Duck) -> Scan:
    """Return files that the engine was told of, checked and ready to be counted."""
    kind = format_of(files, request.format)
    check_files(files)
    scan = _SCANS[kind](files, kind, duck)
    return scan.with_partitions() if request.partitions else scan


def columns_of(scan: Scan, request: ReadRequest) -> tuple[Roles, list[str]]:
    """Return which column plays which part, those not named guessed, and what was guessed."""
    remarks: list[str] = []
    if request.truth is None or request.predictions is None:
        taken = {request.group, request.weight, request.by, request.id, *request.columns()}
        free = [column for column in scan.columns if column not in taken]
        check_truth(request.truth, scan.columns)
        request, remarks = guessed(request, free, scan.sample(scan.columns))
    roles = roles_of(request, scan.columns, source=scan.name, files=scan.files)
    scan.check_types(roles.by_argument())
    return roles, remarks


def _check_labels(scan: Scan, roles: Roles, most: int) -> None:
    """Refuse a column of more distinct labels than that, before any row is counted."""
    for column in (roles.truth, *roles.predictions.values()):
        number = int(scan.rows(f"SELECT count(DISTINCT {scan.expression(column)}) FROM {scan.sql}")[0][0])
        if number > most:
            raise TooManyLabels(scan.name, column, number, most)


def _count(scan: Scan, roles: Roles) -> Distinct | None:
    _refuse_scores(scan, roles, (float, Decimal))
    return count_engine(scan, roles, most=MOST_CELLS // len(roles.parts()))


def _refuse_scores(scan: Scan, roles: Roles, kind: type | tuple[type, ...]) -> None:
    """Refuse a column of fractions, of numbers or spelt, and name the first; counted, each makes a row distinct."""
    columns = {roles.truth: roles.truth, **roles.predictions}
    sample = scan.sample(list(columns.values()))
    for name, column in columns.items():
        score = None if column == roles.truth else score_among(sample[column], sample[roles.truth])
        if score is not None and decoder(sample[roles.truth]) is unchanged:
            raise refuse_text_scores(score, name, scan.name)
        for value in sample[column]:
            if isinstance(value, kind):
                status_of(value, text=False, column=name, source=scan.name)


def with_types(scan: Scan, roles: Roles, distinct: Distinct, rules: Rules) -> tuple[Distinct, Rules]:
    """Return the rows with typed values, and rules that know how to find the first bad line."""
    decode: Decode = unchanged
    if not scan.typed:
        distinct, decode = typed(distinct, rules.labels)
        if decode is not unchanged and distinct.has_text():
            _refuse_scores(scan, roles, str)
    labels = fitting_labels(rules.labels, distinct.truth.values)
    most = None if rules.on_bad == "refuse" else _SEARCHED

    def where(name: str, is_bad: Callable[[Any], bool]) -> str:
        column = roles.predictions.get(name, name)
        return scan.first_bad(column, lambda value: is_bad(decode(value)), most)

    return distinct, replace(rules, labels=labels, where=where)


def _table(scan: Scan, roles: Roles, request: ReadRequest) -> Table:
    distinct = _count(scan, roles)
    if distinct is None:
        return _in_pairs(scan, roles, request)
    return table_of(*with_types(scan, roles, distinct, request.rules(scan.name)))


def _in_pairs(scan: Scan, roles: Roles, request: ReadRequest) -> Table:
    """Count every pair of models by itself: with few labels all pairs in one pass over the file, else some."""
    from howsure.sources.files.count_pairs import pair_counts, pair_cubes  # few files have so many distinct rows
    from howsure.tables.in_pairs import joined_pairs, model_pairs

    models = list(roles.predictions)
    if len(models) < 3 or roles.judges:
        raise too_many(scan.name)
    if request.abstain is not None:
        raise InputError(messages.ABSTAIN_IS_GIVEN_MUST_BE_COUNTED(scan=scan.name))
    rules = request.rules(scan.name)
    notes = _left_out(scan, roles, rules)
    pairs = model_pairs(models)
    counted = pair_cubes(scan, roles, pairs) or pair_counts(scan, roles, pairs, most=MOST_PAIR_ROWS)
    if counted is None:
        raise too_many(scan.name)
    strict = replace(rules, on_bad="refuse")
    tables = {pair: table_of(*with_types(scan, roles, distinct, strict)) for pair, distinct in counted.items()}
    return joined_pairs(tables, models, notes=notes)


def _left_out(scan: Scan, roles: Roles, rules: Rules) -> tuple[str, ...]:
    """Return a note on the rows with a missing value in any column, which no pair counts; refuse them unless asked."""
    from howsure.sources.files.count_pairs import unusable

    counts, lost, total = unusable(scan, roles)
    found = Faults(Fault(column, ABSENT, rows) for column, rows in counts.items())
    if lost and rules.on_bad == "refuse":
        raise found.refusal(scan.name, lost, total)
    return (found.note(lost, total),) if lost else ()


def repeat_remarks(scan: Scan, roles: Roles, request: ReadRequest) -> list[str]:
    """Return notes on columns that name rows or groups, repeat, and were not declared as group."""
    watched = watched_columns(scan.columns, {*roles.parts().values(), roles.weight}, request.id)
    if roles.group is not None or not watched:
        return []
    return [
        note
        for column, (filled, distinct) in zip(watched, repeats_of(scan, watched, rows=_LOOKED_AT), strict=True)
        for note in repeat_remark(column, distinct, filled, among="the first " if filled == _LOOKED_AT else "")
    ]

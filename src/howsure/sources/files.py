"""hs.read of tabular files: CSV, TSV, Parquet, Arrow and JSON of any size, counted without holding their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from howsure.metric import Label
from howsure.errors import InputError
from howsure.sources.distinct_rows import MOST_CELLS, Distinct, Rules, table_of, tables_of
from howsure.sources.duck import Duck, Progress
from howsure.sources.faults import Fault, Faults
from howsure.sources.formats import check_files, files_of, format_of
from howsure.sources.frames import Predictions, Roles, check_columns, roles_of, too_many
from howsure.sources.guesses import guess_columns, looks_like_group, looks_like_id
from howsure.sources.pairwise import joined_pairs, model_pairs
from howsure.sources.scans import Scan, sample_of, scan_files
from howsure.sources.tallies import count_engine, count_lines, first_bad, pair_counts, repeats_of, unusable
from howsure.sources.texts import Decode, label_remarks, typed, unchanged
from howsure.table import Table

_LOOKED_AT = 1_000_000


@dataclass(frozen=True, slots=True)
class Engine:
    """How much of the machine a count may use: memory such as '400MB', threads, and a hook for progress."""

    memory: str | None = None
    threads: int | None = None
    progress: Progress | None = None

    def start(self) -> Duck:
        """Return a connection with these limits."""
        return Duck(memory=self.memory, threads=self.threads, progress=self.progress)


def read_file(
    source: str | PathLike[str],
    *,
    truth: str | None = None,
    predictions: Predictions | None = None,
    group: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    on_bad: str = "refuse",
    abstain: Label | None = None,
    format: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Count the distinct rows of a file, a glob, a directory or a URL.

    Columns that are not named are guessed from their names and values where that is obvious, and the table's notes say
    how. Rows that cannot be counted (a missing label, one of another type, a line with too few fields) are refused with
    the first line, or left out and noted with ``on_bad="skip"``. ``abstain`` is the label that a missing prediction
    counts as. Memory stays bounded: joint rows of many models that would not fit are counted in pairs of models.
    """
    scan = opened(source, format)
    roles, remarks = columns_of(scan, truth, predictions, group=group, weight=weight)
    rules = Rules(labels=labels, pos_label=pos_label, on_bad=on_bad, abstain=abstain, source=scan.name)
    engine = Engine(memory, threads, progress)
    found = _table(scan, roles, rules, engine)
    remarks += [*label_remarks([label for label in found.labels if label != abstain]), *repeat_remarks(scan, roles, id, engine)]
    return replace(found, notes=tuple(dict.fromkeys((*found.notes, *remarks))))


def read_file_slices(
    source: str | PathLike[str],
    *,
    by: str,
    truth: str | None = None,
    predictions: Predictions | None = None,
    group: str | None = None,
    weight: str | None = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    on_bad: str = "refuse",
    abstain: Label | None = None,
    format: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[Any, Table]:
    """Return one table per value of the column ``by``, all with the same labels, from one count."""
    scan = opened(source, format)
    roles, remarks = columns_of(scan, truth, predictions, group=group, weight=weight, by=by)
    rules = Rules(labels=labels, pos_label=pos_label, on_bad=on_bad, abstain=abstain, source=scan.name)
    distinct = _count(scan, roles, Engine(memory, threads, progress))
    if distinct is None:
        raise too_many(scan.name)
    distinct, rules = with_types(scan, roles, distinct, rules)
    return tables_of(distinct, rules, notes=remarks)


def opened(source: str | PathLike[str], format: str | None) -> Scan:
    """Return the files that a name stands for, checked and ready to be counted."""
    files = files_of(source)
    kind = format_of(files, format)
    check_files(files)
    return scan_files(files, kind)


def columns_of(
    scan: Scan,
    truth: str | None,
    predictions: Predictions | None,
    *,
    group: str | None = None,
    weight: str | None = None,
    by: str | None = None,
) -> tuple[Roles, list[str]]:
    """Return which column plays which part, those not named guessed, and what was guessed."""
    remarks: list[str] = []
    if truth is None or predictions is None:
        given = {group, weight, by} | (set() if predictions is None else set(_columns(predictions)))
        free = [column for column in scan.columns if column not in given]
        guess = guess_columns(free if predictions is None else [*free, *_columns(predictions)], sample_of(scan), truth=truth)
        remarks.append(f"columns were guessed: {guess.why}.")
        truth = guess.truth
        predictions = list(guess.predictions) if predictions is None else predictions
    roles = roles_of(truth, predictions, group=group, weight=weight, by=by)
    check_columns(roles, scan.columns, source=scan.name)
    return roles, remarks


def _columns(predictions: Predictions) -> list[str]:
    return [predictions] if isinstance(predictions, str) else list(getattr(predictions, "values", lambda: predictions)())


def _count(scan: Scan, roles: Roles, engine: Engine) -> Distinct | None:
    if scan.small:
        return count_lines(scan, roles)
    with engine.start() as duck:
        return count_engine(scan, roles, duck, most=MOST_CELLS // len(roles.keys()))


def with_types(scan: Scan, roles: Roles, distinct: Distinct, rules: Rules) -> tuple[Distinct, Rules]:
    """Return the rows with typed values, and rules that know how to find the first bad line."""
    decode: Decode = unchanged
    if scan.kind in ("csv", "tsv"):
        distinct, decode = typed(distinct, rules.labels)
    return distinct, replace(rules, where=first_bad(scan, roles, decode))


def _table(scan: Scan, roles: Roles, rules: Rules, engine: Engine) -> Table:
    distinct = _count(scan, roles, engine)
    if distinct is None:
        return _in_pairs(scan, roles, rules, engine)
    distinct, rules = with_types(scan, roles, distinct, rules)
    return table_of(distinct, rules)


def _in_pairs(scan: Scan, roles: Roles, rules: Rules, engine: Engine) -> Table:
    """Count every pair of models by itself, many pairs in one pass over the file."""
    models = list(roles.predictions)
    if len(models) < 3:
        raise too_many(scan.name)
    pairs = model_pairs(models)
    with engine.start() as duck:
        notes = _drop_unusable(scan, roles, rules, duck)
        counted = pair_counts(scan, roles, pairs, duck, most=MOST_CELLS // 3)
        if counted is None:
            raise too_many(scan.name)
    strict = replace(rules, on_bad="refuse")
    tables = {pair: table_of(*with_types(scan, roles, distinct, strict)) for pair, distinct in counted.items()}
    return joined_pairs(tables, models, notes=notes)


def _drop_unusable(scan: Scan, roles: Roles, rules: Rules, duck: Duck) -> tuple[str, ...]:
    """Return notes on the rows with a missing value in any column, which no pair counts; refuse them unless asked."""
    if rules.abstain is not None:
        raise InputError(f"abstain is given, but {scan.name} must be counted in pairs of models; fill the predictions first")
    counts, lost, total = unusable(scan, roles, duck)
    found = Faults([Fault(column, "is missing", rows) for column, rows in counts.items()])
    if lost and rules.on_bad == "refuse":
        raise found.refusal(scan.name, lost, total)
    return (found.note(lost, total),) if lost else ()


def repeat_remarks(scan: Scan, roles: Roles, id: str | None, engine: Engine) -> list[str]:
    """Return notes on columns that name rows or groups, repeat, and were not declared as group."""
    used = {*roles.keys().values(), roles.weight}
    watched = [
        column
        for column in scan.columns
        if column not in used and (column == id or looks_like_id(column) or looks_like_group(column))
    ]
    if roles.group is not None or not watched:
        return []
    return [
        f"column {column!r} repeats ({distinct:,} values in {'the first ' if filled == _LOOKED_AT else ''}{filled:,} rows): "
        f"rows that share one may not be independent; if so, pass group={column!r}."
        for column, filled, distinct in repeats_of(scan, watched, engine.start, rows=_LOOKED_AT)
        if distinct < filled
    ]

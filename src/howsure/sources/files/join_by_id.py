"""Several files with the predictions of different models: joined by the id of each row, never by their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any, NamedTuple

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import files as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.files.count_rows import gather, made, sums_of, usable_weight
from howsure.sources.files.distinct_rows import MOST_CELLS, Distinct, Roles, Rules, table_of
from howsure.sources.files.duckdb_engine import Duck
from howsure.sources.files.formats import files_of
from howsure.sources.files.guess_columns import (
    guess_columns,
    guess_truth,
    looks_like_id,
    looks_like_truth,
    predictions_among,
)
from howsure.sources.files.read_file import checked_scan
from howsure.sources.files.request import ReadRequest, too_many
from howsure.sources.files.scans.scan import Scan
from howsure.sources.files.text_labels import Decode, decoder, fitting_labels, label_remarks, truth_or_text, unchanged
from howsure.tables.table import Table

Files = Sequence[str | PathLike[str]] | Mapping[str, str | PathLike[str]]
_NAMED = 3


@dataclass(frozen=True)
class JoinedFile:
    """One file of several: its rows are named by ``id``; ``predictions`` maps a model to its column."""

    scan: Scan
    id: str
    truth: str | None
    predictions: Mapping[str, str]


def read_aligned(files: Files, request: ReadRequest) -> Table:
    """Count the rows of several files joined by ``id``; the first file has the truth, the group and the weight.

    A file that alone has the truth, and no predictions, may stand in any place.
    Ids that are missing, extra or double in a file are counted and named: refused, or left out with
    ``on_bad="skip"``. A row whose truth differs between files is always refused. Models take the name of their column,
    or of their file where files use the same column; a mapping of names to files names them.
    """
    with request.start() as duck:
        parts, roles, rules, remarks = _aligned(files, request, duck)
        distinct = _decoded(_joined(duck, parts, roles, rules), parts, rules)
    found = table_of(
        distinct, replace(rules, labels=fitting_labels(rules.labels, distinct.truth.values)), notes=remarks
    )
    more = label_remarks([label for label in found.labels if label != request.abstain])
    return replace(found, notes=(*found.notes, *more))


class JoinedScores(NamedTuple):
    """Every row of several files of scores: the truth and the group as they are, numbers by model, weights, remarks."""

    truth: list[Any]
    group: list[Any] | None
    scores: dict[str, list[float | None]]
    weight: list[float | None] | None
    remarks: list[str]


def scores_aligned(files: Files, request: ReadRequest) -> JoinedScores:
    """Return the rows of several files of scores joined by ``id``, as ``read_aligned`` joins those of labels."""
    with request.start() as duck:
        parts, roles, rules, remarks = _aligned(files, request, duck, numbers=True)
        keys = ["part0.truth", *([] if roles.group is None else ["part0.grouped"])]
        keys += [f"part{place}.p{index}" for place, part in enumerate(parts) for index in range(len(part.predictions))]
        keys += [] if roles.weight is None else ["part0.weight"]
        sql = f"SELECT {', '.join(keys)} FROM {_once(len(parts))} ORDER BY id"
        rows = [row for some in duck.steps(sql, {}, source=rules.source) for row in some]
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in keys]
    first = parts[0].scan
    texts = [columns.pop(0) for _ in range(1 if roles.group is None else 2)]
    given = [rules.labels, None]
    truth, *group = (texts_of(first, column, labels) for column, labels in zip(texts, given, strict=False))
    weight = None if roles.weight is None else columns.pop()
    return JoinedScores(
        truth, group[0] if group else None, dict(zip(roles.predictions, columns, strict=True)), weight, remarks
    )


def texts_of(scan: Scan, values: Sequence[Any], labels: Sequence[Any] | None) -> list[Any]:
    """Return values of the file as they are meant: text of a CSV file that reads as numbers is numbers."""
    raw = [scan.decode(value) for value in values]
    if scan.typed:
        return raw
    decode = decoder({one for one in raw if isinstance(one, str)}, labels)
    return [decode(one) for one in raw]


def _aligned(
    files: Files, request: ReadRequest, duck: Duck, *, numbers: bool = False
) -> tuple[list[JoinedFile], Roles, Rules, list[str]]:
    """Load the files into the engine and check that they hold the same rows; ``numbers`` where they hold scores."""
    names, scans = _named(files, request, duck)
    parts, remarks = _parts(names, scans, request)
    rules = request.rules(_source(scans))
    roles = _roles(parts, request)
    for place, part in enumerate(parts):
        _load(place, part, roles, numbers=numbers)
    remarks += _check_ids(parts, rules)
    _check_truth(parts)
    return parts, roles, rules, remarks


def _roles(parts: Sequence[JoinedFile], request: ReadRequest) -> Roles:
    first = parts[0]
    assert first.truth is not None
    for argument, column in (("group", request.group), ("weight", request.weight)):
        if column is not None and column not in first.scan.columns:
            raise InputError(
                messages.NAMES_COLUMN_FIRST_FILE(
                    argument=argument, column=column, scan=first.scan.name, columns=quoted(first.scan.columns)
                )
            )
    return Roles(
        first.truth, {model: model for part in parts for model in part.predictions}, request.group, request.weight
    )


def _source(scans: Sequence[Scan]) -> str:
    return "the files " + quoted([scan.files[0] for scan in scans], most=3)


def _named(files: Files, request: ReadRequest, duck: Duck) -> tuple[list[str], list[Scan]]:
    if isinstance(files, str) or len(files) < 2:
        raise InputError(messages.FILES_MUST_BE_AT_LEAST_TWO())
    paths = [fspath(one) for one in (files.values() if isinstance(files, Mapping) else files)]
    names = list(files) if isinstance(files, Mapping) else short_names(paths)
    found = [files_of(path) for path in paths]
    duck.admit([name for some in found for name in some])
    return names, [checked_scan(some, request, duck) for some in found]


def short_names(paths: Sequence[str]) -> list[str]:
    """Return the shortest ends of paths that tell them apart, without their suffixes.

    >>> short_names(["runs/a/preds.csv", "runs/b/preds.csv"]), short_names(["x/bert.csv.gz", "y/svm.csv"])
    (['a/preds', 'b/preds'], ['bert', 'svm'])
    """
    split = [[*PurePath(path).parts[:-1], PurePath(path).name.split(".")[0]] for path in paths]
    longest = max(map(len, split))
    for size in range(1, longest + 1):
        names = ["/".join(parts[-size:]) for parts in split]
        if len(set(names)) == len(names):
            return names
    raise InputError(messages.FILES_NAMES_FILE_TWICE(paths=quoted(paths)))


def _parts(names: Sequence[str], scans: Sequence[Scan], request: ReadRequest) -> tuple[list[JoinedFile], list[str]]:
    """Return which columns each file gives, and what was guessed."""
    if isinstance(request.predictions, Mapping):
        raise InputError(messages.PREDICTIONS_IS_MAPPING())
    key, remarks = (request.id, []) if request.id is not None else _common_id(scans)
    for scan in scans:
        if key not in scan.columns:
            raise InputError(messages.ID_NAMES_COLUMN(key=key, scan=scan.name, columns=quoted(scan.columns)))
    guessing = request.truth is None or request.predictions is None
    samples = [scan.sample(scan.columns) if guessing else {} for scan in scans]
    ignored = {key, request.group, request.weight}
    truth = request.truth
    if truth is None:
        truth = _guessed_truth(scans, ignored | set(request.columns()))
        remarks.append(marked("columns guessed", why=marked("guessed truth", column=truth)))
    holders = _holders(scans, truth)
    values = samples[holders[0]].get(truth, ())
    columns = [
        _of_file(scan, {**sample, truth: values}, request.columns(), truth, ignored, alone=holders == [place])
        for place, (scan, sample) in enumerate(zip(scans, samples, strict=True))
    ]
    models = _model_names(names, columns)
    parts = [
        JoinedFile(scan, key, truth if truth in scan.columns else None, dict(zip(some, chosen, strict=True)))
        for scan, some, chosen in zip(scans, models, columns, strict=True)
    ]
    _check_given(parts, truth, sole=holders[0] if len(holders) == 1 else None)
    return _truth_first(parts, holders[0], truth), remarks


def _guessed_truth(scans: Sequence[Scan], ignored: set[str | None]) -> str:
    """Return the column named like the truth, of the first file or else of any."""
    free = [[column for column in scan.columns if column not in ignored] for scan in scans]
    every = list(dict.fromkeys(column for some in free for column in some))
    return guess_truth(free[0] if any(map(looks_like_truth, free[0])) else every)


def _holders(scans: Sequence[Scan], truth: str) -> list[int]:
    """Return the places of the files that have the truth."""
    found = [place for place, scan in enumerate(scans) if truth in scan.columns]
    if not found:
        have = "; ".join(f"{scan.name} has {quoted(scan.columns)}" for scan in scans)
        raise InputError(messages.TRUTH_NAMES_COLUMN_NO_FILE(truth=truth, have=have))
    return found


def _check_given(parts: Sequence[JoinedFile], truth: str, *, sole: int | None) -> None:
    """Refuse a file without predictions, unless it is the only one with the truth."""
    idle = [part.scan for place, part in enumerate(parts) if not part.predictions and place != sole]
    if idle:
        have = "; ".join(f"{scan.name} has {quoted(scan.columns)}" for scan in idle)
        raise InputError(messages.PREDICTIONS_AND_BESIDE_ID_AND_TRUTH(have=have, id=parts[0].id, truth=truth))


def _truth_first(parts: list[JoinedFile], place: int, truth: str) -> list[JoinedFile]:
    """Return the files with that of the truth first; one with a model is not moved, for models keep their order."""
    if place and parts[place].predictions:
        raise InputError(messages.TRUTH_IS_NOT_IN_FIRST_FILE(truth=truth, scan=parts[0].scan.name))
    return [parts[place], *parts[:place], *parts[place + 1 :]]


def _common_id(scans: Sequence[Scan]) -> tuple[str, list[str]]:
    shared = [column for column in scans[0].columns if all(column in scan.columns for scan in scans)]
    found = [column for column in shared if looks_like_id(column)]
    if len(found) != 1:
        raise InputError(
            messages.ID_IS_NOT_GIVEN_AND_FILES(
                which=messages.SEVERAL_COLUMNS() if found else messages.NO_COLUMN(),
                found=": " + quoted(found) if found else "",
            )
        )
    return found[0], [marked("joined by", column=found[0])]


def _of_file(
    scan: Scan, sample: Mapping[str, Sequence[Any]], wanted: Sequence[str], truth: str, ignored: set[str | None],
    *, alone: bool,
) -> list[str]:  # fmt: skip
    """Return the columns of predictions that one file gives; none are needed where it alone has the truth."""
    if not wanted:
        free = [column for column in scan.columns if column not in ignored]
        if set(free) <= {truth} or (alone and not predictions_among(free, sample, truth)):
            return []
        return list(guess_columns(free, sample, truth=truth).predictions)
    found = [column for column in wanted if column in scan.columns]
    if not found and not alone:
        raise InputError(
            messages.PREDICTIONS_NAMES_NONE(wanted=quoted(wanted), scan=scan.name, columns=quoted(scan.columns))
        )
    return found


def _model_names(names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[list[str]]:
    everything = [column for some in columns for column in some]
    if len(set(everything)) == len(everything) and not all(len(some) <= 1 for some in columns):
        return [list(some) for some in columns]
    return [
        [name] if len(some) == 1 else [f"{name}/{column}" for column in some]
        for name, some in zip(names, columns, strict=True)
    ]


def _load(place: int, part: JoinedFile, roles: Roles, *, numbers: bool = False) -> None:
    """Copy the columns that matter into a table of the engine, which spills to disk where memory is short."""
    scan = part.scan
    used = [("id", part.id), ("truth", part.truth), *(("predictions", column) for column in part.predictions.values())]
    used += [] if place else [("group", roles.group), ("weight", roles.weight)]
    scan.check_types((argument, column) for argument, column in used if column is not None)
    chosen = [f"{scan.text(part.id)} AS id"]
    if part.truth is not None:
        chosen += [f"{scan.expression(part.truth)} AS truth", f"{scan.text(part.truth)} AS truth_text"]
    value = scan.number if numbers else scan.expression
    chosen += [f"{value(column)} AS p{index}" for index, column in enumerate(part.predictions.values())]
    if place == 0:
        chosen += [] if roles.group is None else [f"{scan.expression(roles.group)} AS grouped"]
        chosen += [] if roles.weight is None else [f"{scan.number(roles.weight)} AS weight"]
    scan.rows(f"CREATE TEMP TABLE part{place} AS SELECT {', '.join(chosen)} FROM {scan.sql}")
    torn = scan.dropped()
    if torn:
        raise InputError(messages.LINES_HAVE_NOT_FIELDS(scan=scan.name, torn=torn, number=len(scan.columns)))


def _check_ids(parts: Sequence[JoinedFile], rules: Rules) -> list[str]:
    """Count the ids that are missing, extra or double; return them as notes, or refuse."""
    said = []
    for place, part in enumerate(parts):
        said += _said(f"SELECT id FROM part{place} WHERE id IS NULL", part.scan, "rows without an id")
        double = f"SELECT id FROM part{place} WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1"
        said += _said(double, part.scan, "ids more than once")
    first = "the first file" if parts[0].predictions else "the file of the truth"
    for place, part in enumerate(parts[1:], start=1):
        lacking = f"SELECT id FROM part0 WHERE id NOT IN (SELECT id FROM part{place} WHERE id IS NOT NULL)"
        said += _said(lacking, part.scan, f"ids of {first} not at all")
        extra = f"SELECT id FROM part{place} WHERE id NOT IN (SELECT id FROM part0 WHERE id IS NOT NULL)"
        said += _said(extra, part.scan, f"ids that {first} does not have")
    if said and rules.on_bad == "refuse":
        raise InputError(messages.DO_NOT_HOLD_SAME_ROWS(source=rules.source, said="; ".join(said)))
    return [marked("files differ", said="; ".join(said))] if said else []


def _said(sql: str, scan: Scan, words: str) -> list[str]:
    number = int(scan.rows(f"SELECT count(*) FROM ({sql})")[0][0])
    if not number:
        return []
    rows = scan.rows(f"SELECT id FROM ({sql}) WHERE id IS NOT NULL ORDER BY id LIMIT {_NAMED}")
    first = f" ({quoted([row[0] for row in rows])}{', …' if number > len(rows) else ''})" if rows else ""
    return [f"{scan.name} has {number:,} {words}{first}"]


def _check_truth(parts: Sequence[JoinedFile]) -> None:
    for place, part in enumerate(parts[1:], start=1):
        if part.truth is None:
            continue
        differ = (
            f"FROM part0 JOIN part{place} USING (id) WHERE part0.truth_text IS DISTINCT FROM part{place}.truth_text"
        )
        number = int(part.scan.rows(f"SELECT count(*) {differ}")[0][0])
        if number:
            sql = f"SELECT id, part0.truth_text, part{place}.truth_text {differ} ORDER BY id LIMIT 1"
            row, first, second = part.scan.rows(sql)[0]
            raise InputError(
                messages.TRUTH_DIFFERS_BETWEEN_IN_ROWS_FIRST(
                    truth=part.truth,
                    scan=parts[0].scan.name,
                    other_scan=part.scan.name,
                    number=number,
                    row=row,
                    first=first,
                    second=second,
                )
            )


def _joined(duck: Duck, parts: Sequence[JoinedFile], roles: Roles, rules: Rules) -> Distinct:
    """Count the distinct rows of ids that every file has once."""
    keys = ["part0.truth"]
    keys += [f"part{place}.p{index}" for place, part in enumerate(parts) for index in range(len(part.predictions))]
    keys += [] if roles.group is None else ["part0.grouped"]
    good = usable_weight("part0.weight") if roles.weight is not None else "true"
    most = MOST_CELLS // len(keys)
    sql = (
        f"SELECT {', '.join(keys)}, {good} AS good, {sums_of(roles, f'CASE WHEN {good} THEN part0.weight ELSE 0 END')} "
        f"FROM {_once(len(parts))} GROUP BY {', '.join([*keys, good])} LIMIT {most + 1}"
    )
    gathered = gather(duck.steps(sql, {}, source=rules.source), len(keys), most)
    if gathered is None:
        raise too_many(rules.source)
    scans = [parts[0].scan, *(part.scan for part in parts for _ in part.predictions)]
    scans += [] if roles.group is None else [parts[0].scan]
    factors = gathered.factors(*(scan.decode for scan in scans))
    found, *sums = gathered.numbers(default=2 if roles.weight is None else 4)
    return made(dict(zip(roles.parts(), factors, strict=True)), roles, sums, good=found)


def _once(number: int) -> str:
    """Return the SQL that joins the files by the ids that each has once."""
    parts = [f"part{place}" for place in range(number)]
    once = [
        f"(SELECT * FROM {one} WHERE id IN (SELECT id FROM {one} GROUP BY id HAVING count(*) = 1)) {one}"
        for one in parts
    ]
    return once[0] + "".join(f" JOIN {one} USING (id)" for one in once[1:])


def _decoded(distinct: Distinct, parts: Sequence[JoinedFile], rules: Rules) -> Distinct:
    """Return the rows with text of CSV files read as the truth's values are."""
    textual = {model: not part.scan.typed for part in parts for model in part.predictions}
    own = not parts[0].scan.typed
    values = distinct.truth.values
    some_text = any(isinstance(value, str) for value in values)
    decode: Decode = decoder(values, rules.labels) if own else unchanged if some_text else truth_or_text
    predictions = {
        model: column.decoded(decode) if textual[model] else column for model, column in distinct.predictions.items()
    }
    found = replace(distinct, predictions=predictions)
    if not own:
        return found
    group = distinct.group and distinct.group.decoded(decoder(distinct.group.values))
    return replace(found, truth=distinct.truth.decoded(decode), group=group)

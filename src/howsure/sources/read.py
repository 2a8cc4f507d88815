"""hs.read: predictions in files, logs, frames and streams to a Table.

A door is loaded when something comes through it: who reads a file of labels waits for no reader of logs or frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from howsure.errors import InputError
from howsure.errors.messages.sources import doors as messages
from howsure.metrics.metric import Better, Label, plugged
from howsure.sources.files.at_rest import at_rest, copy_of, holds_paths
from howsure.sources.files.distinct_rows import factor
from howsure.sources.files.duckdb_engine import ReadProgress
from howsure.sources.files.formats import FORMATS, LOGS, SUFFIXES, is_tagged
from howsure.sources.files.read_file import read_file, read_file_slices, scan_of
from howsure.sources.files.request import Predictions, ReadRequest
from howsure.sources.logs.kind_of_file import kind_of_file
from howsure.sources.rows.asked import Columns, RowsAsked, by_pattern, long_labels
from howsure.sources.rows.run_columns import with_run_columns
from howsure.tables.sampling.runs import RunChoice
from howsure.tables.table import Table

if TYPE_CHECKING:
    from howsure.sources.kinds.annotated import Consensus, Ties
    from howsure.tables.kinds.scores import Thresholds

__all__ = ["read", "read_slices"]


def read(
    source: Any,
    *,
    truth: str | Sequence[str] | None = None,
    predictions: Predictions | None = None,
    scores: Predictions | Mapping[str, Sequence[str]] | None = None,
    group: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    threshold: Thresholds | None = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    on_bad: str = "refuse",
    abstain: Label | None = None,
    format: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    progress: ReadProgress | None = None,
    partitions: bool = False,
    value: Columns | None = None,
    correct: str | None = None,
    model: str | None = None,
    unit: str | None = None,
    sums: Sequence[str] | None = None,
    range: Any = None,
    better: Better | None = None,
    separator: str | None = None,
    scheme: str | None = None,
    judge: Predictions | None = None,
    consensus: Consensus | None = None,
    ties: Ties = "split",
    annotators: RunChoice = "fixed",
    run: str | None = None,
    runs: RunChoice | None = None,
    paired_runs: bool = False,
    task: str | bool | None = None,
    tasks: str = "fixed",
    task_weights: str | Mapping[str, float] = "equal",
) -> Table:
    """Read predictions and count them: a path, glob, directory, URL, open file, data frame, or several files.

    Files are CSV, TSV, Parquet, Arrow, JSON or JSON lines, or logs of lm-evaluation-harness, Inspect, HELM, OpenAI's
    evals, MLflow and of predictions with references; frames are those of pandas, polars, Arrow, Dask, Spark, DuckDB,
    Ibis and others. Several files are joined by ``id``; the truth may have a file of its own. Columns not named are
    guessed where that is obvious, and the notes of the table say how. Rows that cannot be counted are refused, or left
    out and noted with ``on_bad="skip"``; ``abstain`` is the label that a missing prediction counts as. In logs
    ``predictions`` names the metric or scorer. ``memory`` (such as "400MB") and ``threads`` limit the engine that reads
    files; ``progress`` is called with the share done. A name that exists is that file, whatever characters it has; only
    other names are patterns. Folders named column=value are read as columns with ``partitions=True`` alone.

    Other rows than labels: ``value`` names columns of numbers (``range`` and ``better`` as in ``hs.table``). ``model``,
    ``id`` and ``correct`` (or ``value``, or one column each as ``truth`` and ``predictions``) read a long table, a row
    for each model and question; several answers to a question are one group. ``unit`` and ``sums`` read sums per unit,
    of several systems where columns begin with the system's name (yolo_tp). Rows with several labels have them in one
    cell, apart by ``separator``, or in columns of 0 and 1 that ``truth`` and ``predictions`` name by a pattern
    ("*_gold"). Files of tags in columns (CoNLL, by their ending or by ``scheme``) are chunk tables as of ``hs.spans``,
    several files one tagger each.

    ``judge`` names the column of a judge's answers (several judges: several columns); the truth is then blank where
    nobody looked. With ``value`` it names the judge's numbers, one column for each of the values.

    Several columns as ``truth`` are those of annotators (``consensus``, ``ties``, ``annotators`` as in ``hs.table``).

    Several runs of a model: ``run`` names their column in a long table; in a wide one ``predictions`` (or ``value``)
    maps a model to its columns, {"bert": ["bert_1", "bert_2"]}. ``runs`` and ``paired_runs`` are as in ``hs.table``.

    ``task`` names a column of tasks, the data sets of a benchmark; with ``task=True`` each file is a task, or each
    subfolder of a folder. ``tasks`` and ``task_weights`` are as ``tasks`` and ``weights`` of ``hs.tasks``.

    >>> import polars as pl
    >>> read(pl.DataFrame({"label": [1, 0, 1], "svm": [1, 0, 0]}), truth="label", predictions=["svm"])
    Table(3 rows, 2 labels, 1 model)
    """
    several = None if truth is None or isinstance(truth, str) else list(truth)
    if several is None and consensus is not None:
        raise InputError.of("consensus", consensus, messages.FOR_SEVERAL_ANNOTATORS(), messages.LIST_THEM_AS_TRUTH())
    truth = truth if isinstance(truth, str) else None
    request = ReadRequest(
        truth=truth, predictions=predictions, score_columns=scores, group=group, weight=weight, id=id,
        threshold=threshold, labels=labels, pos_label=pos_label, on_bad=on_bad, abstain=abstain, format=format,
        memory=memory, threads=threads, progress=progress,
        partitions=partitions, judge=judge,
    )  # fmt: skip
    beside = value is not None or correct is not None
    asked = RowsAsked(
        value, correct, model, unit, sums, range, better, separator, by_pattern(request), run, runs, paired_runs,
        long_labels(model, truth, predictions, beside=beside),
    )  # fmt: skip
    if several is not None and task:
        raise InputError(messages.TASK_AND_TRUTH_IS_SEVERAL_ANNOTATORS(task=task))
    if several is not None:
        from howsure.sources.rows.annotations import read_annotated

        how: Any = {"consensus": consensus or "majority", "ties": ties, "annotators": annotators}
        with _on_disk(source) as readable:
            return read_annotated(_one(readable), request, asked, several, **how)
    if task is not None and task is not False:
        from howsure.sources.kinds.tasks import tasks as make_tasks

        return make_tasks(_task_tables(source, task, request, asked, scheme), tasks=tasks, weights=task_weights)
    return _read_table(source, request, asked, scheme)


def _read_table(source: Any, request: ReadRequest, asked: RowsAsked, scheme: str | None) -> Table:
    if scheme is not None or is_tagged(source):
        return _read_tags(source, request, scheme or "IOB2")
    return read_as_asked(source, request, asked)


def _task_tables(
    source: Any, task: str | bool, request: ReadRequest, asked: RowsAsked, scheme: str | None
) -> dict[str, Table]:
    """Return the table of each task: a value of a column, a file, or a subfolder."""
    from howsure.sources.task_files import by_column, by_file

    if task is True:
        return by_file(source, lambda one: _read_table(one, request, asked, scheme))
    if not isinstance(task, str):
        raise InputError.of("task", task, messages.NAME_OF_COLUMN_OR_TRUE_WHERE())
    return by_column(slices_as_asked(source, replace(request, by=task), asked))


def read_as_asked(source: Any, request: ReadRequest, asked: RowsAsked) -> Table:
    """Read and count the rows that a request asks for."""
    with _on_disk(source) as readable:
        request, asked, parts = with_run_columns(readable, request, asked)
        found = _read_rows(_one(readable), request, asked) if asked.any else _read(readable, request)
    made = found if parts is None else parts.table(found)
    return made if request.group is None else made.grouped_by(request.group)


def _read_rows(source: Any, request: ReadRequest, asked: RowsAsked) -> Table:
    from howsure.sources.rows.doors import read_rows

    return read_rows(source, request, asked)


def read_slices(
    source: Any,
    *,
    by: str,
    truth: str | None = None,
    predictions: Predictions | None = None,
    scores: Predictions | Mapping[str, Sequence[str]] | None = None,
    group: str | None = None,
    weight: str | None = None,
    threshold: Thresholds | None = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    on_bad: str = "refuse",
    abstain: Label | None = None,
    format: str | None = None,
    memory: str | None = None,
    threads: int | None = None,
    progress: ReadProgress | None = None,
    partitions: bool = False,
    id: str | None = None,
    value: Columns | None = None,
    correct: str | None = None,
    model: str | None = None,
    unit: str | None = None,
    sums: Sequence[str] | None = None,
    range: Any = None,
    better: Better | None = None,
    separator: str | None = None,
    judge: Predictions | None = None,
    run: str | None = None,
    runs: RunChoice | None = None,
    paired_runs: bool = False,
) -> dict[Any, Table]:
    """Return one table per value of the column ``by``, all with the same labels, from one pass over the data.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"label": [1, 0, 1], "svm": [1, 0, 0], "site": ["x", "y", "y"]})
    >>> read_slices(frame, by="site", truth="label", predictions="svm")
    {'x': Table(1 row, 2 labels, 1 model), 'y': Table(2 rows, 2 labels, 1 model)}
    """
    request = ReadRequest(
        truth=truth, predictions=predictions, score_columns=scores, group=group, weight=weight, by=by, id=id,
        threshold=threshold, labels=labels, pos_label=pos_label, on_bad=on_bad, abstain=abstain, format=format,
        memory=memory, threads=threads, progress=progress, partitions=partitions, judge=judge,
    )  # fmt: skip
    beside = value is not None or correct is not None
    asked = RowsAsked(
        value, correct, model, unit, sums, range, better, separator, by_pattern(request), run, runs, paired_runs,
        long_labels(model, truth, predictions, beside=beside),
    )  # fmt: skip
    return slices_as_asked(source, request, asked)


def slices_as_asked(source: Any, request: ReadRequest, asked: RowsAsked) -> dict[Any, Table]:
    """Read and count the rows that a request asks for, a table for each value of the column ``by``."""
    with _on_disk(source) as readable:
        request, asked, runs_of = with_run_columns(readable, request, asked)
        parts = _read_row_slices(_one(readable), request, asked) if asked.any else _read_slices(readable, request)
    made, group = parts if runs_of is None else {name: runs_of.table(one) for name, one in parts.items()}, request.group
    return made if group is None else {name: one.grouped_by(group) for name, one in made.items()}


def _read_row_slices(source: Any, request: ReadRequest, asked: RowsAsked) -> dict[Any, Table]:
    from howsure.sources.rows.doors import read_row_slices

    return read_row_slices(source, request, asked)


def _read_tags(source: Any, request: ReadRequest, scheme: str) -> Table:
    """Return the chunks of CoNLL files, one tagger each; truth and predictions may name columns."""
    from howsure.sources.sequences.spans import spans_of_taggers
    from howsure.sources.sequences.taggers import read_taggers

    for name in ("weight", "id", "labels", "pos_label", "abstain"):
        if getattr(request, name) is not None:
            raise InputError(messages.BUT_FILES_OF_TAGS_HAVE_NONE(name=name, request=getattr(request, name)))
    chosen = request.predictions if isinstance(request.predictions, Mapping) else request.columns()
    with _on_disk(source) as readable:
        found = read_taggers(readable, gold=request.truth, predictions=chosen or (-1,), group=request.group)
    return spans_of_taggers(found, scheme=scheme)


def _one(source: Any) -> Any:
    """Return a source of rows; of several files only one can be read so."""
    parts = _parts(source)
    if parts is None:
        return source
    if len(parts) != 1:
        raise InputError(messages.SEVERAL_FILES_OF_ROWS(number=len(parts)))
    return parts[0]


def _parts(source: Any) -> list[Any] | None:
    """Return what a list holds, or a mapping of names to paths; None of a single source."""
    if isinstance(source, Mapping) and holds_paths(source):
        return list(source.values())
    return list(source) if isinstance(source, (list, tuple)) else None


@contextmanager
def _on_disk(source: Any) -> Iterator[Any]:
    """Return the source; of what can be read only once, a copy that lives as long as it is read.

    That is an open file, such as standard input, and the name of a pipe or a device: ``/dev/stdin``, a FIFO, ``<(…)``.
    """
    with ExitStack() as kept:

        def resting(one: Any) -> Any:
            return kept.enter_context(at_rest(one)) if isinstance(one, (str, PathLike)) else one

        parts = _parts(source)
        if parts is not None:
            held = list(map(resting, parts))
            yield dict(zip(source, held, strict=True)) if isinstance(source, Mapping) else held
        elif callable(getattr(source, "read", None)) and not _is_frame(source):
            yield kept.enter_context(copy_of(source, "input"))
        else:
            yield resting(source)


def _is_frame(source: Any) -> bool:
    from howsure.sources.frames import is_frame  # files wait for no reader of frames

    return is_frame(source)


def _read(source: Any, request: ReadRequest) -> Table:
    reader = _brought(source, request)
    if reader is not None:
        return _as_table(reader(source, request), request.format or source)
    if request.score_columns is not None:
        return _read_scores(source, request)[0]
    parts = _parts(source)
    number = 1 if parts is None else len(parts)
    if request.judge is not None and number > 1:  # a judge stands beside the truth, in one file
        raise InputError(messages.JUDGE_IS_GIVEN_FILES(number=number))
    if isinstance(source, (str, PathLike)):
        kind = kind_of_file(source, request.format)
        return _read_log([source], kind, request) if kind in LOGS else read_file(source, replace(request, format=kind))
    if parts is not None:
        return _read_several(source, parts, request)
    from howsure.sources.frames import read_frame

    return read_frame(source, request)


def _read_log(paths: Sequence[str | PathLike[str]], kind: str, request: ReadRequest, **how: Any) -> Any:
    from howsure.sources.logs.read_log import read_log

    return read_log(paths, kind, request, **how)


def _as_table(found: object, name: object) -> Table:
    if not isinstance(found, Table):
        raise InputError(messages.READER_OF_GAVE_NOT_TABLE(name=name, kind=type(found).__name__))
    return found


def _brought(source: Any, request: ReadRequest) -> Any:
    """Return the reader of another package for a format, or an ending of a file, that is none of ours."""
    if not isinstance(source, (str, PathLike)):
        return None
    name = request.format or Path(source).suffix.lstrip(".").lower()
    known = {*FORMATS, *LOGS}
    return plugged("readers", name) if name and name not in known and f".{name}" not in SUFFIXES else None


def _read_scores(source: Any, request: ReadRequest) -> tuple[Table, list[Any] | None]:
    """Return the table of scores, and the column to slice by."""
    from howsure.sources.frames import wrapped_frame
    from howsure.sources.rows.scores import scores_of_files, scores_of_frame, scores_of_scan

    parts = _parts(source)
    if parts is not None and len(parts) == 1:
        source, parts = parts[0], None
    if isinstance(source, (str, PathLike)):
        kind = kind_of_file(source, request.format)
        if kind in LOGS:
            raise InputError(messages.SCORES_IS_GIVEN_BUT_LOG(kind=kind))
        with request.start() as duck:
            return scores_of_scan(scan_of(source, replace(request, format=kind), duck), request)
    if parts is None:
        return scores_of_frame(wrapped_frame(source), request)
    if request.by is not None:
        raise InputError(messages.SEVERAL_FILES_OF_SCORES(number=len(parts)))
    return scores_of_files(source, request), None


def _read_slices(source: Any, request: ReadRequest) -> dict[Any, Table]:
    if request.score_columns is not None:
        made, by = _read_scores(source, request)
        assert by is not None
        codes, names = factor(by)
        order = sorted(enumerate(names), key=lambda pair: pair[1])
        return {name: made.some_rows(codes == place) for place, name in order}
    paths = [source] if isinstance(source, (str, PathLike)) else _parts(source)
    if paths is None:
        from howsure.sources.frames import read_frame_slices

        return read_frame_slices(source, request)
    kinds = sorted({kind_of_file(one, request.format) for one in paths})
    if len(kinds) == 1 and kinds[0] in ("lm-eval", "inspect"):
        called = list(source) if isinstance(source, Mapping) else None
        return dict(_read_log(paths, kinds[0], replace(request, by=None), names=called, by=request.by))
    logs = [kind for kind in kinds if kind in LOGS]
    if logs:
        raise InputError(messages.BY_BUT_LOG_OF_FORMAT_CANNOT(by=request.by, logs=logs[0]))
    if len(paths) > 1:
        raise InputError(messages.SEVERAL_FILES_OF_SLICES(number=len(paths)))
    return read_file_slices(paths[0], replace(request, format=kinds[0]))


def _read_several(source: Any, paths: Sequence[Any], request: ReadRequest) -> Table:
    if not paths or not all(isinstance(one, (str, PathLike)) for one in paths):
        raise InputError(messages.SOURCE_IS_LIST_OF_OTHER_THINGS())
    kinds = {kind_of_file(one, request.format) for one in paths}
    if len(kinds) == 1 and kinds <= set(LOGS):
        names = list(source) if isinstance(source, Mapping) else None
        found: Table = _read_log(paths, kinds.pop(), request, names=names)
        return found
    if kinds & set(LOGS):
        raise InputError(messages.SOURCE_MIXES_LOGS_AND_OTHER_FILES(kinds=", ".join(sorted(kinds))))
    if len(paths) == 1:
        return _read(paths[0], request)
    from howsure.sources.files.join_by_id import read_aligned

    return read_aligned(source, request)

"""Long tables: a row for each model and question (and answer): right or wrong, with a value, or with a label."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import fdtrc

from howsure.errors import InputError, quoted, setting
from howsure.errors.messages.sources import rows as messages
from howsure.results.base import note_of
from howsure.results.sentences.phrases import marked
from howsure.results.words import p_said
from howsure.sources.files.distinct_rows import factor
from howsure.sources.files.request import ReadRequest
from howsure.sources.kinds.values import values_table
from howsure.sources.logs.right_or_wrong import UNEQUAL, names_apart, questions_left_out
from howsure.sources.rows.asked import RowsAsked
from howsure.sources.rows.columns import RowColumns, read_columns
from howsure.sources.rows.long_rows import LongAnswers, long_rows_of, one_a_question, with_labels
from howsure.sources.rows.long_runs import as_task, check_once, table_of_runs
from howsure.tables.table import Table
from howsure.types import Array, Ints

MOST_TASKS = 10_000  # distinct values of a column that may part the questions
TELLING = 0.01  # p below which repeated answers are said to differ as runs do


def long_maker(
    source: Any, request: ReadRequest, asked: RowsAsked, names: Mapping[str, str]
) -> tuple[RowColumns, Callable[[RowColumns], Table]]:
    """Return the columns of a long table, and how a table is made of them."""
    assert asked.model is not None
    if request.id is None:
        raise InputError(messages.MODEL_NAMES_MODELS_OF_LONG_TABLE())
    if request.weight is not None:
        raise InputError.of(
            "weight", request.weight, messages.LONG_TABLE_COUNTS_EVERY_QUESTION_ONCE(), messages.LEAVE_IT_OUT()
        )
    keys = {asked.model: "model", request.id: "id", **names}
    if asked.long_labels is not None:
        keys |= dict(zip(asked.long_labels, ("truth", "predictions"), strict=True))
    if asked.correct is not None:
        keys[asked.correct] = "correct"
    if asked.run is not None:
        keys[asked.run] = "run"
    numbers = {} if asked.value is None else {str(asked.value): "value"}
    columns = read_columns(source, request, numbers, keys)
    request = with_labels(columns, request, asked)
    held = _held(columns, request, asked)
    repeats = int(held.answers.max(initial=1))

    def others(most: int = MOST_TASKS) -> dict[str, Sequence[Any]]:
        """Return the further columns with two or more values."""
        more = read_columns(source, request, numbers, keys, alike=(2, most)).names
        return {name: column for name, column in more.items() if name not in keys}

    if asked.run is not None:
        check_once(held, columns.names[asked.run], asked, others)
    elif repeats > 1:
        equal = bool((held.answers == repeats).all())
        found = _runs(others(repeats), held) if equal else _recurring(others(), held, str(request.id))
        columns.notes[:] = [*found, *columns.notes]

    def make(some: RowColumns) -> Table:
        return _table(some, request, asked)

    return columns, make


def _held(columns: RowColumns, request: ReadRequest, asked: RowsAsked) -> LongAnswers:
    model, models = factor(list(map(str, columns.names[asked.model or ""])))
    if len(set(columns.names[asked.model or ""])) > len(models):
        raise InputError(
            messages.MODEL_NAMES_COLUMN_HOLDS_MODEL_NAMES(
                model=asked.model, fromkeys=quoted(dict.fromkeys(columns.names[asked.model or ""]))
            )
        )
    asked_ids = columns.names[request.id or ""]
    parts = () if request.by is None else (columns.names[request.by],)  # a question of a slice is its own
    place, ids = factor(list(zip(*parts, asked_ids, strict=True)) if parts else asked_ids)
    return LongAnswers(models, model, ids, place, long_rows_of(columns, request, asked, ids, place))


def _table(columns: RowColumns, request: ReadRequest, asked: RowsAsked) -> Table:
    held = _held(columns, request, asked)
    group = None
    if request.group is not None:
        group = one_a_question("group", request.group, columns.names[request.group], held.ids, held.place)
    if asked.run is not None:
        return table_of_runs(held, columns.names[asked.run], group, asked, request.on_bad)
    kept, notes = _complete(held, request.on_bad)
    repeats = held.answers[:, kept]
    if (repeats == repeats.flat[0]).all():
        made = _answers(held, kept, int(repeats.flat[0]), group)
    else:
        held.rows.check_means()
        notes.append(UNEQUAL)
        made = _means(held, kept, group, asked)
    return replace(made, notes=(*made.notes, *notes))


def _complete(held: LongAnswers, on_bad: str) -> tuple[Ints, list[str]]:
    """Return the questions that every model answered; others are refused, or left out and noted."""
    lacking = held.answers == 0
    said = [
        f"{model!r} has no answer to {int(row.sum()):,} ({quoted([held.ids[p] for p in row.nonzero()[0][:3]])})"
        for model, row in zip(held.models, lacking, strict=True)
        if row.any()
    ]
    kept = (~lacking.any(0)).nonzero()[0]
    if said and (on_bad == "refuse" or not len(kept)):
        raise InputError(messages.MODELS_DID_NOT_ANSWER_SAME_QUESTIONS(said="; ".join(said)))
    return kept, [questions_left_out(len(kept), len(held.ids), "; ".join(said))] if said else []


def _answers(held: LongAnswers, kept: Ints, repeats: int, group: Sequence[Any] | None) -> Table:
    """Return a row for each question and answer, the answers to a question in one group."""
    order = np.lexsort((held.place, held.model))
    shape = (len(held.models), -1, repeats)
    chosen = np.isin(held.place[order], kept)
    block = held.rows.values[order][chosen].reshape(shape)
    names = names_apart(held.ids if group is None else group)
    places = np.repeat(np.sort(kept), repeats)
    sampled = None if repeats == 1 and group is None else [names[at] for at in places]
    columns = {model: block[row].ravel() for row, model in enumerate(held.models)}
    return held.rows.table(columns, places, groups=sampled)


def _means(held: LongAnswers, kept: Ints, group: Sequence[Any] | None, asked: RowsAsked) -> Table:
    sums = np.zeros(held.answers.shape)
    np.add.at(sums, (held.model, held.place), held.rows.values)
    means = sums[:, kept] / held.answers[:, kept]
    groups = None if group is None else [names_apart(group)[place] for place in kept]
    columns = dict(zip(held.models, means, strict=True))
    return values_table(columns, range=held.rows.ends, better=asked.better or "higher", groups=groups)


# ---- answers or runs


def _runs(others: Mapping[str, Sequence[Any]], held: LongAnswers) -> list[str]:
    """Return notes on columns that number the answers: training runs would need another analysis than answers.

    By structure alone: each value of the column covers the same questions, as often in every model.
    """
    notes: list[str] = []
    for name, column in others.items():
        run, runs = factor(column)
        cells = np.zeros((len(held.models), len(runs), len(held.ids)), dtype=int)
        np.add.at(cells, (held.model, run, held.place), 1)
        if (cells != cells.flat[0]).any():
            continue
        values = np.zeros(cells.shape)
        np.add.at(values, (held.model, run, held.place), held.rows.merit)
        p = min(1.0, len(held.models) * min(_run_p(block) for block in values / cells))
        first = marked("runs differ", size=len(runs), column=name, p=p_said(p)) if p < TELLING else ""
        notes.append(
            note_of(
                "answered often",
                "runs",
                first=first,
                column=name,
                times=int(held.answers.flat[0]),
                run=setting("run", name),
                task=setting("task", name),
            )
        )
    return notes


def _recurring(others: Mapping[str, Sequence[Any]], held: LongAnswers, id: str) -> list[str]:
    """Refuse ids that name one question only together with another column, such as a task; note what may be so.

    By structure alone: questions have unequal numbers of answers, and question and column together have equal ones. If
    those are several, the column does not number answers: it parts the questions.
    """
    notes: list[str] = []
    for name, column in others.items():
        kind, kinds = factor(column)
        _, pair = np.unique(kind * len(held.ids) + held.place, return_inverse=True)
        cells = np.zeros((len(held.models), int(pair.max()) + 1), dtype=int)
        np.add.at(cells, (held.model, pair), 1)
        answers = int(cells.flat[0])
        if (cells != answers).any():
            continue
        said = messages.NAMES_QUESTIONS_WITH_UNEQUAL_NUMBERS(
            id=id, number=len(held.ids), name=name, kinds=quoted(kinds, most=3), shape=cells.shape[1], answers=answers
        )
        if answers > 1:
            raise InputError(messages.ID_IDS_RECUR_IN_AND_ANSWERS(said=said, name=name, as_task=as_task(name)))
        notes.append(
            note_of(
                "ids recur",
                "recurring ids",
                column=name,
                said=said,
                run=setting("run", name),
                task=setting("task", name),
            )
        )
    return notes


def _run_p(block: Array) -> float:
    """Return the p-value of no effect of the run, by the F test of a two-way layout (runs × questions)."""
    runs, questions = block.shape
    rest = block - block.mean(1, keepdims=True) - block.mean(0) + block.mean()
    between = questions * float(((block.mean(1) - block.mean()) ** 2).sum()) / (runs - 1)
    within = float((rest**2).sum()) / max((runs - 1) * (questions - 1), 1)
    if within <= 0:
        return 1.0 if between <= 1e-12 else 0.0
    return float(fdtrc(runs - 1, (runs - 1) * (questions - 1), between / within))

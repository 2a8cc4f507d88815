"""Long tables with a column of runs: every run of a model answers the same questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted, setting
from howsure.errors.messages.sources import rows as messages
from howsure.sources.logs.right_or_wrong import questions_left_out
from howsure.sources.rows.asked import RowsAsked
from howsure.sources.rows.long_rows import LongAnswers
from howsure.tables.table import Table
from howsure.types import Array, Ints


def table_of_runs(
    held: LongAnswers, runs: Sequence[Any], group: Sequence[Any] | None, asked: RowsAsked, on_bad: str
) -> Table:
    """Return the table of (model, run, question) rows; a question that a run did not answer is refused or left out."""
    names = [str(run) for run in runs]
    pairs = list(dict.fromkeys(zip(held.model.tolist(), names, strict=True)))
    column = {pair: at for at, pair in enumerate(pairs)}
    which = np.array([column[pair] for pair in zip(held.model.tolist(), names, strict=True)], dtype=np.int64)
    cells = np.zeros((len(pairs), len(held.ids)), dtype=int)
    np.add.at(cells, (which, held.place), 1)
    kept, notes = _answered(cells, pairs, held, on_bad)
    block = np.zeros(cells.shape)
    block[which, held.place] = held.rows.values
    columns: dict[str, dict[str, Array]] = {name: {} for name in held.models}
    for at, (one, run) in enumerate(pairs):
        columns[held.models[one]][run] = block[at, kept]
    sampled = None if group is None else [str(group[at]) for at in kept]
    how: Any = {"groups": sampled, "runs": asked.runs, "paired_runs": asked.paired_runs}
    made = held.rows.table(columns, kept, **how)
    return _named(replace(made, notes=(*made.notes, *notes)), asked)


def _named(made: Table, asked: RowsAsked) -> Table:
    """Return the table with what a run is called: the name of its column."""
    runs = None if made.runs is None else replace(made.runs, called=str(asked.run))
    return replace(made, design=replace(made.design, runs=runs))


def check_once(
    held: LongAnswers, runs: Sequence[Any], asked: RowsAsked, others: Callable[[], Mapping[str, Sequence[Any]]]
) -> None:
    """Refuse a question that a run answers twice; a column with which each has one answer is named as that of tasks."""
    cells = list(zip(held.model.tolist(), map(str, runs), held.place.tolist(), strict=True))
    seen = Counter(cells)
    if len(seen) == len(cells):
        return
    (one, run, question), answers = next((cell, times) for cell, times in seen.items() if times > 1)
    parted = {
        name: len(kinds)
        for name, column in others().items()
        if len(kinds := set(column)) < len(held.ids) and len(set(zip(cells, column, strict=True))) == len(cells)
    }
    likely = min(parted, key=lambda name: parted[name], default=None)
    remedy = (
        messages.IF_IDS_RECUR_IN_SEVERAL_TASKS()
        if likely is None
        else messages.WITH_COLUMN_EACH_HAS_ONE_ANSWER(likely=likely, as_task=as_task(likely))
    )
    raise InputError(
        messages.RUN_NAMES_COLUMN_ANSWERS_TO_QUESTION(
            run=asked.run,
            models=held.models[one],
            answers=answers,
            ids=held.ids[question],
            other_run=run,
            remedy=remedy,
        )
    )


def as_task(column: str) -> str:
    """Return what to do about ids that recur in a column."""
    return f"if each {column!r} is a task of its own, say {setting('task', column)}; else make ids unique"


def _answered(cells: Ints, pairs: Sequence[tuple[int, str]], held: LongAnswers, on_bad: str) -> tuple[Ints, list[str]]:
    """Return the questions that every run answered, and a note on the others."""
    kept = np.flatnonzero((cells > 0).all(0))
    said = [
        f"{run!r} of {held.models[model]!r} has no answer to {int((row == 0).sum()):,} "
        f"({quoted([held.ids[at] for at in np.flatnonzero(row == 0)[:3]])})"
        for (model, run), row in zip(pairs, cells, strict=True)
        if (row == 0).any()
    ]
    if not said:
        return kept, []
    shown = "; ".join(said[:4]) + (messages.AND_MORE_RUNS(more=len(said) - 4) if len(said) > 4 else "")
    if on_bad == "refuse" or not len(kept):
        raise InputError(messages.RUNS_DID_NOT_ANSWER_SAME_QUESTIONS(shown=shown))
    return kept, [questions_left_out(len(kept), len(held.ids), shown)]

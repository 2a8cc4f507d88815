"""hs.tasks: tables of several data sets, the tasks of a benchmark or the studies of a meta-analysis, as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice, is_number, quoted
from howsure.errors.messages.sources import kinds as messages
from howsure.results.base import Note, note_of
from howsure.sources.kinds.runs import with_runs_as
from howsure.tables.linearised import metric_on
from howsure.tables.table import Table
from howsure.tables.tasks.of_tasks import of_one_kind, stacked_tasks, with_tasks

WEIGHTS = ("equal", "size")


def tasks(tables: Mapping[str, Table], *, tasks: str = "fixed", weights: str | Mapping[str, float] = "equal") -> Table:
    """Return the tables of several tasks as one: a metric is the mean of its values in the tasks.

    ``tasks="fixed"``: these very tasks are meant, the benchmark as it is, and only rows are sampled. ``"random"``: they
    are a sample of tasks like these, and the spread between them counts (Student's t on tasks − 1 degrees of freedom,
    never shorter than the rows allow). ``weights``: "equal", by "size" (rows), or a number for each task. All tables
    hold the same models, compared on the same rows of each task; labels may differ from task to task. The published
    counts or matrices of several studies are such tables too.

    >>> from howsure import counts, estimate
    >>> t = tasks({"north": counts(tp=40, fp=9, fn=10, tn=41), "south": counts(tp=18, fp=4, fn=2, tn=76)})
    >>> t
    Table(200 rows, 2 tasks, 1 model)
    >>> print(f"{estimate(t, 'recall').value:.4f}")  # the mean of 0.8 and 0.9
    0.8500
    """
    held = _checked(tables)
    return with_tasks(stacked_tasks(held, _weights(weights, held), notes=(*_remarks(held), *_alike(held))), tasks)


def _checked(tables: Any) -> dict[str, Table]:
    """Return the tables by name, each with the models in one order; what does not fit together is refused."""
    if not isinstance(tables, Mapping) or not tables:
        raise InputError.of("tables", tables, messages.MAP_NAME_OF_EACH_TASK())
    for name, one in tables.items():
        if not isinstance(one, Table):
            raise InputError(messages.TABLES_FOR_TASK(kind=type(one).__name__, name=name))
        if not one.n:
            raise InputError(messages.TASK_HOLDS_NO_ROWS(name=name))
        if one.design.tasks is not None:
            raise InputError(messages.TASK_HOLDS_TASKS_ITSELF(name=name))
        if not one.contents.one_of_tasks:
            raise InputError(messages.TASK_HAS_JUDGE_MOVES_ROWS(name=name))
    (first, model), *others = tables.items()
    held = {str(first): model}
    for name, other in others:
        _check_models(str(first), model, str(name), other)
        held[str(name)] = with_runs_as(other.pick(*model.models), model.runs)
        _check_alike(str(first), model, str(name), held[str(name)])
    return held


def _check_models(first: str, one: Table, name: str, other: Table) -> None:
    if set(other.models) != set(one.models):
        raise InputError(
            messages.TASK_HOLDS_MODELS_BUT_TASK_HOLDS(
                first=first, models=quoted(one.models), name=name, other_models=quoted(other.models)
            )
        )


def _check_alike(first: str, one: Table, name: str, other: Table) -> None:
    if not of_one_kind(one.contents, other.contents):
        kinds = (one.contents.kind_words, other.contents.kind_words)
        raise InputError(messages.TASKS_OF_TWO_KINDS(first=first, kinds=kinds[0], name=name, other_kinds=kinds[1]))
    scales = [metric_on(table, table.contents.leading) for table in (one, other)]
    if (scales[0].range, scales[0].better) != (scales[1].range, scales[1].better):
        ends = [f"{scale.range[0]:g} to {scale.range[1]:g}, better when {scale.better}" for scale in scales]
        raise InputError(
            messages.TASKS_ON_TWO_SCALES(
                scales=scales[0].name, first=first, ends=ends[0], name=name, other_ends=ends[1]
            )
        )
    if other.design.runs != one.design.runs:
        raise InputError(messages.TASKS_HAVE_OTHER_RUNS_OF_THEIR(first=first, name=name))
    if (other.groups is None) != (one.groups is None):
        raise InputError(messages.ONE_OF_TASKS_HAS_GROUPS(first=first, name=name))


def _weights(weights: Any, held: Mapping[str, Table]) -> dict[str, float]:
    if isinstance(weights, str):
        check_choice("weights", weights, WEIGHTS)
        return {name: 1.0 if weights == "equal" else one.design.total for name, one in held.items()}
    if not isinstance(weights, Mapping):
        raise InputError.of("weights", weights, messages.EQUAL_SIZE_OR_NUMBER_FOR_EACH())
    given = {str(name): weight for name, weight in weights.items()}
    if set(given) != set(held):
        raise InputError(messages.WEIGHTS_NAMES_BUT_TASKS(given=quoted(given), held=quoted(held)))
    for name, weight in given.items():
        if not is_number(weight) or not np.isfinite(weight) or weight <= 0:
            raise InputError(messages.WEIGHTS_FOR_TASK(weight=weight, name=name))
    return {name: float(given[name]) for name in held}


def _remarks(held: Mapping[str, Table]) -> list[str]:
    """Return what the tables say of themselves: once where all say it, else under the task's name."""
    notes = [[Note(text) for text in one.notes] for one in held.values()]
    common = [note for note in notes[0] if all(note in others for others in notes)]
    own = [
        Note(f"{name}: {note.marked}", note.kind)
        for name, some in zip(held, notes, strict=True)
        for note in some
        if note not in common
    ]
    return [*common, *own]


def _alike(held: Mapping[str, Table]) -> list[Note]:
    """Say when two tasks look like the same rows: tasks must not share rows."""
    seen: dict[tuple[Any, ...], str] = {}
    for name, one in held.items():
        truth = () if one.contents.answers else tuple(one.contents.support(one.counts).tolist())
        looks = (one.n, *truth, *one.labels)
        if truth and one.n > 1 and looks in seen:
            return [note_of("tasks of same rows", "same rows", first=seen[looks], second=name)]
        seen[looks] = name
    return []

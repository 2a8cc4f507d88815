"""Both questions that tasks raise: on these tasks, and on tasks like these; each task, and one new one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.comparisons.methods.pair_method import PairFindings
from howsure.comparisons.methods.tasks import limits_over_tasks
from howsure.comparisons.pair import Pair, p_by_inversion
from howsure.estimates.methods.tasks import without_precision
from howsure.estimates.tail import Tail
from howsure.numerics.pooling.new_task import NewTask
from howsure.numerics.pooling.random_effects import heterogeneity
from howsure.results.base import Note, note_of
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.sentences.ranking import rank_text
from howsure.results.tasks.over_tasks import Answer, NewTaskLimits, OverTasks, TaskRow, Unlike
from howsure.results.words import count, number, p_said, percent
from howsure.tables.design_notes import FEW_TASKS
from howsure.tables.table import Table
from howsure.tables.tasks.of_tasks import with_tasks
from howsure.tables.tasks.task_values import TaskValues


def over_tasks(
    made: Comparison, pair: Pair, each: Mapping[str, tuple[Pair, PairFindings | None]], fixed: PairFindings, tail: Tail
) -> OverTasks:
    """Return what the tasks of a comparison say; ``fixed`` was found with these very tasks meant."""
    assert pair.tasks is not None
    known = pair.tasks.known
    shares = dict(zip(pair.tasks.names, pair.tasks.shares.tolist(), strict=True))
    rows = tuple(_row(name, *one, shares[name]) for name, one in each.items())
    these = Answer(fixed.low, fixed.high, fixed.p(0.0, "two-sided"))
    if len(known.names) < 2:
        return OverTasks(rows, these, None, None, "fixed")
    like = Answer(*limits_over_tasks(pair, tail), p_by_inversion(pair, limits_over_tasks, 0.0, "two-sided"))
    new = new_task(known, made.level, made.better)
    return OverTasks(rows, these, like, new, "random" if pair.tasks.random else "fixed", unlike(known))


def _row(name: str, pair: Pair, found: PairFindings | None, share: float) -> TaskRow:
    ends = (math.nan,) * 3 if found is None else (found.low, found.high, found.p(0.0, "two-sided"))
    return TaskRow(name, pair.difference, *ends, pair.a.value, pair.b.value, pair.a.n, share)


def new_task(known: TaskValues, level: float, better: str | None) -> NewTaskLimits:
    """Return where the value on one more task like these may lie, and how probably it is on the better side of 0."""
    law = NewTask(
        float(known.values.mean()), float(known.values.var(ddof=1)), float(known.variances.mean()), len(known.names)
    )
    below = law.below(0.0)
    return NewTaskLimits(*law.interval(level), below if better == "lower" else 1 - below)


def unlike(known: TaskValues) -> Unlike | None:
    """Return how unlike tasks are; None where they cannot be weighed against each other by their variances."""
    if without_precision(known) is not None:
        return None
    found = heterogeneity(known.values, known.variances)
    return Unlike(found.q, found.degrees, found.p_value, float(np.sqrt(found.tau_squared)), found.i_squared)


def task_notes(found: OverTasks, pair: Pair) -> tuple[Note, ...]:
    """Return what is to be said of tasks: that they are few, and how unlike they are."""
    notes = []
    if found.random is not None and len(found.rows) < FEW_TASKS and not pair.a.design.tasks_sampled:
        notes.append(note_of("few tasks", "few tasks", size=count(len(found.rows))))
    if found.heterogeneity is not None:
        notes.append(unlike_note(found.heterogeneity, pair.a.contents.unit))
    return tuple(notes)


def unlike_note(found: Unlike, unit: str) -> Note:
    """Return how unlike tasks are, in words."""
    shared: dict[str, Any] = {"unit": unit, "q": f"{found.q:.1f}", "p": p_said(found.p_value)}
    if not found.tau > 0:
        return note_of("tasks alike", "unlike", **shared)
    return note_of("tasks unlike", "unlike", tau=number(found.tau), share=percent(round(found.i_squared, 2)), **shared)


def other_question(table: Table) -> Table | None:
    """Return a table of tasks with its tasks taken the other way, as a sample or as these very ones; None without."""
    sampled = table.design.tasks
    if sampled is None or len(sampled) < 2:
        return None
    return with_tasks(table, "fixed" if sampled.random else "random")


def other_ranks(made: Comparisons, other: Comparisons, table: Table) -> Note:
    """Return the ranks that the other question leaves open, in the order of the models."""
    sampled = table.design.tasks
    assert sampled is not None
    order = sorted(made.ranks, key=lambda name: made.ranks[name])
    said = ", ".join(f"{name} {rank_text(*other.rank_ranges[name])}" for name in order)
    return note_of("ranks on these" if sampled.random else "ranks like these", "both", ranks=said, size=len(sampled))

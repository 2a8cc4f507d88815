"""Notes on any estimate: undefined values, groups and weights, and what they make it worth; the words for it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from howsure.results.base import Note, note_of
from howsure.results.words import count, units
from howsure.tables.sampling.effect import MOST_ROWS

if TYPE_CHECKING:
    from howsure.tables.design import Design
    from howsure.tables.linearised import Linearised
    from howsure.tables.strata import Strata

FEW_GROUPS = 30
FEW_TASKS = 5
HELD_FIXED = ("the models", "their training", "the labels")
SET_OF_RUNS = ("the training data", "the labels")


def sampled_words(design: Design, unit: str) -> str:
    """Return what was sampled, by its own name."""
    rows = units(design.n, unit)
    grouped = rows if design.n_groups is None else f"{rows} of {units(design.n_groups, design.grouped_by)}"
    grouped = grouped if design.tasks is None else f"{grouped} in {units(len(design.tasks), 'task')}"
    if design.runs is None or not design.runs.factor.random or max(design.runs.numbers) < 2:
        return grouped
    numbers = sorted(set(design.runs.numbers))
    return f"{grouped} × {' or '.join(map(count, numbers))} {design.runs.called}s"


def held_fixed(design: Design) -> tuple[str, ...]:
    """Return what was not sampled; where runs were, the training data stay, and tasks if these very ones are meant."""
    tasks = ("the tasks",) if design.tasks is not None and not design.tasks.random else ()
    shares = ("the prevalence",) if design.strata is not None and design.strata.weighted_to else ()
    if design.runs is None or max(design.runs.numbers) < 2:
        return tasks + HELD_FIXED + shares
    return (
        tasks
        + (SET_OF_RUNS if design.runs.factor.random else (f"these {design.runs.called}s", *HELD_FIXED[-1:]))
        + shares
    )


def what_binds(design: Design) -> str | None:
    """Return what rows have that are not drawn one by one, or do not count alike, and what it does; None otherwise."""
    if design.runs is not None and max(design.runs.numbers) > 1:
        return f"several {design.runs.called}s of a model, and more rows tell nothing of other {design.runs.called}s"
    if design.independent:
        return None
    if design.groups is not None:
        return "groups, and what was seen of a group tells of its other rows"
    if design.judge is not None:
        return "a judge, whose weight is fitted to all rows at once"
    if design.strata is not None:
        return "strata, whose rows were not drawn from one source"
    if design.weighted:
        return "weights, and a row to come may weigh more than all so far"
    return "more than rows that was sampled"


def design_notes(linear: Linearised) -> tuple[Note, ...]:
    """Return what is said of an estimate because of how its rows were sampled."""
    sampled = _weights(linear) if linear.design.tasks is None else _tasks(linear)
    return (*_groups(linear), *sampled, *_one_run(linear))


def _one_run(linear: Linearised) -> list[Note]:
    """Say where runs were given, and each model has one, that its training is taken as fixed."""
    runs = linear.design.runs
    if runs is None or not runs.names or max(runs.numbers) > 1:
        return []
    return [note_of("run each" if len(runs.names) > 1 else "one run", "runs", called=runs.called)]


def _tasks(linear: Linearised) -> list[Note]:
    """Return what was sampled, these tasks' rows or tasks like these, and that few tasks say little of others."""
    sampled, unit = linear.design.tasks, linear.contents.unit
    assert sampled is not None
    how = "tasks random" if sampled.random else "tasks fixed"
    crossed = "" if linear.crossing is None or linear.factor is None else f" and {linear.factor.called}s"
    notes = [note_of(how, "tasks", size=count(len(sampled)), sampled=f"{unit}s{crossed}")]
    if sampled.random and len(sampled) < FEW_TASKS:
        notes.append(note_of("few tasks", "few tasks", size=count(len(sampled))))
    return notes


def _groups(linear: Linearised) -> list[Note]:
    groups, unit, name = linear.design.n_groups, linear.contents.unit, linear.design.grouped_by
    if groups is None:
        return []
    if groups == 1:
        return [Note(f"all {unit}s belong to one {name}, so the spread between them is unknown; give more", "groups")]
    rows = units(linear.n, unit)
    law = "Student's t with {:g} degrees of freedom" if np.isfinite(linear.degrees) else "the normal distribution"
    degrees = law.format(round(linear.degrees, 1))
    alike = "alike" if round(linear.effective_n) < linear.n else "no more alike than others"
    notes = [
        Note(
            f"{unit.capitalize()}s of one {name} are {alike}: for {linear.said}, {rows} count like "
            f"{count(round(linear.effective_n))}.",
            "groups",
        ),
        Note(
            f"{rows} in {units(groups, name)}: design effect {linear.design_effect:.2f}, {degrees}", "degrees",
            detail=True,
        ),
    ]  # fmt: skip
    if not linear.design_effect > 0:
        text = f"no {unit} moves the value, so that there is no design effect"
        notes = [Note(f"{rows} in {units(groups, name)}: {text}; {degrees}", "groups", detail=True)]
    if groups < FEW_GROUPS:
        text = f"only {units(groups, name)}: below about {FEW_GROUPS} an interval for clustered {unit}s is uncertain"
        notes.append(Note(text, "few groups"))
    return notes


def _weights(linear: Linearised) -> list[Note]:
    if not linear.design.weighted:
        return []
    unit, strata = linear.contents.unit, linear.design.strata
    if strata is not None and strata.weighted_to and _unmoved(linear, strata):
        return [Note(f"{linear.said} does not change with the prevalence", "weights")]
    how = f"{unit}s carry sampling weights"
    if strata is not None:
        after = strata.weighted_to
        how = f"{unit}s are weighted to {after}" if after else f"{unit}s were sampled within strata"
    drawn = "drawn there" if strata is not None and strata.weighted_to else "drawn evenly"
    worth = f"{how}: for {linear.said}, {units(linear.n, unit)} count like {linear.effective_n:,.0f} {drawn}"
    if linear.effective_n >= MOST_ROWS / 2:
        worth = f"{how}: {linear.said} is known from them, nothing is left to vary"
    return [Note(worth, "weights"), *linear.contents.weight_notes(linear.design)]


def _unmoved(linear: Linearised, strata: Strata) -> bool:
    """Say whether more or fewer rows of a class would leave the value as it is: no class moves it on average."""
    means = strata.means(linear.influence[None], linear.design.weights)
    return bool(np.abs(means).max() <= 1e-9 * linear.scale)


def more_in_each_group(linear: Linearised) -> tuple[Note, ...]:
    """Return how far more rows in each group (answers to a question) could shorten the interval.

    The variance between group means holds the variance within a group over its number of rows; only that part goes away
    with more rows (Miller 2024, section 3).
    """
    design = linear.design
    if design.groups is None or design.strata is not None or not linear.variance > 0:
        return ()
    _, codes = np.unique(design.groups, return_inverse=True)
    rows, weights = np.bincount(codes, weights=design.counts), np.bincount(codes, weights=design.weights)
    spare = float((rows - 1).sum())
    if spare < 1 or len(rows) < 2:
        return ()
    mean = np.bincount(codes, weights=linear.influence * design.weights) / np.where(weights > 0, weights, 1.0)
    within = float(design.counts @ (linear.influence - mean[codes]) ** 2) / spare
    share = weights / weights.sum()
    left = max(1.0 - within * float((share**2 / np.maximum(rows, 1)).sum()) / linear.variance, 0.0)
    text = (
        f"more rows in each group can shorten the interval to no less than {math.sqrt(left):.0%} of its length; more "
        "groups have no such limit"
    )
    if not left:
        text = "groups differ no more than their rows do: more rows in each group help as much as more groups"
    return (Note(text, "within groups"),)


def plain_notes(linear: Linearised) -> tuple[Note, ...]:
    """Return what is said of any estimate that is undefined or has no standard error."""
    name = linear.said
    if linear.n == 0:
        return (Note(f"{name} is undefined: the table holds no rows", "undefined"),)
    if np.isnan(linear.value):
        return (Note(f"{name} is undefined here", "undefined"),)
    return no_slope(linear)


def no_slope(linear: Linearised) -> tuple[Note, ...]:
    """Return a note where a value has no standard error because the metric has no finite slope there."""
    if np.isfinite(linear.value) and np.isnan(linear.variance) and linear.design.n_groups != 1:
        text = f"{linear.said} has no finite slope at {linear.value:.3g}, hence no standard error"
        return (Note(text, "boundary"),)
    return ()

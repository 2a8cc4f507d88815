"""Notes on estimates that are means over runs: what a run covers, and what more runs would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from howsure.errors import setting
from howsure.results.base import Note
from howsure.results.words import amount, count, percent, worded
from howsure.tables.design_notes import plain_notes
from howsure.tables.sampling.crossed import projected
from howsure.tables.sampling.spread import NormalQuantile, Spread

if TYPE_CHECKING:
    from howsure.tables.linearised import Linearised

KIND, COVERED = "runs", "what runs cover"  # causes: a reader in a hurry is told one sentence of each
COVERS = (
    "Runs cover the luck of the seed, the prompt or the reader with this training set; the luck of the training set is "
    "covered by runs on sets drawn anew, or by cross-validation alone."
)
FAR = 3.0  # spreads of the other runs beyond which a run is named, if that is rare by chance
RARE = 0.01
CLEAR = 0.02  # of the range: a run that differs by less is not named
USUAL = NormalQuantile(1.959963984540054)


def run_notes(linear: Linearised) -> tuple[Note, ...]:
    """Return what is said of a mean over runs: what is undefined, what the runs are, and what its rows hold."""
    undefined = int(linear.details.get("undefined", 0))
    if undefined:
        return _undefined(linear, undefined)
    own = [run.contents.notes(run) for run in linear.runs]
    common = [note for note in own[0] if all(note in others for others in own)]
    return (*plain_notes(linear), *_peculiar(linear), *runs_said([linear], linear.spread), *common)


def _undefined(linear: Linearised, undefined: int) -> tuple[Note, ...]:
    called = linear.factor.called if linear.factor is not None else "run"
    whole = len(linear.runs) + int(linear.details.get("left out", 0))
    how = "the mean is of the others" if linear.details.get("left out") else "so that their mean is undefined"
    text = f"{linear.said} is undefined in {undefined} of {amount(whole, called)}: {how}"
    return (Note(text, "undefined"),)


def runs_said(linears: Sequence[Linearised], spread: Spread) -> tuple[Note, ...]:
    """Return what was sampled of runs behind one estimate, or behind a difference, and what more of them would do."""
    factor = next((linear.factor for linear in linears if linear.factor is not None), None)
    if factor is None:
        return ()
    called, numbers = factor.called, sorted({len(linear.runs) for linear in linears if len(linear.runs) > 1})
    if not numbers:
        return ()
    each = " of each" if len(linears) > 1 and all(len(linear.runs) == numbers[0] for linear in linears) else ""
    runs = f"{' and '.join(map(count, numbers))} {called}s{each}"
    if not factor.random:
        return (Note(f"{runs}, these very ones: another {called} may score otherwise.", KIND),)
    lone = [linear.model for linear in linears if len(linear.runs) < 2]
    single = [Note(f"{worded(lone)} has one {called}: its training is taken as fixed.", KIND)] if lone else []
    covers = () if factor.of_truth else (Note(COVERS, COVERED),)
    if linears[0].design.tasks_sampled:
        return (Note(f"{runs}, of which each task has the mean.", KIND), *single, *covers)
    return (Note(f"{runs}. {_more(spread, numbers[0], called)}", KIND), *single, *covers, *_shared(linears))


def _shared(linears: Sequence[Linearised]) -> list[Note]:
    """Offer to pair runs that have the same names in two models: prompts and readers are shared, seeds are not."""
    runs = linears[0].design.runs
    if runs is None or runs.paired or len(linears) < 2 or len(set(runs.names)) > 1 or not _named(runs.names[0]):
        return []
    text = f"the models have {runs.called}s of the same names: if run k is the same prompt or reader in all, say "
    return [Note(f"{text}{setting('paired_runs', True)}", KIND, detail=True)]


def _named(names: Sequence[str]) -> bool:
    """Say whether runs were given names, and not numbered by their order."""
    return list(names) != [str(at + 1) for at in range(len(names))]


def _more(spread: Spread, number: int, called: str) -> str:
    """Say how much of the uncertainty runs are, and how much more runs, or rows, would shorten the interval."""
    # as a pilot of itself: what the components say that runs and rows as many as now give
    half, share = float(projected(spread, number, to=number).half(USUAL)), spread.shares.get(KIND, 0.0)
    if not half > 0:
        return f"All {called}s give the same value, and no row moves it."
    added = 1 if number == 2 else number
    by_runs, by_rows = (
        percent(round(1 - float(projected(spread, number, to=to, rows=rows).half(USUAL)) / half, 2))
        for to, rows in ((number + added, 1.0), (number, 10.0))
    )
    if number == 2:
        return (
            f"Two {called}s say little about the spread between {called}s: a third would shorten the interval by "
            f"{by_runs}, ten times the rows by {by_rows}."
        )
    if share < 0.005:
        return (
            f"More {called}s would add little: all of the spread between {called}s is what the rows explain. Ten times "
            f"the rows would shorten the interval by {by_rows}."
        )
    return (
        f"The spread between {called}s is {percent(round(share, 2))} of the uncertainty: {added} more {called}s would "
        f"shorten the interval by {by_runs}, ten times the rows by {by_rows}."
    )


def _peculiar(linear: Linearised) -> list[Note]:
    """Name runs that are the same, and those far from the others."""
    assert linear.factor is not None
    called, names = linear.factor.called, _names(linear)
    notes = [
        Note(f"{called}s {names[first]} and {names[second]} are the same in every row: was the seed set?", "same runs")
        for first, second in linear.details.get("same", ())
    ]
    if linear.metric.label is not None or len(linear.runs) < 4:
        return notes
    # by chance one of R runs lies so far from the others in one of a hundred cases
    far = NormalQuantile(float(-ndtri(RARE / (2 * len(linear.runs))))).quantile(len(linear.runs) - 2)
    for at, value in enumerate(run.value for run in linear.runs):
        rest = np.array([run.value for run in linear.runs if run is not linear.runs[at]])
        reach = max(FAR, far * float(np.sqrt(1 + 1 / len(rest)))) * float(rest.std(ddof=1))
        if abs(value - rest.mean()) > max(reach, CLEAR * linear.scale):
            text = f"{called} {names[at]} lies far from the others ({value:.3g} against {rest.mean():.3g})"
            notes.append(Note(f"{text}; it counts as any other", "far run"))
    return notes


def _names(linear: Linearised) -> list[str]:
    runs = linear.design.runs
    if runs is None:
        return [str(place + 1) for place in range(len(linear.runs))]
    first = runs.starting(linear.place)
    model = next(at for at in range(len(runs.names)) if runs.places(at) == first)
    return [runs.names[model][run.place - linear.place] for run in linear.runs]

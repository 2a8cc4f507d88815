"""Notes on values and sums per unit: what is undefined, few units, one unit that makes most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from howsure.errors import setting
from howsure.results.base import Note
from howsure.results.words import count
from howsure.tables.design_notes import plain_notes
from howsure.types import Array

if TYPE_CHECKING:
    from howsure.tables.linearised import Linearised

FEW, FEW_EFFECTIVE, MOST = 20, 10, 0.5


def unit_notes(linear: Linearised, sums: Array, rates: Array, names: Sequence[str]) -> tuple[Note, ...]:
    """Return the notes on a metric of units, whose own rates and sums are given."""
    held = linear.design.weights > 0
    found = plain_notes(linear)
    if not np.isfinite(linear.value):
        return found
    return (*found, *_few(linear), *_heavy(linear, rates, held), *_worst(linear, sums, rates, names))


def mean_notes(linear: Linearised, rates: Array) -> tuple[Note, ...]:
    """Return the notes on a mean of the units' own rates, of which some may be 0/0."""
    undefined = float(linear.design.counts[(linear.design.weights > 0) & np.isnan(rates)].sum())
    if not undefined:
        return _few(linear)
    left, them = ("it is left out", "it") if undefined == 1 else ("they are left out", "them")
    how = left if linear.undefined == "skip" else f"{setting('undefined', 'skip')} leaves {them} out"
    text = f"{linear.metric.name} is undefined (0/0) in {count(undefined)} of {count(linear.n)} units; {how}"
    return (Note(text, "undefined"), *_few(linear))


def _few(linear: Linearised) -> tuple[Note, ...]:
    units = linear.design.n_groups or linear.n
    what = "groups" if linear.design.groups is not None else "units"
    text = f"few {what}: {count(units)}; below {FEW} an interval of a ratio may miss its level by several points"
    return (Note(text, "few units"),) if units < FEW else ()


def _heavy(linear: Linearised, rates: Array, held: Array) -> tuple[Note, ...]:
    """Say when one unit holds most of what is divided by: of a ratio, φ/(rate − r) is a unit's size over the mean."""
    away = rates - linear.value
    told = held & np.isfinite(away) & (np.abs(away) > 1e-9 * (1 + abs(linear.value)))
    if not told.any():
        return ()
    sizes = np.abs(linear.influence[told] / away[told])
    times = linear.design.counts[told]
    effective = float(times @ sizes) ** 2 / float(times @ sizes**2)
    if effective >= FEW_EFFECTIVE or linear.n < FEW_EFFECTIVE:
        return ()
    text = f"a few units hold most of it: they are worth {effective:.1f} units of equal size"
    return (Note(text, "unequal units"),)


def _worst(linear: Linearised, sums: Array, rates: Array, names: Sequence[str]) -> tuple[Note, ...]:
    """Say when the unit with the worst rate makes most of the interval of a ratio without an upper end."""
    moments = linear.contents.ratio(linear, linear.effective_n)
    if moments is None or moments.worst_part <= MOST:
        return ()
    unit = int(np.nanargmax(np.where(np.isfinite(rates), rates, -np.inf)))
    shown = ", ".join(f"{name} {value:g}" for name, value in zip(names, sums[unit], strict=True))
    text = (
        f"the interval allows for units as bad as the worst one seen, {moments.worst:.3g} ({shown}), which makes most "
        "of its length; join tiny units, or check that one"
    )
    return (Note(text, "worst unit"),)

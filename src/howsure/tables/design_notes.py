"""Notes on how rows were sampled: groups and weights, and what they make an estimate worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from howsure.results.base import Note
from howsure.results.words import count
from howsure.tables.sampling.effect import MOST_ROWS

if TYPE_CHECKING:
    from howsure.tables.linearised import Linearised

FEW_GROUPS = 30


def design_notes(linear: Linearised) -> tuple[Note, ...]:
    """Return what is said of an estimate because of how its rows were sampled."""
    return (*_groups(linear), *_weights(linear))


def _groups(linear: Linearised) -> list[Note]:
    groups = linear.design.n_groups
    if groups is None:
        return []
    if groups == 1:
        return [
            Note(
                "all rows belong to one group, so the spread between groups is unknown; give more groups",
                "groups",
            )
        ]
    effect = f"design effect {linear.design_effect:.2f}, worth {linear.effective_n:,.0f} independent rows"
    if not linear.design_effect > 0:
        effect = "no row moves the value, so that there is no design effect"
    degrees = f"Student's t with {round(linear.degrees, 1):g} degrees of freedom"
    notes = [Note(f"{count(linear.n)} rows in {groups} groups: {effect}; {degrees}", "groups")]
    if groups < FEW_GROUPS:
        notes.append(
            Note(
                f"only {groups} groups: below about {FEW_GROUPS} a cluster-robust error is itself uncertain",
                "few groups",
            )
        )
    return notes


def _weights(linear: Linearised) -> list[Note]:
    if not linear.design.weighted:
        return []
    how = "rows carry sampling weights" if linear.design.strata is None else "rows were sampled within strata"
    worth = f"{how}: worth {linear.effective_n:,.1f} independent rows for {linear.metric.name}"
    if linear.effective_n >= MOST_ROWS / 2:
        worth = f"{how}: {linear.metric.name} is known from them, nothing is left to vary"
    return [Note(worth, "weights"), *linear.contents.weight_notes(linear.design)]

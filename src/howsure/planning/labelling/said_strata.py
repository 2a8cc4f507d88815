"""The strata of a pool by what judges and models say of a row, and how labels are shared out between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from howsure.metrics.metric import Label, Metric
from howsure.planning.labelling.allocation import LEAST, StrataCells, pool_of
from howsure.tables.kinds.annotators.said_rows import SaidRows
from howsure.tables.table import positive_of
from howsure.types import Array, Ints

OTHER = "other"
NO_ANSWER = "no answer"
PRIOR = 2.0  # rows that repeat what judge and models say, beside the labels of a stratum
AMISS = 0.02  # of them have any label: judge and model may be wrong alike


@dataclass(frozen=True)
class SaidStrata:
    """The strata of a pool: the rows of each, what is said there (−1 for no answer), how many have which true label."""

    names: tuple[str, ...]
    of_row: Ints
    apart: Array
    size: Array
    truths: Array

    @property
    def had(self) -> Array:
        """Labels that there are."""
        return np.asarray(self.truths.sum(1))


def strata_of(sides: SaidRows) -> SaidStrata:
    """Return a stratum for everything that judges and models say together."""
    seen, of_row = np.unique(sides.said, axis=0, return_inverse=True)
    of_row = of_row.ravel()

    def name(row: Sequence[int]) -> str:
        words = (f"{who} {NO_ANSWER if at < 0 else sides.labels[at]}" for who, at in zip(sides.names, row, strict=True))
        return ", ".join(words)

    apart = (seen != seen[:, :1]).any(1) | (seen < 0).any(1)
    truths = np.zeros((len(seen), len(sides.labels)))
    known = sides.truth >= 0
    np.add.at(truths, (of_row[known], sides.truth[known]), sides.counts[known])
    size = np.bincount(of_row, weights=sides.counts)
    return SaidStrata(tuple(map(name, seen.tolist())), of_row, apart, size, truths)


def join_small(kinds: SaidStrata, sizes: Array) -> SaidStrata:
    """Return the strata with those taken as one that would get fewer than two labels, with company if need be."""
    small = (sizes < LEAST) | (kinds.size < LEAST)
    for place in np.argsort(kinds.size, kind="stable"):  # one alone is no company: the next in size joins it
        if not small.any() or (small.sum() > 1 and kinds.size[small].sum() >= LEAST):
            break
        small[place] = True
    if not small.any():
        return kinds
    small |= np.array(kinds.names) == OTHER
    kept = np.flatnonzero(~small)
    place = np.full(len(small), len(kept))
    place[kept] = np.arange(len(kept))
    of_row = place[kinds.of_row]
    truths = np.zeros((len(kept) + 1, kinds.truths.shape[1]))
    np.add.at(truths, place, kinds.truths)
    apart = np.append(kinds.apart[kept], kinds.size[small] @ kinds.apart[small] > kinds.size[small].sum() / 2)
    names = (*(kinds.names[at] for at in kept), OTHER)
    return SaidStrata(names, of_row, apart, np.bincount(place, weights=kinds.size), truths)


def least_labels(kinds: SaidStrata) -> Array:
    """Return the labels that each stratum must have: those it has, and two where there are as many rows."""
    return np.maximum(kinds.had, np.minimum(kinds.size, LEAST))


def shared_out(sides: SaidRows, kinds: SaidStrata, n: int, metric: Metric, pos_label: Label | None) -> Array:
    """Return how labels are best shared between the strata, by the labels so far and what judge and models say."""
    squares = np.zeros(len(kinds.names))
    for model in range(sides.models.shape[1]):
        stratum, cells = cells_of(sides, kinds, model, pos_label)
        sizes = pool_of(metric, cells).sizes(float(kinds.had.sum()) + n)
        squares += np.square(np.bincount(stratum, weights=sizes, minlength=len(squares)))
    return np.asarray(np.sqrt(squares))


def cells_of(sides: SaidRows, kinds: SaidStrata, model: int, pos_label: Label | None) -> tuple[Ints, StrataCells]:
    """Return the stratum of each column of cells, and the cells: shares of the pool by true class.

    A stratum of several predicted classes ("other") has a column for each of them.
    """
    parts = np.zeros((len(kinds.names), len(sides.labels)))
    np.add.at(parts, (kinds.of_row, sides.models[:, model]), sides.counts)
    stratum, predicted = np.nonzero(parts)
    shares = guessed_truth(sides, kinds)[stratum].T * parts[stratum, predicted] / kinds.size.sum()
    return stratum, StrataCells(
        shares, predicted, sides.labels, positive_of(sides.labels) if pos_label is None else pos_label
    )


def guessed_truth(sides: SaidRows, kinds: SaidStrata) -> Array:
    """Return the shares of true labels in each stratum: the labels so far, and a few rows that repeat what is said."""
    said = np.zeros_like(kinds.truths)
    answers = sides.said >= 0
    np.add.at(said, (np.repeat(kinds.of_row, answers.shape[1])[answers.ravel()], sides.said[answers]), 1.0)
    amiss = np.full(said.shape, 1 / said.shape[1])
    repeated = (1 - AMISS) * said / said.sum(1, keepdims=True) + AMISS * amiss
    return np.asarray((kinds.truths + PRIOR * repeated) / (kinds.had + PRIOR)[:, None])

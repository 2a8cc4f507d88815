"""Labels of people in some rows and of a judge in all: one true class, one predicted class per model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from howsure.tables.contents import Contents, distinct
from howsure.tables.kinds.judge_settle import Alternatives, Measure, one_measure
from howsure.tables.kinds.judged import Judged, share_bins
from howsure.tables.labels import Labels
from howsure.tables.linearised import Linearised
from howsure.types import Array, Ints

MOST_CELLS = 1 << 16  # of truth and predictions that are all listed


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedLabels(Judged):
    """Rows with a judge's label, or its score of the positive class; people's label in some of them."""

    people: Labels

    holds = "one label of people or of a judge each"
    stratifies = True

    def moves(self, rows: Contents, linear: Linearised, place: int) -> Array:
        """Return the influence of rows by their cell."""
        assert isinstance(rows, Labels)
        return rows.sloped(linear.seen.full, place) - linear.seen.centre

    def alternatives(self, linears: Sequence[Linearised], places: Sequence[int]) -> Alternatives:
        """Return every true class beside every combination of predictions, or beside those that occur.

        Where there are very many classes: the predicted one, and another.
        """
        guesses = self.people.predictions[:, list(places)].astype(np.int64)
        classes = self._classes(skipping=linears[0].undefined == "skip")
        patterns, part = self._patterns(guesses, classes)
        truth, of = _truths(patterns, classes)
        predictions = np.zeros((len(truth), self.people.predictions.shape[1]), dtype=np.int64)
        predictions[:, list(places)] = patterns[of]
        return Alternatives(replace(self.people, truth=truth, predictions=predictions), of, part)

    def _classes(self, *, skipping: bool) -> Ints:
        """Return the classes that may occur: all, or those that do where an average skips the others."""
        if not skipping:
            return np.arange(len(self.labels))
        answers = (one.rows.keys()[one.share > 0, 0] for judge in self.judges for one in judge)
        held = (self.people.truth[self.labelled], self.people.predictions.ravel(), *answers)
        return np.unique(np.fromiter(chain.from_iterable(held), dtype=np.int64))

    def _patterns(self, guesses: Ints, classes: Ints) -> tuple[Ints, Ints]:
        """Return combinations of predictions, and the place of each row among them."""
        models = guesses.shape[1]
        if len(classes) ** (models + 1) > MOST_CELLS:
            first, kind = distinct(guesses)
            return guesses[first], kind
        grid = np.stack(np.meshgrid(*[classes] * models, indexing="ij"), axis=-1).reshape(-1, models)
        place = np.searchsorted(classes, guesses)
        return grid, np.ravel_multi_index(tuple(place.T), (len(classes),) * models)

    def summed(self, people: Measure, judge: Measure) -> tuple[Contents, Array]:
        """Return the cells of people and the judge's signed ones; an answer that is missing is as people's rows are."""
        rows, weights = one_measure([*people, *judge])
        own = np.zeros_like(weights)
        size = sum(len(part) for _, part in people)
        own[:size] = weights[:size]
        first, kind = distinct(rows.keys())
        held, base = np.bincount(kind, weights=weights), np.bincount(kind, weights=own)
        return rows.take(first), held + (1.0 - held.sum()) * base

    def kinds_of_row(self, place: int) -> Ints:
        """Return the judge's answer (or a part of its score's range) and the prediction as one number."""
        columns = [self.people.predictions[:, place].astype(np.int64)]
        for judge in self.judges:
            first = judge[0]
            answer = share_bins(first.share) if len(judge) > 1 else first.rows.keys()[:, 0] + 1
            columns.append(np.where(sum(one.share for one in judge) > 0, answer, 0))
        return distinct(np.column_stack(columns))[1]


def _truths(patterns: Ints, classes: Ints) -> tuple[Ints, Ints]:
    """Return true classes beside each combination of predictions, and the combination that each belongs to."""
    if len(patterns) * len(classes) <= MOST_CELLS:
        return np.tile(classes, len(patterns)), np.repeat(np.arange(len(patterns)), len(classes))
    first = patterns[:, 0]
    other = np.where(first == classes[0], classes[-1], classes[0])
    return np.stack([first, other], axis=1).ravel(), np.repeat(np.arange(len(patterns)), 2)

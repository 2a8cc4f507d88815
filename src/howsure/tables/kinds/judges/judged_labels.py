"""Labels of people in some rows and of a judge in all: one true class, one predicted class per model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.kinds.judges.judge_copy import Alternatives, Measure, one_measure
from howsure.tables.kinds.judges.judged import Judged, Reading, RowKind, share_bins
from howsure.tables.labels import Labels
from howsure.tables.linearised import Linearised
from howsure.tables.many_classes import row_slopes
from howsure.tables.sampling.equal_rows import distinct
from howsure.types import Array, Ints

NO_ANSWER = "no answer"
MOST_CELLS = 1 << 16  # of truth and predictions that are all listed


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedLabels(Judged):
    """Rows with a judge's label, or its score of the positive class; people's label in some of them."""

    people: Labels

    holds = "one label of people or of a judge each"
    stratifies = True

    def nothing_said(self) -> Labels:
        """Return the predictions beside the first class, as rows that nobody labelled have it."""
        return replace(self.people, truth=np.zeros_like(self.people.truth))

    def to_arrays(self) -> dict[str, Array]:
        """Return the rows as named arrays: a judge's labels (−1 without an answer) or its scores."""
        codes = [_codes(judge) for judge in self.judges]
        scores = [_score(judge) if len(judge) > 1 else np.full(len(self), np.nan) for judge in self.judges]
        held = {"labelled": self.labelled, "judges": np.stack(codes, 1).astype(np.int32), "scores": np.stack(scores, 1)}
        return self.people.to_arrays() | held

    def moves(self, rows: Contents, linear: Linearised, place: int) -> Array:
        """Return the influence of rows by their cell."""
        assert isinstance(rows, Labels)
        return row_slopes(rows, linear.seen.full, place) - linear.seen.centre

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

    def judge_as_model(self, design: Design) -> tuple[Contents, Design] | None:
        """Return the rows where people and the first judge both gave a label, with the judge as the model."""
        first = self.judges[0][0]
        both = self.labelled & (first.share > 0)
        if len(self.judges[0]) > 1 or not both.any():
            return None
        rows = replace(self.people, predictions=first.rows.keys()[:, :1])
        return rows.take(both), design.take(both)

    def kinds_by_name(self, place: int, counts: Array) -> list[RowKind]:
        """Return how many rows of each kind, by the first judge's label and the prediction, people have labelled."""
        if len(self.judges[0]) > 1:
            return []
        first, guess = self.judges[0][0], self.people.predictions[:, place].astype(np.int64)
        said = np.where(first.share > 0, first.rows.keys()[:, 0], -1)
        kinds = []
        for judge, model in sorted(set(zip(said.tolist(), guess.tolist(), strict=True))):
            part = (said == judge) & (guess == model)
            labelled, free = (float(counts[part & known].sum()) for known in (self.labelled, ~self.labelled))
            name = NO_ANSWER if judge < 0 else str(self.labels[judge])
            kinds.append(RowKind(name, str(self.labels[model]), labelled, free, judge != model))
        return kinds

    def kinds_of_row(self, place: int) -> Ints:
        """Return the judge's answer (or a part of its score's range) and the prediction as one number."""
        columns = [self.people.predictions[:, place].astype(np.int64)]
        for judge in self.judges:
            first = judge[0]
            answer = share_bins(first.share) if len(judge) > 1 else first.rows.keys()[:, 0] + 1
            columns.append(np.where(sum(one.share for one in judge) > 0, answer, 0))
        return distinct(np.column_stack(columns))[1]


def label_reading(rows: Labels, codes: Ints) -> Reading:
    """Return a judge's labels as a reading of rows; below 0 it gave no answer."""
    return Reading(replace(rows, truth=np.maximum(codes, 0)), (codes >= 0).astype(float))


def score_readings(rows: Labels, scores: Array) -> tuple[Reading, ...]:
    """Return scores as two readings: so much of the positive class, and the rest of the other; nan is no answer."""
    answered = ~np.isnan(scores)
    score = np.where(answered, scores, 0.0)
    positive = rows.labels.index(rows.pos_label) if rows.pos_label in rows.labels else 1
    halves = ((positive, score), (1 - positive, np.where(answered, 1 - score, 0.0)))
    return tuple(Reading(replace(rows, truth=np.full(len(rows), code)), share) for code, share in halves)


def _codes(readings: Sequence[Reading]) -> Ints:
    first = readings[0]
    return np.where((first.share > 0) & (len(readings) == 1), first.rows.keys()[:, 0], -1)


def _score(readings: Sequence[Reading]) -> Array:
    answered = sum(one.share for one in readings) > 0
    return np.where(answered, readings[0].share, np.nan)


def _truths(patterns: Ints, classes: Ints) -> tuple[Ints, Ints]:
    """Return true classes beside each combination of predictions, and the combination that each belongs to."""
    if len(patterns) * len(classes) <= MOST_CELLS:
        return np.tile(classes, len(patterns)), np.repeat(np.arange(len(patterns)), len(classes))
    first = patterns[:, 0]
    other = np.where(first == classes[0], classes[-1], classes[0])
    return np.stack([first, other], axis=1).ravel(), np.repeat(np.arange(len(patterns)), 2)

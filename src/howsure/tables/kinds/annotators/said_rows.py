"""SaidRows: what is said of each row of a table, by whom: people where they looked, judges, and models."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from howsure.metrics.metric import Label
from howsure.tables.kinds.judges.judged import Reading
from howsure.tables.kinds.judges.judged_labels import JudgedLabels
from howsure.tables.labels import Labels
from howsure.tables.table import Table
from howsure.types import Array, Ints


class SaidRows(NamedTuple):
    """Places among the labels, −1 where nothing is said: of people, of judges and of models (a column each).

    A row of a Table stands for ``counts`` equal ones.
    """

    truth: Ints
    judges: Ints
    models: Ints
    labels: tuple[Label, ...]
    names: tuple[str, ...]
    counts: Array

    @property
    def said(self) -> Ints:
        """What judges and models say."""
        return np.concatenate([self.judges, self.models], axis=1)


def said_rows(table: Table) -> SaidRows | None:
    """Return what is said of each distinct row; None where rows hold no single labels."""
    contents = table.contents
    if isinstance(contents, JudgedLabels):
        people = contents.people
        truth = np.where(contents.labelled, people.truth.astype(np.int64), -1)
        answers = np.stack([_answers(readings) for readings in contents.judges], axis=1)
        names = (*contents.judge_names, *table.models)
        return SaidRows(truth, answers, people.predictions.astype(np.int64), table.labels, names, table.counts)
    if isinstance(contents, Labels) and contents.negatives:
        none, guesses = np.zeros((len(contents), 0), dtype=np.int64), contents.predictions.astype(np.int64)
        return SaidRows(contents.truth.astype(np.int64), none, guesses, table.labels, table.models, table.counts)
    return None


def _answers(readings: tuple[Reading, ...]) -> Ints:
    """Return the label that a judge gives most weight; −1 where it gave no answer."""
    shares = np.stack([one.share for one in readings])
    places = np.stack([one.rows.keys()[:, 0] for one in readings]).astype(np.int64)
    best = shares.argmax(0)[None]
    return np.where(shares.max(0) > 0, np.take_along_axis(places, best, 0)[0], -1)

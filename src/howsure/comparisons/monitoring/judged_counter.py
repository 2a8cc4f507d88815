"""Counters with a judge: people's labels that arrive late, and what a file holds of a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import comparisons as messages
from howsure.results.words import count
from howsure.tables.kinds.judges.judged_labels import JudgedLabels, label_reading, score_readings
from howsure.tables.labels import Labels
from howsure.tables.table import Table

_DUST = 1e-9  # of a row: what rounding leaves of a count


def with_labels_of_people(held: Table, late: Table) -> Table:
    """Return the table in which rows that nobody had labelled have the labels of ``late``: rows of the same kind.

    Kinds are told by judge, predictions and group. There must be as many such rows as labels.
    """
    contents: Any = late.contents
    if not (contents.labels_may_follow and held.contents.labels_may_follow):
        raise InputError(messages.COUNTER_HAS_COUNTED_NO_ROW())
    if held.weighted or late.weighted:
        raise InputError(messages.ROWS_OF_COUNTER_CARRY_WEIGHTS())
    twin = contents.without_people()
    minus = replace(late, contents=twin, design=late.design.negated())
    found = replace(
        held,
        contents=held.contents.joined(contents).joined(twin),
        design=held.design.joined(late.design).joined(minus.design),
    ).merged()
    lacking = -float(np.minimum(found.counts, 0.0).sum())
    if lacking > _DUST:
        raise InputError(messages.OF_LABELS_ARE_OF_ROWS(lacking=count(lacking), n=count(float(late.n))))
    return found.some_rows(found.counts > _DUST)


def judged_rows(people: Labels, judges: Sequence[Sequence[Any]], arrays: Mapping[str, Any]) -> JudgedLabels:
    """Return the rows of a file that has judges; refuse arrays that do not fit."""
    labelled, codes, scores = (arrays[name] for name in ("labelled", "judges", "scores"))
    shape = (len(people), len(judges))
    known = codes.dtype.kind == "i" and scores.dtype.kind == "f" and labelled.dtype.kind == "b"
    told = scores[~np.isnan(scores)] if known else scores
    if not (known and labelled.shape == shape[:1] and codes.shape == scores.shape == shape):
        raise ValueError(messages.ARRAYS_DO_NOT_FIT_TOGETHER())
    if codes.size and not (codes.min() >= -1 and codes.max() < len(people.labels)):
        raise ValueError(messages.JUDGE_HAS_LABELS_ARE_NOT_LISTED())
    if told.size and not (told.min() >= 0 and told.max() <= 1):
        raise ValueError(messages.JUDGE_HAS_SCORES_OUTSIDE_0())
    readings = tuple(
        score_readings(people, scores[:, place]) if scored else (label_reading(people, codes[:, place]),)
        for place, (_, scored) in enumerate(judges)
    )
    return JudgedLabels(
        people=people, labelled=labelled, judges=readings, judge_names=tuple(str(name) for name, _ in judges),
        labels=people.labels, pos_label=people.pos_label,
    )  # fmt: skip

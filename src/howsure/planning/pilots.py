"""Pilots: tables, files, counts or matrices that say what to expect."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.errors import InputError, numbers_of, quoted
from howsure.errors.messages import planning as messages
from howsure.tables.population import Population, population_of
from howsure.tables.table import Table

PILOTS = messages.GIVE_TABLE_FILE_OF_PREDICTIONS_DICT()


def beside_pilot(name: str) -> InputError:
    """Return the refusal of a rate that is given beside a pilot."""
    return InputError(messages.PILOT_WERE_BOTH_GIVEN(name=name))


def pilot_table(pilot: Any) -> Table:
    """Return a pilot as a table of one model: a Table, a file of predictions, counts tp fp fn tn, or a K×K matrix."""
    from howsure.sources.kinds.counts import counts, matrix

    if isinstance(pilot, (str, os.PathLike)):
        from howsure.sources.read import read

        pilot = read(os.fspath(pilot))
    if isinstance(pilot, Table):
        return _one_model(pilot)
    if isinstance(pilot, Mapping):
        if not {"tp", "fp", "fn"} <= set(pilot) <= {"tp", "fp", "fn", "tn"}:
            raise InputError(messages.PILOT_HAS_KEYS(pilot=quoted(pilot), pilots=PILOTS))
        return counts(**pilot)
    cells = numbers_of("pilot", pilot, PILOTS)
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError(messages.PILOT_SHAPE(shape=cells.shape, pilots=PILOTS))
    return matrix(pilot, rows="truth", pos_label=1 if len(pilot) == 2 else None)


def _one_model(pilot: Table) -> Table:
    if len(pilot.models) != 1:
        raise InputError(messages.PILOT_HOLDS_MODELS(number=len(pilot.models), models=quoted(pilot.models)))
    return pilot


def has_matrix(table: Table) -> bool:
    """Say whether a table is a full confusion matrix of equally weighted rows, from which samples can be drawn."""
    return table.contents.one_truth and table.negatives and not table.weighted


def pilot_population(table: Table, prevalence: float | None) -> Population:
    """Return the shares of a pilot, moved to another prevalence where one is given (recall and specificity stay)."""
    source = population_of(table)
    if prevalence is None:
        return source
    if source.positive is None or source.classes != 2:
        raise InputError(messages.PREVALENCE_BUT_PILOT_CLASSES(prevalence=prevalence, classes=source.classes))
    place = source.labels.index(source.positive)
    target = np.full(2, 1 - prevalence)
    target[place] = prevalence
    actual = source.shares.sum(1)
    if (actual == 0).any():
        raise InputError(messages.PILOT_HOLDS_ONE_TRUE_CLASS_ALONE())
    return Population(source.shares * (target / actual)[:, None], source.positive, source.labels, source.name)

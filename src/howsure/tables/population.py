"""Populations of a study: the true shares of a confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError, is_number, numbers_of, quoted
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Label
from howsure.tables.table import Table
from howsure.types import Array

CELLS = ("tp", "fp", "fn", "tn")
RATES = ("prevalence", "precision", "recall", "specificity")
SHAPES = messages.GIVE_DICT_TP_FP_FN_TN()


@dataclass(frozen=True, eq=False)
class Population:
    """The true shares of a confusion matrix (truth in rows), its labels, and the positive one if it has one."""

    shares: Array
    positive: Label | None = None
    labels: tuple[Label, ...] = ()
    name: str = ""

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.shares)

    def __repr__(self) -> str:
        return f"Population({self.name or self.shares.tolist()})"


def population_of(given: Any, name: str = "") -> Population:
    """Return a population from cells, rates, a matrix of shares or a table.

    >>> population_of(dict(prevalence=0.5, precision=0.8, recall=0.8)).shares.round(2).tolist()
    [[0.4, 0.1], [0.1, 0.4]]
    """
    if given is None:
        raise InputError(messages.POPULATION_IS_MISSING(shapes=SHAPES))
    if isinstance(given, Population):
        return given
    if isinstance(given, Table):
        return _of_table(given, name)
    if isinstance(given, Mapping):
        return Population(_checked(_of_mapping(given)), 1, (0, 1), name)
    shares = numbers_of("population", given, SHAPES)
    if shares.ndim != 2 or shares.shape[0] != shares.shape[1]:
        raise InputError(messages.POPULATION_HAS_SHAPE(shape=shares.shape, shapes=SHAPES))
    return Population(_checked(shares), 1 if len(shares) == 2 else None, tuple(range(len(shares))), name)


def populations_of(given: Any) -> list[Population]:
    """Return one population, or several that carry the names of a mapping or their number in a list."""
    if isinstance(given, Mapping) and given and not set(given) & {*CELLS, *RATES}:
        return [population_of(one, str(name)) for name, one in given.items()]
    if isinstance(given, (list, tuple)) and given and all(map(_is_one, given)):
        return [population_of(one, str(number)) for number, one in enumerate(given)]
    return [population_of(given)]


def _is_one(given: Any) -> bool:
    return isinstance(given, (Mapping, Population, Table)) or np.ndim(given) == 2


def _of_mapping(given: Mapping[str, float]) -> Array:
    for name, share in given.items():
        if name in (*CELLS, *RATES) and not is_number(share):
            raise InputError(messages.POPULATION_NUMBER_FROM_0_TO_1(name=name, share=share))
    if set(given) == set(CELLS):
        tp, fp, fn, tn = (float(given[cell]) for cell in CELLS)
        return np.array([[tn, fp], [fn, tp]])
    if set(given) in ({"prevalence", "precision", "recall"}, {"prevalence", "specificity", "recall"}):
        return _of_rates(**given)
    raise InputError(messages.POPULATION_HAS_KEYS(given=quoted(sorted(given)), shapes=SHAPES))


def _of_rates(
    prevalence: float, recall: float, precision: float | None = None, specificity: float | None = None
) -> Array:
    for name, rate in (
        ("prevalence", prevalence), ("recall", recall), ("precision", precision), ("specificity", specificity)
    ):  # fmt: skip
        if rate is not None and not 0 <= rate <= 1:
            raise InputError(messages.POPULATION_RATES_LIE_BETWEEN_0(name=name, rate=rate))
    tp = prevalence * recall
    if specificity is None:
        assert precision is not None
        fp = tp * (1 - precision) / precision if precision > 0 else math.inf
        if fp > 1 - prevalence:
            raise InputError(
                messages.POPULATION_HAS_PRECISION_WITH_RECALL(
                    precision=precision, recall=recall, prevalence=prevalence, tp=tp / (tp + 1 - prevalence)
                )
            )
    else:
        fp = (1 - prevalence) * (1 - specificity)
    return np.array([[1 - prevalence - fp, fp], [prevalence - tp, tp]])


def _of_table(table: Table, name: str) -> Population:
    matrix = table.contents.cross_table([0], table.weights)
    if matrix is None or not table.negatives:
        raise InputError(messages.POPULATION_IS_TABLE_WITHOUT_FULL_CONFUSION())
    return Population(_checked(matrix / matrix.sum()), table.pos_label, tuple(table.labels), name)


def _checked(shares: Array) -> Array:
    if not np.isfinite(shares).all() or (shares < 0).any():
        raise InputError(messages.POPULATION_HAS_SHARE_IS_NEGATIVE())
    if shares.sum() > 1 and np.array_equal(shares, np.round(shares)):
        return np.asarray(shares / shares.sum())  # counts in place of shares
    if not math.isclose(shares.sum(), 1.0, abs_tol=1e-6):
        raise InputError(messages.POPULATION_HAS_SHARES_SUM(shares=shares.sum()))
    return np.asarray(shares / shares.sum())

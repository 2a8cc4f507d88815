"""Folds: the tables of a blocked m×2 cross-validation and the effective table they amount to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import add
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from howsure.cross_validation.designs import effective_factor
from howsure.errors import InputError
from howsure.errors.messages import cross_validation as messages
from howsure.metrics.names import MetricLike, named
from howsure.results.base import Note
from howsure.results.sentences.encoding import printable
from howsure.sources.kinds.counts import counts
from howsure.tables.covariance import linearise
from howsure.tables.table import Table
from howsure.types import Floats, Integers

EffectiveFactor = float | str | None
CONSERVATIVE = "conservative"


class OutOfFold(NamedTuple):
    """What a model said of the rows it was not trained on: row numbers and predictions of one fold."""

    rows: Integers
    predictions: Any


@dataclass(frozen=True, eq=False)
class Folds:
    """One table per fold of a cross-validation, in the order repeat 1 fold 1, repeat 1 fold 2, repeat 2 fold 1, …

    ``factor`` turns the sum of the fold tables into effective counts (Wang & Li 2019, eqs. 16 and 22). ``together``
    holds the same folds with all models side by side, where they ran on the same rows.

    >>> six = folds([(9, 1, 2), (8, 2, 3), (9, 2, 2), (8, 1, 3), (9, 1, 3), (8, 2, 2)])
    >>> six
    Folds(3×2, model 'model', factor 0.3688: tp 18.81, fp 3.319, fn 5.532)
    """

    tables: tuple[Table, ...]
    factor: float
    predictions: tuple[OutOfFold, ...] = ()
    together: tuple[Table, ...] = ()
    notes: tuple[Note, ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError(messages.TABLES_IS_EMPTY())
        if not (math.isfinite(self.factor) and self.factor > 0):
            raise InputError.of("factor", self.factor, messages.FINITE_NUMBER_ABOVE_0())

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def repeats(self) -> int:
        """m of an m×2 cross-validation: half the number of folds."""
        return len(self.tables) // 2

    @property
    def model(self) -> str:
        """The model's name."""
        return self.tables[0].model

    @cached_property
    def pooled(self) -> Table:
        """The sum of the fold tables: every row as often as it was tested."""
        return reduce(add, self.tables)

    @cached_property
    def effective(self) -> Table:
        """The sum of the fold tables times the factor: what they are worth as independent rows."""
        return self.pooled.scaled(self.factor)

    @property
    def times_the_data(self) -> float:
        """How many times the data the effective table counts: factor × repeats, above 1 it counts rows twice."""
        return self.factor * len(self.tables) / 2

    def scores(self, metric: MetricLike) -> Floats:
        """Return the metric of each fold, in order: what cross-validated t and F tests start from."""
        chosen = named(metric)
        return np.array([linearise(table, chosen, None).value for table in self.tables])

    def with_factor(self, factor: EffectiveFactor = None, *, correlations: tuple[float, float] | None = None) -> Folds:
        """Return the same folds with another factor: a number, "conservative", or from correlations (rho1, rho2)."""
        return replace(self, factor=chosen_factor(len(self.tables), factor, correlations))

    @printable
    def __repr__(self) -> str:
        what = f"{self.repeats}×2" if len(self.tables) % 2 == 0 else f"{len(self.tables)} folds"
        cells = f": {_cells(self.effective)}" if len(self.pooled.labels) == 2 else ""
        return f"Folds({what}, model {self.model!r}, factor {self.factor:.4g}{cells})"


def _cells(table: Table) -> str:
    try:
        return ", ".join(f"{name} {getattr(table, name):.4g}" for name in ("tp", "fp", "fn"))
    except ValueError:
        return f"{table.n:.4g} rows"


def folds(
    tables: Iterable[Table | Sequence[float] | Mapping[str, float]],
    *,
    factor: EffectiveFactor = None,
    correlations: tuple[float, float] | None = None,
    model: str | None = None,
) -> Folds:
    """Return the folds of an m×2 cross-validation from (tp, fp, fn) or (tp, fp, fn, tn) per fold, or from tables.

    ``factor`` multiplies the summed counts: by default the paper's mean of 1/(1 + rho1 + 2(m − 1)·rho2), which is
    0.3688 for 3×2; ``"conservative"`` is 1/m, so that no row counts twice; or any number.
    ``correlations=(rho1, rho2)`` sets it from known correlations instead.

    >>> f = folds([(9, 1, 2)] * 6, factor="conservative")
    >>> f.effective.tp, f.effective.fp, f.effective.fn
    (18.0, 2.0, 4.0)

    Source: Wang & Li (2019), eqs. 16 to 24.
    """
    if not isinstance(tables, Iterable):
        raise InputError.of("tables", tables, messages.LIST_WITH_TABLE_OR_COUNTS())
    made = [_table(one, place, model or "model") for place, one in enumerate(tables, 1)]
    if made and any(set(table.models) != set(made[0].models) or len(table.models) != 1 for table in made):
        raise InputError(messages.TABLES_MUST_EACH_HOLD_SAME())
    return Folds(tuple(made), chosen_factor(len(made), factor, correlations))


def read_folds(
    source: str | PathLike[str],
    *,
    where: Mapping[str, str] | None = None,
    factor: EffectiveFactor = None,
    correlations: tuple[float, float] | None = None,
) -> dict[str, Folds]:
    """Read counts per model, repeat and fold from a CSV file and return the folds of each model.

    Columns: model, repeat, fold, tp, fp, fn and perhaps tn; or gold and predicted in place of fn and fp. ``where``
    keeps the rows that have a given value in another column, such as {"task": "NER"}.
    """
    from howsure.sources.files.matrix_files import read_fold_counts

    found: dict[str, list[Any]] = {}
    for one in read_fold_counts(source, where=where):
        found.setdefault(one.model, []).append(one)
    return {
        name: folds([one[3:] for one in rows], factor=factor, correlations=correlations, model=name)
        for name, rows in found.items()
        if _complete(name, [one[1:3] for one in rows])
    }


def _complete(model: str, places: list[tuple[int, int]]) -> bool:
    """Refuse repeats that do not have the same folds."""
    repeats, sides = sorted({repeat for repeat, _ in places}), sorted({fold for _, fold in places})
    missing = [place for place in ((repeat, fold) for repeat in repeats for fold in sides) if place not in places]
    if missing:
        raise InputError(
            messages.MODEL_LACKS_REPEAT_FOLD(
                model=model, missing=missing[0][0], other_missing=missing[0][1], sides=", ".join(map(str, sides))
            )
        )
    return True


def chosen_factor(number: int, factor: EffectiveFactor, correlations: tuple[float, float] | None) -> float:
    """Return the factor of so many folds: as asked, or the paper's."""
    if factor is not None and correlations is not None:
        raise InputError(messages.FACTOR_AND_CORRELATIONS(factor=factor, correlations=correlations))
    if isinstance(factor, (int, float)) and not isinstance(factor, bool):
        return float(factor)
    if number == 0 or number % 2:
        raise InputError(messages.TABLES_FOLDS_M_BY_2_CROSS_VALIDATION(number=number))
    if factor not in (None, CONSERVATIVE):
        raise InputError.of("factor", factor, messages.NUMBER_DEFAULT_IS_PAPER_S(conservative=CONSERVATIVE))
    return effective_factor(number // 2, CONSERVATIVE if factor == CONSERVATIVE else correlations)


def _table(one: Any, place: int, model: str) -> Table:
    if isinstance(one, Table):
        return one
    names = ("tp", "fp", "fn", "tn")
    if isinstance(one, Mapping):
        given = dict(one)
    else:
        listed = list(one) if isinstance(one, (Sequence, np.ndarray)) and not isinstance(one, str) else []
        given = dict(zip(names, listed, strict=False)) if len(listed) in (3, 4) else {}
    if not {"tp", "fp", "fn"} <= given.keys() <= {*names}:
        raise InputError(messages.TABLES_FOR_FOLD(one=one, place=place))
    return counts(**given, model=model)

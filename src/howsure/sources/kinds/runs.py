"""Several runs of a model: lists, mappings and arrays of columns to one column a run, and back to a Table of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice, quoted
from howsure.errors.messages.sources import kinds as messages
from howsure.tables.sampling.runs import CHOICES, ModelRuns, RunChoice
from howsure.tables.table import Table


@dataclass(frozen=True)
class RunColumns:
    """Columns by their own names, and whose runs they are; ``runs`` is None where no model was given as runs."""

    columns: dict[str, Any]
    models: tuple[str, ...]
    runs: ModelRuns | None

    def table(self, flat: Table) -> Table:
        """Return the table of the models from that of all columns."""
        return flat if self.runs is None else in_runs(flat, self.models, self.runs)

    def by_column(self, of_models: Any) -> Any:
        """Return what is given for each model for each of its columns; anything but a mapping as it is."""
        if self.runs is None or not isinstance(of_models, Mapping):
            return of_models
        whose = [model for model, names in zip(self.models, self.runs.names, strict=True) for _ in names]
        missing = [model for model in self.models if model not in of_models]
        if missing or len(of_models) > len(self.models):
            return of_models
        return {column: of_models[model] for column, model in zip(self.columns, whose, strict=True)}


def in_runs(flat: Table, models: Sequence[str], runs: ModelRuns) -> Table:
    """Return the table of models whose runs are the columns of another, in their order."""
    flat.contents.check_runs()
    check_pairing(models, runs)
    return replace(flat, models=tuple(models), design=replace(flat.design, runs=runs))


def with_runs_as(table: Table, wanted: ModelRuns | None) -> Table:
    """Return a table of the same models with the runs of each in another order, that of ``wanted``.

    A table that has other runs is returned as it is.
    """
    runs = table.runs
    if runs is None or wanted is None or list(map(sorted, runs.names)) != list(map(sorted, wanted.names)):
        return table
    order = [
        runs.places(model).start + runs.names[model].index(name)
        for model, names in enumerate(wanted.names)
        for name in names
    ]
    if order == sorted(order):
        return table
    contents, design = table.contents.picked(order, table.design)
    return replace(table, contents=contents, design=replace(design, runs=replace(runs, names=wanted.names)))


def refuse_runs(parts: RunColumns, argument: str) -> None:
    """Refuse several runs of a model beside what does not know them."""
    if parts.runs is not None:
        raise InputError(messages.GIVEN_BESIDE_SEVERAL_RUNS_OF_MODEL(argument=argument))


def without_runs(table: Table, model: str | None, what: str) -> Table:
    """Return the table of one model for what is made of one column of predictions; refuse one that has runs."""
    at = table.model_index(model)
    if len(table.places_of(at)) > 1:
        raise InputError(
            messages.MODEL_RUNS_IS_MADE(models=table.models[at], number=len(table.places_of(at)), what=what)
        )
    return table.pick(table.models[at])


def check_pairing(models: Sequence[str], runs: ModelRuns) -> None:
    """Refuse paired runs that are not the same in all models."""
    if not runs.paired:
        return
    first, *others = zip(models, runs.names, strict=True)
    for model, names in others:
        if names != first[1]:
            raise InputError(
                messages.PAIRED_RUNS_SAYS_ALL_MODELS_SHARE_THEIR(
                    first=first[0], other_first=quoted(first[1]), model=model, names=quoted(names)
                )
            )


def columns_of_runs(
    argument: str, given: Mapping[str, Any], *, rows: int | None, choice: RunChoice | None, paired: bool,
    sets: bool = False, wide: bool = False, called: str = "run",
) -> RunColumns:  # fmt: skip
    """Return columns with those of a model that was given as several runs apart.

    Runs are a mapping from run to column, a list of columns, or an array of shape (runs, rows). ``sets`` says that a
    column holds label sets, so that a list of lists is a column; ``wide`` that it may have one for each class.
    """
    check_choice("runs", "random" if choice is None else choice, CHOICES)
    each = {
        model: _runs(f'{argument} "{model}"', column, rows, sets=sets, wide=wide) for model, column in given.items()
    }
    if all(found is None for found in each.values()):
        check_no_runs(choice, paired)
        return RunColumns(dict(given), tuple(given), None)
    held = {model: {"1": given[model]} if found is None else found for model, found in each.items()}
    runs = ModelRuns(tuple(map(tuple, held.values())), choice or "random", paired, called)
    check_pairing(tuple(each), runs)
    names = runs.columns(tuple(each))
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(messages.TWICE_AS_MODEL_AND_AS_RUN(argument=argument, twice=twice))
    flat = dict(zip(names, (column for found in held.values() for column in found.values()), strict=True))
    return RunColumns(flat, tuple(each), runs)


def check_no_runs(choice: RunChoice | None, paired: bool) -> None:
    """Refuse to say how runs were sampled where no model has several."""
    for name, value in (("runs", choice), ("paired_runs", paired or None)):
        if value is not None:
            raise InputError(messages.BUT_EVERY_MODEL_HAS_ONE_COLUMN(name=name, value=value))


def _runs(name: str, given: Any, rows: int | None, *, sets: bool, wide: bool) -> dict[str, Any] | None:
    """Return the runs of a model by name; None where one column was given."""
    if isinstance(given, Mapping):
        found = {str(run): column for run, column in given.items()}
        if not found or len(found) < len(given):
            raise InputError(messages.NAMES_AS_RUNS(name=name, given=quoted(given)))
        return found
    if hasattr(given, "columns") and not callable(given.columns) and not (wide or sets):
        return {str(run): given[run] for run in getattr(given, "column_names", given.columns)}
    if sets:
        return None
    if isinstance(given, np.ndarray):
        return _of_array(name, given, rows, wide=wide)
    if isinstance(given, (list, tuple)):
        return _of_list(name, given, rows)
    return None


def _of_array(name: str, given: Any, rows: int | None, *, wide: bool) -> dict[str, Any] | None:
    one_a_class = wide and given.ndim == 2 and (rows is None or given.shape[0] == rows)
    if given.ndim < 2 or one_a_class or given.shape[1:] == (1,):
        return None
    if given.ndim == 2:
        _check_shape(name, given.shape, rows)
    return {str(at + 1): column for at, column in enumerate(given)}


def _of_list(name: str, given: Sequence[Any], rows: int | None) -> dict[str, Any] | None:
    columns = [hasattr(one, "__len__") and not isinstance(one, (str, bytes)) for one in given]
    a_row_each = any(columns) and len(given) == rows and not all(map(_as_long_as(rows), given))
    if not any(columns) or a_row_each:
        return None
    if not all(columns):
        raise InputError(messages.HOLDS_COLUMNS_AND_SINGLE_VALUES(name=name))
    if rows is not None and len(given) == rows:
        raise _ambiguous(name, rows)
    return {str(at + 1): column for at, column in enumerate(given)}


def _as_long_as(rows: int | None) -> Callable[[Any], bool]:
    return lambda one: hasattr(one, "__len__") and len(one) == rows


def _check_shape(name: str, shape: tuple[int, ...], rows: int | None) -> None:
    if rows is None or (shape[1] == rows != shape[0]):
        return
    if shape == (rows, rows):
        raise _ambiguous(name, rows)
    if shape[0] == rows:
        raise InputError(messages.SHAPE_ARRAY_OF_RUNS(name=name, shape=shape, rows=rows))


def _ambiguous(name: str, rows: int) -> InputError:
    return InputError(messages.HOLDS_COLUMNS_OF_ROWS_ROWS(name=name, rows=rows))

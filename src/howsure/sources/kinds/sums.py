"""Sums per unit: hs.sums, and hs.counts of many units: tp, fp, fn of each image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice, quoted
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Better
from howsure.results.sentences.phrases import marked
from howsure.sources.arrays.bad_values import first_row
from howsure.sources.arrays.libraries import read_column
from howsure.sources.arrays.numbers import check_equal_lengths, places_of, read_numbers, sampled
from howsure.sources.kinds.runs import columns_of_runs
from howsure.sources.kinds.values import check_size, checked_range
from howsure.tables.kinds.sums import CELLS, UNIT, UnitSums, check_names
from howsure.tables.sampling.runs import RunChoice
from howsure.tables.table import Table
from howsure.types import Array, Ints


def sums(
    sums: Any,
    *,
    unit: Any = None,
    groups: Any = None,
    range: Any = None,
    better: Better | None = None,
    runs: RunChoice | None = None,
    paired_runs: bool = False,
) -> Table:
    """Return the table of sums per unit: errors and words of each utterance, of one system or of several.

    ``sums`` maps the name of each sum to a column, or each system to such a mapping. Rows of the same ``unit`` are
    added up; without it every row is a unit. Units are taken as drawn independently, or in ``groups`` (speakers). A
    metric is a ratio by name ("errors/words"), its mean over units ("per_unit_errors/words"), or an hs.Metric of the
    sums. ``range=(0, 1)`` says that the first sum is part of the second; ``better`` which way a ratio is better.
    Several runs of a system are a list of such mappings, or a mapping from run to mapping, as in ``hs.table``.

    >>> from howsure import estimate
    >>> t = sums({"errors": [1, 0, 2, 1], "words": [12, 9, 20, 15]}, unit=["u1", "u2", "u3", "u4"])
    >>> t, round(estimate(t, "errors/words").value, 4)
    (Table(4 rows, 1 model), 0.0714)
    """
    check_choice("better", better, ("higher", "lower", None))
    parts = columns_of_runs("sums", _by_run(sums), rows=None, choice=runs, paired=paired_runs, sets=True)
    systems = _systems(sums) if parts.runs is None else {name: _plain(one) for name, one in parts.columns.items()}
    names = _names(systems)
    whole = _is_part(range)
    blocks = [[read_numbers(f"sums {name!r}", columns[name]) for name in names] for columns in systems.values()]
    table = unit_table(list(systems), names, blocks, unit=unit, groups=groups, whole=whole, better=better)
    if whole:
        _check_parts(table, names)
    return parts.table(table)


def unit_table(
    models: Sequence[str], names: tuple[str, ...], blocks: Sequence[Sequence[Array]], *, unit: Any, groups: Any,
    whole: bool = False, better: Better | None = None,
) -> Table:  # fmt: skip
    """Return the table of columns of sums (models × sums), rows of one unit added up."""
    labelled = {
        f"{name} of {model}" if len(models) > 1 else name: len(column)
        for model, block in zip(models, blocks, strict=True)
        for name, column in zip(names, block, strict=True)
    }
    rows = check_equal_lengths(labelled)
    for name, column in zip(labelled, (column for block in blocks for column in block), strict=True):
        check_size(name, column)
    held = np.stack([np.stack(block, axis=1) for block in blocks], axis=1)
    design = sampled(names[0], rows, groups=groups)
    if unit is not None:
        codes = _units(unit, rows, names[0])
        held, design = _added(held, codes), design.take(_one_group(codes, design.groups))
    contents = UnitSums(held, names, whole, better, negatives="tn" in names or not set(CELLS) <= set(names))
    return Table(tuple(map(str, models)), contents, design, (marked("pooled sums"),)).merged()


def _by_run(given: Any) -> dict[str, Any]:
    """Return each system's runs as a mapping from run to sums; one without runs in a list of one."""
    if not isinstance(given, Mapping):
        return {"model": [given]}

    def runs(system: Any) -> Any:
        if isinstance(system, (list, tuple)) and system and all(isinstance(one, Mapping) for one in system):
            return {str(at + 1): one for at, one in enumerate(system)}
        held = isinstance(system, Mapping) and bool(system) and all(isinstance(v, Mapping) for v in system.values())
        return system if held else [system]

    return {str(name): runs(system) for name, system in given.items()}


def _plain(system: Any) -> Mapping[str, Any]:
    found = system[0] if isinstance(system, list) else system
    return {str(name): column for name, column in found.items()}


def _systems(given: Any) -> dict[str, Mapping[str, Any]]:
    """Return columns of sums by system, as "model" where there is one without a name."""
    found = given if isinstance(given, Mapping) else _frame(given)
    if found is None or not found:
        raise InputError(messages.SUMS_MAP_NAME_OF_EACH_SUM(kind=type(given).__name__))
    inner = {name: one if isinstance(one, Mapping) else _frame(one) for name, one in found.items()}
    if all(one is None for one in inner.values()):
        return {"model": found}
    if any(one is None for one in inner.values()):
        raise InputError(messages.SUMS_MIXES_COLUMNS_AND_MAPPINGS(found=quoted(found)))
    _check_texts(tuple(map(str, inner)))
    return {str(name): one for name, one in inner.items() if one is not None}


def _check_texts(names: Sequence[str]) -> None:
    """Refuse names of which two are the same text."""
    if len(set(names)) < len(names):
        raise InputError(messages.SUMS_HAS_NAMES_READ_SAME(names=quoted(names)))


def _frame(given: Any) -> dict[str, Any] | None:
    if not hasattr(given, "columns") or callable(given.columns):
        return None
    return {str(name): given[name] for name in getattr(given, "column_names", given.columns)}


def _names(systems: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    (first, columns), *others = systems.items()
    names = tuple(map(str, columns))
    _check_texts(names)
    for other, held in others:
        if set(map(str, held)) != set(names):
            raise InputError(
                messages.SUMS_ALL_SYSTEMS_NEED_SAME_SUMS(
                    first=first, names=quoted(names), other=other, held=quoted(held)
                )
            )
    check_names(names)
    return names


def _is_part(range: Any) -> bool:
    ends = checked_range(range)
    if range is not None and ends != UNIT:
        raise InputError.of("range", range, messages.OF_SUMS_CAN_ONLY_SAY_FIRST())
    return range is not None


def _check_parts(table: Table, names: tuple[str, ...]) -> None:
    if len(names) < 2:
        raise InputError(messages.RANGE_SAYS_FIRST_SUM_IS_PART(names=names[0]))
    held = table.contents.sums  # type: ignore[attr-defined]
    odd = (held[..., 0] > held[..., 1]) | (held[..., 0] < 0)
    if odd.any():
        row, model = np.argwhere(odd)[0]
        raise InputError(
            messages.FIRST_SUM_EXCEEDS_SECOND(
                models=table.models[model],
                names=names[0],
                held=held[row, model, 0],
                other_names=names[1],
                other_held=held[row, model, 1],
            )
        )


def _units(unit: Any, rows: int, name: str) -> Ints:
    column = read_column("unit", unit)
    check_equal_lengths({name: rows, "unit": len(column)})
    return places_of(column)[0]


def _added(held: Array, codes: Ints) -> Array:
    """Return the sums of all rows of each unit."""
    flat = held.reshape(len(held), -1)
    added = np.stack([np.bincount(codes, weights=column) for column in flat.T], axis=1)
    return added.reshape(-1, *held.shape[1:])


def _one_group(codes: Ints, groups: Ints | None) -> Ints:
    """Return the place of the first row of each unit; refuse a unit in two groups."""
    _, first = np.unique(codes, return_index=True)
    row = None if groups is None else first_row(groups != groups[first][codes])
    if row is not None:
        raise InputError(messages.GROUPS_PUTS_UNIT_OF_ROW(row=row, first=int(first[codes[row]])))
    return first


def counts_of_units(systems: Mapping[str, Sequence[Any]], *, unit: Any = None, groups: Any = None) -> Table:
    """Return the table of tp, fp, fn (and tn) of each unit, for one model or several."""
    sizes = {len(columns) for columns in systems.values()}
    if len(sizes) != 1 or not sizes <= {3, 4}:
        raise InputError(messages.COUNTS_OF_COLUMNS(systems=quoted(systems), sizes=sorted(sizes)))
    names = (*CELLS, "tn")[: sizes.pop()]
    blocks = [
        [_counts(f"{name} of {model}" if len(systems) > 1 else name, column)
         for name, column in zip(names, columns, strict=True)]
        for model, columns in systems.items()
    ]  # fmt: skip
    return unit_table(list(systems), names, blocks, unit=unit, groups=groups)


def _counts(name: str, column: Any) -> Array:
    found = read_numbers(name, column)
    row = first_row(found < 0)
    if row is not None:
        raise InputError(messages.IN_ROW_COUNT_MUST_BE_ZERO(name=name, found=found[row], row=row))
    return found

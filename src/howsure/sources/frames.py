"""Data frames of any library, lazy and distributed ones too: the engine counts, only distinct rows come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import doors as messages
from howsure.sources.arrays.bad_values import ABSENT, LARGEST, Fault, Faults
from howsure.sources.arrays.codebook import common_order, in_order
from howsure.sources.arrays.libraries import arrow_order
from howsure.sources.arrays.refusals import MissingValues
from howsure.sources.files.count_rows import made
from howsure.sources.files.distinct_rows import (
    MOST_CELLS,
    MOST_PAIR_ROWS,
    Distinct,
    Roles,
    Rules,
    factor,
    table_of,
    tables_of,
)
from howsure.sources.files.guess_columns import check_truth, repeat_remark, watched_columns
from howsure.sources.files.request import ReadRequest, guessed, roles_of, too_many
from howsure.sources.kinds.labels import table
from howsure.tables.in_pairs import ModelPair, joined_pairs, model_pairs
from howsure.tables.table import Table

_FIRST = 1000
_BLOCK = 1 << 17
_NAME = messages.THE_FRAME()
_ROWS, _GOOD = "howsure_rows", "howsure_good"
_POWERS = ("howsure_sum", "howsure_squares", "howsure_cubes")


def read_frame(frame: Any, request: ReadRequest) -> Table:
    """Return the table of a data frame; columns that are not named are guessed."""
    wrapped, roles, notes = _opened(frame, request)
    rules = _rules(wrapped, roles, request)
    if _in_memory(wrapped) and request.on_bad == "refuse" and request.abstain is None:
        try:
            return _with_notes(_directly(wrapped, roles, rules), [*notes, *_repeats(wrapped, roles, request.id)])
        except MissingValues:  # counted again, for a refusal that names the column and all remedies
            rules = replace(rules, where=_first_bad(wrapped, roles))
    distinct = _count(wrapped, roles, most=MOST_CELLS // len(roles.parts()))
    if distinct is None:
        return _with_notes(_in_pairs(wrapped, roles, rules), notes)
    return table_of(distinct, rules, notes=notes)


def read_frame_slices(frame: Any, request: ReadRequest) -> dict[Any, Table]:
    """Return one table per value of the column ``by``, all with the same labels, from one count."""
    wrapped, roles, notes = _opened(frame, request)
    distinct = _count(wrapped, roles, most=MOST_CELLS // len(roles.parts()))
    if distinct is None:
        raise too_many(_NAME)
    return tables_of(distinct, _rules(wrapped, roles, request), notes=notes)


def is_frame(source: Any) -> bool:
    """Say whether narwhals can wrap the object as a data frame, eager or lazy."""
    return _wrapped(source) is not None


def _wrapped(source: Any) -> Any:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        found = nw.from_native(source, pass_through=True)
    except DuplicateError as error:
        raise InputError(messages.SOURCE_HAS_COLUMNS_OF_SAME_NAME(twice=_twice(source, error))) from None
    return found if isinstance(found, (nw.DataFrame, nw.LazyFrame)) else None


def wrapped_frame(source: Any) -> Any:
    """Return a frame as narwhals wraps it; refuse what is none."""
    wrapped = _wrapped(source)
    if wrapped is None:
        raise InputError(messages.SOURCE_IS_OF_TYPE(kind=type(source).__name__))
    return wrapped


def collected(
    wrapped: Any, columns: Sequence[str], *, counted: bool = True, most: int | None = None
) -> tuple[Any, Any]:
    """Return columns of a frame, and how often each row occurred: of a lazy one its engine counts the distinct rows.

    A frame in memory, or one whose rows are not to be ``counted``, comes back row by row, with None for the counts.
    More than ``most`` distinct rows are not fetched: there is one more then.
    """
    import narwhals.stable.v2 as nw

    chosen = wrapped.select(*columns)
    if not hasattr(wrapped, "collect"):
        return chosen, None
    if not counted:
        return chosen.collect(), None
    distinct = chosen.group_by(*columns).agg(nw.len().alias(_ROWS))
    held = (distinct if most is None else distinct.head(most + 1)).collect()
    return held, np.array(held[_ROWS].to_list(), dtype=float)


def _twice(source: Any, error: Exception) -> str:
    names = list(getattr(source, "columns", ())) if not hasattr(source, "column_names") else source.column_names
    return quoted([name for name in dict.fromkeys(names) if names.count(name) > 1]) or str(error)


def _with_notes(found: Table, notes: Sequence[str]) -> Table:
    return replace(found, notes=(*found.notes, *notes)) if notes else found


def _opened(frame: Any, request: ReadRequest) -> tuple[Any, Roles, list[str]]:
    """Return the wrapped frame, the parts its columns play, and what was guessed."""
    wrapped = wrapped_frame(frame)
    schema = wrapped.collect_schema()
    notes: list[str] = []
    if request.truth is None or request.predictions is None:
        request, notes = _guessed(wrapped, schema.names(), request)
    roles = roles_of(request, schema.names(), source=_NAME)
    if roles.weight is not None and not schema[roles.weight].is_numeric():
        raise InputError(messages.WEIGHT_NAMES_COLUMN_OF_TYPE(weight=roles.weight, schema=schema[roles.weight]))
    for argument, column in roles.by_argument():
        if schema[column].is_nested():
            raise InputError(
                messages.NAMES_COLUMN_OF_TYPE_HOLDS_SEVERAL(argument=argument, column=column, schema=schema[column])
            )
    return wrapped, roles, notes


def _guessed(wrapped: Any, columns: Sequence[str], request: ReadRequest) -> tuple[ReadRequest, list[str]]:
    check_truth(request.truth, columns)
    taken = {request.group, request.weight, request.by, *request.columns()}
    free = [name for name in columns if name not in taken]
    head = wrapped.select(*free).head(_FIRST)
    first = head.collect() if hasattr(head, "collect") else head
    sample = {name: first[name].to_list() for name in free}
    return guessed(request, free, sample)


def _rules(wrapped: Any, roles: Roles, request: ReadRequest) -> Rules:
    """Return the rules for the rows, with the order of the classes that the types of their columns state."""
    rules = request.rules(_NAME)
    if request.labels is not None:
        return rules
    schema, columns = wrapped.collect_schema(), (roles.truth, *roles.predictions.values())
    stated = [(repr(name), order) for name in columns if (order := _order(wrapped, name, schema[name])) is not None]
    return replace(rules, order=common_order(stated))


def _order(wrapped: Any, column: str, dtype: Any) -> Sequence[Any] | None:
    """Return the order of an enumeration or of ordered categories, which narwhals shows alike, or of a dictionary."""
    import narwhals.stable.v2 as nw

    if isinstance(dtype, nw.Enum):
        return tuple(dtype.categories)
    if wrapped.implementation.is_pyarrow():
        return arrow_order(repr(column), wrapped[column].to_native())
    return None


def _in_memory(wrapped: Any) -> bool:
    """Say whether the columns can be read in place, without asking an engine."""
    implementation = wrapped.implementation
    eager = not hasattr(wrapped, "collect")
    return eager and (implementation.is_pandas() or implementation.is_polars() or implementation.is_pyarrow())


def _directly(wrapped: Any, roles: Roles, rules: Rules) -> Table:
    def column(name: str | None) -> Any:
        return None if name is None else wrapped[name].to_native()

    return table(
        column(roles.truth),
        {name: column(one) for name, one in roles.predictions.items()},
        labels=rules.labels,
        pos_label=rules.pos_label,
        sample_weight=column(roles.weight),
        groups=column(roles.group),
        judge={name: column(one) for name, one in roles.judges.items()} or None,
    )


def _first_bad(wrapped: Any, roles: Roles) -> Callable[[str, Callable[[Any], bool]], str]:
    """Return a function that finds where the first bad value of a column in memory stands, in words."""

    def where(name: str, is_bad: Callable[[Any], bool]) -> str:
        column = wrapped[roles.predictions.get(name, name)]
        for start in range(0, len(column), _BLOCK):
            for row, value in enumerate(column[start : start + _BLOCK].to_list(), start=start):
                if is_bad(value):
                    return f" (first in row {row}, counting from 0)"
        return ""

    return where


def _repeats(wrapped: Any, roles: Roles, id: str | None) -> list[str]:
    """Return notes on columns in memory that name rows or groups and repeat; of other frames it would cost a pass."""
    if roles.group is not None:
        return []
    notes: list[str] = []
    for column in watched_columns(wrapped.columns, {*roles.parts().values(), roles.weight}, id):
        filled = wrapped[column].drop_nulls()
        notes += repeat_remark(column, filled.n_unique(), len(filled))
    return notes


def _count(wrapped: Any, roles: Roles, *, most: int) -> Distinct | None:
    """Return the distinct rows as the engine counts them, or None if there are more than ``most``."""
    import narwhals.stable.v2 as nw

    parts = roles.parts()
    keys = {part: f"howsure_{place}" for place, part in enumerate(parts)}
    renamed = (nw.col(column).alias(keys[part]) for part, column in parts.items())
    chosen = wrapped.select(*renamed, *_weighed(roles.weight))
    weighted = roles.weight is not None
    sums = [nw.len().alias(_ROWS), *(nw.col(name).sum() for name in _POWERS if weighted)]
    try:
        counted = chosen.group_by(*keys.values(), *([_GOOD] if weighted else [])).agg(*sums)
    except (TypeError, NotImplementedError) as error:
        raise InputError(messages.ROWS_CANNOT_BE_COMPARED(name=_NAME, error=error)) from None
    if hasattr(counted, "collect"):
        counted = counted.head(most + 1).collect()
    return None if len(counted) > most else _distinct(counted, roles, keys)


def _weighed(weight: str | None) -> list[Any]:
    """Return expressions for the weight, its square and cube, and whether it can be used at all."""
    if weight is None:
        return []
    import narwhals.stable.v2 as nw

    value = nw.col(weight).cast(nw.Float64)
    good = ((value >= 0) & (value <= LARGEST)).fill_null(False)
    used = nw.when(good).then(value).otherwise(nw.lit(0.0))
    powers = zip((used, used * used, used * used * used), _POWERS, strict=True)
    return [good.alias(_GOOD), *(power.alias(name) for power, name in powers)]


def _distinct(counted: Any, roles: Roles, keys: Mapping[str, str]) -> Distinct:
    def numbers(name: str) -> Any:
        return np.array(counted[name].to_list(), dtype=float)

    columns = {part: factor(counted[key].to_list()) for part, key in keys.items()}
    if roles.weight is None:
        return made(columns, roles, [numbers(_ROWS)])
    return made(columns, roles, [numbers(_ROWS), *map(numbers, _POWERS)], good=numbers(_GOOD) > 0)


def _in_pairs(wrapped: Any, roles: Roles, rules: Rules) -> Table:
    """Count each pair of models by itself, in as many passes as pairs."""
    if len(roles.predictions) < 3 or roles.judges:
        raise too_many(rules.source)
    complete, notes = _complete(wrapped, roles, rules)
    tables: dict[ModelPair, Table] = {}
    for pair in model_pairs(list(roles.predictions)):
        room = MOST_PAIR_ROWS - sum(len(table.rows) for table in tables.values())
        distinct = _count(complete, roles.of_models(pair), most=room)
        if distinct is None:
            raise too_many(rules.source)
        tables[pair] = table_of(distinct, replace(rules, on_bad="refuse"))
    found = joined_pairs(tables, list(roles.predictions), notes=notes)
    return found if rules.order is None else found.with_labels(in_order(found.labels, rules.order))


def _complete(wrapped: Any, roles: Roles, rules: Rules) -> tuple[Any, tuple[str, ...]]:
    """Return the rows without a missing label in any model, so that all pairs see the same rows."""
    import narwhals.stable.v2 as nw

    if rules.on_bad == "refuse":
        return wrapped, ()
    filled = rules.abstain is not None
    needed = [column for part, column in roles.parts().items() if not (filled and part.startswith("prediction "))]
    absent = [nw.col(column).is_null() for column in needed]
    sums = [one.cast(nw.Int64).sum().alias(f"howsure_{place}") for place, one in enumerate(absent)]
    kept = wrapped.filter(*(~one for one in absent))
    *missing, total = _only_row(wrapped.select(*sums, nw.len().alias(_ROWS)))
    (left,) = _only_row(kept.select(nw.len().alias(_ROWS)))
    found = Faults(Fault(column, ABSENT, number) for column, number in zip(needed, missing, strict=True))
    return kept, (found.note(total - left, total),) if total > left else ()


def _only_row(frame: Any) -> list[int]:
    found = frame.collect() if hasattr(frame, "collect") else frame
    return [int(value) for value in found.rows()[0]]

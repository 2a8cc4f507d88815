"""Data frames of any library, lazy and distributed ones too: the engine counts, only distinct rows come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError, nearest, quoted
from howsure.metric import Label
from howsure.sources.distinct_rows import MOST_CELLS, Distinct, Factor, Rules, factor, table_of, tables_of
from howsure.sources.faults import Fault, Faults
from howsure.sources.pairwise import joined_pairs, model_pairs
from howsure.sources.tables import table
from howsure.table import Table

Predictions = str | Sequence[str] | Mapping[str, str]
LARGEST = 1.7e308
_ROWS, _SUM, _SQUARES, _GOOD = "howsure_rows", "howsure_sum", "howsure_squares", "howsure_good"


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column plays which part; ``predictions`` maps a model's name to its column."""

    truth: str
    predictions: Mapping[str, str]
    group: str | None = None
    weight: str | None = None
    by: str | None = None

    def keys(self) -> dict[str, str]:
        """Return the columns that make rows distinct, by the part they play."""
        named = {"truth": self.truth, **{f"prediction {name}": column for name, column in self.predictions.items()}}
        extra = {"group": self.group, "by": self.by}
        return named | {part: column for part, column in extra.items() if column is not None}

    def of_models(self, models: Sequence[str]) -> Roles:
        """Return the parts for some of the models."""
        chosen = {name: self.predictions[name] for name in models}
        return Roles(self.truth, chosen, self.group, self.weight, self.by)


def roles_of(
    truth: str, predictions: Predictions, *, group: str | None, weight: str | None, by: str | None
) -> Roles:
    """Return the parts that columns play; a sequence of predictions names its models after their columns."""
    if isinstance(predictions, str):
        predictions = [predictions]
    named = dict(predictions) if isinstance(predictions, Mapping) else {str(name): name for name in predictions}
    if not named:
        raise InputError("predictions is empty; name at least one column of predicted labels")
    if not isinstance(predictions, Mapping) and len(named) < len(list(predictions)):
        raise InputError(f"predictions names a column twice: {quoted(predictions)}; name each once")
    if truth in named.values():
        raise InputError(f"truth and a prediction are both the column {truth!r}; a model must have a column of its own")
    return Roles(truth, named, group, weight, by)


def check_columns(roles: Roles, columns: Sequence[str], *, source: str) -> None:
    """Refuse a column that is not there, and name those that are."""
    wanted = {**roles.keys(), **({} if roles.weight is None else {"weight": roles.weight})}
    for part, column in wanted.items():
        argument = part.split()[0] + ("s" if part.startswith("prediction") else "")
        if column not in columns:
            raise InputError(
                f"{argument} names the column {column!r}, which {source} does not have; its columns are "
                f"{quoted(columns)}.{nearest(str(column), map(str, columns))}"
            )
        if list(columns).count(column) > 1:
            raise InputError(f"{argument} names the column {column!r}, which {source} has more than once; rename one")


def is_frame(source: Any) -> bool:
    """Say whether narwhals can wrap the object as a data frame, eager or lazy."""
    return _wrapped(source) is not None


def _wrapped(source: Any) -> Any:
    import narwhals.stable.v2 as nw

    found = nw.from_native(source, pass_through=True, series_only=False, allow_series=False)
    return found if isinstance(found, (nw.DataFrame, nw.LazyFrame)) else None


def frame_table(
    frame: Any,
    *,
    truth: str,
    predictions: Predictions,
    group: str | None = None,
    weight: str | None = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    on_bad: str = "refuse",
    abstain: Label | None = None,
) -> Table:
    """Count the distinct rows of a data frame: pandas, polars, Arrow, Dask, Spark, DuckDB, Ibis and others.

    The count is pushed to the engine; rows are never collected. Rows with a missing label are refused, or left out
    and noted with ``on_bad="skip"``; ``abstain`` is the label that a missing prediction counts as instead.

    >>> import polars as pl
    >>> frame = pl.LazyFrame({"gold": ["a", "b", "a"], "svm": ["a", "a", "a"]})
    >>> frame_table(frame, truth="gold", predictions=["svm"])
    Table(3 rows, 2 labels, 1 model)
    """
    roles = roles_of(truth, predictions, group=group, weight=weight, by=None)
    rules = Rules(labels=labels, pos_label=pos_label, on_bad=on_bad, abstain=abstain, source="the frame")
    wrapped = _checked(frame, roles)
    if _in_memory(wrapped) and on_bad == "refuse" and abstain is None:
        return _directly(wrapped, roles, rules)
    distinct = _count(wrapped, roles, most=MOST_CELLS // (len(roles.predictions) + 1))
    return _in_pairs(wrapped, roles, rules) if distinct is None else table_of(distinct, rules)


def frame_slices(
    frame: Any,
    *,
    by: str,
    truth: str,
    predictions: Predictions,
    group: str | None = None,
    weight: str | None = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    on_bad: str = "refuse",
    abstain: Label | None = None,
) -> dict[Any, Table]:
    """Return one table per value of the column ``by``, all with the same labels, from one count."""
    roles = roles_of(truth, predictions, group=group, weight=weight, by=by)
    rules = Rules(labels=labels, pos_label=pos_label, on_bad=on_bad, abstain=abstain, source="the frame")
    distinct = _count(_checked(frame, roles), roles, most=MOST_CELLS // (len(roles.predictions) + 2))
    if distinct is None:
        raise too_many(rules.source)
    return tables_of(distinct, rules)


def too_many(source: str) -> InputError:
    """Return the error for distinct rows that memory cannot hold even in pairs."""
    return InputError(
        f"{source} has too many distinct rows to hold in memory: the group, slice or class columns take nearly as many "
        "values as there are rows. Read fewer models at a time, join rare classes, or leave out group or by"
    )


def _checked(frame: Any, roles: Roles) -> Any:
    wrapped = _wrapped(frame)
    if wrapped is None:
        raise InputError(
            f"frame is of type {type(frame).__name__}; it must be a data frame that narwhals knows: pandas, polars, "
            "pyarrow, Modin, Dask, PySpark, a DuckDB relation or an Ibis table"
        )
    schema = wrapped.collect_schema()
    check_columns(roles, schema.names(), source="the frame")
    if roles.weight is not None and not schema[roles.weight].is_numeric():
        raise InputError(
            f"weight names the column {roles.weight!r} of type {schema[roles.weight]}; weights must be numbers; cast it"
        )
    return wrapped


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
    )


def _count(wrapped: Any, roles: Roles, *, most: int) -> Distinct | None:
    """Return the distinct rows as the engine counts them, or None if there are more than ``most``."""
    import narwhals.stable.v2 as nw

    parts = roles.keys()
    keys = {part: f"howsure_{place}" for place, part in enumerate(parts)}
    chosen = wrapped.select(
        *(nw.col(column).alias(keys[part]) for part, column in parts.items()), *_weighed(roles.weight)
    )
    sums = [nw.len().alias(_ROWS)]
    if roles.weight is not None:
        sums += [nw.col(_SUM).sum(), nw.col(_SQUARES).sum()]
    good = [] if roles.weight is None else [_GOOD]
    counted = chosen.group_by(*keys.values(), *good).agg(*sums)
    if hasattr(counted, "collect"):
        counted = counted.head(most + 1).collect()
    if len(counted) > most:
        return None
    return _distinct(counted, roles, keys)


def _weighed(weight: str | None) -> list[Any]:
    """Return expressions for the weight, its square, and whether it can be used at all."""
    if weight is None:
        return []
    import narwhals.stable.v2 as nw

    value = nw.col(weight).cast(nw.Float64)
    good = ((value >= 0) & (value <= LARGEST)).fill_null(False)
    used = nw.when(good).then(value).otherwise(nw.lit(0.0))
    return [good.alias(_GOOD), used.alias(_SUM), (used * used).alias(_SQUARES)]


def _distinct(counted: Any, roles: Roles, keys: Mapping[str, str]) -> Distinct:
    def column(part: str) -> Factor:
        return factor(counted[keys[part]].to_list())

    def numbers(name: str) -> Any:
        return np.array(counted[name].to_list(), dtype=float)

    weighted = roles.weight is not None
    return Distinct(
        truth=column("truth"),
        predictions={name: column(f"prediction {name}") for name in roles.predictions},
        counts=numbers(_ROWS),
        truth_name=roles.truth,
        weights=numbers(_SUM) if weighted else None,
        squares=numbers(_SQUARES) if weighted else None,
        weighable=np.array([bool(one) for one in counted[_GOOD].to_list()], dtype=bool) if weighted else None,
        weight_name=str(roles.weight),
        group=column("group") if roles.group is not None else None,
        group_name=str(roles.group),
        by=column("by") if roles.by is not None else None,
        by_name=str(roles.by),
    )


def _in_pairs(wrapped: Any, roles: Roles, rules: Rules) -> Table:
    """Count each pair of models by itself: as many passes as pairs, memory for one pair at a time."""
    if len(roles.predictions) < 3:
        raise too_many(rules.source)
    complete, notes = _complete(wrapped, roles, rules)
    tables = {}
    for pair in model_pairs(list(roles.predictions)):
        distinct = _count(complete, roles.of_models(pair), most=MOST_CELLS // 3)
        if distinct is None:
            raise too_many(rules.source)
        tables[pair] = table_of(distinct, Rules(rules.labels, rules.pos_label, abstain=rules.abstain, source=rules.source))
    return joined_pairs(tables, list(roles.predictions), notes=notes)


def _complete(wrapped: Any, roles: Roles, rules: Rules) -> tuple[Any, tuple[str, ...]]:
    """Return the rows without a missing label in any model, so that all pairs see the same rows."""
    import narwhals.stable.v2 as nw

    if rules.on_bad == "refuse":
        return wrapped, ()
    needed = [column for part, column in roles.keys().items() if rules.abstain is None or "prediction" not in part]
    missing = wrapped.select(*(nw.col(column).is_null().sum().alias(f"n{i}") for i, column in enumerate(needed)), nw.len().alias("n"))
    kept = wrapped.filter(*(~nw.col(column).is_null() for column in needed))
    (row,), (left,) = missing.collect().rows(), kept.select(nw.len()).collect().rows()
    found = Faults(Fault(column, "is missing", int(n)) for column, n in zip(needed, row, strict=False))
    lost = int(row[-1]) - int(left[0])
    return kept, (found.note(lost, int(row[-1])),) if lost else ()

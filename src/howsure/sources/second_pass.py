"""A second pass over binned scores: how metrics of several models move together, with groups, as sums of the engine.

The first pass has given the histogram of each model, from which follows the influence φ of a row by its bin and class.
Here the engine looks φ up by bin, a join on as many rows as there are bins, and adds up products: Σ φ_a φ_b over rows,
or over the sums of φ within groups. What comes back is one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import doors as messages
from howsure.metrics.metric import Label
from howsure.types import Array

_TRUTH, _GROUP = "howsure_t", "howsure_g"


@dataclass(frozen=True)
class FirstPass:
    """What the first pass has found: the influence of a negative and of a positive in each bin (2, bins) of each model.

    nan where a bin is empty. ``labels`` are the negative and the positive class, ``size`` is the number of rows.
    """

    moved: tuple[Array, ...]
    labels: tuple[Label, Label]
    size: float


def binary_label(value: Any) -> Any:
    """Return 0 and 1 as whole numbers, however the source spells them; other labels as they are."""
    return {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}.get(str(value).lower(), value)


def covariance_in_engine(
    wrapped: Any, first: FirstPass, *, truth: str, columns: Sequence[str], group: str | None
) -> Array:
    """Return the covariance of a metric of several models on the rows of a frame, from sums that its engine makes."""
    held = _looked_up(wrapped, first, truth, columns, group)
    sums, units, rows = _products(held, len(first.moved), group)
    if rows != first.size:
        raise InputError(messages.SECOND_PASS_OF_OTHER_ROWS(rows=rows, size=first.size))
    if group is None:
        return sums / rows**2
    return sums / rows**2 * units / (units - 1) if units > 1 else np.full_like(sums, np.nan)


def _looked_up(wrapped: Any, first: FirstPass, truth: str, columns: Sequence[str], group: str | None) -> Any:
    """Return a lazy frame with the influence of each row for each model."""
    import narwhals.stable.v2 as nw

    lazy = wrapped if hasattr(wrapped, "collect") else wrapped.lazy()
    names = {truth: _TRUTH} | ({} if group is None else {group: _GROUP})
    chosen = [nw.col(column).alias(name) for column, name in names.items()]
    bins = first.moved[0].shape[1]
    for place, column in enumerate(columns):
        at = (nw.col(column).cast(nw.Float64) * bins).floor().cast(nw.Int64)
        chosen.append(nw.when(at >= bins).then(nw.lit(bins - 1)).otherwise(at).alias(f"howsure_b{place}"))
    held = lazy.select(*chosen)
    values = _truth_values(held, first.labels)
    for place, one in enumerate(first.moved):
        known = ~np.isnan(one)
        side, where = np.nonzero(known)
        data: dict[str, list[Any]] = {_TRUTH: [values[int(each)] for each in side]}
        data |= {f"howsure_b{place}": where.tolist(), f"howsure_f{place}": one[known].tolist()}
        held = held.join(_like(lazy, data), on=[_TRUTH, f"howsure_b{place}"], how="inner")
    return held


def _truth_values(held: Any, labels: Sequence[Label]) -> list[Any]:
    """Return how the source spells the negative and the positive class."""
    seen = held.select(_TRUTH).unique().collect()[_TRUTH].to_list()
    spelt = {binary_label(value): value for value in seen if value is not None}
    missing = [label for label in labels if label not in spelt]
    if missing:
        raise InputError(messages.SECOND_PASS_WITHOUT_CLASS(missing=quoted(missing)))
    return [spelt[label] for label in labels]


def _like(lazy: Any, data: dict[str, list[Any]]) -> Any:
    """Return a small lazy frame of the engine that holds another."""
    import narwhals.stable.v2 as nw

    native, kind = nw.to_native(lazy), lazy.implementation
    if kind.is_duckdb():
        columns = ", ".join(f"unnest({_literal(values)}) AS {name}" for name, values in data.items())
        return nw.from_native(native.query("howsure_rows", f"SELECT {columns}")).lazy()
    if kind.is_pyspark():
        return nw.from_native(native.sparkSession.createDataFrame(list(zip(*data.values(), strict=True)), list(data)))
    if kind.is_dask():
        import dask.dataframe as dd
        import pandas as pd

        held: Any = dd.from_pandas(pd.DataFrame(data), npartitions=1)  # type: ignore[no-untyped-call]
        return nw.from_native(held)
    return nw.from_dict(data, backend=kind).lazy()


def _literal(values: list[Any]) -> str:
    """Return a list as DuckDB writes it: a relation can be joined with one of its own connection alone, so by a query.

    Doubles go as text, which it reads to the last bit; without quotes they would be decimals.
    """
    if isinstance(values[0], float):
        return f"CAST([{', '.join(repr(str(float(one))) for one in values)}] AS DOUBLE[])"
    if isinstance(values[0], str):
        doubled = (one.replace("'", "''") for one in values)
        return "[" + ", ".join(f"'{one}'" for one in doubled) + "]"
    return f"[{', '.join(map(str, values))}]"


def _products(held: Any, size: int, group: str | None) -> tuple[Array, float, float]:
    """Return Σ φ_a φ_b over rows or groups, how many groups there are, and how many rows."""
    import narwhals.stable.v2 as nw

    names = [f"howsure_f{place}" for place in range(size)]
    units = held.with_columns(howsure_n=nw.lit(1))
    if group is not None:
        units = held.group_by(_GROUP).agg(*(nw.col(name).sum() for name in names), nw.len().alias("howsure_n"))
    pairs = [(one, other) for one in range(size) for other in range(one, size)]
    sums = [(nw.col(names[a]) * nw.col(names[b])).sum().alias(f"howsure_p{a}_{b}") for a, b in pairs]
    answer = units.select(*sums, nw.len().alias("howsure_units"), nw.col("howsure_n").sum()).collect()
    found = np.zeros((size, size))
    for a, b in pairs:
        found[a, b] = found[b, a] = float(answer[f"howsure_p{a}_{b}"].to_list()[0] or 0.0)
    return found, float(answer["howsure_units"].to_list()[0]), float(answer["howsure_n"].to_list()[0] or 0)

"""hs.slices: the same report for each slice of the rows, and the gaps between slices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from howsure.comparisons.catalogue import check_single, named_pair_method
from howsure.comparisons.compare_all import compared
from howsure.comparisons.contrasts import pair_method
from howsure.comparisons.gap import gap_of
from howsure.errors import InputError, nearest, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.catalogue import named_method
from howsure.estimates.estimate import (
    check_table,
    check_undefined,
    chosen_metrics,
    chosen_models,
    family_notes,
    from_linear,
    left_out,
)
from howsure.estimates.joint import joint_report
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Label, Metric
from howsure.metrics.names import MetricLike
from howsure.results.base import Note, note_of
from howsure.results.comparison import Comparisons
from howsure.results.covariance import Covariance
from howsure.results.estimate import Estimate, Report
from howsure.results.gap import Gap
from howsure.results.words import units
from howsure.sources.arrays.libraries import read_column
from howsure.sources.kinds.labels import table as make_table
from howsure.tables.covariance import Family, family_of, stacked
from howsure.tables.linearised import check_one_scale, metric_on
from howsure.tables.table import Table, union_of_labels
from howsure.types import Ints, Undefined


def slices(
    y_true: Any = None,
    y_pred: Any = None,
    *,
    by: Any,
    labels: Any = None,
    pos_label: Label | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    **more: Any,
) -> Slices:
    """Count truth and predictions separately for each value of the column ``by``; all slices share their labels.

    ``groups`` may run through several slices (a patient seen in two hospitals): gaps between slices then use that.
    ``more`` goes to ``hs.table``: ``values=`` and ``range=`` in place of labels. ``hs.Slices`` makes slices of tables
    that were counted or read apart.

    >>> s = slices([1, 0, 1, 1], [1, 0, 0, 1], by=["x", "x", "y", "y"])
    >>> s["y"]
    Table(2 rows, 2 labels, 1 model)
    """
    column = read_column("by", by)
    if hasattr(y_true, "__len__") and len(y_true) != len(column):
        raise InputError(messages.Y_TRUE_ROWS_THEY_MUST_DESCRIBE_SAME(number=len(y_true), number_of_column=len(column)))
    where, kinds = _coded(column.labels())
    grouping, group_names = _crossed(where, len(kinds), groups)
    whole = make_table(
        y_true, y_pred, labels=labels, pos_label=pos_label, sample_weight=sample_weight, groups=grouping, **more
    )
    return Slices(dict(zip(kinds, _parts(whole, len(kinds), group_names), strict=True)))


def _crossed(where: Any, size: int, groups: Any) -> tuple[Any, tuple[Any, ...] | None]:
    """Return one code per row for (group, slice), and the names of the groups."""
    if groups is None:
        return where, None
    column = read_column("groups", groups)
    if len(column) != len(where):
        raise InputError(messages.BY_ROWS_BUT_GROUPS(number=len(where), number_of_column=len(column)))
    codes, names = _coded(column.labels())
    return codes * size + where, names


def _coded(values: Sequence[Any]) -> tuple[Ints, tuple[Any, ...]]:
    """Return a code per row and the values in order, of which each code is the place."""
    names = tuple(sorted(set(values)))
    code = {name: place for place, name in enumerate(names)}
    return np.array([code[value] for value in values]), names


def _parts(whole: Table, size: int, group_names: tuple[Any, ...] | None) -> Iterator[Table]:
    """Yield the rows of each slice of a table whose groups are (group, slice)."""
    assert whole.groups is not None
    crossed = np.array(whole.group_labels)[whole.groups]
    order = np.argsort(crossed % size, kind="stable")
    ends = np.cumsum(np.bincount(crossed % size, minlength=size))
    for chosen in np.split(order, ends[:-1]):
        groups = None if group_names is None else crossed[chosen] // size
        part = whole.some_rows(chosen)
        yield replace(part, design=replace(part.design, groups=groups, group_labels=group_names or ())).merged()


@dataclass(frozen=True, eq=False)
class Slices(Mapping[Any, Table]):
    """Tables of disjoint rows by the value they share: a mapping from slice to Table.

    Slices with missing classes stay: what is undefined in them is said and left out of comparisons.
    """

    tables: Mapping[Any, Table]

    def __post_init__(self) -> None:
        if not self.tables:
            raise InputError(messages.TABLES_IS_EMPTY())
        for one in self.tables.values():
            check_table(one)
        _check_alike(self.tables)
        labels = reduce(union_of_labels, (one.labels for one in self.tables.values()))
        object.__setattr__(self, "tables", {name: _on(one, labels) for name, one in self.tables.items()})

    def __getitem__(self, name: Any) -> Table:
        if name not in self.tables:
            raise KeyError(messages.NO_SUCH_SLICE(name=name, tables=quoted(self.tables)))
        return self.tables[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __repr__(self) -> str:
        rows = ", ".join(f"{name}: {one.n:,}" for name, one in list(self.tables.items())[:12])
        more = f", and {len(self) - 12} more" if len(self) > 12 else ""
        return f"Slices({rows}{more})"

    @property
    def models(self) -> tuple[str, ...]:
        """The models, which all slices share."""
        return next(iter(self.tables.values())).models

    @cached_property
    def total(self) -> Table:
        """The table of all rows."""
        return reduce(lambda first, second: first + second, self.tables.values())

    def report(
        self,
        metrics: Iterable[MetricLike] | MetricLike | None = None,
        *,
        level: float = 0.95,
        method: Any = None,
        joint: bool = False,
        models: Iterable[str] | str | None = None,
        undefined: Undefined = "nan",
        progress: Callable[[int, int], None] | None = None,
    ) -> Report:
        """Return the same report for each slice; ``joint=True`` makes all intervals of all slices hold together.

        ``progress`` is told (slices done, all slices).
        """
        check_undefined(undefined)
        chosen = chosen_metrics(self.total, metrics, None if joint else method)
        names = chosen_models(next(iter(self.tables.values())), models)
        families = [family_of(one, chosen, names, undefined) for one in self.tables.values()]
        where = [name for name, family in zip(self.tables, families, strict=True) for _ in family.linears]
        if joint:
            made = joint_report(stacked(families), level=level, method=method)
        else:
            tell = progress or (lambda done, everything: None)
            found: list[Estimate] = []
            for done, family in enumerate(families, 1):
                found += [from_linear(linear, method, Tail(level)) for linear in family.linears]
                tell(done, len(families))
            made = Report(tuple(found), level, notes=family_notes(len(names), len(found), level))
        rows = tuple(_named(row, name, several=len(names) > 1) for row, name in zip(made.rows, where, strict=True))
        notes = (*left_out(self.total, metrics, chosen), *made.notes, *self._notes)
        labels = tuple((row.model, row.metric) for row in rows)

        def moved() -> Covariance:
            return Covariance(made.covariance.matrix if joint else stacked(families).covariances, labels)

        return replace(made, rows=rows, notes=notes, about={"slices": list(self.tables)}, moved=moved)

    def compare(
        self,
        metric: MetricLike,
        *,
        model: str | None = None,
        baseline: Any = None,
        adjust: str = "joint",
        level: float = 0.95,
        method: str | None = None,
        single: Any = None,
        undefined: Undefined = "nan",
    ) -> Comparisons:
        """Return the differences of a metric between slices: every two, or all against the slice ``baseline``.

        Slices are independent, so the limits are joined without correlation (Newcombe 1998 Stat. Med. 17:873), or with
        the correlation that groups running through both slices make.
        """
        chosen, family = self._family(metric, model, undefined)
        how = pair_method(method, family)
        check_single(single, named_pair_method(how))
        names = [str(name) for name in self.tables]
        if baseline is not None and str(baseline) not in names:
            hint = nearest(str(baseline), names)
            raise InputError(messages.BASELINE_IS_NOT_SLICE(baseline=baseline, names=quoted(names), hint=hint))
        made = compared(
            family, names, chosen, baseline=None if baseline is None else str(baseline), adjust=adjust, level=level,
            method=how, single=None if single is None else named_method(single),
        )  # fmt: skip
        sizes = {str(name): one.n for name, one in self.tables.items()}
        both = [sizes[row.a] + sizes[row.b] for row in made.rows]
        unit = next(iter(self.tables.values())).contents.unit
        rows = tuple(
            replace(row, n=n, paired=False, drawn=units(n, unit)) for row, n in zip(made.rows, both, strict=True)
        )
        called = tuple(one.replace(model=name) for one, name in zip(made.estimates, names, strict=True))
        return replace(made, rows=rows, estimates=called, notes=(*made.notes, *self._notes), among="slices")

    def gap(
        self,
        metric: MetricLike,
        *,
        model: str | None = None,
        level: float = 0.95,
        method: str | None = None,
        undefined: Undefined = "nan",
    ) -> Gap:
        """Return the worst slice, the best slice and the gap between them, each with simultaneous intervals."""
        chosen, family = self._family(metric, model, undefined)
        pairs = self.compare(metric, model=model, level=level, method=method, undefined=undefined)
        return gap_of(family, pairs, [str(name) for name in self.tables], chosen, level, self._notes)

    def _family(self, metric: MetricLike, model: str | None, undefined: Undefined) -> tuple[Metric, Family]:
        check_undefined(undefined)
        if len(self) < 2:
            raise InputError(messages.ONLY_SLICE_GAP_NEEDS_TWO(tables=quoted(self.tables)))
        chosen = metric_on(next(iter(self.tables.values())), metric)
        name = self.models[next(iter(self.tables.values())).model_index(model)]
        families = [family_of(one, [chosen], [name], undefined) for one in self.tables.values()]
        sides = [replace(one.linears[0], model=str(slice_)) for slice_, one in zip(self.tables, families, strict=True)]
        for other in sides[1:]:
            check_one_scale(sides[0], other)
        return chosen, stacked(families)

    @property
    def _notes(self) -> tuple[Note, ...]:
        return same_rows_note(self.tables, "slices")


def same_rows_note(tables: Mapping[Any, Table], what: str) -> tuple[Note, ...]:
    """Say when tables look like the same rows: two models as two tables lose their pairing."""
    seen: dict[tuple[float, ...], Any] = {}
    for name, one in tables.items():
        margin = _truth_margin(one)
        if margin is not None and one.n > 1 and margin in seen:
            return (note_of("same rows twice", "same rows", what=what, first=seen[margin], second=name),)
        if margin is not None:
            seen[margin] = name
    return ()


def _check_alike(tables: Mapping[Any, Table]) -> None:
    (first, one), *others = tables.items()
    for name, other in others:
        if other.models != one.models:
            raise InputError(
                messages.SLICE_HOLDS_MODELS_BUT_SLICE_HOLDS(
                    first=first, models=quoted(one.models), name=name, other_models=quoted(other.models)
                )
            )
        if (other.groups is None) != (one.groups is None):
            raise InputError(messages.ONE_OF_SLICES_HAS_GROUPS(first=first, name=name))


def _on(table: Table, labels: tuple[Label, ...]) -> Table:
    return table if table.labels == labels else table.with_labels(labels)


def _truth_margin(table: Table) -> tuple[float, ...] | None:
    margin = table.contents.cross_table([], table.counts)
    return None if margin is None else tuple(margin.tolist())


class SliceEstimate(Estimate):
    """An estimate on one slice; ``model`` names model and slice for display, of one model ``alone`` the slice."""

    slice: Any = None
    of_model: str = ""
    alone: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, slice and model apart."""
        return {"slice": self.slice} | super().to_dict() | {"model": self.of_model}


def _named(row: Estimate, name: Any, *, several: bool) -> SliceEstimate:
    shown = f"{row.model} [{name}]" if several else str(name)
    return SliceEstimate(**(row.as_given() | {"model": shown}), slice=name, of_model=row.model, alone=not several)

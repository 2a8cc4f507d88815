"""hs.read of rows that hold values or sums: from columns of a file or frame to the doors for arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from howsure.errors import InputError, first_given, nearest, quoted
from howsure.errors.messages.sources import rows as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.files.distinct_rows import factor
from howsure.sources.files.request import ReadRequest
from howsure.sources.kinds.judged import judged_values
from howsure.sources.kinds.sums import counts_of_units, sums
from howsure.sources.kinds.values import values_table
from howsure.sources.logs.right_or_wrong import names_apart
from howsure.sources.rows.asked import RowsAsked, named_columns
from howsure.sources.rows.columns import RowColumns, as_often, columns_in, read_columns, read_sums
from howsure.sources.rows.label_columns import label_columns_maker
from howsure.sources.rows.long_tables import long_maker
from howsure.tables.table import Table

Make = Callable[[RowColumns], Table]


def read_rows(source: Any, request: ReadRequest, asked: RowsAsked) -> Table:
    """Return the table of values, sums, answers or label sets of a file or frame."""
    columns, make = _prepared(source, request, asked)
    made = as_often(make(columns), columns.counts)
    return replace(made, notes=(*made.notes, *columns.notes))


def read_row_slices(source: Any, request: ReadRequest, asked: RowsAsked) -> dict[Any, Table]:
    """Return one such table per value of the column ``by``."""
    assert request.by is not None
    columns, make = _prepared(source, request, asked)
    codes, kinds = factor(columns.names[request.by])
    order = sorted(enumerate(kinds), key=lambda pair: (str(type(pair[1])), pair[1]))
    parts = {kind: columns.take(codes == place) for place, kind in order}
    return {kind: as_often(make(part), part.counts) for kind, part in parts.items()}


def _prepared(source: Any, request: ReadRequest, asked: RowsAsked) -> tuple[RowColumns, Make]:
    """Return the columns that were asked for, and how a table is made of them.

    Rows that carry weights are spread out, as often as they occurred.
    """
    columns, make = _asked_for(source, request, asked)
    return columns if request.weight is None else columns.spread(), make


def _asked_for(source: Any, request: ReadRequest, asked: RowsAsked) -> tuple[RowColumns, Make]:
    _refuse_labels(request, asked)
    if request.judge is not None and (asked.value is None or asked.model is not None):
        raise InputError(messages.JUDGE_IS_GIVEN_BUT_JUDGE_GOES())
    own = dict(zip(("truth", "predictions"), asked.long_labels or (), strict=False))
    asked.check_apart(own | {"id": request.id, "group": request.group, "weight": request.weight})
    names = request.naming("by", "group")
    if asked.label_sets:
        return label_columns_maker(source, request, asked, names)
    if asked.model is not None:
        return long_maker(source, request, asked, names)
    if asked.sums is not None:
        return _units(source, request, asked, names)
    return _values(source, request, asked, names)


def _refuse_labels(request: ReadRequest, asked: RowsAsked) -> None:
    given = {"scores": request.score_columns, "threshold": request.threshold}
    if asked.long_labels is not None:
        given |= {"abstain": request.abstain}
    elif not asked.label_sets:
        given |= {name: getattr(request, name) for name in ("truth", "predictions", "labels", "pos_label", "abstain")}
    if asked.sums is not None:
        given |= {"weight": request.weight}
    if astray := first_given(given):
        raise InputError(messages.DOES_NOT_GO_WITH_WERE_ASKED(name=astray, what=asked.what))


def _values(source: Any, request: ReadRequest, asked: RowsAsked, names: Mapping[str, str]) -> tuple[RowColumns, Make]:
    assert asked.value is not None
    models = named_columns(asked.value)
    judges = _judges_of(models, request)
    numbers = dict.fromkeys(models.values(), "value") | dict.fromkeys(judges.values(), "judge")
    numbers |= request.naming("weight")
    may_lack = (*models.values(), *judges.values()) if judges else ()
    columns = read_columns(source, request, numbers, names, optional=may_lack, counted=True)

    def make(some: RowColumns) -> Table:
        how: Any = {
            "range": asked.range, "better": asked.better or "higher",
            "sample_weight": some.weight(request.weight), "groups": some.names.get(request.group or ""),
        }  # fmt: skip
        values = {name: some.numbers[column] for name, column in models.items()}
        if not judges:
            return values_table(values, **how)
        return judged_values(values, {name: some.numbers[column] for name, column in judges.items()}, **how)

    return columns, make


def _judges_of(models: Mapping[str, str], request: ReadRequest) -> dict[str, str]:
    """Return the column of the judge's numbers for each model: by the models' names, or in their order."""
    given = request.judge
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    columns = [given] if isinstance(given, str) else list(given)
    if len(columns) != len(models):
        raise InputError(messages.JUDGE_NAMES_COLUMNS_FOR_OF_VALUES(number=len(columns), number_of_models=len(models)))
    return dict(zip(models, columns, strict=True))


def _units(source: Any, request: ReadRequest, asked: RowsAsked, names: Mapping[str, str]) -> tuple[RowColumns, Make]:
    assert asked.unit is not None
    assert asked.sums is not None
    available = columns_in(source, request)
    systems = systems_of(asked.sums, available)
    numbers = {column: "sums" for held in systems.values() for column in held}
    columns = read_sums(source, request, numbers, {asked.unit: "unit", **names})
    columns.notes += _incomplete(systems, asked.sums, available)
    cells = [name.lower() for name in asked.sums]

    def make(some: RowColumns) -> Table:
        unit, groups = names_apart(some.names[asked.unit or ""]), some.names.get(request.group or "")
        held = {model: [some.numbers[column] for column in chosen] for model, chosen in systems.items()}
        if cells in (["tp", "fp", "fn"], ["tp", "fp", "fn", "tn"]):
            return counts_of_units(held, unit=unit, groups=groups)
        named = {model: dict(zip(asked.sums or (), chosen, strict=True)) for model, chosen in held.items()}
        return sums(named, unit=unit, groups=groups, range=asked.range, better=asked.better)

    return columns, make


def systems_of(wanted: Sequence[str], columns: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns of each system: named as the sums, or with the system before them (yolo_tp, yolo.tp).

    A sum that stands there alone, such as the words of an utterance, is shared by all systems.
    """
    plain = [name for name in wanted if name in columns]
    if len(plain) == len(wanted):
        return {"model": list(wanted)}
    lacking = [name for name in wanted if name not in columns]
    complete = {system: held for system, held in _prefixed(lacking, columns).items() if len(held) == len(lacking)}
    if not complete:
        missing = lacking[0]
        raise InputError(
            messages.SUMS_NAMES_COLUMN(
                missing=missing, other_missing="a_" + missing, columns=quoted(columns), hint=nearest(missing, columns)
            )
        )
    return {system: [held.get(name, name) for name in wanted] for system, held in complete.items()}


def _prefixed(names: Sequence[str], columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the columns that end in one of the names after a mark, by what stands before it."""
    found: dict[str, dict[str, str]] = {}
    for column in columns:
        for name in names:
            for mark in ("_", ".", "-", " "):
                if column.endswith(mark + name) and len(column) > len(name) + 1:
                    held = found.setdefault(column[: -len(name) - 1], {})
                    if held.setdefault(name, column) != column:
                        raise InputError(messages.SUMS_IS_IN_TWO_COLUMNS(name=name, held=held[name], column=column))
    return found


def _incomplete(systems: Mapping[str, Sequence[str]], wanted: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return a note on systems that lack one of the sums, and are left out for it."""
    lacking = [name for name in wanted if name not in columns]
    if not lacking:
        others = [one for held in _prefixed(wanted, columns).values() for one in held.values() if one not in wanted]
        return [marked("sums not read", columns=quoted(others))] if others else []
    parts = [
        marked(
            "sums lacking",
            system=system,
            held=quoted(held.values()),
            lacking=quoted([name for name in lacking if name not in held]),
        )
        for system, held in _prefixed(lacking, columns).items()
        if system not in systems
    ]
    return [marked("systems left out", systems="; ".join(parts))] if parts else []

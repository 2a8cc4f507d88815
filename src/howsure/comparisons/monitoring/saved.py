"""What the file of a counter holds: a header in JSON, and the arrays of its table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from howsure.comparisons.monitoring.judged_counter import judged_rows
from howsure.comparisons.monitoring.saved_kinds import saved_cubes, saved_table
from howsure.errors import InputError
from howsure.errors.messages import comparisons as messages
from howsure.metrics.metric import Label
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.labels import Labels
from howsure.tables.table import Table

_FORMAT, _WITH_JUDGE, _OF_KIND = "howsure counter 1", "howsure counter 2", "howsure counter 3"
_ARRAYS = ("truth", "predictions", "counts", "weights", "squares")


def to_file(
    table: Table, labels: tuple[Label, ...], pos_label: Label | None, how: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and arrays; a counter of plain labels writes what version 0.1 reads."""
    arrays: dict[str, Any] = table.contents.to_arrays() | {"counts": table.counts}
    arrays |= {"weights": table.weights, "squares": table.squares}
    arrays |= {"cubes": table.design.cubes} if table.weighted else {}
    arrays |= {} if table.groups is None else {"groups": table.groups}
    header: dict[str, Any] = {"format": _FORMAT, "labels": labels, "models": table.models, "pos_label": pos_label}
    header |= {"weighted": table.weighted, "group_labels": list(map(_plain, table.group_labels))}
    kind = table.contents.saved_fields()
    judges = kind.pop("judges", None)
    header |= {} if judges is None else {"judges": judges, "format": _WITH_JUDGE}
    header |= {"format": _OF_KIND, "contents": kind, "how": how} if kind else {}
    return header, arrays


def from_file(
    header: Mapping[str, Any], arrays: Mapping[str, Any], models: tuple[str, ...], labels: tuple[Label, ...],
    pos_label: Label | None,
) -> Table:  # fmt: skip
    """Return the table that was saved; raise ValueError or KeyError where header and arrays do not fit together."""
    if "contents" in header:
        return saved_table(header, arrays, models, labels, pos_label)
    truth, predictions, counts, weights, squares = (arrays[name] for name in _ARRAYS)
    groups, names = arrays.get("groups"), tuple(header["group_labels"])
    _check_arrays(len(models), len(labels), truth, predictions, counts, weights, squares, groups, len(names))
    sums, cubes = (counts, weights, squares) if header["weighted"] else (counts,) * 3, saved_cubes(header, arrays)
    rows: Contents = Labels(truth, predictions, labels=labels, pos_label=pos_label)
    if "judges" in header:
        rows = judged_rows(rows, header["judges"], arrays)  # type: ignore[arg-type]
    return Table(models, rows, Design(*sums, groups, names, cubes=cubes))


def check_format(found: Any, path: str | PathLike[str]) -> None:
    """Refuse a file of another kind, and say so where it is only of another version."""
    if found in (_FORMAT, _WITH_JUDGE, _OF_KIND):
        return
    if not str(found).startswith(_FORMAT.rstrip("0123456789")):
        raise KeyError(found)
    raise InputError(messages.PATH_IS_OF_FORMAT_BUT_HOWSURE(
        path=os.fspath(path), found=found, format=_FORMAT, last=_OF_KIND
    ))  # fmt: skip


def _check_arrays(
    models: int,
    labels: int,
    truth: Any,
    predictions: Any,
    counts: Any,
    weights: Any,
    squares: Any,
    groups: Any,
    names: int,
) -> None:
    """Refuse a file whose arrays do not fit together."""
    size = (len(truth),)
    shapes = [part.shape for part in (counts, weights, squares, *([] if groups is None else [groups]))]
    codes = [truth, predictions.ravel()]
    fits = (
        all(shape == size for shape in shapes)
        and predictions.shape == (*size, models)
        and all(part.dtype.kind in "iu" and (not part.size or 0 <= part.min() <= part.max() < labels) for part in codes)
        and all(
            part.dtype.kind == "f" and np.isfinite(part).all() and (part >= 0).all()
            for part in (counts, weights, squares)
        )
        and (
            groups is None
            or (groups.dtype.kind in "iu" and (not groups.size or 0 <= groups.min() <= groups.max() < names))
        )
    )
    if not fits:
        raise ValueError(messages.ARRAYS_DO_NOT_FIT_TOGETHER())


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value

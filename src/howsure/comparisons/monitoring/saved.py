"""What the file of a counter holds: a header in JSON, and the arrays of its table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any

import numpy as np

from howsure.comparisons.monitoring.judged_counter import judged_rows
from howsure.errors import InputError
from howsure.errors.messages import comparisons as messages
from howsure.metrics.metric import Label
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.kinds.scores import Scored
from howsure.tables.kinds.sums import UnitSums
from howsure.tables.kinds.values import RowValues
from howsure.tables.labels import Labels
from howsure.tables.table import Table
from howsure.types import Array

_FORMAT, _WITH_JUDGE, _OF_KIND = "howsure counter 1", "howsure counter 2", "howsure counter 3"
_CODES, _SUMS = ("truth", "predictions"), ("counts", "weights", "squares")
SAVED: dict[str, tuple[Callable[..., Contents], tuple[str, ...]]] = {
    "labels": (Labels, _CODES),
    "scores": (Scored, ("truth", "scores")),
    "values": (RowValues, ("values",)),
    "sums": (UnitSums, ("sums",)),
}


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
    given = dict(header.get("contents", {"kind": "labels"}))
    kind, names = SAVED[given.pop("kind")]
    held, sums = ({name: arrays[name] for name in some} for some in (names, _SUMS))
    if header["weighted"] and "cubes" in arrays:  # a file that was saved before there were any has none
        sums["cubes"] = arrays["cubes"]
    groups, group_labels = arrays.get("groups"), tuple(header["group_labels"])
    _check(held, sums.values(), groups, len(models), len(labels), len(group_labels))
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    rows = kind(**held, **fields, labels=labels, pos_label=pos_label)
    if "judges" in header:
        rows = judged_rows(rows, header["judges"], arrays)  # type: ignore[arg-type]
    sums = sums if header["weighted"] else dict.fromkeys(_SUMS, sums["counts"])
    return Table(models, rows, Design(**sums, groups=groups, group_labels=group_labels))


def check_format(found: Any, path: str | PathLike[str]) -> None:
    """Refuse a file of another kind, and say so where it is only of another version."""
    if found in (_FORMAT, _WITH_JUDGE, _OF_KIND):
        return
    if not str(found).startswith(_FORMAT.rstrip("0123456789")):
        raise KeyError(found)
    raise InputError(messages.PATH_IS_OF_FORMAT_BUT_HOWSURE(
        path=os.fspath(path), found=found, format=_FORMAT, last=_OF_KIND
    ))  # fmt: skip


def _check(
    held: Mapping[str, Array], sums: Iterable[Array], groups: Array | None, models: int, labels: int, names: int
) -> None:
    """Refuse a file whose arrays do not fit together."""
    counts, *others = sums
    size = (len(counts),)
    shapes = {"truth": size, "predictions": (*size, models)}
    codes = [(held[name], shapes[name], labels) for name in _CODES if name in held]
    codes += [] if groups is None else [(groups, size, names)]
    wide = [part for name, part in held.items() if name not in _CODES]
    fits = (
        all(part.shape == size and part.dtype.kind == "f" for part in (counts, *others))
        and all(bool(np.isfinite(part).all() and (part >= 0).all()) for part in (counts, *others))
        and all(part.shape[:2] == (*size, models) and part.dtype.kind == "f" for part in wide)
        and not any(np.isnan(part).any() for part in wide)
        and all(part.shape == shape and part.dtype.kind in "iu" for part, shape, _ in codes)
        and all(not part.size or 0 <= part.min() <= part.max() < most for part, _, most in codes)
    )
    if not fits:
        raise ValueError(messages.ARRAYS_DO_NOT_FIT_TOGETHER())


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value

"""Tables of kinds besides labels from the arrays of a file, as counters save them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from howsure.errors.messages import comparisons as messages
from howsure.metrics.metric import Label
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.kinds.scores import Scored
from howsure.tables.kinds.sums import UnitSums
from howsure.tables.kinds.values import RowValues
from howsure.tables.table import Table
from howsure.types import Array

SAVED: dict[str, tuple[Callable[..., Contents], tuple[str, ...]]] = {
    "scores": (Scored, ("truth", "scores")),
    "values": (RowValues, ("values",)),
    "sums": (UnitSums, ("sums",)),
}


def saved_table(
    header: Mapping[str, Any], arrays: Mapping[str, Array], models: tuple[str, ...], labels: tuple[Label, ...],
    pos_label: Label | None,
) -> Table:  # fmt: skip
    """Return the table that a header and its arrays describe; raise ValueError where they do not fit together."""
    given = dict(header["contents"])
    kind, names = SAVED[given.pop("kind")]
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    held = {name: arrays[name] for name in names}
    counts, weights, squares = (arrays[name] for name in ("counts", "weights", "squares"))
    groups = arrays.get("groups")
    _check(held, (counts, weights, squares), groups, len(models), len(labels), len(header["group_labels"]))
    sums, cubes = (counts, weights, squares) if header["weighted"] else (counts,) * 3, saved_cubes(header, arrays)
    contents = kind(**held, **fields, labels=labels, pos_label=pos_label)
    return Table(models, contents, Design(*sums, groups, tuple(header["group_labels"]), cubes=cubes))


def saved_cubes(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> Any:
    """Return the sums of cubed weights, None where the file was saved before there were any."""
    found = arrays.get("cubes") if header["weighted"] else None
    if found is not None and not (found.shape == arrays["counts"].shape and found.dtype.kind == "f"
                                  and bool(np.isfinite(found).all() and (found >= 0).all())):  # fmt: skip
        raise ValueError(messages.ARRAYS_DO_NOT_FIT_TOGETHER())
    return found


def _check(
    held: Mapping[str, Array], sums: tuple[Array, ...], groups: Array | None, models: int, labels: int, names: int
) -> None:
    size = len(sums[0])
    wide = [part for name, part in held.items() if name != "truth"]
    fits = all(part.shape == (size,) and part.dtype.kind == "f" for part in sums)
    fits = fits and all(bool(np.isfinite(part).all() and (part >= 0).all()) for part in sums)
    fits = fits and all(part.shape[:2] == (size, models) and part.dtype.kind == "f" for part in wide)
    fits = fits and not any(np.isnan(part).any() for part in wide)
    codes = [(held["truth"], labels)] if "truth" in held else []
    codes += [] if groups is None else [(groups, names)]
    fits = fits and all(
        part.shape == (size,) and part.dtype.kind in "iu" and (not size or 0 <= part.min() <= part.max() < most)
        for part, most in codes
    )
    if not fits:
        raise ValueError(messages.ARRAYS_DO_NOT_FIT_TOGETHER())

"""hs.read(task=…): the tables of several tasks from a column, from one file a task, or from a folder of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import doors as messages
from howsure.sources.files.formats import files_of
from howsure.tables.table import Table, positive_of

FEW_LABELS = 2  # labels that are those of two classes in every task


def by_column(parts: Mapping[Any, Table]) -> dict[str, Table]:
    """Return the tables of the values of a column; each task has the labels that occur in it."""
    return {str(name): _own_labels(one) for name, one in parts.items()}


def by_file(source: Any, read: Callable[[Any], Table]) -> dict[str, Table]:
    """Return one table a file, or a subfolder, each under its name."""
    found = {name: read(one) for name, one in task_sources(source).items()}
    if len(found) < 2:
        raise InputError(messages.SOURCE_HOLDS_ONE_TASK(found=quoted(found)))
    return found


def task_sources(source: Any) -> dict[str, Any]:
    """Return what each task is read from: the subfolders of a folder, one file a model, or files, one a task.

    >>> task_sources({"mmlu": "a.csv", "gsm8k": "b.csv"})
    {'mmlu': 'a.csv', 'gsm8k': 'b.csv'}
    """
    if isinstance(source, Mapping):
        return {str(name): one for name, one in source.items()}
    paths = [source] if isinstance(source, (str, PathLike)) else source
    if not isinstance(paths, Sequence) or not all(isinstance(one, (str, PathLike)) for one in paths):
        raise InputError(messages.SOURCE_OF_TASKS_OF_TYPE(kind=type(source).__name__))
    folders = [Path(fspath(one)) for one in paths]
    if len(folders) == 1 and folders[0].is_dir():
        inside = sorted(one for one in folders[0].iterdir() if one.is_dir() and not one.name.startswith((".", "_")))
        if inside:
            return {one.name: _one_or_more(files_of(one)) for one in inside}
        folders = [Path(one) for one in files_of(folders[0])]
    elif len(folders) == 1:
        folders = [Path(one) for one in files_of(paths[0])]
    names = [one.name if one.is_dir() else _stem(one) for one in folders]
    twice = [name for at, name in enumerate(names) if name in names[:at]]
    if twice:
        raise InputError(messages.SOURCE_HAS_TWO_TASKS_CALLED(twice=twice[0]))
    return {
        name: _one_or_more(files_of(one)) if one.is_dir() else str(one)
        for name, one in zip(names, folders, strict=True)
    }


def _one_or_more(files: list[str]) -> Any:
    return files[0] if len(files) == 1 else files


def _stem(path: Path) -> str:
    return path.name.split(".")[0] or path.name


def _own_labels(table: Table) -> Table:
    """Return a table on the labels that occur in it; a positive class that was implied follows from these."""
    implied = table.implied or table.pos_label is None
    kept = {*table.contents.occurring(table.counts), *(() if implied else (table.pos_label,))}
    wanted = tuple(label for label in table.labels if label in kept)
    if len(table.labels) <= FEW_LABELS or wanted == table.labels or not table.negatives:
        return table
    codes = np.array([wanted.index(label) if label in kept else 0 for label in table.labels])
    positive = positive_of(wanted) if implied else table.pos_label
    contents = replace(table.contents.recoded(codes, wanted), pos_label=positive, implied=implied)
    return replace(table, contents=contents)

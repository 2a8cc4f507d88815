"""Folders that hold a value of a column in their names (Hive partitions: year=2024/site=b), read only when asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

from howsure.errors import InputError, quoted, setting
from howsure.errors.messages.sources import files as messages
from howsure.sources.files.formats import is_url

_NOTHING = "__HIVE_DEFAULT_PARTITION__"


class Partitions(NamedTuple):
    """The columns that folders state, and the value of each in every file; None where it is missing."""

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]


def stated(name: str) -> dict[str, str | None]:
    """Return the columns that the folders of a path state.

    >>> stated("runs/site=b/year=2024/part-0.parquet"), stated("a=b.csv")
    ({'site': 'b', 'year': '2024'}, {})
    """
    parted = [folder.partition("=") for folder in name.replace("\\", "/").split("/")[:-1]]
    return {unquote(key): None if value == _NOTHING else unquote(value) for key, mark, value in parted if mark and key}


def partitions_of(files: Sequence[str], columns: Sequence[str]) -> Partitions:
    """Return what the folders of files state; refuse files that differ in it, and columns that the files have too."""
    pattern = next((name for name in files if is_url(name) and "*" in name), None)
    if pattern is not None:
        raise InputError(messages.PARTITIONS_IS_TRUE_IS_PATTERN(pattern=pattern))
    each = [stated(name) for name in files]
    found = tuple(each[0])
    other = next((place for place, one in enumerate(each) if tuple(one) != found), None)
    if other is not None:
        raise InputError(
            messages.PARTITIONS_IS_TRUE_BUT_FOLDERS(
                files=files[0],
                listed=_listed(found),
                other_files=files[other],
                other_listed=_listed(tuple(each[other])),
            )
        )
    if not found:
        raise InputError(messages.PARTITIONS_IS_TRUE_BUT_NO_FOLDER(files=files[0]))
    clash = [key for key in found if key in columns]
    if clash:
        raise InputError(messages.PARTITIONS_IS_TRUE_AND_COLUMN(clash=clash[0], each=each[0][clash[0]], files=files[0]))
    return Partitions(found, tuple(tuple(one[key] for one in each) for key in found))


def hint(files: Sequence[str], column: str) -> str:
    """Return what to do where a column that a file lacks is stated by its folders."""
    if not files or column not in stated(files[0]):
        return ""
    return f" Its folder states {column!r}: read such folders as columns with {setting('partitions', True)}."


def _listed(columns: Sequence[str]) -> str:
    return quoted(columns) if columns else "no column"

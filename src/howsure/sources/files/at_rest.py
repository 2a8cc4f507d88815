"""What can be read only once (a pipe, a FIFO, standard input) as a file that can be read as often as needed."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike, fspath
from typing import Any

_BLOCK = 1 << 20


@contextmanager
def at_rest(source: str | PathLike[str]) -> Iterator[str]:
    """Return the path of a file; of a pipe or a device, that of a copy that lives as long as it is used.

    The copy keeps the name, after which models are named.
    """
    name = fspath(source)
    if not _flows(name):
        yield name
        return
    with open(name, "rb") as stream, copy_of(stream, os.path.basename(name)) as path:
        yield path


def holds_paths(source: Mapping[Any, Any]) -> bool:
    """Say whether a mapping is one of names to files."""
    return bool(source) and all(isinstance(value, (str, PathLike)) for value in source.values())


def _flows(name: str) -> bool:
    """Say whether a path is that of something without a size, such as a pipe."""
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


@contextmanager
def copy_of(stream: Any, name: str) -> Iterator[str]:
    """Return the path of a copy of an open file, of text or of bytes."""
    with tempfile.TemporaryDirectory(prefix="howsure-") as folder:
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            while block := stream.read(_BLOCK):
                file.write(block.encode() if isinstance(block, str) else block)
        yield path

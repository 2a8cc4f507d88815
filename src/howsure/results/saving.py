"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def write_whole(path: str | Path, content: bytes) -> Path:
    """Write a file beside its place and rename it there: a full disk, Ctrl-C or a crash leaves the old one.

    What is no file (a pipe, /dev/null) is written as it is; a link stays one, and an old file keeps its rights.
    """
    given = Path(path)
    place = given.resolve()
    try:
        if place.exists() and not place.is_file():
            place.write_bytes(content)
        else:
            _replace(place, content)
    except OSError as error:  # which names the draft, a file that nobody asked for, or none
        raise OSError(error.errno, error.strerror, str(given)) from None
    return given


def _replace(place: Path, content: bytes) -> None:
    handle, draft = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(draft, _rights(place))
        os.replace(draft, place)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def _rights(place: Path) -> int:
    """Return the rights of the old file, or those that a new one gets."""
    if place.exists():
        return stat.S_IMODE(place.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def write_whole(path: str | Path, content: bytes) -> Path:
    """Write a file beside its place and rename it there: a full disk or Ctrl-C leaves the old file as it was.

    What is no file (a pipe, /dev/null) is written as it is; a link stays one, and an old file keeps its rights.
    """
    given = Path(path)
    place = given.resolve()
    if place.exists() and not place.is_file():
        place.write_bytes(content)
        return given
    handle, draft = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        os.chmod(draft, _rights(place))
        os.replace(draft, place)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return given


def _rights(place: Path) -> int:
    """Return the rights of the old file, or those that a new one gets."""
    if place.exists():
        return stat.S_IMODE(place.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask

"""Members of a zip archive, also of one packed with Zstandard, which Python reads from 3.14 on only."""

from __future__ import annotations

import zipfile
import zlib

from howsure.errors import InputError, need_extra
from howsure.sources.formats import EXPANDED, RATIO

_HEADER = 30  # bytes of a local header before its name; the lengths of name and extra field end it


def check_expansion(archive: zipfile.ZipFile, name: str, *, remedy: str) -> None:
    """Refuse an archive that says it unfolds beyond reason; nothing is ever read beyond what it says."""
    members = archive.infolist()
    unfolded, packed = sum(one.file_size for one in members), sum(one.compress_size for one in members)
    if unfolded > EXPANDED and unfolded > RATIO * packed:
        raise InputError(
            f"{name!r} unfolds to {unfolded:,} bytes, more than {RATIO} times its size, as files made to exhaust a "
            f"machine do; {remedy}"
        )


def content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a member, never more than the archive says it has."""
    try:
        return archive.read(member)
    except NotImplementedError:
        return _unpacked(_raw(archive, member), member)


def _raw(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    file = archive.fp
    assert file is not None
    file.seek(member.header_offset)
    header = file.read(_HEADER)
    file.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
    return file.read(member.compress_size)


def _unpacked(raw: bytes, member: zipfile.ZipInfo) -> bytes:
    try:
        import pyarrow
    except ImportError:
        raise need_extra("pyarrow", "files", "an archive packed with Zstandard") from None
    made: bytes = pyarrow.decompress(raw, decompressed_size=member.file_size, codec="zstd", asbytes=True)
    if zlib.crc32(made) != member.CRC:
        raise zipfile.BadZipFile(f"{member.filename} is damaged")
    return made

"""Which files a name stands for, what format they have, and whether a compressed one unfolds to something sane.

Members of a zip archive are read here too, also packed with Zstandard, which Python reads from 3.14 on only.
"""

from __future__ import annotations

import gzip
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from glob import glob, has_magic
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any

from howsure.errors import InputError, arg, check_choice, cut, need_extra, quoted
from howsure.errors.messages.sources import files as messages

TABULAR = ("csv", "tsv", "parquet", "arrow", "jsonl", "json")
LOGS = ("lm-eval", "inspect", "helm", "openai-evals", "huggingface", "mlflow")
HELM = "per_instance_stats.json"
FORMATS = (*TABULAR, *LOGS)
TAGGED = (".conll", ".conll03", ".iob", ".iob2", ".bio")
"""The endings of files of tags in columns."""
SUFFIXES = {
    ".csv": "csv",
    ".txt": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".eval": "inspect",
}
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"FEA1": "feather version 1", b"PK\x03\x04": "inspect"}

# Beside the rows: summaries of lm-evaluation-harness, descriptions of a data set that Hugging Face's datasets saved.
_BESIDE = re.compile(r"results_.+\.json|dataset_info\.json|dataset_dict\.json|state\.json")
EXPANDED = 1 << 30
RATIO = 200
"""A compressed file that unfolds to more than EXPANDED bytes and RATIO times its size is taken for a bomb."""
_PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_HEAD, _STEP = 1 << 16, 1 << 20


def is_url(name: str) -> bool:
    """Say whether a name is a URL rather than a local path.

    >>> is_url("s3://bucket/preds.parquet"), is_url("preds.parquet")
    (True, False)
    """
    return "://" in name


def files_of(source: str | PathLike[str]) -> list[str]:
    """Return the files of a path, a directory, a glob or a URL, sorted."""
    name = fspath(source)
    if is_url(name):
        return [name]
    path = Path(name)
    try:
        folder = path.is_dir()
    except (OSError, ValueError) as error:  # a name that no file can have
        raise InputError(messages.SOURCE_IS_NO_PATH(name=cut(repr(name), 200), args=error.args[-1])) from None
    if folder:
        return _in_directory(path)
    if path.exists():
        return [name]
    found = sorted(glob(name, recursive=True)) if has_magic(name) else []
    if not found:
        raise InputError(_absent(name, path))
    return [one for one in found if not Path(one).is_dir()]


def _in_directory(path: Path) -> list[str]:
    every = [one for one in sorted(path.rglob("*")) if one.is_file() and not one.name.startswith(("_", "."))]
    inside = [one for one in every if not _BESIDE.fullmatch(one.name)] or every
    kinds = sorted({kind for one in inside if (kind := suffix_format(one.name))})
    if len(kinds) != 1:
        what = (
            messages.FILES_OF_SEVERAL_FORMATS(kinds=", ".join(kinds)) if kinds else messages.NO_FILE_OF_KNOWN_FORMAT()
        )
        raise InputError(messages.SOURCE_IS_DIRECTORY_HOLDS(path=str(path), what=what))
    return [str(one) for one in inside if suffix_format(one.name)]


def _absent(name: str, path: Path) -> str:
    if has_magic(name):
        return f"{arg('source')} is {name!r}, and no file matches this pattern; check the directory and the pattern"
    beside = sorted(one.name for one in path.parent.iterdir()) if path.parent.is_dir() else []
    close = [one for one in beside if suffix_format(one)]
    here = f" The directory holds {quoted(close, most=8)}." if close else ""
    return f"{arg('source')} is {name!r}, and there is no such file; check the path.{_alike(path.stem, close)}{here}"


def _alike(stem: str, names: Sequence[str]) -> str:
    """Return a suggestion by what stands before the ending: all files of a kind share that."""
    stems = {Path(name).stem: name for name in names}
    found = get_close_matches(stem, stems, n=1, cutoff=0.6)
    return f" Did you mean {stems[found[0]]!r}?" if found else ""


def is_tagged(source: Any) -> bool:
    """Say whether a source is one or more files of tags in columns, by their endings."""
    paths = list(source.values()) if isinstance(source, Mapping) else source
    paths = [paths] if isinstance(paths, (str, PathLike)) else paths
    if not isinstance(paths, (list, tuple)) or not paths:
        return False
    return all(isinstance(one, (str, PathLike)) and fspath(one).lower().endswith(TAGGED) for one in paths)


def suffix_format(name: str) -> str | None:
    """Return the format that a file's name promises, or None.

    >>> suffix_format("preds.csv.gz"), suffix_format("notes")
    ('csv', None)
    """
    lowered = name.lower().removesuffix(".gz").removesuffix(".zst")
    return next((kind for suffix, kind in SUFFIXES.items() if lowered.endswith(suffix)), None)


def format_of(files: Sequence[str], asked: str | None = None) -> str:
    """Return the format of files: as asked, by their names, or by how the first one begins."""
    if asked is not None:
        check_choice("format", asked, FORMATS)
        return asked
    named = {suffix_format(name) for name in files}
    if len(named) > 1:
        raise InputError(messages.SOURCE_HOLDS_FILES_OF_DIFFERENT_FORMATS(files=quoted(files)))
    found = named.pop() or _sniffed(files[0])
    if found not in FORMATS:
        raise InputError(messages.OF_FORMAT_CANNOT_BE_READ(files=files[0], found=found))
    return found


def _sniffed(name: str) -> str:
    if is_url(name):
        raise InputError(messages.SOURCE_WHOSE_ENDING_NAMES_NO_FORMAT(name=name, tabular=quoted(TABULAR)))
    with unfolded(name) as stream:
        head = stream.read(_HEAD)
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return kind
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"["):
        return "json"
    if text.startswith(b"{"):
        line, ended, _ = text.partition(b"\n")
        return "jsonl" if line.rstrip().endswith(b"}") or not ended else "json"
    return "csv"


def compression_of(name: str) -> str | None:
    """Return how a local file is compressed, by how it begins: "gzip", "zstd" or None."""
    with open(name, "rb") as file:
        head = file.read(4)
    return next((kind for magic, kind in _PACKED.items() if head.startswith(magic)), None)


def _open_zstd(name: str) -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise need_extra("pyarrow", "files", messages.READING_ZSTD_FILES()) from None
    return pa.input_stream(name, compression="zstd")


_OPENERS: dict[str | None, Callable[[str], Any]] = {
    None: partial(open, mode="rb"),
    "gzip": gzip.open,
    "zstd": _open_zstd,
}


@contextmanager
def unfolded(name: str) -> Iterator[IO[bytes]]:
    """Open a local file, unfolding what is compressed; refuse it where that turns out to be damaged."""
    packing = compression_of(name)
    with _OPENERS[packing](name) as stream:
        try:
            yield stream
        except (EOFError, OSError, zlib.error) as error:
            if packing is None:
                raise
            raise InputError(
                messages.DAMAGED_FILE_FETCH_OR_WRITE_AGAIN(name=name, packing=packing, error=error)
            ) from None


def check_files(files: Iterable[str]) -> None:
    """Refuse empty files and compressed ones that are damaged or unfold beyond reason; URLs are left to the engine.

    DuckDB does not look at the checksum of a gzip file, and would count what a flipped bit made of it.
    """
    for name in files:
        if is_url(name):
            continue
        size = Path(name).stat().st_size
        if not size:
            raise InputError(messages.EMPTY_FILE_OF_PREDICTIONS_NEEDS_HEADER(name=name))
        if compression_of(name) is not None:
            _check_expansion(name, size)


def _check_expansion(name: str, size: int) -> None:
    """Unfold a file without keeping it, and stop where it is larger than any honest file would be."""
    found = 0
    with unfolded(name) as stream:
        while block := stream.read(_STEP):
            found += len(block)
            if found > EXPANDED and found > RATIO * size:
                raise InputError(
                    messages.OF_BYTES_UNFOLDS_TO_MORE(name=name, size=size, ratio=RATIO, expanded=EXPANDED)
                )


_HEADER = 30  # bytes of a local header before its name; the lengths of name and extra field end it


def check_expansion(archive: zipfile.ZipFile, name: str, *, remedy: str) -> None:
    """Refuse an archive that says it unfolds beyond reason; nothing is ever read beyond what it says."""
    members = archive.infolist()
    unfolded, packed = sum(one.file_size for one in members), sum(one.compress_size for one in members)
    if unfolded > EXPANDED and unfolded > RATIO * packed:
        raise InputError(
            messages.UNFOLDS_TO_BYTES_MORE_THAN_TIMES(name=name, unfolded=unfolded, ratio=RATIO, remedy=remedy)
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
        raise need_extra("pyarrow", "files", messages.ARCHIVE_PACKED_WITH_ZSTANDARD()) from None
    made: bytes = pyarrow.decompress(raw, decompressed_size=member.file_size, codec="zstd", asbytes=True)
    if zlib.crc32(made) != member.CRC:
        raise zipfile.BadZipFile(f"{member.filename} is damaged")
    return made

"""Files of predictions as the tests write them."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa


def write_csv(path: Path, columns: dict[str, list[Any]], *, delimiter: str = ",") -> Path:
    """Write columns with a header, compressed if the name says so."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return write_bytes(path, buffer.getvalue().encode())


def write_jsonl(path: Path, columns: dict[str, list[Any]]) -> Path:
    """Write one object a line, or a list of objects if the name ends in .json."""
    rows = [json.dumps(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]
    whole = path.name.removesuffix(".gz").removesuffix(".zst").endswith(".json")
    return write_bytes(path, ("[" + ",".join(rows) + "]" if whole else "\n".join(rows)).encode())


def write_bytes(path: Path, content: bytes) -> Path:
    """Write a file, compressed if the name says so."""
    if path.suffix == ".gz":
        content = gzip.compress(content)
    elif path.suffix == ".zst":
        content = pa.compress(content, codec="zstd", asbytes=True)
    path.write_bytes(content)
    return path


def text(path: Path, content: str) -> Path:
    """Write a file of text."""
    path.write_text(content)
    return path

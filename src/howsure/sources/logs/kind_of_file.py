"""Which format a file has: by its ending, and of JSON by what is in it, for logs have the same endings."""

from __future__ import annotations

from os import PathLike
from pathlib import PurePath

from howsure.errors import InputError
from howsure.errors.messages.sources import logs as messages
from howsure.sources.files.formats import HELM, check_files, files_of, format_of, is_url
from howsure.sources.files.text_records import json_records, opened

_BLOCK = 1 << 20


def kind_of_file(source: str | PathLike[str], asked: str | None) -> str:
    """Return the format of a file; JSON is looked into, for logs have the same endings."""
    files = files_of(source)
    kind = format_of(files, asked)
    if asked is not None or kind not in ("json", "jsonl") or is_url(files[0]):
        return kind
    if all(PurePath(name).name == HELM for name in files):
        return "helm"
    from howsure.sources.logs.json_logs import kind_of_object  # a table in CSV waits for no reader of logs

    check_files(files[:1])
    with opened(files[0]) as file:
        if kind == "jsonl":
            first = next(json_records(file), None)
            return kind_of_object(first and first.fields) or kind
        begins = file.read(_BLOCK).lstrip()[:1]
    return _kind_of_whole(files[0]) if begins == "{" else kind


def _kind_of_whole(name: str) -> str:
    from howsure.sources.logs.json_logs import kind_of_object, load_json

    found = load_json(name)
    kind = kind_of_object(found)
    if kind is None:
        raise InputError(messages.ONE_JSON_OBJECT_WITH_KEYS(name=name, found=list(found)[:8]))
    return kind

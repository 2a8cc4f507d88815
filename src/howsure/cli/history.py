"""A history of gates: each run with the file and hash of its predictions, compared with the last release."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from howsure.errors.messages import cli as messages
from howsure.results.base import schema_of

SCHEMA = schema_of("history")


def remember(files: Sequence[str], made: Any, metric: Any, options: dict[str, Any]) -> list[str]:
    """Append the verdict to the history, and return what is to be said: how this run compares with the last release."""
    path = Path(options["history"])
    said = _against(_last_release(path), files, made.model, metric, options)
    record = {
        "schema": SCHEMA,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "release": options["release"],
        "files": [{"path": Path(file).as_posix(), "sha256": _hash(file)} for file in files],
        "gate": json.loads(made.to_json()),
    }
    with path.open("a", encoding="utf-8", newline="\n") as history:
        history.write(json.dumps(record, ensure_ascii=False) + "\n")
    return [] if options["quiet"] else [*said, f"wrote {path}"]


def _hash(file: str) -> str | None:
    if not Path(file).is_file():
        return None
    with Path(file).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _last_release(path: Path) -> dict[str, Any] | None:
    if not path.exists():
        return None
    from howsure.errors import InputError

    found = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            known = record["schema"] == SCHEMA
        except (ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise InputError(messages.LINE_OF_IS_NO_RECORD(number=number, path=path, schema=SCHEMA))
        found = record if record["release"] is not None else found
    return found


def _against(
    release: dict[str, Any] | None, files: Sequence[str], model: str, metric: Any, options: dict[str, Any]
) -> list[str]:
    """Return how this run compares with the last release, paired where its file is there and rows have ids."""
    if release is None:
        return [] if options["release"] else ["no release in the history yet; name one with --release"]
    old = [one["path"] for one in release["files"]]
    value = release["gate"]["value"]
    shown = "undefined" if value is None else f"{float(value):.3f}"
    first = f"last release: {release['release']}, {release['gate']['metric']} {shown}"
    why = _cannot_pair(release, files, options)
    if why is not None:
        return [f"{first}; it cannot be compared row by row: {why}"]
    from howsure.cli.data import reading
    from howsure.comparisons.compare import compare
    from howsure.errors import HowsureError
    from howsure.sources.read import read

    columns = list(dict.fromkeys((release["gate"]["model"], model))) if options["predictions"] else None
    asked = reading(options) | {"predictions": columns}
    try:
        table = read({"release": old[0], "now": files[0]}, id=options["id_"], **asked)
        then, now = (_named(table.models, *one) for one in (("release", release["gate"]["model"]), ("now", model)))
        made = compare(table, metric, a=then, b=now, level=options["level"], undefined=options["undefined"])
    except HowsureError as error:  # a verdict that is there must be kept
        return [f"{first}; it cannot be compared row by row: {error}"]
    return [f"{first}; {made!r}"]


def _named(models: Sequence[str], run: str, model: str) -> str:
    """Return what a model of a run is called where both are read: by its column too where there are several."""
    return f"{run}/{model}" if f"{run}/{model}" in models else run


def _cannot_pair(release: dict[str, Any], files: Sequence[str], options: dict[str, Any]) -> str | None:
    """Say what a paired comparison lacks, or None."""
    (old, *others) = release["files"]
    if others or len(files) != 1:
        return "a run reads several files"
    if options["id_"] is None:
        return "rows have no --id to be paired by"
    if not Path(old["path"]).is_file():
        return f"{old['path']} is not there any more"
    if _hash(old["path"]) != old["sha256"]:
        return f"{old['path']} is not the file of the release any more (another hash)"
    return None

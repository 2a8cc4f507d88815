"""Finished parts of a study on disk: an interrupted study goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from howsure.errors import InputError
from howsure.errors.messages import studies as messages
from howsure.studies.tally import Tally


def digest(what: Any) -> str:
    """Return a short name for anything that JSON can hold."""
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:24]


class KeptParts:
    """A file of finished parts, one line each; a line that was torn by an interruption or is damaged is ignored.

    Without a folder nothing is kept. ``kind`` ends the name of the file, so that two kinds of parts never meet.
    """

    kind = ""

    def __init__(self, folder: str | os.PathLike[str] | None, study: Any) -> None:
        self.path: Path | None = None
        self.found: dict[str, Any] = {}
        if folder is None:
            return
        home = Path(folder)
        if home.exists() and not home.is_dir():
            raise InputError(messages.CHECKPOINT_IS_FILE(home=str(home)))
        home.mkdir(parents=True, exist_ok=True)
        self.path = home / f"{digest(study)}{self.kind}.jsonl"
        if self.path.exists():
            self._read(self.path)

    def _read(self, path: Path) -> None:
        for line in path.read_bytes().splitlines():
            try:
                key, result = json.loads(line)
                if isinstance(key, str):
                    self.found[key] = self.read_part(result)
            except (ValueError, TypeError, AttributeError, RecursionError):
                continue

    def read_part(self, result: Any) -> Any:
        """Return a part from its JSON; raise ValueError where it is damaged."""
        return result

    def keep(self, key: str, result: Any) -> None:
        """Keep the JSON of a finished part."""
        if self.path is None:
            return
        with self.path.open("a", encoding="utf-8") as file:
            # A torn line ends here at the latest: the new one starts on a line of its own.
            file.write("\n" + json.dumps([key, result]) + "\n")


class Checkpoint(KeptParts):
    """The finished parts of a coverage study: their sums."""

    def read_part(self, result: Any) -> Tally:
        """Return the sums of a part, all of which must be numbers."""
        if not all(type(value) in (int, float) for value in result.values()):
            raise ValueError(messages.SUM_IS_NOT_NUMBER())
        return Tally(**result)

    def get(self, key: Any) -> Tally | None:
        """Return the sums of a part, if it was finished before."""
        return self.found.get(digest(key))

    def put(self, key: Any, sums: Tally) -> None:
        """Keep the sums of a finished part."""
        self.keep(digest(key), asdict(sums))

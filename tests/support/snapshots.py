"""Texts as they are shown, kept in ``tests/snapshots/*.txt``; ``pytest --refresh-snapshots`` writes them anew.

A snapshot holds wording and layout, not numbers: those are asserted elsewhere, from outside sources. Read the
difference before it is committed.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "snapshots"


class Snapshots:
    """Compares texts with the files of the folder, or writes them."""

    def __init__(self, refresh: bool, folder: Path = FOLDER) -> None:
        self.refresh, self.folder = refresh, folder

    def check(self, name: str, text: str) -> None:
        """Compare a text with its file; a missing file fails, unless it is to be written."""
        path, shown = self.folder / f"{name}.txt", "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
        if self.refresh:
            path.write_text(shown, encoding="utf-8")
        assert path.exists(), f"{path} is missing: write it with pytest --refresh-snapshots, and read it"
        assert shown == path.read_text(encoding="utf-8"), f"{path.name}: if meant so, pytest --refresh-snapshots"

"""What a part of the benchmark found: tables and targets, kept as JSON so that parts can be run alone."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

Cell = float | int | str | None


@dataclass(frozen=True)
class Effort:
    """How large the data are and how long each comparison lasts; 1 for the page, less to try a script."""

    share: float = 1.0
    big: bool = True

    def rows(self, full: int, least: int = 4096) -> int:
        """Return the rows to use where the page uses ``full``; a multiple of 8."""
        return max(int(full * self.share), min(full, least)) // 8 * 8

    def times(self, full: int, least: int = 3) -> int:
        """Return the repeats to use where the page uses ``full``."""
        return max(int(full * self.share), least)

    def budget(self, seconds: float) -> float:
        """Return how long to repeat a comparison."""
        return seconds * self.share


@dataclass(frozen=True)
class Target:
    """A ratio that was asked for beside the one that was measured."""

    name: str
    ratio: float
    limit: float
    wants: str = "at most"
    spread: str = ""

    def __post_init__(self) -> None:
        if self.wants not in ("at most", "at least"):
            raise ValueError(f"wants is {self.wants!r}; it must be 'at most' or 'at least'")

    @property
    def reached(self) -> bool:
        """Say whether the limit was kept."""
        return self.ratio <= self.limit if self.wants == "at most" else self.ratio >= self.limit


@dataclass(frozen=True)
class Section:
    """A heading, a few sentences and a table."""

    title: str
    text: str
    columns: list[str]
    rows: list[list[Cell]]
    after: str = ""


@dataclass(frozen=True)
class Part:
    """The sections and targets of one script, with the machine and its load when they were measured."""

    name: str
    sections: list[Section]
    targets: list[Target]
    machine: dict[str, str] = field(default_factory=dict)
    minutes: float = 0.0


def save(part: Part, folder: Path) -> None:
    """Write a part to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(asdict(part), indent=1, ensure_ascii=False)
    (folder / f"{part.name}.json").write_text(text + "\n", encoding="utf-8")


def load(name: str, folder: Path) -> Part | None:
    """Read a part, or None if it was never run."""
    path = folder / f"{name}.json"
    if not path.exists():
        return None
    stored = json.loads(path.read_text(encoding="utf-8"))
    sections = [Section(**section) for section in stored.pop("sections")]
    targets = [Target(**target) for target in stored.pop("targets")]
    return Part(sections=sections, targets=targets, **stored)

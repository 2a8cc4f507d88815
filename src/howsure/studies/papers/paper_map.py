"""The map of the five papers: rows of map.toml, and the small files that their commands read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

import numpy as np

from howsure.studies.papers import takahashi2022, wang2019, yuan2025

SHARES = "0.02,0.02,0.02\n0.05,0.70,0.02\n0,0.02,0.15\n"
ENTITIES = {"PER": ("Ada", "Bob", "Dan Roe"), "ORG": ("Acme", "Bolt Works"), "LOC": ("Rome", "New York")}


@dataclass(frozen=True)
class MapRow:
    """One thing that a paper has: where it stands, the command and the call that give it, its number and ours.

    ``out`` and the last line of ``python`` say which numbers are meant. ``within`` is how far ours may lie from the
    print where draws stand between them, ``differs`` why ours is another number.
    """

    paper: str
    item: str
    where: str
    command: str
    out: str
    python: str
    ours: tuple[str, ...]
    printed: tuple[str, ...] = ()
    within: float | None = None
    differs: str = ""
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what a reader sees."""
        shown = asdict(self)
        shown["command"] = f"howsure {self.command}" if self.command else ""
        shown |= {"printed": "  ".join(self.printed), "ours": "  ".join(self.ours)}
        shown["note"] = "; ".join(filter(None, (self.differs, self.note)))
        return {
            name: shown[name] for name in ("paper", "item", "where", "command", "python", "printed", "ours", "note")
        }


@cache
def _map() -> Mapping[str, Any]:
    return tomllib.loads((files("howsure.studies.papers") / "map.toml").read_text(encoding="utf-8"))


def map_rows(paper: str | None = None) -> list[MapRow]:
    """Return the rows of one paper, or of all."""
    made = [MapRow(**(row | {name: tuple(row.get(name, ())) for name in ("ours", "printed")})) for row in _map()["row"]]
    return [row for row in made if paper in (None, row.paper)]


def setups() -> dict[str, str]:
    """Return the line of Python that the calls of each paper start from."""
    return dict(_map()["setup"])


def map_files() -> dict[str, str]:
    """Return the files that the commands of the map read, by name: published counts, and small ones made here."""
    lines = [
        f"{task},{model},{at // 2 + 1},{at % 2 + 1},{tp},{fp},{fn}"
        for (task, model), held in wang2019.COUNTS.items()
        for at, (tp, fp, fn) in enumerate(held)
    ]
    return {
        "matrix.csv": _csv(takahashi2022.TABLE_1), "mnn.csv": _csv(takahashi2022.MNN), "shares.csv": SHARES,
        "empty.csv": "5,0,1\n0,0,0\n1,0,5\n", "scenario2.csv": "64,3,3\n8,4,3\n8,3,4\n",
        "folds.csv": "\n".join(["task,model,repeat,fold,tp,fp,fn", *lines, ""]), "rules.csv": _rules(),
        "corpus.conll": _corpus(),
    }  # fmt: skip


def _csv(cells: Any) -> str:
    return "".join(",".join(map(str, row)) + "\n" for row in cells)


def _rules() -> str:
    """Return 10,000 rows with the counts behind Table I of Yuan & Jiang, rules independent given the truth."""
    random, truth = np.random.default_rng(0), np.repeat([1, 0], [609, 9391])
    columns = [truth]
    for tp, fp, fn in yuan2025.TABLE_1_COUNTS.values():
        inside = random.permutation(np.repeat([1, 0], [tp, fn]))
        outside = random.permutation(np.repeat([1, 0], [fp, 9391 - fp]))
        columns.append(np.concatenate([inside, outside]))
    head = ",".join(["truth", *yuan2025.TABLE_1_COUNTS])
    return "\n".join([head, *(",".join(map(str, row)) for row in np.column_stack(columns).tolist()), ""])


def _corpus() -> str:
    """Return 60 made sentences: word, part of speech, IOB2 tag."""
    random, lines = Random(4), []
    for _ in range(60):
        for kind in random.choices(list(ENTITIES), k=random.choice((0, 1, 1, 2))):
            name = random.choice(ENTITIES[kind]).split()
            lines += [f"{random.choice(('then', 'so', 'now'))} RB O"]
            lines += [f"{word} NNP {'B' if at == 0 else 'I'}-{kind}" for at, word in enumerate(name)]
            lines += [f"{random.choice(('went', 'saw', 'grew'))} VBD O"]
        lines += [". . O", ""]
    return "\n".join(lines)

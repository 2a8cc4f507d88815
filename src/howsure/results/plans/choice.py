"""Choice: which rows to label next, and what each will stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from howsure.results.base import Note, Result, Tabled
from howsure.results.sentences.phrases import phrase
from howsure.results.words import amount, metric_words, percent
from howsure.version import __version__


@dataclass(frozen=True)
class ChosenRows:
    """Some rows of a pool: their numbers, names and strata, and how many rows of the pool each stands for."""

    rows: tuple[int, ...] = ()
    ids: tuple[Any, ...] = ()
    strata: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def records(self) -> list[dict[str, Any]]:
        """Return a line for each row: its name, its stratum, its weight."""
        return [
            {"id": name, "stratum": stratum, "weight": weight}
            for name, stratum, weight in zip(self.ids, self.strata, self.weights, strict=True)
        ]


@dataclass(frozen=True, repr=False)
class Choice(Tabled, Result):
    """Rows to label next, drawn at random within strata; of a Table, which knows no single row, their numbers alone.

    ``by_stratum`` says how many to label in each, ``pool`` how many rows each has, ``labelled`` which rows have a label
    already. When the labels are there: hs.stratified(y_true, y_pred, strata=[*c.labelled.strata, *c.strata],
    pool=c.pool), the labelled rows first. A weight is the rows of the stratum over its labels, old and new together.
    ``every`` are all rows of the pool, each standing for itself: hs.stratified(y_true, y_pred, strata=c.every.strata,
    judge=…) takes them all, with y_true missing where nobody looked.
    """

    n: int
    by_stratum: dict[str, int]
    pool: dict[str, float]
    had: dict[str, float]
    apart: tuple[str, ...]
    chosen: ChosenRows = ChosenRows()
    labelled: ChosenRows = ChosenRows()
    every: ChosenRows = ChosenRows()
    metric: str = ""
    who: str = "judge and model"
    seed: int | None = None
    notes: tuple[Note, ...] = ()

    @property
    def rows(self) -> tuple[int, ...]:
        """Numbers of the rows to label, counted from 0."""
        return self.chosen.rows

    @property
    def ids(self) -> tuple[Any, ...]:
        """Names of the rows to label; their numbers where rows have no names."""
        return self.chosen.ids

    @property
    def strata(self) -> tuple[str, ...]:
        """The stratum of each row to label."""
        return self.chosen.strata

    @property
    def weights(self) -> tuple[float, ...]:
        """How many rows of the pool each row stands for."""
        return self.chosen.weights

    @property
    def where_apart(self) -> float:
        """The share of the labels that go to rows of which judge and models say different things."""
        return sum(self.by_stratum[name] for name in self.apart) / self.n if self.n else 0.0

    def __repr__(self) -> str:
        kinds = amount(len(self.by_stratum), "kind") + " of rows"
        share = percent(round(self.where_apart, 2))
        return phrase("choice", rows=amount(self.n, "row"), kinds=kinds, labels=share, who=self._who)

    @property
    def _who(self) -> str:
        return phrase(self.who)

    @property
    def sentence(self) -> str:
        """How the rows were shared out, and what to do when they are labelled."""
        size = sum(self.pool.values())
        apart = percent(round(sum(self.pool[name] for name in self.apart) / size, 2)) if size else "none"
        how = phrase("choice by metric", metric=metric_words(self.metric))
        where = phrase("choice apart", who=self._who.capitalize(), pool=apart)
        return f"{how} {where} {phrase('choice then')}".strip() if self.chosen else f"{how} {where}"

    def __str__(self) -> str:
        return str(self.write("text"))

    def kinds(self) -> list[dict[str, Any]]:
        """Return a line for each stratum: rows in the pool, labels there are, labels to get."""
        return [
            {"stratum": name, "pool": self.pool[name], "labelled": self.had[name], "n": new}
            for name, new in self.by_stratum.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        chosen = {name: list(getattr(self.chosen, name)) for name in ("rows", "ids", "strata", "weights")}
        plain = {"n": self.n, "by_stratum": self.by_stratum, "pool": self.pool, "labels_before": self.had} | chosen
        more = {"metric": self.metric or None, "seed": self.seed, "notes": list(map(str, self.notes))}
        return plain | more | {"sentence": self.sentence, "version": __version__}

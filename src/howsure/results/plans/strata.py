"""StrataPlan: how to share labels between predicted classes, or kinds of rows by judge and prediction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from howsure.results.plans.plan import Planned
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, number, percent
from howsure.version import __version__


@dataclass(frozen=True, repr=False)
class StrataPlan(Planned):
    """How many rows to label in each stratum, what that gives, and what simple random labelling would.

    Strata are predicted classes, or with a judge what judge and model say (``kind``). ``allocation`` maps each to its
    number of labels; ``shares`` are their shares of the pool;
    ``gain`` is how many times as many labels simple random labelling needs for the same error.
    """

    metric: str
    n: int
    allocation: dict[Any, int]
    shares: dict[Any, float]
    value: float
    se: float
    half_width: float
    random_se: float
    level: float
    kind: str = "predicted class"

    @property
    def gain(self) -> float:
        """Variance of simple random labelling with n labels over this plan's."""
        return (self.random_se / self.se) ** 2 if self.se > 0 else math.inf

    def __repr__(self) -> str:
        word = "predicted " if self.kind == "predicted class" else ""
        mark = ", " if word else "; "
        each = mark.join(f"{count(rows)} {word}{name}" for name, rows in self.allocation.items())
        return phrase("plan strata", each=each, gain=f"{self.gain:.2f}", **self._said())

    def _said(self) -> dict[str, str]:
        half, level = number(self.half_width, 4), percent(self.level)
        return {"metric": self.metric, "n": count(self.n), "half": half, "level": level}

    @property
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""
        word = "predicted" if self.kind == "predicted class" else "with"
        each = "; ".join(
            phrase("plan strata part", rows=count(rows), word=word, name=name,
                   share=percent(round(self.shares[name], 4)))
            for name, rows in self.allocation.items()
        )  # fmt: skip
        said = phrase(
            "plan strata paragraph", each=each, kind=self.kind, stratum=self.kind.removeprefix("predicted "),
            value=number(self.value), se=number(self.se, 4), random_se=number(self.random_se, 4), **self._said(),
        )  # fmt: skip
        return said + phrase("plan computed", version=__version__)

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return plain | {"gain": self.gain, "paragraph": self.paragraph, "version": __version__}

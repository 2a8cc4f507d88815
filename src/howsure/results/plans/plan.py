"""Plan and its relatives: results of planning that say themselves in a paragraph for a protocol."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from scipy.special import ndtri

from howsure.errors import InputError
from howsure.errors.messages import results as messages
from howsure.results.base import Note, Result, note_line
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, number, percent
from howsure.version import __version__

ENOUGH = 100  # rows from which a first look tells something


class Planned(Result, ABC):
    """What every plan can do: a dictionary, JSON, text with its notes, and what a notebook shows."""

    notes: tuple[Note, ...] = ()

    @property
    @abstractmethod
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything at full precision, with the version."""
        skip = {"curve_of", "scenarios_of", "notes", "clusters", "settled"}
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in skip}  # type: ignore[attr-defined]
        clusters = getattr(self, "clusters", None)
        if clusters is not None:
            plain |= {"design_effect": clusters.design_effect, "cluster_size": clusters.size, "icc": clusters.icc}
        return plain | {"notes": [str(n) for n in self.notes], "paragraph": self.paragraph, "version": __version__}

    def __str__(self) -> str:
        return "\n".join([repr(self), self.paragraph, *map(note_line, self.notes)])


@dataclass(frozen=True)
class Clusters:
    """Clustered rows: design effect, mean rows per cluster, intra-class correlation."""

    design_effect: float
    size: float
    icc: float

    def rows(self, clusters: int) -> int:
        """Return the rows of so many clusters."""
        return math.ceil(clusters * self.size * (1 - 1e-12))


@dataclass(frozen=True)
class PlanCase:
    """The rows that a goal asks for if the metric has another value; ``value`` is None for the worst case."""

    value: float | None
    n: int | None
    half_width: float
    expected: bool = False


@dataclass(frozen=True, repr=False)
class Plan(Planned):
    """How many rows to label, what that will give, and what was assumed; ``goal`` is empty where n was given.

    ``cost`` is the price of a label, ``affordable`` the labels that the budget buys. ``scenarios`` are computed when
    first asked for.
    """

    metric: str
    n: int | None
    positives: int | None
    level: float
    half_width: float
    se: float
    goal: str
    method: str
    basis: str
    assumptions: tuple[str, ...]
    variance: float
    prevalence: float | None = None
    value: float | None = None
    assurance: float | None = None
    target: float | None = None
    clusters: Clusters | None = None
    n_clusters: int | None = None
    n_so_far: int | None = None
    n_more: int | None = None
    seed: int | None = None
    monte_carlo_error: float | None = None
    cost: float | None = None
    budget: float | None = None
    affordable: int | None = None
    notes: tuple[Note, ...] = ()
    anytime: bool = False
    steps: tuple[str, ...] = ()
    asked: tuple[str, float] = ("n", math.nan)
    curve_of: Callable[[float], float] = field(default=lambda rows: math.nan, repr=False, compare=False)
    scenarios_of: Callable[[], tuple[PlanCase, ...]] = field(default=tuple, repr=False, compare=False)

    def __repr__(self) -> str:
        return phrase("plan", rows=self._rows(), given=self._given())

    def _rows(self) -> str:
        if self.n is None:
            return phrase("plan positive rows", rows=count(self.positives or 0))
        about = "" if self.positives is None else phrase("plan about positive", rows=count(self.positives))
        return phrase("plan rows", rows=count(self.n)) + about

    def _given(self) -> str:
        return phrase(
            "plan given", reached=self._reached(), condition=self._condition(), level=percent(self.level),
            at=phrase("at any time") if self.anytime else "",
        )  # fmt: skip

    @property
    def answer_first(self) -> tuple[str, str]:
        """The answer in two parts: the rows, and what they give."""
        rows, given = self._rows(), self._given()
        return rows, " ".join(filter(None, (phrase("plan answer", given=given), self._bought())))

    def _reached(self) -> str:
        if self.asked[0] == "se":
            return phrase("plan reached error", se=number(self.se, 4), metric=self.metric)
        if self.assurance is not None and self.target is not None:
            surely = f"{self.assurance:g}"
            return phrase("plan reached surely", metric=self.metric, half=number(self.target), assurance=surely)
        return phrase("plan reached", metric=self.metric, half=number(self.half_width))

    def _condition(self) -> str:
        if self.basis != "worst case":
            return phrase("plan if expected", shares=self.assumptions[0])
        if self.n is None or len(self.assumptions) < 2:
            return phrase("plan for any")
        return phrase("plan for any with", shares=self.assumptions[0])

    def __str__(self) -> str:
        """Return the answer, what the budget buys, the scenarios, the notes, and the paragraph for a protocol."""
        parts = [" ".join(filter(None, (repr(self), self._bought()))), "", *self._beside()]
        protocol = phrase("plan protocol", paragraph=self.paragraph)
        return "\n".join([*parts, *map(note_line, self.notes), *self._look(), protocol])

    def _bought(self) -> str:
        if self.affordable is None or self.affordable == self.n:
            return ""
        return phrase("plan bought", rows=count(self.affordable), half=number(self.curve_of(self.affordable)))

    def _beside(self) -> list[str]:
        """Return the scenarios as lines of a table; none where there is nothing to compare."""
        table = self.case_rows()
        if len(table) < 3:
            return []
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(
                (
                    cells[0].ljust(widths[0]),
                    *(c.rjust(w) for c, w in zip(cells[1:-1], widths[1:-1], strict=True)),
                    cells[-1],
                )
            )
            for cells in table
        ]
        return [*(line.rstrip() for line in lines), ""]

    def case_rows(self) -> list[tuple[str, ...]]:
        """Return a heading and the scenarios as text: value, rows (or half-width where n was given), cost, role."""
        given = not self.goal
        priced = self.cost is not None and not given
        sizes = ["half-width" if given else "rows", *(["cost"] if priced else [])]
        head = (phrase("plan case head", metric=self.metric), *sizes, "")
        return [head] + [self._scenario_row(one, given, priced) for one in self.scenarios]

    def _scenario_row(self, one: PlanCase, given: bool, priced: bool) -> tuple[str, ...]:
        value = phrase("plan case anything") if one.value is None else number(one.value)
        size = f"±{number(one.half_width)}" if given else count(one.n or 0)
        role = phrase("plan case worst") if one.value is None else phrase("plan case expected") if one.expected else ""
        return (value, size, *([f"{(one.n or 0) * (self.cost or 0.0):,.2f}"] if priced else []), role)

    @property
    def beside(self) -> str:
        """What to know beside the answer: the worst case, and the advice to look once in between."""
        said = []
        worst = [one for one in self.scenarios if one.value is None]
        if worst and worst[0].n is not None and self.basis != "worst case" and self.goal:
            said.append(phrase("plan enough", metric=self.metric, rows=count(worst[0].n)))
        said += [line.removeprefix("note: ") for line in self._look()]
        return " ".join(said)

    def _look(self) -> list[str]:
        """Return the advice to look once before all rows are labelled, where there are enough of them."""
        some = self._look_at()
        if some is None:
            return []
        return [f"note: {phrase('plan look again', rows=count(some), half=number(self.curve_of(some)))}"]

    def _look_at(self) -> int | None:
        if (
            not self.goal
            or self.n is None
            or self.n < ENOUGH
            or self.basis == "worst case"
            or self.clusters is not None
        ):
            return None
        return _first_look(min(self.n, self.affordable or self.n))

    @property
    def scenarios(self) -> tuple[PlanCase, ...]:
        """What the goal asks for if the metric is lower or higher than expected, and in the worst case."""
        return self.scenarios_of()

    @property
    def explanation(self) -> str:
        """How the number comes about, a step a line: the bound or the variance, the error asked for, the rows."""
        return "\n".join([*self.steps, *self._last_steps()])

    def _last_steps(self) -> list[str]:
        name, value = self.asked
        rows = "positives" if self.n is None else "n"
        found, z = self.n or self.positives or 0, float(ndtri((1 + self.level) / 2))
        if name == "n":
            return [f"standard error = √({self.variance:.6g} / {count(found)}) = {number(self.se, 5)}"]
        error = f"standard error to reach: δ = {value:g}"
        if name == "half_width":
            error = f"standard error to reach: δ = half-width / z = {value:g} / {z:.5f} = {value / z:.6g}"
        plain = self.basis == "worst case" or name == "se"
        if plain and self.clusters is None and self.assurance is None:
            reached = self.variance / (value if name == "se" else value / z) ** 2
            return [error, f"{rows} = {self.variance:.6g} / δ² = {reached:,.2f}, hence {count(found)}"]
        return [error, f"{rows} = {count(found)}: the smallest from which {self.goal} is reached by {self.method}"]

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what the functions behind the curve and the scenarios say in the text, in place of them."""
        said = {rows: self.curve_of(rows) for rows in (self.affordable, self._look_at()) if rows is not None}
        return vars(self) | {"curve_of": partial(_remembered, said), "scenarios_of": partial(tuple, self.scenarios)}

    def __deepcopy__(self, memo: dict[int, Any]) -> Plan:
        return self

    def curve(self, sizes: Iterable[int] | None = None) -> list[tuple[int, float]]:
        """Return (n, expected half-width) for several numbers of rows; a quarter to four times the plan by default."""
        return [(size, self.curve_of(size)) for size in sizes_around(sizes, self.n or self.positives or 1)]

    def plot(self, *, sizes: Iterable[int] | None = None, axes: Any = None, ax: Any = None) -> Any:
        """Draw the half-width over the number of rows, with the plan marked, and return matplotlib's axes."""
        return self.write("figure", sizes=sizes, axes=ax if axes is None else axes)

    @property
    def paragraph(self) -> str:
        """The plan as a paragraph for a protocol."""
        text = phrase(
            "plan paragraph", rows=self._labelled(), metric=self.metric, level=percent(self.level), basis=self.basis,
            goal=f" with {self.goal}" if self.goal else "", half=number(self.half_width, 4), se=number(self.se, 4),
            how="largest" if self.basis == "worst case" else "expected", method=self.method,
            at=phrase("at any time") if self.anytime else "", assumptions="; ".join(self.assumptions),
        )  # fmt: skip
        if self.clusters is not None:
            text += phrase(
                "plan paragraph clusters", size=f"{self.clusters.size:g}", icc=f"{self.clusters.icc:.3g}",
                effect=f"{self.clusters.design_effect:.3g}", clusters=count(self.n_clusters or 0),
            )  # fmt: skip
        if self.n_more is not None:
            text += phrase("plan paragraph more", so_far=count(self.n_so_far or 0), more=count(self.n_more))
        return text + phrase("plan computed", version=__version__)

    def _labelled(self) -> str:
        if self.n is None:
            return self._rows()
        some = "" if self.positives is None else phrase("plan paragraph positive", rows=count(self.positives))
        return phrase("plan paragraph rows", rows=count(self.n)) + some


def _first_look(rows: int) -> int:
    """Return about half of the rows, as a round number.

    >>> [_first_look(rows) for rows in (120, 545, 5384)]
    [60, 300, 3000]
    """
    half = rows / 2
    unit = int(10 ** math.floor(math.log10(half)))
    return max(1, round(half / unit + 0.25)) * unit


def _remembered(said: dict[int, float], rows: float) -> float:
    if rows in said:
        return said[int(rows)]
    raise InputError(messages.PLAN_CAME_FROM_ANOTHER_PROCESS())


def sizes_around(sizes: Iterable[int] | None, planned: int) -> list[int]:
    if sizes is not None:
        return [int(size) for size in sizes]
    return sorted({max(2, round(planned * 4 ** (step / 6 - 1))) for step in range(13)})

"""How rows were sampled: counts, weights, groups, strata, and the variances that follow.

A way of sampling is one field of ``Design`` with its part of the covariance. A field that belongs to rows says in its
metadata what becomes of it when equal rows are merged: it is summed, or it keeps rows apart. Everything else (taking
rows, merging, adding tables) follows from that, also for a field that a subclass adds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import tables as messages
from howsure.results.base import Note
from howsure.tables.design_notes import design_notes, held_fixed, sampled_words
from howsure.tables.sampling.effect import DesignEffect, Movement, design_effect, movement_of
from howsure.tables.sampling.resampled_errors import drawn_weights
from howsure.tables.sampling.rule import over
from howsure.tables.sampling.runs import ModelRuns, runs_differ
from howsure.tables.sampling.tasks import TaskSampling
from howsure.tables.strata import Strata
from howsure.types import Array, Ints

if TYPE_CHECKING:
    from howsure.tables.linearised import Linearised

Influences = Callable[[slice], Array]  # some rows → (estimates, rows)
SUMMED, APART = {"merge": "sum"}, {"merge": "apart"}
LARGEST, SMALLEST = 2.0**53, 1e-100  # counts between which doubles tell neighbours apart, and products do not vanish
BLOCK = 8_000_000


class CovariancePart(NamedTuple):
    """What one thing sampled besides rows adds to the covariance of estimates, and its degrees of freedom."""

    name: str
    covariance: Array
    degrees: float = float("inf")


class Resample(NamedTuple):
    """Some resamples: how often each unit was drawn (resamples × units), and the weight of each row then."""

    drawn: Array
    weights: Array


@dataclass(frozen=True, eq=False)
class Design:
    """How the distinct rows of a table were sampled.

    ``weights``, ``squares`` and ``cubes`` are the sums of the rows' weights, their squares and cubes (the counts, if
    rows carry none); cubes that nobody summed are the least that the others allow, (Σw²)²/Σw of each distinct row.
    ``groups`` says which rows belong together, ``strata`` which were sampled apart, ``tasks`` which data set of a
    benchmark they come from. ``grouped_by`` is what a group is called; ``runs`` which columns are runs of one model.
    """

    counts: Array = field(metadata=SUMMED)
    weights: Array = field(metadata=SUMMED)
    squares: Array = field(metadata=SUMMED)
    groups: Ints | None = field(default=None, metadata=APART)
    group_labels: tuple[Any, ...] = ()
    strata: Strata | None = field(default=None, metadata=APART)
    grouped_by: str = "group"
    runs: ModelRuns | None = None
    tasks: TaskSampling | None = field(default=None, metadata=APART)
    cubes: Any = field(default=None, metadata=SUMMED)

    def __post_init__(self) -> None:
        if self.cubes is None:
            plain = self.weights is self.counts is self.squares
            least = self.counts if plain else self.squares * over(self.squares, self.weights)
            object.__setattr__(self, "cubes", least)

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def n(self) -> float:
        """Number of rows (items, sentences); whole numbers come back as int."""
        total = self.total if self.weights is self.counts else float(self.counts.sum())
        whole = round(total)
        return whole if whole == total or math.isclose(total, whole, rel_tol=1e-12) else total  # thirds may sum to it

    @cached_property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.weights.sum())

    @cached_property
    def n_groups(self) -> int | None:
        """Number of groups that occur, or None without groups."""
        return None if self.groups is None else len(np.unique(self.groups))

    @cached_property
    def weighted(self) -> bool:
        """Whether rows carry weights of their own, or come from strata."""
        apart = [part for part in (self.weights, self.squares) if part is not self.counts]
        return self.strata is not None or not all(np.array_equal(part, self.counts) for part in apart)

    @cached_property
    def independent(self) -> bool:
        """Whether rows were drawn one by one from one source and count alike."""
        return self.row_by_row and not self.weighted

    @property
    def row_by_row(self) -> bool:
        """Whether a covariance is a plain sum over rows; a design with a part of its own has another one."""
        return self.groups is None and self.strata is None and type(self).further is Design.further

    @property
    def counts_cells(self) -> bool:
        """Whether rows of one cell are alike, so that how classes correlate follows from the cells."""
        return self.row_by_row

    @property
    def ungrouped(self) -> bool:
        """Whether no rows are clustered; they may carry weights."""
        return self.groups is None

    @property
    def unbiasing(self) -> float:
        """n/(n − 1): what an unbiased variance of rows has more; groups and strata have their own already."""
        n = float(self.n)
        return n / (n - 1) if n > 1 and self.groups is None and self.strata is None else 1.0

    # --- rows

    def _of_rows(self, merge: str) -> dict[str, Any]:
        """Return the fields that hold something for each row, and hold anything at all."""
        named = ((one.name, getattr(self, one.name)) for one in fields(self) if one.metadata.get("merge") == merge)
        return {name: value for name, value in named if value is not None}

    def _summed(self, change: Callable[[Array], Array]) -> dict[str, Any]:
        """Return the sums of rows, changed; weights that are the counts themselves stay so."""
        counts = change(self.counts)
        same = {name: getattr(self, name) is self.counts for name in self._of_rows("sum") if name != "counts"}
        return {"counts": counts} | {
            name: counts if shared else change(getattr(self, name)) for name, shared in same.items()
        }

    def take(self, rows: Any) -> Self:
        """Return the design of some of the rows."""
        apart = {name: value[rows] for name, value in self._of_rows("apart").items()}
        return replace(self, **self._summed(lambda part: part[rows]), **apart)

    def keys(self) -> list[Ints]:
        """Return what keeps rows apart that hold the same, as columns of integers; the first field comes last."""
        return [np.asarray(value) for value in reversed(self._of_rows("apart").values())]

    def merged(self, first: Ints, kind: Ints) -> Self:
        """Return the design with rows of one kind merged; ``first`` is the place of the first row of each kind."""
        apart = {name: value[first] for name, value in self._of_rows("apart").items()}
        return replace(self, **self._summed(lambda part: np.bincount(kind, weights=part)), **apart)

    def negated(self) -> Self:
        """Return the design with every count taken away in place of added, for rows that leave a table."""
        return replace(self, **self._summed(lambda part: -part))

    def scaled(self, factor: float) -> Self:
        """Return the design with every count multiplied."""
        if not (np.isfinite(factor) and factor > 0):
            raise InputError.of("factor", factor, messages.FINITE_NUMBER_LARGER_THAN_0())
        with np.errstate(over="ignore"):
            sums = self._summed(lambda part: part * factor)
        counts = sums["counts"]
        if counts.sum() > LARGEST or (counts[self.counts > 0] < SMALLEST).any():
            raise InputError(
                messages.FACTOR_MAKES_ROWS(factor=factor, counts=counts.sum(), n=self.n, smallest=SMALLEST)
            )
        return replace(self, **sums)

    def reweighted(self, weights: Array) -> Design:
        """Return a design of independent rows that count as much as these weights."""
        return Design(weights, weights, weights)

    def without_groups(self) -> Self:
        """Return the design with rows taken as independent."""
        return replace(self, groups=None, group_labels=())

    @property
    def tasks_sampled(self) -> bool:
        """Whether the tasks that rows come from are a sample too."""
        return self.tasks is not None and self.tasks.random

    def joined(self, other: Design) -> Self:
        """Return the design of the rows of both, one after the other."""
        names, regrouped = self._groups_with(other)
        apart = {name: _after(value, getattr(other, name)) for name, value in self._of_rows("apart").items()}
        if regrouped is not None:
            apart["groups"] = np.concatenate([np.asarray(self.groups), regrouped])
        plain = not (self.weighted or other.weighted)
        counts = np.concatenate([self.counts, other.counts])
        sums: dict[str, Any] = {
            name: counts if plain else np.concatenate([value, getattr(other, name)])
            for name, value in self._of_rows("sum").items()
        }
        return replace(self, **sums | {"counts": counts}, **apart, group_labels=names)

    def _groups_with(self, other: Design) -> tuple[tuple[Any, ...], Ints | None]:
        """Return the names of the groups of both, and the other's groups as places among them."""
        if self.groups is None or other.groups is None:
            return (), None
        names = tuple(dict.fromkeys((*self.group_labels, *other.group_labels)))
        place = {name: code for code, name in enumerate(names)}
        codes = np.array([place[name] for name in other.group_labels], dtype=np.int64)
        return names, codes[other.groups]

    def check_joins(self, other: Design) -> None:
        """Refuse to add rows that were sampled in another way."""
        if (self.groups is None) != (other.groups is None):
            raise InputError(messages.TABLES_TO_ADD_GROUPS())
        if (self.strata is None) != (other.strata is None):
            raise InputError(messages.TABLES_TO_ADD_STRATA())
        if self.runs != other.runs:
            raise runs_differ(self.runs, other.runs)

    # --- variances

    def degrees(self, *, bundled: bool = False) -> float:
        """Degrees of freedom of the linearised variance: groups (in strata: groups or rows) − strata, else infinite.

        The usual count of survey sampling: the sum of squares has one term a group, and each stratum's mean takes one
        away. ``bundled`` rows hold several outcomes each, as a sentence does: every row is then a group of its own.
        """
        if self.strata is None or self.crossed:
            if self.n_groups is not None:
                return float(self.n_groups - 1)
            return float(max(self.n - 1, 1)) if bundled else float("inf")
        units = self.n if self.n_groups is None else self.n_groups
        return float(max(units - len(np.unique(self.strata.codes)), 1))

    def covariance(self, influences: Influences, size: int) -> Array:
        """Return the covariance matrix of estimates from the influences of the rows, a block of rows at a time.

        To first order an estimate is its true value plus the mean of the influences φ of the rows, so the covariance of
        two is that of two means. Plain or weighted rows: Σ w² φ ψ / (Σ w)². Groups (clustered rows): influences are
        summed within a group first, and the sum of squares is multiplied by G/(G−1) (Binder 1983, Int. Stat. Rev.
        51:279; Liang & Zeger 1986, Biometrika 73:13). Strata: the same within each, around the stratum's own mean. It
        is no longer a good guide where a metric bends over the width of its error, nor where errors were not seen on
        heavy rows, in a stratum or among few groups: ``effect`` knows of those. One group alone tells nothing of the
        variance between groups: nan. What was sampled besides rows (``further``) is added.
        """
        found = self._of_rows_and_groups(influences, size)
        return found + sum(part.covariance for part in self.further(influences, size))

    def _of_rows_and_groups(self, influences: Influences, size: int) -> Array:
        if self.total == 0 or self.n_groups == 1:
            return np.full((size, size), np.nan)
        if self.tasks is not None and self.tasks_sampled:
            return self.tasks.covariance(self._sums(self.tasks.codes, influences, size) / self.total)
        if self.strata is not None and self.crossed:
            influences = self.strata.centred(influences, self.weights)
        elif self.strata is not None:
            return self._stratified(self.strata, influences, size) / self.total**2
        if self.groups is None:
            found = np.zeros((size, size))
            for part in self._blocks(size):
                scaled = influences(part) * np.sqrt(self.squares[part])
                found += scaled @ scaled.T
            return found / self.total**2
        sums = self._sums(self.group_codes, influences, size)
        return np.asarray(sums.T @ sums / self.total**2 * len(sums) / (len(sums) - 1))

    def _stratified(self, strata: Strata, influences: Influences, size: int) -> Array:
        """Return the covariance within strata, of rows or of the sums within groups.

        Rows of one kind may have unequal weights: their mean and their spread around it enter apart.
        """
        if self.groups is not None:
            _, first = np.unique(self.groups, return_index=True)
            sums = self._sums(self.group_codes, influences, size)
            return strata.covariance(strata.codes[first], np.ones(len(sums)), sums, np.zeros_like(sums))
        moved = influences(slice(None)).T
        mean = self.weights / np.where(self.counts > 0, self.counts, 1.0)
        spread = np.sqrt(np.maximum(self.squares - self.weights * mean, 0.0))
        return strata.covariance(strata.codes, self.counts, moved * mean[:, None], moved * spread[:, None])

    @cached_property
    def crossed(self) -> bool:
        """Whether groups run through several strata, as patients do through true classes."""
        return self.groups is not None and self.strata is not None and self.strata.crossed_by(self.groups)

    def _blocks(self, size: int) -> Iterator[slice]:
        some = max(1, BLOCK // size)
        return (slice(start, start + some) for start in range(0, len(self), some))

    @cached_property
    def group_codes(self) -> Ints:
        """The groups that occur, counted from 0."""
        return np.unique(np.asarray(self.groups), return_inverse=True)[1]

    def _sums(self, codes: Ints, influences: Influences, size: int) -> Array:
        """Return Σ wφ over the rows of each group or task, for each estimate."""
        count = int(codes.max()) + 1
        sums = np.zeros((count, size))
        for part in self._blocks(size):
            weighted = influences(part) * self.weights[part]
            for column in range(size):
                sums[:, column] += np.bincount(codes[part], weights=weighted[column], minlength=count)
        return sums

    def by_group(self, influence: Array) -> Array:
        """Return what each named group adds to an estimate: Σ w φ over its rows, over the whole weight."""
        assert self.groups is not None
        size = len(self.group_labels)
        return np.bincount(self.groups, weights=influence * self.weights, minlength=size) / self.total

    def further(self, influences: Influences, size: int) -> tuple[CovariancePart, ...]:
        """Return what else was sampled besides rows and groups, and so adds to every covariance: here nothing."""
        return ()

    def effect(self, linear: Linearised) -> DesignEffect:
        """Return how many times the variance of independent, equal rows an estimate has, and its degrees of freedom."""
        return self.effect_of(movement_of(linear))

    def effect_of(self, moved: Movement) -> DesignEffect:
        """Return the design effect of what rows move: an estimate, or a difference of two."""
        return design_effect(self, moved)

    def sampled(self, unit: str) -> str:
        """Return in words what was sampled: '833 rows', '400 rows of 120 patient_id'."""
        return sampled_words(self, unit)

    @property
    def judge(self) -> Any:
        """What a judge did to an estimate on these rows (``JudgeFacts`` of ``kinds.judges``); None without one."""
        return None

    @property
    def fixed(self) -> tuple[str, ...]:
        """What was not sampled: another draw would have the same."""
        return held_fixed(self)

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return what is said of an estimate because of how its rows were sampled."""
        return design_notes(linear)

    # --- resampling

    def resamples(self, rng: np.random.Generator, number: int, *, most: int) -> Iterator[Resample]:
        """Yield resamples in blocks of about ``most`` numbers: rows, or whole groups, drawn within each stratum."""
        size = len(self) if self.groups is None else self.n_groups or 0
        some = max(1, most // max(size, len(self)))
        weigh = rng.spawn(1)[0]  # a stream of its own: the draws are the same in blocks of any size
        for start in range(0, number, some):
            drawn = self._drawn(rng, min(some, number - start))
            yield Resample(drawn, self._carried(drawn, weigh))

    def _drawn(self, rng: np.random.Generator, block: int) -> Array:
        """Return how often each unit is drawn; within each stratum as often as the stratum has units."""
        chances, draws, strata = self._units
        if strata is None:
            return rng.multinomial(round(draws), chances, size=block).astype(float)
        drawn = np.zeros((block, len(chances)))
        for code in np.unique(strata):
            part = strata == code
            share = chances[part]
            drawn[:, part] = rng.multinomial(round(draws * share.sum()), share / share.sum(), size=block)
        return drawn

    @cached_property
    def _units(self) -> tuple[Array, float, Ints | None]:
        """The chance of each unit, how many are drawn, and their strata."""
        if self.groups is None:
            strata = None if self.strata is None else self.strata.codes
            return self.counts / self.counts.sum(), float(self.counts.sum()), strata
        _, first = np.unique(self.groups, return_index=True)
        strata = None if self.strata is None or self.crossed else self.strata.codes[first]
        return np.full(len(first), 1 / len(first)), float(len(first)), strata

    def _carried(self, drawn: Array, rng: np.random.Generator) -> Array:
        """Return the sums of weights of the drawn rows, or of the rows of drawn groups."""
        if self.groups is not None:
            carried = drawn[:, self.group_codes] * self.weights
            return self.strata.kept(carried, self.weights) if self.strata is not None and self.crossed else carried
        return drawn_weights(self, drawn, rng)

    def unit_influences(self, influence: Array) -> tuple[Array, Array]:
        """Return the influence of each unit that is drawn, a row or a group, and how often it occurred."""
        if self.groups is None:
            return influence, self.counts
        sums = np.bincount(self.group_codes, weights=influence * self.weights)
        return sums, np.ones(len(sums))


def plain_design(counts: Array, **more: Any) -> Design:
    """Return the design of rows that count as often as they occurred."""
    return Design(counts, counts, counts, **more)


def _after(first: Any, second: Any) -> Any:
    """Return what keeps rows apart for the rows of two designs, one after the other."""
    return first.joined(second) if isinstance(first, Strata) else np.concatenate([*map(np.asarray, (first, second))])

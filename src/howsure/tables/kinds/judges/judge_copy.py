"""The labelled rows of judged data with pseudo-rows: λ, the moved table and the gain of a judge for one metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from howsure.metrics.metric import Metric
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.kinds.judges.judge_gain import (
    JudgeMoments,
    JudgePart,
    gain_of,
    independent_moments,
    judge_moments,
    weights_of_judges,
)
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.rule import over
from howsure.types import Array, Ints, Undefined

if TYPE_CHECKING:
    from howsure.tables.kinds.judges.judged import Judged

ONE_JUDGE = 100  # labels of people below which several judges count as one, their mean

Measure = list[tuple[Contents, Array]]  # rows and their weights
Influence = Callable[[Contents], Array]


class Alternatives(NamedTuple):
    """What truth and judge may say instead: rows, the part that each belongs to, and the part of each row at hand."""

    rows: Contents
    parts: Ints
    part_of_row: Ints

    def moments(self, influence: Influence) -> tuple[Array, Array]:
        """Return the mean and the mean square of the influence over the alternatives of each part."""
        found = finite(influence(self.rows))
        size = np.bincount(self.parts)
        return tuple(np.bincount(self.parts, weights=found**power) / size for power in (1, 2))  # type: ignore[return-value]


class Contrast(NamedTuple):
    """A metric of one model, or its difference between two: Σ sign · metric."""

    metric: Metric
    models: tuple[str, ...]
    places: tuple[int, ...]
    signs: tuple[float, ...]
    undefined: Undefined

    def on(self, rows: Contents, design: Design) -> tuple[Linearised, ...]:
        """Return the estimates on some rows."""
        pairs = zip(self.models, self.places, strict=True)
        return tuple(rows.linearise(self.metric, model, place, design, self.undefined) for model, place in pairs)

    def value(self, linears: Sequence[Linearised]) -> float:
        """Return Σ sign · value."""
        return float(sum(sign * linear.value for sign, linear in zip(self.signs, linears, strict=True)))


class Stratum(NamedTuple):
    """The rows of one stratum, or all: which they are, their share of the pool, what is left of a finite pool.

    ``sizes`` say how many equal rows people labelled there and how many not (Kish); ``shares`` are those of each row
    among the labelled rows and among the others, ``every`` among all.
    """

    rows: Array
    share: float
    left: float
    sizes: tuple[float, float]
    shares: tuple[Array, Array]
    every: Array


@dataclass(frozen=True)
class Copy:
    """The labelled rows with ``added`` pseudo-rows: spread as rows are by judge and prediction, or evenly over all.

    In strata each has its part of them, by its labels: spread as its own rows are, or evenly over the predictions that
    it has. What a stratum hides besides is in the design effect of people's rows.
    """

    judged: Judged
    contrast: Contrast
    design: Design
    added: float = 0.0
    even: bool = False
    alternatives: Alternatives | None = None

    @cached_property
    def strata(self) -> list[Stratum]:
        """The strata that have labels; without strata all rows as one."""
        design = self.design
        if design.strata is None:
            return [self._stratum(np.ones(len(design), dtype=bool), 1.0)]
        held = [self._stratum(design.strata.codes == code, left) for code, left in enumerate(design.strata.left)]
        return [one for one in held if one.sizes[0] > 0] or [self._stratum(np.ones(len(design), dtype=bool), 1.0)]

    def _stratum(self, rows: Array, left: float) -> Stratum:
        weights, squares, labelled = self.design.weights, self.design.squares, self.judged.labelled
        kinds = (rows & labelled, rows & ~labelled)
        shares = [over(weights * kind, float(weights[kind].sum())) for kind in kinds]
        sizes = [float(over(weights[kind].sum() ** 2, squares[kind].sum())) for kind in kinds]
        share = float(over(weights[kinds[0]].sum(), weights[labelled].sum()))
        every = over(weights * rows, float(weights[rows].sum()))
        return Stratum(rows, share, left, (sizes[0], sizes[1]), (shares[0], shares[1]), every)

    @cached_property
    def sizes(self) -> tuple[float, float]:
        """How many equal rows people labelled, and how many they did not."""
        return tuple(sum(one.sizes[kind] for one in self.strata) for kind in (0, 1))  # type: ignore[return-value]

    @cached_property
    def mix(self) -> Array:
        """How judges are joined (joined × judges): each on its own, or their mean where there are few labels."""
        judges = len(self.judged.judges)
        few = judges > 1 and self.sizes[0] < ONE_JUDGE
        return np.full((1, judges), 1 / judges) if few else np.eye(judges)

    def _added(self, stratum: Stratum) -> float:
        """Return how many pseudo-rows a stratum has."""
        return (
            self.added * float(over(stratum.sizes[0], self.sizes[0])) if self.design.strata is not None else self.added
        )

    def _extra(self, stratum: Stratum) -> Array:
        """Return how many pseudo-rows of a stratum each alternative stands for."""
        if self.alternatives is None:
            return np.zeros(0)
        share = self._share_of_parts(stratum)
        parts = self.alternatives.parts
        return np.asarray(self._added(stratum) * share[parts] / np.bincount(parts)[parts])

    def _share_of_parts(self, stratum: Stratum) -> Array:
        """Return the share of pseudo-rows in each part of the alternatives: as rows are, or even where there are any.

        Without strata every part of the alternatives may occur.
        """
        assert self.alternatives is not None
        size = int(self.alternatives.parts.max()) + 1
        share = np.asarray(np.bincount(self.alternatives.part_of_row, weights=stratum.every, minlength=size), float)
        if self.even:
            share = ((share > 0) | (self.design.strata is None)).astype(float)
        return np.asarray(share / share.sum())

    def people(self) -> Measure:
        """Return people's rows and the pseudo-rows, as shares."""
        own, extra = np.zeros(len(self.design)), np.zeros(1)
        for one in self.strata:
            size = one.sizes[0] + self._added(one) or 1.0
            own = own + one.share * one.shares[0] * (one.sizes[0] / size)
            extra = extra + one.share * self._extra(one) / size
        found: Measure = [(self.judged.people, own)]
        return found if self.alternatives is None else [*found, (self.alternatives.rows, extra)]

    def answers(self, lam: Array) -> Measure:
        """Return λ (J_N − J_n), the judge's signed measure; a stratum without other rows has none."""
        move, extra = np.zeros(len(self.design)), np.zeros(1)
        for one in self.strata:
            if not one.sizes[1] > 0:
                continue
            size = one.sizes[0] + self._added(one) or 1.0
            spread = one.every * (self._added(one) / size) * (self.alternatives is not None and not self.even)
            move = move + one.share * (one.shares[1] - one.shares[0] * (one.sizes[0] / size) - spread)
            extra = extra + one.share * self._extra(one) / size
        found: Measure = []
        for weight, readings in zip(lam, self.judged.judges, strict=True):
            found += [(one.rows, weight * move * one.share) for one in readings]
            if self.alternatives is not None and self.even:
                found.append((self.alternatives.rows, -weight * extra))
        return found

    def moved(self, lam: Array) -> tuple[Contents, Array]:
        """Return table(λ): rows and weights that sum to 1 and may be negative."""
        return self.judged.summed(self.people(), self.answers(lam))

    def at(self, rows: Contents, weights: Array) -> Influence:
        """Return the influence of any row on the contrast, at a weighting of some rows."""
        linears = self.contrast.on(rows, self.design.reweighted(weights))
        each = list(zip(linears, self.contrast.places, self.contrast.signs, strict=True))
        return lambda other: np.sum([sign * self.judged.moves(other, one, place) for one, place, sign in each], axis=0)

    def parts_at(self, influence: Influence) -> list[JudgePart]:
        """Return the moments of labelled rows (with pseudo-rows) and of the others in each stratum."""
        own, judges = influence(self.judged.people), self.mix @ self.judged.answers_moved(influence)
        columns = np.vstack([own, judges])
        unknown = np.vstack([np.zeros_like(own), judges])
        told = self.alternatives.moments(influence) if self.alternatives is not None and self.added else None
        found = []
        for one in self.strata:
            labelled = one.shares[0] > 0
            known = judge_moments(one.sizes[0], one.shares[0][labelled], columns[:, labelled])
            if told is not None:
                known = known.plus(self._pseudo(one, told, judges))
            found.append(JudgePart(known, judge_moments(one.sizes[1], one.shares[1], unknown), one.share, one.left))
        return found

    def _pseudo(self, stratum: Stratum, told: tuple[Array, Array], judges: Array) -> JudgeMoments:
        """Return the moments of the pseudo-rows of a stratum."""
        assert self.alternatives is not None
        mean, square = told
        if self.even:
            return independent_moments(self._added(stratum), self._share_of_parts(stratum), mean, square, len(judges))
        part_of_row = self.alternatives.part_of_row
        found = judge_moments(self._added(stratum), stratum.every, np.vstack([mean[part_of_row], judges]))
        found.second[0, 0] = stratum.every @ square[part_of_row]
        return found

    @cached_property
    def human(self) -> Influence:
        """The influence of any row, at people's rows and the pseudo-rows."""
        return self.at(*one_measure(self.people()))

    @cached_property
    def lam(self) -> Array:
        """λ of each judge, or of their mean, at people's rows and the pseudo-rows."""
        return weights_of_judges(self.parts_at(self.human), lost=float(self.judged.use == "wald"))

    def gain(self) -> float:
        """Return the variance of people alone over that with the judge."""
        rows, weights = self.moved(self.lam @ self.mix)
        return gain_of(self.parts_at(self.human), self.parts_at(self.at(rows, without_negatives(weights))), self.lam)


def one_measure(measure: Measure) -> tuple[Contents, Array]:
    """Return a measure as one set of rows with their weights."""
    (rows, weights), *rest = measure
    for more, others in rest:
        rows, weights = rows.joined(more), np.concatenate([weights, others])
    return rows, weights


def without_negatives(weights: Array) -> Array:
    """Return weights with negative ones set to 0, summing to 1."""
    held = np.maximum(weights, 0.0)
    return np.asarray(held / held.sum())


def finite(values: Array) -> Array:
    """Return values with 0 where there is none."""
    return np.where(np.isfinite(values), values, 0.0)

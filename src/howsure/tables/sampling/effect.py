"""DesignEffect: what the rule of ``sampling.rule`` says of one estimate on the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from howsure.tables.sampling.rule import (
    HIDDEN,
    ROUNDING,
    SOME,
    Between,
    GroupSums,
    Ideal,
    PartSums,
    least_effect,
    over,
    shared_squares,
)
from howsure.types import Array, Ints

if TYPE_CHECKING:
    from howsure.tables.design import Design
    from howsure.tables.linearised import Linearised

MOST_ROWS = 2.0**53  # what a pool of which every row is labelled is worth: as many rows as can be counted


class Relabelled(NamedTuple):
    """How a row would move an estimate if its label were another: moments over all labels, for each distinct row.

    ``known`` is the share of labels whose influence is finite, ``mean`` and ``square`` the sums of φ and φ² over those,
    divided by the number of all labels.
    """

    known: Array
    mean: Array
    square: Array

    def around(self, centre: Array) -> Array:
        """Return δ²: the mean square of the influence of another label, around a centre."""
        return np.asarray(np.maximum(self.square - 2 * centre * self.mean + centre**2 * self.known, 0.0))


class WeightClasses(NamedTuple):
    """The class of each row that its weight depends on alone, and δ² of a row of that class."""

    codes: Ints
    square: Array


class Movement(NamedTuple):
    """How rows move an estimate, or the difference of two: as they are, and if their label were another.

    ``scale`` is the size of a change that is no rounding. ``classes`` are those that weights depend on alone.
    """

    influence: Array
    relabelled: Relabelled | None
    classes: WeightClasses | None
    scale: float

    def by_cells(
        self, cells: Sequence[Array], truth: Ints, predictions: Sequence[Ints], *, by_class: bool, weighted_to: bool
    ) -> Movement:
        """Return the movement of a difference with what other labels would do, from its two parts in each cell.

        The true label may be any, and so may one of the predictions, half of the time either: rows on which the two
        agree may hide one on which they do not. Where true classes are the strata (``weighted_to``), or weights depend
        on them alone (``by_class``), both predictions may be any.
        """
        first, second = (np.where(np.isfinite(part), part, 0.0) for part in cells)
        one, other = first.mean(1), second.mean(1)
        of_truth = (first**2).mean(1) + (second**2).mean(1) + 2 * one * other
        if weighted_to:
            return self._replace(relabelled=Relabelled(np.ones(len(truth)), (one + other)[truth], of_truth[truth]))
        a, b = predictions
        mean = (first.mean(0)[a] + second.mean(0)[b] + first.mean() + second.mean()) / 2
        square = (_beside(first, second)[a] + _beside(second, first)[b]) / 2
        classes = WeightClasses(truth, of_truth[truth]) if by_class else None
        return self._replace(relabelled=Relabelled(np.ones(len(truth)), mean, square), classes=classes)


def _beside(kept: Array, other: Array) -> Array:
    """Return for each prediction of one the mean square of the sum over all truths and predictions of the other."""
    return np.asarray((kept**2 + 2 * kept * other.mean(1)[:, None]).mean(0) + (other**2).mean())


class DesignEffect(NamedTuple):
    """The factor by which the variance exceeds that of as many independent, equal rows; degrees of freedom of groups.

    ``base`` is that variance of independent rows, Σ wφ²/(W·n).
    """

    factor: float
    base: float
    degrees: float = float("inf")


def cell_moments(moved: Array, axis: int) -> Array:
    """Return the share of finite influences along an axis of the cells, and their mean and mean square over all."""
    known = np.isfinite(moved)
    held = np.where(known, moved, 0.0)
    return np.stack([known.mean(axis), held.mean(axis), (held**2).mean(axis)])


def half_square(influence: Array, design: Design, scale: float) -> Relabelled | None:
    """Return δ² of rows without labels: ½ Σwφ⁴/Σwφ² for every row; None where no row moves anything."""
    square = np.square(influence)
    moved, none = float(design.weights @ square), np.zeros(len(square))
    if not moved > ROUNDING * scale**2 * design.total:
        return None
    return Relabelled(none, none, np.full(len(square), float(design.weights @ square**2) / moved / 2))


def movement_of(linear: Linearised) -> Movement:
    """Return how rows move an estimate."""
    contents, design = linear.contents, linear.design
    classes = None if design.strata is not None or not design.weighted else contents.weight_classes(linear)
    return Movement(linear.influence, contents.relabelled(linear), classes, linear.scale)


def design_effect(design: Design, moved: Movement) -> DesignEffect:
    """Return the design effect of one estimate: V/I, V of rows or groups with what they hide, I of independent rows."""
    weights, total = design.weights, design.total
    if not (design.n and total > 0):
        return DesignEffect(float("nan"), float("nan"))
    base = float(weights @ moved.influence**2) / (total * design.n)
    if design.n_groups == 1:
        return DesignEffect(float("nan"), base, 0.0)
    rows = _parted(design, moved)
    sums, scale = rows.sums(), total / design.n
    ideal = Ideal(np.asarray(weights @ rows.moved**2 * scale), sums.unseen.sum() * scale)
    alone = float(sums.variances(centred=rows.centred).sum() / (ideal.seen + ideal.unseen))
    alone = max(alone, design.n / MOST_ROWS, rows.least if len(rows.left) == 1 and not rows.centred else 0.0)
    if design.groups is None:
        return DesignEffect(alone, base)
    groups = rows.between(sums)
    factor = groups.factor(ideal, np.asarray(alone))
    degrees = groups.joint_degrees(1 - alone / factor, design.degrees())
    return DesignEffect(float(factor), base, float(degrees))


@dataclass(frozen=True)
class _Parted:
    """The distinct rows of a design in parts: how each row moves the estimate, and how a hidden one would (δ²)."""

    design: Design
    codes: Ints
    left: Array
    centred: bool
    moved: Array
    hidden: Array

    def _sum(self, values: Array) -> Array:
        return np.bincount(self.codes, weights=values, minlength=len(self.left))

    @property
    def _around_parts(self) -> Array:
        """How far each row moves the estimate from what the rows of its part do on average."""
        weights = self.design.weights
        return self.moved - over(self._sum(weights * self.moved), self._sum(weights))[self.codes]

    @property
    def least(self) -> float:
        """The design effect below which the rows that move the estimate would count as more than there are."""
        design, size = self.design, np.abs(self.moved)
        counts, moves = np.where(design.weights > 0, design.counts, 0.0), size > SOME * size.max(initial=0.0)
        return float(least_effect(design.weights @ moves, counts @ moves, design.total / design.n))

    def sums(self) -> PartSums:
        """Return the sums over the rows of each part; rows without weight tell nothing."""
        design = self.design
        counts = np.where(design.weights > 0, design.counts, 0.0)
        moved = self.moved
        if self.centred:
            moved = self._around_parts
        square = moved**2
        terms = (counts, design.weights, design.squares, design.cubes, counts * square, design.weights * square,
                 design.squares * square, design.weights * square**2, design.weights * self.hidden)  # fmt: skip
        return PartSums(*map(self._sum, terms))._replace(left=self.left)

    def between(self, parts: PartSums) -> Between:
        """Return what groups add to the variance, in strata or as one; ``parts`` are the sums over the parts."""
        design, codes = self.design, self.design.group_codes
        count = int(codes.max()) + 1
        stratum = np.zeros(count, dtype=np.int64)
        nested = design.strata is not None and not design.crossed
        if design.strata is not None and nested:
            stratum[codes] = design.strata.codes
        size = len(self.left) if nested else 1

        def of(values: Array) -> Array:
            return np.bincount(stratum, weights=values, minlength=size)

        weight = np.bincount(codes, weights=design.weights, minlength=count)
        pairs = shared_squares(design.weights, design.squares, weight[codes]) * self.hidden
        unseen = np.bincount(stratum[codes], weights=HIDDEN * over(pairs, parts.kish[self.codes]), minlength=size)
        moved = self.moved if nested or design.strata is None else self._around_parts
        sums = np.bincount(codes, weights=design.weights * moved, minlength=count)
        share = weight / of(weight)[stratum]
        groups = GroupSums(sums - share * of(sums)[stratum], share, of)
        rows = parts.seen(centred=self.centred)
        rows, left = (rows, self.left) if nested else (rows.sum(keepdims=True), np.ones(1))
        evenness = np.asarray(count * float(weight @ weight) / float(weight.sum()) ** 2)
        degrees = groups.degrees(over(groups.missed, 1 - of(share**2))[stratum])
        return Between(left * groups.completed(rows), left * unseen, left * rows, degrees, evenness)


def _parted(design: Design, movement: Movement) -> _Parted:
    """Return the rows of an estimate in the parts that they were sampled in, or that their weights depend on.

    Where no row moves the value and nobody knows by how much one could, every row could move it as much: weights,
    strata and groups alone decide then.
    """
    moved, told, strata, classes = movement.influence, movement.relabelled, design.strata, movement.classes
    if strata is not None:
        codes, left = strata.codes, np.asarray(strata.left)
        weight = np.bincount(codes, weights=design.weights, minlength=len(left))
        centre = over(np.bincount(codes, weights=design.weights * moved, minlength=len(left)), weight)[codes]
    else:
        codes = np.zeros(len(design), dtype=np.int64) if classes is None else classes.codes
        left, centre = np.ones(int(codes.max()) + 1), np.zeros(len(design))
    hidden = classes.square if classes is not None else None if told is None else told.around(centre)
    size = float(design.weights @ (moved**2 + (0.0 if hidden is None else hidden))) / design.total
    if hidden is None or not size > ROUNDING * movement.scale**2:
        moved, hidden = np.zeros(len(design)), np.ones(len(design))
    return _Parted(design, codes, left, strata is not None, moved, hidden)

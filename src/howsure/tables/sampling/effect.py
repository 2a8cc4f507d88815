"""DesignEffect: what the rule of ``sampling.rule`` says of one estimate on the rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from howsure.tables.sampling.rule import HIDDEN, ROUNDING, Between, GroupSums, Ideal, PartSums, over, shared_squares
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


class DesignEffect(NamedTuple):
    """The factor by which the variance exceeds that of as many independent, equal rows; degrees of freedom of groups.

    ``base`` is that variance of independent rows, Σ wφ²/(W·n).
    """

    factor: float
    base: float
    degrees: float = float("inf")


def design_effect(design: Design, linear: Linearised) -> DesignEffect:
    """Return the design effect of one estimate: V/I, V of rows or groups with what they hide, I of independent rows."""
    weights, total = design.weights, design.total
    if not (design.n and total > 0):
        return DesignEffect(float("nan"), float("nan"))
    base = float(weights @ linear.influence**2) / (total * design.n)
    if design.n_groups == 1:
        return DesignEffect(float("nan"), base)
    rows = _parted(design, linear)
    sums, scale = rows.sums(), total / design.n
    ideal = Ideal(np.asarray(weights @ rows.moved**2 * scale), sums.unseen.sum() * scale)
    alone = float(sums.variances(centred=rows.centred).sum() / (ideal.seen + ideal.unseen))
    alone = max(alone, design.n / MOST_ROWS)
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

    def sums(self) -> PartSums:
        """Return the sums over the rows of each part; rows without weight tell nothing."""
        design = self.design
        counts = np.where(design.weights > 0, design.counts, 0.0)
        moved = self.moved
        if self.centred:
            moved = self._around_parts
        square = moved**2
        terms = (counts, design.weights, design.squares, counts * square, design.weights * square,
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


def _parted(design: Design, linear: Linearised) -> _Parted:
    """Return the rows of an estimate in the parts that they were sampled in, or that their weights depend on.

    Where no row moves the value and nobody knows by how much one could, every row could move it as much: weights,
    strata and groups alone decide then.
    """
    moved, told, strata = linear.influence, linear.contents.relabelled(linear), design.strata
    classes = None if strata is not None or not design.weighted else linear.contents.weight_classes(linear)
    if strata is not None:
        codes, left = strata.codes, np.asarray(strata.left)
        weight = np.bincount(codes, weights=design.weights, minlength=len(left))
        centre = over(np.bincount(codes, weights=design.weights * moved, minlength=len(left)), weight)[codes]
    else:
        codes = np.zeros(len(design), dtype=np.int64) if classes is None else classes.codes
        left, centre = np.ones(int(codes.max()) + 1), np.zeros(len(design))
    hidden = classes.square if classes is not None else None if told is None else told.around(centre)
    size = float(design.weights @ (moved**2 + (0.0 if hidden is None else hidden))) / design.total
    if hidden is None or not size > ROUNDING * linear.scale**2:
        moved, hidden = np.zeros(len(design)), np.ones(len(design))
    return _Parted(design, codes, left, strata is not None, moved, hidden)

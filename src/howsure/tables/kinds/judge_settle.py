"""How far a judge moves a table for one metric, and what the labels of people are worth with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from howsure.metrics.metric import Metric
from howsure.tables.contents import Contents
from howsure.tables.covariance import with_variances
from howsure.tables.design import Design
from howsure.tables.kinds.judge_design import JudgedDesign, JudgeFacts
from howsure.tables.kinds.judge_gain import (
    JudgeMoments,
    gain_of,
    independent_moments,
    judge_moments,
    variance_with,
    weights_of_judges,
)
from howsure.tables.kinds.judge_notes import judge_notes
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.rule import over
from howsure.tables.strata import Strata
from howsure.types import Array, Ints, Undefined

if TYPE_CHECKING:
    from howsure.tables.kinds.judged import Judged

RULE_OF_THREE = 1.9207  # z²/2 at 95 %: after n agreements in n rows it admits a disagreement of about 3/n
EVEN = 4.0  # rows spread evenly over what truth, judge and prediction may be
FEWEST = 20  # labels of people below which λ would be noise
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


class Settled(NamedTuple):
    """Moved rows, their design, and the metric before negative weights were cut off."""

    rows: Contents
    design: JudgedDesign
    value: float


@dataclass(frozen=True)
class Copy:
    """The labelled rows with ``added`` pseudo-rows: spread as rows are by judge and prediction, or evenly over all."""

    judged: Judged
    contrast: Contrast
    design: Design
    added: float = 0.0
    even: bool = False
    alternatives: Alternatives | None = None

    @cached_property
    def shares(self) -> tuple[Array, Array]:
        """The share of each row among the labelled rows, and among the others; 0 in the rest."""
        weights, labelled = self.design.weights, self.judged.labelled
        return tuple(over(weights * part, float((weights * part).sum())) for part in (labelled, ~labelled))  # type: ignore[return-value]

    @cached_property
    def sizes(self) -> tuple[float, float]:
        """How many equal rows people labelled, and how many they did not (Kish)."""
        weights, squares, labelled = self.design.weights, self.design.squares, self.judged.labelled
        return tuple(float(over(weights[part].sum() ** 2, squares[part].sum())) for part in (labelled, ~labelled))  # type: ignore[return-value]

    @cached_property
    def mix(self) -> Array:
        """How judges are joined (joined × judges): each on its own, or their mean where there are few labels."""
        judges = len(self.judged.judges)
        few = judges > 1 and self.sizes[0] < ONE_JUDGE
        return np.full((1, judges), 1 / judges) if few else np.eye(judges)

    @cached_property
    def _extra(self) -> Array:
        """How many pseudo-rows each alternative stands for."""
        if self.alternatives is None:
            return np.zeros(0)
        parts, every = self.alternatives.parts, self.design.weights / self.design.total
        if self.even:
            return np.full(len(parts), self.added / len(parts))
        share = np.bincount(self.alternatives.part_of_row, weights=every, minlength=int(parts.max()) + 1)
        return np.asarray(self.added * share[parts] / np.bincount(parts)[parts])

    def people(self) -> Measure:
        """Return people's rows and the pseudo-rows, as shares."""
        size = self.sizes[0] + self.added or 1.0
        own: Measure = [(self.judged.people, self.shares[0] * (self.sizes[0] / size))]
        return own if self.alternatives is None else [*own, (self.alternatives.rows, self._extra / size)]

    def answers(self, lam: Array) -> Measure:
        """Return λ (J_N − J_n), the judge's signed measure."""
        size = self.sizes[0] + self.added or 1.0
        every = self.design.weights / self.design.total
        found: Measure = []
        for weight, readings in zip(lam, self.judged.judges, strict=True):
            pseudo = every * (self.added / size) * (self.alternatives is not None and not self.even)
            move = weight * (self.shares[1] - self.shares[0] * (self.sizes[0] / size) - pseudo)
            found += [(one.rows, move * one.share) for one in readings]
            if self.alternatives is not None and self.even:
                found.append((self.alternatives.rows, -weight * self._extra / size))
        return found

    def moved(self, lam: Array) -> tuple[Contents, Array]:
        """Return table(λ): rows and weights that sum to 1 and may be negative."""
        return self.judged.summed(self.people(), self.answers(lam))

    def at(self, rows: Contents, weights: Array) -> Influence:
        """Return the influence of any row on the contrast, at a weighting of some rows."""
        linears = self.contrast.on(rows, self.design.reweighted(weights))
        each = list(zip(linears, self.contrast.places, self.contrast.signs, strict=True))
        return lambda other: np.sum([sign * self.judged.moves(other, one, place) for one, place, sign in each], axis=0)

    def moments_at(self, influence: Influence) -> tuple[JudgeMoments, JudgeMoments]:
        """Return the moments of labelled rows (with pseudo-rows) and of the others."""
        own, judges = influence(self.judged.people), self.mix @ self.judged.answers_moved(influence)
        labelled, columns = self.shares[0] > 0, np.vstack([own, judges])
        found = judge_moments(self.sizes[0], self.shares[0][labelled], columns[:, labelled])
        others = judge_moments(self.sizes[1], self.shares[1], np.vstack([np.zeros_like(own), judges]))
        if self.alternatives is None or not self.added:
            return found, others
        mean, square = self.alternatives.moments(influence)
        if self.even:
            part = np.full(len(mean), 1 / len(mean))
            return found.plus(independent_moments(self.added, part, mean, square, len(judges))), others
        every, part_of_row = self.design.weights / self.design.total, self.alternatives.part_of_row
        pseudo = judge_moments(self.added, every, np.vstack([mean[part_of_row], judges]))
        pseudo.second[0, 0] = every @ square[part_of_row]
        return found.plus(pseudo), others

    @cached_property
    def human(self) -> Influence:
        """The influence of any row, at people's rows and the pseudo-rows."""
        return self.at(*one_measure(self.people()))

    @cached_property
    def lam(self) -> Array:
        """λ of each judge, or of their mean, at people's rows and the pseudo-rows."""
        return weights_of_judges(*self.moments_at(self.human), lost=float(self.judged.use == "wald"))

    def gain(self) -> float:
        """Return the variance of people alone over that with the judge."""
        human = self.moments_at(self.human)[0].covariance[0, 0]
        rows, weights = self.moved(self.lam @ self.mix)
        labelled, others = self.moments_at(self.at(rows, without_negatives(weights)))
        return gain_of(float(human), labelled, others, self.lam)

    def variance(self, influence: Influence, lam: Array) -> float:
        """Return V(λ) on this design: Σ ψψ', ψ = φ − λg on labelled rows and λg on the others, around their means."""
        if self.design.independent:
            return variance_with(*self.moments_at(influence), lam)
        return float(psi_covariance(self.judged.labelled, self._psi(influence, lam), self.design)[0, 0])

    def _psi(self, influence: Influence, lam: Array) -> Array:
        moved = (lam @ self.mix) @ self.judged.answers_moved(influence)
        return np.where(self.judged.labelled, finite(influence(self.judged.people)) - moved, moved)[None]

    def by_group(self, lam: Array) -> Array | None:
        """Return what each group adds to the contrast; None without groups."""
        if self.design.groups is None or not self.sizes[0]:
            return None
        held = _parted(self.judged.labelled, self._psi(self.human, lam), self.design)[1]
        return self.design.by_group(held[0])


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


def settle(judged: Judged, contrast: Contrast, design: Design) -> Settled:
    """Return the rows that the judge moved for a contrast, worth n · gain rows."""
    people, sampled = judged.by_people(design)
    human = contrast.on(people, sampled)
    copy = Copy(judged, contrast, design)
    lam, gain = np.zeros(len(copy.mix)), 1.0
    if _usable(copy, human):
        lam = copy.lam
        gain = _gain(copy, human) if lam.any() else 1.0
    rows, signed = copy.moved(lam @ copy.mix)
    weights = (without_negatives(signed) if sampled.total > 0 else np.zeros_like(signed)) * float(sampled.n)
    made = JudgedDesign(
        weights, weights, weights, factor=_effect(contrast, human, sampled) / gain,
        freedom=min(one.degrees for one in human), people=sampled, facts=_facts(copy, lam, gain, human),
        grouped_by=sampled.grouped_by, group_labels=design.group_labels, adds=copy.by_group(lam),
    )  # fmt: skip
    if judged.use != "wald" or not lam.any():
        return Settled(rows, made, float("nan"))
    return Settled(rows, _published(copy, lam, rows, made), _signed_value(contrast, rows, signed, made))


def _usable(copy: Copy, human: Sequence[Linearised]) -> bool:
    """Say whether a judge can help at all: there are other rows, enough labels, and every row has an influence."""
    known = all(np.isfinite(one.value) and np.isfinite(one.influence).all() for one in human)
    return bool(known and copy.sizes[1] > 0 and (copy.sizes[0] >= FEWEST or copy.judged.use == "wald"))


def _gain(copy: Copy, human: Sequence[Linearised]) -> float:
    """Return the smaller gain of two smoothed copies, less where the design takes more from the judge than from people.

    Never below 1, which people alone are worth, and never above the number of rows judged over those labelled.
    """
    other = copy.judged.alternatives(human, copy.contrast.places)
    copies = [copy]
    if other is not None:
        spread = replace(copy, added=RULE_OF_THREE, alternatives=other)
        copies = [spread, replace(spread, added=EVEN, even=True)]
    found = min(one.gain() for one in copies)
    found *= 1.0 if copy.design.independent else _less_by_design(copy)
    most = sum(copy.sizes) / copy.sizes[0]
    return float(np.clip(found, 1.0, most)) if np.isfinite(found) else 1.0


def _less_by_design(copy: Copy) -> float:
    """Return how much less a judge is worth by groups, weights and strata; never above 1, as few groups tell little."""
    none = np.zeros_like(copy.lam)
    labelled, others = copy.moments_at(copy.human)
    with np.errstate(invalid="ignore", divide="ignore"):
        human, judged = (
            copy.variance(copy.human, lam) / variance_with(labelled, others, lam) for lam in (none, copy.lam)
        )
        found = human / judged
    return float(min(found, 1.0)) if np.isfinite(found) else 1.0


def _effect(contrast: Contrast, human: Sequence[Linearised], sampled: Design) -> float:
    """Return the design effect of people's rows on the contrast: 1 for plain rows."""
    if sampled.independent:
        return 1.0
    if len(human) == 1:
        return human[0].effective_n and float(sampled.n) / human[0].effective_n
    held = human[0].contents.covariance(human, sampled, contrast.places)
    signs = np.array(contrast.signs)
    variance = float(signs @ with_variances(held, human) @ signs)
    moved = sum(sign * one.influence for sign, one in zip(contrast.signs, human, strict=True))
    plain = float(sampled.weights @ moved**2) / (sampled.total * float(sampled.n))
    return variance / plain if plain > 0 else max(float(sampled.n) / one.effective_n for one in human)


def _published(copy: Copy, lam: Array, rows: Contents, made: JudgedDesign) -> JudgedDesign:
    """Return the design whose linearised variance is V(λ), as PPI++ has it."""
    influence = copy.at(rows, made.weights)
    plain = float(made.weights @ finite(influence(rows)) ** 2) / made.total / float(made.n)
    variance = copy.variance(influence, lam)
    return replace(made, factor=variance / plain if plain > 0 else 1.0, freedom=float("inf"))


def _signed_value(contrast: Contrast, rows: Contents, signed: Array, made: JudgedDesign) -> float:
    """Return the contrast on the moved table with its negative cells."""
    each = zip(contrast.signs, contrast.on(rows, made), strict=True)
    return float(sum(sign * rows.values_at(one, signed[None])[0] for sign, one in each))


def _facts(copy: Copy, lam: Array, gain: float, human: tuple[Linearised, ...]) -> JudgeFacts:
    judged, design = copy.judged, copy.design
    labels, every = float(design.counts[judged.labelled].sum()), float(design.counts.sum())
    pooled = 1 - copy.sizes[0] / sum(copy.sizes) if sum(copy.sizes) > 0 else 0.0
    facts = JudgeFacts(
        judged.judge_names, tuple((lam @ copy.mix).tolist()), gain, (1 - 1 / gain) / pooled if pooled > 0 else 0.0,
        labels, every, human, _alone(copy),
    )  # fmt: skip
    return facts._replace(notes=judge_notes(judged, copy.contrast, design, facts))


def _alone(copy: Copy) -> float:
    """Return what the judges alone would say: the contrast on their answers in all rows."""
    said = [(one.rows, copy.design.weights * one.share) for judge in copy.judged.judges for one in judge]
    rows, weights = one_measure(said)
    if not weights.sum() > 0:
        return float("nan")
    return copy.contrast.value(copy.contrast.on(rows, Design(weights, weights, weights)))


def psi_covariance(labelled: Array, moved: Array, design: Design) -> Array:
    """Return the covariance of estimates from what moves them (estimates × rows), labelled rows and others apart.

    A group may hold rows of both kinds.
    """
    codes, held = _parted(labelled, moved, design)
    if design.strata is not None and design.groups is None:
        left = tuple(one for one in design.strata.left for _ in range(2))
        design = replace(design, strata=Strata(codes, tuple(range(len(left))), left))
    return design.covariance(lambda rows: held[:, rows], len(held))


def _parted(labelled: Array, moved: Array, design: Design) -> tuple[Ints, Array]:
    """Return the part of each row (its stratum, labelled or not), and what moves estimates around the part's mean."""
    stratum = np.zeros(len(design), dtype=np.int64) if design.strata is None else np.asarray(design.strata.codes)
    codes = stratum * 2 + labelled
    size = int(codes.max()) + 1
    weight = np.bincount(codes, weights=design.weights, minlength=size)
    held = np.empty_like(moved)
    for place, row in enumerate(moved):
        held[place] = row - over(np.bincount(codes, weights=design.weights * row, minlength=size), weight)[codes]
    part = [float(design.weights[labelled == kind].sum()) for kind in (False, True)]
    held *= np.where(labelled, *(over(design.total, one) for one in reversed(part)))
    return codes, held

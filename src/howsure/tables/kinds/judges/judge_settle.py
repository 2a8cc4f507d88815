"""How far a judge moves a table for one metric, and what the labels of people are worth with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from howsure.tables.contents import Contents
from howsure.tables.covariance import has_own_effect
from howsure.tables.design import Design
from howsure.tables.kinds.judges.judge_copy import Contrast, Copy, Influence, finite, one_measure, without_negatives
from howsure.tables.kinds.judges.judge_design import JudgedDesign, JudgeFacts
from howsure.tables.kinds.judges.judge_gain import variance_with
from howsure.tables.kinds.judges.judge_notes import judge_notes
from howsure.tables.linearised import Linearised
from howsure.tables.sampling.rule import over
from howsure.tables.strata import Strata
from howsure.types import Array, Ints

if TYPE_CHECKING:
    from howsure.tables.kinds.judges.judged import Judged

RULE_OF_THREE = 1.9207  # z²/2 at 95 %: after n agreements in n rows it admits a disagreement of about 3/n
EVEN = 4.0  # rows spread evenly over what truth, judge and prediction may be
FEWEST = 20  # labels of people below which λ would be noise


class Settled(NamedTuple):
    """Moved rows, their design, and the metric before negative weights were cut off."""

    rows: Contents
    design: JudgedDesign
    value: float


def settle(judged: Judged, contrast: Contrast, design: Design) -> Settled:
    """Return the rows that the judge moved for a contrast, worth n · gain rows."""
    people, sampled = judged.by_people(design)
    human = contrast.on(people, sampled)
    copy = Copy(judged, contrast, design)
    lam, gain = np.zeros(len(copy.mix)), 1.0
    if _usable(copy, human):
        lam = copy.lam
        lam = lam if _defined(copy, lam) else np.zeros_like(lam)
        gain = _gain(copy, human) if lam.any() else 1.0
    rows, signed = copy.moved(lam @ copy.mix)
    weights = (without_negatives(signed) if sampled.total > 0 else np.zeros_like(signed)) * float(sampled.n)
    effect, degrees = _effect(contrast, human, sampled)
    made = JudgedDesign(
        weights, weights, weights, factor=effect / gain, freedom=degrees, people=sampled,
        facts=_facts(copy, lam, gain, human), grouped_by=sampled.grouped_by, group_labels=design.group_labels,
        adds=_by_group(copy, lam),
    )  # fmt: skip
    if judged.use != "wald" or not lam.any():
        return Settled(rows, made, float("nan"))
    return Settled(rows, _published(copy, lam, rows, made), _signed_value(contrast, rows, signed, made))


def _usable(copy: Copy, human: Sequence[Linearised]) -> bool:
    """Say whether a judge can help at all: there are other rows, enough labels, and every row has an influence."""
    known = all(np.isfinite(one.value) and np.isfinite(one.influence).all() for one in human)
    return bool(known and copy.sizes[1] > 0 and (copy.sizes[0] >= FEWEST or copy.judged.use == "wald"))


def _defined(copy: Copy, lam: Array) -> bool:
    """Say whether the contrast has a value where the judge moves it: it may take all cells of a class below 0."""
    rows, signed = copy.moved(lam @ copy.mix)
    if copy.judged.use == "wald" or not (signed < 0).any():
        return True
    return bool(
        np.isfinite(copy.contrast.value(copy.contrast.on(rows, copy.design.reweighted(without_negatives(signed)))))
    )


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
    sampled_in_strata = copy.design.strata is not None and copy.design.ungrouped  # the moments are those of the strata
    found *= 1.0 if copy.design.independent or sampled_in_strata else _less_by_design(copy)
    most = max(sum(one.sizes) / one.sizes[0] for one in copy.strata)
    return float(np.clip(found, 1.0, most)) if np.isfinite(found) else 1.0


def _less_by_design(copy: Copy) -> float:
    """Return how much less a judge is worth by groups and weights; never above 1, as few groups tell little."""
    none, parts = np.zeros_like(copy.lam), copy.parts_at(copy.human)
    with np.errstate(invalid="ignore", divide="ignore"):
        human, judged = (_variance(copy, copy.human, lam) / variance_with(parts, lam) for lam in (none, copy.lam))
        found = human / judged
    return float(min(found, 1.0)) if np.isfinite(found) else 1.0


def _variance(copy: Copy, influence: Influence, lam: Array) -> float:
    """Return V(λ) on this design: Σ ψψ', ψ = φ − λg on labelled rows and λg on the others, around their means."""
    if copy.design.independent:
        return variance_with(copy.parts_at(influence), lam)
    return float(psi_covariance(copy.judged.labelled, _psi(copy, influence, lam), copy.design)[0, 0])


def _psi(copy: Copy, influence: Influence, lam: Array) -> Array:
    own, answers = finite(influence(copy.judged.people)), copy.judged.answers_moved(influence)
    return moving(copy.judged.labelled, own, (lam @ copy.mix) @ answers, copy.design)[None]


def _by_group(copy: Copy, lam: Array) -> Array | None:
    """Return what each group adds to the contrast; None without groups."""
    if copy.design.groups is None or not copy.sizes[0]:
        return None
    held = _parted(copy.judged.labelled, _psi(copy, copy.human, lam), copy.design)[1]
    return copy.design.by_group(held[0])


def _effect(contrast: Contrast, human: Sequence[Linearised], sampled: Design) -> tuple[float, float]:
    """Return the design effect of people's rows on the contrast, 1 for plain rows, and its degrees of freedom.

    That of a difference is its own, as in comparisons of people's rows alone.
    """
    if len(human) > 1 and all(has_own_effect(one) for one in human):
        whole = sampled.effect_of(human[0].contents.contrast(human, contrast.places, sampled))
        return whole.factor, min(one.within(whole).degrees for one in human)
    degrees = min(one.degrees for one in human)
    if sampled.independent:
        return 1.0, degrees
    return max(one.effective_n and float(sampled.n) / one.effective_n for one in human), degrees


def _published(copy: Copy, lam: Array, rows: Contents, made: JudgedDesign) -> JudgedDesign:
    """Return the design whose linearised variance is V(λ), as PPI++ has it."""
    influence = copy.at(rows, made.weights)
    plain = float(made.weights @ finite(influence(rows)) ** 2) / made.total / float(made.n)
    variance = _variance(copy, influence, lam)
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


def moving(labelled: Array, own: Array, answers: Array, design: Design) -> Array:
    """Return what each row moves an estimate by: φ − λg where people looked, λg elsewhere.

    Of a finite pool the others are what the labels leave, so that λ(mean of others − mean of labelled) is λ/(1 − n/P)
    times (mean of the pool − mean of labelled): a labelled row then counts φ − λg/(1 − n/P).
    """
    if design.strata is None or not design.ungrouped:
        return np.where(labelled, own - answers, answers)
    left, rest = _left(labelled, design, design.strata)
    share = np.where(rest > 0, left, 1.0)[design.strata.codes]
    return np.where(labelled, own - over(answers, share) * (rest > 0)[design.strata.codes], answers)


def psi_covariance(labelled: Array, moved: Array, design: Design) -> Array:
    """Return the covariance of estimates from what moves them (estimates × rows), labelled rows and others apart.

    A group may hold rows of both kinds.
    """
    codes, held = _parted(labelled, moved, design)
    if design.strata is not None and design.ungrouped:
        left, rest = _left(labelled, design, design.strata)
        known = np.bincount(design.strata.codes, weights=design.counts * labelled, minlength=len(left))
        with np.errstate(invalid="ignore", divide="ignore"):
            others = np.where(left < 1, np.clip(1 - rest * (1 - left) / (left * known), 0.0, 1.0), 1.0)
        each = tuple(np.stack([np.nan_to_num(others), left], axis=1).ravel().tolist())
        design = replace(design, strata=Strata(codes, tuple(range(len(each))), each))
    return design.covariance(lambda rows: held[:, rows], len(held))


def _left(labelled: Array, design: Design, strata: Strata) -> tuple[Array, Array]:
    """Return what is left to vary of each stratum's pool, and how many rows there nobody labelled."""
    rest = np.bincount(strata.codes, weights=design.counts * ~labelled, minlength=len(strata.left))
    return np.asarray(strata.left), rest


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

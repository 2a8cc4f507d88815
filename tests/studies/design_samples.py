"""Many samples of a design at once: default intervals of single estimates and of differences.

Everything that a sample says of a metric follows from sums over its parts, groups and cells. The design effect is that
of ``tables.sampling.rule``, the limits are those of the default methods; only the sums are made here, for thousands of
samples in one array. ``tests/coverage/test_designs.py`` compares with hs.estimate and hs.compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr, stdtrit

from howsure.comparisons.pair import shrunk, square_and_add
from howsure.estimates.catalogue import default_method, interval
from howsure.estimates.evidence import Evidence
from howsure.estimates.methods import class_means
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import gradient_of, moments
from howsure.metrics.names import named
from howsure.metrics.pseudo_counts import Smoothed, smoothed_matrices
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
from studies.design_populations import DesignPopulation

Floats = np.ndarray
SINGLE = ("accuracy", "recall[1]", "precision[1]", "f1[1]", "kappa", "mcc", "macro_f1")
PAIRED = ("accuracy", "f1[1]", "mcc", "macro_f1")


class ManyEstimates(Evidence):
    """The evidence of one metric on many samples, each worth a number of rows of its own."""

    def __init__(self, name: str, matrices: Floats, n: float, size: Floats, variance: Floats, degrees: Floats) -> None:
        self.metric = named(name)
        label = self.metric.label
        self.selection = None if label is None else int(label)
        self.undefined = "nan"
        found = moments(self.metric, matrices, selection=self.selection)
        self.value, self.cells, self.influence = found.value, found.cells, found.influence
        self.slopes = gradient_of(self.metric, found.cells)
        self.n, self.size, self.variance, self.degrees = np.full(len(size), float(n)), size, variance, degrees
        self.matrix = matrices * (size / matrices.sum((-2, -1)))[:, None, None]
        self.positive = 1

    def quantile(self, tail: Tail) -> Floats:
        """Return Student's quantile of each sample."""
        known = np.minimum(self.degrees, 1e15)
        return np.where(np.isinf(self.degrees), tail.z, -stdtrit(known, tail.probability))

    def half(self, tail: Tail) -> Floats:
        """Return half the length of a symmetric interval."""
        return self.quantile(tail) * self.se

    def tail_of(self, tail: Tail) -> Any:
        """Return the probability beyond each end of each sample."""
        if np.isinf(self.degrees).all():
            return tail.probability
        return np.where(np.isinf(self.degrees), tail.probability, ndtr(-self.quantile(tail)))

    def smoothed(self, z: float) -> Smoothed:
        """Return the metric on the tables with pseudo-counts."""
        return smoothed_matrices(self.metric, self.matrix, z, selection=self.selection)


class Moved(NamedTuple):
    """One metric of one model in each sample: its influence in each cell (truth, prediction), its size and degrees."""

    influence: Floats
    value: Floats
    base: Floats
    size: Floats
    degrees: Floats

    @property
    def variance(self) -> Floats:
        """The variance by the design effect; ``base`` is that of independent rows over the sample's size."""
        return self.base / self.size


@dataclass(frozen=True)
class Samples:
    """Sums over rows of each sample: (sample, part, truth, a, b) of counts, w and w²; (sample, group, …) of w."""

    counts: Floats
    weights: Floats
    squares: Floats
    cubes: Floats  # (sample, part)
    in_groups: Floats | None
    group_parts: Floats | None  # group × stratum: 1 where a group lies
    centred: bool
    n: int

    @staticmethod
    def of(population: DesignPopulation, random: np.random.Generator, samples: int) -> Samples:
        """Return the sums of fresh samples."""
        codes, weight = population.draw(random, samples)
        return Samples.counted(population, codes, weight)

    @staticmethod
    def counted(population: DesignPopulation, codes: Floats, weight: Floats) -> Samples:
        """Return the sums of samples whose rows are given."""
        width, samples = population.classes, len(codes)
        part = np.zeros(codes.shape, dtype=np.int64)
        if population.strata is not None:
            part = np.broadcast_to(population.strata, codes.shape)
        elif population.by_class:
            part = codes // width**2
        parts = int(part.max()) + 1

        def summed(which: Floats, number: int, values: Floats) -> Floats:
            place = (np.arange(samples)[:, None] * number + which) * width**3 + codes
            found = np.bincount(place.ravel(), values.ravel(), samples * number * width**3)
            return found.reshape(samples, number, width, width, width)

        sums = [summed(part, parts, values) for values in (np.ones(codes.shape), weight, weight**2)]
        in_groups = group_parts = None
        if population.groups is not None:
            number = int(population.groups.max()) + 1
            in_groups = summed(np.broadcast_to(population.groups, codes.shape), number, weight)
            stratum = np.zeros(number, dtype=np.int64)
            if population.strata is not None:
                stratum[population.groups] = population.strata
            group_parts = np.eye(int(stratum.max()) + 1)[stratum]
        cubes = summed(part, parts, weight**3).sum((2, 3, 4))
        return Samples(*sums, cubes, in_groups, group_parts, population.strata is not None, population.n)

    def of_model(self, model: int, sums: Floats) -> Floats:
        """Return sums over (truth, prediction) of one model, flat."""
        kept = sums.sum(-1 if model == 0 else -2)
        return kept.reshape(*kept.shape[:-2], -1)

    @cached_property
    def totals(self) -> tuple[Floats, Floats]:
        """Σw of each part, and of each sample."""
        part = self.weights.sum((2, 3, 4))
        return part, part.sum(1)

    @cached_property
    def _cached(self) -> dict[tuple[str, int], Any]:
        return {}

    def moved(self, name: str, model: int) -> Moved:
        """Return what each sample says of a metric of one model; made once."""
        key = (name, model)
        if key not in self._cached:
            self._cached[key] = self._moved(name, model)
        return self._cached[key]

    def _rows(self, model: int) -> tuple[tuple[Floats, Floats, Floats], Floats | None]:
        """Return counts, Σw and Σw² by part and cell of one model, and Σw by group and cell; made once."""
        if ("rows", model) not in self._cached:
            sums = (self.counts, self.weights, self.squares)
            held = None if self.in_groups is None else self.of_model(model, self.in_groups)
            self._cached["rows", model] = tuple(self.of_model(model, part) for part in sums), held
        return self._cached["rows", model]

    def _moved(self, name: str, model: int) -> Moved:
        (counts, weights, squares), in_groups = self._rows(model)
        width = self.weights.shape[-1]
        metric = named(name)
        selection = None if metric.label is None else int(metric.label)
        matrices = weights.sum(1).reshape(-1, width, width)
        found = moments(metric, matrices, selection=selection)
        raw = found.influence.reshape(len(matrices), -1)
        phi = np.where(weights.sum(1) > 0, raw, 0.0)
        part, _ = self.totals
        centre = np.zeros(part.shape)
        if self.centred:
            centre = over(np.einsum("shc,sc->sh", weights, phi), part)
        self._cached["raw", name, model] = raw.reshape(-1, width, width)
        delta = self._hidden(raw.reshape(-1, width, width), centre)
        return self._effect((counts, weights, squares), in_groups, phi, delta, centre)._replace(value=found.value)

    def _effect(
        self, sums: Sequence[Floats], in_groups: Floats | None, phi: Floats, delta: Floats, centre: Floats
    ) -> Moved:
        """Return what each sample is worth, from influence and δ² of each cell."""
        counts, weights, squares = sums
        part, total = self.totals
        square = (phi[:, None] - centre[:, :, None]) ** 2
        parts = PartSums(
            counts.sum(-1), part, squares.sum(-1), self.cubes, (counts * square).sum(-1), (weights * square).sum(-1),
            (squares * square).sum(-1), (weights * square**2).sum(-1), (weights * delta).sum(-1),
        )  # fmt: skip
        base = np.einsum("sc,sc->s", weights.sum(1), phi**2)
        ideal = Ideal(base * total / self.n, parts.unseen.sum(-1) * total / self.n)
        with np.errstate(invalid="ignore"):  # a metric that is undefined in some sample
            factor = parts.variances(centred=self.centred).sum(-1) / (ideal.seen + ideal.unseen)
        if not self.centred and part.shape[1] == 1:
            size = np.abs(phi)
            moves = size > SOME * size.max(-1, keepdims=True)
            weight, rows = ((part.sum(1) * moves).sum(-1) for part in (weights, counts))
            factor = np.maximum(factor, least_effect(weight, rows, total / self.n))
        degrees = np.full(len(factor), self.n - part.shape[1] if self.centred else np.inf)
        if in_groups is not None:
            assert self.group_parts is not None
            groups, alone = self._between(in_groups, phi, delta, parts, squares), factor
            factor = groups.factor(ideal, alone)
            degrees = groups.joint_degrees(1 - alone / factor, float(np.subtract(*self.group_parts.shape)))
        return Moved(phi, np.zeros(len(factor)), base / total, self.n / factor, degrees)

    def difference(self, name: str) -> Moved:
        """Return the difference of two models: its size by its own design effect, its degrees of freedom."""
        raws = [self._cached["raw", name, model] for model in (0, 1)]
        first, second = (np.where(np.isfinite(raw), raw, 0.0) for raw in raws)
        raw = second[:, :, None, :] - first[:, :, :, None]
        flat = [part.reshape(*part.shape[:2], -1) for part in (self.counts, self.weights, self.squares)]
        phi = np.where(flat[1].sum(1) > 0, raw.reshape(len(raw), -1), 0.0)
        part, _ = self.totals
        centre = over(np.einsum("shc,sc->sh", flat[1], phi), part) if self.centred else np.zeros(part.shape)
        width = raw.shape[1]
        if not self.centred and part.shape[1] == width:
            delta = np.repeat((raw**2).mean((2, 3)), width**2, axis=1)[:, None]
        else:
            around = (raw[:, None] - centre[:, :, None, None, None]) ** 2
            any_of = around.mean((2, 4))[..., None] + around.mean((2, 3))[..., None, :]
            delta = np.tile(any_of.reshape(*part.shape, -1) / 2, width)
        still = ~(np.einsum("shc,sc->s", flat[1], phi**2) + (flat[1] * delta).sum((1, 2)) > 0)
        delta = np.where(still[:, None, None], 1.0, delta)
        in_groups = None if self.in_groups is None else self.in_groups.reshape(*self.in_groups.shape[:2], -1)
        return self._effect(flat, in_groups, phi, delta, centre)

    def _hidden(self, raw: Floats, centre: Floats) -> Floats:
        """Return δ² for each part and cell: over truths of a prediction; with balancing weights over predictions."""
        width = raw.shape[-1]
        known = np.isfinite(raw)
        if not self.centred and centre.shape[1] == width:
            square = np.where(known, raw, 0.0) ** 2
            return np.repeat(square.mean(2), width, axis=1)[:, None]
        around = np.where(known[:, None], raw[:, None] - centre[:, :, None, None], 0.0) ** 2
        by_prediction = around.mean(2)
        return np.tile(by_prediction, (1, 1, width))

    def _between(self, held: Floats, phi: Floats, delta: Floats, parts: PartSums, squares: Floats) -> Between:
        """Return what groups add, from the weights of their cells, and influence, δ² and Σw² of each cell."""
        assert self.group_parts is not None
        inside = self.group_parts

        def of(values: Floats) -> Floats:
            return values @ inside

        weight = held.sum(-1)
        share = weight / (of(weight) @ inside.T)
        sums = np.einsum("sgc,sc->sg", held, phi)
        groups = GroupSums(sums - share * (of(sums) @ inside.T), share, of)
        rows = parts.seen(centred=self.centred)
        if self.centred:
            pairs = np.einsum("sg,sgc,gh->shc", weight, held, inside)
            unseen = HIDDEN / parts.kish * (shared_squares(pairs, squares, 1.0) * delta).sum(-1)
        else:  # parts may be classes, groups run through them
            pairs = np.einsum("sg,sgc->sc", weight, held)[:, None] * self._cells_of_parts(phi.shape[-1])
            shared = HIDDEN * over(shared_squares(pairs, squares, 1.0) * delta, parts.kish[:, :, None])
            rows, unseen = rows.sum(-1, keepdims=True), shared.sum((1, 2))[:, None]
        evenness = len(inside) * (weight**2).sum(-1) / weight.sum(-1) ** 2
        degrees = groups.degrees(over(groups.missed, 1 - of(share**2)) @ inside.T)
        return Between(groups.completed(rows), unseen, rows, degrees, evenness)

    def _cells_of_parts(self, cells: int) -> Floats:
        """Return which cells each part holds: all, or where parts are true classes those of the class."""
        parts = self.weights.shape[1]
        return np.ones((1, cells)) if parts == 1 else np.repeat(np.eye(parts), cells // parts, axis=1)

    def evidence(self, name: str, model: int, moved: Moved) -> ManyEstimates:
        """Return what the interval methods ask for."""
        width = self.weights.shape[-1]
        matrices = self.of_model(model, self.weights).sum(1).reshape(-1, width, width)
        return ManyEstimates(name, matrices, self.n, moved.size, moved.variance, moved.degrees)

    def correlations(
        self, name: str, all_moved: list[Moved], wide: list[Floats], unseen: Floats | None = None
    ) -> Floats:
        """Return the correlations of estimates, (sample, estimate, estimate): those of the linearised covariance.

        ``wide`` are their influences in every cell (truth, a, b), ``unseen`` what holds where no error shows any.
        """
        if self.in_groups is not None:
            assert self.group_parts is not None
            flat = np.stack([phi.reshape(len(phi), -1) for phi in wide], axis=1)
            sums = flat @ np.swapaxes(self.in_groups.reshape(*self.in_groups.shape[:2], -1), 1, 2)
            if self.centred:
                held = self.group_parts.sum(0)
                sums = (sums - (sums @ self.group_parts / held) @ self.group_parts.T) * (
                    self.group_parts @ np.sqrt(held / (held - 1))
                )
            products = np.einsum("sug,svg->suv", sums, sums)
        else:
            moved = [np.broadcast_to(phi[:, None], self.weights.shape) for phi in wide]
            weight = self.squares
            if self.centred:
                part, rows = self.weights.sum((2, 3, 4)), self.counts.sum((2, 3, 4))
                middles = [(self.weights * phi).sum((2, 3, 4)) / part for phi in moved]
                moved = [phi - middle[:, :, None, None, None] for phi, middle in zip(moved, middles, strict=True)]
                weight = weight * (rows / (rows - 1))[:, :, None, None, None]
            flat = np.stack([phi.reshape(len(phi), -1) for phi in moved], axis=1)
            products = np.einsum("suj,svj,sj->suv", flat, flat, weight.reshape(len(weight), -1), optimize=True)
        own = np.diagonal(products, axis1=1, axis2=2)
        variance = np.stack([one.variance for one in all_moved], axis=1)
        scale = np.ptp(named(name).range)
        shown = (own / self.totals[1][:, None] ** 2 > ROUNDING * variance) & (variance * self.n > ROUNDING * scale**2)
        spread = np.sqrt(own[:, :, None] * own[:, None, :])
        known = shown[:, :, None] & shown[:, None, :]
        unseen = np.eye(len(all_moved)) if unseen is None else unseen
        return np.where(known, np.clip(over(products, spread), -1, 1), unseen)

    def _wide(self, moved: Moved, model: int) -> Floats:
        width = self.weights.shape[-1]
        shape = (-1, width, width, 1) if model == 0 else (-1, width, 1, width)
        return np.broadcast_to(moved.influence.reshape(shape), (len(moved.value), width, width, width))

    def class_limits(
        self, evidence: ManyEstimates, model: int, tail: Tail, *, part: bool = False
    ) -> tuple[Floats, Floats]:
        """Return the limits of a plain mean over classes, each class by its own effective number of rows.

        ``part``: the evidence has the design effect of a difference, and so have the classes, each in proportion.
        """
        base = evidence.metric.per_class[0]
        names = [f"{base.name}[{label}]" for label in range(self.weights.shape[-1])]
        moved = [self.moved(name, model) for name in names]
        if part:
            times = evidence.size / self.moved(evidence.metric.name, model).size
            moved = [one._replace(size=one.size * times, degrees=evidence.degrees) for one in moved]
        owns = [self.evidence(name, model, one) for name, one in zip(names, moved, strict=True)]
        tp, fp, fn = (np.stack(part, axis=-1) for part in zip(*(own.tversky_counts for own in owns), strict=True))
        a, b = (np.full(len(names), base.tversky[place]) for place in (0, 1))
        known = class_means._correlation(evidence, a, b, len(names))
        if self.in_groups is not None or self.centred:
            wide = [self._wide(one, model) for one in moved]
            known = np.clip(self.correlations(names[0], moved, wide, known), 0.0, 1.0)
        tails = np.stack([np.broadcast_to(own.tail_of(tail), len(tp)) for own in owns], axis=-1)
        parts = class_means.Parts(tp, fp, fn, known, (a, b), np.zeros(len(names), int), tails)
        found = class_means.joined_limits(evidence, parts, tail)
        return np.asarray(found.low), np.asarray(found.high)

    def moving(self, name: str, model: int, moved: Moved) -> Floats:
        """Return how many independent rows carry an estimate, as ``Linearised.moving_rows`` counts them."""
        metric, weights = named(name), self.of_model(model, self.weights).sum(1)
        share = weights / weights.sum(-1, keepdims=True)
        size = np.abs(moved.influence)
        if metric.share is not None or metric.tversky is not None:
            part = np.where(size > 1e-12 * size.max(-1, keepdims=True), share, 0.0).sum(-1)
        else:
            part = over((share * size**2).sum(-1) ** 2, (share * size**4).sum(-1))
        return moved.size * np.where(part > 0, part, 1.0)


def limits(
    samples: Samples, name: str, model: int, moved: Moved, tail: Tail, *, told: bool = False, part: bool = False
) -> tuple[Floats, Floats]:
    """Return the limits of the metric's default method; ``told`` takes the rows to be as many as ``moved`` says.

    ``part``: ``moved`` has the design effect of a difference.
    """
    evidence = samples.evidence(name, model, moved)
    method = default_method(evidence.metric, evidence)
    if method.name == "mover-gamma" and not told:
        return samples.class_limits(evidence, model, tail, part=part)
    found = interval(evidence, method, tail)
    return np.asarray(found.low), np.asarray(found.high)


def difference_limits(samples: Samples, name: str, tail: Tail) -> tuple[Floats, Floats]:
    """Return MOVER's limits of b − a."""
    singles, whole = [samples.moved(name, model) for model in (0, 1)], samples.difference(name)
    pair = [one._replace(size=whole.size, degrees=whole.degrees) for one in singles]
    ends = [limits(samples, name, model, one, tail, part=True) for model, one in enumerate(pair)]
    (low_a, high_a), (low_b, high_b) = ends
    a, b = (one.value for one in pair)
    carried = sum(samples.moving(name, model, one) for model, one in enumerate(pair)) / 2
    bases = [one.base for one in pair]
    spread, scale = np.sqrt(bases[0] * bases[1]), np.ptp(named(name).range)
    shown = np.minimum(*bases) / whole.size * samples.n > ROUNDING * scale**2
    known = np.where(shown, np.clip(over((bases[0] + bases[1] - whole.base) / 2, spread), -1, 1), 0.0)
    return square_and_add(b - a, (b - low_b, high_a - a), (high_b - b, a - low_a), shrunk(known, carried, tail.z))

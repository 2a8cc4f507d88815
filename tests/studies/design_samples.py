"""Many samples of a design at once: default intervals of single estimates and of differences, and what they cover.

Everything that a sample says of a metric follows from sums over its parts, groups and cells. The design effect is that
of ``tables.sampling.rule``, the limits are those of the default methods; only the sums are made here, for thousands of
samples in one array. ``tests/coverage/test_designs.py`` compares with hs.estimate and hs.compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaincinv, ndtr, stdtrit

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
    GroupSums,
    PartSums,
    groups_degrees,
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
        return Samples(*sums, in_groups, group_parts, population.strata is not None, population.n)

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

    def _rows(self, model: int) -> tuple[Floats, Floats, Floats]:
        """Return counts, Σw and Σw² by part and cell of one model; made once."""
        if ("rows", model) not in self._cached:
            sums = (self.counts, self.weights, self.squares)
            self._cached["rows", model] = tuple(self.of_model(model, part) for part in sums)
        return self._cached["rows", model]

    def _moved(self, name: str, model: int) -> Moved:
        counts, weights, squares = self._rows(model)
        width = self.weights.shape[-1]
        metric = named(name)
        selection = None if metric.label is None else int(metric.label)
        matrices = weights.sum(1).reshape(-1, width, width)
        found = moments(metric, matrices, selection=selection)
        raw = found.influence.reshape(len(matrices), -1)
        phi = np.where(weights.sum(1) > 0, raw, 0.0)
        part, total = self.totals
        centre = np.zeros(part.shape)
        if self.centred:
            centre = over(np.einsum("shc,sc->sh", weights, phi), part)
        shifted = phi[:, None] - centre[:, :, None]
        delta = self._hidden(raw.reshape(-1, width, width), centre)
        square = shifted**2
        told = (weights * (square + delta)).sum((1, 2)) > ROUNDING * np.ptp(metric.range) ** 2 * total
        delta = np.where(told[:, None, None], delta, 1.0)  # where nothing is known to move it, every row may
        square = square * told[:, None, None]
        rows = counts.sum(-1)
        sums = PartSums(
            rows, part, squares.sum(-1), (counts * square).sum(-1), (weights * square).sum(-1),
            (squares * square).sum(-1), (weights * square**2).sum(-1), (weights * delta).sum(-1),
        )  # fmt: skip
        base = np.einsum("sc,sc->s", weights.sum(1), phi**2)
        ideal = (base + sums.unseen.sum(-1)) * total / self.n
        with np.errstate(invalid="ignore"):  # a metric that is undefined in some sample
            factor = sums.variances(centred=self.centred).sum(-1) / ideal
        degrees = np.full(len(factor), self.n - part.shape[1] if self.centred else np.inf)
        if self.in_groups is not None:
            factor, degrees = self._grouped(model, phi, delta, sums.kish, squares, factor, ideal)
        return Moved(phi, found.value, base / total, self.n / factor, degrees)

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

    def _grouped(
        self, model: int, phi: Floats, delta: Floats, kish: Floats, squares: Floats, rows: Floats, ideal: Floats
    ) -> tuple[Floats, Floats]:
        assert self.in_groups is not None
        assert self.group_parts is not None
        held, inside = self.of_model(model, self.in_groups), self.group_parts

        def of(values: Floats) -> Floats:
            return values @ inside

        weight = held.sum(-1)
        share = weight / (of(weight) @ inside.T)
        sums = np.einsum("sgc,sc->sg", held, phi)
        moved = sums - share * (of(sums) @ inside.T)
        if self.centred:
            pairs = np.einsum("sg,sgc,gh->shc", weight, held, inside)
            unseen = HIDDEN / kish * (self._shared(squares, pairs) * delta).sum(-1)
        else:  # parts may be classes, groups run through them
            width = self.weights.shape[-1]
            pairs = np.einsum("sg,sgc->sc", weight, held)[:, None]
            if kish.shape[1] > 1:
                mask = np.kron(np.eye(width), np.ones(width))
                pairs = pairs * mask
            unseen = (HIDDEN * over(self._shared(squares, pairs) * delta, kish[:, :, None])).sum((1, 2))[:, None]
        groups = GroupSums(moved, share, of, unseen)
        variances = groups.variances()
        factor = np.maximum(variances.sum(-1) / ideal, rows)
        most = float(len(inside) - inside.shape[1])
        return factor, groups_degrees(variances, groups.degrees(), 1 - rows / factor, most)

    @staticmethod
    def _shared(squares: Floats, pairs: Floats) -> Floats:
        return np.asarray(shared_squares(pairs, squares, 1.0))

    def evidence(self, name: str, model: int, moved: Moved) -> ManyEstimates:
        """Return what the interval methods ask for."""
        width = self.weights.shape[-1]
        matrices = self.of_model(model, self.weights).sum(1).reshape(-1, width, width)
        return ManyEstimates(name, matrices, self.n, moved.size, moved.variance, moved.degrees)

    def correlations(self, name: str, all_moved: list[Moved], wide: list[Floats]) -> Floats:
        """Return the correlations of estimates, (sample, estimate, estimate): those of the linearised covariance.

        ``wide`` are their influences in every cell (truth, a, b).
        """
        if self.in_groups is not None:
            assert self.group_parts is not None
            sums = np.stack([(self.in_groups * phi[:, None]).sum((2, 3, 4)) for phi in wide], axis=1)
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
        return np.where(known, np.clip(over(products, spread), -1, 1), np.eye(len(all_moved)))

    def _wide(self, moved: Moved, model: int) -> Floats:
        width = self.weights.shape[-1]
        shape = (-1, width, width, 1) if model == 0 else (-1, width, 1, width)
        return np.broadcast_to(moved.influence.reshape(shape), (len(moved.value), width, width, width))

    def correlation(self, name: str, first: Moved, second: Moved) -> Floats:
        """Return the correlation of two models' estimates."""
        return self.correlations(name, [first, second], [self._wide(first, 0), self._wide(second, 1)])[:, 0, 1]

    def class_limits(self, evidence: ManyEstimates, model: int, tail: Tail) -> tuple[Floats, Floats]:
        """Return the limits of a plain mean over classes, each class by its own effective number of rows."""
        base = evidence.metric.per_class[0]
        names = [f"{base.name}[{label}]" for label in range(self.weights.shape[-1])]
        moved = [self.moved(name, model) for name in names]
        owns = [self.evidence(name, model, one) for name, one in zip(names, moved, strict=True)]
        tp, fp, fn = (np.stack(part, axis=-1) for part in zip(*(own.tversky_counts for own in owns), strict=True))
        a, b = (np.full(len(names), base.tversky[place]) for place in (0, 1))
        if self.in_groups is None and not self.centred:
            known = class_means._correlation(evidence, a, b, len(names))
        else:
            known = np.clip(self.correlations(names[0], moved, [self._wide(one, model) for one in moved]), 0.0, 1.0)
        tails = np.stack([np.broadcast_to(own.tail_of(tail), len(tp)) for own in owns], axis=-1)
        parts = class_means.Parts(tp, fp, fn, known, (a, b), np.zeros(len(names), int), tails)
        down, up = (
            np.sqrt(np.einsum("su,suv,sv->s", length, known, length))
            for length in (
                np.maximum(parts.slopes(evidence) * length, 0.0)
                for length in (parts.values - parts.limits()[0], parts.limits()[1] - parts.values)
            )
        )
        miss = 1 - evidence.value
        with np.errstate(invalid="ignore", divide="ignore"):
            fewest = gammaincinv(miss**2 / evidence.variance, evidence.tail_of(tail)) * evidence.variance / miss
        fewest = np.where((miss > 1e-12) & np.isfinite(fewest), fewest, np.maximum(miss, 0.0))
        return np.maximum(evidence.value - down, 0.0), np.minimum(np.maximum(evidence.value + up, 1 - fewest), 1.0)

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
    samples: Samples, name: str, model: int, moved: Moved, tail: Tail, *, told: bool = False
) -> tuple[Floats, Floats]:
    """Return the limits of the metric's default method; ``told`` takes the rows to be as many as ``moved`` says."""
    evidence = samples.evidence(name, model, moved)
    method = default_method(evidence.metric, evidence)
    if method.name == "mover-gamma" and not told:
        return samples.class_limits(evidence, model, tail)
    found = interval(evidence, method, tail)
    return np.asarray(found.low), np.asarray(found.high)


def difference_limits(
    samples: Samples, name: str, pair: tuple[Moved, Moved], ends: list[tuple[Floats, Floats]], tail: Tail
) -> tuple[Floats, Floats]:
    """Return MOVER's limits of b − a."""
    (low_a, high_a), (low_b, high_b) = ends
    a, b = (one.value for one in pair)
    carried = sum(samples.moving(name, model, one) for model, one in enumerate(pair)) / 2
    tied = shrunk(samples.correlation(name, *pair), carried, tail.z)
    low, high = square_and_add(b - a, (b - low_b, high_a - a), (high_b - b, a - low_a), tied)
    return low, high


# --- what is covered ------------------------------------------------------------------------------------------------


def true_value(name: str, shares: Floats) -> float:
    """Return a metric of the true shares of (truth, prediction)."""
    metric = named(name)
    return float(moments(metric, shares, selection=None if metric.label is None else int(metric.label)).value)


def covered(
    population: DesignPopulation, *, samples: int, seed: Any, level: float = 0.95, ideal: bool = True
) -> list[dict[str, Any]]:
    """Return coverage and length of each default on one population, single estimates and differences b − a.

    ``ideal``: the first thousand samples are also given the true design effect; their length is what there is to reach.
    A metric that is undefined in more than 1 % of samples is left out; otherwise figures are given that it is defined.
    """
    random, tail = np.random.default_rng(seed), Tail(level)
    kept: dict[str, list[Any]] = {}
    for start in range(0, samples, 1000):
        made = Samples.of(population, random, min(1000, samples - start))
        for name in SINGLE:
            held = [made.moved(name, model) for model in ((0, 1) if name in PAIRED else (0,))]
            ends = [limits(made, name, model, one, tail) for model, one in enumerate(held)]
            kept.setdefault(name, []).append((held[0].value, held[0].base, *ends[0]))
            if ideal and start == 0:
                kept.setdefault(f"{name} made", []).append((made, held[0]))
            if name in PAIRED:
                low, high = difference_limits(made, name, (held[0], held[1]), ends, tail)
                kept.setdefault(f"{name} difference", []).append((held[1].value - held[0].value, low, high))
    rows = []
    for name in SINGLE:
        value, base, low, high = (np.concatenate(part) for part in zip(*kept[name], strict=True))
        known = np.isfinite(value)
        if known.mean() < 0.99:
            continue
        true = true_value(name, population.true.sum(-1))
        spread = float(np.var(value[known]))
        best = None
        if ideal:
            best = _ideal_length(kept[f"{name} made"], name, float(np.mean(base[known])) / spread, tail)
        rows.append(_row(name, true, low[known], high[known], best))
        if name in PAIRED:
            gap, low, high = (np.concatenate(part) for part in zip(*kept[f"{name} difference"], strict=True))
            known = np.isfinite(gap)
            true = true_value(name, population.true.sum(1)) - true
            best = 2 * tail.z * float(np.std(gap[known]))
            rows.append(_row(f"{name} difference", true, low[known], high[known], best))
    return rows


def _ideal_length(made: list[tuple[Samples, Moved]], name: str, worth: float, tail: Tail) -> float:
    lengths = []
    for samples, moved in made:
        size = np.full(len(moved.size), worth)
        told = moved._replace(size=size, degrees=np.full(len(size), np.inf))
        low, high = limits(samples, name, 0, told, tail, told=True)
        lengths.append((high - low)[np.isfinite(moved.value)])
    return float(np.mean(np.concatenate(lengths)))


def _row(name: str, true: float, low: Floats, high: Floats, ideal: float | None) -> dict[str, Any]:
    held = (low <= true + 1e-12) & (true - 1e-12 <= high)
    return {
        "metric": name, "true": true, "coverage": float(np.mean(held)), "below": float(np.mean(high < true - 1e-12)),
        "length": float(np.mean(high - low)), "ideal": ideal, "samples": len(low),
    }  # fmt: skip

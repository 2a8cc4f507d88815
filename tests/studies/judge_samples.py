"""Many samples of judged rows at once: λ, gain and the default intervals with a judge and of people alone.

Everything that a sample says follows from sums over cells (truth, judge, prediction a, prediction b) of the rows that
people labelled and of the others, and over groups from the products of such sums. λ and gain are written anew from
their formulas (docs/explanation/judges.md); limits are the library's own, on arrays of tables. A test compares with
hs.estimate and hs.compare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from howsure.estimates.tail import Tail
from howsure.tables.sampling.rule import over
from studies.design_samples import Floats, Moved, Samples, difference_limits, limits

FEWEST = 20  # labels below which a judge is not used
Ends = tuple[Floats, Floats]


def moved_by(name: str, tables: Floats) -> tuple[Floats, Floats]:
    """Return a metric on many tables of shares (truth, prediction) and the influence of a row in each cell.

    The slopes are written out, so that nothing of the library's gradients is used; nan where the metric is 0/0.
    """
    metric, label = name.removesuffix("]").partition("[")[::2]
    with np.errstate(invalid="ignore", divide="ignore"):
        value, slope = SLOPES[metric](tables, int(label or 0))
        weighted = tables * np.where(tables != 0, slope, 0.0)
        return value, slope - weighted.sum((1, 2))[:, None, None]


def _accuracy(tables: Floats, label: int) -> tuple[Floats, Floats]:
    same = np.eye(tables.shape[-1])
    return np.einsum("sii->s", tables), np.broadcast_to(same, tables.shape)


def _ratio(hits: Floats, parts: Floats, slope: Floats, own: Floats) -> tuple[Floats, Floats]:
    """Return hits/parts, and its slopes from those of the hits and of the parts."""
    value = hits / parts
    return value, (slope - value[:, None, None] * own) / parts[:, None, None]


def _recall(tables: Floats, label: int) -> tuple[Floats, Floats]:
    hit, own = np.zeros((2, *tables.shape[1:]))
    hit[label, label], own[label] = 1.0, 1.0
    return _ratio(tables[:, label, label], tables[:, label].sum(1), hit, own)


def _precision(tables: Floats, label: int) -> tuple[Floats, Floats]:
    value, slope = _recall(np.swapaxes(tables, 1, 2), label)
    return value, np.swapaxes(slope, 1, 2)


def _f1(tables: Floats, label: int) -> tuple[Floats, Floats]:
    hit, own = np.zeros((2, *tables.shape[1:]))
    hit[label, label] = 2.0
    own[label] += 1.0
    own[:, label] += 1.0
    sizes = tables[:, label].sum(1) + tables[:, :, label].sum(1)
    return _ratio(2 * tables[:, label, label], sizes, hit, own)


def _macro_f1(tables: Floats, label: int) -> tuple[Floats, Floats]:
    each = [_f1(tables, one) for one in range(tables.shape[-1])]
    return tuple(sum(part) / len(each) for part in zip(*each, strict=True))  # type: ignore[return-value]


def _mcc(tables: Floats, label: int) -> tuple[Floats, Floats]:
    truth, guess = tables.sum(2), tables.sum(1)
    top = np.einsum("sii->s", tables) - np.einsum("si,si->s", truth, guess)
    left, right = 1 - (truth**2).sum(1), 1 - (guess**2).sum(1)
    spread = np.sqrt(left * right)
    value = top / spread
    rises = np.eye(tables.shape[-1]) - guess[:, :, None] - truth[:, None, :]
    bends = (truth / left[:, None])[:, :, None] + (guess / right[:, None])[:, None, :]
    return value, rises / spread[:, None, None] + value[:, None, None] * bends


SLOPES: dict[str, Callable[[Floats, int], tuple[Floats, Floats]]] = {
    "accuracy": _accuracy, "recall": _recall, "precision": _precision, "f1": _f1, "macro_f1": _macro_f1, "mcc": _mcc
}  # fmt: skip


def widened(influence: Floats, model: int, models: int) -> Floats:
    """Return influences by (truth, prediction) as ones by (truth, all predictions), the last axis flat."""
    if models == 1:
        return influence
    wide = influence[:, :, :, None] if model == 0 else influence[:, :, None, :]
    shape = (*influence.shape, influence.shape[-1])
    return np.broadcast_to(wide, shape).reshape(*influence.shape[:2], -1)


def spread_of(values: Floats, shares: Floats) -> Floats:
    """Return the variance of values under shares, all axes but the first summed."""
    flat, weight = values.reshape(len(values), -1), shares.reshape(len(shares), -1)
    weighted = flat * weight
    return np.asarray(np.einsum("sc,sc->s", weighted, flat) - weighted.sum(1) ** 2)


@dataclass(frozen=True)
class Contrast:
    """A metric of one model, or the difference of two: influences by (truth, predictions)."""

    name: str
    models: tuple[int, ...]

    @property
    def signs(self) -> tuple[float, ...]:
        """What each model counts."""
        return (1.0,) if len(self.models) == 1 else (-1.0, 1.0)

    def influence(self, tables: Floats) -> tuple[Floats, Floats]:
        """Return the influence in each cell at tables (truth, predictions), and whether it is known where rows are."""
        width = tables.shape[1]
        total: Floats | float = 0.0
        known: Floats = np.ones(len(tables), dtype=bool)
        for place, sign in enumerate(self.signs):
            own = tables
            if len(self.models) == 2:
                own = tables.reshape(-1, width, width, width).sum(3 - place)
            value, found = moved_by(self.name, own)
            known = known & np.isfinite(value) & (np.isfinite(found) | (own == 0)).all((1, 2))
            total = total + sign * widened(found, place, len(self.models))
        return np.nan_to_num(np.asarray(total), nan=0.0, posinf=0.0, neginf=0.0), known


@dataclass(frozen=True)
class Judgement:
    """The cells of one contrast in each sample: labelled rows by (truth, judge, predictions), others without truth.

    Both hold as many equal rows as their weights leave (Kish); ``pool`` is the share of all rows by judge and
    predictions.
    """

    contrast: Contrast
    x: Floats
    u: Floats
    pool: Floats

    def lam(self, x: Floats) -> Floats:
        """Return λ of each sample at some labelled counts."""
        n, rest = x.sum((1, 2, 3)), self.u.sum((1, 2))
        found, known = self.contrast.influence(x.sum(2) / n[:, None, None])
        share = x / n[:, None, None, None]
        own, judge = (np.einsum("scp,scp->s", found, share.sum(axis)) for axis in (2, 1))
        both = np.einsum("sjp,sjp->s", (found[:, :, None] * share).sum(1), found) - own * judge
        every = (self.u + x.sum(1)) / (n + rest)[:, None, None]
        spread = (1 + n / rest) * spread_of(found, every)
        return np.where(known, np.clip(over(both, np.where(spread > 1e-14, spread, 0.0)), 0, 1), 0.0)

    def moved(self, x: Floats, lam: Floats) -> Floats:
        """Return table(λ) by truth and predictions, negative cells cut off."""
        n, rest = x.sum((1, 2, 3))[:, None, None], self.u.sum((1, 2))[:, None, None]
        table = np.maximum(x.sum(2) / n + lam[:, None, None] * (self.u / rest - x.sum(1) / n), 0)
        return np.asarray(table / table.sum((1, 2))[:, None, None])

    def gain(self) -> Floats:
        """Return the smaller gain of two smoothed copies, not yet clipped."""
        rest, labels = self.u.sum((1, 2)), self.x.shape[1]
        found = []
        for copy in (self.x + 1.9207 * self.pool[:, None] / labels, self.x + 4 / self.x[0].size):
            size, lam = copy.sum((1, 2, 3)), self.lam(copy)
            slope, _ = self.contrast.influence(self.moved(copy, lam))
            residual = slope[:, :, None] - lam[:, None, None, None] * slope[:, None]
            judged = spread_of(residual, copy / size[:, None, None, None]) / (size - 1 - (lam > 0))
            judged = judged + lam**2 * spread_of(slope, self.u / rest[:, None, None]) / rest
            people = copy.sum(2) / size[:, None, None]
            found.append(over(spread_of(self.contrast.influence(people)[0], people) / (size - 1), judged))
        return np.minimum(*found)


@dataclass(frozen=True)
class MovedSamples(Samples):
    """Tables that a judge moved, each worth ``size`` rows with ``degrees`` of freedom."""

    size: Floats = field(default_factory=lambda: np.zeros(0))
    degrees: Floats = field(default_factory=lambda: np.zeros(0))

    def _moved(self, name: str, model: int) -> Moved:
        width = self.weights.shape[-1]
        shares = self.of_model(model, self.weights)[:, 0] / self.n
        value, influence = moved_by(name, shares.reshape(-1, width, width))
        phi = np.where(shares > 0, influence.reshape(len(shares), -1), 0.0)
        return Moved(phi, value, (shares * phi**2).sum(-1), self.size, self.degrees)

    def difference(self, name: str) -> Moved:
        """Return the difference b − a: worth what the tables are."""
        first, second = (self._wide(self.moved(name, model), model) for model in (0, 1))
        apart, shares = second - first, self.weights[:, 0] / self.n
        value = self.moved(name, 1).value - self.moved(name, 0).value
        return Moved(apart, value, (shares * apart**2).sum((1, 2, 3)), self.size, self.degrees)


@dataclass(frozen=True)
class JudgedSamples:
    """Sums over rows of each sample: (sample, truth, judge, a, b) of labelled rows, (sample, judge, a, b) of others.

    Each holds counts, Σw and Σw². ``human`` are the labelled rows as a design; ``grouped``, where rows come in groups,
    the cells of all labelled rows and of all others: (sample, group, row).
    """

    labelled: tuple[Floats, Floats, Floats]
    others: tuple[Floats, Floats, Floats]
    human: Samples
    grouped: tuple[Floats, Floats] | None = None

    @property
    def width(self) -> int:
        """Number of classes."""
        return int(self.labelled[0].shape[1])

    @cached_property
    def kish(self) -> tuple[Floats, Floats]:
        """How many equal rows labelled and other rows are worth."""
        sums = ([part.reshape(len(part), -1).sum(1) for part in kind] for kind in (self.labelled, self.others))
        return tuple(weight**2 / square for _, weight, square in sums)  # type: ignore[return-value]

    def judgement(self, contrast: Contrast) -> Judgement:
        """Return the cells of a contrast."""
        weights = [self._of_models(part[1], contrast) for part in (self.labelled, self.others)]
        x, u = (
            part * (size / part.reshape(len(part), -1).sum(1)).reshape(-1, *[1] * (part.ndim - 1))
            for part, size in zip(weights, self.kish, strict=True)
        )
        every = weights[0].sum(1) + weights[1]
        return Judgement(contrast, x, u, every / every.sum((1, 2))[:, None, None])

    def _of_models(self, part: Floats, contrast: Contrast) -> Floats:
        if len(contrast.models) == 2:
            return part.reshape(*part.shape[:-2], -1)
        return part.sum(-1 if contrast.models[0] == 0 else -2)

    def settled(self, contrast: Contrast) -> tuple[Floats, Floats, MovedSamples]:
        """Return λ, gain, and the tables by (truth, a, b) that the judge moved for a contrast."""
        judgement, (n, rest) = self.judgement(contrast), self.kish
        lam = np.where(n >= FEWEST, judgement.lam(judgement.x), 0.0)
        lam = np.where(contrast.influence(judgement.moved(judgement.x, lam))[1], lam, 0.0)
        gain = judgement.gain() * self._less_by_design(judgement, lam)
        gain = np.where((lam > 0) & np.isfinite(gain), np.clip(gain, 1, (n + rest) / n), 1.0)
        table = self._over_models(judgement.moved(judgement.x, lam), contrast)
        effect, degrees = self._effect(contrast)
        rows = table.reshape(-1, 1, self.width, self.width, self.width) * self.human.n
        size = self.human.n * gain / effect
        return (
            lam,
            gain,
            MovedSamples(rows, rows, rows, rows.sum((2, 3, 4)), None, None, False, self.human.n, size, degrees),
        )

    def _over_models(self, table: Floats, contrast: Contrast) -> Floats:
        """Return the moved table of one model as one of two, the other of which always says 0."""
        if len(contrast.models) == 2:
            return table
        wide = np.zeros((*table.shape, self.width))
        wide[..., 0] = table
        return wide if contrast.models[0] == 0 else np.swapaxes(wide, -1, -2)

    def _effect(self, contrast: Contrast) -> tuple[Floats, Floats]:
        """Return the design effect of people's rows on the contrast, and its degrees of freedom."""
        each = [self.human.moved(contrast.name, model) for model in contrast.models]
        whole = each[0] if len(each) == 1 else self.human.difference(contrast.name)
        return self.human.n / whole.size, whole.degrees

    def _less_by_design(self, judgement: Judgement, lam: Floats) -> Floats:
        """Return how much less the judge is worth by groups or weights: never above 1."""
        if self.grouped is None and np.array_equal(self.labelled[0], self.labelled[1]):
            return np.ones(len(lam))
        slope, _ = judgement.contrast.influence(judgement.x.sum(2) / self.kish[0][:, None, None])
        with np.errstate(invalid="ignore", divide="ignore"):
            human, judged = (
                self._by_design(judgement, slope, one) / self._plainly(judgement, slope, one) for one in (0 * lam, lam)
            )
            less = human / judged
        return np.where(np.isfinite(less), np.minimum(less, 1.0), 1.0)

    def _plainly(self, judgement: Judgement, slope: Floats, lam: Floats) -> Floats:
        n, rest = self.kish
        residual = slope[:, :, None] - lam[:, None, None, None] * slope[:, None]
        own = spread_of(residual, judgement.x / n[:, None, None, None]) / n
        return np.asarray(own + lam**2 * spread_of(slope, judgement.u / rest[:, None, None]) / rest)

    def _by_design(self, judgement: Judgement, slope: Floats, lam: Floats) -> Floats:
        contrast = judgement.contrast
        residual = slope[:, :, None] - lam[:, None, None, None] * slope[:, None] + 0 * judgement.x
        found: Floats | float = 0.0
        for kind, (sums, moved) in enumerate(((self.labelled, residual), (self.others, lam[:, None, None] * slope))):
            weight = self._of_models(sums[1], contrast)
            axes = tuple(range(1, weight.ndim))
            total = weight.sum(axes)
            middle = (weight * moved).sum(axes) / total
            centred = moved - middle.reshape(-1, *[1] * len(axes))
            if self.grouped is None:
                own = (self._of_models(sums[2], contrast) * centred**2).sum(axes)
            else:
                own = self._between(kind, self._spread_over_models(centred, contrast).reshape(len(lam), -1))
            found = found + own / total**2
        return np.asarray(found)

    def _between(self, kind: int, moved: Floats) -> Floats:
        """Return the squared sums of groups of labelled rows or of others, from what each cell adds."""
        assert self.grouped is not None
        cells, groups = self.grouped[kind], sum(part.shape[1] for part in self.grouped)
        each = np.take_along_axis(moved, cells.reshape(len(cells), -1), axis=1).reshape(cells.shape)
        return np.asarray((each.sum(2) ** 2).sum(1) * groups / (groups - 1))

    def _spread_over_models(self, moved: Floats, contrast: Contrast) -> Floats:
        """Return values of cells of a contrast as values of the cells of both models."""
        if len(contrast.models) == 2:
            return moved
        wide = moved[..., None] if contrast.models[0] == 0 else moved[..., None, :]
        return np.broadcast_to(wide, (*moved.shape, self.width))

    # --- limits

    def single(self, name: str, tail: Tail) -> tuple[Ends, Ends, Floats]:
        """Return people's limits of model a, those with the judge, and the gain."""
        _, gain, moved = self.settled(Contrast(name, (0,)))
        return self.of_people(name, 0, tail), limits(moved, name, 0, moved.moved(name, 0), tail), gain

    def of_people(self, name: str, model: int, tail: Tail) -> Ends:
        """Return people's limits of one model; made once."""
        key = (name, model)
        if key not in self._made:
            with np.errstate(invalid="ignore", divide="ignore"):
                self._made[key] = limits(self.human, name, model, self.human.moved(name, model), tail)
        return self._made[key]

    @cached_property
    def _made(self) -> dict[tuple[str, int], Ends]:
        return {}

    def difference(self, name: str, tail: Tail) -> tuple[Ends, Ends, Floats]:
        """Return people's limits of b − a, those with the judge, and the gain."""
        _, gain, moved = self.settled(Contrast(name, (0, 1)))
        return difference_limits(self.human, name, tail), difference_limits(moved, name, tail), gain


def published(samples: JudgedSamples, name: str) -> Ends:
    """Return PPI++ as published for model a: value ± 1.96 √V(λ), the cells as they come."""
    judgement = samples.judgement(Contrast(name, (0,)))
    x, u = judgement.x, judgement.u
    n, rest, lam = x.sum((1, 2, 3)), u.sum((1, 2)), judgement.lam(x)
    sizes, others = n[:, None, None], u / rest[:, None, None]
    value, _ = moved_by(name, x.sum(2) / sizes + lam[:, None, None] * (others - x.sum(1) / sizes))
    slope, _ = judgement.contrast.influence(judgement.moved(x, lam))
    residual = slope[:, :, None] - lam[:, None, None, None] * slope[:, None]
    variance = spread_of(residual, x / n[:, None, None, None]) / n + lam**2 * spread_of(slope, others) / rest
    half = 1.959963984540054 * np.sqrt(np.maximum(variance, 0))
    return value - half, value + half


def undefined(names: Sequence[str], human: Samples, models: Sequence[int]) -> Floats:
    """Return which samples leave one of the metrics without a value on people's labels."""
    return ~np.isfinite([human.moved(name, model).value for name in names for model in models]).all(0)

"""Populations whose rows come in groups, alone and with weights or strata."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from studies.design_populations import (
    DesignPopulation,
    Floats,
    Outcomes,
    outcomes,
    weight_law,
)


def group_sizes(random: np.random.Generator, groups: int, kind: str) -> Floats:
    """Return the rows of each group: equal, unequal, or one with 30 to 70 % of all."""
    size = int(random.integers(4, 31))
    if kind == "equal":
        return np.full(groups, size)
    if kind == "unequal":
        return np.maximum(np.round(size * random.lognormal(0, random.uniform(0.4, 1.0), groups)), 1).astype(int)
    sizes = np.full(groups, size)
    part = random.uniform(0.3, 0.7)
    sizes[0] = round((groups - 1) * size * part / (1 - part))
    return sizes


@dataclass(frozen=True)
class Clustered:
    """Groups that differ in difficulty and, some, in their classes.

    Error rates of groups follow a beta law; or a share of groups, ``failing``, is wrong nine times out of ten, and all
    others are alike.
    """

    made: Outcomes
    correlation: float
    spread: float | None = None
    failing: float | None = None

    @property
    def mean(self) -> float:
        """The error rate of model a."""
        return float(self.made.prior @ self.made.errors[0])

    @property
    def _beta(self) -> tuple[float, float]:
        mass = 1 / self.correlation - 1
        return self.mean * mass, (1 - self.mean) * mass

    def _mixed(self, u: Floats) -> Floats:
        assert self.failing is not None
        return np.where(u < self.failing, 0.9, (self.mean - 0.9 * self.failing) / (1 - self.failing))

    @property
    def true(self) -> Floats:
        """The shares of the population, over the law of groups."""
        u = (np.arange(4000) + 0.5) / 4000
        rates = stats.beta.ppf(u, *self._beta) if self.failing is None else self._mixed(u)
        return self.made.joint(rates / self.mean).mean(0)

    def draw(self, rng: np.random.Generator, samples: int, groups: Floats) -> Floats:
        """Return codes of rows that belong to some groups."""
        shape = (samples, int(groups.max()) + 1)
        rates = rng.beta(*self._beta, shape) if self.failing is None else self._mixed(rng.random(shape))
        prior = None
        if self.spread is not None:
            prior = rng.standard_gamma(self.made.prior * self.spread, (*shape, len(self.made.prior))) + 1e-12
            prior = (prior / prior.sum(-1, keepdims=True))[:, groups]
        return self.made.draw(rng, (rates / self.mean)[:, groups], prior)


def clustered(random: np.random.Generator) -> Clustered:
    """Return groups with a correlation of errors within them of 0.01 to 0.2."""
    spread = float(random.uniform(5, 40)) if random.random() < 0.5 else None
    return Clustered(outcomes(random), float(np.exp(random.uniform(np.log(0.01), np.log(0.2)))), spread)


def grouped(kind: str) -> Callable[[np.random.Generator], DesignPopulation]:
    """Return the maker of groups of one kind."""

    def make(random: np.random.Generator) -> DesignPopulation:
        held, count = clustered(random), int(np.exp(random.uniform(np.log(5), np.log(51))))
        sizes = group_sizes(random, count, kind)
        groups = np.repeat(np.arange(count), sizes)

        def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
            return held.draw(rng, samples, groups), np.ones((samples, len(groups)))

        name = f"{count} groups of {sizes.min()} to {sizes.max()}, correlation {held.correlation:.2f}"
        return DesignPopulation(name, held.true, len(groups), draw, groups=groups)

    return make


def weights_and_groups(random: np.random.Generator) -> DesignPopulation:
    """Groups whose rows carry weights, of rows or of whole groups."""
    held, count, (law_name, law) = clustered(random), int(random.integers(6, 51)), weight_law(random)
    sizes = group_sizes(random, count, str(random.choice(["equal", "unequal"])))
    groups, whole = np.repeat(np.arange(count), sizes), bool(random.random() < 0.4)

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        u = rng.random((samples, count))[:, groups] if whole else rng.random((samples, len(groups)))
        return held.draw(rng, samples, groups), law(u)

    name = f"{count} groups of {sizes.min()} to {sizes.max()}, {law_name}, correlation {held.correlation:.2f}"
    return DesignPopulation(name, held.true, len(groups), draw, groups=groups)


def class_weights_and_groups(random: np.random.Generator) -> DesignPopulation:
    """Groups whose rows are weighted so that classes balance."""
    held, count = clustered(random), int(random.integers(6, 51))
    sizes = group_sizes(random, count, str(random.choice(["equal", "unequal"])))
    groups, width = np.repeat(np.arange(count), sizes), len(held.made.prior)

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        codes = held.draw(rng, samples, groups)
        truth = codes // width**2
        rows = (truth[..., None] == np.arange(width)).sum(1)
        return codes, np.take_along_axis(1 / np.maximum(rows, 1), truth, axis=1)

    true = held.true / held.true.sum((1, 2), keepdims=True) / width
    name = f"{count} groups of {sizes.min()} to {sizes.max()}, balanced, correlation {held.correlation:.2f}"
    return DesignPopulation(name, true, len(groups), draw, groups=groups, by_class=True)


def strata_and_groups(random: np.random.Generator) -> DesignPopulation:
    """Groups within strata of different difficulty."""
    correlation = float(np.exp(random.uniform(np.log(0.01), np.log(0.2))))
    return groups_in_strata(random, outcomes(random), correlation, (5, 16))


def few_hard_groups(random: np.random.Generator) -> DesignPopulation:
    """Five to seven groups a stratum, and few errors that come in whole groups."""
    return groups_in_strata(random, _few_errors(random), float(random.uniform(0.3, 0.5)), (5, 8))


def groups_in_strata(
    random: np.random.Generator, made: Outcomes, correlation: float, counts: tuple[int, int]
) -> DesignPopulation:
    """Return strata of different difficulty with so many groups each."""
    strata = int(random.integers(2, 5))
    shares = random.dirichlet(np.full(strata, 4.0)) * 0.7 + 0.3 / strata
    parts, sizes = [], []
    for _ in range(strata):
        times = float(np.exp(random.uniform(np.log(0.4), np.log(2))))
        part = Outcomes(made.prior, (made.errors[0] * times, made.errors[1] * times), made.aims, made.copies)
        parts.append(Clustered(part, correlation))
        sizes.append(group_sizes(random, int(random.integers(*counts)), str(random.choice(["equal", "unequal"]))))
    rows = np.array([one.sum() for one in sizes])
    stratum = np.repeat(np.arange(strata), rows)
    first = np.cumsum([0, *(len(one) for one in sizes)])
    groups = np.concatenate(
        [start + np.repeat(np.arange(len(one)), one) for start, one in zip(first, sizes, strict=False)]
    )
    weight = (shares / rows)[stratum]

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        drawn = [
            part.draw(rng, samples, np.repeat(np.arange(len(one)), one)) for part, one in zip(parts, sizes, strict=True)
        ]
        return np.concatenate(drawn, axis=1), np.broadcast_to(weight, (samples, len(groups)))

    true = sum(share * part.true for share, part in zip(shares, parts, strict=True))
    name = f"{strata} strata of {[len(one) for one in sizes]} groups, correlation {correlation:.2f}"
    return DesignPopulation(name, np.asarray(true), len(groups), draw, strata=stratum, groups=groups)


def hard_groups(random: np.random.Generator) -> DesignPopulation:
    """Few errors that come in whole groups: correlation 0.3 to 0.5, accuracy above 0.9."""
    held, count = Clustered(_few_errors(random), float(random.uniform(0.3, 0.5))), int(random.integers(10, 51))
    return _equal_groups(random, held, count, f"correlation {held.correlation:.2f}")


def failing_groups(random: np.random.Generator) -> DesignPopulation:
    """Groups of which 1 to 6 % are nearly all wrong, and all others alike."""
    made, count = _few_errors(random), int(random.integers(10, 51))
    share = float(made.prior @ made.errors[0]) * random.uniform(0.3, 0.9) / 0.9
    return _equal_groups(random, Clustered(made, 0.0, None, share), count, f"{share:.3f} of them fail")


def _few_errors(random: np.random.Generator) -> Outcomes:
    made = outcomes(random)
    scale = random.uniform(0.02, 0.1) / float(made.prior @ made.errors[0])
    return Outcomes(made.prior, (made.errors[0] * scale, made.errors[1] * scale), made.aims, made.copies)


def _equal_groups(random: np.random.Generator, held: Clustered, count: int, name: str) -> DesignPopulation:
    sizes = group_sizes(random, count, "equal")
    groups = np.repeat(np.arange(count), sizes)

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        return held.draw(rng, samples, groups), np.ones((samples, len(groups)))

    return DesignPopulation(f"{count} groups of {sizes[0]}, {name}", held.true, len(groups), draw, groups=groups)

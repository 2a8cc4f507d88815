"""Populations with weights, strata and groups: how rows are drawn, and the true shares of (truth, model a, model b)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

Floats = np.ndarray


@dataclass(frozen=True)
class Outcomes:
    """What two models say of a row of a class: errors of class k go to class j with chance ``aims[k, j]``.

    A row whose difficulty is m is wrong with chance errors·m. Model b repeats what a says with chance ``copies``.
    """

    prior: Floats
    errors: tuple[Floats, Floats]
    aims: Floats
    copies: float

    def single(self, model: int, difficulty: Floats) -> Floats:
        """Return P(prediction | class, difficulty), with an axis of difficulties in front."""
        wrong = np.minimum(self.errors[model] * difficulty[..., None], 0.95)[..., None]
        return np.eye(len(self.prior)) * (1 - wrong) + wrong * self.aims

    def joint(self, difficulty: Floats) -> Floats:
        """Return P(truth, a, b | difficulty)."""
        first, second = self.single(0, difficulty), self.single(1, difficulty)
        width = len(self.prior)
        both = first[..., None] * (self.copies * np.eye(width) + (1 - self.copies) * second[..., None, :])
        return self.prior[:, None, None] * both

    def draw(self, random: np.random.Generator, difficulty: Floats, prior: Floats | None = None) -> Floats:
        """Return codes of (truth, a, b) for rows of some difficulties; ``prior`` may differ from row to row."""
        width = len(self.prior)
        truth = _chosen(random.random(difficulty.shape), self.prior if prior is None else prior)
        said = []
        for errors in self.errors:
            wrong = np.nonzero(random.random(difficulty.shape) < np.minimum(errors[truth] * difficulty, 0.95))
            said.append(truth.copy())
            said[-1][wrong] = _chosen(random.random(len(wrong[0])), self.aims[truth[wrong]])
        second = np.where(random.random(difficulty.shape) < self.copies, said[0], said[1])
        return (truth * width + said[0]) * width + second


def _chosen(u: Floats, chances: Floats) -> Floats:
    """Return the class that each u falls into, by chances on the last axis."""
    edge, found = np.zeros(()), np.zeros(u.shape, dtype=np.int64)
    for one in range(chances.shape[-1] - 1):
        edge = edge + chances[..., one]
        found += u > edge
    return found


@dataclass(frozen=True)
class DesignPopulation:
    """A way to draw samples of n rows, and the truth about the population they stand for.

    ``draw(random, samples)`` gives codes of (truth, a, b) and weights, samples × rows. ``strata`` and ``groups`` are
    those of the places in a sample; ``by_class`` says that weights follow from the drawn truth.
    """

    name: str
    true: Floats
    n: int
    draw: Callable[[np.random.Generator, int], tuple[Floats, Floats]]
    strata: Floats | None = None
    groups: Floats | None = None
    by_class: bool = False

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.true)


def outcomes(random: np.random.Generator, *, rare: bool = False) -> Outcomes:
    """Return two models on two to four classes, of accuracies between 0.75 and 0.99, half of the time equally good."""
    width = 2 if rare else int(random.choice([2, 2, 3, 3, 4]))
    prior = random.dirichlet(np.full(width, 6.0))
    prior = np.maximum(prior, 0.12)
    if rare:
        share = random.uniform(0.02, 0.3)
        prior = np.array([1 - share, share])
    aims = random.dirichlet(np.ones(width), size=width) + 0.2
    np.fill_diagonal(aims, 0.0)
    miss = random.choice([0.01, 0.03, 0.06, 0.1, 0.15, 0.25])
    errors = miss * random.uniform(0.6, 1.4, width)
    other = errors if random.random() < 0.5 else errors * random.uniform(0.6, 1.6)
    return Outcomes(prior / prior.sum(), (errors, other), aims / aims.sum(1, keepdims=True), random.uniform(0, 0.8))


def size_of(random: np.random.Generator, low: int = 50, high: int = 1000) -> int:
    """Return a number of rows, evenly on the log scale."""
    return int(np.exp(random.uniform(np.log(low), np.log(high))))


# --- weights --------------------------------------------------------------------------------------------------------


def weight_law(random: np.random.Generator) -> tuple[str, Callable[[Floats], Floats]]:
    """Return the name of a law of weights (lognormal, gamma, Pareto, tiers) and the weight that u of them exceed."""
    kind = str(random.choice(["lognormal", "gamma", "pareto", "tiers", "tiers"]))
    if kind == "lognormal":
        sigma = random.uniform(0.3, 1.6)
        return f"lognormal {sigma:.2f}", lambda u: np.exp(sigma * stats.norm.isf(u))
    if kind == "gamma":
        shape, grid = random.uniform(0.4, 3.0), np.linspace(1e-6, 1 - 1e-6, 20_001)
        quantiles = stats.gamma.isf(grid, shape)
        return f"gamma {shape:.2f}", lambda u: np.interp(u, grid, quantiles)
    if kind == "pareto":
        tail = random.uniform(1.5, 4.0)
        return f"pareto {tail:.2f}", lambda u: u ** (-1 / tail)
    tiers = int(random.integers(2, 5))
    edges = random.dirichlet(np.full(tiers, 1.5)).cumsum()[:-1]
    heavy = np.exp(random.uniform(0, np.log(50), tiers))
    return f"{tiers} tiers to {heavy.max() / heavy.min():.0f}", lambda u: heavy[np.searchsorted(edges, u)]


def weights_independent(random: np.random.Generator) -> DesignPopulation:
    """Weights that say nothing of the errors."""
    made, n, (name, law) = outcomes(random), size_of(random), weight_law(random)

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        return made.draw(rng, np.ones((samples, n))), law(rng.random((samples, n)))

    return DesignPopulation(name, made.joint(np.ones(())), n, draw)


def weights_informative(random: np.random.Generator) -> DesignPopulation:
    """Heavy rows err more, or less, than light ones."""
    made, n, (name, law) = outcomes(random), size_of(random), weight_law(random)
    power = random.uniform(-0.6, 0.6)
    middle = float(law(np.array(0.5)))

    def difficulty(weight: Floats) -> Floats:
        return np.clip((weight / middle) ** power, 0.25, 4.0)

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        weight = law(rng.random((samples, n)))
        return made.draw(rng, difficulty(weight)), weight

    v = (np.arange(20_000) + 0.5) / 20_000
    weight = law(v**4)  # u = v⁴: the mean of a heavy tail is the integral of something bounded
    mass = weight * v**3
    true = np.einsum("i,iabc->abc", mass / mass.sum(), made.joint(difficulty(weight)))
    return DesignPopulation(f"{name}, power {power:.2f}", true, n, draw)


def heavy_tier(random: np.random.Generator) -> DesignPopulation:
    """Few rows that weigh 10 to 50 times as much as the others and err up to four times as often."""
    made, n = outcomes(random), size_of(random)
    share, harder = random.uniform(0.03, 0.12), random.uniform(1.5, 4.0)
    heavy = float(np.exp(random.uniform(np.log(10), np.log(50))))

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        tier = rng.random((samples, n)) < share
        return made.draw(rng, np.where(tier, harder, 1.0)), np.where(tier, heavy, 1.0)

    mass = np.array([1 - share, share * heavy])
    true = np.einsum("i,iabc->abc", mass / mass.sum(), made.joint(np.array([1.0, harder])))
    name = f"{share:.1%} weigh {heavy:.0f} and err {harder:.1f} times as often"
    return DesignPopulation(name, true, n, draw)


def weights_of_classes(random: np.random.Generator, *, times: bool = False) -> DesignPopulation:
    """Weights that give every true class the same sum, as class_weight="balanced" does; ``times`` others beside."""
    made, n = outcomes(random, rare=bool(random.random() < 0.6)), size_of(random, 200, 2000)
    width, sigma = len(made.prior), random.uniform(0.3, 1.0) if times else 0.0

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        codes = made.draw(rng, np.ones((samples, n)))
        truth = codes // width**2
        rows = (truth[..., None] == np.arange(width)).sum(1)
        weight = np.take_along_axis(1 / np.maximum(rows, 1), truth, axis=1)
        return codes, weight * rng.lognormal(0, sigma, weight.shape) if times else weight

    joint = made.joint(np.ones(()))
    true = joint / joint.sum((1, 2), keepdims=True) / width
    name = f"{width} classes, rarest {made.prior.min():.2f}" + (f", times lognormal {sigma:.2f}" if times else "")
    return DesignPopulation(name, true, n, draw, by_class=not times)


def class_weights_times_others(random: np.random.Generator) -> DesignPopulation:
    """Weights that balance classes times weights that say nothing of errors."""
    return weights_of_classes(random, times=True)


# --- strata ---------------------------------------------------------------------------------------------------------


def stratified_population(
    random: np.random.Generator, tables: Floats, shares: Floats, rows: Floats, name: str
) -> DesignPopulation:
    """Return a population of strata with a table of (truth, a, b) each, of which so many rows are labelled."""
    flat = tables.reshape(len(tables), -1)
    flat = flat / flat.sum(1, keepdims=True)
    strata = np.repeat(np.arange(len(rows)), rows)
    edges, weight = flat.cumsum(1), (shares / rows)[strata]

    def draw(rng: np.random.Generator, samples: int) -> tuple[Floats, Floats]:
        codes = np.empty((samples, len(strata)), dtype=np.int64)
        for stratum in range(len(rows)):
            part = strata == stratum
            codes[:, part] = np.searchsorted(edges[stratum][:-1], rng.random((samples, int(part.sum()))), side="right")
        return codes, np.broadcast_to(weight, codes.shape)

    true = (shares[:, None] * flat).sum(0).reshape(tables.shape[1:])
    return DesignPopulation(name, true, len(strata), draw, strata=strata)


def allocation(random: np.random.Generator, shares: Floats, n: int) -> Floats:
    """Return rows of each stratum: by share, evenly, or between the two."""
    mixed = random.choice([0.0, 0.5, 1.0])
    parts = mixed * shares + (1 - mixed) / len(shares)
    return np.maximum(np.round(n * parts), 12).astype(int)


def strata_of_predictions(random: np.random.Generator) -> DesignPopulation:
    """The class predicted by model a is the stratum."""
    made, n = outcomes(random, rare=bool(random.random() < 0.5)), size_of(random, 80, 1000)
    tables = np.moveaxis(made.joint(np.ones(())), 1, 0)
    shares = tables.sum((1, 2))
    width = len(shares)
    full = np.zeros((width, width, width, width))
    for one in range(width):
        full[one, :, one, :] = tables[one]
    rows = allocation(random, shares, n)
    return stratified_population(random, full, shares, rows, f"{width} predictions, {rows.tolist()}")


def strata_of_scores(random: np.random.Generator) -> DesignPopulation:
    """Bins of a score: some are clean, some hard."""
    made, n, bins = outcomes(random), size_of(random, 80, 1000), int(random.integers(3, 7))
    shares = random.dirichlet(np.full(bins, 2.0)) * 0.8 + 0.2 / bins
    difficulty = np.exp(random.uniform(np.log(0.1), np.log(4), bins))
    rows = allocation(random, shares, n)
    return stratified_population(random, made.joint(difficulty), shares, rows, f"{bins} bins, {rows.tolist()}")


def strata_of_sites(random: np.random.Generator) -> DesignPopulation:
    """Sites that differ little."""
    made, n, sites = outcomes(random), size_of(random, 80, 1000), int(random.integers(4, 11))
    shares = random.dirichlet(np.full(sites, 3.0)) * 0.8 + 0.2 / sites
    difficulty = random.uniform(0.7, 1.4, sites)
    rows = allocation(random, shares, n)
    return stratified_population(random, made.joint(difficulty), shares, rows, f"{sites} sites, {rows.tolist()}")


# --- groups ---------------------------------------------------------------------------------------------------------


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


Maker = Callable[[np.random.Generator], DesignPopulation]
FRESH = 20261125  # seeds of populations on which nothing was chosen
FAMILIES: dict[str, dict[str, Maker]] = {
    "weights, independent": {"independent": weights_independent},
    "weights, informative": {"informative": weights_informative},
    "weights that balance classes": {"balanced": weights_of_classes},
    "strata": {"predictions": strata_of_predictions, "scores": strata_of_scores, "sites": strata_of_sites},
    "groups": {"equal": grouped("equal"), "unequal": grouped("unequal"), "one huge": grouped("huge")},
    "weights or strata and groups": {
        "weights": weights_and_groups, "balanced": class_weights_and_groups, "strata": strata_and_groups,
    },
    "groups that fail wholly": {"correlated": hard_groups, "failing": failing_groups, "few in strata": few_hard_groups},
    "few heavy rows": {"heavy tier": heavy_tier},
    "balancing weights times others": {"times others": class_weights_times_others},
}  # fmt: skip


def fresh_population(family: str, kind: str, number: int, seed: int = FRESH) -> tuple[DesignPopulation, list[int]]:
    """Return a population of a family, and the seed of its samples."""
    place = [seed, number, list(FAMILIES).index(family), list(FAMILIES[family]).index(kind)]
    return FAMILIES[family][kind](np.random.default_rng(place)), [*place, 1]

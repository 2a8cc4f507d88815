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

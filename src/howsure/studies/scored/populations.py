"""Populations of scores: two laws that differ by a shift, binormal and worse; and probabilities that may mislead."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy.special import expit, gammaincinv, logit, ndtr, ndtri, stdtrit

from howsure.errors import InputError, check_choice, is_number, quoted
from howsure.errors.messages import studies as messages
from howsure.types import Array

FINE = 50_000  # points of a population by which its true values are found
COARSE = 4_000
FAR = 1e3
LAWS: dict[str, Callable[[Array], Array]] = {
    "normal": ndtri,
    "logistic": logit,
    "laplace": lambda u: np.sign(u - 0.5) * -np.log1p(-2 * np.abs(u - 0.5)),
    "t": lambda u: stdtrit(3.0, u),
    "uniform": lambda u: u,
    "exponential": lambda u: -np.log1p(-u),
    "chi-square": lambda u: 2 * gammaincinv(1.5, u),
    "gumbel": lambda u: -np.log(-np.log(u)),
    "lognormal": lambda u: np.exp(ndtri(u)),
    "weibull": lambda u: np.sqrt(-np.log1p(-u)),
    "pareto": lambda u: (1 - u) ** (-1 / 3),
    "arcsine": lambda u: np.sin(np.pi / 2 * u) ** 2,
    "burr": lambda u: np.sqrt((1 - u) ** -0.5 - 1),
    "log-gamma": lambda u: np.log(gammaincinv(0.7, u)),
    "skewed": lambda u: np.sinh(ndtri(u) + 0.6),
    "kumaraswamy": lambda u: np.sqrt(1 - (1 - u) ** (1 / 3)),
    "frechet": lambda u: (-np.log(u)) ** -0.25,
    "tukey": lambda u: 4 * ((1 - u) ** -0.25 - u**-0.25),
    "half-normal": lambda u: ndtri((1 + u) / 2),
    "triangular": np.sqrt,
}


class ScoreSource(Protocol):
    """What a study asks of a population of scores."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def per_group(self) -> int:
        """Rows of one group."""

    @property
    def weighted(self) -> bool:
        """Whether rows count unequally."""

    def draw(self, rng: np.random.Generator, samples: int, n: int) -> tuple[Array, Array, Array]:
        """Return truth, score and weight of the rows of many samples (samples, n)."""

    @property
    def points(self) -> tuple[Array, Array, Array]:
        """Truth, score and weight of rows that stand for the whole population."""

    @property
    def identity(self) -> Any:
        """What makes the population the one it is, as JSON."""


@dataclass(frozen=True)
class _Rows:
    """How rows come: in groups whose scores go together by ``icc``, or with weights whose logs spread so far."""

    per_group: int = 1
    icc: float = 0.0
    weights: float = 0.0
    name: str = ""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("name", "shape", "mirrored") and not is_number(value):
                raise InputError(messages.POPULATION_FIELD_IS_NO_NUMBER(name=field.name, value=value))
        if self.per_group < 1 or self.per_group != int(self.per_group) or not 0 <= self.icc < 1 or self.weights < 0:
            raise InputError(
                messages.POPULATION_ROWS_CANNOT_BE(per_group=self.per_group, icc=self.icc, weights=self.weights)
            )

    @property
    def weighted(self) -> bool:
        """Whether rows count unequally."""
        return self.weights > 0

    @property
    def identity(self) -> Any:
        """Every field but the name."""
        return [type(self).__name__, *(value for name, value in asdict(self).items() if name != "name")]

    def _uniform(self, rng: np.random.Generator, samples: int, n: int) -> Array:
        if not self.icc:
            return rng.random((samples, n))
        shared = np.repeat(rng.standard_normal((samples, -(-n // self.per_group))), self.per_group, axis=1)[:, :n]
        own = rng.standard_normal((samples, n))
        return np.asarray(ndtr(math.sqrt(self.icc) * shared + math.sqrt(1 - self.icc) * own))

    def _weights(self, rng: np.random.Generator, samples: int, n: int) -> Array:
        return np.exp(self.weights * rng.standard_normal((samples, n))) if self.weights else np.ones((samples, n))


@dataclass(frozen=True)
class ShiftedScores(_Rows):
    """Scores of negatives that follow a law, and of positives that follow the same, shifted and stretched.

    ``auc`` is the true AUC, before scores are cut into ``levels``; ``spread`` that of positives over that of negatives;
    ``hidden`` the share of positives whose scores are those of negatives; ``mirrored`` exchanges the classes and the
    order, so that the tail that overlaps is the negatives'. Groups are of one class each, as a patient's rows are.

    >>> ShiftedScores(auc=0.9, prevalence=0.3, shape="exponential").identity[-2:]
    [0, False]
    """

    auc: float = math.nan
    prevalence: float = 0.5
    shape: str = "normal"
    spread: float = 1.0
    hidden: float = 0.0
    levels: int = 0
    mirrored: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("shape", self.shape, tuple(LAWS))
        if not 0 < self.prevalence < 1 or not 0 <= self.hidden < 1 or self.spread <= 0 or self.levels < 0:
            raise InputError(
                messages.POPULATION_SCORES_CANNOT_BE(
                    prevalence=self.prevalence, hidden=self.hidden, spread=self.spread, levels=self.levels
                )
            )
        if not self.hidden / 2 < self.auc < 1 - self.hidden / 2:
            beside = messages.WITH_HIDDEN(hidden=self.hidden) if self.hidden else ""
            low, high = self.hidden / 2, 1 - self.hidden / 2
            raise InputError(messages.POPULATION_AUC_CANNOT_BE(auc=self.auc, low=low, high=high, beside=beside))

    @cached_property
    def move(self) -> float:
        """How far positives are shifted: by halving, on points of both laws."""
        low = LAWS[self.shape]((np.arange(COARSE) + 0.5) / COARSE)
        wanted, left, right = (self.auc - self.hidden / 2) / (1 - self.hidden), -FAR, FAR
        for _ in range(60):
            middle = (left + right) / 2
            short = np.searchsorted(low, self.spread * low + middle).mean() / COARSE < wanted
            left, right = (middle, right) if short else (left, middle)
        return (left + right) / 2

    def _scores(self, truth: Array, u: Array) -> Array:
        """Return scores of rows of known truth from uniform numbers."""
        other, u = (~truth, 1 - u) if self.mirrored else (truth, u)
        seen = other & (u >= self.hidden)
        inside = np.where(
            other, np.where(seen, u - self.hidden, u) / np.where(seen, 1 - self.hidden, self.hidden or 1), u
        )
        found = LAWS[self.shape](np.clip(inside, 1e-12, 1 - 1e-12))
        found = np.where(seen, self.spread * found + self.move, found)
        if self.levels:
            found = np.searchsorted(self._cuts, found).astype(float)
        return np.asarray(-found if self.mirrored else found)

    @cached_property
    def _cuts(self) -> Array:
        """Where scores are cut: each level holds as many of the midpoint's rows."""
        inner = LAWS[self.shape](np.arange(1, self.levels) / self.levels)
        return np.asarray((1 + self.spread) / 2 * inner + self.move / 2)

    def draw(self, rng: np.random.Generator, samples: int, n: int) -> tuple[Array, Array, Array]:
        """Return truth, score and weight of the rows of many samples (samples, n)."""
        truth = rng.random((samples, -(-n // self.per_group))) < self.prevalence
        truth = np.repeat(truth, self.per_group, axis=1)[:, :n]
        return truth, self._scores(truth, self._uniform(rng, samples, n)), self._weights(rng, samples, n)

    @cached_property
    def points(self) -> tuple[Array, Array, Array]:
        """Truth, score and weight of rows that stand for the whole population: quantiles of each class."""
        u, truth = (np.arange(FINE) + 0.5) / FINE, np.repeat([False, True], FINE)
        weight = np.where(truth, self.prevalence, 1 - self.prevalence) / FINE
        return truth, self._scores(truth, np.tile(u, 2)), weight


@dataclass(frozen=True)
class Probabilities(_Rows):
    """Stated probabilities whose log-odds are normal, and a truth whose log-odds are a line in the stated ones.

    A perfectly calibrated model has slope 1 and intercept 0.
    """

    slope: float = 1.0
    intercept: float = 0.0
    mean: float = 0.0
    spread: float = 1.5

    def _chance(self, odds: Array) -> Array:
        return np.asarray(expit(self.intercept + self.slope * odds))

    def draw(self, rng: np.random.Generator, samples: int, n: int) -> tuple[Array, Array, Array]:
        """Return truth, probability and weight of the rows of many samples (samples, n)."""
        odds = self.mean + self.spread * ndtri(self._uniform(rng, samples, n))
        truth = rng.random((samples, n)) < self._chance(odds)
        return truth, np.asarray(expit(odds)), self._weights(rng, samples, n)

    @cached_property
    def points(self) -> tuple[Array, Array, Array]:
        """Truth, probability and weight of rows that stand for the whole population."""
        odds = self.mean + self.spread * ndtri((np.arange(FINE) + 0.5) / FINE)
        chance = self._chance(odds)
        truth = np.repeat([False, True], FINE)
        return truth, np.tile(expit(odds), 2), np.concatenate([1 - chance, chance]) / FINE


SCORE_KEYS = {field.name for field in (*fields(ShiftedScores), *fields(Probabilities))} - {"name", "prevalence"}


def are_scores(given: Any) -> bool:
    """Say whether a population, or each of several, is one of scores."""
    if isinstance(given, Mapping):
        return bool(SCORE_KEYS & set(given)) or (bool(given) and all(map(are_scores, given.values())))
    if isinstance(given, (list, tuple)):
        return bool(given) and all(map(are_scores, given))
    return isinstance(given, _Rows)


def score_populations(given: Any) -> list[ScoreSource]:
    """Return one population of scores, or several that carry the names of a mapping or their number in a list.

    >>> [one.name for one in score_populations({"easy": dict(auc=0.9, prevalence=0.3)})]
    ['easy']
    """
    if isinstance(given, Mapping) and not SCORE_KEYS & set(given):
        return [_of(one, str(name)) for name, one in given.items()]
    if isinstance(given, (list, tuple)):
        return [_of(one, str(number)) for number, one in enumerate(given)]
    return [_of(given, "")]


def _of(given: Any, name: str) -> Any:
    if not isinstance(given, Mapping):
        return given
    kind: Any = ShiftedScores if "auc" in given else Probabilities
    unknown = sorted(set(given) - {field.name for field in fields(kind)})
    if unknown:
        give = messages.SCORE_POPULATIONS()
        raise InputError(messages.POPULATION_KEYS_OF_NO_SCORES(unknown=quoted(unknown), give=give))
    whole = {
        key: int(given[key]) for key in ("per_group", "levels") if is_number(given.get(key)) and given[key] % 1 == 0
    }
    return kind(**{"name": name, **given, **whole})

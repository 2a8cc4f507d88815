"""λ, the variance and the gain of a judge by a route of its own: cells x[t, j, p], gradients by finite differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import howsure as hs
from howsure.tables.covariance import linearise
from howsure.tables.linearised import metric_on
from howsure.types import Array

Formula = Callable[[Array], float]


def f1(table: Array) -> float:
    return float(2 * table[1, 1] / (2 * table[1, 1] + table[0, 1] + table[1, 0]))


def accuracy(table: Array) -> float:
    return float(np.trace(table) / table.sum())


def recall(table: Array) -> float:
    return float(table[1, 1] / table[1].sum())


def macro_f1(table: Array) -> float:
    return float(np.mean(2 * np.diagonal(table) / (table.sum(0) + table.sum(1))))


def mcc(table: Array) -> float:
    n, truth, guess = table.sum(), table.sum(1), table.sum(0)
    top = np.trace(table) * n - truth @ guess
    return float(top / np.sqrt((n**2 - guess @ guess) * (n**2 - truth @ truth)))


FORMULAS: dict[str, Formula] = {"accuracy": accuracy, "f1": f1, "recall": recall, "macro_f1": macro_f1, "mcc": mcc}


def difference(formula: Formula, labels: int) -> Formula:
    """The metric of b less that of a, of a table of truth and the pair of predictions."""

    def value(table: Array) -> float:
        both = table.reshape(labels, labels, labels)
        return formula(both.sum(1)) - formula(both.sum(2))

    return value


def slopes(formula: Formula, table: Array) -> Array:
    """The gradient by central differences with a step that is extrapolated (Richardson)."""
    found = np.zeros_like(table)
    for cell in np.ndindex(table.shape):
        each = []
        for step in (2e-4, 1e-4):
            up, down = table.copy(), table.copy()
            up[cell] += step
            down[cell] -= step
            each.append((formula(up) - formula(down)) / (2 * step))
        found[cell] = (4 * each[1] - each[0]) / 3
    return found


def weight(formula: Formula, x: Array, u: Array, lost: int = 0) -> float:
    """λ = cov(φ, g) / ((1 + n/N) var g)."""
    n, rest = x.sum(), u.sum()
    grad = slopes(formula, x.sum(1) / n)
    a, b = grad[:, None, :] + 0 * x, grad[None] + 0 * x
    share, pool = x / n, (u + x.sum(0)) / (n + rest)
    covariance = (a * b * share).sum() - (a * share).sum() * (b * share).sum()
    spread = ((grad**2 * pool).sum() - (grad * pool).sum() ** 2) * (n + rest) / (n + rest - lost)
    return float(np.clip(covariance / ((1 + n / rest) * spread), 0, 1))


def moved(x: Array, u: Array, lam: float) -> Array:
    """table(λ), negative cells cut off."""
    table = np.maximum(x.sum(1) / x.sum() + lam * (u / u.sum() - x.sum(0) / x.sum()), 0)
    return np.asarray(table / table.sum())


def gain(formula: Formula, x: Array, u: Array) -> float:
    """The smaller gain of two smoothed copies, between 1 and M/n."""
    truths, answers, guesses = x.shape
    n, rest = x.sum(), u.sum()
    pool, found = (u + x.sum(0)) / (n + rest), []
    for copy in (x + 1.9207 * pool / truths, x + 4 / (truths * answers * guesses)):
        size, lam = copy.sum(), weight(formula, copy, u)
        grad = slopes(formula, moved(copy, u, lam))
        residual, share, others = grad[:, None, :] - lam * grad[None], copy / size, u / rest
        judged = ((residual**2 * share).sum() - (residual * share).sum() ** 2) / (size - 2)
        judged += lam**2 * ((grad**2 * others).sum() - (grad * others).sum() ** 2) / rest
        people = copy.sum(1) / size
        own = slopes(formula, people)
        human = ((own**2 * people).sum() - (own * people).sum() ** 2) / (size - 1)
        found.append(human / judged)
    return float(np.clip(min(found), 1, (n + rest) / n))


def published(formula: Formula, x: Array, u: Array) -> tuple[float, float]:
    """λ with the variance of all rows over one row less, as ppi-python has it, and V(λ) at the moved table."""
    n, rest = x.sum(), u.sum()
    lam = min(weight(formula, x, u, lost=1), 1.0)
    grad = slopes(formula, moved(x, u, lam))
    residual, share, others = grad[:, None, :] - lam * grad[None], x / n, u / rest
    own = ((residual**2 * share).sum() - (residual * share).sum() ** 2) / n
    return lam, float(own + lam**2 * ((grad**2 * others).sum() - (grad * others).sum() ** 2) / rest)


def population(
    rng: np.random.Generator, labels: int, n: int, rest: int, models: int
) -> tuple[Array, list[Array], Array]:
    """Truth, predictions and a judge that errs now alone, now with the first model."""
    truth = rng.choice(labels, n + rest, p=rng.dirichlet(np.full(labels, 6.0)))

    def noisy(right: float) -> Array:
        return np.where(rng.random(n + rest) < right, truth, rng.integers(0, labels, n + rest))

    predictions = [noisy(rng.uniform(0.6, 0.9)) for _ in range(models)]
    judge = np.where(rng.random(n + rest) < 0.2, predictions[0], noisy(rng.uniform(0.6, 0.95)))
    return truth, predictions, judge


def cells(labels: int, truth: Array, guess: Array, guesses: int, judge: Array, n: int) -> tuple[Array, Array]:
    x, u = np.zeros((labels, labels, guesses)), np.zeros((labels, guesses))
    np.add.at(x, (truth[:n], judge[:n], guess[:n]), 1)
    np.add.at(u, (judge[n:], guess[n:]), 1)
    return x, u


def blanked(truth: Array, n: int) -> Array:
    return np.where(np.arange(len(truth)) < n, truth.astype(float), np.nan)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", FORMULAS)
def test_one_model(name: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    labels = 2 if name in ("f1", "recall") else int(rng.integers(2, 5))
    n, rest = int(rng.integers(40, 200)), int(rng.integers(100, 900))
    truth, (guess,), judge = population(rng, labels, n, rest, 1)
    x, u = cells(labels, truth, guess, labels, judge, n)
    made = hs.table(blanked(truth, n), guess, judge=judge)
    facts = linearise(made, metric_on(made, name)).design.judge
    lam = weight(FORMULAS[name], x, u)
    assert facts.lam[0] == pytest.approx(lam, abs=1e-8)
    assert facts.gain == pytest.approx(gain(FORMULAS[name], x, u), rel=1e-7)
    assert hs.estimate(made, name).value == pytest.approx(FORMULAS[name](moved(x, u, lam)), abs=1e-10)
    lam, variance = published(FORMULAS[name], x, u)
    found = hs.estimate(made, name, judge="wald")
    assert found.lam[0] == pytest.approx(lam, abs=1e-8)
    assert found.se == pytest.approx(np.sqrt(variance), rel=1e-7)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", FORMULAS)
def test_difference_of_two_models(name: str, seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    labels = 2 if name in ("f1", "recall") else 3
    n, rest = int(rng.integers(40, 200)), int(rng.integers(100, 900))
    truth, (a, b), judge = population(rng, labels, n, rest, 2)
    x, u = cells(labels, truth, a * labels + b, labels * labels, judge, n)
    formula = difference(FORMULAS[name], labels)
    made = hs.table(blanked(truth, n), {"a": a, "b": b}, judge=judge)
    two = made.contents.contrasted(made, metric_on(made, name), "nan")
    facts = two.design.judge
    lam = weight(formula, x, u)
    assert facts.lam[0] == pytest.approx(lam, abs=1e-8)
    assert facts.gain == pytest.approx(gain(formula, x, u), rel=1e-7)
    assert hs.compare(made, name, "a", "b").difference == pytest.approx(formula(moved(x, u, lam)), abs=1e-10)
    assert hs.compare(made, name, "b", "a").difference == pytest.approx(-formula(moved(x, u, lam)), abs=1e-10)
    lam, variance = published(formula, x, u)
    assert hs.compare(made, name, "a", "b", judge="wald").se == pytest.approx(np.sqrt(variance), rel=1e-7)
    found, table = hs.compare(made, name, "a", "b", method="wald"), moved(x, u, weight(formula, x, u))
    grad = slopes(formula, table)
    plain = (grad**2 * table).sum() - (grad * table).sum() ** 2
    assert found.se == pytest.approx(np.sqrt(plain / (n * facts.gain)), rel=1e-6)

"""The slow lane: ratios of sums per unit on shapes of our own, which played no part in the choice of the method."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from howsure.comparisons.compare import paired
from howsure.comparisons.pair import mover_limits
from howsure.estimates.tail import Tail

SAMPLES = 4000
# sizes of units: how they are drawn; rates of units: mean and shape of a gamma (or beta); all by name
SIZES = {
    "equal": lambda rng, size: np.full(size, 25),
    "poisson": lambda rng, size: rng.poisson(15, size) + 1,
    "geometric": lambda rng, size: rng.geometric(1 / 12, size),
    "lognormal": lambda rng, size: np.ceil(rng.lognormal(2.5, 0.8, size)),
}  # fmt: skip
RATES = {"steady .1": (0.1, 50.0), "uneven .05": (0.05, 1.0), "wild .2": (0.2, 0.5)}


def drawn(sizes: str, rates: str, rng: Any, shape: tuple[int, int], *, part: bool) -> tuple[Any, Any, float]:
    """Return errors, words and the true ratio: rates are independent of sizes, so it is the mean rate."""
    mean, evenness = RATES[rates]
    words = SIZES[sizes](rng, shape).astype(float)
    if part:
        own = rng.beta(mean * evenness, (1 - mean) * evenness, shape)
        return rng.binomial(words.astype(int), own).astype(float), words, mean
    return rng.poisson(words * rng.gamma(evenness, mean / evenness, shape)).astype(float), words, mean


def limits(errors: Any, words: Any, *, part: bool) -> tuple[Any, Any]:
    """Return the limits of many samples (rows) at once."""
    g, z = errors.shape[1], stats.norm.ppf(0.975)
    r = errors.sum(1) / words.sum(1)
    phi = (errors - r[:, None] * words) / words.mean(1)[:, None]
    c = z * z / 4 if part else 0.5
    top = np.ones(len(r)) if part else (errors / words).max(1)
    m2, m4 = (((phi**k).sum(1) + c * (r**k + (top - r) ** k)) / (g + 2 * c) for k in (2, 4))
    left = (errors.sum(1)[:, None] - errors) / (words.sum(1)[:, None] - words)
    jackknife = (g - 1) / g * ((left - left.mean(1)[:, None]) ** 2).sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        more = np.fmax(jackknife / ((phi**2).sum(1) / (g * (g - 1))), 1)
        variance = m2 / (g + 2 * c - 1) * more
        if part:
            centre = (r * g + c) / (g + 2 * c)
            size, t = centre * (1 - centre) / variance, stats.t.ppf(0.975, g - 1)
            half = t * np.sqrt(r * (1 - r) / size + (t / (2 * size)) ** 2)
            return tuple((r + t * t / (2 * size) + sign * half) / (1 + t * t / size) for sign in (-1, 1))
        degrees = np.clip(2 * (g + 1) / (m4 / m2**2 - 1), 4, g - 1)
        reach = np.exp(stats.t.ppf(0.975, degrees) * np.sqrt(variance) / r)
    none = z * z / (g + z * z) / words.mean(1)
    return np.where(r > 0, r / reach, 0.0), np.where(r > 0, r * reach, none)


@pytest.mark.slow
@pytest.mark.parametrize("part", [False, True], ids=["log-t", "wilson"])
@pytest.mark.parametrize("units", [20, 50, 200])
def test_intervals_of_ratios_cover(units: int, part: bool) -> None:
    """Claimed, over twelve shapes: the lowest and the mean coverage below, measured with 4,000 samples a shape.

    The limits of many samples at once are compared with the library's on a few.
    """
    lowest, mean = CLAIMS[units, part]
    rng, found = np.random.default_rng(units), {}
    for sizes in SIZES:
        for rates in RATES:
            errors, words, truth = drawn(sizes, rates, rng, (SAMPLES, units), part=part)
            low, high = limits(errors, words, part=part)
            for row in range(2):
                ends = (0, 1) if part else None
                made = hs.estimate(hs.sums({"e": errors[row], "w": words[row]}, range=ends), "e/w")
                assert (made.low, made.high) == pytest.approx((low[row], high[row]), rel=1e-8)
            found[sizes, rates] = np.mean((low <= truth) & (truth <= high))
    assert min(found.values()) >= lowest - 3 * math.sqrt(lowest * (1 - lowest) / SAMPLES), found
    assert np.mean(list(found.values())) >= mean - 0.005


CLAIMS = {
    (20, False): (0.94, 0.96), (50, False): (0.95, 0.96), (200, False): (0.95, 0.96),
    (20, True): (0.94, 0.97), (50, True): (0.925, 0.97), (200, True): (0.925, 0.955),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("units", [20, 50, 200])
def test_equal_systems_on_the_same_units(units: int) -> None:
    """Two systems of the same error rates, errors of a unit going together, are called different in 7 % or less."""
    rng, samples, wrong = np.random.default_rng(units + 7), 400, []
    for sizes, rates in (("poisson", "uneven .05"), ("lognormal", "wild .2"), ("equal", "steady .1")):
        mean, evenness = RATES[rates]
        words = SIZES[sizes](rng, (samples, units)).astype(float)
        common = rng.gamma(evenness, mean / evenness, (samples, units))
        first, second = (rng.poisson(words * common).astype(float) for _ in range(2))
        tables = (
            hs.sums({"a": {"e": x, "w": w}, "b": {"e": y, "w": w}})
            for x, y, w in zip(first, second, words, strict=True)
        )
        ends = [mover_limits(paired(table, "e/w", "a", "b"), Tail(0.95)) for table in tables]
        wrong.append(np.mean([not low <= 0 <= high for low, high in ends]))
    assert max(wrong) <= 0.07 + 3 * math.sqrt(0.07 * 0.93 / samples), wrong

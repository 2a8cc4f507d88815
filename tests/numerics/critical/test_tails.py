"""Probabilities and far tails of the largest coordinate."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr

from howsure.numerics.critical import critical_value, tail_probability
from numerics.critical.matrices import compound, contrasts, random_correlation


def test_probabilities_invert_critical_values() -> None:
    for matrix in (random_correlation(6, 6, 30), compound(8, 0.3), contrasts(4)):
        for side in ("both", "upper"):
            q = critical_value(matrix, 0.9, side=side)  # type: ignore[arg-type]
            tail, error = tail_probability(matrix, q.value, side=side)  # type: ignore[arg-type]
            assert tail == pytest.approx(0.1, abs=error + 0.3 * q.error + 1e-9)


@pytest.mark.parametrize("q", [3.0, 5.0, 8.0])
def test_exact_tails_keep_their_digits(q: float) -> None:
    single = float(2 * ndtr(-q))
    p, _ = tail_probability(np.eye(7), q)
    assert float(p) == pytest.approx(-np.expm1(7 * np.log1p(-single)), rel=1e-12)
    mpmath.mp.dps = 30
    for d, rho in ((2, 0.6), (6, 0.5)):
        load, noise = mpmath.sqrt(rho), mpmath.sqrt(1 - mpmath.mpf(rho))

        def beyond(f: mpmath.mpf, d: int = d, load: mpmath.mpf = load, noise: mpmath.mpf = noise) -> mpmath.mpf:
            out = mpmath.ncdf((load * f - q) / noise) + mpmath.ncdf((-load * f - q) / noise)
            return mpmath.npdf(f) * -mpmath.expm1(d * mpmath.log1p(-out))

        truth = 2 * mpmath.quad(beyond, [0, 1, 2, 4, q, 8, 12, 18])
        p, error = tail_probability(compound(d, rho), q)
        assert float(p) == pytest.approx(float(truth), rel=1e-9)
        assert error <= 1e-6 * p


@pytest.mark.usefixtures("sampled_only")
@pytest.mark.parametrize("rho", [0.3, 0.7, 0.95])
def test_sampled_tails_keep_their_digits(rho: float) -> None:
    exact = {3.0: 0.0, 5.0: 0.0, 8.0: 0.0}
    for q in exact:
        load, noise = np.sqrt(rho), np.sqrt(1 - rho)

        def beyond(f: float, q: float = q, load: float = load, noise: float = noise) -> float:
            out = ndtr((load * f - q) / noise) + ndtr((-load * f - q) / noise)
            return float(-np.expm1(6 * np.log1p(-min(out, 1 - 1e-16))) * np.exp(-f * f / 2) / np.sqrt(2 * np.pi))

        exact[q] = 2 * sum(quad(beyond, a, a + 0.5, epsabs=0, epsrel=1e-10)[0] for a in np.arange(0, 14, 0.5))
    p, error = tail_probability(compound(6, rho), list(exact))
    truth = np.array(list(exact.values()))
    assert np.all(np.abs(p - truth) <= error)
    assert np.all(error <= 0.02 * truth)
    assert np.all(np.diff(p) < 0)


def test_tails_lie_between_one_coordinate_and_bonferroni() -> None:
    q = np.linspace(2.5, 8.0, 12)
    p, error = tail_probability(random_correlation(15, 6, 9), q)
    single = 2 * ndtr(-q)
    assert np.all(p <= 15 * single + error)
    assert np.all(p >= single - error)
    assert np.all(np.diff(p) < 0)
    assert p[-1] == pytest.approx(15 * single[-1], rel=0.2)
    infinite, _ = tail_probability(compound(3, 0.5), [np.inf, -np.inf])
    assert infinite.tolist() == [0.0, 1.0]
    assert tail_probability(compound(3, 0.5), [])[0].shape == (0,)

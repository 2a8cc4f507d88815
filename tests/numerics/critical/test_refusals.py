"""What critical values refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtri

from howsure.errors import InputError
from howsure.numerics.critical import critical_value, tail_probability


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        ([[1.0, 0.2]], {}, r"correlation has shape \(1, 2\); it must be square"),
        (1.0, {}, r"correlation has shape \(\); it must be square"),
        ([[1.0, 0.2], [0.3, 1.0]], {}, "a difference from its transpose by 0.1; it must be a symmetric"),
        ([[2.0, 0.2], [0.2, 1.0]], {}, "a diagonal that differs from 1 by 1; .* divide a covariance by"),
        ([[1.0, 1.2], [1.2, 1.0]], {}, "entries beyond ±1 by 0.2"),
        ([[1.0, 0.9, 0.0], [0.9, 1.0, 0.9], [0.0, 0.9, 1.0]], {}, "the eigenvalue -0.273; it must be positive semi"),
        ([[1.0, np.nan], [np.nan, 1.0]], {}, r"correlation\[0, 1\] is nan; every entry must be a number: put 0 on"),
        ([[1.0, 0.5], [0.5, 0.0]], {}, r"correlation\[0, 1\] is 0.5 but one of the two has variance 0"),
        (np.eye(2), {"level": 1.0}, "level is 1.0; it must lie strictly between 0 and 1"),
        (np.eye(2), {"accuracy": 0.0}, "accuracy is 0.0; it must be a positive error"),
        (np.eye(2), {"side": "left"}, "side is 'left'; it must be 'both'"),
        ("a", {}, "correlation is 'a'; it must be a square matrix of numbers"),
        ([[1.0, "x"], ["x", 1.0]], {}, "it must be a square matrix of numbers"),
        (np.eye(2), {"accuracy": "a"}, "accuracy is 'a'; it must be a positive error"),
        (np.eye(2), {"seed": -1}, "seed is -1; it must be a whole number, zero or larger"),
    ],
)
def test_refusals(matrix: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        critical_value(matrix, **options)  # type: ignore[arg-type]


def test_lower_bounds_take_the_value_of_upper_ones() -> None:
    """−Z has the law of Z: of two independent ones P(min Z > −q) = Φ(q)² = 0.95."""
    lower, upper = (float(critical_value(np.eye(2), side=side)) for side in ("lower", "upper"))
    assert lower == upper == pytest.approx(float(ndtri(math.sqrt(0.95))), abs=1e-9)


def test_undefined_statistics_are_refused() -> None:
    with pytest.raises(InputError, match="leave undefined statistics out"):
        tail_probability(np.eye(2), [1.0, np.nan])

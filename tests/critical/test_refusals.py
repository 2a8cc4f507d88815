"""What critical values refuse."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.critical import critical_value, tail_probability
from howsure.errors import InputError


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
        (np.eye(2), {"side": "lower"}, "side is 'lower'; it must be 'both'"),
    ],
)
def test_refusals(matrix: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        critical_value(matrix, **options)  # type: ignore[arg-type]


def test_undefined_statistics_are_refused() -> None:
    with pytest.raises(InputError, match="leave undefined statistics out"):
        tail_probability(np.eye(2), [1.0, np.nan])

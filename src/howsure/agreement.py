"""The joint behaviour of two models that one expects: shares of (truth, a, b) from two performances and agreement."""

from __future__ import annotations

import numpy as np

from howsure.cells import Array
from howsure.errors import InputError


def paired_shares(first: Array, second: Array, agreement: float | None) -> Array:
    """Return shares[truth, a, b] of two models with confusion shares ``first`` and ``second`` (truth in rows).

    Within each true class the models are joined between independence and the closest agreement their margins allow
    (comonotone), in one proportion for all classes, so that P(a = b) is ``agreement``. Without it: independence.
    """
    if not np.allclose(first.sum(1), second.sum(1), atol=1e-9):
        raise InputError("the two models see different shares of true classes; both must be on the same rows")
    apart, close = _joined(first, second, independent=True), _joined(first, second, independent=False)
    if agreement is None:
        return apart
    least, most = _agreement(apart), _agreement(close)
    if not least - 1e-9 <= agreement <= most + 1e-9:
        raise InputError(
            f"agreement is {agreement!r}; with these performances it lies between {least:.4f} (independent errors) "
            f"and {most:.4f} (errors shared as far as possible)"
        )
    part = 0.0 if most <= least else float(np.clip((agreement - least) / (most - least), 0.0, 1.0))
    return (1 - part) * apart + part * close


def _agreement(shares: Array) -> float:
    return float(np.einsum("zkk->", shares))


def _joined(first: Array, second: Array, *, independent: bool) -> Array:
    width = len(first)
    shares = np.zeros((width, width, width))
    for truth in range(width):
        mass = first[truth].sum()
        if mass <= 0:
            continue
        a, b = first[truth], second[truth] * mass / second[truth].sum()
        if independent:
            shares[truth] = np.outer(a, b) / mass
            continue
        shared = np.minimum(a, b)
        rest_a, rest_b = a - shared, b - shared
        shares[truth] = np.diag(shared)
        if rest_a.sum() > 0:
            shares[truth] += np.outer(rest_a, rest_b) / rest_a.sum()
    return shares

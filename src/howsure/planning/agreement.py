"""Two models on the same rows: joint shares of (truth, a, b) from two performances and how often they agree."""

from __future__ import annotations

from typing import Literal

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import planning as messages
from howsure.types import Array

AgreementKind = Literal["opposed", "independent", "close"]
KINDS: tuple[AgreementKind, ...] = ("opposed", "independent", "close")


def paired_shares(first: Array, second: Array, agreement: float | None) -> Array:
    """Return shares[truth, a, b] of two models with 2×2 confusion shares ``first`` and ``second`` (truth in rows).

    Within each true class the models are joined between independence and the closest agreement their margins allow (or
    the least, where ``agreement`` is below that of independence), in one proportion for both classes, so that
    P(a = b) is ``agreement``. Without it: independence.
    """
    if not np.allclose(first.sum(1), second.sum(1), atol=1e-9):
        raise InputError(messages.TWO_MODELS_SEE_DIFFERENT_SHARES())
    opposed, apart, close = (_joined(first, second, kind) for kind in KINDS)
    if agreement is None:
        return apart
    least, middle, most = (float(np.einsum("zkk->", shares)) for shares in (opposed, apart, close))
    if not least - 1e-9 <= agreement <= most + 1e-9:
        raise InputError(messages.AGREEMENT_WITH_PERFORMANCES_LIES_BETWEEN(agreement=agreement, least=least, most=most))
    end, limit = (close, most) if agreement >= middle else (opposed, least)
    part = 0.0 if limit == middle else float(np.clip((agreement - middle) / (limit - middle), 0.0, 1.0))
    return (1 - part) * apart + part * end


def _joined(first: Array, second: Array, kind: AgreementKind) -> Array:
    """Return the joint shares with these margins; both-positive is all there is to choose (Fréchet's bounds)."""
    shares = np.zeros((2, 2, 2))
    for truth in range(2):
        mass, a, b = first[truth].sum(), first[truth, 1], second[truth, 1]
        if mass > 0:
            both = {"opposed": max(0.0, a + b - mass), "independent": a * b / mass, "close": min(a, b)}[kind]
            shares[truth] = [[mass - a - b + both, b - both], [a - both, both]]
    return np.maximum(shares, 0.0)

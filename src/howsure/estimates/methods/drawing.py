"""Limits from draws that come in blocks: all of them, or as many as the wanted precision takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from howsure.estimates.tail import Limits
from howsure.types import Array

PRECISE = 1 / 80
"""Monte-Carlo error of a limit, over the length of the interval, at which drawing may stop."""
MANY_CELLS = 200
"""Cells, or distinct rows, beyond which draws are dear enough to stop at that error."""
FIRST_LOOK = 2_000


def limits_of_draws(blocks: Iterable[Array], limits: Callable[[Array], Limits], *, stops: bool) -> Limits:
    """Return the limits that draws give; where ``stops``, of the first so many that make the error small enough.

    Draws are on the last axis. The next look is where the error, which falls with the root of the number, should be
    small enough; so blocks of any size give the same.
    """
    drawn, look = np.zeros(0), FIRST_LOOK
    for block in blocks:
        drawn = np.concatenate([drawn, block], axis=-1) if drawn.size else block
        while stops and drawn.shape[-1] >= look:
            found = limits(drawn[..., :look])
            missed = np.inf if not found.error else found.error / (PRECISE * float(found.high - found.low))
            if missed <= 1:
                return found
            look = int(look * min(max(missed**2, 1.1), 2.0))
    return limits(drawn)

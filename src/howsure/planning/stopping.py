"""When a comparison that is looked at again and again will be settled: the law of the rows at which it stops.

The sum of what rows add to the difference is taken as a normal walk with the planned drift and spread. Its law is
carried from look to look; what has crossed the limits at any time is taken out (Armitage, McPherson & Rowe 1969, JRSS A
132:235). Nothing is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import betaincc, betaln, ndtr

from howsure.errors import InputError
from howsure.errors.messages import planning as messages
from howsure.estimates.methods.anytime import FEWEST
from howsure.estimates.methods.martingales import normal_reach
from howsure.numerics.solving import bracketed_root
from howsure.types import Array

EVERY = 25  # rows between looks, or a 150th of what one look would need
LOOKS = 150
FINE = 0.1  # of a look's standard deviation: the step of the grid
LEFT = 1e-4  # of the streams, which may go on
MOST_LOOKS = 6000
Boundary = Callable[[float], float]


class Stopping(NamedTuple):
    """How streams end: looks (rows), and the share that is settled rightly, or wrongly, at each of them."""

    rows: Array
    right: Array
    wrong: Array
    every: int

    def by(self, n: float) -> float:
        """Return the share that is settled rightly by a number of rows."""
        return float(self.right[self.rows <= n].sum())

    def until(self, share: float) -> int | None:
        """Return the first look by which a share of the streams is settled rightly; None where none is."""
        reached = np.nonzero(np.cumsum(self.right) >= share)[0]
        return int(self.rows[reached[0]]) if len(reached) else None

    @property
    def expected(self) -> float:
        """The mean number of rows of the streams that end."""
        ended = self.right + self.wrong
        return float(self.rows @ ended / ended.sum())


def coin_boundary(discordant: float, probability: float) -> Boundary:
    """Return how far only-b rows must outnumber only-a rows among n rows, a share of which is discordant."""
    goal = -math.log(probability)

    def boundary(n: float) -> float:
        total = n * discordant

        def short(lead: float) -> float:
            b, a = (total + lead) / 2, (total - lead) / 2
            with np.errstate(divide="ignore"):
                above = float(np.log(betaincc(b + 0.5, a + 0.5, 0.5)))
            made = (total + 1) * math.log(2) + float(betaln(b + 0.5, a + 0.5) - betaln(0.5, 0.5)) + above
            return goal - made

        return float(bracketed_root(short, 0.0, total, tolerance=1e-9)) if short(total) < 0 else math.inf

    return boundary


def normal_boundary(variance: float, probability: float, carrying: float = math.inf) -> Boundary:
    """Return how far the sum over n rows must lie from what is to be refuted, for metrics by their influences.

    ``carrying`` is the share of rows that carry the difference: the error of what few carry is larger by 2 over their
    number, as in ``comparisons/anytime``.
    """

    def boundary(n: float) -> float:
        wider = 1 + 2 / (carrying * n)
        return normal_reach(probability, n) * math.sqrt(variance * n) * wider if n >= FEWEST else math.inf

    return boundary


def stopping(effect: float, variance: float, boundary: Boundary, needed: float) -> Stopping:
    """Return how streams end whose rows add ``effect`` with this variance; ``needed`` are the rows of one look."""
    every = EVERY * max(1, math.ceil(needed / LOOKS / EVERY))
    spread = math.sqrt(variance * every)
    step, drift = FINE * spread, effect * every
    width = math.ceil((9 * spread + drift) / step)
    kernel = np.diff(ndtr((step * (np.arange(-width, width + 2) - 0.5) - drift) / spread))
    rows, right, wrong = [], [], []
    law, last = np.ones(1), 0  # the law on the cells −last … last of the grid; before the first look all are at 0
    for look in range(1, MOST_LOOKS + 1):
        edge, last = boundary(every * look) / step, last + width
        law = np.convolve(law, kernel)
        cells = np.arange(-last, last + 1)
        above, below = np.clip(cells + 0.5 - edge, 0.0, 1.0), np.clip(0.5 - cells - edge, 0.0, 1.0)
        rows.append(every * look)
        right.append(float(law @ above))
        wrong.append(float(law @ below))
        law = law * (1 - above - below)
        if law.sum() < LEFT:
            return Stopping(np.array(rows, dtype=float), np.array(right), np.array(wrong), every)
        spare = last - math.ceil(edge + 0.5) if math.isfinite(edge) else 0
        if spare > 0:
            law, last = law[spare:-spare], last - spare
    raise InputError(messages.DIFFERENCE_IS_TOO_SMALL_FOR_SPREAD())

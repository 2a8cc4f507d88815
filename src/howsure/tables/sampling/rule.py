"""The design effect of weights, strata and groups: one rule, from sums over rows; batch axes first.

The linearised variance of textbooks does not know the errors that were not seen: on heavy rows, in a stratum without
one, among few groups. This rule adds what it cannot see, and all that it adds vanishes as rows grow:

- two hidden rows in each part (stratum), whose label may be any: δ² is what such a row would add;
- weights count as unequal as Kish (1965) says, Σw²/Σw a row, until enough errors show whether heavy rows err more or
  less than light ones;
- groups: the sum of squares of CR2 (Bell & McCaffrey 2002), never less than rows alone would give; hidden rows share
  the fate of their group with correlation ¼.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from howsure.types import Array

HIDDEN = 2.0  # rows of any label that a part may hide
SHARED = 0.25  # correlation of hidden rows of one group
ENOUGH = 8.0  # errors that carry half of what is believed of the weights of rows that err
FEWEST = 4.0  # degrees of freedom that groups have at least, where there are as many
ROUNDING = 1e-24  # mean squares beside each other: below, one is what rounding left


class PartSums(NamedTuple):
    """Sums over the rows of each part (last axis), φ the influence of a row, w its weight.

    Parts are strata (φ then around the stratum's own mean), or classes that weights depend on, or all rows as one.
    ``squares_*`` are Σ φ² with the weights 1, w and w²; ``fourth`` Σ wφ⁴, ``hidden`` Σ wδ²; ``left`` is what is left to
    vary of a finite pool.
    """

    rows: Array
    weight: Array
    weight_squared: Array
    squares_plain: Array
    squares: Array
    squares_heavy: Array
    fourth: Array
    hidden: Array
    left: Any = 1.0

    @property
    def kish(self) -> Array:
        """(Σw)²/Σw²: how many equal rows the weights leave."""
        return over(self.weight**2, self.weight_squared)

    @property
    def unseen(self) -> Array:
        """Σ wφ² of the hidden rows: two of typical weight in each part."""
        return HIDDEN * over(self.hidden, self.kish)

    @property
    def excess(self) -> Array:
        """How much heavier than a typical row those are that err: as seen, and 1 or more until enough errors show it.

        r = b2/b1 with b_j = Σ wʲφ²/Σ wʲ is what was seen; where weighted rows err more than unweighted ones, b1/b0 says
        that still heavier ones may err more. e, the number of errors that r rests on, decides between the two.
        """
        plain, mean = over(self.squares_plain, self.rows), over(self.squares, self.weight)
        seen = over(over(self.squares_heavy, self.weight_squared), mean)
        feared = np.maximum(1.0, over(mean, plain))
        errors = self.kish * over(mean**2, over(self.fourth, self.weight))
        found = seen + np.maximum(feared - seen, 0.0) * ENOUGH / (errors + ENOUGH)
        return np.where(mean > ROUNDING * over(self.hidden, self.weight), found, 1.0)

    def variances(self, *, centred: bool) -> Array:
        """Return (Σw)² times what each part adds to the variance of an estimate on independent rows.

        ``centred`` says that φ is taken around the mean of the part, which costs a degree of freedom: n/(n − 1).
        """
        lost = self.rows / np.maximum(self.rows - 1, 1.0) if centred else 1.0
        typical = over(self.weight_squared, self.weight)
        return np.asarray(self.left * self.excess * typical * (self.squares * lost + self.unseen))


class GroupSums(NamedTuple):
    """Σ wφ of each group (last axis), around its share of the stratum's sum; ``of`` sums over the groups of a stratum.

    ``share`` is a group's share of its stratum's weight.

    ``unseen`` is what each stratum's hidden rows add, ``left`` what is left to vary of a finite pool.
    """

    moved: Array
    share: Array
    of: Callable[[Array], Array]
    unseen: Array
    left: Any = 1.0

    def variances(self) -> Array:
        """Return (Σw)² times what each stratum adds: Σ S²/(1 − h) and what is hidden.

        Bell & McCaffrey's CR2 for a mean, which is unbiased where rows are independent and equal. One group alone tells
        nothing of the spread between groups: nan.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.left * (self.of(self.moved**2 / (1 - self.share)) + self.unseen))

    def degrees(self) -> Array:
        """Return Bell & McCaffrey's degrees of freedom of each stratum: Satterthwaite's, groups taken as exchangeable.

        G − 1 for equal groups, fewer the more unequal they are.
        """
        h, of = self.share, self.of
        with np.errstate(invalid="ignore", divide="ignore"):
            a = 1 / (1 - h)
            t, (a0, a1, a2) = of(h**2), (of(a * h ** (2 + k)) for k in range(3))
            mean = of(a * h**2) * (1 + t) - 2 * a1
            rest = of(a**2 * h**4) * (1 + 2 * t) - 4 * of(a**2 * h**5)
            return np.asarray(mean**2 / (t**2 * a0**2 + 2 * a0 * a2 - 4 * t * a0 * a1 + 2 * a1**2 + rest))


def shared_squares(weight: Any, weight_squared: Any, group_weight: Any) -> Any:
    """Return Σ w(¾w + ¼w_u): squares of the weights of rows that share their group's fate with correlation ¼."""
    return (1 - SHARED) * weight_squared + SHARED * weight * group_weight


def groups_degrees(variances: Array, degrees: Array, share: Array, most: Any) -> Array:
    """Return the degrees of freedom of a variance between groups in strata, of which ``share`` exceeds that of rows.

    Satterthwaite over the strata; what rows would give is known, so only the excess is uncertain. Never above groups −
    strata, never below four where there are as many.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        joint = variances.sum(-1) ** 2 / np.where(variances > 0, variances**2 / degrees, 0.0).sum(-1)
        found = np.maximum(joint / np.square(share), FEWEST)
    return np.asarray(np.fmin(found, most))


def over(top: Any, bottom: Any) -> Array:
    """Return top/bottom, 0 where there is nothing below."""
    top, bottom = np.broadcast_arrays(np.asarray(top, dtype=float), np.asarray(bottom, dtype=float))
    return np.asarray(np.divide(top, bottom, out=np.zeros(bottom.shape), where=bottom != 0))

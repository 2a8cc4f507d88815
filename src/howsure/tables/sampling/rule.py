"""The design effect of weights, strata and groups: one rule, from sums over rows; batch axes first.

The linearised variance of textbooks does not know the errors that were not seen: on heavy rows, in a stratum without
one, among few groups. This rule adds what it cannot see, and all that it adds vanishes as rows and groups grow:

- two hidden rows in each part (stratum), whose label may be any: δ² is what such a row would add;
- weights count as unequal as Kish (1965) says, Σw²/Σw a row, until enough errors show whether heavy rows err more or
  less than light ones;
- where few rows hold much of Σw², still heavier ones are likely to be missing, and nothing tells how often those err;
- groups: the sum of squares of CR2 (Bell & McCaffrey 2002) and a third of what it misses where one group outweighs the
  others, never less than rows alone would give; hidden rows share the fate of their group with correlation ¼, and come
  in clusters as large as those that were seen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from howsure.types import Array

HIDDEN = 2.0  # rows of any label that a part may hide
SHARED = 0.25  # correlation of hidden rows of one group
COMPLETED = 1 / 3  # share of what CR2 misses of a variance between groups of unequal size that is added
ENOUGH = 8.0  # errors that carry half of what is believed of the weights of rows that err
TAIL = 1.5  # what is added at most where the heaviest rows are few
FEW_HEAVY = 32.0  # rows that carry the squares of the weights, at which half of that is left
STEEP = 8  # how much fewer than Kish's rows they must be
FEWEST = 4.0  # degrees of freedom that groups have at least, where there are as many
SOME = 1e-12  # of the largest influence: a row that moves an estimate by less does not move it
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
    weight_cubed: Array
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
        return np.where(mean > ROUNDING * over(self.hidden, self.weight), found * self.tail, 1.0)

    @property
    def tail(self) -> Array:
        """What the heaviest rows of a sample, if they are few, tell of heavier ones that are not in it: 1 or more.

        m = (Σw²)³/(Σw³)² rows carry Σw², as n_K carry Σw. They are as many where weights are equal, fewer in a tier of
        heavy rows, and very few, however many rows there are, where weights have no variance. 1 + 1.5·(1 − m/n_K)⁸·
        32/(m + 32) therefore vanishes as rows grow, unless the weights are such that the next row may outweigh all.
        """
        carried = over(self.weight_squared, self.weight_cubed) ** 2 * self.weight_squared
        apart = np.maximum(1.0 - over(carried, self.kish), 0.0) ** STEEP
        return np.asarray(1.0 + TAIL * apart * FEW_HEAVY / (carried + FEW_HEAVY))

    def seen(self, *, centred: bool) -> Array:
        """Return (Σw)² times what the rows of each part show of the variance of an estimate on independent rows.

        ``centred`` says that φ is taken around the mean of the part, which costs a degree of freedom: n/(n − 1).
        """
        lost = self.rows / np.maximum(self.rows - 1, 1.0) if centred else 1.0
        return np.asarray(self._worth * self.squares * lost)

    @property
    def _worth(self) -> Array:
        return self.excess * over(self.weight_squared, self.weight)

    def variances(self, *, centred: bool) -> Array:
        """Return (Σw)² times what each part adds to the variance: as seen, and what is hidden."""
        return np.asarray(self.left * (self.seen(centred=centred) + self._worth * self.unseen))


class GroupSums(NamedTuple):
    """Σ wφ of each group (last axis), around its share of the stratum's sum; ``of`` sums over the groups of a stratum.

    ``share`` is a group's share of its stratum's weight.
    """

    moved: Array
    share: Array
    of: Callable[[Array], Array]

    def variances(self) -> Array:
        """Return (Σw)² times what each stratum adds: Σ S²/(1 − h).

        Bell & McCaffrey's CR2 for a mean, which is unbiased where rows are independent and equal. One group alone tells
        nothing of the spread between groups: nan.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.of(self.moved**2 / (1 - self.share)))

    @property
    def missed(self) -> Array:
        """What is added of τ²: a part of T − c, where groups' means have the variance τ² whatever their size.

        The variance is then Tτ² with T = Σh², and CR2 has the mean cτ², c = Σ a h²(1 + T − 2h) with a = 1/(1 − h).
        The two are equal for groups of equal size; c is 0.4 T where one of ten groups has two thirds of the rows.
        """
        h, of = self.share, self.of
        with np.errstate(invalid="ignore", divide="ignore"):
            a, t = 1 / (1 - h), of(h**2)
            return np.asarray(COMPLETED * np.maximum(t - of(a * h**2) * (1 + t) + 2 * of(a * h**3), 0.0))

    def completed(self, rows: Array) -> Array:
        """Return CR2 with what it misses of τ²; ``rows`` is what rows alone add to each stratum.

        τ² = (Σ S²/h − (G − 1)·rows)/(1 − T), to which each group speaks in proportion to its size and not to its square
        (DerSimonian & Laird 1986, Controlled Clinical Trials 7:177).
        """
        of, number = self.of, self.of(np.where(self.share > 0, 1.0, 0.0))
        spread = np.maximum(of(over(self.moved**2, self.share)) - (number - 1) * rows, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.variances() + self.missed * spread / (1 - of(self.share**2)))

    def degrees(self, missed: Any = 0.0) -> Array:
        """Return Bell & McCaffrey's degrees of freedom of each stratum: Satterthwaite's, groups taken as exchangeable.

        G − 1 for equal groups, fewer the more unequal they are. ``missed`` is for each group what is added of τ².
        """
        h, of = self.share, self.of
        with np.errstate(invalid="ignore", divide="ignore"):
            t = of(h**2)
            k = h**2 / (1 - h) + missed * h
            k0, k1, k2 = (of(k * h**power) for power in range(3))
            mean = k0 * (1 + t) - 2 * k1
            rest = of(k**2) * (1 + 2 * t) - 4 * of(k**2 * h)
            return np.asarray(mean**2 / (t**2 * k0**2 + 2 * k0 * k2 - 4 * t * k0 * k1 + 2 * k1**2 + rest))


class Ideal(NamedTuple):
    """Σ wφ² of an estimate in units of a variance of independent, equal rows: of the rows, and of those hidden."""

    seen: Array
    unseen: Array

    @property
    def known(self) -> Array:
        """Whether rows show anything but rounding."""
        return np.asarray(self.seen > ROUNDING * self.unseen)


class Between(NamedTuple):
    """What groups add to a variance in each stratum: as seen, hidden, what rows alone show; and degrees of freedom.

    ``evenness`` is G·Σ(share of all weight)²: 1 for groups of equal weight.
    """

    seen: Array
    unseen: Array
    rows: Array
    degrees: Array
    evenness: Array

    def factor(self, ideal: Ideal, alone: Array) -> Array:
        """Return the design effect: that seen and that feared, by as many errors as were seen and may be hidden.

        ``alone`` is the design effect of rows. Errors that come in clusters tell less of how they come, so hidden ones
        come in clusters as large as those that were seen in a group of average size. No smaller design effect is feared
        than was seen.
        """
        rows = self.rows.sum(-1)
        seen = np.maximum(self.seen.sum(-1), rows)
        times = np.where(ideal.known, np.maximum(over(seen, rows), 1.0), 1.0)
        hidden = ideal.unseen * (1 + (times - 1) / self.evenness)
        feared = np.maximum(over(self.unseen.sum(-1), ideal.unseen), np.where(ideal.known, over(seen, ideal.seen), 0.0))
        with np.errstate(invalid="ignore"):
            found = (self.seen.sum(-1) + hidden * feared) / (ideal.seen + hidden)
        return np.asarray(np.maximum(found, alone))

    def joint_degrees(self, excess: Array, most: Any) -> Array:
        """Return the degrees of freedom of the sum over strata, of which ``excess`` is more than rows would give.

        Satterthwaite over the strata; what rows would give is known, so only the excess is uncertain. Never above
        groups − strata, so that one group has none; never below four where there are as many.
        """
        variances = self.seen + self.unseen
        with np.errstate(invalid="ignore", divide="ignore"):
            joint = variances.sum(-1) ** 2 / np.where(variances > 0, variances**2 / self.degrees, 0.0).sum(-1)
            found = np.minimum(np.maximum(joint / np.square(excess), FEWEST), most)
        return np.asarray(np.where(np.isnan(found), most, found))


def least_effect(weight: Any, rows: Any, typical: Any) -> Array:
    """Return the design effect at which the rows that move an estimate count as as many as they are.

    ``weight`` and ``rows`` are those of the rows that move it, ``typical`` the mean weight of all: effective rows times
    their share of the weight are no more than there are such rows.
    """
    return over(over(weight, rows), typical)


def shared_squares(weight: Any, weight_squared: Any, group_weight: Any) -> Any:
    """Return Σ w(¾w + ¼w_u): squares of the weights of rows that share their group's fate with correlation ¼."""
    return (1 - SHARED) * weight_squared + SHARED * weight * group_weight


def over(top: Any, bottom: Any) -> Array:
    """Return top/bottom, 0 where there is nothing below."""
    top, bottom = np.broadcast_arrays(np.asarray(top, dtype=float), np.asarray(bottom, dtype=float))
    return np.asarray(np.divide(top, bottom, out=np.zeros(bottom.shape), where=bottom != 0))

"""Strata: rows sampled separately within parts of a pool whose shares are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import tables as messages
from howsure.types import Array, Ints


@dataclass(frozen=True, eq=False)
class Strata:
    """The stratum of each distinct row, the strata's names, and what is left to vary when a pool is nearly used up.

    ``left`` is 1 − n_h/N_h for a finite pool sampled without replacement, and 1 otherwise. ``weighted_to`` says what
    rows were weighted to after they were drawn, where strata are the true classes.
    """

    codes: Ints
    labels: tuple[Any, ...]
    left: tuple[float, ...]
    weighted_to: str = ""

    def __getitem__(self, rows: Any) -> Strata:
        """Return the strata of some of the rows."""
        return Strata(self.codes[rows], self.labels, self.left, self.weighted_to)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Ints:
        return np.asarray(self.codes, dtype=dtype)

    def joined(self, other: Strata) -> Strata:
        """Return the strata of two tables one after the other; a stratum of both must be of the same pool."""
        if self.weighted_to != other.weighted_to:
            raise InputError(
                messages.TABLES_TO_ADD_ARE_WEIGHTED(
                    weighted_to=self.weighted_to or messages.SHARES_OF_A_POOL(),
                    other_weighted_to=other.weighted_to or messages.SHARES_OF_A_POOL(),
                )
            )
        labels = tuple(dict.fromkeys((*self.labels, *other.labels)))
        held: dict[Any, float] = {}
        for label, left in (*zip(self.labels, self.left, strict=True), *zip(other.labels, other.left, strict=True)):
            if held.setdefault(label, left) != left:
                raise InputError(messages.TABLES_TO_ADD_HAVE_SAMPLED_DIFFERENT(label=label))
        place = np.array([labels.index(label) for label in other.labels], dtype=np.int64)
        codes = np.concatenate([self.codes, place[other.codes]])
        return Strata(codes, labels, tuple(held[label] for label in labels), self.weighted_to)

    def covariance(self, codes: Ints, counts: Array, means: Array, within: Array) -> Array:
        """Return Σ_h left_h · n_h/(n_h−1) · Σ_i (u_i − ū_h)(u_i − ū_h)ᵀ, u the weighted influences of a unit.

        Units come in kinds: ``counts`` of each, their mean u, and ``within``, Σ of squared deviations of weights from
        their mean in the kind times φφᵀ, as factors with one row a kind.
        (Särndal, Swensson & Wretman 1992, section 5.5: the linearised variable in a stratified sample.)
        """
        size = means.shape[1]
        total = np.zeros((size, size))
        for code, left in enumerate(self.left):
            part = codes == code
            n = float(counts[part].sum())
            if n == 0 or left == 0:
                continue
            if n <= 1:
                return np.full((size, size), np.nan)
            centred = means[part] - counts[part] @ means[part] / n
            products = (centred * counts[part, None]).T @ centred + within[part].T @ within[part]
            total += left * n / (n - 1) * products
        return total

    def crossed_by(self, groups: Ints) -> bool:
        """Say whether some group has rows in several strata."""
        return len(np.unique(np.column_stack([groups, self.codes]), axis=0)) > len(np.unique(groups))

    def means(self, influences: Array, weights: Array) -> Array:
        """Return the mean influence in each stratum (a column) for each estimate (a row)."""
        sums = [
            np.bincount(self.codes, weights=row, minlength=len(self.labels))
            for row in (weights, *(influences * weights))
        ]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.stack(sums[1:]) / sums[0])

    def centred(self, influences: Callable[[slice], Array], weights: Array) -> Callable[[slice], Array]:
        """Return the influences of some rows around the mean of their stratum."""
        means = self.means(influences(slice(None)), weights)[:, self.codes]
        return lambda part: influences(part) - means[:, part]

    def kept(self, weights: Array, whole: Array) -> Array:
        """Return many weightings of the rows, in which each stratum has the weight that it has in the whole."""
        member = self.codes[:, None] == np.arange(len(self.labels))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(weights * ((whole @ member) / (weights @ member))[:, self.codes])

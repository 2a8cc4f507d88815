"""Strata: rows sampled separately within parts of a pool whose shares are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.types import Array, Ints


@dataclass(frozen=True, eq=False)
class Strata:
    """The stratum of each distinct row, the strata's names, and what is left to vary when a pool is nearly used up.

    ``left`` is 1 − n_h/N_h for a finite pool sampled without replacement, and 1 otherwise.
    """

    codes: Ints
    labels: tuple[Any, ...]
    left: tuple[float, ...]

    def __getitem__(self, rows: Any) -> Strata:
        """Return the strata of some of the rows."""
        return Strata(self.codes[rows], self.labels, self.left)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Ints:
        return np.asarray(self.codes, dtype=dtype)

    def joined(self, other: Strata) -> Strata:
        """Return the strata of two tables one after the other; a stratum of both must be of the same pool."""
        labels = tuple(dict.fromkeys((*self.labels, *other.labels)))
        held: dict[Any, float] = {}
        for label, left in (*zip(self.labels, self.left, strict=True), *zip(other.labels, other.left, strict=True)):
            if held.setdefault(label, left) != left:
                raise InputError(
                    f"tables to add have sampled different parts of the pool of stratum {label!r}, so its "
                    "finite-population factor is unknown; build one table of all rows"
                )
        place = np.array([labels.index(label) for label in other.labels], dtype=np.int64)
        codes = np.concatenate([self.codes, place[other.codes]])
        return Strata(codes, labels, tuple(held[label] for label in labels))

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

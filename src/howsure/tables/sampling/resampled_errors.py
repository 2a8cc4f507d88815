"""The weights of the rows drawn in a bootstrap, and the standard error in each resample, for studentised limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.errors import MethodError
from howsure.errors.messages import tables as messages
from howsure.types import Array

if TYPE_CHECKING:
    from howsure.tables.design import Design, Resample


def drawn_weights(design: Design, drawn: Array, rng: np.random.Generator) -> Array:
    """Return the sums of weights of drawn rows: exact if equal, else a gamma with their mean and variance."""
    held = np.where(design.counts > 0, design.counts, 1.0)
    mean = design.weights / held
    variance = np.maximum(design.squares / held - mean**2, 0.0)
    total = drawn * mean
    if not variance.any():
        return total
    spread = drawn * variance
    shape = np.divide(total**2, spread, out=np.ones_like(total), where=spread > 0)
    scale = np.divide(spread, total, out=np.zeros_like(total), where=(spread > 0) & (total > 0))
    return np.where(spread > 0, rng.gamma(shape, scale), total)


def resampled_errors(design: Design, influences: Array, sample: Resample) -> Array:
    """Return the standard error in each resample from that resample's own influences, not centred."""
    if design.strata is not None:
        raise MethodError(messages.KIND_IS_STUDENTISED_IS_NOT_MADE())
    drawn = sample.drawn
    if design.groups is None:
        share = drawn / drawn.sum(1, keepdims=True)
        centred = influences - (share * np.where(share > 0, influences, 0)).sum(1, keepdims=True)
        return np.asarray(np.sqrt((share * np.where(share > 0, centred, 0) ** 2).sum(1) / drawn.sum(1)))
    size = drawn.shape[1]
    member = np.zeros((len(design), size))
    member[np.arange(len(design)), design.group_codes] = design.weights
    total = drawn @ member.sum(0)
    mean = ((influences @ member) * drawn).sum(1) / total
    sums = (influences - mean[:, None]) @ member
    return np.asarray(np.sqrt((drawn * sums**2).sum(1) * size / (size - 1)) / total)

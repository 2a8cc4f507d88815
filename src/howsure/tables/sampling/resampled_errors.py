"""The standard error in each resample of a bootstrap, for studentised limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from howsure.errors import MethodError
from howsure.errors.messages import tables as messages
from howsure.types import Array

if TYPE_CHECKING:
    from howsure.tables.design import Design, Resample


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

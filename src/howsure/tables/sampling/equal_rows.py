"""Equal rows: the first of each kind, and the kind of every row."""

from __future__ import annotations

import numpy as np

from howsure.types import Ints


def distinct(keys: Ints) -> tuple[Ints, Ints]:
    """Return the positions of the first of each distinct row (sorted), and the number of each row's kind."""
    single, size = np.zeros(len(keys), dtype=np.int64), 1
    for column in keys.T:
        span = int(column.max(initial=0)) + 1
        if size * span > 2**62:
            _, single = np.unique(single, return_inverse=True)
            size = int(single.max(initial=0)) + 1
        single, size = single * span + column, size * span
    _, first, kind = np.unique(single, return_index=True, return_inverse=True)
    return first, kind

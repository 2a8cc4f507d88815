"""Tables of two models on the same rows, by their counts[truth, a, b]."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import strategies as st

import howsure as hs
from howsure.studies.joint_coverage import table_of_cells

Z = 1.959963984540054
CELLS = np.array(list(itertools.product((0, 1), repeat=3)))
cubes = st.lists(st.integers(0, 25), min_size=8, max_size=8).filter(lambda cells: sum(cells) > 3)


def cube(counts) -> hs.Table:
    """Return the table of counts[truth, a, b]."""
    return table_of_cells(CELLS, np.asarray(counts, dtype=float).ravel(), ("a", "b")).merged()


EXAMPLE = cube([150, 12, 9, 14, 10, 22, 8, 75])

"""What the property tests draw from: confusion counts, and every metric that a table of so many classes has."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import howsure as hs
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.names import AVERAGES, KNOWN, named

PARAMETRIC = ("f3", "tversky(0.3,1.7)", "ppv_at(0.02)", "npv_at(0.3)")
LETTERS = tuple("abcdefghijkl")


def some(share: int) -> settings:
    """Return settings for a property that loops over the whole catalogue: a part of the usual examples."""
    return settings(max_examples=max(settings.default.max_examples // share, 5))


@lru_cache
def one_class_metrics() -> tuple[hs.Metric, ...]:
    """Return every metric of a single class: the catalogue's, and those with parameters."""
    return tuple(entry for entry in (*CATALOGUE, *map(named, PARAMETRIC)) if entry.over == "class")


@lru_cache
def averaged_metrics() -> tuple[hs.Metric, ...]:
    """Return the macro, micro and weighted average of every metric that has a value for one class."""
    bases = [entry for entry in (*CATALOGUE, *map(named, PARAMETRIC)) if entry.over != "row" and entry.scores is None]
    bases = [entry for entry in bases if not entry.name.startswith(tuple(AVERAGES))]
    names = [f"{kind}_{base.name}" for base in bases for kind in ("macro", "micro", "weighted")]
    return tuple(named(name) for name in names if name not in KNOWN)


@lru_cache
def metrics_for(classes: int) -> tuple[hs.Metric, ...]:
    """Return every metric of a table with labels a, b, c …, of which the last is the positive one."""
    every = [entry for entry in CATALOGUE if entry.over == "classes"]
    single = [hs.of_class(base, LETTERS[0]) for base in one_class_metrics()]
    part = hs.micro("f1", without=[LETTERS[0]])
    return (*one_class_metrics(), *every, *averaged_metrics(), *single, part)


def count_matrices(
    *, classes: st.SearchStrategy[int] | None = None, least: int = 0, most: int = 40
) -> st.SearchStrategy[np.ndarray]:
    """Draw K×K confusion counts."""
    return (st.integers(2, 5) if classes is None else classes).flatmap(
        lambda width: st.lists(st.integers(least, most), min_size=width**2, max_size=width**2).map(
            lambda cells: np.array(cells, dtype=float).reshape(width, width)
        )
    )


def lettered(counts: np.ndarray) -> hs.Table:
    """Return the table of counts with labels a, b, c …, of which the last is the positive one."""
    labels = LETTERS[: len(counts)]
    return hs.matrix(counts, rows="truth", labels=labels, pos_label=labels[-1])


WHOLE = 2.0**53


def are_shares(counts: np.ndarray) -> bool:
    """Say whether fractions sum to about 1: they are taken for shares of rows, and refused without ``n``."""
    return bool((counts != np.round(counts)).any()) and 0.97 < counts.sum() < 1.03


@st.composite
def wild_matrices(draw: st.DrawFn, *, most: int = 40) -> np.ndarray:
    """Draw K×K counts of any kind: empty cells, whole and fractional ones, up to 1e15, a few classes or forty.

    Drawing 1 600 cells one by one would be slow: hypothesis draws what kind of table it is, and a seed for the cells.
    """
    width = draw(st.one_of(st.integers(2, 6), st.sampled_from([12, 25, most])))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    top = draw(st.sampled_from([1.0, 3.0, 40.0, 1e4, 1e9, 1e15]))
    cells = random.random((width, width)) ** draw(st.sampled_from([1, 3])) * top
    cells[random.random((width, width)) < draw(st.sampled_from([0.0, 0.3, 0.9]))] = 0
    cells += np.diag(random.random(width)) * draw(st.sampled_from([0.0, 20.0])) * top
    cells = cells if draw(st.booleans()) else np.round(cells)
    cells = cells * min(1.0, 0.9 * WHOLE / max(cells.sum(), 1.0))
    return cells * 2 if are_shares(cells) else cells


LEVELS = st.one_of(st.floats(0.5, 1 - 1e-9), st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.999999, 1 - 1e-9]))

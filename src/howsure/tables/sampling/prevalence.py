"""Another prevalence: rows weighted so that their true classes have known shares, as in another population.

The shares are known, so only what happens within a true class varies: the classes are strata, of which each has its
share whatever the sample (post-strata). Groups may run through several of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.errors import InputError, is_number, quoted
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import find_label
from howsure.results.words import brief, units
from howsure.tables.strata import Strata
from howsure.types import Array, Ints

if TYPE_CHECKING:
    from howsure.metrics.metric import Metric
    from howsure.tables.contents import Contents
    from howsure.tables.design import Design
    from howsure.tables.table import Table

FEWEST = 2  # rows of a class without which there is no variance


def at_prior(table: Table, metric: Metric) -> tuple[Table, Metric]:
    """Return the table weighted to the prevalence that a metric names, and the metric as it is there."""
    if metric.prior is None:
        return table, metric
    return weighted_table(table, metric.prior, metric.label), replace(metric, prior=None)


def weighted_table(table: Table, prevalence: Any, label: Any = None) -> Table:
    """Return the table with its rows weighted to a share of the positive class, or to one of each class."""

    def weighted(part: Table) -> Table:
        return replace(part, design=weighted_to(part.contents, part.design, prevalence, label))

    return table.contents.through(table, weighted)


def weighted_to(contents: Contents, design: Design, prevalence: Any, label: Any = None) -> Design:
    """Return the design with rows weighted to the share of the positive class, or of each class of a mapping.

    Rows of class y weigh π_y/n_y; a row that had a weight keeps it beside those of its class. Then the value is the
    metric at those weights, and its variance Σ_y π_y² s²_y(φ)/n_y, φ the influence of a row (Särndal, Swensson &
    Wretman 1992, section 7.6: post-strata).
    """
    truth: Ints | None = None if contents.several else getattr(contents, "truth", None)
    if truth is None or not contents.negatives:
        lack = f"hold {contents.holds}" if contents.negatives else messages.DO_NOT_COUNT_TRUE_NEGATIVES()
        raise InputError(messages.PREVALENCE_NEEDS_TRUE_CLASS_OF_EVERY(lack=lack))
    if design.strata is not None:
        raise InputError(messages.PREVALENCE_ROWS_OF_TABLE_HAVE_STRATA())
    codes, names, shares = _classes(contents, truth, prevalence, label)
    rows, weight = (np.bincount(codes, weights=part, minlength=len(names)) for part in (design.counts, design.weights))
    few = [
        f"{units(number, 'row')} of class {name!r}" for name, number in zip(names, rows, strict=True) if number < FEWEST
    ]
    if few:
        raise InputError(messages.PREVALENCE_TABLE_EACH_CLASS_NEEDS_TWO(few=" and ".join(few)))
    factor = (shares * design.total / weight)[codes]
    words = f"a prevalence of {brief(float(prevalence))}" if is_number(prevalence) else "a prior of the classes"
    return replace(
        design, weights=design.weights * factor, squares=design.squares * factor**2,
        cubes=design.cubes * factor**3,
        strata=Strata(codes, names, (1.0,) * len(names), words),
    )  # fmt: skip


def _classes(contents: Contents, truth: Ints, given: Any, label: Any) -> tuple[Ints, tuple[Any, ...], Array]:
    """Return the class of each row, the names of the classes, and their shares."""
    if isinstance(given, Mapping):
        return truth.astype(np.int64), contents.labels, _prior(contents.labels, given)
    if not is_number(given) or not 0 < given < 1:
        raise InputError.of("prevalence", given, messages.NUMBER_BETWEEN_0_AND_1_SHARE())
    positive = contents.pos_label if label is None else label
    if positive is None:
        raise InputError(messages.PREVALENCE_AND_NO_CLASS_IS_POSITIVE(given=given, labels=quoted(contents.labels)))
    place = find_label(positive, contents.labels, argument="label")
    rest = next((name for name in contents.labels if name != contents.labels[place]), "the rest")
    others = rest if len(contents.labels) == 2 else "the rest"
    return (truth == place).astype(np.int64), (others, contents.labels[place]), np.array([1.0 - given, float(given)])


def _prior(labels: tuple[Any, ...], given: Mapping[Any, float]) -> Array:
    """Return the share of each class; refuse shares that are none."""
    if set(given) != set(labels):
        raise InputError(messages.PREVALENCE_NAMES_BUT_CLASSES(given=quoted(given), labels=quoted(labels)))
    shares = [given[label] for label in labels]
    if not all(is_number(share) and 0 < share < 1 for share in shares) or abs(sum(shares) - 1) > 1e-6:
        raise InputError.of("prevalence", dict(given), messages.SHARES_OF_CLASSES_MUST_LIE_BETWEEN())
    return np.array(shares, dtype=float) / float(sum(shares))

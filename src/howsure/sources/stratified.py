"""hs.stratified: data labelled separately within parts of a pool, such as predicted positives and negatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError, first_given, is_number, quoted
from howsure.errors.messages.sources import doors as messages
from howsure.metrics.metric import Label
from howsure.results.sentences.phrases import marked
from howsure.sources.kinds.labels import named_predictions, table
from howsure.tables.strata import Strata
from howsure.tables.table import Table
from howsure.types import Array


def stratified(
    y_true: Any = None,
    y_pred: Any = None,
    *,
    strata: Any = None,
    shares: Mapping[Any, float] | None = None,
    pool: Mapping[Any, int | float] | None = None,
    sample_weight: Any = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    groups: Any = None,
    **more: Any,
) -> Table:
    """Count rows that were labelled separately within strata, and weight each stratum to its share of the pool.

    ``strata`` names the stratum of each row; without it, the predicted class (of one model). ``shares`` gives each
    stratum's share of the pool, ``pool`` its number of rows there: then labels are taken as drawn without replacement
    and the error shrinks by 1 − n_h/N_h. Values come out for the pool, and the variance of any metric is
    Σ W_h²·s_h²(φ)/n_h, φ the influence of a row, with two hidden rows of any label in each stratum. ``sample_weight``
    in place of both is how many rows of the pool each row stands for, as ``hs.choose`` says it: the same for all rows
    of a stratum, and their sum is its pool. Groups must lie within strata. ``more`` goes to ``hs.table``: ``values=``
    and ``range=`` in place of labels, or ``judge=``: then every row of the pool may be given, ``y_true`` missing where
    nobody looked, and without ``pool`` and ``shares`` those rows are the pool. The judge moves each stratum to what it
    says of the stratum's other rows.

    >>> t = stratified([1, 1, 0, 1, 0, 0, 0, 1], [1, 1, 1, 1, 0, 0, 0, 0], shares={1: 0.1, 0: 0.9})
    >>> from howsure import estimate
    >>> [round(estimate(t, name, method="wald").value, 10) for name in ("precision", "prevalence")]
    [0.75, 0.3]
    """
    column = _column(y_pred) if strata is None else strata
    sampled = column if groups is None else groups
    made = table(
        y_true, y_pred, labels=labels, pos_label=pos_label, groups=sampled, sample_weight=sample_weight, **more
    )  # fmt: skip
    if not made.contents.stratifies:
        raise InputError(messages.Y_TRUE_HOLDS_SEVERAL_LABELS_PER_ROW())
    assert made.groups is not None
    if groups is None:
        codes, names = np.asarray(made.groups), made.group_labels
        made = replace(made, design=made.design.without_groups())
    else:
        codes, names = _nested(made, groups, column)
    if sample_weight is not None:
        pool = _summed_weights(made, codes, names, {"shares": shares, "pool": pool})
    return _weighted(made, codes, names, shares, pool)


def to_pool(
    counted: Table, *, shares: Mapping[Any, float] | None = None, pool: Mapping[Any, int | float] | None = None
) -> Table:
    """Weight a counted table to a pool: its groups are taken as the strata, or without groups its predicted classes.

    Strata are matched by what they are called, so the names may be text, as a command line gives them.
    """
    codes, names = _strata_of(counted)
    called = {str(name): name for name in names}
    asked = [
        None if sizes is None else {called.get(str(name), name): size for name, size in sizes.items()}
        for sizes in (shares, pool)
    ]
    return _weighted(replace(counted, design=counted.design.without_groups()), codes, names, *asked)


def to_pool_by_weight(counted: Table) -> Table:
    """Weight a counted table to the pool that its weights say: how many rows of it each row stands for."""
    codes, names = _strata_of(counted)
    pool = _summed_weights(counted, codes, names, {})
    return _weighted(replace(counted, design=counted.design.without_groups()), codes, names, None, pool)


def _strata_of(counted: Table) -> tuple[Array, tuple[Any, ...]]:
    """Return the stratum of each row of a counted table: its group, or the one model's predicted class."""
    if not counted.contents.stratifies:
        raise InputError(messages.TABLE_HOLDS_SEVERAL_LABELS_PER_ROW())
    if counted.groups is not None:
        return np.asarray(counted.groups), counted.group_labels
    if len(counted.models) > 1 or not counted.labels:
        raise InputError(messages.STRATA_IS_MISSING_AND_TABLE_HOLDS(models=quoted(counted.models)))
    seen, codes = np.unique(counted.contents.keys()[:, 1], return_inverse=True)
    return codes, tuple(counted.labels[code] for code in seen)


def _weighted(
    made: Table, codes: Array, names: tuple[Any, ...], shares: Mapping[Any, float] | None,
    pool: Mapping[Any, int | float] | None,
) -> Table:  # fmt: skip
    """Return the table with each stratum weighted to its share of the pool."""
    known = made.contents.known
    if shares is None and pool is None and not known.all():
        pool = dict(zip(names, np.bincount(codes, weights=made.counts, minlength=len(names)).tolist(), strict=True))
    sampled = np.bincount(codes, weights=made.counts * known, minlength=len(names))
    share, left = _shares(names, sampled, shares, pool)
    parts = (sampled, np.bincount(codes, weights=made.counts * ~known, minlength=len(names)))
    each = [share * part.sum() / np.where(part > 0, part, 1.0) for part in parts]
    weight = np.where(known, each[0][codes], each[1][codes])
    design = replace(
        made.design,
        weights=made.counts * weight,
        squares=made.counts * weight**2,
        cubes=made.counts * weight**3,
        strata=Strata(codes, names, left),
    )
    return replace(made, design=design, notes=(*made.notes, *_one_sided(made, codes, names, sampled)))


def _summed_weights(
    made: Table, codes: Array, names: tuple[Any, ...], given: Mapping[str, Any]
) -> dict[Any, int | float]:
    """Return the rows that the labelled ones of each stratum stand for together."""
    if astray := first_given(given):
        raise InputError(messages.GIVEN_BESIDE_SAMPLE_WEIGHT(name=astray))
    design, known = made.design, made.contents.known  # rows that only a judge answered stand for nothing
    each = design.weights / design.counts
    spread = np.maximum(design.squares - design.weights * each, 0.0) / design.counts
    for code, name in enumerate(names):
        part = (codes == code) & known
        if not part.any():
            continue
        if np.ptp(each[part]) > 1e-6 * each[part].max() or spread[part].max() > 1e-12 * each[part].max() ** 2:
            raise InputError(
                messages.SAMPLE_WEIGHT_IN_STRATUM(least=each[part].min(), most=each[part].max(), name=name)
            )
    totals = np.bincount(codes, weights=design.weights * known, minlength=len(names))
    return dict(zip(names, totals.tolist(), strict=True))


def _column(y_pred: Any) -> Any:
    if y_pred is None:
        raise InputError(messages.STRATA_IS_MISSING())
    predictions = named_predictions(y_pred)
    if len(predictions) != 1:
        raise InputError(
            messages.STRATA_IS_MISSING_AND_Y_PRED_HOLDS(number=len(predictions), predictions=quoted(predictions))
        )
    return next(iter(predictions.values()))


def _nested(made: Table, groups: Any, column: Any) -> tuple[Array, tuple[Any, ...]]:
    """Return each distinct row's stratum from that of its group."""
    of_group: dict[Any, Any] = {}
    for group, stratum in zip(np.asarray(groups).tolist(), np.asarray(column).tolist(), strict=True):
        if of_group.setdefault(group, stratum) != stratum:
            raise InputError(messages.GROUP_HAS_ROWS_IN_STRATA(group=group, of_group=of_group[group], stratum=stratum))
    names = tuple(sorted(set(of_group.values()), key=str))
    place = np.array([names.index(of_group[group]) for group in made.group_labels], dtype=np.int64)
    return place[made.groups], names


def _shares(
    names: tuple[Any, ...], sampled: Array, shares: Mapping[Any, float] | None, pool: Mapping[Any, int | float] | None
) -> tuple[Array, tuple[float, ...]]:
    """Return the share of each stratum and what is left of its pool."""
    if (shares is None) == (pool is None):
        raise InputError(messages.GIVE_ONE_OF_SHARES())
    argument, given = ("shares", shares) if pool is None else ("pool", pool)
    if not isinstance(given, Mapping):
        raise InputError.of(argument, given, messages.MAP_EACH_STRATUM_TO_NUMBER())
    odd = [name for name in given if name not in names] + [name for name in names if name not in given]
    if odd:
        raise InputError(messages.NAMES_BUT_LABELLED_ROWS(argument=argument, given=quoted(given), names=quoted(names)))
    for name in names:
        if not is_number(given[name]):
            raise InputError(
                messages.FOR_STRATUM_EACH_NEEDS_FINITE_NUMBER(argument=argument, given=given[name], name=name)
            )
    sizes = np.array([float(given[name]) for name in names])
    if not (np.isfinite(sizes).all() and (sizes > 0).all()):
        raise InputError(messages.HOLDS_EVERY_STRATUM_NEEDS_FINITE_NUMBER(argument=argument, least=sizes.min()))
    few = [(name, n) for name, n in zip(names, sampled.tolist(), strict=True) if n < 2]
    if few:
        rows = messages.ONE_LABELLED_ROW() if few[0][1] else messages.NO_LABELLED_ROW()
        raise InputError(messages.STRATUM_HAS_FEW_LABELLED_ROWS(few=few[0][0], rows=rows))
    if pool is None:
        if abs(sizes.sum() - 1) > 1e-6:
            raise InputError(messages.SHARES_SUM_THEY_MUST_SUM(sizes=sizes.sum()))
        return sizes / sizes.sum(), (1.0,) * len(names)
    if (sampled > sizes).any():
        place = int(np.argmax(sampled > sizes))
        raise InputError(messages.POOL_ROWS_IN_STRATUM(sizes=sizes[place], names=names[place], sampled=sampled[place]))
    return sizes / sizes.sum(), tuple((1 - sampled / sizes).tolist())


def _one_sided(made: Table, codes: Array, names: tuple[Any, ...], sampled: Array) -> list[str]:
    """Return a note on each stratum whose labels are all the same: its spread is then unseen, not zero."""
    supports = [made.contents.support(made.counts * (codes == code)) for code in range(len(names))]
    seen = [np.flatnonzero(support > 0) for support in supports]
    return [
        marked("one-sided stratum", name=name, n=f"{n:g}", label=made.labels[truths[0]], most=f"{3 / n:.2g}")
        for name, n, truths in zip(names, sampled, seen, strict=True)
        if len(truths) == 1
    ]

"""hs.choose: which rows to label next, so that few labels say most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.errors import InputError, arg, check_seed, check_whole, quoted, setting
from howsure.metrics.metric import Label, Metric
from howsure.metrics.names import MetricLike, named
from howsure.planning.allocation import LEAST, StrataCells, pool_of, whole_labels
from howsure.results.base import Note
from howsure.results.plans.choice import Choice, ChosenRows
from howsure.sources.arrays.numbers import by_model, check_equal_lengths
from howsure.sources.files.request import ReadRequest
from howsure.sources.kinds.ratings import labels_with_gaps
from howsure.sources.rows.annotations import read_with_gaps
from howsure.tables.table import positive_of
from howsure.types import Array, Ints

OTHER = "other"
NO_ANSWER = "no answer"
PRIOR = 2.0  # rows that repeat what judge and models say, beside the labels of a stratum
AMISS = 0.02  # of them have any label: judge and model may be wrong alike


@dataclass(frozen=True)
class _Sides:
    """What stands in each row: the truth where it is known (−1 elsewhere), what judges say, what models predict.

    A row of a Table stands for ``counts`` equal ones.
    """

    truth: Ints
    judges: Ints
    models: Ints
    labels: tuple[Label, ...]
    names: tuple[str, ...]
    counts: Array

    @property
    def said(self) -> Ints:
        """What judges and models say, a column each."""
        return np.concatenate([self.judges, self.models], axis=1)

    @property
    def who(self) -> str:
        """Who may differ, in words: a name of the catalogue of sentences."""
        if not self.judges.shape[1]:
            return "models"
        return "judge and model" if self.models.shape[1] == 1 else "judge and models"


@dataclass(frozen=True)
class _Kinds:
    """The strata of a pool: the rows of each, what is said there (−1 for no answer), how many have which true label."""

    names: tuple[str, ...]
    of_row: Ints
    apart: Array
    size: Array
    truths: Array

    @property
    def had(self) -> Array:
        """Labels that there are."""
        return np.asarray(self.truths.sum(1))


def choose(
    source: Any = None,
    *,
    n: int,
    truth: Any = None,
    judge: Any = None,
    predictions: Any = None,
    id: str | None = None,
    ids: Any = None,
    metric: MetricLike | None = None,
    pos_label: Label | None = None,
    seed: int = 0,
    format: str | None = None,
) -> Choice:
    """Choose n rows of a pool to label next: at random within strata judge × prediction, and never none of a stratum.

    ``source`` is a file or frame, and ``truth`` (empty where nobody looked), ``judge``, ``predictions`` and ``id`` name
    its columns; or the columns themselves are given, with ``ids``. Rows that have a label are never chosen; they must
    be a random draw, of the pool or within each stratum. Several judges or models make finer strata.

    A stratum gets labels by its size times how much its rows move the ``metric`` (accuracy unless named; Neyman 1934),
    by the labels so far and two rows that repeat what judge and models say, 2% of them anything. Where judge and model
    differ the truth is open, so about half of the labels go there. Strata that would get fewer than two labels are
    taken as one, "other".

    >>> c = choose(judge=[1] * 60 + [0] * 40, predictions={"bert": [1] * 50 + [0] * 50}, n=20)
    >>> c.by_stratum
    {'judge 0, bert 0': 4, 'judge 1, bert 0': 10, 'judge 1, bert 1': 6}
    >>> len(c.rows), round(sum(c.weights), 9)
    (20, 100.0)
    """
    check_whole("n", n, 1, "give it such as 200")
    check_seed(seed)
    sides, names, notes = _columns(source, truth, judge, predictions, id, ids, format)
    chosen = named("accuracy" if metric is None else metric)
    free = int(sides.counts[sides.truth < 0].sum())
    if n > free:
        raise InputError.of("n", n, f"only {free} rows have no label", "choose fewer")
    if n + sides.counts[sides.truth >= 0].sum() < LEAST:
        raise InputError.of("n", n, f"an estimate needs {LEAST} labels or more")
    kinds = _kinds(sides)
    kinds = _joined(kinds, _shared_out(sides, kinds, n, chosen, pos_label))
    while (_least(kinds) - kinds.had).sum() > n:
        kinds = _joined(kinds, np.where(np.argsort(np.argsort(kinds.size)) < 2, 0.0, LEAST))
    sizes = _shared_out(sides, kinds, n, chosen, pos_label)
    total = whole_labels(int(kinds.had.sum()) + n, sizes, _least(kinds), kinds.size)
    new = (total - kinds.had).astype(int)
    rng = np.random.default_rng(seed)
    drawn = [
        np.sort(rng.choice(np.flatnonzero((kinds.of_row == place) & (sides.truth < 0)), size=wanted, replace=False))
        for place, wanted in enumerate(new.tolist())
    ]
    weight = kinds.size / total

    def rows_of(rows: Ints) -> ChosenRows:
        strata = kinds.of_row[rows]
        return ChosenRows(
            tuple(rows.tolist()), tuple(names[row] for row in rows.tolist()), tuple(kinds.names[at] for at in strata),
            tuple(weight[strata].tolist()),
        )  # fmt: skip

    return Choice(
        n=n, by_stratum=dict(zip(kinds.names, new.tolist(), strict=True)), who=sides.who, seed=seed,
        pool=dict(zip(kinds.names, kinds.size.tolist(), strict=True)),
        had=dict(zip(kinds.names, kinds.had.tolist(), strict=True)),
        apart=tuple(name for name, apart in zip(kinds.names, kinds.apart, strict=True) if apart),
        chosen=rows_of(np.sort(np.concatenate(drawn))), labelled=rows_of(np.flatnonzero(sides.truth >= 0)),
        metric=chosen.name, notes=tuple(map(Note, notes)),
    )  # fmt: skip


# --- columns ------------------------------------------------------------------------------------------------------


def _columns(
    source: Any, truth: Any, judge: Any, predictions: Any, id: str | None, ids: Any, format: str | None
) -> tuple[_Sides, Sequence[Any], list[str]]:
    """Return what stands in each row, the rows' names, and notes."""
    if predictions is None:
        raise InputError(f"{arg('predictions')} is missing; name the model or models whose score is wanted")
    if source is None:
        if id is not None:
            raise InputError(f"{arg('id')} names a column of a file; give the names themselves with {setting('ids')}")
        return _of_arrays(truth, judge, predictions, ids)
    if ids is not None:
        raise InputError(f"{arg('ids')} goes with columns in memory; of a file name its column with {setting('id')}")
    judges, models = _named(judge, "judge"), _named(predictions, "predictions")
    wanted = {column: argument for argument, held in (("judge", judges), ("predictions", models)) for column in held}
    if isinstance(truth, str):
        wanted[truth] = "truth"
    elif truth is not None:
        raise InputError.of("truth", truth, "of a file it must be the name of a column")
    extra = {} if id is None else {id: "id"}
    made = read_with_gaps(source, ReadRequest(format=format), wanted, extra)
    held = {column: made.names[column] for column in wanted}
    sides, rows, notes = _of_arrays(
        None if truth is None else held[truth], {name: held[name] for name in judges} or None,
        {name: held[name] for name in models}, None if id is None else made.names[id],
    )  # fmt: skip
    return sides, rows, [*made.notes, *notes]


def _named(columns: Any, argument: str) -> list[str]:
    if columns is None:
        return []
    found = [columns] if isinstance(columns, str) else list(columns) if isinstance(columns, Sequence) else None
    if found is None or not all(isinstance(one, str) for one in found):
        raise InputError.of(argument, columns, "of a file it must be the name of a column, or a list of them")
    return found


def _of_arrays(truth: Any, judge: Any, predictions: Any, ids: Any) -> tuple[_Sides, Sequence[Any], list[str]]:
    judges = {} if judge is None else dict(judge) if isinstance(judge, Mapping) else {"judge": judge}
    models = by_model("predictions", predictions, of="predictions")
    named_columns = {**judges, **models}
    if len(named_columns) < len(judges) + len(models):
        raise InputError(f"{arg('judge')} and predictions have a name in common: {quoted(models)}; give each its own")
    every = named_columns | ({} if truth is None else {"truth": truth})
    codes, labels = labels_with_gaps(every)
    place = {name: at for at, name in enumerate(every)}
    rows = len(codes)
    known = np.full(rows, -1) if truth is None else codes[:, place["truth"]]
    empty = [name for name in models if (codes[:, place[name]] < 0).any()]
    if empty:
        raise InputError(f"{arg('predictions')} has rows without a label of {quoted(empty)}; a model answers every row")
    names = list(range(rows)) if ids is None else list(np.asarray(ids, dtype=object))
    check_equal_lengths({"predictions": rows, "ids": len(names)})
    if len(set(names)) < rows:
        raise InputError(f"{arg('ids')} names some rows twice; each row needs a name of its own")
    chosen = codes[:, [place[name] for name in judges]], codes[:, [place[name] for name in models]]
    return _Sides(known, *chosen, labels, (*judges, *models), np.ones(rows)), names, []


# --- strata -------------------------------------------------------------------------------------------------------


def _kinds(sides: _Sides) -> _Kinds:
    """Return a stratum for everything that judges and models say together."""
    seen, of_row = np.unique(sides.said, axis=0, return_inverse=True)
    of_row = of_row.ravel()

    def name(row: Sequence[int]) -> str:
        words = (f"{who} {NO_ANSWER if at < 0 else sides.labels[at]}" for who, at in zip(sides.names, row, strict=True))
        return ", ".join(words)

    apart = (seen != seen[:, :1]).any(1) | (seen < 0).any(1)
    truths = np.zeros((len(seen), len(sides.labels)))
    known = sides.truth >= 0
    np.add.at(truths, (of_row[known], sides.truth[known]), sides.counts[known])
    size = np.bincount(of_row, weights=sides.counts)
    return _Kinds(tuple(map(name, seen.tolist())), of_row, apart, size, truths)


def _joined(kinds: _Kinds, sizes: Array) -> _Kinds:
    """Return the strata with those taken as one that would get fewer than two labels, with company if need be."""
    small = (sizes < LEAST) | (kinds.size < LEAST)
    for place in np.argsort(kinds.size, kind="stable"):  # one alone is no company: the next in size joins it
        if not small.any() or (small.sum() > 1 and kinds.size[small].sum() >= LEAST):
            break
        small[place] = True
    if not small.any():
        return kinds
    small |= np.array(kinds.names) == OTHER
    kept = np.flatnonzero(~small)
    place = np.full(len(small), len(kept))
    place[kept] = np.arange(len(kept))
    of_row = place[kinds.of_row]
    truths = np.zeros((len(kept) + 1, kinds.truths.shape[1]))
    np.add.at(truths, place, kinds.truths)
    apart = np.append(kinds.apart[kept], kinds.size[small] @ kinds.apart[small] > kinds.size[small].sum() / 2)
    names = (*(kinds.names[at] for at in kept), OTHER)
    return _Kinds(names, of_row, apart, np.bincount(place, weights=kinds.size), truths)


def _least(kinds: _Kinds) -> Array:
    """Return the labels that each stratum must have: those it has, and two where there are as many rows."""
    return np.maximum(kinds.had, np.minimum(kinds.size, LEAST))


def _shared_out(sides: _Sides, kinds: _Kinds, n: int, metric: Metric, pos_label: Label | None) -> Array:
    """Return how labels are best shared between the strata, by the labels so far and what judge and models say."""
    guess = _guessed(sides, kinds)
    share = kinds.size / kinds.size.sum()
    positive = positive_of(sides.labels) if pos_label is None else pos_label
    squares = np.zeros(len(share))
    for model in sides.models.T:
        # A stratum of several predicted classes ("other") is split by them, and its parts are put together again.
        parts = np.zeros((len(share), len(sides.labels)))
        np.add.at(parts, (kinds.of_row, model), sides.counts)
        stratum, predicted = np.nonzero(parts)
        cells = StrataCells(
            guess[stratum].T * parts[stratum, predicted] / kinds.size.sum(), predicted, sides.labels, positive
        )
        sizes = pool_of(metric, cells).sizes(float(kinds.had.sum()) + n)
        squares += np.square(np.bincount(stratum, weights=sizes, minlength=len(share)))
    return np.asarray(np.sqrt(squares))


def _guessed(sides: _Sides, kinds: _Kinds) -> Array:
    """Return the shares of true labels in each stratum: the labels so far, and a few rows that repeat what is said."""
    said = np.zeros_like(kinds.truths)
    answers = sides.said >= 0
    np.add.at(said, (np.repeat(kinds.of_row, answers.shape[1])[answers.ravel()], sides.said[answers]), 1.0)
    amiss = np.full(said.shape, 1 / said.shape[1])
    repeated = (1 - AMISS) * said / said.sum(1, keepdims=True) + AMISS * amiss
    return np.asarray((kinds.truths + PRIOR * repeated) / (kinds.had + PRIOR)[:, None])

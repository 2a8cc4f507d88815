"""hs.choose: which rows to label next, so that few labels say most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError, check_seed, check_whole, quoted
from howsure.errors.messages import planning as messages
from howsure.metrics.metric import Label
from howsure.metrics.names import MetricLike, named
from howsure.planning.labelling.allocation import LEAST, whole_labels
from howsure.planning.labelling.said_strata import SaidStrata, join_small, least_labels, shared_out, strata_of
from howsure.results.base import Note
from howsure.results.plans.choice import Choice, ChosenRows
from howsure.sources.arrays.numbers import by_model, check_equal_lengths
from howsure.sources.files.request import ReadRequest
from howsure.sources.kinds.ratings import labels_with_gaps
from howsure.sources.rows.annotations import read_with_gaps
from howsure.tables.kinds.annotators.said_rows import SaidRows, said_rows
from howsure.tables.table import Table
from howsure.types import Array, Ints


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
    its columns; or the columns themselves are given, with ``ids``. Of a Table, which knows no single row, it says how
    many to label in each stratum. Rows that have a label are never chosen; they must
    be a random draw, of the pool or within each stratum. Several judges or models make finer strata.

    A stratum gets labels by its size times how much its rows move the ``metric`` (accuracy unless named; Neyman 1934),
    by the labels so far and two rows that repeat what judge and models say, 2% of them anything. Where judge and model
    differ the truth is open, so it gets more labels than its share. Strata that would get fewer than two labels are
    taken as one, "other".

    >>> c = choose(judge=[1] * 60 + [0] * 40, predictions={"bert": [1] * 50 + [0] * 50}, n=20)
    >>> c.by_stratum
    {'judge 0, bert 0': 8, 'judge 1, bert 0': 3, 'judge 1, bert 1': 9}
    >>> len(c.rows), round(sum(c.weights), 9)
    (20, 100.0)
    """
    check_whole("n", n, 1, messages.GIVE_SUCH_AS_200())
    check_seed(seed)
    if isinstance(source, Table):
        others = {"truth": truth, "judge": judge, "predictions": predictions, "id": id, "ids": ids, "format": format}
        sides, names, notes = _of_table(source, others), None, list(map(str, source.notes))
        pos_label = source.pos_label if pos_label is None else pos_label
    else:
        sides, names, notes = _columns(source, truth, judge, predictions, id, ids, format)
    chosen = named("accuracy" if metric is None else metric)
    free = int(sides.counts[sides.truth < 0].sum())
    if n > free:
        raise InputError.of("n", n, messages.ONLY_ROWS_HAVE_NO_LABEL(free=free), messages.CHOOSE_FEWER())
    if n + sides.counts[sides.truth >= 0].sum() < LEAST:
        raise InputError.of("n", n, messages.ESTIMATE_NEEDS_LABELS_OR_MORE(least=LEAST))
    kinds = strata_of(sides)
    kinds = join_small(kinds, shared_out(sides, kinds, n, chosen, pos_label))
    while (least_labels(kinds) - kinds.had).sum() > n:
        kinds = join_small(kinds, np.where(np.argsort(np.argsort(kinds.size)) < 2, 0.0, LEAST))
    sizes = shared_out(sides, kinds, n, chosen, pos_label)
    total = whole_labels(int(kinds.had.sum()) + n, sizes, least_labels(kinds), kinds.size)
    new = (total - kinds.had).astype(int)
    made = Choice(
        n=n, by_stratum=dict(zip(kinds.names, new.tolist(), strict=True)), who=_who(sides), metric=chosen.name,
        pool=dict(zip(kinds.names, kinds.size.tolist(), strict=True)),
        had=dict(zip(kinds.names, kinds.had.tolist(), strict=True)),
        apart=tuple(name for name, apart in zip(kinds.names, kinds.apart, strict=True) if apart),
        notes=tuple(map(Note, notes)),
    )  # fmt: skip
    if names is None:
        return made
    return _drawn(made, sides, kinds, names, kinds.size / total, seed)


def _drawn(
    made: Choice, sides: SaidRows, kinds: SaidStrata, names: Sequence[Any], weight: Array, seed: int
) -> Choice:  # fmt: skip
    """Return the choice with rows drawn at random within each stratum, and those that have a label."""
    rng = np.random.default_rng(seed)
    drawn = [
        rng.choice(np.flatnonzero((kinds.of_row == place) & (sides.truth < 0)), size=wanted, replace=False)
        for place, wanted in enumerate(made.by_stratum.values())
    ]

    def rows_of(rows: Ints, stands_for: Array) -> ChosenRows:
        strata = kinds.of_row[rows]
        return ChosenRows(
            tuple(rows.tolist()), tuple(names[row] for row in rows.tolist()), tuple(kinds.names[at] for at in strata),
            tuple(stands_for[strata].tolist()),
        )  # fmt: skip

    chosen = rows_of(np.sort(np.concatenate(drawn)), weight)
    labelled = rows_of(np.flatnonzero(sides.truth >= 0), weight)
    every = rows_of(np.arange(len(sides.truth)), np.ones_like(weight))
    return replace(made, chosen=chosen, labelled=labelled, every=every, seed=seed)


# --- columns ------------------------------------------------------------------------------------------------------


def _columns(
    source: Any, truth: Any, judge: Any, predictions: Any, id: str | None, ids: Any, format: str | None
) -> tuple[SaidRows, Sequence[Any], list[str]]:
    """Return what stands in each row, the rows' names, and notes."""
    if predictions is None:
        raise InputError(messages.PREDICTIONS_IS_MISSING())
    if source is None:
        if id is not None:
            raise InputError(messages.ID_NAMES_COLUMN_OF_FILE())
        return _of_arrays(truth, judge, predictions, ids)
    if ids is not None:
        raise InputError(messages.IDS_GOES_WITH_COLUMNS_IN_MEMORY())
    judges, models = _named(judge, "judge"), _named(predictions, "predictions")
    wanted = {column: argument for argument, held in (("judge", judges), ("predictions", models)) for column in held}
    if isinstance(truth, str):
        wanted[truth] = "truth"
    elif truth is not None:
        raise InputError.of("truth", truth, messages.COLUMN_OF_FILE())
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
        raise InputError.of(argument, columns, messages.COLUMN_OF_FILE_OR_LIST())
    return found


def _of_arrays(truth: Any, judge: Any, predictions: Any, ids: Any) -> tuple[SaidRows, Sequence[Any], list[str]]:
    judges = {} if judge is None else dict(judge) if isinstance(judge, Mapping) else {"judge": judge}
    models = by_model("predictions", predictions, of="predictions")
    named_columns = {**judges, **models}
    if len(named_columns) < len(judges) + len(models):
        raise InputError(messages.JUDGE_AND_PREDICTIONS_HAVE_NAME(models=quoted(models)))
    every = named_columns | ({} if truth is None else {"truth": truth})
    codes, labels = labels_with_gaps(every)
    place = {name: at for at, name in enumerate(every)}
    rows = len(codes)
    known = np.full(rows, -1) if truth is None else codes[:, place["truth"]]
    empty = [name for name in models if (codes[:, place[name]] < 0).any()]
    if empty:
        raise InputError(messages.PREDICTIONS_HAS_ROWS_WITHOUT_LABEL(empty=quoted(empty)))
    names = list(range(rows)) if ids is None else list(np.asarray(ids, dtype=object))
    check_equal_lengths({"predictions": rows, "ids": len(names)})
    if len(set(names)) < rows:
        raise InputError(messages.IDS_NAMES_SOME_ROWS_TWICE())
    chosen = codes[:, [place[name] for name in judges]], codes[:, [place[name] for name in models]]
    return SaidRows(known, *chosen, labels, (*judges, *models), np.ones(rows)), names, []


def _of_table(table: Table, others: Mapping[str, Any]) -> SaidRows:
    """Return what is said of the rows of a Table."""
    for name, value in others.items():
        if value is not None:
            raise InputError(messages.TABLE_KNOWS_ITS_OWN(name=name, value=value))
    found = said_rows(table)
    if found is None:
        raise InputError(messages.SOURCE_IS_TABLE_WHOSE_ROWS_HOLD())
    if (found.truth >= 0).all():
        raise InputError(messages.SOURCE_IS_TABLE_IN_EVERY_ROW())
    return found


def _who(sides: SaidRows) -> str:
    """Return who may differ: a name of the catalogue of sentences."""
    if not sides.judges.shape[1]:
        return "models"
    return "judge and model" if sides.models.shape[1] == 1 else "judge and models"

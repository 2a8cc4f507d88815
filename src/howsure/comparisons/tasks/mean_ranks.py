"""hs.friedman: mean ranks over tasks, Friedman's test and Nemenyi's critical difference, for who must report them."""

from __future__ import annotations

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages import comparisons as messages
from howsure.estimates.estimate import check_table
from howsure.estimates.tail import Tail
from howsure.metrics.names import MetricLike
from howsure.numerics.pooling.ranks import critical_difference, friedman_test
from howsure.results.base import note_of
from howsure.results.tasks.mean_ranks import MeanRanks
from howsure.tables.covariance import linearise
from howsure.tables.linearised import metric_on
from howsure.tables.table import Table
from howsure.tables.tasks.of_tasks import tables_of_tasks

IGNORES = note_of("ranks ignore", "ranks")


def friedman(table: Table, metric: MetricLike, *, level: float = 0.95) -> MeanRanks:
    """Return mean ranks of the models over tasks, Friedman's test, and Nemenyi's critical difference.

    By name only, for who must report it (Demšar 2006, JMLR 7:1): ``compare_all`` answers what is asked. Equal values in
    a task share their ranks. The p-value is that of Iman & Davenport's F; ``.plot()`` draws the diagram.

    >>> from howsure import table, tasks
    >>> truth = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> one = table(truth, {"a": truth, "b": [1, 1, 0, 1, 0, 0, 0, 0], "c": [1, 0, 0, 1, 0, 1, 0, 0]})
    >>> friedman(tasks({"x": one, "y": one, "z": one}), "accuracy").ranks
    {'a': 1.0, 'b': 2.0, 'c': 3.0}
    """
    check_table(table)
    tail, chosen = Tail(level), metric_on(table, metric)
    if table.design.tasks is None or len(table.design.tasks) < 2 or len(table.models) < 3:
        raise InputError(
            messages.TABLE_HOLDS_TASK(number=len(tables_of_tasks(table)) or 1, models=quoted(table.models))
        )
    if chosen.better is None:
        raise InputError(messages.METRIC_HAS_NO_BETTER_DIRECTION_MODELS(chosen=chosen.name))
    sign = -1.0 if chosen.better == "lower" else 1.0
    each = [
        [linearise(one, metric_on(one, metric), name).value for name in table.models]
        for one in tables_of_tasks(table).values()
    ]
    values = sign * np.array(each)
    told = np.asarray(np.isfinite(values).all(axis=1))
    if told.sum() < 2:
        raise InputError(messages.METRIC_IS_DEFINED_FOR_ALL_MODELS(chosen=chosen.name, told=int(told.sum())))
    found = friedman_test(values[told])
    lost = [name for name, keep in zip(tables_of_tasks(table), told, strict=True) if not keep]
    left = (note_of("left out in", "undefined", metric=chosen.name, names=quoted(lost)),) if lost else ()
    return MeanRanks(
        chosen.name, dict(zip(table.models, found.ranks.tolist(), strict=True)), found.chi_squared,
        found.p_chi_squared, found.f, found.p_value,
        critical_difference(len(table.models), int(told.sum()), tail.level), int(told.sum()), level, (*left, IGNORES),
    )  # fmt: skip

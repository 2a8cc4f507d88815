"""hs.forest: a metric or a difference in each task or study, and what they say together: the meta-analysis."""

from __future__ import annotations

import math

from howsure.comparisons.compare import compare, paired
from howsure.comparisons.methods.task_answers import new_task, unlike, unlike_note
from howsure.errors import InputError
from howsure.errors.messages import comparisons as messages
from howsure.estimates.estimate import check_table, check_undefined, from_linear
from howsure.estimates.methods.tasks import without_precision
from howsure.estimates.tail import Tail
from howsure.metrics.names import MetricLike
from howsure.numerics.pooling.random_effects import Pooled, fixed_effect, hartung_knapp
from howsure.results.sentences.phrases import phrase
from howsure.results.tasks.forest import Forest, ForestRow
from howsure.tables.covariance import linearise
from howsure.tables.linearised import metric_on
from howsure.tables.table import Table
from howsure.tables.tasks.of_tasks import tables_of_tasks, with_tasks
from howsure.tables.tasks.task_values import TaskValues, pooled_spread, task_values
from howsure.types import Undefined


def forest(
    table: Table,
    metric: MetricLike,
    *,
    model: str | None = None,
    a: str | None = None,
    b: str | None = None,
    level: float = 0.95,
    undefined: Undefined = "nan",
) -> Forest:
    """Return a metric of one model, or the difference b − a of two, in each task of a table of tasks, and together.

    Together: on these tasks (by their weights, only rows are sampled), on tasks like these (Student's t between tasks),
    by precision as in a meta-analysis (one common value; random effects by Hartung & Knapp, τ² by Paule & Mandel), and
    on one new task (a prediction interval). Weights by precision need a variance in every task, so they are left out
    where a task has none.

    >>> from howsure import counts, tasks
    >>> t = tasks({"north": counts(tp=40, fp=9, fn=10, tn=41), "south": counts(tp=18, fp=4, fn=2, tn=76)})
    >>> forest(t, "recall")["south"].value
    0.9
    """
    check_table(table)
    check_undefined(undefined)
    if table.design.tasks is None:
        raise InputError(messages.TABLE_HOLDS_NO_TASKS())
    if a is not None or b is not None:
        return _of_difference(table, metric, a, b, level, undefined)
    name, tail, chosen = table.models[table.model_index(model)], Tail(level), metric_on(table, metric)
    one = table.pick(name)
    linear = linearise(one, chosen, None, undefined)
    held = task_values(linear)
    assert held is not None
    each = {
        task: from_linear(linearise(part, metric_on(part, metric), None, undefined), None, tail)
        for task, part in tables_of_tasks(one).items()
    }
    rows = tuple(
        ForestRow(task, found.value, found.low, found.high, found.n, share)
        for (task, found), share in zip(each.items(), held.shares.tolist(), strict=True)
    )
    choices = ("fixed", "random") if len(held.known.names) > 1 else ("fixed",)
    ends = [from_linear(linearise(with_tasks(one, how), chosen, None, undefined), None, tail) for how in choices]
    return _made(
        chosen.name, name, rows, [(end.low, end.high) for end in ends], held, level, chosen.range, linear.contents.unit
    )


def _of_difference(
    table: Table, metric: MetricLike, a: str | None, b: str | None, level: float, undefined: Undefined
) -> Forest:
    made = compare(table, metric, a=a, b=b, level=level, undefined=undefined)
    if made.tasks is None:
        raise InputError(messages.METRIC_IS_UNDEFINED(metric=made.metric, a=made.a, b=made.b))
    two = table.pick(made.a, made.b)
    held = paired(two, metric, made.a, made.b, undefined=undefined).tasks
    assert held is not None
    rows = tuple(ForestRow(row.task, row.difference, row.low, row.high, row.n, row.share) for row in made.by_task)
    answers = [one for one in (made.tasks.fixed, made.tasks.random) if one is not None]
    ends = [(one.low, one.high) for one in answers]
    return _made(made.metric, f"{made.b} − {made.a}", rows, ends, held, level, None, two.contents.unit)


def _made(
    metric: str, model: str, rows: tuple[ForestRow, ...], ends: list[tuple[float, float]], held: TaskValues,
    level: float, span: tuple[float, float] | None, unit: str,
) -> Forest:  # fmt: skip
    known = held.known
    kinds = ("these", "like")
    together = [ForestRow(phrase(kind), held.mean, *end, kind=kind) for kind, end in zip(kinds, ends, strict=False)]
    if len(known.names) > 1:
        if without_precision(known) is None:
            pools = {"common": fixed_effect, "random": hartung_knapp}
            together += [_line(kind, pool(known.values, known.variances), known, level) for kind, pool in pools.items()]
        found, (bottom, top) = new_task(known, level, None), span or (-math.inf, math.inf)
        low, high = max(found.low, bottom), min(found.high, top)  # no task lies beyond the ends of the range
        together.append(ForestRow(phrase("new"), float(known.values.mean()), low, high, kind="new"))
    apart = unlike(known)
    return Forest(
        metric, model, rows, tuple(together), level, span is None, span or (-math.inf, math.inf), apart,
        () if apart is None else (unlike_note(apart, unit),),
    )  # fmt: skip


def _line(kind: str, pooled: Pooled, held: TaskValues, level: float) -> ForestRow:
    half = float(pooled_spread(pooled, held).half(Tail(level)))
    return ForestRow(phrase(kind), pooled.mean, pooled.mean - half, pooled.mean + half, kind=kind)

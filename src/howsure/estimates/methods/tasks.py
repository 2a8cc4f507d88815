"""Interval methods over tasks: means of a meta-analysis, tasks weighted by precision."""

from __future__ import annotations

from collections.abc import Callable

from howsure.estimates.evidence import Evidence
from howsure.estimates.interval_method import IntervalMethod
from howsure.estimates.tail import Limits, Tail
from howsure.numerics.pooling.random_effects import Pooled, fixed_effect, hartung_knapp
from howsure.results.base import note_of
from howsure.results.citation import Citation, Work
from howsure.tables.tasks.task_values import TaskValues, pooled_spread, task_values

HARTUNG_KNAPP = Citation(
    Work(("Hartung", "Knapp"), 2001, "Stat. Med.", "20", "3875"),
    Work(("Paule", "Mandel"), 1982, "J. Res. Natl. Bur. Stand.", "87", "377"),
)
COCHRAN = Citation(Work(("Cochran",), 1954, "Biometrics", "10", "101"))
BY_PRECISION = note_of("by precision", "precision")


def tasks_with_variances(evidence: Evidence) -> str | None:
    """Say what lacks for weights by precision: two tasks or more, each with a variance."""
    held = None if evidence.linear is None else task_values(evidence.linear)
    return "it needs several tasks: make the table with howsure.tasks" if held is None else without_precision(held)


def without_precision(held: TaskValues) -> str | None:
    """Say why tasks cannot be weighted by precision."""
    if held.runs_sampled:
        return "its weights know rows alone, and runs were sampled too"
    if len(held.known.names) < 2:
        return "it needs two tasks or more in which the metric is defined"
    still = [name for name, one in zip(held.names, held.variances, strict=True) if one == 0]
    return f"no row moves the value in task {still[0]!r}, so its precision is unknown" if still else None


def pooled(pool: Callable[..., Pooled]) -> Callable[[Evidence, Tail], Limits]:
    """Return the interval of a mean over tasks that are weighted by precision: mean ± t · standard error.

    The value is that mean, not the mean of the benchmark. Never shorter than the rows allow at these weights.
    """

    def limits(evidence: Evidence, tail: Tail) -> Limits:
        held = None if evidence.linear is None else task_values(evidence.linear)
        assert held is not None
        found = pool(held.known.values, held.known.variances)
        spread = pooled_spread(found, held.known)
        half = spread.half(tail)
        return Limits(found.mean - half, found.mean + half, (BY_PRECISION,), value=found.mean, se=float(spread.se))

    return limits


TASK_METHODS: tuple[IntervalMethod, ...] = (
    IntervalMethod(
        "hartung-knapp",
        pooled(hartung_knapp),
        tasks_with_variances,
        aliases=("random-effects", "knha"),
        citation=HARTUNG_KNAPP,
        text="random effects: tasks or studies weighted by precision, τ² by Paule and Mandel, t on tasks − 1",
        avoid="the mean of the benchmark is wanted, and large tasks differ from small ones",
        batch=False,
    ),
    IntervalMethod(
        "fixed-effect",
        pooled(fixed_effect),
        tasks_with_variances,
        aliases=("common-effect", "inverse-variance"),
        citation=COCHRAN,
        text="one common value: tasks or studies weighted by the inverse of their variances",
        avoid="tasks differ: it takes all of them to measure the same",
        batch=False,
    ),
)

"""What the models of a report are against each other: the pairs of each metric, compared once and remembered.

A report knows single estimates. Which model is best is decided by differences on the same rows, all pairs together, and
is asked for when a report is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from howsure.errors import HowsureError, InputError, nearest, quoted
from howsure.errors.messages import reports as messages
from howsure.reports.describe import holds_at_any_time
from howsure.types import Undefined

if TYPE_CHECKING:
    from howsure.results.comparison import Comparisons
    from howsure.results.estimate import Report
    from howsure.results.sentences.ranking import Ranking

MOST_MODELS = 30  # above, only the leading metric is compared
LIKED = ("f1", "macro_f1", "micro_f1")


def leading(report: Report) -> str:
    """Return the metric that a report leads with: the first that was asked for, of the usual ones F1 or its average."""
    liked = [name for name in report.metrics if name in LIKED] if report.usual else []
    return next(iter([*liked, *report.metrics]), "")


def metrics_in_order(report: Report) -> list[str]:
    """Return the metrics, the leading one first."""
    first = leading(report)
    return [first, *(name for name in report.metrics if name != first)]


def comparisons_of(report: Report, metric: str) -> Comparisons | None:
    """Return every pair of the report's models in one of its metrics; None where there is no table, or one model."""
    if metric not in report.compared:
        if report.table is None or len(report.models) < 2 or "slices" in report.about:
            return None
        report.compared[metric] = _compared(report, metric)
    found: Comparisons | None = report.compared[metric]
    return found


def _compared(report: Report, metric: str) -> Comparisons | None:
    from howsure.comparisons.compare_all import compare_all, intervals_of_pairs  # a report of one model does without

    own = {one.name: one for one in report.asked}
    if len(report.models) > MOST_MODELS and metric != leading(report):
        return None
    try:
        table = report.table.pick(*report.models)
        undefined = cast(Undefined, report.rows[0].undefined)
        if holds_at_any_time(report):
            return compare_all(table, own.get(metric, metric), level=report.level, undefined=undefined, anytime=True)
        compare = compare_all if metric == leading(report) else intervals_of_pairs
        return compare(table, own.get(metric, metric), level=report.level, undefined=undefined)
    except HowsureError:
        return None


def settled_against(report: Report, metric: str, baseline: str) -> frozenset[str]:
    """Return the models that differ clearly from a baseline in a metric, all of them controlled together."""
    from howsure.comparisons.compare_all import compare_all

    own = {one.name: one for one in report.asked}
    undefined = cast(Undefined, report.rows[0].undefined)
    table = report.table.pick(*report.models)
    made = compare_all(table, own.get(metric, metric), baseline=baseline, level=report.level, undefined=undefined)
    return frozenset(row.b if row.a == baseline else row.a for row in made.rows if row.decided)


def check_baseline(report: Report, baseline: str | None) -> None:
    """Refuse a baseline that is no model of the report, or that its models cannot be compared with."""
    if baseline is not None and (baseline not in report.models or report.table is None):
        raise InputError(
            messages.BASELINE_ONE_OF_MODELS_OF_REPORT(
                baseline=baseline, models=quoted(report.models), hint=nearest(str(baseline), report.models)
            )
        )


def every_pair(report: Report) -> dict[str, Comparisons | None]:
    """Return the pairs of every metric."""
    return {metric: comparisons_of(report, metric) for metric in report.metrics}


def report_ranking(report: Report) -> Ranking | None:
    """Return the ranking by the leading metric, or None where models cannot be compared."""
    made = comparisons_of(report, leading(report)) if report.rows else None
    return None if made is None else made.ranking


def rankings(report: Report, metrics: Sequence[str]) -> dict[str, Ranking]:
    """Return the ranking of each metric that has one."""
    made = {metric: comparisons_of(report, metric) for metric in metrics}
    return {metric: found.ranking for metric, found in made.items() if found is not None}

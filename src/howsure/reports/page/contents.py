"""Everything a report page shows, computed once: estimates, joint intervals, comparisons, confusion matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from howsure.comparisons.compare_all import compare_all
from howsure.errors import HowsureError
from howsure.estimates.curve import curve
from howsure.estimates.estimate import describe, report
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, of_class
from howsure.results.base import Note
from howsure.results.comparison import Comparisons
from howsure.results.curves.curve import Curve
from howsure.results.estimate import Report
from howsure.results.gap import Gap
from howsure.tables.table import Table
from howsure.types import Array, Undefined
from howsure.version import __version__

MOST_MATRIX = 40
MOST_JOINT = 200
MOST_CURVES = 6
PER_CLASS = ("precision", "recall", "f1")


@dataclass(frozen=True)
class PageContents:
    """The parts of a report page; parts that do not apply are None or empty."""

    about: dict[str, Any]
    report: Report
    joint: Report | None
    comparisons: tuple[Comparisons, ...]
    matrices: dict[str, Array]
    per_class: Report | None
    slices: dict[str, Report] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    gaps: tuple[Gap, ...] = ()
    curves: tuple[Curve, ...] = ()

    @property
    def signature(self) -> str:
        """One line that says how to get the same numbers again."""
        rows = self.report.rows
        metrics = ",".join(self.report.metrics)
        methods = ",".join(dict.fromkeys(row.method for row in rows))
        groups = "none" if self.about["groups"] is None else self.about["groups"]
        seeds = {row.seed for row in rows if row.seed is not None}
        seed = f"|seed={','.join(map(str, sorted(seeds)))}" if seeds else ""
        undefined = rows[0].undefined if rows else "nan"
        return (
            f"howsure|v={__version__}|metrics={metrics}|methods={methods}|level={self.report.level:g}|n={self.about['n']:g}"
            f"|groups={groups}|undefined={undefined}{seed}"
        )


def page_contents(
    table: Table,
    made: Report | None = None,
    *,
    compare_on: MetricLike | None = None,
    undefined: Undefined = "nan",
    slices: dict[str, Report] | None = None,
    gaps: Sequence[Gap] = (),
) -> PageContents:
    """Return what a page about this table shows; ``made`` is its main report if there is one already."""
    main = made or report(table, undefined=undefined)
    return PageContents(
        about=describe(table),
        report=main,
        joint=_joint(table, main, undefined),
        comparisons=_comparisons(table, main, compare_on),
        matrices=_matrices(table),
        per_class=_per_class(table, main),
        slices=slices or {},
        notes=tuple(Note(note) for note in table.notes),
        gaps=tuple(gaps),
        curves=_curves(table, main),
    )


def _curves(table: Table, main: Report) -> tuple[Curve, ...]:
    """Return the curves of the first models; one that these rows do not have is left out."""
    found = []
    for model in main.models[:MOST_CURVES]:
        for what in table.contents.curves:
            try:
                found.append(curve(table, what, model=model, level=main.level))
            except HowsureError:
                continue
    return tuple(found)


def _joint(table: Table, main: Report, undefined: Undefined) -> Report | None:
    if main.joint or not 1 < len(main) <= MOST_JOINT:
        return None
    pairs = list(zip([row.model for row in main], _asked(main, [row.metric for row in main]), strict=True))
    try:
        return report(table, pairs, level=main.level, joint=True, undefined=undefined)
    except HowsureError:
        return None


def _comparisons(table: Table, main: Report, compare_on: MetricLike | None) -> tuple[Comparisons, ...]:
    if len(main.models) < 2:
        return ()
    chosen = [compare_on] if compare_on is not None else _asked(main, _headline(main))
    return tuple(compare_all(table.pick(*main.models), metric, level=main.level) for metric in chosen)


def _asked(main: Report, names: Sequence[str]) -> list[MetricLike]:
    """Return the metrics of a report by their names; one's own metric is known to the report alone."""
    own = {metric.name: metric for metric in main.asked}
    return [own.get(name, name) for name in names]


def _headline(main: Report) -> list[str]:
    """Return the metrics worth comparing: F1 where it is reported, else its averages, and the first of all."""
    liked = [row.metric for row in main.rows if row.canonical in ("f1", "macro_f1", "micro_f1")]
    return list(dict.fromkeys([*liked[:1], main.metrics[0]]))


def _matrices(table: Table) -> dict[str, Array]:
    if table.contents.cross_table([], table.counts) is None or len(table.labels) > MOST_MATRIX:
        return {}
    return {model: table.pick(model).matrix() for model in table.models}


def _per_class(table: Table, main: Report) -> Report | None:
    if not table.contents.each_class:
        return None
    chosen: list[Metric] = [of_class(name, label) for label in table.labels[:MOST_MATRIX] for name in PER_CLASS]
    return report(table, chosen, level=main.level, models=main.models)

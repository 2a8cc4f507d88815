"""Everything a report page shows, computed once: estimates, pairs, confusion matrices, classes, subgroups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from howsure.errors import HowsureError
from howsure.estimates.curve import curve
from howsure.estimates.estimate import describe, report
from howsure.metrics.metric import Label, Metric
from howsure.metrics.names import of_class
from howsure.reports.boards.verdicts import every_pair, report_ranking
from howsure.reports.describe import holds_at_any_time
from howsure.reports.page.section import Section
from howsure.reports.page.sections import sections_of
from howsure.results.base import Note
from howsure.results.comparison import Comparisons
from howsure.results.curves.curve import Curve
from howsure.results.estimate import Report
from howsure.results.gap import Gap
from howsure.results.words import amount
from howsure.tables.table import Table
from howsure.types import Array, Undefined
from howsure.version import __version__

MOST_MATRIX = 40
MOST_CLASSES = 300  # classes × models, above which the classes of the leading model alone are shown
MOST_CURVES = 6
PER_CLASS = ("precision", "recall", "f1")


@dataclass(frozen=True)
class PageContents:
    """The parts of a report page; parts that do not apply are None or empty."""

    about: dict[str, Any]
    report: Report
    matrices: dict[str, Array]
    per_class: Report | None
    slices: dict[str, Report] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    gaps: tuple[Gap, ...] = ()
    by: str = ""
    name: str = ""
    grouped_by: str = "group"
    positives: float | None = None
    class_labels: tuple[Label, ...] = ()
    class_note: str = ""
    sections: tuple[Section, ...] = ()
    curves: tuple[Curve, ...] = ()

    @property
    def comparisons(self) -> tuple[Comparisons, ...]:
        """The pairs of each metric that has them."""
        return tuple(made for made in every_pair(self.report).values() if made is not None)

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
    undefined: Undefined = "nan",
    slices: dict[str, Report] | None = None,
    gaps: Sequence[Gap] = (),
    by: str = "",
    name: str = "",
) -> PageContents:
    """Return what a page about this table shows; ``made`` is its main report if there is one already."""
    main = made or report(table, undefined=undefined)
    per_class, labels, note = _per_class(table, main)
    return PageContents(
        about=describe(table) | {"answers": table.contents.answers},
        report=main,
        matrices=_matrices(table),
        per_class=per_class,
        slices=slices or {},
        notes=tuple(Note(note) for note in table.notes),
        gaps=tuple(gaps),
        by=by,
        name=name,
        grouped_by=table.design.grouped_by,
        positives=_positives(table),
        class_labels=labels,
        class_note=note,
        sections=() if holds_at_any_time(main) else sections_of(table, main),
        curves=() if holds_at_any_time(main) else _curves(table, main),  # bands are for one look
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


def _matrices(table: Table) -> dict[str, Array]:
    """Return the confusion matrix of each model; right and wrong answers have none."""
    held = table.contents
    if held.answers or not held.one_truth or len(table.labels) > MOST_MATRIX:
        return {}
    return {model: table.pick(model).matrix() for model in table.models}


def _positives(table: Table) -> float | None:
    """Return how many rows are truly positive, where rows are counted one by one."""
    if table.pos_label is None or table.weighted:
        return None
    found = table.contents.support(table.counts)
    return float(found[table.labels.index(table.pos_label)]) or None


def _per_class(table: Table, main: Report) -> tuple[Report | None, tuple[Label, ...], str]:
    """Return precision, recall and F1 of each class, the classes, and a note where not every model is there."""
    held, labels = table.contents, table.labels
    two = len(labels) == 2 and held.one_truth and held.negatives
    if held.answers or not (held.each_class or two):
        return None, (), ""
    models, note = list(main.models), ""
    if len(labels) * len(models) > MOST_CLASSES and len(models) > 1:
        ranked = report_ranking(main)
        models = models[:1] if ranked is None else [ranked.rows[0].model]
        note = (
            f"With {amount(len(labels), 'class').replace('classs', 'classes')}, those of {models[0]} alone are shown."
        )
    chosen: list[Metric] = [of_class(name, label) for label in labels for name in PER_CLASS]
    try:
        made = report(table, chosen, level=main.level, models=models, anytime=holds_at_any_time(main))
        return made, tuple(labels), note
    except HowsureError:
        return None, (), ""

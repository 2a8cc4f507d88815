"""Ready answers for reporting checklists, from what the tool knows; no claim of compliance."""

from __future__ import annotations

from collections.abc import Iterable

from howsure.estimates.catalogue import METHODS
from howsure.reports.page.contents import PageContents
from howsure.results.comparison import Comparison
from howsure.results.estimate import Estimate
from howsure.results.words import count, number, p_said, percent

FIXED = "the models, their training data, thresholds and the labels are held fixed"


def methods_paragraph(held: PageContents) -> str:
    """Return a methods paragraph for a paper."""
    report, about = held.report, held.about
    methods = ", ".join(dict.fromkeys(row.method for row in report.rows))
    unit = f"{count(about['groups'])} groups" if about["groups"] else f"{count(about['n'])} rows"
    text = (
        f"Metrics are reported with {percent(report.level)} {'simultaneous ' if report.joint else ''}intervals "
        f"({methods} method, howsure) from {count(about['n'])} test rows; the unit of independence is the "
        f"{'group' if about['groups'] else 'row'} ({unit}). The intervals describe the sampling of test rows from "
        f"the same source; {FIXED}."
    )
    text += _sources(dict.fromkeys(row.method for row in report.rows))
    if about["groups"]:
        text += " Standard errors are cluster-robust, with Student's t on groups − 1 degrees of freedom."
    if held.comparisons:
        first = held.comparisons[0]
        control = f" with {first.adjust} adjustment over {first.family} comparisons" if first.family > 1 else ""
        metrics = " and in ".join(made.metric for made in held.comparisons)
        text += f" Models were compared in {metrics} on the same rows by paired differences{control}."
    return text


def _sources(methods: Iterable[str]) -> str:
    """Return where the interval methods come from, for those that have a name in the catalogue."""
    known = {entry.name: entry.citation for entry in METHODS}
    found = [f"{name}: {known[name].rstrip('.')}" for name in methods if known.get(name)]
    return f" Sources: {'; '.join(found)}." if found else ""


def _compared(held: PageContents) -> str:
    """Return the differences with their intervals, the best against each other model first."""
    rows = [row for made in held.comparisons for row in made.rows][:6]
    said = [f"{row.metric} {row.b} − {row.a} {number(row.difference)} {_limits(row)}" for row in rows]
    return f" Paired differences: {'; '.join(said)}." if said else ""


def _limits(row: Comparison) -> str:
    return f"({percent(row.level)} interval [{number(row.low)}, {number(row.high)}], {p_said(row.p_value)})"


def answers(held: PageContents) -> list[tuple[str, str]]:
    """Return (guideline and item, text) pairs; only fields that the tool knows."""
    report, about = held.report, held.about
    shown = "; ".join(_said(row) for row in report.rows[:6])
    size = f"{count(about['n'])} test rows, {len(about['labels'])} classes"
    positive = "" if about["pos_label"] is None else f", positive class {about['pos_label']!r}"
    return [
        ("NeurIPS checklist, item 7 (statistical significance)", methods_paragraph(held)),
        (
            "ACL responsible NLP checklist, B6 and C3, C4",
            f"Split size: {size}. {shown}.{_compared(held)} Signature: {held.signature}.",
        ),
        (
            "STARD 2015, items 14, 23, 24",
            f"{size}{positive}; cross-tabulation above. {shown}.{_compared(held)}",
        ),
        ("TRIPOD+AI, item 23a", f"{shown}. {_slices_said(held)}"),
        (
            "CLAIM 2024, items 28, 29, 37",
            f"Unit of analysis: {'group' if about['groups'] else 'row'}. {shown}.{_compared(held)}",
        ),
    ]


def _said(row: Estimate) -> str:
    name = row.metric if row.model == "model" else f"{row.metric} of {row.model}"
    return f"{name} {number(row.value)} ({percent(row.level)} interval {row.limits})"


def _slices_said(held: PageContents) -> str:
    if not held.slices:
        return "No subgroups were given."
    gaps = [
        f"gap in {made.metric}{f' of {made.model}' if len(held.report.models) > 1 else ''} {number(made.gap)} "
        f"[{number(made.low)}, {number(made.high)}], worst {made.worst}"
        for made in held.gaps
    ]
    between = f" {'; '.join(gaps)} ({percent(held.report.level)}, simultaneous)." if gaps else ""
    return f"Subgroups reported: {', '.join(held.slices)}.{between}"

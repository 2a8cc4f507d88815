"""Ready answers for reporting checklists, from what the tool knows; no claim of compliance."""

from __future__ import annotations

from howsure.dossier import Dossier
from howsure.results import Estimate, count, number, percent

FIXED = "the models, their training data, thresholds and the labels are held fixed"


def methods_paragraph(dossier: Dossier) -> str:
    """Return a methods paragraph for a paper."""
    report, about = dossier.report, dossier.about
    methods = ", ".join(dict.fromkeys(row.method for row in report.rows))
    unit = f"{count(about['groups'])} groups" if about["groups"] else f"{count(about['n'])} rows"
    text = (
        f"Metrics are reported with {percent(report.level)} {'simultaneous ' if report.joint else ''}intervals "
        f"({methods} method, howsure) from {count(about['n'])} test rows; the unit of independence is the "
        f"{'group' if about['groups'] else 'row'} ({unit}). The intervals describe the sampling of test rows from "
        f"the same source; {FIXED}."
    )
    if about["groups"]:
        text += " Standard errors are cluster-robust, with Student's t on groups − 1 degrees of freedom."
    if dossier.comparisons:
        first = dossier.comparisons[0]
        text += (
            f" Models were compared on the same rows by paired differences with {first.adjust} adjustment over "
            f"{first.family} comparisons."
        )
    return text


def answers(dossier: Dossier) -> list[tuple[str, str]]:
    """Return (guideline and item, text) pairs; only fields that the tool knows."""
    report, about = dossier.report, dossier.about
    shown = "; ".join(_said(row) for row in report.rows[:6])
    size = f"{count(about['n'])} test rows, {len(about['labels'])} classes"
    positive = "" if about["pos_label"] is None else f", positive class {about['pos_label']!r}"
    return [
        ("NeurIPS checklist, item 7 (statistical significance)", methods_paragraph(dossier)),
        (
            "ACL responsible NLP checklist, B6 and C3, C4",
            f"Split size: {size}. {shown}. Signature: {dossier.signature}.",
        ),
        ("STARD 2015, items 14, 23, 24", f"{size}{positive}; cross-tabulation above. {shown}."),
        ("TRIPOD+AI, item 23a", f"{shown}. {_slices_said(dossier)}"),
        ("CLAIM 2024, items 28, 29, 37", f"Unit of analysis: {'group' if about['groups'] else 'row'}. {shown}."),
    ]


def _said(row: Estimate) -> str:
    name = row.metric if row.model == "model" else f"{row.metric} of {row.model}"
    return f"{name} {number(row.value)} ({percent(row.level)} interval {row.limits})"


def _slices_said(dossier: Dossier) -> str:
    if not dossier.slices:
        return "No subgroups were given."
    return f"Subgroups reported: {', '.join(dossier.slices)}."

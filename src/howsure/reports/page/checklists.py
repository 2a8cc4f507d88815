"""Ready answers for reporting checklists, from what the tool knows; no claim of compliance."""

from __future__ import annotations

from collections.abc import Iterable

from howsure.estimates.catalogue import METHODS
from howsure.estimates.methods.anytime import ANYTIME
from howsure.reports.boards.verdicts import comparisons_of, leading, report_ranking
from howsure.reports.boards.wide import methods_said
from howsure.reports.describe import intervals_said, support
from howsure.reports.page.contents import PageContents
from howsure.results.comparison import Comparison
from howsure.results.estimate import Estimate
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, method_words, number, p_said, percent, reach, signed

MOST_ROWS = 30


def methods_paragraph(held: PageContents) -> str:
    """Return a methods paragraph for a paper."""
    report = held.report
    if not report.rows:
        return ""
    unit = report.unit
    fixed = ", ".join(report.rows[0].fixed) or "the models"
    text = (
        f"Metrics are reported with {percent(report.level)} {intervals_said(report)} "
        f"({methods_said(report.rows)}; howsure) from {support(report)}. {_independent(held, unit)} The intervals "
        f"describe the sampling of test {unit}s from the same source; {fixed} are held fixed."
    )
    text += _sources(dict.fromkeys(row.method for row in report.rows))
    if held.comparisons:
        first = held.comparisons[0]
        control = f", all {first.family} pairs together" if first.family > 1 else ""
        text += f" Models were compared on the same {unit}s by paired differences{control}."
    return text


def _independent(held: PageContents, unit: str) -> str:
    if not held.about["groups"]:
        return f"{unit.capitalize()}s ({count(held.about['n'])}) are treated as independent."
    return f"{unit.capitalize()}s of one {held.grouped_by} are treated as alike."


def paper_sentence(held: PageContents) -> str:
    """Return the result in one or two sentences that a paper can print."""
    report = held.report
    if not report.rows:
        return ""
    metric = leading(report)
    rows = [row for row in report.rows if row.metric == metric]
    ranked = report_ranking(report)
    if ranked is not None:
        order = [one.model for one in ranked]
        rows.sort(key=lambda row: order.index(row.model))
    shown = [f"{row.model} reached {row.said} {number(row.value)} ({row.reach})" for row in rows[:MOST_ROWS]]
    return phrase(
        "page paper", sampled=support(report), models="; ".join(shown), level=percent(report.level),
        kind=intervals_said(report), methods=methods_said(rows),
        verdict=ranked.sentence if ranked is not None else "",
    ).strip()  # fmt: skip


def _sources(methods: Iterable[str]) -> str:
    """Return where the interval methods come from, for those that have a name in the catalogue."""
    known = {entry.name: entry.citation for entry in (*METHODS, *ANYTIME)}
    found = [f"{method_words(name)}: {known[name].rstrip('.')}" for name in methods if known.get(name)]
    return f" Sources: {'; '.join(found)}." if found else ""


def _compared(held: PageContents) -> str:
    """Return the differences in the leading metric with their intervals."""
    made = comparisons_of(held.report, leading(held.report))
    rows = [] if made is None else list(made.rows)[:MOST_ROWS]
    said = [f"{row.said} {row.b} − {row.a} {signed(row.difference)} {_limits(row)}" for row in rows]
    return f" Paired differences: {'; '.join(said)}." if said else ""


def _limits(row: Comparison) -> str:
    return f"({percent(row.level)} interval{row.at} {row.reach}, {p_said(row.p_value)})"


def answers(held: PageContents) -> list[tuple[str, str]]:
    """Return (guideline and item, text) pairs, for all models; only what the tool knows."""
    report, about = held.report, held.about
    shown = "; ".join(_said(row) for row in report.rows[:MOST_ROWS])
    size = f"{support(report)}, {len(about['labels'])} classes"
    positive = "" if about["pos_label"] is None else f", positive class {str(about['pos_label'])!r}"
    unit = held.grouped_by if about["groups"] else report.unit
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
        ("CLAIM 2024, items 28, 29, 37", f"Unit of analysis: {unit}. {shown}.{_compared(held)}"),
    ]


def _said(row: Estimate) -> str:
    name = row.said if row.model == "model" else f"{row.said} of {row.model}"
    counts = f", {row.counts}" if row.counts else ""
    return f"{name} {number(row.value)} ({percent(row.level)} interval {row.reach}{counts})"


def _slices_said(held: PageContents) -> str:
    if not held.slices:
        return "No subgroups were given."
    gaps = [
        f"gap in {made.said}{f' of {made.model}' if len(held.report.models) > 1 else ''} {number(made.gap)} "
        f"({reach(made.low, made.high, 3)}), worst {made.worst}"
        for made in held.gaps
    ]
    between = f" {'; '.join(gaps)} ({percent(held.report.level)}, all together)." if gaps else ""
    by = f" by {held.by}" if held.by else ""
    return f"Subgroups reported{by}: {', '.join(held.slices)}.{between}"

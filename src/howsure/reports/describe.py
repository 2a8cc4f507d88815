"""Reports and comparisons in words: captions, printed numbers, notes, and the document that becomes JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from howsure.results.base import Note, schema_of
from howsure.results.sentences.phrases import held, phrase
from howsure.results.words import amount, count, decimals_for, method_words, number, percent, units
from howsure.version import __version__

if TYPE_CHECKING:
    from howsure.results.bayes_test import BayesTest
    from howsure.results.comparison import Comparison, Comparisons
    from howsure.results.estimate import Estimate, Report


def report_document(report: Report) -> dict[str, Any]:
    """Return the report as one dictionary with its schema's version."""
    return {
        "schema": schema_of("report"),
        "version": __version__,
        "level": report.level,
        "joint": report.joint,
        "critical_value": report.critical_value,
        "about": report.about,
        "rows": report.to_dicts(),
        "classes": [] if report.classes is None else report.classes.to_dicts(),
        "notes": [str(note) for note in report.notes],
        "covers": [phrase("intervals cover"), phrase("intervals hold fixed")],
    }


def printed(row: Estimate | Comparison | BayesTest, *names: str) -> list[str]:
    """Return numbers of a result with enough decimals for the width of its interval, no more."""
    places = decimals_for(row.low, row.high)
    return [number(getattr(row, name), places) for name in names]


def heading(report: Report) -> str:
    """Return what heads the first column: models, or the column that the rows were sliced by."""
    if "slices" not in report.about:
        return "model"
    by = str(report.about.get("by", "slice"))
    alone = all(getattr(row, "alone", False) for row in report.rows)
    return by if alone else f"model [{by}]"


def caption(report: Report) -> str:
    """Return the sentence that belongs under every figure."""
    return phrase("caption", **_captioned(report))


def _captioned(report: Report) -> dict[str, str]:
    methods = ", ".join(dict.fromkeys(row.method_said for row in report.rows))
    sides = {row.side for row in report.rows}
    bounds = f"{' and '.join(sorted(sides))} bounds, one-sided"
    kind = intervals_said(report) if sides <= {"both"} else intervals_said(report, bounds)
    return {"sampled": support(report), "level": percent(report.level), "kind": kind, "methods": methods}


def held_caption(report: Report) -> str:
    """Return the sentence that belongs under a table, with what was held fixed."""
    return phrase("caption held", held=held_in(report), **_captioned(report))


def held_in(report: Report) -> str:
    """Return what a report held fixed, to stand after what was sampled."""
    return held(report.rows[0].fixed) if report.rows else ""


def holds_at_any_time(report: Report) -> bool:
    """Say whether the intervals of a report hold at all looks together."""
    return any(row.meaning == "anytime" for row in report.rows)


def intervals_said(report: Report, what: str = "intervals") -> str:
    """Return what the intervals of a report are: intervals, joint ones, or such that hold at any time."""
    at = phrase("at any time") if holds_at_any_time(report) else ""
    return f"{'joint ' if report.joint else ''}{what}{at}"


def _from_to(numbers: list[float]) -> str:
    low, high = min(numbers), max(numbers)
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def _of_groups(report: Report) -> str:
    """Return how many groups the labels come from, by their name where the table is there; nothing without groups."""
    groups = report.rows[0].groups
    name = "group" if report.table is None else report.table.design.grouped_by
    return "" if groups is None else f" of {units(groups, name)}"


def support(report: Report) -> str:
    """Return what was sampled; from the fewest to the most where rows differ."""
    rows = sorted(report.rows, key=lambda row: row.n)
    if not rows:
        return "no rows"
    if rows[-1].judged is not None:  # what labels are worth differs from row to row
        labels, judged = _from_to([row.n for row in rows]), _from_to([float(row.judged or row.n) for row in rows])
        return phrase("labels and judgments", labels=labels, judged=judged, groups=_of_groups(report))
    if rows[0].n == rows[-1].n:
        several = report.table is not None and len({row.sampled for row in rows}) > 1
        return str(report.table.design.sampled(report.unit)) if several else rows[0].sampled
    return fewest_to_most(rows)


def fewest_to_most(rows: Sequence[Estimate]) -> str:
    """Return what was sampled where each estimate has its own rows: '60 to 400 rows'."""
    first, last = min(rows, key=lambda row: row.n), max(rows, key=lambda row: row.n)
    return last.sampled if first.n == last.n else f"{count(first.n)} to {last.sampled}"


def all_notes(report: Report) -> list[Note]:
    """Return the notes of the report and of its rows, each once, rows named."""
    found: dict[Note, list[str]] = {Note(note): [] for note in report.notes}
    for row in report.rows:
        for note in row.notes:
            found.setdefault(note, []).append(row.said if len(report.models) == 1 else f"{row.said} of {row.model}")
    return [
        Note(f"{note.marked} ({', '.join(dict.fromkeys(where))})", note.kind, detail=note.detail)
        if 0 < len(where) < 4 and where[0] not in note
        else note
        for note, where in found.items()
    ]


def each_pair(made: Comparison | Comparisons) -> Sequence[Comparison]:
    """Return the pairs of comparisons, or the one that there is."""
    from howsure.results.comparison import Comparison  # who writes estimates does without

    return [made] if isinstance(made, Comparison) else made.rows


def comparison_caption(made: Comparison | Comparisons) -> str:
    """Return the sentence that belongs under a table or figure of comparisons."""
    from howsure.results.comparison import Comparisons

    first, control = each_pair(made)[0], ""
    if isinstance(made, Comparisons) and made.family > 1:
        how = "no" if made.adjust == "none" else made.adjust
        control = phrase("caption adjusted", how=how, pairs=amount(made.family, "pair"))
    kind = f"{'paired ' if first.paired else ''}{first.kind}"
    method = method_words(first.method)
    fixed = first.held_fixed or phrase("held fixed", sampled=first.sampled, held="")
    told = {"kind": kind, "method": method, "control": control, "fixed": fixed}
    return phrase("comparison caption", metric=first.said, level=percent(first.level), at=first.at, **told)

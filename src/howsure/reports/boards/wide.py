"""Wide tables: models in rows, metrics in columns; and the leaderboard of one metric with its bars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from howsure.reports.boards.verdicts import (
    check_baseline,
    comparisons_of,
    leading,
    metrics_in_order,
    rankings,
    settled_against,
)
from howsure.reports.describe import heading, held_in, intervals_said, support
from howsure.reports.grid import Cell, EstimateCell, Grid, GridColumn
from howsure.reports.text import TextAxis, bar_text
from howsure.results.estimate import Estimate, Report
from howsure.results.sentences.phrases import phrase
from howsure.results.words import decimals_for, metric_words, number, percent, reach, signed, worded

if TYPE_CHECKING:
    from howsure.results.sentences.ranking import Ranking, Standing

FEW = 4  # metrics that a wide table shows where none were named


def is_wide(report: Report) -> bool:
    """Say whether a report has several models and several metrics, each once, and intervals with two ends."""
    several = len(report.models) > 1 and len(report.metrics) > 1
    return several and len(report) == len(report.models) * len(report.metrics) and _two_sided(report)


def is_board(report: Report) -> bool:
    """Say whether a report has several models and one metric: then it is a leaderboard."""
    return (
        len(report.models) > 1 and len(report.metrics) == 1 and len(report) == len(report.models) and _two_sided(report)
    )


def _two_sided(report: Report) -> bool:
    return all(row.side == "both" for row in report.rows)


def methods_said(rows: Sequence[Estimate], chosen: Sequence[str] | None = None) -> str:
    """Return the methods of estimates as a footnote: 'Wilson; smoothed t for MCC'."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if chosen is None or row.metric in chosen:
            found.setdefault(row.method_said, []).append(row.said)
    (first, *_), *rest = sorted(found.items(), key=lambda item: -len(set(item[1])))
    return "; ".join([first, *(f"{name} for {worded(list(dict.fromkeys(metrics)))}" for name, metrics in rest)])


# --- models in rows, metrics in columns ---------------------------------------------------------------------------


def wide_grid(report: Report, metrics: Sequence[str] | None = None, *, baseline: str | None = None) -> Grid:
    """Return models in rows and metrics in columns, the best of each marked, and those clearly worse than it.

    With a baseline the models are marked that differ clearly from it.
    """
    check_baseline(report, baseline)
    chosen = list(metrics or metrics_in_order(report))
    marked = {} if baseline is None else {metric: settled_against(report, metric, baseline) for metric in chosen}
    ranked = rankings(report, chosen)
    order = _order(report, rankings(report, [leading(report)]).get(leading(report)))
    found = {(row.model, row.metric): row for row in report.rows}
    rows: list[tuple[Cell, ...]] = [
        (model, *(_cell(found[model, metric], ranked.get(metric), marked.get(metric)) for metric in chosen))
        for model in order
    ]
    rows += _difference(report, chosen)
    names = {row.metric: row.said for row in report.rows}
    text = board_caption(report, chosen)
    plain = f"{_marks('marks', baseline)}   {text}" if ranked else text
    bold = f"{text} {_marks('marks bold', baseline)}" if ranked else text
    return Grid(
        (GridColumn(heading(report)), *(GridColumn(names[metric], "estimate") for metric in chosen)), tuple(rows),
        plain, tuple(report.to_dicts()), lead=lead_of(report),
        captions={"latex": paper_caption(report, chosen, ranked, baseline)} | dict.fromkeys(("markdown", "html"), bold),
    )  # fmt: skip


def _order(report: Report, ranked: Ranking | None) -> list[str]:
    return [row.model for row in ranked] if ranked is not None else list(report.models)


def _cell(row: Estimate, ranked: Ranking | None, settled: frozenset[str] | None = None) -> EstimateCell:
    places = decimals_for(row.low, row.high)
    value, low, high = (number(end, places) for end in (row.value, row.low, row.high))
    if ranked is None or math.isnan(row.value):
        return EstimateCell(value, low, high)
    best = max if _rising(ranked) else min
    top = best(one.estimate.value for one in ranked if one.place != "undefined")
    worse = ranked[row.model].place in ("worse", "behind") if settled is None else row.model in settled
    return EstimateCell(value, low, high, best=abs(row.value - top) < 1e-12, worse=worse)


def _rising(ranked: Ranking) -> bool:
    known = [one.estimate.value for one in ranked if one.place != "undefined"]
    return len(known) < 2 or known[0] >= known[-1]


def _difference(report: Report, metrics: Sequence[str]) -> list[tuple[Cell, ...]]:
    """Return the row of differences between two models: the first of the table less the second."""
    made = [comparisons_of(report, metric) for metric in metrics]
    if len(report.models) != 2 or any(one is None for one in made):
        return []
    first = _order(report, rankings(report, [leading(report)]).get(leading(report)))[0]
    cells: list[Cell] = []
    for one in made:
        assert one is not None
        row = one.rows[0]
        ends = (row.difference, row.low, row.high) if row.b == first else (-row.difference, -row.high, -row.low)
        places = decimals_for(row.low, row.high)
        value, low, high = (signed(end, places) for end in ends)
        cells.append(EstimateCell(value, low, high))
    return [("difference", *cells)]


def board_caption(report: Report, metrics: Sequence[str]) -> str:
    """Return what n, level and methods of a leaderboard are, and what was held fixed."""
    shared = {"sampled": support(report), "level": percent(report.level), "methods": methods_said(report.rows, metrics)}
    return phrase("caption held", kind=intervals_said(report), held=held_in(report), **shared)


def _marks(name: str, baseline: str | None) -> str:
    return phrase(name) if baseline is None else phrase(f"{name} baseline", baseline=baseline)


def lead_of(report: Report) -> tuple[str, ...]:
    """Return the sentence that a report begins with: who is best, or how large the first metric of one model is."""
    ranked = rankings(report, [leading(report)]) if report.rows else {}
    if ranked:
        return (next(iter(ranked.values())).sentence,)
    if len(report.models) == 1 and len(report.metrics) == len(report) and _two_sided(report):
        row = next(row for row in report.rows if row.metric == leading(report))
        if not math.isnan(row.value):
            of = "" if row.model == "model" else f" of {row.model}"
            said = row.said[:1].upper() + row.said[1:]
            return (
                phrase("one estimate", metric=said, of=of, value=number(row.value, decimals_for(row.low, row.high)),
                       level=percent(row.level), kind=row.kind, reach=row.reach),
            )  # fmt: skip
    return ()


def paper_caption(
    report: Report, metrics: Sequence[str], ranked: Mapping[str, Ranking], baseline: str | None = None
) -> str:
    """Return the caption of a table in a paper: what it holds, n, level, methods, and what its marks mean."""
    names = {row.metric: row.said for row in report.rows}
    text = phrase(
        "paper caption", metrics=worded([names[metric] for metric in metrics], most=12), level=percent(report.level),
        kind=intervals_said(report), methods=methods_said(report.rows, metrics),
        sampled=support(report), held=held_in(report),
    )  # fmt: skip
    if not ranked:
        return text
    size = next(iter(ranked.values())).size if baseline is None else len(report.models) - 1
    pairs = phrase("paper pairs", size=size) if size > 1 else phrase("paper pair")
    if baseline is None:
        return f"{text} {phrase('paper marks', pairs=pairs)}"
    return f"{text} {phrase('paper marks baseline', pairs=pairs, baseline=baseline)}"


# --- the leaderboard of one metric -------------------------------------------------------------------------------

SHORT = {"best": "best", "tied": "tied", "behind": "behind", "worse": "worse", "undefined": "undefined", "none": ""}


def board_grid(ranked: Ranking, *, width: int = 80) -> Grid:
    """Return a leaderboard: rank, model, value, interval, a bar on a common axis, and what the pairs say of each."""
    rows = ranked.rows
    axis = TextAxis.of([row.estimate for row in rows])
    text = [[row.ranks, row.model, *_numbers(row), SHORT[row.place]] for row in rows]
    names = ["rank", ranked.heading, metric_words(ranked.metric), f"{percent(ranked.level)} interval", ""]
    used = sum(max(map(len, column)) + 2 for column in zip(names, *text, strict=True))
    room = min(max(width - used, 12), 40)
    head, bars = axis.header(room), [bar_text(row.estimate, axis, room, hollow=not row.leads) for row in rows]
    cells = tuple((*line[:4], bar, line[4]) for line, bar in zip(text, bars, strict=True))
    columns = (
        GridColumn(names[0], forms=("text", "markdown", "html", "notebook")), GridColumn(names[1]),
        GridColumn(names[2], "number"), GridColumn(names[3]), GridColumn(head, forms=("text",)),
        GridColumn("", headings={"markdown": "verdict", "html": "verdict", "latex": "verdict"}),
    )  # fmt: skip
    return Grid(columns, cells, "")


def _numbers(row: Standing) -> tuple[str, str]:
    ends = row.estimate
    places = decimals_for(ends.low, ends.high)
    return number(ends.value, places), reach(ends.low, ends.high, places)

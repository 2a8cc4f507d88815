"""What the page draws: leaderboards, the wide table, pairs and classes, as plain data for the templates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from howsure.reports.boards.verdicts import comparisons_of, metrics_in_order, rankings
from howsure.reports.boards.wide import lead_of
from howsure.reports.page.contents import PageContents
from howsure.reports.text import TextAxis
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.estimate import Estimate, Report
from howsure.results.sentences.phrases import phrase
from howsure.results.sentences.ranking import Ranking, in_two, rank_meaning
from howsure.results.words import amount, count, decimals_for, number, percent, reach, signed, tight
from howsure.types import Array

FEW_MODELS = 3  # up to so many the pairs are drawn with their intervals, above as a heat map
MOST_HEAT = 30
SHADES = (1 / 3, 2 / 3)
FEW_CLASSES = 12


@dataclass(frozen=True)
class BarPlace:
    """An interval on an axis, in percent of its width."""

    low: float
    high: float
    at: float
    runs: tuple[float, ...] = ()


@dataclass(frozen=True)
class BoardRow:
    """One line of a leaderboard."""

    name: str
    rank: str
    value: str
    reach: str
    words: str
    leads: bool
    parted: bool
    bar: BarPlace | None
    counts: str = ""


@dataclass(frozen=True)
class Board:
    """One metric: what the page says first, and its leaderboard."""

    key: str
    name: str
    headline: str
    size: str
    caution: str
    rows: tuple[BoardRow, ...]
    ticks: tuple[tuple[float, str], ...]
    note: str
    ranked: bool


def boards_of(parts: PageContents) -> list[Board]:
    """Return a leaderboard for each metric, the leading one first; of one model all its metrics in one."""
    report = parts.report
    if len(report.models) == 1 or len(report.metrics) * len(report.models) != len(report):
        return [_one_model(report)] if report.rows else []
    shown = metrics_shown(parts)
    ranked = rankings(report, shown)
    return [_board(report, metric, ranked.get(metric), at) for at, metric in enumerate(shown)]


def metrics_shown(parts: PageContents) -> list[str]:
    """Return the metrics, the leading one first; those of one class have a section of their own."""
    every = metrics_in_order(parts.report)
    own = {metric.name for metric in parts.report.asked if metric.label is not None}
    whole = [name for name in every if name not in own]
    return whole if whole and parts.per_class is not None else every


def _board(report: Report, metric: str, ranked: Ranking | None, at: int) -> Board:
    rows = [row for row in report.rows if row.metric == metric]
    axis = TextAxis.of(rows)
    if ranked is None:
        lines = tuple(_line(row.model, row, axis) for row in rows)
        head = f"{amount(len(report.models), 'model')}, {rows[0].said}"
        return Board(f"m{at}", rows[0].said, head, "", "", lines, _ticks(axis), "", False)
    shown = {row.model: row for row in rows}
    lines = tuple(
        _line(one.model, shown[one.model], axis, rank=one.ranks, words=one.words, leads=one.leads, parted=one.parted)
        for one in ranked
    )
    head, size = ranked.headline
    caution = ranked.caution if ranked.brief is None else ranked.brief[1]
    if ranked.size > FEW_MODELS:
        caution = f"{ranked.behind} {ranked.pairs_said}".strip()
    note = f"{phrase('page decided', unit=report.unit)} {rank_meaning(ranked.rows)}"
    if any(row.parted for row in ranked) and len(ranked.rows) > FEW_MODELS + 1:
        note += f" {phrase('page lines')}"
    return Board(f"m{at}", rows[0].said, head, size, caution, lines, _ticks(axis), note.strip(), True)


def _one_model(report: Report) -> Board:
    """Return all metrics of one model, or all estimates of what is no leaderboard, on one axis."""
    bounded = [row for row in report.rows if math.isfinite(sum(row.metric_range or (0.0, 1.0)))] or list(report.rows)
    axis = TextAxis.of(bounded)
    several = len(report.models) > 1
    lines = tuple(
        _line(f"{row.model}: {row.said}" if several else row.said, row, axis, drawn=row in bounded, counts=row.counts)
        for row in report.rows
    )
    lead = lead_of(report)
    head, size = in_two(lead[0], report.rows) if lead else (amount(len(report), "estimate"), "")
    return Board("m0", "metric", head, size, "", lines, _ticks(axis), "", False)


def _line(name: str, row: Estimate, axis: TextAxis, *, drawn: bool = True, **more: Any) -> BoardRow:
    held: dict[str, Any] = {"rank": "", "words": "", "leads": True, "parted": False, "counts": ""} | more
    places = decimals_for(row.low, row.high)
    bar = bar_of(axis, row.low, row.high, float(row.value), row.run_values) if drawn else None
    return BoardRow(name, value=number(row.value, places), reach=row.reach, bar=bar, **held)


def bar_of(axis: TextAxis, low: float, high: float, at: float, runs: Sequence[float] = ()) -> BarPlace | None:
    """Return an interval, and the runs whose mean is in it, in percent of an axis; None where it has no end."""
    if not all(map(math.isfinite, (low, high, at))):
        return None

    def share(value: float) -> float:
        width = axis.high - axis.low
        return round(min(max(100 * (value - axis.low) / width if width else 50.0, 0.0), 100.0), 2)

    return BarPlace(share(low), share(high), share(at), tuple(share(run) for run in runs if math.isfinite(run)))


def _ticks(axis: TextAxis) -> tuple[tuple[float, str], ...]:
    places = len(f"{axis.step:.3g}".partition(".")[2]) or 1
    width = axis.high - axis.low
    return tuple((round(100 * (tick - axis.low) / width, 2), number(tick, max(places, 2))) for tick in axis.ticks)


# --- pairs -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PairCell:
    """A pair: its words, its interval, how dark it is (0 is not settled), what it says on hover, its number."""

    words: str
    text: str
    shade: int
    title: str
    number: str
    bar: BarPlace | None = None


@dataclass(frozen=True)
class Pairs:
    """The pairs of one metric: a heat map below the diagonal, and all of them as a table."""

    key: str
    title: str
    lead: str
    names: tuple[str, ...]
    rows: tuple[tuple[PairCell, ...], ...]
    made: Comparisons
    drawn: bool
    zero: float = 50.0


def pairs_of(parts: PageContents) -> list[Pairs]:
    """Return the pairs of each metric that has them."""
    report, found = parts.report, []
    for at, metric in enumerate(metrics_shown(parts)):
        made = comparisons_of(report, metric)
        if made is not None and 1 < len(made.ranking.rows) <= MOST_HEAT:
            found.append(_pairs(made, f"m{at}", report.unit))
    return found


def _pairs(made: Comparisons, key: str, unit: str) -> Pairs:
    ranked = made.ranking
    names = tuple(row.model for row in ranked)
    held = {frozenset((row.a, row.b)): row for row in made.rows}
    ends = [abs(end) for row in made.rows for end in (row.low, row.high) if math.isfinite(end)]
    largest = max(ends, default=1.0) or 1.0
    settled = [abs(row.difference) for row in made.rows if row.decided]
    rows = tuple(
        tuple(
            _pair(held[frozenset((name, other))], name, largest, max(settled, default=1.0)) for other in names[:place]
        )
        for place, name in enumerate(names)
    )
    which = "page pairs" if ranked.size > 1 else f"page one pair, {'settled' if ranked.settled else 'open'}"
    have = "has" if ranked.settled == 1 else "have"
    title = phrase(which, metric=made.said, settled=ranked.settled, size=ranked.size, have=have)
    together = phrase("page together", size=ranked.size, level=percent(made.level)) if ranked.size > 1 else ""
    lead = f"{phrase('page row against column', sampled=made.rows[0].sampled, unit=unit)} {together}".strip()
    return Pairs(key, title, lead, names, rows, made, len(names) <= FEW_MODELS)


def _pair(row: Comparison, name: str, largest: float, widest: float) -> PairCell:
    """Return a pair as the row against the column, so that in order of value a settled pair is worse."""
    sign = 1 if row.b == name else -1
    low, value, high = sorted((sign * row.low, sign * row.difference, sign * row.high))
    if math.isnan(row.difference):
        return PairCell("undefined", "undefined", 0, "undefined", "–")
    share = abs(row.difference) / widest if widest else 0.0
    shade = 0 if not row.decided else 1 + sum(share > step for step in SHADES)
    places = decimals_for(row.low, row.high)
    if row.winner is None:
        words = "differs" if row.decided else "not settled"
        said = reach(low, high, places, sign=True)
    else:
        words = f"{name} is {'better' if row.winner == name else 'worse'}"
        said = f"by {tight(*sorted((abs(low), abs(high))))}"
    span = TextAxis(-largest, largest)
    text = signed(value, 2) if widest > 0.02 else signed(value, 3)
    title = reach(low, high, places, sign=True)
    return PairCell(words, said, shade, title, text, bar_of(span, low, high, value))


# --- classes -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ClassRow:
    """One class of one model: its estimates, and how many rows are truly so and predicted so."""

    name: str
    support: str
    predicted: str
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True)
class Classes:
    """The classes of one model, worst first, what it confuses most, and its confusion matrix."""

    key: str
    model: str
    confused: str
    rows: tuple[ClassRow, ...]
    matrix: Array | None


def class_tables(parts: PageContents) -> list[Classes]:
    """Return the classes of each model, worst first."""
    labels = [label_said(label) for label in parts.about["labels"]]
    if parts.per_class is None:
        unit = parts.report.unit
        return [
            Classes(f"k{at}", model, _confused(matrix, labels, unit), (), matrix)
            for at, (model, matrix) in enumerate(parts.matrices.items())
        ]
    found = []
    for at, model in enumerate(parts.per_class.models):
        own = [row for row in parts.per_class.rows if row.model == model]
        size = len(own) // len(parts.class_labels) if parts.class_labels else 0
        rows = [
            _class(label_said(label), own[place * size : (place + 1) * size])
            for place, label in enumerate(parts.class_labels)
        ]
        rows.sort(key=lambda row: (math.isnan(row.estimates[-1].value), float(row.estimates[-1].value)))
        matrix = parts.matrices.get(model)
        found.append(Classes(f"k{at}", model, _confused(matrix, labels, parts.report.unit), tuple(rows), matrix))
    return found


def label_said(label: object) -> str:
    """Return a label as a class is named on the page, an empty one by a word."""
    return str(label) if str(label).strip() else phrase("page empty label")


def _class(name: str, estimates: Sequence[Estimate]) -> ClassRow:
    counted = (row if row.human is None else row.human for row in estimates[:2])  # a judge's rows have no truth
    precision, recall = (row.fraction for row in counted)
    support = count(recall[1]) if recall else "–"
    return ClassRow(name, support, count(precision[1]) if precision else "–", tuple(estimates))


def _confused(matrix: Array | None, labels: Sequence[str], unit: str) -> str:
    """Return which class is most often taken for which other."""
    if matrix is None:
        return ""
    missed = [
        (float(matrix[true, guess]), true, guess)
        for true in range(len(labels))
        for guess in range(len(labels))
        if true != guess and matrix[true, guess] > 0
    ]
    if not missed:
        return phrase("page none confused")
    rows, true, guess = max(missed, key=lambda one: (one[0], -one[1], -one[2]))
    whole = float(sum(value for value in matrix[true] if not math.isnan(value)))
    return phrase(
        "page confused", true=labels[true], guess=labels[guess], rows=count(rows), whole=count(whole), unit=unit
    )

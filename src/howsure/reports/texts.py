"""Reports, comparisons and gates as text: the answer first, then the table, at most three notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from howsure.reports.boards.verdicts import check_baseline, metrics_in_order, report_ranking
from howsure.reports.boards.wide import FEW, board_caption, board_grid, is_board, is_wide, lead_of, wide_grid
from howsure.reports.describe import all_notes, fewest_to_most
from howsure.reports.grid import EstimateCell, Grid
from howsure.reports.grids import long_grid, pairs_grid
from howsure.reports.text import grid_lines, wrapped
from howsure.results.base import Note, brief_notes, note_line, note_of
from howsure.results.sentences.phrases import held, phrase
from howsure.results.words import about, amount, count, method_words, number, percent

if TYPE_CHECKING:
    from howsure.results.comparison import Comparison, Comparisons
    from howsure.results.estimate import Report
    from howsure.results.gate import Gate
    from howsure.results.sentences.ranking import Ranking

NARROW = 80
MANY = 4  # models, from which lines part groups
FEW_PAIRS = 3


def report_text(
    report: Report, *, quiet: bool = False, verbose: bool = False, long: bool = False, every: bool = False,
    se: bool = False, baseline: str | None = None, width: int | None = None,
) -> str:  # fmt: skip
    """Return a report: who is best, the table, and notes; ``long`` has a row an estimate, ``every`` all metrics."""
    notes, long = [] if quiet else all_notes(report), long or se
    if not long and (is_wide(report) or (baseline is not None and is_board(report))):
        return _wide(report, notes, quiet=quiet, verbose=verbose, every=every, baseline=baseline, width=width)
    check_baseline(report, baseline)
    ranked = None if long else report_ranking(report)
    if ranked is not None and is_board(report):
        caption = board_caption(report, report.metrics)
        decided = [note for note in notes if note.kind != "overlap"]
        return _joined([*_sentence(ranked.sentence, width), *board_lines(ranked, width), "", *wrapped(caption, width)],
                       _said(decided, verbose, width))  # fmt: skip
    grid = long_grid(report, se=se)
    lead = [line for text in (() if long else lead_of(report)) for line in _sentence(text, width)]
    return _joined([*lead, *grid_lines(grid), "", *wrapped(grid.caption, width)], _said(notes, verbose, width))


def _wide(
    report: Report, notes: list[Note], *, quiet: bool, verbose: bool, every: bool, baseline: str | None,
    width: int | None,
) -> str:  # fmt: skip
    metrics = metrics_in_order(report)
    shown = metrics if every or not report.usual else metrics[:FEW]
    grids = [wide_grid(report, some, baseline=baseline) for some in _blocks(report, shown, width or NARROW)]
    more = len(metrics) - len(shown)
    if more:
        notes = [*notes, note_of("more metrics", "more metrics", more=amount(more, "more metric"))]
    ranked = report_ranking(report) is not None
    notes = [
        _counted(note, len(report.models) * len(shown), report)
        for note in notes
        if not ranked or note.kind != "overlap"
    ]
    tables = [line for grid in grids for line in (*grid_lines(grid), "")]
    lead = [line for text in lead_of(report) for line in _sentence(text, width)]
    caption = wide_grid(report, shown, baseline=baseline).caption
    return _joined([*lead, *tables, *wrapped(caption, width)], [] if quiet else _said(notes, verbose, width))


def _counted(note: Note, size: int, report: Report) -> Note:
    """Return a note on the table that is shown: how many of its intervals will miss."""
    if note.kind == "family":
        expected = about(size * (1 - report.level))
        return note_of("expected to miss", "family", size=size, level=percent(report.level), expected=expected)
    return note


def brief_report(report: Report, *, width: int | None = None) -> str:
    """Return a report in few lines: who is best, the leaderboard, and the bare values of the other metrics."""
    ranked = report_ranking(report)
    if ranked is None:
        return report_text(report, width=width)
    grid = wide_grid(report, metrics_in_order(report)[1:])
    bare = tuple(
        tuple(replace(cell, low="", high="") if isinstance(cell, EstimateCell) else cell for cell in row)
        for row in grid.rows
    )
    blocks = [line for some in _fitting(replace(grid, rows=bare), width or NARROW) for line in (*some, "")]
    notes = [note_of("overlap decided", "overlap", unit=report.unit)]
    caption = wrapped(wide_grid(report).caption, width)
    return _joined([*_sentence(ranked.sentence, width), *board_lines(ranked, width), "", *blocks, *caption],
                   _said(notes, False, width))  # fmt: skip


def _fitting(grid: Grid, width: int) -> list[list[str]]:
    """Return the lines of a table in parts of its columns that fit the width, the first column before each."""
    parts: list[list[int]] = [[]]
    for at in range(1, len(grid.columns)):
        if parts[-1] and max(map(len, grid_lines(_some(grid, [0, *parts[-1], at])))) > width:
            parts.append([])
        parts[-1].append(at)
    return [[line for line in grid_lines(_some(grid, [0, *part])) if line] for part in parts]


def _some(grid: Grid, places: list[int]) -> Grid:
    rows = tuple(tuple(row[at] for at in places) for row in grid.rows)
    return replace(grid, columns=tuple(grid.columns[at] for at in places), rows=rows)


def _blocks(report: Report, metrics: Sequence[str], width: int) -> list[list[str]]:
    """Return the metrics in blocks that fit the width, each with the names of the models before it."""
    names = max(len(name) for name in ("model", *report.models)) + 2
    blocks: list[list[str]] = [[]]
    used = names
    for metric in metrics:
        grid = wide_grid(report, [metric])
        room = max(len(line) for line in grid_lines(grid)) - names + 2
        if blocks[-1] and used + room > width + 2:
            blocks.append([])
            used = names
        blocks[-1].append(metric)
        used += room
    return blocks


def board_lines(ranked: Ranking, width: int | None = None) -> list[str]:
    """Return a leaderboard, with lines that part groups in which every pair is settled."""
    head, *lines = grid_lines(board_grid(ranked, width=width or NARROW))
    long = max(map(len, (head, *lines)))
    parted = [row.parted and len(ranked.rows) > MANY for row in ranked]
    body = chain.from_iterable(
        (line, "─" * long) if rule else (line,) for line, rule in zip(lines, parted, strict=True)
    )
    return [head, *body]


def _sentence(text: str, width: int | None) -> list[str]:
    return [*wrapped(text, width), ""] if text else []


def _said(notes: Iterable[str], verbose: bool, width: int | None) -> list[str]:
    shown = brief_notes(notes, verbose=verbose)
    return [line for note in shown for line in wrapped(note_line(note), width, hang=6)]


def _joined(*parts: Sequence[str]) -> str:
    return "\n".join(chain.from_iterable(parts))


# --- comparisons -------------------------------------------------------------------------------------------------


def comparisons_text(
    made: Comparisons, *, quiet: bool = False, verbose: bool = False, pairs: bool = False, width: int | None = None
) -> str:
    """Return who is best, the leaderboard, and the pairs where they are few or asked for."""
    ranked = made.ranking
    shown = pairs or len(made.rows) <= FEW_PAIRS or made.versus != "pairs"
    first = ranked.sentence if len(made.rows) == 1 else made.sentence
    board = [*board_lines(ranked, width), ""] if made.versus == "pairs" else []
    table = [*grid_lines(pairs_grid(made)), ""] if shown else []
    notes = [] if quiet else [*_ranking_notes(made, ranked, shown), *made.notes]
    return _joined(
        [*_sentence(first, width), *board, *table, *wrapped(_support(made), width)],
        _said(notes, verbose, width),
    )


def _ranking_notes(made: Comparisons, ranked: Ranking, shown: bool) -> list[Note]:
    notes = [Note(ranked.behind, "behind")] if ranked.behind else []
    notes += [Note(ranked.caution, "tied")] if ranked.caution else []
    if any(row.parted for row in ranked) and len(ranked.rows) > MANY:
        notes.append(Note(f"{phrase('a line parts')} {phrase('pairs on request')}".strip(), "lines"))
    elif not shown:
        notes.append(note_of("pairs on request", "pairs"))
    return notes


def _support(made: Comparisons) -> str:
    first = made.rows[0]
    shared = {"sampled": first.sampled, "level": percent(made.level), "at": first.at}
    shared["held"] = held(first.fixed)
    shared["pairs"] = phrase("both pairs") if len(made.rows) == 2 else phrase("every pair", size=len(made.rows))
    if len(made.rows) == 1 and len(made.estimates) == 2:
        which = "same for both" if first.paired else "different rows"
        return phrase(which, method=method_words(first.method), **shared)
    if not first.paired:
        shared["sampled"] = fewest_to_most(made.estimates)
    which = "same for all" if first.paired else "different for all"
    return phrase(which if made.adjust == "joint" else f"{which}, single", **shared)


def comparison_text(row: Comparison, *, quiet: bool = False, verbose: bool = False, width: int | None = None) -> str:
    """Return one comparison: what it says, the difference, and what stands beside it for who asks for all."""
    shared = {"sampled": row.sampled, "level": percent(row.level), "method": method_words(row.method), "at": row.at}
    shared["held"] = held(row.fixed)
    which = "same for both" if row.paired else "different rows"
    table = [*grid_lines(pairs_grid(row)), ""]
    notes = [] if quiet else list(row.notes)
    beside = [line for text in _beside(row, verbose) for line in wrapped(text, width)]
    return _joined(
        [*_sentence(row.sentence, width), *table, *wrapped(phrase(which, **shared), width)],
        beside, _said(notes, verbose, width),
    )  # fmt: skip


def _beside(row: Comparison, verbose: bool) -> list[str]:
    """Return what stands beside a comparison: values, discordant rows, what pairing bought, practical equality."""
    lines = [f"{row.a} {number(row.value_a)}, {row.b} {number(row.value_b)}"]
    if row.discordant is not None:
        only_a, only_b = map(count, row.discordant)
        lines[0] += phrase("right alone", a=row.a, b=row.b, only_a=only_a, only_b=only_b)
    if verbose:
        lines.append(phrase("correlation", value=number(row.correlation, 2)))
    if verbose and row.unpaired is not None:
        low, high = (number(end) for end in row.unpaired)
        lines.append(phrase("without pairing", low=low, high=high))
    if row.rope_probabilities is not None:
        worse, equal, better = (f"{chance:.3f}" for chance in row.rope_probabilities)
        lines.append(phrase("region chances", worse=worse, rope=f"{row.rope:g}", equal=equal, better=better))
    return lines


def gate_text(made: Gate, *, quiet: bool = False, verbose: bool = False, width: int | None = None) -> str:
    """Return the verdict in capitals with its reason, and what it rests on."""
    first = wrapped(f"{made.verdict.upper()}  {made.sentence}", width)
    notes = [] if quiet else _said(made.notes, verbose, width)
    return _joined(first, [] if quiet else wrapped(made.bounds, width), notes)

"""Results in the one shape that the page shows: headline, table, figures, notes, and copies to take along."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from howsure.comparisons.catalogue import PAIR_METHODS
from howsure.comparisons.methods.pair_method import PairMethod
from howsure.errors import LONG_SENTENCE, cut
from howsure.estimates.catalogue import METHODS
from howsure.estimates.interval_method import IntervalMethod
from howsure.metrics.names import named
from howsure.reports.describe import all_notes, caption, comparison_caption, printed
from howsure.reports.figures.intervals import Bar
from howsure.reports.grid import Grid, plain
from howsure.reports.grids import bayes_grid, comparisons_grid, report_grid
from howsure.reports.svg import bars_svg, forest_svg, interval_svg
from howsure.reports.writing import written
from howsure.results.base import json_ready
from howsure.results.bayes_test import BayesTest
from howsure.results.citation import bibtex
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.estimate import Estimate, Report
from howsure.results.reconstruction import Reconstruction
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, number, p_text, percent
from howsure.version import __version__
from howsure.web.copies import WANG

Answer = dict[str, Any]


def answer(
    title: str,
    said: str,
    *,
    headline: Sequence[str] = (),
    table: Answer,
    figures: Iterable[Answer],
    notes: Iterable[str],
    rows: Sequence[Mapping[str, Any]],
    copies: Mapping[str, str],
) -> Answer:
    """Return a result as the page and the API give it; ``headline`` is the answer, and what stands behind it."""
    made = {
        "title": title, "headline": list(headline) or [title, ""], "said": said, "table": table,
        "figures": [figure | {"svg": _unstyled(figure["svg"])} for figure in figures if figure["svg"]],
        "notes": list(dict.fromkeys(notes)), "rows": list(rows), "copies": dict(copies), "version": __version__,
    }  # fmt: skip
    ready = _shortened(json_ready(made))
    assert isinstance(ready, dict)
    return ready


def _shortened(found: Any) -> Any:
    """Return an answer in which names of very many characters lack their middle; drawings are whole."""
    if isinstance(found, str):
        return found if found.startswith("<svg") else cut(found, LONG_SENTENCE)
    if isinstance(found, list):
        return [_shortened(one) for one in found]
    return {name: _shortened(one) for name, one in found.items()} if isinstance(found, dict) else found


def _unstyled(svg: str) -> str:
    """Return a drawing whose own style is left to the page: the policy of the page forbids any but its style sheet."""
    return re.sub(r'(<svg [^>]*?) style="[^"]*"', r"\1", svg, count=1)


def shown_table(
    header: Sequence[str], rows: Iterable[Iterable[str]], *, title: str, numbers: Iterable[int], mark: int | None = None
) -> Answer:
    """Return a table of printed cells; ``mark`` is the row of the default."""
    return {
        "header": list(header), "rows": [list(row) for row in rows], "caption": title, "numbers": list(numbers),
        "mark": mark,
    }  # fmt: skip


def shown_grid(grid: Grid, form: str) -> Answer:
    """Return a grid as the table of an answer, with the columns that a form shows."""
    shown = grid.shown(form)
    header = [column.heading(form) for column in shown.columns]
    return shown_table(header, (map(plain, row) for row in shown.rows), title=grid.caption, numbers=shown.numbers)


def intervals_answer(made: Report, default: Estimate, copies: Mapping[str, str], notes: Iterable[str] = ()) -> Answer:
    """Return every method's interval of one metric side by side."""
    names = [row.method for row in made.rows]
    title = f"{percent(made.level)} intervals of {default.metric} by method; {default.sampled}."
    rows = [(row.method, *printed(row, "value", "low", "high"), row.meaning) for row in made.rows]
    return answer(
        f"{default.metric}: every interval", f"{default!r}. {default.sentence}", headline=estimate_headline(default),
        table=shown_table(("method", "value", "low", "high", "kind"), rows, title=title, numbers=(1, 2, 3),
                          mark=names.index(default.method)),
        figures=[{"title": f"{default.metric} by method", "svg": forest_svg(made.rows, labels=names)}],
        notes=[*notes, *all_notes(made), *_avoid(default.method)],
        rows=[row.to_dict() | {"default": row.method == default.method} for row in made.rows],
        copies={"text": _side_by_side(made, rows), "latex": made.to_latex(), "bibtex": method_bibtex(names), **copies},
    )  # fmt: skip


def estimate_headline(one: Estimate, name: str = "") -> list[str]:
    """Return the answer of one estimate in two parts: the value, and its interval."""
    name = name or (named(one.metric).title if one.metric == one.canonical else "") or one.metric
    if math.isnan(one.value):
        return [f"{name} is undefined.", ""]
    interval = f"{percent(one.level)} {one.kind} {number(one.low)} to {number(one.high)}"
    return [f"{name} is {number(one.value)}", f"({interval})."]


def estimate_answer(made: Report, copies: Mapping[str, str], names: Mapping[str, str]) -> Answer:
    """Return one estimate or a few, with the sentence that says what an interval means."""
    first = made.rows[0]
    heads = [estimate_headline(row, names.get(row.metric, "")) for row in made.rows]
    made_answer = _rows_answer(
        made, first.metric, first.sentence, [{"title": "Interval", "svg": interval_svg(first)}], copies,
        headline=heads[0] if len(heads) == 1 else [" ".join(map(" ".join, heads)), ""],
    )  # fmt: skip
    ends = first.metric_range or (0.0, 1.0)
    return made_answer | {"axis": [f"{end:g}".replace("-", "−") for end in ends]}


def reconstruction_answer(found: Reconstruction, copies: Mapping[str, str]) -> Answer:
    """Return the tables behind a paper's figures and the intervals that hold theirs."""
    made = found.report
    tables = [
        (count(tp), count(fp), count(fn), "" if tn is None else count(tn)) for tp, fp, fn, tn in found.tables[:20]
    ]
    said = "Each interval holds those of all tables." if len(found) > 1 else "The figures fix the table."
    said = said if len(found) else ""
    figures = [{"title": "Intervals", "svg": forest_svg(made.rows, labels=[row.metric for row in made.rows])}]
    head = made.rows[-1]
    shown = shown_table(
        ("tp", "fp", "fn", "tn"),
        tables,
        title="Tables that give these numbers (at most 20 shown)",
        numbers=(0, 1, 2, 3),
    )
    if not tables:  # of AUC alone no counts follow
        rows = [(row.said, found.printed[row.metric], row.reach) for row in made.rows]
        shown = shown_table(("metric", "printed", "interval"), rows, title="What was printed", numbers=(1,))
    return answer(
        "From a paper", f"{found!r} {said}".strip(), headline=estimate_headline(head), figures=figures,
        table=shown,
        notes=[*map(str, found.notes), *all_notes(made)], rows=[found.to_dict()],
        copies={**_printed_rows(made), "text": str(found), **copies},
    )  # fmt: skip


def _avoid(method: str) -> list[str]:
    return [f"when not to use {entry.name}: {entry.avoid}" for entry in METHODS if entry.name == method]


def _side_by_side(made: Report, rows: Sequence[Sequence[str]]) -> str:
    lines = [f"{method:<16}{value:>8}  [{low}, {high}]  {kind}" for method, value, low, high, kind in rows]
    return "\n".join([made.rows[0].metric, *lines, "", caption(made), *(f"note: {note}" for note in all_notes(made))])


def method_bibtex(names: Iterable[str], catalogue: Iterable[IntervalMethod | PairMethod] = METHODS) -> str:
    """Return BibTeX of the methods of these names, those of intervals or of another catalogue."""
    wanted = set(names)
    return bibtex({entry.name: entry.citation for entry in catalogue if entry.name in wanted})


def _printed_rows(made: Report) -> dict[str, str]:
    """Return the rows of a report to take along, as text, LaTeX and BibTeX of their methods."""
    return {"text": str(made), "latex": made.to_latex(), "bibtex": method_bibtex(row.method for row in made.rows)}


def _rows_answer(
    made: Report, title: str, said: str, figures: Iterable[Answer], copies: Mapping[str, str], *,
    headline: Sequence[str] = (),
) -> Answer:  # fmt: skip
    """Return the rows of a report, with its own table and notes."""
    return answer(
        title, said, headline=headline, table=shown_grid(report_grid(made), "html"), figures=figures,
        notes=all_notes(made), rows=made.to_dicts(), copies={**_printed_rows(made), **copies},
    )  # fmt: skip


def report_answer(made: Report, copies: Mapping[str, str]) -> Answer:
    """Return several metrics of every model, drawn per metric, or in one figure for one model."""
    return _rows_answer(made, "Every usual metric", caption(made), _report_figures(made), copies)


def slices_answer(made: Report, by: str, copies: Mapping[str, str]) -> Answer:
    """Return one metric of every model in each subgroup."""
    title = f"{made.rows[0].metric} by {by}"
    return _rows_answer(made, title, caption(made), [{"title": title, "svg": forest_svg(made.rows)}], copies)


def _report_figures(made: Report) -> list[Answer]:
    if len(made.models) == 1:
        shown = [row for row in made.rows if row.metric_range is None or math.isfinite(row.metric_range[1])]
        return [{"title": "All metrics", "svg": forest_svg(shown, labels=[row.metric for row in shown])}]
    wanted = made.metrics[:8]
    return [{"title": name, "svg": forest_svg([row for row in made.rows if row.metric == name])} for name in wanted]


def _differences(rows: Iterable[tuple[Comparison | BayesTest, str]], title: str) -> Answer:
    bars = [Bar(name, row.difference, row.low, row.high) for row, name in rows]
    return {"title": title, "svg": bars_svg([bar for bar in bars if bar.drawable], mark=0.0)}


def comparison_answer(methods: Sequence[Comparison], copies: Mapping[str, str]) -> Answer:
    """Return the difference of two models by every method that can, the default first."""
    first = methods[0]
    header = ("method", f"{first.b} − {first.a}", "low", "high", "p", "verdict")
    rows = [(row.method, *printed(row, "difference", "low", "high"), p_text(row.p_value), row.words) for row in methods]
    return answer(
        f"{first.metric}: {first.b} − {first.a}", f"{first!r}. {first.sentence}", headline=pair_headline(first),
        table=shown_table(header, rows, title=comparison_caption(first), numbers=(1, 2, 3, 4), mark=0),
        figures=[_differences(((row, row.method) for row in methods), "Difference by method")],
        notes=[str(note) for row in methods for note in row.notes], rows=[row.to_dict() for row in methods],
        copies={"text": first.write("text"), "latex": first.to_latex(),
                "bibtex": method_bibtex((row.method for row in methods), PAIR_METHODS), **copies},
    )  # fmt: skip


def pair_headline(made: Comparison) -> list[str]:
    """Return the verdict of a comparison in two parts: whether it is settled, and by how much."""
    said = {"a": made.a, "b": made.b, "metric": made.said, "level": percent(made.level)}
    if math.isnan(made.low) or math.isnan(made.high):
        return [phrase("headline undefined"), phrase("headline undefined, rest", **said)]
    if made.low <= 0 <= made.high:
        rest = phrase("headline open, rest", less=number(-made.low), more=number(made.high), **said)
        return [phrase("headline open"), rest]
    least, most = map(number, sorted((abs(made.low), abs(made.high))))
    higher = made.low > 0
    if made.better is None:
        first = phrase("headline higher" if higher else "headline lower", **said)
    else:
        winner, other = (made.b, made.a) if higher == (made.better == "higher") else (made.a, made.b)
        first = phrase("headline better", winner=winner, other=other, **said)
    return [first, phrase("headline by", least=least, most=most, **said)]


def comparisons_answer(made: Comparisons, copies: Mapping[str, str]) -> Answer:
    """Return all pairs of several models with the control over them."""
    return answer(
        f"{made.metric}: all pairs", made.sentence, headline=[made.sentence, ""],
        table=shown_grid(comparisons_grid(made), "page"),
        figures=[_differences(((row, f"{row.b} − {row.a}") for row in made.rows), "Differences")],
        notes=map(str, made.notes), rows=made.to_dicts(),
        copies={"text": str(made), "latex": made.to_latex(),
                "bibtex": method_bibtex([made.rows[0].method], PAIR_METHODS), **copies},
    )  # fmt: skip


def _decisions(tests: Sequence[BayesTest]) -> str:
    if len(tests) == 1:
        return f"{tests[0]!r}. {tests[0].sentence}"
    return "; ".join(f"{t.metric}: {t.decision}, probability {max(t.p_h0, t.p_h1):.4f}" for t in tests) + "."


def bayes_answer(tests: Sequence[BayesTest], copies: Mapping[str, str]) -> Answer:
    """Return Bayes tests, one row per metric."""
    grid = bayes_grid(tests)
    return answer(
        f"Is {tests[0].b} better than {tests[0].a}?", _decisions(tests), headline=[_decisions(tests), ""],
        table=shown_grid(grid, "page"),
        figures=[_differences(((test, test.metric) for test in tests), "Posterior of b − a")],
        notes=grid.notes, rows=grid.records,
        copies={"text": written(grid, "text"), "latex": written(grid, "latex"),
                "bibtex": bibtex({"the Bayes test": WANG}), **copies},
    )  # fmt: skip

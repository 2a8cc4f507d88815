"""Comparisons in every form: one difference, or many with their control."""

from __future__ import annotations

from html import escape

from howsure.reports.align import aligned, visible
from howsure.reports.grid import plain_table
from howsure.reports.latex import columns_of, decimal_cell, interval_cells, table_environment
from howsure.reports.latex import escaped as latex_escaped
from howsure.reports.markdown import escaped as markdown_escaped
from howsure.results.comparison import Comparison, Comparisons
from howsure.results.words import amount, decimals_for, number, p_text, percent

HEADER = ("b", "a", "b − a", "low", "high", "p", "")


def _rows(made: Comparison | Comparisons) -> list[Comparison]:
    return [made] if isinstance(made, Comparison) else list(made.rows)


def printed(row: Comparison) -> tuple[str, ...]:
    """Return the printed parts of a comparison, its winner last."""
    places = decimals_for(row.low, row.high)
    values = tuple(number(value, places) for value in (row.difference, row.low, row.high))
    return (row.b, row.a, *values, p_text(row.p_value), _mark(row))


def _mark(row: Comparison) -> str:
    if row.winner is not None:
        return f"{row.winner} better"
    return "differ" if row.decided else "not settled"


def caption(made: Comparison | Comparisons) -> str:
    """Return the sentence under a table of comparisons."""
    first = _rows(made)[0]
    control = ""
    if isinstance(made, Comparisons) and made.family > 1:
        how = "no" if made.adjust == "none" else made.adjust
        control = f", {how} adjustment over {amount(made.family, 'comparison')}"
    kind = f"{'paired ' if first.paired else ''}{first.kind}"
    return f"{first.metric}: {percent(first.level)} intervals of the {kind} ({first.method}){control}."


def comparisons_text(made: Comparison | Comparisons, *, quiet: bool = False) -> str:
    """Return comparisons as aligned text with their sentence and notes; quiet leaves out the notes."""
    notes = [] if quiet else [f"note: {note}" for note in made.notes]
    if isinstance(made, Comparison):
        return "\n".join(map(visible, [repr(made), made.sentence, *notes, *_beside(made)]))
    table = [HEADER, *(printed(row) for row in made.rows)]
    lines = aligned(table, {2, 3, 4, 5})
    return "\n".join([*lines, "", *map(visible, [caption(made), made.sentence, *notes])])


def _beside(row: Comparison) -> list[str]:
    """Return what stands beside a comparison: values, discordant rows, what pairing bought, practical equality."""
    lines = [
        f"{row.a} {number(row.value_a)} · {row.b} {number(row.value_b)} · correlation {number(row.correlation, 2)}"
    ]
    if row.discordant is not None:
        lines.append(f"rows that only {row.a} got right: {row.discordant[0]:g}; only {row.b}: {row.discordant[1]:g}")
    if row.unpaired is not None:
        low, high = (number(end) for end in row.unpaired)
        lines.append(f"ignoring the pairing the interval would be [{low}, {high}]")
    if row.rope_probabilities is not None:
        worse, equal, better = row.rope_probabilities
        lines.append(f"probability worse {worse:.3f} · within ±{row.rope:g} {equal:.3f} · better {better:.3f}")
    if row.verdict is not None:
        lines.append(f"margin {row.margin:g}: {row.verdict}")
    return lines


def comparisons_markdown(made: Comparison | Comparisons) -> str:
    """Return comparisons as a Markdown table."""
    head = ["| " + " | ".join(HEADER) + " |", "|---|---|---:|---:|---:|---:|---|"]
    body = ["| " + " | ".join(markdown_escaped(cell) for cell in printed(row)) + " |" for row in _rows(made)]
    return "\n".join([*head, *body, "", caption(made), "", made.sentence])


def comparisons_latex(made: Comparison | Comparisons) -> str:
    """Return comparisons as a LaTeX table (booktabs)."""
    number = columns_of(True)
    columns = f"ll{number}{number}@{{, }}{number}{number}l"
    head = ["b", "a", r"\multicolumn{2}{c}{$b-a$}", r"\multicolumn{4}{c}{interval}", r"\multicolumn{2}{c}{$p$}", ""]
    body = []
    for row in _rows(made):
        b, a, difference, low, high, p, mark = printed(row)
        cells = [decimal_cell(difference), *interval_cells(low, high), decimal_cell(p)]
        body.append([latex_escaped(b), latex_escaped(a), *cells, latex_escaped(mark)])
    return table_environment(columns, head, body, caption(made))


def comparisons_html(made: Comparison | Comparisons) -> str:
    """Return comparisons as an HTML table."""
    table = plain_table(HEADER, map(printed, _rows(made)), frozenset({2, 3, 4, 5}), caption(made))
    return f"{table}<p>{escape(made.sentence)}</p>"

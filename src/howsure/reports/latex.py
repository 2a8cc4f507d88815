"""LaTeX tables (booktabs), digits aligned at the decimal point by two columns and no further package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from howsure.reports.align import visible
from howsure.reports.grid import Cell, EstimateCell, Grid

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"\textbar{}",
    "∞": r"$\infty$",
    "−": r"$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "β": r"$\beta$",
    "ν": r"$\nu$",
    "ρ": r"$\rho$",
    "²": r"$^2$",
    "√": r"$\surd$",
    "†": r"$\dagger$",
}
NEEDS = r"% needs \usepackage{booktabs}"
# Digits take two columns that meet at the point, an interval takes four.
SPECIFIERS = {"estimate": "l", "text": "l", "number": "r@{.}l", "interval": "r@{.}l@{, }r@{.}l"}
HEADS = {
    "estimate": "{}",
    "text": "{}",
    "number": r"\multicolumn{{2}}{{c}}{{{}}}",
    "interval": r"\multicolumn{{4}}{{c}}{{{}}}",
}
_DECIMAL = re.compile(r"((?:< ?)?[-−+]?[\d,]+)\.(\d+)(.*)", re.DOTALL)
_WHOLE = re.compile(r"[-−+]?[\d,]+")


def grid_latex(grid: Grid) -> str:
    """Return a table environment to paste into a paper, with the caption alone, and what it needs as a comment."""
    shown = grid.shown("latex")
    kinds = [column.kind for column in shown.columns]
    head = [HEADS[column.kind].format(column.headings.get("latex") or escaped(column.name)) for column in shown.columns]
    body = [[_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in shown.rows]
    return table_environment("".join(SPECIFIERS[kind] for kind in kinds), head, body, shown.caption)


def _cell(cell: Cell, kind: str) -> str:
    if isinstance(cell, EstimateCell):
        return _estimate(cell)
    if not isinstance(cell, str):
        return " & ".join(interval_cells(*cell))
    return decimal_cell(cell) if kind == "number" else escaped(cell)


def _estimate(cell: EstimateCell) -> str:
    """Return a value with its interval; the best is bold, a dagger marks one that is clearly worse."""
    value = rf"\textbf{{{escaped(cell.value)}}}" if cell.best else escaped(cell.value)
    ends = f" [{escaped(cell.low)}, {escaped(cell.high)}]" if cell.low != cell.high else ""
    return f"{value}{ends}" + (r"$^\dagger$" if cell.worse else "")


def interval_cells(low: str, high: str) -> list[str]:
    """Return [low, high] as the cells of two columns of digits, or as one word where there is no interval."""
    if low == high == "undefined":
        return [r"\multicolumn{4}{c}{undefined}"]
    return [decimal_cell(low, before="[", after="@{, }"), decimal_cell(high, behind="]")]


def decimal_cell(text: str, *, before: str = "", behind: str = "", after: str = "") -> str:
    """Return a number split at its point for two columns; anything else spans both.

    >>> decimal_cell("-0.018"), decimal_cell("12"), decimal_cell("undefined")
    ('$-$0&018', '\\\\multicolumn{1}{r@{}}{12}&', '\\\\multicolumn{2}{c}{undefined}')
    """
    parts = _DECIMAL.fullmatch(text)
    if parts is not None:
        whole, decimals, rest = parts.groups()
        return f"{before}{_signed(whole)}&{decimals}{escaped(rest)}{behind}"
    if _WHOLE.fullmatch(text) and not behind and not after:
        return rf"\multicolumn{{1}}{{r@{{}}}}{{{before}{_signed(text)}}}&"
    side = "l" if behind else "r" if before else "c"
    return rf"\multicolumn{{2}}{{{side}{after}}}{{{before}{escaped(_minus(text))}{behind}}}"


def _signed(text: str) -> str:
    return escaped(_minus(text))


def _minus(text: str) -> str:
    return "−" + text[1:] if text.startswith("-") else text


def table_environment(columns: str, head: Sequence[str], body: Iterable[Sequence[str]], title: str) -> str:
    """Return a table environment from cells that are LaTeX already, and a caption that is plain text."""
    made = [[_begun(cells[0]), *cells[1:]] for cells in body]
    every = " ".join([title, *(cell for cells in made for cell in cells)])
    lines = [
        NEEDS, *_engine(every), r"\begin{table}", r"\centering",
        rf"\caption{{{escaped(title)}}}", rf"\begin{{tabular}}{{{columns}}}",
    ]  # fmt: skip
    rows = [" & ".join(cells) + r" \\" for cells in made]
    return "\n".join(
        [*lines, r"\toprule", " & ".join(head) + r" \\", r"\midrule", *rows, r"\bottomrule", r"\end{tabular}",
         r"\end{table}"]
    )  # fmt: skip


def _begun(cell: str) -> str:
    """Return the first cell of a row: a bracket or a star there would be taken for an argument of the row before."""
    return f"{{}}{cell}" if cell.startswith(("[", "*")) else cell


def _engine(text: str) -> list[str]:
    """Return a remark for letters that pdflatex does not know: those beyond Latin, and pictures."""
    plain = all(ord(mark) < 0x180 or mark in "–—‘’“”…•€†−" for mark in text)
    return [] if plain else ["% compile with lualatex or xelatex, and a font that has these letters"]


def escaped(text: str) -> str:
    """Return text with LaTeX's special characters made plain."""
    return "".join(_SPECIAL.get(mark, mark) for mark in visible(text.replace("\n", " ")))

"""A LaTeX table (booktabs), digits aligned by the same number of decimals in a column's rows."""

from __future__ import annotations

from howsure.reports.describe import caption, cells_of
from howsure.results import Report

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
    "∞": r"$\infty$",
}


def report_latex(report: Report) -> str:
    """Return a table environment to paste into a paper; needs \\usepackage{booktabs}."""
    several = len(report.models) > 1
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(caption(report))}}}",
        rf"\begin{{tabular}}{{{'l' if several else ''}lrr@{{, }}ll}}",
        r"\toprule",
        ("model & " if several else "") + r"metric & value & \multicolumn{2}{c}{interval} & method \\",
        r"\midrule",
    ]
    for row in report.rows:
        parts = {key: escaped(text) for key, text in cells_of(row).items()}
        lead = f"{parts['model']} & " if several else ""
        lines.append(
            rf"{lead}{parts['metric']} & {parts['value']} & [{parts['low']} & {parts['high']}] & {parts['method']} \\"
        )
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def escaped(text: str) -> str:
    """Return text with LaTeX's special characters made plain."""
    return "".join(_SPECIAL.get(mark, mark) for mark in text)

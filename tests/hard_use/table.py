"""All cases of hard use, theme by theme, and the page that shows them."""

from __future__ import annotations

from itertools import groupby

from hard_use.arrays import ARRAYS
from hard_use.catalogue import Case
from hard_use.files import FILES
from hard_use.labels import LABELS
from hard_use.numbers import NUMBERS
from hard_use.rows import ROWS
from hard_use.running import RUNNING
from hard_use.sizes import SIZES
from hard_use.writing import WRITING

THEMES = (SIZES, LABELS, ARRAYS, NUMBERS, FILES, ROWS, WRITING, RUNNING)
CASES: tuple[Case, ...] = tuple(case for theme in THEMES for case in theme.cases)
HEAD = """# Hard use

What happens with input that is odd, damaged, huge or hostile. Each row of these tables is a test (`tests/hard_use`),
and this page is made from the same entries by `scripts/make_hard_use.py`: what a row says has been seen to happen.
*Refused* means an error of the class `howsure.HowsureError` (a `ValueError`) that says which argument, what came, the
rule and the remedy; on the command line, its text and exit status 2.
"""


def page() -> str:
    """Return docs/hard-use.md."""
    parts = [HEAD]
    for title, cases in groupby(CASES, key=lambda case: case.theme):
        rows = "".join(f"| {_cell(case.given)} | {_cell(case.happens)} |\n" for case in cases)
        parts.append(f"\n## {title}\n\n| input | what happens |\n|---|---|\n{rows}")
    return "".join(parts)


def _cell(text: str) -> str:
    """Return text that stays in its cell of a Markdown table."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("@", "&#64;")

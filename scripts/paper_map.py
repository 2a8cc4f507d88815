"""Write docs/papers/map.md, and with --refresh the column "ours" of the map, from what the calls give now.

Run: python scripts/paper_map.py [--refresh]. Read the difference before you commit it: the test holds every number of
the map against the print.
"""

from __future__ import annotations

import math
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import howsure as hs
from howsure.cli.verbs.papers.study import PAPERS
from howsure.studies.papers import yuan2025
from howsure.studies.papers.paper_map import MapRow, map_files, map_rows, setups

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "papers" / "map.md"
DATA = ROOT / "src" / "howsure" / "studies" / "papers" / "map.toml"
HEAD = """# The map of the papers

Every method, equation, table, figure, worked example and recommendation of the five papers: the command, the
Python call, the number in print, and ours. {rows} rows; a test runs each of them, by its command and by its
call, and compares them with each other and with the print. `howsure papers` prints this map, `howsure papers
lam2024` one paper's, and `howsure papers --files folder` writes the small files that the commands read.

Where our default differs from a paper's interval, the row names the paper's `method=`: for F1 the four of Lam
et al. are `clopper-pearson`, `wald`, `wilson-direct` and `wilson` (indirect), and the default is `mid-p`; for
macro averages Takahashi et al. take `wald`, which covers 0.77 to 0.90 at n = 25 where 0.95 is asked, and the
default joins the limits of the classes; for joint intervals Yuan & Jiang take `wald` (choice I) or recommend
`blurred` (choice II), and the default is the scale of each metric's range; Jiang takes `wald`. The Bayes test and
its posteriors are those of Wang & Li as they are.
"""


def values(row: MapRow, names: dict[str, Any]) -> list[float]:
    """Return what the call of a row gives."""
    scope = dict(names)
    *before, last = [part for part in re.split(r";\s*(?![^(]*\))", f"{setups()[row.paper]}; {row.python}") if part]
    exec("\n".join(before), scope)  # our own file
    found = eval(last, scope)
    listed = found if isinstance(found, (list, tuple)) else [found]
    return [math.nan if value is None else float(value) for value in listed]


def refreshed() -> str:
    """Return the map with the numbers that come out now, each with as many decimals as before."""
    text = DATA.read_text(encoding="utf-8")
    names = {"hs": hs, "Path": Path, "yuan": yuan2025.rows(replicates=300)}
    with tempfile.TemporaryDirectory() as folder:
        for name, held in map_files().items():
            (Path(folder) / name).write_text(held, encoding="utf-8")
        os.chdir(folder)
        made = [None if row.ours == ("",) else values(row, names) for row in map_rows()]
        os.chdir(ROOT)
    lines = iter(made)

    def again(found: re.Match[str]) -> str:
        numbers = next(lines)
        shown = re.findall(r'"([^"]*)"', found[1])
        if numbers is None:
            return found[0]
        texts = [
            "undefined" if math.isnan(value) else f"{value:.{len(old.partition('.')[2])}f}"
            for old, value in zip(shown, numbers, strict=True)
        ]
        return "ours = [" + ", ".join(f'"{one}"' for one in texts) + "]"

    return re.sub(r"^ours = \[(.*)\]$", again, text, flags=re.MULTILINE)


def page() -> str:
    """Return the page."""
    rows = map_rows()
    lines = [HEAD.format(rows=len(rows))]
    for paper, title in PAPERS.items():
        lines += [f"## {title}", "", f"[All its numbers]({paper}.md). The calls start from", ""]
        lines += ["```text", "import howsure as hs", setups()[paper], "```", ""]
        for row in (row for row in rows if row.paper == paper):
            lines += [f"### {row.item}", "", f"*{row.where}*", "", "```text"]
            lines += [f"howsure {row.command}"] if row.command else []
            lines += [row.python, "```", "", _numbers(row), ""]
    return "\n".join(lines)


def _numbers(row: MapRow) -> str:
    printed, ours = ", ".join(filter(None, row.printed)), ", ".join(filter(None, row.ours))
    said = [f"Printed: {printed}." if printed else "Nothing printed.", f"Ours: {ours}." if ours else ""]
    note = "; ".join(filter(None, (row.differs, row.note)))
    return " ".join(filter(None, [*said, f"{note[0].upper()}{note[1:]}." if note else ""]))


def main() -> None:
    """Write the page, and the numbers before it if asked."""
    if "--refresh" in sys.argv[1:]:
        DATA.write_text(refreshed(), encoding="utf-8")
        return
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Recompute the tables of the five papers and write a documentation page for each, with a summary.

Run: python scripts/papers.py [--data FOLDER] [name …]. FOLDER holds raw data that a paper needs and we do not ship.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from howsure.cli.study import PAPERS
from howsure.papers.rows import PaperRow
from howsure.reports.papers import agrees, paper_rows, paper_text

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "papers"


def line(name: str, rows: list[PaperRow]) -> str:
    """Return the summary line of a paper."""
    printed = [row for row in rows if row.printed is not None and row.ours is not None]
    explained = sum(1 for row in printed if not agrees(row) and row.note)
    agree = sum(map(agrees, printed))
    open_ = len(printed) - agree - explained
    return f"| [{PAPERS[name]}]({name}.md) | {len(printed)} | {agree} | {explained} | {open_} |"


def main() -> None:
    """Write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="papers; all by default")
    parser.add_argument("--data", type=Path, help="folder with raw data")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    summary = [
        "# The five papers, recomputed", "",
        "Every number that depends on a table, beside ours. A number agrees when ours is within one unit of the last "
        "printed digit, or within three Monte-Carlo errors; the others carry the reason on their page.", "",
        "| paper | printed numbers | agree | differ for a stated reason | open |", "|---|---:|---:|---:|---:|",
    ]  # fmt: skip
    for name in options.names or PAPERS:
        print(f"recomputing {name} …", flush=True)
        rows = paper_rows(name, data=options.data)
        (FOLDER / f"{name}.md").write_text(paper_text(name, PAPERS[name], rows, "md") + "\n", encoding="utf-8")
        summary.append(line(name, rows))
        print(summary[-1], flush=True)
    (FOLDER / "index.md").write_text("\n".join([*summary, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()

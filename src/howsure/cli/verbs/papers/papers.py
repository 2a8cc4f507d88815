"""papers: the map of the five papers, from each method, table and example to its command and its call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from howsure.cli.options import output_options
from howsure.cli.output import deliver, wrote
from howsure.cli.verbs.papers.study import PAPERS
from howsure.errors.messages import cli as messages


@click.command(epilog="Papers: " + " · ".join(f"{name} ({text})" for name, text in PAPERS.items()))
@click.argument("paper", required=False)
@click.option("--files", type=click.Path(file_okay=False), help="Also write the files that the commands read here.")
@output_options
def papers(paper: str | None, files: str | None, **options: Any) -> None:
    """Print what each of the five papers has, how to get it, its number in print, and ours; or of one PAPER."""
    from howsure.errors import InputError, nearest, quoted
    from howsure.reports.grids import record_grid
    from howsure.reports.writing import written
    from howsure.results.saving import write_whole
    from howsure.studies.papers.paper_map import map_files, map_rows, setups

    if paper is not None and paper not in PAPERS:
        raise InputError(messages.NO_SUCH_PAPER(paper=paper, hint=nearest(paper, PAPERS), papers=quoted(PAPERS)))
    if files is not None:
        Path(files).mkdir(parents=True, exist_ok=True)
        for name, text in map_files().items():
            write_whole(str(Path(files) / name), text.encode())
            wrote(Path(files) / name)
    rows = [row.to_dict() for row in map_rows(paper)]
    if options["format_"] != "text":
        title = f"{len(rows)} things that the papers have, and where they are here."
        deliver(written(record_grid(rows, title, "paper-map"), options["format_"]), options["output"])
        return
    lines: list[str] = []
    for name in PAPERS if paper is None else (paper,):
        lines += [PAPERS[name], f"  in Python first: import howsure as hs; {setups()[name]}", ""]
        lines += [line for row in rows if row["paper"] == name for line in _told(row, quiet=options["quiet"])]
    lines += ["The files of the examples: howsure papers --files FOLDER"]
    deliver("\n".join(lines), options["output"])


def _told(row: dict[str, str], *, quiet: bool) -> list[str]:
    numbers = f"printed {row['printed'] or '–'} · ours {row['ours'] or '–'}"
    lines = [f"{row['item']} ({row['where']})", *([f"  {row['command']}"] if row["command"] else [])]
    lines += [f"  {row['python']}", f"  {numbers}"]
    return [*lines, *([f"  {row['note']}"] if row["note"] and not quiet else []), ""]

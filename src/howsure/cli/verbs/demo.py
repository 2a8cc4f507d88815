"""demo: the main job on the bundled example."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from howsure.cli.output import WIDTH, deliver, say, wrote
from howsure.errors.messages import cli as messages
from howsure.results.saving import write_whole

if TYPE_CHECKING:
    from howsure.results.estimate import Report

EXAMPLE = "tumours.csv"
NEXT = """next: open {html} in a browser, then {howsure} report YOUR.csv"""
TO_TRY = """try:
  {howsure} report {folder}/tumours.csv --pos-label malignant
  {howsure} compare {folder}/digits.csv --metric macro_f1"""


@click.command()
@click.option("--html", default="howsure-demo.html", show_default=True, help="Where to write the page.")
@click.option("--data", type=click.Path(file_okay=False), help="Only write the example's files (CSV) to this folder.")
def demo(html: str, data: str | None) -> None:
    """Print a report on the bundled example, compare its models, and write the page."""
    if data is not None:
        _copy(Path(data))
        return
    import howsure
    from howsure.reports.page.page import table_page

    table = howsure.read(str(_bundled() / EXAMPLE), truth="truth", pos_label="malignant")
    made = howsure.report(table)
    say(_shown(made))
    deliver(table_page(table, made), html)
    say(NEXT.format(html=html, howsure=_command()))


def _command() -> str:
    """Return how the command is called from here: by its path where the shell does not find it, as after make demo."""
    beside = Path(sys.executable).parent / "howsure"
    if shutil.which("howsure") is not None or not beside.exists():
        return "howsure"
    return str(beside.relative_to(Path.cwd()) if beside.is_relative_to(Path.cwd()) else beside)


def _shown(made: Report) -> str:
    """Return the verdict, the leaderboard of the leading metric, and the values of the others."""
    from howsure.reports.texts import brief_report

    return brief_report(made, width=WIDTH)


def _bundled() -> Path:
    import howsure

    return Path(howsure.__file__).parent / "cli" / "example"


def _copy(folder: Path) -> None:
    """Write the files of the example; one of the same name with other content stays as it is."""
    found = {folder / path.name: path.read_bytes() for path in sorted(_bundled().glob("*.csv"))}
    for path, content in found.items():
        if path.exists() and path.read_bytes() != content:
            raise click.UsageError(messages.DATA_WITH_OTHER_CONTENT(path=str(path)))
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in found.items():
        write_whole(str(path), content)
        wrote(path)
    say(TO_TRY.format(folder=folder, howsure=_command()))

"""demo: the main job on the bundled example."""

from __future__ import annotations

from pathlib import Path

import click

from howsure.cli.output import deliver, say

EXAMPLE = "tumours.csv"


@click.command()
@click.option("--html", default="howsure-demo.html", show_default=True, help="Where to write the page.")
def demo(html: str) -> None:
    """Print a report on the bundled example, compare its models, and write the page."""
    import howsure
    from howsure.reports.comparisons import comparisons_text
    from howsure.reports.html import table_page

    path = Path(howsure.__file__).parent / "example" / EXAMPLE
    table = howsure.read(str(path), pos_label="malignant")
    made = howsure.report(table)
    say(f"{EXAMPLE}: {table}\n")
    say(str(made))
    say("")
    say(comparisons_text(howsure.compare_all(table, "f1")))
    deliver(table_page(table, made), html)

"""reconstruct: the counts behind a paper's rounded figures, and their intervals."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.options import output_options
from howsure.cli.output import deliver, in_form
from howsure.errors.messages import cli as messages


@click.command(epilog="Example: howsure reconstruct --n 500 --positives 80 precision=0.81 recall=0.73 f1=0.76")
@click.argument("figures", nargs=-1, required=True, metavar="METRIC=VALUE...")
@click.option("--n", type=int, help="Rows of the test set.")
@click.option("--positives", type=int, help="Positive rows among them.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--method", help="Interval method; each metric's default unless given.")
@output_options
def reconstruct(figures: tuple[str, ...], **options: Any) -> None:
    """Find every whole-number table that rounds to the figures of a paper, and the intervals that follow.

    METRIC=VALUE is a figure as printed, its last zeros too: recall=0.80, f1=76.3%.
    """
    from howsure.estimates.reconstruct import reconstruct as find

    given: dict[str, Any] = {name: options[name] for name in ("n", "positives", "level", "method")}
    given |= dict(map(_figure, figures))
    found = find(**given)
    form = options["format_"]
    if form == "text":
        deliver(repr(found) if options["quiet"] else str(found), options["output"])
    elif form == "json":
        deliver(found.to_json(indent=2), options["output"])
    else:
        deliver(in_form(found.report, form, quiet=options["quiet"]), options["output"])


def _figure(text: str) -> tuple[str, str]:
    name, parted, value = text.partition("=")
    if not parted or not name or not value:
        raise click.UsageError(messages.NO_FIGURE_WRITE_METRIC_VALUE(text=text))
    return name, value

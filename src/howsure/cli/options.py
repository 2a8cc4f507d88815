"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
FORMATS = ("text", "json", "csv", "md", "latex", "html")


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return one decorator from several options, shown in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


output_options = together(
    click.option(
        "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True, help="Form of the output."
    ),
    click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file instead of the screen."),
    click.option("-q", "--quiet", is_flag=True, help="Leave out notes and what was guessed."),
)
statistics_options = together(
    click.option("--level", type=float, default=0.95, show_default=True, help="Level of the intervals."),
    click.option("--method", help="Interval method; see 'howsure methods'. Default: the metric's own."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of anything random."),
    click.option(
        "--undefined",
        type=click.Choice(("nan", "skip", "zero")),
        default="nan",
        show_default=True,
        help="What an average does with a class that is 0/0.",
    ),
)
data_options = together(
    click.option("--truth", help="Column of true labels."),
    click.option("--pred", "predictions", multiple=True, help="Column of predicted labels; repeat for several models."),
    click.option("--id", "id_", help="Column that identifies rows; several files are aligned by it."),
    click.option("--group", help="Column of what belongs together: patient, document, speaker."),
    click.option("--weight", help="Column of sampling weights."),
    click.option("--pos-label", help="The positive class."),
    click.option("--labels", help="All labels, separated by commas, in order."),
    click.option(
        "--on-bad",
        type=click.Choice(("refuse", "skip")),
        default="refuse",
        show_default=True,
        help="What to do with bad rows.",
    ),
)
plot_option = click.option(
    "--plot", "figure", type=click.Path(dir_okay=False), help="Draw a figure into this file (svg, png, pdf)."
)
metric_option = click.option(
    "-m", "--metric", "metrics", multiple=True, help="Metric; repeat for several. Default: the usual ones."
)


def chosen_method(method: str | None, seed: int) -> Any:
    """Return the method of a name; a bootstrap carries the seed."""
    if method == "bootstrap":
        from howsure.resampling import Bootstrap

        return Bootstrap(seed=seed)
    return method

"""report --by and compare --by: the same question for each value of a column, and the gaps between them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.data import asked_metrics, reading, shown_as, source_of
from howsure.cli.options import chosen_method, refuse
from howsure.cli.output import counting_bar, deliver, deliver_result, obeyed_by_none, say, watched
from howsure.errors.messages import cli as messages

if TYPE_CHECKING:
    from howsure.comparisons.slices import Slices
    from howsure.results.gap import Gap


def read_all_slices(files: tuple[str, ...], by: str, options: dict[str, Any]) -> Slices:
    """Read the slices of a file."""
    from howsure.comparisons.slices import Slices
    from howsure.sources.read import read_slices

    if options["id_"] is not None and options["model_column"] is None:
        raise click.UsageError(messages.BY_READS_ONE_FILE_NEEDS())
    return Slices(read_slices(source_of(files), by=by, id=options["id_"], **reading(options)))


def sliced_report(files: tuple[str, ...], by: str, options: dict[str, Any]) -> None:
    """Print the report of every slice, and the gap between slices for the metrics that were named."""
    refuse(options, ("pairs",), messages.WITH_BY())
    for option, usual in (("side", options["side"] == "both"), ("method all", options["method"] != "all")):
        if not usual:
            raise click.UsageError(messages.OPTION_DOES_NOT_GO_WITH_BY(option=option))
    parts = read_all_slices(files, by, options)
    shared = {"level": options["level"], "method": chosen_method(options), "undefined": options["undefined"]}
    metrics = asked_metrics(parts.total, options)
    bar = counting_bar("slices") if watched(options["quiet"]) else None
    made = parts.report(metrics, joint=options["joint"], progress=bar, **shared)
    made = replace(made, about=made.about | {"by": by})
    if options["html"] is not None:
        from howsure.reports.page.sliced import sliced_page

        deliver(sliced_page(parts, metrics, by=by, **shared), options["html"])
    deliver_result(made, options, **shown_as(options))
    if options["format_"] == "text" and len(parts) > 1 and not options["quiet"]:
        for gap in gaps(parts, metrics, level=options["level"], undefined=options["undefined"]):
            say(obeyed_by_none(f"\n{f'{gap.model}: ' if len(parts.models) > 1 else ''}{gap}"))


def gaps(parts: Slices, metrics: list[str] | None, **shared: Any) -> list[Gap]:
    """Return the gaps between the slices; where there is none, say why."""
    from howsure.reports.page.sliced import gaps_between

    found, missing = gaps_between(parts, metrics, **shared)
    for model, why in missing.items():
        say(obeyed_by_none(f"note: no gap of {model}: {why}"), err=True)
    return found

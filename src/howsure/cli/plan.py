"""plan: how many labelled rows are needed."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.options import output_options
from howsure.cli.output import deliver
from howsure.reports.spreadsheet import as_csv

NUMBERS = ("prevalence", "predicted", "precision", "recall", "specificity")


@click.command()
@click.argument("metric")
@click.option("--half-width", type=float, help="Half-width of the interval to reach.")
@click.option("--se", type=float, help="Standard error to reach.")
@click.option("--n", type=int, help="The reverse: what will this many rows give.")
@click.option("--difference", type=float, help="Plan a comparison: the difference to detect.")
@click.option("--power", type=float, default=0.8, show_default=True, help="Power of the comparison.")
@click.option("--compare", "comparing", is_flag=True, help="Plan a comparison also without --difference (with --n).")
@click.option("--prevalence", type=float, help="Share of rows that are truly positive.")
@click.option("--predicted", type=float, help="Share of rows that are predicted positive.")
@click.option("--precision", type=float, help="Precision you expect.")
@click.option("--recall", type=float, help="Recall you expect.")
@click.option("--specificity", type=float, help="Specificity you expect.")
@click.option("--precision-b", type=float, help="Precision you expect of the second model.")
@click.option("--recall-b", type=float, help="Recall you expect of the second model.")
@click.option("--agreement", type=float, help="Share of rows on which the two models agree.")
@click.option("--unpaired", is_flag=True, help="Two separate test sets instead of the same rows.")
@click.option("--margin", type=float, help="Margin of non-inferiority.")
@click.option("--comparisons", type=int, default=1, show_default=True, help="Number of comparisons to adjust for.")
@click.option("--pilot", help="File of predictions to take the performance from.")
@click.option("--assurance", type=float, help="Probability with which the half-width is met.")
@click.option("--cluster-size", type=float, help="Rows per cluster.")
@click.option("--icc", type=float, help="Correlation within a cluster.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Level of the interval.")
@click.option("--method", help="Interval method that will be used.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of anything random.")
@output_options
def plan(metric: str, **options: Any) -> None:
    """Say how many rows to label so that METRIC is known well enough, or two models can be told apart."""
    made: Any
    if options["difference"] is not None or options["comparing"]:
        made = _comparison(metric, options)
    else:
        made = _single(metric, options)
    forms = {
        "json": lambda: made.to_json(indent=2),
        "csv": lambda: as_csv([made.to_dict()]),
        "md": lambda: made.paragraph,
    }
    deliver(forms.get(options["format_"], lambda: str(made))(), options["output"])


def _single(metric: str, options: dict[str, Any]) -> Any:
    from howsure.plan import plan as make_plan

    names = ("half_width", "se", "n", "level", "pilot", "method", "assurance", "cluster_size", "icc", "seed", *NUMBERS)
    return make_plan(metric, **{name: options[name] for name in names})


def _comparison(metric: str, options: dict[str, Any]) -> Any:
    from howsure.plan_comparison import plan_comparison

    names = (
        "difference", "power", "n", "level", "prevalence", "precision", "recall", "precision_b", "recall_b", "agreement",
        "margin", "comparisons", "cluster_size", "icc",
    )  # fmt: skip
    pilot = None
    if options["pilot"] is not None:
        from howsure.sources.read import read

        pilot = read(options["pilot"])
    return plan_comparison(
        metric, pilot=pilot, paired=not options["unpaired"], **{name: options[name] for name in names}
    )

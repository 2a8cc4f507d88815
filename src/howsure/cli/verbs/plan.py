"""plan: how many labelled rows are needed."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.data import source_of
from howsure.cli.options import OneOf, given, one_metric, output_options, plot_option, refuse, seed_option, together
from howsure.cli.output import WIDTH, deliver, draw_result
from howsure.errors.messages import cli as messages
from howsure.reports.csv import as_csv

SHARED = ("n", "level", "anytime", "prevalence", "precision", "recall", "specificity", "pilot", "runs")
SINGLE = (
    "half_width", "se", "predicted", "npv", "classes", "method", "assurance", "bound", "cluster_size", "icc", "cost",
    "budget", "seed", "pool",
)  # fmt: skip
STRATA = ("half_width", "se", "predicted", "npv")
COMPARISON = (
    "difference", "power", "precision_b", "recall_b", "specificity_b", "accuracy", "accuracy_b", "auc", "auc_b",
    "score_correlation", "agreement", "margin",
    "comparisons", "correlation", "cluster_size", "icc", "cost", "budget",
)  # fmt: skip
EXPECTED = ("prevalence", "predicted", "precision", "recall", "specificity", "npv", "expect", "classes", "pilot")
ONLY_ONE = (
    "judge", "pool", "judge_cost",
    "assurance", "method", "predicted", "npv", "expect", "classes", "half_width", "se", "bound", "strata",
)  # fmt: skip
NOT_STRATA = (
    "pool", "judge_cost",
    "assurance", "method", "bound", "cluster_size", "icc", "sizes", "figure", "expect", "classes", "cost", "budget",
    "accuracy", "auc", "anytime", "runs", "run_cost",
)  # fmt: skip
LONG = {"model_column": "model", "id_": "id", "correct": "correct", "run": "run"}
OF_FILES = ("truth", "predictions", "pos_label", *LONG, "paired_runs", "judge")
ONLY_COMPARISON = (
    "power", "precision_b", "recall_b", "specificity_b", "accuracy_b", "auc_b", "score_correlation", "agreement",
    "unpaired", "margin", "comparisons", "correlation",
)  # fmt: skip

goal_options = together(
    click.option("--half-width", type=float, help="Half-width of the interval to reach."),
    click.option("--se", type=float, help="Standard error to reach."),
    click.option("--n", type=int, help="The reverse: what will this many rows give."),
    click.option("--level", type=float, default=0.95, show_default=True, help="Level of the interval."),
    click.option("--method", help="Interval method that will be used."),
    click.option(
        "--anytime", is_flag=True,
        help="Plan for looks at any time; of a comparison, say after how many rows it is expected to be settled.",
    ),
    click.option("--assurance", type=float, help="Probability with which the half-width is met."),
    click.option("--cost-per-label", "cost", type=float, help="Price of one label."),
    click.option("--cost-per-judgement", "judge_cost", type=float, help="Price of one answer of the judge of --pilot."),
    click.option(
        "--runs", type=int, help="Runs of each model that there will be; --pilot then holds several runs of its models."
    ),
    click.option(
        "--cost-per-run", "run_cost", type=float,
        help="Price of one run of a model, beside --cost-per-label of a row: how many of both.",
    ),
    click.option("--budget", type=float, help="What may be spent: in place of a goal, or beside one."),
)  # fmt: skip
expected_options = together(
    click.option("--prevalence", type=float, help="Share of rows that are truly positive."),
    click.option("--predicted", type=float, help="Share of rows that are predicted positive."),
    click.option("--precision", type=float, help="Precision you expect."),
    click.option("--recall", type=float, help="Recall you expect."),
    click.option("--specificity", type=float, help="Specificity you expect."),
    click.option("--npv", type=float, help="Negative predictive value you expect."),
    click.option("--expect", type=float, help="Value of METRIC itself that you expect."),
    click.option("--classes", type=int, help="Number of classes, of equal size, for a metric over several."),
    click.option("--pilot", help="File of predictions to take the performance from."),
    click.option("--labelled", help="File of predictions that are labelled already: how many more are needed."),
    click.option("--truth", help="Column of true labels in that file."),
    click.option(
        "--pred",
        "predictions",
        multiple=True,
        help="Column of predicted labels in that file. Several runs of a model: 'bert=bert_*'.",
    ),
    click.option("--pos-label", help="The positive class in that file."),
    click.option(
        "--model-column", help="Long pilot: column of models; with --id and --correct, or --truth and --pred."
    ),
    click.option("--id", "id_", help="Long pilot: column of questions."),
    click.option("--correct", help="Long pilot: column that says whether an answer is right."),
    click.option("--run", help="Long pilot: column of runs of a model: training seeds, prompts, readers."),
    click.option("--paired-runs", is_flag=True, help="All models of the pilot share their runs."),
    click.option(
        "--judge", multiple=True, help="Column of a judge's answers there; --truth is empty where nobody looked."
    ),
    click.option("--pool", type=int, help="Rows that the judge has answered, or will; those of --pilot unless given."),
    click.option(
        "--bound",
        type=OneOf(("jiang", "sharp")),
        help="Worst case over all classifiers: the paper's bound (jiang, unless given), or the true maximum.",
    ),
    click.option("--cluster-size", type=float, help="Rows per cluster."),
    click.option("--icc", type=float, help="Correlation within a cluster."),
)
comparison_options = together(
    click.option("--difference", type=float, help="Plan a comparison: the difference b − a to detect."),
    click.option("--compare", "comparing", is_flag=True, help="Plan a comparison also without --difference."),
    click.option("--power", type=float, help="Power of the comparison; 0.8 unless given."),
    click.option("--precision-b", type=float, help="Precision you expect of the second model."),
    click.option("--recall-b", type=float, help="Recall you expect of the second model."),
    click.option("--specificity-b", type=float, help="Specificity you expect of the second model."),
    click.option("--accuracy", type=float, help="Accuracy you expect: to plan for accuracy, or to compare accuracies."),
    click.option("--accuracy-b", type=float, help="Accuracy you expect of the second model."),
    click.option("--auc", type=float, help="AUC you expect: to plan for AUC, or to compare two."),
    click.option("--auc-b", type=float, help="AUC you expect of the second model."),
    click.option("--score-correlation", type=float, help="Correlation of the two models' scores within a class."),
    click.option("--agreement", type=float, help="Share of rows on which the two models agree."),
    click.option("--unpaired", is_flag=True, help="Two separate test sets instead of the same rows."),
    click.option("--margin", type=float, help="Margin of non-inferiority."),
    click.option("--comparisons", type=int, help="Number of comparisons to adjust for; 1 unless given."),
    click.option("--correlation", type=float, help="Correlation between the differences: 0.5 against one baseline."),
)


@click.command()
@click.argument("metric", callback=one_metric)
@goal_options
@expected_options
@comparison_options
@click.option("--strata", is_flag=True, help="Share labels between predicted classes in the best way.")
@click.option("--explain", is_flag=True, help="Show how the number comes about, step by step.")
@click.option("--curve", "sizes", help="Numbers of rows, separated by commas, to tabulate.")
@plot_option
@seed_option
@output_options
def plan(metric: Any, **options: Any) -> None:
    """Say how many rows to label so that METRIC is known well enough, or two models can be told apart."""
    made = _made(metric, options)
    if options["explain"] and not hasattr(made, "explanation"):
        raise click.UsageError(messages.EXPLAIN_GOES_WITH_PLAN())
    draw_result(made, options)
    deliver(_in_form(made, options), options["output"])


def _in_form(made: Any, options: dict[str, Any]) -> str:
    points = made.curve(_sizes(options["sizes"])) if options["sizes"] else None
    if options["format_"] == "json":
        return str(made.to_json(indent=2))
    if options["format_"] == "csv":
        rows = [made.to_dict()] if points is None else [{"n": n, "reached": value} for n, value in points]
        return as_csv(rows).rstrip("\n")
    if options["format_"] != "text":
        return str(made.write(options["format_"], points=points, quiet=options["quiet"]))
    from howsure.reports.text import wrapped

    text = made.paragraph if options["quiet"] else str(made)
    lines = [line for part in text.splitlines() for line in wrapped(part, WIDTH) or [""]]
    lines += ["", made.explanation] if options["explain"] else []
    lines += [f"{n:>12,}  {value:.4f}" for n, value in points or ()]
    return "\n".join(lines)


def _sizes(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(messages.NOT_LIST_OF_WHOLE_NUMBERS(text=text)) from None


def _made(metric: Any, options: dict[str, Any]) -> Any:
    if options["labelled"] is not None:
        return _still_needed(metric, options)
    options = options | {"pilot": _pilot(options), "cost": _cost(options)}
    if options["difference"] is not None or options["comparing"]:
        refuse(options, ONLY_ONE, messages.COMPARISON_LEAVE_OUT_OR_PLAN())
        from howsure.planning.comparison import plan_comparison

        return plan_comparison(metric, paired=not options["unpaired"], **_chosen(options, COMPARISON))
    refuse(options, ONLY_COMPARISON, messages.ONE_MODEL_LEAVE_OUT_OR_ADD())
    if options["strata"]:
        refuse(options, NOT_STRATA, messages.STRATA_LEAVE_ONE_OF_THEM_OUT())
        from howsure.planning.strata import plan_strata

        return plan_strata(metric, **_chosen(options, STRATA))
    from howsure.cli.own_metric import name_of
    from howsure.planning.plan import plan as make_plan

    own = {name_of(metric): options["expect"]} if options["expect"] is not None else given(options, ("accuracy", "auc"))
    return make_plan(metric, **_chosen(options, SINGLE), **own)


def _cost(options: dict[str, Any]) -> Any:
    """Return the price of a label, or of labels and what else is bought: runs, or answers of a judge."""
    label = options["cost"]
    for name, option, words in (
        ("judge_cost", "--cost-per-judgement", ("label", "judge")), ("run_cost", "--cost-per-run", ("row", "run")),
    ):  # fmt: skip
        if options[name] is not None and label is None:
            raise click.UsageError(messages.COST_GOES_WITH_COST_PER_LABEL(option=option))
        if options[name] is not None:
            return dict(zip(words, (label, options[name]), strict=True))
    return label


def _still_needed(metric: Any, options: dict[str, Any]) -> Any:
    from howsure.planning.plan import still_needed

    astray = (*EXPECTED, "n", "anytime", "bound", "difference", "comparing", "strata", *ONLY_COMPARISON)
    refuse(options, astray, messages.LABELLED_LEAVE_ONE_OF_THEM_OUT())
    names = ("half_width", "se", "level", "method", "assurance", "cluster_size", "icc", "seed")
    return still_needed(_read("labelled", options), metric, **{name: options[name] for name in names})


def _pilot(options: dict[str, Any]) -> Any:
    if options["pilot"] is None:
        refuse(options, (*OF_FILES, "pool", "judge_cost"), messages.PLAN_WITHOUT_PILOT_OR_LABELLED())
        return None
    return _read("pilot", options)


def _read(option: str, options: dict[str, Any]) -> Any:
    from howsure.errors import InputError, arg, quoted
    from howsure.results.words import amount
    from howsure.sources.read import read

    named, file = list(options["predictions"]) or None, source_of((options[option],))
    try:
        long = {name: options[option] for option, name in LONG.items()}
        table = read(
            file, truth=options["truth"], predictions=named, pos_label=options["pos_label"],
            paired_runs=options["paired_runs"], judge=list(options["judge"]) or None, **long,
        )  # fmt: skip
    except InputError as error:
        raise InputError(error.marked.replace(arg("source"), arg(option))) from None
    wanted = 2 if options["difference"] is not None or options["comparing"] else 1
    if len(table.models) != wanted:
        repeat = messages.TWO_WITH_PRED() if wanted == 2 else messages.ONE_WITH_PRED()
        raise InputError(
            messages.HOLDS_NAME(
                option=option, number=amount(len(table.models), "model"), models=quoted(table.models), repeat=repeat
            )
        )
    return table


def _chosen(options: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return given(options, (*SHARED, *names))

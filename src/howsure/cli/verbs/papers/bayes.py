"""bayes: the Bayes test of two models, from the counts of their cross-validation folds or from their predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from howsure.cli.data import on_disk, read_table
from howsure.cli.options import (
    OneOf,
    data_options,
    each_metric,
    given,
    level_option,
    output_options,
    plot_option,
    refuse,
    seed_option,
    together,
)
from howsure.cli.output import deliver, save_drawing
from howsure.errors.messages import cli as messages
from howsure.reports.csv import as_csv

if TYPE_CHECKING:
    from howsure.cross_validation.folds import Folds
    from howsure.results.bayes_test import BayesTest

where_option = click.option(
    "--where", multiple=True, metavar="COLUMN=VALUE", help="Keep the rows with this value; repeat."
)
averaged_option = click.option(
    "--averaged", is_flag=True,
    help="With --plot: also, dashed, the posteriors of Wang et al. (2015), whose counts are the mean over the folds.",
)  # fmt: skip
folds_options = together(
    click.option("--a", "typed_a", multiple=True, metavar="TP,FP,FN", help="A fold of model A by hand; repeat."),
    click.option("--b", "typed_b", multiple=True, metavar="TP,FP,FN", help="A fold of model B by hand; repeat."),
    click.option("--model", "models", multiple=True, help="Two models, A first; needed when the file holds more."),
    where_option,
)
factor_options = together(
    click.option("--factor", help="Factor of the summed counts: a number or 'conservative'. Default: the paper's."),
    click.option("--correlations", type=(float, float), help="rho1 and rho2, to set the factor from."),
)
ROWS = ("typed_a", "typed_b", "where", "factor", "correlations")
FROM_PREDICTIONS = ("truth", "predictions", "labels", "pos_label", "id_", "weight", "abstain", "input_format")


@click.command()
@click.argument("file", required=False)
@click.option(
    "-m", "--metric", "metrics", multiple=True, callback=each_metric,
    help="Metric to test; repeat for several. Default: f1.",
)  # fmt: skip
@folds_options
@factor_options
@click.option(
    "--pairing",
    type=OneOf(("paired", "independent")),
    help="Of predictions: row by row (default), or as if the models had seen different rows.",
)
@click.option("--prior", type=float, help="Prior mass per cell: 1 as in the paper (default), 0.5 for Jeffreys.")
@click.option("--rope", type=float, help="Region of practical equivalence: plus or minus this.")
@level_option
@click.option("--method", type=OneOf(("exact", "monte-carlo")), help="Default: exact where there is a formula.")
@click.option(
    "--draws", type=int, help="Draws where any are made; 1000000, or 20000 of paired F-measures, unless given."
)
@seed_option
@plot_option
@averaged_option
@data_options
@output_options
def bayes(file: str | None, metrics: tuple[Any, ...], **options: Any) -> None:
    """Test H0: B − A ≤ 0 against H1: B − A > 0.

    FILE is a CSV file with the columns model, repeat, fold, tp, fp, fn (and tn, or gold and predicted). Folds may be
    typed instead: --a 20,3,4 --a 21,4,3 … --b 22,3,2 --b …, in the order repeat 1 fold 1, repeat 1 fold 2, …
    With --truth or --pred, FILE holds predictions of two models, which are tested on the rows they share.

    --plot draws both posteriors and the density of the difference with the areas of H0 and H1.
    """
    from howsure.comparisons.bayes_test import bayes_test

    wanted = {name: options[name] for name in ("prior", "rope", "level", "method", "draws", "seed")}
    tested = metrics or ("f1",)
    a, b, how = _sides(file, options | {"metrics": tested})
    made = [bayes_test(a, b, metric, **how, **wanted) for metric in tested]
    if options["averaged"] and (options["figure"] is None or how):
        raise click.UsageError(messages.AVERAGED_GOES_WITH_PLOT_AND_COUNTS())
    if options["figure"] is not None:
        from howsure.reports.figures.densities import plot_bayes_tests

        dashed = [averaged_laws({"A": a, "B": b}, metric, options["prior"]) for metric in tested]
        save_drawing(plot_bayes_tests(made, dashed if options["averaged"] else ()), options["figure"])
    deliver(_as(made, options["format_"], quiet=options["quiet"]), options["output"])


def averaged_laws(held: dict[str, Any], metric: Any, prior: float | None) -> dict[str, Any]:
    """Return the posteriors of Wang et al. (2015) of folds: their counts are averaged over the folds."""
    from howsure.cross_validation.folds import Folds
    from howsure.estimates.posterior import posterior

    found = {name: one for name, one in held.items() if isinstance(one, Folds)}
    return {name: posterior(one.with_factor(1 / len(one)), metric, prior=prior) for name, one in found.items()}


def _sides(file: str | None, options: dict[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Return what is compared: two Folds, or one table of predictions and how it is paired."""
    if file is not None and given(options, FROM_PREDICTIONS):
        refuse(options, ROWS, messages.PREDICTIONS_TRUTH_PRED())
        table = read_table((file,), options, quiet=options["quiet"])
        return table, None, {"models": options["models"] or None, "pairing": options["pairing"]}
    refuse(options, ("pairing",), messages.COUNTS_OF_FOLDS())
    from howsure.sources.files.matrix_files import NoCounts

    try:
        a, b = two_folds(file, options, **weighing_of(options))
    except NoCounts as error:
        hint = " If it holds predictions, name its columns with --truth and --pred."
        raise NoCounts(error.marked + hint) from None
    return a, b, {}


def two_folds(file: str | None, options: dict[str, Any], **weighing: Any) -> tuple[Folds, Folds]:
    """Return the folds of A and B from a file, or as typed; ``weighing`` is the factor of their counts."""
    if file is None:
        refuse(options, ("models", "where"), messages.FOLDS_TYPED_BY_HAND())
        return _typed(options, "typed_a", "A", weighing), _typed(options, "typed_b", "B", weighing)
    refuse(options, ("typed_a", "typed_b"), messages.WITH_A_FILE())
    with on_disk(file) as path:
        return _two(folds_in(path, options, weighing), options["models"], file)


def _typed(options: dict[str, Any], name: str, model: str, weighing: dict[str, Any]) -> Folds:
    from howsure.cross_validation.folds import folds
    from howsure.errors import InputError, arg
    from howsure.results.words import amount

    option = f"--{model.lower()}"
    if not options[name]:
        raise click.UsageError(messages.MISSING_GIVE_FILE_OF_COUNTS(option=option))
    counts = [_fold(option, fold) for fold in options[name]]
    try:
        return folds(counts, model=model, **weighing)
    except InputError as error:
        said = amount(len(counts), "fold")
        raise InputError(
            error.marked.replace(f"{arg('tables')} has {len(counts)} folds", f"{option} gives {said}")
        ) from None


def _fold(option: str, text: str) -> list[float]:
    """Return the counts of a fold as typed."""
    try:
        counts = [float(part) for part in text.split(",")]
    except ValueError:
        counts = []
    if len(counts) not in (3, 4):
        raise click.UsageError(messages.EACH_MUST_BE_TP_FP_FN(option=option, text=text))
    return counts


def weighing_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return how the counts of folds are weighed: factor and correlations as asked."""
    return {"factor": _factor(options["factor"]), "correlations": options["correlations"]}


def folds_in(file: str, options: dict[str, Any], weighing: dict[str, Any]) -> dict[str, Folds]:
    """Return the folds of every model in a file, of the rows that --where keeps."""
    from howsure.cross_validation.folds import read_folds
    from howsure.errors import InputError

    unclear = [part for part in options["where"] if "=" not in part]
    if unclear:
        raise InputError.of("where", unclear[0], messages.COLUMN_VALUE_SUCH_AS_TASK_NER())
    where = dict(part.split("=", 1) for part in options["where"])
    return read_folds(file, where=where, **weighing)


def _factor(text: str | None) -> float | str | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _two(found: dict[str, Folds], models: tuple[str, ...], file: str) -> tuple[Folds, Folds]:
    from howsure.errors import InputError, nearest, quoted

    names = models or tuple(found)
    unknown = [name for name in names if name not in found]
    if unknown:
        raise InputError(
            messages.MODEL_HOLDS(unknown=unknown[0], file=file, found=quoted(found), hint=nearest(unknown[0], found))
        )
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(messages.TEST_IS_BETWEEN_TWO_MODELS(names=quoted(names)))
    return found[names[0]], found[names[1]]


def _as(made: list[BayesTest], form: str, *, quiet: bool) -> str:
    from howsure.reports.grids import bayes_grid
    from howsure.reports.writing import written

    return as_csv([_flat(test) for test in made]) if form == "csv" else written(bayes_grid(made, quiet=quiet), form)


def _flat(test: BayesTest) -> dict[str, Any]:
    """Return one row: lists take a column for each of their parts."""
    made = test.to_dict()
    below, within, above = test.rope_probabilities or (None, None, None)
    parts: dict[str, Any] = {"factor_a": test.factors[0], "factor_b": test.factors[1]}
    parts |= {"p_below_rope": below, "p_within_rope": within, "p_above_rope": above, "notes": "; ".join(test.notes)}
    return {name: value for name, value in made.items() if not isinstance(value, (list, dict))} | parts

"""bayes: the Bayes test of two models from the counts of their cross-validation folds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from howsure.cli.options import output_options
from howsure.cli.output import deliver
from howsure.reports.spreadsheet import as_csv

if TYPE_CHECKING:
    from howsure.bayes_test import BayesTest
    from howsure.folds import Folds


@click.command()
@click.argument("file")
@click.option("-m", "--metric", "metrics", multiple=True, help="Metric to test; repeat for several. Default: f1.")
@click.option("--model", "models", multiple=True, help="Two models, A first; needed when the file holds more.")
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Keep the rows with this value; repeat.")
@click.option("--prior", type=float, help="Prior mass per cell: 1 as in the paper (default), 0.5 for Jeffreys.")
@click.option("--factor", help="Factor of the summed counts: a number or 'conservative'. Default: the paper's.")
@click.option("--correlations", type=(float, float), help="rho1 and rho2, to set the factor from.")
@click.option("--rope", type=float, help="Region of practical equivalence: plus or minus this.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Level of the credible intervals.")
@click.option("--method", type=click.Choice(("exact", "monte-carlo")), help="Default: exact where there is a formula.")
@click.option("--draws", type=int, default=10**6, show_default=True, help="Draws of the Monte-Carlo method.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draws.")
@output_options
def bayes(file: str, metrics: tuple[str, ...], **options: Any) -> None:
    """Test H0: B − A ≤ 0 against H1: B − A > 0 from FILE.

    FILE is a CSV file with the columns model, repeat, fold, tp, fp, fn (and tn, or gold and predicted).
    """
    from howsure.bayes_test import bayes_test

    a, b = _two(_read(file, options), options["models"], file)
    wanted = {name: options[name] for name in ("prior", "rope", "level", "method", "draws", "seed")}
    made = [bayes_test(a, b, metric, **wanted) for metric in metrics or ("f1",)]
    deliver(_as(made, options["format_"], quiet=options["quiet"]), options["output"])


def _read(file: str, options: dict[str, Any]) -> dict[str, Folds]:
    from howsure.errors import InputError
    from howsure.folds import read_folds

    unclear = [part for part in options["where"] if "=" not in part]
    if unclear:
        raise InputError(f"where is {unclear[0]!r}; it must be COLUMN=VALUE, such as task=NER")
    where = dict(part.split("=", 1) for part in options["where"])
    return read_folds(file, where=where, factor=_factor(options["factor"]), correlations=options["correlations"])


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
            f"model {unknown[0]!r} is not in {file}; it holds {quoted(found)}.{nearest(unknown[0], found)}"
        )
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(
            f"the test is between two models and there are {quoted(names)}; name two with --model A --model B"
        )
    return found[names[0]], found[names[1]]


def _as(made: list[BayesTest], form: str, *, quiet: bool) -> str:
    from howsure.reports.bayes_tests import bayes_html, bayes_latex, bayes_markdown, bayes_text

    if form == "json":
        return json.dumps([json.loads(test.to_json()) for test in made], indent=2, ensure_ascii=False)
    if form == "csv":
        return as_csv([_flat(test) for test in made])
    if form == "text":
        notes = list(dict.fromkeys(str(note) for test in made for note in test.notes))
        return bayes_text(made, notes=[] if quiet else notes)
    return {"md": bayes_markdown, "latex": bayes_latex, "html": bayes_html}[form](made)


def _flat(test: BayesTest) -> dict[str, Any]:
    """Return one row: lists take a column for each of their parts."""
    made = test.to_dict()
    below, within, above = test.rope_probabilities or (None, None, None)
    parts: dict[str, Any] = {"factor_a": test.factors[0], "factor_b": test.factors[1]}
    parts |= {"p_below_rope": below, "p_within_rope": within, "p_above_rope": above, "notes": "; ".join(test.notes)}
    return {name: value for name, value in made.items() if not isinstance(value, (list, dict))} | parts

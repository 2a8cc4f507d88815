"""cvtest and split: the t and F tests from fold scores, and the blocked cross-validation designs themselves."""

from __future__ import annotations

from typing import Any

import click

from howsure.cli.data import on_disk
from howsure.cli.options import OneOf, level_option, one_metric, output_options, refuse, seed_option
from howsure.cli.output import deliver, say
from howsure.cli.verbs.papers.bayes import folds_options, two_folds
from howsure.errors.messages import cli as messages

TAGGED = (".conll", ".iob", ".iob2", ".bio")
TESTS = ("blocked-3x2-t", "5x2-t", "5x2-f", "corrected-t")


@click.command()
@click.argument("file", required=False)
@click.option(
    "-m", "--metric", default="f1", show_default=True, callback=one_metric,
    help="Metric whose fold scores are compared.",
)  # fmt: skip
@click.option("--test", type=OneOf(TESTS), help="Which test; blocked-3x2-t of six folds unless given.")
@folds_options
@click.option("--correlations", type=(float, float), help="For blocked-3x2-t: rho1 and rho2, to set its scale from.")
@click.option("--n-train", type=float, help="For corrected-t: rows that a fold trains on.")
@click.option("--n-test", type=float, help="For corrected-t: rows that a fold tests on.")
@level_option
@output_options
def cvtest(file: str | None, metric: Any, test: str | None, **options: Any) -> None:
    """Test two models by the scores of their cross-validation folds (t and F tests).

    FILE and --a/--b are as for 'howsure bayes', which tests the counts themselves and is the better choice for
    precision, recall and F1. The difference is B − A.
    """
    from howsure.cli.own_metric import name_of
    from howsure.reports.grids import cvtest_grid
    from howsure.reports.writing import written

    a, b = two_folds(file, options, factor=1.0)  # scores need no factor, and so any number of folds will do
    made = _tested(b.scores(metric) - a.scores(metric), test, options)
    deliver(written(cvtest_grid(made, name_of(metric), a.model, b.model), options["format_"]), options["output"])


def _tested(differences: Any, test: str | None, options: dict[str, Any]) -> Any:
    from howsure.cross_validation import cv_tests as cvtests

    level = options["level"]
    if test is None and len(differences) != 6:
        raise click.UsageError(messages.FOLDS_CHOOSE_TEST_WITH_TEST(number=len(differences), tests=", ".join(TESTS)))
    chosen = test or TESTS[0]
    for name, needs in (("correlations", "blocked-3x2-t"), ("n_train", "corrected-t"), ("n_test", "corrected-t")):
        if chosen != needs:
            refuse(options, (name,), messages.NO_USE_LEAVE_OUT_OR_CHOOSE(chosen=chosen, needs=needs))
    if chosen == "corrected-t":
        sizes = {"n_train": options["n_train"], "n_test": options["n_test"]}
        if None in sizes.values():
            raise click.UsageError(messages.CORRECTED_T_NEEDS_SIZE_OF_TRAINING())
        return cvtests.corrected_resampled_t(differences, level=level, **sizes)
    if chosen == "blocked-3x2-t":
        return cvtests.blocked_three_by_two_t(differences, level=level, correlations=options["correlations"])
    run = cvtests.five_by_two_f if chosen == "5x2-f" else cvtests.five_by_two_t
    return run(differences, level=level)


@click.command()
@click.argument("file", required=False)
@click.option("--n", "rows", type=int, help="Number of rows, instead of FILE.")
@click.option("--repeats", type=int, default=3, show_default=True, help="m of the m×2 design.")
@click.option("--label", help="Column of FILE whose values every block should have in equal parts.")
@click.option("--group", help="Column of FILE of what must stay in one block.")
@click.option(
    "--conll",
    is_flag=True,
    help="FILE holds tagged sentences (CoNLL): rows are sentences, balanced on the entity types and on the number of "
    "chunks. Taken for granted where it ends in .conll, .iob, .bio or .iob2.",
)
@click.option("--tag-column", type=int, help="With --conll: column of the tags, from 0; the last unless given.")
@click.option("--scheme", help="With --conll: the tag set; found from the tags unless given.")
@seed_option
@output_options
def split(file: str | None, rows: int | None, **options: Any) -> None:
    """Make a blocked m×2 cross-validation: which rows each fold trains on.

    The result has a line per row and a column per repeat: 1 where fold 1 trains on the row (and fold 2 tests on it), 2
    where fold 2 does. Training sets of different repeats share a quarter of all rows. FILE is a CSV file, or a CoNLL
    file of tagged sentences.
    """
    from howsure.cross_validation.designs import BlockedCV
    from howsure.reports.grids import split_grid
    from howsure.reports.writing import written

    balance: Any = "none"
    if file is not None and (options["conll"] or file.lower().endswith(TAGGED)):
        refuse(options | {"rows": rows}, ("rows", "label", "group"), messages.CONLL_FILE())
        balance, labels, groups = _chunks(file, options), None, None
        number = len(balance)
    else:
        refuse(options, ("conll", "tag_column", "scheme"), messages.ROWS_WITHOUT_TAGS())
        labels, groups, number = _columns(file, rows, options)
    design = BlockedCV(options["repeats"], options["seed"], balance=None if labels is not None else balance)
    folds = list(design.split(range(number), labels, groups))
    grid = split_grid(number, [train for train, _ in folds[::2]], design.blocks(range(number), labels, groups))
    if not options["quiet"]:
        say(str(design.balance_report(range(number), labels, groups)), err=True)
    form = options["format_"]
    deliver(written(grid, "csv" if form == "text" else form), options["output"])


def _chunks(file: str, options: dict[str, Any]) -> Any:
    """Return what the blocks of a corpus should have in equal parts."""
    from howsure.cross_validation.cross_validate import chunk_balance
    from howsure.studies.papers.wang2019_corpus import read_corpus

    with on_disk(file, ".conll") as path:
        tag = -1 if options["tag_column"] is None else options["tag_column"]
        corpus = read_corpus(path, tag=tag, scheme=options["scheme"])
    return chunk_balance(corpus.tags, scheme=corpus.scheme)


def _columns(file: str | None, rows: int | None, options: dict[str, Any]) -> tuple[Any, Any, int]:
    import csv

    from howsure.errors import InputError, nearest, quoted

    if (file is None) == (rows is None):
        raise click.UsageError(messages.GIVE_CSV_FILE_OR_NUMBER())
    if file is None:
        if options["label"] or options["group"]:
            raise click.UsageError(messages.LABEL_AND_GROUP_NAME_COLUMNS())
        return None, None, int(rows or 0)
    with on_disk(file) as path, open(path, encoding="utf-8-sig", newline="") as stream:
        lines = list(csv.DictReader(stream))
    held = list(lines[0]) if lines else []
    for name in ("label", "group"):
        if options[name] is not None and options[name] not in held:
            hint = nearest(options[name], held)
            raise InputError(
                messages.NO_COLUMN_OF_FILE(name=name, options=options[name], file=file, held=quoted(held), hint=hint)
            )
    columns = [
        None if options[name] is None else [line[options[name]] for line in lines] for name in ("label", "group")
    ]
    return columns[0], columns[1], len(lines)

"""Messages on the command line name options, never Python's arguments, and leave names in quotes alone."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from howsure.cli.app import VERBS, howsure
from howsure.cli.wording import options_of
from howsure.errors import among, arg, calling, said, setting
from support.command_line import COLUMNS, run

BERT = [*COLUMNS, "--pred", "bert"]


SKIP = setting("on_bad", "skip")
LISTED = among(["half_width", "se", "n"])


@pytest.mark.parametrize(
    ("message", "verb", "expected"),
    [
        (f"{arg('on_bad')} is 'x'; leave out with {SKIP}", "report", "--on-bad is 'x'; leave out with --on-bad skip"),
        (f"column 'on_bad' is absent; pass {setting('truth')}", "report", "column 'on_bad' is absent; pass --truth"),
        ("the file holds 'level', 'truth'; level is 95", "report", "the file holds 'level', 'truth'; level is 95"),
        (f"{arg('level')} is 95; it must lie between 0 and 1", "report", "--level is 95; it must lie between 0 and 1"),
        (f"note: {arg('predictions')} is missing", "report", "note: --pred is missing"),
        (f"all hold; {setting('joint', True)} makes it so", "report", "all hold; --joint makes it so"),
        (f"is no test; {calling('compare')} is one", "report", "is no test; howsure compare is one"),
        (f"use {calling('estimate', method='bootstrap')}", "report", "use --method bootstrap"),
        (f"give one of {LISTED}", "plan", "give one of --half-width, --se, --n"),
        (f"choose one of {among(['truth', 'nonsense'])}", "report", "choose one of 'truth', 'nonsense'"),
        (f"{setting('format', 'csv')} or {setting('id')}", "report", "--input-format csv or --id"),
        (f"{setting('pos_label', 'a b')}, {setting('format', 'csv')}", "study", "pos_label='a b', --format csv"),
        (f"{arg('source')} is 'x'", "matrix", "FILE is 'x'"),
    ],
)  # fmt: skip
def test_python_becomes_options(message: str, verb: str, expected: str) -> None:
    assert said(message, options_of(howsure.get_command(None, verb))) == expected


def test_without_a_verb_nothing_changes() -> None:
    message = f"give one of {among(['at_least'])}; {setting('level', 0.9)}; {calling('compare')}"
    assert said(message, options_of(None)) == said(message, str) == "give one of 'at_least'; level=0.9; compare()"


@pytest.mark.parametrize(
    "arguments",
    [
        ["gate", "FILE", *BERT, "-m", "f1"],
        ["gate", "FILE", *BERT, "-m", "f1", "--at-least", 7],
        ["gate", "FILE", *BERT, "-m", "f1", "--at-least", 0.5, "--margin", 0.1],
        ["report", "FILE", "--truth", "label", "--pred", "bert", "-m", "f1"],
        ["report", "FILE", *BERT, "--level", 2],
        ["report", "FILE", *BERT, "--method", "bootstrap", "--resamples", 3],
        ["report", "FILE", *BERT, "--method", "hdi", "--prior", -1],
        ["report", "FILE", *BERT, "--weight", "bert"],
        ["report", "FILE", *BERT, "--labels", "a,c"],
        ["compare", "FILE", *BERT, "--pred", "svm", "--margin", -1],
        ["compare", "FILE", *BERT, "--pred", "svm", "--method", "nonsense"],
        ["compare", "FILE", *BERT],
        ["plan", "f1", "--half-width", 0.1, "--se", 0.1],
        ["plan", "f1", "--half-width", 0.1, "--prevalence", 2],
        ["plan", "f1", "--n", 100, "--cluster-size", 5],
        ["bayes", "--a", "1,2,3", "--b", "1,2,3"],
        ["bayes", "FILE", *BERT, "--pred", "svm", "--rope", -1],
        ["study", "f1", "--population", ".5,.5,.5,.5"],
        ["study", "f1", "--population", ".4,.1,.1,.4", "--n", 0],
        ["critical", "--size", 2, "--level", 3],
        ["split", "--n", 8, "--repeats", 99],
    ],
)
def test_no_error_names_an_argument_that_has_an_option(file: Path, arguments: list[object]) -> None:
    given = [file if part == "FILE" else part for part in arguments]
    text = run(*given, code=2).stderr
    verb = howsure.get_command(None, str(arguments[0]))
    assert verb is not None
    names = {param.name.rstrip("_") for param in verb.params if param.name} - {"files", "file"}
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", text)
    assert not [name for name in names if re.search(rf"(?<![\w-]){name}=|^howsure: {name} (is|has) ", plain)]
    assert not [name for name in names if "_" in name and re.search(rf"(?<![\w/-]){name}\b", plain)]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["report", "ABSENT"], "FILES"),
        (["report", "FILE", "ABSENT", "--id", "label"], "FILES"),
        (["compare", "ABSENT"], "FILES"),
        (["gate", "ABSENT", "-m", "f1", "--at-least", 0.5], "FILES"),
        (["posterior", "ABSENT"], "FILES"),
        (["matrix", "ABSENT", "--rows", "truth"], "FILE"),
        (["counts", "ABSENT"], "FILE"),
        (["spans", "ABSENT"], "FILES"),
        (["bayes", "ABSENT"], "FILE"),
        (["cvtest", "ABSENT"], "FILE"),
        (["split", "ABSENT"], "FILE"),
        (["critical", "ABSENT"], "FILE"),
        (["plan", "f1", "--se", 0.1, "--pilot", "ABSENT"], "--pilot"),
        (["plan", "f1", "--se", 0.1, "--labelled", "ABSENT"], "--labelled"),
    ],
)
def test_an_absent_file_is_named_as_the_verb_names_it(file: Path, arguments: list[object], name: str) -> None:
    absent = file.with_name("perds.csv")
    given = [{"FILE": file, "ABSENT": absent}.get(str(part), part) for part in arguments]
    text = run(*given, code=2).stderr
    assert text.startswith(f"howsure: {name} is '{absent}', and there is no such file; check the path.")
    assert "Did you mean 'preds.csv'?" in text


def test_other_messages_on_files_name_the_argument(file: Path) -> None:
    assert run("report", file.with_name("*.zzz"), code=2).stderr.startswith("howsure: FILES is '")
    assert run("report", file.with_name("run.npz"), code=2).stderr.startswith("howsure: FILES is '")
    assert run("report", file, file.with_name("run.npz"), code=2).stderr.startswith("howsure: FILES is '")


def test_every_option_has_a_word_of_help() -> None:
    for verb in VERBS:
        command = howsure.get_command(None, verb)
        assert command is not None
        options = [param for param in command.params if isinstance(param, click.Option)]
        silent = [option.name for option in options if not option.help]
        assert silent == [], verb


def test_a_folder_that_is_not_there_is_told_of_the_file_that_was_asked_for(tmp_path: Path) -> None:
    place = tmp_path / "absent" / "page.html"
    found = run("counts", "--tp", 7, "--fp", 1, "--fn", 2, "--html", place, code=2)
    assert str(place) in found.output
    assert "/.page" not in found.output


TWO = ["FILE", *BERT, "--pred", "svm"]
SEED = "howsure: --seed is -1; it must be a whole number, zero or larger; the default is 0"
REFUSED: list[tuple[list[object], str]] = [
    (["report", *TWO, "--method", "bootstrap", "--seed", -1], SEED),
    (["report", *TWO, "--seed", -1], SEED),
    (["counts", "--tp", 3, "--fp", 2, "--fn", 1, "--method", "bootstrap", "--seed", -1], SEED),
    (["compare", *TWO, "--method", "bootstrap", "--seed", -1], SEED),
    (["gate", "FILE", *BERT, "-m", "f1", "--at-least", 0.5, "--method", "bootstrap", "--seed", -1], SEED),
    (["plan", "f1", "--half-width", 0.1, "--prevalence", 0.5, "--seed", -1], SEED),
    (["bayes", *TWO, "--method", "monte-carlo", "--seed", -1], SEED),
    (["posterior", "--tp", 3, "--fp", 2, "--fn", 1, "--tn", 5, "-m", "mcc", "--seed", -1], SEED),
    (["study", "f1", "--population", ".4,.1,.1,.4", "--simulate", "--seed", -1], SEED),
    (["study", "jiang2020", "--seed", -1], SEED),
    (["critical", "--size", 2, "--seed", -1], SEED),
    (["split", "--n", 8, "--seed", -1], SEED),
    (["bayes", *TWO, "--method", "monte-carlo", "--draws", 0], "--draws is 0; it must be a whole number, 1000"),
    (["bayes", "--a", "20,3", "--b", "20,3,4"], "--a is '20,3'; each must be TP,FP,FN or TP,FP,FN,TN, such as 20,3,4"),
    (["bayes", "--a", "20,3,4", "--b", "20,3,4"], "--a gives 1 fold; m×2 cross-validation has two per repeat"),
    (["critical", "--size", 0], "Invalid value for '--size': 0 is not in the range x>=1"),
    (["study", "f1", "--population", "tp=.4,fp=.1"], "--population has the keys 'fp', 'tp'; give four shares or"),
    (["study", "f1", "--population", ".4,.1;.2,.1;.1,.1"], "--population has the shape (3, 2); give four shares"),
    (["study", "f1", "--population", ".4,.1,.1,.4", "--jobs", 0], "--jobs is 0; it must be a whole number other"),
    (["plan", "f1", "--half-width", 0.1, "--pilot", *TWO], "--pilot holds 2 models: 'bert', 'svm'; name one with --p"),
    (["plan", "f1", "--half-width", 0.1, "--labelled", *TWO], "--labelled holds 2 models: 'bert', 'svm'; name one"),
    (["plan", "f1", "--compare", "--pilot", "FILE", *BERT], "--pilot holds 1 model: 'bert'; name the two with --pred"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_a_refusal_says_which_option_and_exits_with_2(file: Path, arguments: list[object], message: str) -> None:
    text = run(*(file if part == "FILE" else part for part in arguments), code=2).stderr
    assert message in text
    assert not re.search(r"dict\(|\bTable\b|\btables\b|Traceback", text)


def test_a_matrix_that_is_not_square_is_called_that(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("2,5,0\n2,70,2\n", encoding="utf-8")
    text = run("matrix", path, "--rows", "truth", code=2).stderr
    assert "has 2 rows of 3 numbers; a confusion matrix is square: give K rows of K counts" in text


def test_lower_bounds_have_a_critical_value() -> None:
    lower, upper = (run("critical", "--size", 3, "--side", side).stdout for side in ("lower", "upper"))
    assert lower.split("\n\n")[0] == upper.split("\n\n")[0] != run("critical", "--size", 3).stdout.split("\n\n")[0]
    assert "Lower bounds of − q standard errors hold all together" in lower
    assert "Upper bounds of + q standard errors hold all together" in upper

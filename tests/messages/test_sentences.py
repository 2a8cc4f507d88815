"""Every sentence that results say, in the words of each door, as a reader meets it: kept in tests/snapshots."""

from __future__ import annotations

import ast
import string
from importlib.resources import files
from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner

import howsure as hs
from howsure.cli.app import howsure
from howsure.errors import DOORS, Mention, page_door, said, speaking
from howsure.results.base import Note, brief_notes
from howsure.results.sentences.phrases import PHRASES, marked
from howsure.results.words import percent_style
from support.snapshots import Snapshots
from support.source_trees import calls

# What a shell or a page never says: Python, and terms of the trade, which --verbose alone may.
PYTHON = ("()", "=True", "='", ".notes", "to_frame", "None", "nan")
TRADE = ("MOVER", "mover", "design effect", "critical value", "degrees of freedom", "simultaneous", "corollary", "nan ")
DATA = (str(files("howsure.cli") / "example" / "tumours.csv"), "--pos-label", "malignant")


def shell_door(mention: Mention) -> str:
    return mention.of_doors.get("shell", str(mention))


WORDS = {"python": str, "shell": shell_door, "page": page_door}


def filled(name: str, door: str) -> str:
    """Return a sentence of the catalogue with its fields in braces, as a door says it."""
    entry = PHRASES[name]
    texts = [entry] if isinstance(entry, str) else list(entry.values())
    fields = {field for text in texts for _, field, _, _ in string.Formatter().parse(text) if field}
    return said(marked(name, **{field: f"{{{field}}}" for field in fields}), WORDS[door])


def test_the_catalogue(snapshots: Snapshots) -> None:
    lines = []
    for name in PHRASES:
        shown = {door: filled(name, door) for door in DOORS}
        same = len(set(shown.values())) == 1
        lines += (
            [f"[{name}]", shown["python"]]
            if same
            else [f"[{name}]", *(f"{door}: {text}" for door, text in shown.items())]
        )
    snapshots.check("sentences", "\n".join(lines))


@pytest.mark.parametrize(("name", "door"), list(product(PHRASES, ("shell", "page"))))
def test_no_python_in_a_shell_or_on_a_page(name: str, door: str) -> None:
    assert not [word for word in PYTHON if word in filled(name, door)]


def details() -> set[str]:
    """Return the sentences that are said only to those who ask for all there is to say."""
    made = [
        node
        for _, node in calls()
        if isinstance(node.func, ast.Name) and node.func.id in ("note_of", "phrase")
        if node.args and isinstance(node.args[0], ast.Constant)
    ]
    plain = [one for one in made if not any(keyword.arg == "detail" for keyword in one.keywords)]
    names, others = ({str(ast.literal_eval(one.args[0])) for one in some} for some in (made, plain))
    return names - others


def test_no_terms_of_the_trade() -> None:
    plain = PHRASES.keys() - details()
    assert [name for name in sorted(plain) if any(word in filled(name, "shell") for word in TRADE)] == []


def run(*arguments: str) -> str:
    done = CliRunner().invoke(howsure, list(arguments))
    assert done.exit_code in (0, 1, 3), done.output
    return done.stdout


SHELL = {
    "report": ("report", *DATA),
    "report-one-metric": ("report", *DATA, "-m", "f1"),
    "report-two": ("report", *DATA, "--pred", "linear", "--pred", "centroid", "-m", "f1,recall"),
    "report-verbose": ("report", *DATA, "--joint", "-m", "f1,recall", "--verbose"),
    "report-medical": ("report", *DATA, "--names", "medical"),
    "report-percent": ("report", *DATA, "--percent"),
    "compare": ("compare", *DATA, "-m", "f1"),
    "compare-two": ("compare", *DATA, "-m", "f1", "--pred", "linear", "--pred", "neighbours"),
    "counts": ("counts", "77", "44", "10", "702", "-m", "sensitivity,ppv,f1"),
    "gate-pass": ("gate", *DATA, "-m", "f1", "--at-least", "0.9", "--model", "neighbours"),
    "gate-fail": ("gate", *DATA, "-m", "f1", "--at-least", "0.9", "--model", "centroid"),
    "gate-inconclusive": ("gate", *DATA, "-m", "f1", "--at-least", "0.9", "--model", "linear"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHELL)
def test_what_the_shell_prints(name: str, snapshots: Snapshots) -> None:
    text = run(*SHELL[name])
    snapshots.check(f"shell-{name}", text)
    assert max(map(len, text.splitlines())) <= 80
    if "--verbose" not in SHELL[name]:
        assert not [word for word in TRADE if word in text]
        assert sum(line.startswith("note:") for line in text.splitlines()) <= 3


def test_at_most_three_notes_and_one_a_cause() -> None:
    notes = [Note(f"{kind} {at}", kind) for kind in "abcde" for at in range(2)] + [Note("q = 2", "f", detail=True)]
    shown = brief_notes(notes)
    assert [str(note) for note in shown] == ["a 0", "b 0", "c 0", "and 7 more: see .notes"]
    with speaking(shell_door):
        assert shown[-1].said() == "and 7 more (--verbose)"
    assert brief_notes(notes, verbose=True) == notes
    assert brief_notes(notes[:1]) == notes[:1]


def test_a_verdict_says_what_was_sampled_and_what_was_held_fixed() -> None:
    truth = np.arange(400) % 2
    guesses = np.where(np.arange(400) % 9 == 0, 1 - truth, truth)
    import pandas as pd

    frame = pd.DataFrame({"label": truth, "net": guesses, "patient_id": np.arange(400) // 4})
    made = hs.estimate(hs.read(frame, truth="label", predictions=["net"], group="patient_id"), "recall")
    assert made.sampled == "400 rows of 100 patient_id"
    assert repr(made).endswith("400 rows of 100 patient_id")
    assert made.held_fixed == (
        "Sampled: 400 rows of 100 patient_id; held fixed: the models, their training, the labels."
    )
    (note,) = (note for note in made.notes if note.kind == "groups")
    assert "one patient_id" in note
    assert not note.detail


def test_percent_style() -> None:
    made = hs.estimate(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1")
    with percent_style():
        assert repr(made) == "F1 = 74.0%, 95% interval 66.8% to 80.2% (mid-P), 833 rows"


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(howsure, list(arguments))
    assert done.exit_code == 2, done.output
    return done.stderr


def test_an_unknown_metric_suggests_three() -> None:
    said_ = refused("report", *DATA, "-m", "f1_scor")
    assert "Did you mean f1, macro_f1 or micro_f1? All metrics: howsure metrics" in said_
    assert len(said_) < 200


def test_auc_of_labels_says_what_it_needs() -> None:
    said_ = refused("report", *DATA, "-m", "auc")
    assert "these columns hold labels" in said_
    assert "--score" in said_
    assert "howsure.table" not in said_

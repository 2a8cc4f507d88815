"""A metric of one's own, package:metric, in every verb that takes metrics: the numbers of the same formula by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from howsure.cli.app import VERBS, howsure
from support.command_line import as_json, run, written

MODULE = """
import howsure as hs

share = hs.Metric("share", lambda c: (c.tp + c.tn) / (c.tp + c.fp + c.fn + c.tn), range=(0, 1))

def harmonic(c):
    return 2 * c.tp / (2 * c.tp + c.fp + c.fn)
"""
NO_METRIC = {
    "agreement",
    "rogan-gladen",
    "calibration",
    "critical",
    "demo",
    "methods",
    "metrics",
    "papers",
    "reconstruct",
    "serve",
    "split",
}
OWN, NAMED = "brought_to_the_shell:share", "accuracy"
WALD = ["--method", "wald"]  # which needs nothing that a formula alone does not say


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the module into the current folder, as a user would."""
    (tmp_path / "brought_to_the_shell.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    yield
    sys.modules.pop("brought_to_the_shell", None)


@pytest.fixture
def asked(verbs: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return a call of every verb that takes metrics, without its metric."""
    bare = {name: [one for one in call if one not in ("--metric", "f1", "precision")] for name, call in verbs.items()}
    typed = [part for side in ("--a", "--b") for at in range(6) for part in (side, f"2{at},3,{4 + (side > '--a')},9")]
    made = {name: [*bare[name], *WALD, "-m"] for name in ("report", "counts", "compare", "gate")}
    return made | {
        "matrix": [*bare["matrix"], *WALD, "--pos-label", "a", "-m"],
        "spans": [*bare["spans"], *WALD, "-m"],
        "curve": [*bare["curve"], "-m"],
        "threshold": [*bare["threshold"], "-m"],
        "cvtest": ["cvtest", *typed, "-m"],
        "bayes": ["bayes", *bare["report"][1:], "--draws", 2000, "-m"],
        "posterior": [*bare["posterior"], "--draws", 200, "-m"],
        "plan": ["plan", "--half-width", 0.05, "--prevalence", 0.1, "--precision", 0.8, "--recall", 0.7, *WALD],
        "study": [*bare["study"]],
        "choose": [*bare["choose"], "--truth", "label", "--pos-label", "a", "-m"],
    }


def values(found: Any) -> list[float]:
    """Return all numbers of a document, in their order."""
    if isinstance(found, dict):
        return [value for key, one in found.items() if key not in ("about", "unpaired") for value in values(one)]
    if isinstance(found, list):
        return [value for one in found for value in values(one)]
    return [float(found)] if isinstance(found, (int, float)) and not isinstance(found, bool) else []


def test_no_verb_is_forgotten(asked: dict[str, list[Any]]) -> None:
    assert set(VERBS) - set(asked) == NO_METRIC
    context = click.Context(howsure)
    for name in NO_METRIC - {"reconstruct"}:
        command = howsure.get_command(context, name)
        assert command is not None
        assert not [one for one in command.params if one.name in ("metric", "metrics")]


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("verb", ["report", "counts", "compare", "gate", "curve", "cvtest", "plan", "study"])
def test_the_same_numbers_as_by_name(asked: dict[str, list[Any]], verb: str) -> None:
    """Of accuracy by the Wald method, which both can have."""
    call = [one for one in asked[verb] if verb != "curve" or one not in WALD]
    found, expected = (as_json(*call, metric) for metric in (OWN, NAMED))
    if verb == "curve":  # the band of a share follows its own method: compare the values
        assert found["value"] == pytest.approx(expected["value"])
        assert found["best"]["value"] == pytest.approx(expected["best"]["value"])
        return
    assert "share" in str(found)
    assert values(found) == pytest.approx(values(expected), rel=1e-9)


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(("own_name", "named"), [("share", "accuracy"), ("harmonic", "f1")])
def test_rows_to_label_are_shared_out_by_it(tmp_path: Path, own_name: str, named: str) -> None:
    """As by the same formula's name: the strata, the rows drawn, and their weights in the file."""
    judged = ["a", "b", "b", "a", "b", "b", "b", "b"] * 25
    guess = ["a", "b", "a", "b", "b", "b", "b", "b"] * 25
    truth = [said if row % 5 == 0 else "" for row, said in enumerate(judged)]
    path = written(tmp_path / "pool.csv", label=truth, svm=judged, bert=guess)
    base = ["choose", path, "--judge", "svm", "--pred", "bert", "--truth", "label", "--pos-label", "a", "-n", 30, "-m"]
    metric = f"brought_to_the_shell:{own_name}"
    found, expected = as_json(*base, metric), as_json(*base, named)
    assert (found["metric"], expected["metric"]) == (own_name, named)
    assert found["by_stratum"] == expected["by_stratum"]
    assert sum(found["by_stratum"].values()) == 30
    assert (found["by_stratum"] == as_json(*base, "accuracy")["by_stratum"]) is (named == "accuracy")
    assert values(found) == pytest.approx(values(expected))
    files = [tmp_path / f"{at}.csv" for at in range(2)]
    for one, chosen in zip(files, (metric, named), strict=True):
        run(*base, chosen, "--output", one)
    assert files[0].read_text() == files[1].read_text()
    said = run(*base, metric).stdout
    assert own_name in said
    assert "Metric(" not in said


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("verb", ["matrix", "spans", "threshold", "bayes", "posterior"])
def test_it_is_taken_and_named(asked: dict[str, list[Any]], verb: str) -> None:
    name = "harmonic" if verb == "spans" else "share"
    done = run(*asked[verb], f"brought_to_the_shell:{name}")
    assert name in done.stdout
    assert "Metric(" not in done.stdout


@pytest.mark.usefixtures("own")
def test_a_threshold_a_pair_and_what_comes_second(verbs: dict[str, list[Any]], scored: Path, file: Path) -> None:
    score = [scored, "--truth", "truth", "--score", "bert"]
    found, expected = (as_json("report", *score, *WALD, "-m", f"{name}@0.5") for name in (OWN, NAMED))
    assert found["rows"][0]["metric"] == "share@0.5"
    assert values(found["rows"]) == pytest.approx(values(expected["rows"]))
    assert "@best" in run("curve", *score, "-m", OWN).stdout
    then = run("threshold", *score, "-m", "precision", "--at-least", 0.5, "--then", "brought_to_the_shell:harmonic")
    assert "harmonic" in then.stdout
    pair = as_json(*verbs["report"], "--pair", f"bert:{OWN}")
    assert [(row["model"], row["metric"]) for row in pair["rows"]] == [("bert", "share")]
    assert "threshold" in run("report", *score, "-m", f"{OWN}@nowhere", code=2).output

"""LaTeX commands for running text: one a number, as it is printed, under a name of letters alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import howsure as hs
from howsure.reports.tex_macros import grid_macros
from reports.test_notebook import RESULTS
from reports.test_writing import NEEDS, compiled
from support.command_line import check_macros, run

MACRO = re.compile(r"\\newcommand\{\\(\w+)\}\{(.+)\}")


def macros(text: str) -> dict[str, str]:
    return dict(MACRO.findall(text))


def test_the_numbers_are_those_that_are_printed() -> None:
    report = hs.report(hs.counts(tp=77, fp=44, fn=10, tn=702), ["f1", "f0.5"])
    made = macros(report.write("tex-macros"))
    row = report["f1"]
    assert (made["hsFOne"], made["hsFOneLow"], made["hsFOneHigh"]) == (
        f"{row:.3f}",
        f"{row.low:.3f}",
        f"{row.high:.3f}",
    )
    assert made["hsFOneSaid"] == rf"{row:.3f} (95\% interval {row.low:.3f} to {row.high:.3f})"
    assert made["hsFZeroPointFive"] == f"{report['f0.5']:.3f}"
    assert made["hsFOneN"] == "833"


def test_models_are_named_differences_signed_and_bounds_no_interval() -> None:
    truth = [1, 1, 0, 0, 1] * 8
    table = hs.table(truth, {"naïve Bayes": [0, 1, 0, 1, 1] * 8, "net 2": [1, 1, 0, 0, 0] * 8})
    difference = hs.compare(table, "accuracy", a="net 2", b="naïve Bayes")
    made = macros(difference.write("tex-macros"))
    assert made["hsNaiveBayesMinusNetTwoAccuracy"] == rf"\ensuremath{{{difference.difference:+.3f}}}"
    assert "hsNaiveBayesMinusNetTwoAccuracyPValue" in made
    joint = macros(hs.report(table, ["accuracy"], joint=True).write("tex-macros"))
    assert "95\\% joint interval" in joint["hsNetTwoAccuracySaid"]
    gate = macros(hs.gate(table, "accuracy", at_least=0.5, model="net 2").write("tex-macros"))
    assert not [name for name in gate if name.endswith("Said")]


def test_names_that_would_be_the_same_are_told_apart() -> None:
    table = hs.table([1, 0, 1, 0], {"a-b": [1, 0, 1, 1], "a b": [1, 0, 0, 0]})
    text = hs.report(table, ["accuracy"]).write("tex-macros")
    check_macros(text)
    found = macros(text)
    assert (found["hsABAccuracyRowOne"], found["hsABAccuracyRowTwo"]) == ("0.750", "0.750")
    every = macros(hs.intervals(hs.counts(tp=7, fp=2, fn=3, tn=5), "f1").write("tex-macros"))
    assert {"hsFOneWald", "hsFOneWilson"} <= every.keys()


@pytest.mark.parametrize("name", [name for name in RESULTS if name != "estimate"])
def test_every_result_has_its_numbers(name: str) -> None:
    text = grid_macros(RESULTS[name]().write("grid"))
    check_macros(text)
    assert macros(text)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason=f"needs pdflatex ({NEEDS})")
def test_they_compile_in_text_and_in_formulas(tmp_path: Path) -> None:
    table = hs.table([1, 1, 0, 0, 1] * 8, {"50% _x": [0, 1, 0, 1, 1] * 8, "名": [1, 1, 0, 0, 0] * 8})
    endless = hs.report(hs.counts(tp=5, fp=0, fn=3, tn=5), ["odds_ratio"]).write("tex-macros")
    heads = [hs.compare_all(table, "f1").write("tex-macros"), hs.report(table).write("tex-macros"), endless]
    names = [name for head in heads for name in macros(head)]
    uses = " ".join(rf"\{name}{{}}" + ("" if "Said" in name else rf" ${{\{name}}}$") for name in names)
    head = "\n".join(heads)
    compiled(
        rf"\documentclass{{article}}{head}" "\n" rf"\begin{{document}}{uses}\end{{document}}", "pdflatex", tmp_path
    )


def test_help_says_what_latex_needs() -> None:
    said = " ".join(run("report", "--help").output.split())
    assert r"latex needs \usepackage{booktabs}" in said
    assert "tex-macros names each number" in said

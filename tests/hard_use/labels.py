"""Labels of every kind: which are taken, which are refused, and how they look in a page or a spreadsheet."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv as pacsv
from pyarrow import parquet

import howsure as hs
from hard_use.catalogue import refused, theme
from support.command_line import run

LABELS = theme("Labels and names")
ODD = ["new york", "naïve", "😀", 'say "hi"', "it's", "two\nlines", "tab\there", "<b>bold</b>", "a,b", "[x]", "名前"]
MARKS = ["a|b_c*d", "50 % & $x$"]  # of Markdown and LaTeX
SCRIPT = "<script>alert(1)</script>"


# What a format makes of a label: those of ODD and MARKS that it does not show letter by letter.
IN_TEXT = {"two\nlines": r"two\nlines", "tab\there": r"tab\there"}
IN_MARKDOWN = {
    "two\nlines": "two lines", "tab\there": r"tab\\there", "<b>bold</b>": r"\<b\>bold\</b\>", "[x]": r"\[x\]",
    "a|b_c*d": r"a\|b\_c\*d", "50 % & $x$": r"50 % &amp; \$x\$",
}  # fmt: skip
IN_LATEX = {
    "two\nlines": "two lines", "tab\there": r"tab\textbackslash{}there", "<b>bold</b>": "$<$b$>$bold$<$/b$>$",
    "a|b_c*d": r"a\textbar{}b\_c*d", "50 % & $x$": r"50 \% \& \$x\$",
}  # fmt: skip


def _report_of_classes() -> hs.Report:
    labels = [*ODD, *MARKS]
    table = hs.table(labels, labels[1:] + labels[:1])
    assert set(table.labels) == set(labels)
    return hs.report(table, [hs.of_class("recall", label) for label in labels])


@LABELS.case(
    "labels with spaces, quotes, newlines, tabs, emoji, commas, brackets",
    "kept as they are in the table, in JSON, in CSV and, escaped, in the HTML page",
)
def odd_labels(folder: Path) -> None:
    report = _report_of_classes()
    names = [f"recall[{label}]" for label in (*ODD, *MARKS)]
    assert [row.value for row in report] == [0] * len(names)
    assert [row["metric"] for row in json.loads(report.to_json())["rows"]] == names
    path = folder / "odd.csv"
    truth, guess = [*ODD, *MARKS], [*ODD[1:], *MARKS, ODD[0]]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["truth", "svm"], *zip(truth, guess, strict=True)])
    wishes = [part for label in truth for part in ("-m", f"recall[{label}]")]
    found = run("report", path, "--truth", "truth", "--pred", "svm", *wishes, "--format", "csv").stdout
    assert [row["metric"] for row in csv.DictReader(io.StringIO(found, newline=""))] == names
    cells = re.findall(r"<td>(recall \[.*?\])</td>", report.to_html(), re.DOTALL)
    assert [unescape(cell) for cell in cells] == [name.replace("[", " [", 1) for name in names]
    assert not any(mark in cell for cell in cells for mark in '<>"')


@LABELS.case(
    "such labels in text, Markdown and LaTeX",
    "one line each, with the format's own marks escaped: a tab is shown as \\t, a newline as \\n in text and as a "
    "space in Markdown and LaTeX",
)
def escaped_labels(folder: Path) -> None:
    report = _report_of_classes()
    for written, before, behind, changed in (
        (str(report), "recall [", "] ", IN_TEXT),
        (report.to_markdown(), r"| recall \[", r"\] | 0.000 |", IN_MARKDOWN),
        (report.to_latex(), "recall [", "] & 0&000 &", IN_LATEX),
    ):
        lines = written.splitlines()
        for label in (*ODD, *MARKS):
            start = before + changed.get(label, label) + behind
            assert sum(line.startswith(start) for line in lines) == 1, (label, written)


@LABELS.case("HTML in labels and model names", "escaped in the page: shown, never run")
def html(folder: Path) -> None:
    table = hs.table([SCRIPT, "b", "c"], {SCRIPT: [SCRIPT, "b", "b"]})
    page = hs.report(table, ["accuracy", hs.of_class("f1", SCRIPT)]).to_html()
    assert SCRIPT not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


@LABELS.case("names that a spreadsheet would run (=1+1, @x, +1+1)", "get an apostrophe in CSV, so that they stay text")
def csv_injection(folder: Path) -> None:
    names = ["=1+1", "@SUM(A1)", "+1+1", "-1+1", "\t=1"]
    path = folder / "names.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["truth", *names], *([truth, *[guess] * 5] for truth, guess in ((1, 1), (0, 1)))])
    columns = [path, "--truth", "truth", *(part for name in names for part in ("--pred", name))]
    shown = ["'" + name for name in names]
    report = _rows_of(run("report", *columns, "-m", "accuracy", "-m", "mcc", "--format", "csv").stdout)
    assert [row["model"] for row in report if row["metric"] == "accuracy"] == shown
    assert {row["value"] for row in report if row["metric"] == "accuracy"} == {"0.5"}
    pairs = _rows_of(run("compare", *columns, "-m", "accuracy", "--format", "csv").stdout)
    assert {row["a"] for row in pairs} | {row["b"] for row in pairs} == set(shown)
    assert all(float(row["low"]) < 0 for row in pairs)  # a number with a minus stays a number


def _rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@LABELS.case("None, nan, NaT or pd.NA as a label", "refused, with the number of such rows and the first")
def missing_labels(folder: Path) -> None:
    for hole in (None, float("nan"), pd.NA, pd.NaT):
        refused(lambda hole=hole: hs.table(["a", hole, "b"], ["a", "b", "b"]), "1 missing value", "row 1")
    refused(lambda: hs.table(pd.Series([1, None], dtype="Int64"), [1, 0]), "1 missing value")
    refused(lambda: hs.table([1, 0], [1.0, np.nan]), "1 missing value")


@LABELS.case(
    "dates as labels",
    "refused in arrays, with the advice to write them as text; taken from files, Parquet's dates among them, as text",
)
def dates(folder: Path) -> None:
    days = np.array(["2026-01-01", "2026-01-02"], dtype="M8[D]")
    refused(lambda: hs.table(days, days), "labels must be integers, booleans or strings", "str")
    refused(lambda: hs.table([datetime.date(2026, 1, 1)], [datetime.date(2026, 1, 1)]), "datetime.date")
    assert hs.table(days.astype(str), days.astype(str)).labels == ("2026-01-01", "2026-01-02")
    columns = pa.table({"truth": pa.array(days), "svm": pa.array(days[::-1])})
    assert columns.schema.types == [pa.date32()] * 2
    parquet.write_table(columns, folder / "days.parquet")
    pacsv.write_csv(columns, folder / "days.csv")
    for name in ("days.parquet", "days.csv"):
        table = hs.read(folder / name, truth="truth", predictions="svm")
        assert table.labels == ("2026-01-01", "2026-01-02")
        assert table.matrix().tolist() == [[0, 1], [1, 0]]


@LABELS.case("whole numbers as floats (1.0)", "taken as integers: 1.0 and 1 are one label")
def whole_floats(folder: Path) -> None:
    assert hs.table([1.0, 0.0], [1, 1]).labels == (0, 1)


@LABELS.case("fractions as labels (0.73)", "refused as scores, with the advice to apply a threshold")
def scores(folder: Path) -> None:
    refused(lambda: hs.table([1, 0], [0.73, 0.2]), "0.73", "threshold")


@LABELS.case("integers beyond 64 bits", "kept exactly")
def huge_integers(folder: Path) -> None:
    assert hs.table([2**70, 2**70 + 1], [2**70, 2**70]).labels == (2**70, 2**70 + 1)
    assert hs.table([2**63, 1], [1, 1]).labels == (1, 2**63)


@LABELS.case("text and numbers in one column", "refused, with the first of each")
def mixed(folder: Path) -> None:
    refused(lambda: hs.table([1, "a"], [1, "a"]), "mixes integers (1 in row 0) and strings ('a' in row 1)")


@LABELS.case("truth as numbers, predictions as text", "refused, both named; never matched by guessing")
def two_types(folder: Path) -> None:
    refused(lambda: hs.table([1, 0], ["1", "0"]), "truth holds integers", "holds strings")


@LABELS.case("booleans against 0 and 1", "one and the same: True is 1")
def booleans(folder: Path) -> None:
    assert hs.table([True, False, True], [1, 0, 0]).matrix().tolist() == [[1, 0], [1, 1]]


@LABELS.case("bytes objects in a list", "refused, with the advice to write them as text")
def bytes_objects(folder: Path) -> None:
    refused(lambda: hs.table([b"a", b"b"], ["a", "b"]), "bytes")


@LABELS.case("numpy's byte strings, text and object arrays", "all are text, and match each other")
def strings_of_numpy(folder: Path) -> None:
    kinds = [np.array(["a", "b"]).astype(kind) for kind in ("S1", "U1", "U9", object)]
    for first in kinds:
        for second in kinds:
            assert hs.table(first, second).labels == ("a", "b")


@LABELS.case("labels that differ in case or spaces", "are different labels; a note of a file says that they are alike")
def alike(folder: Path) -> None:
    path = folder / "alike.csv"
    path.write_text("truth,svm\ncat,cat\nCat,cat\ndog,dog\n")
    table = hs.read(path, truth="truth", predictions="svm")
    assert set(table.labels) == {"cat", "Cat", "dog"}
    assert any("Cat" in note for note in table.notes)


@LABELS.case("categories unsorted or unused", "only those that occur are classes, in sorted order")
def categories(folder: Path) -> None:
    truth = pd.Series(pd.Categorical(["b", "a", "b"], categories=["z", "b", "a"]))
    table = hs.table(truth, ["b", "a", "a"])
    assert table.labels == ("a", "b")
    assert table.matrix().tolist() == [[1, 0], [1, 1]]


@LABELS.case(
    "ordered categories", "the classes take their order, as weighted kappa needs; two orders that differ are refused"
)
def ordered_categories(folder: Path) -> None:
    sizes = pd.CategoricalDtype(["small", "mid", "large"], ordered=True)
    truth = pd.Series(["small", "mid", "large", "large"], dtype=sizes)
    guess = pd.Series(["small", "large", "large", "small"], dtype=sizes)
    table = hs.table(truth, guess)
    assert table.labels == ("small", "mid", "large")
    assert table.matrix().tolist() == [[1, 0, 0], [0, 0, 1], [1, 0, 1]]
    backwards = guess.cat.set_categories(["large", "mid", "small"], ordered=True)
    refused(lambda: hs.table(truth, backwards), "'small', 'mid', 'large'", "'large', 'mid', 'small'", "labels=")


@LABELS.case("text labels and weighted kappa", "classes are taken by name, and a note says in which order")
def sorted_by_name(folder: Path) -> None:
    plain = hs.table(["low", "mid", "high"], ["low", "high", "high"])
    said = [str(note) for note in hs.estimate(plain, "kappa_linear").notes]
    assert any("in the order 'high', 'low', 'mid'" in text and "labels=" in text for text in said)

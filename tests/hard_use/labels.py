"""Labels of every kind: which are taken, which are refused, and how they look in a page or a spreadsheet."""

from __future__ import annotations

import csv
import datetime
import io
from pathlib import Path

import numpy as np
import pandas as pd

import howsure as hs
from hard_use.catalogue import refused, theme
from howsure.reports.spreadsheet import as_csv

LABELS = theme("Labels and names")
ODD = ["new york", "naïve", "😀", 'say "hi"', "it's", "two\nlines", "tab\there", "<b>bold</b>", "a,b", "[x]", "名前"]
SCRIPT = "<script>alert(1)</script>"


@LABELS.case("labels with spaces, quotes, newlines, emoji, commas, brackets", "kept as they are, in every format")
def odd_labels(folder: Path) -> None:
    table = hs.table(ODD, ODD[1:] + ODD[:1])
    assert set(table.labels) == set(ODD)
    for label in ODD:
        assert hs.estimate(table, hs.of_class("recall", label)).value == 0
    report = hs.report(table)
    for written in (report.to_json(), report.to_markdown(), report.to_latex(), report.to_html(), str(report)):
        assert written


@LABELS.case("HTML in labels and model names", "escaped in the page: shown, never run")
def html(folder: Path) -> None:
    table = hs.table([SCRIPT, "b", "c"], {SCRIPT: [SCRIPT, "b", "b"]})
    page = hs.report(table, ["accuracy", hs.of_class("f1", SCRIPT)]).to_html()
    assert SCRIPT not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


@LABELS.case("names that a spreadsheet would run (=1+1, @x, +1+1)", "get an apostrophe in CSV, so that they stay text")
def csv_injection(folder: Path) -> None:
    names = ["=1+1", "@SUM(A1)", "+1+1", "-1+1", "\t=1"]
    written = as_csv([{"model": name, "value": -0.5} for name in names])
    rows = list(csv.reader(io.StringIO(written)))[1:]
    assert [row[0] for row in rows] == ["'" + name for name in names]
    assert {row[1] for row in rows} == {"-0.5"}


@LABELS.case("None, nan, NaT or pd.NA as a label", "refused, with the number of such rows and the first")
def missing_labels(folder: Path) -> None:
    for hole in (None, float("nan"), pd.NA, pd.NaT):
        refused(lambda hole=hole: hs.table(["a", hole, "b"], ["a", "b", "b"]), "1 missing value", "row 1")
    refused(lambda: hs.table(pd.Series([1, None], dtype="Int64"), [1, 0]), "1 missing value")
    refused(lambda: hs.table([1, 0], [1.0, np.nan]), "1 missing value")


@LABELS.case("dates as labels", "refused in arrays, with the advice to write them as text")
def dates(folder: Path) -> None:
    days = np.array(["2026-01-01", "2026-01-02"], dtype="M8[D]")
    refused(lambda: hs.table(days, days), "labels must be integers, booleans or strings", "str")
    refused(lambda: hs.table([datetime.date(2026, 1, 1)], [datetime.date(2026, 1, 1)]), "datetime.date")
    assert hs.table(days.astype(str), days.astype(str)).labels == ("2026-01-01", "2026-01-02")


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

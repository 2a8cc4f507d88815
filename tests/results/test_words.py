"""How numbers and counts are printed: one minus sign for people, ASCII for machines, and the singular."""

from __future__ import annotations

import csv
import io
import json
import warnings

import pytest

import howsure as hs
from howsure.results.words import amount, brief, number, signed
from howsure.scores import UndefinedMetricWarning, precision_score

TRUTH = [1, 1, 1, 1, 0, 0, 0, 0] * 20
MODELS = {"a": TRUTH, "b": [1, 1, 0, 1, 0, 0, 0, 0] * 20, "c": [1, 0, 0, 1, 0, 1, 0, 0] * 20}
TABLE = hs.table(TRUTH, MODELS)
MINUS, ASCII = "−0.", "-0."


def test_numbers() -> None:
    assert [number(x) for x in (-0.5, 0.5, -1e9, float("-inf"))] == ["−0.500", "0.500", "−1000000000.0", "−∞"]
    assert [brief(x) for x in (-0.03, -0.0, 2.0, float("-inf"))] == ["−0.03", "0", "2", "−∞"]
    assert [amount(size, "pair") for size in (0, 1, 2, 1234)] == ["0 pairs", "1 pair", "2 pairs", "1,234 pairs"]


@pytest.mark.parametrize(
    ("value", "decimals", "plain", "with_sign"),
    [
        (-0.0, 3, "0.000", "0.000"),
        (0.0, 3, "0.000", "0.000"),
        (-1e-12, 3, "0.000", "0.000"),
        (1e-12, 3, "0.000", "0.000"),
        (-0.00049, 3, "0.000", "0.000"),
        (-0.00051, 3, "−0.001", "−0.001"),
        (0.00051, 3, "0.001", "+0.001"),
        (-0.00049, 4, "−0.0005", "−0.0005"),
        (100.0, 3, "100.0", "+100.0"),
        (float("inf"), 3, "∞", "+∞"),
        (float("nan"), 3, "undefined", "undefined"),
    ],
)
def test_a_sign_needs_a_digit_to_stand_before(value: float, decimals: int, plain: str, with_sign: str) -> None:
    assert (number(value, decimals), signed(value, decimals)) == (plain, with_sign)


def test_an_interval_that_ends_just_below_zero() -> None:
    # A share of 1/20000 has the standard error 1/20000: 0.00005 ± 0.000098, and digits enough to show the minus.
    found = hs.estimate(hs.counts(tp=1, fp=19_999, fn=0), "precision", method="wald")
    assert repr(found).startswith("precision = 0.00005, 95% interval −0.00005 to 0.00015 (Wald)")
    assert repr(hs.Estimate(0.1, -0.0001, 0.2, 0.95, "wald", 0.05, 9, "f1")).startswith(
        "F1 = 0.100, 95% interval 0.000 to 0.200 (Wald)"
    )


@pytest.mark.parametrize("form", ["__str__", "to_markdown", "to_html", "_repr_html_"])
def test_one_minus_for_people(form: str) -> None:
    for made in (hs.compare_all(TABLE, "accuracy"), hs.compare(TABLE, "accuracy", a="a", b="b")):
        text = str(getattr(made, form)())
        assert MINUS in text
        assert ASCII not in text.partition("<svg")[0]
    worse = hs.counts(tp=2, fp=30, fn=30, tn=2)
    text = str(getattr(hs.report(worse, "mcc"), form)()).partition("base64")[0]
    assert MINUS in text
    assert ASCII not in text


def test_ascii_for_machines() -> None:
    from howsure.reports.csv import as_csv

    made = hs.compare_all(TABLE, "accuracy")
    assert [row["difference"] for row in json.loads(made.to_json())["rows"]] == [-0.125, -0.375, -0.25]
    rows = csv.DictReader(io.StringIO(as_csv(made.to_dicts())))
    assert [float(row["difference"]) for row in rows] == [-0.125, -0.375, -0.25]


def test_gates_and_cross_validation_tests() -> None:
    gate = hs.gate(TABLE, "accuracy", baseline="a", margin=0.2, model="b")
    assert "by more than 0.2: the difference is −0.125" in repr(gate)
    tested = hs.corrected_resampled_t([-0.02, -0.01, -0.03, -0.02], n_train=90, n_test=10)
    assert "difference −0.0200 [−" in repr(tested)


def test_printed_comparisons_show_their_rows() -> None:
    lines = str(hs.compare_all(TABLE, "accuracy", adjust="none", method="wald")).splitlines()
    # 20 and 60 rows are lost of 160, and 40 between b and c: differences -1/8, -3/8, -2/8
    # the best of three: the next is worse by 1/8, with the standard error sqrt(0.125 · 0.875 / 160)
    assert lines[0].startswith("a is the best in accuracy: better than b, the next, by 0.07 to 0.18. 3 of the 3 pairs")
    assert [line.split()[:3] for line in lines[2:6]] == [
        ["rank", "model", "accuracy"], ["1", "a", "1.000"], ["2", "b", "0.875"], ["3", "c", "0.625"],
    ]  # fmt: skip
    at = lines.index("") + lines[1 + lines.index("") :].index("") + 2
    assert [line.split()[:4] for line in lines[at : at + 4]] == [
        ["pair", "difference", "in", "accuracy"], ["c", "−", "a", "−0.375"], ["c", "−", "b", "−0.250"],
        ["b", "−", "a", "−0.125"],
    ]  # fmt: skip
    assert [line.split()[-1] for line in lines[at + 1 : at + 4]] == ["worse"] * 3
    assert lines[at + 5] == (
        "Sampled: 160 rows, the same for all; held fixed: the models, their training, the labels. 95% intervals, each "
        "on its own."
    )
    assert lines[at + 6].startswith("note: 3 comparisons without adjustment")


def test_one_is_singular() -> None:
    two = hs.compare_all(TABLE.pick("a", "b"), "accuracy")
    assert not {note.kind for note in two.notes} & {"joint", "wider"}
    assert repr(two) == "Comparisons(accuracy: 2 models, 1 pair, joint)"
    assert two.sentence.startswith("a is better than b in accuracy, by 0.08 to 0.18 (95% interval")
    assert "together" not in two[0].sentence
    same = hs.table(TRUTH, {"a": MODELS["b"], "b": MODELS["b"]})
    alike = hs.compare_all(same, "accuracy")
    assert "1 pair cannot be told apart at all" in " ".join(alike.notes)
    assert alike.sentence.startswith("a and b are not told apart in accuracy")
    assert repr(hs.report(TABLE.pick("a"), "f1")) == "Report(1 model × 1 metric, 95% intervals)"


def test_the_warning_of_scores_is_two_sentences() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        precision_score([1, 0, 1], [0, 0, 0])
    (said,) = (str(one.message) for one in caught if one.category is UndefinedMetricWarning)
    assert said.endswith("never predicted. Set zero_division to choose.")

"""The newer questions of the calculator: one estimate, totals, a paper's figures, the columns of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

import howsure as hs
from howsure.errors import InputError
from howsure.web import api, pasted
from howsure.web.limits import Refused
from howsure.web.questions import comparing, uploads

LAM: dict[str, Any] = {"tp": "77", "fp": "44", "fn": "10", "tn": "702"}
TABLE = hs.counts(tp=77, fp=44, fn=10, tn=702)


def test_looks_at_any_time_have_their_own_limits_and_copies() -> None:
    made = api.estimate_of(LAM | {"metric": "recall", "anytime": "true"})
    bare = hs.estimate(TABLE, "recall", anytime=True)
    assert made["headline"][1] == f"(95% interval at any time {bare.low:.3f} to {bare.high:.3f})."
    assert "anytime=True" in made["copies"]["python"]
    assert made["copies"]["command"].endswith("--anytime")


def test_one_estimate_by_its_default() -> None:
    made = api.estimate_of(LAM | {"metric": "recall", "level": "90%"})
    expected = hs.estimate(TABLE, "recall", level=0.9)
    assert made["headline"] == ["Recall is 0.885", f"(90% interval {expected.low:.3f} to {expected.high:.3f})."]
    assert made["rows"][0]["low"] == expected.low
    assert made["axis"] == ["0", "1"]


def test_a_name_that_was_asked_for_is_echoed() -> None:
    assert api.estimate_of(LAM | {"metric": "sensitivity"})["headline"][0] == "sensitivity is 0.885"


def test_more_rows_with_the_same_shares() -> None:
    made = api.estimate_of(LAM | {"times": "10"})
    assert made["rows"][0]["n"] == 8330
    many = hs.estimate(hs.counts(tp=770, fp=440, fn=100, tn=7020), "f1")
    assert made["rows"][0]["low"] == pytest.approx(many.low, abs=1e-12)


def test_predictive_values_elsewhere() -> None:
    """PPV = π·tpr/(π·tpr + (1 − π)·fpr) with π = 2 %."""
    made = api.estimate_of(LAM | {"prevalence": "2%"})
    tpr, fpr = 77 / 87, 44 / 746
    ppv = 0.02 * tpr / (0.02 * tpr + 0.98 * fpr)
    found = {row["metric"]: row["value"] for row in made["rows"]}
    assert found["ppv@prevalence=0.02"] == pytest.approx(ppv, abs=1e-12)
    assert found["f1@prevalence=0.02"] == pytest.approx(2 * ppv * tpr / (ppv + tpr), abs=1e-12)
    assert "PPV is 0.234" in made["headline"][0]


def test_totals_of_different_rows() -> None:
    made = comparing.totals({"right_a": 85, "total_a": 100, "right_b": 91, "total_b": 100})
    # Newcombe's square-and-add of two Wilson intervals (1998, method 10), by hand.
    limits = [hs.estimate(hs.counts(tp=k, fp=0, fn=100 - k), "recall", method="wilson") for k in (85, 91)]
    low = 0.06 - ((limits[1] - limits[1].low) ** 2 + (limits[0].high - limits[0]) ** 2) ** 0.5
    assert made["rows"][0]["low"] == pytest.approx(low, abs=2e-3)
    assert made["headline"][0] == "Not settled:"


def test_totals_of_the_same_rows_are_mcnemars() -> None:
    given = {"right_a": 85, "total_a": 100, "right_b": 91, "total_b": 100, "same": True}
    for told in ({"only_a": 2}, {"only_b": 8}, {"only_a": 2, "only_b": 8}):
        made = comparing.totals(given | told)
        found = {row["method"]: row["p_value"] for row in made["rows"]}
        assert found["mcnemar"] == pytest.approx(binomtest(8, 10).pvalue, abs=1e-12)


@pytest.mark.parametrize(("given", "message"), [
    ({"right_a": 85, "total_a": 100, "right_b": 91}, "total_b is not given"),
    ({"right_a": 185, "total_a": 100, "right_b": 91, "total_b": 100}, "right_a is 185 of 100"),
    ({"right_a": 85, "total_a": 100, "right_b": 91, "total_b": 100, "same": True}, "only_a is not given"),
    ({"right_a": 85, "total_a": 100, "right_b": 91, "total_b": 90, "same": True}, "right_b is 91 of 90"),
    ({"right_a": 85, "total_a": 100, "right_b": 71, "total_b": 90, "same": True, "only_a": 2}, "they are equal"),
    ({"right_a": 85, "total_a": 100, "right_b": 91, "total_b": 100, "same": True, "only_a": 2, "only_b": 2},
     "leave one of them empty"),
    ({"right_a": 85, "total_a": 100, "right_b": 91, "total_b": 100, "same": True, "only_a": 90}, "cannot hold"),
    ({"right_a": 85, "total_a": 100, "right_b": 91, "total_b": 100, "only_a": 2}, "does not go with different rows"),
    ({"right_a": 85, "total_a": 100, "right_b": 91, "total_b": 100, "a": "x", "b": "x"}, "two names"),
])  # fmt: skip
def test_totals_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message):
        comparing.totals(given)


def test_a_papers_figures() -> None:
    made = api.paper({"n": "833", "figures": "accuracy=0.935; recall = 88.5%, specificity=0.941"})
    assert made["table"]["rows"] == [["77", "44", "10", "702"]]
    assert made["headline"][0] == "Specificity is 0.941"
    with pytest.raises(Refused, match="figures must be metrics as printed"):
        api.paper({"n": "833", "figures": "0.935"})
    with pytest.raises(Refused, match="has a field of its own"):
        api.paper({"figures": "n=20, f1=0.8"})
    with pytest.raises(InputError, match="no table gives these numbers"):
        api.paper({"n": "10", "figures": "recall=0.99, precision=0.37"})


def test_a_plan_for_people() -> None:
    made = api.plan({"metric": "accuracy", "half_width": "3%", "expected": "85%", "cost": "0.40", "budget": "200"})
    planned = hs.plan("accuracy", half_width=0.03, accuracy=0.85, cost=0.4, budget=200)
    assert made["headline"][0] == f"{planned.n} rows"
    assert "Your budget buys 500" in made["headline"][1]
    assert "Whatever accuracy turns out to be, 1,068 rows are enough." in made["said"]
    assert [row[0] for row in made["table"]["rows"]] == ["0.800", "0.850", "0.900", "anything"]


def test_columns_of_a_file() -> None:
    content = b"id,label,bert,svm\n" + b"1,a,a,b\n2,b,b,b\n3,a,b,a\n" * 5
    about = uploads.upload(content, "p.csv", {"question": "columns"})["about"]
    filled = {"truth": "label", "predictions": "bert, svm"}
    assert about == {"columns": ["id", "label", "bert", "svm"], "holds": "labels", "filled": filled}
    unclear = uploads.upload(b"x,y\n1,2\n", "p.csv", {"question": "columns"})["about"]
    assert unclear == {"columns": ["x", "y"], "holds": "", "filled": {}}
    assert uploads.upload(b"{}", "log.json", {"question": "columns"})["about"]["columns"] == []


@pytest.mark.parametrize(("header", "row", "holds", "filled"), [
    ("model,question,correct", "a,1,1", "long", {"model_column": "model", "id": "question", "correct": "correct"}),
    ("model,id,score", "a,1,0.5", "long", {"model_column": "model", "id": "id", "value": "score"}),
    ("image,yolo_tp,yolo_fp,yolo_fn", "x,1,2,0", "sums", {"unit": "image", "sums": "tp, fp, fn"}),
    ("label,svm,bert", "1,0.25,0.9", "scores", {"truth": "label", "scores": "svm, bert"}),
    ("id,net,big", "1,0.25,0.9", "values", {"value": "net, big"}),
    ("label,svm,age", "1,1,70.5", "labels", {"truth": "label", "predictions": "svm"}),
])  # fmt: skip
def test_what_a_row_holds_is_guessed(header: str, row: str, holds: str, filled: dict[str, str]) -> None:
    about = uploads.upload(f"{header}\n{row}\n".encode(), "p.csv", {"question": "columns"})["about"]
    assert (about["holds"], about["filled"]) == (holds, filled)


def test_subgroups_of_a_file(tmp_path: Path) -> None:
    rows = [(f"{site}", label, (label + (at % 7 == 0)) % 2) for site in "xyz" for at in range(30) for label in (0, 1)]
    content = "site,label,svm\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows)
    (tmp_path / "p.csv").write_text(content)
    asked = {"by": "site", "metric": "recall", "pos_label": "1", "page": "true"}
    made = uploads.upload(content.encode(), "p.csv", asked)
    parts = hs.Slices(hs.read_slices(tmp_path / "p.csv", by="site", pos_label="1"))
    expected = [(row.slice, row.value, row.low, row.high) for row in parts.report("recall")]
    assert [
        tuple(row[key] for key in ("slice", "value", "low", "high")) for row in made["answers"][1]["rows"]
    ] == expected
    assert made["answers"][0]["rows"][0]["n"] == len(rows)
    assert "Subgroups by site" in made["page"]
    assert "--by site" in made["answers"][1]["copies"]["command"]
    with pytest.raises(InputError, match="does not go with a comparison"):
        uploads.upload(content.encode(), "p.csv", {"by": "site", "question": "compare"})


@pytest.mark.parametrize(("typed", "number"), [("1,000", 1000.0), ("1 234 567", 1234567.0), ("1'000.5", 1000.5)])
def test_thousands(typed: str, number: float) -> None:
    assert pasted.number(typed, "tp") == number


@pytest.mark.parametrize("typed", ["1,00", "1,0000", ",5", "12%", "1,000,00"])
def test_what_is_no_count(typed: str) -> None:
    with pytest.raises(Refused, match="tp is"):
        pasted.number(typed, "tp")


def test_an_auc_from_a_paper() -> None:
    made = api.paper({"figures": "auc=0.87", "n": "500", "positives": "80"})
    expected = hs.reconstruct(n=500, positives=80, auc="0.87")["auc"]
    assert made["headline"] == ["AUC is 0.870", f"(95% interval {expected.low:.3f} to {expected.high:.3f})."]
    assert made["table"]["rows"] == [["AUC", "0.87", f"{expected.low:.3f} to {expected.high:.3f}"]]
    assert "howsure reconstruct auc=0.87" in made["copies"]["command"]

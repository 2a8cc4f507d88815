"""Scores against pROC, R's glm and scikit-learn, and pROC's printed example."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from references.stored import grouped, stored

SETS = grouped(stored("roc_rows"), "set")
CASES = grouped(stored("scored_rows"), "case")
PARTS = {
    "auc": "auc", "fpr01": "partial_auc[fpr<=0.1]", "fpr03": "partial_auc[fpr<=0.3]",
    "range": "partial_auc[0.1<=fpr<=0.4]", "tpr08": "partial_auc[tpr>=0.8]",
}  # fmt: skip


def column(rows: list[dict[str, str]], name: str) -> np.ndarray:
    return np.array([float(row[name]) for row in rows])


def table(number: str) -> hs.Table:
    rows = SETS[(number,)]
    return hs.table(column(rows, "truth").astype(int), scores={name: column(rows, name) for name in "abc"})


@pytest.mark.parametrize("row", stored("roc_areas"), ids=lambda row: f"{row['set']}{row['score']}")
def test_areas_and_their_variance(row: dict[str, str]) -> None:
    made = table(row["set"])
    for name, metric in PARTS.items():
        assert float(hs.estimate(made, metric, model=row["score"])) == pytest.approx(float(row[name]), abs=1e-9)
    wald = hs.estimate(made, "auc", model=row["score"], method="wald")
    assert wald.se**2 == pytest.approx(float(row["variance"]), rel=1e-9)


@pytest.mark.parametrize("row", [row for row in stored("roc_areas") if row["slope"] != "NA"],
                         ids=lambda row: f"{row['set']}{row['score']}")  # fmt: skip
def test_the_calibration_line(row: dict[str, str]) -> None:
    made = table(row["set"])
    for name in ("slope", "intercept"):
        found = hs.estimate(made, f"calibration_{name}", model=row["score"])
        assert float(found) == pytest.approx(float(row[name]), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("row", stored("roc_pairs"), ids=lambda row: f"{row['set']}{row['first']}{row['second']}")
def test_delong_of_two_models(row: dict[str, str]) -> None:
    made = table(row["set"])
    first, second = row["first"], row["second"]
    both = hs.report(made, ["auc"], models=[first, second]).covariance.matrix
    assert both[0, 1] == pytest.approx(float(row["covariance"]), rel=1e-9, abs=1e-14)
    found = hs.compare(made, "auc", second, first, method="wald")
    assert found.p_value == pytest.approx(float(row["p"]), rel=1e-8)
    assert found.difference / np.sqrt(both[0, 0] + both[1, 1] - 2 * both[0, 1]) == pytest.approx(
        float(row["z"]), rel=1e-9
    )


@pytest.mark.parametrize(
    "row", stored("scored_values"), ids=lambda row: f"{row['case']}{row['weighted']}{row['metric']}"
)
def test_scikit_learn(row: dict[str, str]) -> None:
    rows = CASES[(row["case"],)]
    weight = column(rows, "weight") if row["weighted"] == "1" else None
    if row["metric"].startswith("classes: "):
        scores = np.stack([column(rows, name) for name in ("q0", "q1", "q2")], axis=1)
        made = hs.table(column(rows, "kind").astype(int), scores=scores, sample_weight=weight)
    else:
        made = hs.table(column(rows, "truth").astype(int), scores=column(rows, "p"), sample_weight=weight)
    found = hs.estimate(made, row["metric"].removeprefix("classes: "))
    assert float(found) == pytest.approx(float(row["value"]), abs=1e-9)


def test_the_printed_example_of_proc(shared_data: Path) -> None:
    """pROC 1.18.0, ?roc.test: AUC 0.7314 (0.6301–0.8326) and 0.8237, Z = −2.209, p = 0.02718, −0.174 to −0.0104."""
    made = hs.read(shared_data / "scores-asah" / "scores.csv", truth="poor", scores=["s100b", "wfns"])
    one = hs.estimate(made, "auc", model="s100b", method="wald")
    assert (round(one.value, 4), round(one.low, 4), round(one.high, 4)) == (0.7314, 0.6301, 0.8326)
    found = hs.compare(made, "auc", "wfns", "s100b", method="wald")
    assert round(found.p_value, 5) == 0.02718
    assert (found.low, found.high) == pytest.approx((-0.17421442, -0.01040618), abs=5e-9)

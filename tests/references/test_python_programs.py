"""Against statsmodels, scipy.stats, seqeval, nervaluate and scikit-learn, from stored tables with their makers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.comparisons.compare import holm
from references.stored import grouped, stored

CELLS = ("tp", "fp", "fn", "tn")


def value(table: hs.Table, metric: Any, **more: Any) -> float:
    return hs.estimate(table, metric, method="wald", **more).value


# --- statsmodels ------------------------------------------------------------------------------------------------------

PROPORTIONS = {
    "normal": "wald", "agresti_coull": "agresti-coull", "beta": "clopper-pearson", "wilson": "wilson",
    "jeffreys": "beta",
}  # fmt: skip


@pytest.mark.parametrize("method", PROPORTIONS)
def test_proportions_by_statsmodels(method: str) -> None:
    """statsmodels cuts Wald's and Agresti & Coull's limits at 0 and 1; we report what the formula gives."""
    for row in (row for row in stored("statsmodels_limits") if row["method"] == method):
        table = hs.counts(tp=int(row["success"]), fn=int(row["failure"]), fp=3, tn=5)
        found = hs.estimate(table, "recall", method=PROPORTIONS[method], level=float(row["level"]))
        limits = min(max(found.low, 0.0), 1.0), max(min(found.high, 1.0), 0.0)
        assert limits == pytest.approx((float(row["low"]), float(row["high"])), rel=1e-9, abs=1e-12), row


@pytest.mark.parametrize("row", stored("statsmodels_kappa"), ids=lambda row: row["weights"])
def test_kappas_by_statsmodels(row: dict[str, str]) -> None:
    counts = np.array(row["cells"].split(), dtype=int)
    size = int(np.sqrt(len(counts)))
    metric = {"none": "kappa"}.get(row["weights"], f"kappa_{row['weights']}")
    found = hs.estimate(hs.matrix(counts.reshape(size, size), rows="truth"), metric, method="wald")
    assert found.value == pytest.approx(float(row["value"]), rel=1e-11)
    assert found.se == pytest.approx(float(row["se"]), rel=1e-10)


@pytest.mark.parametrize("row", stored("statsmodels_mcnemar"), ids=lambda row: f"{row['only_a']}-{row['only_b']}")
def test_mcnemar_by_statsmodels(row: dict[str, str]) -> None:
    cells = [int(row[name]) for name in ("both", "only_a", "only_b", "neither")]
    right = {"a": np.repeat([1, 1, 0, 0], cells), "b": np.repeat([1, 0, 1, 0], cells)}
    table = hs.table(np.ones(sum(cells), dtype=int), right, labels=[0, 1], pos_label=1)
    for method, column in (("mcnemar", "exact"), ("tango", "score")):
        found = hs.compare(table, "accuracy", "a", "b", method=method).p_value
        assert found == pytest.approx(float(row[column]), rel=1e-9), method


def test_holm_by_statsmodels() -> None:
    for rows in grouped(stored("statsmodels_holm"), "family").values():
        found = holm(np.array([float(row["p_value"]) for row in rows]))
        assert found == pytest.approx([float(row["adjusted"]) for row in rows], rel=1e-13)


# --- scipy.stats ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", sorted({row["metric"] for row in stored("scipy_values")}))
def test_values_and_limits_by_scipy(metric: str) -> None:
    ours = {"exact": "clopper-pearson", "wilson": "wilson", "log": "log"}
    for row in (row for row in stored("scipy_values") if row["metric"] == metric):
        table, method = hs.counts(**{cell: int(row[cell]) for cell in CELLS}), row["method"]
        if metric == "mcc":
            assert abs(value(table, metric)) == pytest.approx(float(row["value"]), rel=1e-11), row
            continue
        how: Any = hs.Bayes(prior=float(method.split()[1])) if method.startswith("beta") else ours[method]
        found = hs.estimate(table, metric, method=how, level=float(row["level"]))
        assert found.value == pytest.approx(float(row["value"]), rel=1e-13), row
        assert (found.low, found.high) == pytest.approx((float(row["low"]), float(row["high"])), rel=1e-9), row


# --- seqeval ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "malformed"), [("lenient", "conlleval"), ("strict", "strict")])
def test_chunk_scores_by_seqeval(mode: str, malformed: Any) -> None:
    tags = grouped(stored("seqeval_tags"), "case")
    rows = grouped([row for row in stored("seqeval_scores") if row["mode"] == mode], "case")
    assert tags.keys() == rows.keys()
    for case, sentences in tags.items():
        gold, guess = ([row[name].split() for row in sentences] for name in ("gold", "guess"))
        table = hs.spans(gold, {"m": guess}, malformed=malformed)
        for row in rows[case]:
            average, name = row["average"], row["metric"]
            metric = f"{average}_{name}" if average.islower() else f"{name}[{average}]"
            assert value(table, metric) == pytest.approx(float(row["value"]), rel=1e-13), row


# --- nervaluate -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("match", "ours"), [("strict", "exact"), ("partial", "partial"), ("ent_type", "type")])
def test_chunk_scores_by_nervaluate(match: str, ours: str) -> None:
    """Precision, recall and F1 over all types, with the numbers of chunks that nervaluate divides by."""
    tags = grouped(stored("nervaluate_tags"), "case")
    rows = [row for row in stored("nervaluate_scores") if row["match"] == match]
    assert len(rows) == len(tags) == 12
    for row in rows:
        gold, guess = ([one[name].split() for one in tags[(row["case"],)]] for name in ("gold", "guess"))
        table = hs.spans(gold, {"m": guess}, match=ours)
        for name in ("precision", "recall", "f1"):
            assert value(table, name) == pytest.approx(float(row[name]), rel=1e-12), row


# --- scikit-learn -----------------------------------------------------------------------------------------------------


def sklearn_table(row: dict[str, str]) -> hs.Table:
    truth, guess = (row[name].split() for name in ("truth", "guess"))
    if row["kind"] == "indicators":
        both = (np.array([[int(bit) for bit in item] for item in part]) for part in (truth, guess))
        return hs.table(*both)
    labels = [str(place) for place in range(4)] if row["kind"] == "empty" else None
    weight = [float(part) for part in row["weight"].split()] or None
    return hs.table(truth, guess, labels=labels, sample_weight=weight)


@pytest.mark.parametrize("case", stored("sklearn_cases"), ids=lambda row: f"{row['case']}-{row['kind']}")
def test_scores_by_sklearn(case: dict[str, str]) -> None:
    """zero_division=0 is undefined="zero"; zero_division=nan leaves a class out of the mean: undefined="skip"."""
    table = sklearn_table(case)
    rows = [row for row in stored("sklearn_values") if row["case"] == case["case"]]
    assert len(rows) > 5
    for row in rows:
        more = {"undefined": row["undefined"]} if row["undefined"] else {}
        assert value(table, row["metric"], **more) == pytest.approx(float(row["value"]), rel=1e-12, abs=1e-13), row

"""Against R: car, survey, epiR, Hmisc, vcd, caret and mvtnorm; the script beside each table made it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import howsure as hs
from references.stored import grouped, stored

# --- car: deltaMethod -------------------------------------------------------------------------------------------------


@cache
def delta_table(name: str) -> hs.Table:
    """Return a table of delta_tables.csv: two or three classes, or two models on the same rows."""
    cells = {row["cell"]: int(row["count"]) for row in stored("delta_tables") if row["table"] == name}
    if name.startswith("two"):
        return hs.counts(**cells)
    if name.startswith("three"):
        return hs.matrix(np.array(list(cells.values())).reshape(3, 3), rows="truth", labels=["1", "2", "3"])
    rows = np.array([[int(digit) for digit in cell[1:]] for cell, count in cells.items() for _ in range(count)])
    return hs.table(rows[:, 0], {"a": rows[:, 1], "b": rows[:, 2]})


@pytest.mark.parametrize("name", sorted({row["table"] for row in stored("delta_errors")}))
def test_errors_of_one_model_by_car(name: str) -> None:
    rows = [row for row in stored("delta_errors") if row["table"] == name]
    for row in rows:
        found = hs.estimate(delta_table(name), row["metric"], method="wald")
        assert found.value == pytest.approx(float(row["value"]), rel=1e-12), row["metric"]
        assert found.se == pytest.approx(float(row["se"]), rel=1e-9), row["metric"]


@pytest.mark.parametrize("row", stored("delta_pairs"), ids=lambda row: f"{row['table']}-{row['metric']}")
def test_errors_of_a_difference_by_car(row: dict[str, str]) -> None:
    found = hs.compare(delta_table(row["table"]), row["metric"], "a", "b", method="wald")
    assert found.difference == pytest.approx(float(row["value"]), rel=1e-10, abs=1e-13)
    assert found.se == pytest.approx(float(row["se"]), rel=1e-9)


# --- survey: clusters, weights, strata --------------------------------------------------------------------------------


@cache
def design_table(design: str) -> hs.Table:
    rows = stored("design_rows")
    column = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    models = {name: column[name] for name in "ab"}
    pool = dict(zip(column["stratum"].tolist(), column["pool"].astype(int).tolist(), strict=True))
    if design in ("strata", "nested"):
        total = sum(pool.values())
        return hs.stratified(
            column["truth"],
            models,
            strata=column["stratum"],
            shares={name: part / total for name, part in pool.items()},
            groups=column["group"] if design == "nested" else None,
        )
    if design == "pool":
        return hs.stratified(column["truth"], models, strata=column["stratum"], pool=pool)
    return hs.table(
        column["truth"],
        models,
        groups=None if design == "weights" else column["group"],
        sample_weight=None if design == "groups" else column["weight"].astype(float),
    )


@pytest.mark.parametrize("design", ["groups", "weights", "both", "strata", "pool", "nested"])
def test_two_models_in_a_design_by_survey(design: str) -> None:
    """Without clusters survey multiplies the variance by n/(n − 1); within strata it divides by n_h − 1, as we do."""
    table = design_table(design)
    factor = np.sqrt(table.n / (table.n - 1)) if design == "weights" else 1.0
    rows = [row for row in stored("design_errors") if row["design"] == design]
    assert {row["what"] for row in rows} == {"a", "b", "difference"}
    for row in rows:
        if row["what"] == "difference":
            made = hs.compare(table, row["metric"], "a", "b", method="wald")
            value, se = made.difference, made.se
        else:
            found = hs.estimate(table, row["metric"], model=row["what"], method="wald")
            value, se = found.value, found.se
        assert value == pytest.approx(float(row["value"]), rel=1e-10, abs=1e-13), row
        assert se * factor == pytest.approx(float(row["se"]), rel=1e-9), row


# --- epiR: diagnostic accuracy ----------------------------------------------------------------------------------------

OUR_NAME = {
    "ap": "predicted_prevalence", "tp": "prevalence", "se": "recall", "sp": "specificity", "diag.ac": "accuracy",
    "diag.or": "odds_ratio", "youden": "informedness", "pv.pos": "precision", "pv.neg": "npv", "lr.pos": "lr_plus",
    "lr.neg": "lr_minus", "p.tpdn": "false_positive_rate", "p.tndp": "false_negative_rate",
    "p.dntp": "false_discovery_rate", "p.dptn": "false_omission_rate",
}  # fmt: skip
OUR_METHOD = {
    "exact": "clopper-pearson", "clopper-pearson": "clopper-pearson", "wilson": "wilson", "agresti": "agresti-coull",
    "jeffreys": "beta",
}  # fmt: skip


@pytest.mark.parametrize("method", OUR_METHOD)
def test_diagnostic_accuracy_by_epir(method: str) -> None:
    """Values, and limits where the method is ours.

    Youden's interval in epiR adds the limits of two shares. With "agresti" it reports the shifted share x~/n~ as the
    estimate and puts it into the variance of the likelihood ratios.
    """
    cells = ("tp", "fp", "fn", "tn")
    for row in (row for row in stored("medical_tests") if row["method"] == method):
        metric, table = OUR_NAME[row["statistic"]], hs.counts(**{cell: int(row[cell]) for cell in cells})
        how: Any = "log" if metric in ("odds_ratio", "lr_plus", "lr_minus") else OUR_METHOD[method]
        how = "wald" if metric == "informedness" else how
        found = hs.estimate(table, metric, method=how, level=float(row["level"]))
        if method != "agresti" or how == "log":
            assert found.value == pytest.approx(float(row["value"]), rel=1e-12), row
        if metric != "informedness" and (method, metric[:2]) != ("agresti", "lr"):
            expected = float(row["low"]), float(row["high"])
            assert (found.low, found.high) == pytest.approx(expected, rel=1e-9, abs=1e-12), row


# --- Hmisc: binconf ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "ours"), [("wilson", "wilson"), ("exact", "clopper-pearson"), ("asymptotic", "wald")]
)
def test_shares_by_hmisc(method: str, ours: str) -> None:
    rows = [row for row in stored("binconf_limits") if row["method"] == method]
    assert len(rows) > 50
    for row in rows:
        table = hs.counts(tp=int(row["success"]), fn=int(row["failure"]), fp=3, tn=5)
        found = hs.estimate(table, "recall", method=ours, level=float(row["level"]))
        assert (found.low, found.high) == pytest.approx((float(row["low"]), float(row["high"])), rel=1e-9, abs=1e-12)


# --- vcd: kappa -------------------------------------------------------------------------------------------------------


def test_kappas_by_vcd() -> None:
    names = {"none": "kappa", "Equal-Spacing": "kappa_linear", "Fleiss-Cohen": "kappa_quadratic"}
    tables = {}
    for (name,), rows in grouped(stored("agreement_tables"), "table").items():
        size = int(np.sqrt(len(rows)))
        counts = np.zeros((size, size))
        for row in rows:
            counts[int(row["row"]) - 1, int(row["column"]) - 1] = int(row["count"])
        tables[name] = hs.matrix(counts, rows="truth")
    assert len(tables) == 7
    for row in stored("agreement_kappa"):
        found = hs.estimate(tables[row["table"]], names[row["weights"]], method="wald")
        assert found.value == pytest.approx(float(row["value"]), rel=1e-11), row
        assert found.se == pytest.approx(float(row["se"]), rel=1e-10), row


# --- caret: confusionMatrix -------------------------------------------------------------------------------------------

BY_CLASS = {
    "Sensitivity": "recall", "Specificity": "specificity", "Pos Pred Value": "precision", "Neg Pred Value": "npv",
    "Precision": "precision", "Recall": "recall", "F1": "f1", "Prevalence": "prevalence",
    "Detection Prevalence": "predicted_prevalence",
}  # fmt: skip
NOT_OURS = ("AccuracyPValue", "AccuracyNull", "McnemarPValue", "Detection Rate")


def caret_tables() -> dict[str, hs.Table]:
    found = {}
    for (name,), rows in grouped(stored("caret_tables"), "table").items():
        labels = sorted({row["truth"] for row in rows})
        counts = np.zeros((len(labels), len(labels)))
        for row in rows:
            counts[labels.index(row["truth"]), labels.index(row["prediction"])] = int(row["count"])
        found[name] = hs.matrix(counts, rows="truth", labels=labels)
    return found


def test_every_value_of_caret() -> None:
    tables = caret_tables()
    for row in stored("caret_values"):
        table, name, expected = tables[row["table"]], row["name"], float(row["value"])
        if name in NOT_OURS:
            continue
        if name in ("AccuracyLower", "AccuracyUpper"):
            made = hs.estimate(table, "accuracy", method="clopper-pearson")
            found = made.low if name == "AccuracyLower" else made.high
        elif name == "Balanced Accuracy":  # of one class against the rest
            parts = (hs.estimate(table, f"{part}[{row['class']}]", method="wald") for part in ("recall", "specificity"))
            found = sum(part.value for part in parts) / 2
        else:
            metric = name.lower() if not row["class"] else f"{BY_CLASS[name]}[{row['class']}]"
            found = hs.estimate(table, metric, method="wald").value
        assert found == pytest.approx(expected, rel=1e-9), row


# --- mvtnorm: multiple comparisons with the best ----------------------------------------------------------------------


def compared_models() -> hs.Table:
    rows = stored("compare_models")
    column = {name: np.array([int(row[name]) for row in rows]) for name in rows[0]}
    return hs.table(column.pop("truth"), column)


@pytest.mark.parametrize("row", stored("best_limits"), ids=lambda row: "-".join(list(row.values())[:3]))
def test_distance_to_the_best_by_mvtnorm(row: dict[str, str]) -> None:
    made = hs.compare_all(compared_models(), row["metric"], versus="best", method="wald", level=float(row["level"]))
    assert made.against_best[row["model"]] == pytest.approx((float(row["low"]), float(row["high"])), abs=1e-9)
    assert (row["model"] in made.tied_with_best) == (float(row["high"]) > 0)

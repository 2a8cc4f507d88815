"""The populations that hs.study takes, and the results that it gives."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import howsure as hs
from howsure.tables.population import population_of, populations_of
from studies.populations import HALF


def test_populations_can_be_given_in_many_ways() -> None:
    table = hs.counts(tp=400, fp=100, fn=100, tn=400)
    rates = {"prevalence": 0.5, "precision": 0.8, "recall": 0.8}
    sick = {"prevalence": 0.5, "specificity": 0.8, "recall": 0.8}
    for given in (HALF, rates, sick, [[0.4, 0.1], [0.1, 0.4]], np.array([[4, 1], [1, 4]]) / 10, table):
        assert population_of(given).shares == pytest.approx(np.array([[0.4, 0.1], [0.1, 0.4]]))
        found, wanted = (hs.study("f1", "wald", one, n=10)[0] for one in (given, HALF))
        assert found.coverage == pytest.approx(wanted.coverage, rel=1e-12)


def test_several_populations_keep_their_names() -> None:
    rows = hs.study("f1", ["wald", "wilson"], {"a": HALF, "b": {**HALF, "tp": 0.5, "tn": 0.3}}, n=[5, 10])
    assert len(rows) == 8
    assert {row.population for row in rows} == {"a", "b"}
    (one,) = rows.where(population="b", method="wilson", n=10)
    assert one.coverage == hs.study("f1", "wilson", {**HALF, "tp": 0.5, "tn": 0.3}, n=10)[0].coverage
    assert [one.name for one in populations_of([HALF, HALF])] == ["0", "1"]


def test_labels_of_a_table_are_known_to_the_metric() -> None:
    table = hs.matrix([[5, 1, 0], [2, 7, 1], [0, 1, 9]], rows="truth", labels=["a", "b", "c"])
    for metric in ("f1[b]", "macro_f1", "micro_f1[without a]"):
        row = hs.study(metric, "wald", table, n=12, exact=False, replicates=200)[0]
        assert row.truth == pytest.approx(hs.estimate(table, metric).value)


def test_coverage_is_a_sequence_with_writers() -> None:
    rows = hs.study("f1", ["wald", "wilson"], HALF, n=[25, 50])
    assert rows["wald", 50] is rows.where(method="wald", n=50)[0]
    assert len(rows[1:]) == 3
    assert json.loads(rows.to_json())["rows"][0]["coverage"] == rows[0].coverage
    assert repr(rows) == "Coverage(4 rows)"
    made = replace(rows[0], coverage=0.90461, length=0.34291)
    assert repr(made) == "f1 by wald, n = 25: 95% interval covers 0.9046 (exact), length 0.3429"
    made = replace(made, exact=False, se=0.00093, population="S1")
    assert repr(made) == "f1 by wald in S1, n = 25: 95% interval covers 0.9046 (simulated, ± 0.0009), length 0.3429"
    assert list(rows.to_frame("pandas")["n"]) == [25, 25, 50, 50]
    with pytest.raises(KeyError, match="0 rows match"):
        rows["wald", 51]


def test_without_methods_every_batch_method_is_studied() -> None:
    found = {row.method for row in hs.study("precision", None, HALF, n=6)}
    assert found >= {"wald", "wilson", "clopper-pearson", "mid-p", "beta", "hdi", "profile", "logit", "smoothed"}
    assert "bootstrap" not in found


def test_the_default_method_can_be_asked_for() -> None:
    assert hs.study("f1", "default", HALF, n=6)[0].method == "mid-p"
    one = hs.estimate(hs.counts(tp=4, fp=1, fn=1, tn=4), "mcc")
    assert hs.study("mcc", "default", HALF, n=6)[0].method == one.method

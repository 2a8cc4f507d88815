"""A metric asked for by an alias goes by that name on the way out, in every form, and is found by all its names."""

from __future__ import annotations

import json
import pickle

import pytest

import howsure as hs
from howsure.metrics.names import named

TABLE = hs.counts(tp=77, fp=44, fn=10, tn=702)
THREE = hs.matrix([[2, 2, 2], [5, 70, 2], [0, 2, 15]], rows="truth", labels=["a", "b", "c"])


@pytest.mark.parametrize(
    ("asked", "shown", "canonical"),
    [
        ("F*", "F*", "jaccard"), ("f*", "F*", "jaccard"), ("fstar", "fstar", "jaccard"), ("Sørensen", "Sørensen", "f1"),
        ("SØRENSEN", "Sørensen", "f1"), ("cosine", "cosine", "fowlkes_mallows"), ("correlation", "correlation", "mcc"),
        ("maF1", "maF1", "macro_f1"), ("maf1", "maF1", "macro_f1"), ("miF1", "miF1", "micro_f1"),
        ("maF1*", "maF1*", "macro_f1_star"), ("maP", "maP", "macro_precision"), ("miR", "miR", "micro_recall"),
        ("maF1[a,b]", "maF1[a,b]", "macro_f1[a,b]"), ("macro ppv", "macro_ppv", "macro_precision"),
        ("IoU[cat]", "iou[cat]", "jaccard[cat]"), ("F1", "f1", "f1"),
    ],
)  # fmt: skip
def test_a_name_and_the_catalogues(asked: str, shown: str, canonical: str) -> None:
    metric = named(named(asked).name)
    assert (metric.name, metric.canonical) == (named(asked).name, named(asked).canonical) == (shown, canonical)
    assert pickle.loads(pickle.dumps(metric)) == metric


@pytest.mark.parametrize("name", ["mAP", "map", "mar", "MIP"])
def test_a_short_name_of_one_capital_is_taken_as_written_alone(name: str) -> None:
    """mAP is the mean average precision elsewhere; nobody shall get a macro precision for it."""
    with pytest.raises(hs.MetricError, match="is not known"):
        named(name)


def test_every_form_shows_the_name_that_was_asked_for() -> None:
    report = hs.report(TABLE, ["cosine", "correlation", "F*"])
    frame = report.to_frame(backend="pandas")
    assert list(frame["metric"]) == ["cosine", "correlation", "F*"]
    assert list(frame["canonical"]) == ["fowlkes_mallows", "mcc", "jaccard"]
    rows = json.loads(report.to_json())["rows"]
    assert (rows[0]["metric"], rows[0]["canonical"]) == ("cosine", "fowlkes_mallows")
    for text in (str(report), report.to_markdown(), report.to_latex(), report.to_html(), report.write("csv")):
        assert "cosine" in text
        assert "correlation" in text
        assert "fowlkes" not in text.replace("fowlkes_mallows", "", text.count(",fowlkes_mallows,"))


def test_a_row_is_found_by_any_of_its_names() -> None:
    table = hs.table([1, 0, 1, 1, 0, 1], {"r": [1, 0, 0, 1, 1, 1], "s": [1, 1, 1, 1, 0, 0]})
    report = hs.report(table, ["fowlkes_mallows", "maF1", "ppv"])
    for name in ("cosine", "ochiai", "fowlkes_mallows", "Cosine"):
        assert report[("r", name)] is report.rows[0]
    assert report[("s", "macro_f1")] is report[("s", "macro_dice")] is report[("s", "MAF1")]
    assert report[("s", "precision")].metric == "ppv"
    with pytest.raises(KeyError, match="0 rows"):
        report[("r", "recall")]
    with pytest.raises(KeyError, match="2 rows"):
        report["cosine"]


def test_the_same_metric_asked_for_twice_keeps_both_names() -> None:
    report = hs.report(TABLE, ["dice", "f1"])
    assert (report["dice"].metric, report["f1"].metric) == ("dice", "f1")
    assert report["dice"].value == report["f1"].value


def test_other_results_show_it_too() -> None:
    two = hs.table([1, 0, 1, 1, 0, 1, 0, 0], {"r": [1, 0, 0, 1, 1, 1, 0, 1], "s": [1, 1, 1, 1, 0, 0, 0, 0]})
    assert hs.compare(two, "cosine", a="r", b="s").metric == "cosine"
    assert hs.compare_all(two, "Sørensen").metric == "Sørensen"
    assert hs.gate(TABLE, "F*", at_least=0.5).metric == "F*"
    assert hs.estimate(THREE, "maF1*", method="wald").by("bootstrap").metric == "maF1*"
    assert hs.report(THREE, ["maF1", "miF1"], joint=True).covariance.labels == (("model", "maF1"), ("model", "miF1"))


def test_a_report_saved_and_loaded_is_still_found_by_alias() -> None:
    again = pickle.loads(pickle.dumps(hs.report(TABLE, ["cosine"])))
    assert again["fowlkes_mallows"].value == again["cosine"].value

"""The public face: names, their documentation, the catalogue of metrics and the grammar of names agree."""

from __future__ import annotations

import ast
import inspect
import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
from howsure import scores
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.names import AVERAGES, KNOWN, named
from support.strategies import averaged_metrics, metrics_for, one_class_metrics

# What the core promises; everything after these arguments is given by name.
POSITIONAL: dict[str, list[str]] = {
    "table": ["y_true", "y_pred"],
    "counts": ["several"],
    "matrix": ["counts"],
    "estimate": ["table", "metric"],
    "intervals": ["table", "metric"],
    "report": ["table", "given", "data"],
    "macro": ["metric"],
    "micro": ["metric"],
    "weighted": ["metric"],
    "samples": ["metric"],
    "of_class": ["metric", "label"],
    "f_beta": ["beta"],
    "tversky": ["a", "b"],
    "ppv_at": ["prevalence"],
    "npv_at": ["prevalence"],
}
PROMISED = (
    "accuracy", "precision", "recall", "specificity", "npv", "f1", "f0.5", "f2", "jaccard", "mcc", "kappa",
    "balanced_accuracy", "informedness", "markedness", "g_mean", "fowlkes_mallows", "lift", "overlap", "prevalence",
    "lr_plus", "lr_minus", "odds_ratio", "ppv", "sensitivity", "tpr", "dice", "cosine", "correlation", "iou",
    "micro_f1", "macro_f1", "weighted_f1", "macro_precision", "macro_f1_star", "f1[cat]", "f7.5", "tversky(0.8,0.2)",
    "false_positive_rate", "false_negative_rate", "false_discovery_rate", "false_omission_rate", "kappa_linear",
    "kappa_quadratic", "predicted_prevalence", "ppv_at(0.1)", "npv_at(0.1)", "samples_f1", "exact_match",
    "error_rate",
)  # fmt: skip


def test_all_is_sorted_and_there() -> None:
    assert list(hs.__all__) == sorted(hs.__all__)
    assert len(set(hs.__all__)) == len(hs.__all__)
    missing = [name for name in hs.__all__ if not hasattr(hs, name)]
    assert not missing
    assert set(hs.__all__) <= set(dir(hs))


def test_core_names_are_public() -> None:
    assert {*POSITIONAL, "Metric", "Share", "Table", "Estimate", "Report", "Note", "smaller"} <= set(hs.__all__)


@pytest.mark.parametrize("name", [name for name in hs.__all__ if not name.startswith("__")])
def test_every_public_name_is_documented(name: str) -> None:
    """One imperative sentence at least, of our own: a class must not inherit its text."""
    thing = getattr(hs, name)
    assert (thing.__doc__ or "").strip(), name
    if inspect.isclass(thing):
        assert thing.__doc__ not in {base.__doc__ for base in thing.__mro__[1:]}, name
        for method, function in vars(thing).items():
            field = method in getattr(thing, "__dataclass_fields__", {})
            public = inspect.isfunction(function) and not method.startswith("_") and not field
            assert not public or (function.__doc__ or "").strip(), f"{name}.{method}"


def test_the_type_stub_is_the_list_of_names() -> None:
    stub = Path(hs.__file__).with_suffix(".pyi")
    body = ast.parse(stub.read_text(encoding="utf-8")).body
    listed = [alias for node in body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert {alias.name for alias in listed} - {"scores"} == set(hs.__all__)
    assert all(alias.asname == alias.name for alias in listed)  # else a type checker takes it for private


@pytest.mark.parametrize("name", POSITIONAL)
def test_what_follows_the_data_is_given_by_name(name: str) -> None:
    parameters = inspect.signature(getattr(hs, name)).parameters.values()
    positional = [one.name for one in parameters if one.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert positional == POSITIONAL[name]


def test_a_function_and_its_module_do_not_get_in_each_others_way() -> None:
    """howsure.table is a function though modules have that name, whichever is loaded first."""
    modules = "howsure.tables.table, howsure.sources.kinds.labels"
    code = f"import {modules}, howsure as hs; print(hs.table([1, 0], [1, 1]).n, hs.Table)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split()[0] == "2"


def test_scores_are_those_of_the_promise() -> None:
    assert scores.__all__ == sorted(scores.__all__)
    assert len(scores.__all__) >= 15
    assert all(callable(getattr(scores, name)) and getattr(scores, name).__doc__ for name in scores.__all__)


@pytest.mark.parametrize("name", PROMISED)
def test_promised_metric(name: str) -> None:
    assert isinstance(named(name), hs.Metric)


def test_names_and_aliases_are_unique() -> None:
    names = [name for entry in CATALOGUE for name in (entry.name, *entry.aliases)]
    assert len(set(names)) == len(names)
    assert len({name.lower() for name in names}) == len(names)
    assert all(name == name.strip() and " " not in name for name in names)


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_entry_is_complete(entry: hs.Metric) -> None:
    assert entry.text
    assert entry.title
    assert entry.better in ("higher", "lower", None)
    assert entry.range[0] < entry.range[1]
    assert named(entry.name) is KNOWN[entry.name] is entry
    for alias in entry.aliases:
        assert named(alias).name == named(alias.upper()).name == alias
        assert replace(named(alias), name=entry.name) == entry


def test_an_alias_is_never_an_average_of_something_else() -> None:
    """'weighted_kappa' means Cohen's weighted kappa; no average may have that name too."""
    prefixes = ("macro_", "micro_", "weighted_", "samples_")
    for alias in KNOWN:
        for prefix in prefixes:
            base = alias.removeprefix(prefix)
            if base != alias and base in KNOWN:
                with pytest.raises(hs.MetricError, match="already names"):
                    getattr(hs, prefix[:-1])(base)


def every_metric() -> list[hs.Metric]:
    parts = [hs.macro("f1", classes=["a", "b"]), hs.weighted("recall", without=["O"]), hs.micro("f2", classes=["x y"])]
    several = [hs.samples(entry) for entry in one_class_metrics()]
    single = [entry for entry in CATALOGUE if not entry.name.startswith(tuple(AVERAGES))]
    cat = [hs.of_class(entry, "cat") for entry in single if entry.over != "row" and entry.scores is None]
    return [*CATALOGUE, *averaged_metrics(), *metrics_for(3), *several, *cat, *parts, hs.of_class("f1", 3)]


def test_names_make_the_round_trip() -> None:
    """A metric's name, parsed, is a metric of that name that gives the same number."""
    table = hs.matrix([[9, 2, 3], [1, 8, 2], [4, 1, 7]], rows="truth", labels=["cat", "a", "b"], pos_label="cat")
    for metric in every_metric():
        again = named(metric.name)
        assert again.name == metric.name
        assert (again.over, again.range, again.better) == (metric.over, metric.range, metric.better)
        assert (again.share, again.tversky, again.without) == (metric.share, metric.tversky, metric.without)
        known = metric.label in (None, "cat") and set(metric.classes or ()) <= {"cat", "a", "b"}
        if metric.over != "row" and known and set(metric.without) <= {"cat", "a", "b"}:
            first, second = (hs.estimate(table, one, method="wald") for one in (metric, again))
            assert (first.value, first.se) == pytest.approx((second.value, second.se), rel=1e-13, nan_ok=True)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("F1", "f1"), ("Macro F1", "macro_f1"), ("macro-f1", "macro_f1"), (" recall ", "recall"), ("f1.0", "f1"),
        ("f.5", "f0.5"), ("F2.0", "f2"), ("PPV", "ppv"), ("Tversky( 0.8 , 0.2 )", "tversky(0.8,0.2)"),
        ("macro ppv", "macro_ppv"), ("IoU[cat]", "iou[cat]"),
        ("micro_f1[without O, P]", "micro_f1[without O,P]"), ("macro_f1*", "macro_f1*"),
        ("f1[New York]", "f1[New York]"), ("f1[a[0]]", "f1[a[0]]"),
    ],
)  # fmt: skip
def test_ways_to_write_a_name(typed: str, meant: str) -> None:
    assert named(typed).name == meant


def test_did_you_mean() -> None:
    """A letter lost at the end or two swapped in the middle: the right metric is suggested."""
    for name in (name for name in KNOWN if len(name) > 7 and name.replace("_", "").isalpha()):
        middle = len(name) // 2
        swapped = name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]
        for typo in (name[:-1], swapped):
            if typo in KNOWN or typo == name:
                continue
            with pytest.raises(hs.MetricError, match="Did you mean") as caught:
                named(typo)
            suggested = str(caught.value).split("Did you mean '")[1].split("'?")[0]
            assert KNOWN[suggested] is KNOWN[name] or suggested[:4] == name[:4], (typo, suggested)


def test_did_you_mean_keeps_the_average() -> None:
    with pytest.raises(hs.MetricError, match="Did you mean 'macro_precision'"):
        named("macro_precison")


def test_f_beta_and_tversky_are_one_family() -> None:
    table = hs.counts(tp=7, fp=2, fn=3, tn=9)
    for beta in (0.25, 0.5, 1, 2, 3):
        same = hs.tversky(1 / (1 + beta**2), beta**2 / (1 + beta**2))
        first, second = (hs.estimate(table, metric, method="wald") for metric in (hs.f_beta(beta), same))
        assert (first.value, first.se) == pytest.approx((second.value, second.se), rel=1e-13)
    assert hs.estimate(table, hs.tversky(1, 0)).value == hs.estimate(table, "precision").value


def test_links_of_shares_go_there_and_back() -> None:
    for entry in CATALOGUE:
        if entry.share is not None:
            grid = np.linspace(0, 1, 11)
            assert entry.share.unlink(entry.share.link(grid)) == pytest.approx(grid, abs=1e-14)


def test_a_share_is_the_metric() -> None:
    """The link of success/(success+failure) is the metric's value, for every entry that declares a share."""
    counts = {"tp": 7.0, "fp": 2.0, "fn": 3.0, "tn": 9.0, "hits": 16.0, "misses": 5.0}
    table = hs.counts(tp=7, fp=2, fn=3, tn=9)
    for entry in CATALOGUE:
        if entry.share is not None and entry.over != "row":  # rows with several labels: test_multilabel.py
            success, failure = (
                sum(counts[cell] for cell in part) for part in (entry.share.success, entry.share.failure)
            )
            value = float(entry.share.link(success / (success + failure)))
            assert value == pytest.approx(hs.estimate(table, entry).value, rel=1e-14), entry.name


def test_which_metrics_need_true_negatives() -> None:
    """Adding true negatives moves exactly those that say so."""
    few, many = (hs.counts(tp=7, fp=2, fn=3, tn=rest) for rest in (9, 90))
    for metric in one_class_metrics():
        moved = hs.estimate(few, metric, method="wald").value != pytest.approx(
            hs.estimate(many, metric, method="wald").value, rel=1e-12
        )
        assert metric.needs_tn == moved, metric.name


def test_an_estimate_can_be_asked_again() -> None:
    found = hs.estimate(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1", method="wald")
    assert repr(found) == "F1 = 0.740, 95% interval 0.674 to 0.807 (Wald), 833 rows"
    value, (low, high) = found
    assert (value, low, high) == (found.value, *found.interval)
    assert float(found) == found.value
    wider = found.at(0.99)
    assert wider.level == 0.99
    assert (wider.high - wider.low) / (high - low) == pytest.approx(2.5758293035489004 / 1.959963984540054, rel=1e-12)
    assert found.by("wald").same(found)
    assert set(found.flat()) == {"f1", "f1_low", "f1_high"}
    assert json.loads(found.to_json())["value"] == found.value


def test_undefined_is_null_in_json() -> None:
    found = hs.estimate(hs.counts(tp=0, fp=0, fn=0, tn=3), "f1")
    assert math.isnan(found.value)
    assert json.loads(found.to_json())["value"] is None


def test_one_sided_bounds_reach_to_the_end_of_the_range() -> None:
    table = hs.counts(tp=77, fp=44, fn=10, tn=702)
    lower, upper = (hs.estimate(table, "f1", method="wald", side=side) for side in ("lower", "upper"))
    assert (lower.high, upper.low) == (1.0, 0.0)
    assert (lower.value - lower.low) / lower.se == pytest.approx(1.6448536269514722, rel=1e-12)
    assert (upper.high - upper.value) / upper.se == pytest.approx(1.6448536269514722, rel=1e-12)

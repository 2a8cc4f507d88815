"""A user's own metric in the shell, and what other packages bring by entry points."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import howsure as hs
from howsure.cli.app import howsure as app
from howsure.cli.own_metric import own_metric
from howsure.metrics.metric import plugged
from howsure.metrics.names import named

MODULE = """
import howsure as hs
from howsure.comparisons.catalogue import named_pair_method
from howsure.estimates.catalogue import named_method
from dataclasses import replace

cost = hs.Metric("cost", lambda c: (10 * c.fn + c.fp) / c.total, range=(0, 10), better="lower")
share = lambda c: c.tp / c.total
number = 5
plain = replace(named_method("wald"), name="my-wald", aliases=())
pair = replace(named_pair_method("wald"), name="my-pair", aliases=())

def reader(path, request):
    with open(path) as file:
        tp, fp, fn, tn = map(int, file.read().split())
    return hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
"""
POINTS = """
[howsure.metrics]
brought_cost = brought_by_test:cost
[howsure.methods]
my-wald = brought_by_test:plain
[howsure.pair_methods]
my-pair = brought_by_test:pair
[howsure.readers]
four = brought_by_test:reader
"""


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "brought_by_test.py").write_text(MODULE)
    info = tmp_path / "brought_by_test-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brought-by-test\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    plugged.cache_clear()
    yield
    plugged.cache_clear()
    sys.modules.pop("brought_by_test", None)


def test_entry_points_are_found_by_name() -> None:
    table = hs.counts(tp=77, fp=44, fn=10, tn=702)
    assert hs.estimate(table, "brought_cost") == pytest.approx((100 + 44) / 833)
    assert hs.estimate(table, "f1", method="my-wald").interval == hs.estimate(table, "f1", method="wald").interval
    pair = hs.table([1, 0, 1] * 9, {"a": [1, 1, 1] * 9, "b": [1, 0, 0] * 9})
    assert hs.compare(pair, "f1", method="my-pair").p_value == hs.compare(pair, "f1", method="wald").p_value
    Path("counts.four").write_text("7 2 1 5")
    assert hs.read("counts.four").n == 15
    assert hs.read("counts.four", format="four").n == 15
    with pytest.raises(hs.MetricError, match="'nothing' is not known"):
        named("nothing")


def test_own_metric_by_package_and_name() -> None:
    found = own_metric("brought_by_test:cost")
    assert isinstance(found, hs.Metric)
    assert found.name == "cost"
    made = own_metric("brought_by_test:share")
    assert isinstance(made, hs.Metric)
    assert made.name == "share"
    assert own_metric("f1[a:b]") == "f1[a:b]"
    for wrong in ("brought_by_test:nothing", "no_such_package:cost", "brought_by_test:number"):
        with pytest.raises(hs.MetricError, match=wrong):
            own_metric(wrong)


def test_own_metric_in_the_shell() -> None:
    Path("preds.csv").write_text("truth,pred\n" + "1,1\n0,1\n0,0\n1,0\n" * 20)
    for verb in (["report"], ["gate", "--at-most", "9"]):
        done = CliRunner().invoke(app, [verb[0], "preds.csv", "-m", "brought_by_test:cost", *verb[1:]])
        assert done.exit_code == 0, done.output
        assert "2.75" in done.stdout
    assert CliRunner().invoke(app, ["report", "preds.csv", "-m", "brought_by_test:nothing"]).exit_code == 2

"""A formula whose slope the complex step cannot see is refused; every other one passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.gradient_check import check_slopes
from howsure.metrics.names import named

TABLE = hs.counts(tp=77, fp=44, fn=10, tn=702)


@pytest.mark.parametrize("metric", CATALOGUE, ids=lambda metric: metric.name)
def test_the_catalogue_passes(metric: hs.Metric) -> None:
    check_slopes(metric)


@pytest.mark.parametrize("name", ["f2", "tversky(0.3,1.2)", "macro_f1", "weighted_f1", "micro_f1", "ppv_at(0.02)"])
def test_made_metrics_pass(name: str) -> None:
    check_slopes(named(name))


HIDDEN: dict[str, Callable[[Any], Any]] = {
    "abs": lambda c: abs(c.tp - c.fp) / c.total,
    "part abs": lambda c: c.tp + abs(c.fp - c.fn),
    "real": lambda c: c.tp.real,
    "max": lambda c: max(c.tp, c.fp),
    "if": lambda c: c.tp if c.tp > c.fp else c.fp,
    "float": lambda c: float(c.tp),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_hidden_slope_is_refused_wherever_the_metric_is_used(name: str) -> None:
    metric = hs.Metric(name, HIDDEN[name])
    for use in (lambda: hs.estimate(TABLE, metric), lambda: hs.report(TABLE, [metric])):
        with pytest.raises(hs.MetricError, match=r"formula of metric .*smaller"):
            use()


def test_the_remedies_work() -> None:
    """|tp − fp| and max(tp, fp) as the message says, against slopes worked by hand: tp − fp and tp, as tp > fp."""
    by_hand = {
        "gap": (hs.Metric("gap", lambda c: np.sqrt((c.tp - c.fp) ** 2)), hs.Metric("d", lambda c: c.tp - c.fp)),
        "larger": (
            hs.Metric("larger", lambda c: c.tp + c.fp - hs.smaller(c.tp, c.fp)),
            hs.Metric("tp", lambda c: c.tp * 1.0),
        ),
    }
    for ours, plain in by_hand.values():
        assert hs.estimate(TABLE, ours).se == pytest.approx(hs.estimate(TABLE, plain).se, rel=1e-12)


def test_a_formula_for_another_number_of_classes_is_left_alone() -> None:
    metric = hs.Metric("fifth", lambda c: c.tp[..., 4] / c.actual[..., 4], over="classes")
    check_slopes(metric)

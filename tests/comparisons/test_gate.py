"""Gates: pass, fail, inconclusive, and what fails closed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import howsure as hs

TABLE = hs.counts(tp=77, fp=44, fn=10, tn=702)


def two_models(n: int = 400, *, gain: float = 0.05, seed: int = 0, **more) -> hs.Table:
    random = np.random.default_rng(seed)
    truth, shared = random.integers(0, 2, n), random.random(n)
    old, new = (
        np.where(0.7 * shared + 0.3 * random.random(n) < skill, truth, 1 - truth) for skill in (0.7, 0.7 + gain)
    )
    return hs.table(truth, {"old": old, "new": new}, **more)


def test_bounds_are_one_sided_at_the_level() -> None:
    """Recall 77 of 87: one-sided 95 % bounds are the ends of a two-sided 90 % interval; exact ones unless asked for."""
    made = hs.gate(TABLE, "recall", at_least=0.8)
    assert made.method == "clopper-pearson"
    exact = stats.binomtest(77, 87).proportion_ci(0.90, method="exact")
    assert (made.low, made.high) == pytest.approx((exact.low, exact.high), abs=1e-9)
    made = hs.gate(TABLE, "recall", at_least=0.8, method="wilson")
    both = hs.estimate(TABLE, "recall", level=0.90, method="wilson")
    assert (made.low, made.high) == pytest.approx(both.interval, abs=1e-12)
    z, p, n = stats.norm.isf(0.05), 77 / 87, 87
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    assert made.low == pytest.approx((p + z * z / (2 * n)) / (1 + z * z / n) - half, abs=1e-12)


@pytest.mark.parametrize(
    ("question", "verdict", "code"),
    [
        ({"at_least": 0.60}, "pass", 0),
        ({"at_least": 0.75}, "inconclusive", 3),
        ({"at_least": 0.85}, "fail", 1),
        ({"at_most": 0.85}, "pass", 0),
        ({"at_most": 0.75}, "inconclusive", 3),
        ({"at_most": 0.60}, "fail", 1),
    ],
)
def test_thresholds(question: dict, verdict: str, code: int) -> None:
    made = hs.gate(TABLE, "f1", **question)
    assert (made.verdict, made.exit_code, bool(made)) == (verdict, code, verdict == "pass")
    assert repr(made).startswith(f"{verdict}: F1 is 0.740")
    assert made.to_dict()["verdict"] == verdict


def test_the_threshold_itself() -> None:
    low, high = (getattr(hs.gate(TABLE, "f1", at_least=0.7), end) for end in ("low", "high"))
    assert hs.gate(TABLE, "f1", at_least=low).verdict == "pass"
    assert hs.gate(TABLE, "f1", at_least=np.nextafter(low, 1)).verdict == "inconclusive"
    assert hs.gate(TABLE, "f1", at_least=high).verdict == "inconclusive"
    assert hs.gate(TABLE, "f1", at_least=np.nextafter(high, 1)).verdict == "fail"


def test_more_rows_settle_it() -> None:
    """The point estimate is the same; what a fixed tolerance overlooks is n."""
    verdicts = [hs.gate(hs.counts(tp=8 * k, fp=k, fn=k, tn=10 * k), "f1", at_least=0.85).verdict for k in (1, 10, 200)]
    assert verdicts == ["inconclusive", "inconclusive", "pass"]


def test_perfect_on_few_rows_is_no_pass() -> None:
    assert hs.gate(hs.counts(tp=5, fp=0, fn=0, tn=5), "f1", at_least=0.9).verdict == "inconclusive"


@pytest.mark.parametrize("metric", ["accuracy", "error_rate"])
def test_baseline_with_margin(metric: str) -> None:
    table = two_models(gain=0.0, seed=4)
    side = "greater" if metric == "accuracy" else "less"
    one = hs.compare(table, metric, "old", "new", alternative=side)
    slack = -one.low if metric == "accuracy" else one.high
    assert hs.gate(table, metric, baseline="old", margin=slack + 1e-9).verdict == "pass"
    assert hs.gate(table, metric, baseline="old", margin=slack - 1e-9).verdict == "inconclusive"
    other = hs.compare(table, metric, "old", "new", alternative="less" if metric == "accuracy" else "greater")
    lost = other.high if metric == "accuracy" else -other.low
    assert hs.gate(table, metric, baseline="old", margin=-lost - 1e-9).verdict == "fail"


def test_no_margin_asks_for_an_improvement() -> None:
    made = hs.gate(two_models(gain=0.1), "accuracy", baseline="old")
    assert made.verdict == "pass"
    assert made.low > 0
    assert made.model == "new"
    assert made.baseline == "old"
    assert hs.gate(two_models(gain=0.1), "accuracy", baseline="new").verdict == "fail"
    assert "new is not worse than old in accuracy: the difference is +0." in repr(made)


def test_undefined_fails_closed() -> None:
    never = hs.counts(tp=0, fp=0, fn=5, tn=20)
    made = hs.gate(never, "precision", at_least=0.1)
    assert made.verdict == "fail"
    assert made.exit_code == 1
    assert {note.kind for note in made.notes} == {"closed", "undefined"}
    truth = [1, 0] * 10
    table = hs.table(truth, {"old": truth, "new": [0] * 20})
    assert hs.gate(table, "precision", baseline="old", margin=1.0).verdict == "fail"


def test_no_bound_fails_closed() -> None:
    one_group = hs.table([1, 0, 1, 1], [1, 0, 1, 1], groups=[1, 1, 1, 1])
    made = hs.gate(one_group, "macro_f1", at_least=0.1, method="wald")
    assert made.verdict == "fail"
    assert any(note.kind == "closed" for note in made.notes)


def test_skipping_undefined_classes_is_a_choice() -> None:
    table = hs.table(["a", "b"] * 40, [*["a", "b"] * 36, *["b", "a"] * 4], labels=["a", "b", "c"])
    assert hs.gate(table, "macro_f1", at_least=0.5).verdict == "fail"
    assert hs.gate(table, "macro_f1", at_least=0.5, undefined="skip", method="logit").verdict == "pass"


def test_the_usual_question() -> None:
    kinds = [note.kind for note in hs.gate(TABLE, "error_rate", at_least=0.1).notes]
    assert "direction" in kinds
    assert "direction" not in [note.kind for note in hs.gate(TABLE, "error_rate", at_most=0.1).notes]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "none is given; give one of 'at_least', 'at_most', 'baseline'"),
        ({"at_least": 0.5, "at_most": 0.9}, "'at_least', 'at_most' are given"),
        ({"at_least": 80}, "at_least is 80, outside the range of 'f1', 0 to 1; give a share"),
        ({"at_least": math.nan}, "at_least is nan"),
        ({"at_least": 0.5, "margin": 0.1}, "margin is 0.1; it must be a finite number, and belongs to baseline"),
        ({"baseline": "old", "margin": math.inf}, "margin is inf"),
        ({"baseline": "older"}, "model 'older' is not in the table"),
        ({"baseline": "old", "model": "old"}, "model and baseline are both 'old'"),
        ({"at_least": 0.5}, "model is not named"),
        ({"at_least": 0.5, "model": "nev"}, "Did you mean 'new'"),
    ],
)
def test_refusals(arguments: dict, message: str) -> None:
    with pytest.raises(hs.HowsureError, match=message):
        hs.gate(two_models(), "f1", **arguments)


def test_an_unknown_metric_is_an_error_not_a_verdict() -> None:
    with pytest.raises(hs.MetricError, match="metric 'f_one' is not known"):
        hs.gate(TABLE, "f_one", at_least=0.5)
    with pytest.raises(hs.InputError, match="no better direction"):
        hs.gate(two_models(), "predicted_prevalence", baseline="old")

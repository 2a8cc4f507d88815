"""What holds for every interval method, whatever the metric, the table and the level."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import averaged_metrics, count_matrices, lettered, one_class_metrics, some

import howsure as hs
from howsure.batch import batch_intervals, many_counts
from howsure.evidence import evidence_of
from howsure.intervals import METHODS, applicable, named_method
from howsure.linear import linearise
from howsure.metrics import CATALOGUE
from howsure.naming import named

# Whole and fractional counts, up to where a float stops counting every row.
COUNT = st.one_of(
    st.integers(0, 60).map(float),
    st.integers(0, 10**15).map(float),
    st.sampled_from([0.0, 1.0, 1e3, 1e6, 1e9, 1e12, 1e15]),
    st.floats(0, 1e6, allow_subnormal=False),
)
CELLS = st.tuples(COUNT, COUNT, COUNT, COUNT)
LEVEL = st.one_of(st.floats(0.5, 1 - 1e-9), st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999999, 1 - 1e-9]))
SHARES = [metric for metric in one_class_metrics() if metric.share is not None]
TVERSKYS = [named(name) for name in ("f0.5", "f2", "f3", "tversky(0.3,1.7)", "tversky(0.01,5)", "tversky(1,0.001)")]
BATCH = [entry for entry in METHODS if entry.batch]
RANGE_KEEPING = (
    "wilson",
    "wilson-direct",
    "clopper-pearson",
    "mid-p",
    "profile",
    "beta",
    "hdi",
    "logit",
    "log",
    "atanh",
)
AROUND_THE_ESTIMATE = (
    "wald", "wilson", "wilson-direct", "clopper-pearson", "agresti-coull", "blurred", "profile", "logit", "log", "atanh",
)  # fmt: skip
# Their centre moves with the level, so a higher level need not contain a lower one's interval (n = 1, one success:
# Agresti-Coull ends at 1.046 for 50 % and at 1.040 for 95 %).
MOVING_CENTRE = ("agresti-coull", "smoothed")


def relevant(metric: hs.Metric, cells: tuple[float, ...]) -> float:
    """Return how many rows the metric looks at."""
    tp, fp, fn, tn = cells
    names = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    if metric.share is not None:
        return sum(names[name] for name in (*metric.share.success, *metric.share.failure))
    return tp + fp + fn


def limits(metric: hs.Metric, cells: tuple[float, ...], method: object, level: float, side: str = "both") -> tuple:
    tp, fp, fn, tn = cells
    found = batch_intervals(metric, tp=tp, fp=fp, fn=fn, tn=tn, method=method, level=level, side=side)
    return float(found.value), float(found.low), float(found.high)


def fitting(metric: hs.Metric) -> list[hs.IntervalMethod]:
    one = many_counts(metric, *np.ones((4, 1)))
    return [entry for entry in BATCH if entry.missing(one) is None]


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "beta"])
@given(CELLS, LEVEL)
def test_never_undefined_never_outside_never_without_width(method: str, cells: tuple[float, ...], level: float) -> None:
    """Any table on which the metric looks at one row or more; counts up to 1e15, levels up to 1 − 1e-9."""
    for metric in SHARES + (TVERSKYS if method == "wilson" else []):
        if relevant(metric, cells) < 1:
            continue
        value, low, high = limits(metric, cells, method, level)
        assert 0 <= low < high <= 1, (metric.name, low, high)
        assert np.isfinite(value)


@given(CELLS, LEVEL)
def test_wilson_direct_never_undefined_never_outside_never_without_width(
    cells: tuple[float, ...], level: float
) -> None:
    assume(relevant(named("f1"), cells) >= 1)
    value, low, high = limits(named("f1"), cells, "wilson-direct", level)
    assert 0 <= low < high <= 1
    assert low <= value <= high


@some(2)
@given(count_matrices(classes=st.just(2)), st.floats(0.5, 1 - 1e-6))
def test_methods_that_know_the_range_stay_in_it(counts: np.ndarray, level: float) -> None:
    (tn, fp), (fn, tp) = counts
    for metric in one_class_metrics():
        bottom, top = metric.range
        for entry in fitting(metric):
            if entry.name in RANGE_KEEPING:
                value, low, high = limits(metric, (tp, fp, fn, tn), entry, level)
                assert np.isnan(value) or bottom <= low <= high <= top, (metric.name, entry.name)


@some(2)
@given(count_matrices(classes=st.just(2)), st.floats(0.5, 1 - 1e-6))
def test_the_estimate_lies_inside(counts: np.ndarray, level: float) -> None:
    (tn, fp), (fn, tp) = counts
    for metric in one_class_metrics():
        for entry in fitting(metric):
            if entry.name in AROUND_THE_ESTIMATE:
                value, low, high = limits(metric, (tp, fp, fn, tn), entry, level)
                near = 1e-9 * max(1.0, abs(value)) if np.isfinite(value) else 0.0
                if not np.isnan(low):
                    assert low - near <= value <= high + near, (metric.name, entry.name, low, value, high)


@some(2)
@given(count_matrices(classes=st.just(2)), st.floats(0.5, 0.999), st.floats(1e-3, 0.9))
def test_a_higher_level_contains_a_lower_one(counts: np.ndarray, level: float, gap: float) -> None:
    (tn, fp), (fn, tp) = counts
    higher = level + gap * (0.9999 - level)
    for metric in one_class_metrics():
        for entry in fitting(metric):
            if entry.name in MOVING_CENTRE:
                continue
            value, low, high = limits(metric, (tp, fp, fn, tn), entry, level)
            _, lower, upper = limits(metric, (tp, fp, fn, tn), entry, higher)
            if np.isnan(low):
                assert np.isnan(lower)
                continue
            if entry.name in ("logit", "log", "atanh") and at_the_edge(metric, value):
                continue  # there the limits come from a table with pseudo-counts, whose centre moves
            dust = 1e-9 * max(1.0, abs(low), abs(high) if np.isfinite(high) else 1.0)
            assert lower <= low + dust, (metric.name, entry.name)
            assert upper >= high - dust, (metric.name, entry.name)


def at_the_edge(metric: hs.Metric, value: float) -> bool:
    """Say whether a transform is infinite here and no score interval stands in for it."""
    return (
        metric.tversky is None
        and metric.share is None
        and not metric.range[0] < value < metric.range[1]
        or (metric.tversky is None and metric.share is None)
    )


@some(2)
@given(count_matrices(classes=st.just(2)), st.floats(0.75, 1 - 1e-6))
def test_one_sided_limits_are_those_of_the_two_sided_interval_at_twice_the_level(
    counts: np.ndarray, level: float
) -> None:
    """A lower limit at 97.5 % is the lower end at 95 %; the other end is the end of the range."""
    (tn, fp), (fn, tp) = counts
    cells = (tp, fp, fn, tn)
    for metric in one_class_metrics():
        bottom, top = metric.range
        for entry in fitting(metric):
            value, low, high = limits(metric, cells, entry, 2 * level - 1)
            _, from_below, last = limits(metric, cells, entry, level, "lower")
            _, first, from_above = limits(metric, cells, entry, level, "upper")
            if np.isnan(value):
                assert np.isnan([from_below, last, first, from_above]).all()
                continue
            assert (first, last) == (bottom, top)
            assert (from_below, from_above) == pytest.approx((low, high), rel=1e-7, abs=1e-9, nan_ok=True), (
                metric.name,
                entry.name,
            )


@some(4)
@given(count_matrices(classes=st.just(2)), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_batch_is_one_by_one_for_two_classes(counts: np.ndarray, level: float) -> None:
    (tn, fp), (fn, tp) = counts
    table = hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
    metrics = (*one_class_metrics(), *(entry for entry in CATALOGUE if entry.over == "classes"))
    for metric in metrics:
        evidence = evidence_of(linearise(table, metric))
        for entry in applicable(evidence):
            if not entry.batch:
                continue
            one = hs.estimate(table, metric, method=entry, level=level)
            many = batch_intervals(metric, tp=[tp, 5], fp=[fp, 5], fn=[fn, 5], tn=[tn, 5], method=entry, level=level)
            assert (many.value[0], many.low[0], many.high[0]) == pytest.approx(
                (one.value, one.low, one.high), rel=1e-8, abs=1e-10, nan_ok=True
            ), (metric.name, entry.name)


@some(8)
@given(count_matrices(classes=st.just(3), most=15))
def test_batch_is_one_by_one_for_three_classes(counts: np.ndarray) -> None:
    table = hs.matrix(counts, rows="truth")
    metrics = [entry for entry in CATALOGUE if entry.over == "classes"]
    metrics += [metric for metric in averaged_metrics() if metric.name.endswith(("_f1", "_recall", "_mcc"))]
    for metric in metrics:
        for method in ("wald", "smoothed", "logit", "atanh", "wilson"):
            if named_method(method).missing(evidence_of(linearise(table, metric))) is not None:
                continue
            one = hs.estimate(table, metric, method=method)
            many = batch_intervals(metric, matrices=np.stack([counts, counts + 1]), method=method)
            assert (many.value[0], many.low[0], many.high[0]) == pytest.approx(
                (one.value, one.low, one.high), rel=1e-8, abs=1e-10, nan_ok=True
            ), (metric.name, method)


@some(2)
@given(count_matrices(classes=st.just(2), least=1, most=200), st.floats(0.5, 0.9999))
def test_swapping_the_roles_of_errors_swaps_precision_and_recall(counts: np.ndarray, level: float) -> None:
    (tn, fp), (fn, tp) = counts
    for entry in fitting(named("precision")):
        one = limits(named("precision"), (tp, fp, fn, tn), entry, level)
        assert one == pytest.approx(limits(named("recall"), (tp, fn, fp, tn), entry, level), rel=1e-9)
    for first, second in (("f0.5", "f2"), ("tversky(0.3,1.7)", "tversky(1.7,0.3)"), ("f1", "f1")):
        for entry in fitting(named(first)):
            one = limits(named(first), (tp, fp, fn, tn), entry, level)
            assert one == pytest.approx(limits(named(second), (tp, fn, fp, tn), entry, level), rel=1e-9), entry


@some(2)
@given(count_matrices(classes=st.just(2), least=1, most=200), st.floats(0.5, 0.9999))
def test_complementary_shares_have_complementary_limits(counts: np.ndarray, level: float) -> None:
    """Recall and the false negative rate, precision and the false discovery rate, accuracy and the error rate."""
    (tn, fp), (fn, tp) = counts
    pairs = (("recall", "false_negative_rate"), ("precision", "false_discovery_rate"), ("specificity", "fpr"))
    for first, second in pairs:
        for entry in fitting(named(first)):
            value, low, high = limits(named(first), (tp, fp, fn, tn), entry, level)
            assert limits(named(second), (tp, fp, fn, tn), entry, level) == pytest.approx(
                (1 - value, 1 - high, 1 - low), rel=1e-8, abs=1e-10
            ), (first, entry.name)


@some(8)
@given(count_matrices(classes=st.integers(2, 4)), st.sampled_from([0.8, 0.95]))
def test_the_default_interval_of_every_metric_is_an_interval(counts: np.ndarray, level: float) -> None:
    """Whatever the table: a value comes with low < high that hold it in range, or all three are undefined."""
    table = lettered(counts)
    for metric in (*one_class_metrics(), *(m for m in averaged_metrics() if m.name.startswith("macro"))):
        if metric.kink is not None:
            continue
        found = hs.estimate(table, metric, level=level)
        if np.isnan(found.value):
            assert np.isnan([found.low, found.high]).all()
        else:
            assert found.low < found.high, found

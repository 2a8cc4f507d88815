"""What holds for every interval method, whatever the metric, the tables and the level.

Tables come in batches: hypothesis draws a handful at a time, and each method is asked for all of them in one call.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.estimates.batch import batch_intervals
from howsure.estimates.catalogue import METHODS, applicable, named_method
from howsure.estimates.evidence import evidence_of, evidence_of_counts
from howsure.estimates.tail import Tail
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.names import named
from howsure.tables.covariance import linearise
from properties.nesting import EXEMPT, Tables, broken
from support.strategies import averaged_metrics, count_matrices, lettered, one_class_metrics, some

# Whole and fractional counts, up to where a float stops counting every row.
ANY_COUNT = st.one_of(
    st.integers(0, 60).map(float),
    st.integers(0, 10**15).map(float),
    st.sampled_from([0.0, 1.0, 1e3, 1e6, 1e9, 1e12, 1e15]),
    st.floats(1e-9, 1e6),
)
SMALL_COUNT = st.one_of(st.integers(0, 40), st.integers(0, 3), st.just(0)).map(float)
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
    "wald", "wilson", "wilson-direct", "clopper-pearson", "agresti-coull", "blurred", "profile", "logit", "log",
    "atanh",
)  # fmt: skip

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]


def batches(count: st.SearchStrategy[float]) -> st.SearchStrategy[np.ndarray]:
    """Draw tp, fp, fn, tn of up to thirty tables."""
    cells = st.tuples(count, count, count, count)
    return st.lists(cells, min_size=1, max_size=30).map(lambda rows: np.array(rows, dtype=float).T)


def limits(metric: hs.Metric, cells: np.ndarray, method: object, level: float, side: str = "both") -> Arrays:
    tp, fp, fn, tn = cells
    found = batch_intervals(metric, tp=tp, fp=fp, fn=fn, tn=tn, method=method, level=level, side=side)
    return found.value, found.low, found.high


def relevant(metric: hs.Metric, cells: np.ndarray) -> np.ndarray:
    """Return how many rows the metric looks at."""
    names = dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True))
    seen = ("tp", "fp", "fn") if metric.share is None else (*metric.share.success, *metric.share.failure)
    return sum(names[name] for name in seen)


def fitting(metric: hs.Metric, names: tuple[str, ...] | None = None) -> list[hs.IntervalMethod]:
    one = evidence_of_counts(metric, *np.ones((4, 1)))
    return [entry for entry in BATCH if entry.missing(one) is None and (names is None or entry.name in names)]


def same(first: np.ndarray, second: np.ndarray, *, relative: float = 1e-8) -> bool:
    with np.errstate(invalid="ignore"):
        return np.allclose(first, second, rtol=relative, atol=1e-9, equal_nan=True)


# --- the three that promise an interval for every table ---------------------------------------------------------------


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "beta"])
@given(batches(ANY_COUNT), LEVEL)
def test_never_undefined_never_outside_never_without_width(method: str, cells: np.ndarray, level: float) -> None:
    """Any table on which the metric looks at one row or more; counts up to 1e15, levels up to 1 − 1e-9."""
    for metric in SHARES + (TVERSKYS if method == "wilson" else []):
        value, low, high = limits(metric, cells, method, level)
        bad = (relevant(metric, cells) >= 1) & ~((low >= 0) & (low < high) & (high <= 1) & np.isfinite(value))
        assert not bad.any(), (metric.name, cells[:, bad][:, 0], low[bad][0], high[bad][0])


@given(batches(ANY_COUNT), LEVEL)
def test_wilson_direct_needs_no_three_relevant_rows(cells: np.ndarray, level: float) -> None:
    """Lam's condition ν ≥ 3 is not needed (erratum L3)."""
    value, low, high = limits(named("f1"), cells, "wilson-direct", level)
    bad = (cells[:3].sum(0) > 0) & ~((low >= 0) & (low < high) & (high <= 1) & (low <= value) & (value <= high))
    assert not bad.any(), (cells[:, bad], low[bad], high[bad])


@pytest.mark.parametrize("hits", [0.001, 0.003, 0.02, 0.05, 0.5, 3.0])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999999, 1 - 1e-9])
def test_profile_of_a_fraction_of_a_hit(hits: float, level: float) -> None:
    """Down to 1e-255 the lower limit is the root of the likelihood ratio, found here by mpmath in log p."""
    import mpmath as mp

    misses, goal = 5.0, mp.mpf(Tail(level).z) ** 2 / 2
    value, low, _ = (
        found[0] for found in limits(named("precision"), np.array([[hits, misses, 3, 0]]).T, "profile", level)
    )
    with mp.workdps(40):
        share = mp.mpf(hits) / (mp.mpf(hits) + misses)

        def missed(log_p: mp.mpf) -> mp.mpf:
            return hits * (mp.log(share) - log_p) + misses * mp.log((1 - share) / (1 - mp.exp(log_p))) - goal

        root = mp.exp(mp.findroot(missed, (mp.log(share) - 1.5 * goal / hits - 2, mp.log(share) - goal / hits / 2)))
    assert low < value
    assert low == pytest.approx(float(root), rel=1e-11) if root > 1e-255 else low < 1e-250


# --- every batch method on every metric of one class ------------------------------------------------------------------


@some(5)
@given(batches(SMALL_COUNT), st.floats(0.5, 1 - 1e-6))
def test_methods_that_know_the_range_stay_in_it(cells: np.ndarray, level: float) -> None:
    for metric in one_class_metrics():
        bottom, top = metric.range
        for entry in fitting(metric, RANGE_KEEPING):
            value, low, high = limits(metric, cells, entry, level)
            fine = np.isnan(value) | ((low >= bottom) & (low <= high) & (high <= top))
            assert fine.all(), (metric.name, entry.name, cells[:, ~fine])


@some(5)
@given(batches(SMALL_COUNT), st.floats(0.5, 1 - 1e-6))
def test_the_estimate_lies_inside(cells: np.ndarray, level: float) -> None:
    for metric in one_class_metrics():
        for entry in fitting(metric, AROUND_THE_ESTIMATE):
            value, low, high = limits(metric, cells, entry, level)
            dust = 1e-9 * np.where(np.isfinite(value), np.maximum(1.0, np.abs(value)), 1.0)
            with np.errstate(invalid="ignore"):
                fine = np.isnan(low) | np.isnan(high) | ((low - dust <= value) & (value <= high + dust))
            assert fine.all(), (metric.name, entry.name, cells[:, ~fine], low[~fine], value[~fine], high[~fine])


@st.composite
def many_tables(draw: st.DrawFn) -> np.ndarray:
    """Draw tp, fp, fn, tn of a hundred tables: cells empty, of a few rows, of up to 1e15, or fractional."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = (4, 100)
    kinds = (
        np.zeros(shape),
        random.integers(0, 4, shape),
        random.integers(0, 60, shape),
        np.floor(10 ** random.uniform(0, 15, shape)),
        10 ** random.uniform(-9, 6, shape),
    )
    few = draw(st.integers(1, len(kinds)))
    return np.choose(random.integers(0, few, shape) if draw(st.booleans()) else few - 1, kinds).astype(float)


def unnested(metric: hs.Metric, entry: hs.IntervalMethod, cells: np.ndarray, level: float, higher: float) -> np.ndarray:
    """Return where the higher level does not hold the lower one, exemptions aside."""
    value, *inner = limits(metric, cells, entry, level)
    _, *outer = limits(metric, cells, entry, higher)
    tables = Tables(metric, cells.T, value, evidence_of_counts(metric, *cells).variance, level)
    with np.errstate(invalid="ignore"):
        return broken(entry.name, tables, tuple(inner), tuple(outer))


@some(10)
@given(many_tables(), st.lists(st.tuples(st.floats(0.31, 8.99), st.floats(0.02, 0.98)), min_size=2, max_size=2))
def test_a_higher_level_contains_a_lower_one(cells: np.ndarray, levels: list[tuple[float, float]]) -> None:
    """Counts up to 1e15, levels from 0.51 to 1 − 1e-9 by the power of ten they leave outside.

    What is exempt, and why, is said in nesting.py and nowhere else.
    """
    for power, left in levels:
        level = 1 - 10**-power
        higher = 1 - max((1 - level) * left, 1e-9)  # a part of what the lower level leaves outside
        for metric in one_class_metrics():
            for entry in fitting(metric):
                some_cells = cells[:, :10] if entry.name == "hdi" else cells  # which is solved one by one
                bad = unnested(metric, entry, some_cells, level, higher)
                assert not bad.any(), (metric.name, entry.name, some_cells[:, bad], level, higher)


NOT_NESTED = [
    ("agresti-coull", "precision", (1, 0, 0, 0), 0.5, 0.95),
    ("smoothed", "lr_minus", (10**12, 722, 772_730, 0), 0.5, 0.9),
    ("hdi", "specificity", (0, 0, 0, 0.0009), 0.999, 0.9999995),
]


@pytest.mark.parametrize(("method", "metric", "cells", "level", "higher"), NOT_NESTED)
def test_each_exemption_is_needed(
    method: str, metric: str, cells: tuple[float, ...], level: float, higher: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = named(metric), named_method(method), np.array([cells], dtype=float).T, level, higher
    assert not unnested(*found).any()
    monkeypatch.delitem(EXEMPT, method)
    assert unnested(*found).all()


@pytest.mark.parametrize(
    ("method", "metric", "cells", "level", "higher"),
    [
        ("logit", "ppv_at(0.02)", (0, 0.001, 2, 7), 0.95, 0.999),
        ("log", "lr_minus", (0.00002, 25, 0, 0.0014), 0.97, 0.99),
        ("log", "lift", (0, 3, 4, 20), 0.95, 0.999),
        ("atanh", "markedness", (0, 0.001, 0, 4), 0.95, 0.99),
        ("smoothed-t", "informedness", (627_718_067, 0, 497_303, 13), 0.8, 0.95),
    ],
)
def test_pseudo_counts_that_stay_keep_intervals_nested(
    method: str, metric: str, cells: tuple[float, ...], level: float, higher: float
) -> None:
    """Pseudo-counts that grew with the level drew the centre away: lift's upper limit fell from 11.9 to 10.2."""
    assert not unnested(named(metric), named_method(method), np.array([cells], dtype=float).T, level, higher).any()


def test_there_is_no_exemption_without_an_example() -> None:
    assert {method for method, *_ in NOT_NESTED} == set(EXEMPT)


@some(10)
@given(batches(SMALL_COUNT), st.floats(0.75, 1 - 1e-6))
def test_one_sided_limits_are_those_of_the_two_sided_interval_at_twice_the_level(
    cells: np.ndarray, level: float
) -> None:
    """A lower limit at 97.5 % is the lower end at 95 %; the other end is the end of the range."""
    for metric in one_class_metrics():
        bottom, top = metric.range
        for entry in fitting(metric):
            value, low, high = limits(metric, cells, entry, 2 * level - 1)
            _, from_below, last = limits(metric, cells, entry, level, "lower")
            _, first, from_above = limits(metric, cells, entry, level, "upper")
            hole = np.where(np.isnan(value), np.nan, 0.0)
            assert np.array_equal(first, bottom + hole, equal_nan=True)
            assert np.array_equal(last, top + hole, equal_nan=True)
            assert same(from_below, low, relative=1e-7), (metric.name, entry.name)
            assert same(from_above, high, relative=1e-7), (metric.name, entry.name)


@some(5)
@given(batches(SMALL_COUNT), st.floats(0.5, 0.9999))
def test_swapping_the_errors_swaps_precision_and_recall(cells: np.ndarray, level: float) -> None:
    swapped = cells[[0, 2, 1, 3]]
    pairs = (("precision", "recall"), ("f0.5", "f2"), ("tversky(0.3,1.7)", "tversky(1.7,0.3)"), ("f1", "f1"))
    for first, second in pairs:
        for entry in fitting(named(first)):
            one, other = limits(named(first), cells, entry, level), limits(named(second), swapped, entry, level)
            assert all(map(same, one, other)), (first, entry.name)


@some(5)
@given(batches(SMALL_COUNT), st.floats(0.5, 0.9999))
def test_complementary_shares_have_complementary_limits(cells: np.ndarray, level: float) -> None:
    """Recall and the false negative rate, precision and the false discovery rate, specificity and its complement."""
    pairs = (("recall", "false_negative_rate"), ("precision", "false_discovery_rate"), ("specificity", "fpr"))
    for first, second in pairs:
        for entry in fitting(named(first)):
            value, low, high = limits(named(first), cells, entry, level)
            other = limits(named(second), cells, entry, level)
            assert all(map(same, (1 - value, 1 - high, 1 - low), other)), (first, entry.name)


# --- many at once, one at a time --------------------------------------------------------------------------------------


def assert_same(many: hs.BatchIntervals, one: hs.Estimate) -> None:
    assert (many.value[0], many.low[0], many.high[0]) == pytest.approx(
        (one.value, one.low, one.high), rel=1e-8, abs=1e-10, nan_ok=True
    ), (one.metric, one.method)


@some(10)
@given(count_matrices(classes=st.just(2)), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_batch_is_one_by_one_for_two_classes(counts: np.ndarray, level: float) -> None:
    (tn, fp), (fn, tp) = counts
    table = hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
    for metric in (*one_class_metrics(), *(entry for entry in CATALOGUE if entry.over == "classes")):
        for entry in applicable(evidence_of(linearise(table, metric))):
            if entry.batch:
                cells = {"tp": [tp, 5], "fp": [fp, 5], "fn": [fn, 5], "tn": [tn, 5]}
                many = batch_intervals(metric, **cells, method=entry, level=level)
                assert_same(many, hs.estimate(table, metric, method=entry, level=level))


@some(10)
@given(count_matrices(classes=st.just(3), most=15))
def test_batch_is_one_by_one_for_three_classes(counts: np.ndarray) -> None:
    table = hs.matrix(counts, rows="truth")
    metrics = [entry for entry in CATALOGUE if entry.over == "classes"]
    metrics += [metric for metric in averaged_metrics() if metric.name.endswith(("_f1", "_recall", "_mcc"))]
    for metric in metrics:
        evidence = evidence_of(linearise(table, metric))
        for method in map(named_method, ("wald", "smoothed", "logit", "atanh", "wilson")):
            if method.missing(evidence) is None:
                many = batch_intervals(metric, matrices=np.stack([counts, counts + 1]), method=method)
                assert_same(many, hs.estimate(table, metric, method=method))


@some(10)
@given(count_matrices(classes=st.integers(2, 4)), st.sampled_from([0.8, 0.95]))
def test_the_default_interval_of_every_metric_is_an_interval(counts: np.ndarray, level: float) -> None:
    """Whatever the table: a value comes with low < high, or all three are undefined.

    Left out: metrics with a kink, whose default draws, and average prevalences, which are 1/K for every table.
    """
    table = lettered(counts)
    for metric in (*one_class_metrics(), *averaged_metrics()):
        if metric.kink is not None or "prevalence" in metric.name or "overlap" in metric.name:
            continue
        found = hs.estimate(table, metric, level=level)
        if np.isnan(found.value):
            assert np.isnan([found.low, found.high]).all()
        else:
            assert found.low < found.high, found


@some(25)
@given(count_matrices(classes=st.just(2)), st.sampled_from([0.8, 0.95, 0.99]))
def test_blurred_goes_by_the_positive_class_and_not_by_the_order_of_the_labels(
    matrix: np.ndarray, level: float
) -> None:
    """Yuan & Jiang blur E[ZA], E[A], E[Z] of a positive class: the same whichever label comes first."""
    for positive in ("a", "b"):
        tables = (
            hs.matrix(matrix, rows="truth", labels=["a", "b"], pos_label=positive),
            hs.matrix(matrix[::-1, ::-1], rows="truth", labels=["b", "a"], pos_label=positive),
        )
        for metric in ("mcc", "kappa", "accuracy", "macro_f1", "macro_jaccard", "weighted_precision"):
            found = [hs.estimate(table, metric, method="blurred", level=level, undefined="zero") for table in tables]
            ends = [(one.low, one.high) for one in found]
            assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12, nan_ok=True), (metric, positive)
        alone, average = (
            hs.estimate(tables[0], metric, method="blurred", level=level, undefined="zero")
            for metric in ("f1", hs.macro("f1", classes=[positive]))
        )
        expected = (alone.low, alone.high)
        if np.isnan(alone.value) and matrix.any():  # "zero" is a rule of averages; alone the class stays 0/0
            expected = (0, 0)
        assert (average.low, average.high) == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


def test_blurred_needs_to_know_the_positive_class() -> None:
    table = hs.matrix([[30, 4], [9, 17]], rows="truth", labels=["cat", "dog"])
    with pytest.raises(hs.errors.MethodError, match="which of the two classes is positive: give pos_label"):
        hs.estimate(table, "mcc", method="blurred")
    with pytest.raises(hs.errors.MethodError, match="which of the two classes is positive: give pos_label"):
        hs.report(table, ["mcc", "macro_f1"], method="blurred", joint=True)
    one, other = (
        hs.estimate(hs.matrix([[30, 4], [9, 17]], rows="truth", labels=["cat", "dog"], pos_label=label), "mcc",
                    method="blurred")
        for label in ("cat", "dog")
    )  # fmt: skip
    assert one.value == other.value
    assert one.low != pytest.approx(other.low, rel=1e-6)

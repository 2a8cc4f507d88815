"""What holds for every metric by every method on any table: counts to 1e15 or fractional, up to forty classes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import howsure as hs
from howsure.estimates.catalogue import METHODS, applicable
from howsure.estimates.evidence import evidence_of
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.names import named
from howsure.tables.covariance import linearise
from properties.nesting import Tables, broken
from support.strategies import LEVELS, are_shares, averaged_metrics, one_class_metrics, some, wild_matrices

AVERAGES = tuple(
    metric for metric in averaged_metrics() if metric.name.split("_", 1)[1] in ("f1", "recall", "npv", "mcc")
)
MANY_CLASSES = (*(entry for entry in CATALOGUE if entry.over in ("classes", "matrix")), *AVERAGES)
KEEPS_TO_THE_RANGE = {
    "wilson", "wilson-direct", "clopper-pearson", "mid-p", "profile", "beta", "hdi", "logit", "log", "atanh",
}  # fmt: skip
HOLDS_THE_VALUE = KEEPS_TO_THE_RANGE - {"beta", "hdi", "mid-p"} | {"wald", "blurred", "agresti-coull"}
# Value and limits are rounded apart: of 18 000 answers none had its value outside by more than one unit in the last
# place. An absolute bound would hide much: F1 at 1e15 counts has a half-width of 9e-9, forty million such units.
ULPS = 4


def table_of(counts: np.ndarray) -> hs.Table:
    return hs.matrix(counts, rows="truth", pos_label=len(counts) - 1)


def answers(table: hs.Table, metric: hs.Metric, level: float) -> list[hs.Estimate]:
    """Return the estimate by every method that can serve and does not draw at random."""
    found = applicable(evidence_of(linearise(table, metric)))
    return [hs.estimate(table, metric, method=entry, level=level) for entry in found if entry.batch]


def check(found: hs.Estimate) -> None:
    assert not math.isnan(found.value) or (math.isnan(found.low) and math.isnan(found.high)), found
    if math.isnan(found.low) or math.isnan(found.high):
        assert found.notes, found  # no interval, and a note that says why
        return
    bottom, top = found.metric_range or (-math.inf, math.inf)
    dust = ULPS * np.spacing(abs(found.value)) if math.isfinite(found.value) else 0.0
    assert found.low <= found.high, found
    if found.method in KEEPS_TO_THE_RANGE:
        assert bottom <= found.low, found
        assert found.high <= top, found
    if found.method in HOLDS_THE_VALUE:
        assert found.low - dust <= found.value <= found.high + dust, found


@given(wild_matrices(), st.sampled_from(MANY_CLASSES), LEVELS)
def test_metrics_of_all_classes(counts: np.ndarray, metric: hs.Metric, level: float) -> None:
    for found in answers(table_of(counts), metric, level):
        check(found)


@given(wild_matrices(), st.sampled_from(one_class_metrics()), LEVELS)
def test_metrics_of_one_class(counts: np.ndarray, metric: hs.Metric, level: float) -> None:
    for found in answers(table_of(counts), metric, level):
        check(found)


@some(2)
@given(wild_matrices(most=12), st.sampled_from(MANY_CLASSES), LEVELS, st.floats(0.01, 1))
def test_a_higher_level_contains_a_lower_one(counts: np.ndarray, metric: hs.Metric, level: float, gap: float) -> None:
    """As for the metrics of one class (test_intervals.py), with the same exemptions."""
    table, higher = table_of(counts), level + gap * (1 - 1e-9 - level)
    for one, other in zip(answers(table, metric, level), answers(table, metric, higher), strict=True):
        assert one.method == other.method
        tables = Tables(metric, counts.ravel(), one.value, one.se**2, level)
        assert not broken(one.method, tables, (one.low, one.high), (other.low, other.high)), (one, other)


@given(
    wild_matrices(most=12), st.sampled_from((*MANY_CLASSES, *one_class_metrics())), st.sampled_from([0.5, 0.9, 0.95])
)
def test_more_rows_of_the_same_kind_narrow_the_interval(counts: np.ndarray, metric: hs.Metric, level: float) -> None:
    """A hundred times the counts: the value stays, and a Wald interval is a tenth as wide."""
    if not 0 < counts.sum() * 100 <= 2**53:
        return
    few, many = (hs.estimate(table_of(counts * times), metric, method="wald", level=level) for times in (1, 100))
    assert many.value == pytest.approx(few.value, rel=1e-9, nan_ok=True)
    if math.isfinite(few.se):
        assert many.high - many.low == pytest.approx((few.high - few.low) / 10, rel=1e-6, abs=1e-12)


@some(2)
@given(wild_matrices(), st.sampled_from(MANY_CLASSES), st.randoms(use_true_random=False))
def test_intervals_do_not_depend_on_the_order_or_names_of_classes(
    counts: np.ndarray, metric: hs.Metric, random: object
) -> None:
    if metric.scores is not None:
        return  # weighted kappa takes the classes in their order
    order = list(range(len(counts)))
    random.shuffle(order)  # type: ignore[attr-defined]
    names = [f"class {place}" for place in order]
    here = table_of(counts)
    there = hs.matrix(counts[np.ix_(order, order)], rows="truth", labels=names, pos_label=f"class {len(counts) - 1}")
    for one, other in zip(answers(here, metric, 0.95), answers(there, metric, 0.95), strict=True):
        if one.method == "blurred":
            continue  # Yuan & Jiang's blurring term is written in the hits of the second class
        assert (other.value, other.low, other.high) == pytest.approx(
            (one.value, one.low, one.high), rel=1e-6, abs=1e-8, nan_ok=True
        ), (one, other)


@some(2)
@given(wild_matrices(), wild_matrices(), st.sampled_from(["accuracy", "macro_f1", "mcc", "weighted_recall", "kappa"]))
def test_two_tables_added_are_one_table(first: np.ndarray, second: np.ndarray, name: str) -> None:
    width = max(len(first), len(second))
    both = np.zeros((width, width))
    for part in (first, second):
        both[: len(part), : len(part)] += part / 2
    assume(not any(map(are_shares, (first / 2, second / 2, both))))
    added = hs.matrix(first / 2, rows="truth") + hs.matrix(second / 2, rows="truth")
    one, other = (hs.estimate(table, name, method="wald") for table in (added, hs.matrix(both, rows="truth")))
    assert (one.value, one.se) == pytest.approx((other.value, other.se), rel=1e-9, abs=1e-12, nan_ok=True)


# ---- closed forms, each differentiated by hand: the influence of a row on a metric, squared and summed ---------------


def _macro_error(counts: np.ndarray, hit: np.ndarray, pull: np.ndarray) -> float:
    """Return the standard error of the mean over classes of hits/size, where a row of truth i, prediction j moves it.

    ``hit`` is what a right row of each class adds, ``pull`` what any row of truth i and prediction j takes away.
    """
    influence = np.diag(hit) - pull
    return math.sqrt(float((counts * influence**2).sum())) / len(counts)


@given(wild_matrices())
def test_macro_averages_by_their_closed_forms(counts: np.ndarray) -> None:
    """Takahashi et al. (2022), Section 3: macro precision, macro recall, and F1 as the mean over classes."""
    true, predicted, hits = counts.sum(axis=1), counts.sum(axis=0), np.diagonal(counts)
    if (true == 0).any() or (predicted == 0).any():
        return
    f1, ones = 2 * hits / (true + predicted), np.ones(len(counts))
    pulls = {
        "macro_recall": (1 / true, np.outer(hits / true**2, ones)),
        "macro_precision": (1 / predicted, np.outer(ones, hits / predicted**2)),
        "macro_f1": (2 / (true + predicted), np.add.outer(f1 / (true + predicted), f1 / (true + predicted))),
    }
    values = {"macro_recall": hits / true, "macro_precision": hits / predicted, "macro_f1": f1}
    for name, (hit, pull) in pulls.items():
        found = hs.estimate(table_of(counts), name, method="wald")
        assert found.value == pytest.approx(values[name].mean(), rel=1e-9)
        assert found.se == pytest.approx(_macro_error(counts, hit, pull), rel=1e-6, abs=1e-15), name


@given(wild_matrices(), st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (1.0, 1.0), (0.2, 0.8), (0.3, 1.7)]))
def test_tversky_indices_by_their_closed_form(counts: np.ndarray, weights: tuple[float, float]) -> None:
    """Jiang et al. (2020), Proposition 1, for any two weights: F-beta, Jaccard, precision and recall among them."""
    a, b = weights
    table = table_of(counts).binary(len(counts) - 1)
    tp, fp, fn = table.tp, table.fp, table.fn
    size = tp + a * fp + b * fn
    if not size > 0:
        return
    value = tp / size
    variance = (tp * (1 - value) ** 2 + (a * a * fp + b * b * fn) * value**2) / size**2
    found = hs.estimate(table, hs.tversky(a, b), method="wald")
    assert found.value == pytest.approx(value, rel=1e-9)
    assert found.se == pytest.approx(math.sqrt(variance), rel=1e-6, abs=1e-15)


@given(wild_matrices())
def test_micro_averages_are_accuracy_with_a_binomial_error(counts: np.ndarray) -> None:
    """Takahashi et al. (2022), eq. 2: miF1 = miP = miR = the share of right rows."""
    if not counts.sum() > 0:
        return
    right, wrong = np.trace(counts), counts[~np.eye(len(counts), dtype=bool)].sum()
    size = right + wrong
    share, error = right / size, math.sqrt(right * wrong / size) / size
    for name in ("micro_f1", "micro_precision", "micro_recall", "accuracy"):
        found = hs.estimate(table_of(counts), named(name), method="wald")
        assert found.value == pytest.approx(share, rel=1e-9)
        assert found.se == pytest.approx(error, rel=1e-6, abs=1e-12)


def test_every_method_of_the_catalogue_is_met() -> None:
    """By one metric at least, or it draws at random; four are for values, sums and scores of rows, not for counts."""
    table = table_of(np.array([[40.0, 3.0], [5.0, 60.0]]))
    met = {found.method for metric in (*MANY_CLASSES, *one_class_metrics()) for found in answers(table, metric, 0.9)}
    values = hs.estimate(hs.table(values=[0.5, 2.0, 3.5, 1.0]), "mean", method="t", level=0.9)
    sums = hs.estimate(hs.sums({"errors": [1, 0, 3, 2], "words": [9, 12, 20, 8]}), "errors/words", level=0.9)
    ranks = hs.table([0, 0, 1, 1, 0, 1], scores=[0.1, 0.4, 0.3, 0.8, 0.2, 0.9])
    auc = hs.estimate(ranks, "auc", method="newcombe", level=0.9)
    bounded = hs.estimate(ranks, "recall@specificity>=0.5", level=0.9)
    for found in (values, sums, auc, bounded):
        check(found)
        met.add(found.method)
    assert {entry.name for entry in METHODS if entry.batch} <= met

"""What holds for every comparison of two models, by every method that compares."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.comparisons.catalogue import PAIR_METHODS
from support.strategies import LEVELS, some

METRICS = ("accuracy", "precision", "recall", "f1", "f2", "jaccard", "mcc", "kappa", "macro_f1", "macro_recall")
# These find their limits in closed form or by a root; the others draw.
PLAIN = ("mover", "wald", "tango", "mcnemar", "mid-p")
INVERTED = ("mover", "wald", "tango")  # the p-value and the interval are two readings of one curve
BIT = st.integers(0, 1)
ROWS = st.lists(st.tuples(BIT, BIT, BIT), min_size=2, max_size=60)
Rows = list[tuple[int, int, int]]


def table_of(rows: Rows, **more: object) -> hs.Table:
    truth, first, second = (list(column) for column in zip(*rows, strict=True))
    return hs.table(truth, {"one": first, "two": second}, labels=[0, 1], **more)


def with_names(rows: Rows, classes: tuple[object, object], models: tuple[str, str] = ("one", "two")) -> hs.Table:
    """Return the table of the same rows where classes 0 and 1, of which 1 is positive, and the models are renamed."""
    truth, first, second = ([classes[value] for value in column] for column in zip(*rows, strict=True))
    return hs.table(truth, dict(zip(models, (first, second), strict=True)), labels=classes, pos_label=classes[1])


def compared(table: hs.Table, metric: str, method: str, *, a: str = "one", b: str = "two", **more: object) -> object:
    """Return the comparison, or None where the method cannot serve the metric."""
    try:
        return hs.compare(table, metric, a=a, b=b, method=method, **more)
    except hs.MethodError:
        return None


def numbers(found: object, sign: float = 1.0) -> tuple[float, float, float]:
    limits = (found.low, found.high) if sign > 0 else (-found.high, -found.low)  # type: ignore[attr-defined]
    return (sign * found.difference, *limits)  # type: ignore[attr-defined]


def alike(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    return first == pytest.approx(second, rel=1e-7, abs=1e-9, nan_ok=True)


def same_answer(first: object, second: object) -> bool:
    """Say whether difference, limits and p-value are the same."""
    one, other = ((*numbers(found), found.p_value) for found in (first, second))  # type: ignore[attr-defined]
    return alike(one, other)


@pytest.mark.parametrize("method", PLAIN)
@some(2)
@given(ROWS, st.sampled_from(METRICS))
def test_swapping_the_models_flips_the_sign(method: str, rows: Rows, metric: str) -> None:
    table = table_of(rows)
    forth, back = compared(table, metric, method), compared(table, metric, method, a="two", b="one")
    if forth is not None:
        assert alike(numbers(forth), numbers(back, -1))
        assert forth.p_value == pytest.approx(back.p_value, rel=1e-6, abs=1e-12, nan_ok=True)


@some(2)
@given(ROWS, st.sampled_from(METRICS), st.sampled_from(PLAIN), st.randoms(use_true_random=False))
def test_order_of_rows_and_models_does_not_matter(rows: Rows, metric: str, method: str, random: object) -> None:
    here = compared(table_of(rows), metric, method)
    shuffled = table_of(random.sample(rows, len(rows)))  # type: ignore[attr-defined]
    for table in (shuffled, table_of(rows).pick("two", "one")):
        there = compared(table, metric, method)
        assert (here is None) == (there is None)
        assert here is None or same_answer(here, there)


# As 0 and 1 sort; the other way round; one the beginning of the other, as a search by text would confuse them.
NEW_CLASSES = st.sampled_from([("no", "yes"), ("sick", "healthy"), (7, 3), ("1", "10"), ("b", "a b")])
NEW_MODELS = st.sampled_from([("alpha", "beta"), ("z", "a"), ("two", "one"), ("model", "model 2"), ("0", "1")])


@some(2)
@given(ROWS, st.sampled_from(METRICS), st.sampled_from(PLAIN), NEW_CLASSES, NEW_MODELS)
def test_names_of_classes_and_models_do_not_matter(
    rows: Rows, metric: str, method: str, classes: tuple[object, object], models: tuple[str, str]
) -> None:
    """The positive class and the models to compare are asked for by their new names; ``later`` renames a table."""
    here = compared(table_of(rows), metric, method)
    later = table_of(rows).relabel(dict(zip((0, 1), classes, strict=True)))
    assert later.labels == classes
    for table, (a, b) in ((with_names(rows, classes, models), models), (later, ("one", "two"))):
        there = compared(table, metric, method, a=a, b=b)
        assert (here is None) == (there is None)
        assert here is None or (same_answer(here, there) and (there.a, there.b) == (a, b))


@some(2)
@given(ROWS, st.sampled_from(METRICS), st.sampled_from([0.25, 100.0, 1e6, 1e12]))
def test_as_many_rows_again_keep_the_difference_and_narrow_the_interval(rows: Rows, metric: str, factor: float) -> None:
    table = table_of(rows)
    few, many = (compared(one, metric, "wald") for one in (table, table.scaled(factor)))
    assert many.difference == pytest.approx(few.difference, rel=1e-9, abs=1e-12, nan_ok=True)
    assert (many.high - many.low) * math.sqrt(factor) == pytest.approx(few.high - few.low, abs=1e-6, nan_ok=True)


@some(2)
@given(ROWS, st.sampled_from(METRICS), st.sampled_from(PLAIN), LEVELS, st.floats(0.01, 0.99))
def test_a_higher_level_holds_a_lower_one(rows: Rows, metric: str, method: str, level: float, share: float) -> None:
    table = table_of(rows)
    inner, outer = (compared(table, metric, method, level=one) for one in (level * share + 0.5 * (1 - share), level))
    if inner is not None and not math.isnan(inner.low + inner.high):
        assert outer.low <= inner.low + 1e-9
        assert inner.high - 1e-9 <= outer.high


@some(2)
@given(ROWS, st.sampled_from(METRICS), st.sampled_from(PLAIN), LEVELS)
def test_the_difference_lies_inside_and_is_that_of_two_estimates(
    rows: Rows, metric: str, method: str, level: float
) -> None:
    table = table_of(rows)
    found = compared(table, metric, method, level=level)
    if found is None:
        return
    one, two = (hs.estimate(table, metric, model=model, method="wald").value for model in ("one", "two"))
    assert found.difference == pytest.approx(two - one, rel=1e-12, abs=1e-12, nan_ok=True)
    if not math.isnan(found.low + found.high):
        assert found.low - 1e-9 <= found.difference <= found.high + 1e-9
        if method != "wald":
            reach = 2.0 if metric in ("mcc", "kappa") else 1.0
            assert -reach <= found.low <= found.high <= reach


@some(2)
@given(ROWS, st.sampled_from(METRICS), st.sampled_from(INVERTED), st.sampled_from([0.5, 0.8, 0.95, 0.999]))
def test_zero_is_outside_where_the_p_value_is_small(rows: Rows, metric: str, method: str, level: float) -> None:
    found = compared(table_of(rows), metric, method, level=level)
    if found is None or math.isnan(found.low + found.high + found.p_value):
        return
    outside = found.low > 0 or found.high < 0
    edge = min(abs(found.low), abs(found.high)) < 1e-7 or abs(found.p_value - (1 - level)) < 1e-6
    assert edge or outside == (found.p_value < 1 - level)


@pytest.mark.parametrize("method", [entry.name for entry in PAIR_METHODS])
@some(10)
@given(ROWS, st.sampled_from(["accuracy", "f1", "recall"]))
def test_a_model_against_its_own_copy(method: str, rows: Rows, metric: str) -> None:
    """The difference is 0, inside the interval, and nothing speaks against it."""
    found = compared(table_of([(truth, guess, guess) for truth, guess, _ in rows]), metric, method)
    if found is None or math.isnan(found.difference):
        return
    assert found.difference == 0
    if not math.isnan(found.low + found.high):
        assert found.low <= 1e-9
        assert found.high >= -1e-9
    if not math.isnan(found.p_value) and method != "bayes":
        assert found.p_value > 0.9


@some(5)
@given(ROWS, ROWS, st.sampled_from(METRICS))
def test_rows_in_two_parts_are_the_rows_in_one(first: Rows, second: Rows, metric: str) -> None:
    whole, parts = table_of(first + second), table_of(first) + table_of(second)
    here, there = compared(whole, metric, "mover"), compared(parts, metric, "mover")
    assert alike(numbers(here), numbers(there))


@some(5)
@given(ROWS)
def test_joint_intervals_hold_the_single_ones(rows: Rows) -> None:
    """Those that are symmetric about the estimate: the critical value of many is no less than that of one."""
    table = table_of(rows).pick("one")
    single, joint = (hs.report(table, method="wald", joint=joint) for joint in (False, True))
    for one, other in zip(single, joint, strict=True):
        if not math.isnan(one.low):
            assert other.high - other.low >= (one.high - one.low) * (1 - 1e-9), one.metric


def test_levels_close_to_one_are_no_trouble() -> None:
    table = table_of([(1, 1, 0), (0, 0, 0), (1, 0, 1), (0, 1, 0)] * 10)
    for method in PLAIN:
        found = compared(table, "accuracy", method, level=1 - 1e-9)
        assert np.isfinite([found.low, found.high]).all()

"""Stop when it is settled: comparisons, gates and reports that hold at all looks together."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import howsure as hs
from howsure.comparisons.anytime import ANYTIME_PAIRS
from howsure.errors import HowsureError, InputError, MethodError
from howsure.estimates.methods.anytime import ANYTIME
from howsure.estimates.methods.martingales import normal_reach
from howsure.metrics.gradient import values_of
from howsure.metrics.names import named
from studies.anytime_study import (
    COUNTED,
    METRICS,
    coin_is_unfair,
    difference,
    discordant,
    line,
    population,
    reach_of,
)
from studies.anytime_values import METRICS as VALUES
from studies.anytime_values import population as several


def table_of(counts: np.ndarray) -> hs.Table:
    """Return the table of counts[truth, a, b]."""
    places = np.repeat(np.arange(8), counts.ravel().astype(int))
    truth, a, b = np.unravel_index(places, (2, 2, 2))
    return hs.table(truth, {"a": a, "b": b})


def stream(number: int, n: int, kind: str = "apart") -> np.ndarray:
    return np.random.default_rng(number).multinomial(n, population(kind, number).ravel()).reshape(2, 2, 2).astype(float)


@pytest.fixture(scope="module")
def apart() -> hs.Table:
    """700 rows on which b is better by about a tenth."""
    draw = np.random.default_rng(3)
    truth = draw.integers(0, 2, 700)
    return hs.table(truth, {
        "a": np.where(draw.random(700) < 0.78, truth, 1 - truth),
        "b": np.where(draw.random(700) < 0.9, truth, 1 - truth),
    })  # fmt: skip


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("number", [1, 4, 7])
def test_approximate_limits_against_confusion_matrices(metric: str, number: int) -> None:
    """The library goes from row to row; here the same comes from the two confusion matrices and their slopes."""
    counts = stream(number, 640)
    found = hs.compare(table_of(counts), metric, anytime=True)
    middle, half = float(difference(metric, counts)), float(reach_of(metric, counts, 640))
    bottom, top = (-2.0, 2.0) if metric in ("mcc", "kappa") else (-1.0, 1.0)
    assert found.low == pytest.approx(max(middle - half, bottom), abs=1e-10)
    assert found.high == pytest.approx(min(middle + half, top), abs=1e-10)
    assert found.method == ANYTIME_PAIRS[-1].name


@pytest.mark.parametrize("metric", VALUES)
@pytest.mark.parametrize("number", [1, 4])
def test_approximate_limits_of_one_value_by_hand(metric: str, number: int) -> None:
    """From slopes by differences: the pseudo-rows, 4/K² a cell, and the error counted 1 + 2/m times."""
    shares = several(["two", "several"][number == 4], number)
    counts = np.random.default_rng(number).multinomial(700, shares.ravel()).reshape(shares.shape).astype(float)
    found = hs.estimate(hs.matrix(counts.astype(int), rows="truth"), metric, anytime=True)
    table = counts + 4 / counts.size

    def value(cells: np.ndarray) -> float:
        return float(values_of(named(metric), cells[None], None)[0])

    steps = 1e-4 * np.eye(counts.size).reshape(-1, *counts.shape)
    slopes = np.array([(value(table + step) - value(table - step)) / 2e-4 for step in steps])
    square = np.square(slopes) * table.sum() ** 2  # influences: a metric does not move if all cells grow alike
    total, fourth = (float(table.ravel() @ square**power) for power in (1, 2))
    half = normal_reach(0.025, 700.0) * math.sqrt(total) / 700 * (1 + 2 * fourth / total**2)
    middle = (value(counts), value(table))
    assert found.low == pytest.approx(min(middle) - half, abs=1e-6)
    assert found.high == pytest.approx(min(max(middle) + half, 1.0), abs=1e-6)


@pytest.mark.parametrize("metric", COUNTED)
@pytest.mark.parametrize("number", range(6))
def test_discordant_rows_settle_accuracy_recall_and_specificity(metric: str, number: int) -> None:
    counts = stream(number, 400)
    found = hs.compare(table_of(counts), metric, anytime=True)
    only_a, only_b = discordant(metric, counts)
    assert found.discordant == (only_a, only_b)
    assert found.decided == bool(coin_is_unfair(only_a, only_b))
    assert found.method == ANYTIME_PAIRS[0].name


@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc"])
def test_interval_and_p_value_never_contradict(apart: hs.Table, metric: str) -> None:
    found = hs.compare(apart, metric, anytime=True)
    low = hs.compare(apart, metric, anytime=True, level=1 - found.p_value * 0.999)
    high = hs.compare(apart, metric, anytime=True, level=1 - found.p_value * 1.001)
    assert low.low < 0 < high.low
    at_end = hs.compare(apart, metric, anytime=True, margin=found.high, alternative="less", level=0.975)
    assert at_end.p_value == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("metric", ["accuracy", "recall", "f1", "mcc"])
def test_swapping_the_models_flips_the_sign(apart: hs.Table, metric: str) -> None:
    forth, back = (hs.compare(apart, metric, *names, anytime=True) for names in (("a", "b"), ("b", "a")))
    assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low), abs=1e-9)
    assert forth.p_value == pytest.approx(back.p_value)


@pytest.mark.parametrize("metric", ["accuracy", "f1", "macro_f1"])
def test_longer_than_one_look_and_meaning_said_everywhere(apart: hs.Table, metric: str) -> None:
    found, once = hs.compare(apart, metric, anytime=True), hs.compare(apart, metric)
    assert found.low < once.low < once.high < found.high
    assert found.p_value > once.p_value
    assert found.meaning == "anytime"
    assert json.loads(found.to_json())["meaning"] == "anytime"
    for form in (repr(found), str(found.write("text")), found.to_markdown(), found.to_html(), found.to_latex()):
        assert "at any time" in form
    assert found.unpaired is None
    assert math.isnan(found.probability_better)
    assert math.isnan(found.detectable)
    assert "you may stop here" in found.sentence


def test_row_values_bet_on_their_differences() -> None:
    draw = np.random.default_rng(1)
    first = draw.integers(0, 11, 500)
    second = np.minimum(first + (draw.random(500) < 0.3), 10)
    scaled = hs.compare(hs.table(values={"a": first, "b": second}, range=(0, 10)), "mean", anytime=True)
    unit = hs.compare(hs.table(values={"a": first / 10, "b": second / 10}, range=(0, 1)), "mean", anytime=True)
    assert scaled.method == unit.method == ANYTIME_PAIRS[0].name
    assert (scaled.low, scaled.high) == pytest.approx((10 * unit.low, 10 * unit.high), abs=1e-8)
    assert scaled.p_value == pytest.approx(unit.p_value)
    assert scaled.low < scaled.difference < scaled.high
    as_labels = hs.table(np.ones(500, dtype=int), {"a": (first > 5).astype(int), "b": (second > 5).astype(int)})
    as_values = hs.table(values={"a": (first > 5) * 1.0, "b": (second > 5) * 1.0}, range=(0, 1))
    ends = [hs.compare(t, m, anytime=True).interval for t, m in ((as_labels, "accuracy"), (as_values, "mean"))]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_values_without_a_range_are_approximate() -> None:
    draw = np.random.default_rng(1)
    table = hs.table(values={"a": draw.normal(size=300), "b": draw.normal(1, size=300)})
    assert hs.compare(table, "mean", anytime=True).method == ANYTIME_PAIRS[-1].name
    assert hs.estimate(table, "mean", model="a", anytime=True).method == ANYTIME[-1].name


def test_equivalence_needs_a_margin_and_rows() -> None:
    draw = np.random.default_rng(4)
    truth = draw.integers(0, 2, 4000)
    same = np.where(draw.random(4000) < 0.9, truth, 1 - truth)
    again = np.where(draw.random(4000) < 0.9, truth, 1 - truth)
    other = np.where(draw.random(4000) < 0.15, again, same)
    few, many = (hs.table(truth[:n], {"a": same[:n], "b": other[:n]}) for n in (200, 4000))
    assert hs.compare(few, "accuracy", anytime=True, margin=0.03).verdict == "not shown equivalent"
    found = hs.compare(many, "accuracy", anytime=True, margin=0.03)
    assert found.verdict == "equivalent"
    assert -0.03 < found.low < found.high < 0.03
    assert hs.compare(many, "f1", anytime=True, margin=0.03).verdict == "equivalent"


def test_nothing_is_said_before_100_rows_or_where_nothing_moves() -> None:
    counts = stream(2, 80)
    early = hs.compare(table_of(counts), "f1", anytime=True)
    assert (early.low, early.high, early.p_value) == (-1.0, 1.0, 1.0)
    assert any("begin at 100 rows, and there are 80" in note for note in early.notes)
    assert hs.compare(table_of(counts), "accuracy", anytime=True).high < 1
    truth = np.arange(400) % 2
    perfect = hs.table(truth, {"a": truth, "b": truth})
    found = hs.compare(perfect, "f1", anytime=True)
    assert found.low < 0 < found.high  # four pseudo-rows: no certainty from agreement
    assert hs.compare(perfect, "f1", anytime=True, margin=0.001).verdict == "not shown equivalent"
    tied = hs.compare(perfect, "accuracy", anytime=True)
    assert tied.p_value == 1.0
    assert 0 < tied.high < 0.05


def test_a_ratio_is_approximate_on_the_log_scale(apart: hs.Table) -> None:
    found = hs.compare(apart, "accuracy", kind="ratio", anytime=True)
    assert found.method == ANYTIME_PAIRS[-1].name
    assert found.high / found.difference == pytest.approx(found.difference / found.low)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"groups": np.arange(200) // 2}, "table has groups, and what was seen of a group tells of its other rows"),
        ({"sample_weight": 1.0 + np.arange(200) % 3}, "table has weights, and a row to come may weigh more"),
    ],
)
def test_rows_that_are_not_drawn_one_by_one_are_refused(more: dict[str, np.ndarray], words: str) -> None:
    truth = np.arange(200) % 2
    table = hs.table(truth, {"a": truth, "b": 1 - truth}, **more)
    for asked in (
        lambda: hs.compare(table, "f1", anytime=True),
        lambda: hs.compare_all(table, "f1", anytime=True),
        lambda: hs.gate(table, "accuracy", model="a", at_least=0.5, anytime=True),
        lambda: hs.gate(table, "accuracy", model="a", baseline="b", anytime=True),
        lambda: hs.estimate(table, "accuracy", model="a", anytime=True),
        lambda: hs.report(table, anytime=True),
    ):
        with pytest.raises(InputError, match=words):
            asked()


def test_what_has_no_meaning_at_any_time_is_refused(apart: hs.Table) -> None:
    with pytest.raises(MethodError, match="method is 'tango', and anytime=True chooses its own"):
        hs.compare(apart, "accuracy", method="tango", anytime=True)
    with pytest.raises(MethodError, match="method is 'wald'"):
        hs.gate(apart, "mcc", model="a", at_least=0.5, method="wald", anytime=True)
    with pytest.raises(InputError, match=r"rope is 0\.02; it asks for probabilities"):
        hs.compare(apart, "accuracy", rope=0.02, anytime=True)
    with pytest.raises(InputError, match="versus is 'best', which is for one look"):
        hs.compare_all(apart, "accuracy", versus="best", anytime=True)
    with pytest.raises(InputError, match="joint and anytime are both given"):
        hs.report(apart, joint=True, anytime=True)
    with pytest.raises(HowsureError, match="only 'mover' joins"):
        hs.compare(apart, "accuracy", single="wald", anytime=True)


# --- gates, reports, many models


def test_a_gate_has_two_one_sided_bounds(apart: hs.Table) -> None:
    made = hs.gate(apart, "accuracy", model="b", at_least=0.8, anytime=True)
    lower, upper = (hs.estimate(apart, "accuracy", model="b", side=side, anytime=True) for side in ("lower", "upper"))
    assert (made.low, made.high) == (lower.low, upper.high)
    assert made.meaning == json.loads(made.to_json())["meaning"] == "anytime"
    once = hs.gate(apart, "accuracy", model="b", at_least=0.8)
    assert made.low < once.low < once.high < made.high
    assert "One-sided 95% bounds at any time" in made.bounds
    assert "you may stop here" in made.sentence
    open_one = hs.gate(apart, "accuracy", model="b", at_least=float(made.value), anytime=True)
    assert open_one.verdict == "inconclusive"
    assert open_one.sentence.endswith("hold at all looks together.")
    against = hs.gate(apart, "f1", model="b", baseline="a", anytime=True)
    assert against.verdict == "pass"
    assert against.method == ANYTIME_PAIRS[-1].name


def test_a_report_chooses_for_each_metric(apart: hs.Table) -> None:
    made = hs.report(apart, ["accuracy", "f1", "mcc"], anytime=True)
    assert [made["b", name].method for name in ("accuracy", "f1", "mcc")] == [
        ANYTIME[0].name, ANYTIME[0].name, ANYTIME[-1].name,
    ]  # fmt: skip
    for row in made:
        assert row.meaning == "anytime"
        once = hs.estimate(apart, row.metric, model=row.model)
        assert row.low < once.low < once.high < row.high
        assert row.at(0.8).meaning == "anytime"
        assert row.at(0.8).low > row.low
    for text in (str(made), made.to_markdown(), made.to_latex(), made.to_html()):
        assert "95% intervals at any time" in text or r"95\% intervals at any time" in text
    assert {row["meaning"] for row in json.loads(made.to_json())["rows"]} == {"anytime"}
    assert not any(note.kind == "family" for note in made.notes)
    assert "all other looks" in made["b", "mcc"].sentence


def test_all_pairs_share_the_error() -> None:
    draw = np.random.default_rng(8)
    truth = draw.integers(0, 2, 900)
    rates = {"a": 0.7, "b": 0.85, "c": 0.86}
    table = hs.table(truth, {name: np.where(draw.random(900) < rate, truth, 1 - truth) for name, rate in rates.items()})
    made = hs.compare_all(table, "accuracy", anytime=True)
    for row in made:
        alone = hs.compare(table, "accuracy", row.a, row.b, level=1 - 0.05 / 3, anytime=True)
        assert row.interval == alone.interval
        assert row.p_value == pytest.approx(min(3 * alone.p_value, 1))
        assert row.decided == (row.p_value < 0.05)
    assert set(made.tied_with_best) == {"b", "c"}
    assert "Intervals hold together at any time" in str(made)
    single = hs.compare_all(table, "accuracy", adjust="none", anytime=True)
    assert single["a", "b"].interval == hs.compare(table, "accuracy", "a", "b", anytime=True).interval
    holm = hs.compare_all(table, "accuracy", adjust="holm", anytime=True)
    assert holm["a", "b"].p_value <= made["a", "b"].p_value
    versus = hs.compare_all(table, "mcc", baseline="a", anytime=True)
    assert [row.b for row in versus] == ["b", "c"]


# --- how often it is wrong


def test_looked_at_every_25_rows_at_most_one_stream_in_twenty_is_wrong() -> None:
    """A small part of the study in the slow lane: 400 streams to 600 rows in three populations of each kind."""
    for kind in ("equal", "apart"):
        for number in range(3):
            found = line(kind, number, streams=400, most=600)["wrong"]
            assert set(METRICS) <= set(found)
            for metric, wrong in found.items():
                assert wrong <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400), (kind, number, metric)

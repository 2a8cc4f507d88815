"""Sums per unit through everything: ratios, counts of images, formulas of one's own, groups, pairs, traps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import howsure as hs
from howsure.reports.page.page import table_page

RNG = np.random.default_rng(5)
G = 60
WORDS = RNG.poisson(18, G) + 1
ERRORS = RNG.poisson(WORDS * RNG.gamma(2, 0.05, G))
OTHERS = np.maximum(ERRORS - 1, 0)
UNITS = np.array([f"u{place}" for place in range(G)])
TP, FP, FN = RNG.poisson(4, G) + 1, RNG.poisson(1, G), RNG.poisson(1.5, G)
Z = stats.norm.ppf(0.975)


def wer(**more: Any) -> hs.Table:
    return hs.sums({"errors": ERRORS, "words": WORDS}, unit=UNITS, **more)


# --- values and errors by hand ----------------------------------------------------------------------------------------


def test_the_ratio_pools_and_the_mean_per_unit_does_not() -> None:
    table = wer()
    assert hs.estimate(table, "errors/words").value == pytest.approx(ERRORS.sum() / WORDS.sum())
    assert hs.estimate(table, "per_unit_errors/words").value == pytest.approx((ERRORS / WORDS).mean())
    assert any("per_unit_" in note for note in table.notes)
    plain = hs.estimate(table, "errors/words", method="wald")
    influence = (ERRORS - plain.value * WORDS) / WORDS.mean()
    assert plain.se == pytest.approx(math.sqrt((influence**2).sum()) / G)


def test_log_t_by_its_definition() -> None:
    """Two half pseudo-units in the moments, jackknife, Satterthwaite's degrees, t on the log: all in plain loops."""
    r = ERRORS.sum() / WORDS.sum()
    phi = (ERRORS - r * WORDS) / WORDS.mean()
    ends = [-r, max(e / w for e, w in zip(ERRORS, WORDS, strict=True)) - r]
    m2, m4 = ((sum(phi**k) + 0.5 * sum(end**k for end in ends)) / (G + 1) for k in (2, 4))
    left = [(ERRORS.sum() - e) / (WORDS.sum() - w) for e, w in zip(ERRORS, WORDS, strict=True)]
    jackknife = (G - 1) / G * sum((one - np.mean(left)) ** 2 for one in left)
    variance = m2 / G * max(jackknife / (sum(phi**2) / (G * (G - 1))), 1)
    degrees = min(max(2 * (G + 1) / (m4 / m2**2 - 1), 4), G - 1)
    reach = math.exp(stats.t.ppf(0.975, degrees) * math.sqrt(variance) / r)
    found = hs.estimate(wer(), "errors/words")
    assert found.method == "log-t"
    assert (found.low, found.high) == pytest.approx((r / reach, r * reach), rel=1e-9)


def test_a_part_of_a_whole_has_wilsons_interval_with_pseudo_units() -> None:
    misses = np.minimum(ERRORS, WORDS)
    found = hs.estimate(hs.sums({"errors": misses, "words": WORDS}, range=(0, 1)), "errors/words")
    r, c = misses.sum() / WORDS.sum(), Z * Z / 4
    phi = (misses - r * WORDS) / WORDS.mean()
    m2 = (sum(phi**2) + c * (r**2 + (1 - r) ** 2)) / (G + 2 * c)
    left = (misses.sum() - misses) / (WORDS.sum() - WORDS)
    jackknife = (G - 1) / G * sum((left - left.mean()) ** 2)
    variance = m2 / (G + 2 * c - 1) * max(jackknife / (sum(phi**2) / (G * (G - 1))), 1)
    centre = (r * G + c) / (G + 2 * c)
    size, t = centre * (1 - centre) / variance, stats.t.ppf(0.975, G - 1)
    middle, half = r + t * t / (2 * size), t * math.sqrt(r * (1 - r) / size + t * t / (4 * size * size))
    assert found.method == "wilson"
    assert (found.low, found.high) == pytest.approx(
        ((middle - half) / (1 + t * t / size), (middle + half) / (1 + t * t / size)), rel=1e-9
    )


def test_a_formula_of_ones_own_is_the_ratio_by_name() -> None:
    mine = hs.Metric("wer", lambda s: s.errors / s.words, range=(0, math.inf), better="lower")
    first, second = hs.estimate(wer(), mine), hs.estimate(wer(), "errors/words")
    assert (first.low, first.high, first.method) == (pytest.approx(second.low), pytest.approx(second.high), "log-t")
    # a function that is no ratio of two sums has the scale of its range
    other = hs.Metric("perplexity", lambda s: np.exp(s.errors / s.words), range=(0, math.inf))
    found = hs.estimate(wer(), other)
    drawn = hs.estimate(wer(), other, method=hs.Bootstrap(n_resamples=4000, kind="percentile"))
    assert found.method == "log"
    assert found.high - found.low == pytest.approx(drawn.high - drawn.low, rel=0.12)


def test_counts_of_images() -> None:
    table = hs.counts(tp=TP, fp=FP, fn=FN, unit=UNITS)
    pooled = hs.counts(tp=TP.sum(), fp=FP.sum(), fn=FN.sum())
    for metric in ("precision", "recall", "f1", "jaccard", "fowlkes_mallows"):
        assert hs.estimate(table, metric).value == pytest.approx(hs.estimate(pooled, metric).value)
    dice = 2 * TP / (2 * TP + FP + FN)
    assert hs.estimate(table, "per_unit_f1").value == pytest.approx(dice.mean())
    assert hs.estimate(table, "per_unit_f1", method="t").se == pytest.approx(dice.std() / math.sqrt(G))
    assert [row.metric for row in hs.report(table)] == ["precision", "recall", "f1", "per_unit_f1"]
    # the same numbers as rows of chunk counts, which have an engine of their own
    images = [tuple(map(int, image)) for image in zip(TP, FP, FN, strict=True)]
    spans = hs.spans(
        [["B-X"] * (tp + fn) + ["O"] * fp for tp, fp, fn in images],
        [["B-X"] * tp + ["O"] * fn + ["B-X"] * fp for tp, fp, fn in images],
    )
    assert hs.estimate(table, "f1", method="wald").se == pytest.approx(hs.estimate(spans, "f1", method="wald").se)


def test_true_negatives_bring_accuracy() -> None:
    table = hs.counts(tp=TP, fp=FP, fn=FN, tn=FN + 9)
    assert hs.estimate(table, "accuracy").value == pytest.approx((TP + FN + 9).sum() / (TP + FP + 2 * FN + 9).sum())
    with pytest.raises(hs.MetricError, match="needs the true negatives"):
        hs.estimate(hs.counts(tp=TP, fp=FP, fn=FN), "accuracy")


def test_rows_of_a_unit_are_added() -> None:
    twice = hs.sums(
        {"errors": np.r_[ERRORS, 0 * ERRORS], "words": np.r_[WORDS - 1, 0 * WORDS + 1]}, unit=np.r_[UNITS, UNITS]
    )
    assert twice.n == G
    assert hs.estimate(twice, "errors/words").low == pytest.approx(hs.estimate(wer(), "errors/words").low)


# --- groups, pairs, reports -------------------------------------------------------------------------------------------


def test_groups_above_units() -> None:
    speakers = np.arange(G) // 5
    found = hs.estimate(wer(groups=speakers), "errors/words", method="wald")
    influence = np.bincount(speakers, weights=(ERRORS - found.value * WORDS) / WORDS.mean())
    assert found.se == pytest.approx(math.sqrt((influence**2).sum() * 12 / 11) / G, rel=0.02)
    assert found.groups == 12
    with pytest.raises(hs.InputError, match="a unit lies in one group"):
        hs.sums({"errors": [1, 2], "words": [3, 4]}, unit=["u", "u"], groups=["x", "y"])


def test_two_systems_are_paired() -> None:
    table = hs.sums({"a": {"errors": ERRORS, "words": WORDS}, "b": {"errors": OTHERS, "words": WORDS}}, better="lower")
    found = hs.compare(table, "errors/words", a="a", b="b", method="wald")
    assert found.difference == pytest.approx((OTHERS - ERRORS).sum() / WORDS.sum())
    difference = (OTHERS - ERRORS - found.difference * WORDS) / WORDS.mean()
    assert found.se == pytest.approx(math.sqrt((difference**2).sum()) / G)
    assert hs.compare(table, "errors/words").winner == "b"
    assert hs.compare(table, "errors/words").probability_better > 0.99
    assert hs.gate(table, "errors/words", at_most=0.5, model="a").verdict == "pass"
    detectors = hs.counts({"yolo": (TP, FP, FN), "detr": (TP, FP + 1, FN)}, unit=UNITS)
    assert hs.compare(detectors, "f1").winner == "yolo"
    assert 1.96 < hs.report(detectors, ["precision", "recall"], joint=True).critical_value < 2.6
    made = hs.report(detectors)
    assert made.to_markdown()
    assert "per_unit_f1" in table_page(detectors, made)
    halves = hs.Slices({"x": detectors.some_rows(slice(0, 30)), "y": detectors.some_rows(slice(30, None))})
    assert halves.total.n == G
    assert halves.gap("f1", model="yolo").gap >= 0


# --- edges and traps --------------------------------------------------------------------------------------------------


def kinds(estimate: hs.Estimate) -> set[str]:
    return {note.kind for note in estimate.notes}


def by_students_t(phi: np.ndarray, left: np.ndarray) -> float:
    """Return t · se: the larger variance of delta method and jackknife, Satterthwaite's degrees, by hand."""
    plain = (phi**2).sum() / (G * (G - 1))
    jackknife = (G - 1) / G * ((left - left.mean()) ** 2).sum()
    degrees = np.clip(2 * G / ((phi**4).mean() / (phi**2).mean() ** 2 - 1), 4, G - 1)
    return float(stats.t.ppf(0.975, degrees) * math.sqrt(max(plain, jackknife)))


def test_differences_of_ratios_join_students_limits() -> None:
    """The single interval of a ratio is long upwards by caution; joined, that would make every difference as long."""
    table = hs.sums({"a": {"e": ERRORS, "w": WORDS}, "b": {"e": OTHERS, "w": WORDS}})
    phis, lefts = [], []
    for model, errors in (("a", ERRORS), ("b", OTHERS)):
        ratio = errors.sum() / WORDS.sum()
        phis.append((errors - ratio * WORDS) / WORDS.mean())
        lefts.append((errors.sum() - errors) / (WORDS.sum() - WORDS))
        made = hs.estimate(table, "e/w", model=model, method="t")
        half = by_students_t(phis[-1], lefts[-1])
        assert (made.low, made.high) == pytest.approx((ratio - half, ratio + half), rel=1e-9)
    found = hs.compare(table, "e/w", a="a", b="b")
    joined = hs.compare(table, "e/w", a="a", b="b", single="t")
    assert (found.low, found.high) == (joined.low, joined.high)
    both = hs.compare_all(table, "e/w")[0]
    assert (both.low, both.high) == pytest.approx((found.low, found.high), rel=1e-3)
    paired = by_students_t(phis[1] - phis[0], lefts[1] - lefts[0])
    assert paired <= (found.high - found.low) / 2  # the correlation is shrunk, so never shorter than Student's own
    wild = hs.sums({
        "a": {"e": [*[0, 1] * 9, 9, 0], "w": [10] * 20}, "b": {"e": [*[1, 0] * 9, 0, 8], "w": [10] * 20},
    })  # fmt: skip
    cautious, joined = (hs.compare(wild, "e/w", a="a", b="b", single=single) for single in ("log-t", None))
    assert cautious.high - cautious.low > 1.5 * (joined.high - joined.low)


def test_a_system_without_errors_keeps_its_cautious_limit() -> None:
    table = hs.sums({"a": {"e": 0 * ERRORS, "w": WORDS}, "b": {"e": ERRORS, "w": WORDS}})
    found = hs.compare(table, "e/w", a="a", b="b")
    assert found.low < hs.estimate(table, "e/w", model="b", method="t").low


def test_no_error_in_any_unit() -> None:
    found = hs.estimate(hs.sums({"errors": 0 * ERRORS, "words": WORDS}), "errors/words")
    assert (found.low, found.high) == (0.0, pytest.approx(Z * Z / (G + Z * Z) / WORDS.mean()))
    perfect = hs.estimate(hs.counts(tp=TP, fp=0 * FP, fn=0 * FN), "f1")
    assert perfect.high == 1.0
    assert 0.8 < perfect.low < 1


def test_a_unit_without_words_but_with_errors_counts_in_the_totals() -> None:
    found = hs.estimate(hs.sums({"errors": np.r_[ERRORS, 3], "words": np.r_[WORDS, 0]}), "errors/words")
    assert found.value == pytest.approx((ERRORS.sum() + 3) / WORDS.sum())
    assert math.isfinite(found.high)


def test_notes_on_few_units_on_heavy_ones_and_on_the_worst() -> None:
    assert "few units" in kinds(hs.estimate(hs.sums({"errors": [1, 2, 0], "words": [9, 9, 9]}), "errors/words"))
    heavy = hs.sums({"errors": np.r_[ERRORS, 900], "words": np.r_[WORDS, 9000]})
    assert "unequal units" in kinds(hs.estimate(heavy, "errors/words"))
    tiny = hs.estimate(hs.sums({"errors": np.r_[0 * ERRORS[:29], 1, 3], "words": np.r_[WORDS[:30], 1]}), "errors/words")
    assert "(errors 3, words 1)" in next(note for note in tiny.notes if note.kind == "worst unit")
    assert not kinds(hs.estimate(wer(), "errors/words")) & {"few units", "unequal units", "worst unit"}


def test_units_that_are_0_over_0() -> None:
    table = hs.counts(tp=np.r_[TP, 0, 0], fp=np.r_[FP, 0, 0], fn=np.r_[FN, 0, 0])
    dice = 2 * TP / (2 * TP + FP + FN)
    undefined = hs.estimate(table, "per_unit_f1")
    assert math.isnan(undefined.value)
    assert any("undefined (0/0) in 2 of 62 units" in note for note in undefined.notes)
    assert hs.estimate(table, "per_unit_f1", undefined="skip").value == pytest.approx(dice.mean())
    assert hs.estimate(table, "per_unit_f1", undefined="zero").value == pytest.approx(dice.sum() / 62)
    assert hs.estimate(table, "f1").value == pytest.approx(2 * TP.sum() / (2 * TP + FP + FN).sum())


FORMS = {
    "pandas": pd.DataFrame({"errors": ERRORS, "words": WORDS}),
    "polars": pl.DataFrame({"errors": ERRORS, "words": WORDS}),
    "lists": {"errors": ERRORS.tolist(), "words": WORDS.tolist()},
    "a system": {"model": {"errors": ERRORS, "words": WORDS}},
    "a system's frame": {"model": pd.DataFrame({"errors": ERRORS, "words": WORDS})},
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same(form: str) -> None:
    found = hs.estimate(hs.sums(FORMS[form]), "errors/words")
    assert (found.value, found.low) == pytest.approx(
        (ERRORS.sum() / WORDS.sum(), hs.estimate(wer(), "errors/words").low)
    )


REFUSED = {
    "columns and numbers": (lambda: hs.counts(tp=[1, 2], fp=1, fn=[0, 1]), "fp is a single int"),
    "missing": (lambda: hs.counts(tp=1, fp=1), "fn is missing"),
    "lengths": (lambda: hs.sums({"a": [1, 2], "b": [1]}), "a has 2 rows but b has 1"),
    "no part": (lambda: hs.sums({"e": [5], "w": [3]}, range=(0, 1)), "e 5 and w 3; the first sum must be part"),
    "a list": (lambda: hs.sums([1, 2]), "must map the name of each sum"),
    "negative": (lambda: hs.counts(tp=[1], fp=[-1], fn=[1]), "fp is -1 in row 0"),
    "unit of numbers": (lambda: hs.counts(tp=1, fp=1, fn=1, unit="x"), "unit is given, but tp, fp and fn are numbers"),
    "a slash": (lambda: hs.sums({"a/b": [1]}), "have no /"),
    "range": (lambda: hs.sums({"e": [1], "w": [2]}, range=(0, 2)), r"\(0, 1\)"),
    "other sums": (lambda: hs.sums({"a": {"e": [1]}, "b": {"f": [1]}}), "all systems need the same sums"),
    "mixed": (lambda: hs.sums({"a": {"e": [1]}, "b": [1]}), "mixes columns and mappings"),
    "two columns": (lambda: hs.counts({"a": ([1], [2])}), "give tp, fp, fn"),
    "both": (lambda: hs.counts({"a": ([1], [2], [1])}, tp=1), "tp is given beside a mapping"),
    "unknown sum": (lambda: hs.estimate(wer(), "errors/tokens"), "asks for 'tokens', and this table holds 'errors'"),
    "labels": (lambda: hs.estimate(wer(), "macro_f1"), "about labels of several classes"),
    "one sum": (lambda: hs.report(hs.sums({"errors": [1, 2]})), "a metric needs two"),
    "added": (lambda: wer() + hs.counts(tp=[1], fp=[1], fn=[1]), "hold the sums"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    call, message = REFUSED[case]
    with pytest.raises(hs.HowsureError, match=message):
        call()

"""After how many rows a comparison is expected to be settled, against streams that are drawn and looked at."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InputError, MethodError
from howsure.planning.stopping import coin_boundary, normal_boundary, stopping
from studies.anytime_study import EVERY, coin_is_unfair, difference, discordant, reach_of

STREAMS = 1500


def ends(metric: str, shares: np.ndarray, *, seed: int, most: int) -> np.ndarray:
    """Return the rows at which each of many streams was settled, looked at every 25."""
    draw, counts = np.random.default_rng(seed), np.zeros((2, 2, 2, STREAMS))
    ended = np.full(STREAMS, np.nan)
    for n in range(EVERY, most + 1, EVERY):
        counts += draw.multinomial(EVERY, shares.ravel(), STREAMS).T.reshape(counts.shape)
        if metric in ("accuracy", "recall"):
            settled = coin_is_unfair(*discordant(metric, counts))
        else:
            settled = (n >= 100) & (np.abs(difference(metric, counts)) > reach_of(metric, counts, n))
        ended[np.isnan(ended) & settled] = n
    return ended


def check(made: object, ended: np.ndarray) -> None:
    """The mean within 5 %, half and the share ``power`` within two looks of the drawn streams."""
    assert np.isnan(ended).mean() < 0.01
    assert made.expected == pytest.approx(np.nanmean(ended), rel=0.05)
    assert abs(made.half_by - np.nanquantile(ended, 0.5)) <= 2 * EVERY
    assert abs(made.n - np.nanquantile(ended, made.power)) <= max(2 * EVERY, 0.07 * made.n)


def test_accuracy_by_discordant_rows() -> None:
    shares = np.zeros((2, 2, 2))
    shares[1] = [[0.1, 0.10], [0.05, 0.75]]
    made = hs.plan_comparison("accuracy", accuracy=0.8, accuracy_b=0.85, agreement=0.85, anytime=True)
    check(made, ends("accuracy", shares, seed=1, most=3000))
    once = hs.plan_comparison("accuracy", accuracy=0.8, accuracy_b=0.85, agreement=0.85)
    assert once.n < made.expected < made.n


@pytest.mark.parametrize("metric", ["recall", "f1"])
def test_a_pilot(metric: str) -> None:
    counts = np.array([[[560, 20], [40, 30]], [[50, 60], [20, 220]]], dtype=float)
    made = hs.plan_comparison(metric, pilot=counts, anytime=True)
    check(made, ends(metric, counts / counts.sum(), seed=2, most=5000))


def test_power_of_a_number_of_rows() -> None:
    asked = {"accuracy": 0.8, "accuracy_b": 0.85, "agreement": 0.85, "anytime": True}
    made = hs.plan_comparison("accuracy", **asked)
    assert hs.plan_comparison("accuracy", n=made.n, **asked).power >= 0.8
    assert hs.plan_comparison("accuracy", n=made.n - EVERY, **asked).power < 0.8
    assert hs.plan_comparison("accuracy", comparisons=3, **asked).expected > made.expected


def test_an_equal_game_is_wrong_as_seldom_as_it_may() -> None:
    """With hardly a drift, by 2 000 rows some streams are settled wrongly, but less than the 2.5 % of a side."""
    for boundary, variance in ((coin_boundary(0.15, 0.025), 0.15), (normal_boundary(0.3, 0.025), 0.3)):
        found = stopping(0.02 * variance**0.5, variance, boundary, 2000)
        early = found.rows <= 2000
        assert 0.001 < found.wrong[early].sum() < found.right[early].sum()
        assert found.wrong[early].sum() < 0.025


def test_words() -> None:
    made = hs.plan_comparison("accuracy", accuracy=0.8, accuracy_b=0.85, agreement=0.85, anytime=True)
    assert repr(made).startswith(f"accuracy: {made.expected} shared rows on average to detect a difference of 0.0500")
    assert "95% at any time" in repr(made)
    assert f"we expect {made.expected} rows" in made.paragraph
    assert made.to_dict()["expected"] == made.expected
    assert made.answer_first[0] == f"{made.expected} rows on average"


def test_one_model_at_any_time() -> None:
    for asked in (
        {"metric": "accuracy", "accuracy": 0.85},
        {"metric": "mcc", "precision": 0.8, "recall": 0.7, "prevalence": 0.3},
    ):
        made, once = (hs.plan(half_width=0.05, anytime=anytime, **asked) for anytime in (True, False))
        assert made.n > 1.5 * once.n
        assert made.half_width == pytest.approx(0.05, rel=0.01)
        assert "95% interval at any time" in repr(made)
        assert made.to_dict()["anytime"]
    table = hs.counts(tp=300, fp=60, fn=70, tn=800)
    found = hs.plan("mcc", pilot=table, n=int(table.n), anytime=True)
    own = hs.estimate(table, "mcc", anytime=True)
    assert found.half_width == pytest.approx((own.high - own.low) / 2, rel=0.02)


def test_refusals() -> None:
    rates = {"accuracy": 0.8, "accuracy_b": 0.85, "agreement": 0.85}
    with pytest.raises(InputError, match="anytime needs independent rows that both models share"):
        hs.plan_comparison("accuracy", anytime=True, cluster_size=5, icc=0.1, **rates)
    with pytest.raises(InputError, match="needs independent rows that both models share"):
        hs.plan_comparison("accuracy", anytime=True, paired=False, accuracy=0.8, accuracy_b=0.85)
    with pytest.raises(InputError, match="needs the difference to settle"):
        hs.plan_comparison("accuracy", anytime=True, n=500, accuracy=0.8)
    with pytest.raises(InputError, match="needs the performance you expect"):
        hs.plan("f1", half_width=0.02, prevalence=0.1, anytime=True)
    with pytest.raises(InputError, match=r"se is 0\.02, and anytime is True"):
        hs.plan("accuracy", se=0.02, accuracy=0.8, anytime=True)
    with pytest.raises(MethodError, match="method is 'wald', and anytime=True chooses its own"):
        hs.plan("accuracy", half_width=0.02, accuracy=0.8, method="wald", anytime=True)

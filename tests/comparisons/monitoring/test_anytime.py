"""The bound that holds at all times together: the beta-mixture confidence sequence, and what a Counter makes of it."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import howsure as hs
from howsure.comparisons.monitoring.counter import Counter
from howsure.errors import InputError
from howsure.estimates.methods.martingales import confidence_sequence


@pytest.mark.parametrize(
    ("successes", "failures", "level"), [(90, 10, 0.95), (3, 0, 0.9), (0, 41, 0.99), (5000, 5000, 0.95)]
)
def test_limits_against_mpmath(successes: int, failures: int, level: float) -> None:
    half = mpmath.mpf(1) / 2
    with mpmath.workdps(40):
        mixture = mpmath.beta(half + successes, half + failures) / mpmath.beta(half, half)
        for limit in map(mpmath.mpf, map(float, confidence_sequence(successes, failures, level=level))):
            if limit in (0, 1):
                assert {0: successes, 1: failures}[int(limit)] == 0
                continue
            ratio = mixture / (limit**successes * (1 - limit) ** failures)
            assert float(ratio * (1 - mpmath.mpf(level))) == pytest.approx(1.0, rel=1e-8)


@pytest.mark.parametrize(
    ("share", "level"),
    [
        (0.9, 0.95),
        pytest.param(0.02, 0.95, marks=pytest.mark.slow),
        pytest.param(0.5, 0.95, marks=pytest.mark.slow),
        pytest.param(0.3, 0.8, marks=pytest.mark.slow),
    ],
)
def test_holds_for_all_sizes_to_2000_together(share: float, level: float) -> None:
    """Exact: paths leave the law of the successes at the first row after which the limits miss the share."""
    sizes = np.arange(1, 2001)
    reach = 6.5 * np.sqrt(sizes * share * (1 - share)) + 8  # beyond it lies less than 1e-9
    first = np.maximum(0, np.floor(sizes * share - reach)).astype(int)
    last = np.minimum(sizes, np.ceil(sizes * share + reach)).astype(int)
    successes = [np.arange(low, high + 1) for low, high in zip(first, last, strict=True)]
    rows = np.repeat(sizes, [len(some) for some in successes])
    everything = np.concatenate(successes)
    low, high = confidence_sequence(everything, rows - everything, level=level)
    misses = np.split((low > share) | (share > high), np.cumsum([len(some) for some in successes])[:-1])
    alive, missed = np.zeros(2001), 0.0
    alive[0] = 1.0
    for some, wrong in zip(successes, misses, strict=True):
        alive = alive * (1 - share) + np.concatenate([[0.0], alive[:-1]]) * share
        missed += float(alive[some[wrong]].sum())
        alive[some[wrong]] = 0.0
    assert missed + alive.sum() == pytest.approx(1.0, abs=1e-9)
    assert 0.25 * (1 - level) <= missed <= 1 - level


def test_narrows_and_nests() -> None:
    low, high = confidence_sequence([9, 90, 900], [1, 10, 100])
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) < 0).all()
    wide = confidence_sequence(90, 10, level=0.99)
    assert wide[0] < low[1]
    assert wide[1] > high[1]
    assert confidence_sequence(0, 0) == (0.0, 1.0)


def test_metrics_of_a_counter() -> None:
    counter = Counter([0, 1])
    counter.update([1] * 90 + [0] * 10 + [1] * 5 + [0] * 95, [1] * 100 + [0] * 100)
    assert (counter.bound("precision").low, counter.bound("precision").high) == tuple(
        map(float, confidence_sequence(90, 10))
    )
    jaccard = confidence_sequence(90, 15)
    assert counter.bound("f1").low == pytest.approx(2 * float(jaccard[0]) / (1 + float(jaccard[0])))
    assert counter.bound().value == 0.925
    assert counter.bound("recall", level=0.9).level == 0.9
    assert repr(counter.bound("precision")).startswith("precision = 0.900 [0.772, 0.971] 95% at any time, n = 200")


def test_other_metrics_are_approximate_and_begin_at_100_rows() -> None:
    counter = Counter([0, 1])
    counter.update([1, 0] * 40, [1, 0] * 30 + [0, 1] * 10)
    early = counter.bound("mcc")
    assert (early.low, early.high) == (-1.0, 1.0)
    counter.update([1, 0] * 40, [1, 0] * 30 + [0, 1] * 10)
    bound = counter.bound("mcc")
    assert bound.approximate
    assert repr(bound).endswith("] 95% at any time (approximate normal mixture), n = 160")
    assert not counter.bound("f1").approximate
    assert bound.low < hs.estimate(counter.table, "mcc").low


def test_nothing_counted_yet() -> None:
    bound = Counter([0, 1]).bound("mcc")
    assert (bound.low, bound.high, bound.n) == (-1.0, 1.0, 0)


def test_a_counter_says_when_it_is_settled() -> None:
    counter = Counter([0, 1], ["old", "new", "twin"])
    assert counter.settled("accuracy", "old", "new") is None
    draw, looks = np.random.default_rng(0), 0
    while (found := counter.settled("accuracy", "old", "new")) is None:
        truth = draw.integers(0, 2, 25)
        new = np.where(draw.random(25) < 0.95, truth, 1 - truth)
        counter.update(truth, {"old": np.where(draw.random(25) < 0.75, truth, 1 - truth), "new": new, "twin": new})
        looks += 1
    assert found.winner == "new"
    assert found.n == 25 * looks
    assert found.p_value < 0.05
    assert counter.settled("f1", "old", "new", level=0.999) is None
    assert counter.settled("accuracy", "new", "twin") is None
    assert counter.settled("accuracy", "new", "twin", margin=0.2).verdict == "equivalent"
    assert counter.settled("accuracy", "new", "twin", margin=0.001) is None


def test_wider_than_at_one_time() -> None:
    counter = Counter([0, 1])
    counter.update([1] * 100, [1] * 90 + [0] * 10)
    single = hs.estimate(counter.table, "accuracy", method="clopper-pearson")
    assert counter.bound().low < single.low
    assert counter.bound().high > single.high


def test_refusals() -> None:
    counter = Counter([0, 1])
    counter.update([1, 0], [1, 0], groups=["a", "b"])
    with pytest.raises(InputError, match="table has groups"):
        counter.bound()
    weighted = Counter([0, 1])
    weighted.update([1, 0], [1, 0], sample_weight=[1.0, 2.0])
    with pytest.raises(InputError, match="table has weights"):
        weighted.bound()
    with pytest.raises(InputError, match=r"level is 1\.5"):
        confidence_sequence(1, 1, level=1.5)
    with pytest.raises(InputError, match="finite counts"):
        confidence_sequence(-1, 1)


@pytest.mark.slow
def test_a_counter_watched_after_every_batch() -> None:
    """Of 200 streams, at most 5 % (with three standard errors 9.6 %) are ever missed; a Wilson interval misses more."""
    share, streams = 0.8, 200
    draw = np.random.default_rng(0)
    missed = {"at any time": 0, "wilson": 0}
    for _ in range(streams):
        counter, wrong = Counter([0, 1]), set()
        for _ in range(15):
            counter.update(np.ones(40, dtype=int), (draw.random(40) < share).astype(int))
            bound, single = counter.bound("accuracy"), hs.estimate(counter.table, "accuracy", method="wilson")
            wrong |= {"at any time"} if not bound.low <= share <= bound.high else set()
            wrong |= {"wilson"} if not single.low <= share <= single.high else set()
        for name in wrong:
            missed[name] += 1
    assert missed["at any time"] / streams <= 0.096 < missed["wilson"] / streams

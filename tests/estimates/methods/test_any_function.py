"""hs.bootstrap of any function: against scipy's bootstrap, and its ways of calling the function against each other."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import f1_score, roc_auc_score

import howsure as hs

RANDOM = np.random.default_rng(0)
TRUTH = RANDOM.integers(0, 2, 150)
SCORE = TRUTH + RANDOM.normal(size=150)
GUESS = (SCORE > 0.5).astype(int)


def share(truth: Any, guess: Any, axis: int = -1) -> Any:
    return np.mean(truth == guess, axis=axis)


def plain_share(truth: Any, guess: Any) -> float:
    return float(np.mean(truth == guess))


@pytest.mark.parametrize("kind", ["bca", "percentile", "basic"])
def test_against_scipy(kind: Any) -> None:
    found = hs.bootstrap(TRUTH, GUESS, share, kind=kind, n_resamples=1999)
    method = "BCa" if kind == "bca" else kind
    theirs = scipy.stats.bootstrap((TRUTH, GUESS), share, paired=True, vectorized=True, method=method, n_resamples=1999)
    assert found == plain_share(TRUTH, GUESS)
    assert found.interval == pytest.approx(tuple(theirs.confidence_interval), abs=0.014)  # two steps of 1/150
    assert found.se == pytest.approx(theirs.standard_error, rel=0.08)
    assert 0 <= found.error < 0.01  # type: ignore[operator]


def test_bca_is_near_the_catalogue_s_own_bootstrap() -> None:
    own = hs.estimate(hs.table(TRUTH, GUESS), "f1", method=hs.Bootstrap(n_resamples=4999))
    found = hs.bootstrap(TRUTH, GUESS, f1_score, n_resamples=499)
    assert found == pytest.approx(own)
    assert found.interval == pytest.approx(own.interval, abs=0.025)


def test_an_axis_gives_the_same_draws_at_once() -> None:
    one = hs.bootstrap(TRUTH, GUESS, share, n_resamples=500)
    other = hs.bootstrap(TRUTH, GUESS, plain_share, n_resamples=500, name="share")
    assert one.same(other)


def test_weights_stand_for_rows() -> None:
    calls = []

    def weighed(truth: Any, guess: Any, sample_weight: Any = None) -> float:
        calls.append(len(truth))
        return float(np.average(truth == guess, weights=sample_weight))

    found = hs.bootstrap(TRUTH, GUESS, weighed, n_resamples=2000)
    assert sorted(calls)[len(calls) // 2] <= 4  # distinct rows, not 150
    plain = hs.bootstrap(TRUTH, GUESS, share, n_resamples=2000)
    assert found.interval == pytest.approx(plain.interval, abs=0.02)


def test_a_function_that_weighs_otherwise_is_given_rows() -> None:
    def odd(truth: Any, guess: Any, sample_weight: Any = None) -> float:
        return float(np.mean(truth == guess)) if sample_weight is None else 0.0

    assert hs.bootstrap(TRUTH, GUESS, odd, n_resamples=200).high > 0.5


@pytest.mark.parametrize(
    "function", [share, lambda y, p, sample_weight=None: np.average(y == p, weights=sample_weight)]
)
def test_groups_are_drawn_whole(function: Any) -> None:
    """Each row five times over tells no more than once."""
    truth, guess, groups = np.repeat(TRUTH, 5), np.repeat(GUESS, 5), np.repeat(np.arange(150), 5)
    found = hs.bootstrap(truth, guess, function, groups=groups, n_resamples=999)
    single = hs.bootstrap(TRUTH, GUESS, share, n_resamples=999)
    assert (found.groups, found.n) == (150, 750)
    assert found.se == pytest.approx(single.se, rel=0.1)
    assert hs.bootstrap(truth, guess, function, n_resamples=999).se < 0.6 * found.se


def test_studentised_of_a_mean_is_near_students_t() -> None:
    values = np.random.default_rng(2).normal(5, 2, 40)
    found = hs.bootstrap(values, values, lambda y, p: y.mean(), kind="studentised", n_resamples=999, name="mean")
    low, high = scipy.stats.t.interval(0.95, 39, values.mean(), values.std(ddof=1) / math.sqrt(40))
    assert found.interval == pytest.approx((low, high), abs=0.15 * (high - low))


def test_resamples_that_fail_are_counted() -> None:
    few = np.array([1] + [0] * 29)
    found = hs.bootstrap(few, RANDOM.normal(size=30), _auc, n_resamples=400)
    (note,) = [note for note in found.notes if note.kind == "resamples"]
    lost = int(note.split()[0])
    assert lost / 400 == pytest.approx((29 / 30) ** 30, abs=4 * math.sqrt(0.24 / 400))


def _auc(truth: Any, score: Any) -> float:
    if len(set(truth)) < 2:
        raise ValueError("one class")
    return float(roc_auc_score(truth, score))


def test_it_can_be_asked_again_and_told_of() -> None:
    seen: list[tuple[int, int]] = []
    found = hs.bootstrap(TRUTH, GUESS, share, n_resamples=300, progress=lambda done, all_: seen.append((done, all_)))
    assert seen[-1] == (300, 300)
    assert found.at(0.5).high - found.at(0.5).low < found.high - found.low
    assert found.same(hs.bootstrap(TRUTH, GUESS, share, n_resamples=300))
    assert not found.same(hs.bootstrap(TRUTH, GUESS, share, n_resamples=300, seed=1))
    assert pickle.loads(pickle.dumps(found)).same(found)
    assert "share = " in repr(found)
    with pytest.raises(hs.InputError, match="bootstrap alone"):
        found.by("wilson")


def test_a_function_that_cannot_move_has_no_width() -> None:
    found = hs.bootstrap(TRUTH, TRUTH, share, n_resamples=200)
    assert (found.low, found.high) == (1, 1)
    assert {note.kind for note in found.notes} == {"degenerate"}


@pytest.mark.parametrize(
    ("arguments", "more", "said"),
    [
        (([1, 0], [1], share), {}, "same rows in the same order"),
        (([1], [1], share), {}, "two or more"),
        (([1, 0], [1, 0], "f1"), {}, "function"),
        (([1, 0], [1, 0], share), {"kind": "wild"}, "kind"),
        (([1, 0], [1, 0], share), {"n_resamples": 10}, "n_resamples"),
        (([1, 0], [1, 0], share), {"groups": [1]}, "groups"),
        (([1, 0], [1, 0], lambda y, p: y == p), {}, "one number"),
    ],
)
def test_refusals(arguments: Any, more: Any, said: str) -> None:
    with pytest.raises(hs.InputError, match=said):
        hs.bootstrap(*(np.array(one) if isinstance(one, list) else one for one in arguments), **more)

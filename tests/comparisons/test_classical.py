"""Tests with names: Cochran's Q, corrected McNemar, the no-information rate, predictive values, effect sizes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mlxtend.evaluate import cochrans_q, mcnemar, mcnemar_table
from scipy.stats import binomtest, chi2
from statsmodels.stats.proportion import proportion_effectsize

import howsure as hs
from howsure.comparisons.methods.discordant import corrected_mcnemar_p

RANDOM = np.random.default_rng(1)
TRUTH = RANDOM.integers(0, 2, 200)
MODELS = {
    name: np.where(RANDOM.random(200) < right, TRUTH, 1 - TRUTH)
    for name, right in zip("abc", (0.8, 0.85, 0.7), strict=True)
}
TABLE = hs.table(TRUTH, MODELS)


def test_cochran_q_against_mlxtend() -> None:
    made = hs.cochran_q(TABLE)
    statistic, p = cochrans_q(TRUTH, *MODELS.values())
    assert (made.statistic, made.p_value, made.df) == pytest.approx((statistic, p, 2), rel=1e-9)
    assert made.values["b"] == hs.estimate(TABLE, "accuracy", model="b")
    some = TRUTH == 1
    statistic, p = cochrans_q(TRUTH[some], *(one[some] for one in MODELS.values()))
    assert hs.cochran_q(TABLE, "recall").p_value == pytest.approx(p, rel=1e-9)
    assert made.to_dict()["p_value"] == made.p_value
    assert "Cochran (1950)" in str(made)


def test_cochran_q_of_two_is_mcnemar_without_correction() -> None:
    two = TABLE.pick("a", "b")
    statistic, p = mcnemar(mcnemar_table(TRUTH, MODELS["a"], MODELS["b"]), corrected=False)
    assert (hs.cochran_q(two).statistic, hs.cochran_q(two).p_value) == pytest.approx((statistic, p), rel=1e-9)


def test_cochran_q_refuses_what_it_is_not_made_for() -> None:
    with pytest.raises(hs.InputError, match="one model"):
        hs.cochran_q(TABLE.pick("a"))
    with pytest.raises(hs.InputError, match="no prediction can change"):
        hs.cochran_q(TABLE, "f1")
    with pytest.raises(hs.InputError, match="independent rows"):
        hs.cochran_q(hs.table(TRUTH, MODELS, groups=np.arange(200) // 2))


def test_corrected_mcnemar_against_mlxtend() -> None:
    made = hs.compare(TABLE, "accuracy", a="a", b="c", method="mcnemar-cc")
    _, p = mcnemar(mcnemar_table(TRUTH, MODELS["a"], MODELS["c"]), corrected=True)
    assert made.p_value == pytest.approx(p, rel=1e-9)
    assert (made.low, made.high) == (lambda one: (one.low, one.high))(
        hs.compare(TABLE, "accuracy", "a", "c", method="tango")
    )
    assert corrected_mcnemar_p(0, 0) == corrected_mcnemar_p(4, 4) == 1
    assert corrected_mcnemar_p(2, 9, alternative="greater") == pytest.approx(corrected_mcnemar_p(2, 9) / 2)
    assert corrected_mcnemar_p(2, 9, alternative="less") > 0.9


def test_no_information_rate_against_scipy() -> None:
    made = hs.no_information(TABLE, model="c")
    right = int((MODELS["c"] == TRUTH).sum())
    rate = max(np.mean(TRUTH), 1 - np.mean(TRUTH))
    assert made.values == {"accuracy": right / 200, "no_information_rate": pytest.approx(rate)}
    assert made.p_value == pytest.approx(binomtest(right, 200, rate, alternative="greater").pvalue, rel=1e-9)
    with pytest.raises(hs.InputError, match="true negatives"):
        hs.no_information(hs.counts(tp=3, fp=1, fn=1))


@pytest.mark.parametrize(("metric", "call"), [("precision", 1), ("npv", 0)])
def test_predictive_values_by_hand(metric: str, call: int) -> None:
    """The weighted generalised score row by row: mean of (D − p) over calls of b less that over calls of a."""
    made = hs.compare(TABLE, metric, a="a", b="b", method="kosinski")
    a, b, right = MODELS["a"] == call, MODELS["b"] == call, call == TRUTH
    n_a, n_b = a.sum(), b.sum()
    pooled = (right[a].sum() + right[b].sum()) / (n_a + n_b)
    both = ((right[a & b] - pooled) ** 2).sum() / (n_a + n_b)
    z = (right[b].mean() - right[a].mean()) / math.sqrt((pooled * (1 - pooled) - 2 * both) * (1 / n_a + 1 / n_b))
    assert made.p_value == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-9)
    mover = hs.compare(TABLE, metric, a="a", b="b")
    assert (made.low, made.high) == (mover.low, mover.high)


def test_predictive_values_keep_their_level() -> None:
    """Two tests of equal precision on the same rows: 5 % are rejected, within three standard errors of 200 samples."""
    random, rejected = np.random.default_rng(7), 0
    for _ in range(200):
        truth = random.random(150) < 0.3
        calls = {name: np.where(truth, random.random(150) < 0.8, random.random(150) < 0.1) for name in "ab"}
        rejected += hs.compare(hs.table(truth, calls), "precision", method="kosinski").p_value < 0.05
    assert rejected / 200 == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / 200))


def test_predictive_values_refuse_other_metrics() -> None:
    with pytest.raises(hs.MethodError, match="precision and npv"):
        hs.compare(TABLE, "recall", a="a", b="b", method="kosinski")


def test_effect_sizes() -> None:
    made = hs.compare(TABLE, "accuracy", a="a", b="b")
    assert made.effects["cohens_h"] == pytest.approx(proportion_effectsize(made.value_b, made.value_a), rel=1e-12)
    gain = (MODELS["b"] == TRUTH).astype(float) - (MODELS["a"] == TRUTH)
    assert made.effects["standardised"] == pytest.approx(gain.mean() / gain.std(), rel=1e-9)
    assert made.effects["odds_ratio"] == pytest.approx((gain > 0).sum() / (gain < 0).sum())
    assert made.to_dict()["effects"] == made.effects
    assert math.isnan(hs.compare(hs.table(TRUTH, {"a": TRUTH, "b": TRUTH}), "mcc").effects["standardised"])


# Diseased and healthy rows by (first positive, second positive), and what R's DTComPair 1.2.2 prints of them in its
# README: pv.wgs (statistic, p) and pv.rpv (ratio, s.e. of its logarithm, limits, p).
PAIRED1 = {(1, 1, 1): 319, (1, 0, 1): 22, (1, 1, 0): 78, (1, 0, 0): 32, (0, 1, 1): 31, (0, 0, 1): 22, (0, 1, 0): 53,
           (0, 0, 0): 155}  # fmt: skip
DTCOMPAIR = {
    "precision": ((5.46588745, 0.01939120), (1.04860694, 0.01991247, 1.00847050, 1.09034078, 0.01714612)),
    "npv": ((16.53540, 4.775012e-05), (0.8536403, 0.03783679, 0.7926258, 0.9193516, 2.885568e-05)),
}


@pytest.mark.parametrize("metric", DTCOMPAIR)
def test_predictive_values_against_dtcompair(metric: str) -> None:
    truth, first, second = (np.repeat([key[at] for key in PAIRED1], list(PAIRED1.values())) for at in range(3))
    table = hs.table(truth, {"y1": first, "y2": second})
    (statistic, p), (ratio, se, low, high, p_of_ratio) = DTCOMPAIR[metric]
    score = hs.compare(table, metric, a="y1", b="y2", method="kosinski")
    assert score.p_value == pytest.approx(p, rel=1e-6)
    assert chi2.isf(score.p_value, 1) == pytest.approx(statistic, rel=1e-6)
    relative = hs.compare(table, metric, a="y1", b="y2", kind="ratio", method="wald")
    found = (relative.difference, relative.se, relative.low, relative.high, relative.p_value)
    assert found == pytest.approx((ratio, se, low, high, p_of_ratio), rel=1e-6)

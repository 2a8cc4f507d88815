"""Does an interval at another prevalence keep its level: samples with as many of each class as they happen to have."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs

SAMPLES = 1_000
METRICS = ("f1", "precision", "mcc", "accuracy", "macro_f1")


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.2])
@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.9, 0.9), (0.7, 0.99), (0.95, 0.97)])
@pytest.mark.parametrize(("positives", "rows"), [(50, 100), (100, 400), (30, 200)])
def test_defaults_keep_their_level(
    share: float, sensitivity: float, specificity: float, positives: int, rows: int
) -> None:
    """At 95 %, 0.92 and more in every population; 0.02 of it is the chance of 1,000 samples."""
    rng = np.random.default_rng(5)
    whole = hs.counts(tp=share * sensitivity, fn=share * (1 - sensitivity), fp=(1 - share) * (1 - specificity),
                      tn=(1 - share) * specificity, n=1e9)  # fmt: skip
    truth = {metric: float(hs.estimate(whole, metric)) for metric in METRICS}
    held = dict.fromkeys(METRICS, 0)
    for _ in range(SAMPLES):
        ones = rng.binomial(rows, positives / rows)
        tp, fp = rng.binomial(ones, sensitivity), rng.binomial(rows - ones, 1 - specificity)
        table = hs.counts(tp=tp, fn=ones - tp, fp=fp, tn=rows - ones - fp)
        for metric in METRICS:
            made = hs.estimate(table, f"{metric}@prevalence={share}")
            held[metric] += made.low <= truth[metric] <= made.high
    assert min(held.values()) / SAMPLES > 0.92 - 0.02, held

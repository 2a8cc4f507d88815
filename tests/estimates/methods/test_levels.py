"""What the defaults of shares and of gates keep at each level, exactly: every outcome is enumerated."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import howsure as hs

SHARES = np.linspace(0.5, 0.998, 101)


def limits(n: int, level: float, method: str | None = None, metric: str = "recall") -> tuple[np.ndarray, np.ndarray]:
    hits = np.arange(n + 1)
    found = hs.batch_intervals(metric, tp=hits, fp=0, fn=n - hits, tn=0, level=level, method=method)
    return found.low, found.high


def unlinked(end: np.ndarray, metric: str) -> np.ndarray:
    """Return the share of hits that a limit stands for: F1 = 2u/(1 + u)."""
    return end / (2 - end) if metric == "f1" else end


@pytest.mark.parametrize("n", [20, 33, 50, 100, 200])
@pytest.mark.parametrize(("level", "least"), [(0.9, 0.83), (0.95, 0.91), (0.99, 0.98), (0.999, 0.997)])
@pytest.mark.parametrize("metric", ["recall", "f1"])
def test_the_default_of_a_share_keeps_its_level(n: int, level: float, least: float, metric: str) -> None:
    """Lowest exact coverage over 101 shares; each end misses at most twice what it may, by the law of mid-P."""
    low, high = (unlinked(end, metric) for end in limits(n, level, metric=metric))
    mass = stats.binom.pmf(np.arange(n + 1)[:, None], n, SHARES)
    below, above = low[:, None] - 1e-12 > SHARES, high[:, None] + 1e-12 < SHARES
    assert (mass * ~(below | above)).sum(0).min() >= least
    assert (mass * below).sum(0).max() <= (1 - level) * (1 + 1e-9)
    assert (mass * above).sum(0).max() <= (1 - level) * (1 + 1e-9)


@pytest.mark.parametrize("n", [20, 50, 100])
def test_wilson_does_not_keep_99_per_cent(n: int) -> None:
    """Why it is no longer the default: the share 0.998 is missed several times too often."""
    low, high = limits(n, 0.99, "wilson")
    mass = stats.binom.pmf(np.arange(n + 1)[:, None], n, SHARES)
    assert (mass * ((low[:, None] <= SHARES) & (high[:, None] >= SHARES))).sum(0).min() < 0.978


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("n", [20, 50, 137])
def test_a_gate_at_the_edge_errs_no_more_than_promised(n: int, level: float) -> None:
    """True share = threshold: it passes wrongly, or fails wrongly, in at most 1 − level of samples each."""
    for share in (0.5, 0.8, 0.9, 0.95, 0.98, 0.99):
        tables = [hs.counts(tp=k, fp=0, fn=n - k) for k in range(n + 1)]
        verdicts = [hs.gate(table, "recall", at_least=share, level=level).verdict for table in tables]
        mass = stats.binom.pmf(range(n + 1), n, share)
        for wrong in ("pass", "fail"):
            assert mass[[verdict == wrong for verdict in verdicts]].sum() <= 1 - level


def test_tversky_indices_with_two_weights_come_near_those_of_one() -> None:
    """F2 and F0.5 around F1: at each level the exact coverage over tables of 24 rows stays near the level."""
    cells = np.array([(a, b, c) for a in range(25) for b in range(25 - a) for c in range(25 - a - b)], dtype=float)
    for tp, fp, fn in ((0.5, 0.1, 0.1), (0.7, 0.02, 0.05), (0.3, 0.3, 0.1)):
        rest = 1 - tp - fp - fn
        mass = stats.multinomial.pmf(np.column_stack([cells, 24 - cells.sum(1)]), 24, [tp, fp, fn, rest])
        for name, (a, b) in {"f2": (0.2, 0.8), "f0.5": (0.8, 0.2)}.items():
            truth = tp / (tp + a * fp + b * fn)
            for level, least in ((0.8, 0.76), (0.95, 0.93), (0.99, 0.984)):
                found = hs.batch_intervals(name, tp=cells[:, 0], fp=cells[:, 1], fn=cells[:, 2], level=level)
                assert found.method == "mid-p"
                held = (found.low <= truth) & (truth <= found.high) & ~np.isnan(found.value)
                assert mass[held].sum() / mass[~np.isnan(found.value)].sum() >= least


def test_few_groups_lower_the_tail_of_exact_methods() -> None:
    """Four groups: the tail that Student's t with 3 degrees leaves beyond z, as for Wilson's z."""
    truth, prediction = [1] * 40, [1] * 33 + [0] * 7
    table = hs.table(truth, prediction, groups=np.arange(40) % 4, pos_label=1, labels=[0, 1])
    plain = hs.estimate(table, "recall", method="mid-p")
    rows = plain.effective_n
    tail = stats.norm.sf(stats.t(3).isf(0.025))
    p = plain.value
    low = stats.beta.ppf(tail, p * rows, (1 - p) * rows + 1)
    high = stats.beta.isf(tail, p * rows + 1, (1 - p) * rows)
    assert hs.estimate(table, "recall", method="clopper-pearson").interval == pytest.approx((low, high), abs=1e-9)

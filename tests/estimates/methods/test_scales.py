"""Wald and its relatives: blurred, smoothed, and the scales logit, log and atanh."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import howsure as hs
from estimates.methods.tables import SMALL, TABLE, Z, limits
from howsure.estimates.catalogue import named_method
from howsure.estimates.evidence import evidence_of
from howsure.estimates.methods.limits import scale_of
from howsure.metrics.names import named
from howsure.tables.covariance import linearise


def test_wald_is_the_value_and_z_standard_errors() -> None:
    for metric in ("f1", "mcc", "lift", "macro_f1"):
        found = hs.estimate(TABLE, metric, method="wald", level=0.9)
        half = stats.norm.isf(0.05) * found.se
        assert (found.low, found.high) == pytest.approx((found.value - half, found.value + half), rel=1e-13)


# Yuan & Jiang, choice II: M ± z √((V + D)/n), V with n − 1, D = Σ d² z²/(2n) in the slopes d of g(EZA, EA, EZ).
SLOPES: dict[str, Callable[[float, float, float], tuple[float, float, float]]] = {
    "accuracy": lambda x, y, z: (2, -1, -1),
    "precision": lambda x, y, z: (1 / y, -x / y**2, 0),
    "recall": lambda x, y, z: (1 / z, 0, -x / z**2),
    "f1": lambda x, y, z: (2 / (y + z), -2 * x / (y + z) ** 2, -2 * x / (y + z) ** 2),
    "lift": lambda x, y, z: (1 / (y * z), -x / (y**2 * z), -x / (y * z**2)),
    "specificity": lambda x, y, z: (1 / (1 - z), -1 / (1 - z), (x - y) / (1 - z) ** 2),
}


@pytest.mark.parametrize("metric", SLOPES)
@pytest.mark.parametrize("cells", [(8, 2, 3, 7), (77, 44, 10, 702), (1, 5, 2, 40)])
def test_blurred_is_choice_ii(metric: str, cells: tuple[int, ...]) -> None:
    tp, fp, fn, tn = cells
    n = sum(cells)
    slopes = np.array(SLOPES[metric](tp / n, (tp + fp) / n, (tp + fn) / n))
    rows = np.repeat([[1, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], cells, axis=0) @ slopes
    for level in (0.95, 0.99):
        z = stats.norm.isf((1 - level) / 2)
        half = z * math.sqrt((rows.var(ddof=1) + (slopes**2).sum() * z**2 / (2 * n)) / n)
        table = hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
        value = hs.estimate(table, metric).value
        assert limits(table, metric, "blurred", level) == pytest.approx((value - half, value + half), rel=1e-10)


def test_blurring_accuracy_is_six_times_agresti_coulls() -> None:
    """Erratum Y12: D = 6 z²/(2n), at a perfect table the whole of the variance."""
    n = 40
    low, _ = limits(hs.counts(tp=15, fp=0, fn=0, tn=25), "accuracy", "blurred")
    assert 1 - low == pytest.approx(Z * math.sqrt(6 * Z**2 / (2 * n)) / math.sqrt(n), rel=1e-12)


@pytest.mark.parametrize("metric", ["mcc", "kappa", "macro_f1", "balanced_accuracy", "kappa_linear", "kappa_quadratic"])
def test_blurred_for_metrics_of_both_classes(metric: str) -> None:
    """Slopes in (EZA, EA, EZ) by central differences of the metric itself."""
    cells, n = np.array([8.0, 2, 3, 7]), 20.0

    def value(x: float, y: float, z: float) -> float:
        shares = dict(zip(("tp", "fp", "fn", "tn"), (x, y - x, z - x, 1 - y - z + x), strict=True))
        return hs.estimate(
            hs.counts(**{name: share * 1e6 for name, share in shares.items()}), metric, method="wald"
        ).value

    at, step = np.array([8, 10, 11]) / n, 1e-5
    slopes = [(value(*(at + step * e)) - value(*(at - step * e))) / (2 * step) for e in np.eye(3)]
    rows = np.repeat([[1, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], cells.astype(int), axis=0) @ slopes
    half = Z * math.sqrt((rows.var(ddof=1) + np.square(slopes).sum() * Z**2 / (2 * n)) / n)
    low, high = limits(SMALL, metric, "blurred")
    assert (high - low) / 2 == pytest.approx(half, rel=1e-6)


def test_logit_is_wald_on_the_log_odds() -> None:
    for metric in ("f1", "f2", "macro_f1", "accuracy"):
        found = hs.estimate(TABLE, metric, method="logit")
        odds, half = math.log(found.value / (1 - found.value)), Z * found.se / (found.value * (1 - found.value))
        assert (found.low, found.high) == pytest.approx(
            tuple(1 / (1 + math.exp(-end)) for end in (odds - half, odds + half)), rel=1e-12
        )


def test_logit_of_precision_is_woolfs_standard_error() -> None:
    """√(1/tp + 1/fp) on the log-odds."""
    low, high = limits(TABLE, "precision", "logit")
    half = Z * math.sqrt(1 / 77 + 1 / 44)
    assert (math.log(low / (1 - low)), math.log(high / (1 - high))) == pytest.approx(
        (math.log(77 / 44) - half, math.log(77 / 44) + half), rel=1e-12
    )


@pytest.mark.parametrize(
    ("metric", "value", "square"),
    [
        ("lr_plus", (77 / 87) / (44 / 746), 1 / 77 - 1 / 87 + 1 / 44 - 1 / 746),
        ("lr_minus", (10 / 87) / (702 / 746), 1 / 10 - 1 / 87 + 1 / 702 - 1 / 746),
        ("odds_ratio", 77 * 702 / (44 * 10), 1 / 77 + 1 / 44 + 1 / 10 + 1 / 702),
    ],
)
def test_log_is_simel_samsa_and_matchar(metric: str, value: float, square: float) -> None:
    half = Z * math.sqrt(square)
    assert limits(TABLE, metric, "log") == pytest.approx((value * math.exp(-half), value * math.exp(half)), rel=1e-11)


def test_atanh_is_fishers_scale() -> None:
    for metric in ("mcc", "kappa", "informedness"):
        found = hs.estimate(TABLE, metric, method="atanh")
        half = Z * found.se / (1 - found.value**2)
        assert (math.atanh(found.low), math.atanh(found.high)) == pytest.approx(
            (math.atanh(found.value) - half, math.atanh(found.value) + half), rel=1e-10
        )


def test_smoothed_is_wald_on_the_table_with_pseudo_counts() -> None:
    counts = np.array([[20, 3, 0], [1, 9, 2], [0, 0, 4]])
    for metric in ("macro_f1", "mcc", "kappa"):
        more = hs.estimate(hs.matrix(counts + Z**2 / 18, rows="truth"), metric, method="wald")
        assert limits(hs.matrix(counts, rows="truth"), metric, "smoothed") == pytest.approx(
            (more.low, more.high), rel=1e-9
        )


@pytest.mark.parametrize("method", ["logit", "atanh", "log"])
@pytest.mark.parametrize("metric", ["f1", "f2", "macro_f1", "mcc", "kappa", "lift", "lr_plus", "odds_ratio", "g_mean"])
def test_scales_have_limits_at_the_edge_too(metric: str, method: str) -> None:
    """At a perfect, a hopeless and a reversed table the transform is infinite: still an interval, and it is said."""
    for cells in ((9, 0, 0, 8), (0, 4, 5, 8), (0, 9, 8, 0)):
        table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
        if named_method(method).missing(evidence_of(linearise(table, named(metric)))) is not None:
            continue
        found = hs.estimate(table, metric, method=method)
        bottom, top = found.metric_range
        if math.isnan(found.value) or (bottom < found.value < top and found.se > 0):
            continue
        assert found.low < found.high, (metric, cells)
        assert bottom <= found.low <= found.value <= found.high <= top
        assert "boundary" in {note.kind for note in found.notes}


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-1.0, 1.0), (2.0, 5.0), (-0.5, 1.0), (0.0, math.inf), (1.0, math.inf)])
def test_a_scale_has_its_inverse_and_its_slope_whatever_the_ends(ends: tuple[float, float]) -> None:
    scale = scale_of(ends)
    x = ends[0] + np.array([0.1, 0.25, 0.5, 0.8]) * min(ends[1] - ends[0], 3.0)
    step = 1e-6
    assert scale.back(scale.to(x)) == pytest.approx(x, rel=1e-12)
    assert scale.slope(x) == pytest.approx((scale.to(x + step) - scale.to(x - step)) / (2 * step), rel=1e-7)
    assert (np.diff(scale.to(x)) > 0).all()

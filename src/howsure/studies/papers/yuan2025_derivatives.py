"""Table III of Yuan & Jiang (2025): the derivatives of nine measures, as printed and by complex step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from howsure.metrics.catalogue import tversky
from howsure.metrics.cells import Cells
from howsure.metrics.gradient import gradient_of
from howsure.metrics.metric import selection_of
from howsure.metrics.names import MetricLike, named
from howsure.results.coverage import PaperRow
from howsure.studies.papers.rows import row_maker

POINT = (0.31, 0.42, 0.37)  # E ZA, E A, E Z
TABLE_3_METRICS: dict[str, MetricLike] = {
    "accuracy": "accuracy", "F1": "f1", "F2": "f2", "Jaccard": "jaccard", "Tversky(0.3, 0.6)": tversky(0.3, 0.6),
    "correlation": "mcc", "cosine": "fowlkes_mallows", "lift": "lift", "overlap": "overlap",
}  # fmt: skip


def printed_derivatives(za: float, a: float, z: float) -> dict[str, tuple[tuple[float, ...], str]]:
    """Return the derivatives as Table III prints them, literally, and the erratum where that is wrong."""
    f1, jaccard = 2 * za / (a + z), za / (a + z - za)
    tau = za / (0.1 * za + 0.3 * a + 0.6 * z)
    spread = np.sqrt((z - z * z) * (a - a * a))
    phi, cosine, lift = (za - a * z) / spread, za / np.sqrt(a * z), za / (a * z)
    f2 = 5 * za / (a + 4 * z)
    lost, sign = "erratum Y2: a fraction bar is lost", "erratum Y1: 2(EA−1) should be 2EA−1"
    front = phi / (za - a * z)
    return {
        "accuracy": ((2.0, -1.0, -1.0), ""),
        "F1": (tuple(part / (0.5 * a + 0.5 * z) for part in (1, -0.5 * f1, -0.5 * f1)), ""),
        "F2": (tuple(part / (0.2 * a + 0.8 * z) for part in (1, -0.2 * f2, -0.8 * f2)), ""),
        "Jaccard": (tuple(part * (a + z - za) for part in (jaccard * (a + z) / za, -jaccard, -jaccard)), lost),
        "Tversky(0.3, 0.6)": (tuple((tau / za) ** 2 * part for part in (0.3 * a + 0.6 * z, -0.3 * za, -0.6 * za)), ""),
        "correlation": (
            tuple(
                front * part
                for part in (
                    1.0,
                    (2 * (a - 1) * za - a * z) / (2 * (a - a * a)),
                    (2 * (z - 1) * za - a * z) / (2 * (z - z * z)),
                )
            ),
            sign,
        ),
        "cosine": ((cosine / za, -cosine / (2 * a), -cosine / (2 * z)), ""),
        "lift": ((lift / za, -lift / a, -lift / z), ""),
        "overlap": ((1 / min(a, z), -za / a**2 if a < z else 0.0, -za / z**2 if z < a else 0.0), ""),
    }


def table_3() -> Iterator[PaperRow]:
    """Yield the derivatives in (E ZA, E A, E Z) at one point, ours by complex step."""
    make = row_maker("Table III", decimals=9)
    for name, (printed, note) in printed_derivatives(*POINT).items():
        ours = derivatives(TABLE_3_METRICS[name], *POINT)
        for moment, value, found in zip(("EZA", "EA", "EZ"), printed, ours, strict=True):
            yield make(f"{name}, d/d{moment} at {POINT}", value, found, note=note if abs(value - found) > 1e-9 else "")


def derivatives(metric: MetricLike, za: float, a: float, z: float) -> tuple[float, float, float]:
    """Return a measure's slopes in (E ZA, E A, E Z) from its slopes in the four cells."""
    chosen = named(metric)
    tp, fp, fn = za, a - za, z - za
    one = Cells(np.array(tp), np.array(fp), np.array(fn), np.array(1 - tp - fp - fn))
    single = isinstance(selection_of(chosen, (0, 1), 1), int)
    slopes = gradient_of(chosen, one if single else one.versus_rest())
    parts = [float(getattr(slopes, cell)[-1]) for cell in ("tp", "fp", "fn", "tn")]
    if not single:
        rest = [float(getattr(slopes, cell)[0]) for cell in ("tn", "fn", "fp", "tp")]
        parts = [own + other for own, other in zip(parts, rest, strict=True)]
    tp, fp, fn, tn = parts
    return tp - fp - fn + tn, fp - tn, fn - tn

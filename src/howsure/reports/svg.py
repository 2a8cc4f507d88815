"""Small inline drawings of intervals."""

from __future__ import annotations

import math

from howsure.results import Estimate


def interval_svg(estimate: Estimate, *, width: int = 180, height: int = 14) -> str:
    """Return an interval drawn on the metric's range; empty where it has none."""
    start, end = estimate.metric_range or (0.0, 1.0)
    if not all(math.isfinite(x) for x in (estimate.low, estimate.high, estimate.value, start, end)):
        return ""

    def place(x: float) -> float:
        return round(4 + (width - 8) * min(max((x - start) / (end - start), 0.0), 1.0), 2)

    low, high, point, middle = place(estimate.low), place(estimate.high), place(estimate.value), height / 2
    return (
        f'<svg width="{width}" height="{height}" role="img" aria-label="{estimate.limits}">'
        f'<line x1="4" x2="{width - 4}" y1="{middle}" y2="{middle}" stroke="currentColor" stroke-opacity="0.2"/>'
        f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="#0072b2" stroke-width="3"/>'
        f'<circle cx="{point}" cy="{middle}" r="3.5" fill="#0072b2"/></svg>'
    )

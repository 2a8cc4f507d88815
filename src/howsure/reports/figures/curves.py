"""Curves of scores with their bands: ROC, precision–recall, a metric over thresholds, reliability, decisions, risk."""

from __future__ import annotations

import math

import numpy as np

from howsure.reports.figures import picture
from howsure.reports.figures.picture import Area, Axis, Line, Mark, Panel, Rule, limits_around
from howsure.results.curves.curve import Calibration, Curve
from howsure.results.sentences.phrases import phrase
from howsure.results.words import count, metric_words, number, percent
from howsure.types import Array

MOST_POINTS = 300
UNIT = (0.0, 1.0)


def curve_panel(curve: Curve) -> Panel:
    """Describe a curve with its band."""
    return _PANELS.get(curve.kind, _thresholds)(curve)


def _with_area(curve: Curve, called: str, caption: str) -> str:
    """Return a caption with the area under the curve before it, where it is known."""
    area = curve.area
    if area is None:
        return caption
    return phrase("area under", area=called, value=number(area.value), limits=area.limits, caption=caption)


def _said(curve: Curve) -> str:
    area = phrase("curve area", value=number(curve.area.value), limits=curve.area.limits) if curve.area else ""
    level = percent(curve.level)
    return phrase(
        "curve described", curve=curve.said, model=curve.model, points=len(curve), n=count(curve.n), level=level,
        area=area,
    )  # fmt: skip


def _some(curve: Curve, *names: str) -> list[Array]:
    """Return columns of at most so many points, the first and the last among them."""
    columns = [np.asarray(getattr(curve, name), dtype=float) for name in names]
    size = len(columns[0])
    if size <= MOST_POINTS:
        return columns
    kept = np.unique(np.linspace(0, size - 1, MOST_POINTS).round().astype(int))
    return [column[kept] for column in columns]


def _roc(curve: Curve) -> Panel:
    fpr, tpr, left, right, low, high = _some(curve, "fpr", "value", "fpr_low", "fpr_high", "low", "high")
    # The upper edge of all rectangles runs through their upper left corners, the lower edge through the lower right.
    grid = np.linspace(0, 1, 201)
    top = np.interp(grid, left[::-1], high[::-1])
    bottom = np.interp(grid, right[::-1], low[::-1])
    bottom = np.where(grid < right.min(), 0.0, bottom)
    marks: list[Mark] = [
        Area(grid, np.minimum(bottom, top), top, name="band", opacity=0.2, width=0),
        Line([0, 1], [0, 1], name="chance", colour=picture.GREY, dash=":", width=0.9),
        Line(fpr, tpr, name="path", width=1.8),
    ]
    caption = _with_area(curve, "AUC", phrase("roc figure", level=percent(curve.level)))
    return Panel(Axis(*UNIT, "false positive rate"), Axis(*UNIT, "true positive rate"), marks, caption=caption,
                 described=_said(curve), size=(5.0, 4.6))  # fmt: skip


def _precision_recall(curve: Curve) -> Panel:
    recall, value, low, high, left, right = _some(curve, "recall", "value", "low", "high", "recall_low", "recall_high")
    boxes = [
        Area([a, b], [c, c], [d, d], name="box", opacity=0.035, width=0)
        for a, b, c, d in zip(left[::3], right[::3], low[::3], high[::3], strict=True)
    ]
    caption = _with_area(curve, "Average precision", phrase("pr figure"))
    return Panel(Axis(*UNIT, "recall"), Axis(*UNIT, "precision"), [*boxes, Line(recall, value, name="path", width=1.8)],
                 caption=caption, described=_said(curve), size=(5.0, 4.6))  # fmt: skip


def _thresholds(curve: Curve) -> Panel:
    at, value, low, high = _some(curve, "threshold", "value", "low", "high")
    marks: list[Mark] = [
        Area(at, low, high, name="band", opacity=0.2, width=0),
        Line(at, value, name="path", width=1.8),
    ]
    caption = phrase("threshold figure", level=percent(curve.level))
    best = curve.best
    if best is not None and best.threshold is not None and math.isfinite(best.threshold):
        said = phrase("best at", value=number(best.value), limits=best.limits, threshold=number(best.threshold))
        marks += [Rule(best.threshold, colour=picture.ORANGE, width=0.9, dash=":"),
                  picture.dots((best.threshold,), (best.value,), "D", size=6, name="best", label=said,
                               colour=picture.ORANGE)]  # fmt: skip
        caption = phrase("threshold figure best", caption=caption)
    finite = [end for column in (low, high, value) for end in column.tolist()]
    words = metric_words(curve.metric)
    return Panel(Axis(*limits_around(at.tolist()), "threshold"), Axis(*limits_around(finite), words), marks,
                 caption=caption, described=_said(curve), legend=best is not None,
                 size=(6.2, 4.2))  # fmt: skip


def _reliability(curve: Curve) -> Panel:
    said, value, low, high, rows = _some(curve, "predicted", "value", "low", "high", "count")
    marks: list[Mark] = [Line([0, 1], [0, 1], name="perfect", colour=picture.GREY, dash=":", width=0.9)]
    tallest = float(rows.max()) if len(rows) else 1.0
    half = 0.4 / max(len(rows), 10)
    for at, n in zip(said, rows, strict=True):
        marks.append(Area([at - half, at + half], [0, 0], [0.18 * n / tallest] * 2, name="count", opacity=0.3,
                          colour=picture.GREY, width=0))  # fmt: skip
    for at, below, above in zip(said, low, high, strict=True):
        marks.append(Line([at, at], [below, above], name="bar", width=1.4))
    marks.append(Line(said, value, "o", name="path", size=5, width=1.2))
    caption = phrase("reliability figure", level=percent(curve.level))
    return Panel(Axis(*UNIT, "predicted probability"), Axis(*UNIT, "share that came true"), marks, caption=caption,
                 described=_said(curve), size=(5.0, 4.6))  # fmt: skip


def _decision(curve: Curve) -> Panel:
    at, value, low, high, everyone = _some(curve, "threshold", "value", "low", "high", "everyone")
    bottom = min(-0.05, float(np.nanmin(value)))
    marks: list[Mark] = [
        Area(at, np.maximum(low, bottom), np.maximum(high, bottom), name="band", opacity=0.2, width=0),
        Line(at, np.maximum(everyone, bottom), name="everyone", label="mark every row", colour=picture.GREY, dash="--",
             width=1.0),
        Rule(0, upright=False, colour=picture.GREY, width=0.9, dash=":"),
        Line(at, value, name="path", label=curve.model, width=1.8),
    ]  # fmt: skip
    top = float(np.nanmax(np.concatenate([high, everyone[:1]])))
    return Panel(Axis(*UNIT, "threshold probability"), Axis(bottom, 1.05 * max(top, 0.05), "net benefit"), marks,
                 caption=phrase("decision figure", level=percent(curve.level)), described=_said(curve),
                 legend=True, size=(6.2, 4.2))  # fmt: skip


def _risk(curve: Curve) -> Panel:
    at, value, low, high = _some(curve, "coverage", "value", "low", "high")
    marks = [Area(at, low, high, name="band", opacity=0.2, width=0), Line(at, value, name="path", width=1.8)]
    return Panel(
        Axis(*UNIT, "share of rows answered"),
        Axis(0, 1.05 * float(high.max()), "share of wrong answers"),
        marks,
        caption=phrase("risk figure", level=percent(curve.level)),
        described=_said(curve),
        size=(6.2, 4.2),
    )


_PANELS = {
    "roc": _roc,
    "precision_recall": _precision_recall,
    "reliability": _reliability,
    "decision": _decision,
    "risk_coverage": _risk,
}


def calibration_panel(made: Calibration) -> Panel:
    """Describe the reliability curve of a calibration."""
    assert made.curve is not None
    return curve_panel(made.curve)

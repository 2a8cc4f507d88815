"""Sentences of curves, calibration and thresholds, a part of the catalogue."""

from __future__ import annotations

CURVES: dict[str, str | dict[str, str]] = {
    "curve roc": "ROC curve",
    "curve precision_recall": "precision–recall curve",
    "curve reliability": "reliability curve",
    "curve decision": "decision curve",
    "curve risk_coverage": "risk–coverage curve",
    "curve threshold": "{metric} over thresholds",
    "curve of": "{curve} of {model}",
    "curve described": "{curve} of {model}: {points} points, n = {n}, {level} band{area}",
    "curve area": ", area {value} {limits}",
    "curve sentence": (
        "If other test sets of this size were drawn from the same source, in {level} of them the band would hold the "
        "true curve {where} at once."
    ),
    "curve at thresholds": "at all thresholds",
    "curve at reliability": "in all bins",
    "curve at decision": "at all threshold probabilities",
    "curve at risk_coverage": "at all coverages",
    "calibration unknown": "The calibration line could not be fitted; the notes say why.",
    "calibration off": "The probabilities are not calibrated: slope and intercept differ from 1 and 0.",
    "calibration open": (
        "These rows do not show the probabilities to be miscalibrated; that is no proof that they are calibrated."
    ),
    "threshold goal": "{metric} {direction} {wanted}",
    "threshold found": (
        "Marking scores of {threshold} or more is shown to have {goal} ({level} bound {bound}, which holds at all "
        "thresholds together)."
    ),
    "threshold more": (
        "No threshold is shown to reach {goal}; about {more} more positives would, if {metric} stays {value} at "
        "{nearest}."
    ),
    "threshold none": "No threshold reaches {goal} even on these rows: the best is {value}.",
}

"""What stands under tables and curves, and beside a comparison; a part of the catalogue."""

from __future__ import annotations

CAPTIONS: dict[str, str | dict[str, str]] = {
    # --- reports and comparisons ----------------------------------------------------------------------------------
    "intervals cover": (
        "The intervals cover the luck of the draw of test rows: another sample from the same source would give "
        "other scores."
    ),
    "intervals hold fixed": (
        "They hold the models, their training data, thresholds and the labels fixed, and do not cover a change of "
        "source, wrong labels or choices made after looking at these rows."
    ),
    "comparison caption": "{metric}: {level} intervals{at} of the {kind} ({method}){control}. {fixed}",
    "caption adjusted": ", {how} adjustment over {pairs}",
    "right alone": "; right by {a} alone: {only_a}, by {b} alone: {only_b}",
    "correlation": "correlation {value}",
    "without pairing": "ignoring the pairing the interval would be {low} to {high}",
    "region chances": "probability worse {worse} · within ±{rope} {equal} · better {better}",
    # --- tables ---------------------------------------------------------------------------------------------------
    "classes caption": "Each class against the rest.",
    "posterior caption": "low and high: {level} credible interval ({which}).",
    "posterior caption of": "Posterior of {metric}; low and high: {level} credible interval ({which}).",
    "curve caption": "{metric} of {model}: {level} band ({method}){some}, n = {rows}.",
    "curve points": ", {shown} of {size} points",
    "area caption": "Area: {area}.",
    "curve best": "Best: {best}, threshold {threshold}.",
    "calibration caption": "Calibration of {model}, {level} intervals, n = {rows}.",
    "threshold caption": "One-sided {level} bounds that hold together over all thresholds, n = {rows}.",
    "gap caption": "{metric} of {model}: {level} intervals that hold together over {slices} slices.",
    "bayes caption": (
        "a = {a}, b = {b}. H0: b − a ≤ 0; H1: b − a > 0. Intervals: {level} credible; low and high are those of b − a; "
        "{pairing} posteriors, prior {prior} per cell{factor}."
    ),
    "bayes caption factor": ", factor {factors}",
    "cv caption": "a = {a}, b = {b}; {level} interval of the mean difference of fold scores.",
    "coverage caption": "Coverage of {level} intervals.",
    "coverage caption of": "Coverage of {level} intervals; the true value is {true}.",
    "coverage caption lost": (
        " Samples in which the metric is undefined (0/0) are left out: their share is “undefined”."
    ),
    "split caption": "Blocked {repeats}×2 cross-validation of {rows} rows: the fold that trains on each row.",
    "critical both": "Intervals of ± q standard errors hold all together with the level.",
    "critical lower": "Lower bounds of − q standard errors hold all together with the level.",
    "critical upper": "Upper bounds of + q standard errors hold all together with the level.",
    "printed numbers": (
        "{agree} of {printed} printed numbers come out within rounding or Monte-Carlo error, {explained} differ for a "
        "stated reason, {open} are open; {rows} rows in all."
    ),
    "printed numbers none": "{rows} rows.",
    # --- curves ---------------------------------------------------------------------------------------------------
    "roc figure": "A rectangle around each point; all hold both rates together with {level} (Campbell 1994).",
    "pr figure": "A box holds precision and recall at one threshold; all do together.",
    "area under": "{area} {value} {limits}. {caption}",
    "threshold figure": "{level} band over all thresholds.",
    "threshold figure best": "{caption} The best was chosen on the same rows: choose it on others.",
    "best at": "best: {value} {limits} at {threshold}",
    "reliability figure": "Bars: {level} for all bins together; grey: how many rows.",
    "decision figure": "{level} band; dotted: mark no row.",
    "risk figure": "{level} band; the most confident answers first.",
}

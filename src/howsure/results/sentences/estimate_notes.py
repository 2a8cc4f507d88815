"""Notes on single estimates, curves, reconstructed tables and scores, a part of the catalogue."""

from __future__ import annotations

ESTIMATE_NOTES: dict[str, str | dict[str, str]] = {
    # --- intervals ------------------------------------------------------------------------------------------------
    "no width": (
        "the {method} interval has no width: no row moves {metric} at {value}. That is no certainty; another method "
        "gives a proper interval"
    ),
    "leaves the range": "the {method} interval leaves the range of {metric}; it is shown as computed",
    "blurred few": "the blurred variance divides by n − 1: it needs more than one row; use another method",
    "no finite error": "{metric} sits where its {scale} has no finite error; limits from {limits}",
    "limits by score": "the score interval",
    "limits by pseudo-counts": "the table with pseudo-counts",
    "limits by range": "its range: nothing narrower is known",
    "limits by rows": "Wilson's interval of the rows that move it",
    "t few": "Student's t needs more than one row that counts",
    "no error seen": "no error in any unit: the upper limit allows for one that was not seen",
    "no limits": "no row can move {metric} among the classes that occur, so {method} has no limits for it",
    "resamples lost": "{lost} of {resamples} resamples left {metric} undefined and were dropped",
    "resamples lost of function": "{lost} of {resamples} resamples left the function undefined and were dropped",
    "resamples alike": (
        "every resample gives the same value, so the bootstrap interval has no width; use another method"
    ),
    "resamples alike of function": "every resample gives the same value, so the bootstrap interval has no width",
    "posterior undefined": "the posterior draws leave the metric undefined",
    "by precision": (
        "tasks are weighted by the precision of what they say, so that large ones count more: this is not the mean of "
        "the benchmark where large and small tasks differ"
    ),
    # --- several together -----------------------------------------------------------------------------------------
    "critical": "All {size} hold together: critical value {q} where a single interval takes {single}.",
    "critical normal": "q = {q} (± {error}, {how})",
    "critical t": "{used}, Student's t of {degrees} degrees with the tail of {normal}",
    "more undefined": " ({lost} more are undefined)",
    "one more undefined": " (1 more is undefined)",
    "classes together": "the intervals of each {what} hold together, with {level}",
    "given truth": "true class",
    "given prediction": "predicted class",
    "given nothing": "matrix",
    "classes alone": "each interval holds by itself, with {level}",
    # --- scores and thresholds ------------------------------------------------------------------------------------
    "band critical": "critical value {q} over thresholds where a single interval takes {z}",
    "bounds critical": "one-sided bounds at {size} thresholds together: critical value {q}",
    "few marked": ("at {thin} of {size} thresholds fewer than {least} true positives are marked; it is rough there"),
    "threshold on other rows": {
        "python": "choose a threshold on other rows: test.at(curve(validation, {metric}).best.threshold)",
        "shell": "choose a threshold on other rows, then ask for {metric} at it",
        "page": "choose a threshold on other rows, then ask for {metric} at it",
    },
    "probabilities at ends": (
        "{rows} probabilities are exactly 0 or 1 and were taken as {clip} from the end for the line and the log loss"
    ),
    "calibration of classes": (
        "a score for each of {classes}: ECE and the curve are of the most probable class; the line and the parts of "
        "the Brier score are for two classes"
    ),
    # --- printed numbers, agreement -------------------------------------------------------------------------------
    "spread alike": (
        "a printed AUC does not say how scores spread: the interval takes positives and negatives as spread alike "
        "(Hanley & McNeil 1982)"
    ),
    "several reconstructed": (
        "{tables} give the printed numbers; {metric} is {least} to {most} in them, and the interval holds those of all"
    ),
    "printed decimals": (
        "{metric} {printed} counts as printed with {decimals}; if more were printed, give it as text: '{full}'"
    ),
    "one rating": "{lost} of {items} items lack a rating of one of the two and are left out",
    # --- in the manner of scikit-learn ----------------------------------------------------------------------------
    "score filled": "the value {value} stands for an undefined score, as asked; it has no interval",
    "no row of labels": "{metric} is undefined (0/0): in no row are both labels among {labels}",
    "infinite ratio": "{metric} is undefined: infinite, as its denominator is 0",
    "one run": "one {called}: the seed is taken as fixed. Another training run may score otherwise.",
    "run each": "one {called} of each: the seed is taken as fixed. Another training run may rank them otherwise.",
}

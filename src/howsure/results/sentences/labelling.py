"""Sentences about labels to get: which rows, how many beside a judge, and a rate corrected for a judge's errors."""

from __future__ import annotations

LABELLING: dict[str, str | dict[str, str]] = {
    "choice": "{rows} to label, at random within {kinds}: {labels} of the labels go where {who} differ.",
    "choice by metric": "Every kind of row gets labels, more the larger it is and the more its rows move {metric}.",
    "choice apart": "{who} differ in {pool} of the pool.",
    "choice then": {
        "python": "When they are labelled: stratified(y_true, y_pred, strata=choice.strata, pool=choice.pool).",
        "shell": "When they are labelled, report with --strata stratum --weight weight.",
        "page": "",
    },
    "judged plan": (
        "{more} more labels ({n} in all, of {pool} judged rows) give {metric} ±{half} ({level} interval): they count "
        "like {worth}. Without the judge: {alone} labels."
    ),
    "judged plan paragraph": (
        "We plan {n} labels of people among {pool} rows that the judge has answered, to estimate {metric} near {value} "
        "with an expected half-width of {half} at the {level} level (standard error {se}). The judge explains "
        "{explained} of the variance, so that the labels count like {worth} (Tenenbein 1970). Computed with howsure "
        "{version}."
    ),
    "judged plan cost": "What is still to get costs {spent}.",
    "judged plan few": (
        "What the judge explains is known from {labels} labels alone; look again when there are a hundred."
    ),
    "rogan gladen": {
        "python": (
            "This holds only if the judge errs here as often, given the truth, as where its errors were measured. If "
            "people labelled some of these rows, use hs.table(…, judge=…): the same labels say more."
        ),
        "shell": (
            "This holds only if the judge errs here as often, given the truth, as where its errors were measured. If "
            "people labelled some of these rows, use 'howsure report --judge': the same labels say more."
        ),
        "page": "This holds only if the judge errs here as often, given the truth, as where its errors were measured.",
    },
    "rogan gladen contradicted": (
        "The formula gives {value}, far from what any rate can be: the judge does not err here as it did where its "
        "errors were measured, so there is no interval."
    ),
    "rogan gladen outside": (
        "The formula gives {value}, which no rate can be: the judge's errors alone explain what it reports."
    ),
    "judge and model": "judge and model",
    "judge and models": "judge and models",
    "models": "models",
}

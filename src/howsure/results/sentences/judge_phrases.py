"""The sentences of judges: what the judge is worth beside people. Part of the catalogue in ``phrases``."""

from __future__ import annotations

JUDGES: dict[str, str | dict[str, str]] = {
    "labels worth": "{labels} worth {worth} with the judge",
    "human labels": "{labels} human label{s}",
    "labels and judgments": "{labels} human labels{groups} and {judged} judged rows",
    "judge alone": "{name} by the judge alone = {value}, without an interval: it does not know how far it is off",
    "no labels": "No row has a label of people: what a judge says of itself is no evidence. Label some rows first.",
    "few labels": (
        "Only {labels} rows have a label of people: below {least} the judge is not used, as its weight would be noise. "
        "The numbers are those of people alone."
    ),
    "labels not random": (
        "The labelled rows are no random draw of all rows (judge and prediction are distributed otherwise, chi-squared "
        "test, p = {chance}): then neither people's numbers nor those with the judge hold for all rows. Label rows at "
        "random, or say how they were chosen with weights or strata."
    ),
    "few of class": (
        "Too few labelled rows of {classes} for the judge to help {metric}: label among rows that the judge or the "
        "model puts there."
    ),
    "judge agrees": (
        "{judge} agrees with people in every labelled row. If it was trained or its prompt tuned on these labels, that "
        "and the gain are flattered: check it on labels it has not seen."
    ),
    "judge silent": "{judge} gave no answer in {rows} of {judged} rows; such rows stay in, and it moves nothing there.",
    "judge explains": "The judge explains {explained} of what {metric} varies by (weight {lam}).",
    "judge decides": "The judge decided it: on people's labels alone this gate would be {alone}.",
    "page judge title": "A judge beside people: {labels} labels count like {worth}",
    "page judge helps not": "A judge beside people: {labels} labels count like no more than that",
    "page judge sentence": (
        "{labels} labels of people and {judged} judgments; the judge explains {explained} of what {metric} varies by, "
        "so the labels count as {worth}. People alone: {value} ({reach}). The judge alone would say {alone}."
    ),
    "page judge key": (
        "Thick bar: the answer to report. Thin bar: what people alone would give. Hollow dot: the judge "
        "without correction; it has no interval, as it does not know how far it is off."
    ),
    "page judge both": "people + judge",
    "page judge people": "people alone",
    "page judge alone": "judge alone",
    "page judge none": "none",
    "page judge off": "off by {off}",
    "page judge agrees": "Judge against people: {alike} of {rows} agree",
    "page judge agreement": (
        "Agreement {value}, {level} interval {reach} (Wilson). Agreement alone does not say how far to trust a score: "
        "the bars above do."
    ),
    "page judge next": "Label next: among the {rows} rows where judge and {model} disagree",
    "page judge next lead": (
        "Label every kind of row, about half of the next labels where the two disagree, at random within each kind. "
        "'howsure choose' shares them out and draws the rows."
    ),
    "judge explains nothing": "The judge explains nothing of what {metric} varies by (weight {lam}).",
    "judge on difference": (
        "The judge's weight is fitted to the difference, so {metric} of the two models in a report, each with a weight "
        "of its own, may lie a little more or less apart."
    ),
    "people's labels alone": "Only rows that people labelled count here: what the judge says is not used.",
}

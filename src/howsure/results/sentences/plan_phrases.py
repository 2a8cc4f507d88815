"""Sentences of plans, a part of the catalogue: the answer, the paragraph for a protocol, what was assumed, notes."""

from __future__ import annotations

COMPUTED = " Computed with howsure {version}."

PLANS: dict[str, str | dict[str, str]] = {
    "plan": "{rows} give {given}",
    "plan given": "{reached} {condition} ({level} interval{at}).",
    "plan answer": "give {given}",
    "plan rows": "{rows} rows",
    "plan positive rows": "{rows} positive rows",
    "plan about positive": " (about {rows} positive)",
    "plan reached": "{metric} ±{half}",
    "plan reached error": "a standard error of {se} for {metric}",
    "plan reached surely": "{metric} ±{half} or better with probability {assurance}",
    "plan for any": "for any classifier",
    "plan for any with": "for any classifier with {shares}",
    "plan if expected": "if you expect {shares}",
    "plan bought": "Your budget buys {rows}: ±{half}.",
    "plan case head": "if {metric} is",
    "plan case anything": "anything",
    "plan case worst": "the worst case",
    "plan case expected": "what you expect",
    "plan enough": "Whatever {metric} turns out to be, {rows} rows are enough.",
    "plan look again": "Label {rows}, look again (±{half} by then), then decide.",
    "plan protocol": "For a protocol: {paragraph}",
    "plan paragraph": (
        "We plan {rows} to estimate {metric}{goal} at the {level} level ({basis}; {how} half-width {half}, standard "
        "error {se}, interval{at} by the {method} method). Assumptions: {assumptions}."
    ),
    "plan paragraph rows": "{rows} labelled rows",
    "plan paragraph positive": " (about {rows} of them positive)",
    "plan paragraph clusters": (
        " Rows come in clusters of about {size} with a correlation of {icc} within them, which takes {effect} times as "
        "many rows: {clusters} clusters are needed."
    ),
    "plan paragraph more": " {so_far} rows are labelled; {more} more are expected to be needed.",
    "plan computed": COMPUTED,
    "plan any classifier": "any classifier whatever ({source})",
    "plan source jiang": "the bound of Jiang 2020 on the variance",
    "plan source share": "a share is least certain at one half",
    "plan source sharp": "the largest variance of all confusion matrices with these shares",
    "plan positives alone": "prevalence unknown: the number counts truly positive rows",
    "plan near": "{metric} near {value}",
    "plan shares of a pilot": "the shares of a pilot",
    "plan rows of a pilot": "rows as in the pilot",
    "plan auc": "an AUC of {value} with {share} positives",
    "plan auc alike": "positives and negatives spread alike",
    "plan rows independent": "rows are independent",
    "plan bound": "the bound is on the standard error at the true value, not on each realised half-width",
    "plan sharp": {
        "python": "the largest variance there is needs {share} of these rows: ask with bound='sharp'",
        "shell": "the largest variance there is needs {share} of these rows: ask with --bound sharp",
        "page": "the largest variance there is needs {share} of these rows",
    },
    "plan divide": {
        "python": (
            "this counts positive rows alone; how many rows hold that many depends on the prevalence: divide by it, or "
            "give prevalence="
        ),
        "shell": (
            "this counts positive rows alone; how many rows hold that many depends on the prevalence: divide by it, or "
            "give --prevalence"
        ),
        "page": (
            "this counts positive rows alone; how many rows hold that many depends on the prevalence: divide by it, or "
            "fill it in"
        ),
    },
    "plan pair": "{metric}: {rows} {design} to {question} of {difference} with power {power} at {level}",
    "plan pair shared": "shared rows",
    "plan pair apart": "rows for each model",
    "plan pair rest": "({which}) {question} of {difference} in {metric} in {power} of such tests.",
    "plan pair same": "the same for both models",
    "plan pair each": "for each model",
    "plan question": "detect a difference",
    "plan question margin": "show non-inferiority with margin {margin} at a difference",
    "plan agree": "the models agree on {share} of rows; ",
    "plan row deviation": "the difference of one row has standard deviation {deviation}",
    "plan pair paragraph": (
        "We plan {rows} labelled rows ({design}) to {question} of {difference} in {metric} with power {power} at the "
        "{level} level ({test} test). Assumptions: {agree}{deviation}."
    ),
    "plan pair same rows": "the same rows for both models",
    "plan pair two sets": "two separate test sets of this size",
    "plan pair adjusted": " The test is adjusted for {comparisons} comparisons together (z = {critical}).",
    "plan pair clusters": (
        " Rows come in clusters of about {size}, which takes {effect} times as many rows: {clusters} clusters."
    ),
    "plan independent": (
        "no agreement was given: the models' errors are taken as independent; models that err together need fewer rows"
    ),
    "plan apart": (
        "no correlation of scores was given: within a class the scores of the two models are taken as independent; "
        "models whose scores rise together need fewer rows"
    ),
    "plan stopping": (
        "{metric}: {expected} shared rows on average to {question} of {difference}, looked at every {every}; half of "
        "such evaluations end by {half} rows, {power} by {n} ({level} at any time)"
    ),
    "plan stopping first": "{expected} rows on average",
    "plan stopping rest": (
        "(the same for both models) until it is settled: {question} of {difference} in {metric}, looked at every "
        "{every}. Half of such evaluations end by {half} rows, {power} by {n}."
    ),
    "plan stopping paragraph": (
        "We label rows for both models and look every {every} rows, until limits that hold at all looks together at "
        "the {level} level {question} of {difference} in {metric}. If that is the true difference we expect {expected} "
        "rows; {power} of such evaluations end by {n}. Assumptions: {agree}{deviation}."
    ),
    "plan runs": "{runs} runs{each} on {rows} rows give {reached}{spent}.",
    "plan runs each": " of each model",
    "plan runs first": "{runs} runs × {rows} rows",
    "plan runs rest": "give {reached}{spent}.",
    "plan runs power": "{power} power to settle a difference of {difference} in {metric} at {level}",
    "plan runs interval": "{metric} ±{half} ({level} interval)",
    "plan runs spent": ", for {price}",
    "plan runs paragraph": (
        "We run {each} {runs} times on the same {rows} rows. That gives {reached}, with t for the spread between runs "
        "and z for the rows.{instead} The spread of runs and rows is that of a pilot, which is uncertain itself where "
        "it has few runs."
    ),
    "plan runs each model": "each model",
    "plan runs the model": "the model",
    "plan runs instead": " As much would be given by {others}.",
    "plan runs uncertain": (
        "the pilot has few runs, so that the spread between runs, and with it the plan, is uncertain; plan again when "
        "more runs are there"
    ),
    "plan strata": (
        "{metric}: {n} labels ({each}), half-width {half} at {level}; simple random labelling needs {gain} times as "
        "many"
    ),
    "plan strata part": "{rows} of the rows {word} {name} ({share} of the pool)",
    "plan strata paragraph": (
        "We label {n} rows, sampled at random within each {kind}: {each}. With {metric} near {value} that gives an "
        "expected standard error of {se} and a half-width of {half} at the {level} level; {n} rows sampled at random "
        "from the whole pool would give {random_se} (optimal allocation, Neyman 1934). Estimates weight each {stratum} "
        "to its share."
    ),
}

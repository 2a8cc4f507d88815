"""Notes on comparisons, gates, gaps, ranks and Bayes tests, a part of the catalogue."""

from __future__ import annotations

COMPARISON_NOTES: dict[str, str | dict[str, str]] = {
    "region read off": (
        "the probabilities of the region are read off the confidence intervals of all levels, as if the prior were "
        "flat; the method 'bayes' gives posterior ones"
    ),
    "models alike": "no row moves the two models apart: nothing tells them apart here",
    "few discordant": "only {rows} right by one model and wrong by the other: little to go by",
    "overlap though settled": (
        "the two single intervals overlap although the difference is settled: overlap is not a test"
    ),
    "infinite for": "{metric} is infinite for {models}, so it ranks no model as the best",
    "adjusted holm": (
        "p-values adjusted by Holm over {size}; the intervals beside them are Bonferroni's, so a p-value may settle a "
        "pair whose interval still holds no difference"
    ),
    "adjusted none": (
        "{size} without adjustment: where no models differ, about {expected} of them are expected to be settled by "
        "chance"
    ),
    "pairs alike": "{pairs} cannot be told apart at all: every row moves them alike",
    "left out for": "{metric} is undefined for {names}: left out",
    "left out in": "{metric} is undefined in {names}: left out",
    "each with the best": (
        "each of {size} models with the best of the others, all at once; an end at 0 settles which is better"
    ),
    "lowest slice": "no end of {metric} is the better one: 'worst' is the lowest slice here",
    "usual question": {
        "python": "{metric} is better when {better}: {usual}= is the usual question",
        "shell": "{metric} is better when {better}: --{flag} is the usual question",
        "page": "{metric} is better when {better}",
    },
    "value undefined": "the value is undefined, and a gate that cannot be judged fails",
    "no bound": "there is no bound, and a gate that cannot be judged fails",
    "weights in a posterior": {
        "python": (
            "rows carry sampling weights, which the posterior takes for fewer rows of equal weight: an approximation; "
            "howsure.compare uses the weights themselves"
        ),
        "shell": (
            "rows carry sampling weights, which the posterior takes for fewer rows of equal weight: an approximation; "
            "'howsure compare' uses the weights themselves"
        ),
        "page": (
            "rows carry sampling weights, which the posterior takes for fewer rows of equal weight: an approximation"
        ),
    },
    "posteriors independent": (
        "the two posteriors are taken as independent, as in the paper; models that were tested on the same rows are "
        "correlated, and the difference is then known better than stated"
    ),
    "prior weighs": "the prior of {mass} per cell is {share} of what the posterior rests on; try 0.5",
    "other folds": (
        "model A was tested on {first} folds and model B on {second}: not the same splits, so the models learned from "
        "different rows too; test both on the same folds"
    ),
    "factor repeats": {
        door: (
            "the effective counts are {times} times the data that there are: the factor takes repeated tests of one "
            "row for new rows in part, and in the paper's own example its 95% intervals then hold the truth in about "
            f"81% of samples, not in 94.5%; {setting} (1/repeats) counts no row twice, but it too knows nothing of how "
            "the training rows move a model (about 83% there)"
        )
        for door, setting in (
            ("python", "factor='conservative'"),
            ("shell", "--factor conservative"),
            ("page", "the factor “conservative”"),
        )
    },
    "counts independent": (
        "counts of one sentence or group are taken as independent, as in the paper; they spread {times} times as much: "
        "divide the factor by that to allow for it"
    ),
    "cochran differ": {
        door: f"The {{size}} models differ in {{metric}} at 5%; which ones, {who} says."
        for door, who in (
            ("python", "compare_all"),
            ("shell", "'howsure compare'"),
            ("page", "the comparison of pairs"),
        )
    },
    "cochran open": "The {size} models are not shown to differ in {metric} at 5%.",
    "above no information": "Accuracy {value} is above {rate}, what naming the largest class for every row gives.",
    "not above no information": (
        "Accuracy {value} is not shown to be above {rate}, what naming the largest class for every row gives."
    ),
    "same rows twice": {
        door: (
            "{what} {first!r} and {second!r} have the same number of rows in every true class; if they are the same "
            f"rows under two models, put both models in one table{then}"
        )
        for door, then in (("python", " and use compare()"), ("shell", " and run 'howsure compare'"), ("page", ""))
    },
    "ranks ignore": {
        door: (
            "ranks know neither how large a difference is nor how many rows a task has, and the rank of two models "
            f"depends on the others in the table{then}"
        )
        for door, then in (
            ("python", "; compare_all() compares the values themselves"),
            ("shell", "; 'howsure compare' compares the values themselves"),
            ("page", ""),
        )
    },
    # --- methods for two models -----------------------------------------------------------------------------------
    "pair no width": "the Wald interval has no width: no row moves the difference. That is no certainty",
    "pair resamples lost": "{lost} of {resamples} resamples were undefined and were dropped",
    "pair resamples alike": "every resample gives the same difference; use another method",
    "pair posterior": (
        "posterior of the joint table (truth, a, b) with prior {prior} in each cell, {how}; in place of a p-value "
        "stands the posterior probability of the other side (twice the smaller one if two-sided)"
    ),
    "p of discordant": "p-value of no difference: {test}; interval and other nulls: Tango's score",
    **{
        name: {
            door: f"p-value of no difference: {test}; interval and other nulls: {beside}"
            for door, beside in (("python", "mover"), ("shell", "joined limits"), ("page", "joined limits"))
        }
        for name, test in (
            ("p of predictive values", "weighted generalised score"),
            ("p of all swaps", "permutation test, all {swaps} tables of swaps"),
            ("p of drawn swaps", "permutation test, {swaps} drawn swaps, Monte-Carlo error {error}"),
        )
    },
    "signed ranks ignore": (
        "signed ranks look at one number a task: they know neither how many rows it rests on nor how large a "
        "difference is, and take skewed differences of mean 0 for a shift. Interval and other nulls: Student's t over "
        "tasks"
    ),
    "signed ranks posterior": (
        "Dirichlet process with prior weight {prior} at no difference, {draws} draws, Monte-Carlo error {error}; "
        "between equal models it is sure of a winner more often than it says"
    ),
}

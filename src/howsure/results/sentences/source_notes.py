"""Notes on what was read: guessed columns, rows left out, logs, tasks and taggers; a part of the catalogue."""

from __future__ import annotations

SOURCE_NOTES: dict[str, str | dict[str, str]] = {
    # --- columns and rows -----------------------------------------------------------------------------------------
    "columns guessed": "columns were guessed: {why}.",
    "guessed truth": "truth is {column!r} by its name",
    "guessed predictions": "predictions are {columns}, which share its labels",
    "guessed prediction by name": "the prediction is {columns} by name",
    "guessed predictions by name": "predictions are {columns} by name",
    "guessed not": "not taken: {columns}",
    "guessed id": "{column!r} identifies rows",
    "guessed group": "{column!r} may be a group",
    "column repeats": (
        "column {column!r} repeats ({distinct} values in {among}{filled} rows): rows that share one may not be "
        "independent; if so, pass {group}."
    ),
    "joined by": "files were joined by the column {column!r}, guessed from its name.",
    "files differ": "rows were left out because files differ: {said}.",
    "other indexes": "{first} and {second} have different pandas indexes; rows were paired by position.",
    "row left out": "{lost} of {total} rows was left out: {why}.",
    "rows left out": "{lost} of {total} rows were left out: {why}.",
    "rows of scores left out": (
        "{lost} of {total} rows were left out: truth, score, group or weight is missing or not finite."
    ),
    "labels look alike": "labels {labels} differ only in case or blanks and are counted as different classes.",
    "label may be missing": (
        "label {labels} is counted as a class; if it means that a value is missing, leave the field empty."
    ),
    # --- questions and answers ------------------------------------------------------------------------------------
    "questions left out": "{lost} of {total} questions were left out: {why}.",
    "right and wrong": (
        "a log of right and wrong answers: accuracy is the share right; precision, F1 and the like mean nothing here."
    ),
    "unequal answers": (
        "questions have unequal numbers of answers: each counts once, with the mean of its answers; the metric is "
        "'mean'."
    ),
    "values as shares": "the values lie between 0 and 1 and are taken as shares; the metric is 'mean'.",
    "values without range": "the values are numbers without a known range; the metric is 'mean'.",
    "runs differ": (
        "the {size} values of column {column!r} differ more than repeated answers do ({p}): say what they are. "
    ),
    "answered often": (
        "{first}each question was answered {times} times (column {column!r}): taken as answers of one model, one group "
        "a question. If each {column!r} is a training run or a prompt, say {run}; if it is a task, with questions of "
        "its own, {task}."
    ),
    "ids recur": (
        "{said}: taken as repeated answers to the same questions; if each {column!r} has questions of its own, say "
        "{task}; if it is a training run or a prompt, {run}."
    ),
    "log of HELM": "statistic {metric!r} of HELM, inputs as they are (not perturbed).",
    "trials of HELM": "{trials} trials of an instance are one group.",
    "log of Inspect": "scorer {scorer!r} of Inspect.",
    "epochs of Inspect": "{epochs} epochs of a sample are one group.",
    "run not finished": ("the run of {model!r} ended with status {status!r}: it may not have answered all questions."),
    "log of lm-eval": "metric {metric!r} of lm-evaluation-harness.",
    "log of evals": "{metric!r} of OpenAI's evals.",
    # --- kinds of tables ------------------------------------------------------------------------------------------
    "pooled sums": (
        "a metric pools the sums of all units, so that large units count more; 'per_unit_…' is the mean of each unit's "
        "own"
    ),
    "sums not read": ("not read: {columns}; the sums stand in columns of their own names, and are those of one model."),
    "sums lacking": "{system!r} has {held} but no {lacking}",
    "systems left out": "left out: {systems}; a system needs all of the sums.",
    "judge says no class": (
        "judge {judge!r} says {said} in {rows}, which is no class of truth or predictions; there it counts as having "
        "given no answer."
    ),
    "ties left out": "{tied} of {rows} have no majority among the annotators: each is left out",
    "ties in parts": (
        "{tied} of {rows} have no majority among the annotators: each counts in parts for the labels that tie"
    ),
    "tasks of same rows": (
        "tasks {first!r} and {second!r} have the same number of rows in every true class; if they share rows, they are "
        "not two tasks: give each row once"
    ),
    # --- chunks and taggers ---------------------------------------------------------------------------------------
    "chunks match": "chunks match when span and type agree ({schemes})",
    "malformed chunks": "malformed chunks met ({chunks}), handled by the rule {rule!r}",
    "partial matches": "partial matches: half a hit where chunks overlap (SemEval-2013)",
    "type matches": "type matches: a hit where chunks overlap and types agree (SemEval-2013)",
    "file without tokens": ("{files} has no column of tokens: the sentences were compared by their gold tags alone."),
    "files without tokens": ("{files} have no column of tokens: the sentences were compared by their gold tags alone."),
    "tokens written otherwise": (
        "the tokens of {sentences} (first: sentence {place}) in {first!r} and {second!r} differ in their Unicode "
        "normal form alone, and are taken as the same."
    ),
}

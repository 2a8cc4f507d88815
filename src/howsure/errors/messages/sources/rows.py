"""What files of which every row is read refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# sources/rows/annotations
TRUTH_NAMES_SEVERAL_ANNOTATORS_AND_ROWS = Sentence(
    "{arg:truth} names several annotators, and rows of another kind were asked for"
)
PREDICTIONS_IS_MISSING = Sentence(
    "{arg:predictions} is missing; beside several annotators name the columns of the models"
)
BESIDE_SEVERAL_ANNOTATORS = Sentence("{arg:{name}} is {value!r} beside several annotators; leave it out")

# sources/rows/asked
CORRECT_IS_GIVEN_BESIDE_VALUE = Sentence(
    "{arg:correct} is given beside value; a row has a number, or is right or wrong"
)
CORRECT_IS_GIVEN_WITHOUT_COLUMN = Sentence(
    "{arg:correct} is given without a column of models; name it with {setting:model=}, and the question with "
    "{setting:id=}"
)
RUN_NAMES_COLUMN_OF_RUNS = Sentence(
    "{arg:run} names the column of runs of a long table; name its models too, with {setting:model=}; columns of "
    "one row a question are runs in a mapping: predictions={{'bert': ['bert_1', 'bert_2']}}"
)
MODEL_NAMES_COLUMN_OF_MODELS = Sentence(
    "{arg:model} names the column of models of a long table; name what each row holds too: {setting:correct=}, "
    "{setting:value=}, or one column each for {setting:truth=} and {setting:predictions=}"
)
ONE_COLUMN_OF_PREDICTED_LABELS = Sentence(
    "{arg:predictions} names {named}, but {setting:model=} says that each row names its model: name the one column of "
    "predicted labels, or leave the column of models out"
)
GIVEN_WITHOUT_TABLE_OF_SUMS_NEEDS = Sentence(
    "{arg:{given}} is given without {missing}; a table of sums needs both columns"
)
SUMS_IS_GIVEN_BESIDE_VALUES = Sentence("{arg:sums} is given beside values; read one kind of data at a time")
MARK_BETWEEN_LABELS = Sentence("it must be the mark between labels, such as ';' or ' '")
ABOUT_VALUES_AND_SUMS_AND_NONE = Sentence(
    "{arg:{name}} is about values and sums, and none were asked for; name their columns with {setting:value=}, or "
    "leave it out"
)
NAMES_COLUMN_TWICE = Sentence("{arg:{name}} names a column twice: {columns}; name each once")
COLUMN_IS_NAMED = Sentence("column {column!r} is named as {first} and as {name}; a column plays one part")

# sources/rows/columns
OF_ROWS_CANNOT_BE_USED = Sentence(
    "{source}: {gone:,} of {total:,} rows cannot be used: {words}. Correct them, or leave such rows out with "
    "{setting:on_bad='skip'}."
)
NO_ROWS_CHECK_FILE_OR_FILTER = Sentence("{source} has no rows; check the file or the filter")

# sources/rows/doors
JUDGE_IS_GIVEN_BUT_JUDGE_GOES = Sentence(
    "{arg:judge} is given, but a judge goes with labels or with row values; leave it out"
)
JUDGE_NAMES_COLUMNS_FOR_OF_VALUES = Sentence(
    "{arg:judge} names {number} columns for {number_of_models} of values; name the judge's number of each model, "
    "in the same order"
)
SUMS_NAMES_COLUMN = Sentence(
    "{arg:sums} names the column {missing!r}, and there is neither that nor one such as {other_missing!r} of "
    "several systems; the columns are {columns}.{hint} Name others with {setting:sums=}"
)
DOES_NOT_GO_WITH_WERE_ASKED = Sentence(
    "{arg:{name}} does not go with {what}, which were asked for; leave it out, or read them apart"
)
SUMS_IS_IN_TWO_COLUMNS = Sentence("{arg:sums} {name!r} is in two columns, {held!r} and {column!r}; rename one")

# sources/rows/label_columns
TRUTH_AND_PREDICTIONS_MUST_BE_NAMED = Sentence(
    "{arg:truth} and predictions must be named: columns of 0 and 1 by a pattern such as '*_gold', or a column of "
    "cells with several labels"
)
PREDICTIONS_AND_TRUTH = Sentence(
    "{arg:predictions} are {models} and truth is {truth!r}; give all of them as patterns with *, or none"
)
TRUTH_IS_PATTERN_NO_COLUMN_FITS = Sentence(
    "{arg:truth} is the pattern {truth!r}, which no column fits; the columns are {available}"
)
COLUMN_HOLDS_ROW_COUNTING_FROM_0 = Sentence(
    "column {held!r} holds {block:g} (row {row}, counting from 0); a column of one label holds 0 and 1"
)
PREDICTIONS_IS_PATTERN_FINDS_TOO = Sentence(
    "{arg:predictions} is the pattern {pattern!r}, which finds {more} too, and the truth has no column for it; "
    "name the labels that count with {setting:labels=}, or add its column"
)

# sources/rows/long_rows
CORRECT_NAMES_COLUMN_HOLDS = Sentence(
    "{arg:correct} names the column {correct!r}, which holds {held!r} (row {wrong}, counting from 0; {number:,} "
    "such); it must be 0 or 1, true or false, yes or no; a number of another kind is read with {setting:value=}"
)
LABELS_HAVE_NO_MEAN = Sentence(
    "questions have unequal numbers of answers, and predicted labels have no mean; give each question as many answers, "
    "or a column that says whether an answer is right, with {setting:correct=}"
)
COLUMN_IN_QUESTION_HAS_TWO = Sentence(
    "{arg:{argument}} names the column {column!r}, in which question {ids!r} has {found!r} and {value!r}; a question "
    "has one"
)

# sources/rows/long_runs
AND_MORE_RUNS = Sentence("; and {more} more runs")
RUN_NAMES_COLUMN_ANSWERS_TO_QUESTION = Sentence(
    "{arg:run} names the column {run!r}, but {models!r} has {answers} answers to question {ids!r} in "
    "{other_run!r}; a run answers a question once. {remedy}"
)
RUNS_DID_NOT_ANSWER_SAME_QUESTIONS = Sentence(
    "the runs did not answer the same questions: {shown}. Every run needs an answer to every question; leave such "
    "questions out with {setting:on_bad='skip'}."
)
IF_IDS_RECUR_IN_SEVERAL_TASKS = Sentence(
    "If ids recur in several tasks, name the column of tasks with {setting:task=}; else make ids unique"
)
WITH_COLUMN_EACH_HAS_ONE_ANSWER = Sentence("With column {likely!r} each has one answer: {as_task}")

# sources/rows/long_tables
MODEL_NAMES_MODELS_OF_LONG_TABLE = Sentence(
    "{arg:model} names the models of a long table; name its questions too, with {setting:id=}"
)
LONG_TABLE_COUNTS_EVERY_QUESTION_ONCE = Sentence("a long table counts every question once")
LEAVE_IT_OUT = Sentence("leave it out")
MODEL_NAMES_COLUMN_HOLDS_MODEL_NAMES = Sentence(
    "{arg:model} names the column {model!r}, which holds model names that read the same as text: {fromkeys}; give "
    "each its own name"
)
MODELS_DID_NOT_ANSWER_SAME_QUESTIONS = Sentence(
    "the models did not answer the same questions: {said}. Every question needs an answer of every model; leave "
    "such questions out with {setting:on_bad='skip'}."
)
ID_IDS_RECUR_IN_AND_ANSWERS = Sentence(
    "{arg:id}: {said}. So ids recur in {name!r}, and answers to different questions would be pooled; {as_task}"
)
NAMES_QUESTIONS_WITH_UNEQUAL_NUMBERS = Sentence(
    "{id!r} names {number:,} questions with unequal numbers of answers, but with column {name!r} ({kinds}) "
    "{shape:,} with {answers} each"
)

# sources/rows/run_columns
PATTERN_FOR_RUNS_OF_NO_COLUMN = Sentence(
    "{arg:{argument}} has the pattern {pattern!r} for the runs of {model!r}, which no column fits; the columns are "
    "{available}"
)

"""What kinds of data refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# sources/kinds/annotated
TIES_IS_DROP_AND_EVERY_ROW = Sentence(
    "{arg:ties} is 'drop', and every row ties; count them in parts with {setting:ties='split'}"
)
Y_PRED_CALLS_MODEL_IS_NAME = Sentence(
    "y_pred calls a model {both!r}, which is the name of an annotator, or of all of them; give it another"
)
Y_PRED_HAS_ROWS_WITHOUT_LABEL = Sentence("y_pred {name!r} has rows without a label; a model answers every row")
Y_TRUE_HOLDS_ANNOTATOR = Sentence(
    "y_true holds {number} annotator{what}, {named}; {setting:consensus={consensus!r}} needs {other_what} or more"
)
Y_TRUE_NO_ANNOTATOR_LABELLED = Sentence("y_true has {empty} that no annotator labelled; leave such rows out")
Y_TRUE_HAS_NO_LABEL_OF_ANNOTATOR = Sentence(
    "y_true has no label of annotator {name!r} in {what}; {setting:consensus={consensus!r}} needs every annotator "
    "on every row: leave such rows or that annotator out, or take {setting:consensus='majority'}"
)

# sources/kinds/counts
MISSING_GIVE_TP_FP_AND_FN = Sentence(
    "{arg:{missing}} is missing; give tp, fp and fn (and tn), numbers or columns of counts"
)
COUNTS_TAKES_MAPPING_OF_MODEL_NAME = Sentence(
    "counts takes a mapping of a model's name to its columns (tp, fp, fn), not {kind}; of one model give tp=, fp= "
    "and fn="
)
TRUTH_AS_IN_SCIKIT_LEARN = Sentence("it must be 'truth' (as in scikit-learn) or 'prediction' (as in R's caret)")
LABELS_NAMES_BUT_MATRIX_ROWS = Sentence(
    "{arg:labels} has {number} names but the matrix has {number_of_cells} rows; give one label per row"
)
N_IS_NUMBER_OF_ROWS_BEHIND = Sentence(
    "{arg:n} is the number of rows behind shares that sum to 1, but {came}; leave it out"
)
COUNT_MUST_BE_FINITE = Sentence("a count must be finite and zero or larger")
COUNTS_IS_MASKED_IN_ROW_COLUMN = Sentence(
    "counts is masked in row {row}, column {column}; every cell needs a count; fill masked cells first, with "
    ".filled(0) if nothing was counted there"
)
COUNTS_HAS_SHAPE = Sentence("counts has the shape {shape}; a confusion matrix is square, K rows of K counts")
COUNTS_IN_ROW_COLUMN = Sentence(
    "counts has {cells:g} in row {row}, column {column}; a count must be finite and zero or larger"
)
COUNTS_SUM_TOO_HIGH = Sentence("counts sum to {cells:g}; {too_large}")
COUNT_IS_TOO_SMALL = Sentence("counts holds {least:g}; {too_small}")
COUNTS_HAS_ROWS_BUT_COLUMNS = Sentence(
    "counts has the rows {rows} but the columns {columns}; both must name the same labels in the same order: "
    "reindex it, or pass the bare numbers with {setting:labels=}"
)
LABELS_HOLDS_MORE_THAN_ONCE = Sentence("{arg:labels} holds {twice} more than once; each label must stand once")
LABELS_MIXES_USE_ONE_TYPE_THROUGHOUT = Sentence("labels mixes {kinds} and {others}; use one type throughout")
GIVEN_BUT_TP_FP_AND_FN = Sentence(
    "{arg:{name}} is given, but tp, fp and fn are numbers; give the counts of each unit as columns"
)
GIVEN_BESIDE_MAPPING_OF_MODELS = Sentence("{arg:{name}} is given beside a mapping of models; give one or the other")
COUNTS_SUM_THEY_ARE_SHARES = Sentence(
    "counts are {ravel}, which sum to {total:g}: they are shares of rows, and no interval follows from shares "
    "alone; pass {setting:n=}, the number of rows"
)
NUMBER_ZERO_OR_LARGER = Sentence("it must be a number, zero or larger")
COUNTS_IS_NOT_MATRIX_OF_NUMBERS = Sentence("counts is not a matrix of numbers; give K rows of K counts each")
COUNTS_ARE_TOO_LARGE = Sentence(
    "above 2**53 (about 9.0e15) neighbouring counts cannot be told apart; divide all counts by a common factor"
)
COUNTS_ARE_TOO_SMALL = Sentence(
    "below 1e-100 products of counts vanish; give 0, or multiply all counts by a common factor"
)
COUNTS_SUM = Sentence("the counts sum to {total:g}")
N_IS_NOT_ONE = Sentence("it is {n!r}")

# sources/kinds/judged
HOLDS_JUDGE_SCORE_IS_PROBABILITY = Sentence(
    "{arg:{name}} holds {worst!r}; a judge's score is its probability of the positive class, between 0 and 1; "
    "rescale it to that range (any straight line will do, as its weight is fitted), or give labels"
)
JUDGE_SAYS_NONE_OF_IS_CLASS = Sentence(
    "{arg:judge} {judge!r} says {said}, none of which is a class of truth or predictions ({place}); a judge must "
    "answer in the same classes; translate its answers"
)
JUDGE_HOLDS_SCORES = Sentence(
    "{arg:judge} {judge!r} holds scores, which are of one positive class of two, but the classes are {labels}; "
    "give {setting:pos_label=} for two classes, or the judge's labels"
)
JUDGE_HAS_NUMBERS_FOR_BUT_MODELS = Sentence(
    "{arg:judge} has numbers for {told}, but the models are {named}; give the judge's number of each model under "
    "the model's name"
)
VALUES_HAS_NUMBERS_OF_PEOPLE = Sentence(
    "{arg:values} has numbers of people for some models but not all in row {row}; people must rate all models of a "
    "row or none; make a table of each model"
)
JUDGE_IS_EMPTY = Sentence("{arg:judge} is empty; give a column of the judge's labels, or leave it out")

# sources/kinds/label_sets
MASKED_CELLS_EVERY_ITEM = Sentence(
    "{arg:{name}} has masked cells; every item must have or lack each label; fill them first"
)
ONE_COLUMN_BUT_TRUTH_HAS_SEVERAL = Sentence(
    "{arg:{name}} is one column, but the truth has several, one per label; both must have several labels a row; if "
    "one column of the truth is meant, give that column alone"
)
LABEL_SETS_MIX_TYPES = Sentence("label sets mix the types {kinds}; use one type throughout")
SHAPE_ONE_ROW_PER_ITEM_COLUMNS = Sentence(
    "{arg:{name}} has the shape {shape}; it must have one row per item and {number} columns, one per label"
)
INDICATOR_MATRIX_WITH_VALUES = Sentence(
    "{arg:{name}} is an indicator matrix with values other than 0 and 1; threshold scores first"
)
COLUMNS_BUT_LABELS = Sentence(
    "{arg:{name}} has the columns {columns}, but the labels are {labels}; give one column per label"
)
IN_ROW_EACH_ROW = Sentence("{arg:{name}} has {row!r} in row {index}; each row must be a set or list of labels")
LABEL_IN_ROW = Sentence("{arg:{name}} has the label {label!r} in row {index}; labels are {labels}")

# sources/kinds/labels
CONSENSUS_IS_FOR_SEVERAL_ANNOTATORS = Sentence(
    "{arg:consensus} is for several annotators: give y_true as a column for each, such as {{'ann1': a1, 'ann2': "
    "a2}}, and y_pred"
)
ABSTAIN_GOES_WITH_LABELS_OR_SCORES = Sentence(
    "{arg:abstain} is {value!r}, which says what a missing prediction of one label counts as, or a missing score; "
    "leave it out here"
)
GOES_WITH_SCORES = Sentence("{arg:{option}} is {value!r}, which goes with {setting:scores=}; y_pred holds labels")
GIVEN_BESIDE_SEVERAL_ANNOTATORS = Sentence(
    "{arg:{name}} is given beside several annotators; leave it out, or give one truth"
)
GIVEN_BESIDE_SCORES = Sentence(
    "{arg:{name}} is given beside {arg:scores}; a row holds the one or the other: leave one out. Labels are made "
    "of scores by {setting:threshold=}"
)
MISSING_GIVE_TRUE_AND_PREDICTED_LABELS = Sentence(
    "{arg:{which}} is missing; give true and predicted labels, or a number for each row with {setting:values=}"
)
BELONGS_TO_ROW_VALUES = Sentence("it belongs to row values")
GIVE_THEM_WITH_VALUES = Sentence("give them with {setting:values=}")
GIVEN_BESIDE_VALUES = Sentence(
    "{arg:{name}} is given beside values; a row holds labels or a number: leave one of the two out"
)

# sources/kinds/ratings
SCALE_IS_ORDINAL_AND_LABELS = Sentence(
    "{arg:scale} is 'ordinal' and the labels are text, {found}, whose order nobody said; give {setting:labels=} "
    "from the lowest to the highest"
)
HOLDS_ONE_ANNOTATOR = Sentence(
    "{arg:{argument}} holds one annotator; agreement needs two or more: give a column for each, such as {{'ann1': "
    "a1, 'ann2': a2}}"
)
NO_LABEL_NOR_HAS_ANOTHER_ANNOTATOR = Sentence("{arg:{next}} has no label, nor has another annotator; check the columns")
NO_NUMBER_NOR_HAS_ANOTHER_ANNOTATOR = Sentence(
    "{arg:{next}} has no number, nor has another annotator; check the columns"
)
IN_ROW_INTERVAL_SCALE_NEEDS_FINITE = Sentence(
    "{arg:{name}} is {value!r} in row {row}; an interval scale needs finite numbers"
)
GIVE_LIST_OR_ARRAY_WITH_RATING = Sentence("{arg:{name}} is {kind}; give a list or an array with a rating for each item")
LACKS_ANNOTATORS_GAVE = Sentence("it lacks {odd}, which annotators gave")

# sources/kinds/runs
HOLDS_COLUMNS_OF_ROWS_ROWS = Sentence(
    "{arg:{name}} holds {rows} columns of {rows} rows, so that rows and runs cannot be told apart; name the runs, "
    "{{'bert': {{'seed 1': …}}}}"
)
GIVEN_BESIDE_SEVERAL_RUNS_OF_MODEL = Sentence(
    "{arg:{argument}} is given beside several runs of a model; what both do to an interval is not known: give one "
    "run of each model"
)
MODEL_RUNS_IS_MADE = Sentence(
    "model {models!r} has {number} runs, and {what} is made of one; take each run as a model of its own: "
    "table.each_run()",
    shell="model {models!r} has {number} runs, and {what} is made of one; name each run as a model of its own",
    page="model {models!r} has {number} runs, and {what} is made of one; give each run as a model of its own",
)
TWICE_AS_MODEL_AND_AS_RUN = Sentence("{arg:{argument}} has {twice!r} twice, as a model and as a run; rename one")
HOLDS_COLUMNS_AND_SINGLE_VALUES = Sentence(
    "{arg:{name}} holds columns and single values; give one column, or a list of one a run"
)
SHAPE_ARRAY_OF_RUNS = Sentence(
    "{arg:{name}} has the shape {shape}; an array of runs has one row a run, (runs, {rows}): transpose it, or name "
    "the runs, {{'bert': {{'seed 1': …}}}}"
)
PAIRED_RUNS_SAYS_ALL_MODELS_SHARE_THEIR = Sentence(
    "{arg:paired_runs} says that all models share their runs, but {first!r} has {other_first} and {model!r} has "
    "{names}; give each the same runs in the same order, or leave {setting:paired_runs=} out"
)
BUT_EVERY_MODEL_HAS_ONE_COLUMN = Sentence(
    "{arg:{name}} is {value!r}, but every model has one column; give several runs of a model as a list of columns, "
    "{{'bert': [seed1, seed2]}}, or by name, {{'bert': {{'seed 1': …}}}}"
)
NAMES_AS_RUNS = Sentence("{arg:{name}} names {given} as its runs; give each run a name of its own")

# sources/kinds/scores
SCORES_OF = Sentence('scores "{name}"')
SCORES_ARE_NOT_FINITE = Sentence(
    "{arg:{who}} is {what} in {number:,} of {number_of_values:,} rows (row {which}, counting from 0); every row "
    "needs a finite score; correct them, drop those rows from all columns, or take them as the lowest with {lowest}"
)
SCORES_HOLDS_MODELS_WITH_ONE_SCORE = Sentence(
    "{arg:scores} holds models with one score a row and models with one for each class; give one kind"
)
SCORES_HOLDS_ONE_SCORE_ROW = Sentence(
    "{arg:scores} holds one score a row, and the truth has the labels {names}; give scores of shape (rows, "
    "{number}), or a truth of two classes, such as y_true == {other_names!r}"
)
HOLDS_SCORES_MUST_BE_NUMBERS = Sentence(
    "{arg:{who}} holds {example!r}; scores must be numbers, such as the probabilities of the positive class; for "
    "predicted labels give y_pred"
)
SHAPE_ROWS_ROWS_CLASSES = Sentence("{arg:{who}} has the shape {shape}; it must be (rows,) or (rows, classes)")
SCORE_COLUMNS_BUT_LABELS = Sentence(
    "{arg:{who}} has {shape} columns, but the labels are {names}; give one column for each label, in their order, "
    "and {setting:labels=} where a label never occurs in the truth"
)
SUMS_TO_IN_ROW = Sentence(
    "{arg:{who}} sums to {total:.4g} in row {off}, and not to 1 in {number:,} of {number_of_total:,} rows; a score "
    "for each class must be a probability; take the softmax of what the model returns"
)
SUCH_AS_6 = Sentence("such as 6")
NUMPY_CANNOT_READ_AS_NUMBERS = Sentence("{arg:{who}} is a {type_name} that numpy cannot read as numbers ({error})")
THRESHOLD_NAMES_BUT_MODELS = Sentence(
    "{arg:threshold} names {threshold}, but the models are {models}; give each one number"
)
FINITE_NUMBER_SUCH_AS_0 = Sentence("it must be a finite number, such as 0.5, or 'argmax' for several classes")
NO_FINITE_NUMBER = Sentence("no finite number")

# sources/kinds/sums
SUMS_MAP_NAME_OF_EACH_SUM = Sentence(
    "{arg:sums} is {kind}; it must map the name of each sum to a column, such as {{'errors': …, 'words': …}}, or "
    "each system to such a mapping"
)
SUMS_MIXES_COLUMNS_AND_MAPPINGS = Sentence(
    "{arg:sums} mixes columns and mappings: {found}; give a column for each sum, or a mapping of sums for each system"
)
SUMS_HAS_NAMES_READ_SAME = Sentence("{arg:sums} has names that read the same as text: {names}; give each its own name")
OF_SUMS_CAN_ONLY_SAY_FIRST = Sentence("of sums it can only say that the first is part of the second: (0, 1)")
RANGE_SAYS_FIRST_SUM_IS_PART = Sentence(
    "{arg:range} says that the first sum is part of the second, and there is only {names!r}"
)
FIRST_SUM_EXCEEDS_SECOND = Sentence(
    "{arg:range} is (0, 1), but a unit of {models!r} has {names} {held:g} and {other_names} {other_held:g}; the "
    "first sum must be part of the second: leave range out, or correct it"
)
GROUPS_PUTS_UNIT_OF_ROW = Sentence(
    "{arg:groups} puts the unit of row {row} into another group than row {first} of the same unit; a unit lies in "
    "one group"
)
COUNTS_OF_COLUMNS = Sentence("counts of {systems} have {sizes} columns; give tp, fp, fn (and tn) for each model")
IN_ROW_COUNT_MUST_BE_ZERO = Sentence("{arg:{name}} is {found:g} in row {row}; a count must be zero or larger")
SUMS_ALL_SYSTEMS_NEED_SAME_SUMS = Sentence(
    "{arg:sums} of {first!r} has {names} but that of {other!r} has {held}; all systems need the same sums"
)

# sources/kinds/tasks
MAP_NAME_OF_EACH_TASK = Sentence("it must map the name of each task to its Table, and name at least one")
TASK_HOLDS_MODELS_BUT_TASK_HOLDS = Sentence(
    "task {first!r} holds the models {models} but task {name!r} holds {other_models}; all tasks must hold the "
    "same models: leave out the tasks or, with table.pick, the models that are not in all",
    shell=(
        "task {first!r} holds the models {models} but task {name!r} holds {other_models}; all tasks must "
        "hold the same models: leave out the tasks or, with --pred, the models that are not in all"
    ),
    page=(
        "task {first!r} holds the models {models} but task {name!r} holds {other_models}; all tasks must hold "
        "the same models"
    ),
)
TASKS_OF_TWO_KINDS = Sentence("task {first!r} {kinds}, but task {name!r} {other_kinds}; all tasks must be of one kind")
TASKS_ON_TWO_SCALES = Sentence(
    "{scales} of task {first!r} goes from {ends}, that of task {name!r} from {other_ends}; a mean over tasks needs "
    "one scale: give both the same range and direction"
)
TASKS_HAVE_OTHER_RUNS_OF_THEIR = Sentence(
    "tasks {first!r} and {name!r} have other runs of their models; every task must have the same ones: a run is taken "
    "as the same in all tasks, by its name"
)
ONE_OF_TASKS_HAS_GROUPS = Sentence(
    "one of the tasks {first!r} and {name!r} has groups, the other has none; give both or neither"
)
EQUAL_SIZE_OR_NUMBER_FOR_EACH = Sentence("it must be 'equal', 'size', or a number for each task")
WEIGHTS_NAMES_BUT_TASKS = Sentence("{arg:weights} names {given}, but the tasks are {held}; give each one number")
TABLES_FOR_TASK = Sentence(
    "{arg:tables} has a {kind} for task {name!r}; make a Table of each first, such as howsure.table(y_true, "
    "y_pred) or howsure.counts(tp=…, fp=…, fn=…)"
)
TASK_HOLDS_NO_ROWS = Sentence("task {name!r} holds no rows; leave it out, or give its rows")
TASK_HOLDS_TASKS_ITSELF = Sentence("task {name!r} holds tasks itself; give its tasks one by one")
TASK_HAS_JUDGE_MOVES_ROWS = Sentence(
    "task {name!r} has a judge, which moves rows for each metric in a way of its own, so tasks cannot be joined by "
    "rows; make its table without a judge, or estimate each task with its judge"
)
WEIGHTS_FOR_TASK = Sentence("{arg:weights} has {weight!r} for task {name!r}; each needs a finite number larger than 0")

# sources/kinds/values
GIVE_SUCH_AS_5 = Sentence("give it such as 5")
FIRST_END_MUST_LIE_BELOW_SECOND = Sentence("its first end must lie below its second, such as (0, 1)")
WIDER_THAN_1E_100_AND_NO_WIDER = Sentence("it must be wider than 1e-100 and no wider than 1e100; use another unit")
IN_ROW_BEYOND_1E100_SQUARES = Sentence(
    "{arg:{name}} is {column:g} in row {row}; beyond 1e100 the squares of numbers are none: use another unit"
)
IN_ROW_OUTSIDE_RANGE = Sentence(
    "{arg:{name}} is {column:g} in row {row}, outside the range {ends:g} to {other_ends:g} ({outside} rows are); "
    "give the range that values can have, such as {setting:range=}(0, 10), or correct the rows"
)
K_BUT_QUESTION_ANSWERS = Sentence(
    "{arg:k} is {k}, but question {row} has {answers:g} answers; k answers can be chosen only among k or more: "
    "give a smaller k, or leave such questions out"
)
RIGHT_IN_ROW_MORE_THAN_ANSWERS = Sentence(
    "{arg:right} is {right:g} in row {row}, more than its {answers:g} answers; count right ones among them"
)
SMALLEST_AND_LARGEST_VALUE = Sentence("it must be the smallest and the largest value, such as (0, 1)")
IN_ROW_WHOLE_NUMBER_ZERO = Sentence(
    "{arg:{name}} is {column:g} in row {row}; it must be a whole number, zero or larger"
)

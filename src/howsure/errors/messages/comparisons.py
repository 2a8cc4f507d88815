"""What comparisons refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# comparisons/across
NAMES_TWO_DIFFERENT_NAMES_FOR_SIDES = Sentence(
    "{arg:names} is {names!r}; it must be two different names for the sides, such as {what}"
)

# comparisons/anytime
ROPE_ASKS_FOR_PROBABILITIES_AND_LIMITS = Sentence(
    "{arg:rope} is {rope!r}; it asks for probabilities, and limits at any time have none: give {setting:margin=}, "
    "which asks whether the difference is shown to be smaller"
)

# comparisons/bayes_probabilities
METHOD_EXACT_IS_NOT_AVAILABLE = Sentence(
    "method 'exact' is not available for paired {metric!r}, only where discordant rows decide (accuracy, recall, "
    "specificity); leave method out, or use 'monte-carlo'"
)
METHOD_EXACT_NEEDS_SHARE_OF_CELLS = Sentence(
    "method 'exact' needs a share of cells, and {metric!r} is none here; use {setting:method='monte-carlo'}"
)

# comparisons/bayes_test
MODELS_NAMES_TWO_MODELS = Sentence(
    "{arg:models} names two models of one table, but a and b are both given; leave it out"
)
PAIRING_IS_PAIRED_BUT_AND_B = Sentence(
    "{arg:pairing} is 'paired', but a and b do not come from one cross_validate call (or one table of two models), "
    "so it is not known which rows they share; run both there, or leave {setting:pairing='independent'}"
)
FACTOR_OF_BUT_OF_B = Sentence(
    "factor of a is {factor:g} but that of b is {other_factor:g}; paired folds have one: choose it"
)
PAIRING_IS_PAIRED_BUT_TABLE_HOLDS = Sentence(
    "{arg:pairing} is 'paired', but the table holds {what}; the joint posterior of (truth, A, B) needs "
    "independent rows with one label each; use {setting:pairing='independent'}, or {calling:compare()}, which "
    "pairs those too",
)
SMALL_NUMBER_ZERO_OR_LARGER = Sentence("it must be a finite number, zero or larger, such as 0.01")
EXACT_OR_MONTE_CARLO_OR_LEFT_OUT = Sentence("it must be 'exact' or 'monte-carlo', or left out")
INDEPENDENT_OR_PAIRED_OR_LEFT_OUT = Sentence("it must be 'independent' or 'paired', or left out")
USUALLY_1000000 = Sentence("1000000 are usual")
FOLDS_OR_TABLE = Sentence("it must be Folds or a Table; see howsure.folds and howsure.table")
B_IS_MISSING = Sentence("{arg:b} is missing; give the folds of both models, or one table that holds two models")
NAME_TWO_DIFFERENT_MODELS = Sentence("it must name two different models of {models}: A first, then B")
ROWS_IN_GROUPS_OR_WITHOUT_TRUE = Sentence("rows in groups or without true negatives")
ROWS_WITH_SEVERAL_LABELS_OR_CHUNKS = Sentence("rows with several labels or chunks")

# comparisons/catalogue
SINGLE_BUT_METHOD = Sentence(
    "{arg:single} is {single!r}, but method is {method!r}: only {joins!r} joins the limits of single models; leave "
    "{setting:single=} out, or choose {setting:method={joins!r}}"
)
METHOD_DOES_NOT_COMPARE_TWO_MODELS = Sentence(
    "method {method!r} does not compare two models.{hint} These do: {pair_methods}; intervals of one model are "
    "named by {setting:single=}"
)

# comparisons/classical
COCHRAN_NEEDS_TWO_MODELS = Sentence("table holds one model; Cochran's Q compares two or more on the same rows")
COCHRAN_Q_NEEDS_INDEPENDENT_ROWS = Sentence(
    "Cochran's Q needs independent rows, and these have groups or weights; use compare_all"
)
SHARE_OF_ROWS_NO_PREDICTION = Sentence("it must be a share of rows that no prediction can change: accuracy, recall, …")
NO_INFORMATION_RATE_NEEDS_INDEPENDENT_ROWS = Sentence(
    "the no-information rate needs independent rows and true negatives counted"
)

# comparisons/compare
METRIC_IS_TABLE = Sentence(
    "{arg:metric} is a Table; models are compared within one table, which keeps the pairing of their rows: make it "
    "with howsure.table(y_true, {{'a': predictions_a, 'b': predictions_b}}); test sets of different rows are "
    "compared by howsure.compare_tables(first, second, metric)"
)
TABLE_HOLDS_NO_ROWS_MODELS_CANNOT = Sentence(
    "table holds no rows, so its models cannot be compared; count at least one row first"
)
GIVE_BOTH_AND_B = Sentence("give both a and b (the difference is b − a), or neither when the table holds two models")
A_AND_B_ARE_BOTH = Sentence("{arg:a} and b are both {a!r}; name two different models of {models}")
MODELS_NAMES_MODEL_TWICE = Sentence("{arg:models} names a model twice: {names}; name each once")
MODELS_HOLDS_COMPARISON_NEEDS_TWO = Sentence("{arg:models} holds only {names}; a comparison needs two or more")
TABLE_HOLDS_ONE_MODEL = Sentence(
    "table holds one model, {models}; a comparison needs two on the same rows: make it with "
    "howsure.table(y_true, {{'a': predictions_a, 'b': predictions_b}})",
    shell=("table holds one model, {models}; a comparison needs two on the same rows: name two columns with --pred"),
    page=("there is one model, {models}; a comparison needs two on the same rows: give two columns of predictions"),
)
A_AND_B_ARE_NOT_NAMED = Sentence(
    "{arg:a} and b are not named and the table holds {number} models: {models}; name two, or use compare_all"
)
FINITE_NUMBER_ZERO_OR_LARGER = Sentence("it must be a finite number, zero or larger")
ABOUT_DIFFERENCES_AND_KIND_IS_RATIO = Sentence(
    "{arg:{name}} is about differences, and kind is 'ratio'; leave {setting:kind='difference'}"
)

# comparisons/compare_all
VERSUS_AND_BASELINE = Sentence(
    "{arg:versus} is {kind!r} and baseline is {baseline!r}; name a baseline for {setting:versus='baseline'}, and "
    "only then"
)
ADJUST_AND_VERSUS_IS_BEST = Sentence(
    "{arg:adjust} is {adjust!r} and versus is 'best', which is joint by its nature; leave adjust out"
)
FOR_ONE_LOOK = Sentence(
    "{arg:{what}} is {other_what!r}, which is for one look; leave it out, or leave out {setting:anytime=True}"
)
METHOD_GIVES = Sentence("method {method!r} gives {why}")
VERSUS_IS_BEST_HAS_NO_BETTER = Sentence(
    "{arg:versus} is 'best', but {metric!r} has no better direction; compare pairs instead"
)
VERSUS_IS_BEST_IS_NOT_MADE = Sentence(
    "{arg:versus} is 'best', which is not made for sampled tasks; compare pairs instead"
)
METRIC_IS_DEFINED_FOR_OF_MODELS = Sentence(
    "metric {metric!r} is defined for {number} of {number_of_names} models; the best needs two"
)
METHOD_LEAVE_OUT_OR_CHOOSE_METHOD = Sentence(
    "method {entry!r} {why}; leave it out, or choose {setting:method={methods!r}}"
)
COMPARES_TWO_MODELS_AT_TIME_NEEDS = Sentence(
    "compares two models at a time, and {arg:{name}} is {many!r}, which needs the distribution of all"
)
POSTERIOR_PROBABILITIES_NOTHING_ADJUSTS_FOR_MANY = Sentence(
    "posterior probabilities, which nothing adjusts for many; {calling:compare()} has them of two models"
)

# comparisons/contrasts
METHOD_NEEDS_SEVERAL_TASKS = Sentence(
    "method {method!r} needs several tasks: make the table with howsure.tasks",
    shell="method {method!r} needs several tasks: name their column with --task",
    page="method {method!r} needs several tasks",
)
METHOD_NEEDS_SEVERAL_RUNS_OF_MODEL = Sentence("method {method!r} needs several runs of a model; {methods} do not")
METHOD_DOES_NOT_COMPARE_MANY_MODELS = Sentence(
    "method {method!r} does not compare many models at once; {methods} do, and {calling:compare()} serves two "
    "models by every method"
)

# comparisons/gap
METRIC_IS_DEFINED_IN_SLICES = Sentence("metric {metric!r} is defined in {number} slices; a gap needs two or more")

# comparisons/gate
GATE_ASKS_ONE_QUESTION = Sentence("a gate asks one question, and {given}; give one of {questions}")
FINITE_NUMBER_AND_BELONGS_TO_BASELINE = Sentence("it must be a finite number, and belongs to {setting:baseline=}")
METRIC_HAS_NO_BETTER_DIRECTION = Sentence(
    "metric {metric!r} has no better direction, so no baseline can be met; use {calling:compare()}"
)
MODEL_IS_NOT_NAMED_AND_TABLE = Sentence(
    "{arg:model} is not named and the table holds {others} besides the baseline; name one"
)
MODEL_AND_BASELINE_ARE_BOTH = Sentence("{arg:model} and baseline are both {name!r}; name two different models")
NUMBER_IN_RANGE = Sentence("it must be a number in the range of {metric!r}, such as 0.8")
OUTSIDE_RANGE_GIVE_SHARE_NOT_PERCENTAGE = Sentence(
    "{arg:{name}} is {value!r}, outside the range of {metric!r}, {bottom:g} to {top:g}; give a share, not a percentage"
)
SEVERAL_ARE_GIVEN = Sentence("{asked} are given")
NONE_IS_GIVEN = Sentence("none is given")

# comparisons/methods/pair_method
METHOD_CANNOT_COMPARE_HERE = Sentence("method {name!r} cannot compare {other_name!r} here: {why}. These can: {fits}")

# comparisons/methods/paired_posterior
METHOD_BAYES_DRAWS_ALL_K_CELLS = Sentence(
    "method 'bayes' draws all K³ cells and the table has {width} classes; above {most_classes} use 'mover'"
)
METHOD_BAYES_NEEDS_INDEPENDENT_ROWS = Sentence(
    "method 'bayes' needs independent rows with one label each, the same for both models; use 'mover' or "
    "'bootstrap' for groups or several labels"
)
METHOD_BAYES_NEEDS_TRUE_NEGATIVES_TABLE = Sentence(
    "method 'bayes' needs the true negatives, which this table does not count; use 'mover'"
)

# comparisons/methods/permutation
USUALLY_9999 = Sentence("9999 is usual")

# comparisons/methods/resampled
KIND_STUDENTISED_NEEDS_ERROR_OF_EACH = Sentence(
    "kind 'studentised' needs the error of each resampled difference, which is not kept; for comparisons use "
    "{setting:kind='bca'}, 'percentile' or 'basic'"
)

# comparisons/methods/tasks
FINITE_NUMBER_LARGER_THAN_0 = Sentence("it must be a finite number larger than 0, such as 0.5")

# comparisons/monitoring/batches
SUCH_AS_MANY_BINS = Sentence("such as 65536")
BATCH_OF_TWO_KINDS = Sentence("{arg:{first}} is given beside {others}; a batch holds one kind of data")
WEIGHTS_DO_NOT_GO_WITH_SUMS = Sentence("{arg:sample_weight} does not go with sums; leave it out")
LABELS_WERE_NOT_GIVEN = Sentence(
    "labels were not given to this counter; list every label that may occur: Counter([0, 1])"
)
SCORES_OUTSIDE_BINS = Sentence(
    "{arg:scores} holds {one:g} among {number:,} outside 0 to 1; a counter with bins takes probabilities; bring the "
    "scores to [0, 1], or leave bins out"
)
BATCH_OF_OTHER_MODELS = Sentence(
    "{arg:{argument}} holds the models {given}, but the counter counts {models}; give exactly these"
)

# comparisons/monitoring/counter
BINS_WERE_NOT_GIVEN = Sentence(
    "bins were not given to this counter, so its scores are exact; Counter(labels, bins=65536)"
)
OPTIONS_OF_COUNTERS_DIFFER = Sentence("counters to add differ: {first} and {second}; both must be the same")
PATH_IS_OF_FORMAT_BUT_HOWSURE = Sentence(
    "{arg:path} is {path!r}, which is of the format {found!r}, but this howsure reads {format!r} to "
    "{last!r}; use the howsure that wrote it, or a newer one"
)
ARRAYS_DO_NOT_FIT_TOGETHER = Sentence("its arrays do not fit together")
GIVE_LIST_OF_EVERY_LABEL = Sentence("give a list of every label that may occur, such as [0, 1]")
GIVE_EVERY_LABEL_MAY_OCCUR_TWO = Sentence("give every label that may occur, two at least")
GIVE_EACH_MODEL_NAME_OF_OWN = Sentence("give each model a name of its own, one at least")
Y_TRUE_IS_MISSING_IN_ROWS = Sentence("{arg:y_true} is missing in {missing:g} rows; give the labels that have come")
Y_PRED_HOLDS_MODELS_BUT_COUNTER_COUNTS = Sentence(
    "y_pred holds the models {given}, but the counter counts {models}; give exactly these"
)
Y_TRUE_HOLDS_SEVERAL_LABELS_ROW = Sentence(
    "y_true holds several labels a row, but a counter counts one label a row; make a table of each batch with "
    "hs.table and add the tables up"
)
COUNTERS_TO_ADD_DIFFER = Sentence(
    "counters to add differ: labels {labels} and {other_labels}, models {models} and {other_models}, positive "
    "class {pos_label!r} and {other_pos_label!r}; all must be the same"
)
GROUPS_IS_GIVEN_FOR_SOME_BATCHES = Sentence(
    "groups is given for some batches and not for others; give it always or never"
)
PATH_AND_IS_NO_SUCH_FILE = Sentence("{arg:path} is {path!r}, and there is no such file; check it")
PATH_IS_NO_COUNTER_SAVE = Sentence("{arg:path} is {path!r}, which is no counter that save() wrote ({kind}: {error})")

# comparisons/monitoring/judged_counter
COUNTER_HAS_COUNTED_NO_ROW = Sentence(
    "the counter has counted no row with a judge; give update() the judge's answers first"
)
ROWS_OF_COUNTER_CARRY_WEIGHTS = Sentence(
    "rows of this counter carry weights, and a label that comes late does not say which of them was its own; count "
    "such rows anew with their labels"
)
OF_LABELS_ARE_OF_ROWS = Sentence(
    "{lacking} of {n} labels are of rows that were never counted without one (same prediction, judge and group); "
    "count a row with its judge by update() before its label comes"
)
JUDGE_HAS_LABELS_ARE_NOT_LISTED = Sentence("its judge has labels that are not listed")
JUDGE_HAS_SCORES_OUTSIDE_0 = Sentence("its judge has scores outside 0 to 1")

# comparisons/slices
Y_TRUE_ROWS_THEY_MUST_DESCRIBE_SAME = Sentence(
    "y_true has {number} rows but by has {number_of_column}; they must describe the same rows in one order"
)
BY_ROWS_BUT_GROUPS = Sentence(
    "{arg:by} has {number} rows but groups has {number_of_column}; they must describe the same rows"
)
TABLES_IS_EMPTY = Sentence("tables is empty; give at least one slice and its Table")
NO_SUCH_SLICE = Sentence("{name!r} is not a slice; there are {tables}")
BASELINE_IS_NOT_SLICE = Sentence("{arg:baseline} is {baseline!r}, which is not a slice; there are {names}.{hint}")
ONLY_SLICE_GAP_NEEDS_TWO = Sentence("there is only the slice {tables}; a gap needs two or more")
SLICE_HOLDS_MODELS_BUT_SLICE_HOLDS = Sentence(
    "slice {first!r} holds the models {models} but slice {name!r} holds {other_models}; all slices must hold the "
    "same models in the same order"
)
ONE_OF_SLICES_HAS_GROUPS = Sentence(
    "one of the slices {first!r} and {name!r} has groups, the other has none; give both or neither"
)

# comparisons/tasks/forest
TABLE_HOLDS_NO_TASKS = Sentence(
    "table holds no tasks; make it of the tables of several tasks or studies with howsure.tasks",
    shell="there are no tasks; name their column with --task",
    page="there are no tasks; name their column",
)
METRIC_IS_UNDEFINED = Sentence("metric {metric!r} is undefined for one of {a!r} and {b!r}; ask for another")

# comparisons/tasks/mean_ranks
TABLE_HOLDS_TASK = Sentence(
    "table holds {number} task(s) and the models {models}; mean ranks need two tasks and three models or more: "
    "make the table with howsure.tasks",
    shell=(
        "there are {number} task(s) and the models {models}; mean ranks need two tasks and three models or "
        "more: name the column of tasks with --task"
    ),
    page=("there are {number} task(s) and the models {models}; mean ranks need two tasks and three models or more"),
)
METRIC_HAS_NO_BETTER_DIRECTION_MODELS = Sentence(
    "metric {chosen!r} has no better direction, so models have no ranks; compare pairs instead"
)
METRIC_IS_DEFINED_FOR_ALL_MODELS = Sentence(
    "metric {chosen!r} is defined for all models in {told} task(s); ranks need two"
)

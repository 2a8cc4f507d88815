"""What tables refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# tables/contents
TABLE_HAS_NO_JUDGE = Sentence("this table has no judge")
GIVE_ONE_WHERE_IS_MADE_JUDGE = Sentence("give one where it is made, {setting:judge=}")
ROWS_HOLD_NO_SCORES = Sentence(
    "rows of this table hold {holds}; this needs scores: make the table with {setting:scores=}"
)
ONLY_SCORES_ARE_CUT = Sentence("rows of this table hold {holds}; only scores can be cut at a threshold")
TABLES_TO_ADD_DIFFER_IN_KIND = Sentence("tables to add differ in kind: one {one}, the other {another}")
TABLES_TO_ADD_TRUE_NEGATIVES = Sentence(
    "tables to add differ: one counts true negatives, the other does not; give tn to both or neither"
)
TABLES_TO_ADD_HAVE_DIFFERENT_POSITIVE = Sentence(
    "tables to add have different positive classes: {pos_label!r} and {other_pos_label!r}"
)

# tables/covariance
MODELS_OR_METRICS_IS_EMPTY = Sentence("models or metrics is empty; name at least one of each, models among {models}")
METRICS_HOLD_ARE_ABOUT_DIFFERENT_PREVALENCES = Sentence(
    "metrics hold {fromkeys}, which are about different prevalences; together they must be about one: ask for each "
    "prevalence apart"
)

# tables/design
FINITE_NUMBER_LARGER_THAN_0 = Sentence("it must be a finite number larger than 0")
FACTOR_MAKES_ROWS = Sentence(
    "{arg:factor} is {factor!r}, which makes {counts:g} rows of {n:g}; counts must lie between {smallest:g} and "
    "2**53 (about 9.0e15); choose a factor nearer to 1"
)
TABLES_TO_ADD_GROUPS = Sentence(
    "tables to add differ: one has groups, the other has none; give groups to both or neither"
)
TABLES_TO_ADD_STRATA = Sentence("tables to add differ: one has strata, the other has none; build both the same way")

# tables/in_pairs
JOINT_ROWS_OF_ALL_RUNS = Sentence(
    "the joint rows of all runs do not fit in memory; give fewer models at a time, or the columns themselves "
    "to howsure.table(truth, {{'model': [run1, run2]}})",
    shell="the joint rows of all runs do not fit in memory; give fewer models at a time with --pred",
    page="the joint rows of all runs do not fit in memory; give fewer models at a time",
)
TAKE_ONE_OR_TWO_MODELS_FIRST = Sentence(
    "take one or two models first: table.pick('a') or table.pick('a', 'b')",
    shell="take one or two models with --pred",
    page="take one or two models",
)
TABLE_HOLDS_MODELS_IN_PAIRS_BECAUSE = Sentence(
    "this table holds its models in pairs, because their joint rows would not fit in memory; take one or two "
    "models first: table.pick('a') or table.pick('a', 'b')",
    shell="the joint rows of so many models would not fit in memory; take one or two with --pred",
    page="the joint rows of so many models would not fit in memory; take one or two",
)

# tables/kinds/annotators/ratings
METRIC_IS_NOT_ABOUT_AGREEMENT = Sentence(
    "metric {metric!r} is not about agreement, and rows of this table hold ratings of several annotators; ask "
    "for hs.agreement(…)",
    shell=(
        "metric {metric!r} is not about agreement, and rows hold ratings of several annotators; ask 'howsure agreement'"
    ),
    page="metric {metric!r} is not about agreement, and rows hold ratings of several annotators",
)

# tables/kinds/judged
TABLES_TO_ADD_HAVE_DIFFERENT_JUDGES = Sentence(
    "tables to add have different judges: {judge_names} and {other_judge_names}, or labels of one beside scores of "
    "the other; give both the same"
)
JUDGE_IS_IGNORE_AND_NO_ROW = Sentence(
    "{arg:judge} is 'ignore', and no row has a label of people; nothing would be left"
)

# tables/kinds/scores
TABLES_TO_ADD_HAVE_DIFFERENT_THRESHOLDS = Sentence(
    "tables to add have different thresholds: {threshold!r} and {other_threshold!r}; give both one"
)
SCORES_ARE_OF_POSITIVE_CLASS = Sentence(
    "the scores are those of the positive class {pos_label!r}, not of {label!r}; give {setting:pos_label=} and "
    "scores of that class"
)
METRIC_IS_ABOUT_ONE_CLASS = Sentence(
    "metric {metric!r} is about one class, and this table holds a score for each of {labels}; name a class "
    "('{metric}[{other_labels}]'), or average: 'macro_auc'"
)
METRIC_NEEDS_SCORE_FOR_EACH_CLASS = Sentence(
    "metric {metric!r} needs a score for each class: give scores of shape (rows, classes) with {setting:labels=}"
)
METRIC_NEEDS_PROBABILITIES_BETWEEN_0 = Sentence(
    "metric {metric!r} needs probabilities between 0 and 1, and a score is {worst:g}; rank metrics ('auc', "
    "'average_precision') and thresholds take any scores"
)
LABELS_TABLE_HOLDS_SCORE_FOR_EACH = Sentence(
    "labels: this table holds a score for each of {labels}; they can be reordered and renamed, not joined or added "
    "to; one class against the rest is 'auc[label]'"
)
WITH_ONE_SCORE_ROW = Sentence("with one score a row it must be a number, such as 0.5")
THRESHOLD_IS_NUMBER_AND_TABLE_HOLDS = Sentence(
    "{arg:threshold} is a number, and this table holds a score for each of {number} classes; give "
    "{setting:threshold='argmax'}"
)
METRIC_CUTS_ONE_SCORE_AND_TABLE = Sentence(
    "metric {metric!r} cuts one score, and this table holds one for each class; write '{partition}@argmax'"
)

# tables/kinds/sums
SUMS_HAS_NAME = Sentence(
    "{arg:sums} has the name {odd!r}; a metric such as 'errors/words' names sums, so their names have no /, [ or "
    "]; rename it"
)
TABLE_HOLDS_SUM_ALONE_AND_METRIC = Sentence(
    "this table holds the sum {names!r} alone, and a metric needs two; name a formula"
)
TABLES_TO_ADD_HOLD_SUMS = Sentence(
    "tables to add hold the sums {names} and {other_names}; both must hold the same ones"
)
METRIC_IS_ABOUT_LABELS_OF_SEVERAL = Sentence(
    "metric {metric!r} is about labels of several classes, and units of this table hold sums; ask for a metric of "
    "one class, such as 'f1' of tp, fp and fn, or for a ratio such as 'errors/words'"
)

# tables/kinds/values
TABLES_TO_ADD_HOLD_VALUES = Sentence(
    "tables to add hold values of the ranges {range} and {other_range}, better when {better} and {other_better}; "
    "both must be the same"
)
METRIC_IS_ABOUT_LABELS_AND_ROWS = Sentence(
    "metric {metric!r} is about labels, and rows of this table hold one number each; ask for 'mean'"
)

# tables/label_counts
METRIC_SAYS_IS_SHARE_OF_ROWS = Sentence(
    "metric {metric!r} says that it is a share of rows, but a row scores {scores:.3g}; each row of a share must "
    "score 0 or 1; leave {setting:share=} out"
)
NAMES_MERGES_CLASSES_OF_MULTI_LABEL_TABLE = Sentence(
    "names merges classes of a multi-label table; a row could then count twice. Rename without merging"
)
METRIC_TAKES_ONE_LABEL_PER_ROW = Sentence(
    "metric {metric!r} takes one label per row, and this table holds several per row; use 'exact_match', an "
    "average such as 'micro_f1', or one class such as 'f1[…]'"
)

# tables/label_notes
METRIC_NEEDS_TRUE_NEGATIVES_TABLE = Sentence(
    "metric {metric!r} needs the true negatives, which this table does not count; give {setting:tn=}, or choose a "
    "metric without them: {without}"
)

# tables/labels
LABELS_CLASS_WHOSE_OWN_HITS_TABLE = Sentence(
    "labels: {labels!r} is the class whose own hits this table does not count (tn was not given), so it must stay "
    "first; give tn to look at it as a class like any other"
)
METRIC_IS_ABOUT_ROWS_WITH_SEVERAL = Sentence(
    "metric {metric!r} is about rows with several labels, and each row here has one; for such rows it equals 'accuracy'"
)
METRIC_IS_ABOUT_CLASS_WHOSE_HITS = Sentence(
    "metric {metric!r} is about the class {labels!r}, whose hits are the true negatives that this table does not "
    "count; give {setting:tn=}"
)

# tables/linearised
OF_GOES_VALUES_OF_TWO_TEST = Sentence(
    "{one} of {model!r} goes from {ends}, that of {other_model!r} from {other_ends}; values of two test sets can "
    "be compared only on one scale: give both the same range and direction"
)
POSITIVE_CLASS_ABOUT = Sentence(
    "the positive class is {classes!r} in {model!r} and {other_classes!r} in {other_model!r}; {one} is about it: "
    "give both the same, or name the class: {one}[{classes}]"
)

# tables/many_classes
MATRIX_WOULD_TAKE = Sentence(
    "{no_matrix}: it would take {width:,.1f} GB; ask for accuracy, metrics of each class or averages, which need "
    "none, or join rare classes"
)
METRIC_OF_CLASSES_NEEDS_ALL_CELLS = Sentence(
    "metric {metric!r} of {width:,} classes needs all {other_width:,} cells of the confusion matrix, which are not "
    "held for so many: its formula is no function of sums over classes ({why}); choose accuracy, a metric of one "
    "class or an average, or join rare classes"
)
METRIC_LOOKS_AT_EVERY_CELL = Sentence(
    "metric {metric!r} looks at every cell of the confusion matrix, and {no_matrix}; choose accuracy, a metric of "
    "one class or an average, or join rare classes"
)
SUM_OVER_CLASSES_IS_COMBINED = Sentence("a sum over classes is combined with single classes")
POWER_DEPENDS_ON_CELLS = Sentence("a power depends on the cells")

# tables/population
POPULATION_HAS_KEYS = Sentence("{arg:population} has the keys {given}; {shapes}")
POPULATION_IS_MISSING = Sentence("{arg:population} is missing; {shapes}")
POPULATION_HAS_SHAPE = Sentence("{arg:population} has the shape {shape}; {shapes}")
POPULATION_IS_TABLE_WITHOUT_FULL_CONFUSION = Sentence(
    "{arg:population} is a table without a full confusion matrix; give one that counts every cell"
)
POPULATION_HAS_SHARE_IS_NEGATIVE = Sentence(
    "{arg:population} has a share that is negative or not finite; shares lie between 0 and 1"
)
POPULATION_HAS_SHARES_SUM = Sentence(
    "{arg:population} has shares that sum to {shares:g}; they must sum to 1, or be whole counts"
)
POPULATION_NUMBER_FROM_0_TO_1 = Sentence("{arg:population} has {name} {share!r}; it must be a number from 0 to 1")
POPULATION_RATES_LIE_BETWEEN_0 = Sentence("{arg:population} has {name} {rate!r}; rates lie between 0 and 1")
POPULATION_HAS_PRECISION_WITH_RECALL = Sentence(
    "{arg:population} has precision {precision:g} with recall {recall:g} at prevalence {prevalence:g}: that takes "
    "more false positives than there are negatives; precision must be at least {tp:.4g} there"
)
GIVE_DICT_TP_FP_FN_TN = Sentence(
    "give dict(tp=…, fp=…, fn=…, tn=…), dict(prevalence=…, recall=…, precision=… or specificity=…), a K×K matrix "
    "of shares or counts with truth in rows, or a Table"
)

# tables/runs/run_means
METRIC_CHOOSES_THRESHOLD_ON_ROWS_THEMSELVES = Sentence(
    "metric {metric!r} chooses a threshold on the rows themselves, for each run another; choose it on other rows "
    "and ask for it by number, such as 'f1@0.5'"
)
METRIC_IS_BIASED_BY_NUMBER = Sentence(
    "metric {metric!r} is biased by the number of rows, which a mean over runs does not know; ask for 'brier', "
    "'log_loss' or 'calibration_slope'"
)

# tables/sampling/prevalence
PREVALENCE_NEEDS_TRUE_CLASS_OF_EVERY = Sentence(
    "{arg:prevalence} needs the true class of every row, and rows of this table {lack}"
)
PREVALENCE_ROWS_OF_TABLE_HAVE_STRATA = Sentence(
    "{arg:prevalence}: rows of this table have strata already, whose shares give their weights; weight the table "
    "before, or leave one out"
)
PREVALENCE_TABLE_EACH_CLASS_NEEDS_TWO = Sentence("{arg:prevalence}: the table has {few}; each class needs two or more")
NUMBER_BETWEEN_0_AND_1_SHARE = Sentence("it must be a number between 0 and 1, the share of true positives")
PREVALENCE_AND_NO_CLASS_IS_POSITIVE = Sentence(
    "{arg:prevalence} is {given!r}, and no class is the positive one; give {setting:pos_label=}, or the share of "
    "each class of {labels} to at_prevalence"
)
PREVALENCE_NAMES_BUT_CLASSES = Sentence("{arg:prevalence} names {given}, but the classes are {labels}; name each")
SHARES_OF_CLASSES_MUST_LIE_BETWEEN = Sentence("shares of classes must lie between 0 and 1 and sum to 1")
DO_NOT_COUNT_TRUE_NEGATIVES = Sentence("do not count true negatives; give {setting:tn=}")

# tables/sampling/resampled_errors
KIND_IS_STUDENTISED_IS_NOT_MADE = Sentence(
    "{arg:kind} is 'studentised', which is not made for strata; choose {setting:kind='bca'} or 'percentile', or "
    "{setting:method='wald'}"
)

# tables/sampling/runs
TABLES_TO_ADD_RUNS = Sentence(
    "tables to add differ: one has {here}, the other {there}{how}; every run must predict all rows, by the same "
    "names in the same order"
)
OF_OTHER_MODELS_HAVE_THEM = Sentence(", of which other models have them, or which are taken in another way")

# tables/sampling/tasks
TABLE_HOLDS_NO_TASKS = Sentence("table holds no tasks; make it of the tables of several with howsure.tasks")
TASKS_IS_RANDOM = Sentence(
    "{arg:tasks} is 'random' and there is one task, {names!r}; the spread between tasks needs two or more, or "
    "{setting:tasks='fixed'}"
)

# tables/strata
SHARES_OF_A_POOL = Sentence("shares of a pool")
TABLES_TO_ADD_ARE_WEIGHTED = Sentence(
    "tables to add are weighted to {weighted_to} and to {other_weighted_to}; add them first and weight the sum"
)
TABLES_TO_ADD_HAVE_SAMPLED_DIFFERENT = Sentence(
    "tables to add have sampled different parts of the pool of stratum {label!r}, so its finite-population factor "
    "is unknown; build one table of all rows"
)

# tables/table
LABELS_OF_TWO_TABLES_DIFFER = Sentence(
    "labels of the two tables differ in type: {first} and {second}; convert one to the other's type"
)
TABLES_TO_ADD_HOLD_DIFFERENT_MODELS = Sentence(
    "tables to add hold different models: {models} and {other_models}; both must hold the same ones"
)
MODEL_IS_NOT_NAMED_AND_TABLE = Sentence("{arg:model} is not named and the table holds {number}: {models}; name one")
MODEL_IS_NOT_IN_TABLE = Sentence("model {name!r} is not in the table; it holds {models}.{hint}")
MATRIX_ROWS_OF_TABLE_HOLD = Sentence(
    "matrix: rows of this table hold {holds}, so there is no one matrix; ask for a metric of one class, such as "
    "'f1[label]'"
)
PER_CLASS_ROWS_OF_TABLE_HOLD = Sentence("per_class: rows of this table hold {holds}, so there are no classes")
BINARY_TABLE_IS_MULTI_LABEL = Sentence("binary: this table is multi-label; ask for 'f1[label]' and the like instead")
NAMES_MAPS_ARE_NOT_LABELS = Sentence("names maps {unknown}, which are not labels; the labels are {labels}")
LABELS_LACKS_TABLE_HOLDS = Sentence("labels lacks {missing}, which the table holds; give all of {labels}")
TP_FP_FN_AND_TN_NEED = Sentence("tp, fp, fn and tn need two labels; the table has {labels}. Use binary(label) first")
THRESHOLD_NAMES_BUT_MODELS = Sentence(
    "{arg:threshold} names {threshold}, but the models are {models}; give each one number"
)
NUMBER_ONE_FOR_EACH_MODEL = Sentence("it must be a number, one for each model, or 'argmax'")

# tables/tasks/of_tasks
TABLES_OF_TASKS_ARE_JOINED_TASK = Sentence("tables of tasks are joined task by task; add the tables themselves")
TABLES_TO_ADD_HOLD_DIFFERENT_TASKS = Sentence(
    "tables to add hold different tasks: {first} and {second}; both must hold the same"
)

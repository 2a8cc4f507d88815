"""What estimates and intervals refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# estimates/annotators/agreement
RATINGS_HOLDS_ANNOTATORS = Sentence(
    "{arg:ratings} holds {number} annotators, {named}; Cohen's kappa is for two: ask for "
    "{setting:coefficient='fleiss'} or {setting:coefficient='krippendorff'}, or for each pair"
)
COHEN_KAPPA = Sentence("Cohen's kappa has {cohen}")
KRIPPENDORFF_ALPHA_HAS_INTERVAL_SCALE = Sentence("Krippendorff's alpha has an interval scale")
RATINGS_HAS_NO_ITEM_BOTH = Sentence(
    "{arg:ratings} has no item that both of {named} rated; there is nothing to agree on"
)
FLEISS_KAPPA_IS_NOMINAL = Sentence("Fleiss' kappa is nominal")
KRIPPENDORFF_ALPHA_HAS_OTHER_SCALES = Sentence("Krippendorff's alpha has other scales")
RATINGS_HAS_ITEMS_WITH_AND_ITEMS = Sentence(
    "{arg:ratings} has items with {least} and items with {most} ratings; Fleiss' kappa needs the same number on "
    "every item, two or more: ask for {setting:coefficient='krippendorff'}, which takes what there is"
)

# estimates/annotators/rogan_gladen
GIVE_NUMBER_OF_ROWS_JUDGE_SAW = Sentence("give the number of rows that the judge saw")
GIVE_SETTING_RIGHT = Sentence("give {setting:{name}=}(right, of)")
SENSITIVITY_AND_SPECIFICITY = Sentence(
    "{arg:sensitivity} is {right:g} and specificity {other_right:g}; together they must exceed 1: such a judge "
    "tells nothing of the truth"
)
GIVE_HOW_MANY_OF_THEM_CALLS = Sentence("give how many of them it calls positive")
CORRECTION_HAS_ONE_METHOD_LANG_REICZIGEL = Sentence("this correction has one method, 'lang-reiczigel'")
AS_NUMBER_IS_SHARE_BETWEEN_0 = Sentence("as a number it is a share between 0 and 1")
OR_GIVE_RIGHT_OF = Sentence("or give (right, of)")
RIGHT_72_80 = Sentence("it must be (right, of), such as (72, 80), or a share that is known")

# estimates/batch
ARRAY_OF_COUNTS_K_ROWS = Sentence("it must be an array of counts, K rows of K for each table")
METHOD_DRAWS_FOR_ONE_TABLE = Sentence(
    "{arg:method} is {entry!r}, which draws for one table at a time; use howsure.estimate"
)
MATRICES_AND_COUNTS = Sentence("matrices and counts (tp, fp, fn, tn) were both given; give one of the two")
MATRICES_HAS_SHAPE = Sentence("matrices has the shape {shape}; its last two axes must be equal: truth, prediction")
TP_FP_AND_FN_ARE_NEEDED = Sentence("tp, fp and fn are needed, each a number or an array of counts; or give matrices")
METRIC_NEEDS_TRUE_NEGATIVES = Sentence("metric {metric!r} needs the true negatives; give tn as well")
HOLDS_COUNT_COUNTS_MUST_BE_FINITE = Sentence(
    "{arg:{name}} holds the count {flat:g}; counts must be finite and at least 0"
)
COUNT_IS_TOO_LARGE_OR_SMALL = Sentence("{arg:{name}} holds the count {first:g}; {too_large}")
COUNTS_HAVE_SHAPES_DO_NOT_FIT = Sentence("the counts have shapes that do not fit together: {shapes}; give equal shapes")
NUMBER_OR_ARRAY_OF_COUNTS_NUMBER = Sentence("it must be a number, or an array of counts, a number for each table")

# estimates/catalogue
METHOD_IS_NOT_KNOWN = Sentence("method {method!r} is not known.{hint} Known: {methods}")
METHOD_CANNOT_SERVE_METRIC = Sentence("method {method!r} cannot serve metric {metric!r}: {why}. These can: {fits}")

# estimates/confusion
CONFUSION_MATRIX_NEEDS_ONE_TRUE = Sentence(
    "a confusion matrix needs one true and one predicted label a row, and true negatives counted"
)

# estimates/curve
LABEL_IS_MISSING = Sentence("label is missing: there is a score for each of {labels}; name the class to look at")
ONE_OF_OR_METRIC_OF_LABELS = Sentence("it must be one of {makers} or a metric of labels")
WHAT_IS_RELIABILITY_NEEDS_PROBABILITIES_BETWEEN = Sentence(
    "what is 'reliability', which needs probabilities between 0 and 1; these scores are not"
)
WHAT_IS_DECISION_NEEDS_PROBABILITIES_BETWEEN = Sentence(
    "what is 'decision', which needs probabilities between 0 and 1; these scores are not"
)
SUCH_AS_10 = Sentence("such as 10")

# estimates/estimate
METHOD_AND_JUDGE_IS_INTERVAL = Sentence(
    "{arg:method} is {method!r}, and {setting:judge='wald'} is an interval of its own; leave method out"
)
TABLE_HOLDS_SLICES = Sentence(
    "table holds slices; they answer themselves: slices.report(…), slices.compare(…), slices.gap(…)"
)
TABLE_IS_OF_TYPE = Sentence(
    "table is of type {kind}; make a Table first: howsure.table(y_true, y_pred), howsure.counts(tp=…, fp=…, fn=…), "
    "howsure.matrix(…, rows=…) or howsure.read(file)"
)
JOINT_AND_ANYTIME_ARE_BOTH_GIVEN = Sentence(
    "{arg:joint} and anytime are both given; intervals hold together over a report or over all looks, not both; "
    "leave one of them out"
)
METRICS_HOLDS_BESIDE_PAIRS = Sentence(
    "{arg:metrics} holds {wrong!r} beside pairs; give metrics alone, or pairs of a model and a metric throughout, "
    "such as ({models!r}, 'f1')"
)
MODELS_DOES_NOT_GO_WITH_PAIRS = Sentence("{arg:models} does not go with pairs, which name their models; leave it out")
METRICS_HOLDS_PAIR_TWICE = Sentence("{arg:metrics} holds the pair {twice} twice; give each once")
TABLE_IS_MADE_ALREADY = Sentence("{arg:{name}} is {value!r}, and a Table is made already; give {name} where it is made")
METRICS_IS_GIVEN_TWICE = Sentence("{arg:metrics} is given twice, {given!r} and {metrics!r}; give it once")
ONE_OR_MORE_NAMES = Sentence("it must be one or more names of {models}")
MODELS_IS_EMPTY = Sentence("{arg:models} is empty; name at least one of {models}, or leave it out for all")
METRICS_IS_EMPTY = Sentence("{arg:metrics} is empty; name at least one, or leave it out for the usual ones")

# estimates/evidence
EVIDENCE_IS_MADE_BY_EVIDENCE_OF_EVIDENCE_OF_MATRICES = Sentence(
    "evidence is made by evidence_of, evidence_of_matrices or evidence_of_counts"
)

# estimates/joint
METHOD_CANNOT_SERVE_JOINTLY = Sentence("method {method!r} cannot serve metric {metric!r}: {why}")

# estimates/methods/any_function
USUALLY_9999 = Sentence("9999 is usual")
FUNCTION_RETURNS_RETURN_ONE_NUMBER = Sentence("function {function!r} returns {found!r}; it must return one number")
FUNCTION_OF_TRUTH_AND_PREDICTIONS = Sentence("it must be a function of truth and predictions")
Y_TRUE_ROWS_BUT_Y_PRED = Sentence(
    "{arg:y_true} has {shape} rows but {arg:y_pred} has {other_shape}; they must describe the same rows in the "
    "same order"
)
GROUPS_ROWS_BUT_Y_TRUE = Sentence("{arg:groups} has {number} rows but {arg:y_true} has {number_of_truth}")
BOOTSTRAP_NEEDS_TWO_UNITS = Sentence("{units} {which}: a bootstrap needs two or more")
METHOD_FUNCTION_OF_ROWS_HAS_BOOTSTRAP = Sentence(
    "method: a function of rows has the bootstrap alone; ask for another kind= anew"
)

# estimates/methods/anytime
TABLE_LOOKS_AT_ANY_TIME = Sentence(
    "table has {why}, so that looks at any time ({setting:anytime=True}) have no limits that are known to hold; "
    "look once, when all rows are there, or make each unit that was drawn one row"
)
METHOD_AND_ANYTIME_CHOOSES_OWN = Sentence(
    "{arg:method} is {method!r}, and {setting:anytime=True} chooses its own: other methods are for one look; leave "
    "one of them out"
)

# estimates/methods/bootstrap
KIND_IS_STUDENTISED_NEEDS_INFLUENCE = Sentence(
    "{arg:kind} is 'studentised', which needs the influence of a row in every resample, and that of {metric} is "
    "not known; choose {setting:kind='bca'} or 'percentile'"
)

# estimates/methods/credible
POSITIVE_NUMBER_SUCH_AS_0 = Sentence("it must be a positive number, such as 0.5 (Jeffreys) or 1")
LEAVE_OUT_FOR_100000 = Sentence("leave it out for 100000")

# estimates/methods/martingales
SUCCESSES_AND_FAILURES_MUST_BE_FINITE = Sentence("successes and failures must be finite counts, zero or larger")

# estimates/methods/ranking
METHOD_NEEDS_SCORES = Sentence("{arg:method} is {name!r}, which needs the scores; of a printed AUC there are {shapes}")

# estimates/posterior
USUALLY_100000 = Sentence("100000 are usual")
METRIC_HAS_NO_POSTERIOR_HERE = Sentence(
    "metric {metric!r} has no posterior here: rows with several labels are no draws from one list of cells; use "
    "{calling:estimate(method='bootstrap')}, or a metric of one class, such as 'f1[label]'"
)
DATA_TABLE_HOWSURE = Sentence("{arg:data} is {kind}; it must be a Table (howsure.table, counts, …) or Folds")
POSITIVE_NUMBER_PER_CELL = Sentence("it must be a positive number per cell, such as 1 (paper) or 0.5 (Jeffreys)")

# estimates/reconstruct
MILLIONS_OF_TABLES_ARE_POSSIBLE = Sentence(
    "millions of tables are possible; give more of what was printed: {setting:positives=}, recall, precision, more "
    "decimals"
)
GIVE_FIGURES_WERE_PRINTED_BY_THEIR = Sentence(
    "give the figures that were printed by their names, such as {setting:f1=0.77}"
)
NO_TABLE_GIVES_NUMBERS = Sentence(
    "no table gives these numbers: {said}{among}; look for a misprint, other decimals, or other rows behind one of them"
)
DOES_NOT_SAY_HOW_MANY_DECIMALS = Sentence(
    "{name} is {given!r}, which does not say how many decimals were printed; write it as text: '{value}.00'"
)
GIVE_N_ROWS_OF_TEST_SET = Sentence("give {setting:n=}, the rows of the test set, or {setting:positives=}, better both")
POSITIVES_MORE_THAN_ROWS_OF_N = Sentence(
    "{arg:positives} is {positives}, more than the {n} rows of {arg:n}; give both alike"
)
COUNTS_TRUE_NEGATIVES_N_IS_NEEDED = Sentence(
    "{needy} counts true negatives, so {setting:n=} is needed: the rows of the test set"
)
N_OF_MANY_ROWS_NUMBER = Sentence(
    "{arg:n} is {n}; of so many rows the number of positives must be known: give {setting:positives=}"
)
NOTHING_BOUNDS_FALSE_POSITIVES = Sentence(
    "nothing bounds the false positives; give precision or F1 as printed, or {setting:n=}"
)
METRIC_DOES_NOT_FOLLOW = Sentence("metric {chosen!r} does not follow from {ranked}; give figures of counts")
METRIC_DOES_NOT_SAY_HOW_SURE = Sentence(
    "metric {name!r} does not say how sure it is without its scores; of scores AUC alone does"
)
NEEDS_ROWS_OF_BOTH_CLASSES = Sentence(
    "{name} is {text}, which needs the rows of both classes: give {setting:n=} and {setting:positives=}, less than n"
)
NO_ARGUMENT_NOR_METRIC_OF_NAME = Sentence("there is no argument {name!r}, nor a metric of that name")
NUMBER_AS_PRINTED_SUCH_AS_0 = Sentence(
    "it must be the number as printed, such as 0.81, '0.80' or '81%', within the range of {name}"
)

# estimates/requirements
BETWEEN_0_AND_1 = Sentence("between 0 and 1")
BETWEEN_MINUS_1_AND_1 = Sentence("between −1 and 1")
CORRELATES_CLASSES = Sentence("it correlates every two classes, at most {most}, and there are {classes:,}")
FOR_AUC_ALONE = Sentence("it is made for AUC alone")
FOR_A_MEAN_OF_ROW_VALUES = Sentence("it is for a mean of row values")
FOR_A_MEAN_OR_A_RATIO_WITHOUT_AN_END = Sentence(
    "it is for a mean of row values, or for a ratio of sums per unit above 0 without an end"
)
FOR_A_RATIO_OF_SUMS = Sentence("it is for a ratio of sums per unit that has no upper end")
FOR_CALIBRATION_ALONE = Sentence("it is made for the expected calibration error alone")
FOR_F1_ALONE = Sentence("it is made for F1 alone")
FOR_METRICS_IN_RANGE = Sentence("it is for metrics {words}")
FOR_ONE_CLASS_AGAINST_THE_REST = Sentence("it is defined for one class against the rest")
FOR_RANGES_WITH_TWO_ENDS = Sentence("it is for metrics whose range has two ends")
FOR_A_BOUNDED_THRESHOLD = Sentence("it is for a metric at the best threshold that keeps a bound")
FOR_THE_BEST_THRESHOLD = Sentence("it is for a metric at the threshold that is best for it")
FROM_0_UPWARDS = Sentence("from 0 upwards (ratios)")
METHOD_IS_NEITHER_NAME_NOR_OBJECT = Sentence(
    "{arg:method} is {method!r} of type {kind}; it must be one name, or an object with options such as "
    "howsure.Bootstrap(…); ask once for each method. Known: {names}"
)
NEEDS_A_CLASS_MEAN = Sentence("it needs a plain mean over classes of precision, recall, F-beta or Jaccard")
NEEDS_A_MATRIX = Sentence("it needs a confusion matrix, and {lacking}")
NEEDS_A_MEAN_OR_RATIO_BETWEEN_ENDS = Sentence("it needs a mean or a ratio of rows between two ends")
NEEDS_A_SHARE = Sentence("it needs a metric that is a share of rows (successes and failures)")
NEEDS_A_SHARE_OR_TVERSKY = Sentence("it needs a share of rows or a Tversky index (F-beta, Jaccard, precision, recall)")
NEEDS_INDEPENDENT_VALUES = Sentence("it needs independent rows that count alike, and values in a range with two ends")
NEEDS_ONE_OUTCOME_A_ROW = Sentence("it needs rows with one outcome each, and these hold several labels")
NEEDS_THE_POSITIVE_CLASS = Sentence("it needs to know which of the two classes is positive: give {arg:pos_label}")
NEEDS_TRUE_NEGATIVES = Sentence("it needs the true negatives, which this table does not count")
NEEDS_TWO_SHARES = Sentence("it needs a metric that is a ratio of two shares of different rows (LR+, LR−)")
RESAMPLES_ONE_TABLE = Sentence("it resamples one table at a time")
RESAMPLES_ROWS_NOT_RUNS = Sentence("it resamples rows alone, and runs were sampled too")
RESAMPLES_ROWS_NOT_TASKS = Sentence("it resamples rows alone, and here the tasks are a sample too")

# estimates/threshold
FINITE_NUMBER = Sentence("it must be a finite number")
GIVE_ONE_OF_AT_LEAST_AND_AT_MOST = Sentence(
    "give one of {setting:at_least=} and {setting:at_most=}: the bound that must hold"
)
NO_METRIC_OF_LABELS_AT_THRESHOLD = Sentence(
    "{arg:{argument}} is {found!r}, which is no metric of labels at a threshold; give such as 'precision'"
)

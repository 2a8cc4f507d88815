"""What plans refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# planning/agreement
TWO_MODELS_SEE_DIFFERENT_SHARES = Sentence(
    "the two models see different shares of true classes; both must be on the same rows"
)
AGREEMENT_WITH_PERFORMANCES_LIES_BETWEEN = Sentence(
    "{arg:agreement} is {agreement!r}; with these performances it lies between {least:.4f} (errors apart as far as "
    "possible) and {most:.4f} (errors shared as far as possible)"
)

# planning/basis
BOUND_NEEDS_PREVALENCE_OR_PREDICTED = Sentence(
    "{arg:bound} is {bound!r}, which needs {setting:prevalence=} or {setting:predicted=}; give one, or leave bound out"
)
METRIC_NEEDS_PREDICTED = Sentence(
    "metric {metric!r} needs predicted (the share of rows predicted positive) for its worst case, or the "
    "performance you expect"
)
METRIC_IS_UNDEFINED = Sentence(
    "metric {metric!r} is undefined or has no slope at the performance expected; change it a little"
)
METHOD_DRAWS_AT_RANDOM = Sentence(
    "{arg:method} is {entry!r}, which draws at random for one table at a time and cannot be planned for; choose a "
    "method without draws"
)
METHOD_CANNOT_SERVE_JOINTLY = Sentence("method {entry!r} cannot serve metric {metric!r}: {why}")
PREVALENCE_CANNOT_BE_CHANGED_FOR_PILOT = Sentence(
    "prevalence cannot be changed for a pilot without a full confusion matrix of equal rows; leave it out"
)
METRIC_IS_UNDEFINED_OR_HAS_NO_SLOPE = Sentence(
    "metric {metric!r} is undefined or has no slope in the pilot; take another pilot"
)
ASSURANCE_NEEDS_PILOT_WITH_FULL_CONFUSION = Sentence(
    "assurance needs a pilot with a full confusion matrix of equal rows; leave it out"
)

# planning/clusters
LIE_BETWEEN_0_AND_1 = Sentence("it must lie between 0 and 1")
ONE_OR_LARGER = Sentence("it must be 1 or larger")
CLUSTER_SIZE_AND_ICC_GO_TOGETHER = Sentence(
    "{arg:cluster_size} and icc go together: rows per cluster, and the correlation within one"
)
PILOT_HOLDS_ONE_GROUP_ALONE = Sentence(
    "{arg:pilot} holds one group alone; the correlation within groups needs two or more"
)
PILOT_SHOWS_NO_VARIATION_CANNOT_SAY = Sentence(
    "pilot shows no variation, so it cannot say how rows hang together; give {arg:cluster_size} and icc"
)

# planning/comparison
LIE_STRICTLY_BETWEEN_0_AND_1 = Sentence("it must lie strictly between 0 and 1, such as 0.8")
GIVE_DIFFERENCE_THEN_N_IS_FOUND = Sentence(
    "give {setting:difference=} (then n is found), b's own performance, or {setting:n=} (the difference is found)"
)
ANYTIME_IS_TRUE_NEEDS = Sentence(
    "{arg:anytime} needs {needs}; give that, or leave anytime out",
)
NO_NUMBER_OF_ROWS_SETTLES_SURELY = Sentence("no number of rows settles it so surely")
ASK_FOR_LESS = Sentence("ask for less")
POWER_IS_NOT_REACHED = Sentence("{arg:power} is {power!r}, {what}")
FINITE_NUMBER_OTHER_THAN_0 = Sentence("it must be a finite number other than 0")
FINITE_NUMBER_LARGER_THAN_0 = Sentence("it must be a finite number larger than 0")
AGREEMENT_BUT_PLAN_IS_FOR_TWO = Sentence(
    "{arg:agreement} is {agreement!r}, but the plan is for two separate test sets, which share no rows to agree "
    "on; leave agreement out, or plan for the same rows"
)
DIFFERENCE_BUT_PERFORMANCES_OF_AND_B = Sentence(
    "{arg:difference} is {difference:g}, but the performances of a and b differ by {implied:.4f} in {metric}; "
    "leave out the difference, or the performance of b"
)
GIVE_PILOT_OR_MODEL_PRECISION_RECALL = Sentence(
    "give a pilot, or model a's {setting:precision=}, {setting:recall=} and {setting:prevalence=} "
    "({setting:accuracy=} for accuracy)"
)
PILOT_SHAPE_BREAKS_RULE = Sentence("{arg:pilot} has the shape {shape}; {rule}")
PILOT_HOLDS = Sentence("{arg:pilot} holds {what}; {rule}")
DIFFERENCE_CANNOT_MOVE_FAR_FROM_PERFORMANCE = Sentence(
    "{arg:difference} is {difference:g}; {metric} cannot move that far from the performance of model a; ask for "
    "less, or give the performance of both"
)
FOR_AUC_AND_METRIC = Sentence("{arg:{name}} is {value!r}, which is for AUC, and metric is {metric!r}; leave it out")
ACCURACY_SAYS_TOO_LITTLE_ABOUT = Sentence(
    "accuracy says too little about {metric!r}; give {setting:precision=}, {setting:recall=} and "
    "{setting:prevalence=}, or a pilot"
)
PILOT_HOLDS_COMPARISON_IS_PLANNED = Sentence(
    "{arg:pilot} holds {number}: {models}; a comparison is planned from two: pick them with table.pick(a, b)",
    shell="--pilot holds {number}: {models}; a comparison is planned from two: name them with --pred",
    page="the pilot holds {number}: {models}; a comparison is planned from two",
)
PILOT_MUST_HOLD_NO_WEIGHTS = Sentence("pilot must hold no weights; count it without them")
SAYS_NOTHING_LEAVE_OUT = Sentence("{arg:{name}} is {value!r}, which says nothing of {metric}; leave it out")
DIFFERENCE_TO_SETTLE = Sentence("the difference to settle")
INDEPENDENT_ROWS_BOTH_MODELS_SHARE = Sentence("independent rows that both models share")
NOT_ABOVE_1_LEVEL_NEEDS = Sentence("not above 1 − level = {level:.3g}, which needs no data; ask for more")
FROM_0_TO_BELOW_1 = Sentence("it must be from 0 to below 1, such as 0.5 for one baseline")
TABLE_OF_TWO_MODELS_OR_COUNTS = Sentence(
    "it must be a table of two models, or counts[truth, a, b] with K entries a side, zero or larger"
)
NO_ROWS = Sentence("no rows")
COUNT_BELOW_0_OR_MISSING = Sentence("a count below 0 or missing")

# planning/expected
PERFORMANCE_YOU_EXPECT_IS_NOT_COMPLETE = Sentence(
    "the performance you expect is not complete: {given} leave it open; give prevalence, recall and precision, or "
    "add one of {missing}"
)
LIE_ABOVE_0 = Sentence("it must lie above 0 and be at most 1")
NO_CLASSIFIER_CHANGE_ONE_OF_THEM = Sentence("no classifier has {words}: {why}; change one of them, or leave one out")
WITH_CLASSES_OF_EQUAL_SIZE = Sentence(
    "{metric} is {value:g}; with {classes} classes of equal size that is no better than guessing, which nobody "
    "plans for; expect more, or give a pilot"
)
NO_CLASSIFIER_CHANGE_ONE_OF_THEM_OR_GIVE_PRECISION = Sentence(
    "no classifier has {metric} {value:g} with {said}; change one of them, or give precision and recall"
)
SAYS_ABOUT_CONFUSION_MATRIX = Sentence(
    "{metric} {value:g}{words} says {what} about the confusion matrix; give {setting:prevalence=} beside it, and "
    "at most one rate more, or {setting:classes=}, the number of classes of equal size"
)
BUT_PLAN_GIVE_WHAT_YOU_EXPECT = Sentence(
    "{name} is {value!r}, but the plan is for {metric}; give what you expect of {metric} itself, or "
    "{setting:precision=}, {setting:recall=} and {setting:prevalence=}"
)
NO_ARGUMENT_NOR_METRIC_OF_NAME = Sentence("there is no argument {name!r}, nor a metric of that name")
STRICTLY_BETWEEN_0_AND_1 = Sentence("it must lie strictly between 0 and 1")
TOO_LITTLE = Sentence("too little")
TOO_MUCH = Sentence("too much")

# planning/judged
PILOT_JUDGED_ROWS_ALREADY = Sentence("the pilot has {judged} judged rows already")
NUMBER_LARGER_THAN_0 = Sentence("it must be a number larger than 0")
COST_BESIDE_A_JUDGE = Sentence(
    "{arg:cost} has the keys {cost}; beside a judge it has 'label' and perhaps 'judge', as in {setting:cost={what!r}}"
)
GOAL_ASKS_FOR_LABELS_WITHOUT_JUDGE = Sentence(
    "the goal asks for {needed:,.0f} labels without a judge, and the pool has {judged:,.0f} rows: not even labels "
    "on all of them would do; give a larger {arg:pool}, or ask for less"
)
GIVE_ONE_OF_HALF_WIDTH_SE_N = Sentence(
    "give one of {setting:half_width=}, {setting:se=}, {setting:n=}, or a {arg:budget} with {setting:cost=}: what "
    "should be reached, or what there is"
)
JUDGE_ALONE_COSTS_FOR_ROWS = Sentence("the judge alone costs {budget:g} for the rows of the pool")
PRICE_IS_LARGER_THAN_0 = Sentence("a price is larger than 0")

# planning/labelling/allocation
METRIC_IS_UNDEFINED_OR_HAS_NO_SLOPE_AT_PERFORMANCE = Sentence(
    "metric {metric!r} is undefined or has no slope at the performance expected"
)

# planning/labelling/choose
GIVE_SUCH_AS_200 = Sentence("give it such as 200")
ONLY_ROWS_HAVE_NO_LABEL = Sentence("only {free} rows have no label")
CHOOSE_FEWER = Sentence("choose fewer")
ESTIMATE_NEEDS_LABELS_OR_MORE = Sentence("an estimate needs {least} labels or more")
PREDICTIONS_IS_MISSING = Sentence("{arg:predictions} is missing; name the model or models whose score is wanted")
IDS_GOES_WITH_COLUMNS_IN_MEMORY = Sentence(
    "{arg:ids} goes with columns in memory; of a file name its column with {setting:id=}"
)
COLUMN_OF_FILE_OR_LIST = Sentence("of a file it must be the name of a column, or a list of them")
JUDGE_AND_PREDICTIONS_HAVE_NAME = Sentence(
    "{arg:judge} and predictions have a name in common: {models}; give each its own"
)
PREDICTIONS_HAS_ROWS_WITHOUT_LABEL = Sentence(
    "{arg:predictions} has rows without a label of {empty}; a model answers every row"
)
IDS_NAMES_SOME_ROWS_TWICE = Sentence("{arg:ids} names some rows twice; each row needs a name of its own")
SOURCE_IS_TABLE_WHOSE_ROWS_HOLD = Sentence(
    "source is a Table whose rows hold no single labels; give columns of labels or a file"
)
SOURCE_IS_TABLE_IN_EVERY_ROW = Sentence(
    "source is a Table in which every row has a label; give one with rows that nobody looked at, made with "
    "{setting:judge=}, or columns of labels or a file"
)
ID_NAMES_COLUMN_OF_FILE = Sentence("{arg:id} names a column of a file; give the names themselves with {setting:ids=}")
COLUMN_OF_FILE = Sentence("of a file it must be the name of a column")
TABLE_KNOWS_ITS_OWN = Sentence("{arg:{name}} is {value!r}, and a Table knows its own; leave it out")

# planning/pilots
PILOT_WERE_BOTH_GIVEN = Sentence(
    "{arg:pilot} and {name} were both given; the pilot says what to expect, so leave {name} out"
)
PILOT_SHAPE = Sentence("{arg:pilot} has the shape {shape}; {pilots}")
PILOT_HOLDS_MODELS = Sentence(
    "{arg:pilot} holds {number} models: {models}; a plan is made from one: pick it with table.pick(name)",
    shell="--pilot holds {number} models: {models}; a plan is made from one: name it with --pred",
    page="the pilot holds {number} models: {models}; a plan is made from one",
)
PREVALENCE_BUT_PILOT_CLASSES = Sentence(
    "{arg:prevalence} is {prevalence:g}, but the pilot has {classes} classes and no positive one; leave prevalence out"
)
PILOT_HOLDS_ONE_TRUE_CLASS_ALONE = Sentence(
    "{arg:pilot} holds one true class alone; it says nothing about the other, so give one with both"
)
PILOT_HAS_KEYS = Sentence("{arg:pilot} has the keys {pilot}; counts are tp, fp, fn and perhaps tn: {pilots}")
GIVE_TABLE_FILE_OF_PREDICTIONS_DICT = Sentence(
    "give a Table, a file of predictions, dict(tp=…, fp=…, fn=…, tn=…), or a K×K matrix with truth in rows"
)

# planning/plan
GOES_WITH_PILOT_HAS_JUDGE = Sentence("it goes with a pilot that has a judge")
MAKE_ONE_WITH_JUDGE = Sentence("make one with {setting:judge=}")
GIVE_EXACTLY_ONE_OF_HALF_WIDTH_SE = Sentence(
    "give exactly one of {setting:half_width=}, {setting:se=} and {setting:n=}: what should be reached, or the "
    "rows there are"
)
BOUND_IS_ABOUT_WORST_CASE = Sentence(
    "{arg:bound} is {bound!r}, which is about the worst case of all classifiers, but the performance is given; "
    "leave bound out, or plan with {setting:prevalence=} (or {setting:predicted=}) alone"
)
ANYTIME_IS_TRUE_NEEDS_PERFORMANCE_YOU = Sentence(
    "{arg:anytime} needs the performance you expect ({setting:precision=}, {setting:recall=}) or a pilot; give "
    "one, or leave anytime out",
)
METHOD_BUT_WORST_CASE_OVER_ALL = Sentence(
    "{arg:method} is {name!r}, but the worst case over all classifiers is a bound on the standard error, for "
    "{worst_method!r} alone; give the performance you expect ({setting:precision=}, {setting:recall=}) or a pilot "
    "to plan for {name!r}, or leave method out"
)
TABLE_HOLDS_SEVERAL_RUNS_OF_MODEL = Sentence(
    "{arg:table} holds several runs of a model, so that rows alone are half of the answer; ask "
    "howsure.plan(metric, pilot=table, half_width=…)",
    shell=(
        "there are several runs of a model, so that rows alone are half of the answer; ask howsure plan "
        "METRIC --pilot FILE --half-width NUMBER"
    ),
    page="there are several runs of a model, so that rows alone are half of the answer; plan with the pilot",
)
AND_ANYTIME_IS_TRUE_PLANS_INTERVAL = Sentence(
    "{arg:{name}} is {value!r}, and anytime is True, which plans an interval of independent rows; leave one of them out"
)
NO_NUMBER_OF_ROWS_UP = Sentence("no number of rows up to 10¹² reaches the target; ask for less")
LIE_STRICTLY_BETWEEN_0_HALF_RANGE = Sentence("it must lie strictly between 0 and {most:g}, half the range of {metric}")
ASSURANCE_FROM_ONE_HALF = Sentence("it must lie from 0.5 to below 1 and goes with {setting:half_width=}")

# planning/power
DIFFERENCE_NO_NUMBER_OF_ROWS = Sentence("{arg:difference} is {away}: no number of rows can show it{remedy}")
N_FEW_ROWS_DETECT_NO_RISE = Sentence(
    "{arg:n} is {n}; so few rows detect no rise of {metric} that is left above model a, at most {low:.3g}; plan "
    "for more rows"
)
ZERO_AS_PLANNED = Sentence("0 as planned")
BEYOND_MARGIN = Sentence("{difference:g}, beyond the margin {margin:g}")
PLAN_FOR_DIFFERENCE = Sentence("; plan for a difference")

# planning/runs/run_plans
LARGER_THAN_0 = Sentence("it must be larger than 0")
PILOT_PICK_ONE_MODEL = Sentence(
    "{arg:pilot} holds the models {models}; pick one with table.pick(name)",
    shell="--pilot holds the models {models}; name one with --pred",
    page="the pilot holds the models {models}; name one",
)
GIVE_ONE_OF_HALF_WIDTH_AND_SE = Sentence("give one of {setting:half_width=} and {setting:se=}")
PILOT_PICK_TWO_MODELS = Sentence(
    "{arg:pilot} holds the models {models}; pick two with table.pick(a, b)",
    shell="--pilot holds the models {models}; name two with --pred",
    page="the pilot holds the models {models}; name two",
)
PLAN_OF_RUNS_AND_ROWS_NEEDS = Sentence("a plan of runs and rows needs the price of each")
GIVE_BOTH_PRICES = Sentence("give {{'run': 1000, 'row': 1}}")
PRICES_MUST_BE_LARGER_THAN_0 = Sentence("prices must be larger than 0")
BUDGET_AND_PRICES_ARE_MISSING = Sentence("{arg:budget} is {budget!r}, and prices are missing; give {setting:cost=}")
BUDGET_DOES_NOT_BUY_TWO_RUNS = Sentence("{arg:budget} is {budget!r}, which does not buy two runs and a row; give more")
NO_RUNS_REACH = Sentence("no {most_runs} runs reach {target:g}; ask for less")
WEIGHS_RUNS_AGAINST_ROWS_NEEDS_PILOT = Sentence(
    "it weighs runs against rows, which needs a pilot with several runs of its models"
)
GIVE_PILOT_SUCH_AS_HS = Sentence(
    "give {setting:pilot=} such as hs.table(y, {{'a': [run1, run2, run3]}})",
    shell="give --pilot a file with several runs, by --pred 'bert=bert_*' or --run COLUMN",
)
PILOT_WITH_RUNS_KNOWS_IT = Sentence("a pilot with several runs of a model knows it already, or runs have no use for it")
LEAVE_OUT_OR_PILOT_OF_ONE_RUN = Sentence("leave it out, or give a pilot of one run")
GIVE_GOAL_HALF_WIDTH_OR_DIFFERENCE = Sentence(
    "give a goal ({setting:half_width=} or {setting:difference=}), {setting:budget=} with {setting:cost=}, or both "
    "{setting:n=} and {setting:runs=}"
)
N_ON_NO_NUMBER_OF_RUNS = Sentence("{arg:n} is {n:,}, on which no number of runs reaches {target:g}; give more rows")
NO_NUMBER_OF_ROWS_REACHES = Sentence("no number of rows reaches {target:g} with so many runs")
TAKE_AT_LEAST_RUNS_OR_ASK = Sentence("take at least {least} runs, or ask for less")

# planning/scenarios
PRICE_OF_A_LABEL = Sentence("it must be a number larger than 0: the price of one label")
BUDGET_BUT_NOBODY_SAID_WHAT_LABEL = Sentence(
    "{arg:budget} is {budget:g}, but nobody said what a label costs; give {setting:cost=}"
)
BUDGET_BUYS_NO_LABEL_AT_EACH = Sentence("{arg:budget} is {budget:g}, which buys no label at {price:g} each; give more")
COST_HAS_KEYS = Sentence(
    "{arg:cost} has the keys {cost}; this plan buys labels alone, so give one: {setting:cost={what!r}}"
)

# planning/scored
LIE_FROM_1_TO_1 = Sentence("it must lie from -1 to 1, such as 0.6")
METRIC_WHOSE_VARIANCE_DOES_NOT_FOLLOW = Sentence(
    "{arg:metric} is {metric!r}, whose variance does not follow from its value; give a table of scores as "
    "{setting:pilot=}"
)
PLAN_FOR_NEEDS_VALUE_EXPECTED = Sentence(
    "a plan for {metric} needs the value expected, such as {metric}=0.85, and {setting:prevalence=}, the share of "
    "positives; or a table of scores as {setting:pilot=}"
)
COMPARISON_OF_AUC_NEEDS_MODEL_AUC = Sentence(
    "a comparison of AUC needs model a's {setting:auc=} and {setting:prevalence=}, the share of positives; or a "
    "table of scores of two models as {setting:pilot=}"
)
LIE_STRICTLY_BETWEEN_0_AND_1_SUCH_AS_0 = Sentence("it must lie strictly between 0 and 1, such as 0.85")
TAKES_AUC_BEYOND_0_OR_1 = Sentence("it takes AUC beyond 0 or 1 from {auc:g}")

# planning/stopping
DIFFERENCE_IS_TOO_SMALL_FOR_SPREAD = Sentence(
    "the difference is too small for its spread to say when it will be settled; ask for more"
)

# planning/strata
GIVE_PILOT_OR_WHAT_YOU_EXPECT = Sentence("give a pilot or what you expect, not both: the pilot says what to expect")
GIVE_PILOT_OR_PERFORMANCE_YOU_EXPECT = Sentence(
    "give a pilot or the performance you expect, not both: the pilot says what to expect"
)
PILOT_MUST_BE_FULL_CONFUSION_MATRIX = Sentence(
    "pilot must be a full confusion matrix of equal rows with one label each"
)
GIVE_EXACTLY_ONE_OF_N_HALF_WIDTH = Sentence(
    "give exactly one of {setting:n=}, {setting:half_width=} and {setting:se=}: the labels there are, or what "
    "should be reached"
)
TARGET_NUMBER_LARGER_THAN_0 = Sentence("the target is {half_width!r}; it must be a number larger than 0")
GIVE_PREDICTED_WITH_PRECISION_AND_RECALL = Sentence(
    "give {setting:predicted=} with {setting:precision=} and {setting:recall=} (or {setting:npv=}), or a pilot: "
    "what to expect"
)
WHOLE_NUMBER_OR_LARGER = Sentence("it must be a whole number, {least} or larger: {why}")
LABELS_IN_EACH_OF_PREDICTED_CLASSES = Sentence("{least} labels in each of {classes} predicted classes")

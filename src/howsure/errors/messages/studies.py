"""What studies refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# studies/checkpoint
CHECKPOINT_IS_FILE = Sentence("{arg:checkpoint} is {home!r}, which is a file; name a folder, it will be made")
SUM_IS_NOT_NUMBER = Sentence("a sum is not a number")

# studies/joint_study
POPULATION_MUST_BE_TABLE = Sentence(
    "{arg:population} must be a Table of one label a row with the models to look at, where joint is True: "
    "howsure.table(y_true, {{'a': predictions_a, 'b': predictions_b}})",
    shell=(
        "--population must be a file of predictions, one label a row, with the models to look at, where "
        "--joint is given"
    ),
    page="the population must be a file of predictions, one label a row, with the models to look at",
)
POPULATION_HAS_GROUPS_WEIGHTS_OR_STRATA = Sentence(
    "{arg:population} has groups, weights or strata; joint studies draw independent rows"
)
METRIC_IS_EMPTY = Sentence("{arg:metric} is empty; name at least one")
METHODS_HOLDS_JOINT_STUDIES_KNOW = Sentence(
    "methods holds {unknown!r}; joint studies know {joint}; leave it out for all"
)

# studies/scored
SCORE_POPULATIONS = Sentence(
    "give dict(auc=…, prevalence=…), with shape=, spread=, hidden=, levels=, mirrored= where scores are not binormal; "
    "or dict(slope=…, intercept=…, mean=…, spread=…) for probabilities; per_group=, icc=, weights= for groups, weights"
)
POPULATION_KEYS_OF_NO_SCORES = Sentence("{arg:population} has the keys {unknown}, which go with no such scores; {give}")
POPULATION_FIELD_IS_NO_NUMBER = Sentence("{arg:population} has {name} {value!r}; it must be a number")
POPULATION_ROWS_CANNOT_BE = Sentence(
    "{arg:population} has per_group {per_group:g}, icc {icc:g}, weights {weights:g}; per_group is a whole number from "
    "1 on, icc from 0 to below 1, weights 0 or more"
)
POPULATION_SCORES_CANNOT_BE = Sentence(
    "{arg:population} has prevalence {prevalence:g}, hidden {hidden:g}, spread {spread:g}, levels {levels:g}; "
    "prevalence lies between 0 and 1, hidden from 0 to below 1, spread is above 0, levels is 0 or the number of them"
)
WITH_HIDDEN = Sentence(" with hidden {hidden:g}")
POPULATION_AUC_CANNOT_BE = Sentence(
    "{arg:population} has auc {auc:g}; it must lie strictly between {low:g} and {high:g}{beside}"
)
POPULATION_IS_OF_SCORES = Sentence(
    "{arg:population} is one of scores: samples are simulated, and those without a row of each class are left out; "
    "leave exact and undefined out"
)

# studies/papers/drawing
DRAWING_FIGURES = Sentence("drawing the figures")

# studies/papers/wang2019_corpus
TYPE_NO_CHUNK = Sentence("{arg:type} is {unknown!r}, which no chunk has; there are {known}")
SCHEME_NAMES_EXPERIMENT_COMPARES_TWO_DIFFERENT = Sentence(
    "{arg:scheme} names {schemes}; the experiment compares two different tag sets"
)
CHUNKING_EXPERIMENT = Sentence("the chunking experiment")

# studies/papers/yuan2025_data
DATA_IN_SPLITS_OF_SOME_RULE = Sentence(
    "{arg:data}: in {most_skipped} splits of {name} some rule found no positive row; are these the right data?"
)
DATA_HOLDS_CSV = Sentence(
    "{arg:data} is {folder!r}, which holds no {name}.csv; give a folder with abalone.csv and letter.csv (UCI "
    "Machine Learning Repository), or 'openml' to fetch them"
)
FETCHING_DATA_FROM_OPENML = Sentence("fetching data from OpenML")
TRAINING_PAPER_RULES_AGAIN = Sentence("training the paper's rules again")

# studies/scenario
EXACT_IS_TRUE_BUT_N_ALLOWS = Sentence(
    "exact is True, but n = {n} allows about {size:,} tables (at most {most_asked:,}); leave exact out to simulate"
)
METHODS_IS_EMPTY = Sentence(
    "{arg:methods} is empty; name at least one, or leave it out for every one that serves the metric"
)
METHOD_CANNOT_SERVE_METRIC = Sentence("method {entry!r} cannot serve metric {metric!r}: {missing}. These can: {fits}")

# studies/study
JOINT_IS_TRUE = Sentence(
    "{arg:joint}: such intervals are two-sided and simulated, over samples in which every estimate has a "
    "value; leave side, exact and undefined out",
)
ONE_OR_MORE_WHOLE_NUMBERS_1 = Sentence("it must be one or more whole numbers, 1 or larger")
METRIC_IS_0_0_IN_POPULATION = Sentence(
    "metric {metric!r} is 0/0 in the population{what}, so no interval can cover it; give every class of the metric "
    "a share, in truth or in prediction"
)
ONE_METRIC_OR_SEVERAL_WITH_JOINT = Sentence("it must be one metric, or several with {setting:joint=True}")

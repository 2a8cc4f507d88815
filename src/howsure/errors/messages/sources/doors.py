"""What the doors for data refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# sources/frames
SOURCE_IS_OF_TYPE = Sentence(
    "{arg:source} is of type {kind}; it must be a path, a list of paths, an open file, or a data frame that "
    "narwhals knows: pandas, polars, pyarrow, Modin, Dask, PySpark, a DuckDB relation or an Ibis table"
)
WEIGHT_NAMES_COLUMN_OF_TYPE = Sentence(
    "{arg:weight} names the column {weight!r} of type {schema}; weights must be numbers; cast it"
)
SOURCE_HAS_COLUMNS_OF_SAME_NAME = Sentence("{arg:source} has columns of the same name ({twice}); rename one")
NAMES_COLUMN_OF_TYPE_HOLDS_SEVERAL = Sentence(
    "{arg:{argument}} names the column {column!r} of type {schema}, which holds several values in a row; each row "
    "needs one integer, boolean or string; take one value of each row first"
)
ROWS_CANNOT_BE_COMPARED = Sentence(
    "{name} has rows that cannot be compared ({error}); each row needs one integer, boolean or string in each "
    "column that is read; take one value of each row first"
)
THE_FRAME = Sentence("the frame")

# sources/histogram
SUCH_AS_65536 = Sentence("such as 65536")
TRUTH_HAS_LABELS = Sentence("truth has the labels {seen}; a histogram is of two classes")
POS_LABEL_ONE_OF_CLASS_SCORES = Sentence(
    "{arg:pos_label} is {asked!r}; it must be one of {seen}, the class the scores are of"
)
SCORES_NAMES_IN_ROWS = Sentence(
    "{arg:scores} names {name!r}, in which {bad:,} rows have no truth or no probability between 0 and 1; filter "
    "them out, or bring the scores to [0, 1]"
)
HISTOGRAMS_TO_ADD_DIFFER = Sentence(
    "histograms to add differ: models {models} and {other_models}, {bins} and {other_bins} bins, labels {labels} "
    "and {other_labels}; all must be the same"
)
MODEL_IS_NOT_NAMED = Sentence("{arg:model} is not named and there are {models}; name one")
MODEL_IS_NOT_IN_HISTOGRAM = Sentence("model {name!r} is not in the histogram; it holds {models}")
NO_COLUMN_COLUMNS = Sentence("{source} has no column {name!r}; its columns are {columns}")

SECOND_PASS_OF_PATH = Sentence(
    "{arg:source} is a path; the second pass is made by an engine: give a lazy frame, such as "
    "polars.scan_parquet(…) or duckdb.sql(\"FROM '…'\")"
)
HISTOGRAM_OF_WEIGHTS = Sentence("rows carry weights, and a histogram counts rows; its bounds are of counts alone")

# sources/second_pass
SECOND_PASS_OF_OTHER_ROWS = Sentence(
    "{arg:source} has {rows:,.0f} rows in the bins of this histogram, which counted {size:,.0f}; the second pass is "
    "over the same rows as the first"
)
SECOND_PASS_WITHOUT_CLASS = Sentence("{arg:truth} has no rows of {missing}; the second pass is over the same rows")

# sources/read
FOR_SEVERAL_ANNOTATORS = Sentence("it is for several annotators")
LIST_THEM_AS_TRUTH = Sentence("list them as {setting:truth=}")
TASK_AND_TRUTH_IS_SEVERAL_ANNOTATORS = Sentence(
    "{arg:task} is {task!r}, and the truth is several annotators; read each task, then hs.tasks",
    shell="--task is {task!r}, and the truth is several annotators; read each task by itself",
    page="task is {task!r}, and the truth is several annotators; read each task by itself",
)
NAME_OF_COLUMN_OR_TRUE_WHERE = Sentence("it must be the name of a column, or True where each file is a task")
READER_OF_GAVE_NOT_TABLE = Sentence("the reader of {name!r} gave a {kind}, not a Table")
JUDGE_IS_GIVEN_FILES = Sentence(
    "{arg:judge} is given, and {number} files; truth, judge and predictions are read from one file: join them by "
    "their id first"
)
SEVERAL_FILES_OF_SCORES = Sentence("{arg:source} holds {number} files; slices of scores are read from one file")
BY_BUT_LOG_OF_FORMAT_CANNOT = Sentence(
    "{arg:by} is {by!r}, but a log of format {logs!r} cannot be sliced; read it without by"
)
SEVERAL_FILES_OF_SLICES = Sentence(
    "{arg:source} holds {number} files; slices are read from one, or from logs of evaluation tools: join several "
    "by id first, or leave by out"
)
SOURCE_IS_LIST_OF_OTHER_THINGS = Sentence(
    "{arg:source} is a list of other things than paths; give paths of files, or a data frame"
)
SOURCE_MIXES_LOGS_AND_OTHER_FILES = Sentence("{arg:source} mixes logs and other files ({kinds}); read them apart")
BUT_FILES_OF_TAGS_HAVE_NONE = Sentence("{arg:{name}} is {request!r}, but files of tags have none; leave it out")
SEVERAL_FILES_OF_ROWS = Sentence("{arg:source} holds {number} files; values, sums and long tables are read from one")
SCORES_IS_GIVEN_BUT_LOG = Sentence("{arg:scores} is given, but a log of format {kind!r} holds answers; leave it out")

# sources/stratified
NO_LABELLED_ROW = Sentence("no labelled row")
ONE_LABELLED_ROW = Sentence("one labelled row")
Y_TRUE_HOLDS_SEVERAL_LABELS_PER_ROW = Sentence("y_true holds several labels per row; strata are for one label per row")
TABLE_HOLDS_SEVERAL_LABELS_PER_ROW = Sentence("table holds several labels per row; strata are for one label per row")
STRATA_IS_MISSING_AND_TABLE_HOLDS = Sentence(
    "{arg:strata} is missing and the table holds the models {models}; say which stratum each row was sampled from"
)
STRATA_IS_MISSING = Sentence("{arg:strata} is missing; say which stratum each row was sampled from")
STRATA_IS_MISSING_AND_Y_PRED_HOLDS = Sentence(
    "{arg:strata} is missing and y_pred holds {number} models: {predictions}; say which stratum each row was "
    "sampled from"
)
GIVE_ONE_OF_SHARES = Sentence(
    "give one of {setting:shares=} (each stratum's share of the pool) and {setting:pool=} (its number of rows)"
)
MAP_EACH_STRATUM_TO_NUMBER = Sentence("it must map each stratum to a number, as in {{'a': 0.1, 'b': 0.9}}")
NAMES_BUT_LABELLED_ROWS = Sentence(
    "{arg:{argument}} names {given}, but the labelled rows are of {names}; both must be the same, with some rows "
    "labelled in every stratum"
)
HOLDS_EVERY_STRATUM_NEEDS_FINITE_NUMBER = Sentence(
    "{arg:{argument}} holds {least:g}; every stratum needs a finite number larger than 0"
)
STRATUM_HAS_FEW_LABELLED_ROWS = Sentence("stratum {few!r} has {rows}; a variance needs two or more in every stratum")
POOL_ROWS_IN_STRATUM = Sentence(
    "{arg:pool} has {sizes:g} rows in stratum {names!r}, of which {sampled:g} are labelled; a pool holds at least "
    "its labelled rows"
)
GIVEN_BESIDE_SAMPLE_WEIGHT = Sentence(
    "{arg:{name}} is given beside {arg:sample_weight}; both say what a stratum stands for: leave one out"
)
SAMPLE_WEIGHT_IN_STRATUM = Sentence(
    "{arg:sample_weight} is {least:g} and {most:g} in stratum {name!r}; rows of one stratum stand for as many rows "
    "of the pool each: rows over labels, old and new together"
)
GROUP_HAS_ROWS_IN_STRATA = Sentence(
    "group {group!r} has rows in the strata {of_group!r} and {stratum!r}; groups must lie within strata, because "
    "strata are sampled apart"
)
FOR_STRATUM_EACH_NEEDS_FINITE_NUMBER = Sentence(
    "{arg:{argument}} has {given!r} for stratum {name!r}; each needs a finite number larger than 0"
)
SHARES_SUM_THEY_MUST_SUM = Sentence(
    "{arg:shares} sum to {sizes:g}; they must sum to 1 (for numbers of rows use {setting:pool=})"
)

# sources/task_files
SOURCE_HOLDS_ONE_TASK = Sentence(
    "{arg:source} holds one task, {found}; give one file or one folder for each task, or name the column of tasks "
    "with {setting:task='…'}"
)
SOURCE_OF_TASKS_OF_TYPE = Sentence(
    "{arg:source} is of type {kind}; with {setting:task=True} it must be paths, one file or folder a task, or a "
    "mapping from their names; of a frame name the column: {setting:task='…'}"
)
SOURCE_HAS_TWO_TASKS_CALLED = Sentence("{arg:source} has two tasks called {twice!r}; name them in a mapping")

"""What files refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# sources/files/distinct_rows
WEIGHT_IS_AT_MOST_IN_EVERY = Sentence(
    "{source}: weight {weight_name!r} is at most {most:g} in every row; below {smallest:g} squares of weights "
    "vanish; multiply all weights by a common factor."
)
WEIGHT_IS_ZERO_IN_EVERY_ROW = Sentence(
    "{source}: weight {weight_name!r} is zero in every row; at least one row must count; give a weight above zero."
)

# sources/files/duckdb_engine
MEMORY_AND_THREADS_DUCKDB = Sentence(
    "{arg:memory} is {limits!r} and threads {other_limits!r}, which DuckDB does not take ({first_line}); give "
    "memory such as '400MB' and threads such as 2"
)
READING_FILE = Sentence("reading this file")
SOURCE_IS_NOT_UTF_8 = Sentence("{source} is not UTF-8 ({reason}); convert it to UTF-8 first")

# sources/files/formats
SOURCE_IS_DIRECTORY_HOLDS = Sentence(
    "{arg:source} is the directory {path!r}, which holds {what}; name the files with a glob"
)
SOURCE_HOLDS_FILES_OF_DIFFERENT_FORMATS = Sentence(
    "{arg:source} holds files of different formats: {files}; read them apart, or name a format"
)
OF_FORMAT_CANNOT_BE_READ = Sentence("{files!r} is of format {found}, which cannot be read; write it as Parquet or CSV")
SOURCE_WHOSE_ENDING_NAMES_NO_FORMAT = Sentence(
    "{arg:source} is {name!r}, whose ending names no format; name it with {setting:format=}, one of {tabular}"
)
UNFOLDS_TO_BYTES_MORE_THAN_TIMES = Sentence(
    "{name!r} unfolds to {unfolded:,} bytes, more than {ratio} times its size, as files made to exhaust a machine "
    "do; {remedy}"
)
SOURCE_IS_NO_PATH = Sentence("{arg:source} is {name}, which is no path ({args})")
READING_ZSTD_FILES = Sentence("reading zstd files")
EMPTY_FILE_OF_PREDICTIONS_NEEDS_HEADER = Sentence(
    "{name!r} is empty; a file of predictions needs a header and at least one row"
)
ARCHIVE_PACKED_WITH_ZSTANDARD = Sentence("an archive packed with Zstandard")
DAMAGED_FILE_FETCH_OR_WRITE_AGAIN = Sentence("{name!r} is a damaged {packing} file ({error}); fetch or write it again")
OF_BYTES_UNFOLDS_TO_MORE = Sentence(
    "{name!r} of {size:,} bytes unfolds to more than {ratio} times its size and {expanded:,} bytes, as files made "
    "to exhaust a machine do; if you trust it, unfold it yourself and read the result"
)
FILES_OF_SEVERAL_FORMATS = Sentence("files of several formats ({kinds})")
NO_FILE_OF_KNOWN_FORMAT = Sentence("no file of a known format")

# sources/files/guess_columns
TRUTH_IS_NOT_GIVEN_AND_SEVERAL = Sentence(
    "{arg:truth} is not given and several columns could be it: {found}; name one with {setting:truth=}{hint}"
)
TRUTH_NAMES_COLUMN = Sentence(
    "{arg:truth} names the column {truth!r}, which is not there; the columns are {columns}.{hint}"
)
PREDICTIONS_IS_NOT_GIVEN = Sentence(
    "{arg:predictions} is not given and no column looks like one: beside the truth {chosen!r} there {others} with "
    "its labels {labels}; name them"
)
TRUTH_IS_NOT_GIVEN = Sentence(
    "{arg:truth} is not given and no column is named like one (label, truth, y_true, target, gold, …); the columns "
    "are {columns}; name it with {setting:truth=}{hint}"
)

# sources/files/join_by_id
FILES_NAMES_FILE_TWICE = Sentence(
    "files names a file twice: {paths}; name each once, or give a mapping of names to files"
)
FILES_MUST_BE_AT_LEAST_TWO = Sentence(
    "files must be at least two, in a list or a mapping of names to files; read one with read()"
)
PREDICTIONS_IS_MAPPING = Sentence(
    "{arg:predictions} is a mapping; for several files name the columns, and the models by their files"
)
TRUTH_NAMES_COLUMN_NO_FILE = Sentence("{arg:truth} names the column {truth!r}, which no file has; {have}")
PREDICTIONS_AND_BESIDE_ID_AND_TRUTH = Sentence(
    "predictions: {have}, and beside the id {id!r} and the truth {truth!r} nothing to judge; every file must have "
    "a column of predictions, but for one that alone has the truth; rename a column of predictions that is called "
    "{truth!r} too, or leave the file out"
)
TRUTH_IS_NOT_IN_FIRST_FILE = Sentence(
    "{arg:truth} names the column {truth!r}, which {scan} does not have; put the file that has it first"
)
ID_IS_NOT_GIVEN_AND_FILES = Sentence(
    "{arg:id} is not given and the files share {which} named like one{found}; name the column that identifies rows "
    "with {setting:id=}: files are never joined by the order of their rows. (The parts of one file are read "
    "together with a glob or a directory.)"
)
PREDICTIONS_NAMES_NONE = Sentence(
    "{arg:predictions} names {wanted}, none of which {scan} has; its columns are {columns}"
)
LINES_HAVE_NOT_FIELDS = Sentence("{scan}: {torn:,} lines have not {number} fields; correct them first")
DO_NOT_HOLD_SAME_ROWS = Sentence(
    "{source} do not hold the same rows: {said}. Every id must be in every file once; correct them, or leave such "
    "rows out with {setting:on_bad='skip'}."
)
NAMES_COLUMN_FIRST_FILE = Sentence(
    "{arg:{argument}} names the column {column!r}, which the first file {scan} does not have; its columns are {columns}"
)
ID_NAMES_COLUMN = Sentence("{arg:id} names the column {key!r}, which {scan} does not have; its columns are {columns}")
TRUTH_DIFFERS_BETWEEN_IN_ROWS_FIRST = Sentence(
    "truth {truth!r} differs between {scan} and {other_scan} in {number:,} rows, first for the id {row!r}: "
    "{first!r} and {second!r}; files of one test set must agree on the truth"
)
SEVERAL_COLUMNS = Sentence("several columns")
NO_COLUMN = Sentence("no column")

# sources/files/matrix_files
HOLDS_NOTHING_BUT_BLANKS = Sentence("{name!r} holds nothing but blanks; give the counts, one row a line")
ROWS_OF_FIELDS = Sentence(
    "{name} has {number} rows of {number_of_cells} fields; a confusion matrix is square, with labels in the first "
    "row and column if at all"
)
LABELS_ON_TOP_AT_LEFT = Sentence(
    "{name} has the labels {above} on top but {beside} at the left; both must be the same, in the same order"
)
ROWS_OF_NUMBERS = Sentence(
    "{name} has {wide} rows of {other_wide} numbers; a confusion matrix is square: give K rows of K counts, with "
    "labels in the first row and column if at all"
)
ROWS_NAMES_ROWS = Sentence(
    "{arg:rows} is {rows!r}, but {name} names its rows {said!r} (its first line is {corner!r}, {top}); pass "
    "{setting:rows={said!r}}, or correct the file"
)
NO_ROW_OF_COUNTS = Sentence("{name} has no row of counts{what}; check the file")
MODEL_REPEAT_FOLD_MORE_THAN_ONCE = Sentence(
    "{name} has model {double!r}, repeat {other_double}, fold {third_double} more than once; each must be there "
    "once; choose among the rows with {setting:where=}, by one of {others}"
)
COLUMNS_ARE_NOT_IN_FILE = Sentence(
    "columns {lacking} are not in the file; its columns are {header}; counts per fold need fold, tp, fp and fn.{hint}"
)
WHERE_NAMES_COLUMN = Sentence("{arg:where} names the column {unknown!r}, which {name} does not have; it has {header}")
ROW_FIELDS_BUT_HEADER = Sentence(
    "{name}, row {line} has {number} fields, but the header has {number_of_header}; correct the row"
)
ROW_COUNT_MUST_BE_FINITE_NUMBER = Sentence(
    "{name}, row {line}: {part} is {text!r}; a count must be a finite number, zero or larger"
)
CELL_IS_NO_NUMBER = Sentence("{name}, row {line}: {part} is {row!r}; it must be a number")
NO_TABLE_OF_COUNTS = Sentence("{name!r} is no table of counts ({error}); give the counts, one row a line")
ROW_NOT_COUNTS_ROWS_OF_CONFUSION = Sentence(
    "{name}, row {place}: {row} are not the {number} counts that {number} rows of a confusion matrix need; give K "
    "rows of K counts, labels in the first row and column if at all"
)
ROW_BUT_TP = Sentence("{name}, row {line}: {part} is {values:g}, but tp + {sum_of} is {tp:g}; correct the counts")

# sources/files/partitions
PARTITIONS_IS_TRUE_IS_PATTERN = Sentence(
    "{arg:partitions} is given, but {pattern!r} is a pattern in an object store, whose folders only the engine "
    "sees; name the files, or give hs.read a frame that reads them, such as polars.scan_parquet(…)",
    shell=(
        "--partitions is given, but {pattern!r} is a pattern in an object store, whose folders only the "
        "engine sees; name the files"
    ),
    page=(
        "partitions are asked for, but {pattern!r} is a pattern in an object store, whose folders only the "
        "engine sees; name the files"
    ),
)
PARTITIONS_IS_TRUE_BUT_FOLDERS = Sentence(
    "{arg:partitions} is given, but the folders of {files!r} state {listed} and those of {other_files!r} "
    "{other_listed}; files that are read together must lie in folders of the same kind; read them apart",
)
PARTITIONS_IS_TRUE_BUT_NO_FOLDER = Sentence(
    "{arg:partitions} is given, but no folder of {files!r} is named like column=value; leave it out",
)
PARTITIONS_IS_TRUE_AND_COLUMN = Sentence(
    "{arg:partitions} is given, and the column {clash!r} is stated by a folder ({clash}={each}) and held by "
    "{files!r} too; it must have one place; leave partitions out to read the file's own, or rename one of them",
)

# sources/files/read_file
ABSTAIN_IS_GIVEN_MUST_BE_COUNTED = Sentence(
    "{arg:abstain} is given, but {scan} must be counted in pairs; fill in missing predictions first"
)

# sources/rows/scores
THE_FRAME = Sentence("the frame")
SCORES_IS_EMPTY = Sentence("{arg:scores} is empty; name at least one column of scores")
TRUTH_MUST_BE_NAMED_BESIDE_SCORES = Sentence("{arg:truth} must be named beside scores; the columns are {columns}")
TRUTH_BESIDE_SCORES_OF_FILES = Sentence("{arg:truth} must be named beside scores")
SCORES_OF_SEVERAL_FILES = Sentence(
    "{arg:scores} is {given!r}, and there are {number} files; name the columns of scores, such as 'score', and the "
    "models by their files; scores of each class are read from one file"
)
PREDICTIONS_IS_GIVEN_BESIDE_SCORES = Sentence(
    "{arg:predictions} is given beside scores; a table holds one or the other: leave one out"
)
MORE_THAN_ROWS = Sentence(
    "{scan} has more than {most_rows:,} rows; bin the scores: howsure.histogram(…)",
    shell="{scan} has more than {most_rows:,} rows; bin the scores first, which Python's howsure.histogram does",
    page="{scan} has more than {most_rows:,} rows; bin the scores first",
)
SCORES_NAMES_COLUMN_PLAYS_ANOTHER_PART = Sentence(
    "{arg:scores} names the column {part!r}, which plays another part; a model has its own"
)
SCORES_COLUMN_HOLDS_VALUES = Sentence("{arg:scores}: the column {name!r} holds {dtype} values; scores must be numbers")

# sources/files/request
TOO_MANY_DISTINCT_ROWS_TO_HOLD = Sentence(
    "{source} has too many distinct rows to hold in memory: the group, slice or class columns take nearly as many "
    "values as there are rows. Read fewer models at a time, join rare classes, or leave out group or by"
)
TRUTH_AND_PREDICTIONS_MUST_BE_NAMED = Sentence("{arg:truth} and predictions must be named")
PREDICTIONS_IS_EMPTY = Sentence("{arg:predictions} is empty; name at least one column of predicted labels")
PREDICTIONS_NAMES_COLUMN_TWICE = Sentence("{arg:predictions} names a column twice: {columns}; name each once")
TRUTH_AND_PREDICTION_ARE_BOTH_COLUMN = Sentence(
    "{arg:truth} and a prediction are both the column {truth!r}; a model must have a column of its own"
)
PREDICTIONS_CALLS_MODEL_IS_COLUMN = Sentence(
    "predictions calls a model {truth!r}, which is the column of the truth; give the model another name"
)
GIVE_SUCH_AS_400MB_1 = Sentence("give it such as '400MB', '1.5GiB' or '80%'")
GIVE_SUCH_AS_2 = Sentence("give it such as 2")
JUDGE_NAMES_COLUMN_IS_TRUTH = Sentence(
    "{arg:judge} names the column {column!r}, which is the truth or a prediction; a judge must have a column of its own"
)
NO_SUCH_COLUMN = Sentence(
    "{arg:{argument}} names the column {column!r}, which {source} does not have; its columns are {columns}.{hint}"
)
NAMES_COLUMN_HAS_MORE_THAN_ONCE = Sentence(
    "{arg:{argument}} names the column {column!r}, which {source} has more than once; rename one of them"
)
NAME_COLUMN_LIST_OF_COLUMNS = Sentence(
    "name the column, a list of columns, or a mapping of a model's name to its column"
)
NUMBER_WITH_UNIT_OR_SHARE = Sentence("it must be a number with a unit, or a share of the machine's")

# sources/files/scans/arrow
PARTITIONS_IS_TRUE_IS_ARROW_FILE = Sentence(
    "{arg:partitions} is given, but {name} is an Arrow file; write such data as Parquet",
)
READING_ARROW_FILES = Sentence("reading Arrow files")
DAMAGED_FETCH_OR_WRITE_AGAIN = Sentence("{name!r} is damaged: {reason}; fetch or write it again")
CANNOT_BE_READ = Sentence(
    "{files!r} cannot be read: {error}; check that it is a complete Arrow (Feather version 2) file"
)

# sources/files/scans/delimited
SOURCE_AND_NO_FILE_MATCHES_PATTERN = Sentence(
    "{arg:source} is {name!r}, and no file matches this pattern; check the address and the pattern"
)
COLUMNS_FILES_ARE_READ_TOGETHER = Sentence(
    "{name!r} has the columns {columns} but {other!r} has {other_columns}; files that are read together must have "
    "the same columns in the same order"
)
BLANK_LINES_BEFORE_HEADER = Sentence(
    "{name!r} has {blank} blank lines before its header but {other!r} has {other_blank}; files that are read "
    "together must have as many; remove them"
)

# sources/files/scans/parquet
COLUMNS_SOME_OF_DIFFER = Sentence(
    "{name!r} has the columns {found} but {files!r} has {columns}, some of which differ only in case; such files "
    "must have the same columns in the same order; read them apart"
)

# sources/files/scans/scan
NAMES_COLUMN_OF_IS_OF_TYPE = Sentence(
    "{arg:{part}} names the column {column!r} of {name}, which is of type {removeprefix}; {rule}; write a column "
    "that holds one value a row"
)
WEIGHTS_MUST_BE_NUMBERS = Sentence("weights must be numbers")
EACH_ROW_NEEDS_ONE_INTEGER_BOOLEAN = Sentence("each row needs one integer, boolean or string")

# sources/files/text_records
NO_TEXT_FILE_OF_PREDICTIONS_NEEDS = Sentence(
    "{name!r} has no text; a file of predictions needs a header and at least one row"
)
LINE_CHARACTERS_LINE_NAMES_COLUMNS = Sentence(
    "{name!r}, line {blank} has {number:,} characters; the line that names the columns may have {longest:,}; check "
    "that it is a table with one row a line"
)
LINE_COLUMN_HAS_NO_NAME = Sentence("{name!r}, line {blank}: a column has no name; the columns are {columns}; name each")
FROM_ADDRESS_ONLY_TABLES_OF_ROWS = Sentence(
    "from an address only tables of rows are read, not logs or files of counts; fetch it first"
)

"""What columns in memory refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# sources/arrays/bad_values
IT_HAS_NONE = Sentence("it has none")
HOLDS_IS_NOT_WHOLE_NUMBER = Sentence(
    "{source}: {column!r} holds {value}, which is not a whole number; labels must be integers, booleans or "
    "strings; {scores}."
)
HOLDS_AND_OTHER_NUMBERS_BUT_TRUTH = Sentence(
    "{place} holds {value} and other numbers, but the truth holds no number; predictions must be labels of the "
    "truth; {scores}."
)
OF_ROWS_CANNOT_BE_COUNTED = Sentence(
    "{source}: {lost:,} of {total:,} rows cannot be counted: {phrases}. Every row needs {weights}."
)
NONE_OF_ROWS_CAN_BE_COUNTED = Sentence(
    "{source}: none of its {total:,} rows can be counted: {phrases}. Check the columns and the file."
)
LOOK_LIKE_SCORES = Sentence(
    "these look like scores: give them as {setting:scores=}, or threshold them first, for example with scores >= 0.5"
)
LABEL_OF_ONE_TYPE_IN_EACH = Sentence(
    "a label of one type in each column; correct them, leave such rows out with {setting:on_bad='skip'}, or give "
    "missing predictions a label of their own with {setting:abstain=}"
)
WEIGHT_IS_FINITE_NUMBER_ZERO = Sentence(
    "a weight, which is a finite number, zero or larger (at most {largest:g}); correct the weights, leave such "
    "rows out with {setting:on_bad='skip'}, or read without {setting:weight=}"
)

# sources/arrays/blanks
HOLDS_ROW_NOBODY_LABELLED = Sentence(
    "{arg:{name}} holds {value!r}{beside}; a row that nobody labelled must be blank (None, nan or empty text), and "
    "{value!r} would count as a class; make such rows blank, or list it in {setting:labels=} if it is a class"
)
BESIDE_ROWS_ARE_BLANK = Sentence(", beside rows that are blank")

# sources/arrays/codebook
ORDERED_CLASSES_ONE_ORDER_OF_CLASSES = Sentence(
    "{arg:{found}} has the ordered classes {other_found} but {name} has {order}; there must be one order of the "
    "classes; give both columns the same list, or state the order with {setting:labels=}"
)

# sources/arrays/labels
HOLDS_HOLDS_LABELS = Sentence(
    "{arg:{one}} holds {kind} (such as {example!r}) but {other} holds {other_kind} (such as {other_example!r}); "
    "labels must be of one type; convert one of the two, for example with str."
)
LABELS_IS_EMPTY = Sentence(
    "{arg:labels} is empty; it must list every label that occurs; leave it out to take those that occur."
)
LABELS_LISTS_TIMES = Sentence("labels lists {twice!r} {other_twice} times; each label has one place; list it once.")
LABEL_IN_ROW_LABELS = Sentence(
    "{arg:{column}} has the label {label!r} in {number} row{what}, which labels ({labels}) does not list; every "
    "label that occurs must be listed; add it to labels, or drop such rows from all columns."
)

# sources/arrays/numbers
NUMBERS_ARE_MISSING = Sentence(
    "{arg:{name}} has {missing} missing value{what}, the first in row {argmax} (counting from 0); every row needs "
    "a number; drop such rows from all columns."
)
NUMBER_IS_NOT_FINITE = Sentence(
    "{arg:{name}} is {numbers!r} in row {row}; it must be a finite number; correct the row."
)
HOLDS_VALUES_THEY_MUST_BE_NUMBERS = Sentence(
    "{arg:{name}} holds {dtype} values{shown}; they must be numbers; convert with float."
)
TABLE_HAS_NO_ROWS = Sentence("{arg:{first}} has 0 rows; a table needs at least one; check the filter or the file.")
HOLDS_NO_MODEL = Sentence("{arg:{argument}} holds no model; give at least one column of {of}")
NAMES_MODELS_READ_SAME_AS_TEXT = Sentence(
    "{arg:{argument}} names models that read the same as text: {given}; give each its own name"
)
ROW_THEY_MUST_DESCRIBE_SAME_ROWS = Sentence(
    "{arg:{first}} has {rows} row{what} but {name} has {other}; they must describe the same rows in the same order."
)
HOLDS_VALUES_IN_ROW = Sentence(
    "{arg:{name}} holds {type_name} values ({value!r} in row {row}); they must be numbers; convert with float."
)
COLUMN_TWICE_EACH_MODEL_NEEDS_OWN = Sentence(
    "{arg:{argument}} has the column {twice!r} twice; each model needs its own name; rename one"
)
IN_ROW_0 = Sentence(" ({flat!s} in row 0)")

# sources/arrays/refusals
HOLDS_IN_ROW_IS_NOT_WHOLE = Sentence(
    "{arg:{name}} holds {value!r} in row {row}, which is not a whole number; {rule}; {remedy}."
)
VALUES_ARE_NO_LABELS = Sentence(
    "{arg:{name}} holds {kind} values ({value} in row {row}); {rule}; convert them with str."
)
NOT_A_COLUMN = Sentence("{arg:{name}} is {kind}; it must be a column with one entry a row; {remedy}.")
ENTRY_HAS_PARTS = Sentence(
    "{arg:{name}} holds a {kind} in row {row}; it must have one dimension, with one entry a row; take one label of "
    "each row first."
)
MIXES_INTEGERS_IN_ROW = Sentence(
    "{name} mixes integers ({integer!r} in row {other_integer}) and strings ({string!r} in row {other_string}); "
    "{rule}, all of one type; convert the whole column, for example with str."
)
HOLDS_BYTES_IN_ROW = Sentence(
    "{arg:{name}} holds the bytes {value!r} in row {row}, which are not UTF-8; {rule}; decode them first, for "
    "example with numpy.strings.decode."
)
ENTRIES_ARE_MISSING = Sentence(
    "{arg:{name}} has {many} {first} (counting from 0); every row needs a {entry}; drop such rows from all "
    "columns, or fill in a {entry}."
)
DIMENSIONS_SHAPE_ONE_WITH_ONE_ENTRY = Sentence(
    "{arg:{name}} has {number} dimensions (shape {shape}); it must have one, with one entry a row; {remedy}."
)
TURN_THEM_INTO_NAMES_OF_GROUPS = Sentence("turn them into names of groups first, for example with str")
ONE_MISSING_IN_ROW = Sentence("1 missing value, in row")
SEVERAL_MISSING_FIRST_IN_ROW = Sentence("{number} missing values, the first in row")
FLATTEN_IT = Sentence("flatten it with .ravel()")
TAKE_CLASS_OF_EACH_ROW = Sentence("take the class of each row, for example with .argmax(axis=1)")

# sources/arrays/tabulate
PREDICTIONS_IS_EMPTY = Sentence(
    "{arg:predictions} is empty; a table needs at least one model; give a column of predicted labels."
)
PREDICTIONS_NAMES_MODELS_READ_SAME = Sentence(
    "{arg:predictions} names models that read the same ({predictions}); give each its own name."
)
TRUTH_HAS_0_ROWS = Sentence(
    "{arg:truth} has 0 rows; a table needs at least one; check the filter or the file it came from."
)

# sources/arrays/weights
WEIGHT_HOLDS_VALUES = Sentence(
    "{arg:weight} holds {kind} values{example}; weights must be numbers; convert them with float."
)
WEIGHT_IN_ROW = Sentence(
    "{arg:weight} is {weight!r} in row {wrong}; weights must be finite and zero or larger{reach}; correct it, or "
    "drop the row from all columns."
)
WEIGHT_IS_AT_MOST_IN_ALL = Sentence(
    "{arg:weight} is at most {greatest:g} in all rows; below {smallest:g} squares of weights vanish; multiply all "
    "weights by a common factor."
)
WEIGHT_IS_ZERO_IN_ALL_ROWS = Sentence(
    "{arg:weight} is zero in all {start} rows; at least one row must count; give a weight above zero."
)

"""What the calculator refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# web/api
A_COMPARISON = Sentence("a comparison")
NOT_GIVEN_GIVE_COUNTS_TP_FP = Sentence("{lacking} not given; give the counts tp, fp and fn (tn if known), or a matrix")
MATRIX_IS_GIVEN = Sentence("matrix is given; {rule}")
FIGURES_MUST_BE_METRICS_AS_PRINTED = Sentence(
    "figures must be metrics as printed: f1=0.77, recall=0.73, separated by commas"
)
FIGURES_HOLDS_HAS_FIELD_OF_OWN = Sentence("figures holds {astray!r}, which has a field of its own")
DOES_NOT_GO_WITH_PLAN = Sentence("{astray} does not go with the plan of {what}; {remedy}")
FIGURES_ARE_WRONG = Sentence("figures: {error}")
GIVE_COUNTS_OR_MATRIX_NOT_BOTH = Sentence("give counts or a matrix, not both")
ROWS_MUST_SAY_TRUTH_OR_PREDICTION = Sentence("rows must say 'truth' or 'prediction'")
OF_ONE_MODEL = Sentence("one model")
LEAVE_IT_EMPTY = Sentence("leave it empty")
LEAVE_EMPTY_OR_GIVE_DIFFERENCE = Sentence("leave it empty, or give the difference to detect")

# web/fields
CHARACTERS_OF = Sentence("characters of {field_name}")
NO_SUCH_FIELD = Sentence("there is no field {unknown!r}.{near} Fields: {known}")
TRUE_OR_FALSE = Sentence("{name} is {value!r}; it must be true or false")
OF_TYPE_TEXT = Sentence("{field_name} is of type {kind}; it must be text")
GIVEN_TIMES_GIVE_ONCE = Sentence("{name} is given {number} times; give it once")
RANGE_NUMBERS_GIVE_SMALLEST_AND_LARGEST = Sentence(
    "range has {number} numbers; give the smallest and the largest value, such as 0,1"
)
NAMES_IN = Sentence("names in {name}")
TIMES_LIE_ABOVE_0 = Sentence("times is {value:g}; it must lie above 0 and be at most {most_times:g}")
SERVER_TAKES_LEVELS = Sentence("{name} is {value:g}; this server takes levels from {levels:g} to {other_levels:g}")
OF_TYPE_LIST_OF_NAMES = Sentence("{name} is of type {kind}; it must be a list of names")
ONE_OF_VALUES = Sentence("{name} is {value!r}; it must be one of {context}")
MUST_BE_WHOLE = Sentence("{name} is {value:g}; it must be a whole number")

# web/guards
BYTES_OF_REQUEST = Sentence("bytes of the request")

# web/limits
CLASSES = Sentence("classes")
MODELS = Sentence("models")

# web/pasted
ROWS_OF_MATRIX = Sentence("rows of the matrix")
FOLDS = Sentence("folds")
A_COUNT_OF = Sentence("a count of {name}")
FINITE_NUMBER = Sentence("{name} is {value!r}; it must be a finite number")
K_LINES_OF_K_COUNTS_EACH = Sentence("{field_name} must be K lines of K counts each")
ROWS_OF_COUNTS = Sentence(
    "{field_name} has {number} rows of {cells} counts; it must be square, K lines of K counts each"
)
LINE_OF_TP_FP_FN = Sentence("{field_name} must be a line of tp, fp, fn (or tp, fp, fn, tn) for each fold")
COUNTS_EIGHT_2_TRUTHS_2_PREDICTIONS = Sentence(
    "{name} has {number} counts; it must be eight: 2 truths × 2 predictions of a × 2 of b"
)
MUST_BE_NUMBER = Sentence("{name} is {value!r}; it must be a number")
LINE_NUMBERS = Sentence("{field_name}, line {at} has {number} numbers; {rule}")
COUNT_MUST_BE_WHOLE = Sentence("{name} is {count:g}; it must be a whole number")
THREE_OR_FOUR_COUNTS = Sentence("it must be tp, fp, fn or tp, fp, fn, tn")

# web/pool
COMPUTATION_ENDED = Sentence("the computation ended without an answer; use the library instead")
REQUESTS_ARE_WAITING_ALREADY = Sentence("{most_waiting} requests are waiting already; try again in a while")
TOOK_LONGER_THAN_SECONDS = Sentence("this took longer than {seconds:g} seconds; use the library instead")

# web/questions/comparing
CUBE_IS_NOT_GIVEN = Sentence(
    "cube is not given; give eight counts of rows by truth, prediction of a and prediction of b"
)
CUBE_HOLDS_COUNT_MUST_BE_ZERO = Sentence("cube holds {min}; a count must be zero or larger")
CUBE_HOLDS_NO_ROW = Sentence("cube holds no row; at least one count must be larger than zero")
A_AND_B_ARE_BOTH = Sentence("a and b are both {a!r}; give the models two names")
DOES_NOT_GO_WITH_DIFFERENT_ROWS = Sentence(
    "{astray} does not go with different rows; leave it empty, or say that they are the same"
)
NOT_GIVEN_GIVE_RIGHT_ANSWERS = Sentence("{name} is not given; give the right answers and all answers of both")
TOTAL_A_AND_TOTAL_B = Sentence("total_a is {total} and total_b is {other}; on the same rows they are equal")
ONLY_A_IS_NOT_GIVEN = Sentence(
    "only_a is not given; on the same rows say on how many of them only A was right, or only B"
)
ONLY_A_AND_ONLY_B = Sentence(
    "only_a is {only_a} and only_b {only_b}: then both were right on {both} rows by A and on {right_b} by B; leave "
    "one of them empty"
)
ONLY_A_AND_ONLY_B_ROWS_CANNOT_HOLD = Sentence("only_a is {only_a} and only_b {only_b}, which {total} rows cannot hold")
A_AND_B_MUST_BOTH_BE_GIVEN = Sentence("a and b must both be given: a line of tp, fp, fn for each fold of each model")
NAME_A_AND_NAME_B_ARE_BOTH = Sentence("name_a and name_b are both {a!r}; give the models two names")
FACTOR_LIE_ABOVE_0 = Sentence("factor is {text}; it must lie above 0 and be at most {most_factor:g}, or 'conservative'")
RIGHT_LIE_BETWEEN_0_AND_TOTAL = Sentence("right_{key} is {right} of {total}; it must lie between 0 and total_{key}")

# web/questions/uploads
FILE_IS_NAMED = Sentence("the file is named {name!r}; its name must end in one of {suffixes}")
FILE_IS_EMPTY = Sentence("the file is empty; it must hold a row per example, with a truth and a prediction")
FILE_HOLDS_ONE_MODEL = Sentence("the file holds one model, {models!r}; a comparison needs two")
SUBGROUPS = Sentence("subgroups")
BY_DOES_NOT_GO_WITH_COMPARE = Sentence(
    "by is {by!r}, which does not go with a comparison of models; leave it out, or ask for the report"
)
FILE_CANNOT_BE_READ = Sentence("{name} cannot be read: {said}")

# web/reading
BODY_MUST_BE_JSON_WITH_HEADER = Sentence("the body must be JSON, with the header content-type: application/json")
BODY_MUST_BE_ONE_JSON_OBJECT = Sentence(
    'the body must be one JSON object of fields, such as {{"tp": 77, "fp": 44, "fn": 10}}'
)
BODY_MUST_BE_FORM_WITH_FILE = Sentence("the body must be a form with a file: content-type multipart/form-data")
BODY_IS_NOT_VALID_JSON = Sentence("the body is not valid JSON; it must be one object of fields")
FIELD_IS_GIVEN_TWICE = Sentence("{name!r} is given {times} times; give it once")
FILE_IS_NOT_GIVEN = Sentence("file is not given; send one file of predictions in the field 'file'")

# web/serving
HOST_EVERY_ADDRESS_OF_MACHINE = Sentence(
    "host is {host!r}, every address of this machine; name the address or name that others will use with --name, "
    "such as --name {gethostname}, or listen on 127.0.0.1"
)
HOST_AND_PORT_WHERE_CANNOT_LISTEN = Sentence(
    "host is {host!r} and port is {port}, where this cannot listen ({strerror}); another program may hold the "
    "port: choose another with --port, or 0 for any that is free"
)

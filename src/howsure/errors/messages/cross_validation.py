"""What cross-validation refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# cross_validation/cross_validate
MODEL_GAVE_PREDICTIONS_FOR_ROWS = Sentence(
    "model {model!r} gave {number} predictions for {number_of_test} rows; it must give one per row"
)
MODELS_IS_EMPTY = Sentence("{arg:models} is empty; give at least one, such as {{'a': model_a, 'b': model_b}}")
MODELS_CAN_NEITHER_FIT_AND_PREDICT = Sentence(
    "models: {wrong} can neither fit and predict nor be called; give an object (not a class) with fit and predict, "
    "or a function (X_train, y_train, X_test) → predictions"
)
SPLITTER_SUCH_AS_BLOCKEDCV = Sentence("it must be a splitter such as BlockedCV(repeats=3), with a method split")
CV_MAKES_NO_FOLDS = Sentence("cv is {cv!r}, which makes no folds; give a splitter that makes at least two")

# cross_validation/cv_tests
NUMBERS_SCORE_OF_B_LESS = Sentence("it must be numbers: the score of b less that of a in each fold")
DIFFERENCES_ARE_TOO_FEW = Sentence("differences has {number} value; a variance needs 2 or more; run more folds.")
CORRELATIONS_0_4_0 = Sentence("{arg:correlations} is ({rho1}, {rho2}); {rule}; (0.4, 0.4) is what the test assumes.")
DIFFERENCES_HAS_SHAPE = Sentence("differences has shape {shape}; {rule}; see also corrected_resampled_t.")
DIFFERENCES_ARE_NOT_FINITE = Sentence("differences has {missing} value(s) that are not finite; {cause}.")
POSITIVE_GIVE_NUMBER_OF_ROWS_PER = Sentence("it must be positive; give the number of rows per fold.")
CORRELATIONS_ARE_IMPOSSIBLE = Sentence(
    "1 - rho1 and 1 + rho1 - 2 rho2 must not be negative and 1 + rho1 + 4 rho2 must be positive"
)
TEST_NEEDS_SHAPE = Sentence("this test needs shape ({repeats}, 2) or {other_repeats} values in the order of the folds")
EVERY_FOLD_NEEDS_SCORE_OF_BOTH = Sentence(
    "every fold needs a score of both models; choose a metric that is defined in every fold"
)

# cross_validation/designs
USUAL_CHOICE_IS_3 = Sentence("the usual choice is 3")
BALANCE_IS_LABELS_GIVE_DISCRETE_LABELS = Sentence(
    "balance is 'labels', but {reason} Give discrete labels, counts, or balance=None."
)
BALANCE_DIMENSIONS_GIVE_TWO = Sentence("balance has {ndim} dimensions; {counts_rule}; give it two.")
BALANCE_HAS_NEGATIVE_OR_MISSING_ENTRIES = Sentence(
    "balance has negative or missing entries; {counts_rule}; replace them."
)
MISSING_VALUES_EVERY_ROW_NEEDS = Sentence(
    "{arg:{argument}} has missing values; every row needs one; drop those rows or name them."
)
X_AND_Y_ARE_BOTH_NONE = Sentence("X and y are both None; the splitter needs one of them to count the rows.")
X_ROWS_THEY_MUST_DESCRIBE_SAME = Sentence(
    "X has {rows} rows but {argument} has {length}; they must describe the same rows."
)
GIVE_MORE_OR_FEWER_REPEATS = Sentence(
    "{arg:{argument}} has {number} {what}, but {rule}; give more {what} or fewer repeats."
)
CONSERVATIVE_ALWAYS_WORKS = Sentence("{given}; {rule}; 'conservative' always works.")
ONE_OF_CORRELATIONS = Sentence("it must be {options}")
ONE_OF_BALANCES = Sentence("it must be {options}; the default is None.")
BALANCE_HOLDS_MORE_THAN_NUMBERS = Sentence("balance holds more than numbers; {counts_rule}; count what matters.")
MATRIX_OF_COUNTS_0_OR_MORE = Sentence("it must be a matrix of counts, 0 or more, with a row per row of X")
BALANCE_IS_NONE = Sentence("balance is 'none': the blocks are random.")
REPEATS_NEED_BLOCKS_WITH_AT_LEAST = Sentence("{repeats} repeats need {blocks} blocks with at least one each")
CORRELATIONS_WITH_REPEATS = Sentence("{arg:correlations} is ({rho1}, {rho2}) with {repeats} repeats")
CORRELATIONS_ARE_OUT_OF_RANGE = Sentence("both must lie in [-1, 1] and 1 + rho1 + 2(repeats - 1) rho2 must be positive")
NONE_LABELS_NONE_OR_MATRIX = Sentence("None, 'labels', 'none' or a matrix of counts")

# cross_validation/folds
LIST_WITH_TABLE_OR_COUNTS = Sentence("it must be a list with a table, or counts (tp, fp, fn), for each fold")
TABLES_MUST_EACH_HOLD_SAME = Sentence("tables must each hold the same one model; pick it with table.pick(name)")
MODEL_LACKS_REPEAT_FOLD = Sentence(
    "model {model!r} lacks repeat {missing}, fold {other_missing}; every repeat needs the folds {sides}; complete "
    "the file"
)
FACTOR_AND_CORRELATIONS = Sentence(
    "{arg:factor} is {factor!r} and correlations is {correlations!r}; one follows from the other: give one"
)
TABLES_FOLDS_M_BY_2_CROSS_VALIDATION = Sentence(
    "{arg:tables} has {number} folds; m×2 cross-validation has two per repeat; give an even number in the order "
    "repeat 1 fold 1, repeat 1 fold 2, …, or pass {setting:factor=} as a number for another design"
)
NUMBER_DEFAULT_IS_PAPER_S = Sentence("it must be a number or {conservative!r}; the default is the paper's")
TABLES_FOR_FOLD = Sentence(
    "tables has {one!r} for fold {place}; each fold is (tp, fp, fn), (tp, fp, fn, tn) or a Table; correct it"
)
TABLES_IS_EMPTY = Sentence("tables is empty; a cross-validation has at least two folds; give a table per fold")
FINITE_NUMBER_ABOVE_0 = Sentence("it must be a finite number above 0; 1/repeats is conservative")

# cross_validation/hadamard
REPEATS_OF_ONE = Sentence(
    "{arg:repeats} is 1, which is plain 2-fold cross-validation; blocks need 2 or more; the usual choice is 3."
)
REPEATS_USUAL_CHOICE_IS_3 = Sentence("{arg:repeats} is {number}; {reach}; the usual choice is 3.")
LIE_BETWEEN_2_WHERE_HADAMARD_ORDER = Sentence(
    "it must lie between 2 and {largest_order}, where Hadamard order {other_largest_order} ends"
)

# cross_validation/kept_folds
CHECKPOINT_IS_FILE = Sentence("{arg:checkpoint} is {folder!r}, which is a file; name a folder, it will be made")
CHECKPOINT_KEEPS_PREDICTIONS_ARE_NUMBERS = Sentence(
    "{arg:checkpoint} keeps predictions that are numbers or text, and these are of type {kind}; leave it out, or "
    "let the model return a list"
)

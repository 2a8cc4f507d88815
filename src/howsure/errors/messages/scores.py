"""What the drop-in functions refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# scores/averaged
COLUMNS_OF_INDICATOR_MATRIX_ARE_0 = Sentence("the columns of an indicator matrix are 0 to {number}")
AVERAGE_IS_SAMPLES_IS_FOR_MULTI_LABEL = Sentence(
    "average is 'samples', which is for multi-label input; each row here has one label"
)

# scores/matrix
LABELS_IS_EMPTY = Sentence("labels is empty; name at least one, or leave it out for all that occur")
CONFUSION_MATRIX_IS_OF_ONE_LABEL = Sentence(
    "a confusion matrix is of one label a row, and these rows hold several; ask for each label"
)
ARRAY_WAS_COMPUTED_FROM_CONFUSION_MATRIX = Sentence(
    "this array was computed from a confusion matrix and has no limits of its own"
)

# scores/ranked
MACRO_WEIGHTED_AND_MICRO_AUC = Sentence("it must be 'macro'; weighted and micro AUC have no interval here")
MACRO_OF_TWO_CLASSES = Sentence("it must be 'macro': of two classes there is one average precision")
HERE_FOR_CLASSES = Sentence("here it is {usual} for {number} classes")
LEAVE_SCALE_BY_HALF_AND_SCALE_RESULT = Sentence("leave {setting:scale_by_half='auto'} and scale the result")
GIVE_Y_PROBA_PROBABILITIES_OF_EACH_CLASS = Sentence(
    "give y_proba, the probabilities of each class; y_pred is its old name in scikit-learn"
)
SUCH_AS_2 = Sentence("such as 2")

# scores/report
TARGET_NAMES_NAMES_BUT_LABELS = Sentence(
    "target_names has {number} names but there are {number_of_chosen} labels; give one name per label"
)

# scores/targets
LABELS_SEEN = Sentence("{number} labels ({seen})")
AT_LEAST_ONE_MUST_BE_AMONG = Sentence("at least one must be among the true labels {true}")
AVERAGE_IS_BINARY_BUT_DATA = Sentence(
    "average is 'binary', but the data are {kind}; choose average='macro', 'micro', 'weighted' or None"
)
POS_LABEL_IS_NOT_AMONG_LABELS = Sentence(
    "{arg:pos_label} is {pos_label!r}, which is not among the labels {seen}; pass one of them"
)
MULTI_LABEL = Sentence("multi-label")
PREDICTIONS_ARE_NESTED = Sentence(
    "y_true is one column of labels and y_pred has the shape {shape}; give one label a row, or several runs of a model "
    "to {calling:howsure.table()}"
)

# scores/undefined
WARN_0_1_OR_NAN = Sentence("it must be 'warn', 0, 1 or nan")

# scores/whole
BALANCED_ACCURACY_IS_OF_ONE_LABEL = Sentence(
    "balanced accuracy is of one label a row, and {arg:y_true} holds label sets; ask for recall_score(…, "
    "average='macro')"
)
LIKELIHOOD_RATIOS_ARE_OF_TWO_CLASSES = Sentence(
    "likelihood ratios are of two classes, and there are {number} labels ({occurring_labels})"
)
NAN_1_0_OR_MAPPING = Sentence("it must be nan, 1.0, or a mapping of 'LR+' (from 1 to infinity) and 'LR-' (from 0 to 1)")

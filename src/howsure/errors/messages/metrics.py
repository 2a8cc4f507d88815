"""What metrics and their names refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# metrics/calibration
CALIBRATION_LINE_NEEDS_LOG_ODDS_OF_EVERY = Sentence(
    "the calibration line needs the log-odds of every probability, and {ends:,} of {number:,} rows have exactly 0 "
    "or 1; keep them off the ends with a clip, as in 'calibration_slope[clip=1e-6]'"
)
METRIC_ECE_BINS_NEEDS_WHOLE_NUMBER = Sentence("metric 'ece[bins={bins}]' needs a whole number of bins from 2 to 10000")

# metrics/catalogue
TVERSKY_0_0 = Sentence("tversky(0, 0) is 1 for every classifier; at least one weight must be positive")
FINITE_NUMBER_LARGER_THAN_0 = Sentence("it must be a finite number larger than 0 (at 0 it would be precision)")
FINITE_NUMBER_ZERO_OR_LARGER = Sentence("it must be a finite number, zero or larger")
LIE_STRICTLY_BETWEEN_0_AND_1 = Sentence("it must lie strictly between 0 and 1")

# metrics/cuts
LABELS_IN_PLACE_OF_SCORES = Sentence(
    "this table holds labels; make it from the scores: howsure.table(y_true, scores=…)",
    shell="these columns hold labels, from which it cannot be made; name columns of scores with --score, or ask "
    "for a metric of labels: -m f1, -m mcc, -m balanced_accuracy",
    page="these are labels",
)
LABELS_NEED_NO_CUT = Sentence(
    "this table holds labels; make it from the scores: howsure.table(y_true, scores=…), or ask for {bare!r}",
    shell="these columns hold labels, from which it cannot be made; name columns of scores with --score, or ask "
    "for a metric of labels: -m {bare}",
    page="these are labels",
)
METRIC_IS_NOT_OF_THIS_KIND = Sentence("metric {metric!r} {what}, and {remedy}")
METRIC_BEST_HAS_NO_BEST = Sentence("metric '{metric}@best' has no best: {metric} is neither better high nor low")
ACCURACY_ALONE_AT_COVERAGE = Sentence("metric '{metric}@{text}': at a coverage there is accuracy alone")
METRIC_NEEDS_SHARE_OF_ROWS_ABOVE = Sentence("metric '{metric}@{text}' needs a share of rows above 0 and at most 1")
METRIC_NEEDS_BOUND_BETWEEN = Sentence("metric '{metric}@{text}' needs a bound between {bottom:g} and {top:g}")
METRIC_NEEDS_PREVALENCE_BETWEEN_0 = Sentence("metric '{metric}@{text}' needs a prevalence between 0 and 1")
METRIC_NAMES_TWO_PREVALENCES = Sentence("metric '{metric}@{words}' names two prevalences; write one of the two")
METRIC_ABOUT_NUMBERS_HAVE_NO_PREVALENCE = Sentence(
    "metric '{metric}@{words}': {metric} is about numbers, which have no prevalence"
)
METRIC_ABOUT_SCORES_THEMSELVES_AND_TAKES = Sentence(
    "metric '{metric}@{words}': {metric} is about the scores themselves and takes no threshold; ask for {metric!r}"
)
METRIC_CUTS_SCORES_TWICE = Sentence("metric '{metric}@{words}' cuts the scores twice; write one of the two")
METRIC_AFTER_IS_NOT_KNOWN = Sentence(
    "metric '{metric}@{words}': {words!r} after '@' is not known; write a threshold ('f1@0.5'), 'f1@best', a bound "
    "('recall@specificity>=0.9'), 'accuracy@coverage=0.8', 'f1@prevalence=0.02', or 'macro_f1@argmax' for several "
    "classes"
)
METRIC_JOINS_METRICS_OF_POSITIVE_CLASS = Sentence(
    "metric '{metric}@{text}' joins metrics of the positive class, and {one!r} is none; write such as "
    "'recall@specificity>=0.9'"
)
IS_ABOUT_SCORES = Sentence("is about scores")
CUTS_SCORES = Sentence("cuts scores")

# metrics/gradient
FORMULA_OF_METRIC_RETURNS = Sentence(
    "formula of metric {metric!r} returns {found!r}; it must return a number, computed from the cells"
)

# metrics/gradient_check
FORMULA_OF_METRIC_HAS_SLOPE = Sentence(
    "formula of metric {metric!r} has the slope {plain:.4g} at a trial table, and the complex step sees "
    "{complex_step:.4g}; the interval would be wrong. {remedy}"
)
METRIC_CANNOT_BE_COMPUTED_FROM_LABELS = Sentence(
    "metric {metric!r} cannot be computed from labels ({error}); 'mean' needs row values (hs.table(values=…)), "
    "and a formula of sums needs sums per unit (hs.sums)",
    shell=(
        "metric {metric!r} cannot be computed from labels ({error}); 'mean' needs row values (--value), and "
        "a formula of sums needs sums per unit (--sum)"
    ),
    page=(
        "metric {metric!r} cannot be computed from labels ({error}); 'mean' needs row values, and a formula "
        "of sums needs sums per unit"
    ),
)
FORMULA_OF_METRIC_WORKS_ON_NUMBERS = Sentence(
    "formula of metric {metric!r} works on numbers but not on arrays of complex numbers ({error}); its slope is "
    "taken by a complex step, so it must; {remedy}"
)
ABS_ROUND_REAL_AND_LIKE = Sentence(
    "abs, round, real and the like have no complex slope: write np.sqrt(x**2) for |x|, howsure.smaller(a, b) for a "
    "minimum, a + b - howsure.smaller(a, b) for a maximum"
)

# metrics/largest_variance
METRIC_IS_NEITHER_TVERSKY_INDEX = Sentence(
    "metric {metric!r} is neither a Tversky index nor a share of rows, so no V bounds its variance; plan it at the "
    "performance you expect ({setting:precision=}, {setting:recall=}, {setting:prevalence=})"
)
METRIC_HAS_NO_WORST_CASE_OVER = Sentence(
    "metric {metric!r} has no worst case over all classifiers; give the performance you expect "
    "({setting:precision=}, {setting:recall=}, {setting:prevalence=}) or a pilot table ({setting:pilot=})"
)
METRIC_OR_MAX = Sentence("it must be a metric, or max(a, b), a number above 0")
METRIC_NEEDS_FOR_WORST_CASE = Sentence(
    "metric {metric!r} needs {need} for its worst case, or the performance you expect"
)
METRIC_HAS_NO_SIMPLE_WORST_CASE = Sentence(
    "metric {metric!r} has no simple worst case; give the performance you expect, or a pilot"
)
METRIC_NEEDS_FOR_WORST_CASE_OR_PERFORMANCE = Sentence(
    "metric {metric!r} needs {name} for its worst case, or the performance you expect"
)
PREDICTED_SHARE_OF_ROWS_PREDICTED_POSITIVE = Sentence("predicted (the share of rows predicted positive)")

# metrics/metric
NAMES_CLASS_IS_NOT_AMONG_LABELS = Sentence(
    "{arg:{argument}} names the class {wanted!r}, which is not among the labels {labels}.{hint}"
)
LEAVES_OUT_EVERY_CLASS = Sentence("{argument} leaves out every class; keep at least one of {labels}")
METRIC_NUMBERS_BETWEEN_PARENTHESES = Sentence(
    "metric {text!r} has {number} numbers between its parentheses; it takes {wanted}"
)
NAME_OF_METRIC_MUST_BE_NON_EMPTY = Sentence("name of a Metric must be a non-empty string, not {name!r}")
FORMULA_OF_METRIC_MUST_BE_FUNCTION = Sentence(
    "formula of metric {name!r} must be a function of the cells, not {formula!r}"
)
OVER_OF_METRIC = Sentence(
    "over of metric {name!r} is {over!r}; it must be 'class', 'classes', 'matrix', 'row' or 'values'"
)
RANGE_OF_METRIC = Sentence(
    "range of metric {name!r} is {range!r}; it must be its smallest and its largest value, such as (0, 1) or (0, "
    "float('inf'))"
)
BETTER_OF_METRIC = Sentence("better of metric {name!r} is {better!r}; it must be 'higher', 'lower' or None")
METRIC_HERE_AND_RANGE_IS_SAID = Sentence(
    "metric {name!r} is {value:.6g} here, and its range is said to be {bottom:g} to {top:g}; give hs.Metric the "
    "range that holds all its values, such as range=(0, 10)"
)
METRIC_IS_ABOUT_ANOTHER_PREVALENCE = Sentence(
    "metric {name!r} is about another prevalence, to which rows of a table are weighted, and here are none; ask "
    "for {bare!r}, or for an estimate or a comparison on a table"
)
METRIC_NEEDS_PLAIN_NUMBERS_BETWEEN_PARENTHESES = Sentence(
    "metric {text!r} needs plain numbers between its parentheses, not {inside!r}"
)

# metrics/named_sums
METRIC_ASKS_FOR_AND_TABLE_HOLDS = Sentence(
    "metric {metric!r} asks for {name!r}, and this table holds {places}; ask for a metric of these.{hint}"
)
FORMULA_OF_METRIC_GAVE = Sentence("formula of metric {metric!r} gave {found!r}; it must give a number")
FORMULA_OF_METRIC_HAS_SLOPE_IN_AND_COMPLEX = Sentence(
    "formula of metric {metric!r} has the slope {plain:.4g} in {names!r}, and the complex step sees {slope:.4g}; "
    "the interval would be wrong. {remedy}"
)

# metrics/names
METRIC_IS_NOT_KNOWN = Sentence("metric {text!r} is not known.{by_door}")
METRIC_IS_ABOUT_SCORES = Sentence(
    "metric {base!r} is about scores and is not averaged so: 'macro_auc' already names the mean over classes, "
    "'macro_auc_ovo' that over pairs, and one class is 'auc[label]'"
)
METRIC_CANNOT_BE_AVERAGED_OR_TAKEN = Sentence(
    "metric {base!r} cannot be averaged or taken for one class; give a metric of a single class"
)
METRIC_IS_ABOUT_ORDER_OF_ALL = Sentence(
    "metric {base!r} is about the order of all classes; it has no value for one class"
)
GIVE_CLASSES_OR_WITHOUT_NOT_BOTH = Sentence(
    "give classes= or without=, not both: one says what to keep, the other what to leave out"
)
CLASSES_IS_EMPTY = Sentence("classes is empty; name at least one class to average over")
AVERAGE_OF_WOULD_BE_CALLED_ALREADY = Sentence(
    "the {kind} average of {base!r} would be called {name!r}, which already names {known!r}; wrap its formula in a "
    "Metric with a name of its own"
)
METRIC_OF_TYPE = Sentence("{arg:metric} is {metric!r} of type {kind}; it must be a name or a howsure.Metric")
METRIC_NEEDS_CLIP_BETWEEN_0 = Sentence("metric {text!r} needs a clip between 0 and 0.5, such as '{name}[clip=1e-6]'")
METRIC_NEEDS_WHOLE_NUMBER_OF_BINS = Sentence("metric {text!r} needs a whole number of bins, such as 'ece[bins=10]'")
METRIC_AVERAGE_IS_OVER_ROWS = Sentence("metric {text!r}: this average is over rows and takes no classes")
METRIC_IS_ABOUT_ROWS_WITH_SEVERAL = Sentence(
    "metric {chosen!r} is about rows with several labels, and a confusion matrix has one per row; for such rows it "
    "equals 'accuracy'"
)
METRIC_HAS_BRACKETS_ARE_NOT_KNOWN = Sentence(
    "metric {text!r} has brackets that are not known; write '{name}[{option}=…]'"
)

# metrics/ranking
METRIC_IS_NO_FORMULA_OF_CELLS = Sentence("this metric is no formula of cells")
METRIC_PARTIAL_AUC_IS_NOT_KNOWN = Sentence(
    "metric 'partial_auc[{inside}]' is not known; write 'partial_auc[fpr<=0.1]', 'partial_auc[tpr>=0.8]' or "
    "'partial_auc[0.1<=fpr<=0.2]', and 'partial_auc[fpr<=0.1,standardised]' for McClish's scale"
)
METRIC_PARTIAL_AUC_NEEDS_RANGE_OF_RATES = Sentence(
    "metric 'partial_auc[{inside}]' needs a range of rates between 0 and 1, such as fpr<=0.1"
)
METRIC_PARTIAL_AUC_MCCLISH_SCALE = Sentence("metric 'partial_auc[{inside}]': McClish's scale is for rates from 0 on")
OF_IS_EMPTY = Sentence("of is empty; name the metrics that {name!r} is a function of")
PARTS_ARE_FOUND = Sentence("the parts are found one by one")
METRIC_TOP_ACCURACY_IS_1 = Sentence(
    "metric 'top{k}_accuracy' is 1 for any scores of {shape} classes; choose a smaller k"
)
METRIC_GAVE_INFLUENCES_OF_SHAPE = Sentence(
    "metric {name!r} gave influences of shape {shape} with the weighted mean {mean:.3g}; there must be one for "
    "each of {number} rows, and their weighted mean is 0"
)

"""What the command line refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# cli/app
NO_SUCH_VERB = Sentence("there is no verb {args!r}.{hint} Verbs: {verbs}")

# cli/data
WEIGHT_DOES_NOT_GO_WITH_SHARE = Sentence(
    "--weight does not go with --share or --pool: each says what a stratum stands for"
)
ANNOTATOR_DOES_NOT_GO_WITH_TRUTH = Sentence(
    "--annotator does not go with --truth: each is a truth of its own; leave one out"
)
GOES_WITH_ANNOTATOR_ONE_COLUMN = Sentence("--{next} goes with --annotator, one column for each")
NAMES_MEDICAL_IS_FOR_TWO_CLASSES = Sentence(
    "--names medical is for two classes with a positive one; name it with --pos-label, or metrics with -m"
)
NO_NUMBER_OF_RIGHT_ANSWERS = Sentence("{text} is no number of right answers of all answers, such as 85/100")
DOES_NOT_GO_WITH_STRATA_SHARE = Sentence("--{name} does not go with --strata, --share or --pool: {why}")
DOES_NOT_GO_WITH_TASK = Sentence("--{name} does not go with --task: tasks are strata already")
PART_BREAKS_RULE = Sentence("{option} is {part!r}; it must be {rule}")

# cli/history
LINE_OF_IS_NO_RECORD = Sentence("line {number} of {path} is no {schema} record; give another file to --history")

# cli/options
DOES_NOT_GO_WITH_QUESTION = Sentence("{option} does not go with {question}")
OUTPUT_IS_AN_INPUT = Sentence(
    "{outputs} is {path!r}, which is the file {clash!r} that is read; an output never goes onto its input; name "
    "another file"
)
OUTPUTS_ARE_BOTH = Sentence("{outputs} and {other_outputs} are both {path!r}; give each its own file")
GOES_WITH_METHOD = Sentence("--{name} goes with --method {methods}")

# cli/own_metric
METRIC_HOWSURE_METRIC_OR_FUNCTION = Sentence(
    "metric {text!r} is {found!r}; it must be a howsure.Metric or a function of the cells"
)
METRIC_CANNOT_BE_LOADED = Sentence("metric {text!r} cannot be loaded: {error}; write it as package.module:name")

# cli/verbs/annotators
FOUND_OF_SUCH_AS_72_80 = Sentence("{option} is {text!r}; it must be FOUND/OF, such as 72/80, or a share")

# cli/verbs/compare
MODELS_NAME_TWO_WITH_PRED = Sentence("{number} models; name two with --pred")
OF_RIGHT_ANSWERS = Sentence("right answers of all answers")
WITH_BY = Sentence("--by")
WITH_UNPAIRED = Sentence("--unpaired")
OF_TWO_MODELS = Sentence("two models")
UNPAIRED_COMPARES_TWO_FILES_SECOND_LESS = Sentence(
    "--unpaired compares two files, the second less the first; {number} were given"
)
METRIC_CANNOT_BE_HAD_OF_RIGHT = Sentence("--metric {options} cannot be had of right answers alone; accuracy can")
NAMED_COLUMNS_BELONGS_TO_MATRIX = Sentence("named columns; it belongs to a matrix")
BY_COMPARES_MODELS = Sentence("--by; it compares models on the same rows")
BY_IS_NOT_UNPAIRED = Sentence("--by; it belongs to --unpaired")
BY_HAS_ITS_PAGE_IN_REPORT = Sentence("--by; howsure report --by writes a page")
COMPARISON_OF_MODELS = Sentence("a comparison of models; name two with --pred")
HOLDS_ROWS_OF_COUNTS = Sentence("{file} holds {number} rows of counts; --unpaired takes one row a file")
NO_FILE_OF_COUNTS = Sentence(
    "{marked} (And {file} is no file of counts; if it is a matrix, say what its rows are: --rows truth)"
)
RELEASE_NAMES_RUN_IN_HISTORY = Sentence("--release names a run in a history; give --history too")
RIGHT_ANSWERS_ARE_UNPAIRED = Sentence("{files} are right answers of all answers; say that rows differ: --unpaired")

# cli/verbs/counts
NO_ROW = Sentence("no row")
FILE_OF_COUNTS = Sentence("a file of counts: its rows are separate tables")
GROUP_GOES_WITH_UNIT = Sentence("--group goes with --unit")
MISSING_GIVE_TP_FP_AND_FN = Sentence("{missing} missing: give --tp, --fp and --fn (and --tn), or a CSV file")
BARE_COUNTS_DO_NOT_GO = Sentence("bare counts do not go with --tp, --fp, --fn and --tn: give one or the other")
COUNTS_ARE_GIVEN = Sentence("{number} counts are given; give TP, FP and FN and, if known, TN")
FILE_OF_COUNTS_NEEDS_COLUMNS_TP = Sentence(
    "{file} has {held}; a file of counts needs the columns tp, fp and fn (and tn)"
)
UNIT_NAMES_COLUMN_OF_FILE = Sentence("--unit names a column of FILE, with the counts of each unit; give the file alone")
FILE_DOES_NOT_GO_WITH_TP = Sentence("FILE does not go with --tp, --fp, --fn and --tn: give one or the other")
N_GOES_WITH_TP_FP_FN = Sentence("--n goes with --tp, --fp, --fn and --tn")
CANNOT_BE_READ_AS_COUNTS = Sentence("{path!r} cannot be read as counts ({error}); a file of counts is small and UTF-8")
NEITHER_THREE_OR_FOUR_COUNTS = Sentence("{given!r} is neither three or four counts nor one FILE")
LINE_EVERY_ROW_NEEDS_COUNTS_TP = Sentence("{name}, line {place}: {error}; every row needs counts tp, fp and fn")

# cli/verbs/demo
DATA_WITH_OTHER_CONTENT = Sentence("--data: {path!r} is there with other content; name another folder")

# cli/verbs/papers/bayes
COUNTS_OF_FOLDS = Sentence("the counts of folds; name the columns with --truth and --pred")
WITH_A_FILE = Sentence("a file")
AVERAGED_GOES_WITH_PLOT_AND_COUNTS = Sentence("--averaged goes with --plot and the counts of folds")
PREDICTIONS_TRUTH_PRED = Sentence("predictions (--truth, --pred)")
FOLDS_TYPED_BY_HAND = Sentence("folds typed by hand")
MISSING_GIVE_FILE_OF_COUNTS = Sentence("{option} is missing: give a file of counts, or a fold each with --a and --b")
EACH_MUST_BE_TP_FP_FN = Sentence("{option} is {text!r}; each must be TP,FP,FN or TP,FP,FN,TN, such as 20,3,4")
COLUMN_VALUE_SUCH_AS_TASK_NER = Sentence("it must be COLUMN=VALUE, such as task=NER")
MODEL_HOLDS = Sentence("model {unknown!r} is not in {file}; it holds {found}.{hint}")
TEST_IS_BETWEEN_TWO_MODELS = Sentence(
    "the test is between two models and there are {names}; name two with --model A --model B"
)

# cli/verbs/papers/critical
GIVE_CSV_FILE_WITH_CORRELATION_MATRIX = Sentence("give a CSV FILE with a correlation matrix, or --size")
NO_MATRIX_OF_NUMBERS_SEPARATED = Sentence(
    "{file} is no matrix of numbers separated by commas: {error}; give K rows of K"
)

# cli/verbs/papers/folds
FOLDS_CHOOSE_TEST_WITH_TEST = Sentence("there are {number} folds; choose the test with --test {tests}")
CONLL_FILE = Sentence("a CoNLL file")
ROWS_WITHOUT_TAGS = Sentence("rows without tags; they go with a CoNLL FILE")
GIVE_CSV_FILE_OR_NUMBER = Sentence("give a CSV FILE, or the number of rows with --n")
NO_USE_LEAVE_OUT_OR_CHOOSE = Sentence("{chosen}, which has no use for it; leave it out, or choose --test {needs}")
CORRECTED_T_NEEDS_SIZE_OF_TRAINING = Sentence(
    "corrected-t needs the size of training and test sets: --n-train and --n-test"
)
LABEL_AND_GROUP_NAME_COLUMNS = Sentence("--label and --group name columns of FILE, and there is none")
NO_COLUMN_OF_FILE = Sentence("{arg:{name}} is {options!r}, which is no column of {file}: {held}.{hint}")

# cli/verbs/papers/papers
NO_SUCH_PAPER = Sentence("there is no paper {paper!r} here.{hint} There are {papers}")

# cli/verbs/papers/posterior
PREDICTIONS_OR_COUNTS = Sentence("predictions or counts; they belong to --folds")
WITH_FILES = Sentence("FILES")
GIVE_FILES_OF_PREDICTIONS_OR_COUNTS = Sentence(
    "give FILES of predictions, or the counts --tp, --fp and --fn (and --tn)"
)
AVERAGED_GOES_WITH_PLOT = Sentence("--averaged goes with --plot")
FOLDS_NEEDS_ONE_FILE_WITH_COLUMNS = Sentence("--folds needs one FILE with the columns model, repeat, fold, tp, fp, fn")

# cli/verbs/papers/study
PAPER_THEY_BELONG_TO_STUDY = Sentence("the paper {name}; they belong to the study of a metric")
STUDY_WITHOUT_CORPUS = Sentence("a study without a corpus; they go with 'study wang2019 --data corpus.conll'")
STUDY_OF_METRIC = Sentence("the study of a metric")
WITH_A_CORPUS = Sentence("a corpus")
PAPER_NEEDS_NO_DATA = Sentence("the paper {name}, which needs no data")
SPLITS_GOES_WITH_DATA = Sentence("--splits goes with --data")
POPULATION_IS_MISSING = Sentence("{arg:population} is missing; give {typed}. Or name a paper: {papers}")
UNKNOWN_METRIC_OR_PAPER = Sentence("{marked}{paper} Papers: {papers}")
POPULATION_AS_TYPED = Sentence("it must be {typed}")
FOUR_SHARES_OR_COUNTS_TP_FP = Sentence(
    "four shares or counts tp,fp,fn,tn; rates prevalence=…,recall=…,precision=… (or specificity=…); a K×K matrix "
    "'a,b;c,d' of shares or counts, or a CSV file of one, rows as --rows says; fractions such as 8/30 are shares "
    "too; of scores auc=…,prevalence=…, with shape=…,spread=…,hidden=…,levels=…,mirrored=true as they are, or of "
    "probabilities slope=…,intercept=…"
)

# cli/verbs/plan
ONE_MODEL_LEAVE_OUT_OR_ADD = Sentence("one model; leave it out, or add --difference or --compare")
LABELLED_LEAVE_ONE_OF_THEM_OUT = Sentence("--labelled; leave one of them out")
EXPLAIN_GOES_WITH_PLAN = Sentence(
    "--explain goes with the plan for one model, without --difference, --compare and --strata"
)
COMPARISON_LEAVE_OUT_OR_PLAN = Sentence(
    "a comparison; leave it out, or plan for one model without --difference and --compare"
)
STRATA_LEAVE_ONE_OF_THEM_OUT = Sentence("--strata; leave one of them out")
PLAN_WITHOUT_PILOT_OR_LABELLED = Sentence("a plan without --pilot or --labelled")
HOLDS_NAME = Sentence("{arg:{option}} holds {number}: {models}; name {repeat}")
NOT_LIST_OF_WHOLE_NUMBERS = Sentence("{text!r} is not a list of whole numbers such as 100,200,400")
COST_GOES_WITH_COST_PER_LABEL = Sentence("{option} goes with --cost-per-label: give both prices")
TWO_WITH_PRED = Sentence("the two with --pred A --pred B")
ONE_WITH_PRED = Sentence("one with --pred")

# cli/verbs/reconstruct
NO_FIGURE_WRITE_METRIC_VALUE = Sentence("{text!r} is no figure; write METRIC=VALUE, such as f1=0.77")

# cli/verbs/report
PAIR_NAMES_METRIC = Sentence("--pair, which names its metric")
ANYTIME_SIDE_AND_METHOD_ALL = Sentence("--anytime, --side and --method all")
WITH_ANYTIME = Sentence("--anytime")

# cli/verbs/scores
SCORE_IS_MISSING = Sentence("--score is missing; name the column of scores, such as --score bert")
PLOT_DRAWS_ONE_MODEL = Sentence("--plot draws one model, and there are {number}; name one with --model")

# cli/verbs/serve
THE_CALCULATOR = Sentence("the calculator")

# cli/verbs/slices
BY_READS_ONE_FILE_NEEDS = Sentence(
    "--by reads one file, which needs no --id; join several by id first, or leave --by out"
)
OPTION_DOES_NOT_GO_WITH_BY = Sentence("--{option} does not go with --by")

# cli/verbs/spans
PRED_GIVE_NAME_COLUMN_FOR_ALL = Sentence("--pred is {texts}; give NAME=COLUMN for all of them, or for none")

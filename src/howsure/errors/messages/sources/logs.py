"""What logs of evaluation tools refuse, in words."""

from __future__ import annotations

from howsure.errors.mentions import Sentence

# sources/logs/helm
NO_PER_INSTANCE_STATS_JSON_OF_HELM = Sentence(
    "{name!r} is no per_instance_stats.json of HELM: a list of objects with instance_id and stats"
)
PREDICTIONS_HOLDS_NAME = Sentence("{arg:predictions} {said}; {name!r} holds {options}; name one.{hint}")
INSTANCE_OF_TRIAL_MORE_THAN_ONCE = Sentence(
    "{name!r} has instance {question!r} of trial {other_question} more than once"
)
STATISTICS_FOR_INSTANCE_OF_SEVERAL_SPLITS = Sentence(
    "{name!r} has {number} statistics {metric!r} for instance {question!r}, of several splits; keep one"
)
DOES_NOT_NAME_STATISTIC = Sentence("does not name a statistic")
NAMES_NO_STATISTIC_HELD = Sentence("is {metric!r}, which it does not hold")

# sources/logs/inspect
ENDS_TOO_EARLY = Sentence("it ends too early")
NO_LOG_OF_INSPECT = Sentence("{name!r} is no log of Inspect: it needs the keys 'eval' and 'samples'")
LOG_OF_INSPECT_WITHOUT_SAMPLES = Sentence(
    "{name!r} is a log of Inspect without samples; run the evaluation again without --no-log-samples, for one "
    "answer per question is needed"
)
SOURCE_SAVED_COUNTER = Sentence(
    "{arg:source} is {name!r}, a saved Counter; its table is hs.Counter.load({name!r}).table"
)
SOURCE_ARCHIVE_OF_NUMPY_ARRAYS = Sentence(
    "{arg:source} is {name!r}, an archive of numpy arrays; load it with numpy.load, and give its columns to hs.table",
    shell="FILE is {name!r}, an archive of numpy arrays; write its columns as CSV or Parquet first",
    page="{name!r} is an archive of numpy arrays; write its columns as CSV or Parquet first",
)
LOG_OF_INSPECT_WITHOUT_SCORES = Sentence(
    "{name!r} is a log of Inspect without scores; add them with: inspect score {name}"
)
PREDICTIONS_DOES_NOT_NAME_SCORER_HOLDS = Sentence(
    "{arg:predictions} does not name a scorer and {name!r} holds several scorers: {found}; name one"
)
NO_SUCH_SCORER = Sentence("scorer {scorer!r} is not in {name!r}; it has {options}.{hint}")
SCORER_OF_HAS_NO_RIGHT = Sentence(
    "scorer {scorer!r} of {name!r} has no right or wrong answers, but {next}; a score must be C, I, N or a number; "
    "its scorers are {options}"
)
SAMPLE_HAS_NO_ID_OR_SCORES = Sentence(
    "{name!r}: its sample {at} has no id, or scores that are no object; check the file"
)
CANNOT_BE_READ = Sentence("{name!r} cannot be read ({why}); {convert}")
SAMPLE_OF_EPOCH_MORE_THAN_ONCE = Sentence(
    "{name!r} has sample {question!r} of epoch {other_question} more than once; each must be there once"
)
CONVERT_INSPECT_LOG_CONVERT_TO_JSON = Sentence("convert it with: inspect log convert --to json")

# sources/logs/json_logs
NO_LISTS_PREDICTIONS_AND_REFERENCES = Sentence(
    "{name} has no lists 'predictions' and 'references'; name its format, or give such a file"
)
HOLD_LIST_PER_ROW = Sentence(
    "{name}: {nested} hold a list per row; a label must be one value; of scores per class take the class of "
    "the largest first; for sequences of tags use {calling:spans()}",
)
NO_TABLE_OF_MLFLOW = Sentence("{name} is no table of MLflow: it needs the keys 'columns' and 'data'")
COLUMNS_AND_ROWS_OF_DATA = Sentence(
    "{name}: 'columns' and the rows of 'data' must be lists of one length; check that the file is complete"
)
COLUMNS_DIFFER_IN_LENGTH = Sentence("{name}: columns differ in length: {words}; they must describe the same rows")
LIST_WITH_ONE_LABEL_PER_ROW = Sentence("{name}: {column!r} is {values}; it must be a list with one label per row")
NOT_JSON_CHECK_FILE_IS_COMPLETE = Sentence("{name!r} is not JSON ({error}); check that the file is complete")

# sources/logs/kind_of_file
ONE_JSON_OBJECT_WITH_KEYS = Sentence(
    "{name!r} is one JSON object with the keys {found}; it must be a list of rows, JSON lines, predictions with "
    "references, or a log of Inspect or MLflow (of lm-evaluation-harness: samples_*.jsonl)"
)

# sources/logs/lm_eval
HOLDS_NO_0_1_METRIC_AMONG = Sentence(
    "{name!r} holds no 0/1 metric among {keys}; what is counted must be right or wrong for each question"
)
PREDICTIONS_DOES_NOT_NAME_METRIC_HOLDS = Sentence(
    "{arg:predictions} does not name a metric and {name!r} holds several 0/1 metrics: {found}; name one"
)
NO_SUCH_METRIC_IN_LOG = Sentence("metric {metric!r} is not in {name!r}; it has {options}.{hint}")
DOC_ID_MORE_THAN_ONCE = Sentence(
    "{name!r} has doc_id {one!r} more than once{which}; each question must be there once; name the filter after "
    "the metric, such as {setting:predictions={what!r}}"
)
METRIC_OF_FOR_DOC_ID = Sentence(
    "metric {key!r} of {name!r} is {value} for doc_id {one!r}; it must be a number for each question, or say right "
    "or wrong"
)
LINE_IS_NO_SAMPLE_OF_LM_EVALUATION_HARNESS = Sentence(
    "{name!r}, line {line} is no sample of lm-evaluation-harness: it has no doc_id"
)
OF_SEVERAL_FILTERS = Sentence(" (of several filters?)")

# sources/logs/openai_evals
LOG_OF_OPENAI_EVALS_WITHOUT_EVENTS = Sentence(
    "{name!r} is a log of OpenAI's evals without events 'match' or 'metrics'; nothing is scored"
)
PREDICTIONS_NO_EVENT = Sentence(
    "{arg:predictions} is {metric!r}, which no event of {name!r} has; there are {options}.{hint}"
)
SCORES_SAMPLE_MORE_THAN_ONCE = Sentence("{name!r} scores sample {sample!r} more than once; each must be scored once")
LINE_IS_NO_JSON_OBJECT = Sentence("{name!r}, line {line} is no JSON object; check that the file is complete")
LINE_SCORES_SAMPLE_WITHOUT_SAMPLE_ID = Sentence(
    "{name!r}, line {line} scores a sample without a sample_id; check the file"
)

# sources/logs/read_log
SOURCE_HOLDS_FILES_OF_FORMAT = Sentence("{arg:source} holds {number} files of format {kind!r}; read them one at a time")
FOR_LOG_NAMES_ONE_METRIC = Sentence("for a log it names one metric or scorer")
BUT_LOG_OF_FORMAT_HAS_OWN = Sentence(
    "{arg:{name}} is {request!r}, but a log of format {kind!r} has its own; leave it out"
)

# sources/logs/right_or_wrong
QUESTIONS_EVERY_QUESTION_NEEDS_RIGHT = Sentence(
    "{whose} questions: {said}. Every question needs a right or wrong answer in every run; correct the logs, or "
    "leave such questions out with {setting:on_bad='skip'}."
)
RUNS_HAVE_NO_QUESTION_IN_COMMON = Sentence("the runs have no question in common; check that they are of the same task")
BY_QUESTION_FIELDS_OF_QUESTIONS = Sentence(
    "{arg:by} is {by!r}, which question {lacking!r} does not have; the fields of questions are {fields}.{hint}"
)
QUESTION_IS_NOT_SAME = Sentence(
    "question {differ!r} is not the same in {first!r} and {other!r} (nor {number:,} others): its text or target "
    "differs; runs can be paired only on the same version of a task"
)
RUNS_DID_NOT_ANSWER_SAME = Sentence("the runs did not answer the same")
RUN_DID_NOT_ANSWER_ALL = Sentence("the run did not answer all its")

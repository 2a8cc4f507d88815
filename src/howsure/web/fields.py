"""What a request may ask: one strict model per question. Reading, refusing and the OpenAPI document follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from howsure.errors import nearest, quoted
from howsure.errors.messages import web as messages
from howsure.web import pasted
from howsure.web.limits import (
    LEVELS,
    MOST_CLASSES,
    MOST_FOLDS,
    MOST_NAME,
    MOST_TEXT,
    MOST_TIMES,
    Refused,
    TooLarge,
    at_most,
)

# --- kinds of fields ------------------------------------------------------------------------------------------------


def _read_by(reader: Callable[[Any, str], float]) -> BeforeValidator:
    """Return a kind of field whose value is read by a function that is told the name of the field."""

    def read(value: Any, info: ValidationInfo) -> float:
        return reader(value, str(info.field_name))

    return BeforeValidator(read)


def _text(value: Any, info: ValidationInfo) -> str:
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        raise Refused(messages.OF_TYPE_TEXT(field_name=info.field_name, kind=type(value).__name__))
    text = str(value).strip()
    at_most(messages.CHARACTERS_OF(field_name=info.field_name), len(text), MOST_NAME)
    return text


def _parted(value: Any) -> Any:
    """Return a list of names that a query or a form gives as a text with commas, or by repeating the field."""
    if isinstance(value, tuple) and all(isinstance(part, str) for part in value):
        value = ",".join(value)
    if isinstance(value, str):
        value = value.split(",")
    return [part for part in value if not isinstance(part, str) or part.strip()] if isinstance(value, list) else value


def _table(reader: Callable[[Any, ValidationInfo], Any], shape: Any) -> PlainValidator:
    return PlainValidator(reader, json_schema_input_type=shape | Annotated[str, Field(max_length=MOST_TEXT)])


Rows = list[list[float]]
Number = Annotated[float, _read_by(pasted.number)]
Share = Annotated[float, _read_by(pasted.share)]
Whole = Annotated[int, Field(strict=False), _read_by(pasted.number)]
Flag = Annotated[bool, Field(strict=False)]
Text = Annotated[str, Field(max_length=MOST_NAME), BeforeValidator(_text)]
Choice = BeforeValidator(_text)
Names = Annotated[list[Text], Field(max_length=MOST_CLASSES), BeforeValidator(_parted)]
Matrix = Annotated[pasted.Cells, _table(pasted.matrix, Annotated[Rows, Field(max_length=MOST_CLASSES)])]
Folds = Annotated[Rows, _table(pasted.folds, Annotated[Rows, Field(max_length=MOST_FOLDS)])]
Cube = Annotated[list[int], _table(pasted.cube, Annotated[list[float], Field(min_length=8, max_length=8)])]


def _bare(schema: dict[str, Any]) -> None:
    """Leave out of a field's schema that it may be null: who has nothing to say leaves out the field."""
    schema.pop("default", None)
    kinds = [one for one in schema.pop("anyOf", ()) if one != {"type": "null"}]
    schema.update(kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {})


def _about(text: str, *examples: Any) -> Any:
    return Field(default=None, description=text, examples=list(examples) or None, json_schema_extra=_bare)


Metric = Annotated[Text | None, _about("Metric, by its name in the catalogue.", "f1")]
Between = Annotated[float, Field(ge=LEVELS[0], le=LEVELS[1]), _read_by(pasted.level)]
Level = Annotated[Between | None, _about("Level of the intervals; 0.95 unless given.", 0.95)]
Handling = Annotated[Literal["nan", "skip", "zero"], Choice]
Claim = Annotated[Literal["two-sided", "greater", "less"], Choice]
Undefined = Annotated[Handling | None, _about("What an average does with a class that is 0/0.")]
PosLabel = Annotated[Text | None, _about("The positive class.")]
Margin = Annotated[Share | None, _about("Margin of non-inferiority or equivalence.")]
Rope = Annotated[Share | None, _about("Region of practical equivalence: plus or minus this.")]
Alternative = Annotated[Claim | None, _about("Claim about b − a.")]
Ends = Annotated[list[Number], Field(min_length=2, max_length=2), BeforeValidator(_parted)]


# --- questions ------------------------------------------------------------------------------------------------------


class Asked(BaseModel):
    """The fields of one request; one that is not given, or is blank, is None."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _blank_is_none(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, str):
            at_most(messages.CHARACTERS_OF(field_name=info.field_name), len(value), MOST_TEXT)
            return value if value.strip() or (value and info.field_name == "separator") else None
        return value

    @classmethod
    def read(cls, given: Mapping[str, Any] | Self) -> Self:
        """Return the fields of a dictionary, or those that were read already; what is not known is refused."""
        try:
            return given if isinstance(given, cls) else cls.model_validate(dict(given))
        except ValidationError as error:
            raise refusal_in(error) from None

    @model_validator(mode="wrap")
    @classmethod
    def _in_our_words(cls, given: Any, read: Callable[[Any], Self]) -> Self:
        try:
            return read(given)
        except ValidationError as error:
            raise _refusal(error.errors(), cls.model_fields) from None

    def given(self, *names: str) -> dict[str, Any]:
        """Return those of the named fields that exist and were given."""
        return {name: value for name in names if (value := getattr(self, name, None)) is not None}


class Typed(Asked):
    """Counts or a matrix."""

    tp: Number | None = _about("True positives.", 77)
    fp: Number | None = _about("False positives.", 44)
    fn: Number | None = _about("False negatives.", 10)
    tn: Number | None = _about("True negatives; F1, precision and recall need none.", 702)
    matrix: Matrix | None = _about("A confusion matrix in place of the counts: K lines of K counts.")
    rows: Annotated[Literal["truth", "prediction"], Choice] | None = _about("What the rows of the matrix are.")
    labels: Names | None = _about("The labels of the matrix, in order.")
    pos_label: PosLabel = None


class Intervals(Typed):
    """Every interval of one metric."""

    metric: Metric = None
    level: Level = None
    undefined: Undefined = None


LOOKS = "Limits that hold at every look, however often one looks while rows come in."


class Estimate(Typed):
    """One metric, by its default method; what more rows would give."""

    metric: Metric = None
    level: Level = None
    undefined: Undefined = None
    times: Annotated[Number, Field(gt=0, le=MOST_TIMES)] | None = _about(
        "As if there were this many times the rows, with the same shares."
    )
    prevalence: Share | None = _about("Prevalence where it will be used: the metric and predictive values there.", 0.02)
    anytime: Flag | None = _about(LOOKS)


class Paper(Asked):
    """The figures that a paper prints."""

    n: Whole | None = _about("Rows of the test set.", 833)
    positives: Whole | None = _about("Positive rows among them.")
    figures: Text | None = _about("Metrics as printed: name=value, separated by commas.", "recall=0.885")
    level: Level = None


class Report(Typed):
    """Several metrics."""

    metrics: Names | None = _about("Metrics; the usual ones unless given.")
    joint: Flag | None = _about("Intervals that hold together over all metrics.")
    anytime: Flag | None = _about(LOOKS)
    level: Level = None
    undefined: Undefined = None


class Compare(Asked):
    """Two models from eight counts."""

    cube: Cube | None = _about(
        "Eight counts of rows by truth, prediction of a, prediction of b: 000 001 … 111.",
        [600, 30, 20, 50, 10, 20, 25, 245],
    )
    a: Text | None = _about("Name of model a.")
    b: Text | None = _about("Name of model b.")
    metric: Metric = None
    level: Level = None
    margin: Margin = None
    rope: Rope = None
    alternative: Alternative = None


class Totals(Asked):
    """Two models by how often they are right: 85 of 100 against 91 of 100."""

    right_a: Whole | None = _about("Right answers of a.", 85)
    total_a: Whole | None = _about("Answers of a.", 100)
    right_b: Whole | None = _about("Right answers of b.", 91)
    total_b: Whole | None = _about("Answers of b.", 100)
    same: Flag | None = _about("Both answered the same rows.")
    only_a: Whole | None = _about("On the same rows: those that only a answered rightly.")
    only_b: Whole | None = _about("On the same rows: those that only b answered rightly.")
    a: Text | None = _about("Name of model a.")
    b: Text | None = _about("Name of model b.")
    level: Level = None
    margin: Margin = None
    rope: Rope = None


class Bayes(Asked):
    """Two models from the counts of folds."""

    a: Folds | None = _about("Counts tp, fp, fn of each fold of model a.", [[2088, 154, 1058], [2109, 189, 1066]])
    b: Folds | None = _about("Counts tp, fp, fn of each fold of model b.", [[2075, 151, 1071], [2114, 175, 1061]])
    name_a: Text | None = _about("Name of model a.")
    name_b: Text | None = _about("Name of model b.")
    metrics: Names | None = _about("Metrics; precision, recall and f1 unless given.")
    level: Level = None
    rope: Rope = None
    prior: Number | None = _about("Prior mass per cell; 1 as in the paper unless given.")
    factor: Text | None = _about("Factor of the summed counts: a number or 'conservative'; the paper's unless given.")


class Plan(Asked):
    """How many rows."""

    metric: Metric = None
    half_width: Share | None = _about("Half-width of the interval to reach.", 0.02)
    se: Share | None = _about("Standard error to reach.")
    n: Whole | None = _about("The reverse: what will this many rows give.")
    level: Level = None
    prevalence: Share | None = _about("Expected prevalence, between 0 and 1.")
    precision: Share | None = _about("Expected precision, between 0 and 1.")
    recall: Share | None = _about("Expected recall, between 0 and 1.")
    specificity: Share | None = _about("Expected specificity, between 0 and 1.")
    predicted: Share | None = _about("Expected predicted, between 0 and 1.")
    npv: Share | None = _about("Expected npv, between 0 and 1.")
    expected: Share | None = _about("Expected value of the metric itself.")
    classes: Whole | None = _about("Number of classes, of equal size, for a metric over several.")
    cost: Number | None = _about("Price of one label.")
    budget: Number | None = _about("What may be spent on labels.")
    method: Text | None = _about("Interval method that will be used.")
    assurance: Share | None = _about("Probability with which the half-width is met.")
    bound: Annotated[Literal["jiang", "sharp"], Choice] | None = _about("Worst case over all classifiers.")
    cluster_size: Number | None = _about("Rows per cluster.")
    icc: Share | None = _about("Correlation within a cluster.")
    difference: Share | None = _about("Plan a comparison: the difference b − a to detect.")
    power: Share | None = _about("Power of the comparison; 0.8 unless given.")
    precision_b: Share | None = _about("Expected precision of the second model.")
    recall_b: Share | None = _about("Expected recall of the second model.")
    accuracy: Share | None = _about("Expected accuracy: to plan for accuracy, or to compare accuracies.")
    accuracy_b: Share | None = _about("Expected accuracy of the second model.")
    agreement: Share | None = _about("Share of rows on which the two models agree.")
    unpaired: Flag | None = _about("Two separate test sets instead of the same rows.")
    margin: Share | None = _about("Margin of non-inferiority of the comparison.")


class Upload(Asked):
    """What to answer from a file."""

    question: Annotated[Literal["report", "compare", "columns"], Choice] | None = _about(
        "What to answer from the file."
    )
    truth: Text | None = _about("Column of true labels; guessed unless given.")
    predictions: Names | None = _about("Columns of predicted labels; guessed unless given.")
    judge: Names | None = _about("Columns of a judge's answers; the truth is then empty where nobody looked.")
    group: Text | None = _about("Column of what belongs together: patient, document, speaker.")
    by: Text | None = _about("Column of subgroups: the report for each of its values.")
    weight: Text | None = _about("Column of sampling weights.")
    scores: Names | None = _about("Columns of scores: probabilities or ranks, one a model.")
    threshold: Number | None = _about("Threshold of the scores for metrics of labels that name none.")
    value: Names | None = _about("Columns of a number per row, one a model; of a long table one.")
    range: Ends | None = _about("The smallest and the largest value that can occur; for sums 0,1: parts of a whole.")
    better: Annotated[Literal["higher", "lower"], Choice] | None = _about("Which way values or ratios are better.")
    unit: Text | None = _about("Column of units (image, utterance) whose sums are added up.")
    sums: Names | None = _about("Columns of sums per unit, also with the model before them: yolo_tp.")
    model_column: Text | None = _about("Long table: column of models; with id and correct or value.")
    id: Text | None = _about("Long table: column of questions.")
    correct: Text | None = _about("Long table: column that says whether an answer is right.")
    separator: Annotated[str, Field(max_length=20)] | None = _about("Mark between several labels in one cell.")
    pos_label: PosLabel = None
    undefined: Undefined = None
    model: Text | None = _about("The model whose intervals are shown side by side.")
    a: Text | None = _about("First model of a comparison.")
    b: Text | None = _about("Second model of a comparison.")
    page: Flag | None = _about("Return the full report page too.")
    metric: Metric = None
    level: Level = None
    margin: Margin = None
    rope: Rope = None
    alternative: Alternative = None


# --- refusals -------------------------------------------------------------------------------------------------------


def refusal_in(error: Any) -> Refused:
    """Return the refusal that a model put into pydantic's error, or into FastAPI's."""
    found: Refused = error.errors()[0]["ctx"]["error"]
    return found


def _refusal(errors: Sequence[Any], known: Iterable[str]) -> Refused:
    """Return what pydantic's errors amount to in our words: an unknown field first, else the first error."""
    unknown = [error["loc"][0] for error in errors if error["type"] in ("extra_forbidden", "invalid_key")]
    if not unknown:
        return _refusal_of(errors[0], errors[0]["loc"][0])
    near = nearest(str(unknown[0]), known)
    return Refused(messages.NO_SUCH_FIELD(unknown=unknown[0], near=near, known=quoted(known, most=40)))


def _refusal_of(error: Any, name: str) -> Refused:
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if isinstance(value, tuple):  # only a query or a form that repeats a field makes one
        return Refused(messages.GIVEN_TIMES_GIVE_ONCE(name=name, number=len(value)))
    if isinstance(said := context.get("error"), Refused):  # by the field's own reader
        return said
    if name == "range" and kind in ("too_long", "too_short"):
        return Refused(messages.RANGE_NUMBERS_GIVE_SMALLEST_AND_LARGEST(number=len(value)), 422)
    if kind == "too_long":
        return TooLarge(messages.NAMES_IN(name=name), len(value), context["max_length"])
    if name == "times":
        return Refused(messages.TIMES_LIE_ABOVE_0(value=value, most_times=MOST_TIMES), 422)
    if kind in ("greater_than_equal", "less_than_equal"):
        return Refused(
            messages.SERVER_TAKES_LEVELS(name=name, value=value, levels=LEVELS[0], other_levels=LEVELS[1]), 422
        )
    if kind == "list_type":
        return Refused(messages.OF_TYPE_LIST_OF_NAMES(name=name, kind=type(value).__name__))
    if kind == "literal_error":
        return Refused(
            messages.ONE_OF_VALUES(name=name, value=value, context=context["expected"].replace(" or ", ", "))
        )
    if kind == "int_from_float":
        return Refused(messages.MUST_BE_WHOLE(name=name, value=value))
    return Refused(messages.TRUE_OR_FALSE(name=name, value=str(value)[:80]))

"""What a caller of hs.read asked for, in one frozen object that every reader understands."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from howsure.errors import InputError, check_whole, nearest, quoted
from howsure.errors.messages.sources import files as messages
from howsure.metrics.metric import Label
from howsure.results.sentences.phrases import marked
from howsure.sources.files.distinct_rows import Roles, Rules
from howsure.sources.files.duckdb_engine import Duck, ReadProgress
from howsure.sources.files.guess_columns import guess_columns
from howsure.sources.files.partitions import hint

MOST_THREADS = 1024
ONE_OR_MORE = messages.NAME_COLUMN_LIST_OF_COLUMNS()
_MEMORY = re.compile(r"(?P<number>\d+\.?\d*|\.\d+)\s*(?P<unit>%|[KMGT](?:i?B)?)", re.IGNORECASE | re.ASCII)
Predictions = str | Sequence[str] | Mapping[str, str]


def _is_memory(value: object) -> bool:
    found = _MEMORY.fullmatch(value.strip()) if isinstance(value, str) else None
    return found is not None and 0 < float(found["number"]) <= (100 if found["unit"] == "%" else math.inf)


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """Columns by the part they play, rules for labels and bad rows, and how much of the machine may be used."""

    truth: str | None = None
    predictions: Predictions | None = None
    score_columns: Predictions | Mapping[str, Sequence[str]] | None = None
    group: str | None = None
    weight: str | None = None
    by: str | None = None
    id: str | None = None
    threshold: Any = None
    labels: Sequence[Label] | None = None
    pos_label: Label | None = None
    on_bad: str = "refuse"
    abstain: Label | None = None
    format: str | None = None
    memory: str | None = None
    threads: int | None = None
    progress: ReadProgress | None = None
    partitions: bool = False
    most_labels: int | None = None
    judge: Predictions | None = None

    def __post_init__(self) -> None:
        # Here and not where an engine starts: a frame starts none, and the file of tomorrow does.
        if self.memory is not None and not _is_memory(self.memory):
            rule = messages.NUMBER_WITH_UNIT_OR_SHARE()
            raise InputError.of("memory", self.memory, rule, messages.GIVE_SUCH_AS_400MB_1())
        if self.threads is not None:
            check_whole("threads", self.threads, 1, messages.GIVE_SUCH_AS_2(), most=MOST_THREADS)
        if self.predictions is not None and not isinstance(self.predictions, Iterable):
            raise InputError.of("predictions", self.predictions, ONE_OR_MORE)

    def rules(self, source: str) -> Rules:
        """Return the rules for the rows of a source."""
        return Rules(self.labels, self.pos_label, on_bad=self.on_bad, abstain=self.abstain, source=source)

    def start(self) -> Duck:
        """Return an engine within the limits asked for."""
        return Duck(memory=self.memory, threads=self.threads, progress=self.progress)

    def naming(self, *arguments: str) -> dict[str, str]:
        """Return the columns that some arguments name, where they are given, each with the first that names it."""
        found: dict[str, str] = {}
        for argument in arguments:
            if (column := getattr(self, argument)) is not None:
                found.setdefault(column, argument)
        return found

    def columns(self) -> list[str]:
        """Return the columns of predictions that were named."""
        if self.predictions is None or isinstance(self.predictions, str):
            return [] if self.predictions is None else [self.predictions]
        return list(self.predictions.values() if isinstance(self.predictions, Mapping) else self.predictions)


def guessed(
    request: ReadRequest, columns: Sequence[str], sample: Mapping[str, Sequence[Any]]
) -> tuple[ReadRequest, list[str]]:
    """Return what was asked for with the columns that were not named, guessed among some; and a note that says how."""
    guess = guess_columns(columns, sample, truth=request.truth, predictions=request.columns())
    chosen = request.predictions if request.predictions is not None else list(guess.predictions)
    return replace(request, truth=guess.truth, predictions=chosen), [marked("columns guessed", why=guess.why)]


def roles_of(request: ReadRequest, columns: Sequence[str], *, source: str, files: Sequence[str] = ()) -> Roles:
    """Return the parts that columns play; models are named after their columns unless a mapping names them."""
    if request.truth is None or request.predictions is None:
        raise InputError(messages.TRUTH_AND_PREDICTIONS_MUST_BE_NAMED())
    given = request.predictions
    named = dict(given) if isinstance(given, Mapping) else {str(name): name for name in request.columns()}
    if not named:
        raise InputError(messages.PREDICTIONS_IS_EMPTY())
    if not isinstance(given, Mapping) and len(named) < len(request.columns()):
        raise InputError(messages.PREDICTIONS_NAMES_COLUMN_TWICE(columns=quoted(request.columns())))
    if request.truth in named.values():
        raise InputError(messages.TRUTH_AND_PREDICTION_ARE_BOTH_COLUMN(truth=request.truth))
    if request.truth in named:
        raise InputError(messages.PREDICTIONS_CALLS_MODEL_IS_COLUMN(truth=request.truth))
    judges = _judges(request, {request.truth, *named.values()})
    roles = Roles(request.truth, named, request.group, request.weight, request.by, judges)
    _check_columns(roles, columns, source, files)
    return roles


def _judges(request: ReadRequest, taken: set[str]) -> dict[str, str]:
    """Return the columns of judges by name; a judge is neither the truth nor a model."""
    given = request.judge
    if given is None:
        return {}
    named = (
        dict(given)
        if isinstance(given, Mapping)
        else {one: one for one in ([given] if isinstance(given, str) else given)}
    )
    for column in named.values():
        if column in taken:
            raise InputError(messages.JUDGE_NAMES_COLUMN_IS_TRUTH(column=column))
    return named


def _check_columns(roles: Roles, columns: Sequence[str], source: str, files: Sequence[str]) -> None:
    """Refuse a column that is not there, and name those that are."""
    for argument, column in roles.by_argument():
        if column not in columns:
            raise no_such_column(argument, column, columns, source, files)
        if list(columns).count(column) > 1:
            raise InputError(messages.NAMES_COLUMN_HAS_MORE_THAN_ONCE(argument=argument, column=column, source=source))


def no_such_column(
    argument: str, column: str, columns: Sequence[str], source: str, files: Sequence[str] = ()
) -> InputError:
    """Return the refusal of a column that is not there; it names those that are, or the folders that state it."""
    near = nearest(str(column), map(str, columns)) + hint(files, column)
    return InputError(
        messages.NO_SUCH_COLUMN(argument=argument, column=column, source=source, columns=quoted(columns), hint=near)
    )


class TooManyLabels(InputError):
    """More distinct labels than the caller takes: found before rows are counted."""

    def __init__(self, source: str, column: str, number: int, most: int) -> None:
        super().__init__(f"{source}: {column!r} has {number:,} distinct labels; at most {most:,} are taken here")
        self.number = number


def too_many(source: str) -> InputError:
    """Return the error for distinct rows that memory cannot hold even in pairs of models."""
    return InputError(messages.TOO_MANY_DISTINCT_ROWS_TO_HOLD(source=source))

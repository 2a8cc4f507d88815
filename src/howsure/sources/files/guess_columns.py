"""Guess which column is the truth, which are predictions, and which name the row or what belongs together."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from howsure.errors import InputError, nearest, quoted, setting
from howsure.errors.messages.sources import files as messages
from howsure.results.base import note_of
from howsure.results.sentences.phrases import marked
from howsure.sources.arrays.bad_values import is_missing

TRUTH = (
    "y_true",
    "truth",
    "ground_truth",
    "groundtruth",
    "gt",
    "outcome",
    "diagnosis",
    "human",
    "true_label",
    "label_true",
    "gold",
    "gold_label",
    "gold_standard",
    "target",
    "targets",
    "reference",
    "references",
    "label",
    "labels",
    "actual",
    "observed",
    "obs",
    "expected",
    "answer",
    "correct_answer",
    "true",
    "true_class",
    "class",
    "y",
)
PREDICTION = (
    "y_pred",
    "pred",
    "preds",
    "predicted",
    "prediction",
    "predictions",
    "predicted_label",
    "y_hat",
    "yhat",
    "output",
    "outputs",
    "response",
    "guess",
)
IDENTITY = (
    "id",
    "ids",
    "index",
    "idx",
    "row",
    "row_number",
    "uid",
    "uuid",
    "guid",
    "key",
    "sample",
    "item",
    "image",
    "filename",
    "file",
    "path",
    "question",
    "doc",
    "example",
    "unnamed_0",
    "",
)
GROUP = (
    "patient",
    "subject",
    "speaker",
    "user",
    "document",
    "author",
    "site",
    "hospital",
    "scanner",
    "session",
    "record",
    "recording",
    "video",
    "cluster",
    "group",
    "groups",
    "participant",
    "premise",
    "passage",
    "sentence",
    "household",
    "person",
    "animal",
    "slide",
)
MODEL = ("model", "system", "provider", "llm")
OUTCOME = ("correct", "is_correct", "right", "score", "value", "passed", "rubric")
ASIDE = (
    "weight",
    "sample_weight",
    "fold",
    "split",
    "epoch",
    "seed",
    "repeat",
    "score",
    "prob",
    "probability",
    "confidence",
    "text",
    "input",
    "prompt",
    "category",
    "age",
    "sex",
    "gender",
    "race",
    "year",
    "n",
)
"""Columns that are no predictions even where their values look like labels."""
SHARE = 0.5
"""A prediction's first values are labels of the truth at least this often: both may have rare ones of their own."""


class ColumnGuess(NamedTuple):
    """The columns guessed, and in words why."""

    truth: str
    predictions: tuple[str, ...]
    id: str | None
    group: str | None
    why: str


def plain_name(column: str) -> str:
    """Return a column's name in lower case with single underscores: camelCase, blanks and points are parted.

    >>> plain_name("True Label"), plain_name("patientID"), plain_name("y.true")
    ('true_label', 'patient_id', 'y_true')
    """
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column.strip())
    return re.sub(r"[^a-z0-9]+", "_", parted.lower()).strip("_")


def looks_like_id(column: str) -> bool:
    """Say whether a column's name is that of an identifier of rows."""
    name = plain_name(column)
    return name in IDENTITY or (
        name.endswith(("_id", "_idx", "_index", "_uid", "_no")) and not looks_like_group(column)
    )


def looks_like_group(column: str) -> bool:
    """Say whether a column's name is that of something that rows can have in common.

    >>> looks_like_group("patient_id"), looks_like_group("doc_id"), looks_like_group("svm")
    (True, False, False)
    """
    name = re.sub(r"_(id|no|idx|index|number|name)$", "", plain_name(column))
    return name in GROUP


def looks_like_prediction(column: str) -> bool:
    """Say whether a column's name is that of a prediction."""
    name = plain_name(column)
    return (
        name in PREDICTION
        or bool(re.match(r"(pred|preds|prediction|predicted|yhat|y_hat|y_pred)_", name))
        or name.endswith(("_pred", "_preds", "_prediction", "_predicted", "_yhat"))
    )


def watched_columns(columns: Sequence[str], used: Collection[str | None], id: str | None = None) -> list[str]:
    """Return the columns that name rows or groups and play no part: if one repeats, rows may not be independent."""
    free = (column for column in columns if column not in used)
    return [column for column in free if column == id or looks_like_id(column) or looks_like_group(column)]


def repeat_remark(column: str, distinct: int, filled: int, *, among: str = "") -> list[str]:
    """Return a note if a column that names rows or groups repeats.

    >>> repeat_remark("patient", 3, 3)
    []
    """
    if distinct >= filled:
        return []
    return [
        note_of(
            "column repeats",
            "note",
            column=column,
            distinct=f"{distinct:,}",
            among=among,
            filled=f"{filled:,}",
            group=setting("group", column),
        )
    ]


def check_truth(truth: str | None, columns: Sequence[str]) -> None:
    """Refuse a truth that is no column before anything is guessed from it."""
    if truth is not None and truth not in columns:
        hint = nearest(str(truth), map(str, columns))
        raise InputError(messages.TRUTH_NAMES_COLUMN(truth=truth, columns=quoted(columns), hint=hint))


def guess_columns(
    columns: Sequence[str],
    sample: Mapping[str, Sequence[Any]],
    *,
    truth: str | None = None,
    predictions: Sequence[str] = (),
) -> ColumnGuess:
    """Guess the parts of columns from their names and their first values; refuse when it is not obvious.

    ``truth`` and ``predictions`` are those already known.

    >>> guess_columns(["id", "label", "bert"], {"label": ["a", "b"], "bert": ["b", "b"], "id": [1, 2]}).why
    "truth is 'label' by its name; predictions are 'bert', which share its labels; 'id' identifies rows"
    """
    chosen = guess_truth(columns) if truth is None else truth
    labels = _values(sample.get(chosen, ()))
    rest = _candidates(columns, chosen)
    named = [column for column in rest if looks_like_prediction(column)]
    found = list(predictions) or predictions_among(columns, sample, chosen)
    if not found:
        raise InputError(
            messages.PREDICTIONS_IS_NOT_GIVEN(
                chosen=chosen, others=_others(columns, chosen), labels=quoted(sorted(labels, key=str), most=6)
            )
        )
    identity = next((column for column in columns if looks_like_id(column) and column != chosen), None)
    group = next((column for column in columns if looks_like_group(column) and column != chosen), None)
    words = [] if truth is not None else [marked("guessed truth", column=chosen)]
    if not predictions:
        words += _why(found, [column for column in rest if column not in found], by_name=bool(named))
    words += [marked("guessed id", column=identity)] if identity else []
    words += [marked("guessed group", column=group)] if group else []
    return ColumnGuess(chosen, tuple(found), identity, group, "; ".join(words))


def _others(columns: Sequence[str], truth: str) -> str:
    others = [column for column in columns if column != truth]
    return f"are {quoted(others)}, none" if others else "is no other column, hence none"


def predictions_among(columns: Sequence[str], sample: Mapping[str, Sequence[Any]], truth: str) -> list[str]:
    """Return the columns that look like predictions: by name, or else because they share the labels of the truth."""
    rest, labels = _candidates(columns, truth), _values(sample.get(truth, ()))
    named = [column for column in rest if looks_like_prediction(column)]
    return named or [column for column in rest if _shares(sample.get(column, ()), labels)]


def _candidates(columns: Sequence[str], truth: str) -> list[str]:
    return [column for column in columns if column != truth and not _aside(column)]


def looks_like_truth(column: str) -> bool:
    """Say whether a column's name is that of the truth."""
    return plain_name(column) in TRUTH


def guess_truth(columns: Sequence[str]) -> str:
    """Return the one column that is named like the truth."""
    found = [column for column in columns if looks_like_truth(column)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(messages.TRUTH_IS_NOT_GIVEN(columns=quoted(columns), hint=_long_hint(columns)))
    raise InputError(messages.TRUTH_IS_NOT_GIVEN_AND_SEVERAL(found=quoted(found), hint=_long_hint(columns)))


def _long_hint(columns: Sequence[str]) -> str:
    """Return how to read a long table, where columns are named like those of one."""
    named = {plain_name(column) for column in columns}
    if not (named & set(MODEL) and named & set(OUTCOME)):
        return ""
    return (
        ". It looks like a long table, a row for each model and question: name model=, id= and correct= or value= (on "
        "the command line --model-column, --id, --correct or --value)"
    )


def _aside(column: str) -> bool:
    return looks_like_id(column) or looks_like_group(column) or plain_name(column) in ASIDE


def _values(values: Sequence[Any]) -> set[str]:
    return {_text(value) for value in values if not is_missing(value)}


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _shares(values: Sequence[Any], labels: Collection[str]) -> bool:
    """Say whether values look like labels of the same kind as the truth's."""
    filled = [_text(value) for value in values if not is_missing(value)]
    few = len(set(filled)) <= max(2 * len(labels), len(labels) + 10)
    return bool(filled) and few and sum(value in labels for value in filled) >= SHARE * len(filled)


def _why(predictions: Sequence[str], left: Sequence[str], *, by_name: bool) -> list[str]:
    many = f"guessed prediction{'s' * (len(predictions) > 1)} by name" if by_name else "guessed predictions"
    words = [marked(many, columns=quoted(predictions))]
    return [*words, marked("guessed not", columns=quoted(left, most=6))] if left else words

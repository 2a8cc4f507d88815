"""Text to labels: a CSV file has no types, so the truth's values say whether labels are numbers or text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from howsure.metrics.metric import Label
from howsure.results.sentences.phrases import marked
from howsure.sources.files.distinct_rows import Distinct, Factor

_WHOLE = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.0*)?")
_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]*[1-9][0-9]*(?:[eE][+-]?[0-9]+)?|[0-9.]+[eE]-[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TRUTH = {"true": True, "false": False}
ABSENT_WORDS = frozenset({"na", "n/a", "nan", "null", "none", "<na>"})
"""Words that often stand for a missing value: counted as labels among text, and noted."""

Decode = Callable[[Any], Any]


def whole_number(text: str) -> int | None:
    """Return the integer that a text spells, or None; leading zeros make it a code, not a number.

    >>> whole_number("-3"), whole_number("2.0"), whole_number("007"), whole_number("x")
    (-3, 2, None, None)
    """
    return int(text.split(".")[0]) if _WHOLE.fullmatch(text) else None


def number_or_text(text: Any) -> Any:
    """Return a whole number where the text spells one, else the text."""
    found = whole_number(text) if isinstance(text, str) else None
    return text if found is None else found


def truth_or_text(text: Any) -> Any:
    """Return a boolean or a whole number where the text spells one, else the text."""
    return _TRUTH.get(text.lower(), number_or_text(text)) if isinstance(text, str) else text


def unchanged(text: Any) -> Any:
    """Return the text itself."""
    return text


def decoder(texts: Iterable[Any], labels: Sequence[Label] | None = None) -> Decode:
    """Return how to read texts: as numbers or booleans if all of them (or the labels given) are, else as they are."""
    if labels is not None and not all(isinstance(label, str) for label in labels):
        return truth_or_text
    if labels is not None and any(truth_or_text(label) is label for label in labels):
        return unchanged
    found = [text for text in texts if text is not None and text.lower() not in ABSENT_WORDS]
    if found and all(whole_number(text) is not None for text in found):
        return number_or_text
    return truth_or_text if found and all(text.lower() in _TRUTH for text in found) else unchanged


def typed(distinct: Distinct, labels: Sequence[Label] | None = None) -> tuple[Distinct, Decode]:
    """Return distinct rows of text with typed values, and how labels were read."""
    truth = distinct.truth.values
    if distinct.judges and all(text is None for text in truth):  # nobody looked anywhere
        truth = [value for column in distinct.predictions.values() for value in column.values]
    decode = decoder(truth, labels)

    def own(column: Factor | None) -> Factor | None:
        return column and column.decoded(decoder(column.values))

    changed = replace(
        distinct,
        truth=distinct.truth.decoded(decode),
        predictions={name: column.decoded(decode) for name, column in distinct.predictions.items()},
        judges={name: _answers(column, decode) for name, column in distinct.judges.items()},
        group=own(distinct.group),
        by=own(distinct.by),
    )
    return changed, decode


def _answers(column: Factor, decode: Decode) -> Factor:
    """Return a judge's answers: its scores where all of them are numbers and one is a fraction, else labels."""
    told = [text for text in column.values if text is not None]
    if any(_FRACTION.fullmatch(text) for text in told) and all(map(_NUMBER.fullmatch, told)):
        return column.decoded(lambda text: None if text is None else float(text))
    return column.decoded(decode)


def fitting_labels(labels: Sequence[Label] | None, truth: Iterable[Any]) -> Sequence[Label] | None:
    """Return labels given as text as numbers where the truth has numbers: a command line knows only text.

    >>> fitting_labels(["0", "1"], [1, 0, None]), fitting_labels(["0", "1"], ["1"])
    ([0, 1], ['0', '1'])
    """
    if labels is None or any(isinstance(value, str) for value in truth):
        return labels
    read = [truth_or_text(label) for label in labels]
    return labels if any(isinstance(label, str) for label in read) else read


def label_remarks(labels: Sequence[Label]) -> list[str]:
    """Return notes on labels that look like one another, or like a missing value.

    >>> label_remarks(["Cat", "cat", "NA"])[0]
    "labels 'Cat', 'cat' differ only in case or blanks and are counted as different classes."
    """
    texts = [label for label in labels if isinstance(label, str)]
    alike: dict[str, list[str]] = {}
    for text in texts:
        alike.setdefault(" ".join(text.lower().split()), []).append(text)
    notes = [marked("labels look alike", labels=", ".join(map(repr, some))) for some in alike.values() if len(some) > 1]
    words = [text for text in texts if text.strip().lower() in ABSENT_WORDS]
    if words:
        notes.append(marked("label may be missing", labels=", ".join(map(repr, words))))
    return notes

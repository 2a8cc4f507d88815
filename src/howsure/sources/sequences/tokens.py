"""The tokens of CoNLL files: which column holds them, and where those of two files differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias
from unicodedata import normalize

from howsure.sources.sequences.conll import like_a_tag

Sentences: TypeAlias = Sequence[Sequence[str]]

_NUMBER = re.compile(r"[+-]?[\d.,-]+(?:[eE][+-]?\d+)?")


def tokens_of(columns: Mapping[int, Sentences]) -> Sentences | None:
    """Return the first column that holds words, or None.

    By its values alone: none is empty, some are neither numbers nor tags, and they change within a sentence (the name
    of a document does not), unless every sentence is one token.

    >>> tokens_of({0: [["1", "2"]], 1: [["EU", "rejects"]], 2: [["NNP", "VBZ"]]})
    [['EU', 'rejects']]
    """
    return next((column for column in columns.values() if _holds_words(column)), None)


def _holds_words(column: Sentences) -> bool:
    values = set(chain.from_iterable(column))
    changes = any(len(set(one)) > 1 for one in column) or all(len(one) == 1 for one in column)
    return changes and "" not in values and not _all_numbers(values) and not all(map(like_a_tag, values))


def _all_numbers(values: Iterable[str]) -> bool:
    return all(map(_NUMBER.fullmatch, values))


def first_difference(one: Sequence[str], other: Sequence[str]) -> int | None:
    """Return the place, from 0, of the first token that is another one, whatever its Unicode normal form.

    >>> first_difference(["Caf\u00e9", "x"], ["Cafe\u0301", "y"])
    1
    """
    pairs = enumerate(zip(one, other, strict=True))
    return next((at for at, (a, b) in pairs if a != b and normalize("NFC", a) != normalize("NFC", b)), None)

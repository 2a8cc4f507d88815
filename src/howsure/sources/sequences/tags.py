"""Tag sequences: their chunks, conversion between schemes, and exact-match chunk counts per sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import sequences as messages
from howsure.sources.sequences.schemes import (
    OUTSIDE,
    SCHEMES,
    Flags,
    Malformed,
    Scheme,
    SchemeGuess,
    Spans,
    Tokens,
    find_scheme,
    find_spans,
    guess_scheme,
    outside_tags,
    read_tokens,
    tag_of,
    written_letters,
)
from howsure.types import Integers

__all__ = [
    "SCHEMES", "Chunk", "ChunkCounts", "SchemeGuess", "Scheme", "chunk_sequences", "chunks", "convert",
    "convert_sequences", "count_chunks", "find_scheme", "guess_scheme",
]  # fmt: skip
GOLD = "gold"


class Chunk(NamedTuple):
    """A chunk: tokens ``start`` up to but without ``end``, and its type ("" for untyped tags)."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, eq=False)
class ChunkCounts:
    """Hold exact-match counts per sentence and type.

    Per model: tp = ``hits``, fp = ``predicted`` − ``hits``, fn = ``actual`` − ``hits``; there is no tn.
    ``schemes`` and ``malformed`` (malformed chunks met) have one entry for gold, then one per model; ``rule``
    says what was done with the malformed ones.
    """

    types: tuple[str, ...]
    models: tuple[str, ...]
    actual: Integers  # (sentences, types)
    predicted: Integers  # (sentences, models, types)
    hits: Integers  # (sentences, models, types)
    schemes: tuple[str, ...]
    malformed: tuple[int, ...]
    rule: Malformed


def chunks(
    tags: Sequence[str],
    scheme: str = "IOB2",
    *,
    malformed: Malformed = "conlleval",
    outside: Sequence[str] = OUTSIDE,
) -> list[Chunk]:
    """Return the chunks of one tag sequence.

    Malformed tags: "conlleval" repairs them as that script does (an I- after O starts a chunk, so does a
    change of type); "strict" drops a chunk unless the scheme would write just its tags (as seqeval's strict
    mode, except that seqeval keeps the tail of an IOB1 chunk with a needless B-); "error" refuses.

    >>> chunks(["O", "I-PER", "I-PER", "B-LOC"])
    [Chunk(start=1, end=3, type='PER'), Chunk(start=3, end=4, type='LOC')]
    >>> chunks(["O", "I-PER", "I-PER", "B-LOC"], malformed="strict")
    [Chunk(start=3, end=4, type='LOC')]
    >>> [tuple(word) for word in chunks(["B", "M", "E", "S"], "BMES")]
    [(0, 3, ''), (3, 4, '')]
    """
    return chunk_sequences([tags], scheme, malformed=malformed, outside=outside)[0]


def chunk_sequences(
    sequences: Iterable[Sequence[str]],
    scheme: str = "IOB2",
    *,
    malformed: Malformed = "conlleval",
    outside: Sequence[str] = OUTSIDE,
) -> list[list[Chunk]]:
    """Return the chunks of many tag sequences, in one pass.

    >>> chunk_sequences([["O", "B-PER"], ["O"]])
    [[Chunk(start=1, end=2, type='PER')], []]
    """
    tokens = read_tokens("tags", sequences, scheme, outside)
    spans, _ = find_spans(tokens, malformed)
    before = np.cumsum(tokens.lengths) - tokens.lengths
    sentence = np.repeat(np.arange(before.size), tokens.lengths)[spans.start]
    start, end = (spans.start - before[sentence]).tolist(), (spans.end - before[sentence]).tolist()
    flat = map(Chunk, start, end, map(tokens.types.__getitem__, spans.type.tolist()))
    return [list(islice(flat, number)) for number in np.bincount(sentence, minlength=before.size).tolist()]


def convert(
    tags: Sequence[str],
    from_scheme: str,
    to_scheme: str,
    *,
    malformed: Malformed = "error",
    outside: Sequence[str] = OUTSIDE,
) -> list[str]:
    """Return one tag sequence in another scheme; outside tokens become the first of ``outside``.

    >>> convert(["B-PER", "I-PER", "O", "B-LOC"], "IOB2", "IOBES")
    ['B-PER', 'E-PER', 'O', 'S-LOC']
    """
    return convert_sequences([tags], from_scheme, to_scheme, malformed=malformed, outside=outside)[0]


def convert_sequences(
    sequences: Iterable[Sequence[str]],
    from_scheme: str,
    to_scheme: str,
    *,
    malformed: Malformed = "error",
    outside: Sequence[str] = OUTSIDE,
) -> list[list[str]]:
    """Return many tag sequences in another scheme, in one pass.

    >>> convert_sequences([["B-PER", "I-PER"], ["O"]], "IOB2", "IOE2")
    [['I-PER', 'E-PER'], ['O']]
    """
    target = find_scheme(to_scheme)
    tokens = read_tokens("tags", sequences, from_scheme, outside)
    spans, _ = find_spans(tokens, malformed)
    letter = written_letters(tokens, spans, target)
    inside = letter >= 0
    index = np.full(letter.size, -1)
    index[inside] = letter[inside] * len(tokens.types) + np.repeat(spans.type, spans.end - spans.start)
    names = [tag_of(one, other) for one in target.letters for other in tokens.types] + [outside_tags(outside)[0]]
    flat = iter([names[code] for code in index.tolist()])
    return [list(islice(flat, length)) for length in tokens.lengths.tolist()]


def count_chunks(
    gold_sequences: Iterable[Sequence[str]],
    predictions: Mapping[str, Iterable[Sequence[str]]],
    *,
    scheme: str | Mapping[str, str] = "IOB2",
    malformed: Malformed = "conlleval",
    types: bool = True,
    outside: Sequence[str] = OUTSIDE,
) -> ChunkCounts:
    """Count gold chunks, predicted chunks and exact matches per sentence, model and type.

    A match has the same first token, last token and type. A right span with a wrong type is one false
    positive of the predicted type and one false negative of the gold type; ``types=False`` ignores types.
    ``scheme`` is one name, "auto" (each column guessed on its own), or a mapping of "gold" and each model.

    >>> counts = count_chunks([["B-PER", "O", "B-LOC"]], {"crf": [["B-PER", "O", "B-ORG"]]})
    >>> counts.types, counts.actual.tolist(), counts.predicted.tolist(), counts.hits.tolist()
    (('LOC', 'ORG', 'PER'), [[1, 0, 1]], [[[0, 1, 1]]], [[[0, 0, 1]]])
    """
    schemes = _schemes(scheme, predictions)
    gold = read_tokens(GOLD, gold_sequences, schemes[0], outside)
    if not gold.lengths.size:
        raise InputError(messages.HOLDS_NO_SENTENCES(gold=GOLD))
    tokens = [gold]
    for (model, sequences), one in zip(predictions.items(), schemes[1:], strict=True):
        tokens.append(read_tokens(model, sequences, one, outside))
        _check_shape(gold, tokens[-1])
    read = [find_spans(one, malformed) for one in tokens]
    names, (actual, *predicted) = _common_types(tokens, [spans for spans, _ in read], types)
    hits = [one.where(_matched(actual, one, gold.letter.size)) for one in predicted]
    return ChunkCounts(
        types=names,
        models=tuple(predictions),
        actual=_tally([actual], gold.lengths, len(names))[:, 0],
        predicted=_tally(predicted, gold.lengths, len(names)),
        hits=_tally(hits, gold.lengths, len(names)),
        schemes=tuple(one.scheme.name for one in tokens),
        malformed=tuple(number for _, number in read),
        rule=malformed,
    )


def _schemes(scheme: str | Mapping[str, str], predictions: Mapping[str, object]) -> list[str]:
    """Return the scheme of gold and of each model."""
    if not predictions:
        raise InputError(messages.PREDICTIONS_NAME_NO_MODEL())
    for model, sequences in predictions.items():
        if not isinstance(sequences, Iterable):
            raise InputError(messages.PREDICTIONS_FOR_MODEL(sequences=sequences, model=model))
    if not isinstance(scheme, Mapping):
        return [scheme] * (1 + len(predictions))
    if GOLD in predictions:
        raise InputError(messages.PREDICTIONS_HAS_MODEL_NAMED_UNDER_SCHEME(gold=GOLD))
    columns = [GOLD, *predictions]
    missing = [name for name in columns if name not in scheme]
    unknown = [name for name in scheme if name not in columns]
    if missing or unknown:
        raise InputError(
            messages.SCHEME_HAS_KEYS(
                scheme=quoted(scheme),
                columns=quoted(columns),
                missing=quoted(missing) or "none",
                unknown=quoted(unknown) or "none",
            )
        )
    return [scheme[name] for name in columns]


def _common_types(tokens: list[Tokens], spans: list[Spans], types: bool) -> tuple[tuple[str, ...], list[Spans]]:
    """Return the types that occur in a chunk of any column, and the chunks with indices into these types."""
    if not types:
        return ("",), [one._replace(type=np.zeros_like(one.type)) for one in spans]
    pairs = list(zip(tokens, spans, strict=True))
    names = sorted({one.types[index] for one, some in pairs for index in np.unique(some.type)})
    index = {name: number for number, name in enumerate(names)}
    lookups = [np.array([index.get(name, -1) for name in one.types], dtype=np.int64) for one in tokens]
    common = [some._replace(type=lookup[some.type]) for lookup, some in zip(lookups, spans, strict=True)]
    return tuple(names), common


def _matched(actual: Spans, predicted: Spans, size: int) -> Flags:
    """Return which predicted chunks are gold chunks: at most one chunk starts at a token."""
    end_at, type_at = np.full(size, -1), np.full(size, -1)
    end_at[actual.start], type_at[actual.start] = actual.end, actual.type
    matched: Flags = (end_at[predicted.start] == predicted.end) & (type_at[predicted.start] == predicted.type)
    return matched


def _tally(columns: list[Spans], lengths: Integers, types: int) -> Integers:
    """Return the number of chunks per sentence, column and type."""
    sentence = np.repeat(np.arange(lengths.size), lengths)
    cells = [sentence[spans.start] * types + spans.type for spans in columns]
    counts = [np.bincount(cell, minlength=lengths.size * types) for cell in cells]
    return np.stack([count.reshape(lengths.size, types) for count in counts], axis=1).astype(np.int64)


def _check_shape(gold: Tokens, model: Tokens) -> None:
    if gold.lengths.size != model.lengths.size:
        raise InputError(
            messages.SENTENCES_BUT_MODEL(
                gold=GOLD, size=gold.lengths.size, column=model.column, other_size=model.lengths.size
            )
        )
    different = np.flatnonzero(gold.lengths != model.lengths)
    if different.size:
        sentence = int(different[0])
        raise InputError(
            messages.SENTENCE_LENGTHS_DIFFER(
                sentence=sentence,
                lengths=gold.lengths[sentence],
                gold=GOLD,
                other_lengths=model.lengths[sentence],
                column=model.column,
                size=different.size,
            )
        )

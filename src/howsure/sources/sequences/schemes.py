"""The tag sets: their catalogue, and how tags become chunks and chunks become tags.

One rule reads every scheme: a token that is not outside starts a chunk if the token before it is outside or
of another type, if its own letter opens, or if the letter before it closes. And one rule says what is well
formed: the letters that the scheme would write for that chunk are the letters that stand there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InputError, nearest, quoted
from howsure.errors.messages.sources import sequences as messages
from howsure.types import Integers

Flags: TypeAlias = NDArray[np.bool_]
Malformed: TypeAlias = Literal["conlleval", "strict", "error"]
MALFORMED: tuple[Malformed, ...] = ("conlleval", "strict", "error")
OUTSIDE = ("O",)
AUTO = "auto"


@dataclass(frozen=True)
class Scheme:
    """Hold one tag set: the letter written for each place in a chunk, and the letters that force a border.

    ``early`` holds the second, third … letters where they differ from ``inside``. An opening letter that is
    not ``first`` (IOB1), or a closing one that is not ``last`` (IOE1), is written only where two chunks of
    one type touch.
    """

    name: str
    aliases: tuple[str, ...]
    first: str
    inside: str
    last: str
    single: str
    opens: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    early: tuple[str, ...] = ()

    @property
    def letters(self) -> tuple[str, ...]:
        """Return every letter of the scheme once, in the order of a chunk."""
        places = (self.first, *self.early, self.inside, self.last, self.single, *self.opens, *self.closes)
        return tuple(dict.fromkeys(places))


# Tjong Kim Sang & Veenstra 1999 (IOB1 to IOE2); Ratinov & Roth 2009 (BILOU); Zhao et al. 2006 (BB2B3MES).
SCHEMES = (
    Scheme("IOB2", ("BIO", "BIO2"), "B", "I", "I", "B", opens=("B",)),
    Scheme("IOB1", ("BIO1",), "I", "I", "I", "I", opens=("B",)),
    Scheme("IOE2", (), "I", "I", "E", "E", closes=("E",)),
    Scheme("IOE1", (), "I", "I", "I", "I", closes=("E",)),
    Scheme("IOBES", ("BIOES", "BIESO"), "B", "I", "E", "S", opens=("B", "S"), closes=("E", "S")),
    Scheme("BILOU", ("BILUO", "BIOLU", "IOBLU"), "B", "I", "L", "U", opens=("B", "U"), closes=("L", "U")),
    Scheme("BMES", ("BMESO", "BMEOS", "SBME"), "B", "M", "E", "S", opens=("B", "S"), closes=("E", "S")),
    Scheme("BB2B3MES", (), "B", "M", "E", "S", opens=("B", "S"), closes=("E", "S"), early=("B2", "B3")),
)
_BY_NAME = {name: scheme for scheme in SCHEMES for name in (scheme.name, *scheme.aliases)}


class SchemeGuess(NamedTuple):
    """A scheme read off the tags, with the letters seen, the chunks, those malformed, and its equals."""

    scheme: str
    letters: tuple[str, ...]
    chunks: int
    malformed: int
    alternatives: tuple[str, ...]


def find_scheme(name: str) -> Scheme:
    """Return the scheme of a name or alias, whatever its case.

    >>> find_scheme("bio").name
    'IOB2'
    """
    scheme = _BY_NAME.get(str(name).upper())
    if scheme is None:
        known = [scheme.name for scheme in SCHEMES]
        hint = nearest(str(name).upper(), _BY_NAME)
        raise InputError.of("scheme", name, messages.ONE_OF_SCHEMES(known=quoted(known), auto=AUTO, hint=hint))
    return scheme


def guess_scheme(
    sequences: Iterable[Sequence[str]], *, outside: Sequence[str] = OUTSIDE, column: str = "sequences"
) -> SchemeGuess:
    """Return the scheme with the fewest malformed chunks among those that know every letter seen.

    Ties go to the first in the catalogue, which runs from few letters to many.

    >>> guess_scheme([["B-PER", "E-PER", "O", "S-LOC"]]).scheme
    'IOBES'
    """
    listed, outside = sentences_of(column, sequences), outside_tags(outside)
    seen = sorted({_parts(tag)[0] for tag in _distinct(column, listed) if tag not in outside})
    fitting = [scheme for scheme in SCHEMES if set(seen) <= set(scheme.letters)]
    if not fitting:
        known = "; ".join(f"{scheme.name}: {' '.join(scheme.letters)}" for scheme in SCHEMES)
        raise InputError(
            messages.TAGS_WITH_LETTERS_BESIDE_OUTSIDE_TAGS(
                column=column, seen=quoted(seen), outside=quoted(outside), known=known
            )
        )
    read = [find_spans(read_tokens(column, listed, scheme.name, outside), "conlleval") for scheme in fitting]
    ranked = sorted(zip(fitting, read, strict=True), key=lambda pair: pair[1][1])
    (best, (spans, malformed)), *others = ranked
    equal = tuple(scheme.name for scheme, (_, number) in others if number == malformed)
    return SchemeGuess(best.name, tuple(seen), spans.start.size, malformed, equal)


class Tokens(NamedTuple):
    """All tokens of one column on one axis; letter and type are indices, −1 where outside."""

    column: str
    scheme: Scheme
    lengths: Integers
    letter: Integers
    type: Integers
    types: tuple[str, ...]


class Spans(NamedTuple):
    """Chunks on that axis: first token, end (exclusive), index of the type."""

    start: Integers
    end: Integers
    type: Integers

    def where(self, mask: Flags) -> Spans:
        return Spans(self.start[mask], self.end[mask], self.type[mask])


def sentences_of(column: str, sequences: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Return the sentences as a list; refuse a flat list of tags, else strings were read letter by letter."""
    if isinstance(sequences, str) or not isinstance(sequences, Iterable):
        raise InputError.of(column, sequences, messages.LIST_OF_SENTENCES_EACH_LIST())
    listed = list(sequences)
    for sentence in listed:
        if isinstance(sentence, str) or not hasattr(sentence, "__len__"):
            raise InputError(messages.HOLDS_WHERE_SENTENCE_BELONGS(column=column, sentence=sentence))
    return listed


def outside_tags(outside: str | Sequence[str]) -> tuple[str, ...]:
    """Return the outside tags as a tuple, also of one tag alone."""
    tags = (outside,) if isinstance(outside, str) else tuple(outside)
    if not tags:
        raise InputError(messages.OUTSIDE_IS_EMPTY())
    return tags


def read_tokens(column: str, sequences: Iterable[Sequence[str]], scheme: str, outside: Sequence[str]) -> Tokens:
    """Turn tags into indices of letter and type; each distinct tag is taken apart once."""
    listed, outside = sentences_of(column, sequences), outside_tags(outside)
    known = find_scheme(guess_scheme(listed, outside=outside, column=column).scheme if scheme == AUTO else scheme)
    distinct = _distinct(column, listed)
    inside = {tag: _parts(tag) for tag in distinct if tag not in outside}
    for tag, (letter, _) in inside.items():
        if letter not in known.letters:
            raise _not_a_tag(column, listed, tag, known, outside)
    types = tuple(sorted({type_ for _, type_ in inside.values()}))
    pairs = {tag: (known.letters.index(letter), types.index(type_)) for tag, (letter, type_) in inside.items()}
    letter_of, type_of = np.array([pairs.get(tag, (-1, -1)) for tag in distinct], np.int64).reshape(-1, 2).T
    code = np.fromiter(map(distinct.__getitem__, chain.from_iterable(listed)), dtype=np.int64)
    lengths = np.fromiter(map(len, listed), dtype=np.int64, count=len(listed))
    return Tokens(column, known, lengths, letter_of[code], type_of[code], types)


def _distinct(column: str, sequences: list[Sequence[str]]) -> dict[str, int]:
    """Return the distinct tags, each with its number."""
    try:
        return {tag: index for index, tag in enumerate(dict.fromkeys(chain.from_iterable(sequences)))}
    except TypeError:
        reason = messages.NESTED_TOO_DEEP(column=column)
        raise InputError(reason) from None


def _parts(tag: object) -> tuple[str, str]:
    """Return letter and type of a tag; the letter of what is not text is a blank, which no scheme has."""
    letter, _, type_ = tag.partition("-") if isinstance(tag, str) else (" ", "", "")
    return letter or " ", type_


def tag_of(letter: str, type_: str) -> str:
    return f"{letter}-{type_}" if type_ else letter


def find_spans(tokens: Tokens, malformed: Malformed) -> tuple[Spans, int]:
    """Return the chunks that count and the number of malformed ones met."""
    if malformed not in MALFORMED:
        raise InputError.of("malformed", malformed, messages.ONE_OF_MALFORMED(malformed=quoted(MALFORMED)))
    spans = _repaired(tokens)
    wrong = written_letters(tokens, spans, tokens.scheme) != tokens.letter
    if malformed == "error" and wrong.any():
        raise _is_malformed(tokens, spans, int(np.argmax(wrong)))
    # Outside tokens are never wrong, so from one start to the next is as good as from start to end.
    bad = np.logical_or.reduceat(wrong, spans.start) if spans.start.size else np.zeros(0, dtype=bool)
    return spans.where(~bad) if malformed == "strict" else spans, int(bad.sum())


def _repaired(tokens: Tokens) -> Spans:
    """Cut the tokens into chunks as conlleval does."""
    # One more entry, always False, for the letter −1 of outside tokens.
    opens = np.array([letter in tokens.scheme.opens for letter in tokens.scheme.letters] + [False])
    closes = np.array([letter in tokens.scheme.closes for letter in tokens.scheme.letters] + [False])
    border = _sentence_starts(tokens)
    border[1:] |= tokens.type[1:] != tokens.type[:-1]
    border[1:] |= opens[tokens.letter[1:]] | closes[tokens.letter[:-1]]
    start = np.flatnonzero(border)
    end = np.append(start[1:], border.size)[: start.size]
    return Spans(start, end, tokens.type[start]).where(tokens.letter[start] >= 0)


def written_letters(tokens: Tokens, spans: Spans, scheme: Scheme) -> Integers:
    """Return the letters that a scheme writes for these chunks, −1 outside."""
    start, end, last = spans.start, spans.end, spans.end - 1
    index = {letter: number for number, letter in enumerate(scheme.letters)}
    letter = np.full(tokens.letter.size, -1)
    letter[_covered(spans, letter.size)] = index[scheme.inside]
    letter[start] = index[scheme.first]
    for offset, early in enumerate(scheme.early, start=1):
        letter[(start + offset)[start + offset < last]] = index[early]
    letter[last] = index[scheme.last]
    letter[start[last == start]] = index[scheme.single]
    touching = (end[:-1] == start[1:]) & (spans.type[:-1] == spans.type[1:])
    touching &= ~_sentence_starts(tokens)[start[1:]]
    if scheme.opens and scheme.first not in scheme.opens:
        letter[start[1:][touching]] = index[scheme.opens[0]]
    if scheme.closes and scheme.last not in scheme.closes:
        letter[last[:-1][touching]] = index[scheme.closes[0]]
    return letter


def _covered(spans: Spans, size: int) -> Flags:
    """Return which tokens lie in a chunk."""
    step = np.zeros(size + 1, dtype=np.int64)
    step[spans.start] += 1
    step[spans.end] -= 1
    return np.cumsum(step[:-1]) > 0


def _sentence_starts(tokens: Tokens) -> Flags:
    """Return which tokens are the first of their sentence."""
    first = np.zeros(tokens.letter.size, dtype=bool)
    first[(np.cumsum(tokens.lengths) - tokens.lengths)[tokens.lengths > 0]] = True
    return first


def _is_malformed(tokens: Tokens, spans: Spans, position: int) -> InputError:
    """Return the error that names a malformed tag and the one that the scheme would write in its place."""
    scheme = tokens.scheme
    sentence = int(np.searchsorted(np.cumsum(tokens.lengths), position, side="right"))
    token = position - int(tokens.lengths[:sentence].sum())
    chunk = int(np.searchsorted(spans.start, position, side="right")) - 1
    found, wanted = (
        tag_of(scheme.letters[letter[position]], tokens.types[spans.type[chunk]])
        for letter in (tokens.letter, written_letters(tokens, spans, scheme))
    )
    return InputError(
        messages.TAG_IS_MALFORMED(
            column=tokens.column,
            sentence=sentence,
            token=token,
            found=found,
            end=spans.end[chunk] - spans.start[chunk],
            scheme=scheme.name,
            wanted=wanted,
        )
    )


def _not_a_tag(
    column: str, sequences: list[Sequence[str]], tag: str, scheme: Scheme, outside: Sequence[str]
) -> InputError:
    """Return the error that names the first token whose tag the scheme does not know."""
    sentence = next(number for number, sequence in enumerate(sequences) if tag in list(sequence))
    token = list(sequences[sentence]).index(tag)
    letter = _parts(tag)[0]
    fitting = [one.name for one in SCHEMES if letter in one.letters]
    remedy = (
        messages.NAME_RIGHT_SCHEME(letter=letter, fitting=quoted(fitting)) if fitting else messages.CORRECT_THE_TAG()
    )
    return InputError(
        messages.NOT_A_TAG_OF_SCHEME(
            column=column,
            sentence=sentence,
            token=token,
            tag=tag,
            scheme=scheme.name,
            letters=quoted(scheme.letters),
            outside=quoted(outside),
            remedy=remedy,
        )
    )

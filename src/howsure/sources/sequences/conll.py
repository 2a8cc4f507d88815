"""CoNLL column files: a token a line, its tags in columns, sentences apart by blank lines or by a column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter, itemgetter
from os import PathLike, fspath
from typing import Any, NamedTuple, TypeAlias

from howsure.errors import InputError, nearest, quoted, setting
from howsure.errors.messages.sources import sequences as messages

ColumnKey: TypeAlias = int | str
Corpus: TypeAlias = str | PathLike[str] | Iterable[str] | Iterable[bytes]

DOCUMENT = "-DOCSTART-"
COMMENT = "#"
_LIKE_A_TAG = re.compile(r"(?:[A-Z][0-9]?(?:-.*)?|_|-)?")


class Tagged(NamedTuple):
    """Tag sequences of gold and of each model, and the document of each sentence where the file says it."""

    gold: list[list[str]]
    predictions: dict[str, list[list[str]]]
    groups: list[int | str] | None


class _Text(NamedTuple):
    """The lines of a file, what to call it in messages, and how a line falls into fields."""

    name: str
    lines: list[str]
    fields: Callable[[str], list[str]]


class _Header(NamedTuple):
    """The first line with columns: its place for messages, its fields, and whether they are names."""

    place: str
    number: int
    fields: list[str]
    named: bool


class _Layout(NamedTuple):
    """How many columns there are and where the wanted ones stand: tags of gold, then of each model."""

    width: int
    skip: int
    models: tuple[str, ...]
    tags: tuple[int, ...]
    sentence: int | None
    group: int | None
    others: tuple[int, ...] = ()


class _Row(NamedTuple):
    line: int
    sentence: tuple[int | str, int | str]
    group: int | str
    tags: tuple[str, ...]
    others: tuple[str, ...]


_Sentences: TypeAlias = list[tuple[int | str, list[_Row]]]


def read_conll(
    source: Corpus,
    *,
    gold: ColumnKey | None = None,
    predictions: ColumnKey | Sequence[ColumnKey] | Mapping[str, ColumnKey] = (-1,),
    sentence: ColumnKey | None = None,
    group: ColumnKey | None = None,
    separator: str | None = None,
    document: str = DOCUMENT,
) -> Tagged:
    """Read gold and predicted tags from a path or an open file.

    Columns are numbers (from 0; −1 is the last) or names; with any name the first line is the header. A
    mapping gives names to the predictions. The gold column is the one before the first prediction, unless
    named. A blank line ends a sentence, or a new value in the column
    ``sentence`` where given. Groups come from the column ``group``, or from lines that begin with
    ``document`` (the first starts document 1). ``separator`` None means blanks and tabs. A line with # before
    the first token of a sentence is a comment, unless it has the fields and tags of a token.

    >>> read_conll(["EU B-ORG B-ORG", "rejects O O", "", "Peter B-PER O"])
    Tagged(gold=[['B-ORG', 'O'], ['B-PER']], predictions={'prediction': [['B-ORG', 'O'], ['O']]}, groups=None)
    """
    text = _text(source, separator)
    layout = _layout(text, gold, predictions, sentence, group, document)
    return _tagged(layout, _read(text, layout, document))


def read_with_others(
    source: Corpus, *, separator: str | None = None, document: str = DOCUMENT, **columns: Any
) -> tuple[Tagged, dict[int, list[list[str]]]]:
    """Read tags as ``read_conll`` does, and each column that it leaves aside: words, parts of speech, numbers.

    >>> read_with_others(["EU B-ORG B-ORG", "rejects O O"], gold=None, predictions=(-1,), sentence=None, group=None)[1]
    {0: [['EU', 'rejects']]}
    """
    text = _text(source, separator)
    layout = _layout(text, document=document, **columns)
    used = {*layout.tags, layout.sentence, layout.group}
    layout = layout._replace(others=tuple(place for place in range(layout.width) if place not in used))
    sentences = _read(text, layout, document)
    others = {
        place: [[row.others[at] for row in rows] for _, rows in sentences] for at, place in enumerate(layout.others)
    }
    return _tagged(layout, sentences), others


def _read(text: _Text, layout: _Layout, document: str) -> _Sentences:
    rows = list(_rows(text, layout, document))
    if not rows:
        raise _no_tokens(text)
    _refuse_a_header(text, layout, rows)
    return list(_sentences(text, rows))


def _tagged(layout: _Layout, sentences: _Sentences) -> Tagged:
    gold, *others = ([[row.tags[place] for row in rows] for _, rows in sentences] for place in range(len(layout.tags)))
    groups = [group for group, _ in sentences]
    marked = layout.group is not None or groups[-1] != 0
    return Tagged(gold, dict(zip(layout.models, others, strict=True)), groups if marked else None)


def _text(source: Corpus, separator: str | None) -> _Text:
    """Read all lines, without byte order mark and line ends."""
    name = repr(fspath(source)) if isinstance(source, str | PathLike) else "source"
    try:
        lines = [line.rstrip("\r\n") for line in _lines(source)]
    except UnicodeDecodeError as error:
        raise InputError(messages.NOT_UTF_8_CONVERT_TO_UTF_8_FIRST(name=name, reason=error.reason)) from None
    if lines:
        lines[0] = lines[0].removeprefix("\ufeff")
    return _Text(name, lines, _blank_parted if separator is None else partial(_separated, separator))


def _lines(source: Corpus) -> Iterator[str]:
    if isinstance(source, str | PathLike):
        with open(source, encoding="utf-8") as file:
            yield from file
    else:
        yield from (line if isinstance(line, str) else line.decode() for line in source)


def _blank_parted(line: str) -> list[str]:
    # Not split(): a token may well be a no-break space, or another white space of Unicode.
    return list(filter(None, line.replace("\t", " ").split(" ")))


def _separated(separator: str, line: str) -> list[str]:
    """Return the fields between separators; none for a line of blanks."""
    fields = [field.strip(" ") for field in line.split(separator)]
    return fields if any(fields) else []


def _layout(
    text: _Text,
    gold: ColumnKey | None,
    predictions: ColumnKey | Sequence[ColumnKey] | Mapping[str, ColumnKey],
    sentence: ColumnKey | None,
    group: ColumnKey | None,
    document: str,
) -> _Layout:
    """Find the columns: by number, or by name in the first line."""
    columns = _columns(predictions)
    named = any(isinstance(column, str) for column in (gold, *columns, sentence, group))
    header = _header(text, document, named)
    guesses = tuple(_position(header, "predictions", one) for one in columns)
    tags = (_before(header, guesses) if gold is None else _position(header, "gold", gold), *guesses)
    if tags[0] in guesses:
        raise InputError(messages.GOLD_AND_PREDICTION_ARE_BOTH_COLUMN(tags=tags[0], place=header.place))
    names = list(predictions) if isinstance(predictions, Mapping) else _names(header, tags[1:])
    if len(set(names)) < len(names):
        raise InputError(messages.PREDICTIONS_HAS_NAMES(names=quoted(names)))
    return _Layout(
        width=len(header.fields),
        skip=header.number if named else 0,
        models=tuple(names),
        tags=tags,
        sentence=None if sentence is None else _position(header, "sentence", sentence),
        group=None if group is None else _position(header, "group", group),
    )


def _before(header: _Header, predictions: Sequence[int]) -> int:
    """Return the gold column where none is named: the one before the first prediction."""
    if not min(predictions):
        raise InputError(messages.PREDICTIONS_NAMES_FIRST_COLUMN(place=header.place))
    return min(predictions) - 1


def _columns(predictions: ColumnKey | Sequence[ColumnKey] | Mapping[str, ColumnKey]) -> list[ColumnKey]:
    if isinstance(predictions, int | str):
        return [predictions]
    columns = list(predictions.values() if isinstance(predictions, Mapping) else predictions)
    if not columns:
        raise InputError(messages.PREDICTIONS_IS_EMPTY())
    return columns


def _header(text: _Text, document: str, named: bool) -> _Header:
    """Return the first line that is no blank, comment or mark of a document; else the first with text."""
    filled = [pair for pair in enumerate(text.lines, start=1) if pair[1].strip(" \t")]
    plain = (pair for pair in filled if not pair[1].startswith((COMMENT, *_marks(document))))
    number, line = next(plain, None) or next(iter(filled), (0, ""))
    if not number:
        raise _no_tokens(text)
    fields = text.fields(line.rstrip(" \t") if named else line)
    return _Header(f"{text.name}, line {number}", number, fields, named)


def _marks(document: str) -> tuple[str, ...]:
    """Return what begins a document, as ``startswith`` takes it: an empty text would begin every line."""
    return (document,) if document else ()


def _no_tokens(text: _Text) -> InputError:
    return InputError(messages.NO_TOKENS_ONE_TOKEN_LINE(text=text.name))


def _names(header: _Header, positions: Sequence[int]) -> list[str]:
    """Return the header's names, or make some up."""
    if header.named:
        return [header.fields[position] for position in positions]
    return ["prediction"] if len(positions) == 1 else [f"prediction {i}" for i in range(1, len(positions) + 1)]


def _position(header: _Header, argument: str, column: ColumnKey) -> int:
    """Return the place of a column counted from 0."""
    width = len(header.fields)
    if isinstance(column, str):
        if header.fields.count(column) != 1:
            raise InputError(
                messages.COLUMN_TIMES_ONCE(
                    argument=argument,
                    column=column,
                    place=header.place,
                    other_column=header.fields.count(column),
                    fields=quoted(header.fields),
                    hint=nearest(column, header.fields),
                )
            )
        return header.fields.index(column)
    if not -width <= column < width:
        raise InputError(
            messages.COLUMN_FIELDS_COLUMNS_ARE_NUMBERED_0(
                argument=argument,
                column=column,
                place=header.place,
                width=width,
                other_width=width - 1,
                third_width=-width,
            )
        )
    return column % width


def _rows(text: _Text, layout: _Layout, document: str) -> Iterator[_Row]:
    """Yield each token with its sentence and group."""
    pick = itemgetter(*layout.tags)
    distinct: dict[tuple[str, ...], tuple[str, ...]] = {}
    words: dict[str, str] = {}
    between: tuple[int | str, int | str] = (0, 0)
    documents, head, marks = 0, True, _marks(document)
    for number, line in enumerate(text.lines, start=1):
        fields = text.fields(line)
        if not fields or line.startswith(marks):
            documents += bool(fields)
            between, head = (0, number), True
        elif number == layout.skip or (head and line.startswith(COMMENT) and not _is_token(fields, layout)):
            continue
        else:
            head = layout.sentence is not None
            if len(fields) != layout.width:
                fields = _trimmed(text, layout, number, fields)
            group = documents if layout.group is None else fields[layout.group]
            # Many corpora number their sentences anew in each document.
            sentence = between if layout.sentence is None else (group, fields[layout.sentence])
            tags = pick(fields)
            others = tuple(words.setdefault(fields[place], fields[place]) for place in layout.others)
            yield _Row(number, sentence, group, distinct.setdefault(tags, tags), others)


def _is_token(fields: list[str], layout: _Layout) -> bool:
    """Tell the token # from a comment: it has every field, and tags where tags belong."""
    return len(fields) == layout.width and all(like_a_tag(fields[place]) for place in layout.tags)


def like_a_tag(text: str) -> bool:
    """Say whether a text could be a tag of some scheme: a capital, alone or before a type, or nothing."""
    return _LIKE_A_TAG.fullmatch(text) is not None


def _trimmed(text: _Text, layout: _Layout, number: int, fields: list[str]) -> list[str]:
    """Return the fields without empty ones past the last column; refuse any other number of them."""
    while len(fields) > layout.width and not fields[-1]:
        fields.pop()
    if len(fields) != layout.width:
        raise InputError(
            messages.LINE_FIELDS_WHERE_FIRST_LINE(
                text=text.name,
                number=number,
                number_of_fields=len(fields),
                width=layout.width,
                lines=text.lines[number - 1],
            )
        )
    return fields


def _refuse_a_header(text: _Text, layout: _Layout, rows: list[_Row]) -> None:
    """Refuse a first line of names: no tags, each another, none of them there again, above lines of tags."""
    (first, *others), names = rows, rows[0].tags
    like_tags = (like_a_tag(tag) for tag in {tag for row in others for tag in row.tags})
    if (
        layout.skip or not others or len(set(names)) < len(names)
        or any(map(like_a_tag, names)) or not all(like_tags)
    ):  # fmt: skip
        return
    gold, *models = names
    predictions = setting("predictions", *models) if len(models) == 1 else f"{setting('predictions')}{models}"
    raise InputError(
        messages.LINE_LOOKS_LIKE_HEADER(
            text=text.name,
            line=first.line,
            lines=text.lines[first.line - 1].strip(),
            gold=gold,
            predictions=predictions,
        )
    )


def _sentences(text: _Text, rows: list[_Row]) -> Iterator[tuple[int | str, list[_Row]]]:
    """Yield group and rows of each sentence; refuse a sentence in two pieces or in two groups."""
    seen: set[tuple[int | str, int | str]] = set()
    for sentence, members in groupby(rows, key=attrgetter("sentence")):
        first, *others = members
        if sentence in seen:
            raise InputError(
                messages.LINE_SENTENCE_COMES_BACK_AFTER_OTHERS(text=text.name, line=first.line, sentence=sentence[1])
            )
        seen.add(sentence)
        for other in others:
            if other.group != first.group:
                raise InputError(
                    messages.LINE_GROUP_AT_START_OF_SENTENCE(
                        text=text.name,
                        line=other.line,
                        group=other.group,
                        other_group=first.group,
                        other_line=first.line,
                    )
                )
        yield first.group, [first, *others]

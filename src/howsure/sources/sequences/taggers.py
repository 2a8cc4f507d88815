"""One file a tagger: CoNLL files of the same sentences, paired sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any, NamedTuple

from howsure.errors import InputError, quoted
from howsure.errors.messages.sources import sequences as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.files.join_by_id import short_names
from howsure.sources.sequences.conll import ColumnKey, Tagged, read_conll, read_with_others
from howsure.sources.sequences.tokens import Sentences, first_difference, tokens_of

Path = str | PathLike[str]


class Taggers(NamedTuple):
    """The tags of all taggers on the same sentences, and what is to be said of how they were paired."""

    tagged: Tagged
    notes: tuple[str, ...] = ()


class _File(NamedTuple):
    path: str
    tagged: Tagged
    tokens: Sentences | None


def read_taggers(
    sources: Path | Sequence[Path] | Mapping[str, Path],
    *,
    gold: ColumnKey | None = None,
    predictions: Sequence[ColumnKey] | Mapping[str, ColumnKey] = (-1,),
    sentence: ColumnKey | None = None,
    group: ColumnKey | None = None,
    separator: str | None = None,
) -> Taggers:
    """Read the gold tags and each file's predictions; all files must have the same sentences, tokens and gold tags.

    Models are named after their files where there are several, or by the keys of a mapping.
    """
    if isinstance(sources, (str, PathLike)):
        sources = [sources]
    paths = [fspath(one) for one in (sources.values() if isinstance(sources, Mapping) else sources)]
    names = list(map(str, sources)) if isinstance(sources, Mapping) else short_names(paths)
    how: dict[str, Any] = {"gold": gold, "predictions": predictions, "sentence": sentence, "group": group}
    if len(paths) == 1 and not isinstance(sources, Mapping):
        return Taggers(read_conll(paths[0], **how, separator=separator))
    files = [_file(path, **how, separator=separator) for path in paths]
    notes = [note for other in files[1:] for note in _checked(files[0], other)] + _without_tokens(files)
    models: dict[str, list[list[str]]] = {}
    for name, one in zip(names, files, strict=True):
        alone = len(one.tagged.predictions) == 1
        models |= {name if alone else f"{name} {model}": tags for model, tags in one.tagged.predictions.items()}
    return Taggers(files[0].tagged._replace(predictions=models), tuple(notes))


def _file(path: str, **how: Any) -> _File:
    tagged, others = read_with_others(path, **how)
    return _File(path, tagged, tokens_of(others))


def _without_tokens(files: Sequence[_File]) -> list[str]:
    """Return a note on files of which nothing says that they hold the same words."""
    bare = [file.path for file in files if file.tokens is None]
    if not bare or len(files) == 1:
        return []
    return [marked("file without tokens" if len(bare) == 1 else "files without tokens", files=quoted(bare))]


def _checked(one: _File, other: _File) -> list[str]:
    """Refuse files of other sentences, with the number of the first that differs; note tokens written otherwise."""
    gold, second = one.tagged.gold, other.tagged.gold
    if len(gold) != len(second):
        raise InputError(
            messages.SOURCE_SENTENCES_FILES_OF_TWO_TAGGERS(
                path=one.path, number=len(gold), other_path=other.path, number_of_second=len(second)
            )
        )
    found = [(place, told) for place in range(len(gold)) if (told := _difference(one, other, place)) is not None]
    if found:
        place, (how, remedy) = found[0]
        raise InputError(
            messages.SOURCE_SENTENCE_COUNTED_FROM_1(
                place=place + 1,
                path=one.path,
                other_path=other.path,
                how=how,
                number=len(found),
                number_of_gold=len(gold),
                remedy=remedy,
            )
        )
    return _written_otherwise(one, other)


def _difference(one: _File, other: _File, place: int) -> tuple[str, str] | None:
    """Return in what a sentence differs between two files, and what to do; None where it is the same."""
    a, b = one.tagged.gold[place], other.tagged.gold[place]
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} tokens", "give both the same gold file"
    if one.tokens is not None and other.tokens is not None:
        words, others = one.tokens[place], other.tokens[place]
        at = first_difference(words, others)
        if at is not None:
            return f"token {at + 1} is {words[at]!r} and {others[at]!r}", (
                "both files must hold the same tokens, those of one gold file. If a tagger only spells them "
                "otherwise, write the original ones, or leave its column of tokens out"
            )
    if a != b:
        return f"gold tags {quoted(a[:6])} and {quoted(b[:6])}", "give both the same gold file"
    return None


def _written_otherwise(one: _File, other: _File) -> list[str]:
    if one.tokens is None or other.tokens is None:
        return []
    places = [at for at, (a, b) in enumerate(zip(one.tokens, other.tokens, strict=True), 1) if list(a) != list(b)]
    if not places:
        return []
    counted = "1 sentence" if len(places) == 1 else f"{len(places):,} sentences"
    told = {"sentences": counted, "place": places[0], "first": one.path, "second": other.path}
    return [marked("tokens written otherwise", **told)]


def with_prefixes(
    sequences: Sequence[Sequence[str]], *, suffix: bool, delimiter: str, outside: Sequence[str]
) -> list[list[str]]:
    """Return tags as letter-type, from tags with another delimiter (B_PER) or with the letter last (PER-B)."""
    known: dict[str, str] = {}

    def plain(tag: str) -> str:
        if tag in outside or delimiter not in tag:
            return tag
        first, _, second = tag.rpartition(delimiter) if suffix else tag.partition(delimiter)
        return f"{second}-{first}" if suffix else f"{first}-{second}"

    return [[known.setdefault(tag, plain(tag)) if isinstance(tag, str) else tag for tag in one] for one in sequences]

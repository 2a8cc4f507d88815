"""One file a tagger: CoNLL files of the same sentences, paired sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from howsure.errors import InputError, arg, quoted
from howsure.sources.files.join_by_id import short_names
from howsure.sources.sequences.conll import ColumnKey, Tagged, read_conll

ENDINGS = (".conll", ".conll03", ".iob", ".iob2", ".bio")
Path = str | PathLike[str]


def is_tagged(source: Any) -> bool:
    """Say whether a source is one or more files of tags in columns, by their endings."""
    paths = list(source.values()) if isinstance(source, Mapping) else source
    paths = [paths] if isinstance(paths, (str, PathLike)) else paths
    if not isinstance(paths, (list, tuple)) or not paths:
        return False
    return all(isinstance(one, (str, PathLike)) and fspath(one).lower().endswith(ENDINGS) for one in paths)


def read_taggers(
    sources: Path | Sequence[Path] | Mapping[str, Path],
    *,
    gold: ColumnKey | None = None,
    predictions: Sequence[ColumnKey] | Mapping[str, ColumnKey] = (-1,),
    sentence: ColumnKey | None = None,
    group: ColumnKey | None = None,
    separator: str | None = None,
) -> Tagged:
    """Read the gold tags and each file's predictions; all files must have the same sentences with the same gold tags.

    Models are named after their files where there are several, or by the keys of a mapping.
    """
    if isinstance(sources, (str, PathLike)):
        sources = [sources]
    files = [fspath(one) for one in (sources.values() if isinstance(sources, Mapping) else sources)]
    names = list(map(str, sources)) if isinstance(sources, Mapping) else short_names(files)
    how: dict[str, Any] = {"gold": gold, "predictions": predictions, "sentence": sentence, "group": group}
    read = [read_conll(one, **how, separator=separator) for one in files]
    if len(read) == 1 and not isinstance(sources, Mapping):
        return read[0]
    for name, other in zip(files[1:], read[1:], strict=True):
        _check_same(files[0], read[0], name, other)
    models: dict[str, list[list[str]]] = {}
    for name, one in zip(names, read, strict=True):
        alone = len(one.predictions) == 1
        models |= {name if alone else f"{name} {model}": tags for model, tags in one.predictions.items()}
    return Tagged(read[0].gold, models, read[0].groups)


def _check_same(first: str, one: Tagged, second: str, other: Tagged) -> None:
    """Refuse files of other sentences, with the number of the first sentence that differs."""
    if len(one.gold) != len(other.gold):
        raise InputError(
            f"{arg('source')}: {first!r} has {len(one.gold)} sentences but {second!r} has {len(other.gold)}; the files "
            "of two taggers must hold the same sentences in the same order"
        )
    differ = [place for place, (a, b) in enumerate(zip(one.gold, other.gold, strict=True), 1) if a != b]
    if differ:
        a, b = one.gold[differ[0] - 1], other.gold[differ[0] - 1]
        how = f"{len(a)} and {len(b)} tokens" if len(a) != len(b) else f"gold tags {quoted(a[:6])} and {quoted(b[:6])}"
        raise InputError(
            f"{arg('source')}: sentence {differ[0]} (counted from 1) of {first!r} and {second!r} differs: {how}; "
            f"{len(differ)} of {len(one.gold)} sentences do. Taggers are paired by sentence: give both the same gold "
            "file"
        )


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

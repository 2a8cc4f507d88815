"""hs.spans: tag sequences to a table of chunks, with the sentence as the unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice
from howsure.errors.messages.sources import sequences as messages
from howsure.results.sentences.phrases import marked
from howsure.sources.files.distinct_rows import factor
from howsure.sources.kinds.sums import counts_of_units
from howsure.sources.sequences.overlaps import MATCHES, overlapping
from howsure.sources.sequences.schemes import Malformed
from howsure.sources.sequences.taggers import Taggers, with_prefixes
from howsure.sources.sequences.tags import ChunkCounts, chunk_sequences, count_chunks
from howsure.tables.design import plain_design
from howsure.tables.label_counts import LabelCounts
from howsure.tables.table import Table
from howsure.types import Ints


def spans(
    gold: Sequence[Sequence[str]],
    predictions: Mapping[str, Sequence[Sequence[str]]] | Sequence[Sequence[str]],
    *,
    scheme: str | Mapping[str, str] = "IOB2",
    groups: Sequence[Any] | None = None,
    malformed: Malformed = "conlleval",
    types: bool = True,
    outside: Sequence[str] = ("O",),
    suffix: bool = False,
    delimiter: str = "-",
    match: str = "exact",
) -> Table:
    """Count chunks that agree exactly (span and type) in each sentence; there are no true negatives.

    A metric of one class, such as "f1", is over all types together; "f1[PER]" is one type, "macro_f1" the mean of
    types. ``groups`` names the document of each sentence. ``malformed`` tag sequences are mended as conlleval does,
    read strictly, or refused ("error"). ``types=False`` compares spans alone. ``suffix=True`` reads tags with the
    letter last (PER-B), ``delimiter`` is what stands between letter and type.

    ``match`` "partial" counts half a hit for chunks that overlap, "type" a hit for those that overlap and agree in type
    (SemEval-2013, as nervaluate counts them); the table then holds the counts of each sentence, of all types together.

    >>> t = spans([["B-PER", "O", "B-LOC"]], {"crf": [["B-PER", "O", "O"]]})
    >>> from howsure import estimate
    >>> round(estimate(t, "recall", method="wald").value, 3)
    0.5
    """
    named = predictions if isinstance(predictions, Mapping) else {"model": predictions}
    if suffix or delimiter != "-":
        if not isinstance(delimiter, str) or not delimiter:
            raise InputError.of("delimiter", delimiter, messages.MARK_BETWEEN_LETTER_AND_TYPE())
        how: Any = {"suffix": suffix, "delimiter": delimiter, "outside": outside}
        gold = with_prefixes(gold, **how)
        named = {name: with_prefixes(tags, **how) for name, tags in named.items()}
    check_choice("match", match, MATCHES)
    if match != "exact":
        how = {"scheme": scheme, "malformed": malformed, "outside": outside}
        return _overlapping(gold, named, match, groups, **how)
    counted = count_chunks(gold, named, scheme=scheme, malformed=malformed, types=types, outside=outside)
    return chunk_table(counted, groups)


def spans_of_taggers(found: Taggers, **how: Any) -> Table:
    """Return the table of taggers read from files, with what was noted of their pairing."""
    made = spans(found.tagged.gold, found.tagged.predictions, groups=found.tagged.groups, **how)
    return replace(made, notes=(*made.notes, *found.notes))


def _overlapping(
    gold: Sequence[Sequence[str]], named: Mapping[str, Sequence[Sequence[str]]], match: str, groups: Any, *,
    scheme: Any, malformed: Malformed, outside: Sequence[str],
) -> Table:  # fmt: skip
    """Return hits, false alarms and misses of each sentence by a looser match; shapes are checked by the exact one."""
    counted = count_chunks(gold, named, scheme=scheme, malformed=malformed, outside=outside)
    listed = [chunk_sequences(tags, one, malformed=malformed, outside=outside)
              for tags, one in zip((gold, *named.values()), counted.schemes, strict=True)]  # fmt: skip
    systems = {}
    for model, guesses in zip(named, listed[1:], strict=True):
        pairs = [overlapping(*pair)[match == "type"] for pair in zip(listed[0], guesses, strict=True)]
        hits, guessed, true = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
        systems[str(model)] = (hits, guessed - hits, true - hits)
    made = counts_of_units(systems, groups=groups)
    return replace(made, notes=(*made.notes, marked(f"{match} matches")))


def chunk_table(counted: ChunkCounts, groups: Sequence[Any] | None = None) -> Table:
    """Return the table of counted chunks, equal sentences merged."""
    ones = np.ones(len(counted.actual))
    codes, names = _group_codes(groups, len(ones))
    rows = LabelCounts(
        counted.actual, counted.predicted, counted.hits, labels=counted.types, negatives=False, pooled=True
    )
    return Table(counted.models, rows, plain_design(ones, groups=codes, group_labels=names), _said(counted)).merged()


def _group_codes(groups: Sequence[Any] | None, size: int) -> tuple[Ints | None, tuple[Any, ...]]:
    if groups is None:
        return None, ()
    listed = list(groups)
    if len(listed) != size:
        raise InputError(messages.GROUPS_ENTRIES_BUT_SENTENCES(number=len(listed), size=size))
    codes, names = factor(listed)
    return codes, tuple(names)


def _said(counted: ChunkCounts) -> tuple[str, ...]:
    columns = ("gold", *counted.models)
    used = dict.fromkeys(counted.schemes)
    schemes = (
        next(iter(used))
        if len(used) == 1
        else ", ".join(f"{name}: {scheme}" for name, scheme in zip(columns, counted.schemes, strict=True))
    )
    text = [marked("chunks match", schemes=schemes)]
    broken = [f"{name} {number}" for name, number in zip(columns, counted.malformed, strict=True) if number]
    if broken:
        text.append(marked("malformed chunks", chunks=", ".join(broken), rule=counted.rule))
    return tuple(text)

"""Well-formed tags, read in every scheme and converted between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from howsure.sources.sequences.tags import Chunk, chunks, convert, convert_sequences
from sources.sequences.sequences import NAMES


def write(segments: list[tuple[int, str | None]], name: str) -> list[str]:
    """Write well-formed tags of consecutive stretches (length, type or None for outside)."""
    scheme = {"BILOU": "BILU", "BMES": "BMES", "BB2B3MES": "BMES"}.get(name, "BIES")
    first, inside, last, single = scheme
    tags: list[str] = []
    for place, (length, type_) in enumerate(segments):
        if type_ is None:
            tags += ["O"] * length
            continue
        touched = place > 0 and segments[place - 1][1] == type_
        touching = place + 1 < len(segments) and segments[place + 1][1] == type_
        letters = [single] if length == 1 else [first, *[inside] * (length - 2), last]
        if name == "BB2B3MES":
            letters[1 : length - 1] = (["B2", "B3"] + ["M"] * length)[: max(length - 2, 0)]
        elif name in ("IOB1", "IOB2"):
            letters = ["B" if name == "IOB2" or touched else "I", *["I"] * (length - 1)]
        elif name in ("IOE1", "IOE2"):
            letters = [*["I"] * (length - 1), "E" if name == "IOE2" or touching else "I"]
        tags += [f"{letter}-{type_}" if type_ else letter for letter in letters]
    return tags


segment_lists = st.lists(st.tuples(st.integers(1, 6), st.sampled_from([None, "", "PER", "B-cell", "PER"])), max_size=8)


@pytest.mark.parametrize("from_scheme", NAMES)
@given(segments=segment_lists)
def test_conversion_writes_every_scheme(from_scheme: str, segments: list[tuple[int, str | None]]) -> None:
    tags = write(segments, from_scheme)
    for name in NAMES:
        assert convert(tags, from_scheme, name) == write(segments, name)
        assert convert(convert(tags, from_scheme, name), name, from_scheme) == tags


@given(segments=segment_lists)
def test_chunks_of_well_formed_tags(segments: list[tuple[int, str | None]]) -> None:
    ends = np.cumsum([length for length, _ in segments]).tolist()
    expected = [
        Chunk(end - length, end, type_)
        for end, (length, type_) in zip(ends, segments, strict=True)
        if type_ is not None
    ]
    for name in NAMES:
        for rule in ("conlleval", "strict", "error"):
            assert chunks(write(segments, name), name, malformed=rule) == expected


def test_conversion_of_malformed_tags_follows_the_rule() -> None:
    tags = ["I-A", "I-A", "_", "B-A"]
    outside = ("O", "_")
    assert convert(tags, "IOB2", "IOBES", malformed="conlleval", outside=outside) == [
        "B-A",
        "E-A",
        "O",
        "S-A",
    ]
    assert convert(tags, "IOB2", "IOBES", malformed="strict", outside=outside) == ["O", "O", "O", "S-A"]
    assert convert_sequences([["B"], [], ["B", "I"]], "BIO", "BILOU") == [["U"], [], ["B", "L"]]

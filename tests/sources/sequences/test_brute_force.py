"""Chunks against two brute forces and by hand."""

from __future__ import annotations

import re

import pytest

from howsure.errors import HowsureError
from howsure.sources.sequences.tags import Chunk, chunk_sequences, chunks
from sources.sequences.sequences import NAMES, letters_of, random_sequences

OPENS = {"IOB1": "B", "IOB2": "B", "IOE1": "", "IOE2": "", "BILOU": "BU"}
CLOSES = {"IOB1": "", "IOB2": "", "IOE1": "E", "IOE2": "E", "BILOU": "LU"}
WELL_FORMED = {
    "IOB2": r"BI*",
    "IOE2": r"I*E",
    "IOBES": r"S|BI*E",
    "BILOU": r"U|BI*L",
    "BMES": r"S|BM*E",
    "BB2B3MES": r"S|BE|BB2E|BB2B3M*E",
}


def parts(tag: str) -> tuple[str, str]:
    letter, _, type_ = tag.partition("-")
    return letter, type_


def pieces(tags: list[str], start: int, end: int) -> list[tuple[str, str]] | None:
    """Return letters and types of a stretch, if it lies in one type and holds no outside token."""
    found = [parts(tag) for tag in tags[start:end]]
    inside = all(letter != "O" for letter, _ in found) and len({type_ for _, type_ in found}) == 1
    return found if inside else None


def brute_repaired(tags: list[str], name: str) -> list[Chunk]:
    """Try every stretch: one type, no border forced within, and none longer that has both properties."""
    opens, closes = OPENS.get(name, "BS"), CLOSES.get(name, "ES")

    def unbroken(start: int, end: int) -> bool:
        found = pieces(tags, start, end) if 0 <= start < end <= len(tags) else None
        return found is not None and not (
            any(letter in opens for letter, _ in found[1:] if letter)
            or any(letter in closes for letter, _ in found[:-1] if letter)
        )

    stretches = [(i, j) for i in range(len(tags)) for j in range(i + 1, len(tags) + 1) if unbroken(i, j)]
    whole = [(i, j) for i, j in stretches if not unbroken(i - 1, j) and not unbroken(i, j + 1)]
    return [Chunk(i, j, parts(tags[i])[1]) for i, j in whole]


def brute_strict(tags: list[str], name: str) -> list[Chunk]:
    """Try every stretch against the pattern of the scheme; its neighbours must not go on with it."""
    padded = ["O", *tags, "O"]
    found = []
    for start in range(len(tags)):
        for end in range(start + 1, len(tags) + 1):
            stretch = pieces(tags, start, end)
            if stretch is None:
                continue
            type_ = stretch[0][1]
            before, after = parts(padded[start]), parts(padded[end + 1])
            same_before = before[0] != "O" and before[1] == type_
            same_after = after[0] != "O" and after[1] == type_
            pattern = WELL_FORMED.get(name)
            if name == "IOB1":
                pattern = r"BI*" if same_before else r"II*"
            elif name == "IOE1":
                pattern = r"I*E" if same_after else r"I*I"
            goes_on = (name in ("IOB1", "IOB2") and after == ("I", type_)) or (
                name in ("IOE1", "IOE2") and before == ("I", type_)
            )
            if not goes_on and re.fullmatch(pattern, "".join(letter for letter, _ in stretch)):
                found.append(Chunk(start, end, type_))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_both_rules_agree_with_brute_force(name: str) -> None:
    sequences = random_sequences(letters_of(name), 1000, seed=6)
    strict = chunk_sequences(sequences, name, malformed="strict")
    for tags, good, every in zip(sequences, strict, chunk_sequences(sequences, name), strict=True):
        assert every == brute_repaired(tags, name), tags
        assert good == brute_strict(tags, name), tags


@pytest.mark.parametrize("name", NAMES)
def test_error_refuses_just_what_strict_drops(name: str) -> None:
    for tags in random_sequences(letters_of(name), 200, seed=7):
        strict, repaired = brute_strict(tags, name), brute_repaired(tags, name)
        if strict == repaired:
            assert chunks(tags, name, malformed="error") == repaired
        else:
            with pytest.raises(HowsureError, match="malformed"):
                chunks(tags, name, malformed="error")


@pytest.mark.parametrize("name", NAMES)
def test_many_sequences_are_read_one_by_one(name: str) -> None:
    sequences = random_sequences(letters_of(name), 100, seed=8)
    for rule in ("conlleval", "strict"):
        each = [chunks(tags, name, malformed=rule) for tags in sequences]
        assert chunk_sequences(sequences, name, malformed=rule) == each


def test_repairs_by_hand() -> None:
    assert chunks(["O", "I-A", "I-B", "I-B", "B-B", "I-A"]) == [
        (1, 2, "A"), (2, 4, "B"), (4, 5, "B"), (5, 6, "A"),
    ]  # fmt: skip
    assert chunks(["B-A", "I-A", "S-A", "I-A", "E-A", "E-A"], "IOBES") == [
        (0, 2, "A"), (2, 3, "A"), (3, 5, "A"), (5, 6, "A"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [
        ("BMES", "B E S B M E B M M M E"),
        ("BB2B3MES", "B E S B B2 E B B2 B3 M E"),
        ("IOB2", "B I B B I I B I I I I"),
    ],
)
def test_word_segmentation(scheme: str, tags: str) -> None:
    text = "northbyxyzseven"[:11]
    words = [text[word.start : word.end] for word in chunks(tags.split(), scheme, malformed="error")]
    assert words == ["no", "r", "thb", "yxyzs"]

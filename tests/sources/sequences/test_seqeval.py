"""Chunks against seqeval."""

from __future__ import annotations

import pytest
from seqeval import scheme as reference
from seqeval.metrics.sequence_labeling import get_entities

from howsure.sources.sequences.tags import chunk_sequences
from sources.sequences.sequences import letters_of, random_sequences


def repaired_reference(tags: list[str]) -> list[tuple[int, int, str]]:
    return [(start, end + 1, "" if type_ == "_" else type_) for type_, start, end in get_entities(tags)]


def strict_reference(tags: list[str], name: str) -> list[tuple[int, int, str]]:
    entities = reference.Tokens(tags, getattr(reference, name)).entities
    return [(one.start, one.end, "" if one.tag == "_" else one.tag) for one in entities]


@pytest.mark.parametrize("name", ["IOB1", "IOB2", "IOE1", "IOE2", "IOBES"])
def test_repair_agrees_with_seqeval(name: str) -> None:
    sequences = random_sequences(letters_of(name), 3000, seed=1)
    for tags, found in zip(sequences, chunk_sequences(sequences, name), strict=True):
        assert found == repaired_reference(tags), tags


@pytest.mark.parametrize(("name", "letters"), [("BILOU", "BILU"), ("BMES", "BMES")])
def test_repair_agrees_with_seqeval_in_the_letters_it_knows(name: str, letters: str) -> None:
    # seqeval's default mode knows only B, I, E and S: L and U pass for letters without meaning.
    renamed = str.maketrans(letters, "BIES")
    sequences = random_sequences(list(letters), 3000, seed=2)
    for tags, found in zip(sequences, chunk_sequences(sequences, name), strict=True):
        known = [tag[:1].translate(renamed) + tag[1:] for tag in tags]
        assert found == repaired_reference(known), tags


@pytest.mark.parametrize("name", ["IOB2", "IOE2", "IOBES", "BILOU"])
def test_strict_agrees_with_seqeval(name: str) -> None:
    sequences = random_sequences(letters_of(name), 3000, seed=3)
    for tags, found in zip(sequences, chunk_sequences(sequences, name, malformed="strict"), strict=True):
        assert found == strict_reference(tags, name), tags


def test_strict_iob1_differs_from_seqeval_only_around_a_needless_b() -> None:
    """seqeval keeps the tail of a chunk with a needless B-, and drops a lone B- before a needless one."""
    differing = 0
    sequences = random_sequences(["I", "B"], 3000, seed=4)
    strict = chunk_sequences(sequences, "IOB1", malformed="strict")
    for tags, good, every in zip(sequences, strict, chunk_sequences(sequences, "IOB1"), strict=True):
        bad = [chunk for chunk in every if chunk not in good]
        starts = {chunk.start for chunk in bad}
        kept = [c for c in good if not (c.end - c.start == 1 and tags[c.start][0] == "B" and c.end in starts)]
        tails = [chunk._replace(start=chunk.start + 1) for chunk in bad if chunk.end - chunk.start > 1]
        assert sorted(kept + tails) == strict_reference(tags, "IOB1"), tags
        differing += bool(tails) or kept != good
    assert differing > 100


def test_strict_ioe1_agrees_with_seqeval_without_single_token_e() -> None:
    """seqeval's source says that its IOE1 misses cases: an E- that starts its chunk."""
    compared = 0
    sequences = random_sequences(["I", "E"], 6000, seed=5)
    strict = chunk_sequences(sequences, "IOE1", malformed="strict")
    for tags, good, every in zip(sequences, strict, chunk_sequences(sequences, "IOE1"), strict=True):
        if all(tags[chunk.start][0] != "E" for chunk in every):
            assert good == strict_reference(tags, "IOE1"), tags
            compared += 1
    assert compared > 1000

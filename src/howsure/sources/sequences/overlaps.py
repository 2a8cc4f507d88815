"""Matches of chunks that overlap: partial ones and those by type alone, as SemEval-2013 and nervaluate count them."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.sources.sequences.tags import Chunk

MATCHES = ("exact", "partial", "type")
Counted = tuple[float, float, float]


def overlapping(gold: Sequence[Chunk], guessed: Sequence[Chunk]) -> tuple[Counted, Counted]:
    """Return (hits, guessed, gold) of one sentence by partial matches and by type.

    A guessed chunk that is gold in span and type is a hit for both. Else it meets the gold chunks from the left: one of
    the same span and another type is a hit for partial matches and none by type, and ends the search; each that
    overlaps and has not been met yet is half a hit for partial matches, and a hit by type if the types agree. A guess
    over several gold chunks counts once for each, on both sides. (Segura-Bedmar et al. 2013, SemEval task 9;
    nervaluate, "partial" and "ent_type".)

    >>> overlapping([Chunk(0, 2, "PER")], [Chunk(0, 1, "PER")])
    ((0.5, 1, 1), (1.0, 1, 1))
    """
    partial = by_type = 0.0
    meetings = alone = 0
    met: list[Chunk] = []
    ordered = sorted(gold)
    for guess in sorted(guessed, key=lambda chunk: chunk.end):
        found = [guess] if guess in ordered else _met_by(guess, ordered, met)
        met += found
        meetings, alone = meetings + len(found), alone + (not found)
        partial += sum(1.0 if (true.start, true.end) == (guess.start, guess.end) else 0.5 for true in found)
        by_type += sum(true.type == guess.type for true in found)
    missed = sum(true not in met for true in ordered)
    return (partial, meetings + alone, meetings + missed), (by_type, meetings + alone, meetings + missed)


def _met_by(guess: Chunk, ordered: Sequence[Chunk], met: Sequence[Chunk]) -> list[Chunk]:
    """Return the gold chunks that a guess which is none of them meets."""
    found: list[Chunk] = []
    for true in ordered:
        if (true.start, true.end) == (guess.start, guess.end):
            return [*found, true]
        if true.start < guess.end and guess.start < true.end and true not in met:
            found.append(true)
    return found

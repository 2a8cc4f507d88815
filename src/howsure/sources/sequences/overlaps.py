"""Matches of chunks that overlap: partial ones and those by type alone, as SemEval-2013 and nervaluate count them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from howsure.sources.sequences.tags import Chunk

MATCHES = ("exact", "partial", "type")
Counted = tuple[float, int, int]


def overlapping(gold: Sequence[Chunk], guessed: Sequence[Chunk]) -> tuple[Counted, Counted]:
    """Return (hits, guessed, gold) of one sentence by partial matches and by type.

    Guesses meet gold chunks from the left, each at most one that no other guess has met. Partial: a chunk of the same
    span, whatever its type, is a hit, else the first that overlaps is half a hit. By type: of the chunks that overlap
    and have the type of the guess the one whose ends are nearest is a hit; else the first that overlaps is met and no
    hit. (Segura-Bedmar et al. 2013, SemEval task 9; nervaluate 1.2, "partial" and "ent_type".)

    >>> overlapping([Chunk(0, 2, "PER")], [Chunk(0, 1, "PER")])
    ((0.5, 1, 1), (1.0, 1, 1))
    """
    partial, by_type = (_hits(gold, guessed, rule) for rule in (_by_span, _by_type))
    return (partial, len(guessed), len(gold)), (by_type, len(guessed), len(gold))


def _hits(
    gold: Sequence[Chunk], guessed: Sequence[Chunk], rule: Callable[[Chunk, Sequence[Chunk]], tuple[Chunk, float]]
) -> float:
    left, hits = sorted(gold), 0.0
    for guess in sorted(guessed):
        near = [true for true in left if true.start < guess.end and guess.start < true.end]
        if near:
            met, worth = rule(guess, near)
            left.remove(met)
            hits += worth
    return hits


def _by_span(guess: Chunk, near: Sequence[Chunk]) -> tuple[Chunk, float]:
    same = [true for true in near if (true.start, true.end) == (guess.start, guess.end)]
    return (same[0], 1.0) if same else (near[0], 0.5)


def _by_type(guess: Chunk, near: Sequence[Chunk]) -> tuple[Chunk, float]:
    def away(true: Chunk) -> int:
        return abs(true.start - guess.start) + abs(true.end - guess.end)

    alike = [true for true in near if true.type == guess.type]
    return (min(alike, key=away), 1.0) if alike else (near[0], 0.0)

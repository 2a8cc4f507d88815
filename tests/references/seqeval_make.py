"""Chunk scores of random tag sequences by seqeval. Writes seqeval_tags.csv and seqeval_scores.csv.

Run in this folder: python seqeval_make.py (a second). Nothing of howsure is used. "lenient" is seqeval's default mode
(as conlleval reads malformed tags), "strict" its IOB2 mode.
"""

from __future__ import annotations

import csv
import random
import warnings
from collections.abc import Iterator
from pathlib import Path

from seqeval import scheme
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as lenient
from seqeval.metrics.v1 import precision_recall_fscore_support as strict

Sentences = list[list[str]]
TYPES = ("LOC", "ORG", "PER")


def sentences(generator: random.Random, size: int) -> Sentences:
    """Return well-formed IOB2 sentences."""
    made = []
    for _ in range(size):
        tags: list[str] = []
        while len(tags) < generator.randint(3, 9):
            kind, length = generator.choice(TYPES), generator.randint(0, 3)
            tags += ["O"] if length == 0 else [f"B-{kind}", *[f"I-{kind}"] * (length - 1)]
        made.append(tags)
    return made


def disturbed(generator: random.Random, gold: Sentences, chance: float) -> Sentences:
    """Return the tags with some replaced: chunks are lost, cut, joined, of another type, malformed."""
    choices = ["O", *(f"{letter}-{kind}" for letter in "BI" for kind in TYPES)]
    return [[generator.choice(choices) if generator.random() < chance else tag for tag in tags] for tags in gold]


def scores(gold: Sentences, guess: Sentences) -> Iterator[tuple[str, str, str, float]]:
    for mode, rule in (("lenient", lenient), ("strict", lambda *a, **k: strict(*a, scheme=scheme.IOB2, **k))):
        for average in ("micro", "macro", "weighted"):
            for name, value in zip(("precision", "recall", "f1"), rule(gold, guess, average=average), strict=False):
                yield mode, average, name, float(value)
        for name, values in zip(("precision", "recall", "f1"), rule(gold, guess, average=None), strict=False):
            yield from ((mode, kind, name, float(value)) for kind, value in zip(TYPES, values, strict=True))


def main() -> None:
    generator, tags, found = random.Random(31), [], []
    warnings.simplefilter("error")
    for case, chance in enumerate((0.05, 0.2, 0.5)):
        gold = sentences(generator, 12)
        guess = disturbed(generator, gold, chance)
        tags += [(case, " ".join(a), " ".join(b)) for a, b in zip(gold, guess, strict=True)]
        found += [(case, *row) for row in scores(gold, guess)]
    for name, header, rows in (("tags", "case gold guess", tags), ("scores", "case mode average metric value", found)):
        with Path(f"seqeval_{name}.csv").open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header.split(), *rows])


if __name__ == "__main__":
    main()

"""Chunk scores of random tag sequences by nervaluate. Writes nervaluate_tags.csv and nervaluate_scores.csv.

Run in this folder: python nervaluate_make.py (a second). Nothing of howsure is used. The sequences are well formed: how
malformed ones are read is a rule of its own. Chunks that touch, lie inside each other, overlap two others or have
another type are frequent.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

Sentences = list[list[str]]
TYPES = ("LOC", "ORG", "PER")
CASES = 12


def sentence(generator: random.Random, size: int) -> list[str]:
    """Return one well-formed IOB2 sentence of a given length."""
    tags: list[str] = []
    while len(tags) < size:
        kind, length = generator.choice(TYPES), generator.randint(0, 4)
        tags += ["O"] if length == 0 else [f"B-{kind}", *[f"I-{kind}"] * (length - 1)]
    return tags[:size]


def main() -> None:
    from nervaluate import Evaluator  # of an environment of its own

    generator, tags, found = random.Random(18), [], []
    for case in range(CASES):
        gold = [sentence(generator, generator.randint(1, 14)) for _ in range(15)]
        guess = [one if generator.random() < 0.3 else sentence(generator, len(one)) for one in gold]
        tags += [(case, " ".join(a), " ".join(b)) for a, b in zip(gold, guess, strict=True)]
        overall = Evaluator(gold, guess, tags=list(TYPES), loader="list").evaluate()["overall"]
        for match in ("strict", "partial", "ent_type"):
            one = overall[match]
            found.append((case, match, one.possible, one.actual, one.precision, one.recall, one.f1))
    header = "case match possible actual precision recall f1"
    for name, columns, rows in (("tags", "case gold guess", tags), ("scores", header, found)):
        with Path(f"nervaluate_{name}.csv").open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([columns.split(), *rows])


if __name__ == "__main__":
    main()

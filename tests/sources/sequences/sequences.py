"""The names of the tagging schemes, and random sequences of their tags."""

from __future__ import annotations

import random

from howsure.sources.sequences.tags import SCHEMES

NAMES = [scheme.name for scheme in SCHEMES]


def random_sequences(letters: list[str], number: int, seed: int) -> list[list[str]]:
    """Draw short sequences of any tags of a scheme, hence mostly malformed ones."""
    generator = random.Random(seed)
    typed = [f"{letter}-{type_}" for letter in letters for type_ in ("X", "Y")]
    pools = [["O", *typed], ["O", "O", "O", *typed], ["O", *letters], ["O", *typed, *letters]]
    return [generator.choices(generator.choice(pools), k=generator.randint(0, 9)) for _ in range(number)]


def letters_of(name: str) -> list[str]:
    if name == "BB2B3MES":
        return ["B", "B2", "B3", "M", "E", "S"]
    return [letter for letter in name if letter.isalpha() and letter != "O"]

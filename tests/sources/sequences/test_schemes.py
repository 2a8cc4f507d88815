"""The catalogue of schemes, and which of them is guessed."""

from __future__ import annotations

import pytest

from howsure.sources.sequences.tags import SCHEMES, SchemeGuess, find_scheme, guess_scheme
from sources.sequences.sequences import NAMES


def test_the_catalogue_runs_from_few_letters_to_many() -> None:
    sizes = [len(scheme.letters) for scheme in SCHEMES]
    assert sizes == sorted(sizes)


def test_aliases_lead_to_one_scheme() -> None:
    aliases = [alias for scheme in SCHEMES for alias in (scheme.name, *scheme.aliases)]
    assert len(set(aliases)) == len(aliases)
    assert {find_scheme(alias.lower()).name for alias in aliases} == set(NAMES)


@pytest.mark.parametrize(
    ("tags", "guess"),
    [
        ("O B-A I-A O", SchemeGuess("IOB2", ("B", "I"), 1, 0, ())),
        ("O I-A I-A B-A O", SchemeGuess("IOB1", ("B", "I"), 2, 0, ())),
        ("O I-A E-A E-A", SchemeGuess("IOE2", ("E", "I"), 2, 0, ())),
        ("O I-A E-A I-A", SchemeGuess("IOE1", ("E", "I"), 2, 0, ())),
        ("B-A I-A E-A S-A", SchemeGuess("IOBES", ("B", "E", "I", "S"), 2, 0, ())),
        ("B-A I-A L-A U-A", SchemeGuess("BILOU", ("B", "I", "L", "U"), 2, 0, ())),
        ("B M E S", SchemeGuess("BMES", ("B", "E", "M", "S"), 2, 0, ())),
        ("B B2 B3 M E", SchemeGuess("BB2B3MES", ("B", "B2", "B3", "E", "M"), 1, 0, ())),
        ("B-A I-A O I-A", SchemeGuess("IOB2", ("B", "I"), 2, 1, ("IOB1",))),
        ("B E", SchemeGuess("IOBES", ("B", "E"), 1, 0, ("BMES", "BB2B3MES"))),
        ("O O", SchemeGuess("IOB2", (), 0, 0, tuple(NAMES[1:]))),
    ],
)
def test_guess(tags: str, guess: SchemeGuess) -> None:
    assert guess_scheme([tags.split()]) == guess

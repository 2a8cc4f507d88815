"""Two corpora made by a small grammar: tagged sentences for entity recognition, and unspaced words for segmentation.

Entities. A sentence is one of the patterns in PATTERNS; a slot in capitals is filled by a rule:

    PER  → first last | title last | last
    LOC  → town | "New" town | "Port" town
    ORG  → town club | "Bank of" town | last "&" last | last trade | last common trade | acronym | town (a team)
    MISC → people | town prize | town common prize

Towns, first and last names and common words are made of the same syllables and drawn with frequencies 1/rank, so that
a test set has rare and unseen ones; one last name in six is also a town, and one sentence in five is a headline with
a capital on every word. So a model meets the usual difficulties: a town may be a place, a team or a family, and only
the words around it tell.

Words. A sentence is a row of words without blanks, each from one of four classes that follow each other by FOLLOWS.
Words have one to six characters and frequencies 1/rank; some are new: a known stem with an ending, or a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Sentences = list[list[str]]

PATTERNS = (
    "PER , the COMMON of ORG , said on DAY that ORG would COMMON a COMMON in LOC .",
    "ORG beat ORG NUMBER - NUMBER in LOC on DAY .",
    "ORG said it would COMMON NUMBER COMMON in LOC and LOC .",
    "PER of LOC won the MISC in NUMBER COMMON .",
    "The MISC COMMON met PER in LOC .",
    "LOC , DAY ( ORG ) .",
    "COMMON in ORG fell NUMBER percent after PER left .",
    "PER told ORG that the MISC COMMON would COMMON LOC .",
    "COMMON in LOC held NUMBER MISC COMMON on DAY .",
    "PER COMMON for ORG against ORG .",
    "COMMON COMMON ORG , LOC COMMON PER .",
    "ORG and ORG COMMON COMMON MISC COMMON .",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Friday", "Saturday")
HEADLINES = 0.2  # the share of sentences with a capital on every word
TITLES, CLUBS = ("Mr.", "Dr.", "President"), ("United", "City", "Rovers", "Athletic")
TRADES, PRIZES = ("Ltd", "Group", "Motors", "Steel"), ("Open", "Cup", "Derby")

FOLLOWS = {"noun": "vvpn", "verb": "nnpa", "particle": "nnav", "adjective": "nnnp"}
CLASS = {"n": "noun", "v": "verb", "p": "particle", "a": "adjective"}
LENGTHS = {
    "noun": (2, 2, 2, 3, 3, 4, 1, 5),
    "verb": (1, 2, 2, 2, 3),
    "particle": (1, 1, 1, 2),
    "adjective": (2, 3, 2, 6),
}


@dataclass(frozen=True)
class Names:
    """The names that fill the slots."""

    towns: tuple[str, ...]
    firsts: tuple[str, ...]
    lasts: tuple[str, ...]
    common: tuple[str, ...]


def entities(sentences: int, *, seed: int = 0) -> tuple[Sentences, Sentences]:
    """Return so many sentences and their tags in IOB2, with the types PER, LOC, ORG and MISC."""
    random = Random(seed)
    towns = _made(random, 160, 3)
    lasts = (*_made(random, 200, 2), *towns[::4])
    common = tuple(word.lower() for word in _made(random, 240, 3))
    names = Names(towns, _made(random, 80, 2), tuple(random.sample(lasts, len(lasts))), common)
    made = [_sentence(random, names) for _ in range(sentences)]
    return [words for words, _ in made], [tags for _, tags in made]


def only(tags: Sentences, kept: str) -> Sentences:
    """Return the tags of one type; all other tokens are outside."""
    return [[tag if tag.endswith(f"-{kept}") else "O" for tag in sentence] for sentence in tags]


def words(sentences: int, *, seed: int = 0) -> tuple[Sentences, Sentences]:
    """Return so many unspaced sentences as characters, and their tags in BMES."""
    random = Random(seed)
    signs = [chr(0x4E00 + place) for place in range(90)]
    lexicon = {
        kind: tuple("".join(_zipf(random, signs) for _ in range(random.choice(lengths))) for _ in range(250))
        for kind, lengths in LENGTHS.items()
    }
    made = [_row(random, lexicon, signs) for _ in range(sentences)]
    characters = [list("".join(row)) for row in made]
    return characters, [[tag for word in row for tag in _bmes(len(word))] for row in made]


def _sentence(random: Random, names: Names) -> tuple[list[str], list[str]]:
    tokens: list[str] = []
    tags: list[str] = []
    for slot in random.choice(PATTERNS).split():
        filled = _filled(random, slot, names)
        tokens += filled
        entity = slot in ("PER", "LOC", "ORG", "MISC")
        tags += [f"{'I' if place else 'B'}-{slot}" if entity else "O" for place in range(len(filled))]
    if random.random() < HEADLINES:
        tokens = [token[:1].upper() + token[1:] for token in tokens]
    return tokens, tags


def _filled(random: Random, slot: str, names: Names) -> list[str]:
    drawn = (_zipf(random, some) for some in (names.firsts, names.lasts, names.towns, names.common))
    first, last, town, common = drawn
    named, acronym = common.capitalize(), "".join(random.choices("ABCDEFGHKLMNOPRST", k=3))
    choices: dict[str, Sequence[list[str]]] = {
        "PER": ([first, last], [random.choice(TITLES), last], [last]),
        "LOC": ([town], [town], ["New", town], ["Port", town]),
        "ORG": (
            [town, random.choice(CLUBS)], ["Bank", "of", town], [last, "&", _zipf(random, names.lasts)],
            [last, random.choice(TRADES)], [last, named, random.choice(TRADES)], [acronym], [town],
        ),
        "MISC": ([town[:-1] + "ian"], [town, random.choice(PRIZES)], [town, named, random.choice(PRIZES)]),
        "NUMBER": ([str(random.randrange(1, 60))],),
        "DAY": ([random.choice(DAYS)],),
        "COMMON": ([common],),
    }  # fmt: skip
    return random.choice(choices[slot]) if slot in choices else [slot]


def _made(random: Random, number: int, syllables: int) -> tuple[str, ...]:
    starts, ends = (
        ("ba", "do", "ke", "li", "mar", "nor", "ro", "sta", "ter", "wil", "har", "vin"),
        ("n", "d", "ton", "ra", "s"),
    )
    found: dict[str, None] = {}
    while len(found) < number:
        found["".join(random.choices(starts, k=random.randint(1, syllables))).capitalize() + random.choice(ends)] = None
    return tuple(found)


def _zipf(random: Random, some: Sequence[Any]) -> Any:
    """Draw with frequencies 1/rank."""
    return some[min(int(len(some) ** random.random()) - 1, len(some) - 1)]


def _row(random: Random, lexicon: dict[str, tuple[str, ...]], signs: Sequence[str]) -> list[str]:
    kind, row = "noun", []
    for _ in range(random.randint(6, 14)):
        word = _zipf(random, lexicon[kind])
        if random.random() < 0.08:
            word = word + signs[-1 - random.randrange(4)]  # an ending: a new word of a known stem
        if kind == "adjective" and random.random() < 0.3:
            word = "".join(random.choices("0123456789", k=random.randint(1, 6)))
        row.append(word)
        kind = CLASS[random.choice(FOLLOWS[kind])]
    return row


def _bmes(length: int) -> list[str]:
    return ["S"] if length == 1 else ["B", *["M"] * (length - 2), "E"]

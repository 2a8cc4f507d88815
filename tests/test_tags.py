"""Chunks, converters and chunk counts: against seqeval, two brute forces, and published counts."""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval import scheme as reference
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as reference_scores
from seqeval.metrics.v1 import precision_recall_fscore_support as strict_reference_scores

from howsure.errors import HowsureError
from howsure.sources.conll import read_conll
from howsure.tags import (
    SCHEMES,
    Chunk,
    Guess,
    chunk_sequences,
    chunks,
    convert,
    convert_sequences,
    count_chunks,
    find_scheme,
    guess_scheme,
)

NAMES = [scheme.name for scheme in SCHEMES]
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
        ("O B-A I-A O", Guess("IOB2", ("B", "I"), 1, 0, ())),
        ("O I-A I-A B-A O", Guess("IOB1", ("B", "I"), 2, 0, ())),
        ("O I-A E-A E-A", Guess("IOE2", ("E", "I"), 2, 0, ())),
        ("O I-A E-A I-A", Guess("IOE1", ("E", "I"), 2, 0, ())),
        ("B-A I-A E-A S-A", Guess("IOBES", ("B", "E", "I", "S"), 2, 0, ())),
        ("B-A I-A L-A U-A", Guess("BILOU", ("B", "I", "L", "U"), 2, 0, ())),
        ("B M E S", Guess("BMES", ("B", "E", "M", "S"), 2, 0, ())),
        ("B B2 B3 M E", Guess("BB2B3MES", ("B", "B2", "B3", "E", "M"), 1, 0, ())),
        ("B-A I-A O I-A", Guess("IOB2", ("B", "I"), 2, 1, ("IOB1",))),
        ("B E", Guess("IOBES", ("B", "E"), 1, 0, ("BMES", "BB2B3MES"))),
        ("O O", Guess("IOB2", (), 0, 0, tuple(NAMES[1:]))),
    ],
)
def test_guess(tags: str, guess: Guess) -> None:
    assert guess_scheme([tags.split()]) == guess


def test_a_wrong_type_is_one_false_positive_and_one_false_negative() -> None:
    gold, predicted = [["B-A", "I-A", "O"]], {"m": [["B-B", "I-B", "O"]]}
    typed = count_chunks(gold, predicted)
    assert typed.types == ("A", "B")
    assert (typed.actual.tolist(), typed.predicted.tolist()) == ([[1, 0]], [[[0, 1]]])
    assert typed.hits.tolist() == [[[0, 0]]]
    untyped = count_chunks(gold, predicted, types=False)
    assert (untyped.types, untyped.actual.tolist(), untyped.hits.tolist()) == (("",), [[1]], [[[1]]])


def test_columns_may_differ_in_scheme() -> None:
    gold = [["B-A", "I-A", "O", "B-A"], ["O"]]
    predictions = {"iobes": [["B-A", "E-A", "O", "S-A"], ["S-A"]], "ioe1": [["I-A", "I-A", "O", "O"], ["O"]]}
    schemes = {"gold": "BIO", "iobes": "BIOES", "ioe1": "IOE1"}
    counts = count_chunks(gold, predictions, scheme=schemes, malformed="error")
    assert (counts.models, counts.schemes) == (("iobes", "ioe1"), ("IOB2", "IOBES", "IOE1"))
    assert counts.actual.tolist() == [[2], [0]]
    assert counts.predicted.tolist() == [[[2], [1]], [[1], [0]]]
    assert counts.hits.tolist() == [[[2], [1]], [[0], [0]]]
    assert (counts.malformed, counts.rule) == ((0, 0, 0), "error")


def test_malformed_chunks_are_counted_and_treated_as_said() -> None:
    gold, predicted = [["B-A", "O", "B-B"]], {"m": [["I-A", "O", "B-B"]]}
    repaired, strict = (count_chunks(gold, predicted, malformed=rule) for rule in ("conlleval", "strict"))
    assert repaired.malformed == strict.malformed == (0, 1)
    assert repaired.hits.tolist() == [[[1, 1]]]
    assert (strict.predicted.tolist(), strict.hits.tolist()) == ([[[0, 1]]], [[[0, 1]]])


def test_arrays_and_empty_sentences_are_sentences() -> None:
    gold = [np.array(["B-A", "I-A"]), [], ("O",)]
    counts = count_chunks(gold, {"m": [["B-A", "I-A"], (), ["B-A"]]})
    assert counts.predicted.tolist() == [[[1]], [[0]], [[1]]]
    nothing = count_chunks([["O"], []], {"m": [["O"], []]})
    assert nothing.types == ()
    assert nothing.hits.shape == (2, 1, 0)


@pytest.mark.parametrize("rule", ["conlleval", "strict"])
def test_totals_agree_with_seqeval(rule: str) -> None:
    gold = [tags or ["O"] for tags in random_sequences(["B", "I"], 400, seed=9)]
    gold = [[tag if "-" in tag or tag == "O" else f"{tag}-Z" for tag in tags] for tags in gold]
    generator = random.Random(10)
    predicted = [[tag if generator.random() < 0.8 else "O" for tag in tags] for tags in gold]
    counts = count_chunks(gold, {"m": predicted}, malformed=rule)
    hits, claimed, actual = counts.hits.sum((0, 1)), counts.predicted.sum((0, 1)), counts.actual.sum(0)
    if rule == "strict":
        scores = strict_reference_scores(gold, predicted, scheme=reference.IOB2)
    else:
        scores = reference_scores(gold, predicted)
    assert counts.types == ("X", "Y", "Z")
    np.testing.assert_allclose([hits / claimed, hits / actual], scores[:2], rtol=1e-14)
    assert actual.tolist() == list(scores[3])


def test_conll2003_counts(shared_data: Path) -> None:
    folder = shared_data / "conll2003-ner-tags"
    models = {"elmo": "elmo_lstm_crf", "flair": "flair_lstm_crf"}
    data = read_conll(folder / "tags.tsv", gold="gold", predictions=models, sentence="sentence")
    counts = count_chunks(data.gold, data.predictions, malformed="error")
    tp, predicted, actual = counts.hits.sum(2), counts.predicted.sum(2), counts.actual.sum(1, keepdims=True)
    rows = np.stack([tp, predicted - tp, actual - tp], axis=2)
    # The counts that the data's README states.
    assert rows.sum(0).tolist() == [[5213, 445, 435], [5270, 412, 378]]
    with open(folder / "sentence_counts.csv", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    expected = [[[int(row[f"{m}_{c}"]) for c in ("tp", "fp", "fn")] for m in models] for row in table]
    assert rows.tolist() == expected


@pytest.mark.parametrize("scheme", ["auto", "named"])
def test_hipe_counts(shared_data: Path, scheme: str) -> None:
    folder = shared_data / "hipe2022-ajmc"
    with open(folder / "official-counts-en.csv", encoding="utf-8") as file:
        official = {row["system"]: row for row in csv.DictReader(file) if row["matching"] == "strict"}
    data = read_conll(folder / "tags-en.tsv", gold="gold", predictions=list(official), sentence="document")
    named = {model: "IOBES" if model.startswith("team2") else "IOB2" for model in ("gold", *official)}
    counts = count_chunks(
        data.gold, data.predictions, scheme=named if scheme == "named" else "auto", outside=("O", "_")
    )
    assert counts.schemes == tuple(named.values())
    tp, predicted = counts.hits.sum((0, 2)), counts.predicted.sum((0, 2))
    rows = np.stack([tp, predicted - tp, counts.actual.sum() - tp], axis=1).tolist()
    assert rows == [[int(row[name]) for name in ("tp", "fp", "fn")] for row in official.values()]


GOLD = [["B-A", "I-A"], ["O", "B-A"]]
MESSAGES = {
    "unknown scheme": (
        lambda: chunks(["O"], "BIOSE"),
        "scheme is 'BIOSE'; it must be one of 'IOB2', 'IOB1', 'IOE2', 'IOE1', 'IOBES', 'BILOU', 'BMES', "
        "'BB2B3MES' or 'auto'. Did you mean 'BIOES'?",
    ),
    "unknown rule": (
        lambda: chunks(["O"], malformed="lenient"),
        "malformed is 'lenient'; it must be one of 'conlleval', 'strict', 'error'.",
    ),
    "malformed": (
        lambda: count_chunks(GOLD, {"crf": [["B-A", "I-A"], ["O", "I-A"]]}, malformed="error"),
        "crf, sentence 1, token 1 (counted from 0): the tag 'I-A' is malformed; for the chunk of length "
        "1 read there IOB2 writes 'B-A'. Correct the tags, name the right scheme, or choose "
        "malformed='conlleval' (repair) or 'strict' (drop).",
    ),
    "another scheme's letter": (
        lambda: count_chunks(GOLD, {"crf": [["B-A", "E-A"], ["O", "S-A"]]}),
        "crf, sentence 0, token 1 (counted from 0): 'E-A' is not a tag of IOB2; a tag is one of the "
        "letters 'B', 'I', alone or before '-' and a type, or one of the outside tags 'O'. Name the "
        "right scheme ('E' is in 'IOE2', 'IOE1', 'IOBES', 'BMES', 'BB2B3MES'), or list it in outside=.",
    ),
    "no tag": (
        lambda: chunks(["O", "_"]),
        "tags, sentence 0, token 1 (counted from 0): '_' is not a tag of IOB2; a tag is one of the "
        "letters 'B', 'I', alone or before '-' and a type, or one of the outside tags 'O'. Correct the "
        "tag, or list it in outside=.",
    ),
    "not text": (
        lambda: chunks(["O", None]),
        "tags, sentence 0, token 1 (counted from 0): None is not a tag of IOB2; a tag is one of the "
        "letters 'B', 'I', alone or before '-' and a type, or one of the outside tags 'O'. Correct the "
        "tag, or list it in outside=.",
    ),
    "no scheme fits": (
        lambda: guess_scheme([["B-A", "L-A", "S-A"]]),
        "sequences has tags with the letters 'B', 'L', 'S' beside the outside tags 'O'; no scheme has "
        "them all (IOB2: B I; IOB1: I B; IOE2: I E; IOE1: I E; IOBES: B I E S; BILOU: B I L U; BMES: B M "
        "E S; BB2B3MES: B B2 B3 M E S). Correct the tags, or list further outside tags in outside=.",
    ),
    "tokens": (
        lambda: count_chunks(GOLD, {"crf": [["O", "O"], ["O"]]}),
        "sentence 1 (counted from 0) has 2 tags in gold but 1 in model 'crf'; each token must have one "
        "tag in every column. Sentences that differ: 1.",
    ),
    "sentences": (
        lambda: count_chunks(GOLD, {"crf": GOLD[:1]}),
        "gold has 2 sentences but model 'crf' has 1; they must describe the same sentences in the same order.",
    ),
    "flat": (
        lambda: count_chunks(["B-A", "O"], {"crf": ["B-A", "O"]}),
        "gold holds 'B-A' where a sentence belongs; it must be a list of sentences, each a list of tags. "
        "One sentence alone: wrap it in a list.",
    ),
    "deep": (
        lambda: count_chunks([[["B-A"]]], {"crf": [[["B-A"]]]}),
        "gold is nested too deep; it must be a list of sentences, each a list of tags.",
    ),
    "no models": (
        lambda: count_chunks(GOLD, {}),
        "predictions is empty; it must map at least one model's name to its tag sequences.",
    ),
    "missing scheme": (
        lambda: count_chunks(GOLD, {"crf": GOLD}, scheme={"gold": "BIO", "svm": "BIO"}),
        "scheme has the keys 'gold', 'svm'; it must have one for each of 'gold', 'crf': missing 'crf', unknown 'svm'.",
    ),
    "model named gold": (
        lambda: count_chunks(GOLD, {"gold": GOLD}, scheme={"gold": "BIO"}),
        "predictions has a model named 'gold', under which scheme has the gold tags; rename it.",
    ),
    "no outside tag": (
        lambda: chunks(["B"], outside=()),
        "outside is empty; it must name at least one tag of tokens in no chunk, such as 'O'.",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case: str) -> None:
    call, message = MESSAGES[case]
    with pytest.raises(HowsureError) as caught:
        call()
    assert str(caught.value) == message

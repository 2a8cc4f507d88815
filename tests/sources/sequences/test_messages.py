"""What is said of tags that cannot be read."""

from __future__ import annotations

import pytest

from howsure.sources.sequences.tags import chunks, count_chunks, guess_scheme
from support.refusals import refusal

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
    assert refusal(call) == message

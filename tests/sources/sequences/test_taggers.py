"""One CoNLL file a tagger, paired by sentence; tags with the letter last or another delimiter."""

from __future__ import annotations

from pathlib import Path
from unicodedata import normalize

import pytest

import howsure as hs
from support.command_line import as_json, run

GOLD = [["B-PER", "I-PER", "O"], ["O", "B-LOC"], ["B-ORG", "O", "B-PER", "O"], ["O", "O", "B-LOC", "I-LOC"]]
CRF = [["B-PER", "I-PER", "O"], ["O", "O"], ["B-ORG", "O", "B-LOC", "O"], ["O", "O", "B-LOC", "I-LOC"]]
LSTM = [["B-PER", "O", "O"], ["O", "B-LOC"], ["B-ORG", "O", "B-PER", "O"], ["O", "B-LOC", "B-LOC", "I-LOC"]]


def conll(path: Path, *columns: list[list[str]]) -> Path:
    """Write words and columns of tags."""
    sentences = [
        "\n".join(f"w{at} " + " ".join(tags) for at, tags in enumerate(zip(*sentence, strict=True)))
        for sentence in zip(*columns, strict=True)
    ]
    path.write_text("\n\n".join(sentences) + "\n")
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return [conll(tmp_path / "crf.conll", GOLD, CRF), conll(tmp_path / "lstm.conll", GOLD, LSTM)]


def test_two_files_are_the_table_of_two_taggers(files: list[Path]) -> None:
    found, direct = hs.read(files, scheme="IOB2"), hs.spans(GOLD, {"crf": CRF, "lstm": LSTM})
    assert found.models == ("crf", "lstm")
    for metric in ("f1", "precision", "f1[LOC]"):
        both = [hs.compare(table, metric) for table in (found, direct)]
        assert (both[0].difference, both[0].low) == (pytest.approx(both[1].difference), pytest.approx(both[1].low))
    assert hs.read({"a": files[0], "b": files[1]}).models == ("a", "b")
    assert hs.read(files[0]).models == ("prediction",)


def test_the_verb_prints_table_test_and_sentence(files: list[Path]) -> None:
    text = run("spans", *files).output
    assert "crf and lstm are not told apart in F1" in text
    assert text.index("model") < text.index("lstm − crf  ")  # the table first, then the test with its p-value
    assert {row["model"] for row in as_json("spans", *files)["rows"]} == {"crf", "lstm"}
    assert "difference in recall" in run("spans", *files, "-m", "recall").output


def test_columns_have_names(tmp_path: Path) -> None:
    path = conll(tmp_path / "both.conll", GOLD, CRF, LSTM)
    rows = as_json("spans", path, "--pred", "mine=2", "--pred", "theirs=3", "-m", "f1")["rows"]
    assert [row["model"] for row in rows] == ["mine", "theirs"]
    assert rows[0]["value"] == pytest.approx(hs.estimate(hs.spans(GOLD, CRF), "f1").value)
    assert "for all of them, or for none" in run("spans", path, "--pred", "mine=2", "--pred", "3", code=2).output


def test_sentences_that_differ_are_named_by_number(tmp_path: Path) -> None:
    first = conll(tmp_path / "crf.conll", GOLD, CRF)
    other = [*GOLD[:2], ["O", *GOLD[2][1:]], GOLD[3]]
    with pytest.raises(hs.InputError, match=r"sentence 3 \(counted from 1\) .* differs: gold tags"):
        hs.read([first, conll(tmp_path / "a.conll", other, LSTM)])
    with pytest.raises(hs.InputError, match=r"has 4 sentences but .* has 3"):
        hs.read([first, conll(tmp_path / "b.conll", GOLD[:3], LSTM[:3])])
    with pytest.raises(hs.InputError, match="files of tags have none"):
        hs.read(first, weight="w")


def with_words(path: Path, words: list[list[str]], *columns: list[list[str]], before: str = "") -> Path:
    """Write words and columns of tags; ``before`` is a format of sentence and token that stands before each word."""
    lines = [
        "\n".join(f"{before.format(at, place)}{' '.join(line)}" for place, line in enumerate(zip(*one, strict=True), 1))
        for at, one in enumerate(zip(words, *columns, strict=True))
    ]
    path.write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    return path


WORDS = [["Ada", "Lovelace", "wrote"], ["in", "Café"], ["IBM", "hired", "Grace", "."], ["He", "left", "New", "York"]]
OTHER = [*WORDS[:2], ["IBM", "fired", "Grace", "."], ["He", "left", "New", "Delhi"]]


@pytest.mark.parametrize("before", ["", "{1} ", "wsj/00_{0} 0 {1} "], ids=["words first", "CoNLL-U", "CoNLL-2012"])
def test_other_tokens_are_refused_with_the_sentence_and_both(before: str, tmp_path: Path) -> None:
    """Equal gold tags are no proof of equal sentences; a number or a document before the words is no word."""
    first = with_words(tmp_path / "crf.conll", WORDS, GOLD, CRF, before=before)
    other = with_words(tmp_path / "lstm.conll", OTHER, GOLD, LSTM, before=before)
    said = r"sentence 3 \(counted from 1\) of .*crf.conll' and .*lstm.conll' differs: token 2 is 'hired' and 'fired'"
    with pytest.raises(hs.InputError, match=rf"{said}; 2 of 4 sentences do\. .*the same tokens"):
        hs.read([first, other])
    shell = " ".join(run("spans", first, other, code=2).output.split())
    assert "token 2 is 'hired' and 'fired'; 2 of 4 sentences do" in shell
    same = with_words(tmp_path / "same.conll", WORDS, GOLD, LSTM, before=before)
    assert not [note for note in hs.read([first, same]).notes if "token" in note]


def test_tokens_in_another_normal_form_are_the_same_and_noted(tmp_path: Path) -> None:
    first = with_words(tmp_path / "crf.conll", WORDS, GOLD, CRF)
    apart = [[normalize("NFD", word) for word in one] for one in WORDS]
    paths = [first, with_words(tmp_path / "lstm.conll", apart, GOLD, LSTM)]
    (note,) = (note for note in hs.read(paths).notes if "Unicode" in note)
    assert "tokens of 1 sentence (first: sentence 2)" in note
    assert "normal form" in run("spans", *paths, "--verbose").output
    direct = hs.compare(hs.spans(GOLD, {"crf": CRF, "lstm": LSTM}), "f1")
    assert hs.compare(hs.read(paths), "f1").low == pytest.approx(direct.low)


def test_files_without_tokens_are_paired_by_gold_tags_and_that_is_noted(tmp_path: Path) -> None:
    words = with_words(tmp_path / "words.conll", WORDS, GOLD, CRF)
    bare = with_words(tmp_path / "bare.conll", GOLD, LSTM)
    tags = with_words(tmp_path / "tags.conll", CRF, GOLD, LSTM)  # a third column of tags is no column of words
    numbers = with_words(tmp_path / "numbers.conll", GOLD, LSTM, before="{1} ")
    for other in (bare, tags, numbers):
        (note,) = (note for note in hs.read([words, other]).notes if "tokens" in note)
        assert f"{str(other)!r} has no column of tokens" in note
        assert "by their gold tags alone" in note
    assert "no column of tokens" in " ".join(run("spans", words, bare, "--verbose").output.split())
    with pytest.raises(hs.InputError, match="differs: gold tags"):
        hs.read([words, with_words(tmp_path / "other.conll", CRF, LSTM)])


def test_sentences_of_one_token_have_words_too(tmp_path: Path) -> None:
    single = [["B-PER"], ["O"]]
    paths = [with_words(tmp_path / f"{name}.conll", words, single, single)
             for name, words in (("a", [["Ada"], ["left"]]), ("b", [["Ada"], ["came"]]))]  # fmt: skip
    with pytest.raises(hs.InputError, match="token 1 is 'left' and 'came'"):
        hs.read(paths)


def test_suffix_tags_and_delimiters(tmp_path: Path) -> None:
    def turned(tags: list[list[str]], mark: str, *, last: bool) -> list[list[str]]:
        parts = [[tag.split("-") for tag in one] for one in tags]
        return [[mark.join(part[::-1] if last else part) for part in one] for one in parts]

    expected = hs.estimate(hs.spans(GOLD, CRF), "f1")
    suffixed = hs.spans(turned(GOLD, "-", last=True), turned(CRF, "-", last=True), suffix=True)
    marked = hs.spans(turned(GOLD, "_", last=False), turned(CRF, "_", last=False), delimiter="_")
    assert hs.estimate(suffixed, "f1").same(expected)
    assert hs.estimate(marked, "f1").same(expected)
    path = conll(tmp_path / "s.conll", turned(GOLD, "_", last=True), turned(CRF, "_", last=True))
    row = as_json("spans", path, "--suffix", "--delimiter", "_", "-m", "f1")["rows"][0]
    assert row["value"] == pytest.approx(expected.value)
    with pytest.raises(hs.InputError, match="delimiter is ''"):
        hs.spans(GOLD, CRF, delimiter="")


# --- looser matches ---------------------------------------------------------------------------------------------------

TRUE = [["B-PER", "I-PER", "O", "B-LOC", "O"], ["B-ORG", "I-ORG", "I-ORG", "O"], ["O", "B-PER", "B-LOC"],
        ["B-LOC", "O"]]  # fmt: skip
GUESS = [["B-PER", "O", "O", "B-ORG", "O"], ["B-ORG", "O", "B-ORG", "O"], ["B-PER", "I-PER", "B-LOC"],
         ["O", "B-LOC"]]  # fmt: skip
# By hand, gold chunk by gold chunk. 1: PER half found, LOC found as ORG. 2: two guesses in one ORG, the second meets
# nothing. 3: PER half found, LOC right. 4: LOC missed, and one too many. In all 7 guesses and 6 chunks.
PARTIAL, TYPE = 0.5 + 1 + 0.5 + 0.5 + 1, 1 + 0 + 1 + 1 + 1


def test_partial_matches_and_those_by_type() -> None:
    partial, by_type = (hs.spans(TRUE, {"m": GUESS}, match=match) for match in ("partial", "type"))
    for table, hits in ((partial, PARTIAL), (by_type, TYPE)):
        assert hs.estimate(table, "precision").value == pytest.approx(hits / 7)
        assert hs.estimate(table, "recall").value == pytest.approx(hits / 6)
        assert table.n == 4
    exact = hs.estimate(hs.spans(TRUE, GUESS), "f1").value
    assert exact < hs.estimate(partial, "f1").value < hs.estimate(by_type, "f1").value
    wide = hs.spans([["B-A", "B-B", "O"]], {"m": [["B-A", "I-A", "I-A"]]}, match="partial")  # one guess over two chunks
    assert hs.estimate(wide, "precision").value == pytest.approx(0.5)
    assert hs.estimate(wide, "recall").value == pytest.approx(0.25)  # and only one of them is met
    same = hs.spans(TRUE, {"m": TRUE}, match="partial")
    assert hs.estimate(same, "f1").value == 1.0
    with pytest.raises(hs.InputError, match="match is 'fuzzy'"):
        hs.spans(TRUE, GUESS, match="fuzzy")


def test_looser_matches_on_the_command_line(tmp_path: Path) -> None:
    path = conll(tmp_path / "m.conll", TRUE, GUESS)
    row = as_json("spans", path, "--match", "partial", "-m", "recall")["rows"][0]
    assert row["value"] == pytest.approx(PARTIAL / 6)

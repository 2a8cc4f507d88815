"""One CoNLL file a tagger, paired by sentence; tags with the letter last or another delimiter."""

from __future__ import annotations

from pathlib import Path

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

"""CoNLL column files: layouts, tolerance, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from howsure.cli.app import howsure
from howsure.errors import HowsureError, InputError
from howsure.sources.sequences.conll import read_conll
from support.refusals import refusal

GOLD = [["B-ORG", "O"], ["B-PER"]]
PLAIN = "EU NNP B-ORG B-ORG\nrejects VBZ O B-MISC\n\nPeter NNP B-PER O\n"
PREDICTED = [["B-ORG", "B-MISC"], ["O"]]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.rstrip("\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace("\n", " \t\n"),
        PLAIN.replace(" ", "\t"),
        PLAIN.replace(" ", "   "),
        "\n\n" + PLAIN.replace("\n\n", "\n\n \n\n") + "\n\n",
        "# newdoc\n# text = EU rejects\n" + PLAIN,
        PLAIN.replace("Peter", "# id = 2 of many\nPeter"),
        PLAIN.replace("rejects", "#rejects"),
        PLAIN.replace("EU", "#"),
        PLAIN.replace("EU", "\u00a0"),
        PLAIN.replace("EU", "\u2028\u3000\x85"),
        PLAIN.replace("EU", "\x0c\x1c"),
    ],
)
def test_layouts_that_say_the_same(text: str, tmp_path: Path) -> None:
    path = tmp_path / "tags.conll"
    path.write_bytes(text.encode())
    expected = (GOLD, {"prediction": PREDICTED}, None)
    assert read_conll(path) == expected
    assert read_conll(str(path)) == expected
    assert read_conll(io.BytesIO(text.encode())) == expected
    assert read_conll(io.StringIO(text, newline="")) == expected


def test_a_comment_may_have_as_many_fields_as_a_token() -> None:
    text = "# text = EU\n" + PLAIN
    assert read_conll(io.StringIO(text)).gold == GOLD


def test_columns_by_number_and_by_name() -> None:
    lines = ["w\tgold\tcrf\tnet work", "a\tB\tI\tO", "b\tI\tO\tB"]
    both = {"crf": [["I", "O"]], "net work": [["O", "B"]]}
    by_name = read_conll(lines, gold="gold", predictions=["crf", "net work"], separator="\t")
    assert by_name == ([["B", "I"]], both, None)
    assert read_conll(lines, gold="gold", predictions=(2, -1), separator="\t") == by_name
    renamed = read_conll(lines, gold=1, predictions={"mine": "crf"}, separator="\t")
    assert renamed.predictions == {"mine": [["I", "O"]]}
    assert read_conll(lines, gold="gold", predictions="crf", separator="\t").predictions == {"crf": [["I", "O"]]}
    numbered = read_conll(lines[1:], gold=1, predictions=(2, 3))
    assert numbered.predictions == {"prediction 1": [["I", "O"]], "prediction 2": [["O", "B"]]}


@pytest.mark.parametrize("head", ["gold", "# note\ngold", "-DOCSTART-\n\ngold"])
def test_a_byte_order_mark_is_no_part_of_the_first_line(head: str) -> None:
    data = read_conll(io.StringIO(f"\ufeff{head} crf\nO B\n"), gold="gold", predictions="crf")
    assert data[:2] == ([["O"]], {"crf": [["B"]]})


def test_empty_fields_between_separators() -> None:
    lines = ["w\tgold\tcrf\t", "a\tB\t", "\tI\tO\t\t", " \t \t ", "c\t\tB"]
    data = read_conll(lines, gold="gold", predictions="crf", separator="\t")
    assert data == ([["B", "I"], [""]], {"crf": [["", "O"], ["B"]]}, None)


def test_documents_by_mark() -> None:
    mark = "-DOCSTART- -X- O O\n\n"
    assert read_conll(io.StringIO(mark + PLAIN + "\n" + mark + PLAIN)).groups == [1, 1, 2, 2]
    assert read_conll(io.StringIO(PLAIN + mark + PLAIN)).groups == [0, 0, 1, 1]
    marked = "# newdoc id = a\n" + PLAIN + "\n# newdoc id = b\n" + PLAIN
    assert read_conll(io.StringIO(marked), document="# newdoc").groups == [1, 1, 2, 2]
    assert read_conll(io.StringIO(marked)).groups is None
    assert read_conll(io.StringIO(PLAIN), document="").gold == GOLD


def test_sentences_by_column() -> None:
    lines = ["doc sentence gold crf", "a 1 B O", "a 1 I O", "", "a 2 O O", "# a note", "b 1 O B", "b 2 B B"]
    data = read_conll(lines, gold="gold", predictions="crf", sentence="sentence", group="doc")
    assert data.gold == [["B", "I"], ["O"], ["O"], ["B"]]
    assert data.groups == ["a", "a", "b", "b"]
    by_document = read_conll(lines, gold="gold", predictions="crf", sentence="doc")
    assert by_document == ([["B", "I", "O"], ["O", "B"]], {"crf": [["O", "O", "O"], ["B", "B"]]}, None)


tags = st.sampled_from(["O", "B-PER", "I-PER", "_", "B"])
tokens = st.text(st.characters(exclude_characters=" \t\r\n\ufeff", exclude_categories=["Cs"]), min_size=1)
sentences = st.lists(st.tuples(tokens, tags, tags, tags), min_size=1, max_size=4)


@given(corpus=st.lists(sentences, min_size=1, max_size=4))
def test_what_is_written_is_read(corpus: list[list[tuple[str, str, str, str]]]) -> None:
    text = "\n\n".join("\n".join("\t".join(token) for token in sentence) for sentence in corpus)
    data = read_conll(text.encode().split(b"\n"), gold=1, predictions={"a": 2, "b": 3}, separator="\t")
    columns = [[[token[place] for token in sentence] for sentence in corpus] for place in (1, 2, 3)]
    assert data == (columns[0], {"a": columns[1], "b": columns[2]}, None)


def test_real_files(shared_data: Path) -> None:
    conll = shared_data / "conll2003-ner-tags" / "tags.tsv"
    data = read_conll(conll, gold="gold", predictions=[3, 4], sentence="sentence")
    assert list(data.predictions) == ["elmo_lstm_crf", "flair_lstm_crf"]
    # Sentences and tokens as the README of the data states.
    assert (len(data.gold), sum(map(len, data.gold))) == (3453, 46435)
    hipe = shared_data / "hipe2022-ajmc" / "tags-en.tsv"
    data = read_conll(hipe, gold="gold", predictions=["team2_run1"], sentence="document", separator="\t")
    assert (len(data.gold), sum(map(len, data.gold))) == (13, 6052)


MESSAGES = {
    "ragged": (
        lambda: read_conll(["EU B-ORG O", "", "a B-A O", "b O"]),
        "source, line 4 has 2 fields where the first line of columns has 3; every token must have the same "
        "columns. The line: 'b O'.",
    ),
    "ragged hash within a sentence": (
        lambda: read_conll(["EU B-ORG O", "# O"]),
        "source, line 2 has 2 fields where the first line of columns has 3; every token must have the same "
        "columns. The line: '# O'.",
    ),
    "empty": (
        lambda: read_conll(["", "  "]),
        "source has no tokens; it must have one token a line, with its tags in columns.",
    ),
    "header only": (
        lambda: read_conll(["word gold crf"], gold="gold"),
        "source has no tokens; it must have one token a line, with its tags in columns.",
    ),
    "unknown column": (
        lambda: read_conll(["word gold crf", "a O O"], gold="golt", predictions="crf"),
        "gold is the column 'golt', which source, line 1 has 0 times; it must be there once. The columns are "
        "'word', 'gold', 'crf'. Did you mean 'gold'?",
    ),
    "column twice": (
        lambda: read_conll(["word gold crf crf", "a O O O"], gold="gold", predictions="crf"),
        "predictions is the column 'crf', which source, line 1 has 2 times; it must be there once. The "
        "columns are 'word', 'gold', 'crf', 'crf'. Did you mean 'crf'?",
    ),
    "number out of range": (
        lambda: read_conll(["a O O"], gold=3),
        "gold is column 3, but source, line 1 has 3 fields; columns are numbered 0 to 2, or -1 to -3 from the end.",
    ),
    "no predictions": (
        lambda: read_conll(["a O O"], predictions=[]),
        "predictions is empty; it must name at least one column of predicted tags.",
    ),
    "a prediction twice": (
        lambda: read_conll(["word gold crf", "a O O"], gold="gold", predictions=["crf", "crf"]),
        "predictions has the names 'crf', 'crf'; each must be there once.",
    ),
    "sentence in two pieces": (
        lambda: read_conll(["1 O O", "2 O O", "1 O O"], sentence=0),
        "source, line 3: sentence '1' comes back after others; the tokens of a sentence must stand together. "
        "Sort the file, or give each sentence its own value.",
    ),
    "sentence in two groups": (
        lambda: read_conll(["a O O", "b O O"], group=0),
        "source, line 2: group is 'b' but 'a' at the start of its sentence (line 1); a sentence must lie in one group.",
    ),
    "not UTF-8": (
        lambda: read_conll(io.BytesIO(b"caf\xe9 O O\n")),
        "source is not UTF-8 (invalid continuation byte); convert it to UTF-8 first.",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case: str) -> None:
    call, message = MESSAGES[case]
    assert refusal(call) == message


def test_messages_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tags.conll"
    path.write_text("a O O\nb O\n", encoding="utf-8")
    with pytest.raises(HowsureError, match=r"tags\.conll', line 2 has 2 fields"):
        read_conll(path)


class TestWhichColumnIsGold:
    """The one before the first prediction, and never a prediction."""

    LINES = ("EU NNP B-ORG B-ORG O", "rejects VBZ O O O", "", "Peter NNP B-PER O B-PER")

    @pytest.mark.parametrize("predictions", [(3, 4), (4, 3), (-2, -1), (3, -1)])
    def test_before_the_first_prediction(self, predictions: tuple[int, ...]) -> None:
        assert read_conll(self.LINES, predictions=predictions).gold == [["B-ORG", "O"], ["B-PER"]]

    def test_by_name(self) -> None:
        lines = ["word pos gold crf net", *self.LINES]
        found = read_conll(lines, predictions=["crf", "net"])
        assert (found.gold, list(found.predictions)) == ([["B-ORG", "O"], ["B-PER"]], ["crf", "net"])

    def test_gold_and_prediction_in_one_column(self) -> None:
        for gold, predictions in ((3, (3, 4)), (-2, (3,)), (4, (3, 4))):
            with pytest.raises(InputError, match=r"gold and a prediction are both column \d"):
                read_conll(self.LINES, gold=gold, predictions=predictions)

    def test_no_column_before(self) -> None:
        with pytest.raises(InputError, match="no column stands before it; name the gold column with gold="):
            read_conll(self.LINES, predictions=(0,))

    def test_command_line(self, tmp_path: Path) -> None:
        (tmp_path / "a.conll").write_text("\n".join(self.LINES))
        asked = ["spans", str(tmp_path / "a.conll"), "-m", "f1", "--format", "csv"]
        runs = [CliRunner().invoke(howsure, [*asked, "--gold", "2", "--pred", column]) for column in ("3", "4")]
        apart = [run.stdout.splitlines()[1].split(",") for run in runs]
        together = CliRunner().invoke(howsure, [*asked, "--pred", "3", "--pred", "4"])
        assert together.exit_code == 0, together.output
        for row, alone in zip(together.stdout.splitlines()[1:], apart, strict=True):
            assert set(alone) - {"prediction"} <= set(row.split(","))

"""examples/chunking: the grammar does what it says, and the experiment runs end to end on a tiny corpus."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from howsure.sources.sequences.tags import chunks, convert_sequences

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "chunking"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch):
    if not FOLDER.is_dir():
        pytest.skip("the examples are not beside the tests (examples/chunking)")
    monkeypatch.syspath_prepend(str(FOLDER))

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    return load


def test_the_grammar_is_reproducible_and_well_formed(example) -> None:
    corpus = example("corpus")
    tokens, tags = corpus.entities(80, seed=1)
    assert (tokens, tags) == corpus.entities(80, seed=1)
    assert tokens != corpus.entities(80, seed=2)[0]
    assert [len(one) for one in tokens] == [len(one) for one in tags]
    found = [chunk.type for sentence in tags for chunk in chunks(sentence, "IOB2", malformed="error")]
    assert set(found) == {"PER", "LOC", "ORG", "MISC"}
    kept = [
        chunk.type for sentence in corpus.only(tags, "ORG") for chunk in chunks(sentence, "IOB2", malformed="error")
    ]
    assert set(kept) == {"ORG"}
    assert len(kept) == found.count("ORG")


def test_words_need_the_finer_tag_set(example) -> None:
    characters, tags = example("corpus").words(60, seed=1)
    assert [len(one) for one in characters] == [len(one) for one in tags]
    lengths = {chunk.end - chunk.start for sentence in tags for chunk in chunks(sentence, "BMES", malformed="error")}
    assert {1, 2, 3, 4, 5} <= lengths
    finer = convert_sequences(tags, "BMES", "BB2B3MES")
    assert {tag for sentence in finer for tag in sentence} == {"B", "B2", "B3", "M", "E", "S"}
    assert convert_sequences(finer, "BB2B3MES", "BMES") == tags


def test_the_experiment_on_a_tiny_corpus(example, tmp_path: Path) -> None:
    pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed (extra crf)")
    run = example("run")
    for task in run.tasks(24, seed=0):
        a, b = run.run(task, iterations=5)
        assert (a.model, b.model) == task.schemes
        assert (len(a), len(b)) == (6, 6)
        gold = sum(len(chunks(sentence, task.schemes[0])) for sentence in task.tags)
        for held in (a, b):
            actual = held.pooled.counts @ held.pooled.rows.actual.sum(axis=1)
            assert actual == 3 * gold  # every sentence is tested once a repeat, whatever the tag set
            assert len(held.predictions) == 6
        text = run.told(task, a, b)
        assert text.splitlines()[0] == f"{task.name}: {task.schemes[0]} (A) against {task.schemes[1]} (B)"
        assert text.count("Accept H") == 3
    pytest.importorskip("matplotlib")
    assert run.draw(task, a, b, tmp_path).read_text().lstrip().startswith("<?xml")

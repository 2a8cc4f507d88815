"""The chunking experiment on a corpus of one's own: features, balance, Tables 2 to 5, interruption, command line."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

import howsure as hs
from howsure.cross_validation.cross_validate import chunk_balance
from howsure.studies.papers.wang2019_corpus import corpus_rows, experiment, read_corpus, windows
from support.command_line import run

pytest.importorskip("pycrfsuite")
NAMES = {"PER": ("Ada", "Bob", "Cyd", "Dan Roe"), "ORG": ("Acme", "Bolt Works", "Core"), "LOC": ("Rome", "New York")}


@pytest.fixture(scope="module")
def corpus_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """120 made sentences: word, part of speech, IOB2 tag."""
    random, lines = Random(4), []
    for _ in range(120):
        for kind in random.choices(list(NAMES), k=random.choice((0, 1, 1, 2))):
            words = random.choice(NAMES[kind]).split()
            lines += [f"{random.choice(('then', 'so', 'now'))} RB O"]
            lines += [f"{word} NNP {'B' if at == 0 else 'I'}-{kind}" for at, word in enumerate(words)]
            lines += [f"{random.choice(('went', 'saw', 'grew'))} VBD O"]
        lines += [". . O", ""]
    path = tmp_path_factory.mktemp("corpus") / "made.conll"
    path.write_text("\n".join(lines))
    return path


def test_features_are_the_papers() -> None:
    """Unigrams, bigrams and trigrams of word and part of speech, the window −2 … 2: 5 + 4 + 3 of each."""
    rows = windows(["The", "cat", "sat"], ["DT", "NN", "VB"])
    assert len(rows) == 3
    assert [len(row) for row in rows] == [24, 24, 24]
    assert {"w[0]=cat", "w[-1:0]=The|cat", "w[-1:1]=The|cat|sat", "p[0]=NN", "p[-2:0]=<|DT|NN"} <= set(rows[1])
    assert len(windows(["The"])[0]) == 12


def test_blocks_are_balanced_on_types_and_on_chunks(corpus_file: Path) -> None:
    corpus = read_corpus(corpus_file, pos=1)
    assert (corpus.scheme, len(corpus.tags)) == ("IOB2", 120)
    counts = chunk_balance(corpus.tags)
    blocks = hs.BlockedCV(seed=0, balance=counts).blocks(range(120))
    sums = np.stack([counts[blocks == block].sum(axis=0) for block in range(4)])
    assert np.ptp(sums, axis=0).max() <= 3
    random = np.random.default_rng(0).permutation(np.arange(120) % 4)
    plain = np.stack([counts[random == block].sum(axis=0) for block in range(4)])
    assert np.ptp(plain, axis=0).max() > np.ptp(sums, axis=0).max()


class Stop(Exception):
    """An interruption."""


def test_an_interrupted_experiment_goes_on_to_the_same_numbers(corpus_file: Path, tmp_path: Path) -> None:
    corpus, kept = read_corpus(corpus_file, pos=1), tmp_path / "kept"

    def interrupt(done: int, everything: int) -> None:
        if done >= 1000 * 5 // 12:
            raise Stop

    with pytest.raises(Stop):
        experiment(corpus, iterations=15, checkpoint=kept, progress=interrupt)
    finished = len(list(kept.iterdir()))
    assert 4 <= finished < 12
    seen: list[int] = []
    resumed = experiment(corpus, iterations=15, checkpoint=kept, progress=lambda done, everything: seen.append(done))
    assert len(seen) == 12 - finished
    whole = experiment(corpus, iterations=15)
    rows, again = corpus_rows(whole), corpus_rows(resumed)
    assert [(row.table, row.cell, row.ours) for row in rows] == [(row.table, row.cell, row.ours) for row in again]
    assert [row.table for row in rows] == ["Table 2"] * 12 + ["Table 3"] * 3


def test_the_command(corpus_file: Path, tmp_path: Path) -> None:
    asked = ["study", "wang2019", "--data", corpus_file, "--pos-column", 1, "--word-column", 0, "--tag-column", 2,
             "--type", "ORG", "--scheme", "IOB2", "--scheme", "IOBES", "--iterations", 10]  # fmt: skip
    done = run(*asked, "--figures", tmp_path / "drawn", "--figure-format", "png", "--format", "json")
    rows = json.loads(done.stdout)["rows"]
    assert {row["table"] for row in rows} == {"Table 2", "Table 3", "Table 4"}
    assert len(rows) == 2 * (12 + 3)
    assert [path.name for path in sorted((tmp_path / "drawn").iterdir())] == [
        "chunking-figure-1.png", "chunking-figure-2.png",
    ]  # fmt: skip
    assert "no chunk has" in run(*asked[:4], "--type", "DOG", code=2).stderr
    assert "two different tag sets" in run(*asked[:4], "--scheme", "IOB2", code=2).stderr
    assert "study wang2019 --data" in run("study", "lam2024", "--pos-column", 1, code=2).stderr


def test_split_balances_a_corpus(corpus_file: Path, tmp_path: Path) -> None:
    done = run("split", corpus_file)
    assert len(done.stdout.splitlines()) == 121
    assert "balanced on counts" in done.stderr
    plain = tmp_path / "made.txt"
    plain.write_bytes(corpus_file.read_bytes())
    asked = ["split", plain, "--conll", "--tag-column", 2, "--scheme", "IOB2"]
    assert run(*asked).stdout == done.stdout
    assert "does not go with a CoNLL file" in run("split", corpus_file, "--label", "x", code=2).stderr
    assert "go with a CoNLL FILE" in run("split", "--n", 12, "--scheme", "IOB2", code=2).stderr

"""Chunk counts: by hand, against seqeval, and against published counts."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import numpy as np
import pytest
from seqeval import scheme as reference
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as reference_scores
from seqeval.metrics.v1 import precision_recall_fscore_support as strict_reference_scores

from howsure.sources.sequences.conll import read_conll
from howsure.sources.sequences.tags import count_chunks
from sources.sequences.sequences import random_sequences


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

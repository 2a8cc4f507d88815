"""hs.spans: real tagged corpora, documents as groups, and the variance by sentence against brute force."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import howsure as hs
from howsure.sources.sequences.conll import read_conll
from howsure.sources.sequences.tags import chunks

TAGS = st.sampled_from(["O", "O", "B-X", "I-X", "B-Y", "I-Y"])


@pytest.fixture(scope="module")
def conll(shared_data: Path) -> hs.Table:
    names = ["elmo_lstm_crf", "flair_lstm_crf"]
    data = read_conll(
        shared_data / "conll2003-ner-tags" / "tags.tsv",
        gold="gold",
        predictions=names,
        sentence="sentence",
        separator="\t",
    )
    return hs.spans(data.gold, data.predictions)


@pytest.mark.parametrize(
    ("model", "counts", "f1"), [("elmo", (5213, 445, 435), 0.9222), ("flair", (5270, 412, 378), 0.9303)]
)
def test_conll2003(conll: hs.Table, model: str, counts: tuple[int, int, int], f1: float) -> None:
    name = f"{model}_lstm_crf"
    tp, fp, fn = counts
    found = {metric: hs.estimate(conll, metric, model=name, method="wald") for metric in ("precision", "recall", "f1")}
    assert round(found["f1"].value, 4) == f1
    assert found["precision"].value == pytest.approx(tp / (tp + fp), rel=1e-14)
    assert found["recall"].value == pytest.approx(tp / (tp + fn), rel=1e-14)
    assert conll.n == found["f1"].n == 3453
    assert conll.labels == ("LOC", "MISC", "ORG", "PER")


def test_conll2003_standard_error_by_sentence(conll: hs.Table, shared_data: Path) -> None:
    """The sentence is the sampling unit: the jackknife over 3453 sentences gives the same standard error."""
    with (shared_data / "conll2003-ner-tags" / "sentence_counts.csv").open() as file:
        rows = list(csv.DictReader(file))
    for model in ("elmo", "flair"):
        columns = [
            next(name for name in rows[0] if model in name and name.endswith(cell)) for cell in ("tp", "fp", "fn")
        ]
        counts = np.array([[int(row[column]) for column in columns] for row in rows])
        tp, fp, fn = (counts.sum(0) - counts).T
        left_out = 2 * tp / (2 * tp + fp + fn)
        jackknife = np.sqrt(np.var(left_out) * (len(rows) - 1))
        found = hs.estimate(conll, "f1", model=f"{model}_lstm_crf", method="wald")
        assert found.se == pytest.approx(jackknife, rel=1e-3)


def test_flair_beats_elmo(conll: hs.Table) -> None:
    found = hs.compare(conll, "f1", a="elmo_lstm_crf", b="flair_lstm_crf", method="wald")
    assert found.difference == pytest.approx(0.9303 - 0.9222, abs=1e-4)
    tests = [hs.folds([conll.pick(name)] * 2, factor=0.5) for name in conll.models]
    apart = hs.bayes_test(*tests)
    assert apart.decision == "Accept H1"
    assert found.p_value < 2 * apart.p_h0  # pairing by sentence tells more than two independent posteriors


@pytest.fixture(scope="module")
def hipe(shared_data: Path) -> tuple[hs.Table, dict[str, dict[str, str]]]:
    folder = shared_data / "hipe2022-ajmc"
    with (folder / "official-counts-en.csv").open() as file:
        official = {row["system"]: row for row in csv.DictReader(file) if row["matching"] == "strict"}
    data = read_conll(
        folder / "tags-en.tsv", gold="gold", predictions=list(official), sentence="document", group="document",
        separator="\t",
    )  # fmt: skip
    scheme = {"gold": "IOB2", **{name: "IOBES" if name.startswith("team2") else "IOB2" for name in official}}
    table = hs.spans(data.gold, data.predictions, scheme=scheme, outside=("O", "_"), groups=data.groups)
    return table, official


def test_hipe_official_counts_with_documents_as_groups(hipe: tuple[hs.Table, dict[str, dict[str, str]]]) -> None:
    table, official = hipe
    assert (table.n, table.n_groups) == (13, 13)
    for name, row in official.items():
        tp, fp, fn = (int(row[cell]) for cell in ("tp", "fp", "fn"))
        found = hs.estimate(table, "f1", model=name, method="wald")
        assert found.value == pytest.approx(2 * tp / (2 * tp + fp + fn), rel=1e-14)
        assert found.groups == 13


def test_groups_of_sentences_against_brute_force() -> None:
    rng = np.random.default_rng(5)
    gold, said = _corpus(rng, 60)
    documents = rng.integers(0, 9, 60)
    table = hs.spans(gold, {"crf": said}, groups=documents.tolist())
    for metric, slope in (("recall", _recall), ("precision", _precision), ("f1", _f1)):
        value, influence = slope(_counts(gold, said))
        sums = np.array([influence[documents == one].sum() for one in np.unique(documents)])
        found = hs.estimate(table, metric, method="wald")
        assert found.value == pytest.approx(value, rel=1e-13)
        assert found.se == pytest.approx(np.sqrt(np.sum(sums**2) * len(sums) / (len(sums) - 1)), rel=1e-12)
        assert found.groups == len(sums)


@given(st.lists(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=6), min_size=2, max_size=12))
def test_random_sequences_against_brute_force(corpus: list[list[tuple[str, str]]]) -> None:
    """Value and variance by sentence, from sets of chunks and ratios differentiated by hand."""
    gold, said = ([[pair[side] for pair in sentence] for sentence in corpus] for side in (0, 1))
    counts = _counts(gold, said)
    table = hs.spans(gold, {"crf": said})
    for metric, slope, total in (
        ("recall", _recall, counts[:, 0].sum() + counts[:, 2].sum()),
        ("precision", _precision, counts[:, 0].sum() + counts[:, 1].sum()),
        ("f1", _f1, counts.sum()),
    ):
        found = hs.estimate(table, metric, method="wald")
        if total == 0:
            assert np.isnan(found.value)
            continue
        value, influence = slope(counts)
        assert found.value == pytest.approx(value, rel=1e-12)
        assert found.se == pytest.approx(np.sqrt(np.sum(influence**2)), rel=1e-9, abs=1e-12)


def test_types_apart_together_and_ignored() -> None:
    gold, said = [["B-X", "O", "B-Y"]], [["B-Y", "O", "B-Y"]]
    typed, untyped = hs.spans(gold, {"m": said}), hs.spans(gold, {"m": said}, types=False)
    value = {
        name: hs.estimate(typed, name, method="wald").value for name in ("f1", "f1[Y]", "recall[X]", "precision[Y]")
    }
    assert value == pytest.approx({"f1": 0.5, "f1[Y]": 2 / 3, "recall[X]": 0.0, "precision[Y]": 0.5})
    assert hs.estimate(untyped, "f1", method="wald").value == 1.0


def test_parts_of_a_corpus_add_up() -> None:
    rng = np.random.default_rng(9)
    gold, said = _corpus(rng, 40)
    whole, parts = hs.spans(gold, {"m": said}), [hs.spans(gold[k::3], {"m": said[k::3]}) for k in range(3)]
    joined = parts[0] + parts[1] + parts[2]
    one, other = (hs.estimate(table, "f1", method="wald") for table in (whole, joined))
    assert (one.value, one.se) == pytest.approx((other.value, other.se), rel=1e-13)


def test_groups_must_fit() -> None:
    with pytest.raises(hs.InputError, match="groups has 2 entries but there are 1 sentences"):
        hs.spans([["O"]], {"m": [["O"]]}, groups=["a", "b"])


def _corpus(rng: np.random.Generator, size: int) -> tuple[list[list[str]], list[list[str]]]:
    tags = np.array(["O", "B-X", "I-X", "B-Y", "I-Y"])
    gold = [tags[rng.integers(0, 5, rng.integers(1, 9))].tolist() for _ in range(size)]
    said = [[tag if rng.random() < 0.8 else str(rng.choice(tags)) for tag in sentence] for sentence in gold]
    return gold, said


def _counts(gold: list[list[str]], said: list[list[str]]) -> np.ndarray:
    """Return tp, fp, fn per sentence from sets of chunks."""
    pairs = [(set(chunks(one)), set(chunks(other))) for one, other in zip(gold, said, strict=True)]
    return np.array([[len(g & p), len(p - g), len(g - p)] for g, p in pairs], dtype=float)


def _recall(counts: np.ndarray) -> tuple[float, np.ndarray]:
    return _ratio(counts[:, 0], counts[:, 0] + counts[:, 2])


def _precision(counts: np.ndarray) -> tuple[float, np.ndarray]:
    return _ratio(counts[:, 0], counts[:, 0] + counts[:, 1])


def _f1(counts: np.ndarray) -> tuple[float, np.ndarray]:
    return _ratio(2 * counts[:, 0], 2 * counts[:, 0] + counts[:, 1] + counts[:, 2])


def _ratio(top: np.ndarray, bottom: np.ndarray) -> tuple[float, np.ndarray]:
    value = top.sum() / bottom.sum()
    return float(value), (top - value * bottom) / bottom.sum()


def test_a_perfect_micro_f1_is_as_sure_as_f1_and_empty_sentences_add_nothing() -> None:
    few = [["B-PER", "O"], ["O", "B-LOC"]] * 3
    found = hs.estimate(hs.spans(few + [["O", "O"]] * 994, few + [["O", "O"]] * 994), "micro_f1")
    assert found.low == pytest.approx(12 / (12 + stats.t.ppf(0.975, 999) ** 2), abs=1e-9)

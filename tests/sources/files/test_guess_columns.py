"""Which column is what: guessed when obvious, said in words, refused otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from howsure.errors import InputError
from howsure.sources.files.guess_columns import (
    check_truth,
    guess_columns,
    looks_like_group,
    looks_like_id,
    looks_like_prediction,
)
from howsure.sources.read import read

LABELS = ["cat", "dog", "cat", "emu"]
GUESSES = ["cat", "cat", "cat", "fox"]


@pytest.mark.parametrize(
    "truth",
    [
        "label",
        "Label",
        "truth",
        "y_true",
        "y.true",
        "yTrue",
        "target",
        "gold",
        "gold_label",
        "Ground Truth",
        "actual",
        "obs",
    ],
)
def test_truth_by_name(truth: str) -> None:
    guess = guess_columns(["id", truth, "svm"], {truth: LABELS, "svm": GUESSES, "id": [1, 2, 3, 4]})
    assert (guess.truth, guess.predictions, guess.id, guess.group) == (truth, ("svm",), "id", None)


def test_in_words() -> None:
    columns = ["row", "patient", "label", "svm", "bert", "age", "comment"]
    sample = {"label": LABELS, "svm": GUESSES, "bert": LABELS, "age": [1, 2, 3, 4], "comment": list("abcd")}
    guess = guess_columns(columns, sample)
    assert guess.predictions == ("svm", "bert")
    assert guess.group == "patient"
    assert guess.why == (
        "truth is 'label' by its name; predictions are 'svm', 'bert', which share its labels; not taken: 'comment'; "
        "'row' identifies rows; 'patient' may be a group"
    )


def test_named_predictions_go_before_columns_that_merely_share_labels() -> None:
    sample = {"label": [0, 1, 1], "smoker": [0, 0, 1], "pred_svm": [0, 1, 0], "y_pred": [1, 1, 1]}
    guess = guess_columns(list(sample), sample)
    assert guess.predictions == ("pred_svm", "y_pred")
    assert "not taken: 'smoker'" in guess.why


def test_floats_share_labels_with_integers() -> None:
    sample = {"label": [0, 1, 1], "svm": [0.0, None, 1.0], "score": [0.25, 0.5, 1.0]}
    assert guess_columns(list(sample), sample).predictions == ("svm",)


def test_two_truths() -> None:
    with pytest.raises(InputError, match="several columns could be it: 'label', 'target'"):
        guess_columns(["label", "target", "svm"], {})


def test_no_truth() -> None:
    with pytest.raises(InputError, match=r"no column is named like one .*; the columns are 'a', 'b'"):
        guess_columns(["a", "b"], {})


def test_no_predictions() -> None:
    with pytest.raises(InputError, match="no column looks like one: beside the truth 'label' there are 'text'"):
        guess_columns(["label", "text"], {"label": LABELS, "text": list("wxyz")})


def test_known_parts_are_kept() -> None:
    sample = {"a": LABELS, "b": GUESSES, "c": list("wxyz")}
    assert guess_columns(list(sample), sample, truth="a").predictions == ("b",)
    assert guess_columns(["label"], {"label": LABELS}, predictions=["b"]).why == "truth is 'label' by its name"


@pytest.mark.parametrize("name", ["id", "ID", "doc_id", "row", "index", "sampleId", "uuid", "filename"])
def test_identifiers(name: str) -> None:
    assert looks_like_id(name)
    assert not looks_like_group(name)


@pytest.mark.parametrize("name", ["patient", "Patient ID", "subject_id", "speaker", "document", "userId"])
def test_groups(name: str) -> None:
    assert looks_like_group(name)
    assert not looks_like_id(name)


@pytest.mark.parametrize("name", ["pred", "prediction", "y_pred", "svm_pred", "pred_svm", "yhat", "predictedLabel"])
def test_predictions(name: str) -> None:
    assert looks_like_prediction(name)
    assert not looks_like_id(name)


@pytest.mark.parametrize(
    ("file", "models"),
    [
        ("label-errors/imdb.csv", ["predicted"]),
        ("sst2-two-systems/predictions.csv", ["cnn", "lstm"]),
        ("xnli-two-systems/xnli-en.csv", ["mlpp", "mt5base"]),
        ("yardstick-examples/hpc_cv.csv", ["pred"]),
        ("yardstick-examples/two_class_example.csv", ["predicted"]),
        ("hipe2022-ajmc/tags-en.tsv", ["neurbsl_run1", "team1_run1", "team1_run2", "team2_run1", "team2_run2"]),
    ],
)
def test_real_files(shared_data: Path, file: str, models: list[str]) -> None:
    found = read(shared_data / file)
    assert list(found.models) == models
    assert found.notes[0].startswith("columns were guessed")


def test_a_truth_that_is_not_there_is_named_with_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        check_truth("golf", ["gold", "cnn"])
    assert str(caught.value) == (
        "truth names the column 'golf', which is not there; the columns are 'gold', 'cnn'. Did you mean 'gold'?"
    )

"""Our scores where people use scikit-learn's: scorers, searches, cross-validation, sparse and odd shapes of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.feature_selection import RFECV
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from howsure import scores

ROWS, LABELS = make_classification(120, 6, n_informative=3, random_state=0)
FRAME = pd.DataFrame(ROWS, columns=list("abcdef"))
NAMES = np.where(LABELS == 1, "spam", "ham")
OURS, THEIRS = make_scorer(scores.f1_score), make_scorer(f1_score)
MODEL = LogisticRegression()


def test_cross_val_score_gives_their_numbers() -> None:
    found = cross_val_score(MODEL, ROWS, LABELS, cv=4, scoring=OURS, error_score="raise")
    assert found.dtype == np.float64
    assert found.tolist() == pytest.approx(cross_val_score(MODEL, ROWS, LABELS, cv=4, scoring=THEIRS).tolist())


def test_cross_validate_with_several_scorers_and_names() -> None:
    scoring = {
        "f1": make_scorer(scores.f1_score, pos_label="spam"),
        "macro": make_scorer(scores.f1_score, average="macro"),
        "loss": make_scorer(scores.zero_one_loss, greater_is_better=False),
        "mcc": make_scorer(scores.matthews_corrcoef),
    }
    found = cross_validate(MODEL, ROWS, NAMES, cv=3, scoring=scoring, error_score="raise")
    for name in scoring:
        assert found[f"test_{name}"].dtype == np.float64
        assert np.isfinite(found[f"test_{name}"]).all()


def test_grid_search_and_pipeline_choose_as_theirs() -> None:
    pipe = make_pipeline(StandardScaler(), LogisticRegression()).set_output(transform="pandas")
    grid = {"logisticregression__C": [0.001, 0.1, 1]}
    ours, theirs = (GridSearchCV(pipe, grid, scoring=one, cv=3).fit(FRAME, LABELS) for one in (OURS, THEIRS))
    assert ours.best_params_ == theirs.best_params_
    assert ours.best_score_ == pytest.approx(theirs.best_score_)
    assert pd.DataFrame(ours.cv_results_)["mean_test_score"].dtype == np.float64
    assert ours.score(FRAME, LABELS) == pytest.approx(theirs.score(FRAME, LABELS))


def test_feature_elimination_and_importance() -> None:
    kept = RFECV(MODEL, cv=3, scoring=OURS).fit(FRAME, LABELS)
    assert kept.support_.tolist() == RFECV(MODEL, cv=3, scoring=THEIRS).fit(FRAME, LABELS).support_.tolist()
    fitted = MODEL.fit(ROWS, LABELS)
    found, expected = (
        permutation_importance(fitted, ROWS, LABELS, scoring=one, n_repeats=2, random_state=0) for one in (OURS, THEIRS)
    )
    assert found.importances == pytest.approx(expected.importances)


def as_kinds(values: Any) -> dict[str, Any]:
    column = np.asarray(values).reshape(-1, 1)
    return {
        "list": list(values),
        "column": column,
        "lists of one": column.tolist(),
        "series": pd.Series(values),
        "frame": pd.DataFrame({"y": values}),
        "polars": pl.DataFrame({"y": list(values)}),
        "objects": np.asarray(values, dtype=object),
        "categories": pd.Series(values, dtype="category"),
    }


@pytest.mark.parametrize("kind", as_kinds([0]))
def test_columns_of_any_shape(kind: str) -> None:
    guess = np.roll(LABELS, 1)
    expected = scores.f1_score(LABELS, guess)
    assert scores.f1_score(as_kinds(LABELS.tolist())[kind], as_kinds(guess.tolist())[kind]).same(expected)
    words = np.roll(NAMES, 1)
    found = scores.f1_score(as_kinds(NAMES.tolist())[kind], as_kinds(words.tolist())[kind], pos_label="spam")
    assert found == pytest.approx(f1_score(NAMES, words, pos_label="spam"))


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.lil_matrix])
@pytest.mark.parametrize("average", ["micro", "macro", "samples", None])
def test_sparse_label_matrices(form: Any, average: str | None) -> None:
    truth, guess = np.random.default_rng(0).integers(0, 2, (2, 30, 4))
    found = scores.f1_score(form(truth), form(guess), average=average, zero_division=0)
    np.testing.assert_allclose(found, f1_score(truth, guess, average=average, zero_division=0), rtol=1e-12)
    assert scores.accuracy_score(form(truth), guess) == pytest.approx((truth == guess).all(1).mean())


def test_several_outputs_are_scored() -> None:
    several = np.stack([LABELS, 1 - LABELS], axis=1)
    scorer = make_scorer(scores.f1_score, average="macro")
    found = cross_val_score(MultiOutputClassifier(MODEL), ROWS, several, scoring=scorer, cv=3, error_score="raise")
    assert np.isfinite(found).all()

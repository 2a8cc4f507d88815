"""cross_validate: fresh copies on every fold, the right rows, any kind of data, deterministic."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.sources.sequences.tags import convert_sequences

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, StratifiedKFold  # noqa: E402
from sklearn.naive_bayes import GaussianNB  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

RNG = np.random.default_rng(7)
Y = np.repeat(["cat", "dog", "emu"], [30, 25, 9])
X = RNG.normal(size=(64, 3)) + np.repeat([0.0, 1.0, 2.0], [30, 25, 9])[:, None]
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}


class Majority:
    """A model without scikit-learn's get_params."""

    def fit(self, X, y):
        assert not hasattr(self, "answer"), "trained twice"
        names, number = np.unique(y, return_counts=True)
        self.answer = names[number.argmax()]

    def predict(self, X):
        return np.repeat(self.answer, len(X))


def test_counts_are_those_of_a_plain_loop() -> None:
    cv = hs.BlockedCV(repeats=3, seed=1)
    found = hs.cross_validate(MODELS, X, Y, cv=cv)
    assert [one.model for one in found] == ["bayes", "tree"]
    for held, model in zip(found, MODELS.values(), strict=True):
        assert len(held) == 6
        for table, said, (train, test) in zip(held.tables, held.predictions, cv.split(X, Y), strict=True):
            expected = clone(model).fit(X[train], Y[train]).predict(X[test])
            assert np.array_equal(said.rows, test)
            assert np.array_equal(said.predictions, expected)
            cells = [[np.sum((Y[test] == t) & (expected == p)) for p in ("cat", "dog", "emu")] for t in np.unique(Y)]
            assert np.array_equal(table.matrix(), cells)
        assert not hasattr(model, "classes_"), "the caller's own object must stay untrained"
        assert held.factor == hs.effective_factor(3)


def test_every_row_is_tested_once_per_repeat() -> None:
    (held,) = hs.cross_validate({"a": GaussianNB()}, X, Y, cv=hs.BlockedCV(repeats=2, seed=0))
    assert np.array_equal(np.bincount(np.concatenate([one.rows for one in held.predictions])), np.full(64, 2))


def test_same_seed_same_folds_however_many_processes() -> None:
    pytest.importorskip("joblib")
    alone, spread = (hs.cross_validate(MODELS, X, Y, jobs=jobs) for jobs in (1, 2))
    for one, other in zip(alone, spread, strict=True):
        for first, second in zip(one.tables, other.tables, strict=True):
            assert np.array_equal(first.matrix(), second.matrix())


@pytest.mark.parametrize("kind", ["list", "pandas", "polars", "sparse"])
def test_other_containers(kind: str) -> None:
    data, labels = X, Y
    if kind == "list":
        data, labels = X.tolist(), Y.tolist()
    elif kind == "sparse":
        data = pytest.importorskip("scipy.sparse").csr_matrix(X)
    else:
        library = pytest.importorskip(kind)
        data, labels = library.DataFrame(X, **({"schema": list("abc")} if kind == "polars" else {})), library.Series(Y)
    model = LogisticRegression(max_iter=500)
    (plain,), (other,) = hs.cross_validate({"m": model}, X, Y), hs.cross_validate({"m": model}, data, labels)
    assert np.array_equal(plain.pooled.matrix(), other.pooled.matrix())


def test_objects_without_scikit_learn_and_functions() -> None:
    def majority(X_train, y_train, X_test):
        names, number = np.unique(y_train, return_counts=True)
        return [names[number.argmax()]] * len(X_test)

    one, other = hs.cross_validate({"object": Majority(), "function": majority}, X, Y)
    assert np.array_equal(one.pooled.matrix(), other.pooled.matrix())
    assert one.pooled.n == 3 * 64


def test_a_class_missing_from_a_fold_is_not_lost() -> None:
    truth = np.array([0] * 15 + [1])
    (held,) = hs.cross_validate({"m": lambda X, y, asked: np.zeros(len(asked), int)}, np.zeros((16, 1)), truth)
    assert {table.labels for table in held.tables} == {(0, 1)}
    assert held.pooled.fn == 3


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    hs.cross_validate(MODELS, X, Y, cv=hs.BlockedCV(repeats=2), progress=lambda *step: told.append(step))
    assert told == [(done, 8) for done in range(1, 9)]


def test_the_bar_fills(capsys: pytest.CaptureFixture[str]) -> None:
    hs.cross_validate({"m": Majority()}, X, Y, progress="bar")
    drawn = capsys.readouterr().err
    assert drawn.endswith("\n")
    assert drawn.rstrip().endswith(f"\r[{'#' * 40}] 6/6")  # blanks wipe out what the line said before
    assert drawn.count("\r") == 6


@pytest.mark.parametrize(
    ("cv", "factor"),
    [
        (KFold(4), 1.0),
        (RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0), 0.2),
        (StratifiedKFold(3), 1.0),
    ],
)
def test_any_splitter_counts_no_row_twice(cv, factor: float) -> None:
    (held,) = hs.cross_validate({"m": GaussianNB()}, X, np.arange(64) % 2, cv=cv)
    assert held.factor == pytest.approx(factor, rel=1e-15)
    assert held.effective.n == pytest.approx(64, rel=1e-12)
    assert [note.kind for note in held.notes] == ["design"]
    (given,) = hs.cross_validate({"m": GaussianNB()}, X, np.arange(64) % 2, cv=cv, factor=0.3)
    assert given.factor == 0.3


def test_groups_are_never_split_and_are_kept() -> None:
    groups = np.repeat(np.arange(16), 4)
    (held,) = hs.cross_validate({"m": GaussianNB()}, X, Y, groups=groups)
    for table, said in zip(held.tables, held.predictions, strict=True):
        assert table.n_groups == len(np.unique(groups[said.rows])) == 8
    assert held.pooled.n_groups == 16


GOLD = [["B-PER", "I-PER", "O"], ["O", "B-LOC"], ["B-LOC", "O", "B-PER"], ["O", "O"]] * 6


def test_sequence_models_in_their_own_tag_sets() -> None:
    """A model that answers in IOBES and one in IOB2, both right everywhere but in one type."""

    def told(scheme):
        def model(X_train, y_train, X_test):
            tags = [["O" if tag.endswith("LOC") else tag for tag in GOLD[row]] for row in X_test]
            return convert_sequences(tags, "IOB2", scheme)

        return model

    scheme = {"gold": "IOB2", "a": "IOB2", "b": "IOBES"}
    a, b = hs.cross_validate({"a": told("IOB2"), "b": told("IOBES")}, list(range(24)), GOLD, scheme=scheme)
    for held in (a, b):
        assert held.pooled.pooled
        value = {metric: hs.estimate(held.pooled, metric, method="wald").value for metric in ("recall", "recall[PER]")}
        assert value == pytest.approx({"recall": 0.5, "recall[PER]": 1.0})
        assert hs.posterior(held, "recall").mean == pytest.approx((36 * held.factor + 1) / (72 * held.factor + 2))
    assert hs.bayes_test(a, b).p_h0 == 0.5
    frequencies = hs.chunk_frequencies(GOLD)
    assert frequencies[:4].tolist() == [[0, 1], [1, 0], [1, 1], [0, 0]]
    blocks = hs.BlockedCV(repeats=3, balance=frequencies).balance_report(list(range(24)))
    assert blocks.worst < 0.4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hs.cross_validate({}, X, Y), "models is empty"),
        (lambda: hs.cross_validate({"m": GaussianNB}, X, Y), r"an object \(not a class\) with fit and predict"),
        (lambda: hs.cross_validate({"m": 3}, X, Y), "'m' can neither fit and predict nor be called"),
        (lambda: hs.cross_validate({"m": GaussianNB()}, X, Y, cv=3), "cv is 3; it must be a splitter"),
        (lambda: hs.cross_validate({"m": lambda *_: [1]}, X, Y), "gave 1 predictions for 32 rows"),
        (lambda: hs.cross_validate({"m": Majority()}, X, Y, progress="yes"), "progress is 'yes'"),
        (lambda: hs.cross_validate({"m": Majority()}, X, Y[:9]), "X has 64 rows but y has 9"),
    ],
)
def test_refusals(call, message: str) -> None:
    with pytest.raises(hs.InputError, match=message):
        call()

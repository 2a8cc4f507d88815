"""hs.cross_validate: train models on the folds of a design and count what they get right."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.cross_validation.designs import BlockedCV
from howsure.cross_validation.folds import EffectiveFactor, Folds, OutOfFold, chosen_factor
from howsure.cross_validation.kept_folds import KeptFolds
from howsure.errors import InputError, quoted
from howsure.errors.messages import cross_validation as messages
from howsure.metrics.metric import Label
from howsure.numerics.parallel import Progress, run_in_order
from howsure.results.base import Note, note_of
from howsure.sources.kinds.label_sets import is_multilabel
from howsure.sources.kinds.labels import table
from howsure.sources.sequences.schemes import Malformed
from howsure.sources.sequences.spans import spans
from howsure.sources.sequences.tags import count_chunks
from howsure.types import Integers

Split = tuple[Integers, Integers]
SchemeChoice = str | Mapping[str, str]


def cross_validate(
    models: Mapping[str, Any] | Any,
    X: Any,
    y: Any,
    cv: Any = None,
    *,
    groups: Any = None,
    factor: EffectiveFactor = None,
    correlations: tuple[float, float] | None = None,
    labels: Sequence[Label] | None = None,
    pos_label: Label | None = None,
    scheme: SchemeChoice | None = None,
    types: bool = True,
    malformed: Malformed = "conlleval",
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> tuple[Folds, ...]:
    """Train every model on every fold and return one Folds per model, in the order given.

    A model has ``fit`` and ``predict`` (a fresh copy is trained on each fold), or is a function
    (X_train, y_train, X_test) → predictions. ``cv`` is any scikit-learn splitter; by default 3×2 blocked
    cross-validation. ``scheme`` says that y holds tag sequences, one per sentence, and counts chunks; a mapping with
    "gold" and each model's name lets models answer in other tag sets. ``jobs`` spreads the training over processes
    through joblib's active backend. All models see the same rows of the same folds. ``checkpoint`` names a folder that
    keeps the predictions of every finished fold: called again after an interruption, only the others are trained.

    >>> import numpy as np
    >>> X, y = np.arange(16.0)[:, None], np.arange(16) % 8 > 3
    >>> always = lambda X_train, y_train, X_test: np.ones(len(X_test), dtype=bool)
    >>> (found,) = cross_validate({"always": always}, X, y)
    >>> len(found), found.effective.fp == 24 * found.factor
    (6, True)

    The factor of the effective counts is the paper's for ``BlockedCV``; with any other splitter it is the number of
    distinct tested rows over the number of tests, so that no row counts twice. ``factor`` overrides either.
    """
    named = dict(models) if isinstance(models, Mapping) else {"model": models}
    _check_models(named)
    design = _design(y, scheme, types) if cv is None else cv
    splits = _splits(design, X, y, groups)
    kept = KeptFolds(checkpoint, X, y)
    work = [(name, model, split) for split in splits for name, model in named.items()]
    answers = _trained(kept, work, X, y, jobs=jobs, progress=progress)
    by_fold = [answers[start : start + len(named)] for start in range(0, len(answers), len(named))]
    known = _labels(y, labels, scheme)
    tables = []
    for (_, test), said in zip(splits, by_fold, strict=True):
        truth, group = rows_of(y, test), None if groups is None else rows_of(groups, test)
        found = dict(zip(named, said, strict=True))
        if scheme is None:
            tables.append(table(truth, found, labels=known, pos_label=pos_label, groups=group))
        else:
            tables.append(spans(truth, found, scheme=scheme, types=types, malformed=malformed, groups=group))
    weight, notes = _factor(design, splits, factor, correlations)
    together = tuple(tables)
    shown = together if len(named) > 1 else ()
    return tuple(
        Folds(
            tuple(one.pick(name) for one in together),
            weight,
            tuple(OutOfFold(test, said[place]) for (_, test), said in zip(splits, by_fold, strict=True)),
            shown,
            notes,
        )
        for place, name in enumerate(named)
    )


def _trained(
    kept: KeptFolds, work: list[tuple[str, Any, Split]], X: Any, y: Any, *, jobs: int, progress: Progress
) -> list[Any]:
    """Return the predictions of every model on every fold, those of an earlier run from where they were kept."""
    paths = [kept.path(name, model, *split) for name, model, split in work]
    answers = [kept.get(path) for path in paths]
    todo = [at for at, said in enumerate(answers) if said is None]
    pieces = [(work[at][1], X, y, *work[at][2]) for at in todo]
    done = run_in_order(_predicted, pieces, jobs=jobs, progress=progress, before=len(work) - len(todo))
    for at, said in zip(todo, done, strict=True):
        kept.put(paths[at], said)
        answers[at] = said
    return answers


def chunk_frequencies(
    sequences: Sequence[Sequence[str]], *, scheme: str = "IOB2", types: bool = True
) -> NDArray[np.int64]:
    """Return how many chunks of each type a sentence holds: what ``BlockedCV(balance=…)`` should keep in equal parts.

    >>> chunk_frequencies([["B-PER", "O", "B-LOC"], ["B-LOC", "I-LOC"]])
    array([[1, 1],
           [1, 0]])
    """
    found = count_chunks(sequences, {"itself": sequences}, scheme=scheme, types=types)
    return np.asarray(found.actual, dtype=np.int64)


def chunk_balance(sequences: Sequence[Sequence[str]], *, scheme: str = "IOB2") -> NDArray[np.int64]:
    """Return what the blocks of a corpus should have in equal parts: chunks of each type, and chunks in a sentence.

    The columns of ``chunk_frequencies``, then the chunks of any type, then whether a sentence has one, two, or more.

    >>> chunk_balance([["B-PER", "O", "B-LOC"], ["B-LOC", "I-LOC"]])
    array([[1, 1, 2, 0, 1, 0],
           [1, 0, 1, 1, 0, 0]])
    """
    by_type = chunk_frequencies(sequences, scheme=scheme)
    total = by_type.sum(axis=1)
    several = np.stack([total == 1, total == 2, total > 2], axis=1).astype(np.int64)
    return np.concatenate([by_type, total[:, None], several], axis=1)


def rows_of(data: Any, rows: Integers) -> Any:
    """Return some rows of an array, a sparse matrix, a data frame, a series or a list."""
    if hasattr(data, "iloc"):
        return data.iloc[rows]
    return data[rows] if hasattr(data, "shape") else [data[row] for row in rows]


def _predicted(model: Any, X: Any, y: Any, train: Integers, test: Integers) -> Any:
    """Train a fresh copy on one half and ask it about the other."""
    known, answers, asked = rows_of(X, train), rows_of(y, train), rows_of(X, test)
    if hasattr(model, "fit") and hasattr(model, "predict"):
        fresh = _fresh(model)
        fresh.fit(known, answers)
        said = fresh.predict(asked)
    else:
        said = model(known, answers, asked)
    number = said.shape[0] if hasattr(said, "shape") else len(said)
    if number != len(test):
        raise InputError(messages.MODEL_GAVE_PREDICTIONS_FOR_ROWS(model=model, number=number, number_of_test=len(test)))
    return said


def _fresh(model: Any) -> Any:
    if hasattr(model, "get_params") and not isinstance(model, type):
        try:
            from sklearn.base import clone
        except ImportError:
            return deepcopy(model)
        return clone(model)
    return deepcopy(model)


def _check_models(named: Mapping[str, Any]) -> None:
    if not named:
        raise InputError(messages.MODELS_IS_EMPTY())
    wrong = [name for name, model in named.items() if isinstance(model, type) or not _usable(model)]
    if wrong:
        raise InputError(messages.MODELS_CAN_NEITHER_FIT_AND_PREDICT(wrong=quoted(wrong)))


def _usable(model: Any) -> bool:
    return (hasattr(model, "fit") and hasattr(model, "predict")) or callable(model)


def _design(y: Any, scheme: SchemeChoice | None, types: bool) -> BlockedCV:
    if scheme is None:
        return BlockedCV(repeats=3)
    gold = scheme if isinstance(scheme, str) else scheme.get("gold", "IOB2")
    return BlockedCV(repeats=3, balance=chunk_frequencies(y, scheme=gold, types=types))


def _splits(cv: Any, X: Any, y: Any, groups: Any) -> list[Split]:
    if not hasattr(cv, "split"):
        raise InputError.of("cv", cv, messages.SPLITTER_SUCH_AS_BLOCKEDCV())
    found = [(np.asarray(train), np.asarray(test)) for train, test in cv.split(X, y, groups)]
    if not found:
        raise InputError(messages.CV_MAKES_NO_FOLDS(cv=cv))
    return found


def _labels(y: Any, labels: Sequence[Label] | None, scheme: SchemeChoice | None) -> Sequence[Label] | None:
    """Return one set of labels for all folds, so that a class missing from one is not lost."""
    if labels is not None or scheme is not None or is_multilabel(y):
        return labels
    return table(y, y).labels


def _factor(
    cv: Any, splits: list[Split], factor: EffectiveFactor, correlations: tuple[float, float] | None
) -> tuple[float, tuple[Note, ...]]:
    if isinstance(cv, BlockedCV) or correlations is not None or isinstance(factor, (int, float)):
        return chosen_factor(len(splits), factor, correlations), ()
    if factor not in (None, "conservative"):
        return chosen_factor(len(splits), factor, correlations), ()
    tested = np.concatenate([test for _, test in splits])
    return len(np.unique(tested)) / len(tested), (note_of("cv not blocked", "design"),)

"""The raw data of Yuan & Jiang's second and third simulation, and rules trained on them anew.

The data are free to use but not shipped: read ``abalone.csv`` and ``letter.csv`` from a folder, or let scikit-learn
fetch them from OpenML.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from howsure.errors import InputError, need_package
from howsure.errors.messages import studies as messages
from howsure.sources.kinds.labels import table
from howsure.tables.table import Table
from howsure.types import Array

OPENML = "openml"
SETS: dict[str, dict[str, Any]] = {
    "abalone": {"id": 183, "target": "rings", "positive": ("6",), "train": 844},
    "letter": {"id": 6, "target": "letter", "positive": ("A", "B"), "train": 3936},
}


def load(name: str, data: Path | str) -> tuple[Array, Array]:
    """Return features and outcomes (1 for six rings, or for the letters A and B) of "abalone" or "letter"."""
    features, target = _from_openml(name) if data == OPENML else _from_folder(name, Path(data))
    return _numbers(features), np.isin(target, SETS[name]["positive"]).astype(int)


def _from_folder(name: str, folder: Path) -> tuple[Array, Array]:
    found = [path for path in (folder / f"{name}.csv", folder / name / f"{name}.csv") if path.is_file()]
    if not found:
        raise InputError(messages.DATA_HOLDS_CSV(folder=str(folder), name=name))
    with found[0].open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file)
    cells = np.array(lines)
    place = header.index(SETS[name]["target"])
    return np.delete(cells, place, axis=1), cells[:, place]


def _from_openml(name: str) -> tuple[Array, Array]:
    try:
        from sklearn.datasets import fetch_openml
    except ImportError:
        raise need_package("scikit-learn", messages.FETCHING_DATA_FROM_OPENML()) from None
    bunch = fetch_openml(data_id=SETS[name]["id"], as_frame=False, parser="liac-arff")
    features, columns = np.asarray(bunch.data), list(bunch.feature_names)
    categories = getattr(bunch, "categories", None) or {}
    text = features.astype(str)
    for column, names in categories.items():
        if column in columns:
            place = columns.index(column)
            text[:, place] = np.array(names)[features[:, place].astype(float).astype(int)]
    return text, np.asarray(bunch.target).astype(str)


def _numbers(features: Array) -> Array:
    """Return numeric features; a column of words becomes one column per word."""
    columns = []
    for column in features.T:
        try:
            columns.append(column.astype(float))
        except ValueError:
            columns += [(column == word).astype(float) for word in np.unique(column)]
    return np.stack(columns, axis=1)


SPLITS = 10
MOST_SKIPPED = 200


@dataclass(frozen=True)
class Split:
    """The rules of one random split on the rows that they were not trained on.

    ``skipped`` splits before it were degenerate: a rule had no true positive, so its F0.5 is 0 with no variance.
    """

    name: str
    table: Table
    seed: int
    skipped: int = 0


def split_of(name: str, data: Path | str, *, seed: int = 0) -> Split:
    """Return the first split from a seed on in which every rule has a true positive, and how many had none."""
    features, outcomes = _loaded(name, str(data))
    for skipped in range(MOST_SKIPPED):
        made = retrained(name, features, outcomes, seed=seed + skipped)
        if all(row.tp > 0 for row in made.per_class() if row.label == 1):
            return Split(name, made, seed + skipped, skipped)
    raise InputError(messages.DATA_IN_SPLITS_OF_SOME_RULE(most_skipped=MOST_SKIPPED, name=name))


@cache
def _loaded(name: str, data: str) -> tuple[Array, Array]:
    return load(name, data)


def retrained(name: str, features: Array, outcomes: Array, *, seed: int = 0) -> Table:
    """Return the rules, trained on a random part of the paper's size, on all the other rows."""
    order = np.random.default_rng(seed).permutation(len(outcomes))
    train, test = order[: SETS[name]["train"]], order[SETS[name]["train"] :]
    rules = _rules(name, seed)
    predictions = {
        title: rule.fit(features[train], outcomes[train]).predict(features[test]) for title, rule in rules.items()
    }
    return table(outcomes[test], predictions)


def _rules(name: str, seed: int) -> dict[str, Any]:
    try:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.linear_model import LogisticRegression
        from sklearn.neighbors import KNeighborsClassifier
        from sklearn.svm import SVC
    except ImportError:
        raise need_package("scikit-learn", messages.TRAINING_PAPER_RULES_AGAIN()) from None
    found: dict[str, Any] = {
        "1NN": KNeighborsClassifier(n_neighbors=1),
        "Logistic Regression": LogisticRegression(C=1e4, max_iter=10_000),
        "Random Forest": RandomForestClassifier(random_state=seed),
    }
    return found | ({"SVM": SVC()} if name == "letter" else {})

"""A score of ours and of scikit-learn on the same rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import metrics as theirs

from howsure import scores


def both(name: str, *pair: Any, **more: Any) -> tuple[Any, Any]:
    """Return our result and scikit-learn's, its warnings aside."""
    extra = {"beta": 0.7} if name == "fbeta_score" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = getattr(theirs, name)(*pair, **extra, **more)
        return getattr(scores, name)(*pair, **extra, **more), expected


def assert_same(name: str, *pair: Any, **more: Any) -> None:
    found, expected = both(name, *pair, **more)
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def draw(seed: int, labels: list[Any], size: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.choice(labels, size)
    return truth, np.where(random.uniform(size=size) < 0.6, truth, random.choice(labels, size))

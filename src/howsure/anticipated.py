"""What one expects to see: shares of a confusion matrix from precision, recall and prevalence, or from a pilot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.cells import Array
from howsure.errors import InputError
from howsure.populations import Population, population_of
from howsure.table import Table


def share_between(name: str, value: float | None) -> float | None:
    """Return a share strictly between 0 and 1, or None; refuse anything else."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise InputError(f"{name} is {value!r}; it must lie strictly between 0 and 1")
    return float(value)


def anticipated_shares(
    *, prevalence: float | None, precision: float | None, recall: float | None, specificity: float | None,
    predicted: float | None,
) -> Array | None:  # fmt: skip
    """Return [[tn, fp], [fn, tp]] as shares, or None where performance is not given.

    Recall and prevalence fix tp and fn; precision, specificity or the share predicted positive fixes fp.
    """
    if recall is None and precision is None and specificity is None:
        return None
    if prevalence is None:
        raise InputError("prevalence is missing; the performance you expect needs prevalence=, recall= and precision=")
    if recall is None:
        raise InputError("recall is missing; the performance you expect needs prevalence=, recall= and precision=")
    tp = prevalence * recall
    given = {"precision": precision, "specificity": specificity, "predicted": predicted}
    known = [name for name, value in given.items() if value is not None]
    if not known:
        raise InputError(
            "precision is missing; give precision=, specificity= or predicted= beside recall= and prevalence="
        )
    fp = _false_positives(tp, prevalence, precision, specificity, predicted)
    shares = np.array([[1 - prevalence - fp, fp], [prevalence - tp, tp]])
    if (shares < -1e-12).any() or not math.isfinite(fp):
        raise InputError(
            f"no classifier has recall {recall:g} and {known[0]} {given[known[0]]:g} at prevalence {prevalence:g}: it would "
            f"need {fp:.4g} of all rows as false positives, and {1 - prevalence:.4g} are negative"
        )
    return np.maximum(shares, 0.0)


def _false_positives(
    tp: float, prevalence: float, precision: float | None, specificity: float | None, predicted: float | None
) -> float:
    if precision is not None:
        return tp * (1 - precision) / precision
    if specificity is not None:
        return (1 - prevalence) * (1 - specificity)
    assert predicted is not None
    return predicted - tp


def pilot_population(pilot: Any) -> tuple[Population, Table | None]:
    """Return the shares of a pilot: a Table with one model, counts tp fp fn tn, a matrix, or a file of predictions."""
    if isinstance(pilot, str):
        from howsure.sources.read import read

        return pilot_population(read(pilot))
    if isinstance(pilot, Table):
        return population_of(pilot), pilot
    if isinstance(pilot, Mapping):
        total = sum(float(value) for value in pilot.values())
        return population_of({name: value / total for name, value in pilot.items()}), None
    matrix = np.asarray(pilot, dtype=float)
    return population_of(matrix / matrix.sum()), None

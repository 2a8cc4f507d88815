"""Scores that are 0/0: what zero_division puts in their place, and scikit-learn's warning."""

from __future__ import annotations

import math
import warnings
from functools import cache
from typing import Any, NamedTuple

from howsure.errors import InputError
from howsure.errors.messages import scores as messages
from howsure.results.base import note_of
from howsure.results.estimate import Estimate
from howsure.types import Undefined


class Fill(NamedTuple):
    """What a score that is 0/0 becomes, what an average does with such a class, and whether to warn."""

    value: float
    policy: Undefined
    warn: bool


@cache
def undefined_warning() -> type[UserWarning]:
    """Return scikit-learn's UndefinedMetricWarning, or where it is not installed one of our own."""
    try:
        from sklearn.exceptions import UndefinedMetricWarning
    except ImportError:
        return type("UndefinedMetricWarning", (UserWarning,), {"__doc__": "A score is 0/0.", "__module__": __name__})
    return UndefinedMetricWarning  # type: ignore[no-any-return]


def fill_of(zero_division: Any) -> Fill:
    """Return what ``zero_division`` asks for: "warn" (0 and a warning), 0, 1 or nan."""
    if isinstance(zero_division, str) and zero_division == "warn":
        return Fill(0.0, "zero", warn=True)
    try:
        value = float(zero_division)
    except (TypeError, ValueError):
        value = -1.0
    if math.isnan(value):
        return Fill(value, "skip", warn=False)
    if value not in (0.0, 1.0):
        raise InputError.of("zero_division", zero_division, messages.WARN_0_1_OR_NAN())
    return Fill(value, "one" if value else "zero", warn=False)


def filled(found: Estimate, value: float) -> Estimate:
    """Return the estimate with a value in the place of nan, and a note that says so."""
    if not math.isnan(found.value) or math.isnan(value):
        return found
    note = note_of("score filled", "filled", value=f"{value:g}")
    return found.replace(value=value, notes=(*found.notes, note), again=None)


def warn_undefined(found: Estimate, remedy: str) -> None:
    """Warn as scikit-learn does where a score is 0/0."""
    undefined = [note for note in found.notes if note.kind == "undefined"]
    if undefined:
        warnings.warn(f"{undefined[0]}. {remedy}", undefined_warning(), stacklevel=2)

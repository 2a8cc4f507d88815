"""hs.agreement: how far annotators agree beyond chance, with an interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from howsure.errors import InputError, check_choice, quoted
from howsure.errors.messages import estimates as messages
from howsure.estimates.estimate import MethodLike, estimate
from howsure.metrics.metric import Label
from howsure.metrics.named_sums import FLEISS, KRIPPENDORFF
from howsure.results.base import Note, note_of
from howsure.results.estimate import Estimate
from howsure.results.words import count
from howsure.sources.kinds.labels import table
from howsure.sources.kinds.ratings import annotators, check_order, labels_with_gaps, ratings_table
from howsure.tables.kinds.annotators.ratings import RatingScale
from howsure.tables.table import Table

Coefficient = Literal["cohen", "fleiss", "krippendorff"]
COHEN = {"nominal": "kappa", "ordinal": "kappa_linear"}


def agreement(
    ratings: Any,
    coefficient: Coefficient = "krippendorff",
    *,
    scale: RatingScale = "nominal",
    labels: Sequence[Label] | None = None,
    method: MethodLike | None = None,
    level: float = 0.95,
    groups: Any = None,
) -> Estimate:
    """Return a coefficient of agreement between annotators with its interval; items are what was sampled.

    ``ratings`` is a column for each annotator, by name. All three coefficients are 1 − observed/expected disagreement:
    1 is full agreement, 0 what chance would give. "krippendorff" (alpha) takes any number of annotators and missing
    ratings (None, nan), and a ``scale``: "nominal", "ordinal" (by mean ranks; ``labels`` gives the order of text) or
    "interval" (by squared differences). "fleiss" (kappa) needs as many ratings on every item. "cohen" (kappa) is for
    two annotators; "ordinal" gives it linear weights. The interval is of other items judged by these annotators.

    >>> a, b = [1, 1, 1, 0, 0, 1, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 1, 0, 0, 0]
    >>> round(agreement({"ann1": a, "ann2": b}, "cohen").value, 3)
    0.6
    >>> round(agreement({"ann1": a, "ann2": b, "ann3": [None, *b[1:]]}).value, 3)
    0.733
    """
    check_choice("coefficient", coefficient, tuple(MAKERS))
    made, metric, notes = MAKERS[coefficient](ratings, scale, labels, groups)
    found = estimate(made, metric, method=method, level=level)

    def again(*, level: float = level, method: MethodLike | None = method) -> Estimate:
        return agreement(ratings, coefficient, scale=scale, labels=labels, method=method, level=level, groups=groups)

    return found.replace(notes=(*notes, *found.notes), says="confidence agreement", again=again)


def _cohen(ratings: Any, scale: RatingScale, labels: Any, groups: Any) -> tuple[Table, Any, tuple[Note, ...]]:
    named = annotators(ratings, "ratings")
    if len(named) != 2:
        raise InputError(messages.RATINGS_HOLDS_ANNOTATORS(number=len(named), named=quoted(named)))
    if scale not in COHEN:
        raise InputError.of(
            "scale", scale, messages.COHEN_KAPPA(cohen=quoted(COHEN)), messages.KRIPPENDORFF_ALPHA_HAS_INTERVAL_SCALE()
        )
    codes, found = labels_with_gaps(named, labels)
    check_order(scale, labels, found)
    both = np.asarray((codes >= 0).all(1))
    if not both.any():
        raise InputError(messages.RATINGS_HAS_NO_ITEM_BOTH(named=quoted(named)))
    first, second = ([found[place] for place in column] for column in codes[both].T)
    kept = None if groups is None else np.asarray(groups)[both]
    made = table(first, {"annotators": second}, labels=found if len(found) > 1 else None, groups=kept)
    lost = int((~both).sum())
    single = note_of("one rating", "single ratings", lost=count(lost), items=count(len(both)))
    return made, COHEN[scale], (single,) if lost else ()


def _fleiss(ratings: Any, scale: RatingScale, labels: Any, groups: Any) -> tuple[Table, Any, tuple[Note, ...]]:
    if scale != "nominal":
        raise InputError.of(
            "scale", scale, messages.FLEISS_KAPPA_IS_NOMINAL(), messages.KRIPPENDORFF_ALPHA_HAS_OTHER_SCALES()
        )
    codes, _ = labels_with_gaps(annotators(ratings, "ratings"), labels)
    sizes = (codes >= 0).sum(1)
    if sizes.min() < 2 or sizes.min() != sizes.max():
        raise InputError(messages.RATINGS_HAS_ITEMS_WITH_AND_ITEMS(least=sizes.min(), most=sizes.max()))
    return ratings_table(ratings, labels=labels, groups=groups), FLEISS, ()


def _krippendorff(ratings: Any, scale: RatingScale, labels: Any, groups: Any) -> tuple[Table, Any, tuple[Note, ...]]:
    return ratings_table(ratings, scale=scale, labels=labels, groups=groups), KRIPPENDORFF, ()


MAKERS: dict[str, Callable[..., tuple[Table, Any, tuple[Note, ...]]]] = {
    "cohen": _cohen, "fleiss": _fleiss, "krippendorff": _krippendorff,
}  # fmt: skip

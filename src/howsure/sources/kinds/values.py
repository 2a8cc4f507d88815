"""Row values: hs.table(values=…), and hs.pass_at, which makes values of right answers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from howsure.errors import InputError, check_choice, check_whole
from howsure.errors.messages.sources import kinds as messages
from howsure.metrics.metric import Better
from howsure.sources.arrays.bad_values import LARGEST, SMALLEST, first_row
from howsure.sources.arrays.numbers import by_model, check_equal_lengths, read_numbers, sampled
from howsure.tables.kinds.values import RowValues
from howsure.tables.table import Table
from howsure.types import Array

Range = tuple[float, float]


def values_table(
    values: Any, *, range: Any = None, better: Better | None = "higher", sample_weight: Any = None, groups: Any = None
) -> Table:
    """Return the table of numbers, one for each model in each row; equal rows are merged."""
    ends = checked_range(range)
    check_choice("better", better, ("higher", "lower", None))
    named = by_model("values", values)
    columns = {name: read_numbers(_called(name, named), column) for name, column in named.items()}
    rows = check_equal_lengths({_called(name, named): len(column) for name, column in columns.items()})
    for name, column in columns.items():
        check_within(_called(name, named), column, ends)
    design = sampled("values", rows, weight=sample_weight, groups=groups)
    contents = RowValues(np.stack(list(columns.values()), axis=1), ends, better)
    return Table(tuple(named), contents, design).merged()


def _called(name: str, named: dict[str, Any]) -> str:
    return "values" if list(named) == ["model"] else f'values "{name}"'


def checked_range(range: Any) -> Range:
    """Return the smallest and the largest value that can occur; without end where none is given."""
    if range is None:
        return -math.inf, math.inf
    try:
        bottom, top = (float(end) for end in (() if isinstance(range, str | bytes) else range))
    except (TypeError, ValueError):
        raise InputError.of("range", range, messages.SMALLEST_AND_LARGEST_VALUE()) from None
    if not bottom < top:
        raise InputError.of("range", range, messages.FIRST_END_MUST_LIE_BELOW_SECOND())
    if math.isfinite(top - bottom) and not SMALLEST <= top - bottom <= LARGEST:
        raise InputError.of("range", range, messages.WIDER_THAN_1E_100_AND_NO_WIDER())
    return bottom, top


def check_size(name: str, column: Array) -> None:
    """Refuse numbers whose squares, and sums of them, are no numbers."""
    row = first_row(np.abs(column) > LARGEST)
    if row is not None:
        raise InputError(messages.IN_ROW_BEYOND_1E100_SQUARES(name=name, column=column[row], row=row))


def check_within(name: str, column: Array, ends: Range) -> None:
    """Refuse numbers outside the range, or too large to reckon with."""
    check_size(name, column)
    outside = (column < ends[0]) | (column > ends[1])
    row = first_row(outside)
    if row is not None:
        raise InputError(
            messages.IN_ROW_OUTSIDE_RANGE(
                name=name, column=column[row], row=row, ends=ends[0], other_ends=ends[1], outside=int(outside.sum())
            )
        )


def pass_at(right: Any, answers: Any, *, k: int) -> Array:
    """Return the chance that one of k answers to a question is right, from how many of its answers were.

    1 − C(r − c, k)/C(r, k) for c right ones of r answers: the mean over all choices of k among them, which is unbiased;
    1 − (1 − c/r)^k is not. ``answers`` is one number or one a question, never below k. The values lie between 0 and 1:
    hs.table(values=hs.pass_at(right, answers, k=5), range=(0, 1)). Chen et al. (2021), arXiv:2107.03374, eq. 1.

    >>> pass_at([0, 1, 5], 10, k=2).tolist()
    [0.0, 0.2, 0.7777777777777778]
    """
    wanted = check_whole("k", k, 1, messages.GIVE_SUCH_AS_5())
    found = read_numbers("right", right)
    given = read_numbers("answers", np.full(len(found), answers) if np.isscalar(answers) else answers)
    check_equal_lengths({"right": len(found), "answers": len(given)})
    for name, column in (("right", found), ("answers", given)):
        row = first_row((column < 0) | (column != np.floor(column)))
        if row is not None:
            raise InputError(messages.IN_ROW_WHOLE_NUMBER_ZERO(name=name, column=column[row], row=row))
    _check_answers(found, given, wanted)
    # A product of k shares: no factorial, so nothing overflows.
    left = given[:, None] - np.arange(wanted)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(1.0 - np.prod(np.maximum(left - found[:, None], 0.0) / left, axis=1))


def _check_answers(right: Array, answers: Array, k: int) -> None:
    row = first_row(answers < k)
    if row is not None:
        raise InputError(messages.K_BUT_QUESTION_ANSWERS(k=k, row=row, answers=answers[row]))
    row = first_row(right > answers)
    if row is not None:
        raise InputError(messages.RIGHT_IN_ROW_MORE_THAN_ANSWERS(right=right[row], row=row, answers=answers[row]))

"""classification_report: scikit-learn's report with an interval beside each score."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from html import escape
from typing import Any

from howsure.errors import InputError
from howsure.errors.messages import scores as messages
from howsure.metrics.metric import Label
from howsure.metrics.names import named, of_class, samples
from howsure.results.estimate import Estimate
from howsure.results.words import count, number
from howsure.scores.averaged import AVERAGES, Asked, chosen_labels
from howsure.scores.targets import covering, occurring_labels, only, read_targets, support_of
from howsure.scores.undefined import fill_of
from howsure.tables.table import Table


def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    target_names: Sequence[str] | None = None,
    sample_weight: Any = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: Any = "warn",
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Any:
    """Return scikit-learn's report with an interval beside each score: text, or nested dictionaries of Estimates.

    The text is a ``str`` that a notebook shows as it is printed, in columns.
    """
    data = read_targets(y_true, y_pred, sample_weight, groups)
    chosen = chosen_labels(data, labels, occurring_labels(data))
    rows = _rows(covering(data, chosen), chosen, _names(chosen, target_names, given=labels is not None),
                 Asked(fill_of(zero_division), level, method))  # fmt: skip
    return rows if output_dict else ReportText(_text(rows, digits))


class ReportText(str):
    """Text in columns, which shows itself as printed where it is the last line of a cell or of a prompt."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self)}</pre>"


COLUMNS = {"precision": named("precision"), "recall": named("recall"), "f1-score": named("f1")}


def _names(chosen: list[Label], target_names: Sequence[str] | None, *, given: bool) -> list[str]:
    names = [str(label) for label in chosen] if target_names is None else [str(name) for name in target_names]
    if len(names) == len(chosen):
        return names
    if not given:
        raise InputError(messages.TARGET_NAMES_NAMES_BUT_LABELS(number=len(names), number_of_chosen=len(chosen)))
    warnings.warn(
        f"labels has {len(chosen)} labels but target_names {len(names)} names; the report has as many rows as there "
        "are pairs", stacklevel=3,
    )  # fmt: skip
    return names


def _rows(data: Table, chosen: list[Label], names: list[str], asked: Asked) -> dict[str, Any]:
    rows: dict[str, Any] = {
        name: {column: asked.of(data, of_class(base, label)) for column, base in COLUMNS.items()}
        | {"support": support_of(data, label)}
        for name, label in zip(names, chosen, strict=False)
    }
    some = only(data, chosen)
    whole = set(chosen) >= set(occurring_labels(data)) and some is None
    support = sum(support_of(data, label) for label in chosen)
    if whole:
        rows["accuracy"] = asked.of(data, named("accuracy"))
    for average in AVERAGES:
        if average != "micro" or not whole:
            rows[f"{average} avg"] = {
                column: asked.mean(data, average, base, chosen) for column, base in COLUMNS.items()
            } | {"support": support}
    if some is not None:
        rows["samples avg"] = {column: asked.of(some, samples(base)) for column, base in COLUMNS.items()} | {
            "support": support
        }
    return rows


def _text(rows: dict[str, Any], digits: int) -> str:
    support = next(row["support"] for name, row in reversed(rows.items()) if name != "accuracy")
    width = 2 + 3 * (digits + 2) + 4
    first = max(len(name) for name in rows)
    lines = [" " * first + "".join(f"  {column:>{width}}" for column in COLUMNS) + f"  {'support':>9}", ""]
    for name, row in rows.items():
        if name == "accuracy":
            lines += ["", _line(name, first, ["", "", _score(row, digits)], width, support)]
        else:
            lines.append(_line(name, first, [_score(row[column], digits) for column in COLUMNS], width, row["support"]))
    return "\n".join(lines)


def _line(name: str, first: int, cells: list[str], width: int, support: float) -> str:
    return f"{name:>{first}}" + "".join(f"  {cell:>{width}}" for cell in cells) + f"  {count(support):>9}"


def _score(found: Estimate, digits: int) -> str:
    places = max(digits, 0)
    if math.isnan(found.low):
        return number(found.value, places)
    return f"{number(found.value, places)} [{number(found.low, places)}, {number(found.high, places)}]"

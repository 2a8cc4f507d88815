"""Drop-in functions with scikit-learn's signatures: each score is the float that scikit-learn gives, with its interval.

Beyond scikit-learn's arguments each takes ``level``, ``method`` and ``groups``.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.errors import InputError, arg, check_choice, quoted
from howsure.estimates.estimate import from_linear
from howsure.estimates.tail import Tail
from howsure.metrics.catalogue import f_beta
from howsure.metrics.cells import Cells
from howsure.metrics.metric import Label, Metric
from howsure.metrics.names import macro, micro, named, of_class, samples, weighted
from howsure.results.base import Note
from howsure.results.estimate import Estimate
from howsure.results.words import count, number
from howsure.sources.kinds.labels import table
from howsure.tables.linearised import linearise
from howsure.tables.table import Table, positive_of
from howsure.types import Undefined

__all__ = [
    "accuracy_score",
    "balanced_accuracy_score",
    "classification_report",
    "cohen_kappa_score",
    "f1_score",
    "fbeta_score",
    "jaccard_score",
    "matthews_corrcoef",
    "precision_score",
    "recall_score",
]

AVERAGES = {"micro": micro, "macro": macro, "weighted": weighted}
CHOICES = (None, "binary", "micro", "macro", "weighted", "samples")


class UndefinedMetricWarning(UserWarning):
    """A score is 0/0 and was set by zero_division."""


def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None, **more: Any
) -> Estimate:
    """Return accuracy; for multi-label input the share of rows whose whole label set is right."""
    data = _table(y_true, y_pred, sample_weight=sample_weight, groups=more.pop("groups", None))
    found = _ask(data, named(data.contents.wholly_right), "nan", **more)
    return found if normalize else _times(found, float(data.weights.sum()))


def balanced_accuracy_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False, **more: Any
) -> Estimate:
    """Return the mean recall of the classes that occur; ``adjusted`` puts chance at 0."""
    data = _table(y_true, y_pred, sample_weight=sample_weight, groups=more.pop("groups", None))
    base = named("balanced_accuracy")
    classes = int((data.contents.support(data.counts) > 0).sum())
    chance = 1 / classes if adjusted and classes > 1 else 0.0

    def formula(c: Cells) -> Any:
        return (base.formula(c) - chance) / (1 - chance)

    metric = replace(base, formula=formula, range=(-chance / (1 - chance), 1.0)) if chance else base
    return _ask(data, metric, "skip", **more)


def matthews_corrcoef(y_true: Any, y_pred: Any, *, sample_weight: Any = None, **more: Any) -> Estimate:
    """Return the Matthews correlation coefficient; 0/0 is 0 as in scikit-learn, and noted."""
    data = _table(y_true, y_pred, sample_weight=sample_weight, groups=more.pop("groups", None))
    return _filled(_ask(data, named("mcc"), "nan", **more), 0.0)


def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: Sequence[Label] | None = None,
    weights: str | None = None,
    sample_weight: Any = None,
    replace_undefined_by: float = math.nan,
    **more: Any,
) -> Estimate:
    """Return Cohen's kappa; ``weights`` is None, "linear" or "quadratic". ``labels`` drops rows with others."""
    names = {None: "kappa", "linear": "kappa_linear", "quadratic": "kappa_quadratic"}
    check_choice("weights", weights, names)
    data = _present(_table(y1, y2, sample_weight=sample_weight, groups=more.pop("groups", None)), labels)
    return _filled(_ask(data, named(names[weights]), "nan", **more), float(replace_undefined_by))


def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    **more: Any,
) -> Any:
    """Return precision with its interval."""
    return _averaged("precision", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division, more)


def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    **more: Any,
) -> Any:
    """Return recall with its interval."""
    return _averaged("recall", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division, more)


def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    **more: Any,
) -> Any:
    """Return F1 with its interval."""
    return _averaged("f1", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division, more)


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    **more: Any,
) -> Any:
    """Return F-beta with its interval."""
    base = named("precision") if beta == 0 else named("recall") if beta == math.inf else f_beta(beta)
    return _averaged(base, y_true, y_pred, labels, pos_label, average, sample_weight, zero_division, more)


def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    pos_label: Label = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
    **more: Any,
) -> Any:
    """Return the Jaccard index with its interval."""
    return _averaged("jaccard", y_true, y_pred, labels, pos_label, average, sample_weight, zero_division, more)


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
    **more: Any,
) -> Any:
    """Return scikit-learn's report with an interval beside each score: text, or nested dictionaries of Estimates."""
    data = _table(y_true, y_pred, sample_weight=sample_weight, groups=more.pop("groups", None))
    chosen = _labels_of(data) if labels is None else list(labels)
    data = _covering(data, chosen)
    names = [str(label) for label in chosen] if target_names is None else list(target_names)
    if len(names) != len(chosen):
        raise InputError(
            f"target_names has {len(names)} names but there are {len(chosen)} labels; give one name per label"
        )
    columns = {"precision": named("precision"), "recall": named("recall"), "f1-score": named("f1")}
    fill = _fill(zero_division)

    def score(metric: Metric) -> Estimate:
        return _with_fill(data, metric, fill, more)

    rows: dict[str, Any] = {
        name: {column: score(of_class(base, label)) for column, base in columns.items()}
        | {"support": _support(data, label)}
        for name, label in zip(names, chosen, strict=True)
    }
    some = _only(data, chosen)
    whole = set(chosen) >= set(_labels_of(data)) and some is None
    support = sum(row["support"] for row in rows.values())
    if whole:
        rows["accuracy"] = score(named("accuracy"))
    for average in AVERAGES:
        if average != "micro" or not whole:
            rows[f"{average} avg"] = {
                column: _mean(data, average, base, chosen, fill, more) for column, base in columns.items()
            } | {"support": support}
    if some is not None:
        rows["samples avg"] = {
            column: _with_fill(some, samples(base), fill, more) for column, base in columns.items()
        } | {"support": support}
    return rows if output_dict else _report_text(rows, list(columns), digits, support)


def _averaged(
    metric: str | Metric, y_true: Any, y_pred: Any, labels: Any, pos_label: Label, average: str | None,
    sample_weight: Any, zero_division: Any, more: dict[str, Any],
) -> Any:  # fmt: skip
    check_choice("average", average, CHOICES)
    base, fill = named(metric), _fill(zero_division)
    data = _table(y_true, y_pred, sample_weight=sample_weight, groups=more.pop("groups", None))
    if average == "binary":
        return _with_fill(_binary(data, pos_label), base, fill, more)
    if average == "samples":
        some = _only(data, data.labels if labels is None else labels)
        if some is None:
            raise InputError("average is 'samples', which is for multi-label input; each row here has one label")
        return _with_fill(some, samples(base), fill, more)
    chosen = _labels_of(data) if labels is None else list(labels)
    data = _covering(data, chosen)
    if average is None:
        return [_with_fill(data, of_class(base, label), fill, more) for label in chosen]
    return _mean(data, average, base, chosen, fill, more)


def _mean(
    data: Table,
    average: str,
    base: Metric,
    chosen: list[Label],
    fill: tuple[float, Undefined, bool],
    more: dict[str, Any],
) -> Estimate:
    """Return an average over the chosen classes; scikit-learn's plain mean where none of them carries weight."""
    some = None if set(chosen) == set(data.labels) else chosen
    found = _with_fill(data, AVERAGES[average](base, classes=some), fill, more)
    lost = math.isnan(found.value) or any(note.kind == "filled" for note in found.notes)
    return _with_fill(data, macro(base, classes=some), fill, more) if lost and average == "weighted" else found


def _table(y_true: Any, y_pred: Any, *, sample_weight: Any, groups: Any) -> Table:
    return table(y_true, y_pred, sample_weight=sample_weight, groups=groups)


def _labels_of(data: Table) -> list[Label]:
    """Return the labels that occur, as scikit-learn averages over them."""
    return data.contents.occurring(data.counts)


def _covering(data: Table, chosen: Sequence[Label]) -> Table:
    extra = [label for label in chosen if label not in data.labels]
    return data if not extra else data.with_labels([*data.labels, *extra])


def _only(data: Table, chosen: Sequence[Label]) -> Table | None:
    """Return a multi-label table of some of its classes; None where each row has one label."""
    some = data.contents.only(chosen)
    return None if some is None else replace(data, contents=some)


def _present(data: Table, labels: Sequence[Label] | None) -> Table:
    """Return the table of the rows whose labels are all among ``labels`` (or occur), in that order."""
    wanted = tuple(_labels_of(data) if labels is None else labels)
    matrix = _covering(data, wanted)
    codes = np.full(len(matrix.labels), -1)
    codes[[matrix.labels.index(label) for label in wanted]] = np.arange(len(wanted))
    rows = replace(matrix.contents.recoded(codes, wanted), pos_label=positive_of(wanted))
    keep = (rows.keys() >= 0).all(1)
    if not keep.any():
        raise InputError(f"labels {quoted(wanted)} occur in no row; name labels that do: {quoted(_labels_of(data))}")
    return replace(matrix, contents=rows).some_rows(keep)


def _binary(data: Table, pos_label: Label) -> Table:
    seen = _labels_of(data)
    sets = _only(data, seen) is not None
    if sets or len(seen) > 2:
        kind = "multi-label" if sets else f"{len(seen)} labels ({quoted(seen)})"
        raise InputError(
            f"average is 'binary', but the data are {kind}; choose average='macro', 'micro', 'weighted' or None"
        )
    if pos_label not in data.labels and len(seen) == 2:
        raise InputError(
            f"{arg('pos_label')} is {pos_label!r}, which is not among the labels {quoted(seen)}; pass one of them"
        )
    covering = _covering(data, [pos_label])
    return replace(covering, contents=replace(covering.contents, pos_label=pos_label))


def _fill(zero_division: Any) -> tuple[float, Undefined, bool]:
    """Return the value of 0/0, the matching policy for averages, and whether to warn."""
    if isinstance(zero_division, str) and zero_division == "warn":
        return 0.0, "zero", True
    try:
        value = float(zero_division)
    except (TypeError, ValueError):
        value = -1.0
    if math.isnan(value):
        return value, "skip", False
    if value not in (0.0, 1.0):
        raise InputError.of("zero_division", zero_division, "it must be 'warn', 0, 1 or nan")
    return value, "one" if value else "zero", False


def _with_fill(data: Table, metric: Metric, fill: tuple[float, Undefined, bool], more: dict[str, Any]) -> Estimate:
    value, policy, warn = fill
    found = _ask(data, metric, policy, **more)
    undefined = [note for note in found.notes if note.kind == "undefined"]
    if warn and undefined:
        warnings.warn(f"{undefined[0]}. Set zero_division to choose.", UndefinedMetricWarning, stacklevel=4)
    return _filled(found, value)


def _ask(
    data: Table, metric: Metric, undefined: Undefined, *, level: float = 0.95, method: Any = None, **unknown: Any
) -> Estimate:
    if unknown:
        raise InputError(
            f"{quoted(unknown)} is no argument of scikit-learn's function; "
            "beyond those there are level, method and groups"
        )
    return from_linear(linearise(data, metric, None, undefined), method, Tail(level))


def _filled(found: Estimate, value: float) -> Estimate:
    if not math.isnan(found.value) or math.isnan(value):
        return found
    note = Note(f"the value {value:g} stands for an undefined score, as asked; it has no interval", "filled")
    return found.replace(value=value, notes=(*found.notes, note), again=None)


def _times(found: Estimate, factor: float) -> Estimate:
    scaled = {name: getattr(found, name) * factor for name in ("value", "low", "high", "se")}
    return found.replace(**scaled, metric_range=(0.0, factor), again=None)


def _support(data: Table, label: Label) -> float:
    return float(data.contents.support(data.weights)[data.labels.index(label)])


def _report_text(rows: dict[str, Any], columns: list[str], digits: int, support: float) -> str:
    width = 2 + 3 * (digits + 2) + 4
    first = max(len(name) for name in rows)
    lines = [" " * first + "".join(f"  {column:>{width}}" for column in columns) + f"  {'support':>9}", ""]
    for name, row in rows.items():
        if name == "accuracy":
            lines += ["", _line(name, first, ["", "", _score(row, digits)], width, support)]
        else:
            lines.append(_line(name, first, [_score(row[column], digits) for column in columns], width, row["support"]))
    return "\n".join(lines)


def _line(name: str, first: int, cells: list[str], width: int, support: float) -> str:
    return f"{name:>{first}}" + "".join(f"  {cell:>{width}}" for cell in cells) + f"  {count(support):>9}"


def _score(found: Estimate, digits: int) -> str:
    places = max(digits, 0)
    if math.isnan(found.low):
        return number(found.value, places)
    return f"{number(found.value, places)} [{number(found.low, places)}, {number(found.high, places)}]"

"""Scores of the whole table: accuracy and its losses, balanced accuracy, MCC, kappa, likelihood ratios."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from howsure.errors import InputError, check_choice, quoted
from howsure.errors.messages import scores as messages
from howsure.metrics.cells import Cells
from howsure.metrics.metric import Label, Metric, Share
from howsure.metrics.names import named, samples
from howsure.results.base import note_of
from howsure.results.estimate import Estimate
from howsure.scores.targets import ask, occurring_labels, only, present, read_targets, times
from howsure.scores.undefined import filled, warn_undefined
from howsure.tables.table import Table

KAPPAS = {None: "kappa", "linear": "kappa_linear", "quadratic": "kappa_quadratic"}
WRONG = Metric("wrong", lambda c: (c.fp + c.fn) / c.total, better="lower", text="share of labels that are wrong")
RATIOS = {"LR+": ("lr_plus", 1.0, math.inf), "LR-": ("lr_minus", 0.0, 1.0)}


def accuracy_score(
    y_true: Any,
    y_pred: Any,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return accuracy; for multi-label input the share of rows whose whole label set is right."""
    data = read_targets(y_true, y_pred, sample_weight, groups)
    found = ask(data, named(data.contents.wholly_right), "nan", level, method)
    return found if normalize else times(found, data)


def zero_one_loss(
    y_true: Any,
    y_pred: Any,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return the share of rows that are wrong (one minus accuracy), or without ``normalize`` their number."""
    data = read_targets(y_true, y_pred, sample_weight, groups)
    found = ask(data, _mirrored(named(data.contents.wholly_right), "zero_one_loss"), "nan", level, method)
    return found if normalize else times(found, data)


def hamming_loss(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return the share of labels that are wrong: of rows, or for multi-label input of all rows' labels."""
    data = read_targets(y_true, y_pred, sample_weight, groups)
    one = only(data, data.labels) is None
    metric = _mirrored(named("accuracy"), "hamming_loss") if one else replace(samples(WRONG), name="hamming_loss")
    return ask(data, metric, "nan", level, method)


def balanced_accuracy_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    adjusted: bool = False,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return the mean recall of the classes that occur; ``adjusted`` puts chance at 0."""
    data = read_targets(y_true, y_pred, sample_weight, groups)
    if only(data, data.labels) is not None:
        raise InputError(messages.BALANCED_ACCURACY_IS_OF_ONE_LABEL())
    base = named("balanced_accuracy")
    true = data.contents.support(data.counts) > 0
    classes = int(true.sum())
    extra = [label for label, seen in zip(data.labels, true, strict=True) if not seen]
    if extra:
        warnings.warn(
            f"y_pred has {quoted(extra)}, never true: balanced accuracy is over the true classes", stacklevel=2
        )
    chance = 1 / classes if adjusted and classes > 1 else 0.0

    def formula(c: Cells) -> Any:
        return (base.formula(c) - chance) / (1 - chance)

    metric = replace(base, formula=formula, range=(-chance / (1 - chance), 1.0)) if chance else base
    return ask(data, metric, "skip", level, method)


def matthews_corrcoef(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return the Matthews correlation coefficient; 0/0 is 0 as in scikit-learn, and noted."""
    data = read_targets(y_true, y_pred, sample_weight, groups)
    return filled(ask(data, named("mcc"), "nan", level, method), 0.0)


def cohen_kappa_score(
    y1: Any,
    y2: Any,
    *,
    labels: Sequence[Label] | None = None,
    weights: str | None = None,
    sample_weight: Any = None,
    replace_undefined_by: float = math.nan,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> Estimate:
    """Return Cohen's kappa; ``weights`` is None, "linear" or "quadratic". ``labels`` drops rows with others."""
    check_choice("weights", weights, KAPPAS)
    data, metric = read_targets(y1, y2, sample_weight, groups), named(KAPPAS[weights])
    kept = present(data, labels)
    found = _empty(metric, level, labels) if kept is None else ask(kept, metric, "nan", level, method)
    warn_undefined(found, "Set replace_undefined_by to choose its value.")
    return filled(found, float(replace_undefined_by))


def _empty(metric: Metric, level: float, labels: Any) -> Estimate:
    """Return what is known of a metric without a row: nothing."""
    note = note_of("no row of labels", "undefined", metric=metric.name, labels=quoted(labels))
    return Estimate(math.nan, math.nan, math.nan, level, "none", math.nan, 0, metric.name, notes=(note,))


def class_likelihood_ratios(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Sequence[Label] | None = None,
    sample_weight: Any = None,
    replace_undefined_by: Any = math.nan,
    groups: Any = None,
    level: float = 0.95,
    method: Any = None,
) -> tuple[Estimate, Estimate]:
    """Return the likelihood ratios of a positive and of a negative prediction, LR+ and LR−, of two classes.

    Of two labels the second is positive. A ratio that is 0/0 or infinite is nan, or what ``replace_undefined_by`` says:
    1.0 for both, or a mapping of "LR+" (1 to infinity) and "LR-" (0 to 1).
    """
    fills = _ratio_fills(replace_undefined_by)
    data = read_targets(y_true, y_pred, sample_weight, groups)
    data = data if only(data, data.labels) is not None else present(data, labels) or data
    if len(data.labels) > 2 or only(data, data.labels) is not None:
        raise InputError(
            messages.LIKELIHOOD_RATIOS_ARE_OF_TWO_CLASSES(
                number=len(data.labels), occurring_labels=quoted(occurring_labels(data))
            )
        )
    data = replace(data, contents=replace(data.contents, pos_label=data.labels[-1]))
    plus, minus = (_ratio(data, name, fills[key], level, method) for key, (name, *_) in RATIOS.items())
    return plus, minus


def _ratio(data: Table, name: str, fill: float, level: float, method: Any) -> Estimate:
    found = ask(data, named(name), "nan", level, method)
    if math.isinf(found):
        note = note_of("infinite ratio", "undefined", metric=name)
        found = found.replace(value=math.nan, notes=(*found.notes, note), again=None)
    warn_undefined(found, "Set replace_undefined_by to choose its value.")
    return filled(found, fill)


def _ratio_fills(asked: Any) -> dict[str, float]:
    """Return what stands for LR+ and LR− where they are undefined."""
    wanted = asked if isinstance(asked, Mapping) else dict.fromkeys(RATIOS, asked)
    for key, (_, least, most) in RATIOS.items():
        value: Any = wanted.get(key)
        number = float(value) if isinstance(value, Real) else -1.0
        inside = math.isnan(number) or least <= number <= most
        if not inside or not (isinstance(asked, Mapping) or math.isnan(number) or number == 1):
            raise InputError.of(
                "replace_undefined_by",
                asked,
                messages.NAN_1_0_OR_MAPPING(),
            )
    return {key: float(wanted[key]) for key in RATIOS}


def _mirrored(base: Metric, name: str) -> Metric:
    """Return one minus a metric from 0 to 1: a loss."""
    share, rows = base.share, base.scores_rows
    turned = share if rows else share and Share(share.failure, share.success)  # a row's hits are the rows that score 1

    def formula(c: Cells) -> Any:
        if rows or turned is None:
            return 1 - base.formula(c)
        lost = c.counted(turned.success)
        return lost / (lost + c.counted(turned.failure))

    return replace(
        base, name=name, formula=formula, share=turned, better="lower", aliases=(), title="",
        text=f"1 − {base.name}",
    )  # fmt: skip

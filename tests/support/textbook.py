"""Every metric once more, from its definition in words: the oracle that the engine is held against.

Nothing here calls the package. A table is an array (…, K, K) of probabilities, truth in rows, of any kind of
number that numpy can hold (floats, long doubles, mpmath's numbers as objects). A class's own table is its four
probabilities ``tp fp fn tn``, which sum to one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Plain = Callable[[Any], Any]
OneClass = Callable[[Any, Any, Any, Any], Any]


def harmonic(first: Any, second: Any) -> Any:
    return 2 * first * second / (first + second)


def larger(first: Any, second: Any) -> Any:
    return np.where(first > second, first, second)


def f_score(beta: float) -> OneClass:
    """Van Rijsbergen's F as a weighted harmonic mean of precision and recall."""

    def value(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        precision, recall = tp / (tp + fp), tp / (tp + fn)
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)

    return value


def tversky(a: float, b: float) -> OneClass:
    return lambda tp, fp, fn, tn: tp / (tp + a * fp + b * fn)


def ppv_at(prevalence: float) -> OneClass:
    """Bayes' rule with the test's own true and false positive rates."""

    def value(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
        return sensitivity * prevalence / (sensitivity * prevalence + (1 - specificity) * (1 - prevalence))

    return value


def npv_at(prevalence: float) -> OneClass:
    def value(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
        return specificity * (1 - prevalence) / (specificity * (1 - prevalence) + (1 - sensitivity) * prevalence)

    return value


def _lr_plus(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return (tp / (tp + fn)) / (1 - tn / (tn + fp))


def _lr_minus(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return (1 - tp / (tp + fn)) / (tn / (tn + fp))


ONE_CLASS: dict[str, OneClass] = {
    "precision": lambda tp, fp, fn, tn: tp / (tp + fp),
    "recall": lambda tp, fp, fn, tn: tp / (tp + fn),
    "specificity": lambda tp, fp, fn, tn: tn / (tn + fp),
    "npv": lambda tp, fp, fn, tn: tn / (tn + fn),
    "false_positive_rate": lambda tp, fp, fn, tn: 1 - tn / (tn + fp),
    "false_negative_rate": lambda tp, fp, fn, tn: 1 - tp / (tp + fn),
    "false_discovery_rate": lambda tp, fp, fn, tn: 1 - tp / (tp + fp),
    "false_omission_rate": lambda tp, fp, fn, tn: 1 - tn / (tn + fn),
    "f1": lambda tp, fp, fn, tn: harmonic(tp / (tp + fp), tp / (tp + fn)),
    "f0.5": f_score(0.5),
    "f2": f_score(2),
    "f3": f_score(3),
    "tversky(0.3,1.7)": tversky(0.3, 1.7),
    "jaccard": lambda tp, fp, fn, tn: tp / (1 - tn),
    "informedness": lambda tp, fp, fn, tn: tp / (tp + fn) - fp / (tn + fp),
    "markedness": lambda tp, fp, fn, tn: tp / (tp + fp) + tn / (tn + fn) - 1,
    "fowlkes_mallows": lambda tp, fp, fn, tn: (tp / (tp + fp) * tp / (tp + fn)) ** 0.5,
    "lift": lambda tp, fp, fn, tn: tp / (tp + fp) / (tp + fn),
    "overlap": lambda tp, fp, fn, tn: larger(tp / (tp + fp), tp / (tp + fn)),
    "lr_plus": _lr_plus,
    "lr_minus": _lr_minus,
    "odds_ratio": lambda *cells: _lr_plus(*cells) / _lr_minus(*cells),
    "prevalence": lambda tp, fp, fn, tn: tp + fn,
    "predicted_prevalence": lambda tp, fp, fn, tn: tp + fp,
    "ppv_at(0.02)": ppv_at(0.02),
    "npv_at(0.3)": npv_at(0.3),
}


def diagonal(p: Any) -> Any:
    return np.diagonal(p, axis1=-2, axis2=-1)


def accuracy(p: Any) -> Any:
    return diagonal(p).sum(-1)


def chance(p: Any) -> Any:
    """Agreement that independent truth and prediction with the same margins would have."""
    return (p.sum(-1) * p.sum(-2)).sum(-1)


def kappa(p: Any) -> Any:
    return (accuracy(p) - chance(p)) / (1 - chance(p))


def mcc(p: Any) -> Any:
    """Gorodkin's R_K: the covariance of truth and prediction over their standard deviations."""
    truth, prediction = p.sum(-1), p.sum(-2)
    spread = (1 - (truth**2).sum(-1)) * (1 - (prediction**2).sum(-1))
    return (accuracy(p) - chance(p)) / spread**0.5


def weighted_kappa(power: int) -> Plain:
    """Cohen's weighted kappa from weights of agreement 1 − (|i−j|/(K−1))^power."""

    def value(p: Any) -> Any:
        steps = np.arange(p.shape[-1])
        far = abs(steps[:, None] - steps) ** power
        weight = 1 - far * (p.flat[0] * 0 + 1) / far.max()
        observed = (weight * p).sum((-2, -1))
        expected = (weight * p.sum(-1)[..., :, None] * p.sum(-2)[..., None, :]).sum((-2, -1))
        return (observed - expected) / (1 - expected)

    return value


def recalls(p: Any) -> Any:
    return diagonal(p) / p.sum(-1)


def precisions(p: Any) -> Any:
    return diagonal(p) / p.sum(-2)


def mean(values: Any) -> Any:
    return values.sum(-1) / values.shape[-1]


ALL_CLASSES: dict[str, Plain] = {
    "accuracy": accuracy,
    "error_rate": lambda p: 1 - accuracy(p),
    "mcc": mcc,
    "kappa": kappa,
    "balanced_accuracy": lambda p: mean(recalls(p)),
    "g_mean": lambda p: recalls(p).prod(-1) ** (p.flat[0] ** 0 / p.shape[-1]),
    "macro_f1_star": lambda p: harmonic(mean(precisions(p)), mean(recalls(p))),
}
ORDERED: dict[str, Plain] = {"kappa_linear": weighted_kappa(1), "kappa_quadratic": weighted_kappa(2)}


def as_one_class(metric: Plain) -> OneClass:
    """Return a metric of all classes as one of a single class: it sees the class and the rest."""

    def value(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return metric(np.stack([np.stack([tn, fp], -1), np.stack([fn, tp], -1)], -2))

    return value


EACH_CLASS: dict[str, OneClass] = ONE_CLASS | {
    name: as_one_class(rule) for name, rule in ALL_CLASSES.items() if name != "macro_f1_star"
}  # an average is not averaged again


def cells(p: Any) -> tuple[Any, Any, Any, Any]:
    """Return tp, fp, fn, tn of each class (last axis)."""
    tp = diagonal(p)
    fp, fn = p.sum(-2) - tp, p.sum(-1) - tp
    return tp, fp, fn, 1 - tp - fp - fn


def one(rule: OneClass, index: int) -> Plain:
    return lambda p: rule(*(part[..., index] for part in cells(p)))


def macro(rule: OneClass) -> Plain:
    return lambda p: mean(rule(*cells(p)))


def weighted(rule: OneClass) -> Plain:
    return lambda p: (p.sum(-1) * rule(*cells(p))).sum(-1)


def micro(rule: OneClass, kept: list[int] | None = None) -> Plain:
    """Return the metric of the classes' tables added up, as shares of their sum."""

    def value(p: Any) -> Any:
        chosen = list(range(p.shape[-1])) if kept is None else kept
        return rule(*(part[..., chosen].sum(-1) / len(chosen) for part in cells(p)))

    return value


AVERAGES: dict[str, Callable[[OneClass], Plain]] = {"macro": macro, "micro": micro, "weighted": weighted}


def binary_metrics() -> dict[str, Plain]:
    """Return every metric of a table with two classes, the second one positive, by its public name."""
    return {name: one(rule, 1) for name, rule in ONE_CLASS.items()} | ALL_CLASSES | ORDERED


def class_metrics(labels: tuple[str, ...]) -> dict[str, Plain]:
    """Return every metric of a table with these classes, by its public name: averages and single classes too."""
    found = ALL_CLASSES | ORDERED
    for name, rule in EACH_CLASS.items():
        found |= {f"{kind}_{name}": average(rule) for kind, average in AVERAGES.items()}
        found[f"{name}[{labels[-1]}]"] = one(rule, len(labels) - 1)
    del found["weighted_kappa"]  # that name means Cohen's weighted kappa
    kept = list(range(1, len(labels)))
    return found | {f"micro_f1[without {labels[0]}]": micro(EACH_CLASS["f1"], kept)}


def delta_variance(metric: Plain, p: Any, n: Any, *, step: Any) -> Any:
    """Return g'(diag p − p p')g / n with g by central differences of the fourth order, each held cell in turn.

    The step is a share of the cell, so that no cell leaves the open interval (0, 1).
    """
    flat = p.reshape(-1)
    held = np.flatnonzero(flat > 0)
    size = step * flat[held]
    moves = np.stack([shift * np.diag(step * flat)[held] for shift in (-2, -1, 1, 2)])
    values = metric((flat + moves).reshape(4, len(held), *p.shape))
    slopes = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * size)
    return ((flat[held] * slopes**2).sum() - (flat[held] * slopes).sum() ** 2) / n

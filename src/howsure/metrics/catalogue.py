"""THE CATALOGUE OF METRICS: one entry each. Names, help, tests and studies follow from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from howsure.errors import MetricError
from howsure.errors.messages import metrics as messages
from howsure.metrics.cells import Cells
from howsure.metrics.metric import Metric, Over, Share
from howsure.types import Array


def smaller(a: Any, b: Any) -> Any:
    """Return the smaller of two by real part: a minimum that complex steps can pass through."""
    return np.where(np.real(a) <= np.real(b), a, b)


def tversky(a: float, b: float) -> Metric:
    """Return the Tversky index tp / (tp + a·fp + b·fn): a weighs false positives, b false negatives.

    Tversky (1977), Psychological Review 84:327; Jiang (2020), proposition 1.

    >>> tversky(0.8, 0.2).name
    'tversky(0.8,0.2)'
    """
    a, b = _weight("a", a), _weight("b", b)
    if a + b == 0:
        raise MetricError(messages.TVERSKY_0_0())
    return _tversky(f"tversky({a:g},{b:g})", a, b)


def f_beta(beta: float) -> Metric:
    """Return F-beta, the Tversky index with a = 1/(1+beta²), b = beta²/(1+beta²).

    beta > 1 weighs recall more, beta < 1 precision (van Rijsbergen 1979).

    >>> f_beta(0.5).tversky
    (0.8, 0.2)
    """
    number = _number(beta)
    if not (np.isfinite(number) and number > 0):
        raise MetricError.of("beta", beta, messages.FINITE_NUMBER_LARGER_THAN_0())
    beta = number
    square = beta * beta
    text = "(1+β²) tp / ((1+β²) tp + fp + β² fn)"
    return _tversky(f"f{beta:g}", 1 / (1 + square), square / (1 + square), text=text)


def _weight(name: str, value: float) -> float:
    number = _number(value)
    if not np.isfinite(number) or number < 0:
        raise MetricError.of(name, value, messages.FINITE_NUMBER_ZERO_OR_LARGER())
    return number


def _number(value: Any) -> float:
    """Return a number, or nan for what is none: the caller's rule then says what was wanted."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")


def _tversky(name: str, a: float, b: float, **more: Any) -> Metric:
    def formula(c: Cells) -> Any:
        errors = a * c.fp if b == 0 else b * c.fn if a == 0 else a * c.fp + b * c.fn
        return c.tp / (c.tp + errors)

    share = None
    if a == b:
        share = Share(("tp",), ("fp", "fn"), weight=a)
    elif a == 0 or b == 0:
        share = Share(("tp",), ("fp",) if b == 0 else ("fn",), weight=a or b)
    more.setdefault("text", "tp / (tp + a fp + b fn)")
    return Metric(name, formula, share=share, tversky=(a, b), **more)


def _rate(name: str, success: tuple[str, ...], failure: tuple[str, ...], **more: Any) -> Metric:
    def formula(c: Cells) -> Any:
        wins = c.counted(success)
        return wins / (wins + c.counted(failure))

    over: Over = "classes" if success[0] in ("hits", "misses") else "class"
    text = f"{'+'.join(success)} / ({'+'.join(success + failure)})"
    return Metric(name, formula, over=over, share=Share(success, failure), text=text, **more)


def _association(c: Cells) -> Array:
    """Return Σ (P(hit) − P(actual)·P(predicted)) over classes, without cancellation."""
    return np.asarray((c.tp * c.tn - c.fp * c.fn).sum(-1))


def _mcc(c: Cells) -> Any:
    spread = (c.actual * (c.fp + c.tn)).sum(-1) * (c.predicted * (c.fn + c.tn)).sum(-1)
    return _association(c) / np.sqrt(spread)


def _kappa(c: Cells) -> Any:
    return _association(c) / (c.actual * (c.fn + c.tn)).sum(-1)


def _weighted_kappa(c: Cells) -> Any:
    """Return 1 − observed/expected disagreement (Cohen 1968, Psychological Bulletin 70:213)."""
    assert c.scores is not None
    expected = np.einsum("...i,ij,...j->...", c.actual, c.scores, c.predicted)
    return 1 - c.scored / expected


def _distance(power: int) -> Any:
    def scores(classes: int) -> Array:
        steps = np.arange(classes, dtype=float)
        return np.abs(steps[:, None] - steps) ** power

    return scores


def _recall(c: Cells) -> Any:
    return c.tp / (c.tp + c.fn)


def _precision(c: Cells) -> Any:
    return c.tp / (c.tp + c.fp)


def _g_mean(c: Cells) -> Any:
    values, kept = c.by_class(_recall)
    return np.prod(np.where(kept > 0, values, 1.0), axis=-1) ** (1 / kept.sum(-1))


def _macro_f1_star(c: Cells) -> Any:
    precision, recall = c.average(_precision), c.average(_recall)
    return 2 * precision * recall / (precision + recall)


def _at(prevalence: float, kept: Any, false: Any) -> Any:
    return prevalence * kept / (prevalence * kept + (1 - prevalence) * false)


def ppv_at(prevalence: float) -> Metric:
    """Return the positive predictive value at another prevalence π: π·TPR / (π·TPR + (1−π)·FPR).

    Mercaldo, Lau & Zhou (2007), Statistics in Medicine 26:2170. TPR and FPR must carry over.
    """
    share = _prevalence(prevalence)

    def formula(c: Cells) -> Any:
        return _at(share, _recall(c), c.fp / (c.fp + c.tn))

    return Metric(f"ppv_at({share:g})", formula, text="π tpr / (π tpr + (1−π) fpr)")


def npv_at(prevalence: float) -> Metric:
    """Return the negative predictive value at another prevalence π: (1−π)·TNR / ((1−π)·TNR + π·FNR)."""
    share = _prevalence(prevalence)

    def formula(c: Cells) -> Any:
        return _at(1 - share, c.tn / (c.tn + c.fp), c.fn / (c.fn + c.tp))

    return Metric(f"npv_at({share:g})", formula, text="(1−π) tnr / ((1−π) tnr + π fnr)")


def _prevalence(value: float) -> float:
    share = _number(value)
    if not 0 < share < 1:
        raise MetricError.of("prevalence", value, messages.LIE_STRICTLY_BETWEEN_0_AND_1())
    return share


PARAMETRIC: dict[str, tuple[Callable[..., Metric], int]] = {
    "tversky": (tversky, 2),
    "ppv_at": (ppv_at, 1),
    "npv_at": (npv_at, 1),
}

SIGNED = (-1.0, 1.0)
RATIO = (0.0, float("inf"))
_F1 = ("dice", "Sørensen", "sorensen", "sorensen_dice", "f_measure", "f_score")

CATALOGUE: tuple[Metric, ...] = (
    _rate("accuracy", ("hits",), ("misses",), aliases=("acc",), title="Accuracy"),
    _rate("error_rate", ("misses",), ("hits",), better="lower", title="Error rate"),
    _tversky(
        "precision",
        1,
        0,
        text="tp / (tp+fp)",
        aliases=("ppv", "positive_predictive_value"),
        title="Precision",
    ),
    _tversky(
        "recall",
        0,
        1,
        text="tp / (tp+fn)",
        title="Recall",
        aliases=("sensitivity", "tpr", "true_positive_rate"),
    ),
    _rate(
        "specificity",
        ("tn",),
        ("fp",),
        aliases=("tnr", "true_negative_rate", "selectivity"),
        title="Specificity",
    ),
    _rate("npv", ("tn",), ("fn",), aliases=("negative_predictive_value",), title="Negative predictive value"),
    _rate(
        "false_positive_rate",
        ("fp",),
        ("tn",),
        better="lower",
        aliases=("fpr", "fall_out"),
        title="False positive rate",
    ),
    _rate(
        "false_negative_rate",
        ("fn",),
        ("tp",),
        better="lower",
        aliases=("fnr", "miss_rate"),
        title="False negative rate",
    ),
    _rate(
        "false_discovery_rate",
        ("fp",),
        ("tp",),
        better="lower",
        aliases=("fdr",),
        title="False discovery rate",
    ),
    _rate("false_omission_rate", ("fn",), ("tn",), better="lower", aliases=("for",), title="False omission rate"),
    _tversky("f1", 0.5, 0.5, text="2 tp / (2 tp + fp + fn)", aliases=_F1, title="F1"),
    _tversky("f0.5", 0.8, 0.2, text="1.25 tp / (1.25 tp + fp + 0.25 fn)", title="F0.5"),
    _tversky("f2", 0.2, 0.8, text="5 tp / (5 tp + fp + 4 fn)", title="F2"),
    _tversky(
        "jaccard",
        1,
        1,
        text="tp / (tp+fp+fn)",
        title="Jaccard",
        aliases=("iou", "F*", "f_star", "fstar", "threat_score", "critical_success_index"),
    ),
    Metric(
        "mcc",
        _mcc,
        over="classes",
        range=SIGNED,
        aliases=("correlation", "phi", "matthews"),
        text="Σ(tp tn − fp fn) / √(Σ a(1−a) · Σ p(1−p)), a = actual, p = predicted",
        title="Matthews correlation",
    ),
    Metric(
        "kappa",
        _kappa,
        over="classes",
        range=SIGNED,
        aliases=("cohen_kappa",),
        text="(observed − expected agreement) / (1 − expected)",
        title="Cohen's kappa",
    ),
    Metric(
        "kappa_linear",
        _weighted_kappa,
        over="classes",
        range=SIGNED,
        scores=_distance(1),
        aliases=("linear_kappa", "weighted_kappa"),
        text="1 − Σ|i−j| p_ij / Σ|i−j| a_i p_j",
        title="Weighted kappa, linear",
    ),
    Metric(
        "kappa_quadratic",
        _weighted_kappa,
        over="classes",
        range=SIGNED,
        scores=_distance(2),
        aliases=("quadratic_kappa", "qwk"),
        text="1 − Σ(i−j)² p_ij / Σ(i−j)² a_i p_j",
        title="Weighted kappa, quadratic",
    ),
    Metric(
        "balanced_accuracy",
        lambda c: c.average(_recall),
        over="classes",
        aliases=("uar", "bacc"),
        text="mean of the classes' recall",
        title="Balanced accuracy",
        per_class=(Metric("recall", _recall, tversky=(0.0, 1.0)),),
        class_mean="arithmetic",
    ),
    Metric(
        "informedness",
        lambda c: (c.tp * c.tn - c.fp * c.fn) / ((c.tp + c.fn) * (c.fp + c.tn)),
        range=SIGNED,
        aliases=("youden", "youden_j"),
        text="recall + specificity − 1",
        title="Informedness",
    ),
    Metric(
        "markedness",
        lambda c: (c.tp * c.tn - c.fp * c.fn) / ((c.tp + c.fp) * (c.fn + c.tn)),
        range=SIGNED,
        text="precision + npv − 1",
        title="Markedness",
    ),
    Metric(
        "g_mean",
        _g_mean,
        over="classes",
        aliases=("geometric_mean",),
        text="geometric mean of the classes' recall",
        title="G-mean",
        per_class=(Metric("recall", _recall),),
    ),
    Metric(
        "fowlkes_mallows",
        lambda c: c.tp / np.sqrt(c.actual * c.predicted),
        aliases=("cosine", "ochiai"),
        text="tp / √(actual · predicted)",
        title="Fowlkes–Mallows",
    ),
    Metric(
        "lift",
        lambda c: c.tp * c.total / (c.actual * c.predicted),
        range=RATIO,
        text="tp / (actual · predicted)",
        title="Lift",
    ),
    Metric(
        "overlap",
        lambda c: c.tp / smaller(c.actual, c.predicted),
        aliases=("szymkiewicz_simpson",),
        text="tp / min(actual, predicted)",
        title="Overlap",
        larger=(Share(("tp",), ("fp",)), Share(("tp",), ("fn",))),
        kink=lambda c: c.fn - c.fp,
    ),
    Metric(
        "lr_plus",
        lambda c: c.tp * (c.fp + c.tn) / ((c.tp + c.fn) * c.fp),
        range=RATIO,
        quotient=(Share(("tp",), ("fn",)), Share(("fp",), ("tn",))),
        aliases=("plr", "positive_likelihood_ratio"),
        text="recall / (1 − specificity)",
        title="LR+",
    ),
    Metric(
        "lr_minus",
        lambda c: c.fn * (c.fp + c.tn) / ((c.tp + c.fn) * c.tn),
        range=RATIO,
        better="lower",
        quotient=(Share(("fn",), ("tp",)), Share(("tn",), ("fp",))),
        aliases=("nlr", "negative_likelihood_ratio"),
        text="(1 − recall) / specificity",
        title="LR−",
    ),
    Metric(
        "odds_ratio",
        lambda c: c.tp * c.tn / (c.fp * c.fn),
        range=RATIO,
        aliases=("dor", "diagnostic_odds_ratio"),
        text="tp tn / (fp fn)",
        title="Diagnostic odds ratio",
    ),
    _rate("prevalence", ("tp", "fn"), ("fp", "tn"), better=None, title="Prevalence"),
    _rate(
        "predicted_prevalence",
        ("tp", "fp"),
        ("fn", "tn"),
        better=None,
        aliases=("predicted_positive_rate",),
        title="Predicted prevalence",
    ),
    Metric(
        "macro_f1_star",
        _macro_f1_star,
        over="classes",
        aliases=("macro_f1*", "maF1*", "maf1_star"),
        text="harmonic mean of macro precision and macro recall",
        title="Macro F1*",
        per_class=(
            Metric("precision", _precision, tversky=(1.0, 0.0)),
            Metric("recall", _recall, tversky=(0.0, 1.0)),
        ),
        average="macro",
        class_mean="harmonic",
    ),
    Metric(
        "exact_match",
        lambda c: np.where(np.real(c.fp + c.fn) == 0, 1.0, 0.0),
        over="row",
        share=Share(("hits",), ("misses",)),
        aliases=("subset_accuracy",),
        text="share of rows whose whole label set is right",
        title="Exact match",
    ),
)

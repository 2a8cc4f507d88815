"""THE CATALOGUE OF METHODS: one entry each. Names, help, applicability and studies follow from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import stdtrit

from howsure import binomial
from howsure.bayes import Bayes, bayes_limits, dirichlet_limits, share_limits
from howsure.cells import Array
from howsure.errors import MethodError, nearest, quoted
from howsure.evidence import Evidence, Limits, Tail
from howsure.influence import embed
from howsure.metric import Metric
from howsure.resampling import Bootstrap, bootstrap_limits
from howsure.results import Note
from howsure.scales import on_scale, scale_of
from howsure.score import profile_interval, score_interval, wilson_direct_interval
from howsure.smoothing import degrees_of_variance, smoothed_moments

Meaning = Literal["confidence", "credible"]


@dataclass(frozen=True)
class IntervalMethod:
    """A way to put an interval around an estimate: a function of the evidence, and what it needs.

    ``missing`` returns what the evidence lacks, in words, or None.
    """

    name: str
    limits: Callable[[Evidence, Tail], Limits]
    missing: Callable[[Evidence], str | None]
    aliases: tuple[str, ...] = ()
    meaning: Meaning = "confidence"
    citation: str = ""
    text: str = ""
    avoid: str = ""
    batch: bool = True

    def __repr__(self) -> str:
        return f"IntervalMethod({self.name!r})"


# --- what a method needs ------------------------------------------------------------------------------------------


def _nothing(evidence: Evidence) -> str | None:
    return None


def _a_share(evidence: Evidence) -> str | None:
    if evidence.metric.share is None:
        return "it needs a metric that is a share of rows (successes and failures)"
    return None if evidence.countable else "it needs rows with one outcome each, and these hold several labels"


def _a_share_or_tversky(evidence: Evidence) -> str | None:
    if evidence.metric.tversky is not None:
        return None
    return _a_share(evidence) and "it needs a share of rows or a Tversky index (F-beta, Jaccard, precision, recall)"


def _f1(evidence: Evidence) -> str | None:
    return None if evidence.metric.tversky == (0.5, 0.5) else "it is made for F1 alone"


def _a_range(low: float, high: float, words: str) -> Callable[[Evidence], str | None]:
    def missing(evidence: Evidence) -> str | None:
        return None if evidence.metric.range == (low, high) else f"it is for metrics {words}"

    return missing


def _a_matrix(evidence: Evidence) -> str | None:
    if evidence.matrix is None or evidence.metric.over == "row":
        return "it needs a confusion matrix, and rows of this table hold several labels"
    tn = evidence.cells.tn
    uncounted = np.isnan(tn if evidence.metric.over == "class" else tn.sum(-1)) & (evidence.n > 0)
    return "it needs the true negatives, which this table does not count" if uncounted.any() else None


def _a_matrix_and_ends(evidence: Evidence) -> str | None:
    if np.isinf(evidence.metric.range).any():
        return "it is for metrics whose range has two ends"
    return _a_matrix(evidence)


def _two_classes(evidence: Evidence) -> str | None:
    two = evidence.matrix is not None and evidence.matrix.shape[-1] == 2
    return None if evidence.metric.over == "class" or two else "it is defined for one class against the rest"


def _a_table(evidence: Evidence) -> str | None:
    return None if evidence.linear is not None else "it resamples one table at a time"


# --- the methods ---------------------------------------------------------------------------------------------------


def _z(evidence: Evidence, tail: Tail) -> float:
    return tail.quantile(evidence.degrees)


def _wald(evidence: Evidence, tail: Tail) -> Limits:
    half = _z(evidence, tail) * evidence.se
    low, high = evidence.value - half, evidence.value + half
    return Limits(low, high, _edge_notes("Wald", evidence, low, high))


def _edge_notes(name: str, evidence: Evidence, low: Any, high: Any) -> tuple[Note, ...]:
    if np.ndim(low):
        return ()
    metric, notes = evidence.metric, []
    if low == high and np.isfinite(low):
        text = f"the {name} interval has no width: no row moves {metric.name} at {float(low):.3g}. That is no certainty"
        notes.append(Note(f"{text}; another method gives a proper interval", "degenerate"))
    if low < metric.range[0] or high > metric.range[1]:
        notes.append(
            Note(f"the {name} interval leaves the range of {metric.name}; it is shown as computed", "overshoot")
        )
    return tuple(notes)


def _binomial(function: Callable[..., tuple[Array, Array]], *, by_tail: bool) -> Callable[[Evidence, Tail], Limits]:
    def limits(evidence: Evidence, tail: Tail) -> Limits:
        share = evidence.metric.share
        assert share is not None
        spread = {"tail": tail.probability} if by_tail else {"z": _z(evidence, tail)}
        low, high = function(*evidence.shares, **spread)
        return Limits(share.link(low), share.link(high))

    return limits


def _wilson(evidence: Evidence, tail: Tail) -> Limits:
    z, metric = _z(evidence, tail), evidence.metric
    if metric.share is not None and evidence.countable:
        return Limits(*binomial.wilson(*evidence.shares, z=z, weight=metric.share.weight))
    assert metric.tversky is not None
    a, b = metric.tversky
    return Limits(*score_interval(*evidence.tversky_counts, a=a, b=b, z=z))


def _profile(evidence: Evidence, tail: Tail) -> Limits:
    z, metric = _z(evidence, tail), evidence.metric
    if metric.tversky is None:
        assert metric.share is not None
        success, failure = evidence.shares
        weight = metric.share.weight
        return Limits(*profile_interval(success, failure, np.zeros_like(failure), a=weight, b=weight, z=z))
    a, b = metric.tversky
    return Limits(*profile_interval(*evidence.tversky_counts, a=a, b=b, z=z))


def _wilson_direct(evidence: Evidence, tail: Tail) -> Limits:
    tp, fp, fn = evidence.tversky_counts
    return Limits(*wilson_direct_interval(tp, fp + fn, z=_z(evidence, tail)))


def blur(evidence: Evidence, z: float) -> Array:
    """Return the variance of Yuan & Jiang's choice II: V/(n−1) and the blurring term Σd² z²/(2n²).

    d are the slopes in (EZA, EA, EZ); z is the individual quantile also in joint intervals (ERRATA Y4, Y5).
    """
    if evidence.metric.over == "class":
        tp, fp, fn, tn = (getattr(evidence.slopes, cell)[..., 0] for cell in ("tp", "fp", "fn", "tn"))
    else:
        table = embed(evidence.slopes, 2, evidence.selection).by_cell
        tp, fp, fn, tn = table[..., 1, 1], table[..., 0, 1], table[..., 1, 0], table[..., 0, 0]
    squares = (tp - fp - fn + tn) ** 2 + (fp - tn) ** 2 + (fn - tn) ** 2
    size = evidence.size
    return np.asarray(evidence.variance * size / (size - 1) + squares * z * z / (2 * size * size))


def _blurred(evidence: Evidence, tail: Tail) -> Limits:
    half = _z(evidence, tail) * np.sqrt(blur(evidence, tail.z))
    low, high = evidence.value - half, evidence.value + half
    return Limits(low, high, _edge_notes("blurred", evidence, low, high))


def _transformed(evidence: Evidence, tail: Tail) -> Limits:
    z, metric = _z(evidence, tail), evidence.metric
    low, high = on_scale(evidence.value, evidence.se, z, metric.range)
    bottom, top = metric.range
    edge = (evidence.value <= bottom) | (evidence.value >= top) | (evidence.variance == 0)
    if not np.any(edge & ~np.isnan(evidence.value)):
        return Limits(low, high)
    first, second, what = _at_the_edge(evidence, tail)
    low, high = np.where(edge, first, low), np.where(edge, second, high)
    note = Note(
        f"{metric.name} sits where its {scale_of(metric.range).name} has no finite error; limits from {what}",
        "boundary",
    )
    return Limits(low, high, () if np.ndim(low) else (note,))


def _at_the_edge(evidence: Evidence, tail: Tail) -> tuple[Array, Array, str]:
    """Return limits where a transform is undefined: by score, else the smoothed table, else Wilson on the size."""
    z, metric = _z(evidence, tail), evidence.metric
    if _a_share_or_tversky(evidence) is None:
        found = _wilson(evidence, tail)
        return found.low, found.high, "the score interval"
    if _a_matrix(evidence) is None:
        value, se = smoothed_moments(evidence, z)
        low, high = on_scale(value, se, z, metric.range)
        low = np.where(evidence.value <= metric.range[0], metric.range[0], low)
        return (
            low,
            np.where(evidence.value >= metric.range[1], metric.range[1], high),
            "the table with pseudo-counts",
        )
    bottom, top = metric.range
    share = (evidence.value - bottom) / (top - bottom)
    low, high = binomial.wilson(share * evidence.size, (1 - share) * evidence.size, z=z)
    return bottom + (top - bottom) * low, bottom + (top - bottom) * high, "Wilson's interval of as many rows"


def _smoothed(evidence: Evidence, tail: Tail) -> Limits:
    z = _z(evidence, tail)
    value, se = smoothed_moments(evidence, tail.z)
    low, high = value - z * se, value + z * se
    return Limits(low, high, _edge_notes("smoothed", evidence, low, high))


def _smoothed_t(evidence: Evidence, tail: Tail) -> Limits:
    """Join two intervals on the scale of the range: the table with pseudo-counts and t, and the table as it is.

    The first knows that a variance from few rows is uncertain; the second is not drawn to the middle.
    """
    value, se = smoothed_moments(evidence, tail.z)
    degrees = np.minimum(np.maximum(degrees_of_variance(evidence, tail.z), FEWEST_DEGREES), evidence.degrees)
    low, high = on_scale(value, se, -stdtrit(degrees, tail.probability), evidence.metric.range)
    plain = on_scale(evidence.value, evidence.se, _z(evidence, tail), evidence.metric.range)
    below, above = (np.where(np.isfinite(end), end, evidence.value) for end in plain)
    return Limits(np.minimum(low, below), np.maximum(high, above))


FEWEST_DEGREES = 4.0  # where pseudo-counts make the variance, Satterthwaite's degrees would be one or two
UNIT = _a_range(0.0, 1.0, "between 0 and 1")
SIGNED = _a_range(-1.0, 1.0, "between −1 and 1")
RATIO = _a_range(0.0, float("inf"), "from 0 upwards (ratios)")

METHODS: tuple[IntervalMethod, ...] = (
    IntervalMethod(
        "wald",
        _wald,
        _nothing,
        aliases=("delta",),
        citation="Takahashi et al. (2022), section 3; Jiang (2020), corollary 1; Lam et al. (2024), section 4.2",
        text="value ± z · standard error, the standard error from the influence of each row",
        avoid="few rows, or a value near the end of its range: it overshoots, and at a perfect score has no width",
    ),
    IntervalMethod(
        "wilson",
        _wilson,
        _a_share_or_tversky,
        aliases=("wilson-indirect", "score"),
        citation="Wilson (1927) JASA 22:209; Lam et al. (2024), section 4.4",
        text="all values that a score test does not reject, its variance taken under the value tested; "
        "for a Tversky index by constrained likelihood",
        avoid="a guaranteed level at every true value is required: near 0 and 1 it can fall a few points short",
    ),
    IntervalMethod(
        "wilson-direct",
        _wilson_direct,
        _f1,
        citation="Lam et al. (2024), section 4.3, eq. 37",
        text="all F1 within z of its own standard error under that F1: two roots of a quartic",
        avoid="wilson is as short or shorter and covers as well",
    ),
    IntervalMethod(
        "clopper-pearson",
        _binomial(binomial.clopper_pearson, by_tail=True),
        _a_share,
        aliases=("exact",),
        citation="Clopper & Pearson (1934) Biometrika 26:404; Lam et al. (2024), section 4.1",
        text="all shares that neither one-sided exact binomial test rejects",
        avoid="length matters more than a guaranteed level: it is the longest",
    ),
    IntervalMethod(
        "mid-p",
        _binomial(binomial.mid_p, by_tail=True),
        _a_share,
        citation="Lancaster (1961) JASA 56:223; Berry & Armitage (1995) The Statistician 44:417",
        text="Clopper–Pearson with half the probability of the observed count",
        avoid="a guaranteed level is required",
    ),
    IntervalMethod(
        "agresti-coull",
        _binomial(binomial.agresti_coull, by_tail=False),
        _a_share,
        citation="Agresti & Coull (1998) The American Statistician 52:119",
        text="Wald after adding z²/2 successes and z²/2 failures",
        avoid="limits must stay in the range: near 0 and 1 they may not",
    ),
    IntervalMethod(
        "blurred",
        _blurred,
        _two_classes,
        citation="Yuan & Jiang (2025), choice II",
        text="Wald with the variance blurred by z²/(2n) in each of the three moments",
        avoid="length matters: at small n it covers 97 to 100 % where 95 % is asked",
    ),
    IntervalMethod(
        "logit",
        _transformed,
        UNIT,
        citation="delta method on the log-odds; see Agresti (2013), Categorical Data Analysis, section 3.1",
        text="Wald on log(M/(1−M)), brought back",
        avoid="a share or Tversky index near 1 with few rows: wilson covers better",
    ),
    IntervalMethod(
        "log",
        _transformed,
        RATIO,
        citation="Simel, Samsa & Matchar (1991) J. Clin. Epidemiol. 44:763",
        text="Wald on log M, brought back",
        avoid="a cell is empty: the limits then come from a table with pseudo-counts",
    ),
    IntervalMethod(
        "atanh",
        _transformed,
        SIGNED,
        aliases=("fisher",),
        citation="Fisher (1921) Metron 1:3",
        text="Wald on atanh M, brought back",
        avoid="a value at the very end of the range",
    ),
    IntervalMethod(
        "smoothed",
        _smoothed,
        _a_matrix,
        citation="Agresti & Coull (1998), their idea spread over a K×K table",
        text="Wald on the table with z²/(2K²) added to each cell",
        avoid="more than a few hundred rows: then it makes no difference",
    ),
    IntervalMethod(
        "smoothed-t",
        _smoothed_t,
        _a_matrix_and_ends,
        citation="Satterthwaite (1946) Biometrics Bulletin 2:110; Pan (2002) Comput. Stat. Data Anal. 40:143",
        text="smoothed with t on its variance's degrees of freedom, on the range's scale, joined with logit or atanh",
        avoid="a share or Tversky index: wilson is shorter and as sure",
    ),
    IntervalMethod(
        "profile",
        _profile,
        _a_share_or_tversky,
        aliases=("likelihood-ratio",),
        citation="Owen (1988) Biometrika 75:237",
        text="all values whose likelihood ratio stays within z²",
        avoid="few rows: it covers a little less than the score interval",
    ),
    IntervalMethod(
        "beta",
        lambda evidence, tail: share_limits(evidence, tail, Bayes()),
        _a_share,
        meaning="credible",
        citation="Brown, Cai & DasGupta (2001) Statistical Science 16:101 (Jeffreys); Wang & Li (2019), eqs. 25–30",
        text="equal tails of the Beta posterior, prior ½ per cell; F1 through the beta-prime law",
        avoid="a guaranteed level is required",
    ),
    IntervalMethod(
        "hdi",
        lambda evidence, tail: share_limits(evidence, tail, Bayes(kind="hdi")),
        _a_share,
        meaning="credible",
        citation="Box & Tiao (1973), section 2.8",
        text="the shortest interval of the Beta posterior, on the metric's own scale",
        avoid="limits should carry over to another scale: a shortest interval does not",
    ),
    IntervalMethod(
        "dirichlet",
        lambda evidence, tail: dirichlet_limits(evidence, tail, Bayes()),
        _a_matrix,
        meaning="credible",
        citation="Goutte & Gaussier (2005); Caelen (2017) Ann. Math. Artif. Intell. 81:429",
        text="equal tails of draws from the Dirichlet posterior of the table, prior 1/K per cell",
        avoid="few rows and many classes: the prior then weighs much",
        batch=False,
    ),
    IntervalMethod(
        "bootstrap",
        lambda evidence, tail: bootstrap_limits(evidence, tail, Bootstrap()),
        _a_table,
        citation="Efron (1987) JASA 82:171",
        text="BCa limits from 9999 multinomial resamples of the table's rows, or of its groups",
        avoid="a perfect score: every resample is perfect too",
        batch=False,
    ),
)


def named_method(method: str | IntervalMethod | Bootstrap | Bayes) -> IntervalMethod:
    """Return the method of a name or alias, or of an object with options."""
    if isinstance(method, IntervalMethod):
        return method
    if isinstance(method, Bootstrap):
        return IntervalMethod("bootstrap", lambda e, t: bootstrap_limits(e, t, method), _a_table, batch=False)
    if isinstance(method, Bayes):
        return _bayes_method(method)
    known = {name: entry for entry in METHODS for name in (entry.name, *entry.aliases)}
    key = method.strip().lower().replace("_", "-") if isinstance(method, str) else method
    if key not in known:
        hint = nearest(str(key), known)
        raise MethodError(f"method {method!r} is not known.{hint} Known: {quoted(entry.name for entry in METHODS)}")
    return known[key]


def _bayes_method(options: Bayes) -> IntervalMethod:
    def missing(evidence: Evidence) -> str | None:
        return _a_share(evidence) and _a_matrix(evidence)

    name = f"bayes({'' if options.prior is None else f'prior={options.prior:g}, '}{options.kind})"
    return IntervalMethod(name, lambda e, t: bayes_limits(e, t, options), missing, meaning="credible", batch=False)


def default_method(metric: Metric, evidence: Evidence) -> IntervalMethod:
    """Return the documented default: the first of these that can serve the metric.

    Shares and Tversky indices: wilson. Metrics with a kink: bootstrap. Ratios: log. Averages, MCC, kappa and
    other functions of a table: smoothed-t. Tables without a matrix: the scale of the range.
    """
    if metric.kink is not None and evidence.linear is not None:
        return named_method("bootstrap")
    for name in ("wilson", "log", "smoothed-t", "logit", "atanh"):
        entry = named_method(name)
        if entry.missing(evidence) is None:
            return entry
    return named_method("wald")


def applicable(evidence: Evidence) -> tuple[IntervalMethod, ...]:
    """Return the methods that can serve this evidence."""
    return tuple(entry for entry in METHODS if entry.missing(evidence) is None)


def interval(evidence: Evidence, method: IntervalMethod, tail: Tail) -> Limits:
    """Return the limits by a method; a pair that does not fit is refused with the ones that do."""
    why = method.missing(evidence)
    if why is not None:
        fits = quoted(entry.name for entry in applicable(evidence))
        raise MethodError(
            f"method {method.name!r} cannot serve metric {evidence.metric.name!r}: {why}. These can: {fits}"
        )
    if np.ndim(evidence.value) == 0 and np.isnan(evidence.value):
        return Limits(np.float64(np.nan), np.float64(np.nan))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        found = method.limits(evidence, tail)
    bottom, top = evidence.metric.range
    hole = np.isnan(evidence.value)
    low = np.where(hole, np.nan, bottom if tail.side == "upper" else found.low)
    high = np.where(hole, np.nan, top if tail.side == "lower" else found.high)
    return Limits(low, high, found.notes, found.error, found.seed)

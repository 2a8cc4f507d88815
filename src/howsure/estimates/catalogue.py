"""THE CATALOGUE OF METHODS: one entry each. Names, help, applicability and studies follow from it."""

from __future__ import annotations

from howsure.errors import MethodError, nearest, quoted
from howsure.errors.messages import estimates as messages
from howsure.estimates import requirements as needs
from howsure.estimates.evidence import Evidence
from howsure.estimates.interval_method import IntervalMethod as IntervalMethod
from howsure.estimates.interval_method import limits_by
from howsure.estimates.methods.band import bounded_threshold, chosen_threshold
from howsure.estimates.methods.bootstrap import Bootstrap, bootstrap_limits
from howsure.estimates.methods.calibration import union_limits
from howsure.estimates.methods.class_means import class_mean_limits
from howsure.estimates.methods.credible import Bayes, bayes_limits, dirichlet_limits, share_limits
from howsure.estimates.methods.limits import (
    blur,
    blurred,
    koopman,
    mid_p_limits,
    of_share,
    profile,
    score_limits,
    smoothed,
    smoothed_t,
    transformed,
    wald,
    wilson_direct,
)
from howsure.estimates.methods.ranking import newcombe_limits
from howsure.estimates.methods.row_values import betting, log_t, student
from howsure.estimates.methods.tasks import TASK_METHODS
from howsure.estimates.tail import Limits, Tail
from howsure.metrics.metric import Metric, plugged
from howsure.numerics import binomial
from howsure.results.citation import EFRON, GOUTTE, JIANG, LAM, WANG_LI, Citation, Work

METHODS: tuple[IntervalMethod, ...] = (
    IntervalMethod(
        "wald",
        wald,
        needs.nothing,
        aliases=("delta", "normal"),
        citation=Citation(
            Work(("Takahashi", "others"), 2022, part="section 3"), JIANG.at("corollary 1"), LAM.at("section 4.2")
        ),
        text="value ± z · standard error, the standard error from the influence of each row",
        avoid="few rows, or a value near the end of its range: it overshoots, and at a perfect score has no width",
        symmetric=True,
        textbook=True,
        tails=True,
    ),
    IntervalMethod(
        "wilson",
        score_limits,
        needs.a_score_test,
        aliases=("wilson-indirect", "score"),
        citation=Citation(Work(("Wilson",), 1927, "JASA", "22", "209"), LAM.at("section 4.4")),
        text="all values that a score test does not reject, its variance taken under the value tested; "
        "for a Tversky index by constrained likelihood; the larger of two shares has the larger of their limits; "
        "for a mean of row values in a range, at the number of rows of 0 and 1 that would tell as much",
        avoid="a guaranteed level at every true value is required: near 0 and 1 it can fall a few points short",
    ),
    IntervalMethod(
        "wilson-cc",
        of_share(binomial.wilson_corrected, by_tail=False),
        needs.a_share,
        citation=Citation(Work(("Newcombe",), 1998, "Stat. Med.", "17", "857")),
        text="Wilson's interval with continuity correction, as R's prop.test prints it",
        avoid="length matters: it is nearly as long as clopper-pearson's",
    ),
    IntervalMethod(
        "wilson-direct",
        wilson_direct,
        needs.f1_alone,
        citation=Citation(LAM.at("section 4.3, eq. 37")),
        text="all F1 within z of its own standard error under that F1: two roots of a quartic",
        avoid="F1 is above about 0.45: wilson is shorter there and covers as well; below, this one is, by up to 22%",
    ),
    IntervalMethod(
        "band",
        lambda evidence, tail: chosen_threshold(evidence, tail, own_limits),
        needs.a_threshold_chosen,
        citation=Citation(Work(("Montiel Olea", "Plagborg-Møller"), 2019, "J. Appl. Econom.", "34", "1")),
        text="the metric's own interval at the chosen threshold, with the critical value of a band over all thresholds",
        avoid="the threshold can be chosen on other rows: then the plain interval holds, and is shorter",
        batch=False,
    ),
    IntervalMethod(
        "thresholds",
        lambda evidence, tail: bounded_threshold(evidence, tail, own_limits),
        needs.a_threshold_bounded,
        citation=Citation(Work(("Hsieh", "Turnbull"), 1996, "Annals of Statistics", "24", "25")),
        text="the metric's own limits at every threshold at which its bound may hold, the less where it fits worse",
        avoid="few rows of the bound's class: the threshold may then lie beyond them all, and one limit is an end",
    ),
    IntervalMethod(
        "union",
        union_limits,
        needs.bins,
        citation=Citation(Work(("Roelofs", "others"), 2022, "AISTATS", remark="on the bias of ECE")),
        text="Wald joined with the calibration errors that would give as much ECE as was seen, its bias known",
        avoid="a regular interval is wanted: report the calibration line",
        batch=False,
    ),
    IntervalMethod(
        "newcombe",
        newcombe_limits,
        needs.an_auc,
        citation=Citation(Work(("Newcombe",), 2006, "Stat. Med.", "25", "559")),
        text="all AUC that a score test does not reject, its variance Hanley and McNeil's with class sizes averaged",
        avoid="positives and negatives of unlike spread: wilson takes the spread from the rows",
    ),
    IntervalMethod(
        "t",
        student,
        needs.a_mean_or_a_ratio,
        aliases=("student",),
        citation=Citation(Work(("Student",), 1908, "Biometrika", "6", "1")),
        text="mean, or ratio of sums per unit, ± Student's t · standard error",
        avoid="values in a known range, and most of them at one end of it: wilson covers where t falls to 0.7",
    ),
    IntervalMethod(
        "log-t",
        log_t,
        needs.a_ratio_of_sums,
        joined="t",
        citation=Citation(
            Work(("Satterthwaite",), 1946, "Biometrics Bulletin", "2", "110"),
            Work(("Efron", "Stein"), 1981, "Annals of Statistics", "9", "586", remark="jackknife"),
        ),
        text="Student's t on the log of a ratio of sums per unit, its variance and degrees with half a unit without "
        "error and half a unit as bad as the worst",
        avoid="fewer than 20 units, or one unit that holds most of what is divided by",
    ),
    IntervalMethod(
        "betting",
        betting,
        needs.independent_values,
        citation=Citation(Work(("Waudby-Smith", "Ramdas"), 2024, "JRSS B", "86", "1")),
        text="all means of row values in a range against which no mixture of bets makes a fortune: holds at every n",
        avoid="length matters more than a guaranteed level: it is the longest",
        batch=False,
    ),
    IntervalMethod(
        "clopper-pearson",
        of_share(binomial.clopper_pearson, by_tail=True),
        needs.a_share,
        aliases=("exact",),
        citation=Citation(Work(("Clopper", "Pearson"), 1934, "Biometrika", "26", "404"), LAM.at("section 4.1")),
        text="all shares that neither one-sided exact binomial test rejects",
        avoid="length matters more than a guaranteed level: it is the longest",
        tails=True,
    ),
    IntervalMethod(
        "mid-p",
        mid_p_limits,
        needs.a_binomial,
        citation=Citation(
            Work(("Lancaster",), 1961, "JASA", "56", "223"),
            Work(("Berry", "Armitage"), 1995, "The Statistician", "44", "417"),
        ),
        text="all values that neither one-sided binomial test rejects, the observed count with half its probability; "
        "with two weights on errors the score interval at the matching quantile; the larger of two shares has the "
        "larger of their limits; AUC at as many rows as its variance under the value tested is worth",
        avoid="a guaranteed level is required: each end may miss twice what it should at some true values",
        tails=True,
    ),
    IntervalMethod(
        "agresti-coull",
        of_share(binomial.agresti_coull, by_tail=False),
        needs.a_share,
        citation=Citation(Work(("Agresti", "Coull"), 1998, "The American Statistician", "52", "119")),
        text="Wald after adding z²/2 successes and z²/2 failures",
        avoid="limits must stay in the range: near 0 and 1 they may not",
    ),
    IntervalMethod(
        "blurred",
        blurred,
        needs.two_classes,
        citation=Citation(Work(("Yuan", "Jiang"), 2025, part="choice II")),
        text="Wald with the variance blurred by z²/(2n) in each of the three moments",
        avoid="length matters: at small n it covers 97 to 100 % where 95 % is asked",
        symmetric=True,
        textbook=True,
        added=blur,
    ),
    IntervalMethod(
        "logit",
        transformed,
        needs.UNIT,
        citation=Citation(
            Work(("Agresti",), 2013, title="Categorical Data Analysis", part="section 3.1"),
            lead="delta method on the log-odds; see ",
        ),
        text="Wald on log(M/(1−M)), brought back",
        avoid="a share or Tversky index near 1 with few rows: wilson covers better; a plain mean over classes or "
        "labels of which some are rare: smoothed-t does",
        tails=True,
    ),
    IntervalMethod(
        "log",
        transformed,
        needs.RATIO,
        citation=Citation(Work(("Simel", "Samsa", "Matchar"), 1991, "J. Clin. Epidemiol.", "44", "763")),
        text="Wald on log M, brought back",
        avoid="a cell is empty: the limits then come from a table with pseudo-counts",
        tails=True,
    ),
    IntervalMethod(
        "koopman",
        koopman,
        needs.two_shares,
        citation=Citation(
            Work(("Koopman",), 1984, "Biometrics", "40", "513"),
            Work(("Miettinen", "Nurminen"), 1985, "Stat. Med.", "4", "213"),
        ),
        text="all ratios of two shares that a score test does not reject, the shares fitted under the ratio tested",
        avoid="a guaranteed level is required: with 20 to 50 rows it covers as little as 0.87 in places",
    ),
    IntervalMethod(
        "atanh",
        transformed,
        needs.SIGNED,
        aliases=("fisher",),
        citation=Citation(Work(("Fisher",), 1921, "Metron", "1", "3")),
        text="Wald on atanh M, brought back",
        avoid="a value at the very end of the range",
        tails=True,
    ),
    IntervalMethod(
        "smoothed",
        smoothed,
        needs.cells,
        citation=Citation(Work(("Agresti", "Coull"), 1998, part="their idea spread over a K×K table")),
        text="Wald on the table with z²/(2K²) added to each cell, or z²/(8√L) to those of each of L labels of a row",
        avoid="more than a few hundred rows: then it makes no difference",
    ),
    IntervalMethod(
        "smoothed-t",
        smoothed_t,
        needs.cells_and_ends,
        citation=Citation(
            Work(("Satterthwaite",), 1946, "Biometrics Bulletin", "2", "110"),
            Work(("Pan",), 2002, "Comput. Stat. Data Anal.", "40", "143"),
        ),
        text="up to two rows spread over the table, t on its variance's degrees of freedom, the range's scale; "
        "joined with logit or atanh",
        avoid="a share or Tversky index: wilson is shorter and as sure",
        tails=True,
    ),
    IntervalMethod(
        "mover-gamma",
        class_mean_limits,
        needs.a_class_mean,
        citation=Citation(
            Work(("Zou", "Donner"), 2008, "Stat. Med.", "27", "1693"),
            Work(("Fay", "Feuer"), 1997, "Stat. Med.", "16", "791"),
        ),
        text="a mean over classes from each class's limits (mid-P, above also exact), less skewed the more classes; "
        "above at least a gamma law of the errors",
        avoid="fewer than five rows a class: it falls short of the level, as all others do there",
        tails=True,
    ),
    IntervalMethod(
        "profile",
        profile,
        needs.a_share_or_tversky,
        aliases=("likelihood-ratio",),
        citation=Citation(Work(("Owen",), 1988, "Biometrika", "75", "237")),
        text="all values whose likelihood ratio stays within z²",
        avoid="few rows: it covers a little less than the score interval",
    ),
    IntervalMethod(
        "beta",
        lambda evidence, tail: share_limits(evidence, tail, Bayes()),
        needs.a_share,
        aliases=("jeffreys",),
        meaning="credible",
        citation=Citation(
            Work(("Brown", "Cai", "DasGupta"), 2001, "Statistical Science", "16", "101", remark="Jeffreys"),
            WANG_LI.at("eqs. 25–30"),
        ),
        text="equal tails of the Beta posterior, prior ½ per cell; F1 through the beta-prime law",
        avoid="a guaranteed level is required",
    ),
    IntervalMethod(
        "hdi",
        lambda evidence, tail: share_limits(evidence, tail, Bayes(kind="hdi")),
        needs.a_share,
        meaning="credible",
        citation=Citation(Work(("Box", "Tiao"), 1973, part="section 2.8")),
        text="the shortest interval of the Beta posterior, on the metric's own scale",
        avoid="limits should carry over to another scale: a shortest interval does not",
    ),
    IntervalMethod(
        "dirichlet",
        lambda evidence, tail: dirichlet_limits(evidence, tail, Bayes()),
        needs.a_matrix,
        meaning="credible",
        citation=Citation(GOUTTE, Work(("Caelen",), 2017, "Ann. Math. Artif. Intell.", "81", "429")),
        text="equal tails of draws from the Dirichlet posterior of the table, prior 2/K² per cell",
        avoid="few rows and many classes: the prior then weighs much",
        batch=False,
    ),
    IntervalMethod(
        "bootstrap",
        lambda evidence, tail: bootstrap_limits(evidence, tail, Bootstrap()),
        needs.a_table,
        citation=Citation(EFRON),
        text="BCa limits from 9999 multinomial resamples of the table's rows, or of its groups",
        avoid="a perfect score: every resample is perfect too",
        batch=False,
    ),
    *TASK_METHODS,
)

BY_NAME = {name: entry for entry in METHODS for name in (entry.name, *entry.aliases)}


def named_method(method: str | IntervalMethod | Bootstrap | Bayes) -> IntervalMethod:
    """Return the method of a name or alias, or of an object with options."""
    if isinstance(method, IntervalMethod):
        return method
    if isinstance(method, Bootstrap):
        return IntervalMethod("bootstrap", lambda e, t: bootstrap_limits(e, t, method), needs.a_table, batch=False)
    if isinstance(method, Bayes):
        return _bayes_method(method)
    if not isinstance(method, str):
        raise MethodError(needs.not_a_method(method, (entry.name for entry in METHODS)))
    key = method.strip().lower().replace("_", "-")
    if key not in BY_NAME and not isinstance(plugged("methods", key), IntervalMethod):
        hint, names = nearest(key, BY_NAME), quoted(entry.name for entry in METHODS)
        raise MethodError(messages.METHOD_IS_NOT_KNOWN(method=method, hint=hint, methods=names))
    return BY_NAME.get(key) or plugged("methods", key)


def _bayes_method(options: Bayes) -> IntervalMethod:
    def missing(evidence: Evidence) -> str | None:
        return needs.a_share(evidence) and needs.a_matrix(evidence)

    name = f"bayes({'' if options.prior is None else f'prior={options.prior:g}, '}{options.kind})"
    return IntervalMethod(name, lambda e, t: bayes_limits(e, t, options), missing, meaning="credible", batch=False)


def default_method(metric: Metric, evidence: Evidence) -> IntervalMethod:
    """Return the documented default: the first of these that can serve the metric.

    Shares, Tversky indices, overlap and AUC: mid-p. Means of row values in a range: wilson; other row values: t.
    Ratios of sums per unit: wilson in [0, 1], else log-t. LR+ and LR−: koopman. Other ratios: log. Plain means over
    classes: mover-gamma. Other averages, MCC, kappa and other functions of a table: smoothed-t. Rows that hold several
    labels: the scale of the range for sums and weighted means over labels, and for means over rows.
    """
    # Rare labels weigh little in a sum over labels: pseudo-counts in each would only lengthen it.
    no_pseudo = not evidence.countable and metric.average in ("micro", "weighted")
    first = ("band", "thresholds", "union", "mid-p", "wilson", "log-t", "t", "koopman", "log", "mover-gamma")
    for name in (*first, "smoothed-t", "logit", "atanh"):
        entry = BY_NAME[name]
        if entry.missing(evidence) is None and not (no_pseudo and name == "smoothed-t"):
            return entry
    return BY_NAME["wald"]


def own_limits(evidence: Evidence, tail: Tail) -> tuple[str, Limits]:
    """Return the name of a metric's default method and its limits."""
    chosen = default_method(evidence.metric, evidence)
    return chosen.name, interval(evidence, chosen, tail)


def applicable(evidence: Evidence) -> tuple[IntervalMethod, ...]:
    """Return the methods that can serve this evidence."""
    return tuple(entry for entry in METHODS if entry.missing(evidence) is None)


def interval(evidence: Evidence, method: IntervalMethod, tail: Tail) -> Limits:
    """Return the limits by a method; a pair that does not fit is refused with the ones that do."""
    check_fits(evidence, method)
    return limits_by(evidence, method, tail)


def check_fits(evidence: Evidence, method: IntervalMethod) -> None:
    """Refuse a method that cannot serve the evidence, with those that can."""
    why = method.missing(evidence)
    if why is not None:
        fits = quoted(entry.name for entry in applicable(evidence))
        raise MethodError(
            messages.METHOD_CANNOT_SERVE_METRIC(method=method.name, metric=evidence.metric.name, why=why, fits=fits)
        )

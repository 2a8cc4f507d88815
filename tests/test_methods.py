"""THE CATALOGUE OF METHODS: what each entry says of itself, and each method against something independent."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.proportion import proportion_confint

import howsure as hs
from howsure.evidence import Tail, evidence_of
from howsure.intervals import METHODS, applicable, default_method, named_method
from howsure.linear import linearise
from howsure.naming import named
from howsure.resampling import bootstrap_values, units_of
from howsure.shares import SharePosterior

Z = 1.959963984540054
NAMES = [entry.name for entry in METHODS]
TABLE = hs.counts(tp=77, fp=44, fn=10, tn=702)
SMALL = hs.counts(tp=8, fp=2, fn=3, tn=7)


def limits(table: hs.Table, metric: str | hs.Metric, method: object, level: float = 0.95) -> tuple[float, float]:
    found = hs.estimate(table, metric, method=method, level=level)
    return found.low, found.high


# --- the catalogue ---------------------------------------------------------------------------------------------------


def test_names_and_aliases_are_unique() -> None:
    everything = [name for entry in METHODS for name in (entry.name, *entry.aliases)]
    assert len(everything) == len(set(everything))
    assert all(name == name.lower() and " " not in name for name in everything)


@pytest.mark.parametrize("entry", METHODS, ids=NAMES)
def test_every_entry_says_what_it_is_and_when_not_to_use_it(entry: hs.IntervalMethod) -> None:
    assert entry.text
    assert entry.avoid
    assert any(character.isdigit() for character in entry.citation), "a citation has a year or a section"
    assert entry.meaning in ("confidence", "credible")


@pytest.mark.parametrize("entry", METHODS, ids=NAMES)
def test_every_name_and_alias_is_found_in_any_spelling(entry: hs.IntervalMethod) -> None:
    for name in (entry.name, *entry.aliases):
        for spelling in (name, name.upper(), name.replace("-", "_"), f" {name} "):
            assert named_method(spelling) is entry


@pytest.mark.parametrize(
    ("promised", "entry"),
    [
        ("wilson-indirect", "wilson"),
        ("score", "wilson"),
        ("exact", "clopper-pearson"),
        ("wilson-direct", "wilson-direct"),
    ],
)
def test_promised_names(promised: str, entry: str) -> None:
    assert named_method(promised).name == entry


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(hs.MethodError, match=r"'wilsn' is not known\. Did you mean 'wilson'"):
        hs.estimate(TABLE, "f1", method="wilsn")


@pytest.mark.parametrize(
    ("metric", "method", "why"),
    [
        ("mcc", "wilson", "a share of rows or a Tversky index"),
        ("mcc", "clopper-pearson", "a share of rows"),
        ("f2", "beta", "a share of rows"),
        ("recall", "wilson-direct", "made for F1 alone"),
        ("f1", "log", "from 0 upwards"),
        ("f1", "atanh", "between −1 and 1"),
        ("lift", "logit", "between 0 and 1"),
    ],
)
def test_an_impossible_pair_is_refused_with_the_possible_ones(metric: str, method: str, why: str) -> None:
    with pytest.raises(hs.MethodError) as caught:
        hs.estimate(TABLE, metric, method=method)
    text = str(caught.value)
    assert why in text
    assert "These can: 'wald'" in text


def test_hs_intervals_shows_every_applicable_method() -> None:
    for metric in ("f1", "f2", "mcc", "lift", "accuracy"):
        evidence = evidence_of(linearise(TABLE, named(metric)))
        found = hs.intervals(TABLE, metric)
        assert [row.method for row in found] == [entry.name for entry in applicable(evidence)]


@pytest.mark.parametrize(
    ("metric", "method"),
    [
        ("accuracy", "wilson"), ("precision", "wilson"), ("recall", "wilson"), ("specificity", "wilson"),
        ("npv", "wilson"), ("micro_f1", "wilson"), ("f1", "wilson"), ("f0.5", "wilson"), ("f2", "wilson"),
        ("jaccard", "wilson"), ("tversky(0.3,1.2)", "wilson"), ("lr_plus", "koopman"), ("lr_minus", "koopman"),
        ("odds_ratio", "log"), ("lift", "log"), ("overlap", "bootstrap"),
    ],
)  # fmt: skip
def test_documented_defaults(metric: str, method: str) -> None:
    assert hs.estimate(TABLE, metric).method == method
    assert default_method(named(metric), evidence_of(linearise(TABLE, named(metric)))).name == method


def test_an_estimate_can_be_asked_again() -> None:
    first = hs.estimate(TABLE, "f1")
    assert first.at(0.99).low == hs.estimate(TABLE, "f1", level=0.99).low
    assert first.by("wald").high == hs.estimate(TABLE, "f1", method="wald").high
    assert first.by(hs.Bayes(prior=1.0)).low == hs.estimate(TABLE, "f1", method=hs.Bayes(prior=1.0)).low
    assert first.at(0.9).by("beta").level == 0.9


# --- shares: against statsmodels, scipy and the definition ------------------------------------------------------------

SHARES: dict[str, Callable[[float, float, float, float], tuple[float, float]]] = {
    "precision": lambda tp, fp, fn, tn: (tp, fp),
    "recall": lambda tp, fp, fn, tn: (tp, fn),
    "specificity": lambda tp, fp, fn, tn: (tn, fp),
    "npv": lambda tp, fp, fn, tn: (tn, fn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, fp + fn),
    "jaccard": lambda tp, fp, fn, tn: (tp, fp + fn),
    "prevalence": lambda tp, fp, fn, tn: (tp + fn, fp + tn),
}
COUNTS = [(8, 2, 3, 7), (77, 44, 10, 702), (0, 3, 4, 5), (5, 0, 0, 9), (1, 0, 1, 1)]
PROGRAM = {"wilson": "wilson", "clopper-pearson": "beta", "agresti-coull": "agresti_coull", "beta": "jeffreys"}


@pytest.mark.parametrize("cells", COUNTS)
@pytest.mark.parametrize("method", PROGRAM)
def test_binomial_methods_equal_statsmodels(method: str, cells: tuple[int, ...]) -> None:
    table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    for metric, pick in SHARES.items():
        if method == "beta" and metric in ("accuracy", "jaccard", "prevalence"):
            continue  # prior ½ per cell: not Jeffreys' for a pool of cells, see below
        success, failure = pick(*cells)
        for level in (0.8, 0.95, 0.999):
            low, high = proportion_confint(success, success + failure, 1 - level, PROGRAM[method])
            if method == "agresti-coull":  # statsmodels clips what it computes
                share = hs.estimate(table, metric, method=method, level=level)
                found = max(share.low, 0.0), min(share.high, 1.0)
            else:
                found = limits(table, metric, method, level)
            assert found == pytest.approx((low, high), abs=1e-12), metric


@pytest.mark.parametrize("cells", COUNTS)
def test_mid_p_solves_its_equations(cells: tuple[int, ...]) -> None:
    table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    for metric, pick in SHARES.items():
        success, failure = pick(*cells)
        total = success + failure
        low, high = limits(table, metric, "mid-p")
        if success:
            point = stats.binom.pmf(success, total, low)
            assert stats.binom.sf(success, total, low) + point / 2 == pytest.approx(0.025, rel=1e-9)
        else:
            assert low == 0
        if failure:
            point = stats.binom.pmf(success, total, high)
            assert stats.binom.cdf(success - 1, total, high) + point / 2 == pytest.approx(0.025, rel=1e-9)
        else:
            assert high == 1


def test_f1_goes_through_the_link_of_the_jaccard_share() -> None:
    for method in ("wilson", "clopper-pearson", "mid-p", "agresti-coull", "beta", "profile"):
        for table in (TABLE, SMALL, hs.counts(tp=0, fp=2, fn=1), hs.counts(tp=4, fp=0, fn=0)):
            share = np.array(limits(table, "jaccard", method))
            assert limits(table, "f1", method) == pytest.approx(tuple(2 * share / (1 + share)), abs=1e-13)


def halved(function: Callable[[mpmath.mpf], mpmath.mpf], outside: mpmath.mpf, inside: mpmath.mpf) -> mpmath.mpf:
    """Return the root between a point where the function is positive and one where it is negative."""
    for _ in range(170):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if function(middle) > 0 else (outside, middle)
    return middle


@pytest.mark.parametrize(
    ("tp", "errors"),
    [(77, 54), (1, 0), (0, 1), (1, 1), (2, 0), (10**6, 0), (10**12, 1), (3 * 10**14, 7 * 10**14)],
)
def test_wilson_direct_roots_with_fifty_digits(tp: int, errors: int) -> None:
    """Lam et al., eq. 37, where polynomial solvers in floating point lose the roots (errata L3, L4)."""
    with mpmath.workdps(50):
        f1, k = mpmath.mpf(2 * tp) / (2 * tp + errors), mpmath.mpf(Z) ** 2 / (tp + errors)

        def quartic(f: mpmath.mpf) -> mpmath.mpf:
            return k * f * (f - 1) * (f - 2) ** 2 + 2 * (f - f1) ** 2

        # F1 itself is a root where it is 0 or 1: start beside it, where the quartic is negative.
        beside = mpmath.mpf(10) ** -25
        low = 0 if tp == 0 else halved(quartic, mpmath.mpf(0), f1 - beside)
        high = 1 if errors == 0 else halved(quartic, mpmath.mpf(1), f1 + beside)
        length = float(high - low)
    found = limits(hs.counts(tp=tp, fp=errors, fn=0), "f1", "wilson-direct")
    # Against the length: a limit near 1 hides an error of the interval.
    assert found == pytest.approx((float(low), float(high)), rel=0, abs=3e-16 + 1e-9 * length)


@pytest.mark.parametrize("method", ["wald", "wilson", "clopper-pearson", "profile", "beta", "logit"])
def test_true_negatives_do_not_move_f1(method: str) -> None:
    counted, uncounted = TABLE, hs.counts(tp=77, fp=44, fn=10)
    assert limits(counted, "f1", method) == pytest.approx(limits(uncounted, "f1", method), rel=1e-12)


# --- Wald and its relatives -------------------------------------------------------------------------------------------


def test_wald_is_the_value_and_z_standard_errors() -> None:
    for metric in ("f1", "mcc", "lift", "macro_f1"):
        found = hs.estimate(TABLE, metric, method="wald", level=0.9)
        half = stats.norm.isf(0.05) * found.se
        assert (found.low, found.high) == pytest.approx((found.value - half, found.value + half), rel=1e-13)


# Yuan & Jiang, choice II: M ± z √((V + D)/n), V with n − 1, D = Σ d² z²/(2n) in the slopes d of g(EZA, EA, EZ).
SLOPES: dict[str, Callable[[float, float, float], tuple[float, float, float]]] = {
    "accuracy": lambda x, y, z: (2, -1, -1),
    "precision": lambda x, y, z: (1 / y, -x / y**2, 0),
    "recall": lambda x, y, z: (1 / z, 0, -x / z**2),
    "f1": lambda x, y, z: (2 / (y + z), -2 * x / (y + z) ** 2, -2 * x / (y + z) ** 2),
    "lift": lambda x, y, z: (1 / (y * z), -x / (y**2 * z), -x / (y * z**2)),
    "specificity": lambda x, y, z: (1 / (1 - z), -1 / (1 - z), (x - y) / (1 - z) ** 2),
}


@pytest.mark.parametrize("metric", SLOPES)
@pytest.mark.parametrize("cells", [(8, 2, 3, 7), (77, 44, 10, 702), (1, 5, 2, 40)])
def test_blurred_is_choice_ii(metric: str, cells: tuple[int, ...]) -> None:
    tp, fp, fn, tn = cells
    n = sum(cells)
    slopes = np.array(SLOPES[metric](tp / n, (tp + fp) / n, (tp + fn) / n))
    rows = np.repeat([[1, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], cells, axis=0) @ slopes
    for level in (0.95, 0.99):
        z = stats.norm.isf((1 - level) / 2)
        half = z * math.sqrt((rows.var(ddof=1) + (slopes**2).sum() * z**2 / (2 * n)) / n)
        table = hs.counts(tp=tp, fp=fp, fn=fn, tn=tn)
        value = hs.estimate(table, metric).value
        assert limits(table, metric, "blurred", level) == pytest.approx((value - half, value + half), rel=1e-10)


def test_blurring_accuracy_is_six_times_agresti_coulls() -> None:
    """Erratum Y12: D = 6 z²/(2n), at a perfect table the whole of the variance."""
    n = 40
    low, _ = limits(hs.counts(tp=15, fp=0, fn=0, tn=25), "accuracy", "blurred")
    assert 1 - low == pytest.approx(Z * math.sqrt(6 * Z**2 / (2 * n)) / math.sqrt(n), rel=1e-12)


@pytest.mark.parametrize("metric", ["mcc", "kappa", "macro_f1", "balanced_accuracy", "kappa_linear", "kappa_quadratic"])
def test_blurred_for_metrics_of_both_classes(metric: str) -> None:
    """Slopes in (EZA, EA, EZ) by central differences of the metric itself."""
    cells, n = np.array([8.0, 2, 3, 7]), 20.0

    def value(x: float, y: float, z: float) -> float:
        shares = dict(zip(("tp", "fp", "fn", "tn"), (x, y - x, z - x, 1 - y - z + x), strict=True))
        return hs.estimate(
            hs.counts(**{name: share * 1e6 for name, share in shares.items()}), metric, method="wald"
        ).value

    at, step = np.array([8, 10, 11]) / n, 1e-5
    slopes = [(value(*(at + step * e)) - value(*(at - step * e))) / (2 * step) for e in np.eye(3)]
    rows = np.repeat([[1, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], cells.astype(int), axis=0) @ slopes
    half = Z * math.sqrt((rows.var(ddof=1) + np.square(slopes).sum() * Z**2 / (2 * n)) / n)
    low, high = limits(SMALL, metric, "blurred")
    assert (high - low) / 2 == pytest.approx(half, rel=1e-6)


def test_logit_is_wald_on_the_log_odds() -> None:
    for metric in ("f1", "f2", "macro_f1", "accuracy"):
        found = hs.estimate(TABLE, metric, method="logit")
        odds, half = math.log(found.value / (1 - found.value)), Z * found.se / (found.value * (1 - found.value))
        assert (found.low, found.high) == pytest.approx(
            tuple(1 / (1 + math.exp(-end)) for end in (odds - half, odds + half)), rel=1e-12
        )


def test_logit_of_precision_is_woolfs_standard_error() -> None:
    """√(1/tp + 1/fp) on the log-odds."""
    low, high = limits(TABLE, "precision", "logit")
    half = Z * math.sqrt(1 / 77 + 1 / 44)
    assert (math.log(low / (1 - low)), math.log(high / (1 - high))) == pytest.approx(
        (math.log(77 / 44) - half, math.log(77 / 44) + half), rel=1e-12
    )


@pytest.mark.parametrize(
    ("metric", "value", "square"),
    [
        ("lr_plus", (77 / 87) / (44 / 746), 1 / 77 - 1 / 87 + 1 / 44 - 1 / 746),
        ("lr_minus", (10 / 87) / (702 / 746), 1 / 10 - 1 / 87 + 1 / 702 - 1 / 746),
        ("odds_ratio", 77 * 702 / (44 * 10), 1 / 77 + 1 / 44 + 1 / 10 + 1 / 702),
    ],
)
def test_log_is_simel_samsa_and_matchar(metric: str, value: float, square: float) -> None:
    half = Z * math.sqrt(square)
    assert limits(TABLE, metric, "log") == pytest.approx((value * math.exp(-half), value * math.exp(half)), rel=1e-11)


def test_atanh_is_fishers_scale() -> None:
    for metric in ("mcc", "kappa", "informedness"):
        found = hs.estimate(TABLE, metric, method="atanh")
        half = Z * found.se / (1 - found.value**2)
        assert (math.atanh(found.low), math.atanh(found.high)) == pytest.approx(
            (math.atanh(found.value) - half, math.atanh(found.value) + half), rel=1e-10
        )


def test_smoothed_is_wald_on_the_table_with_pseudo_counts() -> None:
    counts = np.array([[20, 3, 0], [1, 9, 2], [0, 0, 4]])
    for metric in ("macro_f1", "mcc", "kappa"):
        more = hs.estimate(hs.matrix(counts + Z**2 / 18, rows="truth"), metric, method="wald")
        assert limits(hs.matrix(counts, rows="truth"), metric, "smoothed") == pytest.approx(
            (more.low, more.high), rel=1e-9
        )


@pytest.mark.parametrize("method", ["logit", "atanh", "log"])
@pytest.mark.parametrize("metric", ["f1", "f2", "macro_f1", "mcc", "kappa", "lift", "lr_plus", "odds_ratio", "g_mean"])
def test_scales_have_limits_at_the_edge_too(metric: str, method: str) -> None:
    """At a perfect, a hopeless and a reversed table the transform is infinite: still an interval, and it is said."""
    for cells in ((9, 0, 0, 8), (0, 4, 5, 8), (0, 9, 8, 0)):
        table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
        if named_method(method).missing(evidence_of(linearise(table, named(metric)))) is not None:
            continue
        found = hs.estimate(table, metric, method=method)
        bottom, top = found.metric_range
        if math.isnan(found.value) or (bottom < found.value < top and found.se > 0):
            continue
        assert found.low < found.high, (metric, cells)
        assert bottom <= found.low <= found.value <= found.high <= top
        assert "boundary" in {note.kind for note in found.notes}


# --- the constrained likelihood ---------------------------------------------------------------------------------------


def constrained(cells: np.ndarray, a: float, b: float, tau: float) -> np.ndarray:
    """Return the likeliest shares with Tversky index tau, by a general-purpose optimiser."""
    contrast = np.array([1 - tau, -a * tau, -b * tau])
    found = optimize.minimize(
        lambda p: -np.sum(cells * np.log(p)),
        np.full(3, 1 / 3),
        jac=lambda p: -cells / p,
        bounds=[(1e-12, 1)] * 3,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(3)},
            {"type": "eq", "fun": lambda p: contrast @ p, "jac": lambda p: contrast},
        ],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 500},
    )
    return found.x


WEIGHTS = {"f1": (0.5, 0.5), "f0.5": (0.8, 0.2), "f2": (0.2, 0.8), "jaccard": (1, 1), "tversky(0.3,1.7)": (0.3, 1.7)}


@pytest.mark.parametrize("metric", WEIGHTS)
@pytest.mark.parametrize("cells", [(8, 2, 3), (20, 1, 9), (3, 6, 4)])
def test_limits_of_score_and_profile_sit_at_z(metric: str, cells: tuple[int, ...]) -> None:
    """Both statistics, from an optimiser that knows nothing of our roots, equal z at the limits."""
    (a, b), counted = WEIGHTS[metric], np.array(cells, dtype=float)
    table = hs.counts(tp=cells[0], fp=cells[1], fn=cells[2])
    n = counted.sum()
    for tau in limits(table, metric, "wilson"):
        shares, contrast = constrained(counted, a, b, tau), np.array([1 - tau, -a * tau, -b * tau])
        statistic = contrast @ counted / math.sqrt(n * (shares @ contrast**2))
        assert abs(statistic) == pytest.approx(Z, rel=2e-5)
    for tau in limits(table, metric, "profile"):
        shares = constrained(counted, a, b, tau)
        assert 2 * np.sum(counted * np.log(counted / n / shares)) == pytest.approx(Z**2, rel=2e-5)


def test_score_is_wilson_for_precision_recall_and_f1() -> None:
    from howsure.score import score_statistic

    for metric, (a, b) in {"precision": (1, 0), "recall": (0, 1), "f1": (0.5, 0.5)}.items():
        for tp, fp, fn in ((77, 44, 10), (1, 3, 2), (9, 1, 0), (5, 0, 2)):
            share = {"precision": (tp, fp), "recall": (tp, fn), "f1": (tp, fp + fn)}[metric]
            low, high = proportion_confint(share[0], sum(share), 0.05, "wilson")
            if metric == "f1":
                low, high = 2 * low / (1 + low), 2 * high / (1 + high)
            assert limits(hs.counts(tp=tp, fp=fp, fn=fn), metric, "score") == pytest.approx((low, high), abs=1e-13)
            for end, sign in ((low, 1), (high, -1)):
                if 1e-9 < end < 1 - 1e-9:
                    assert score_statistic(tp, fp, fn, a=a, b=b, tau=end) == pytest.approx(sign * Z, rel=1e-6)


# --- credible intervals -----------------------------------------------------------------------------------------------


def test_beta_is_the_posterior_with_half_a_row_per_cell() -> None:
    for metric, first, second in (
        ("precision", 77.5, 44.5), ("f1", 77.5, 55.0), ("jaccard", 77.5, 55.0), ("prevalence", 88.0, 747.0),
    ):  # fmt: skip
        law, found = stats.beta(first, second), np.array(limits(TABLE, metric, "beta"))
        share = found / (2 - found) if metric == "f1" else found
        assert law.cdf(share) == pytest.approx([0.025, 0.975], rel=1e-9)


def test_hdi_is_the_shortest_and_has_equal_density_at_its_ends() -> None:
    for metric, law in (("precision", SharePosterior(8.5, 2.5)), ("f1", SharePosterior(8.5, 6.0, 0.5))):
        low, high = limits(SMALL, metric, "hdi")
        assert law.cdf(high) - law.cdf(low) == pytest.approx(0.95, abs=1e-9)
        assert law.pdf(low) == pytest.approx(law.pdf(high), rel=1e-6)
        below = np.linspace(0.001, 0.049, 25)
        assert high - low <= (law.ppf(below + 0.95) - law.ppf(below)).min() + 1e-12


@pytest.mark.parametrize("cells", [(0, 3, 4), (5, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0.2, 0.1), (0.2, 0, 0)])
@pytest.mark.parametrize("metric", ["f1", "jaccard", "tversky(0.1,0.1)", "tversky(3,3)"])
def test_hdi_at_the_edges_is_the_posteriors_own(metric: str, cells: tuple[float, ...]) -> None:
    table = hs.counts(tp=cells[0], fp=cells[1], fn=cells[2])
    weight = named(metric).share.weight
    law = SharePosterior(cells[0] + 0.5, cells[1] + cells[2] + 1.0, weight)
    low, high = limits(table, metric, "hdi")
    assert law.cdf(high) - law.cdf(low) == pytest.approx(0.95, abs=1e-9)
    assert high - low == pytest.approx(np.subtract(*law.interval(0.95, kind="hdi")[::-1]), abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "first", "second", "weight"),
    [
        ("precision", 8.5, 2.5, 1),
        ("recall", 8.5, 3.5, 1),
        ("accuracy", 16, 6, 1),
        ("f1", 8.5, 6, 0.5),
        ("jaccard", 8.5, 6, 1),
    ],
)
def test_dirichlet_draws_agree_with_the_exact_posterior_of_a_share(
    metric: str, first: float, second: float, weight: float
) -> None:
    """Prior ½ in each of four cells makes every share a Beta; the draws may differ by their Monte-Carlo error."""
    found, law = hs.estimate(SMALL, metric, method="dirichlet"), SharePosterior(first, second, weight)
    low, high = law.interval(0.95)
    assert found.error is not None
    assert 0 < found.error < 0.01
    assert abs(found.low - low) < 4 * found.error
    assert abs(found.high - high) < 4 * found.error
    assert found.meaning == "credible"


def test_bayes_with_a_prior_is_exact_for_shares() -> None:
    """Wang & Li: prior 1 per cell, F1 through Beta(tp + 1, fp + fn + 2)."""
    low, high = limits(SMALL, "f1", hs.Bayes(prior=1.0))
    assert (low, high) == pytest.approx(SharePosterior(9, 7, 0.5).interval(0.95), rel=1e-9)


# --- the bootstrap ----------------------------------------------------------------------------------------------------


def test_percentile_limits_are_quantiles_of_the_binomial() -> None:
    """Resampling rows makes the number of right rows Binomial(n, accuracy): the limits are its quantiles."""
    table = hs.counts(tp=30, fp=11, fn=9, tn=50)
    low, high = limits(table, "accuracy", hs.Bootstrap(n_resamples=40_000, kind="percentile"))
    expected = stats.binom.ppf([0.025, 0.975], 100, 0.8) / 100
    assert (low, high) == pytest.approx(tuple(expected), abs=0.0101)
    basic = limits(table, "accuracy", hs.Bootstrap(n_resamples=40_000, kind="basic"))
    assert basic == pytest.approx((1.6 - high, 1.6 - low), abs=1e-12)


@pytest.mark.parametrize("kind", ["percentile", "basic", "bca"])
def test_bootstrap_of_counts_agrees_with_scipy_on_rows(kind: str) -> None:
    truth = np.repeat([1, 0, 1, 0], [30, 8, 12, 50])
    guess = np.repeat([1, 1, 0, 0], [30, 8, 12, 50])

    def f1(z: np.ndarray, a: np.ndarray, axis: int = -1) -> np.ndarray:
        return 2 * (z * a).sum(axis) / (z.sum(axis) + a.sum(axis))

    method = {"percentile": "percentile", "basic": "basic", "bca": "BCa"}[kind]
    other = stats.bootstrap(
        (truth, guess), f1, paired=True, vectorized=True, n_resamples=9999, method=method,
        rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    found = hs.estimate(hs.table(truth, guess), "f1", method=hs.Bootstrap(kind=kind))
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=5 * found.error)


def grouped_table(seed: int = 0) -> tuple[hs.Table, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(12), rng.integers(2, 9, 12))
    truth = rng.integers(0, 3, len(groups))
    guess = np.where(rng.random(len(groups)) < 0.6, truth, rng.integers(0, 3, len(groups)))
    return hs.table(truth, guess, groups=groups), truth, guess, groups


@pytest.mark.parametrize("metric", ["macro_f1", "accuracy", "mcc", "f1[2]"])
def test_studentised_bootstrap_of_groups_against_brute_force(metric: str) -> None:
    """Every resample as a table of its own: drawn groups become new groups, value and standard error from there."""
    table, truth, guess, groups = grouped_table()
    options = hs.Bootstrap(n_resamples=100, kind="studentised", seed=3)
    linear = linearise(table, named(metric))
    values, errors = bootstrap_values(linear, options, with_se=True)
    units = units_of(linear)
    drawn = np.random.default_rng(3).multinomial(12, units.chances, size=100)
    labels = np.unique(groups)
    for row, value, error in zip(drawn, values, errors, strict=True):
        parts = [np.flatnonzero(groups == labels[g]) for g in np.repeat(np.arange(12), row)]
        again = hs.table(
            truth[np.concatenate(parts)], guess[np.concatenate(parts)], labels=[0, 1, 2],
            groups=np.repeat(np.arange(12), [len(part) for part in parts]),
        )  # fmt: skip
        brute = linearise(again, named(metric))
        assert value == pytest.approx(brute.value, rel=1e-10, nan_ok=True)
        if not math.isnan(value):
            assert error == pytest.approx(math.sqrt(brute.variance), rel=1e-9)


def test_studentised_limits_from_their_pivots() -> None:
    """Limits on the logit scale: h(M) − quantile of (h(M*) − h(M))/(se* h'(M*)) times se h'(M)."""
    table, *_ = grouped_table(1)
    options = hs.Bootstrap(n_resamples=2000, kind="studentised")
    linear = linearise(table, named("macro_f1"))
    values, errors = bootstrap_values(linear, options, with_se=True)

    def logit(x: float) -> float:
        return np.log(x / (1 - x))

    pivots = (logit(values) - logit(linear.value)) * values * (1 - values) / errors
    width = math.sqrt(linear.variance) / (linear.value * (1 - linear.value))
    ends = logit(linear.value) - np.quantile(pivots[np.isfinite(pivots)], [0.975, 0.025]) * width
    assert limits(table, "macro_f1", options) == pytest.approx(tuple(1 / (1 + np.exp(-ends))), rel=1e-9)


@pytest.mark.parametrize("cells", [(9, 0, 0, 9), (0, 3, 4, 9)])
def test_studentised_bootstrap_where_its_scale_is_infinite(cells: tuple[int, ...]) -> None:
    """A perfect or a hopeless score has no pivot: no limits, rather than wrong ones."""
    table = hs.counts(**dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True)))
    assert np.isnan(limits(table, "f1", hs.Bootstrap(n_resamples=200, kind="studentised"))).all()


def test_bootstrap_is_repeatable_and_carries_its_error_and_seed() -> None:
    first, again = (hs.estimate(TABLE, "mcc", method=hs.Bootstrap(n_resamples=500, seed=7)) for _ in range(2))
    other = hs.estimate(TABLE, "mcc", method=hs.Bootstrap(n_resamples=500, seed=8))
    assert (first.low, first.high, first.seed) == (again.low, again.high, 7)
    assert first.low != other.low
    assert first.error > 0


def test_bootstrap_error_is_the_spread_over_seeds() -> None:
    runs = [
        hs.estimate(TABLE, "f1", method=hs.Bootstrap(n_resamples=1000, kind="percentile", seed=s)) for s in range(60)
    ]
    spread = max(np.std([run.low for run in runs]), np.std([run.high for run in runs]))
    assert np.mean([run.error for run in runs]) == pytest.approx(spread, rel=0.4)


def test_bootstrap_of_a_perfect_table_says_that_it_has_no_width() -> None:
    found = hs.estimate(hs.counts(tp=9, fp=0, fn=0, tn=9), "f1", method="bootstrap")
    assert found.low == found.high == 1
    assert "degenerate" in {note.kind for note in found.notes}


# --- many at once -----------------------------------------------------------------------------------------------------


def test_batch_takes_any_shape_that_broadcasts() -> None:
    found = hs.batch_intervals("precision", tp=[[1], [2]], fp=[0, 1, 2], fn=0, method="wilson")
    assert found.low.shape == (2, 3)
    assert found.value[1, 2] == 0.5
    assert (found.low[1, 2], found.high[1, 2]) == pytest.approx(
        limits(hs.counts(tp=2, fp=2, fn=0), "precision", "wilson")
    )
    assert hs.batch_intervals("f1", tp=3, fp=1, fn=1).low.shape == ()


def test_batch_serves_a_prior_where_the_metric_is_a_share() -> None:
    found = hs.batch_intervals("f1", tp=[8, 3], fp=[2, 0], fn=[3, 0], method=hs.Bayes(prior=1.0, kind="hdi"))
    for place, law in enumerate((SharePosterior(9, 7, 0.5), SharePosterior(4, 2, 0.5))):
        assert (found.low[place], found.high[place]) == pytest.approx(law.interval(0.95, kind="hdi"), abs=1e-9)
    with pytest.raises(hs.InputError, match="one table at a time"):
        hs.batch_intervals("f2", tp=[8, 3], fp=[2, 0], fn=[3, 0], tn=1, method=hs.Bayes(prior=1.0))


def test_batch_of_undefined_tables_is_nan() -> None:
    found = hs.batch_intervals("f1", tp=[0, 1], fp=[0, 1], fn=[0, 1])
    assert np.isnan([found.value[0], found.low[0], found.high[0]]).all()
    assert np.isfinite([found.value[1], found.low[1], found.high[1]]).all()


def test_batch_of_nothing_is_nothing() -> None:
    assert hs.batch_intervals("f1", tp=[], fp=[], fn=[], method="wald").value.shape == (0,)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tp": 1, "fp": 1}, "tp, fp and fn are needed"),
        ({"tp": [1, 2], "fp": [1, 2, 3], "fn": 0}, "do not fit together: tp (2,), fp (3,)"),
        ({"tp": -1, "fp": 1, "fn": 0}, "tp holds the count -1"),
        ({"tp": 1, "fp": float("nan"), "fn": 0}, "fp holds the count nan"),
        ({"tp": 1, "fp": 1, "fn": 0, "matrices": [[1, 2], [3, 4]]}, "both given"),
        ({"matrices": [1, 2, 3]}, "last two axes must be equal"),
        ({"tp": 1, "fp": 1, "fn": 0, "method": "bootstrap"}, "one table at a time"),
    ],
)
def test_batch_refusals(given: dict[str, object], words: str) -> None:
    with pytest.raises(hs.InputError) as caught:
        hs.batch_intervals("f1", **given)
    assert words in str(caught.value)


def test_batch_needs_true_negatives_where_the_metric_does() -> None:
    for metric in ("specificity", "mcc", "accuracy"):
        with pytest.raises(hs.MetricError, match="needs the true negatives"):
            hs.batch_intervals(metric, tp=1, fp=1, fn=1)


def test_tail_keeps_its_digits_near_one() -> None:
    assert Tail(1 - 1e-9).z == pytest.approx(float(-mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(1e-9) - 1)), rel=1e-8)

"""Two models on the same rows: variance, limits, p-values, posteriors, margins, and what is refused."""

from __future__ import annotations

import csv
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import howsure as hs
from howsure.compare import paired
from howsure.mcnemar import mcnemar_p, outcomes_of, tango_limits, tango_z
from howsure.pair_laws import DiscordantLaw, TverskyLaw
from howsure.pair_methods import PAIR_METHODS, named_pair_method
from howsure.paired import discordant_probability, paired_tversky_probability
from howsure.pairs import ratio_limits, square_and_add
from howsure.papers.joint_coverage import table_of_cells

Z = 1.959963984540054
CELLS = np.array(list(itertools.product((0, 1), repeat=3)))
cubes = st.lists(st.integers(0, 25), min_size=8, max_size=8).filter(lambda cells: sum(cells) > 3)


def cube(counts) -> hs.Table:
    """Return the table of counts[truth, a, b]."""
    return table_of_cells(CELLS, np.asarray(counts, dtype=float).ravel(), ("a", "b")).merged()


EXAMPLE = cube([150, 12, 9, 14, 10, 22, 8, 75])


# ---- the variance


@given(cubes)
def test_variance_of_an_accuracy_difference_is_mcnemars(counts: list[int]) -> None:
    n = sum(counts)
    only_a, only_b = counts[0b001] + counts[0b110], counts[0b010] + counts[0b101]
    pair = paired(cube(counts), "accuracy", "a", "b")
    expected = ((only_a + only_b) / n - ((only_b - only_a) / n) ** 2) / n
    assert pair.se**2 == pytest.approx(expected, rel=1e-12, abs=1e-18)


def test_clustered_variance_by_hand() -> None:
    random = np.random.default_rng(3)
    truth, groups = random.integers(0, 2, 300), random.integers(0, 40, 300)
    a, b = (np.where(random.random(300) < 0.75, truth, 1 - truth) for _ in range(2))
    made = hs.compare(hs.table(truth, {"a": a, "b": b}, groups=groups), "accuracy", method="wald")
    gain = (b == truth).astype(float) - (a == truth)
    sums = np.array([(gain - gain.mean())[groups == g].sum() for g in range(40)])
    se = math.sqrt((sums**2).sum() * 40 / 39) / 300
    assert made.se == pytest.approx(se, rel=1e-12)
    assert made.high == pytest.approx(made.difference + stats.t.isf(0.025, 39) * se, rel=1e-9)
    assert made.p_value == pytest.approx(2 * stats.t.sf(abs(made.difference) / se, 39), rel=1e-9)


def test_weights_of_any_scale() -> None:
    random = np.random.default_rng(4)
    truth, weight = random.integers(0, 3, 200), random.random(200) + 0.1
    predictions = {name: np.where(random.random(200) < 0.7, truth, random.integers(0, 3, 200)) for name in "ab"}
    one, two = (
        hs.compare(hs.table(truth, predictions, sample_weight=factor * weight), "macro_f1") for factor in (1.0, 9.0)
    )
    assert (one.low, one.high, one.p_value) == pytest.approx((two.low, two.high, two.p_value), rel=1e-9)


# ---- limits


def wilson(success: float, n: float) -> tuple[float, float]:
    p = success / n
    half = Z * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n * n)) / (1 + Z**2 / n)
    middle = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
    return middle - half, middle + half


def test_newcombes_published_example() -> None:
    """36, 12, 2, 0 of 50 pairs: method 10 of Newcombe (1998) prints 0.0569 to 0.3404."""
    (low_a, high_a), (low_b, high_b) = wilson(38, 50), wilson(48, 50)
    phi = (36 * 0 - 12 * 2) / math.sqrt(48 * 2 * 38 * 12)
    low, high = square_and_add(0.2, (0.96 - low_b, high_a - 0.76), (high_b - 0.96, 0.76 - low_a), phi)
    assert (round(float(low), 4), round(float(high), 4)) == (0.0569, 0.3404)


def test_mover_by_hand() -> None:
    """Wilson's limits, the correlation of the two answers, shrunk by z²/2 independent rows of n."""
    counts = EXAMPLE.counts
    n = counts.sum()
    right_a, right_b = CELLS[:, 1] == CELLS[:, 0], CELLS[:, 2] == CELLS[:, 0]
    a, b, both = (counts @ mask / n for mask in (right_a, right_b, right_a & right_b))
    phi = (both - a * b) / math.sqrt(a * (1 - a) * b * (1 - b)) * n / (n + Z**2 / 2)
    (low_a, high_a), (low_b, high_b) = wilson(a * n, n), wilson(b * n, n)
    down = math.sqrt((b - low_b) ** 2 - 2 * phi * (b - low_b) * (high_a - a) + (high_a - a) ** 2)
    up = math.sqrt((high_b - b) ** 2 - 2 * phi * (high_b - b) * (a - low_a) + (a - low_a) ** 2)
    made = hs.compare(EXAMPLE, "accuracy")
    assert (made.low, made.high) == pytest.approx((b - a - down, b - a + up), abs=1e-12)


def test_tango_against_constrained_likelihood() -> None:
    """The statistic's variance rests on the maximum-likelihood shares under the tested difference: found on a grid."""
    for only_a, only_b, n, delta in ((2, 12, 50, 0.05), (5, 3, 40, -0.1), (0, 4, 30, 0.02), (7, 7, 60, 0.15)):
        share_a = np.linspace(max(0, -delta), (1 - abs(delta)) / 2, 400_001)[1:-1]
        share_b = share_a + delta
        inside = (share_b > 0) & (share_a + share_b < 1)
        likelihood = np.where(
            inside,
            only_a * np.log(share_a)
            + only_b * np.log(np.where(inside, share_b, 1))
            + (n - only_a - only_b) * np.log(np.where(inside, 1 - share_a - share_b, 1)),
            -np.inf,
        )
        best = share_a[np.argmax(likelihood)]
        spread = math.sqrt(n * (2 * best + delta - delta**2))
        assert tango_z(only_a, only_b, n, delta) == pytest.approx((only_b - only_a - n * delta) / spread, abs=2e-3)


def test_tango_without_discordant_rows() -> None:
    """All differences within z²/(n + z²), the same as for a share that is 0 of n."""
    assert tango_limits(0, 0, 50, Z) == pytest.approx((-(Z**2) / (50 + Z**2), Z**2 / (50 + Z**2)), abs=1e-9)


def test_mcnemar_p_values() -> None:
    for only_a, only_b in itertools.product(range(8), repeat=2):
        total = only_a + only_b
        expected = stats.binomtest(only_b, total).pvalue if total else 1.0
        assert mcnemar_p(only_a, only_b) == pytest.approx(expected, rel=1e-12)
        greater = stats.binomtest(only_b, total, alternative="greater").pvalue if total else 1.0
        assert mcnemar_p(only_a, only_b, alternative="greater") == pytest.approx(greater, rel=1e-12)
        if total:
            half = stats.binom.pmf(only_b, total, 0.5) / 2
            assert mcnemar_p(only_a, only_b, alternative="greater", mid=True) == pytest.approx(
                greater - half, rel=1e-12
            )


def test_mcnemar_against_r() -> None:
    folder = Path(__file__).parent / "references"
    with (folder / "compare_models.csv").open() as file:
        header, *lines = csv.reader(file)
    data = dict(zip(header, np.array(lines, dtype=int).T, strict=True))
    table = hs.table(data.pop("truth"), data)
    with (folder / "compare_mcnemar.csv").open() as file:
        for row in csv.DictReader(file):
            made = hs.compare(table, "accuracy", row["a"], row["b"], method="mcnemar")
            assert made.discordant == (float(row["only_a"]), float(row["only_b"]))
            assert made.p_value == pytest.approx(float(row["exact"]), rel=1e-9)
            score = hs.compare(table, "accuracy", row["a"], row["b"], method="tango").p_value
            assert score == pytest.approx(float(row["score"]), rel=1e-9)


@pytest.mark.parametrize(
    "metric", ["accuracy", "recall", "specificity", "error_rate", "false_negative_rate", "micro_f1"]
)
def test_rows_that_count_for_a_share(metric: str) -> None:
    held = outcomes_of(paired(EXAMPLE, metric, "a", "b"))
    pair = paired(EXAMPLE, metric, "a", "b")
    assert (held.only_b - held.only_a) / held.n == pytest.approx(pair.difference, abs=1e-14)
    assert (held.both + held.only_b) / held.n == pytest.approx(pair.b.value, abs=1e-14)


@pytest.mark.parametrize("metric", ["precision", "f1", "npv", "mcc", "jaccard"])
def test_metrics_whose_denominator_moves_have_no_such_rows(metric: str) -> None:
    assert outcomes_of(paired(EXAMPLE, metric, "a", "b")) is None
    with pytest.raises(hs.MethodError, match="no prediction can change"):
        hs.compare(EXAMPLE, metric, method="mcnemar")


# ---- what holds for every method


FREE = ("mover", "wald", "tango", "mcnemar", "mid-p", "bayes")


@given(cubes, st.sampled_from(["accuracy", "recall", "f1", "precision", "mcc"]), st.sampled_from(["mover", "wald"]))
def test_swapping_the_models_flips_the_sign(counts: list[int], metric: str, method: str) -> None:
    table = cube(counts)
    one, two = hs.compare(table, metric, "a", "b", method=method), hs.compare(table, metric, "b", "a", method=method)
    if math.isnan(one.difference):
        assert math.isnan(two.difference)
        return
    assert (one.difference, one.low, one.high) == pytest.approx((-two.difference, -two.high, -two.low), abs=1e-12)
    assert one.p_value == pytest.approx(two.p_value, abs=1e-8, nan_ok=True)
    assert one.probability_better == pytest.approx(1 - two.probability_better, abs=1e-8, nan_ok=True)


@pytest.mark.parametrize("method", FREE)
def test_swapping_in_every_method(method: str) -> None:
    one, two = (hs.compare(EXAMPLE, "recall", *names, method=method) for names in (("a", "b"), ("b", "a")))
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low), abs=1e-8)
    assert one.p_value == pytest.approx(two.p_value, rel=1e-6)


@given(cubes, st.sampled_from(["accuracy", "f1", "precision", "balanced_accuracy"]))
def test_the_interval_excludes_zero_when_p_is_small(counts: list[int], metric: str) -> None:
    made = hs.compare(cube(counts), metric)
    if not math.isnan(made.p_value) and abs(made.p_value - 0.05) > 1e-6:
        assert made.decided == (made.p_value < 0.05)


@given(cubes, st.sampled_from(["accuracy", "f1", "recall"]))
def test_ratio_and_difference_settle_the_same(counts: list[int], metric: str) -> None:
    difference, ratio = (hs.compare(cube(counts), metric, kind=kind) for kind in ("difference", "ratio"))
    if math.isnan(ratio.difference):
        return
    assert ratio.difference == pytest.approx(difference.value_b / difference.value_a)
    assert ratio.low <= ratio.difference <= ratio.high
    near = min(abs(difference.low), abs(difference.high)) < 1e-9
    assert near or ratio.decided == difference.decided


def test_ratio_by_brute_force() -> None:
    """All R for which the interval of b − R·a holds 0."""
    a, b, down, up, correlation = 0.6, 0.7, (0.08, 0.09), (0.06, 0.07), 0.4
    grid = np.linspace(0.5, 2.0, 200_001)
    low, high = square_and_add(b - grid * a, (down[0], grid * down[1]), (up[0], grid * up[1]), correlation)
    held = grid[(low <= 0) & (high >= 0)]
    assert ratio_limits(a, b, down, up, correlation) == pytest.approx((held[0], held[-1]), abs=1e-5)


def test_a_ratio_to_zero() -> None:
    never = cube([30, 0, 5, 0, 10, 0, 15, 0])
    made = hs.compare(never, "recall", "a", "b", kind="ratio")
    assert made.difference == 0
    assert made.low == 0
    assert 0 < made.high < 1
    assert math.isnan(hs.compare(never, "recall", "b", "a", kind="ratio").difference)


@pytest.mark.parametrize("entry", PAIR_METHODS, ids=lambda entry: entry.name)
def test_methods_agree_on_many_rows(entry) -> None:
    many = cube(EXAMPLE.counts * 30)
    made, wald = (hs.compare(many, "accuracy", method=method) for method in (entry, "wald"))
    assert (made.low, made.high) == pytest.approx((wald.low, wald.high), abs=0.0015)
    assert entry.citation
    assert entry.text
    assert entry.avoid


# ---- one-sided claims, margins, practical equivalence


@given(cubes, st.floats(0, 0.2))
def test_a_rate_and_its_complement_tell_the_same(counts: list[int], margin: float) -> None:
    """Lower is better for the error rate: b − a > −m of accuracy is b − a < m of the error rate."""
    right = hs.compare(cube(counts), "accuracy", alternative="greater", margin=margin)
    wrong = hs.compare(cube(counts), "error_rate", alternative="less", margin=margin)
    assert wrong.high == pytest.approx(-right.low, abs=1e-12)
    assert wrong.p_value == pytest.approx(right.p_value, abs=1e-8)
    assert wrong.verdict == right.verdict
    assert wrong.probability_better == pytest.approx(right.probability_better, abs=1e-8)
    assert wrong.sentence == right.sentence.replace("accuracy", "error_rate")


def test_one_sided_limits() -> None:
    both = hs.compare(EXAMPLE, "f1", level=0.90)
    lower, upper = (hs.compare(EXAMPLE, "f1", alternative=side) for side in ("greater", "less"))
    assert (lower.low, lower.high) == pytest.approx((both.low, 1.0))
    assert (upper.low, upper.high) == pytest.approx((-1.0, both.high))
    assert lower.p_value + upper.p_value == pytest.approx(1.0)
    assert (lower.side, upper.side) == ("lower", "upper")
    assert "lower bound" in repr(lower)


def test_non_inferiority_follows_from_the_bound() -> None:
    bound = hs.compare(EXAMPLE, "accuracy", "b", "a", alternative="greater").low
    assert bound < 0
    for margin, verdict in ((-bound + 1e-6, "non-inferior"), (-bound - 1e-6, "not shown non-inferior")):
        made = hs.compare(EXAMPLE, "accuracy", "b", "a", alternative="greater", margin=margin)
        assert made.verdict == verdict
        assert made.low == pytest.approx(bound)
    assert "The data do not show that a is not worse than b by" in made.sentence


def test_equivalence_takes_both_one_sided_tests() -> None:
    made = hs.compare(EXAMPLE, "accuracy", margin=0.1)
    assert made.side == "each"
    assert made.p_value == pytest.approx(
        max(
            hs.compare(EXAMPLE, "accuracy", alternative="greater", margin=0.1).p_value,
            hs.compare(EXAMPLE, "accuracy", alternative="less", margin=0.1).p_value,
        )
    )
    reach = max(-made.low, made.high)
    assert hs.compare(EXAMPLE, "accuracy", margin=reach + 1e-6).verdict == "equivalent"
    assert hs.compare(EXAMPLE, "accuracy", margin=reach - 1e-6).verdict == "not shown equivalent"


@pytest.mark.parametrize("method", ["mover", "wald", "bayes", "bootstrap"])
def test_region_of_practical_equivalence(method: str) -> None:
    made = hs.compare(EXAMPLE, "accuracy", rope=0.02, method=method)
    assert sum(made.rope_probabilities) == pytest.approx(1)
    worse, equal, better = made.rope_probabilities
    assert better > equal > worse
    mirrored = hs.compare(EXAMPLE, "error_rate", rope=0.02, method=method).rope_probabilities
    assert mirrored == pytest.approx(made.rope_probabilities, abs=2e-3)
    nothing = hs.compare(EXAMPLE, "accuracy", rope=0.0, method=method).rope_probabilities
    assert nothing[2] == pytest.approx(made.probability_better, abs=0.02)


# ---- posteriors


def test_discordant_law_against_draws_and_closed_form() -> None:
    law = DiscordantLaw(12.5, 5.5, 80.0)
    draws = np.random.default_rng(0).dirichlet([12.5, 5.5, 80.0], 1_000_000)
    gain = draws[:, 0] - draws[:, 1]
    for x in (-0.05, 0.0, 0.03, 0.1):
        assert law.above(x) == pytest.approx(np.mean(gain > x), abs=4 * 0.5 / 1000)
    assert law.above(0.0) == pytest.approx(discordant_probability(12, 5, prior=0.5).greater, abs=1e-14)
    low, high = law.limits(0.025)
    assert (law.above(low), law.above(high)) == pytest.approx((0.975, 0.025), abs=1e-8)
    assert (low, high) == pytest.approx(np.quantile(gain, [0.025, 0.975]), abs=5e-4)


def test_bayes_of_a_share_is_the_dirichlet_on_its_own_rows() -> None:
    """Recall: positives only, prior ¼ in each of the eight cells."""
    made = hs.compare(EXAMPLE, "recall", method="bayes")
    counts = np.array([150, 12, 9, 14, 10, 22, 8, 75]).reshape(2, 2, 2)[1]
    law = DiscordantLaw(counts[0, 1] + 0.25, counts[1, 0] + 0.25, counts[0, 0] + counts[1, 1] + 0.5)
    assert (made.low, made.high) == pytest.approx(law.limits(0.025), abs=1e-9)
    assert made.probability_better == pytest.approx(law.above(0.0))
    assert made.error is None
    assert made.seed is None
    assert made.meaning == "credible"


@pytest.mark.parametrize(("metric", "weights"), [("f1", (0.5, 0.5)), ("precision", (1.0, 0.0)), ("f2", (0.2, 0.8))])
def test_tversky_law(metric: str, weights: tuple[float, float]) -> None:
    counts = np.array([150, 12, 9, 14, 10, 22, 8, 75]).reshape(2, 2, 2)
    law = TverskyLaw(counts, np.full((2, 2, 2), 0.25), weights, 20_000, 0)
    other, error = paired_tversky_probability(counts, *weights, prior=0.25)
    assert law.above(0.0) == pytest.approx(other, abs=1e-9 + 5 * error)
    draws = np.random.default_rng(1).dirichlet(counts.ravel() + 0.25, 200_000).reshape(-1, 2, 2, 2)
    a, b = draws.sum(3), draws.sum(2)
    value = [m[:, 1, 1] / (m[:, 1, 1] + weights[0] * m[:, 0, 1] + weights[1] * m[:, 1, 0]) for m in (a, b)]
    gain = value[1] - value[0]
    for x in (-0.05, 0.02, 0.08):
        assert law.above(x) == pytest.approx(np.mean(gain > x), abs=0.006)
    assert law.limits(0.025) == pytest.approx(np.quantile(gain, [0.025, 0.975]), abs=3e-3)
    made = hs.compare(EXAMPLE, metric, method="bayes")
    assert (made.low, made.high) == pytest.approx(law.limits(0.025), abs=1e-6)
    assert 0 < made.error < 2e-3
    assert made.seed == 0


def test_one_class_of_many_is_taken_against_the_rest() -> None:
    random = np.random.default_rng(8)
    truth = random.integers(0, 4, 400)
    a, b = (np.where(random.random(400) < 0.7, truth, random.integers(0, 4, 400)) for _ in range(2))
    many = hs.table(truth, {"a": a, "b": b})
    for metric in ("f1", "recall"):
        exact = hs.compare(many, f"{metric}[2]", method=hs.Bayes(prior=0.25))
        drawn = hs.compare(many, f"{metric}[2]", method=hs.Bayes(prior=0.25, kind="hdi", draws=100_000))
        assert exact.probability_better == pytest.approx(drawn.probability_better, abs=0.01)
        assert (exact.low, exact.high) == pytest.approx((drawn.low, drawn.high), abs=0.01)


def test_bayes_refuses_what_it_cannot_hold() -> None:
    truth, other = [0, 1, 1, 0], [0, 1, 0, 0]
    grouped = hs.table(truth, {"a": truth, "b": other}, groups=[1, 1, 2, 2])
    with pytest.raises(hs.MethodError, match="'bayes' cannot compare 'f1' here: it needs independent rows"):
        hs.compare(grouped, "f1", method="bayes")


# ---- bootstrap


@pytest.mark.parametrize("kind", ["percentile", "basic", "bca"])
def test_bootstrap_p_value_belongs_to_its_interval(kind: str) -> None:
    made = hs.compare(EXAMPLE, "f1", method=hs.Bootstrap(kind=kind, n_resamples=4999))
    found = named_pair_method(hs.Bootstrap(kind=kind, n_resamples=4999))
    pair = paired(EXAMPLE, "f1", "a", "b")
    from howsure.evidence import Tail

    result = found(pair, Tail(0.95))
    assert result.p(made.low, "greater") == pytest.approx(0.025, abs=0.003)
    assert result.p(made.high, "less") == pytest.approx(0.025, abs=0.003)
    assert made.seed == 0
    assert made.error > 0


def test_bootstrap_draws_the_same_rows_for_both() -> None:
    same = cube([40, 0, 0, 10, 12, 0, 0, 38])
    made = hs.compare(same, "f1", method=hs.Bootstrap(n_resamples=500))
    assert (made.low, made.high) == (0.0, 0.0)
    assert any(note.kind == "degenerate" for note in made.notes)
    with pytest.raises(hs.InputError, match="'studentised' needs the error of each resampled difference"):
        hs.compare(EXAMPLE, "f1", method=hs.Bootstrap(kind="studentised"))


# ---- edges


def test_identical_models() -> None:
    made = hs.compare(cube([40, 0, 0, 10, 12, 0, 0, 38]), "accuracy")
    assert made.difference == 0
    assert made.se == 0
    assert made.p_value == 1
    assert made.low < 0 < made.high
    assert any(note.kind == "identical" for note in made.notes)
    assert made.probability_better == 0.5


def test_two_perfect_models_are_not_proven_equal() -> None:
    made = hs.compare(cube([20, 0, 0, 0, 0, 0, 0, 20]), "accuracy")
    assert made.low < -0.05
    assert made.high > 0.05
    assert hs.compare(cube([20, 0, 0, 0, 0, 0, 0, 20]), "accuracy", method="wald").low == 0


def test_a_model_without_positives() -> None:
    made = hs.compare(cube([30, 6, 0, 0, 8, 12, 0, 0]), "precision")
    assert math.isnan(made.difference)
    assert math.isnan(made.low)
    assert math.isnan(made.p_value)
    assert "cannot be compared" in made.sentence
    assert any(str(note).startswith("a: precision is undefined") for note in made.notes)
    assert made.verdict is None


def test_what_is_said() -> None:
    made = hs.compare(EXAMPLE, "accuracy")
    assert repr(made).startswith("accuracy: b − a = +0.037 [")  # (31 − 20) / 300
    assert made.discordant == (12 + 8, 9 + 22)
    assert made.unpaired[1] - made.unpaired[0] > made.high - made.low
    assert made.detectable == pytest.approx((Z + 0.8416212) * made.se, rel=1e-6)
    assert "That is not proof of equality. A true difference of" in made.sentence
    assert set(made.to_dict()) >= {"difference", "low", "high", "p_value", "method", "level", "version", "sentence"}
    few = hs.compare(cube([40, 1, 0, 3, 2, 3, 0, 41]), "accuracy")
    assert any(note.kind == "few" for note in few.notes)


def test_overlap_is_no_test() -> None:
    made = hs.compare(cube([400, 4, 22, 60, 60, 26, 6, 422]), "accuracy")
    assert made.decided
    assert any(note.kind == "overlap" for note in made.notes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": "a"}, "give both a and b"),
        ({"a": "a", "b": "a"}, "a and b are both 'a'"),
        ({"a": "a", "b": "x"}, "model 'x' is not in the table"),
        ({"kind": "sum"}, "kind is 'sum'; it must be one of 'difference', 'ratio'"),
        ({"alternative": "bigger"}, "alternative is 'bigger'"),
        ({"margin": -1}, "margin is -1; it must be a finite number"),
        ({"rope": math.inf}, "rope is inf"),
        ({"kind": "ratio", "margin": 0.1}, "margin is about differences"),
        ({"method": "wilson"}, "method 'wilson' does not compare two models"),
        ({"method": "movr"}, "Did you mean 'mover'"),
        ({"level": 95}, "level is 95"),
    ],
)
def test_refusals(arguments: dict, message: str) -> None:
    with pytest.raises(hs.HowsureError, match=message):
        hs.compare(EXAMPLE, "accuracy", **arguments)


def test_two_tables_are_refused() -> None:
    with pytest.raises(hs.InputError, match="models are compared within one table"):
        hs.compare(EXAMPLE, EXAMPLE)
    three = hs.table([0, 1], {"a": [0, 1], "b": [1, 1], "c": [0, 0]})
    with pytest.raises(hs.InputError, match="holds 3 models"):
        hs.compare(three, "accuracy")


# ---- real data


def test_named_entities_by_sentence(shared_data: Path) -> None:
    """Paired, the standard error of the F1 difference is less than half of the unpaired one."""
    from howsure.rows import Bags
    from howsure.table import merged_rows

    with (shared_data / "conll2003-ner-tags" / "sentence_counts.csv").open() as file:
        rows = list(csv.DictReader(file))
    systems = ("elmo", "flair")
    counts = {
        (system, part): np.array([int(row[f"{system}_{part}"]) for row in rows])
        for system in systems
        for part in ("tp", "fp", "fn")
    }
    actual = counts["elmo", "tp"] + counts["elmo", "fn"]
    assert (actual == counts["flair", "tp"] + counts["flair", "fn"]).all()
    hits = np.stack([counts[system, "tp"] for system in systems], axis=1)[:, :, None]
    predicted = np.stack([counts[system, "tp"] + counts[system, "fp"] for system in systems], axis=1)[:, :, None]
    bags = Bags(actual[:, None], predicted, hits)
    table = merged_rows(bags, np.ones(len(rows)), labels=("entity",), models=systems, negatives=False)
    made = hs.compare(table, "micro_f1", "elmo", "flair")
    assert (made.value_a, made.value_b) == pytest.approx((0.9222, 0.9303), abs=5e-5)
    assert made.se == pytest.approx(0.0023, abs=5e-5)
    apart = math.hypot(*(hs.estimate(table, "micro_f1", model=system).se for system in systems))
    assert apart == pytest.approx(0.0054, abs=1e-4)
    assert made.winner == "flair"


def test_two_sentiment_systems(shared_data: Path) -> None:
    with (shared_data / "sst2-two-systems" / "predictions.csv").open() as file:
        rows = list(csv.DictReader(file))
    table = hs.table([row["gold"] for row in rows], {name: [row[name] for row in rows] for name in ("cnn", "lstm")})
    made = hs.compare(table, "accuracy", "cnn", "lstm", method="mid-p")
    assert (made.value_a, made.value_b) == pytest.approx((0.8572, 0.8803), abs=5e-5)
    assert made.winner == "lstm"
    assert made.p_value < 0.05


def test_the_ratio_to_nothing_is_undefined_by_every_method() -> None:
    table = hs.table([0, 1] * 50, {"a": [0, 1, 1, 0] * 25, "b": [0, 1, 0, 1] * 25})
    for method in ("mover", "wald", "bootstrap"):
        made = hs.compare(table, "mcc", "a", "b", kind="ratio", method=method)
        assert made.value_a == 0
        assert math.isnan(made.low)
        assert math.isnan(made.high)

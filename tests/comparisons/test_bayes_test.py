"""hs.posterior and hs.bayes_test: against closed forms, scipy and plain draws; what is decided and what is said."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import howsure as hs
from howsure.metrics.catalogue import CATALOGUE

A = hs.folds([(208, 15, 105), (210, 18, 106), (209, 19, 104), (208, 16, 109), (206, 19, 107), (206, 17, 111)])
B = hs.folds([(207, 15, 107), (211, 17, 106), (208, 17, 106), (207, 15, 110), (204, 16, 110), (205, 16, 112)])
cells = st.integers(0, 40)


def beta_exceeds(b: tuple[int, int], a: tuple[int, int]) -> mpmath.mpf:
    """P(Beta(b) > Beta(a)) for whole parameters, a finite sum."""
    (first_b, second_b), (first_a, second_a) = b, a
    total = mpmath.mpf(0)
    for i in range(first_b):
        top = mpmath.beta(first_a + i, second_a + second_b)
        total += top / ((second_b + i) * mpmath.beta(1 + i, second_b) * mpmath.beta(first_a, second_a))
    return total


# ---- the posterior


@pytest.mark.parametrize("prior", [0.5, 1.0, 2.5])
def test_precision_recall_and_f1(prior: float) -> None:
    tp, fp, fn = 77, 44, 10
    table = hs.counts(tp=tp, fp=fp, fn=fn)
    for metric, wrong in (("precision", fp), ("recall", fn)):
        law, oracle = hs.posterior(table, metric, prior=prior), stats.beta(tp + prior, wrong + prior)
        assert (law.mean, law.sd) == pytest.approx((oracle.mean(), oracle.std()), rel=1e-12)
        assert law.interval(0.9) == pytest.approx(oracle.ppf([0.05, 0.95]), rel=1e-10)
    law, share = hs.posterior(table, "f1", prior=prior), stats.beta(tp + prior, fp + fn + 2 * prior)
    ends = share.ppf([0.025, 0.975])
    assert law.interval(0.95) == pytest.approx(2 * ends / (1 + ends), rel=1e-10)
    assert law.mean == pytest.approx(integrate.quad(lambda u: 2 * u / (1 + u) * share.pdf(u), 0, 1)[0], abs=1e-8)


def test_the_default_prior_is_the_papers() -> None:
    table = hs.counts(tp=7, fp=3, fn=2)
    assert hs.posterior(table, "f1") == hs.posterior(table, "f1", prior=1.0) == hs.SharePosterior(8, 7, 0.5)


@pytest.mark.parametrize(
    "entry",
    [entry for entry in CATALOGUE if entry.share is not None and entry.over != "row"],
    ids=lambda entry: entry.name,
)
def test_every_share_of_the_catalogue(entry: hs.Metric) -> None:
    counts = {"tp": 7.0, "fp": 2.0, "fn": 3.0, "tn": 9.0, "hits": 16.0, "misses": 5.0}
    law = hs.posterior(hs.counts(tp=7, fp=2, fn=3, tn=9), entry, prior=0.5)
    sides = entry.share.success, entry.share.failure
    fewest = min(map(len, sides))  # a prevalence has two cells on each side: ½ for each side, as for accuracy
    a, b = (sum(counts[cell] + 0.5 / fewest for cell in part) for part in sides)
    assert isinstance(law, hs.SharePosterior)
    assert (law.a, law.b, law.weight) == pytest.approx((a, b, entry.share.weight), rel=1e-14)


def test_before_any_data_there_is_the_prior() -> None:
    assert hs.posterior(hs.counts(tp=0, fp=0, fn=0), "f1") == hs.SharePosterior(1, 2, 0.5)


def test_folds_count_as_their_effective_table() -> None:
    tp, fp, fn = (A.factor * sum(getattr(one, cell) for one in A.tables) for cell in ("tp", "fp", "fn"))
    law = hs.posterior(A, "f1")
    assert (law.a, law.b) == pytest.approx((tp + 1, fp + fn + 2), rel=1e-13)


def test_any_metric_through_a_dirichlet_with_two_rows_in_all() -> None:
    matrix = np.array([[20, 3, 1], [2, 15, 4], [0, 5, 9]])
    table = hs.matrix(matrix, rows="truth")
    drawn = np.random.default_rng(5).dirichlet(matrix.ravel() + 2 / 9, 200_000).reshape(-1, 3, 3)
    hit = np.diagonal(drawn, axis1=1, axis2=2)
    f1 = 2 * hit / (drawn.sum(1) + drawn.sum(2))
    law = hs.posterior(table, "macro_f1")
    assert isinstance(law, hs.SampledPosterior)
    assert law.mean == pytest.approx(f1.mean(), abs=4 * law.sd * math.sqrt(1 / 1e5 + 1 / 2e5))
    assert law.sd == pytest.approx(f1.mean(axis=1).std(), rel=0.02)
    assert hs.posterior(table, "macro_f1") is not law
    assert np.array_equal(hs.posterior(table, "macro_f1").draws, law.draws)  # same seed, same draws
    swamped = hs.posterior(table, "macro_f1", prior=1.0)
    assert swamped.mean < law.mean - 0.005  # why a K×K Dirichlet must not carry mass 1 per cell


def test_without_true_negatives_three_cells_tell_the_same() -> None:
    """The shares of tp, fp, fn among themselves do not depend on tn: the Dirichlet is neutral."""
    without, with_tn = (hs.posterior(hs.counts(tp=30, fp=8, fn=5, tn=tn), "f2") for tn in (None, 40))
    assert without.mean == pytest.approx(with_tn.mean, abs=4 * math.hypot(without.error().mean, with_tn.error().mean))
    tp, fp, fn = np.random.default_rng(1).gamma([30.5, 8.5, 5.5], size=(200_000, 3)).T
    plain = 5 * tp / (5 * tp + fp + 4 * fn)
    assert without.mean == pytest.approx(plain.mean(), abs=4 * plain.std() * math.sqrt(1 / 1e5 + 1 / 2e5))


def tagged(rng: np.random.Generator, sentences: int) -> hs.Table:
    tags = np.array(["O", "B-X", "B-Y"])
    gold = [tags[rng.choice(3, size=rng.integers(2, 8), p=[0.4, 0.3, 0.3])].tolist() for _ in range(sentences)]
    said = [[tag if rng.random() < 0.8 else "O" for tag in sentence] for sentence in gold]
    return hs.spans(gold, {"crf": said})


def test_chunks_count_as_what_they_are_worth() -> None:
    """A table of sentences is worth fewer chunks than it has where they are clustered, as in estimate."""
    table = tagged(np.random.default_rng(3), 200)
    law = hs.posterior(table, "f1")
    found = hs.estimate(table, "f1", method=hs.Bayes(prior=1.0))
    assert law.interval(0.95) == pytest.approx((found.low, found.high), rel=1e-9)


def test_macro_over_types_of_chunks() -> None:
    table = tagged(np.random.default_rng(4), 300)
    held = hs.folds([table] * 2, factor=0.5)  # counts as they are
    tp, predicted, actual = (
        np.array([table.counts @ part for part in parts.T])
        for parts in (table.rows.hits[:, 0], table.rows.predicted[:, 0], table.rows.actual)
    )
    shapes = np.concatenate([tp, predicted - tp, actual - tp]) + 1 / 3
    gammas = np.random.default_rng(0).gamma(shapes, size=(200_000, 6)).reshape(-1, 3, 2)
    macro = (2 * gammas[:, 0] / (2 * gammas[:, 0] + gammas[:, 1] + gammas[:, 2])).mean(axis=1)
    law = hs.posterior(held, "macro_f1")
    assert law.mean == pytest.approx(macro.mean(), abs=4 * macro.std() * math.sqrt(1 / 1e5 + 1 / 2e5))
    assert law.sd == pytest.approx(macro.std(), rel=0.02)


def test_rows_with_several_labels_have_no_posterior_of_an_average() -> None:
    table = hs.table([{"a"}, {"a", "b"}, set()], [{"a"}, {"b"}, {"a"}])
    with pytest.raises(hs.MethodError, match="'macro_f1' has no posterior here"):
        hs.posterior(table, "macro_f1")
    assert hs.posterior(table, "f1[a]").a > 1


def test_numbers_of_any_size() -> None:
    for scale in (0.3, 1.0, 1e9):  # below it all counts were shares, which ask for n
        test = hs.bayes_test(
            hs.counts(tp=8 * scale, fp=scale, fn=scale), hs.counts(tp=7 * scale, fp=2 * scale, fn=scale)
        )
        assert 0 <= test.p_h0 <= 1
        assert test.p_h0 + test.p_h1 == pytest.approx(1, abs=1e-15)
        assert -1 <= test.low < test.difference < test.high <= 1


# ---- the test


@settings(max_examples=25)
@given(st.tuples(cells, cells, cells), st.tuples(cells, cells, cells))
def test_p_h1_is_the_finite_sum(a: tuple[int, int, int], b: tuple[int, int, int]) -> None:
    first, second = (hs.counts(tp=tp, fp=fp, fn=fn) for tp, fp, fn in (a, b))
    for metric, parts in (("precision", (1,)), ("recall", (2,)), ("f1", (1, 2))):
        shapes = [(counts[0] + 1, sum(counts[part] + 1 for part in parts)) for counts in (a, b)]
        exact = float(beta_exceeds(shapes[1], shapes[0]))
        found = hs.bayes_test(first, second, metric)
        assert found.p_h1 == pytest.approx(exact, abs=1e-10)
        assert found.p_h0 == pytest.approx(1 - exact, abs=1e-10)
        assert found.decision == ("Accept H1" if found.p_h1 > found.p_h0 else "Accept H0")


@pytest.mark.parametrize("metric", ["precision", "recall", "f1"])
def test_turning_the_models_round(metric: str) -> None:
    one, other = hs.bayes_test(A, B, metric, rope=0.01), hs.bayes_test(B, A, metric, rope=0.01)
    assert one.p_h0 == pytest.approx(other.p_h1, abs=1e-12)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)
    assert one.difference == pytest.approx(-other.difference, abs=1e-14)
    assert one.rope_probabilities == pytest.approx(other.rope_probabilities[::-1], abs=1e-11)


def test_identical_models_give_a_half_and_h0() -> None:
    test = hs.bayes_test(A, A)
    assert (test.p_h0, test.p_h1, test.decision) == (0.5, 0.5, "Accept H0")


def test_h1_says_that_b_is_better() -> None:
    worse, better = hs.folds([(60, 20, 20)] * 6), hs.folds([(80, 10, 10)] * 6)
    test = hs.bayes_test(worse, better)
    assert test.decision == "Accept H1"
    assert test.p_h0 < 1e-4
    assert test.low > 0


def test_rope_and_interval_against_two_dimensional_integrals() -> None:
    first, second = hs.counts(tp=9, fp=3, fn=4), hs.counts(tp=11, fp=4, fn=1)
    test = hs.bayes_test(first, second, "recall", rope=0.1, level=0.9)
    a, b = stats.beta(10, 5), stats.beta(12, 2)
    mass = [
        integrate.quad(lambda r, cut=cut: a.pdf(r) * b.cdf(r + cut), 0, 1, epsabs=1e-12)[0]
        for cut in (-0.1, 0.1, test.low, test.high)
    ]
    assert test.rope_probabilities == pytest.approx((mass[0], mass[1] - mass[0], 1 - mass[1]), abs=1e-8)
    assert mass[2:] == pytest.approx([0.05, 0.95], abs=1e-8)
    assert test.difference == pytest.approx(12 / 14 - 10 / 15, abs=1e-14)
    assert sum(test.rope_probabilities) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("metric", ["precision", "recall", "f1"])
def test_drawing_agrees_with_quadrature(metric: str) -> None:
    exact, drawn = hs.bayes_test(A, B, metric, rope=0.02), hs.bayes_test(A, B, metric, rope=0.02, method="monte-carlo")
    assert (exact.method, exact.error, exact.draws, exact.seed) == ("exact", None, None, None)
    assert (drawn.method, drawn.draws, drawn.seed) == ("monte-carlo", 10**6, 0)
    assert abs(drawn.p_h0 - exact.p_h0) < 4 * drawn.error < 0.003
    assert drawn.rope_probabilities == pytest.approx(exact.rope_probabilities, abs=0.003)
    assert (drawn.low, drawn.high) == pytest.approx((exact.low, exact.high), abs=3e-4)
    assert drawn.difference == pytest.approx(exact.difference, abs=1e-4)


def test_metrics_that_are_no_share() -> None:
    first, second = hs.counts(tp=30, fp=8, fn=5, tn=40), hs.counts(tp=33, fp=4, fn=2, tn=44)
    test = hs.bayes_test(first, second, "mcc", draws=10**5)
    rng = np.random.default_rng(3)

    def mcc(counts: list[int]) -> np.ndarray:
        tp, fp, fn, tn = rng.gamma(np.array(counts) + 0.5, size=(200_000, 4)).T
        return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))

    differences = mcc([33, 4, 2, 44]) - mcc([30, 8, 5, 40])
    assert test.method == "monte-carlo"
    assert test.prior == 0.5
    assert abs(test.p_h1 - np.mean(differences > 0)) < 4 * math.hypot(test.error, 0.5 / math.sqrt(200_000))
    assert (test.low, test.high) == pytest.approx(np.quantile(differences, [0.025, 0.975]), abs=0.005)
    assert hs.bayes_test(first, second, "mcc", draws=10**5) == test
    with pytest.raises(hs.MethodError, match="'exact' needs a share of cells, and 'mcc' is none"):
        hs.bayes_test(first, second, "mcc", method="exact")


# ---- paired on the same rows

RNG = np.random.default_rng(11)
TRUTH = RNG.integers(0, 2, 400)
FIRST = np.where(RNG.random(400) < 0.8, TRUTH, 1 - TRUTH)
SECOND = np.where(RNG.random(400) < 0.9, FIRST, TRUTH)  # mends a tenth, mostly where the first is wrong
JOINT = hs.table(TRUTH, {"first": FIRST, "second": SECOND})


def joint_counts() -> np.ndarray:
    counts = np.zeros((2, 2, 2))
    np.add.at(counts, (TRUTH, FIRST, SECOND), 1)
    return counts


@pytest.mark.parametrize("metric", ["recall", "accuracy"])
def test_paired_shares_are_the_bayesian_mcnemar_test(metric: str) -> None:
    counted = (TRUTH == 1) if metric == "recall" else np.ones(400, dtype=bool)
    gained, lost = (
        np.sum(counted & (one == TRUTH) & (two != TRUTH)) for one, two in ((SECOND, FIRST), (FIRST, SECOND))
    )
    mass = 0.5 if metric == "recall" else 1.0  # prior 1 per cell of each model's table: 1/2 per cell of the joint one
    test = hs.bayes_test(JOINT, metric=metric, prior=1.0)
    assert (test.method, test.pairing, test.a, test.b) == ("exact", "paired", "first", "second")
    assert test.p_h1 == pytest.approx(stats.beta(gained + mass, lost + mass).sf(0.5), abs=1e-12)


@pytest.mark.parametrize("metric", ["f1", "precision", "mcc"])
def test_paired_metrics_against_plain_draws(metric: str) -> None:
    test = hs.bayes_test(JOINT, metric=metric, prior=1.0, rope=0.02, draws=10**5)
    gammas = np.random.default_rng(2).gamma(joint_counts() + 0.5, size=(200_000, 2, 2, 2))

    def value(cells: np.ndarray) -> np.ndarray:
        tn, fp, fn, tp = cells[:, 0, 0], cells[:, 0, 1], cells[:, 1, 0], cells[:, 1, 1]
        if metric == "mcc":
            return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return tp / (tp + fp) if metric == "precision" else 2 * tp / (2 * tp + fp + fn)

    differences = value(gammas.sum(2)) - value(gammas.sum(3))
    error = math.hypot(test.error, math.sqrt(np.mean(differences > 0) * np.mean(differences <= 0) / 200_000))
    assert abs(test.p_h1 - np.mean(differences > 0)) < 4 * error + 1e-5
    assert (test.low, test.high) == pytest.approx(np.quantile(differences, [0.025, 0.975]), abs=0.002)
    assert test.difference == pytest.approx(differences.mean(), abs=3e-4)
    inside = np.mean(np.abs(differences) <= 0.02)
    assert test.rope_probabilities[1] == pytest.approx(inside, abs=0.01)
    drawn = hs.bayes_test(JOINT, metric=metric, prior=1.0, draws=10**5, method="monte-carlo")
    assert abs(drawn.p_h1 - np.mean(differences > 0)) < 4 * math.hypot(drawn.error, 0.5 / math.sqrt(200_000))


def test_pairing_narrows_what_agreeing_models_leave_open() -> None:
    paired, apart = hs.bayes_test(JOINT), hs.bayes_test(JOINT, pairing="independent", prior=0.5)
    assert paired.high - paired.low < 0.7 * (apart.high - apart.low)
    assert "independence" in {note.kind for note in apart.notes}
    assert "independence" not in {note.kind for note in paired.notes}


def test_models_of_a_larger_table() -> None:
    table = hs.table(TRUTH, {"x": FIRST, "y": SECOND, "z": TRUTH})
    assert hs.bayes_test(table, models=("x", "y")).p_h0 == hs.bayes_test(JOINT).p_h0
    assert hs.bayes_test(table, metric="accuracy", models=("z", "x")).decision == "Accept H0"


def test_paired_folds_scale_the_joint_table() -> None:
    """Two models of one cross-validation: the factor goes on the table of (truth, A, B)."""
    models = {
        "first": lambda X, y, asked: FIRST[asked.ravel()],
        "second": lambda X, y, asked: SECOND[asked.ravel()],
    }
    a, b = hs.cross_validate(models, np.arange(400)[:, None], TRUTH)
    test = hs.bayes_test(a, b, "recall", pairing="paired", prior=1.0)
    gained, lost = (
        np.sum((TRUTH == 1) & (one == 1) & (two == 0)) * 3 * a.factor for one, two in ((SECOND, FIRST), (FIRST, SECOND))
    )
    assert test.p_h1 == pytest.approx(stats.beta(gained + 0.5, lost + 0.5).sf(0.5), abs=1e-12)
    assert test.factors == (a.factor, a.factor)
    apart = hs.bayes_test(a, b, "recall")
    assert apart.pairing == "independent"
    assert test.high - test.low < apart.high - apart.low


# ---- what is said


def test_one_line_a_sentence_and_a_dictionary() -> None:
    first, second = hs.counts(tp=9, fp=3, fn=4, model="old"), hs.counts(tp=11, fp=4, fn=1, model="new")
    test = hs.bayes_test(first, second, "recall", rope=0.1)
    p_h1 = float(beta_exceeds((12, 2), (10, 5)))
    assert repr(test) == (
        f"recall: new − old = +0.190, 95% credible interval −{-test.low:.3f} to +{test.high:.3f}; "
        f"new higher with probability {p_h1:.4f}"
    )
    assert test.sentence == (
        f"new has the higher recall with probability {p_h1:.2f}: not decided. They differ by at most 0.1 with "
        f"probability {test.rope_probabilities[1]:.2f}. Given the data and a prior of 1 per cell; the two models are "
        "taken as independent."
    )
    assert (test.value_a, test.value_b) == pytest.approx((9 / 13, 11 / 12), rel=1e-14)
    plain = json.loads(test.to_json())
    assert plain["p_h0"] == test.p_h0
    assert plain["factors"] == [None, None]
    assert json.loads(hs.bayes_test(A, B).to_json())["factors"] == [A.factor, B.factor]
    assert plain["version"] == hs.__version__
    assert {"level", "method", "pairing", "prior", "seed", "notes"} <= plain.keys()
    assert all(str(note) in str(test) for note in test.notes)
    with pytest.raises(FrozenInstanceError):
        test.p_h0 = 0.5  # type: ignore[misc]


def test_the_effective_sample_is_said_to_exceed_the_data() -> None:
    kinds = {note.kind: note for note in hs.bayes_test(A, B).notes}
    assert kinds["factor"].startswith("the effective counts are 1.106 times the data that there are")
    assert "factor" not in {
        note.kind for note in hs.bayes_test(A.with_factor("conservative"), B.with_factor(1 / 3)).notes
    }
    assert "factor" not in {
        note.kind for note in hs.bayes_test(hs.counts(tp=9, fp=1, fn=1), hs.counts(tp=8, fp=1, fn=1)).notes
    }


def test_unequal_numbers_of_folds_are_said() -> None:
    shorter = hs.folds(B.tables[:4])
    kinds = {note.kind: note for note in hs.bayes_test(A, shorter).notes}
    assert kinds["folds"].startswith("model A was tested on 6 folds and model B on 4")
    assert "folds" not in {note.kind for note in hs.bayes_test(A, B).notes}


def test_a_level_of_another_width() -> None:
    assert hs.bayes_test(A, B, level=np.float32(0.5)).low == hs.bayes_test(A, B, level=0.5).low


def test_a_prior_that_weighs_is_said() -> None:
    few, many = (hs.bayes_test(hs.counts(tp=n, fp=1, fn=1), hs.counts(tp=n, fp=0, fn=1)) for n in (5, 500))
    assert "prior" in {note.kind for note in few.notes}
    assert "prior" not in {note.kind for note in many.notes}


def test_chunks_that_hang_together_are_said() -> None:
    """Sentences that are all right or all wrong: counts spread several times as much as single chunks."""
    gold = [["B-X"] * 6] * 40
    said = [["B-X"] * 6 if place % 4 else ["O"] * 6 for place in range(40)]
    held = hs.folds([hs.spans(gold, {"crf": said})] * 6)
    kinds = {note.kind: note for note in hs.bayes_test(held, held, "recall").notes}
    assert "they spread 6.00 times as much" in kinds["clusters"]
    assert "clusters" not in {note.kind for note in hs.bayes_test(A, B).notes}


def test_a_metric_where_less_is_better() -> None:
    first, second = hs.counts(tp=9, fp=1, fn=1, tn=9), hs.counts(tp=9, fp=5, fn=1, tn=5)
    test = hs.bayes_test(first, second, "false_positive_rate")
    assert test.decision == "Accept H1"
    assert "For false positive rate lower is better." in test.sentence


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hs.bayes_test(A), "b is missing"),
        (lambda: hs.bayes_test(A, "f1"), "b is 'f1'; it must be Folds or a Table"),
        (lambda: hs.bayes_test([1, 2], B), r"a is \[1, 2\]"),
        (lambda: hs.bayes_test(JOINT, models=("first",)), "it must name two different models of 'first', 'second'"),
        (lambda: hs.bayes_test(JOINT, models=("first", "secnd")), "Did you mean 'second'"),
        (lambda: hs.bayes_test(A, B, models=("a", "b")), "models names two models of one table"),
        (lambda: hs.bayes_test(A, B, pairing="paired"), "do not come from one cross_validate call"),
        (lambda: hs.bayes_test(A, B, pairing="both"), "pairing is 'both'"),
        (lambda: hs.bayes_test(A, B, method="mc"), "method is 'mc'"),
        (lambda: hs.bayes_test(A, B, prior=0), "prior is 0; it must be a positive number per cell"),
        (lambda: hs.bayes_test(A, B, level=95), "level is 95; it must lie strictly between 0 and 1"),
        (lambda: hs.bayes_test(A, B, rope=-0.1), "rope is -0.1"),
        (lambda: hs.bayes_test(A, B, "accuracy"), "needs the true negatives"),
        (lambda: hs.bayes_test(JOINT, metric="f1", method="exact"), "not available for paired 'f1'"),
        (
            lambda: hs.bayes_test(hs.spans([["B-X"]], {"a": [["B-X"]], "b": [["O"]]})),
            "pairing is 'paired', but the table holds rows with several labels or chunks",
        ),
        (
            lambda: hs.bayes_test(hs.table([1, 0], {"a": [1, 0], "b": [1, 1]}, groups=["x", "y"])),
            "the table holds rows in groups",
        ),
        (lambda: hs.posterior("x"), "data is str; it must be a Table"),
        (lambda: hs.posterior(A, "f1", prior=-1), "prior is -1"),
    ],
)
def test_refusals(call, message: str) -> None:
    with pytest.raises(hs.HowsureError, match=message):
        call()

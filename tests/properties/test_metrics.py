"""What holds for every metric of the catalogue, whatever the table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.gradient import moments
from howsure.metrics.metric import selection_of
from howsure.metrics.names import named
from howsure.tables.covariance import linearise
from support.strategies import LETTERS, averaged_metrics, count_matrices, lettered, metrics_for, one_class_metrics, some

POSITIVE = count_matrices(least=1)
ANY = count_matrices()


def answer(table: hs.Table, metric: hs.Metric) -> tuple[float, float]:
    """Return value and linearised standard error, nan where there is none."""
    found = linearise(table, metric).as_textbook()
    return found.value, math.sqrt(found.variance) if found.variance >= 0 else math.nan


def same(first: tuple[float, float], second: tuple[float, float], factor: float = 1.0) -> bool:
    expected = (second[0], second[1] * factor)
    return first == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


def rows_of(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels of each row that the counts stand for."""
    truth, guess = np.indices(counts.shape)
    times = counts.astype(int).ravel()
    letters = np.array(LETTERS)
    return letters[np.repeat(truth.ravel(), times)], letters[np.repeat(guess.ravel(), times)]


@some(8)
@given(ANY, st.integers(0, 2**32 - 1))
def test_order_of_rows_does_not_matter(counts: np.ndarray, seed: int) -> None:
    truth, guess = rows_of(counts)
    if not len(truth):
        return
    order = np.random.default_rng(seed).permutation(len(truth))
    labels = LETTERS[: len(counts)]
    shuffled = hs.table(truth[order], guess[order], labels=labels, pos_label=labels[-1])
    typed = lettered(counts)
    assert np.array_equal(shuffled.matrix(), typed.matrix())
    for metric in metrics_for(len(counts)):
        assert same(answer(shuffled, metric), answer(typed, metric)), metric.name


@some(8)
@given(POSITIVE, st.randoms(use_true_random=False))
def test_order_of_classes_does_not_matter(counts: np.ndarray, random: object) -> None:
    """Permuting the classes changes no metric but those that take the classes in order."""
    labels = list(LETTERS[: len(counts)])
    order = list(range(len(counts)))
    random.shuffle(order)  # type: ignore[attr-defined]
    moved = hs.matrix(
        counts[np.ix_(order, order)], rows="truth", labels=[labels[k] for k in order], pos_label=labels[-1]
    )
    table = lettered(counts)
    for metric in metrics_for(len(counts)):
        assert metric.scores is not None or same(answer(moved, metric), answer(table, metric)), metric.name


def with_new_names(metric: hs.Metric, names: dict[str, object]) -> hs.Metric:
    """Return the metric of the class that is called otherwise now; those that name no class as they are."""
    first = LETTERS[0]
    single = {hs.of_class(base, first).name: hs.of_class(base, names[first]) for base in one_class_metrics()}
    part = {hs.micro("f1", without=[first]).name: hs.micro("f1", without=[names[first]])}
    return (single | part).get(metric.name, metric)


@pytest.mark.parametrize("sorts", ["alike", "backwards", "as numbers"])
@some(16)
@given(POSITIVE)
def test_names_of_classes_do_not_matter(sorts: str, counts: np.ndarray) -> None:
    """Other labels, in their rows or given to the table later, and the classes that metrics name called by them."""
    labels = LETTERS[: len(counts)]
    named_anew: dict[str, list[object]] = {
        "alike": [f"class {label}" for label in labels],
        "backwards": [f"no. {9 - place}" for place in range(len(labels))],
        "as numbers": [100 - 7 * place for place in range(len(labels))],
    }
    new = named_anew[sorts]
    names = dict(zip(labels, new, strict=True))
    truth, guess = ([names[label] for label in column] for column in rows_of(counts))
    from_rows = hs.table(truth, guess, pos_label=new[-1])
    later = lettered(counts).relabel(names)
    assert set(from_rows.labels) == set(later.labels) == set(new)
    assert later.pos_label == new[-1]
    table = lettered(counts)
    for metric in metrics_for(len(counts)):
        here, other = answer(table, metric), with_new_names(metric, names)
        assert same(answer(later, other), here), (metric.name, other.name)
        # Rows put their labels in sorted order; metrics that take the classes in order see another one then.
        in_order = metric.scores is None or list(from_rows.labels) in (new, new[::-1])
        assert not in_order or same(answer(from_rows, other), here), (metric.name, other.name)


def test_ordered_kappas_do_depend_on_the_order() -> None:
    counts = np.array([[9.0, 1, 0], [2, 9, 1], [5, 1, 9]])
    order = [1, 0, 2]
    table = lettered(counts)
    for name in ("kappa_linear", "kappa_quadratic"):
        moved = answer(lettered(counts[np.ix_(order, order)]), named(name))
        assert not same(moved, answer(table, named(name)))


@some(8)
@given(POSITIVE, st.sampled_from([0.4, 3.0, 1000.0]))  # no factor makes whole counts sum to 1: shares are refused
def test_scaling_the_counts_scales_the_error_only(counts: np.ndarray, factor: float) -> None:
    table, grown = lettered(counts), lettered(counts * factor)
    for metric in metrics_for(len(counts)):
        scaled, plain = answer(grown, metric), answer(table, metric)
        assert same(scaled, plain, factor**-0.5), metric.name


@some(8)
@given(ANY)
def test_value_lies_in_its_range_and_the_error_is_no_less_than_zero(counts: np.ndarray) -> None:
    table = lettered(counts)
    for metric in metrics_for(len(counts)):
        value, se = answer(table, metric)
        low, high = metric.range
        assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12, metric.name
        assert math.isnan(se) or se >= 0, metric.name


@some(8)
@given(count_matrices(most=2))
def test_undefined_is_never_silent(counts: np.ndarray) -> None:
    """A nan value, or a class left out of an average, has a note that says so and names the class."""
    table = lettered(counts)
    for metric in metrics_for(len(counts)):
        found = hs.estimate(table, metric, method="wald")
        notes = [note for note in found.notes if note.kind == "undefined"]
        if math.isnan(found.value):
            assert notes, metric.name
            assert all(math.isnan(part) for part in (found.low, found.high, found.se)), metric.name
            named_class = any(f"'{label}'" in note for label in table.labels for note in notes)
            assert named_class or counts.sum() == 0 or metric.name == "macro_f1_star", (metric.name, notes)
        elif math.isinf(found.value) or math.isnan(found.se):
            assert any(note.kind == "boundary" for note in found.notes), metric.name


@some(8)
@given(count_matrices(most=2))
def test_a_skipped_or_zeroed_class_is_said_and_named(counts: np.ndarray) -> None:
    table = lettered(counts)
    names = ("macro_f1", "macro_precision", "weighted_precision", "balanced_accuracy", "macro_f1_star", "macro_npv")
    for name in names:
        strict = hs.estimate(table, name, method="wald")
        for policy in ("skip", "zero"):
            loose = hs.estimate(table, name, method="wald", undefined=policy)
            if math.isnan(strict.value) and not math.isnan(loose.value):
                assert any(note.kind == "undefined" and "class '" in note for note in loose.notes), name
            if not math.isnan(strict.value):
                assert loose.value == strict.value, name


@some(3)
@given(POSITIVE)
def test_swapping_truth_and_prediction_swaps_the_roles(counts: np.ndarray) -> None:
    here, there = lettered(counts), lettered(counts.T)
    pairs = [
        ("precision", "recall"), ("npv", "specificity"), ("false_discovery_rate", "false_negative_rate"),
        ("false_omission_rate", "false_positive_rate"), ("informedness", "markedness"), ("f0.5", "f2"),
        ("prevalence", "predicted_prevalence"), ("tversky(0.3,1.7)", "tversky(1.7,0.3)"),
        ("macro_precision", "macro_recall"), ("micro_npv", "micro_specificity"),
    ]  # fmt: skip
    own = ["f1", "jaccard", "fowlkes_mallows", "lift", "odds_ratio", "accuracy", "mcc", "kappa", "kappa_linear"]
    own += ["kappa_quadratic", "macro_f1", "micro_f1", "macro_f1_star"]
    for first, second in (*pairs, *((name, name) for name in own)):
        assert same(answer(here, named(first)), answer(there, named(second))), first


@some(3)
@given(POSITIVE)
def test_complements_and_links(counts: np.ndarray) -> None:
    """Metrics that are functions of each other have errors that follow by the chain rule."""
    table = lettered(counts)
    for first, second in (
        ("accuracy", "error_rate"), ("specificity", "false_positive_rate"), ("recall", "false_negative_rate"),
        ("precision", "false_discovery_rate"), ("npv", "false_omission_rate"),
    ):  # fmt: skip
        (value, se), (other, other_se) = answer(table, named(first)), answer(table, named(second))
        assert (value + other, se) == pytest.approx((1.0, other_se), rel=1e-9)
    jaccard, jaccard_se = answer(table, named("jaccard"))
    f1, f1_se = answer(table, named("f1"))
    assert f1 == pytest.approx(2 * jaccard / (1 + jaccard), rel=1e-12)
    assert f1_se == pytest.approx(2 / (1 + jaccard) ** 2 * jaccard_se, rel=1e-9)


@some(3)
@given(POSITIVE)
def test_micro_averages_of_all_classes_are_accuracy(counts: np.ndarray) -> None:
    """Every miss is one false positive and one false negative: micro precision, recall and F-beta coincide."""
    table = lettered(counts)
    for name in ("micro_precision", "micro_recall", "micro_f1", "micro_f0.5", "micro_f2", "micro_overlap"):
        assert same(answer(table, named(name)), answer(table, named("accuracy"))), name


@some(3)
@given(POSITIVE)
def test_one_class_of_the_table_is_the_binary_table(counts: np.ndarray) -> None:
    table = lettered(counts)
    one = table.binary("a")
    for metric in one_class_metrics():
        assert same(answer(table, hs.of_class(metric, "a")), answer(one, metric)), metric.name


@some(3)
@given(count_matrices(classes=st.just(2), least=1))
def test_averages_of_two_classes(counts: np.ndarray) -> None:
    """Balanced accuracy is (recall + specificity)/2; informedness is 2·balanced accuracy − 1; MCC² = J·markedness."""
    table = lettered(counts)
    balanced, balanced_se = answer(table, named("balanced_accuracy"))
    informedness, informedness_se = answer(table, named("informedness"))
    assert (2 * balanced - 1, 2 * balanced_se) == pytest.approx((informedness, informedness_se), rel=1e-9, abs=1e-12)
    markedness, _ = answer(table, named("markedness"))
    mcc, _ = answer(table, named("mcc"))
    assert mcc**2 == pytest.approx(informedness * markedness, rel=1e-9, abs=1e-12)


def test_many_matrices_at_once_equal_one_by_one() -> None:
    """10 000 matrices in one call, empty classes among them, for every entry of the catalogue; 500 for averages."""
    random = np.random.default_rng(0)
    averages = tuple(metric for metric in metrics_for(3) if metric not in CATALOGUE)
    for classes, size, chosen in ((2, 10_000, CATALOGUE[:-1]), (3, 500, averages)):
        batch = random.integers(0, 12, (size, classes, classes)).astype(float)
        labels = LETTERS[:classes]
        for metric in chosen:
            selection = selection_of(metric, labels, labels[-1])
            together = moments(metric, batch, selection=selection)
            for index in random.integers(0, len(batch), 3):
                alone = moments(metric, batch[index], selection=selection)
                for part in ("value", "variance", "influence", "n"):
                    assert np.allclose(
                        getattr(together, part)[index], getattr(alone, part), rtol=1e-12, atol=0, equal_nan=True
                    ), (metric.name, part)


def test_batch_axes_of_any_number() -> None:
    batch = np.random.default_rng(1).integers(1, 12, (3, 4, 5, 3, 3)).astype(float)
    for metric in (*averaged_metrics()[:6], named("kappa_quadratic"), named("mcc"), named("g_mean")):
        together = moments(metric, batch)
        assert together.value.shape == (3, 4, 5)
        alone = moments(metric, batch[1, 2, 3])
        assert together.variance[1, 2, 3] == pytest.approx(float(alone.variance), rel=1e-12)


def test_blocks_of_a_large_batch_carry_all_that_a_formula_sees() -> None:
    """More matrices than one block holds: the joined cells still hold the scores of weighted kappa."""
    batch = np.random.default_rng(2).integers(1, 9, (4000, 12, 12)).astype(float)
    found = moments(named("kappa_linear"), batch)
    assert found.cells.scored is not None
    assert found.cells.scored.shape == (4000,)
    assert found.value[3999] == float(moments(named("kappa_linear"), batch[3999]).value)


@some(3)
@given(POSITIVE)
def test_weights_all_equal_are_no_weights(counts: np.ndarray) -> None:
    truth, guess = rows_of(counts)
    labels = LETTERS[: len(counts)]
    heavy = hs.table(truth, guess, labels=labels, pos_label=labels[-1], sample_weight=np.full(len(truth), 2.5))
    table = lettered(counts)
    for metric in metrics_for(len(counts)):
        assert same(answer(heavy, metric), answer(table, metric)), metric.name
        both = linearise(heavy, metric).variance, linearise(table, metric).variance
        assert both[0] == pytest.approx(both[1], rel=1e-9, abs=1e-18, nan_ok=True), metric.name
    assert hs.estimate(heavy, "accuracy").effective_n == pytest.approx(counts.sum(), rel=1e-9)


@some(8)
@given(POSITIVE)
def test_groups_of_one_row_are_independent_rows(counts: np.ndarray) -> None:
    """Up to the factor G/(G−1) on the variance."""
    truth, guess = rows_of(counts)
    size, labels = len(truth), LETTERS[: len(counts)]
    grouped = hs.table(truth, guess, labels=labels, pos_label=labels[-1], groups=np.arange(size))
    table = lettered(counts)
    for metric in metrics_for(len(counts)):
        factor = (size / (size - 1)) ** 0.5
        assert same(answer(grouped, metric), answer(table, metric), factor), metric.name


@some(8)
@given(POSITIVE, st.integers(2, 5))
def test_copies_of_every_row_in_a_group_add_nothing(counts: np.ndarray, copies: int) -> None:
    """Each row ``copies`` times, copies grouped: the error of the single rows, and a design effect of ``copies``."""
    truth, guess = rows_of(counts)
    size, labels = len(truth), LETTERS[: len(counts)]
    again = [np.repeat(column, copies) for column in (truth, guess)]
    table = hs.table(*again, labels=labels, pos_label=labels[-1], groups=np.repeat(np.arange(size), copies))
    factor = (size / (size - 1)) ** 0.5
    plain = lettered(counts)
    for metric in metrics_for(len(counts)):
        assert same(answer(table, metric), answer(plain, metric), factor), metric.name
    effect = hs.estimate(table, "accuracy", method="wald").design_effect
    assert math.isnan(effect) or effect == pytest.approx(copies * factor**2, rel=1e-9)


def test_all_of_the_catalogue_is_enrolled() -> None:
    names = {metric.name for metric in metrics_for(3)}
    assert {entry.name for entry in CATALOGUE} - names == {"exact_match"}

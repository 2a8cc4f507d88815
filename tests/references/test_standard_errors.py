"""Standard errors of every metric against the multinomial delta method on textbook formulas, and a bootstrap."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import howsure as hs
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.names import named
from howsure.tables.covariance import covariance, linearise
from support.textbook import EACH_CLASS, binary_metrics, class_metrics, delta_variance

LETTERS = tuple("abcdefghijkl")


def random_counts(classes: int, seed: int, *, most: int = 60) -> np.ndarray:
    """Return a table in which every cell is held and no class has as many true as predicted rows."""
    counts = np.random.default_rng(seed).integers(1, most, (classes, classes))
    counts += np.diag(counts.sum(1)) // 2 + np.triu(np.full((classes, classes), 3), 1)
    return counts


def exact(counts: np.ndarray) -> np.ndarray:
    """Return the table's shares as numbers of 40 digits."""
    total = mpmath.mpf(int(counts.sum()))
    return np.array([[mpmath.mpf(int(cell)) / total for cell in row] for row in counts], dtype=object)


def assert_equal_errors(table: hs.Table, metrics: dict, shares: np.ndarray, step: object) -> None:
    for name, rule in metrics.items():
        variance = max(float(delta_variance(rule, shares, table.n, step=step)), 0.0)
        found = linearise(table, named(name))
        assert found.value == pytest.approx(float(rule(shares)), rel=1e-12), name
        assert np.sqrt(found.variance) == pytest.approx(np.sqrt(variance), rel=1e-9, abs=1e-11), name


def test_the_textbook_holds_every_metric_of_the_catalogue() -> None:
    known = set(binary_metrics()) | {"exact_match"}
    assert {entry.name for entry in CATALOGUE} <= known
    averaged = {name.removeprefix("macro_") for name in class_metrics(LETTERS[:3]) if name.startswith("macro_")}
    assert {entry.name for entry in CATALOGUE if entry.over != "row" and entry.scores is None} <= averaged | {
        "macro_f1_star"
    }


@pytest.mark.parametrize("seed", range(3))
def test_two_classes_at_forty_digits(seed: int) -> None:
    counts = random_counts(2, seed)
    with mpmath.workdps(40):
        assert_equal_errors(hs.matrix(counts, rows="truth"), binary_metrics(), exact(counts), mpmath.mpf("1e-7"))


@pytest.mark.parametrize("counts", [[[10**8, 1], [2, 2]], [[10**10, 500], [300, 900]], [[5, 10**9], [10**8, 7]]])
def test_rare_classes_among_billions(counts: list[list[int]]) -> None:
    """Shares that differ by ten orders of magnitude do not drown each other."""
    cells = np.array(counts)
    with mpmath.workdps(60):
        assert_equal_errors(hs.matrix(cells, rows="truth"), binary_metrics(), exact(cells), mpmath.mpf("1e-18"))


def test_averages_at_forty_digits() -> None:
    counts = random_counts(3, 4)
    table = hs.matrix(counts, rows="truth", labels=LETTERS[:3])
    with mpmath.workdps(40):
        assert_equal_errors(table, class_metrics(LETTERS[:3]), exact(counts), mpmath.mpf("1e-7"))


@pytest.mark.parametrize("classes", range(2, 13))
def test_two_to_twelve_classes(classes: int) -> None:
    counts = random_counts(classes, classes, most=400)
    table = hs.matrix(counts, rows="truth", labels=LETTERS[:classes])
    shares = counts.astype(np.longdouble) / counts.sum()
    assert_equal_errors(table, class_metrics(LETTERS[:classes]), shares, np.longdouble(1e-4))


def test_empty_cells_do_not_disturb_the_others() -> None:
    """A slope in a cell that holds no row has no part in the variance."""
    counts = np.array([[40, 3, 0], [0, 25, 6], [5, 0, 31]])
    table = hs.matrix(counts, rows="truth", labels=LETTERS[:3])
    shares = counts.astype(np.longdouble) / counts.sum()
    assert_equal_errors(table, class_metrics(LETTERS[:3]), shares, np.longdouble(1e-4))


@pytest.mark.parametrize("first", ["f1", "macro_f1", "kappa", "mcc"])
def test_covariance_of_two_metrics_is_that_of_their_sum(first: str) -> None:
    """Var(A+B) = Var A + 2 Cov + Var B, the left side from textbook formulas alone."""
    counts = random_counts(2, 8)
    table = hs.matrix(counts, rows="truth")
    shares = counts.astype(np.longdouble) / counts.sum()
    rules = binary_metrics() | {"macro_f1": class_metrics(("0", "1"))["macro_f1"]}
    for second, rule in binary_metrics().items():
        found = covariance(table, [linearise(table, named(name)) for name in (first, second)]).sum()
        whole = delta_variance(
            lambda p, a=rules[first], b=rule: a(p) + b(p), shares, counts.sum(), step=np.longdouble(1e-4)
        )
        assert found == pytest.approx(float(whole), rel=1e-9, abs=1e-15), second


@pytest.mark.parametrize("classes", [2, 3])
def test_bootstrap_agrees(classes: int) -> None:
    """20 000 resamples of 20 000 rows: the spread of the resampled values is the standard error within 3 %."""
    rows, resamples = 20_000, 20_000
    start = random_counts(classes, 21 + classes)
    counts = np.floor(start / start.sum() * rows).astype(int)
    counts[0, 0] += rows - counts.sum()
    drawn = np.random.default_rng(5).multinomial(rows, counts.ravel() / rows, size=resamples) / rows
    labels = LETTERS[:classes]
    metrics = binary_metrics() if classes == 2 else class_metrics(labels)
    table = hs.matrix(counts, rows="truth", labels=labels, pos_label=labels[-1])
    for name, rule in metrics.items():
        spread = rule(drawn.reshape(-1, classes, classes)).std()
        found = np.sqrt(linearise(table, named(name)).variance)
        assert found == pytest.approx(spread, rel=0.03, abs=1e-12), name


def test_user_metric_has_the_same_error_as_the_built_in() -> None:
    counts = random_counts(4, 11)
    table = hs.matrix(counts, rows="truth", labels=LETTERS[:4])
    for name in ("f1", "mcc", "specificity"):
        base = EACH_CLASS[name]
        mine = hs.macro(hs.Metric("mine", lambda c, base=base: base(c.tp, c.fp, c.fn, c.tn)))
        assert hs.estimate(table, mine, method="wald").se == pytest.approx(
            hs.estimate(table, f"macro_{name}", method="wald").se, rel=1e-12
        )


def test_user_metric_of_the_whole_matrix() -> None:
    """A cost per cell is linear: its error is that of a mean."""
    counts, costs = random_counts(3, 3), np.array([[0.0, 1.0, 5.0], [2.0, 0.0, 1.0], [9.0, 4.0, 0.0]])
    metric = hs.Metric("cost", lambda c: (c.matrix * costs).sum((-2, -1)), over="matrix", range=(0, 9), better="lower")
    found = hs.estimate(hs.matrix(counts, rows="truth"), metric, method="wald")
    rows = np.repeat(costs.ravel(), counts.ravel())
    assert found.value == pytest.approx(rows.mean(), rel=1e-14)
    assert found.se == pytest.approx(rows.std() / np.sqrt(len(rows)), rel=1e-12)

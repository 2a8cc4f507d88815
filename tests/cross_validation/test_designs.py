"""Block designs: overlap, balance, scikit-learn's splitter protocol, and the effective factor."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections import Counter

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from howsure.cross_validation.dealing import spread
from howsure.cross_validation.designs import Balance, BlockedCV, effective_factor, two_level_array
from howsure.cross_validation.hadamard import hadamard
from howsure.errors import InputError

MANY_REPEATS = (16, 19, 23, 27, 31, 35, 39, 43, 48, 51, 55, 59, 62, 63)
repeats_of_any_size = st.integers(2, 15) | st.sampled_from(MANY_REPEATS)


def order_of(repeats: int) -> int:
    return next(order for order in range(4, 65, 4) if order > repeats)


@pytest.mark.parametrize("order", range(4, 65, 4))
def test_hadamard_columns_are_orthogonal(order: int) -> None:
    matrix = hadamard(order)
    assert set(matrix.ravel().tolist()) == {-1, 1}
    np.testing.assert_array_equal(matrix.T @ matrix, order * np.eye(order))


@pytest.mark.parametrize("repeats", range(2, 64))
def test_any_two_columns_show_each_pair_equally_often(repeats: int) -> None:
    array = two_level_array(repeats)
    assert array.shape == (order_of(repeats), repeats)
    for first, second in itertools.combinations(array.T.tolist(), 2):
        pairs = Counter(zip(first, second, strict=True))
        assert pairs == dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], len(array) // 4)


def test_three_repeats_are_table_1_of_wang_and_li() -> None:
    training = [set((np.flatnonzero(column) + 1).tolist()) for column in two_level_array(3).T]
    assert training == [{1, 2}, {1, 3}, {2, 3}]


@pytest.mark.parametrize(
    ("repeats", "message"),
    [
        (1, "plain 2-fold"),
        (0, "between 2 and 63"),
        (-3, "between 2 and 63"),
        (64, "between 2 and 63"),
        (2.5, "whole number"),
        ("3", "whole number"),
    ],
)
def test_repeats_out_of_reach(repeats: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        two_level_array(repeats)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=message):
        BlockedCV(repeats)  # type: ignore[arg-type]


@given(repeats=repeats_of_any_size, extra=st.integers(0, 150), seed=st.integers(0, 99), data=st.data())
def test_folds_overlap_and_class_counts(repeats: int, extra: int, seed: int, data: st.DataObject) -> None:
    order = order_of(repeats)
    rows = order + extra
    classes = data.draw(st.integers(1, 6))
    y = np.random.default_rng(seed).integers(classes, size=rows) ** 2
    cv = BlockedCV(repeats, seed)
    folds = list(cv.split(np.zeros((rows, 1)), y))
    assert len(folds) == cv.get_n_splits() == 2 * repeats
    for first, second in zip(folds[::2], folds[1::2], strict=True):
        np.testing.assert_array_equal(first[0], second[1])
        np.testing.assert_array_equal(first[1], second[0])
        np.testing.assert_array_equal(np.sort(np.concatenate(first)), np.arange(rows))
    # A quarter of the blocks, each of n/order rows rounded down or up.
    fewest, most = order // 4 * (rows // order), order // 4 * -(-rows // order)
    training = np.zeros((2 * repeats, rows), dtype=int)
    for fold, (train, _) in enumerate(folds):
        training[fold, train] = 1
    shared = training @ training.T
    between = shared[np.arange(2 * repeats)[:, None] // 2 != np.arange(2 * repeats) // 2]
    assert fewest <= between.min() <= between.max() <= most
    if rows % order == 0:
        assert set(between.tolist()) == {rows // 4}
    block = cv.blocks(y, y)
    for label in np.unique(y):
        per_block = np.bincount(block[y == label], minlength=order)
        assert np.ptp(per_block) <= 1
    assert np.ptp(np.bincount(block, minlength=order)) <= 1


@given(rows=st.integers(64, 300), repeats=st.sampled_from([2, 3, 5, 11, 30]), seed=st.integers(0, 99))
def test_counts_keep_block_sizes_within_one(rows: int, repeats: int, seed: int) -> None:
    counts = np.random.default_rng(seed).poisson([0.2, 1.0, 6.0], size=(rows, 3))
    cv = BlockedCV(repeats, seed, balance=counts)
    sizes = np.bincount(cv.blocks(counts), minlength=order_of(repeats))
    assert np.ptp(sizes) <= 1
    assert cv.balance_report(counts).sizes == tuple(sizes.tolist())


@pytest.mark.parametrize("rows", [40, 41, 43])
def test_one_enormous_row_does_not_empty_its_block(rows: int) -> None:
    counts = np.arange(1, rows + 1)
    counts[0] = 10**6
    sizes = BlockedCV(3, balance=counts).balance_report(counts).sizes
    assert sorted(sizes) == sorted(len(part) for part in np.array_split(counts, 4))


@given(groups=st.integers(8, 60), rows=st.integers(60, 200), seed=st.integers(0, 99))
def test_groups_are_never_split(groups: int, rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    group = np.concatenate([np.arange(groups), rng.integers(groups, size=rows)])
    y = rng.integers(3, size=len(group))
    cv = BlockedCV(5, seed)
    block = cv.blocks(y, y, group)
    assert set(block.tolist()) == set(range(8))
    assert all(len(set(block[group == name].tolist())) == 1 for name in range(groups))
    for train, test in cv.split(y, y, group):
        assert not set(group[train].tolist()) & set(group[test].tolist())


def pearson(counts: np.ndarray, sizes: np.ndarray, block: np.ndarray, blocks: int) -> float:
    """Return the sum that the heuristic is said to make small, written out a second time."""
    total = 0.0
    for column, weight in [(sizes, max(1, counts.shape[1])), *((column, 1) for column in counts.T)]:
        sums = np.array([column[block == number].sum() for number in range(blocks)], dtype=float)
        total += weight * ((sums - sums.mean()) ** 2).sum() / sums.mean() if sums.any() else 0.0
    return total


@given(units=st.integers(8, 25), seed=st.integers(0, 999))
def test_no_exchange_or_move_of_groups_improves_the_balance(units: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 12, size=units)
    counts = rng.poisson(3.0, size=(units, 2)).astype(float)
    block = spread(counts, sizes, blocks=4, rng=np.random.default_rng(seed))
    reached = pearson(counts, sizes, block, 4)
    # Units dealt in whole rounds stay; here that needs four equal units, which the movers below leave alone.
    alike = Counter(zip(sizes.tolist(), map(tuple, counts.tolist()), strict=True))
    free = [u for u in range(units) if alike[(int(sizes[u]), tuple(counts[u].tolist()))] < 4]
    for one, other in itertools.combinations(free, 2):
        trial = block.copy()
        trial[[one, other]] = trial[[other, one]]
        assert pearson(counts, sizes, trial, 4) >= reached - 1e-8
    for unit, target in itertools.product(free, range(4)):
        trial = block.copy()
        trial[unit] = target
        assert pearson(counts, sizes, trial, 4) >= reached - 1e-8


def test_heuristic_comes_close_to_the_best_of_all_assignments() -> None:
    gaps = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        sizes, counts = rng.integers(5, 30, size=7), rng.poisson(8.0, size=(7, 2)).astype(float)
        every = np.array([(0, *rest) for rest in itertools.product(range(4), repeat=6)])
        best = min(pearson(counts, sizes, trial, 4) for trial in every[[len(set(row)) == 4 for row in every.tolist()]])
        reached = pearson(counts, sizes, spread(counts, sizes, blocks=4, rng=rng), 4)
        assert reached >= best - 1e-9
        gaps.append(reached / best)
    assert np.median(gaps) < 1.1


def test_balance_on_counts_beats_random_blocks() -> None:
    counts = np.random.default_rng(1).poisson([0.3, 1.0, 4.0], size=(900, 3))
    balanced = BlockedCV(3, balance=counts).balance_report(counts)
    block = BlockedCV(3, balance="none").blocks(counts)
    sums = np.array([counts[block == number].sum(axis=0) for number in range(4)])
    random = np.abs(sums / sums.mean(axis=0) - 1).max(axis=0)
    assert all(np.array(balanced.deviations) < random / 3)
    assert balanced.worst < 0.02


def test_balance_report_by_hand() -> None:
    y = ["a"] * 6 + ["b"] * 4
    report = BlockedCV(3).balance_report(y, y)
    assert isinstance(report, Balance)
    assert report.columns == ("a", "b")
    assert sorted(report.sizes) == [2, 2, 3, 3]
    counts = np.array(report.counts)
    assert sorted(counts[:, 0].tolist()) == [1, 1, 2, 2]
    assert counts[:, 1].tolist() == [1, 1, 1, 1]
    assert report.deviations == pytest.approx((0.5 / 1.5, 0.0))
    assert report.worst == pytest.approx(1 / 3)
    assert report.overlap == pytest.approx((0.2, 0.3))
    assert repr(report) == (
        "4 blocks of 2 to 3 rows, balanced on labels, largest deviation 33.3%; training sets share 20.0% to 30.0%"
    )
    assert "Exact stratification" in str(report)


def test_empty_count_column_has_no_deviation() -> None:
    counts = np.column_stack([np.arange(40) % 3, np.zeros(40)])
    report = BlockedCV(3, balance=counts).balance_report(counts)
    assert np.isnan(report.deviations[1])
    assert report.worst == report.deviations[0]


@pytest.mark.parametrize(
    ("y", "note"),
    [
        (None, "not given"),
        (np.linspace(0, 1, 12), "continuous"),
        ([["O", "B"]] * 12, "sequences"),
        (np.array([["O"], ["B", "I"]] * 6, dtype=object), "sequences"),
        (np.ones((12, 2), dtype=int), "2 dimensions"),
    ],
)
def test_what_cannot_be_stratified_is_noted(y: object, note: str) -> None:
    report = BlockedCV(3).balance_report(np.zeros((12, 1)), y)
    assert report.sizes == (3, 3, 3, 3)
    assert report.columns == ()
    assert np.isnan(report.worst)
    assert note in report.notes[0]
    with pytest.raises(InputError, match=note):
        BlockedCV(3, balance="labels").blocks(np.zeros((12, 1)), y)


def test_none_ignores_the_labels() -> None:
    y = np.repeat([0, 1], 200)
    report = BlockedCV(3, balance="none").balance_report(y, y)
    assert report.method == "nothing"
    block = BlockedCV(3, balance="none").blocks(y, y)
    assert np.ptp(np.bincount(block[y == 0])) > 1


@pytest.mark.parametrize("labels", [[True, False], ["x", "y"], [0.0, 1.0], [1, "x"], [-1, 1]])
def test_labels_of_every_kind_are_stratified(labels: list[object]) -> None:
    y = np.array(labels * 20, dtype=object) if len({type(label) for label in labels}) > 1 else labels * 20
    report = BlockedCV(3).balance_report(range(40), y)
    assert report.method == "labels"
    assert report.counts == ((5.0, 5.0),) * 4


def test_doors_of_the_count_matrix() -> None:
    import pandas as pd
    from scipy import sparse

    counts = np.random.default_rng(0).poisson(2.0, size=(50, 2))
    expected = BlockedCV(3, balance=counts).blocks(counts)
    frame = pd.DataFrame(counts, columns=["PER", "ORG"])
    for same in (counts.tolist(), frame, sparse.csr_array(counts)):
        np.testing.assert_array_equal(BlockedCV(3, balance=same).blocks(counts), expected)
    assert BlockedCV(3, balance=frame).balance_report(counts).columns == ("PER", "ORG")
    assert BlockedCV(3, balance=counts[:, 0]).balance_report(counts).columns == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": range(3)}, "X has 3 rows, but 3 repeats need 4 blocks"),
        ({"X": range(9), "y": [0] * 8}, "X has 9 rows but y has 8"),
        ({"X": range(9), "groups": [0] * 8}, "X has 9 rows but groups has 8"),
        ({"X": range(9), "groups": [0, 1, 2] * 3}, "groups has 3 groups, but 3 repeats need 4 blocks"),
        ({"X": None}, "both None"),
        ({"X": range(4), "y": [0.0, 1.0, float("nan"), 1.0]}, "y has missing values"),
        (
            {"X": range(4), "groups": np.array(["a", None, "b", "c"], dtype=object)},
            "groups has missing values",
        ),
    ],
)
def test_unusable_rows(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        BlockedCV(3).blocks(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("balance", "message"),
    [
        (np.ones((8, 2)), "X has 9 rows but balance has 8"),
        (-np.ones((9, 2)), "negative or missing"),
        (np.full((9, 1), np.nan), "negative or missing"),
        (np.ones((9, 2, 2)), "3 dimensions"),
        ([["x"]] * 9, "more than numbers"),
    ],
)
def test_unusable_counts(balance: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        BlockedCV(3, balance=balance).blocks(range(9))


def test_unusable_settings() -> None:
    with pytest.raises(InputError, match="'labels', 'none'"):
        BlockedCV(3, balance="stratified")
    with pytest.raises(InputError, match="seed is -1"):
        BlockedCV(3, seed=-1)
    with pytest.raises(InputError, match="seed is None"):
        BlockedCV(3, seed=None)  # type: ignore[arg-type]


def test_same_seed_same_blocks_and_other_seed_other_blocks() -> None:
    y = np.arange(100) % 3
    groups = np.arange(100) // 3
    for extra in ({}, {"groups": groups}):
        first = BlockedCV(3, 7).blocks(y, y, **extra)
        np.testing.assert_array_equal(first, BlockedCV(3, 7).blocks(y, y, **extra))
        assert (first != BlockedCV(3, 8).blocks(y, y, **extra)).any()


def test_repr_copies_and_pickles() -> None:
    from sklearn.base import clone

    counts = np.ones((40, 2))
    assert repr(BlockedCV()) == "BlockedCV(repeats=3, seed=0)"
    assert repr(BlockedCV(5, 1, balance="none")) == "BlockedCV(repeats=5, seed=1, balance='none')"
    cv = BlockedCV(3, balance=counts)
    assert repr(cv) == "BlockedCV(repeats=3, seed=0, balance=<40×2 counts>)"
    for twin in (copy.deepcopy(cv), pickle.loads(pickle.dumps(cv)), clone(cv, safe=False)):
        assert repr(twin) == repr(cv)
        np.testing.assert_array_equal(twin.blocks(counts), cv.blocks(counts))


def test_scikit_learn_takes_it_as_a_splitter() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, check_cv, cross_val_score, cross_validate

    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    X = rng.normal(size=(120, 2)) + y[:, None]
    cv = BlockedCV(3, seed=4)
    assert check_cv(cv, y, classifier=True) is cv
    scores = cross_val_score(LogisticRegression(), X, y, cv=cv)
    by_hand = [LogisticRegression().fit(X[train], y[train]).score(X[test], y[test]) for train, test in cv.split(X, y)]
    np.testing.assert_allclose(scores, by_hand)
    result = cross_validate(LogisticRegression(), X, y, cv=cv, return_indices=True)
    assert [len(test) for test in result["indices"]["test"]] == [60] * 6
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=cv).fit(X, y)
    assert search.n_splits_ == 6
    assert set(search.cv_results_) >= {f"split{number}_test_score" for number in range(6)}


def test_scikit_learn_routes_groups_to_it() -> None:
    import sklearn
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import cross_validate

    y = np.arange(48) % 2
    groups = np.arange(48) // 4
    expected = [test.tolist() for _, test in BlockedCV(3).split(y, y, groups)]
    plain = cross_validate(DummyClassifier(), y[:, None], y, groups=groups, cv=BlockedCV(3), return_indices=True)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = cross_validate(
            DummyClassifier(), y[:, None], y, params={"groups": groups}, cv=BlockedCV(3), return_indices=True
        )
    for result in (plain, routed):
        assert [test.tolist() for test in result["indices"]["test"]] == expected


PUBLISHED_FACTORS = {
    1: 0.8109302162163288,
    2: 0.505343078431412,
    3: 0.368802110327923733,
    5: 0.240091421411378,
    7: 0.1781538464440811,
    10: 0.1285097609862523,
}


@pytest.mark.parametrize("repeats", [1, 2, 3, 4, 5, 7, 10, 31, 63, 1000, 10**6])
def test_mean_factor_against_integration(repeats: int) -> None:
    with mpmath.workdps(30):
        slope = 2 * (repeats - 1)
        # The inner integral over rho1 is a logarithm; the outer one is done by quadrature.
        mean = 8 * mpmath.quad(
            lambda rho2: mpmath.log1p(mpmath.mpf(1) / 2 / (1 + slope * rho2)),
            [mpmath.mpf(1) / 4, mpmath.mpf(1) / 2],
        )
    assert effective_factor(repeats) == pytest.approx(float(mean), rel=1e-15)
    if repeats in PUBLISHED_FACTORS:
        assert effective_factor(repeats) == pytest.approx(PUBLISHED_FACTORS[repeats], rel=2e-15)


def test_mean_factor_as_a_double_integral() -> None:
    with mpmath.workdps(20):
        mean = mpmath.quad(lambda a, b: 8 / (1 + a + 4 * b), [0, 0.5], [0.25, 0.5])
    assert effective_factor(3) == pytest.approx(float(mean), rel=1e-15)


def test_effective_counts_exceed_the_data_unless_conservative() -> None:
    assert 3 * effective_factor(3) == pytest.approx(1.106, abs=5e-4)
    assert 10 * effective_factor(10) == pytest.approx(1.285, abs=5e-4)
    assert 10**9 * effective_factor(10**9) == pytest.approx(2 * np.log(2), rel=1e-8)
    for repeats in (2, 3, 10):
        assert effective_factor(repeats, "conservative") == 1 / repeats
        assert effective_factor(repeats, (0.0, 0.5)) == pytest.approx(1 / repeats, rel=1e-15)


def test_given_correlations() -> None:
    assert effective_factor(3, (1.0, 1.0)) == pytest.approx(1 / 6)
    assert effective_factor(3, (0.0, 0.0)) == 1.0
    assert effective_factor(4, (-0.2, 0.3)) == pytest.approx(1 / 2.6)


@pytest.mark.parametrize("correlations", [(-1.0, 0.0), (0.0, -0.25), (1.5, 0.2), (float("nan"), 0.2), "cautious"])
def test_impossible_correlations(correlations: object) -> None:
    with pytest.raises(InputError, match="correlations is"):
        effective_factor(3, correlations)  # type: ignore[arg-type]


def test_factor_needs_a_repeat() -> None:
    with pytest.raises(InputError, match="repeats is 0"):
        effective_factor(0)

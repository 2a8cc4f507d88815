"""Blocked m×2 cross-validation: the splitter, the balance it reached, the effective factor of its counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.cross_validation.dealing import deal, spread
from howsure.cross_validation.hadamard import checked_repeats, two_level_array
from howsure.errors import InputError, check_seed, check_whole, is_number
from howsure.errors.messages import cross_validation as messages
from howsure.results.sentences.phrases import marked, phrase
from howsure.types import Floats, Integers

__all__ = ["Balance", "BlockedCV", "effective_factor", "two_level_array"]


@dataclass(frozen=True)
class Balance:
    """How alike the blocks of a design are.

    ``counts`` has a row per block and a column per name in ``columns``; ``deviations`` holds, per column, the
    largest |block − mean of blocks| / mean of blocks (nan where a column is empty). ``overlap`` is the
    smallest and the largest share of all rows that training sets of two repeats have in common; the aim is
    a quarter.
    """

    method: str
    sizes: tuple[int, ...]
    columns: tuple[Any, ...]
    counts: tuple[tuple[float, ...], ...]
    deviations: tuple[float, ...]
    overlap: tuple[float, float]
    notes: tuple[str, ...]

    @property
    def worst(self) -> float:
        """Return the largest deviation of any column, nan when there is none to compare."""
        return max((d for d in self.deviations if not math.isnan(d)), default=math.nan)

    def __repr__(self) -> str:
        rows = f"{min(self.sizes)} to {max(self.sizes)}" if len(set(self.sizes)) > 1 else f"{self.sizes[0]}"
        worst = "" if math.isnan(self.worst) else phrase("balance worst", worst=f"{self.worst:.1%}")
        least, most = (f"{share:.1%}" for share in self.overlap)
        told = {"blocks": len(self.sizes), "rows": rows, "method": self.method, "worst": worst}
        return phrase("balance", least=least, most=most, **told)

    def __str__(self) -> str:
        return "\n".join([repr(self), *self.notes])


class BlockedCV:
    """Split rows for m×2 cross-validation so that any two training sets of different repeats share n/4 rows.

    The rows form 4, 8, 12, … blocks. Every repeat trains on one half of the blocks and tests on the other,
    then the other way round: 2·repeats folds, ordered repeat 1 fold 1, repeat 1 fold 2, repeat 2 fold 1, …
    Block sizes differ at most by one (without groups), so n/4 holds up to that rounding. Use it wherever
    scikit-learn takes ``cv=``.

    Parameters
    ----------
    repeats : 2 to 63; 3 is the 3×2 design of Wang & Li (2019).
    seed : same seed, same blocks.
    balance : what the blocks should have in equal parts. ``None``: the labels when y is one-dimensional and
        discrete, otherwise nothing. ``"labels"``: the labels or an error. ``"none"``: purely random blocks.
        A matrix of counts with a row per row of X (entity types per sentence, say): its columns.

    Labels without groups are balanced exactly: class counts per block differ at most by one. Counts and
    groups (rows of one group stay in one block) go through the heuristic of ``howsure.balancing.spread``;
    ask ``balance_report`` what imbalance remains.

    >>> cv = BlockedCV(repeats=3, seed=0)
    >>> [(len(train), len(test)) for train, test in cv.split(range(8), [0, 0, 0, 0, 1, 1, 1, 1])]
    [(4, 4), (4, 4), (4, 4), (4, 4), (4, 4), (4, 4)]

    Sources: Wang, Wang, Li, Yang & Yang (2017), Neural Computation 29:519; Wang & Li (2019), section 2.2.
    """

    def __init__(self, repeats: int = 3, seed: int = 0, *, balance: Any = None) -> None:
        self.repeats = checked_repeats(repeats)
        self.seed = check_seed(seed)
        if isinstance(balance, str) and balance not in ("labels", "none"):
            options = messages.NONE_LABELS_NONE_OR_MATRIX()
            raise InputError.of("balance", balance, messages.ONE_OF_BALANCES(options=options))
        self.balance = balance

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds, 2·repeats."""
        return 2 * self.repeats

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Integers, Integers]]:
        """Yield (train, test) row numbers for every fold."""
        block = self.blocks(X, y, groups)
        for trained in two_level_array(self.repeats).T:
            inside = trained[block] == 1
            first, second = np.flatnonzero(inside), np.flatnonzero(~inside)
            yield first, second
            yield second, first

    def blocks(self, X: Any, y: Any = None, groups: Any = None) -> Integers:
        """Return the block of every row, numbered from 0 as the rows of ``two_level_array``."""
        return self._blocks(_frequencies(self.balance, y, _rows(X, y)), groups)

    def balance_report(self, X: Any, y: Any = None, groups: Any = None) -> Balance:
        """Return what balance the blocks reach on these rows."""
        frequencies = _frequencies(self.balance, y, _rows(X, y))
        block = self._blocks(frequencies, groups)
        array, method = two_level_array(self.repeats), frequencies.method
        sizes = np.bincount(block, minlength=len(array))
        counts = frequencies.summed(block, len(array))
        return Balance(
            method=method if groups is None else marked("balance of groups", method=method),
            sizes=tuple(sizes.tolist()),
            columns=frequencies.names,
            counts=tuple(tuple(row) for row in counts.tolist()),
            deviations=tuple(_deviations(counts).tolist()),
            overlap=_overlap(array, sizes),
            notes=(*frequencies.notes, *_how(frequencies, groups)),
        )

    def get_metadata_routing(self) -> Any:
        """Tell scikit-learn's metadata routing that ``split`` wants groups."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        request.split.add_request(param="groups", alias=True)
        return request

    def __repr__(self) -> str:
        shape = "×".join(map(str, getattr(self.balance, "shape", np.shape(self.balance))))
        counts = repr(self.balance) if isinstance(self.balance, str) else f"<{shape} counts>"
        extra = "" if self.balance is None else f", balance={counts}"
        return f"{type(self).__name__}(repeats={self.repeats}, seed={self.seed}{extra})"

    def _blocks(self, frequencies: _Frequencies, groups: Any) -> Integers:
        blocks = len(two_level_array(self.repeats))
        rng = np.random.default_rng(self.seed)
        if groups is None:
            _require_enough("X", "rows", frequencies.rows, blocks, self.repeats)
            if frequencies.codes is not None:
                return deal(frequencies.codes, blocks=blocks, rng=rng)
            single = np.ones(frequencies.rows, dtype=np.int64)
            return spread(frequencies.counts, single, blocks=blocks, rng=rng)
        names, group = _codes(groups, "groups", frequencies.rows)
        _require_enough("groups", "groups", len(names), blocks, self.repeats)
        counts = frequencies.summed(group, len(names))
        return spread(counts, np.bincount(group), blocks=blocks, rng=rng)[group]


@dataclass(frozen=True)
class _Frequencies:
    """What is to be balanced: labels as codes, or counts per row (codes is None)."""

    method: str
    rows: int
    names: tuple[Any, ...]
    codes: Integers | None
    counts: Floats
    notes: tuple[str, ...] = ()

    def summed(self, index: Integers, size: int) -> Floats:
        """Return the sums over the rows that share an index: ``size`` rows, a column per name."""
        width = len(self.names)
        if self.codes is not None:
            cells = np.bincount(index * width + self.codes, minlength=size * width)
            return cells.reshape(size, width).astype(np.float64)
        total = np.zeros((size, width))
        np.add.at(total, index, self.counts)
        return total


def _frequencies(balance: Any, y: Any, rows: int) -> _Frequencies:
    if balance is not None and not isinstance(balance, str):
        names, counts = _count_matrix(balance, rows)
        return _Frequencies("counts", rows, names, None, counts)
    reason = messages.BALANCE_IS_NONE() if balance == "none" else _why_no_labels(y, rows)
    nothing = np.empty((rows, 0))
    if reason and balance == "labels":
        raise InputError(messages.BALANCE_IS_LABELS_GIVE_DISCRETE_LABELS(reason=reason))
    if reason:
        return _Frequencies("nothing", rows, (), None, nothing, (reason,))
    names, codes = _codes(y, "y", rows)
    return _Frequencies("labels", rows, names, codes, nothing)


def _why_no_labels(y: Any, rows: int) -> str:
    """Return why y cannot be stratified, or an empty string."""
    if y is None:
        return marked("balance without labels")
    _require_rows("y", y, rows)
    loose = getattr(getattr(y, "dtype", None), "kind", "O") == "O"
    if loose and any(hasattr(row, "__len__") and not isinstance(row, str | bytes) for row in y):
        return marked("balance of sequences")
    values = np.asarray(y)
    if values.ndim != 1:
        return marked("balance of dimensions", dimensions=values.ndim)
    if values.dtype.kind == "f" and not (np.isnan(values) | (values == np.round(values))).all():
        return marked("balance of numbers")
    return ""


_COUNTS_RULE = messages.MATRIX_OF_COUNTS_0_OR_MORE()


def _count_matrix(balance: Any, rows: int) -> tuple[tuple[Any, ...], Floats]:
    dense = balance.toarray() if hasattr(balance, "toarray") else balance
    try:
        counts = np.asarray(dense, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(messages.BALANCE_HOLDS_MORE_THAN_NUMBERS(counts_rule=_COUNTS_RULE)) from None
    counts = counts[:, None] if counts.ndim == 1 else counts
    if counts.ndim != 2:
        raise InputError(messages.BALANCE_DIMENSIONS_GIVE_TWO(ndim=counts.ndim, counts_rule=_COUNTS_RULE))
    _require_rows("balance", counts, rows)
    if not (np.isfinite(counts) & (counts >= 0)).all():
        raise InputError(messages.BALANCE_HAS_NEGATIVE_OR_MISSING_ENTRIES(counts_rule=_COUNTS_RULE))
    named = getattr(balance, "columns", None)
    return tuple(range(counts.shape[1]) if named is None else named), counts


def _codes(values: Any, argument: str, rows: int) -> tuple[tuple[Any, ...], Integers]:
    """Return the distinct values and, per row, the number of its value."""
    _require_rows(argument, values, rows)
    array = np.asarray(values)
    entries = array.tolist() if array.dtype.kind in "Of" else []
    if any(entry is None or entry != entry for entry in entries):
        raise InputError(messages.MISSING_VALUES_EVERY_ROW_NEEDS(argument=argument))
    if array.dtype.kind != "O":
        found, codes = np.unique(array, return_inverse=True)
        return tuple(found.tolist()), codes.astype(np.int64)
    distinct = list(dict.fromkeys(entries))
    try:
        distinct.sort()
    except TypeError:
        distinct.sort(key=lambda entry: (type(entry).__name__, repr(entry)))
    number = {entry: place for place, entry in enumerate(distinct)}
    return tuple(distinct), np.fromiter((number[entry] for entry in entries), dtype=np.int64, count=rows)


def _rows(X: Any, y: Any) -> int:
    data = y if X is None else X
    if data is None:
        raise InputError(messages.X_AND_Y_ARE_BOTH_NONE())
    return int(data.shape[0]) if hasattr(data, "shape") else len(data)


def _require_rows(argument: str, values: Any, rows: int) -> None:
    length = int(values.shape[0]) if hasattr(values, "shape") else len(values)
    if length != rows:
        raise InputError(messages.X_ROWS_THEY_MUST_DESCRIBE_SAME(rows=rows, argument=argument, length=length))


def _require_enough(argument: str, what: str, number: int, blocks: int, repeats: int) -> None:
    if number < blocks:
        rule = messages.REPEATS_NEED_BLOCKS_WITH_AT_LEAST(repeats=repeats, blocks=blocks)
        raise InputError(messages.GIVE_MORE_OR_FEWER_REPEATS(argument=argument, number=number, what=what, rule=rule))


def _how(frequencies: _Frequencies, groups: Any) -> tuple[str, ...]:
    if groups is None and frequencies.codes is not None:
        return (marked("balance exact"),)
    return (marked("balance heuristic"),) if groups is not None or frequencies.names else ()


def _deviations(counts: Floats) -> Floats:
    means = counts.mean(axis=0)
    largest = np.abs(counts - means).max(axis=0)
    relative: Floats = np.divide(largest, means, out=np.full(len(means), np.nan), where=means > 0)
    return relative


def _overlap(array: Integers, sizes: Integers) -> tuple[float, float]:
    """Return the smallest and largest share of rows common to training sets of two different repeats."""
    folds = np.concatenate([array, 1 - array], axis=1)
    shares = (folds.T * sizes) @ folds / sizes.sum()
    repeat = np.arange(folds.shape[1]) % array.shape[1]
    between = shares[repeat[:, None] != repeat]
    return float(between.min()), float(between.max())


def effective_factor(repeats: int, correlations: tuple[float, float] | str | None = None) -> float:
    """Return the factor that turns the summed counts of 2·repeats folds into effective counts.

    1/(1 + rho1 + 2(m − 1)·rho2) for given correlations (rho1 between the two folds of a repeat, rho2 between
    folds of different repeats); by default its mean over 0 ≤ rho1 ≤ 1/2, 1/4 ≤ rho2 ≤ 1/2, as in the paper.
    That mean makes more of the data than there is: m times the factor exceeds 1 for m > 1. ``"conservative"``
    is 1/m, exact for a rule that does not depend on its training set; it counts no row twice.

    >>> f"{effective_factor(3):.15f}"
    '0.368802110327924'
    >>> effective_factor(3, (0.0, 0.5)) == effective_factor(3, "conservative") == 1 / 3
    True

    Source: Wang & Li (2019), eqs. 16 and 22, with m in place of 3.
    """
    repeats = check_whole("repeats", repeats, 1, messages.USUAL_CHOICE_IS_3())
    if correlations is None:
        return _mean_factor(repeats)
    if isinstance(correlations, str) and correlations == "conservative":
        return 1 / repeats
    rho1, rho2 = checked_correlations(correlations, "None, 'conservative' or a pair (rho1, rho2); the default is None.")
    inflation = 1 + rho1 + 2 * (repeats - 1) * rho2
    if not (abs(rho1) <= 1 and abs(rho2) <= 1 and inflation > 0):
        given = messages.CORRELATIONS_WITH_REPEATS(rho1=rho1, rho2=rho2, repeats=repeats)
        rule = messages.CORRELATIONS_ARE_OUT_OF_RANGE()
        raise InputError(messages.CONSERVATIVE_ALWAYS_WORKS(given=given, rule=rule))
    return float(1 / inflation)


def checked_correlations(correlations: Any, options: str) -> tuple[float, float]:
    """Return rho1 and rho2; refuse what is no pair of numbers, with what there is to choose from."""
    pair = correlations if isinstance(correlations, (tuple, list, np.ndarray)) else ()
    if len(pair) != 2 or not all(map(is_number, pair)):
        raise InputError.of("correlations", correlations, messages.ONE_OF_CORRELATIONS(options=options))
    return float(pair[0]), float(pair[1])


def _mean_factor(repeats: int) -> float:
    """Return 8 ∫∫ 1/(1 + rho1 + 2(m − 1) rho2) over the ranges of the paper, in closed form.

    With G(x) = x ln x it is 4/(m − 1) · [G(m + ½) − G(m) − G(h + ½) + G(h)], h = (m + 1)/2; each pair of G is
    written as x·log1p(½/x) + ½·ln(x + ½), so that nothing large cancels when m grows.
    """
    if repeats == 1:
        return 2 * math.log1p(0.5)
    half = (repeats + 1) / 2
    steps = repeats * math.log1p(0.5 / repeats) - half * math.log1p(0.5 / half)
    return 4 / (repeats - 1) * (steps + math.log1p((repeats - 1) / (repeats + 2)) / 2)

"""Units into blocks: exact dealing of labels, and a bounded balancing heuristic for counts and groups."""

from __future__ import annotations

import numpy as np

from howsure.types import Floats, Integers

PASSES = 20
UNITS_A_PASS = 4096
PARTNERS_A_UNIT = 256


def deal(codes: Integers, *, blocks: int, rng: np.random.Generator) -> Integers:
    """Return a block for every row: block sizes, and rows of each code per block, differ at most by one.

    The rows are shuffled within their class, laid out class after class and dealt round robin without
    starting anew at a class: every class, and the whole, is one unbroken run of the round.
    """
    order = np.lexsort((rng.random(len(codes)), codes))
    block = np.empty(len(codes), dtype=np.int64)
    block[order] = rng.permutation(blocks)[np.arange(len(codes)) % blocks]
    return block


def spread(counts: Floats, sizes: Integers, *, blocks: int, rng: np.random.Generator) -> Integers:
    """Return a block for every unit such that the blocks have nearly the same column sums of ``counts``.

    A unit is one row or one group of ``sizes`` rows. What is made small is the sum over blocks and columns of
    (sum − mean)² / mean, Pearson's form, where the number of rows is one more column that weighs as much as
    all others together.

    1. Units with the same counts are dealt evenly, as far as they fill whole rounds: this part is exact.
    2. The rest go, largest first, each to the block where they add least.
    3. Pairs are exchanged (and groups moved) as long as that helps: at most 20 passes, each over at most 4096
       units with at most 256 partners.

    When every unit is one row, the block sizes differ at most by one throughout.
    """
    vectors = np.column_stack([sizes, counts]).astype(np.float64)
    means = vectors.sum(axis=0) / blocks
    weights = np.divide(1.0, means, out=np.zeros_like(means), where=means > 0)
    weights[0] *= max(1, counts.shape[1])
    block, rest = _whole_rounds(vectors, blocks, rng)
    if len(rest):
        placed = np.delete(vectors, rest, axis=0).sum(axis=0) / blocks
        excess = np.tile(placed - means, (blocks, 1))
        rest = rest[np.argsort(-(vectors[rest] ** 2 @ weights), kind="stable")]
        single = bool((sizes == 1).all())
        seats = _largest_first(vectors[rest], weights, excess, single=single)
        block[rest] = _exchanged(vectors[rest], seats, weights, excess, rng, movable=not single)
    return rng.permutation(blocks)[block]


def _whole_rounds(vectors: Floats, blocks: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Deal equal units evenly; return the blocks so far and the indices of those left over."""
    _, pattern, sizes = np.unique(vectors, axis=0, return_inverse=True, return_counts=True)
    pattern = pattern.ravel()
    order = np.lexsort((rng.random(len(vectors)), pattern))
    position = np.arange(len(vectors)) - (np.cumsum(sizes) - sizes)[pattern[order]]
    dealt = position < (sizes // blocks * blocks)[pattern[order]]
    block = np.full(len(vectors), -1, dtype=np.int64)
    block[order[dealt]] = position[dealt] % blocks
    return block, rng.permutation(order[~dealt])


def _largest_first(vectors: Floats, weights: Floats, excess: Floats, *, single: bool) -> Integers:
    """Seat each unit where it adds least to the sum of squares; updates ``excess``."""
    blocks = len(excess)
    floor, extra = divmod(len(vectors), blocks)
    taken = np.zeros(blocks, dtype=np.int64)
    seats = np.empty(len(vectors), dtype=np.int64)
    for unit, vector in enumerate(vectors):
        cost = excess @ (weights * vector)
        if single:
            full = floor + (int((taken > floor).sum()) < extra)
            cost = np.where(taken < full, cost, np.inf)
        seat = int(cost.argmin())
        seats[unit] = seat
        taken[seat] += 1
        excess[seat] += vector
    return seats


def _exchanged(
    vectors: Floats,
    seats: Integers,
    weights: Floats,
    excess: Floats,
    rng: np.random.Generator,
    *,
    movable: bool,
) -> Integers:
    """Exchange units between blocks while the sum of squares falls; updates ``excess`` and ``seats``."""
    vacancies = np.arange(len(excess)) if movable else np.empty(0, dtype=np.int64)
    units = len(vectors)
    everyone = np.arange(units) if units <= PARTNERS_A_UNIT else None
    for _ in range(PASSES):
        gained = False
        for unit in rng.permutation(units)[:UNITS_A_PASS]:
            partners = everyone if everyone is not None else rng.integers(units, size=PARTNERS_A_UNIT)
            gained |= _best_exchange(unit, partners, vacancies, vectors, seats, weights, excess)
        if not gained:
            break
    return seats


def _best_exchange(
    unit: int,
    partners: Integers,
    vacancies: Integers,
    vectors: Floats,
    seats: Integers,
    weights: Floats,
    excess: Floats,
) -> bool:
    """Make the best exchange of ``unit``, or its best move into another block; tell whether one helped."""
    home = seats[unit]
    change = np.concatenate([vectors[partners], np.zeros((len(vacancies), len(weights)))]) - vectors[unit]
    hosts = np.concatenate([seats[partners], vacancies])
    # Home gains `change`, the host loses it: the sum of squares grows by 2 Σ w·change·(home − host + change).
    shift = ((excess[home] - excess[hosts] + change) * change) @ weights
    best = int(shift.argmin())
    if shift[best] >= -1e-9:
        return False
    excess[home] += change[best]
    excess[hosts[best]] -= change[best]
    seats[unit] = hosts[best]
    if best < len(partners):
        seats[partners[best]] = home
    return True

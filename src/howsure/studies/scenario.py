"""One cell of a study: which tables to look at, in which parts, and what each method makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from howsure.errors import InputError, MethodError, quoted
from howsure.errors.messages import studies as messages
from howsure.estimates.batch import BLOCK, blocks_of, method_for
from howsure.estimates.catalogue import IntervalMethod, applicable, default_method, interval
from howsure.estimates.evidence import Evidence, evidence_of, evidence_of_counts, evidence_of_matrices
from howsure.estimates.tail import Limits, Tail
from howsure.metrics.gradient import Selection, values_of
from howsure.metrics.metric import Metric, selection_of
from howsure.sources.kinds.counts import matrix as typed_matrix
from howsure.studies.checkpoint import digest
from howsure.studies.enumerate import first_counts, number_of_outcomes, outcomes, random_outcomes
from howsure.studies.tally import Tally, tally, total
from howsure.tables.covariance import linearise
from howsure.tables.population import Population
from howsure.types import Array, Undefined

How = Literal["share", "all", "simulate"]
MOST_EXACT = {"share": 10_000_000, "all": 2_000_000}  # without being asked
MOST_ASKED = 100_000_000
MOST_ONE_BY_ONE = 5_000
PART = 1_000_000
REPLICATES, REPLICATES_ONE_BY_ONE = 20_000, 500


class Part(NamedTuple):
    """A piece of the work for one n: replicates start … stop, or counts start … stop of the first cell."""

    n: int
    how: How
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Scenario:
    """A metric, a population, a level and a number of rows."""

    metric: Metric
    source: Population
    tail: Tail
    undefined: Undefined
    n: int
    seed: int = 0

    @cached_property
    def selection(self) -> Selection:
        """The class or classes that the metric looks at."""
        return selection_of(self.metric, self.source.labels, self.source.positive)

    @cached_property
    def truth(self) -> float:
        """The metric at the population."""
        return float(values_of(self.metric, self.source.shares, self.selection, self.undefined))

    @cached_property
    def pools(self) -> Array | None:
        """For a share metric: which cells of the matrix are successes (0), failures (1) and the rest (2)."""
        if self.metric.share is None:
            return None
        success, failure = (
            np.any([_cell_mask(name, self.source.classes, self.selection) for name in names], axis=0)
            for names in (self.metric.share.success, self.metric.share.failure)
        )
        return np.where(success, 0, np.where(failure, 1, 2))

    def shares(self, how: How) -> Array:
        """Return the probabilities of the outcomes' cells: pooled for a share, else the whole matrix."""
        if how != "share":
            return self.source.shares.ravel()
        assert self.pools is not None
        return np.bincount(self.pools.ravel(), weights=self.source.shares.ravel(), minlength=3)

    def matrices(self, how: How, outcomes: Array) -> Array:
        """Return outcomes as confusion matrices; a pooled count is put into the first cell of its pool."""
        width = self.source.classes
        if how != "share":
            return outcomes.reshape(-1, width, width)
        assert self.pools is not None
        stack = np.zeros((len(outcomes), width * width))
        for pool in range(3):
            places = np.flatnonzero(self.pools.ravel() == pool)
            if len(places):
                stack[:, places[0]] = outcomes[:, pool]
        return stack.reshape(-1, width, width)

    def tallies(self, entries: tuple[IntervalMethod, ...], part: Part) -> list[Tally]:
        """Return what each method's intervals do over the tables of one part of the work."""
        sums: list[list[Tally]] = [[] for _ in entries]
        for counts, weight in self._outcomes(part):
            for block in blocks_of(len(counts), self.source.classes):
                stack = self.matrices(part.how, counts[block])
                evidence = self.evidence(stack)
                for entry, held in zip(entries, sums, strict=True):
                    low, high = self.limits(entry, evidence, stack)
                    held.append(tally(evidence.value, low, high, weight[block], self.truth, self.metric.range))
        return [total(held) for held in sums]

    def _outcomes(self, part: Part) -> Iterable[tuple[Array, Array]]:
        shares = self.shares(part.how)
        if part.how == "simulate":
            return [random_outcomes(shares, part.n, part.start, part.stop, self.seed)]
        return _gathered(outcomes(shares, part.n, range(part.start, part.stop)))

    def evidence(self, matrices: Array) -> Evidence:
        """Return the evidence of many tables of this population."""
        if isinstance(self.selection, int) and self.source.classes == 2:
            here, there = (1, 0) if self.selection == 1 else (0, 1)
            cells = (matrices[:, i, j] for i, j in ((here, here), (there, here), (here, there), (there, there)))
            return evidence_of_counts(self.metric, *cells, undefined=self.undefined)
        named = self.source.positive
        positive = None if named is None else self.source.labels.index(named)
        selection, undefined = self.selection, self.undefined
        return evidence_of_matrices(self.metric, matrices, selection=selection, undefined=undefined, positive=positive)

    def limits(self, entry: IntervalMethod, evidence: Evidence, matrices: Array) -> tuple[Array, Array]:
        """Return the limits of a method: all tables at once, or one by one where it draws."""
        if entry.batch:
            found = interval(evidence, entry, self.tail)
            return np.asarray(found.low, dtype=float), np.asarray(found.high, dtype=float)
        ends = [self._one(entry, one) for one in matrices]
        return np.array([one.low for one in ends], dtype=float), np.array([one.high for one in ends], dtype=float)

    def _one(self, entry: IntervalMethod, matrix: Array) -> Limits:
        table = typed_matrix(matrix, rows="truth", labels=self.source.labels, pos_label=self.source.positive)
        return interval(evidence_of(linearise(table, self.metric, None, self.undefined)), entry, self.tail)


def _cell_mask(name: str, width: int, selection: Selection) -> Array:
    """Return where a row counts for a cell: as a hit, a miss, or for the classes in view."""
    diagonal = np.eye(width, dtype=bool)
    if name in ("hits", "misses"):
        return diagonal if name == "hits" else ~diagonal
    inside = np.zeros(width, dtype=bool)
    inside[np.arange(width) if selection is None else np.atleast_1d(selection)] = True
    true, guessed = inside[:, None], inside[None, :]
    if name.startswith("all_"):
        return {"all_tp": diagonal & true, "all_fp": ~diagonal & guessed, "all_fn": ~diagonal & true}[name]
    return {"tp": true & guessed, "fp": ~true & guessed, "fn": true & ~guessed, "tn": ~true & ~guessed}[name]


def _gathered(blocks: Iterator[tuple[Array, Array]]) -> Iterator[tuple[Array, Array]]:
    """Yield larger blocks from small ones: fewer calls, same memory bound."""
    waiting: list[tuple[Array, Array]] = []
    for block in blocks:
        waiting.append(block)
        if sum(len(weight) for _, weight in waiting) >= BLOCK:
            yield _joined(waiting)
            waiting = []
    if waiting:
        yield _joined(waiting)


def _joined(blocks: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    counts, weights = zip(*blocks, strict=True)
    return np.concatenate(counts), np.concatenate(weights)


# --- which tables, in which parts ----------------------------------------------------------------------------------


def study_parts(scenario: Scenario, entry: IntervalMethod, exact: bool | None, replicates: int) -> Iterator[Part]:
    """Yield the parts of the work for one method."""
    how, n = how_to(scenario, entry, exact), scenario.n
    if how == "simulate":
        size = REPLICATES if entry.batch else REPLICATES_ONE_BY_ONE
        for start in range(0, replicates, size):
            yield Part(n, how, start, min(start + size, replicates))
        return
    shares = scenario.shares(how)
    counts = first_counts(shares, n)
    pieces = min(len(counts), -(-number_of_outcomes(shares, n) // PART))
    edges = np.linspace(counts.start, counts.stop, pieces + 1).round().astype(int).tolist()
    yield from (Part(n, how, start, stop) for start, stop in pairwise(edges))


def how_to(scenario: Scenario, entry: IntervalMethod, exact: bool | None, *, of_a_share: bool | None = None) -> How:
    """Return how to look at n rows: pairs of pooled counts, all tables, or a simulation.

    ``of_a_share``: what ``sees_only_the_share`` said, which is the same at every n, where it is known already.
    """
    if exact is False:
        return "simulate"
    if of_a_share is None:
        of_a_share = sees_only_the_share(scenario, entry)
    how: How = "share" if of_a_share else "all"
    size = number_of_outcomes(scenario.shares(how), scenario.n)
    most = MOST_EXACT[how] if entry.batch else MOST_ONE_BY_ONE
    if size <= (MOST_ASKED if exact else most):
        return how
    if exact:
        raise InputError(messages.EXACT_IS_TRUE_BUT_N_ALLOWS(n=scenario.n, size=size, most_asked=MOST_ASKED))
    return "simulate"


def sees_only_the_share(scenario: Scenario, entry: IntervalMethod) -> bool:
    """Say whether a method's limits depend on successes and failures alone: found by pooling some tables."""
    if scenario.pools is None or not entry.batch:
        return False
    width = scenario.source.classes
    tables = np.random.default_rng(0).integers(0, 6, (40, width * width)).astype(float)
    where = scenario.pools.ravel()
    pooled = np.stack([tables[:, where == pool].sum(1) for pool in range(3)], -1)
    first, second = (
        scenario.limits(entry, scenario.evidence(stack), stack)
        for stack in (tables.reshape(-1, width, width), scenario.matrices("share", pooled))
    )
    return all(
        np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True) for one, other in zip(first, second, strict=True)
    )


# --- which methods -------------------------------------------------------------------------------------------------


def entries_of(methods: Any, metric: Metric, source: Population, undefined: Undefined) -> list[IntervalMethod]:
    """Return the methods asked for, or all that can serve a batch of such tables."""
    typical = Scenario(metric, source, Tail(0.95), undefined, 100)
    evidence = typical.evidence(source.shares[None] * 100)
    if methods is None:
        return [entry for entry in applicable(evidence) if entry.batch]
    entries = listed_entries(methods, metric, evidence)
    check_served([entry for entry in entries if entry.batch], metric, evidence)
    return entries


def listed_entries(methods: Any, metric: Metric, evidence: Evidence) -> list[IntervalMethod]:
    """Return the methods of one name or object, or of several; "default" is what the metric has by default."""
    if isinstance(methods, (str, IntervalMethod)) or not isinstance(methods, Iterable):
        methods = [methods]
    if not (methods := list(methods)):
        raise InputError(messages.METHODS_IS_EMPTY())
    return [default_method(metric, evidence) if each == "default" else method_for(metric, each) for each in methods]


def check_served(entries: Iterable[IntervalMethod], metric: Metric, evidence: Evidence) -> None:
    """Refuse a method that cannot serve a metric."""
    for entry in entries:
        why = entry.missing(evidence)
        if why is not None:
            fits = quoted(other.name for other in applicable(evidence))
            raise MethodError(
                messages.METHOD_CANNOT_SERVE_METRIC(entry=entry.name, metric=metric.name, missing=why, fits=fits)
            )


def fingerprint(metric: Metric, source: Population, tail: Tail, undefined: Undefined, entry: IntervalMethod) -> str:
    """Return a name for what a method does, from its limits on a few tables: options and formulas show in them."""
    scenario = Scenario(metric, source, tail, undefined, 1)
    size = 20 if entry.batch else 1
    tables = np.random.default_rng(1).integers(1, 30, (size, source.classes, source.classes)).astype(float)
    evidence = scenario.evidence(tables)
    low, high = scenario.limits(entry, evidence, tables)
    seen = [f"{number:.9e}" for number in np.concatenate([np.ravel(evidence.value), low, high])]
    return digest([entry.name, entry.batch, seen])

"""One cell of a study of scores: a metric, a population and a number of rows; what each method makes of samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from howsure.estimates.catalogue import IntervalMethod, applicable, default_method, interval
from howsure.estimates.evidence import Evidence, evidence_of
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric
from howsure.metrics.scoring import ScoreRows
from howsure.metrics.thresholds import cells_at_levels, values_over
from howsure.sources.kinds.scores import score_table
from howsure.studies.checkpoint import digest
from howsure.studies.scenario import Part, check_served, listed_entries
from howsure.studies.scored.many import MANY, ManyScores
from howsure.studies.scored.populations import ScoreSource
from howsure.studies.tally import Tally, tally, total
from howsure.tables.covariance import linearise
from howsure.types import Array

AT_ONCE, ONE_BY_ONE = 2_000, 200
NUMBERS = 2_000_000  # of scores that are worked through at once


@dataclass(frozen=True, eq=False)
class ScoreScenario:
    """A metric, a population of scores, a level and a number of rows."""

    metric: Metric
    source: ScoreSource
    tail: Tail
    n: int
    seed: int = 0

    @cached_property
    def truth(self) -> float:
        """The metric on the whole population."""
        truth, scores, weight = self.source.points
        whole = score_table(truth, scores, sample_weight=weight)
        return float(linearise(whole, self.metric, None, "nan").value)

    @property
    def at_once(self) -> bool:
        """Whether samples can be looked at many at a time: independent rows that count alike."""
        plain = not self.source.weighted and self.source.per_group == 1
        return plain and self.metric.canonical in MANY and self.metric.label is None

    def samples(self, start: int, count: int) -> tuple[Array, Array, Array]:
        """Return truth, score and weight of some samples; each part has a stream of its own."""
        return self.source.draw(np.random.default_rng([self.seed, self.n, start]), count, self.n)

    def evidences(self, start: int, stop: int) -> Iterator[Evidence]:
        """Yield the evidence of the samples of one part: of many at once, or of one after the other."""
        truth, scores, weight = self.samples(start, stop - start)
        if self.at_once:
            step = max(NUMBERS // self.n, 1)
            yield from (
                ManyScores(self.metric, truth[at : at + step], scores[at : at + step])
                for at in range(0, len(truth), step)
            )
            return
        groups = np.arange(self.n) // self.source.per_group if self.source.per_group > 1 else None
        for y, s, w in zip(truth, scores, weight, strict=True):
            if y.any() and not y.all():
                made = score_table(y, s, sample_weight=w if self.source.weighted else None, groups=groups)
                yield evidence_of(linearise(made, self.metric, None, "nan"))

    def tallies(self, entries: Sequence[IntervalMethod], part: Part) -> list[Tally]:
        """Return what each method's intervals do over the samples of one part of the work."""
        sums: list[list[Tally]] = [[] for _ in entries]
        seen = 0
        for evidence in self.evidences(part.start, part.stop):
            value = np.atleast_1d(evidence.value)
            seen += len(value)
            for entry, held in zip(entries, sums, strict=True):
                found = interval(evidence, entry, self.tail)
                low, high = (np.atleast_1d(np.asarray(end, dtype=float)) for end in (found.low, found.high))
                truth = self._held_against(evidence)
                held.append(tally(value, low, high, np.ones(len(value)), truth, self.metric.range))
        lost = float(part.stop - part.start - seen)
        return [total([*held, Tally(mass=lost, undefined=lost)]) for held in sums]

    def _held_against(self, evidence: Evidence) -> float:
        """Return the true value that an interval should hold; with a chosen threshold, the one at that threshold."""
        cut = self.metric.cut
        if cut is None or cut.kind != "best":
            return self.truth
        assert evidence.linear is not None
        levels, values = self._over_thresholds
        at = np.searchsorted(levels, evidence.linear.details.get("threshold", np.inf))
        return float(values[min(int(at), len(values) - 1)])

    @cached_property
    def _over_thresholds(self) -> tuple[Array, Array]:
        """Thresholds of the whole population, and the metric at each."""
        truth, scores, weight = self.source.points
        at = cells_at_levels(ScoreRows(truth.astype(np.int8), scores), weight)
        return at.levels, values_over(self.metric, at)

    def parts(self, replicates: int) -> Iterator[Part]:
        """Yield the parts of the work."""
        size = AT_ONCE if self.at_once else ONE_BY_ONE
        for start in range(0, replicates, size):
            yield Part(self.n, "simulate", start, min(start + size, replicates))

    def entries(self, methods: Any) -> list[IntervalMethod]:
        """Return the methods asked for, or all that can serve and need no random draws."""
        typical = next(self.evidences(0, 20))
        if methods is None:
            return [
                entry for entry in applicable(typical) if entry.batch or entry is default_method(self.metric, typical)
            ]
        found = listed_entries(methods, self.metric, typical)
        check_served(found, self.metric, typical)
        return found

    def identity(self, entry: IntervalMethod) -> Any:
        """Return what names a method's work here, from its limits on a first sample: formulas show in them."""
        typical = next(self.evidences(0, 20))
        found = interval(typical, entry, self.tail)
        seen = [f"{number:.9e}" for number in np.ravel([typical.value, found.low, found.high])]
        return digest([entry.name, self.metric.canonical, self.source.identity, self.tail.level, self.tail.side, seen])

"""hs.study: coverage, length, overshoot and degeneracy of metric × method × population × n."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from howsure.errors import InputError, check_seed, check_whole
from howsure.errors.messages import studies as messages
from howsure.estimates.catalogue import IntervalMethod
from howsure.estimates.tail import Tail
from howsure.metrics.metric import Metric
from howsure.metrics.names import MetricLike, named, table_metric
from howsure.numerics.parallel import Progress, run_in_order
from howsure.results.coverage import Coverage, CoverageRow
from howsure.studies.checkpoint import Checkpoint
from howsure.studies.joint_study import joint_study
from howsure.studies.scenario import Part, Scenario, entries_of, fingerprint, study_parts
from howsure.studies.scored.populations import are_scores, score_populations
from howsure.studies.scored.scenario import ScoreScenario
from howsure.studies.tally import SUMS, Tally, total
from howsure.tables.population import Population, populations_of
from howsure.types import Side, Undefined


def study(
    metric: MetricLike | Sequence[MetricLike],
    methods: Iterable[Any] | Any | None = None,
    population: Any = None,
    n: int | Iterable[int] = (25, 50, 100),
    *,
    level: float = 0.95,
    side: Side = "both",
    exact: bool | None = None,
    replicates: int = 100_000,
    seed: int = 0,
    undefined: Undefined = "nan",
    joint: bool = False,
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Coverage:
    """Return coverage, expected length, overshoot and degeneracy of interval methods.

    ``population``: true shares as dict(tp=…, fp=…, fn=…, tn=…), rates as dict(prevalence=…, recall=…, precision=…),
    a K×K matrix (truth in rows) or a Table; for metrics of scores dict(auc=…, prevalence=…), binormal unless shape=
    ("exponential", "chi-square", "t", …), spread=, hidden=, levels= or mirrored= say otherwise, or for probabilities
    dict(slope=…, intercept=…), with per_group=, icc=, weights= for groups and weights; or several of them in a list or
    a mapping of names.
    ``methods``: names or method objects; without any, every one that can serve and needs no random draws.

    Each method is judged exactly by enumeration where feasible, otherwise on ``replicates`` simulated tables, with
    its Monte-Carlo error; ``exact`` True or False insists. Numbers are given that the metric is defined.
    ``jobs`` spreads the work through joblib, whose backends include Dask, Ray and Spark; the numbers do not depend
    on it. ``joint=True`` asks instead how often the simultaneous intervals of several metrics (a list) and of all
    models of a Table of rows, the population, hold together: methods "default", "wald" and "blurred" (Yuan & Jiang
    2025). ``checkpoint`` names a folder that keeps finished parts. ``progress``: "bar", or a function of (done, all).

    >>> rows = study("precision", ["wald", "wilson"], dict(tp=.4, fp=.1, fn=.1, tn=.4), n=25)
    >>> [round(row.coverage, 3) for row in rows]
    [0.891, 0.965]
    """
    if joint:
        _refuse_for_joint(side, exact, undefined)
        return joint_study(
            metric, methods, population, _sizes(n), level=Tail(level).level, replicates=replicates,
            seed=check_seed(seed), jobs=jobs, checkpoint=checkpoint, progress=progress,
        )  # fmt: skip
    if not isinstance(metric, (str, Metric)):
        rule = messages.ONE_METRIC_OR_SEVERAL_WITH_JOINT()
        raise InputError.of("metric", metric, rule)
    tail, sizes = Tail(level, side), _sizes(n)
    replicates, seed = check_whole("replicates", replicates, 1), check_seed(seed)
    if are_scores(population):
        _refuse_for_scores(exact, undefined)
        plans = list(_score_plans(named(metric), methods, population, sizes, tail, replicates, seed, checkpoint))
    else:
        chosen = table_metric(metric)
        plans = list(
            _label_plans(chosen, methods, population, sizes, tail, replicates, seed, checkpoint, exact, undefined)
        )
    done = _run(plans, jobs, progress)
    return Coverage(tuple(plan.row(done[index]) for index, plan in enumerate(plans)))


def _label_plans(
    chosen: Metric, methods: Any, population: Any, sizes: list[int], tail: Tail, replicates: int, seed: int,
    checkpoint: str | os.PathLike[str] | None, exact: bool | None, undefined: Undefined,
) -> Iterator[_Plan]:  # fmt: skip
    """Yield the rows to come where rows hold labels."""
    for source in populations_of(population):
        entries = entries_of(methods, chosen, source, undefined)
        store = Checkpoint(checkpoint, _identity(chosen.canonical, source, tail, undefined))
        marks = [fingerprint(chosen, source, tail, undefined, entry) if store.path else "" for entry in entries]
        for size in sizes:
            scenario = _scenario(chosen, source, tail, undefined, size, seed)
            for entry, mark in zip(entries, marks, strict=True):
                yield _Plan(scenario, entry, mark, store, tuple(study_parts(scenario, entry, exact, replicates)))


def _score_plans(
    chosen: Metric, methods: Any, population: Any, sizes: list[int], tail: Tail, replicates: int, seed: int,
    checkpoint: str | os.PathLike[str] | None,
) -> Iterator[_Plan]:  # fmt: skip
    """Yield the rows to come where rows hold scores."""
    for source in score_populations(population):
        store = Checkpoint(checkpoint, ["scores", chosen.canonical, source.identity, tail.level, tail.side, SUMS])
        for size in sizes:
            scenario = ScoreScenario(chosen, source, tail, size, seed)
            for entry in scenario.entries(methods):
                mark = scenario.identity(entry) if store.path else ""
                yield _Plan(scenario, entry, mark, store, tuple(scenario.parts(replicates)))


def _refuse_for_scores(exact: bool | None, undefined: Undefined) -> None:
    if exact or undefined != "nan":
        raise InputError(messages.POPULATION_IS_OF_SCORES())


def _refuse_for_joint(side: Side, exact: bool | None, undefined: Undefined) -> None:
    if side != "both" or exact or undefined != "nan":
        raise InputError(messages.JOINT_IS_TRUE())


def _sizes(n: int | Iterable[int]) -> list[int]:
    try:
        sizes = [check_whole("n", size, 1) for size in (n if isinstance(n, Iterable) else [n])]
    except InputError:
        sizes = []
    if not sizes:
        raise InputError.of("n", n, messages.ONE_OR_MORE_WHOLE_NUMBERS_1())
    return sizes


def _scenario(metric: Metric, source: Population, tail: Tail, undefined: Undefined, n: int, seed: int) -> Scenario:
    made = Scenario(metric, source, tail, undefined, n, seed)
    if math.isnan(made.truth):
        raise InputError(
            messages.METRIC_IS_0_0_IN_POPULATION(metric=metric.name, what=f" {source.name!r}" if source.name else "")
        )
    return made


def _identity(metric: str, source: Population, tail: Tail, undefined: Undefined) -> Any:
    return [metric, source.shares.tolist(), str(source.positive), tail.level, tail.side, undefined, SUMS]


@dataclass(frozen=True, eq=False)
class _Plan:
    """One row to come: a method in a scenario, and the parts of the work."""

    scenario: Scenario | ScoreScenario
    entry: IntervalMethod
    mark: str
    store: Checkpoint
    parts: tuple[Part, ...]

    def key(self, part: Part) -> Any:
        seed = self.scenario.seed if part.how == "simulate" else None
        return [self.mark, part.n, part.how, part.start, part.stop, seed]

    def row(self, sums: Tally) -> CoverageRow:
        scenario, exact = self.scenario, self.parts[0].how != "simulate"
        coverage, length = sums.mean("covered"), sums.mean("length")
        spread = sums.mean("length_square") - length**2
        return CoverageRow(
            metric=scenario.metric.name,
            method=self.entry.name,
            n=scenario.n,
            level=scenario.tail.level,
            truth=scenario.truth,
            coverage=coverage,
            length=length,
            overshoot=sums.mean("overshoot"),
            degenerate=sums.mean("degenerate"),
            undefined=sums.undefined / sums.mass,
            above=sums.mean("above"),
            below=sums.mean("below"),
            failed=sums.mean("failed"),
            exact=exact,
            replicates=None if exact else self.parts[-1].stop,
            seed=None if exact else scenario.seed,
            se=0.0 if exact else _error(coverage * (1 - coverage), sums.defined),
            length_se=0.0 if exact else _error(spread, sums.bounded),
            population=scenario.source.name,
            side=scenario.tail.side,
        )


def _error(variance: float, size: float) -> float:
    return math.nan if size <= 0 or math.isnan(variance) else math.sqrt(max(variance, 0.0) / size)


# --- running the parts ----------------------------------------------------------------------------------------------


def _run(plans: list[_Plan], jobs: int, progress: Progress) -> list[Tally]:
    """Return the sums of every plan; methods that look at the same tables are asked together."""
    sums: dict[tuple[int, Part], Tally] = {}
    todo: dict[tuple[int, Part], list[int]] = {}
    for index, plan in enumerate(plans):
        for part in plan.parts:
            found = plan.store.get(plan.key(part))
            if found is None:
                todo.setdefault((id(plan.scenario), part), []).append(index)
            else:
                sums[index, part] = found
    everything = len({(id(plan.scenario), part) for plan in plans for part in plan.parts})
    wanted = list(todo.items())
    work = [(plans[who[0]].scenario, tuple(plans[index].entry for index in who), key[1]) for key, who in wanted]
    results = run_in_order(_part, work, jobs=jobs, progress=progress, before=everything - len(work))
    for (key, who), found_sums in zip(wanted, results, strict=True):
        for index, part_sums in zip(who, found_sums, strict=True):
            plans[index].store.put(plans[index].key(key[1]), part_sums)
            sums[index, key[1]] = part_sums
    return [total(sums[index, part] for part in plan.parts) for index, plan in enumerate(plans)]


def _part(scenario: Scenario | ScoreScenario, entries: tuple[IntervalMethod, ...], part: Part) -> list[Tally]:
    return scenario.tallies(entries, part)

"""hs.study: coverage, length, overshoot and degeneracy of metric × method × population × n."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from howsure.cells import Array, Undefined, cells_of_matrix
from howsure.errors import InputError, MethodError, quoted
from howsure.evidence import Evidence, Tail, evidence_of, evidence_of_matrices
from howsure.influence import Selection, value_of, view
from howsure.intervals import IntervalMethod, applicable, default_method, interval, named_method
from howsure.linear import linearise
from howsure.metric import Metric, selection_of
from howsure.naming import MetricLike, named
from howsure.populations import (
    Population,
    Tables,
    all_tables,
    number_of_tables,
    population_of,
    random_tables,
    share_tables,
)
from howsure.results import json_ready, percent
from howsure.sources.typed import matrix as typed_matrix

MOST_TABLES = 5_000_000
MOST_PAIRS = 2_000_000_000
NO_WIDTH = 1e-12
SHARE_METHODS = (
    "wald", "wilson", "wilson-direct", "clopper-pearson", "mid-p", "agresti-coull", "profile", "beta", "hdi", "logit",
)  # fmt: skip


@dataclass(frozen=True)
class CoverageRow:
    """How one method did for one metric, population and n; ``coverage`` is given that the metric is defined."""

    metric: str
    method: str
    n: int
    level: float
    truth: float
    coverage: float
    length: float
    overshoot: float
    degenerate: float
    undefined: float
    exact: bool
    replicates: int | None = None
    seed: int | None = None
    se: float = 0.0

    def __repr__(self) -> str:
        how = "exact" if self.exact else f"simulated, ± {self.se:.4f}"
        return (
            f"{self.metric} by {self.method}, n = {self.n:,}: {percent(self.level)} interval covers {self.coverage:.4f} "
            f"({how}), length {self.length:.4f}"
        )


@dataclass(frozen=True)
class Coverage(Sequence[CoverageRow]):
    """The rows of a study."""

    rows: tuple[CoverageRow, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        """Return a row by position, or by (method, n)."""
        if isinstance(index, (int, slice)):
            return self.rows[index]
        found = [row for row in self.rows if (row.method, row.n) == tuple(index)]
        if len(found) != 1:
            raise KeyError(f"{index!r}: {len(found)} rows match; ask for (method, n)")
        return found[0]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per row."""
        return [asdict(row) for row in self.rows]

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return the rows as JSON."""
        return json.dumps(json_ready(self.to_dicts()), indent=indent)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a tidy data frame."""
        from howsure.reports.frames import to_frame

        return to_frame(self.to_dicts(), backend)

    def __repr__(self) -> str:
        return f"Coverage({len(self.rows)} rows)"

    def __str__(self) -> str:
        return "\n".join(map(repr, self.rows))


@dataclass
class _Sums:
    """Running sums over tables, weighted by their probability."""

    mass: float = 0.0
    undefined: float = 0.0
    covered: float = 0.0
    length: float = 0.0
    overshoot: float = 0.0
    degenerate: float = 0.0

    def add(self, other: _Sums) -> _Sums:
        return _Sums(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


def study(
    metric: MetricLike,
    methods: Iterable[Any] | Any | None = None,
    population: Any = None,
    n: int | Iterable[int] = (25, 50, 100),
    *,
    level: float = 0.95,
    exact: bool | None = None,
    replicates: int = 100_000,
    seed: int = 0,
    undefined: Undefined = "nan",
    jobs: int = 1,
    checkpoint: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Coverage:
    """Return coverage, expected length, overshoot and degeneracy of interval methods.

    Exact by enumeration where feasible (``exact=None``), otherwise simulated with a seed and its standard error.
    ``jobs`` spreads the work through joblib, so a Dask, Ray or Spark backend serves too. ``checkpoint`` is a folder
    that keeps finished parts: an interrupted study goes on where it stopped.

    >>> rows = study("precision", ["wald", "wilson"], dict(tp=.4, fp=.1, fn=.1, tn=.4), n=25)
    >>> [round(row.coverage, 3) for row in rows]
    [0.891, 0.965]
    """
    if population is None:
        raise InputError("population is missing; give dict(tp=…, fp=…, fn=…, tn=…) or a K×K matrix of shares")
    chosen, source, tail = named(metric), population_of(population), Tail(level)
    sizes = [n] if isinstance(n, int) else list(n)
    if any(not isinstance(size, int) or size < 1 for size in sizes):
        raise InputError(f"n is {n!r}; it must be one or more whole numbers, 1 or larger")
    entries = _entries(methods, chosen, source, undefined)
    store = _Store(
        checkpoint, (chosen.name, source.shares.tolist(), level, undefined, [entry.name for entry in entries])
    )
    rows: list[CoverageRow] = []
    for size in sizes:
        plan = _plan(chosen, source, entries, size, exact, replicates)
        task = _Task(chosen, source, tail, entries, size, undefined, seed, plan)
        sums = _run(task, replicates, jobs, store, progress)
        rows += [_row(task, entry, total, replicates) for entry, total in zip(entries, sums, strict=True)]
    return Coverage(tuple(rows))


def _entries(methods: Any, metric: Metric, source: Population, undefined: Undefined) -> list[IntervalMethod]:
    evidence = evidence_of_matrices(
        metric, source.shares * 100, selection=_selection(metric, source), undefined=undefined
    )
    if methods is None:
        return [entry for entry in applicable(evidence) if entry.batch]
    if isinstance(methods, (str, IntervalMethod)) or not isinstance(methods, Iterable):
        methods = [methods]
    entries = [default_method(metric, evidence) if method == "default" else named_method(method) for method in methods]
    for entry in entries:
        if entry.batch and entry.missing(evidence) is not None:
            fits = quoted(other.name for other in applicable(evidence))
            raise MethodError(
                f"method {entry.name!r} cannot serve metric {metric.name!r}: {entry.missing(evidence)}. These can: {fits}"
            )
    return entries


def _selection(metric: Metric, source: Population) -> Selection:
    return selection_of(metric, tuple(range(source.classes)), source.positive)


# --- which tables to look at ---------------------------------------------------------------------------------------


def _plan(
    metric: Metric, source: Population, entries: list[IntervalMethod], n: int, exact: bool | None, replicates: int
) -> str:
    """Return how to look at n rows: "share" (pairs of counts), "all" tables, or "simulate"."""
    if exact is False:
        return "simulate"
    if all(entry.name in SHARE_METHODS for entry in entries) and _share_masks(metric, source) is not None:
        return "share"
    if number_of_tables(source, n) <= MOST_TABLES:
        return "all"
    if exact:
        raise InputError(
            f"exact is True, but n = {n} allows {number_of_tables(source, n):,} tables (at most {MOST_TABLES:,}); "
            "leave exact out to simulate"
        )
    return "simulate"


def _share_masks(metric: Metric, source: Population) -> tuple[Array, Array] | None:
    """Return which cells of the matrix are successes and failures of a share metric."""
    if metric.share is None:
        return None
    width = source.classes
    masks = []
    for names in (metric.share.success, metric.share.failure):
        mask = np.zeros((width, width), dtype=bool)
        for name in names:
            mask |= _cell_mask(name, width, _selection(metric, source))
        masks.append(mask)
    return masks[0], masks[1]


def _cell_mask(name: str, width: int, selection: Selection) -> Array:
    diagonal = np.eye(width, dtype=bool)
    if name in ("hits", "misses"):
        return diagonal if name == "hits" else ~diagonal
    inside = np.zeros(width, dtype=bool)
    inside[np.arange(width) if selection is None else np.atleast_1d(selection)] = True
    true, guessed = inside[:, None], inside[None, :]
    if name.startswith("all_"):
        return {"all_tp": diagonal & true, "all_fp": ~diagonal & guessed, "all_fn": ~diagonal & true}[name]
    return {"tp": true & guessed, "fp": ~true & guessed, "fn": true & ~guessed, "tn": ~true & ~guessed}[name]


@dataclass(frozen=True)
class _Task:
    metric: Metric
    source: Population
    tail: Tail
    entries: list[IntervalMethod]
    n: int
    undefined: Undefined
    seed: int
    plan: str

    @property
    def truth(self) -> float:
        """The metric at the population."""
        scores = self.metric.scores(self.source.classes) if self.metric.scores else None
        cells, _ = cells_of_matrix(self.source.shares, scores=scores)
        return float(value_of(self.metric, view(cells, _selection(self.metric, self.source)), self.undefined))


def _run(
    task: _Task, replicates: int, jobs: int, store: _Store, progress: Callable[[int, int], None] | None
) -> list[_Sums]:
    if task.plan == "simulate":
        return _simulated(task, replicates, jobs, store, progress)
    key = (task.n, task.plan)
    found = store.read(key)
    if found is None:
        found = _total([_sums(task, tables) for tables in _grouped(_exact_tables(task))], len(task.entries))
        store.write(key, found)
    if progress is not None:
        progress(1, 1)
    return found


def _exact_tables(task: _Task) -> Iterable[Tables]:
    if task.plan == "all":
        return all_tables(task.source, task.n)
    masks = _share_masks(task.metric, task.source)
    assert masks is not None
    return share_tables(task.source, masks[0], masks[1], task.n)


def _grouped(blocks: Iterable[Tables], size: int = 100_000) -> Iterable[Tables]:
    """Yield larger blocks from small ones: fewer calls, same memory bound."""
    waiting: list[Tables] = []
    held = 0
    for block in blocks:
        waiting.append(block)
        held += len(block.chances)
        if held >= size:
            yield _stacked(waiting)
            waiting, held = [], 0
    if waiting:
        yield _stacked(waiting)


def _stacked(blocks: list[Tables]) -> Tables:
    return Tables(np.concatenate([b.matrices for b in blocks]), np.concatenate([b.chances for b in blocks]))


def _simulated(
    task: _Task, replicates: int, jobs: int, store: _Store, progress: Callable[[int, int], None] | None
) -> list[_Sums]:
    slow = any(not entry.batch for entry in task.entries)
    size = min(replicates, 200 if slow else 20_000)
    starts = range(0, replicates, size)
    parts: list[list[_Sums]] = []
    todo = []
    for block, start in enumerate(starts):
        key = (task.n, "simulate", task.seed, size, block, min(size, replicates - start))
        found = store.read(key)
        if found is None:
            todo.append((block, min(size, replicates - start), key))
        else:
            parts.append(found)
    done = len(parts)
    for key, sums in _spread(task, todo, jobs):
        store.write(key, sums)
        parts.append(sums)
        done += 1
        if progress is not None:
            progress(done, len(starts))
    return _total(parts, len(task.entries))


def _spread(task: _Task, todo: list[tuple[int, int, Any]], jobs: int) -> Iterable[tuple[Any, list[_Sums]]]:
    if jobs == 1 or len(todo) < 2:
        return ((key, _block(task, block, size)) for block, size, key in todo)
    from joblib import Parallel, delayed

    keys = [key for _, _, key in todo]
    results = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_block)(task, block, size) for block, size, _ in todo
    )
    return zip(keys, results, strict=True)


def _block(task: _Task, block: int, size: int) -> list[_Sums]:
    return _sums(task, random_tables(task.source, task.n, size, task.seed, block))


def _total(parts: Iterable[list[_Sums]], size: int) -> list[_Sums]:
    totals = [_Sums() for _ in range(size)]
    for sums in parts:
        totals = [total.add(part) for total, part in zip(totals, sums, strict=True)]
    return totals


# --- what a block of tables says -----------------------------------------------------------------------------------


def _sums(task: _Task, tables: Tables) -> list[_Sums]:
    """Return the sums of every method over a block of tables."""
    selection = _selection(task.metric, task.source)
    evidence = evidence_of_matrices(task.metric, tables.matrices, selection=selection, undefined=task.undefined)
    return [_method_sums(task, entry, evidence, tables) for entry in task.entries]


def _method_sums(task: _Task, entry: IntervalMethod, evidence: Evidence, tables: Tables) -> _Sums:
    if entry.batch:
        found = interval(evidence, entry, task.tail)
        low, high = np.asarray(found.low), np.asarray(found.high)
    else:
        low, high = _one_by_one(task, entry, tables.matrices)
    chances, (bottom, top) = tables.chances, task.metric.range
    defined = ~np.isnan(low) & ~np.isnan(high)
    weight = np.where(defined, chances, 0.0)
    slack = 1e-12
    covers = (low <= task.truth + slack) & (task.truth <= high + slack)
    width = np.where(defined, high - low, 0.0)
    return _Sums(
        mass=float(chances.sum()),
        undefined=float(chances[~defined].sum()),
        covered=float(weight @ covers),
        length=float(np.sum(np.where(weight > 0, weight * width, 0.0))),
        overshoot=float(weight @ ((low < bottom - slack) | (high > top + slack))),
        degenerate=float(weight @ (width <= NO_WIDTH)),
    )


def _one_by_one(task: _Task, entry: IntervalMethod, matrices: Array) -> tuple[Array, Array]:
    ends = []
    for one in matrices:
        table = typed_matrix(one, rows="truth")
        found = interval(evidence_of(linearise(table, task.metric, None, task.undefined)), entry, task.tail)
        ends.append((float(found.low), float(found.high)))
    low, high = np.array(ends).T
    return low, high


def _row(task: _Task, entry: IntervalMethod, total: _Sums, replicates: int) -> CoverageRow:
    mass = total.mass
    defined = max(mass - total.undefined, 0.0)
    coverage = total.covered / defined if defined > 0 else math.nan
    exact = task.plan != "simulate"
    return CoverageRow(
        metric=task.metric.name,
        method=entry.name,
        n=task.n,
        level=task.tail.level,
        truth=task.truth,
        coverage=coverage,
        length=total.length / defined if defined > 0 else math.nan,
        overshoot=total.overshoot / defined if defined > 0 else math.nan,
        degenerate=total.degenerate / defined if defined > 0 else math.nan,
        undefined=total.undefined / mass if mass > 0 else math.nan,
        exact=exact,
        replicates=None if exact else replicates,
        seed=None if exact else task.seed,
        se=0.0 if exact or defined <= 0 else math.sqrt(max(coverage * (1 - coverage), 0.0) / defined),
    )


class _Store:
    """Finished parts of a study in a folder: one small file each, written whole and then renamed."""

    def __init__(self, folder: str | Path | None, what: Any) -> None:
        self.folder = None if folder is None else Path(folder)
        self.what = what
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def _path(self, key: Any) -> Path:
        assert self.folder is not None
        digest = hashlib.sha256(json.dumps([self.what, key]).encode()).hexdigest()[:24]
        return self.folder / f"{digest}.json"

    def read(self, key: Any) -> list[_Sums] | None:
        if self.folder is None or not self._path(key).exists():
            return None
        return [_Sums(**part) for part in json.loads(self._path(key).read_text())]

    def write(self, key: Any, sums: list[_Sums]) -> None:
        if self.folder is None:
            return
        path = self._path(key)
        draft = path.with_suffix(".part")
        draft.write_text(json.dumps([asdict(part) for part in sums]))
        draft.replace(path)

"""hs.histogram: scores counted in bins by the engine that holds them, additive, with bounds on what binning changed.

Only bins come back, so rows may be as many as an engine can count. The bounds follow from the histogram itself: pairs
within a bin are the only ones whose order is not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np
from scipy.special import digamma

from howsure.errors import InputError, check_choice, check_whole, quoted
from howsure.errors.messages.sources import doors as messages
from howsure.metrics.metric import Label, Metric
from howsure.metrics.names import named
from howsure.results.covariance import Covariance
from howsure.sources.files.read_file import scan_of
from howsure.sources.files.request import ReadRequest
from howsure.sources.frames import wrapped_frame
from howsure.sources.second_pass import FirstPass, binary_label, covariance_in_engine
from howsure.tables.covariance import linearise
from howsure.tables.design import plain_design
from howsure.tables.kinds.scores import Scored
from howsure.tables.table import Table, positive_of
from howsure.types import Array


@dataclass(frozen=True)
class Certificate:
    """How far binning can have moved a result: AUC and its standard error by at most so much, AP between two values."""

    auc: float
    auc_se: float
    average_precision: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of negatives and positives (2, bins) of each model, in equal bins of [0, 1]; histograms add up."""

    counts: Mapping[str, Array]
    labels: tuple[Label, Label]
    pos_label: Label

    @property
    def models(self) -> tuple[str, ...]:
        """The models."""
        return tuple(self.counts)

    @property
    def bins(self) -> int:
        """The number of bins."""
        return int(next(iter(self.counts.values())).shape[1])

    def __add__(self, other: object) -> Histogram:
        if not isinstance(other, Histogram):
            return NotImplemented
        if (self.models, self.bins, self.labels) != (other.models, other.bins, other.labels):
            raise InputError(
                messages.HISTOGRAMS_TO_ADD_DIFFER(
                    models=quoted(self.models),
                    other_models=quoted(other.models),
                    bins=self.bins,
                    other_bins=other.bins,
                    labels=quoted(self.labels),
                    other_labels=quoted(other.labels),
                )
            )
        return replace(self, counts={name: one + other.counts[name] for name, one in self.counts.items()})

    def _of(self, model: str | None) -> Array:
        if model is None and len(self.counts) > 1:
            raise InputError(messages.MODEL_IS_NOT_NAMED(models=quoted(self.models)))
        name = self.models[0] if model is None else model
        if name not in self.counts:
            raise InputError(messages.MODEL_IS_NOT_IN_HISTOGRAM(name=name, models=quoted(self.models)))
        return self.counts[name]

    def table(self, model: str | None = None) -> Table:
        """Return the table of one model, every row at the middle of its bin; other models' rows are not paired."""
        held = self._of(model)
        truth, place = np.nonzero(held)
        middle = (place + 0.5) / self.bins
        positive = self.labels.index(self.pos_label)
        codes = np.where(truth == 1, positive, 1 - positive).astype(np.int8)
        rows = Scored(codes, middle[:, None], labels=self.labels, pos_label=self.pos_label)
        return Table((self.models[0] if model is None else model,), rows, plain_design(held[truth, place]))

    def certificate(self, model: str | None = None) -> Certificate:
        """Return bounds on what binning changed.

        AUC: half the pairs within bins. Its standard error: Minkowski's inequality on the placements. Average
        precision: with negatives, or positives, first in every bin.
        """
        q, p = self._of(model).astype(float)
        ones, zeros = p.sum(), q.sum()
        auc = float((p * q).sum() / (2 * ones * zeros))
        se = np.sqrt(
            (p / ones * (q / (2 * zeros)) ** 2).sum() / ones + (q / zeros * (p / (2 * ones)) ** 2).sum() / zeros
        )
        return Certificate(auc, float(se), (_precision(p, q, q) / ones, _precision(p, q, np.zeros_like(q)) / ones))

    def covariance(self, source: Any, *, truth: str, metric: str = "auc", group: str | None = None) -> Covariance:
        """Return how a rank metric of all models moves together, by a second pass over the same rows.

        ``metric`` is "auc" or "average_precision". The engine adds up products of influences, with ``group`` those of
        whole groups; one row comes back. The difference of two models has the variance v_aa + v_bb − 2 v_ab.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"y": [0, 1, 1, 0], "a": [0.1, 0.4, 0.9, 0.6], "b": [0.2, 0.6, 0.5, 0.3]})
        >>> h = histogram(frame, truth="y", scores=["a", "b"], bins=100)
        >>> h.covariance(frame, truth="y")
        Covariance(2 × 2)
        """
        check_choice("metric", metric, ("auc", "average_precision"))
        labels = tuple((name, metric) for name in self.models)
        how: Any = {"truth": truth, "columns": self.models, "group": group}
        if not isinstance(source, (str, PathLike)):
            wrapped = wrapped_frame(source)
            _check(wrapped.collect_schema().names(), [truth, *self.models, *([group] if group else [])], "the frame")
            first = self._first_pass(named(metric), grouped=group is not None)
            return Covariance(covariance_in_engine(wrapped, first, **how), labels)
        raise InputError(messages.SECOND_PASS_OF_PATH())

    def _first_pass(self, metric: Metric, *, grouped: bool) -> FirstPass:
        """Return the influences by bin, of independent rows with DeLong's √(n/(n − 1)) of each class."""
        moved = []
        for name, held in self.counts.items():
            table = self.table(name)
            rows, linear = table.contents.scored(0), linearise(table, metric)
            found = np.full((2, self.bins), np.nan)
            found[rows.positive.astype(int), (rows.scores * self.bins).astype(int)] = linear.influence
            size = held.sum(1, keepdims=True)
            with np.errstate(divide="ignore", invalid="ignore"):
                moved.append(found if grouped else found * np.sqrt(size / (size - 1)))
        negative = next(label for label in self.labels if label != self.pos_label)
        return FirstPass(tuple(moved), (negative, self.pos_label), float(held.sum()))


def histogram_of(table: Table, bins: int) -> Histogram:
    """Return the histogram of a table whose scores are middles of bins."""
    if table.weighted:
        raise InputError(messages.HISTOGRAM_OF_WEIGHTS())
    counts = {}
    for place, name in enumerate(table.models):
        rows = table.contents.scored(place)
        at = np.minimum(np.floor(rows.scores * bins), bins - 1).astype(np.int64) + bins * rows.positive
        counts[name] = np.bincount(at, weights=table.counts, minlength=2 * bins).reshape(2, bins)
    first, second = table.labels
    assert table.pos_label is not None
    return Histogram(counts, (first, second), table.pos_label)


def _precision(p: Array, q: Array, before: Array) -> float:
    """Return Σ precision over the positives, with ``before`` of the negatives of each bin ahead of its positives.

    Σ_{k=1}^{p} (a + k)/(a + c + k) = p − c·[ψ(a + c + p + 1) − ψ(a + c + 1)], a positives and c negatives ahead.
    """
    ahead = np.cumsum(p[::-1])[::-1] - p
    wrong = np.cumsum(q[::-1])[::-1] - q + before
    start = ahead + wrong + 1
    return float((p - wrong * (digamma(start + p) - digamma(start))).sum())


def histogram(
    source: Any,
    *,
    truth: str,
    scores: str | Sequence[str],
    bins: int = 65_536,
    pos_label: Label | None = None,
    memory: str | None = None,
    threads: int | None = None,
) -> Histogram:
    """Count probabilities in equal bins: of a file by DuckDB, of a frame by its own engine, lazy ones too.

    ``h.table("bert")`` serves every metric of one model, ``h.certificate("bert")`` says how far binning can have moved
    it. Histograms of parts, days or machines add up. A score outside [0, 1], or a missing one, is refused.

    >>> import polars as pl
    >>> h = histogram(pl.DataFrame({"y": [0, 1, 1], "p": [0.1, 0.4, 0.9]}), truth="y", scores="p", bins=10)
    >>> float(h.counts["p"].sum()), h.certificate().auc
    (3.0, 0.0)
    """
    size = check_whole("bins", bins, 2, messages.SUCH_AS_65536())
    names = [scores] if isinstance(scores, str) else list(scores)
    found: dict[str, list[tuple[Any, Any, int]]] = {}
    if isinstance(source, (str, PathLike)):
        request = ReadRequest(truth=truth, memory=memory, threads=threads)
        with request.start() as duck:
            scan = scan_of(source, request, duck)
            _check(scan.columns, [truth, *names], scan.name)
            for name in names:
                value = scan.number(name)
                at = f"least(CAST(floor({value} * {size}) AS BIGINT), {size - 1})"
                bin_ = f"CASE WHEN {value} BETWEEN 0 AND 1 THEN {at} END"
                sql = f"SELECT {scan.expression(truth)}, {bin_}, count(*) FROM {scan.sql} GROUP BY ALL"
                found[name] = [(scan.decode(row[0]), row[1], int(row[2])) for row in scan.rows(sql)]
    else:
        found = _of_frame(wrapped_frame(source), truth, names, size)
    labels, positive = _labels([row[0] for rows in found.values() for row in rows], pos_label)
    return Histogram(
        {name: _counted(name, rows, labels, positive, size) for name, rows in found.items()}, labels, positive
    )


def _check(columns: Sequence[str], wanted: Sequence[str], source: str) -> None:
    for name in wanted:
        if name not in columns:
            raise InputError(messages.NO_COLUMN_COLUMNS(source=source, name=name, columns=quoted(columns)))


def _of_frame(wrapped: Any, truth: str, names: Sequence[str], size: int) -> dict[str, list[tuple[Any, Any, int]]]:
    import narwhals.stable.v2 as nw

    _check(wrapped.collect_schema().names(), [truth, *names], "the frame")
    found = {}
    for name in names:
        value = nw.col(name).cast(nw.Float64)
        inside = (value >= 0) & (value <= 1)
        place = nw.when(inside).then((value * size).floor().cast(nw.Int64)).otherwise(nw.lit(-1))
        counted = wrapped.select(nw.col(truth).alias("t"), place.alias("b")).group_by("t", "b").agg(nw.len().alias("n"))
        held = counted.collect() if hasattr(counted, "collect") else counted
        rows = zip(held["t"].to_list(), held["b"].to_list(), held["n"].to_list(), strict=True)
        found[name] = [(one, None if at is None or at < 0 else min(at, size - 1), n) for one, at, n in rows]
    return found


def _labels(values: Sequence[Any], asked: Label | None) -> tuple[tuple[Label, Label], Label]:
    seen = sorted({binary_label(value) for value in values if value is not None}, key=str)
    if set(seen) <= {0, 1}:
        seen = [0, 1]
    if len(seen) != 2:
        raise InputError(messages.TRUTH_HAS_LABELS(seen=quoted(seen)))
    positive = positive_of(seen) if asked is None else next((one for one in seen if str(one) == str(asked)), None)
    if positive is None:
        raise InputError(messages.POS_LABEL_ONE_OF_CLASS_SCORES(asked=asked, seen=quoted(seen)))
    return (seen[0], seen[1]), positive


def _counted(
    name: str, rows: Sequence[tuple[Any, Any, int]], labels: tuple[Label, Label], positive: Label, size: int
) -> Array:
    counts = np.zeros((2, size))
    bad = sum(n for one, at, n in rows if at is None or one is None)
    if bad:
        raise InputError(messages.SCORES_NAMES_IN_ROWS(name=name, bad=bad))
    for one, at, n in rows:
        counts[int(binary_label(one) == positive), int(at)] += n
    return counts

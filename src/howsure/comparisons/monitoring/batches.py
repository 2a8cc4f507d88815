"""Batches of a counter that hold other than labels: scores, exact or in bins, row values, sums per unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from howsure.errors import InputError, check_whole, quoted
from howsure.errors.messages import comparisons as messages
from howsure.metrics.metric import Better, Label
from howsure.sources.arrays.numbers import by_model
from howsure.sources.arrays.tabulate import NoRows
from howsure.sources.kinds.scores import score_table
from howsure.sources.kinds.sums import sums as sums_table
from howsure.sources.kinds.values import values_table
from howsure.tables.kinds.scores import Thresholds
from howsure.tables.table import Table
from howsure.types import Array


class Counting(Protocol):
    """What a batch must know of its counter."""

    labels: tuple[Label, ...]
    models: tuple[str, ...]
    pos_label: Label | None


@dataclass(frozen=True)
class BatchOptions:
    """How batches of scores, values and sums are read, the same for all of a counter."""

    bins: int | None = None
    threshold: Thresholds | None = None
    range: Any = None
    better: Better | None = "higher"

    def __post_init__(self) -> None:
        if self.bins is not None:
            check_whole("bins", self.bins, 2, messages.SUCH_AS_MANY_BINS())
        if isinstance(self.range, list):
            object.__setattr__(self, "range", tuple(self.range))

    def batch(
        self,
        counter: Counting,
        y_true: Any,
        y_pred: Any,
        given: Mapping[str, Any],
        weight: Any,
        groups: Any,
        judge: Any,
    ) -> Table | None:
        """Return the table of one batch; None without rows."""
        named = [name for name, one in given.items() if one is not None]
        others = {"y_pred": y_pred, "judge": judge} | ({} if named == ["scores"] else {"y_true": y_true})
        extra = [*named[1:], *(name for name, one in others.items() if one is not None)]
        if extra:
            raise InputError(messages.BATCH_OF_TWO_KINDS(first=named[0], others=quoted(extra)))
        data = _by_model(named[0], given[named[0]], counter.models)
        if named[0] == "values" and not len(next(iter(data.values()))):
            return None
        how: Any = {"sample_weight": weight, "groups": groups}
        if named[0] == "values":
            return values_table(data, range=self.range, better=self.better, **how)
        if named[0] == "sums":
            if weight is not None:
                raise InputError(messages.WEIGHTS_DO_NOT_GO_WITH_SUMS())
            return sums_table(data, groups=groups, range=self.range, better=self.better)
        return self._scored(counter, y_true, data, how)

    def _scored(self, counter: Counting, y_true: Any, data: Mapping[str, Any], how: Mapping[str, Any]) -> Table | None:
        if not counter.labels:
            raise InputError(messages.LABELS_WERE_NOT_GIVEN())
        try:
            found = score_table(
                y_true, data, labels=counter.labels, pos_label=counter.pos_label, threshold=self.threshold, **how
            )
        except NoRows:
            return None
        contents: Any = replace(found.contents, numbered=False)  # type: ignore[call-arg]
        if self.bins is not None:
            contents = replace(contents, scores=_middles(contents.scores, self.bins))
        return replace(found, contents=contents).merged()


def _middles(scores: Array, bins: int) -> Array:
    """Return probabilities as the middles of their bins."""
    bad = ~((scores >= 0) & (scores <= 1))
    if bad.any():
        raise InputError(messages.SCORES_OUTSIDE_BINS(one=float(scores[bad][0]), number=int(bad.sum())))
    return np.asarray((np.minimum(np.floor(scores * bins), bins - 1) + 0.5) / bins)


def _by_model(argument: str, given: Any, models: tuple[str, ...]) -> dict[str, Any]:
    """Return the columns of each model of the counter, exactly these."""
    plain = (
        argument == "sums" and isinstance(given, Mapping) and not any(isinstance(v, Mapping) for v in given.values())
    )
    found = {"model": given} if plain else by_model(argument, given)
    if len(models) == 1 and list(found) == ["model"]:
        found = {models[0]: found["model"]}
    if set(found) != set(models):
        raise InputError(messages.BATCH_OF_OTHER_MODELS(argument=argument, given=quoted(found), models=quoted(models)))
    return {name: found[name] for name in models}

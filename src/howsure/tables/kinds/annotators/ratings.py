"""Ratings: the labels that several annotators gave each item, for coefficients of agreement."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, Self

import numpy as np

from howsure.errors import MetricError
from howsure.errors.messages import tables as messages
from howsure.metrics.metric import Metric
from howsure.metrics.named_sums import FLEISS, KRIPPENDORFF, MEAN, slopes_at, value_at
from howsure.results.base import Note
from howsure.tables.contents import Contents
from howsure.tables.design import Design
from howsure.tables.design_notes import no_slope
from howsure.tables.linearised import Linearised
from howsure.types import Array, Ints, Undefined

RatingScale = Literal["nominal", "ordinal", "interval"]
NAMES = ("observed", "expected", "ratings")
LEVELS = 7  # values that pseudo-ratings take where ratings are numbers of many values


class _Disagreement(NamedTuple):
    """Disagreement within items and between all ratings (a mean over pairs of them), and the number of ratings.

    ``moves`` has a row for each of the three: its derivative in the weight of each item. ``inside`` is the disagreement
    of each item summed over its ordered pairs of ratings.
    """

    numbers: Array
    moves: Array
    inside: Array


@dataclass(frozen=True, eq=False)
class Ratings(Contents):
    """The places of each annotator's label (columns) among the labels, for each item (rows); −1 where there is none.

    The difference of two labels is 0 or 1 on a ``nominal`` scale, the square of how far their mean ranks lie apart on
    an ``ordinal`` one, the square of the labels' difference on an ``interval`` one (Krippendorff 2011, section E). An
    item with fewer than two ratings tells nothing.
    """

    codes: Ints
    scale: RatingScale = "nominal"

    by_row = ("codes",)
    holds = "the labels of several annotators"
    kind_words = "holds ratings"

    @property
    def unit(self) -> str:
        """A row is an item."""
        return "item"

    @property
    def usual(self) -> tuple[Metric, ...]:
        """Krippendorff's alpha serves any number of annotators and missing ratings."""
        return (KRIPPENDORFF,)

    # --- rows

    def pick(self, models: list[int]) -> Self:
        """Return the same items: the annotators are judged as one."""
        return self

    def keys(self) -> Ints:
        """Return the items as one integer matrix."""
        return self.codes + 1

    # --- a coefficient on the items

    def disagreement(self, weights: Array) -> _Disagreement:
        """Return observed and expected disagreement at weights of the items.

        With m ratings in an item and n in all: observed = Σ_items Σ_pairs δ/(m − 1)/n, expected = Σ δ/n² over all pairs
        of ratings, be they of one item or not.
        """
        size, share = self._told.sum(1), np.broadcast_to(weights[:, None], self.codes.shape)
        margins = np.bincount(self.codes[self._told], weights=share[self._told], minlength=len(self.labels))
        n, points = float(margins.sum()), self._points(margins)
        if points is None:
            within, between = self._unlike, n - margins
        else:
            sums, squares = self._summed(points), self._summed(points**2)
            within = np.where(size > 1, 2 * (size * squares - sums**2) / np.maximum(size - 1, 1), 0.0)
            between = n * points**2 - 2 * points * (margins @ points) + margins @ points**2
        moved = [within, 2 * self._summed(between)]
        if self.scale == "ordinal" and points is not None:
            moved = [
                move + more for move, more in zip(moved, self._through_ranks(points, margins, weights), strict=True)
            ]
        observed, expected = float(weights @ within) / n, float(margins @ between) / n**2
        moves = [moved[0] / n - observed * size / n, moved[1] / n**2 - 2 * expected * size / n, size.astype(float)]
        return _Disagreement(np.array([observed, expected, n]), np.stack(moves), within * np.maximum(size - 1, 0))

    @cached_property
    def _told(self) -> Array:
        """Ratings that have another one in their item."""
        given = self.codes >= 0
        return np.asarray(given & (given.sum(1) > 1)[:, None])

    @cached_property
    def _unlike(self) -> Array:
        """(m² − Σ m_c²)/(m − 1): ordered pairs of ratings of an item that differ, over m − 1."""
        size = self._told.sum(1)
        alike = sum(((self.codes == code) & self._told).sum(1) ** 2 for code in range(len(self.labels)))
        return np.asarray((size**2 - alike) / np.maximum(size - 1, 1))

    def _points(self, margins: Array) -> Array | None:
        """Return where the labels lie: at their mean ranks, or at their own values; None where they lie nowhere."""
        if self.scale == "nominal":
            return None
        if self.scale == "interval":
            return np.array(self.labels, dtype=float)
        return np.asarray(np.cumsum(margins) - margins / 2)

    def _summed(self, values: Array) -> Array:
        """Return the sum over the ratings of each item of a value of their labels."""
        return np.asarray(np.where(self._told, values[self.codes], 0.0).sum(1))

    def _through_ranks(self, points: Array, margins: Array, weights: Array) -> tuple[Array, Array]:
        """Return what an item adds to Σδ within and between items by moving the mean ranks of all labels."""
        size = self._told.sum(1)
        apart = size[:, None] * points[self.codes] - self._summed(points)[:, None]
        shares = 4 * weights[:, None] / np.maximum(size - 1, 1)[:, None] * apart
        within = np.bincount(self.codes[self._told], weights=shares[self._told], minlength=len(points))
        between = 4 * margins * (margins.sum() * points - margins @ points)

        def carried(slopes: Array) -> Array:
            return self._summed(slopes.sum() - np.cumsum(slopes) + slopes / 2)  # a rank counts all labels below it

        return carried(within), carried(between)

    def linearise(self, metric: Metric, model: str, place: int, design: Design, undefined: Undefined) -> Linearised:
        """Return a coefficient of observed and expected disagreement, and how each item moves it."""
        if metric.over != "values" or metric.formula is MEAN.formula:
            raise MetricError(messages.METRIC_IS_NOT_ABOUT_AGREEMENT(metric=metric.name))
        nothing = Linearised(self, design, metric, model, place, undefined, math.nan, scores=np.full(len(self), np.nan))
        if not (self._told.any(1) & (design.weights > 0)).any():
            return nothing
        found = self.disagreement(design.weights)
        if not found.numbers[1] > 0:
            return nothing
        value = float(value_at(metric, NAMES, found.numbers))
        moved = slopes_at(metric, NAMES, found.numbers) @ found.moves * design.total
        moved = moved - design.weights @ moved / design.total
        return Linearised(self, design, metric, model, place, undefined, value, scores=moved)

    def centre(self, linear: Linearised) -> float | None:
        """Return 1 − observed/expected disagreement, expected over pairs of ratings of different items alone.

        Ratings of one item are alike: among few items their pairs make the expected disagreement too small.
        """
        if linear.metric.formula not in (FLEISS.formula, KRIPPENDORFF.formula):
            return None
        (observed, expected, n), _, inside = self.disagreement(linear.design.weights)
        squares = linear.design.squares
        pairs = n**2 - squares @ self._told.sum(1) ** 2
        apart = expected * n**2 - squares @ inside
        return float(1 - observed * pairs / apart) if min(pairs, apart) > 0 else linear.value

    def values_at(self, linear: Linearised, weights: Array) -> Array:
        """Return the coefficient at many weightings of the items; nan where all their ratings are the same."""
        numbers = np.stack([self.disagreement(one).numbers for one in weights])
        found = value_at(linear.metric, NAMES, numbers)
        return np.where(numbers[:, 1] > 0, found, np.nan)

    def smooths(self, metric: Metric) -> bool:
        """Pairs of ratings can be added."""
        return True

    def pseudo_rows(self, linear: Linearised) -> tuple[Contents, Array] | None:
        """Return every pair of labels as an item of two ratings: ½ item in all for z = 1, as in a table of two raters.

        Of numbers of many values, the pairs of a few of them that part the ratings evenly.
        """
        labels = np.arange(len(self.labels))
        if self.scale == "interval" and len(labels) > LEVELS:
            middle = (np.arange(LEVELS) + 0.5) / LEVELS
            labels = np.unique(np.quantile(self.codes[self._told], middle, method="nearest"))
        codes = np.full((len(labels) ** 2, max(self.codes.shape[1], 2)), -1, dtype=np.int64)
        codes[:, 0], codes[:, 1] = np.repeat(labels, len(labels)), np.tile(labels, len(labels))
        return replace(self, codes=codes), np.full(len(codes), 0.5 / len(codes))

    # --- words

    def notes(self, linear: Linearised) -> tuple[Note, ...]:
        """Return why a coefficient is undefined, and how many items told nothing."""
        if np.isnan(linear.value):
            paired = bool(self._told.any())
            why = "all ratings are the same" if paired else "no item has two ratings"
            return (Note(f"{linear.said} is undefined: {why}, so there is nothing to agree on", "undefined"),)
        alone = float(linear.design.counts[~self._told.any(1)].sum())
        if not alone:
            return no_slope(linear)
        text = f"{alone:g} of {linear.n:g} items have fewer than two ratings and tell nothing of agreement"
        return (*no_slope(linear), Note(text, "single ratings"))

    def sizes(self) -> dict[str, float]:
        """Return the number of annotators and labels."""
        return {"annotator": self.codes.shape[1], "label": len(self.labels)}

"""Bayes tests as figures: the posteriors of both models, and the density of the difference with its two areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.reports.figures.canvas import BLUE, GREY, ORANGE, SOFT, grid_of_axes, shortened, write_caption
from howsure.reports.figures.curves import TAIL, plot_posteriors
from howsure.results.bayes_test import BayesTest, Laws
from howsure.results.words import chance, percent

POINTS = 141


def plot_bayes_test(test: BayesTest, *, axes: Any = None) -> Any:
    """Draw one test: posteriors at the left, the difference at the right; on given axes the difference alone."""
    if axes is None:
        return plot_bayes_tests([test])[0]
    _draw_difference(axes, test, _laws(test))
    return axes


def plot_bayes_tests(tests: Sequence[BayesTest]) -> Any:
    """Draw several tests one under the other and return an array of axes with two columns."""
    if not tests:
        raise InputError("tests is empty; a figure needs at least one Bayes test")
    panels = grid_of_axes(len(tests), 2, size=(10.4, 4.1 * len(tests)))
    for (left, right), test in zip(panels, tests, strict=True):
        laws = _laws(test)
        names = {shortened(test.a): laws.a, shortened(test.b): laws.b}
        plot_posteriors(names, metric=test.metric, level=test.level, axes=left)
        _draw_difference(right, test, laws)
    return panels


def _laws(test: BayesTest) -> Laws:
    if test.laws is None:
        raise InputError("this test was read from a file and no longer knows its posteriors; test again to draw it")
    return test.laws()


def _draw_difference(axes: Any, test: BayesTest, laws: Laws) -> None:
    """Draw the density of b − a: what lies at or below 0 belongs to H0, what lies above to H1."""
    gain = laws.gain
    start, stop = min(float(gain.ppf(TAIL)), test.low), max(float(gain.isf(TAIL)), test.high)
    x = np.unique(np.append(np.linspace(start, stop, POINTS), 0.0 if start < 0 < stop else start))
    density = np.asarray(gain.pdf(x), dtype=np.float64)
    axes.plot(x, density, color=GREY, linewidth=1.6, gid="density")
    for name, part, colour in (("H0", x <= 0, ORANGE), ("H1", x >= 0, BLUE)):
        axes.fill_between(x[part], density[part], color=colour, alpha=0.3, linewidth=0, gid=name)
    axes.axvline(0.0, color=GREY, linewidth=1, linestyle="--", gid="nothing")
    axes.plot((test.low, test.high), (0, 0), color="black", linewidth=3, solid_capstyle="butt", gid="interval",
              clip_on=False, zorder=4)  # fmt: skip
    _name_areas(axes, test, start, stop)
    _finish(axes, test, laws)


def _name_areas(axes: Any, test: BayesTest, start: float, stop: float) -> None:
    """Write the probability of each hypothesis on its side of 0, above the curve."""
    edges = [-test.rope, test.rope] if test.rope is not None else []
    low, high = min(start, 0.0, *edges), max(stop, 0.0, *edges)
    room = 0.3 * (high - low)
    axes.set_xlim(min(low, -room) - 0.02 * (high - low), max(high, room) + 0.02 * (high - low))
    axes.margins(y=0.22)
    axes.autoscale(axis="y")
    for words, side, colour in (
        (f"P(H0) = {chance(test.p_h0, 3)}", (0.02, "left"), ORANGE),
        (f"P(H1) = {chance(test.p_h1, 3)}", (0.98, "right"), BLUE),
    ):
        axes.text(side[0], 0.97, words, transform=axes.transAxes, ha=side[1], va="top", color=colour, gid="chance")


def _finish(axes: Any, test: BayesTest, laws: Laws) -> None:
    if test.rope is not None:
        axes.axvspan(-test.rope, test.rope, color=SOFT, alpha=0.6, linewidth=0, zorder=0, gid="region")
    axes.set_ylim(bottom=0)
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel(f"difference in {test.metric}: {shortened(test.b)} − {shortened(test.a)}", parse_math=False)
    axes.set_ylabel("posterior density")
    axes.set_title(test.decision, fontsize="medium", loc="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    write_caption(axes, _caption(test, laws), width=66)


def _caption(test: BayesTest, laws: Laws) -> str:
    curve = " Curve: smoothed draws." if laws.drawn else ""
    text = (
        f"Areas: H0 (difference at most 0) and H1 (above 0). Bar: {percent(test.level)} credible interval "
        f"({test.method}); {test.pairing} posteriors, prior {test.prior:g} per cell.{curve}"
    )
    rope = test.rope_probabilities
    return text if rope is None else text + f" Grey: ± {test.rope:g}, with probability {chance(rope[1], 3)}."

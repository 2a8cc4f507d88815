"""Densities: posteriors with their credible intervals, and Bayes tests with the areas of H0 and H1."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.errors import InputError
from howsure.errors.messages import reports as messages
from howsure.numerics.sampled_posterior import Posterior
from howsure.numerics.share_posterior import CredibleKind
from howsure.reports.figures import picture
from howsure.reports.figures.canvas import draw
from howsure.reports.figures.picture import Axis, Line, Mark, Panel, Rule, Words, limits_around, shortened
from howsure.results.bayes_test import BayesTest, Difference, Laws
from howsure.results.words import chance, metric_words, percent
from howsure.types import Array

TAIL = 0.0005
AVERAGED = " Dashed: counts averaged over the folds (Wang et al. 2015)."
Points = tuple[Array, Array]


def posterior_curve(law: Posterior, *, metric: str = "metric", **options: Any) -> Panel:
    """Describe the density of one posterior with its credible interval."""
    return posterior_curves({metric: law}, metric=metric, **options)


def posterior_curves(
    laws: Mapping[str, Posterior],
    *,
    metric: str = "metric",
    level: float = 0.95,
    kind: CredibleKind = "equal",
    dashed: Mapping[str, Posterior] | None = None,
) -> Panel:
    """Describe densities over one another, each with its credible interval shaded and its mean dotted.

    ``dashed`` are others of the same models, in their colours: those of Wang et al. (2015), averaged over folds.
    """
    if not laws:
        raise InputError(messages.LAWS_IS_EMPTY())
    intervals = [law.interval(level, kind=kind) for law in laws.values()]
    curves = [_density(law, limits) for law, limits in zip(laws.values(), intervals, strict=True)]
    marks = [
        mark
        for at, (name, law) in enumerate(laws.items())
        for mark in _drawn(name, law.mean, curves[at], intervals[at], at)
    ]
    also = [_density(law, law.interval(level)) for law in (dashed or {}).values()]
    for at, curve in enumerate(also):
        marks.append(Line(*curve, colour=picture.style_of(at)[0], dash="--", width=1.2, name="averaged"))
    shaded = f"{percent(level)} credible interval ({'equal tails' if kind == 'equal' else 'highest density'})"
    return Panel(
        across=Axis(*limits_around(x[end] for x, _ in (*curves, *also) for end in (0, -1)), label=metric_words(metric)),
        up=Axis(0, 1.05 * max(float(height.max()) for _, height in curves), label="posterior density"),
        marks=marks, legend=list(laws) != [metric],
        caption=f"Shaded: {shaded}; dotted: the mean.{AVERAGED if also else ''}",
        described=f"posterior density; shaded: {shaded}",
    )  # fmt: skip


def plot_posteriors(laws: Mapping[str, Posterior], **options: Any) -> Any:
    """Draw the densities of several posteriors, and return the axes."""
    return draw(posterior_curves(laws, **options))


def _density(law: Difference, limits: tuple[float, float], *, at: float = math.nan, points: int = 301) -> Points:
    """Return a density where it is finite, from tail to tail; its points hold the limits, and one place between."""
    start, stop = min(float(law.ppf(TAIL)), limits[0]), max(float(law.isf(TAIL)), limits[1])
    also = [*limits, at] if start < at < stop else [*limits]
    x = np.unique(np.concatenate([np.linspace(start, stop, points), also]))
    heights = np.asarray(law.pdf(x), dtype=np.float64)
    finite = np.isfinite(heights)
    return x[finite], heights[finite]


def _under(curve: Points, low: float, high: float, **options: Any) -> picture.Area:
    """Return the area under a part of a curve."""
    x, heights = curve
    held = (x >= low) & (x <= high)
    return picture.Area(x[held], np.zeros(int(held.sum())), heights[held], **options)


def _drawn(name: str, mean: float, curve: Points, limits: tuple[float, float], at: int) -> list[Mark]:
    colour, dash = picture.style_of(at)
    return [
        Line(*curve, colour=colour, dash=dash, width=1.8, name="density", label=name),
        _under(curve, *limits, colour=colour, opacity=0.16),
        Rule(mean, (0, float(np.interp(mean, *curve))), colour=colour, dash=":", width=1),
    ]


# --- Bayes tests -------------------------------------------------------------------------------------------------


def plot_bayes_test(test: BayesTest, *, axes: Any = None) -> Any:
    """Draw one test: posteriors at the left, the difference at the right; on given axes the difference alone."""
    return plot_bayes_tests([test])[0] if axes is None else draw(difference_curve(test), axes)


def plot_bayes_tests(tests: Sequence[BayesTest], dashed: Sequence[Mapping[str, Posterior]] = ()) -> Any:
    """Draw several tests one under the other and return an array of axes with two columns.

    ``dashed`` has, for each test, the posteriors of Wang et al. (2015) to draw as well.
    """
    if not tests:
        raise InputError(messages.TESTS_IS_EMPTY())
    panels = []
    for at, test in enumerate(tests):
        laws, also = _laws(test), dashed[at] if dashed else None
        named = {shortened(test.a): laws.a, shortened(test.b): laws.b}
        panels += [
            posterior_curves(named, metric=test.metric, level=test.level, dashed=also), difference_curve(test),
        ]  # fmt: skip
    return draw(picture.Picture(panels, columns=2, size=(10.4, 4.1 * len(tests))))


def _laws(test: BayesTest) -> Laws:
    if test.laws is None:
        raise InputError(messages.TEST_WAS_READ_FROM_FILE())
    return test.laws()


def difference_curve(test: BayesTest) -> Panel:
    """Describe the density of b − a: what lies at or below 0 belongs to H0, what lies above to H1."""
    laws = _laws(test)
    x, heights = curve = _density(laws.gain, (test.low, test.high), at=0.0, points=141)
    rope, room, top = test.rope or 0.0, 0.3 * float(x[-1] - x[0]), 1.22 * float(heights.max())
    # On both sides of 0 there is room for the probability of a hypothesis.
    low, high = limits_around([x[0], x[-1], -rope, rope, -room, room])
    region = [picture.Span(-rope, rope, name="region", colour=picture.GREY, opacity=0.15)] if rope else []
    h0, h1 = f"P(H0) = {chance(test.p_h0, 3)}", f"P(H1) = {chance(test.p_h1, 3)}"
    return Panel(
        across=Axis(low, high, f"difference in {metric_words(test.metric)}: {shortened(test.b)} − {shortened(test.a)}"),
        up=Axis(0, top, label="posterior density"), title=test.decision, caption=_caption(test, laws),
        marks=[
            *region,
            _under(curve, -math.inf, 0.0, name="H0", colour=picture.ORANGE),
            _under(curve, 0.0, math.inf, name="H1", colour=picture.BLUE),
            picture.Rule(0.0, name="nothing", colour=picture.GREY, width=1, dash="--"),
            Line(*curve, name="density", colour=picture.GREY),
            Line((test.low, test.high), (0.01 * top, 0.01 * top), name="interval", colour=picture.BLACK, width=3),
            Words(low, 0.95 * top, h0, anchor="start", name="chance", colour=picture.ORANGE),
            Words(high, 0.95 * top, h1, anchor="end", name="chance", colour=picture.BLUE),
        ],
        described=f"density of {test.b} − {test.a}: {h0}, {h1}",
    )  # fmt: skip


def _caption(test: BayesTest, laws: Laws) -> str:
    curve = " Curve: smoothed draws." if laws.drawn else ""
    text = (
        f"Areas: H0 (difference at most 0) and H1 (above 0). Bar: {percent(test.level)} credible interval "
        f"({test.method}); {test.pairing} posteriors, prior {test.prior:g} per cell.{curve}"
    )
    rope = test.rope_probabilities
    return text if rope is None else text + f" Grey: ± {test.rope:g}, with probability {chance(rope[1], 3)}."

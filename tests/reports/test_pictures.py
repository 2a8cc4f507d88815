"""Pictures: one description, the same places in both drawers; SVG without a number that is none."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest

import howsure as hs
from howsure.reports.figures.intervals import Bar, bars_forest, comparisons_forest
from howsure.reports.figures.picture import Area, Axis, Line, Panel, dots, limits_around, round_numbers, shortened
from howsure.reports.svg import bars_svg, forest_svg, svg

ODD = 'a <b> & "c"\n\x1b[31m'


def numbers(drawn: str) -> list[float]:
    """Return every number of the attributes that place something."""
    return [
        float(x)
        for part in re.findall(r' (?:x|y|cx|cy|x1|x2|y1|y2|points)="([^"]*)"', drawn)
        for x in re.split("[ ,]", part)
    ]


@pytest.mark.parametrize("ends", [(0.2, 0.9), (-math.inf, math.inf), (0.5, 0.5), (math.nan, math.nan)])
def test_every_interval_is_placed_inside_the_drawing(ends: tuple[float, float]) -> None:
    drawn = bars_svg([Bar(ODD, 0.5, *ends, wide=(-math.inf, 0.95)), Bar("other", 0.6, 0.1, 0.7)], mark=0.0)
    ElementTree.fromstring(drawn)
    assert all(0 <= x <= 720 for x in numbers(drawn))
    assert ("undefined" in drawn) == math.isnan(ends[0])


def test_nothing_to_draw_is_nothing() -> None:
    undefined = hs.report(hs.counts(tp=0, fp=0, fn=3, tn=5), ["precision"])
    assert forest_svg(undefined.rows) == ""
    assert bars_svg([]) == ""


def test_ratios_have_a_logarithmic_axis() -> None:
    drawn = forest_svg(hs.report(hs.counts(tp=77, fp=44, fn=10, tn=702), ["odds_ratio"]).rows)
    places = [float(x) for x in re.findall(r'class="tick" x="([0-9.]+)"', drawn)]
    words = [float(x) for x in re.findall(r">([0-9.]+)</text>", drawn)]
    assert words == [100, 200]
    low, high = (math.log(end) for end in limits_around([59.45, 253.9], log=True))
    expected = [200 + 496 * (math.log(x) - low) / (high - low) for x in words]
    assert places == pytest.approx(expected, abs=0.2)


def test_both_drawers_show_the_same_words() -> None:
    pytest.importorskip("matplotlib")
    models = {"x": list("aabbbbabab" * 6), "y": list("ababababab" * 6)}
    made = hs.compare(hs.table(list("aaabbbbbab" * 6), models, pos_label="a"), "accuracy", rope=0.05)
    panel, axes = comparisons_forest(made), made.plot()
    drawn = svg(panel)
    for words in ("practically equal", axes.get_xlabel(), axes.get_yticklabels()[0].get_text()):
        assert f">{words}</text>" in drawn
    assert f"<title>y − x {made.difference:.3f}".replace("-", "−") in drawn


def test_bands_steps_and_dots_need_no_drawer_of_their_own() -> None:
    """What later pictures are made of: a band around a line in steps, and dots of runs behind it."""
    x, steps = (0.0, 0.5, 0.5, 1.0), (0.0, 0.0, 1.0, 1.0)
    marks = [Area(x, (0, 0, 0.8, 0.8), steps), dots((0.2, 0.4), (0.1, 0.3)), Line(x, steps, name="roc")]
    panel = Panel(Axis(0, 1, "false positive rate"), Axis(0, 1, "recall"), marks, described="a curve")
    drawn = ElementTree.fromstring(svg(panel, width=400, height=300))
    assert [len(drawn.findall(tag)) for tag in ("polygon", "circle", "polyline")] == [1, 2, 1]
    pytest.importorskip("matplotlib")
    from howsure.reports.figures.canvas import draw

    axes = draw(panel)
    assert (axes.get_xlabel(), axes.get_ylabel(), len(axes.lines), len(axes.collections)) == (
        "false positive rate", "recall", 2, 1,
    )  # fmt: skip


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-0.31, 0.02), (1e-9, 3e-9), (0.94, 0.951), (3, 4e8)])
@pytest.mark.parametrize("log", [False, True])
def test_ticks_are_few_and_inside(low: float, high: float, log: bool) -> None:
    if log and low <= 0:
        return
    ticks = round_numbers(low, high, log=log)
    assert 2 <= len(ticks) <= 7
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks)
    assert ticks == sorted(set(ticks))


def test_headings_are_bold_and_say_nothing() -> None:
    panel = bars_forest([Bar("f1", heading=True), Bar("x", 0.5, 0.4, 0.6)])
    assert panel.described == "x 0.500 [0.400, 0.600]"
    assert svg(panel).count('font-weight="bold"') == 1
    assert shortened("a\n b") == "a b"

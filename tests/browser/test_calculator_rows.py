"""The calculator in a real browser: files whose rows hold no labels, looks at any time, tabs on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from browser.test_calculator import TABS, answered, computed, enter
from browser.test_calculator import seen as seen  # the fixture

pytestmark = pytest.mark.browser

VALUES = [(0.5, 0.7), (0.2, 0.4), (0.9, 0.8), (0.3, 0.6), (0.4, 0.5), (0.8, 0.9)]


def chosen(seen: Any, holds: str, path: Path) -> None:
    """Say what a row holds, and choose the file; nothing is asked before the columns are named."""
    enter(seen.page, "file", holds=holds)
    seen.page.set_input_files("#file-file", str(path))
    seen.page.wait_for_function("() => document.querySelector('#panel-file .status').textContent.startsWith('Name')")


def test_a_long_table(seen: Any, tmp_path: Path) -> None:
    rows = [
        (who, question, int(question % modulus > 0)) for question in range(40) for who, modulus in (("a", 9), ("b", 3))
    ]
    path = tmp_path / "long.csv"
    path.write_text("who,question,ok\n" + "".join(f"{who},{question},{ok}\n" for who, question, ok in rows))
    chosen(seen, "long", path)
    enter(seen.page, "file", model_column="who", id="question", correct="ok")
    made = hs.estimate(hs.read(path, model="who", id="question", correct="ok"), "accuracy", model="a")
    assert f"is {made:.3f} (95% interval {made.low:.3f} to {made.high:.3f})." in computed(seen.page, "file")
    assert not seen.page.is_visible("#file-truth")


def test_a_number_a_row(seen: Any, tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    path.write_text("net,big\n" + "".join(f"{a},{b}\n" for a, b in VALUES))
    chosen(seen, "values", path)
    enter(seen.page, "file", value="net, big", range="0,1")
    made = hs.estimate(hs.table(values=[a for a, _ in VALUES], range=(0, 1)), "mean")
    assert f"is {made:.3f} (95% interval {made.low:.3f} to {made.high:.3f})." in computed(seen.page, "file")


def test_looks_at_any_time(seen: Any) -> None:
    enter(seen.page, "counts", tp="77", fp="44", fn="10", tn="702", anytime="true")
    computed(seen.page, "counts")
    made = hs.estimate(hs.counts(tp=77, fp=44, fn=10, tn=702), "f1", anytime=True)
    assert f"(95% interval at any time {made.low:.3f} to {made.high:.3f})." in answered(seen.page, "counts")
    assert "anytime=true" in seen.page.url


def test_every_tab_is_seen_on_a_phone(open_page: Callable[..., Any], address: str) -> None:
    watched = open_page(width=375)
    watched.page.goto(address)
    for tab in TABS:
        box = watched.page.locator(f"#tab-{tab}").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 375
        assert box["y"] + box["height"] <= 150

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


TABS_OF_FILES = ("file", "compare")


def chosen(seen: Any, tab: str, holds: str, path: Path) -> None:
    """Say what a row holds, and choose the file; nothing is asked before the columns are named."""
    enter(seen.page, tab, **({"source": "file"} if tab == "compare" else {}), holds=holds)
    seen.page.set_input_files(f"#{tab}-file", str(path))
    seen.page.wait_for_function(
        "tab => document.querySelector(`#panel-${tab} .status`).textContent.startsWith('Name')", arg=tab
    )


def expected(tab: str, table: hs.Table, metric: str) -> str:
    """Return what the page says of the first model, or of the second against the first."""
    a, b = table.models
    if tab == "file":
        one = hs.estimate(table, metric, model=a)
        return f"is {one:.3f} (95% interval {one.low:.3f} to {one.high:.3f})."
    made = hs.compare(table, metric, a=a, b=b)
    if made.low <= 0 <= made.high:
        return f"Not settled: {b} may be lower by {-made.low:.3f} or higher by {made.high:.3f}"
    nearest, furthest = sorted((abs(made.low), abs(made.high)))
    winner, other = (b, a) if made.low > 0 else (a, b)
    return f"{winner} is better than {other} in {made.said} by {nearest:.3f} to {furthest:.3f}"


@pytest.mark.parametrize("tab", TABS_OF_FILES)
def test_a_long_table(seen: Any, tmp_path: Path, tab: str) -> None:
    rows = [
        (who, question, int(question % modulus > 0)) for question in range(40) for who, modulus in (("a", 9), ("b", 3))
    ]
    path = tmp_path / "long.csv"
    path.write_text("who,question,ok\n" + "".join(f"{who},{question},{ok}\n" for who, question, ok in rows))
    chosen(seen, tab, "long", path)
    enter(seen.page, tab, model_column="who", id="question", correct="ok")
    table = hs.read(path, model="who", id="question", correct="ok")
    assert expected(tab, table, "accuracy") in computed(seen.page, tab)
    assert not seen.page.is_visible(f"#{tab}-truth")


@pytest.mark.parametrize("tab", TABS_OF_FILES)
def test_a_number_a_row(seen: Any, tmp_path: Path, tab: str) -> None:
    """That rows hold numbers is guessed from the file, and the columns are filled in."""
    path = tmp_path / "values.csv"
    path.write_text("net,big\n" + "".join(f"{a},{b}\n" for a, b in VALUES))
    enter(seen.page, tab, **({"source": "file"} if tab == "compare" else {}))
    seen.page.set_input_files(f"#{tab}-file", str(path))
    seen.page.wait_for_function("tab => document.getElementById(`${tab}-value`).value === 'net, big'", arg=tab)
    enter(seen.page, tab, range="0,1")
    assert expected(tab, hs.read(path, value=["net", "big"], range=(0, 1)), "mean") in computed(seen.page, tab)
    assert seen.page.locator(f"#panel-{tab} .chips button[aria-pressed=true]:visible").all_inner_texts() == [
        "net",
        "big",
    ]
    seen.page.locator(f"#panel-{tab} .chips button:visible", has_text="big").click()
    assert seen.page.input_value(f"#{tab}-value") == "net"


@pytest.mark.parametrize("tab", TABS_OF_FILES)
def test_sums_per_unit(seen: Any, tmp_path: Path, tab: str) -> None:
    """Nothing is said at all: a dropped file of counts is answered by its columns' names."""
    path = tmp_path / "boxes.csv"
    lines = [f"{at},{at % 3},{at % 2},{at % 4},{at % 5},{at % 2},{at % 3}\n" for at in range(40)]
    path.write_text("image,yolo_tp,yolo_fp,yolo_fn,detr_tp,detr_fp,detr_fn\n" + "".join(lines))
    enter(seen.page, tab, **({"source": "file"} if tab == "compare" else {}))
    seen.page.set_input_files(f"#{tab}-file", str(path))
    table = hs.read(path, unit="image", sums=["tp", "fp", "fn"])
    assert expected(tab, table, "f1") in answered(seen.page, tab)
    assert seen.page.input_value(f"#{tab}-unit") == "image"
    assert "holds=sums" in seen.page.url


def test_subgroups_are_a_menu(seen: Any, tmp_path: Path) -> None:
    path = tmp_path / "sites.csv"
    path.write_text("label,svm,site\n" + "".join(f"{at % 2},{(at // 3) % 2},{'xyz'[at % 3]}\n" for at in range(60)))
    seen.page.click("#tab-file")
    seen.page.set_input_files("#file-file", str(path))
    answered(seen.page, "file")
    enter(seen.page, "file", by="site", pos_label="1")
    computed(seen.page, "file")
    assert seen.page.locator("#panel-file .answer h2").all_inner_texts()[1] == "f1 by site"


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

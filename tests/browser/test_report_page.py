"""The report page in a real browser: it shows, sorts, fetches nothing and is accessible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.reports.html import table_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table() -> hs.Table:
    return hs.read(str(Path(hs.__file__).parent / "example" / "tumours.csv"), pos_label="malignant")


@pytest.fixture(scope="module")
def file(table: hs.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(table_page(table), encoding="utf-8")
    return path


def column(page: Any, at: int) -> list[str]:
    rows = page.locator("#scores tbody tr").all()
    return [row.locator("td").nth(at).inner_text() for row in rows]


def test_shows_the_numbers(open_page: Callable[..., Any], file: Path, table: hs.Table) -> None:
    seen = open_page()
    seen.page.goto(file.as_uri())
    made = hs.report(table)
    assert column(seen.page, 1) == [row.metric for row in made]
    assert [float(text) for text in column(seen.page, 3)] == pytest.approx([row.low for row in made], abs=0.0006)
    assert seen.page.locator("svg.forest").count() == len(made.metrics)
    assert seen.page.locator("table.matrix").count() == 3
    assert seen.errors == []
    assert seen.outside(file.as_uri()) == []


def test_sorts_by_click_and_by_keyboard(open_page: Callable[..., Any], file: Path) -> None:
    seen = open_page()
    seen.page.goto(file.as_uri())
    button = seen.page.locator("#scores th button", has_text="value")
    button.click()
    values = [float(text) for text in column(seen.page, 2)]
    assert values == sorted(values)
    assert seen.page.locator("#scores th[aria-sort=ascending]").count() == 1
    button.focus()
    seen.page.keyboard.press("Enter")
    values = [float(text) for text in column(seen.page, 2)]
    assert values == sorted(values, reverse=True)
    seen.page.locator("#scores th button", has_text="model").click()
    assert column(seen.page, 0) == sorted(column(seen.page, 0))
    assert seen.errors == []


def test_downloads_its_numbers(open_page: Callable[..., Any], file: Path) -> None:
    seen = open_page()
    seen.page.goto(file.as_uri())
    with seen.page.expect_download() as download:
        seen.page.click("text=Download the numbers")
    assert '"howsure/report/1"' in Path(download.value.path()).read_text(encoding="utf-8")


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (360, "dark")])
def test_fits_and_is_accessible(open_page: Callable[..., Any], file: Path, width: int, scheme: str) -> None:
    seen = open_page(width=width, scheme=scheme)
    seen.page.goto(file.as_uri())
    assert seen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert seen.faults() == []

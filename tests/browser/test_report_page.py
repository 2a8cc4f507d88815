"""The report page in a real browser: it shows, sorts, fetches nothing and is accessible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.reports.page.page import table_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table() -> hs.Table:
    return hs.read(str(Path(hs.__file__).parent / "cli" / "example" / "tumours.csv"), pos_label="malignant")


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


def sorted_by(page: Any, section: str, name: str, at: int) -> list[str]:
    page.locator(f"#{section} th button", has_text=name).first.click()
    rows = page.locator(f"#{section} table.sortable").first.locator("tbody tr").all()
    return [row.locator("td").nth(at).inner_text() for row in rows]


def test_small_probabilities_sort_as_numbers(open_page: Callable[..., Any], file: Path) -> None:
    """What is printed as less than 0.0001 comes before 0.0001."""
    seen = open_page()
    seen.page.goto(file.as_uri())
    printed = sorted_by(seen.page, "compare", "p", 5)
    assert printed[0] == "< 0.0001"
    assert [float(text.lstrip("< ")) for text in printed] == sorted(float(text.lstrip("< ")) for text in printed)


def test_negative_numbers_sort_as_numbers(open_page: Callable[..., Any], file: Path) -> None:
    """Differences are printed with a true minus, which JavaScript does not read as one."""
    seen = open_page()
    seen.page.goto(file.as_uri())
    printed = sorted_by(seen.page, "compare", "low", 3)
    values = [float(text.replace("−", "-")) for text in printed]
    assert any(text.startswith("−") for text in printed)
    assert values == sorted(values)
    assert values != sorted(values, key=str)


def test_prints_every_answer(open_page: Callable[..., Any], file: Path) -> None:
    """What is folded on the screen is open on paper; what is for the screen alone is not there."""
    seen = open_page()
    seen.page.goto(file.as_uri())
    hidden = seen.page.locator("#methods details p")
    assert not hidden.first.is_visible()
    seen.page.emulate_media(media="print")
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(answer.is_visible() for answer in hidden.all())
    assert not seen.page.locator("nav").is_visible()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven models with long names, three classes and three subgroups: a full page."""
    kinds = [f"class {letter}" for letter in "abc"]
    truth = [kinds[at % 3] for at in range(300)]
    models = {
        f"a model with a long name, number {k}": [kinds[(at + (at % (k + 3) == 0) * (at % 5)) % 3] for at in range(300)]
        for k in range(7)
    }
    parts = hs.slices(truth, models, by=[f"site {at // 3 % 3}" for at in range(300)])
    gaps = [parts.gap("macro_f1", model=parts.models[0])]
    main = hs.report(parts.total, ["accuracy", "macro_f1"])
    slices = {str(name): hs.report(part, ["accuracy", "macro_f1"]) for name, part in parts.items()}
    path = tmp_path_factory.mktemp("many") / "report.html"
    path.write_text(table_page(parts.total, main, slices=slices, gaps=gaps), encoding="utf-8")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1100, "dark"), (390, "light")])
def test_a_full_page(open_page: Callable[..., Any], many: Path, width: int, scheme: str) -> None:
    seen = open_page(width=width, scheme=scheme)
    seen.page.goto(many.as_uri())
    assert seen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert seen.page.locator("#matrices table").count() == 7
    assert seen.page.locator("#classes tbody tr").count() == 7 * 9
    assert "gap" in seen.page.locator("#slices p").first.inner_text()
    assert seen.page.locator("#slices svg.forest").count() == 14
    assert seen.page.locator("#compare table.differences tbody tr").count() == 14
    assert seen.page.locator("#compare details").count() == 2
    assert seen.faults() == []
    assert seen.errors == []
    assert seen.outside(many.as_uri()) == []


def test_no_name_is_cut_by_its_drawing(open_page: Callable[..., Any], many: Path) -> None:
    seen = open_page()
    seen.page.goto(many.as_uri())
    script = """() => [...document.querySelectorAll("svg.forest")].filter(svg => [...svg.querySelectorAll("text")].some(
        text => { const box = text.getBBox(); return box.x < 0 || box.x + box.width > svg.viewBox.baseVal.width; }
    )).length"""
    assert seen.page.evaluate(script) == 0


def test_a_notebook_draws_it(open_page: Callable[..., Any], table: hs.Table, tmp_path: Path) -> None:
    """The HTML of a report, of differences and of a plan, in a page without any style."""
    shown = [hs.report(table), hs.compare_all(table, "f1"), hs.plan("f1", half_width=0.05, prevalence=0.2)]
    path = tmp_path / "notebook.html"
    path.write_text("<!doctype html><meta charset=utf-8>" + "".join(one._repr_html_() for one in shown))
    seen = open_page()
    seen.page.goto(path.as_uri())
    drawings = seen.page.locator("svg")
    assert drawings.count() == 3
    assert all(drawing.bounding_box()["height"] > 60 for drawing in drawings.all())
    assert (
        seen.page.locator("svg .single").first.evaluate("line => getComputedStyle(line).stroke") == "rgb(0, 114, 178)"
    )
    assert seen.errors == []


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (360, "dark")])
def test_fits_and_is_accessible(open_page: Callable[..., Any], file: Path, width: int, scheme: str) -> None:
    seen = open_page(width=width, scheme=scheme)
    seen.page.goto(file.as_uri())
    assert seen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert seen.faults() == []

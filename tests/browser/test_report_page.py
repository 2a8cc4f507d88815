"""The report page in a real browser: it shows, sorts, fetches nothing and is accessible."""

from __future__ import annotations

import gzip
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
    rows = page.locator("#metrics tbody tr").all()
    return [row.locator("th, td").nth(at).locator("css=.v, :scope").last.inner_text().rstrip("†") for row in rows]


def test_shows_the_numbers(open_page: Callable[..., Any], file: Path, table: hs.Table) -> None:
    seen = open_page()
    seen.page.goto(file.as_uri())
    made = hs.report(table)
    ranked = made.ranking
    assert seen.page.locator(".board:visible tbody th").all_inner_texts() == [row.model for row in ranked]
    shown = seen.page.locator(".board:visible td.value").all_inner_texts()
    assert [float(text) for text in shown] == pytest.approx([float(row.estimate) for row in ranked], abs=0.0006)
    assert seen.page.locator("#metrics td").count() == len(made)
    assert seen.page.locator("table.cm").count() == 3
    assert seen.page.locator("h1").inner_text().startswith("neighbours and linear are tied; centroid is clearly worse")
    assert seen.errors == []
    assert seen.outside(file.as_uri()) == []


@pytest.mark.parametrize(("width", "height", "room"), [(1200, 800, 700), (375, 700, 700)])
def test_the_answer_is_on_the_first_screen(
    open_page: Callable[..., Any], file: Path, birds: Path, width: int, height: int, room: int
) -> None:
    """Verdict and picture, of three models and of ten."""
    for path in (file, birds):
        seen = open_page(width=width)
        seen.page.set_viewport_size({"width": width, "height": height})
        seen.page.goto(path.as_uri())
        table = seen.page.locator(".board:visible table").bounding_box()
        assert table["y"] + table["height"] <= room
        assert seen.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten models on 200 rows, ranked by accuracy, with a second metric to choose."""
    truth = [at % 2 for at in range(200)]
    models = {
        f"{name}-{size}b": [value if (at * 37 + size) % 100 >= wrong else 1 - value for at, value in enumerate(truth)]
        for name, size, wrong in zip(
            ["osprey", "heron", "kestrel", "plover", "heron", "kestrel", "osprey", "swift", "plover", "wren"],
            [90, 70, 32, 14, 8, 7, 6, 9, 3, 1], [16, 17, 20, 28, 40, 42, 42, 43, 60, 64], strict=True,
        )
    }  # fmt: skip
    table = hs.table(truth, models)
    path = tmp_path_factory.mktemp("birds") / "report.html"
    path.write_text(table_page(table, hs.report(table, ["accuracy", "f1"]), name="results/"), encoding="utf-8")
    return path


def test_the_metric_is_chosen_by_keyboard_and_without_a_script(browser: Any, birds: Path) -> None:
    context = browser.new_context(viewport={"width": 1200, "height": 800}, java_script_enabled=False)
    page = context.new_page()
    page.goto(birds.as_uri())
    assert page.locator(".board:visible th.value").inner_text() == "accuracy"
    page.locator(".metric input").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".board:visible th.value").inner_text() == "F1"
    assert page.locator("#pairs h2:visible").inner_text().startswith("Pairs in F1")
    context.close()


def test_sorts_by_click_and_by_keyboard(open_page: Callable[..., Any], file: Path) -> None:
    seen = open_page()
    seen.page.goto(file.as_uri())
    button = seen.page.locator("#metrics th button", has_text="accuracy").first
    at = seen.page.locator("#metrics thead th").all_inner_texts().index("accuracy")
    button.click()
    values = [float(text) for text in column(seen.page, at)]
    assert values == sorted(values)
    assert seen.page.locator("#metrics th[aria-sort=ascending]").count() == 1
    button.focus()
    seen.page.keyboard.press("Enter")
    values = [float(text) for text in column(seen.page, at)]
    assert values == sorted(values, reverse=True)
    assert seen.errors == []


def test_downloads_its_numbers(open_page: Callable[..., Any], file: Path) -> None:
    seen = open_page()
    seen.page.goto(file.as_uri())
    with seen.page.expect_download() as download:
        seen.page.click("text=numbers (JSON)")
    data = Path(download.value.path()).read_bytes()
    assert b'"howsure/report/1"' in (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)


def sorted_by(page: Any, section: str, name: str, at: int) -> list[str]:
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    page.locator(f"#{section} th button").get_by_text(name).locator("visible=true").last.click()
    rows = page.locator(f"#{section} table.sortable").first.locator("tbody tr").all()
    return [row.locator("td").nth(at).inner_text() for row in rows]


def test_small_probabilities_sort_as_numbers(open_page: Callable[..., Any], file: Path) -> None:
    """What is printed as less than 0.0001 comes before 0.0001."""
    seen = open_page()
    seen.page.goto(file.as_uri())
    printed = sorted_by(seen.page, "pairs", "p", 3)
    assert printed[0] == "< 0.0001"
    assert [float(text.lstrip("< ")) for text in printed] == sorted(float(text.lstrip("< ")) for text in printed)


def test_negative_numbers_sort_as_numbers(open_page: Callable[..., Any], birds: Path) -> None:
    """Differences are printed with a true minus, which JavaScript does not read as one."""
    seen = open_page()
    seen.page.goto(birds.as_uri())
    printed = sorted_by(seen.page, "pairs", "difference", 1)
    values = [float(text.replace("−", "-")) for text in printed]
    assert any(text.startswith("−") for text in printed)
    assert values == sorted(values)
    assert values != sorted(values, key=str)


def test_prints_every_answer(open_page: Callable[..., Any], file: Path) -> None:
    """What is folded on the screen is open on paper; what is for the screen alone is not there."""
    seen = open_page()
    seen.page.goto(file.as_uri())
    hidden = seen.page.locator("#details details p")
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
    assert seen.page.locator("table.cm").count() == 7
    assert seen.page.locator("table.cls tbody tr").count() == 7 * 3
    assert "slices" in seen.page.locator("#slices p").first.inner_text()
    assert seen.page.locator("#slices table").count() == 7
    assert seen.page.locator("table.heat").count() == 2
    assert seen.faults() == []
    assert seen.errors == []
    assert seen.outside(many.as_uri()) == []


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

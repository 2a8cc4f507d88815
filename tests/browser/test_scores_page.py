"""The page of scores in a real browser, on two real data sets: curves are drawn, numbers are those of the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.reports.page.page import table_page

pytestmark = pytest.mark.browser

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
ASKED: dict[str, tuple[dict[str, Any], str, int]] = {
    "scores-cancer": ({"truth": "malignant", "scores": ["logistic", "bayes", "forest", "neighbours"]}, "auc", 4),
    "scores-digits": ({"truth": "truth", "scores": ["logistic=logistic_*", "bayes=bayes_*"]}, "macro_auc", 2),
}


@pytest.fixture(scope="module", params=ASKED)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, hs.Table, Path]:
    source = DATA / request.param / "scores.csv"
    if not source.exists():
        pytest.skip("needs the shared data")
    table = hs.read(source, **ASKED[request.param][0])
    path = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    path.write_text(table_page(table), encoding="utf-8")
    return request.param, table, path


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (375, "dark")])
def test_numbers_and_curves_show(
    open_page: Callable[..., Any], made: tuple[str, hs.Table, Path], width: int, scheme: str
) -> None:
    name, table, path = made
    seen = open_page(width=width, scheme=scheme)
    seen.page.goto(path.as_uri())
    _, metric, models = ASKED[name]
    board = seen.page.locator(".board:visible tbody tr")
    assert board.count() == models
    shown = {row.locator("th").inner_text(): row.locator("td.value").inner_text() for row in board.all()}
    for model, text in shown.items():
        assert float(text) == pytest.approx(hs.estimate(table, metric, model=model).value, abs=0.0006)
    curves = seen.page.locator("#curves svg")
    assert curves.count() == len(table.contents.curves) * models
    for one in curves.all():
        drawn = one.locator("path, polyline, polygon, line, circle")
        assert drawn.count() > 3
        assert "NaN" not in one.inner_html()
        box = one.bounding_box()
        assert box is None or box["width"] <= width
    assert seen.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert seen.errors == []
    assert seen.outside(path.as_uri()) == []
    assert seen.faults() == []

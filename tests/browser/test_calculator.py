"""The calculator in a real browser: the papers' examples, links, copies, keyboard, widths, accessibility."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from scipy.stats import binomtest

import howsure as hs
from howsure.papers.takahashi2022 import SECTION_3, TABLE_1
from howsure.papers.wang2019 import COUNTS, P_H0
from howsure.web.app import application

pytestmark = pytest.mark.browser

TABS = ("counts", "matrix", "file", "compare", "bayes", "plan")
TUMOURS = Path(hs.__file__).parent / "example" / "tumours.csv"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(application(), log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{door.getsockname()[1]}/"
        server.should_exit = True
        thread.join(20)


@pytest.fixture
def seen(open_page: Callable[..., Any], address: str) -> Iterator[Any]:
    """Open the calculator, and afterwards see that nothing went wrong and nothing left the machine."""
    watched = open_page()
    watched.page.goto(address)
    yield watched
    assert watched.errors == []
    assert watched.outside(address) == []


def enter(page: Any, tab: str, **fields: str) -> None:
    page.click(f"#tab-{tab}")
    for name, value in fields.items():
        field = page.locator(f"#{tab}-{name}")
        if field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def computed(page: Any, tab: str) -> str:
    page.click(f"#panel-{tab} button.main")
    page.wait_for_selector(f"#panel-{tab} .answer", timeout=60_000)
    return str(page.inner_text(f"#panel-{tab} .status"))


def cells(page: Any, tab: str, first: str) -> list[str]:
    """Return the cells of the row of the first table that starts with a word."""
    rows = page.locator(f"#panel-{tab} .answer").first.locator("tbody tr").all()
    lines = [[cell.inner_text() for cell in row.locator("td").all()] for row in rows]
    return next(line for line in lines if line[0].split(" (")[0] == first)


def test_lam(seen: Any) -> None:
    enter(seen.page, "counts", tp="77", fp="44", fn="10", tn="702")
    assert "f1 = 0.740 [0.669, 0.801] 95% wilson, n = 833" in computed(seen.page, "counts")
    assert cells(seen.page, "counts", "wilson")[1:4] == ["0.740", "0.669", "0.801"]
    assert cells(seen.page, "counts", "wald")[1:4] == ["0.740", "0.674", "0.807"]
    assert seen.page.locator("#panel-counts svg.forest").count() == 2


def test_counts_without_true_negatives(seen: Any) -> None:
    enter(seen.page, "counts", tp="77", fp="44", fn="10")
    assert "0.740 [0.669, 0.801]" in computed(seen.page, "counts")
    assert "specificity" not in seen.page.inner_text("#panel-counts .results")


def test_takahashi(seen: Any) -> None:
    pasted = "\n".join("\t".join(map(str, row)) for row in TABLE_1)
    enter(seen.page, "matrix", matrix=pasted, rows="prediction", metric="macro_f1")
    assert "macro_f1 = 0.689" in computed(seen.page, "matrix")
    low, high = SECTION_3["macro_f1"][1:]
    assert cells(seen.page, "matrix", "wald")[1:4] == ["0.689", f"{low:.3f}", f"{high:.3f}"]


def test_wang(seen: Any) -> None:
    a, b = ("\n".join(",".join(map(str, fold)) for fold in COUNTS["ORG", model]) for model in "AB")
    enter(seen.page, "bayes", a=a, b=b)
    computed(seen.page, "bayes")
    for short, name in {"P": "precision", "R": "recall", "F1": "f1"}.items():
        line = cells(seen.page, "bayes", name)
        assert float(line[6]) == pytest.approx(P_H0["ORG", short], abs=0.0015)
        assert line[8] == ("Accept H0" if P_H0["ORG", short] >= 0.5 else "Accept H1")


def test_jiang(seen: Any) -> None:
    enter(seen.page, "plan", metric="f0.5", half_width="0.02", prevalence="0.615")
    assert "We plan 16,004 labelled rows" in computed(seen.page, "plan")
    assert seen.page.locator("#panel-plan svg.curve .plan").count() == 1


def test_plan_of_a_comparison(seen: Any) -> None:
    enter(seen.page, "plan", question="two", metric="accuracy", accuracy="0.8", accuracy_b="0.85", agreement="0.85")
    assert "We plan 469 labelled rows" in computed(seen.page, "plan")
    assert seen.page.locator("#plan-half_width").is_hidden()


def test_compare_counts(seen: Any) -> None:
    enter(
        seen.page, "compare", c111="245", c110="25", c101="20", c100="10", c011="50", c010="20", c001="30", c000="600"
    )
    computed(seen.page, "compare")
    only_a, only_b = 25 + 30, 20 + 20  # right alone: on true rows, then on false ones
    assert cells(seen.page, "compare", "mcnemar")[4] == f"{binomtest(only_b, only_a + only_b).pvalue:.3f}"


def test_file_and_compare_file(seen: Any) -> None:
    seen.page.click("#tab-file")
    seen.page.set_input_files("#file-file", str(TUMOURS))
    enter(seen.page, "file", pos_label="malignant", metric="f1", model="centroid")
    table = hs.read(str(TUMOURS), pos_label="malignant")
    assert repr(hs.estimate(table, "f1", model="centroid")) in computed(seen.page, "file")
    enter(seen.page, "compare", source="file", metric="f1", a="linear", b="centroid", pos_label="malignant")
    seen.page.set_input_files("#compare-file", str(TUMOURS))
    assert repr(hs.compare(table, "f1", a="linear", b="centroid")) in computed(seen.page, "compare")


def test_the_report_page_is_saved(seen: Any) -> None:
    seen.page.click("#tab-file")
    seen.page.set_input_files("#file-file", str(TUMOURS))
    with seen.page.expect_download() as download:
        seen.page.click("#panel-file button.page")
    assert Path(download.value.path()).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_state_is_a_link(seen: Any, open_page: Callable[..., Any]) -> None:
    enter(seen.page, "plan", metric="f0.5", half_width="0.02", prevalence="0.615")
    said = computed(seen.page, "plan")
    other = open_page()
    other.page.goto(seen.page.url)
    other.page.wait_for_selector("#panel-plan .answer")
    assert other.page.inner_text("#panel-plan .status") == said
    assert other.page.input_value("#plan-prevalence") == "0.615"
    assert other.errors == []


def test_back_goes_back(seen: Any) -> None:
    seen.page.click("#panel-counts .example")
    seen.page.wait_for_selector("#panel-counts .answer")
    seen.page.click("#tab-plan")
    assert seen.page.is_hidden("#panel-counts")
    seen.page.go_back()
    seen.page.wait_for_selector("#panel-counts", state="visible")
    assert seen.page.input_value("#counts-tp") == "77"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("text", "wilson             0.740  [0.669, 0.801]"), ("latex", r"\begin{tabular}"),
        ("bibtex", "author = {Wilson}"),
        ("python", "hs.counts(tp=77, fp=44, fn=10, tn=702)"), ("command", "howsure counts --tp 77 --fp 44"),
    ],
)  # fmt: skip
def test_copies(seen: Any, form: str, said: str) -> None:
    seen.page.click("#panel-counts .example")
    seen.page.wait_for_selector("#panel-counts .answer")
    seen.page.locator(f"[data-copy={form}]").first.click()
    seen.page.wait_for_selector("text=copied")
    assert said in seen.page.evaluate("navigator.clipboard.readText()")


def test_an_error_is_said_and_goes_away(open_page: Callable[..., Any], address: str) -> None:
    watched = open_page()
    watched.page.goto(address)
    enter(watched.page, "counts", tp="77", fp="some", fn="10")
    watched.page.click("#panel-counts button.main")
    watched.page.wait_for_selector("#panel-counts .status.error")
    assert "fp is 'some'; it must be a number" in watched.page.inner_text("#panel-counts .status")
    enter(watched.page, "counts", fp="44")
    assert "0.740" in computed(watched.page, "counts")
    assert watched.page.locator("#panel-counts .status.error").count() == 0


def test_a_hostile_name_stays_text(seen: Any, tmp_path: Path) -> None:
    bad = tmp_path / "p.csv"
    bad.write_text("truth,<img src=x onerror=alert(1)>\n" + "a,a\nb,b\na,b\n" * 5, encoding="utf-8")
    seen.page.click("#tab-file")
    seen.page.set_input_files("#file-file", str(bad))
    computed(seen.page, "file")
    assert seen.page.locator("img").count() == 0


def test_tabs_by_keyboard(seen: Any) -> None:
    seen.page.focus("#tab-counts")
    for name in (*TABS[1:], "counts"):
        seen.page.keyboard.press("ArrowRight")
        assert seen.page.evaluate("document.activeElement.id") == f"tab-{name}"
        assert seen.page.get_attribute(f"#tab-{name}", "aria-selected") == "true"
        assert seen.page.locator("[role=tabpanel]:visible").count() == 1
    seen.page.keyboard.press("End")
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.id") == "plan-question"
    outline = seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (1100, "dark"), (360, "light"), (360, "dark")])
def test_fits_and_is_accessible(open_page: Callable[..., Any], address: str, width: int, scheme: str) -> None:
    watched = open_page(width=width, scheme=scheme)
    watched.page.goto(address)
    for tab in TABS:
        watched.page.click(f"#tab-{tab}")
        if tab != "file":
            watched.page.click(f"#panel-{tab} .example")
            watched.page.wait_for_selector(f"#panel-{tab} .answer", timeout=60_000)
        assert watched.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, tab
        assert watched.faults() == [], tab

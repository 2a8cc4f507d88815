"""The calculator in a real browser: the papers' examples, links, copies, keyboard, widths, accessibility."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

import howsure as hs
from howsure.studies.papers.takahashi2022 import SECTION_3, TABLE_1
from howsure.studies.papers.wang2019 import COUNTS, P_H0

pytestmark = pytest.mark.browser

TABS = ("counts", "matrix", "file", "compare", "bayes", "plan")
TUMOURS = Path(hs.__file__).parent / "cli" / "example" / "tumours.csv"


@pytest.fixture
def seen(open_page: Callable[..., Any], address: str) -> Iterator[Any]:
    """Open the calculator, and afterwards see that nothing went wrong and nothing left the machine."""
    watched = open_page()
    watched.page.goto(address)
    yield watched
    assert watched.errors == []
    assert watched.outside(address) == []
    assert watched.requests, "the page was asked for, or nothing was watched"


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
    assert "f1 = 0.740 [0.668, 0.802] 95% mid-p, n = 833" in computed(seen.page, "counts")
    assert cells(seen.page, "counts", "wilson")[1:4] == ["0.740", "0.669", "0.801"]
    assert cells(seen.page, "counts", "wald")[1:4] == ["0.740", "0.674", "0.807"]
    assert seen.page.locator("#panel-counts svg.forest").count() == 2


def test_counts_without_true_negatives(seen: Any) -> None:
    enter(seen.page, "counts", tp="77", fp="44", fn="10")
    assert "0.740 [0.668, 0.802]" in computed(seen.page, "counts")
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


STATES = {
    "counts": {"tp": "77", "fp": "44", "fn": "10", "metric": "jaccard", "level": "0.9"},
    "matrix": {"matrix": "2\t2\t2\n5\t70\t2\n0\t2\t15", "rows": "prediction", "metric": "kappa",
               "labels": "é,b & c,#3"},
    "compare": {"c111": "245", "c110": "25", "c101": "20", "c100": "10", "c011": "50", "c010": "20", "c001": "30",
                "c000": "600", "metric": "f1", "a": "old one", "b": "new = better?", "margin": "0.05"},
    "bayes": {"a": "20,3,4\n19,2,5", "b": "21,3,3\n20,1,4", "metrics": "f1", "rope": "0.01"},
    "plan": {"question": "two", "metric": "accuracy", "accuracy": "0.8", "accuracy_b": "0.85", "agreement": "0.85"},
}  # fmt: skip


@pytest.mark.parametrize("tab", STATES)
def test_a_state_is_a_link(seen: Any, open_page: Callable[..., Any], tab: str) -> None:
    enter(seen.page, tab, **STATES[tab])
    said = computed(seen.page, tab)
    shown = seen.page.inner_text(f"#panel-{tab} .results")
    other = open_page()
    other.page.goto(seen.page.url)
    page = other.page
    for again in (False, True):
        if again:
            page.reload()
        page.wait_for_selector(f"#panel-{tab} .answer", timeout=60_000)
        assert page.inner_text(f"#panel-{tab} .status") == said
        assert page.inner_text(f"#panel-{tab} .results") == shown
        assert {name: page.input_value(f"#{tab}-{name}") for name in STATES[tab]} == STATES[tab]
    assert other.errors == []


def test_a_link_to_a_file_keeps_its_settings(seen: Any) -> None:
    enter(seen.page, "file", pos_label="malignant", metric="f1", level="0.9")
    seen.page.click("#panel-file .link")
    seen.page.wait_for_selector("text=The link to this state was copied.")
    assert seen.page.evaluate("navigator.clipboard.readText()") == seen.page.url
    seen.page.reload()
    assert "choose the file again" in seen.page.inner_text("#panel-file .status")
    assert seen.page.input_value("#file-pos_label") == "malignant"


@pytest.mark.parametrize("tab", ["file", "compare", "plan"])
def test_a_file_is_dropped(seen: Any, tab: str) -> None:
    """On its own tabs where it lands, on another tab too: the page must not be left for the file."""
    enter(seen.page, "file", pos_label="malignant", metric="f1")
    enter(seen.page, "compare", source="file", pos_label="malignant", metric="f1", a="linear", b="centroid")
    seen.page.click(f"#tab-{tab}")
    dropped = seen.page.evaluate_handle(
        """text => { const made = new DataTransfer(); made.items.add(new File([text], "t.csv")); return made; }""",
        TUMOURS.read_text(encoding="utf-8"),
    )
    seen.page.dispatch_event(f"#panel-{tab}", "dragover", {"dataTransfer": dropped})
    assert seen.page.evaluate("document.body.className") == "dragging"
    seen.page.dispatch_event(f"#panel-{tab}", "drop", {"dataTransfer": dropped})
    where = "compare" if tab == "compare" else "file"
    seen.page.wait_for_selector(f"#panel-{where} .answer", timeout=60_000)
    table = hs.read(str(TUMOURS), pos_label="malignant")
    made = (
        hs.compare(table, "f1", a="linear", b="centroid")
        if tab == "compare"
        else hs.estimate(table, "f1", model="linear")
    )
    assert repr(made) in seen.page.inner_text(f"#panel-{where} .status")
    assert seen.page.evaluate("document.body.className") == ""


@pytest.mark.parametrize(
    "pasted",
    [
        "\t".join(["", "cat a", "dog", "owl"]) + "\ncat a\t2\t2\t2\ndog\t5\t70\t2\nowl\t0\t2\t15",
        ",cat a,dog,owl\ncat a,2,2,2\ndog,5,70,2\nowl,0,2,15\n",
        '"cat a";"dog";"owl"\n2;2;2\n5;70;2\n0;2;15',
        "[[2, 2, 2],\n [5, 70, 2],\n [0, 2, 15]]",
        "| 2 | 2 | 2 |\n| 5 | 70 | 2 |\n| 0 | 2 | 15 |",
    ],
    ids=["spreadsheet", "csv", "semicolons", "python", "markdown"],
)
def test_a_matrix_is_pasted(seen: Any, pasted: str) -> None:
    seen.page.click("#tab-matrix")
    seen.page.evaluate("text => navigator.clipboard.writeText(text)", pasted)
    seen.page.focus("#matrix-matrix")
    seen.page.keyboard.press("Control+V")
    enter(seen.page, "matrix", rows="prediction", metric="macro_f1")
    assert "macro_f1 = 0.689" in computed(seen.page, "matrix")
    assert ("f1[cat a]" in seen.page.inner_text("#panel-matrix .results")) == ("cat a" in pasted)


def test_back_goes_back(seen: Any) -> None:
    seen.page.click("#panel-counts .example")
    seen.page.wait_for_selector("#panel-counts .answer")
    seen.page.click("#tab-plan")
    assert seen.page.is_hidden("#panel-counts")
    seen.page.go_back()
    seen.page.wait_for_selector("#panel-counts", state="visible")
    assert seen.page.input_value("#counts-tp") == "77"


COPIES = {
    "counts": ("wilson             0.740  [0.669, 0.801]", "author = {Wilson}"),
    "matrix": ("0.689  [0.5", "author = {"),
    "compare": ("f1: B − A = −0.022", "author = {"),
    "bayes": ("Accept H", "author = {Wang and Li}"),
    "plan": ("16,004", "author = {Jiang}"),
}


@pytest.mark.parametrize("tab", COPIES)
def test_copies(seen: Any, tab: str, tmp_path: Path) -> None:
    """What lands on the clipboard is checked in each form; the Python and shell lines are run and give this number."""
    seen.page.click(f"#tab-{tab}")
    seen.page.click(f"#panel-{tab} .example")
    seen.page.wait_for_selector(f"#panel-{tab} .answer", timeout=60_000)
    copied = {}
    for form in ("text", "latex", "bibtex", "python", "command"):
        seen.page.locator(f"#panel-{tab} [data-copy={form}]").first.click()
        seen.page.wait_for_selector(f"#panel-{tab} [data-copy={form}][aria-pressed=true]")
        seen.page.wait_for_function("text => document.body.innerText.includes(text)", arg="copied")
        copied[form] = seen.page.evaluate("navigator.clipboard.readText()")
        assert copied[form] == seen.page.locator(f"#panel-{tab} pre.copied").first.inner_text()
    text, source = COPIES[tab]
    assert text in copied["text"]
    assert source in copied["bibtex"]
    assert r"\begin{tabular}" in copied["latex"] or tab == "plan"
    shown = seen.page.locator(f"#panel-{tab} .answer tr.mark td").all_inner_texts()[1:4]
    if not shown:
        shown = ["16,004"] if tab == "plan" else [cells(seen.page, tab, "f1")[6]]
    for form in ("python", "command"):
        printed = run_copied(form, copied[form], tmp_path).replace("−", "-").replace("+", "")
        assert [number for number in shown if number.replace("−", "-").replace("+", "") not in printed] == []


def run_copied(form: str, lines: str, folder: Path) -> str:
    (folder / "howsure").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m howsure "$@"\n')
    (folder / "howsure").chmod(0o755)
    surroundings = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "200"}
    command = [sys.executable, "-c", lines] if form == "python" else ["sh", "-e", "-c", lines]
    return subprocess.run(
        command, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=120, check=True
    ).stdout


def test_an_error_is_said_and_goes_away(open_page: Callable[..., Any], address: str) -> None:
    watched = open_page()
    watched.page.goto(address)
    enter(watched.page, "counts", tp="77", fp="some", fn="10")
    watched.page.click("#panel-counts button.main")
    watched.page.wait_for_selector("#panel-counts .status.error")
    assert "fp is 'some'; it must be a number" in watched.page.inner_text("#panel-counts .status")
    assert watched.page.locator("[aria-invalid]").evaluate_all("all => all.map(one => one.id)") == ["counts-fp"]
    enter(watched.page, "counts", fp="44")
    assert "0.740" in computed(watched.page, "counts")
    assert watched.page.locator("#panel-counts .status.error, [aria-invalid]").count() == 0


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


TYPED = {
    "counts": (["77", "44", "10", "702"], "0.740 [0.668, 0.802]"),
    "matrix": (["2 2 2\n5 70 2\n0 2 15", "p"], "0.689"),
    "compare": ([None, "245", "25", "20", "10", "50", "20", "30", "600"], "B − A"),
    "bayes": (["20,3,4\n19,2,5", "21,3,3\n20,1,4"], "Accept"),
    "plan": ([None, "f0.5", None, None, "0.02", None, None, None, "0.615"], "16,004"),
}


@pytest.mark.parametrize("tab", TYPED)
def test_a_tab_by_keyboard_alone(seen: Any, tab: str) -> None:
    """Go to the tab with the arrow keys, type into its fields one after the other, and press Enter on Compute."""
    press = seen.page.keyboard.press
    seen.page.focus("#tab-counts")
    for _ in range(TABS.index(tab)):
        press("ArrowRight")
    values, said = TYPED[tab]
    for value in values:
        press("Tab")
        if value is not None:
            seen.page.keyboard.type(value)
    while seen.page.evaluate("document.activeElement.className") != "main":
        press("Tab")
        assert seen.page.evaluate(f"document.getElementById('panel-{tab}').contains(document.activeElement)")
    press("Enter")
    seen.page.wait_for_selector(f"#panel-{tab} .answer", timeout=60_000)
    assert said in seen.page.inner_text(f"#panel-{tab} .status")
    while seen.page.evaluate("document.activeElement.dataset.copy") != "text":
        press("Tab")
    press("Enter")
    seen.page.wait_for_selector(f"#panel-{tab} pre.copied:visible")


def test_the_file_tab_by_keyboard_alone(seen: Any) -> None:
    seen.page.focus("#tab-counts")
    seen.page.keyboard.press("ArrowRight")
    seen.page.keyboard.press("ArrowRight")
    for wanted in ("file-file", "file-truth"):
        seen.page.keyboard.press("Tab")
        assert seen.page.evaluate("document.activeElement.id") == wanted


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (1100, "dark"), (360, "light"), (360, "dark")])
def test_fits_and_is_accessible(open_page: Callable[..., Any], address: str, width: int, scheme: str) -> None:
    watched = open_page(width=width, scheme=scheme)
    watched.page.goto(address)
    for tab in TABS:
        watched.page.click(f"#tab-{tab}")
        if (width, scheme) == (1100, "light"):
            assert watched.faults() == [], f"{tab}, empty"
        if tab == "file":
            watched.page.set_input_files("#file-file", str(TUMOURS))
            watched.page.click("#panel-file button.main")
        else:
            watched.page.click(f"#panel-{tab} .example")
        watched.page.wait_for_selector(f"#panel-{tab} .answer", timeout=60_000)
        watched.page.locator(f"#panel-{tab} [data-copy=bibtex]").first.click()
        assert watched.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, tab
        assert watched.faults() == [], tab
    watched.page.click("#tab-counts")
    watched.page.fill("#counts-tp", "a-long-word-" * 12)
    watched.page.click("#panel-counts button.main")
    watched.page.wait_for_selector("#panel-counts .status.error")
    assert watched.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert watched.faults() == [], "an error"

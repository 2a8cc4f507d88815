"""The calculator in a real browser: the papers' examples, links, copies, keyboard, widths, accessibility."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

import howsure as hs
from howsure.studies.papers.takahashi2022 import SECTION_3, TABLE_1
from howsure.studies.papers.wang2019 import COUNTS, P_H0
from support.command_line import copied_lines, python_lines

pytestmark = pytest.mark.browser

TABS = ("counts", "compare", "plan", "file", "matrix", "paper", "bayes")
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
    page.evaluate("document.querySelectorAll('details.fold').forEach(one => one.open = true)")
    for name, value in fields.items():
        field = page.locator(f"#{tab}-{name}")
        if field.evaluate("node => node.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def computed(page: Any, tab: str) -> str:
    page.click(f"#panel-{tab} button.main")
    return answered(page, tab)


def answered(page: Any, tab: str) -> str:
    """Wait until nothing is being computed, and return the headline and what is said below it."""
    page.wait_for_selector(f"#panel-{tab} .answer", timeout=60_000)
    page.wait_for_function(f"() => !document.querySelector('#panel-{tab} [aria-busy]')", timeout=60_000)
    parts = (page.text_content(f"#panel-{tab} .{name}") for name in ("status", "said"))
    return " ".join(map(str, parts))


def cells(page: Any, tab: str, first: str) -> list[str]:
    """Return the cells of the row of the first table that starts with a word."""
    rows = page.locator(f"#panel-{tab} .answer").first.locator("tbody tr").all()
    lines = [[cell.inner_text() for cell in row.locator("td").all()] for row in rows]
    return next(line for line in lines if line[0].split(" (")[0] == first)


def headline(made: hs.Estimate, name: str) -> str:
    """Return what the page says of the library's estimate."""
    return f"{name} is {made:.3f} ({made.level:.0%} interval {made.low:.3f} to {made.high:.3f})."


LAM = hs.counts(tp=77, fp=44, fn=10, tn=702)


def test_lam(seen: Any) -> None:
    enter(seen.page, "counts", tp="77", fp="44", fn="10", tn="702")
    assert headline(hs.estimate(LAM, "f1"), "F1") in computed(seen.page, "counts")
    recall = hs.estimate(LAM, "recall")
    assert cells(seen.page, "counts", "recall")[1:4] == ["0.885", "77/87", f"{recall.low:.3f} to {recall.high:.3f}"]
    seen.page.click("#panel-counts .methods summary")
    seen.page.wait_for_selector("#panel-counts .methods .answer", timeout=60_000)
    rows = seen.page.locator("#panel-counts .methods tbody tr").all_inner_texts()
    found = {row.split("\t")[0].split(" (")[0]: row.split("\t")[1:4] for row in rows}
    assert found["wilson"] == ["0.740", "0.669", "0.801"]
    assert found["wald"] == ["0.740", "0.674", "0.807"]
    assert seen.page.locator("#panel-counts .bar svg").count() == 1


def test_answers_while_typing(seen: Any) -> None:
    """Nothing is pressed: the answer, the totals, more rows and another prevalence follow the keys."""
    page = seen.page
    for name, value in {"tp": "77", "fp": "44", "fn": "10", "tn": "702"}.items():
        page.locator(f"#counts-{name}").press_sequentially(value)
    assert "F1 is 0.740" in answered(page, "counts")
    assert page.locator("[data-sum]").all_inner_texts() == ["121", "712", "87", "746", "833"]
    many = hs.estimate(hs.counts(tp=770, fp=440, fn=100, tn=7020), "f1")
    more = f"(8,330): {many.low:.3f} to {many.high:.3f}"
    page.wait_for_function("text => document.querySelector('.more').textContent.includes(text)", arg=more)
    page.fill("#counts-prevalence", "2%")
    page.wait_for_function("() => document.querySelector('.at').textContent.includes('PPV is 0.234')")
    assert page.inner_text(".at").startswith("F1 is ")
    expected = hs.estimate(hs.counts(tp=77, fp=44, fn=10, tn=702), "ppv@prevalence=0.02")
    assert f"{expected.low:.3f} to {expected.high:.3f}" in page.inner_text(".at")
    page.fill("#counts-tp", "770")
    page.wait_for_function("() => document.querySelector('#panel-counts .status').textContent.includes('F1 is 0.966')")
    assert "tp=770" in page.url


def test_numbers_as_people_type_them(seen: Any) -> None:
    enter(seen.page, "counts", tp="1,077", fp="1 044", fn="10", level="99%")
    made = hs.estimate(hs.counts(tp=1077, fp=1044, fn=10), "f1", level=0.99)
    assert headline(made, "F1") in computed(seen.page, "counts")


def test_two_totals(seen: Any) -> None:
    enter(seen.page, "compare", right_a="85", total_a="100", right_b="91", total_b="100")
    said = computed(seen.page, "compare")
    sides = {name: hs.counts(tp=right, fp=0, fn=100 - right) for name, right in (("A", 85), ("B", 91))}
    (made,) = hs.Slices(sides).compare("recall")
    assert f"Not settled: B may be lower by {-made.low:.3f} or higher by {made.high:.3f} (95% interval)." in said
    planned = hs.plan_comparison("accuracy", accuracy=0.85, accuracy_b=0.91, paired=False)
    assert f"about {planned.n} rows each settle it in 80 of 100 tests" in said
    enter(seen.page, "compare", same="true", only_a="2")
    computed(seen.page, "compare")
    assert cells(seen.page, "compare", "mcnemar")[4] == f"{binomtest(8, 10).pvalue:.3f}"


def test_half_a_question_is_not_asked(seen: Any) -> None:
    """Two totals of the same rows have no answer but a refusal: however long nobody types, none is asked for."""
    page = seen.page
    enter(page, "compare", right_a="85", total_a="100", right_b="91", total_b="100")
    computed(page, "compare")
    page.clock.install()
    asked = [url for url in seen.requests if url.endswith("api/totals")]
    page.select_option("#compare-same", "true")
    page.clock.run_for(5_000)
    assert [url for url in seen.requests if url.endswith("api/totals")] == asked
    with page.expect_response("**/api/totals") as got:
        page.fill("#compare-only_b", "8")
        page.clock.run_for(5_000)
    assert got.value.ok


def test_from_a_paper(seen: Any) -> None:
    enter(seen.page, "paper", figures="accuracy=0.935, recall=88.5%, specificity=0.941", n="833")
    assert headline(hs.estimate(LAM, "specificity"), "Specificity") in computed(seen.page, "paper")
    assert seen.page.locator("#panel-paper tbody tr").first.inner_text().split("\t") == ["77", "44", "10", "702"]


def test_columns_of_a_file_are_offered(seen: Any) -> None:
    seen.page.click("#tab-file")
    seen.page.set_input_files("#file-file", str(TUMOURS))
    answered(seen.page, "file")
    assert seen.page.input_value("#file-truth") == "truth"
    assert seen.page.input_value("#file-predictions") == "linear, neighbours, centroid"
    offered = seen.page.locator("#columns option").evaluate_all("all => all.map(one => one.value)")
    assert {"truth", "linear", "neighbours", "centroid"} <= set(offered)


def test_counts_without_true_negatives(seen: Any) -> None:
    enter(seen.page, "counts", tp="77", fp="44", fn="10")
    assert headline(hs.estimate(LAM, "f1"), "F1") in computed(seen.page, "counts")
    assert "specificity" not in seen.page.inner_text("#panel-counts .results")


def test_takahashi(seen: Any) -> None:
    pasted = "\n".join("\t".join(map(str, row)) for row in TABLE_1)
    enter(seen.page, "matrix", matrix=pasted, rows="prediction", metric="macro_f1")
    assert "Macro F1 is 0.689" in computed(seen.page, "matrix")
    low, high = SECTION_3["macro_f1"][1:]
    assert cells(seen.page, "matrix", "wald")[1:4] == ["0.689", f"{low:.3f}", f"{high:.3f}"]


def test_wang(seen: Any) -> None:
    a, b = ("\n".join(",".join(map(str, fold)) for fold in COUNTS["ORG", model]) for model in "AB")
    enter(seen.page, "bayes", a=a, b=b)
    computed(seen.page, "bayes")
    for short, name in {"P": "precision", "R": "recall", "F1": "F1"}.items():
        line = cells(seen.page, "bayes", name)
        assert float(line[-3]) == pytest.approx(P_H0["ORG", short], abs=0.0015)
        assert line[-1] == ("Accept H0" if P_H0["ORG", short] >= 0.5 else "Accept H1")


def test_jiang(seen: Any) -> None:
    enter(seen.page, "plan", metric="f0.5", half_width="0.02", prevalence="0.615")
    assert "16,004 rows (about 9,843 positive) give f0.5 ±0.020 for any classifier" in computed(seen.page, "plan")
    assert seen.page.locator("#panel-plan svg.curve .plan").count() == 1


def test_plan_of_a_comparison(seen: Any) -> None:
    enter(seen.page, "plan", question="two", metric="accuracy", accuracy="0.8", accuracy_b="0.85", agreement="0.85")
    assert "We plan 469 labelled rows" in computed(seen.page, "plan")
    assert seen.page.locator("#plan-half_width").is_hidden()


def test_compare_counts(seen: Any) -> None:
    enter(
        seen.page,
        "compare",
        source="counts",
        c111="245",
        c110="25",
        c101="20",
        c100="10",
        c011="50",
        c010="20",
        c001="30",
        c000="600",
    )
    computed(seen.page, "compare")
    only_a, only_b = 25 + 30, 20 + 20  # right alone: on true rows, then on false ones
    assert cells(seen.page, "compare", "mcnemar")[4] == f"{binomtest(only_b, only_a + only_b).pvalue:.3f}"


def test_file_and_compare_file(seen: Any) -> None:
    seen.page.click("#tab-file")
    seen.page.set_input_files("#file-file", str(TUMOURS))
    enter(seen.page, "file", pos_label="malignant", metric="f1", model="centroid")
    table = hs.read(str(TUMOURS), pos_label="malignant")
    made = hs.estimate(table, "f1", model="centroid")
    assert f"F1 is {made:.3f} (95% interval {made.low:.3f} to {made.high:.3f})." in computed(seen.page, "file")
    enter(seen.page, "compare", source="file", metric="f1", a="linear", b="centroid", pos_label="malignant")
    seen.page.set_input_files("#compare-file", str(TUMOURS))
    made = hs.compare(table, "f1", a="linear", b="centroid")
    expected = f"linear is better than centroid in F1 by {-made.high:.3f} to {-made.low:.3f} (95% interval)."
    assert expected in computed(seen.page, "compare")


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
    "compare": {"source": "counts", "c111": "245", "c110": "25", "c101": "20", "c100": "10", "c011": "50",
                "c010": "20", "c001": "30", "c000": "600",
                "metric": "f1", "a": "old one", "b": "new = better?", "margin": "0.05"},
    "bayes": {"a": "20,3,4\n19,2,5", "b": "21,3,3\n20,1,4", "metrics": "f1", "rope": "0.01"},
    "paper": {"figures": "accuracy=0.935, recall=88.5%, specificity=0.941", "n": "833"},
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
        assert answered(page, tab) == said
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
    one, two = hs.estimate(table, "f1", model="linear"), hs.compare(table, "f1", a="linear", b="centroid")
    expected = f"by {-two.high:.3f} to {-two.low:.3f}" if tab == "compare" else f"F1 is {one:.3f}"
    assert expected in answered(seen.page, where)
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
    assert "Macro F1 is 0.689" in computed(seen.page, "matrix")
    assert ("f1[cat a]" in seen.page.inner_text("#panel-matrix .results")) == ("cat a" in pasted)


def test_back_goes_back(seen: Any) -> None:
    seen.page.click("#panel-counts .example")
    seen.page.wait_for_selector("#panel-counts .answer")
    seen.page.click("#tab-plan")
    assert seen.page.is_hidden("#panel-counts")
    seen.page.go_back()
    seen.page.wait_for_selector("#panel-counts", state="visible")
    assert seen.page.input_value("#counts-tp") == "77"


PLANNED = f"{hs.plan('accuracy', half_width=0.03, accuracy=0.85).n:,}"
COPIES = {
    "counts": ("0.740", "author = {"),
    "matrix": ("0.689  [0.5", "author = {"),
    "compare": ("B − A", "author = {"),
    "paper": ("tp 77, fp 44, fn 10, tn 702", "author = {"),
    "bayes": ("Accept H", "author = {Wang and Li}"),
    "plan": (PLANNED, "author = {Jiang}"),
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
        shown = {"plan": [PLANNED], "counts": ["0.740"], "paper": ["0.941"]}.get(tab) or [
            f"{float(cells(seen.page, tab, 'F1')[-2]):.2f}"
        ]
    for printed in (python_lines(copied["python"], tmp_path), copied_lines(copied["command"], tmp_path)):
        plain = printed.replace("−", "-").replace("+", "")
        assert [number for number in shown if number.replace("−", "-").replace("+", "") not in plain] == []


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
    assert seen.page.evaluate("document.activeElement.id") == "bayes-a"
    outline = seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


TYPED = {
    "counts": (["77", "44", "10", "702"], "F1 is 0.740"),
    "matrix": (["2 2 2\n5 70 2\n0 2 15", "p"], "0.689"),
    "compare": ([None, "85", "100", "91", "100"], "Not settled"),
    "bayes": (["20,3,4\n19,2,5", "21,3,3\n20,1,4"], "Accept"),
    "plan": ([None, "f0.5", None, "0.02", "0.615"], "16,004"),
    "paper": (["accuracy=0.935, recall=88.5%, specificity=0.941", "833"], "Specificity is 0.941"),
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
    assert said in answered(seen.page, tab)
    while seen.page.evaluate("document.activeElement.dataset.copy") != "text":
        press("Tab")
    press("Enter")
    seen.page.wait_for_selector(f"#panel-{tab} pre.copied:visible")


def test_the_file_tab_by_keyboard_alone(seen: Any) -> None:
    seen.page.focus("#tab-counts")
    for _ in range(TABS.index("file")):
        seen.page.keyboard.press("ArrowRight")
    for wanted in ("file-file", "file-holds", "file-truth"):
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

"""The pages in docs/papers: as the code recomputes them (its quick part), and in agreement with each other."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from howsure.cli.verbs.papers.study import PAPERS
from howsure.results.coverage import PaperRow
from howsure.studies.papers import jiang2020, lam2024, takahashi2022, wang2019, yuan2025

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "papers"
STANDINGS = ("agrees", "explained", "open", "not recomputed")

# What takes seconds; `make papers` recomputes everything.
QUICK: dict[str, tuple[Callable[[], Iterable[PaperRow]], ...]] = {
    "lam2024": (lam2024.example_rows,),
    "takahashi2022": (takahashi2022.example_rows, takahashi2022.table_4_rows),
    "wang2019": (wang2019.factor_rows, wang2019.interval_rows, wang2019.decision_rows),
    "jiang2020": (jiang2020.example_rows, jiang2020.bound_rows, jiang2020.size_rows, jiang2020.model_rows),
    "yuan2025": (yuan2025.table_1, yuan2025.table_2, yuan2025.table_3),
}


def load() -> ModuleType:
    """Return scripts/papers.py as a module."""
    spec = importlib.util.spec_from_file_location("papers_script", ROOT / "scripts" / "papers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load()


def lines(name: str) -> list[list[str]]:
    """Return the cells of the rows of a page: cell, printed, ours, difference, standing, note."""
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    rows = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in text.splitlines() if line.startswith("| ")]
    return [row for row in rows if row[0] != "cell"]


def counted(name: str) -> list[int]:
    found = Counter(row[4] for row in lines(name))
    return [sum(found[standing] for standing in STANDINGS), *(found[standing] for standing in STANDINGS)]


@pytest.mark.parametrize("name", PAPERS)
def test_the_summary_counts_the_rows_of_the_page(name: str) -> None:
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    (line,) = [line for line in index.splitlines() if f"]({name}.md)" in line]
    assert [int(part) for part in line.rstrip(" |").split(" | ")[1:]] == counted(name)
    _, agree, explained, open_, missing = counted(name)
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    total = agree + explained + open_
    assert f"{agree} of {total} printed numbers come out" in page
    assert f"{explained} differ for a stated reason, {open_} are open" in page
    assert missing in (0, 27)


def test_the_first_sentence_counts_all_papers() -> None:
    _, agree, explained, open_, missing = (sum(numbers) for numbers in zip(*map(counted, PAPERS), strict=True))
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    assert f"**{agree} of the {agree + explained + open_} printed numbers" in index
    assert f"{explained} differ for a stated reason, {open_} are open; {missing} cannot be computed again" in index


@pytest.mark.parametrize("name", PAPERS)
def test_the_quick_part_of_a_page_comes_out_again(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8").splitlines()
    made = [SCRIPT.line_of(row) for rows in QUICK[name] for row in rows()]
    assert len(made) > 5
    assert [line for line in made if line not in page] == []


@pytest.mark.parametrize("name", PAPERS)
def test_what_does_not_agree_says_why_or_says_open(name: str) -> None:
    for cell, _, _, _, standing, note in lines(name):
        if standing == "explained":
            assert note
            assert not note.startswith("open"), cell
        if standing == "open":
            assert note.startswith("open"), cell


@pytest.mark.parametrize(("name", "figures"), [("lam2024", 3), ("wang2019", 3), ("jiang2020", 1)])
def test_figures_are_shown_and_small(name: str, figures: int) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^]]+\]\(([^)]+\.svg)\)", page)
    assert shown == [f"{name}-figure-{number}.svg" for number in range(1, figures + 1)]
    for file in shown:
        path = PAGES / file
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
        assert path.stat().st_size < 100_000
        assert b"dc:date" not in path.read_bytes()


def test_a_figure_is_the_same_file_every_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    first, second = (jiang2020.figures(tmp_path / folder) for folder in ("one", "two"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_a_row_that_is_counted_once() -> None:
    row = PaperRow("T", "c", 0.95, 0.9409, decimals=2)
    assert (row.unit, row.agrees, row.standing, row.as_printed) == (0.01, True, "agrees", "0.95")
    strict = PaperRow("T", "c", 0.95, 0.9409, decimals=3)
    assert (strict.standing, strict.as_printed) == ("open", "0.950")
    assert PaperRow("T", "c", 0.95, 0.9409, decimals=3, printed_se=0.003).agrees
    assert PaperRow("T", "c", 0.95, 0.9409, note="a reason", decimals=3).standing == "explained"
    unexplained = PaperRow("T", "c", 0.95, 0.9409, note="a guess", decimals=3, unexplained=True)
    assert unexplained.standing == "open"
    assert "unexplained" not in unexplained.to_dict()
    assert PaperRow("T", "c", 0.95, None).standing == "not recomputed"
    assert PaperRow("T", "c", None, 0.95).standing == ""


def test_every_erratum_that_is_cited_is_listed() -> None:
    listed = set(re.findall(r"^\| ([LTWJY]\d+) \|", (PAGES / "errata.md").read_text(), flags=re.MULTILINE))
    sources = [*ROOT.glob("src/**/*.py"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("*.md")]
    cited = {
        number
        for source in sources
        for group in re.findall(r"[Ee]rrat(?:um|a) ((?:[LTWJY]\d+(?:, | and )?)+)", source.read_text(encoding="utf-8"))
        for number in re.findall(r"[LTWJY]\d+", group)
    }
    assert len(cited) > 20
    assert cited <= listed

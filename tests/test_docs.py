"""Every block of the documentation runs and prints what is shown; the generated pages and the built site are whole."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import howsure as hs
from doc_blocks import assert_shown, blocks_of, commands_of, run_page, runs
from howsure.intervals import METHODS
from howsure.many import ADJUSTMENTS, VERSUS
from howsure.pair_methods import PAIR_METHODS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
RUNNABLE = [page for page in PAGES if any(map(runs, blocks_of(page)))]


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run a page in, with the bundled example."""
    shown = tmp_path / "src" / "howsure" / "example"  # as the README names them, from the root of a clone
    shown.mkdir(parents=True)
    for name in ("tumours.csv", "digits.csv"):
        text = (files("howsure") / "example" / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
        (shown / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_runs_and_prints_what_it_shows(page: Path, example_folder: Path) -> None:
    run_page(page)


def test_a_wrong_output_is_noticed() -> None:
    assert_shown("one\n…\nlast\n", "one\ntwo\nthree\nlast\n", "a page")
    for shown in ("one\ntwo\n", "one\n…\nlasst\n", "two\n…\n", "one\n…\nlast\nmore\n"):
        with pytest.raises(AssertionError):
            assert_shown(shown, "one\ntwo\nthree\nlast\n", "a page")


def test_commands_are_read_with_their_output() -> None:
    found = list(commands_of("$ howsure a \\\n    --b 1\nx\ny\n$ echo $?\n3\n"))
    assert found == [("howsure a --b 1", "x\ny\n"), ("echo $?", "3\n")]


# --- the reference ------------------------------------------------------------------------------------------------


def test_reference_pages_follow_the_catalogues() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_reference.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("entry", METHODS, ids=lambda entry: entry.name)
def test_every_interval_method_has_a_page_with_its_parts(entry: hs.IntervalMethod) -> None:
    text = (DOCS / "reference" / "methods" / f"{entry.name}.md").read_text(encoding="utf-8")
    assert entry.citation in text
    assert f"({entry.name}.svg)" in text
    for part in ("**Use it when.**", "**Do not use it when.**", "## Coverage", "## Example", "```text", "```python"):
        assert part in text


def test_every_other_choice_is_described() -> None:
    comparisons = (DOCS / "reference" / "comparisons.md").read_text(encoding="utf-8")
    joint = (DOCS / "reference" / "joint.md").read_text(encoding="utf-8")
    assert all(f"`{entry.name}`" in comparisons for entry in PAIR_METHODS)
    assert all(f'`adjust="{name}"`' in joint for name in ADJUSTMENTS)
    assert all(f'`versus="{name}"`' in joint for name in VERSUS)


@pytest.mark.parametrize(
    ("metric", "method", "n"),
    [("recall", "wald", 25), ("recall", "clopper-pearson", 100), ("f1", "wilson", 25), ("lr_plus", "log", 25)],
)
def test_the_pictures_show_what_the_library_does_now(metric: str, method: str, n: int) -> None:
    """The stored series are recomputed at three populations: the pictures must not outlive the methods."""
    stored = json.loads((DOCS / "reference" / "methods" / "coverage.json").read_text(encoding="utf-8"))
    (one,) = (row for row in stored if (row["metric"], row["method"], row["n"]) == (metric, method, n))
    for place in (0, 7, -1):
        quality = one["quality"][place]
        source = {"prevalence": 0.3, "precision": quality, "recall": quality}
        assert hs.study(metric, method, source, n)[0].coverage == pytest.approx(one["coverage"][place], abs=1e-5)


# --- the site -----------------------------------------------------------------------------------------------------

ASKED_FOR = re.compile(
    r"<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=[\"']?(?:https?:)?//[^>]*>"
    r"|<link\b[^>]*\bhref=[\"']?(?:https?:)?//[^>]*>"
    r"|url\([\"']?(?:https?:)?//[^)]*\)|@import[^;]*//[^;]*;"
)


def outside_requests(site: Path) -> list[str]:
    """Return what a browser would fetch from elsewhere: scripts, pictures, frames, style sheets and fonts."""
    texts = ((path, path.read_text(encoding="utf-8")) for path in site.rglob("*") if path.suffix in (".html", ".css"))
    return [f"{path.name}: {found[:200]}" for path, text in texts for found in ASKED_FOR.findall(text)]


def test_the_site_builds_without_warnings_and_asks_nobody(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the site needs the extra 'docs'; make docs builds it")
    pytest.importorskip("material", reason="the site needs the extra 'docs'; make docs builds it")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "site").rglob("*.html"))) > len(METHODS)
    assert outside_requests(tmp_path / "site") == []


def test_an_outside_request_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="https://x.org">fine</a><script src="https://x.org/a.js"></script>')
    (tmp_path / "b.css").write_text("@font-face { src: url(https://x.org/font.woff) }")
    (tmp_path / "c.html").write_text('<link rel="stylesheet" href=//x.org/a.css>')
    assert len(outside_requests(tmp_path)) == 3


# --- the README ---------------------------------------------------------------------------------------------------


def test_readme_shows_the_two_commands_and_links_to_files_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text
    assert len(text.splitlines()) < 150
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_the_pages_name_only_commands_that_exist() -> None:
    """Every ``make target`` in the prose is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"^make ([a-z-]+)|`make ([a-z-]+)`", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert {one or other for one, other in named} <= targets, page

"""Every Python block of the documentation runs, and the pages made from the catalogues are up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
WITH_CODE = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_run(page: Path) -> None:
    """The blocks of a page run one after the other, as a reader would type them."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
    assert names.keys() > {"__name__"}


def test_reference_pages_follow_the_catalogues() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "make_reference.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_readme_shows_the_two_commands_and_links_to_files_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_the_readme_prints_what_the_command_prints() -> None:
    """The table in the README is the command's own output, up to where it is cut."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = text.split("$ howsure counts --tp 77 --fp 44 --fn 10 --tn 702\n")[1].split("\n…")[0]
    done = subprocess.run(
        [sys.executable, "-m", "howsure", "counts", "--tp", "77", "--fp", "44", "--fn", "10", "--tn", "702"],
        capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert done.stdout.startswith(shown)

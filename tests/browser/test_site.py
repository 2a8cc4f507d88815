"""The documentation site: it builds, asks nobody outside; in a browser its search answers, it has no serious fault."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from howsure.estimates.catalogue import METHODS

ROOT = Path(__file__).resolve().parents[2]
SEEN = ("index.html", "reference/methods/wilson.html")
THEME = ("color-contrast", "aria-dialog-name")  # greys and the search box of the theme: not ours to mend


class Quiet(SimpleHTTPRequestHandler):
    """A file server that does not write a log."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """Build the site, once for the browser and for what is read in its files; warnings end it after the last page."""
    if not (ROOT / "mkdocs.yml").exists():
        pytest.skip("the source archive comes without the documentation")
    for package in ("mkdocs", "material"):
        pytest.importorskip(package, reason="the site needs the extra 'docs'; make docs builds it")
    folder = tmp_path_factory.mktemp("site")
    return folder, subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def built(build: tuple[Path, subprocess.CompletedProcess[str]]) -> Path:
    folder, done = build
    assert (folder / "index.html").exists(), done.stderr
    return folder


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(built)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join(20)
    server.server_close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_ask_nobody_and_are_accessible(open_page: Callable[..., Any], site: str, scheme: str) -> None:
    watched = open_page(scheme=scheme)
    for name in SEEN:
        watched.page.goto(site + name)
        assert watched.page.locator("h1").count() == 1
        assert [fault for fault in watched.faults() if not fault.startswith(THEME)] == []
    assert watched.errors == []
    assert watched.outside(site) == []


@pytest.mark.browser
@pytest.mark.parametrize("files", [False, True], ids=["served", "from files"])
def test_search_finds_a_method(open_page: Callable[..., Any], site: str, built: Path, files: bool) -> None:
    base = built.as_uri() if files else site
    watched = open_page(width=1400)
    watched.page.goto(f"{base}/index.html" if files else site)
    watched.page.locator("input.md-search__input").click()
    watched.page.keyboard.type("clopper-pearson")
    watched.page.locator(".md-search-result__item").first.wait_for()
    links = watched.page.locator("a.md-search-result__link").evaluate_all("nodes => nodes.map(node => node.href)")
    assert any("reference/methods/clopper-pearson.html" in link for link in links)
    assert watched.outside(base) == []
    assert watched.errors == []


@pytest.mark.browser
def test_every_link_inside_leads_somewhere(open_page: Callable[..., Any], site: str) -> None:
    """From the home page every kind of user is one click from a page that exists."""
    watched = open_page()
    watched.page.goto(site)
    links = watched.page.locator("article a[href]").evaluate_all("nodes => nodes.map(node => node.href)")
    inside = sorted({link.split("#")[0] for link in links if link.startswith(site)})
    assert len(inside) > 15
    assert [link for link in inside if watched.page.request.get(link).status != 200] == []


# --- what stands in its files -------------------------------------------------------------------------------------

ASKED_FOR = re.compile(
    r"<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=[\"']?(?:https?:)?//[^>]*>"
    r"|<link\b[^>]*\bhref=[\"']?(?:https?:)?//[^>]*>"
    r"|url\([\"']?(?:https?:)?//[^)]*\)|@import[^;]*//[^;]*;"
)


def outside_requests(site: Path) -> list[str]:
    """Return what a browser would fetch from elsewhere: scripts, pictures, frames, style sheets and fonts."""
    texts = ((path, path.read_text(encoding="utf-8")) for path in site.rglob("*") if path.suffix in (".html", ".css"))
    return [f"{path.name}: {found[:200]}" for path, text in texts for found in ASKED_FOR.findall(text)]


def test_the_site_builds_without_warnings_and_asks_nobody(
    build: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, done = build
    assert done.returncode == 0, done.stderr
    assert len(list(folder.rglob("*.html"))) > len(METHODS)
    assert outside_requests(folder) == []


def test_an_outside_request_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="https://x.org">fine</a><script src="https://x.org/a.js"></script>')
    (tmp_path / "b.css").write_text("@font-face { src: url(https://x.org/font.woff) }")
    (tmp_path / "c.html").write_text('<link rel="stylesheet" href=//x.org/a.css>')
    assert len(outside_requests(tmp_path)) == 3

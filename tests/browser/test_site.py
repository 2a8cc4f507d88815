"""The documentation site in a real browser: it asks nobody outside, its search answers, it has no serious fault."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
SEEN = ("index.html", "reference/methods/wilson.html")
THEME = ("color-contrast", "aria-dialog-name")  # greys and the search box of the theme: not ours to mend


class Quiet(SimpleHTTPRequestHandler):
    """A file server that does not write a log."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="the site needs the extra 'docs'")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--no-strict", "--site-dir", str(folder)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, check=True,
    )  # fmt: skip
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_ask_nobody_and_are_accessible(open_page: Callable[..., Any], site: str, scheme: str) -> None:
    watched = open_page(scheme=scheme)
    for name in SEEN:
        watched.page.goto(site + name)
        assert watched.page.locator("h1").count() == 1
        assert [fault for fault in watched.faults() if not fault.startswith(THEME)] == []
    assert watched.errors == []
    assert watched.outside(site) == []


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


def test_every_link_inside_leads_somewhere(open_page: Callable[..., Any], site: str) -> None:
    """From the home page every kind of user is one click from a page that exists."""
    watched = open_page()
    watched.page.goto(site)
    links = watched.page.locator("article a[href]").evaluate_all("nodes => nodes.map(node => node.href)")
    inside = sorted({link.split("#")[0] for link in links if link.startswith(site)})
    assert len(inside) > 15
    assert [link for link in inside if watched.page.request.get(link).status != 200] == []

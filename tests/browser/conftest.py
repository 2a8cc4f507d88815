"""A real browser (Debian's chromium) and a page that records what it must not do."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

# The shell without a window takes half the time of the whole browser, which draws windows that nobody sees.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


class Watched:
    """A page, with the errors of its console and the addresses that it asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def faults(self) -> list[str]:
        """Return what axe finds of serious or critical accessibility faults."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python").Axe()
        if self.page.evaluate("'axe' in window"):
            axe.axe_script = "true"  # the page has it from an earlier look
        found = axe.run(self.page).response["violations"]
        return [
            f"{fault['id']}: {fault['nodes'][0]['html'][:200]} {fault['nodes'][0]['failureSummary'][:300]}"
            for fault in found
            if fault["impact"] in ("serious", "critical")
        ]

    def outside(self, base: str) -> list[str]:
        """Return the addresses that are neither on the server nor inside the page."""
        return [url for url in self.requests if not url.startswith((base, "data:", "blob:"))]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("needs the Debian package chromium-headless-shell")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    with playwright.sync_playwright() as made:
        opened = made.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Watched]]:
    contexts = []

    def open_one(*, width: int = 1100, scheme: str = "light") -> Watched:
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme,
            permissions=["clipboard-read", "clipboard-write"],
        )  # fmt: skip
        contexts.append(context)
        return Watched(context.new_page())

    yield open_one
    for context in contexts:
        context.close()

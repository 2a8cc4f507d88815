"""Take the pictures of the README: the report page of the bundled example, and the calculator with Lam's example.

Run: python scripts/screenshots.py. Needs the extra `web`, playwright, and Debian's chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
PORT = 8791
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


def wait_for(address: str) -> None:
    """Wait until the server answers, ten seconds at the most."""
    for _ in range(50):
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"nothing answers at {address}")


def report_picture(page: Any) -> None:
    """Write the report page where its intervals are drawn."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        command = [sys.executable, "-m", "howsure", "demo", "--html", str(path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        page.goto(path.as_uri())
        page.screenshot(path=FOLDER / "report.png")


def calculator_picture(page: Any) -> None:
    """Write the calculator after it has computed its first example."""
    server = subprocess.Popen([sys.executable, "-m", "howsure", "serve", "--no-browser", "--port", str(PORT)])
    try:
        address = f"http://127.0.0.1:{PORT}/"
        wait_for(address)
        page.goto(address)
        page.get_by_role("button", name="Example: Lam et al. (2024)").click()
        page.get_by_text("wilson-direct").first.wait_for()
        page.screenshot(path=FOLDER / "calculator.png")
    finally:
        server.terminate()
        server.wait(timeout=10)


def main() -> None:
    """Take both pictures."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise SystemExit("chromium is missing; install the Debian package chromium")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as made:
        browser = made.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1000, "height": 900})
        report_picture(page)
        calculator_picture(page)
        browser.close()


if __name__ == "__main__":
    main()

"""Take the pictures of the README and the documentation: six pictures of what a user meets.

Run: python scripts/screenshots.py [NAME …]. Needs the extra `web`, playwright, Debian's chromium, and for the LaTeX
table pdflatex and ghostscript. The report, the phone, the notebook and the LaTeX table show the bundled example, the
calculator shows the example of Lam et al. (2024), the leaderboard ten made-up models.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

import howsure as hs

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
EXAMPLE = Path(hs.__file__).parent / "cli" / "example" / "tumours.csv"
QUALITY = {
    "osprey-90b": 0.842, "heron-70b": 0.830, "kestrel-32b": 0.803, "plover-14b": 0.722, "heron-8b": 0.604,
    "kestrel-7b": 0.585, "osprey-6b": 0.580, "swift-9b": 0.571, "plover-3b": 0.402, "wren-1b": 0.361,
}  # fmt: skip
CELLS = (
    't = hs.read("tumours.csv", truth="truth", pos_label="malignant")\nhs.report(t, ["f1", "recall", "specificity"])',
    'hs.compare(t, "f1", a="centroid", b="linear")',
)
NOTEBOOK = """<!doctype html><meta charset=utf-8><style>
body{font:14px/1.5 system-ui,sans-serif;margin:16px 24px;color:#1f2328;background:#fff}
.in{display:grid;grid-template-columns:64px 1fr;margin:14px 0 4px} .in span,.out span{color:#5b6570;font:13px monospace}
pre{background:#f4f6f8;border:1px solid #d7dde3;margin:0;padding:8px 12px;font:13px/1.5 monospace}
.out{display:grid;grid-template-columns:64px 1fr;overflow:hidden} table{border-collapse:collapse;font-size:13px}
th,td{padding:3px 10px;text-align:left} thead th{border-bottom:1px solid #999}
</style>"""


# --- the six pictures --------------------------------------------------------------------------------------------


def report(browser: Any, work: Path) -> None:
    """The report page at 1200 px: verdict and leaderboard."""
    _shot(browser, _demo_page(work), "report", width=1200, height=570)


def phone(browser: Any, work: Path) -> None:
    """The same page on a phone."""
    _shot(browser, _demo_page(work), "phone", width=375, height=650, scale=2)


def leaderboard(browser: Any, work: Path) -> None:
    """Ten language models on 400 questions, from a folder of logs."""
    _write_logs(work / "results")
    path = work / "leaderboard.html"
    _howsure("compare", str(work / "results"), "--html", str(path))
    _shot(browser, path.as_uri(), "leaderboard", width=1200, height=670)


def notebook(browser: Any, work: Path) -> None:
    """What a notebook shows of a report and of a comparison."""
    shutil.copy(EXAMPLE, work / "tumours.csv")
    path = work / "notebook.html"
    path.write_text(NOTEBOOK + "".join(_cells(work)), encoding="utf-8")
    _shot(browser, path.as_uri(), "notebook", width=900, height=None)


def calculator(browser: Any, work: Path) -> None:
    """The calculator with the counts of Lam et al. (2024)."""
    with _served() as address:
        page = _page(browser, 1200, 860)
        page.goto(address)
        page.get_by_role("button", name="Example: Lam et al. (2024)").click()
        page.wait_for_selector("#panel-counts .answer")
        page.wait_for_function("() => !document.querySelector('#panel-counts [aria-busy]')")
        page.screenshot(path=FOLDER / "calculator.png")
        page.context.close()


def latex(browser: Any, work: Path) -> None:
    """The LaTeX table of the report, as pdflatex sets it."""
    made = hs.report(hs.read(EXAMPLE, truth="truth", pos_label="malignant"), ["f1", "recall", "specificity", "mcc"])
    begin = r"\documentclass{article}\usepackage{booktabs}\usepackage[margin=2cm]{geometry}"
    (work / "table.tex").write_text(
        begin + "\\begin{document}\\pagestyle{empty}\n" + made.to_latex() + "\n\\end{document}"
    )
    quiet: Any = {"cwd": work, "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "table.tex"], **quiet)
    found = subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=bbox", "table.pdf"],
                           cwd=work, check=True, capture_output=True, text=True)  # fmt: skip
    left, low, right, top = map(int, found.stderr.split("%%BoundingBox:")[1].split()[:4])
    room, dpi = 8, 160
    size = [round((end - start + 2 * room) * dpi / 72) for start, end in ((left, right), (low, top))]
    moved = f"<</Install {{{room - left} {room - low} translate}}>> setpagedevice"
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=png16m", f"-r{dpi}", "-dTextAlphaBits=4",
                    f"-g{size[0]}x{size[1]}", f"-sOutputFile={FOLDER / 'latex.png'}", "-c", moved, "-f", "table.pdf"],
                   **quiet)  # fmt: skip


PICTURES = (report, phone, leaderboard, notebook, calculator, latex)


# --- how they are taken ------------------------------------------------------------------------------------------


def _page(browser: Any, width: int, height: int, scale: int = 1) -> Any:
    return browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=scale).new_page()


def _shot(browser: Any, address: str, name: str, *, width: int, height: int | None, scale: int = 1) -> None:
    """Write the first screen of a page, or without a height all of it."""
    page = _page(browser, width, height or 400, scale)
    page.goto(address)
    page.screenshot(path=FOLDER / f"{name}.png", full_page=height is None)
    page.context.close()


def _howsure(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "howsure", *words], check=True, stdout=subprocess.DEVNULL)


def _demo_page(work: Path) -> str:
    path = work / "report.html"
    if not path.exists():
        _howsure("demo", "--html", str(path))
    return path.as_uri()


def _write_logs(folder: Path) -> None:
    """Write made-up logs of ten models in the form of lm-evaluation-harness; hard questions are hard for all."""
    rng = np.random.default_rng(17)
    luck = rng.random(400)
    for model, quality in QUALITY.items():
        own = rng.random(400)
        right = np.where(rng.random(400) < 0.8, luck, own) < quality
        rows = [
            {"doc_id": at, "doc": {}, "target": "A", "arguments": {}, "resps": [], "filtered_resps": [],
             "filter": "none", "metrics": ["acc"], "doc_hash": f"question {at}", "acc": float(answer)}
            for at, answer in enumerate(right)
        ]  # fmt: skip
        path = folder / model / "samples_arc_2025-01-31T10-20-30.123456.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _cells(work: Path) -> Iterator[str]:
    """Run the cells and yield each with what its last line shows."""
    names: dict[str, Any] = {"hs": hs}
    for at, code in enumerate(CELLS, 1):
        *before, last = code.replace('"tumours.csv"', repr(str(work / "tumours.csv"))).split("\n")
        exec("\n".join(before), names)
        shown = eval(last, names)._repr_html_()
        yield f'<div class="in"><span>In [{at}]:</span><pre>{escape(code)}</pre></div>'
        yield f'<div class="out"><span>Out[{at}]:</span><div>{shown}</div></div>'


@contextmanager
def _served() -> Iterator[str]:
    """Serve the calculator on a free port, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "howsure", "serve", "--no-browser", "--port", str(port)])
    try:
        address = f"http://127.0.0.1:{port}/"
        _wait_for(address)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=10)


def _wait_for(address: str) -> None:
    """Wait until the server answers, twenty seconds at the most."""
    for _ in range(100):
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"nothing answers at {address}")


def main() -> None:
    """Take all pictures, or those that are named."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        raise SystemExit("chromium is missing; install the Debian package chromium-headless-shell")
    FOLDER.mkdir(parents=True, exist_ok=True)
    chosen = [one for one in PICTURES if not sys.argv[1:] or one.__name__ in sys.argv[1:]]
    with sync_playwright() as made, tempfile.TemporaryDirectory() as folder:
        browser = made.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        for one in chosen:
            one(browser, Path(folder))
            print(f"docs/pictures/{one.__name__}.png")
        browser.close()


if __name__ == "__main__":
    main()

"""Write the reference pages of the documentation from the catalogues: metrics, methods, public names.

Run: python scripts/make_reference.py [--check]. With --check nothing is written; the exit code says whether the pages
are up to date.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import howsure
from howsure.intervals import METHODS
from howsure.metrics import CATALOGUE

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"


def cell(text: str) -> str:
    """Return text that stays one table cell."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def metrics_page() -> str:
    """Return the page of all metrics."""
    rows = [
        f"| `{entry.name}` | {', '.join(f'`{name}`' for name in entry.aliases)} | {cell(entry.text)} | "
        f"{entry.range[0]:g} … {entry.range[1]:g} | {entry.better or '–'} |".replace("inf", "∞")
        for entry in CATALOGUE
    ]
    return "\n".join([
        "# Metrics", "",
        "Made from the catalogue. Every name works in Python, on the command line and in the calculator.", "",
        "| name | also | formula | range | better |", "|---|---|---|---|---|", *rows, "",
        "Any F-beta is `f<beta>` (`f3`), any Tversky index `tversky(a,b)` with `a` on false positives and `b` on "
        "false negatives. `ppv_at(0.1)` and `npv_at(0.1)` are predictive values at another prevalence. Averages over "
        "classes: `macro_…`, `micro_…`, `weighted_…` of any metric of one class, `samples_…` for multi-label rows; "
        "some classes as `micro_f1[A,B]` or `micro_f1[without O]`. One class: `f1[cat]`. Your own: "
        "`hs.Metric(\"mine\", lambda c: …)`.", "",
    ])  # fmt: skip


def methods_page() -> str:
    """Return the page of all interval methods."""
    parts = ["# Interval methods", "", "Made from the catalogue.", ""]
    for entry in METHODS:
        also = f" (also {', '.join(f'`{name}`' for name in entry.aliases)})" if entry.aliases else ""
        parts += [
            f"## `{entry.name}`", "", f"A {entry.meaning} interval{also}: {entry.text}.", "",
            f"- Avoid it when: {entry.avoid}.", f"- Source: {entry.citation}.", "",
        ]  # fmt: skip
    return "\n".join(parts)


def names_page() -> str:
    """Return the page of public names with their first sentence."""
    rows = []
    for name in howsure.__all__:
        thing = getattr(howsure, name)
        if callable(thing):
            text = (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")
            rows.append(f"| `hs.{name}` | {cell(text)} |")
    return "\n".join(["# Public names", "", "| name | what it does |", "|---|---|", *rows, ""])


PAGES = {"metrics.md": metrics_page, "methods.md": methods_page, "names.md": names_page}


def main() -> None:
    """Write or check the pages."""
    stale = []
    for name, make in PAGES.items():
        path, text = FOLDER / name, make()
        if "--check" in sys.argv:
            stale += [] if path.exists() and path.read_text(encoding="utf-8") == text else [name]
        else:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        raise SystemExit(f"out of date: {', '.join(stale)}; run python scripts/make_reference.py")


if __name__ == "__main__":
    main()

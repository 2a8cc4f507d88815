"""Write the reference pages of the documentation from the catalogues, the command line and the docstrings.

What the page on the architecture and MAINTENANCE.md show of the code is written too, by scripts/architecture.py.

Run: python scripts/make_reference.py [--check]. With --check nothing is written; the exit code says whether the pages
are up to date. The pictures of the methods come from docs/reference/methods/coverage.json and
docs/reference/comparisons/coverage.json, which scripts/method_coverage.py and scripts/pair_coverage.py make, and from
docs/reference/anytime.json, which scripts/anytime_coverage.py makes.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import architecture
import reference_anytime
import reference_commands
import reference_functions
import reference_methods
import reference_pairs
import schemas

import howsure
from howsure.comparisons.catalogue import PAIR_METHODS
from howsure.estimates.catalogue import METHODS
from howsure.metrics.catalogue import CATALOGUE
from howsure.metrics.names import OF_SCORES

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "reference"
LISTED = {"methods": METHODS, "comparisons": PAIR_METHODS}
"""Folders under docs/reference with a page for each entry of a catalogue."""


def cell(text: str) -> str:
    """Return text that stays one table cell."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def _end(value: float) -> str:
    return f"{value:g}".replace("inf", "∞").replace("-", "−")


def metrics_page() -> str:
    """Return the page of all metrics."""
    rows, scored = (
        [
            f"| `{entry.name}` | {', '.join(f'`{name}`' for name in entry.aliases)} | {cell(entry.text)} | "
            f"{_end(entry.range[0])} … {_end(entry.range[1])} | {entry.better or '–'} |"
            for entry in some
        ]
        for some in (CATALOGUE, OF_SCORES)
    )
    return "\n".join([
        "# Metrics", "",
        "Made from the catalogue. Every name works in Python, on the command line and in the calculator.", "",
        "| name | also | formula | range | better |", "|---|---|---|---|---|", *rows, "",
        "Any F-beta is `f<beta>` (`f3`), any Tversky index `tversky(a,b)` with `a` on false positives and `b` on "
        "false negatives. Any metric at another prevalence is `f1@prevalence=0.02`, any metric of labels at a "
        "threshold of scores `f1@0.5`; `f1@0.5@prevalence=0.02` is both. `ppv_at(0.1)` has the value of "
        "`ppv@prevalence=0.1`. Averages over "
        "classes: `macro_…`, `micro_…`, `weighted_…` of any metric of one class, `samples_…` for multi-label rows; "
        "some classes as `micro_f1[A,B]` or `micro_f1[without O]`. One class: `f1[cat]`. Your own: "
        "`hs.Metric(\"mine\", lambda c: …)`.", "",
        "## Metrics of scores", "",
        "For tables of probabilities or ranks, `hs.table(y_true, scores=…)`.", "",
        "| name | also | what it is | range | better |", "|---|---|---|---|---|", *scored, "",
        "Also `partial_auc[fpr<=0.1]`, `recall@specificity>=0.9`, `specificity@recall>=0.95`, `precision@recall>=0.8` "
        "(the best threshold that reaches the other), `top3_accuracy` for any k; any metric of labels at a threshold "
        "(`f1@0.5`), at its best one (`f1@best`) or of the surest rows (`accuracy@coverage=0.8`). Options stand in "
        "brackets: `ece[bins=10]`, `log_loss[clip=1e-6]`. Your own: `hs.score_metric` and `hs.combined`.", "",
    ])  # fmt: skip


def names_page() -> str:
    """Return the page of public names with their first sentence."""
    rows = []
    for name in howsure.__all__:
        thing = getattr(howsure, name)
        if callable(thing):
            text = (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")
            rows.append(f"| `hs.{name}` | {cell(text)} |")
    return "\n".join(["# Public names", "", "| name | what it does |", "|---|---|", *rows, ""])


def pages() -> dict[str, str]:
    """Return all files by their name under docs/reference."""
    own = {"metrics.md": metrics_page(), "names.md": names_page()}
    methods = reference_methods.pages() | reference_pairs.pages() | reference_anytime.pages()
    return own | methods | reference_commands.pages() | reference_functions.pages()


def navigation() -> str:
    """Return mkdocs.yml with a line for the page of every method."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for folder, entries in LISTED.items():
        begin, end = (f"          # {folder}, made by scripts/make_reference.py: {edge}\n" for edge in ("begin", "end"))
        lines = [f"          - {entry.name}: reference/{folder}/{entry.name}.md\n" for entry in entries]
        text = text.partition(begin)[0] + "".join([begin, *lines, end]) + text.partition(end)[2]
    return text


def left_over(made: dict[str, str]) -> list[str]:
    """Return the pages of methods that no longer exist."""
    paths = [path for folder in LISTED for path in (FOLDER / folder).glob("*") if path.suffix in (".md", ".svg")]
    return sorted({f"{path.parent.name}/{path.name}" for path in paths} - made.keys())


def main() -> None:
    """Write or check the pages."""
    made = pages()
    stale = left_over(made)
    files = {FOLDER / name: text for name, text in made.items()} | {ROOT / "mkdocs.yml": navigation()}
    for path, text in (files | architecture.pages() | schemas.pages()).items():
        if "--check" in sys.argv:
            stale += [] if path.exists() and path.read_text(encoding="utf-8") == text else [path.name]
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if stale:
        raise SystemExit(f"out of date: {', '.join(stale)}; run python scripts/make_reference.py")


if __name__ == "__main__":
    main()

"""The reference page of the bound that holds at any time, with its picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from coverage_figure import Line, coverage_figure
from reference_methods import OTHER, OWN
from reference_pairs import printed

COVERAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "anytime.json"
EXAMPLE = """import howsure as hs

counter = hs.Counter(labels=[0, 1])
counter.update([1] * 90 + [0] * 10, [1] * 100)
print(repr(counter.bound("precision")))
print(repr(hs.estimate(counter.table, "precision")))
"""

PAGE = """# Bounds at any time

A confidence sequence: limits that hold at *all* sample sizes together. `hs.Counter.bound(metric, level=0.95)` and
`howsure report FILE --anytime` give it; [monitoring](../how-to/monitoring.md) shows it at work.

```text
s successes and f failures so far:   all shares p with

M(p) = B(½ + s, ½ + f) / ( B(½, ½) · pˢ · (1−p)ᶠ ) < 1/(1 − level)

B   the beta function; M is the likelihood averaged over a Beta(½, ½) prior, against the likelihood of p
F1 and others that follow from a share u: the limits of u, through u / (u + w·(1−u))
```

**What it guarantees.** If p is the true share, M(p) is a martingale that starts at 1, so it ever reaches 1/(1 − level)
with probability 1 − level at most (Ville's inequality). With the level, then, no look ever misses: look after every
row, stop when you like, go on when you had stopped. It holds for any number of rows, not only for many.

**Use it when.** Rows arrive one after the other and you look more than once, or you stop when the result is good
enough.

**Do not use it when.** You look once, at a number of rows that was fixed before: the [default](methods/wilson.md) is
shorter, in the example below by RATIO. Nor when rows come in groups or have weights (refused), when the model or the
population changes on the way (it is about one share), or for a metric that is no share of rows (MCC, kappa, averages;
refused).

## Coverage

![Coverage of the bound over all looks](anytime.svg)

Looked at after every row, the probability that *no* look so far has missed the true share; 95 % bounds. Exact: the
distribution of the successes is carried from row to row, and what has missed once is taken out. Lines end at 0.80: what
runs along the bottom is lower. Made by `scripts/anytime_coverage.py`.

| true share | limits | HEADS |
|---|---|RULES
ROWS

## Example

```python
CODE```

```text
OUTPUT
```

## Source

Ville (1939) Étude critique de la notion de collectif; Robbins (1970) Ann. Math. Stat. 41:1397; Howard, Ramdas,
McAuliffe & Sekhon (2021) Ann. Stat. 49:1055; Waudby-Smith & Ramdas (2024) JRSS B 86:1.
"""


def studied() -> list[dict[str, Any]]:
    """Return the series that scripts/anytime_coverage.py has written."""
    found: list[dict[str, Any]] = json.loads(COVERAGE.read_text(encoding="utf-8"))
    return found


def points(one: dict[str, Any]) -> tuple[tuple[float, float], ...]:
    """Return a series as places on the picture."""
    return tuple(zip(one["n"], one["coverage"], strict=True))


def picture(series: list[dict[str, Any]]) -> str:
    """Return the picture: a panel per share, over the number of looks."""
    lines = [
        Line("all looks so far", f"share {one['share']:g}", one["method"], points(one))
        for one in reversed(series)
    ]  # fmt: skip
    lines.sort(key=lambda line: line.column)
    colours = {"wilson": OTHER, "anytime": OWN}
    return coverage_figure(lines, title="No look so far has missed: 95 % bounds", colours=colours, zoom=1.6)


def ratio() -> str:
    """Return how much longer the bound is than Wilson's interval, for 90 of 100."""
    import howsure as hs

    counter = hs.Counter(labels=[0, 1])
    counter.update([1] * 90 + [0] * 10, [1] * 100)
    bound, one = counter.bound("precision"), hs.estimate(counter.table, "precision")
    return f"{1 - (one.high - one.low) / (bound.high - bound.low):.0%}".replace("%", " %")


def page(series: list[dict[str, Any]]) -> str:
    """Return the page."""
    names = {"anytime": "at any time", "wilson": "`wilson`"}
    rows = [
        f"| {one['share']:g} | {names[one['method']]} | {' | '.join(f'{value:.3f}' for value in one['coverage'])} |"
        for one in sorted(series, key=lambda one: one["share"])
    ]
    sizes = series[0]["n"]
    parts = {"RATIO": ratio(), "HEADS": " | ".join(f"{n} looks" for n in sizes), "RULES": "---|" * len(sizes),
             "ROWS": "\n".join(rows), "CODE": EXAMPLE, "OUTPUT": printed(EXAMPLE)}  # fmt: skip
    text = PAGE
    for name, value in parts.items():
        text = text.replace(name, value, 1)
    return text


def pages() -> dict[str, str]:
    """Return all files by their name under docs/reference."""
    series = studied()
    return {"anytime.md": page(series), "anytime.svg": picture(series)}

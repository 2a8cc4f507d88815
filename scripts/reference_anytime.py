"""The reference page of the bound that holds at any time, with its picture."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from anytime_streams import PAGE as STREAMS
from anytime_streams import PAGE_OF_RATIOS, PAGE_OF_VALUES, table, table_of_ratios, table_of_values
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

Confidence sequences: limits that hold at *all* sample sizes together. `hs.compare(…, anytime=True)`, `hs.gate`,
`hs.estimate`, `hs.report`, `hs.compare_all`, `hs.Counter.bound` and `hs.Counter.settled` give them, and `--anytime`
of the verbs `compare`, `gate` and `report`; [stopping early](../how-to/stopping-early.md) and
[monitoring](../how-to/monitoring.md) show them at work.

**What is guaranteed.** With probability 95 % no look ever misses the true value: look after every row, stop when you
like, go on when you had stopped. The reason is a bet. Whoever bets against the true value gains nothing on average,
and so *ever* multiplies the stake by 1/p with probability p at most (Ville's inequality). The limits hold all values
against which the bets have not won that much.

**Use it when.** Rows arrive one after the other and you look more than once, or you stop when the result is good
enough.

**Do not use it when.** You look once, at a number of rows that was fixed before: the [default](methods/mid-p.md) is
shorter, in the example below by RATIO. Nor when rows come in groups or have weights, or a model has several runs
(refused), or when the model or the population changes on the way.

## Shares of one model

```text
s successes and f failures so far:   all shares p with

M(p) = B(½ + s, ½ + f) / ( B(½, ½) · pˢ · (1−p)ᶠ ) < 1/(1 − level)

B   the beta function; M is the likelihood averaged over a Beta(½, ½) prior, against the likelihood of p
F1 and others that follow from a share u: the limits of u, through u / (u + w·(1−u))
one-sided bounds (gates): the prior is the part of Beta(½, ½) on the other side of p
```

Exact at every number of rows.

## Row values, and two models on the same rows

```text
numbers x in [0, 1], supposed mean m:   all m with K(m) < 1/p, from below and from above (p = (1 − level)/2 each)

K(m) = mean over q of  Π ( x·q/m + (1−x)·(1−q)/(1−m) ),   q from the part of Beta(½, ½) above m

two models: x = (d + 1)/2, d the difference of a row: −1, 0 or 1 for accuracy, recall and specificity,
            the difference of values over their range for row values
no difference (m = ½): K = 2^(a+b+1) · B(b+½, a+½)/B(½, ½) · P(Beta(b+½, a+½) > ½),
            a and b the rows that only one of the models gets right
```

Exact at every number of rows, whatever the values look like. For outcomes of 0 and 1, K is the ratio M of one side.
The p-value is 1/K, twice the smaller of the two sides if two-sided; it is below 1 − level exactly where the interval
excludes no difference.

## Every other metric

```text
value or difference ± r · se,   r the root of   2·exp(t²/2)·Φ(t)/√(1 + nρ²) = 1/p

t = r·√(nρ²/(1 + nρ²)),   ρ² = 8.78/500

se² of a difference = ( Σ (φ_b − φ_a)² + Σ over pseudo-rows w·(φ_a² + φ_b²) ) / n² · (1 + 2/m)²

m, the rows that carry it = (Σ φ²)² / Σ φ⁴   over the same rows, φ² = (φ_b − φ_a)² or φ_a² + φ_b²

one value: φ of the model alone in both; the limits hold the value with the pseudo-rows and that without
```

Approximate, from 100 rows on: the sum of influences φ is taken as a Brownian motion. Shortest near 500 rows. Four
pseudo-rows, spread over the cells of each model, enter the standard error. Without them the sequence of the paper is
too sure where a class is rare: with 3 % of positives, equal models were called different by balanced accuracy in 19 %
of streams, and still in 6 % before 2/m, the error of a variance that few rows carry, was added. Where there are no
pseudo-rows (scores, sums, values without a range), limits begin when 30 rows carry the value, and nothing is added.

## Coverage of a share

![Coverage of the bound over all looks](anytime.svg)

Looked at after every row, the probability that *no* look so far has missed the true share; 95 % bounds. Exact: the
distribution of the successes is carried from row to row, and what has missed once is taken out. Lines end at 0.80:
what runs along the bottom is lower. Made by `scripts/anytime_coverage.py`.

| true share | limits | HEADS |
|---|---|RULES
ROWS

## How often two models are told apart wrongly

Looked at every 25 rows; populations of each kind drawn at random, NUMBERS:
prevalence 0.03 to 0.5, accuracy 0.7 to 0.98, models that err apart or together. The share of streams with any wrong
look, in the worst population and in the mean. For equal models wrong is "different"; for different ones, that the
limits ever missed the true difference. A 95 % test at each look is wrong in 6 to 61 % of streams. Made by
`scripts/anytime_streams.py`.

STREAMS

## How often one value is missed

Looked at in the same way up to 2,000 rows; CASES populations of each kind, with MANY streams each. The rarest of
several classes has about 2 % of the rows.

VALUES

## How often the ratio of two sums is missed

Errors over words, looked at every 25 units up to 2,000; OFTEN streams of each law. Such ratios have no pseudo-rows, and
no limits before 30 units carry them.

LAWS

## Example

```python
CODE```

```text
OUTPUT
```

## Source

Ville (1939) Étude critique de la notion de collectif; Robbins (1970) Ann. Math. Stat. 41:1397; Howard, Ramdas,
McAuliffe & Sekhon (2021) Ann. Stat. 49:1055; Waudby-Smith & Ramdas (2024) JRSS B 86:1; Waudby-Smith, Arbour, Sinha,
Kennedy & Ramdas (2024) Ann. Stat. 52:2613.
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


def numbers(lines: list[dict[str, Any]]) -> str:
    """Return how many populations of each kind have how many streams of how many rows."""
    sizes = Counter((one["streams"], one["most"]) for one in lines if one["kind"] == lines[0]["kind"])
    parts = (f"{many} with {streams:,} streams to {most:,} rows each" for (streams, most), many in sizes.items())
    return " and ".join(parts)


def page(series: list[dict[str, Any]]) -> str:
    """Return the page."""
    names = {"anytime": "at any time", "wilson": "`wilson`"}
    rows = [
        f"| {one['share']:g} | {names[one['method']]} | {' | '.join(f'{value:.3f}' for value in one['coverage'])} |"
        for one in sorted(series, key=lambda one: one["share"])
    ]
    sizes = series[0]["n"]
    files = (STREAMS, PAGE_OF_VALUES, PAGE_OF_RATIOS)
    streams, values, ratios = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    parts = {"RATIO": ratio(), "HEADS": " | ".join(f"{n} looks" for n in sizes), "RULES": "---|" * len(sizes),
             "ROWS": "\n".join(rows), "CODE": EXAMPLE, "OUTPUT": printed(EXAMPLE),
             "NUMBERS": numbers(streams), "STREAMS": "\n".join(table(streams)),
             "CASES": str(len({one["number"] for one in values})), "MANY": f"{values[0]['streams']:,}",
             "VALUES": "\n".join(table_of_values(values)), "OFTEN": f"{ratios[0]['streams']:,}",
             "LAWS": "\n".join(table_of_ratios(ratios))}  # fmt: skip
    text = PAGE
    for name, value in parts.items():
        text = text.replace(name, value, 1)
    return text


def pages() -> dict[str, str]:
    """Return all files by their name under docs/reference."""
    series = studied()
    return {"anytime.md": page(series), "anytime.svg": picture(series)}

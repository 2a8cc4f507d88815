"""What intervals of a share keep at other levels than 0.95: exact, every outcome is enumerated; takes seconds.

python scripts/study_of_levels.py          # prints the section of docs/explanation/which-interval.md
python scripts/study_of_levels.py --write  # puts it there
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from scipy import stats

import howsure as hs
from howsure.types import Array

PAGE = Path(__file__).resolve().parents[1] / "docs" / "explanation" / "which-interval.md"
BEGIN, END = "<!-- levels, made by scripts/study_of_levels.py: begin -->", "<!-- levels: end -->"
LEVELS, SIZES = (0.8, 0.9, 0.95, 0.99, 0.999), (20, 50, 100, 500)
METHODS = ("mid-p", "wilson", "beta", "clopper-pearson")
SHARES = np.linspace(0.5, 0.998, 250)


WHAT = """\
The default must keep its promise at every level that can be asked for: a gate asks for one-sided bounds, twenty
joint intervals for 99.7 % each, Holm's first step of ten for 99.5 %. Exact figures over 250 shares from 0.5 to
0.998: lowest / mean coverage · mean length · how many times too often the worse end misses in the worst case (1 is
what it may).
"""
WHY = """\
**`mid-p` is the default at every level**: its ends never miss more than twice what they may, which follows from its
definition, and it is as short as `wilson`, whose upper end misses up to 6 times too often at 0.95, 19 times at 0.99
and some hundred times at 0.999, where a share is near 1. One method for all levels keeps them nested. To keep
`wilson` up to 0.95 and widen it above was weighed and dropped: it keeps the 0.85 of `wilson` at level 0.95 and is
no shorter. F1 and Jaccard are shares and have the same figures. Gates take `clopper-pearson`, the only one whose
ends never miss too often.
"""


def figures(method: str, n: int, level: float) -> tuple[Array, float, float]:
    """Return coverage at each share, mean length, and how often the worse end misses at most, over what it may."""
    hits = np.arange(n + 1)
    found = hs.batch_intervals("recall", tp=hits, fp=0, fn=n - hits, tn=0, method=method, level=level)
    mass = stats.binom.pmf(hits[:, None], n, SHARES)
    below, above = found.low[:, None] - 1e-12 > SHARES, found.high[:, None] + 1e-12 < SHARES
    worst = max((mass * missed).sum(0).max() for missed in (below, above))
    length = float((mass * (found.high - found.low)[:, None]).sum(0).mean())
    return (mass * ~(below | above)).sum(0), length, float(worst / ((1 - level) / 2))


def section() -> str:
    """Return the section of the page."""
    rows = [
        "| level | n | " + " | ".join(f"`{method}`" for method in METHODS) + " |",
        "|---|---|" + "---|" * len(METHODS),
    ]
    for level in LEVELS:
        for n in SIZES:
            cells = []
            for method in METHODS:
                held, length, worst = figures(method, n, level)
                cells.append(f"{held.min():.4f} / {held.mean():.4f} · {length:.3f} · {worst:.1f}")
            rows.append(f"| {level:g} | {n} | " + " | ".join(cells) + " |")
    return "\n".join([BEGIN, "", "## Levels", "", WHAT, *rows, "", WHY, END])


if __name__ == "__main__":
    made = section()
    if "--write" in sys.argv[1:]:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(text.split(BEGIN)[0] + made + text.split(END)[1], encoding="utf-8")
    else:
        print(made)

"""The bootstrap: tables drawn from the counts, against rows drawn by scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
from clock import in_turn
from record import Cell, Effort, Section, Target
from scipy import stats

import howsure as hs

RESAMPLES = 9999
FEW = 20


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure three sizes of data; the target is for a million rows."""
    lines: list[list[Cell]] = []
    targets: list[Target] = []
    for rows in (1_000, 100_000, 1_000_000):
        line, target = compared(rows, effort)
        lines.append(line)
        targets += [target] if rows == 1_000_000 else []
    text = (
        f"{RESAMPLES} resamples of F1, percentile limits. Ours draws tables from the counts, which is the same law as "
        "drawing rows and does not depend on their number; `scipy.stats.bootstrap` draws the rows and is given the "
        f"fastest F1 that numpy has. Above 1,000 rows scipy is timed on {FEW} resamples and its time is scaled to "
        f"{RESAMPLES}: it draws one resample after the other, and all of them would take minutes a round (`batch=` "
        "would bound its memory, not its time). The last columns are the limits that both give, with scipy at as many "
        "resamples as it was timed with (1,000 rows: all)."
    )
    columns = ["rows", "scipy / ours", "middle half", "the same, counting included", "ours", "scipy"]
    return [Section("Bootstrap of F1", text, columns, lines)], targets


def compared(rows: int, effort: Effort) -> tuple[list[Cell], Target]:
    """Return the ratio for one size of data, without and with counting the rows."""
    random = np.random.default_rng(0)
    truth = (random.random(rows) < 0.3).astype(np.int8)
    guess = np.where(random.random(rows) < 0.85, truth, 1 - truth).astype(np.int8)
    table = hs.table(truth, guess)
    drawn = RESAMPLES if rows <= 1000 else FEW

    def ours(counted: hs.Table = table) -> Any:
        return hs.estimate(counted, "f1", method=hs.Bootstrap(n_resamples=RESAMPLES, kind="percentile"))

    def theirs() -> Any:
        options: dict[str, Any] = {"paired": True, "vectorized": False, "n_resamples": drawn, "method": "percentile"}
        return stats.bootstrap((truth, guess), f1, **options, rng=np.random.default_rng(1)).confidence_interval

    jobs = {"ours": ours, "counting": lambda: ours(hs.table(truth, guess)), "scipy": theirs}
    rounds = in_turn(jobs, budget=effort.budget(15))
    scale = RESAMPLES / drawn
    bare, whole = rounds.ratio("scipy", "ours"), rounds.ratio("scipy", "counting")
    low, high = theirs()
    found = ours()
    spread = f"{scale * bare.low:,.0f} to {scale * bare.high:,.0f}"
    told = [f"{found.low:.4f} to {found.high:.4f}", f"{low:.4f} to {high:.4f}"]
    name = f"{RESAMPLES} resamples of {rows:,} rows: scipy / ours"
    return (
        [rows, scale * bare.value, spread, scale * whole.value, *told],
        Target(name, scale * bare.value, 1000, "at least", spread),
    )


def f1(truth: Any, guess: Any) -> float:
    """Return F1 of two columns of zeros and ones."""
    return 2 * np.count_nonzero(truth & guess) / (np.count_nonzero(truth) + np.count_nonzero(guess))

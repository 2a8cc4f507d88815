"""Counting rows that a judge answered and people in part, against the same columns with the judge as a second model."""

from __future__ import annotations

import numpy as np
from clock import Job, in_turn
from record import Cell, Effort, Section, Target

import howsure as hs

ROWS, LABELLED = 10_000_000, 0.01
LIMIT = 1.2


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure bytes, integers and words; the truth of bytes and integers comes as floats, nan where nobody looked."""
    rows, random = effort.rows(ROWS), np.random.default_rng(0)
    truth = (random.random(rows) < 0.4).astype(np.int64)
    model, judge = (np.where(random.random(rows) < right, truth, 1 - truth) for right in (0.85, 0.9))
    seen = random.random(rows) < LABELLED
    words = np.array(["no", "yes"])
    blank = np.where(seen, truth.astype(float), np.nan)
    kinds = {
        "int8": (truth.astype(float), blank, model.astype(np.int8), judge.astype(np.int8)),
        "int64": (truth.astype(float), blank, model, judge),
        "words": (words[truth], np.where(seen, words[truth], ""), words[model], words[judge]),
    }
    lines: list[list[Cell]] = []
    targets = []
    for name, columns in kinds.items():
        taken = in_turn(jobs(*columns), budget=effort.budget(20))
        ratio = taken.ratio("judge", "second model")
        lines.append([name, ratio.value, ratio.spread, taken.median("judge")])
        targets.append(Target(f"{rows:,} judged rows, {name}: a second model", ratio.value, LIMIT, spread=ratio.spread))
    text = (
        f"`hs.table(truth, model, judge=judge)` on {rows:,} rows in numpy arrays, of which people labelled "
        f"{LABELLED:.0%}, in units of `hs.table(truth, {{…}})` with the judge as a second model and every row labelled."
    )
    return [Section("Judged rows", text, ["columns", "ratio", "middle half", "seconds"], lines)], targets


def jobs(whole: np.ndarray, blank: np.ndarray, model: np.ndarray, judge: np.ndarray) -> dict[str, Job]:
    """Return the two ways to count the same columns."""
    return {
        "judge": lambda: hs.table(blank, {"model": model}, judge={"judge": judge}),
        "second model": lambda: hs.table(whole, {"model": model, "judge": judge}),
    }

"""What a user waits for: a report with every interval against one score of scikit-learn, and starting up."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from clock import Ratio, Rounds, child_seconds, in_turn, often
from record import Cell, Effort, Section, Target
from sklearn.metrics import f1_score

import howsure as hs

ROWS = 10_000_000
FEWER = 1_000_000
LIMIT = 0.01
SMALL_FILE = Path(hs.__file__).parent / "cli" / "example" / "tumours.csv"


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure reports on large and small data, and starting up."""
    whole, targets = large(effort)
    started, start_targets = starting(effort)
    return [whole, small(effort), started], targets + start_targets


def large(effort: Effort) -> tuple[Section, list[Target]]:
    """Compare the report of ten million rows with one f1_score."""
    many, fewer = effort.rows(ROWS), effort.rows(FEWER)
    lines: list[list[Cell]] = []
    targets = []
    for name, rows, dtype in (
        ("bool", many, bool),
        ("int8", many, np.int8),
        ("int64", many, np.int64),
        ("str", fewer, str),
    ):
        columns = labels(rows, dtype)
        rounds = compared(*columns, effort.budget(15))
        report, one = rounds.ratio("report", "peer"), rounds.ratio("estimate", "peer")
        lines.append([name, rows, report.value, 1 / report.value, report.spread, one.value])
        if rows == many:
            told = f"{name}, {rows:,} rows: report / one f1_score"
            targets.append(Target(told, report.value, LIMIT, spread=report.spread))
    text = (
        "`hs.report(hs.table(truth, prediction))`: counting, nine metrics and their default intervals, against one "
        "`sklearn.metrics.f1_score` of the same two arrays, without an interval."
    )
    columns = ["labels", "rows", "report / f1_score", "that is one in", "middle half", "F1 with interval / f1_score"]
    return Section("A whole report against one score", text, columns, lines), targets


def labels(rows: int, dtype: Any) -> tuple[Any, Any]:
    """Return truth and a prediction that is right in 85 % of the rows."""
    random = np.random.default_rng(5)
    truth = random.random(rows) < 0.3
    guess = truth ^ (random.random(rows) >= 0.85)
    if dtype is str:
        return tuple(np.where(column, "malignant", "benign") for column in (truth, guess))
    return truth.astype(dtype), guess.astype(dtype)


def compared(truth: Any, guess: Any, budget: float, calls: int = 1) -> Rounds:
    """Time scikit-learn's F1, ours with its interval, and our report."""
    positive = truth.dtype.type("malignant") if truth.dtype.kind == "U" else 1
    named = str(positive) if truth.dtype.kind == "U" else None
    jobs = {
        "peer": lambda: f1_score(truth, guess, pos_label=positive),
        "estimate": lambda: hs.estimate(hs.table(truth, guess, pos_label=named), "f1"),
        "report": lambda: hs.report(hs.table(truth, guess, pos_label=named)),
    }
    return in_turn({name: often(job, calls) for name, job in jobs.items()}, budget=budget)


def small(effort: Effort) -> Section:
    """Compare on data where the cost of a call matters more than the rows."""
    lines: list[list[Cell]] = []
    for rows, calls in ((100, 20), (1_000, 20), (10_000, 10), (100_000, 5)):
        rounds = compared(*labels(rows, np.int64), effort.budget(5), calls)
        lines.append([rows, rounds.ratio("estimate", "peer").value, rounds.ratio("report", "peer").value])
    text = "The same on int64 arrays of fewer rows, in units of one `f1_score`."
    return Section("Small data", text, ["rows", "F1 with interval", "report of nine metrics"], lines)


def starting(effort: Effort) -> tuple[Section, list[Target]]:
    """Compare importing and starting with importing what every program of this kind imports."""
    repeats = effort.times(11)
    base = ("-c", "import numpy, scipy.special")
    asked: list[tuple[str, Callable[[], Ratio], float | None]] = [
        (
            "`import howsure` / `import numpy, scipy.special`",
            lambda: commands(("-c", "import howsure"), base, repeats),
            1.3,
        ),
        (
            "the same with the estimator loaded",
            lambda: commands(("-c", "import howsure; howsure.estimate, howsure.table"), base, repeats),
            None,
        ),
        (
            "`howsure --help` / `import click`",
            lambda: commands(("-m", "howsure", "--help"), ("-c", "import click"), repeats),
            3,
        ),
        (
            "`howsure counts 77 44 10 702` / `import numpy, scipy.special`",
            lambda: commands(("-m", "howsure", "counts", "77", "44", "10", "702"), base, repeats),
            1.5,
        ),
        (
            "`howsure report small.csv` / `import numpy, scipy.special`",
            lambda: commands(("-m", "howsure", "report", str(SMALL_FILE)), base, repeats),
            2.5,
        ),
        (
            "`import howsure` with the estimator / `import confidenceinterval`",
            lambda: commands(
                ("-c", "import howsure; howsure.estimate, howsure.table"), ("-c", "import confidenceinterval"), repeats
            ),
            None,
        ),
    ]
    lines: list[list[Cell]] = []
    targets = []
    for name, ask, limit in asked:
        if "confidenceinterval" in name and importlib.util.find_spec("confidenceinterval") is None:
            continue  # a peer that could not be installed is left out
        ratio = ask()
        lines.append([name, ratio.value, ratio.spread, limit])
        if limit is not None:
            targets.append(Target(name, ratio.value, limit, spread=ratio.spread))
    text = "Each in a new Python process; CPU time."
    return Section("Starting up", text, ["", "ratio", "middle half", "target"], lines), targets


def commands(first: tuple[str, ...], second: tuple[str, ...], repeats: int) -> Ratio:
    """Return the ratio of the CPU times of two commands, run in turn."""
    seconds: dict[str, list[float]] = {"first": [], "second": []}
    for _ in range(repeats):
        seconds["first"].append(child_seconds(*first))
        seconds["second"].append(child_seconds(*second))
    return Rounds({name: np.array(taken) for name, taken in seconds.items()}).ratio("first", "second")

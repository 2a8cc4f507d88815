"""How the cost grows with rows, models, classes, groups and runs: slopes on a log-log scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from clock import figure, in_turn
from memory import count
from record import Cell, Effort, Section, Target

import howsure as hs

ROWS = 10_000_000


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure counting, and the report that follows it."""
    sizes = [effort.rows(ROWS // 64), effort.rows(ROWS // 16), effort.rows(ROWS // 4), effort.rows(ROWS)]
    middle = effort.rows(ROWS // 10)
    models, classes = [1, 2, 4, 8, 16, 32], [2, 5, 10, 30, 100, 300, 1000]
    growths: dict[str, tuple[list[int], Callable[[int], Any], Callable[[Any], object]]] = {
        "counting, rows (10 classes, int64)": (sizes, lambda size: labels(size, 10, 1), count),
        f"counting, models (2 classes, {middle:,} rows)": (models, lambda size: labels(middle, 2, size), count),
        f"counting, classes (1 model, {middle:,} rows)": (classes, lambda size: labels(middle, size, 1), count),
        "report of a counted table, rows": (sizes, lambda size: table(size, 10, 1), hs.report),
        "report of a counted table, models": (models, lambda size: table(10_000, 2, size), hs.report),
        "report of a counted table, classes": (
            [size for size in classes if size <= 100],
            lambda size: table(10_000, size, 1),
            hs.report,
        ),
        f"report of clustered rows, groups (2 classes, {middle:,} rows)": (
            [100, 1_000, 10_000, 100_000],
            lambda size: (labels(middle, 2, 1), np.random.default_rng(7).integers(0, size, middle)),
            report_of_groups,
        ),
        "all pairs of a counted table, models (1,000 rows)": (
            [5, 10, 20, 40, 80],
            lambda size: table(1000, 2, size),
            lambda held: hs.compare_all(held, "f1"),
        ),
        f"counting and comparing 10 models, runs of each (2 classes, {middle:,} rows)": (
            [2, 4, 8, 16],
            lambda size: labels(middle, 2, 10 * size),
            compare_runs("f1"),
        ),
        f"the same where no two rows are alike (10 classes, {middle // 10:,} rows)": (
            [2, 4, 8, 16],
            lambda size: labels(middle // 10, 10, 10 * size),
            compare_runs("accuracy"),
        ),
    }
    lines = [line(name, *growth, effort.budget(12)) for name, growth in growths.items()]
    text = (
        "Cost at each size in units of the cost at the first, and the slope of a straight line through the "
        "logarithms: 1 is proportional, 0 is no growth. Predictions are right in four of five rows, independently "
        "for each model, and drawn at random in the others. Read the costs beside the slope, which hides a knee: while "
        "a table of all possible rows fits in memory, a model more costs one more column; with 32 models it does not "
        "fit, nearly every row is distinct, and the rows are sorted. Runs are columns too: of 10⁶ rows with 20 columns "
        "some 43,000 are distinct, with 40 half of them, with 80 nearly all; from there on, and where no two rows are "
        "alike from the first, the cost grows no faster than the runs."
    )
    return [Section("Slopes", text, ["", "sizes", "cost / first cost", "slope"], lines)], []


def labels(rows: int, classes: int, models: int) -> list[Any]:
    """Return truth and the predictions of some models."""
    random = np.random.default_rng(6)
    truth = random.integers(0, classes, rows)
    guesses = [np.where(random.random(rows) < 0.8, truth, random.integers(0, classes, rows)) for _ in range(models)]
    return [truth, *guesses]


def table(rows: int, classes: int, models: int) -> object:
    """Return a counted table."""
    return count(labels(rows, classes, models))


def report_of_groups(held: tuple[list[Any], Any]) -> object:
    """Return the report of rows that come in groups."""
    (truth, guess), groups = held
    return hs.report(hs.table(truth, guess, groups=groups))


def compare_runs(metric: str) -> Callable[[list[Any]], object]:
    """Return a function that compares all pairs of ten models, each with a tenth of the columns as its runs."""

    def compare(columns: list[Any]) -> object:
        truth, *guesses = columns
        each = len(guesses) // 10
        runs = {f"m{at}": guesses[at * each : (at + 1) * each] for at in range(10)}
        return hs.compare_all(hs.table(truth, runs), metric)

    return compare


def line(
    name: str, sizes: list[int], make: Callable[[int], Any], job: Callable[[Any], object], budget: float
) -> list[Cell]:
    """Return the growth of one job over the sizes."""
    data = {size: make(size) for size in sizes}
    rounds = in_turn({str(size): lambda held=held: job(held) for size, held in data.items()}, budget=budget)
    costs = np.array([rounds.median(str(size)) for size in data])
    slope = float(np.polyfit(np.log(list(data)), np.log(costs), 1)[0])
    told = ", ".join(f"{size:,}" for size in data).replace(",000,000", " million")
    return [name, told, ", ".join(figure(cost) for cost in costs / costs[0]), slope]

"""Many models, many classes, many calls and slices, in units of one sort of a million numbers."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from clock import PLAIN_SORT, Job, Ratio, child_seconds, elapsed, figure, in_turn, plain_sort
from record import Cell, Effort, Section, Target

import howsure as hs

SORTED = 1_000_000
SLICED_ROWS, SLICES = 10_000_000, 10_000


@dataclass(frozen=True)
class Case:
    """What is done, and the most sorts that it may cost; ``make`` makes the data beforehand."""

    name: str
    make: Callable[[], Job]
    limit: float | None


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure answers against a sort, slices against a group-by, a comparison from the command line."""
    parts = [answers(effort), slices(effort), shell(effort)]
    return [section for section, _ in parts], [target for _, targets in parts for target in targets]


def answers(effort: Effort) -> tuple[Section, list[Target]]:
    """Compare what is computed from counted tables with one sort."""
    values = np.random.default_rng(0).random(SORTED)
    lines: list[list[Cell]] = []
    targets = []
    for case in cases():
        first, ratio = against(case.make(), plain_sort(values), effort.budget(6))
        lines.append([case.name, ratio.value, ratio.spread, first, case.limit])
        if case.limit is not None:
            targets.append(Target(f"{case.name} / sort", ratio.value, case.limit, spread=ratio.spread))
    text = (
        "What an answer costs once rows are counted, in units of one sort of 10⁶ random doubles in the same process "
        f"(an estimate of counts: the counting too). {PLAIN_SORT} Predictions are right in four of five "
        "rows, independently for each model, and drawn at random in the others; two classes unless said. The first "
        "call of a process, in which modules are loaded for those that stand first, is in a column of its own."
    )
    return Section("Answers", text, ["", "sorts", "middle half", "first call", "target"], lines), targets


def cases() -> list[Case]:
    """Return what is measured against a sort."""
    return [
        Case("`compare_all`, 20 models, 1,000 rows, accuracy", lambda: compare_all(20, "accuracy"), 4),
        Case("`compare_all`, 20 models, 1,000 rows, F1", lambda: compare_all(20, "f1"), 4),
        Case("`compare_all`, 100 models, 1,000 rows, accuracy", lambda: compare_all(100, "accuracy"), 65),
        Case("`report(joint=True)`, 20 models, nine metrics", joint_report, 4),
        Case("1,000 × `estimate` of four counts, all different", thousand_estimates, 1.5),
        Case("`intervals`, 50 classes, 5,000 rows, macro F1", lambda: of_classes(hs.intervals, "macro_f1"), 13),
        Case("`report`, 50 classes, 5,000 rows", lambda: of_classes(hs.report), 0.4),
    ]


def against(job: Job, floor: Job, budget: float) -> tuple[float, Ratio]:
    """Return the first call, and all later ones, in units of a floor."""
    first = elapsed(job)
    rounds = in_turn({"job": job, "floor": floor}, budget=budget)
    return first / rounds.median("floor"), rounds.ratio("job", "floor")


def predictions(models: int, rows: int, classes: int = 2, seed: int = 0) -> tuple[Any, dict[str, Any]]:
    """Return truth and the predictions of some models, right in four of five rows."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, classes, rows)
    guesses = (np.where(random.random(rows) < 0.8, truth, random.integers(0, classes, rows)) for _ in range(models))
    return truth, {f"m{place}": guess for place, guess in enumerate(guesses)}


def compare_all(models: int, metric: str) -> Job:
    """Return the comparison of all pairs of models."""
    table = hs.table(*predictions(models, 1000))
    return lambda: hs.compare_all(table, metric)


def joint_report() -> Job:
    """Return the report whose intervals hold together."""
    table = hs.table(*predictions(20, 1000))
    return lambda: hs.report(table, joint=True)


def thousand_estimates() -> Job:
    """Return a thousand estimates from four counts each."""
    counts = np.random.default_rng(1).integers(5, 800, (1000, 4)).tolist()
    return lambda: [hs.estimate(hs.counts(tp=tp, fp=fp, fn=fn, tn=tn), "f1") for tp, fp, fn, tn in counts]


def of_classes(function: Callable[..., object], *metrics: str) -> Job:
    """Return a function of a table of fifty classes."""
    table = hs.table(*predictions(1, 5000, 50))
    return lambda: function(table, *metrics)


def slices(effort: Effort) -> tuple[Section, list[Target]]:
    """Compare the report of very many slices with counting the rows of each."""
    rows, number = effort.rows(SLICED_ROWS), min(SLICES, effort.rows(SLICED_ROWS) // 100)
    truth, guesses = predictions(1, rows)
    by = np.random.default_rng(2).integers(0, number, rows)
    codes = (by * 2 + truth) * 2 + guesses["m0"]
    counting: Job = lambda: np.bincount(codes, minlength=4 * number)  # noqa: E731
    floor = in_turn({"group-by": counting}, budget=effort.budget(2)).median("group-by")
    made: list[Any] = []
    taken = elapsed(lambda: made.append(hs.slices(truth, guesses, by=by)))
    more = elapsed(lambda: made[0].report("f1"))
    lines: list[list[Cell]] = [
        ["`hs.slices(truth, prediction, by=column)`", taken / floor, taken],
        ["`.report('f1')` of all of them", more / floor, more],
    ]
    text = (
        f"{rows:,} rows in {number:,} slices, and F1 with its interval in each, measured once, in units of "
        "`np.bincount` of codes that somebody has made beforehand: the cheapest group-by there is."
    )
    return Section("Very many slices", text, ["", "group-bys", "seconds"], lines), []


def shell(effort: Effort) -> tuple[Section, list[Target]]:
    """Time the comparison of ten models on a hundred questions from the command line."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.csv"
        truth, guesses = predictions(10, 100)
        with path.open("w", newline="", encoding="utf-8") as file:
            write = csv.writer(file)
            write.writerow(["truth", *guesses])
            write.writerows(zip(truth.tolist(), *(guess.tolist() for guess in guesses.values()), strict=True))
        command = ("-m", "howsure", "compare", str(path), "--truth", "truth", "-m", "accuracy")
        taken = [child_seconds(*command) for _ in range(effort.times(9))]
    middle = float(np.median(taken))
    name = "10 models × 100 questions, `howsure compare FILE`: CPU seconds"
    spread = f"{figure(np.quantile(taken, 0.25))} to {figure(np.quantile(taken, 0.75))}"
    text = "From the shell to the answer, Python and reading the file among it; CPU seconds, one idle core's wait."
    section = Section("From the command line", text, ["", "seconds", "middle half"], [[name, middle, spread]])
    return section, [Target(name, middle, 1.0, spread=spread)]

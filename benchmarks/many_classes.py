"""100 000 classes on 10⁶ rows: the most memory and the CPU time, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

from record import Cell, Effort, Section, Target

CLASSES, ROWS = 100_000, 1_000_000
MEGABYTES, SECONDS = 1000, 10
METRICS = ("accuracy", "f1[17]", "micro_f1", "macro_f1", "weighted_f1", "macro_recall", "balanced_accuracy", "mcc")
SCRIPT = """
import json, resource, sys, time
import numpy as np
import howsure as hs

classes, rows, metric = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random = np.random.default_rng(0)
truth = random.integers(0, classes, rows)
guess = np.where(random.random(rows) < 0.8, truth, random.integers(0, classes, rows))
values = random.random(1_000_000)
hs.estimate(hs.table([0, 1], [0, 1]), "f1")  # what is loaded once
start = time.process_time()
np.sort(values, kind="stable")
sort = time.process_time() - start
start = time.process_time()
found = hs.estimate(hs.table(truth, guess), metric, undefined="skip")
spent = time.process_time() - start
most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([spent, sort, most]))
"""


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure counting the rows and one metric of them, from two columns to the interval."""
    classes, rows = max(1000, int(CLASSES * effort.share)), effort.rows(ROWS)
    lines: list[list[Cell]] = []
    targets = []
    for metric in METRICS:
        command = [sys.executable, "-c", SCRIPT, str(classes), str(rows), metric]
        spent, sort, most = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        lines.append([metric, spent / sort, round(most), round(spent, 2)])
        targets.append(Target(f"{classes:,} classes, {metric}: megabytes", most, MEGABYTES))
        targets.append(Target(f"{classes:,} classes, {metric}: CPU seconds", spent, SECONDS))
    text = (
        f"`hs.estimate(hs.table(truth, guess), metric)` on {rows:,} rows of {classes:,} classes, integers in numpy "
        "arrays, from the columns to the interval. The matrix of such a table would take "
        f"{classes**2 * 8 / 2**30:,.0f} GB; it is not made. A sort is numpy's stable one of 10⁶ doubles in the same "
        "process. Memory is the most that the whole process held, Python and numpy among it."
    )
    columns = ["metric", "CPU time / sort", "megabytes", "CPU seconds"]
    return [Section("Very many classes", text, columns, lines)], targets

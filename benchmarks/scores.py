"""Metrics of scores with their intervals, against one sort of the same scores; probabilities binned inside DuckDB.

``python benchmarks/scores.py 1e8`` makes so many rows inside DuckDB, bins them and prints time, memory and certificate.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time

import numpy as np
from clock import PLAIN_SORT, Job, in_turn, plain_sort
from parquet import peak_megabytes
from record import Cell, Effort, Section, Target

import howsure as hs

SIZES = (1_000_000, 10_000_000)
MODELS = 10
BINNED = (10_000_000, 100_000_000, 1_000_000_000)
LIMITS = {"auc": 2.5, "average_precision": 4.0, "f1 over all thresholds": 3.0}
MEGABYTES = 500
SORT = "a plain sort"
# Two draws from one hash: a tenth of the rows are positive, and a positive has the larger of two draws as its score.
ROWS = """
SELECT CAST(h % 10 = 0 AS INTEGER) AS y, CASE WHEN h % 10 = 0 THEN greatest(u, v) ELSE u END AS p
FROM (SELECT h, ((h >> 8) & 16777215) / 16777216.0::DOUBLE AS u, ((h >> 32) & 16777215) / 16777216.0::DOUBLE AS v
      FROM (SELECT hash(i) AS h FROM range({rows}) t(i)))
"""


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure the metrics of one model at two sizes, ten models together, and histograms up to 10⁹ rows."""
    found = [_of_sorts(effort), _together(effort), _binned(effort)]
    return [section for section, _ in found], [target for _, some in found for target in some]


def _drawn(rows: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    truth = (random.random(rows) < 0.3).astype(np.int64)
    return truth, 1 / (1 + np.exp(-(random.standard_normal(rows) + 1.2 * truth - 1)))


def _of_sorts(effort: Effort) -> tuple[Section, list[Target]]:
    lines: list[list[Cell]] = []
    targets = []
    for size in SIZES:
        rows = effort.rows(size)
        taken = in_turn(_jobs(*_drawn(rows), peers=size == SIZES[0]), budget=effort.budget(20))
        for name in taken.seconds:
            if name == SORT:
                continue
            ratio = taken.ratio(name, SORT)
            lines.append([f"{rows:,}", name, ratio.value, ratio.spread])
            if name in LIMITS:
                named = f"{rows:,} scores, {name}: one sort"
                targets.append(Target(named, ratio.value, LIMITS[name], spread=ratio.spread))
    text = (
        "From numpy arrays of truth and probability to the estimate with its interval, the table made anew each time, "
        f"in units of one sort of the same scores: no exact AUC takes less. {PLAIN_SORT} scikit-learn gives a value "
        "without an interval; confidenceinterval has DeLong's, MLstatkit a test of two models."
    )
    return Section("One model", text, ["rows", "what", "sorts", "middle half"], lines), targets


def _jobs(truth: np.ndarray, scores: np.ndarray, *, peers: bool) -> dict[str, Job]:
    from sklearn.metrics import average_precision_score, roc_auc_score

    jobs: dict[str, Job] = {
        SORT: plain_sort(scores),
        "`np.sort`, as numpy has it for this processor": lambda: np.sort(scores),
        "auc": lambda: hs.estimate(hs.table(truth, scores=scores), "auc"),
        "average_precision": lambda: hs.estimate(hs.table(truth, scores=scores), "average_precision"),
        "f1 over all thresholds": lambda: hs.curve(hs.table(truth, scores=scores), "f1"),
        "scikit-learn roc_auc_score": lambda: roc_auc_score(truth, scores),
        "scikit-learn average_precision_score": lambda: average_precision_score(truth, scores),
    }
    if peers and (interval := _module("confidenceinterval")):
        jobs["confidenceinterval roc_auc_score"] = lambda: interval.roc_auc_score(truth, scores)
    if peers and (stats := _module("MLstatkit")):
        jobs["MLstatkit Delong_test, a pair"] = lambda: stats.Delong_test(truth, scores, scores[::-1].copy())
    return jobs


def _module(name: str) -> object:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _together(effort: Effort) -> tuple[Section, list[Target]]:
    rows = effort.rows(SIZES[0])
    truth, scores = _drawn(rows)
    random = np.random.default_rng(1)
    noisy = {f"m{at}": 0.8 * scores + 0.2 * random.random(rows) for at in range(MODELS)}
    jobs: dict[str, Job] = {
        SORT: plain_sort(scores),
        "report(joint=True)": lambda: hs.report(hs.table(truth, scores=noisy), ["auc"], joint=True),
        "compare_all": lambda: hs.compare_all(hs.table(truth, scores=noisy), "auc"),
    }
    taken = in_turn(jobs, budget=effort.budget(20))
    lines: list[list[Cell]] = [
        [name, taken.ratio(name, SORT).value / MODELS, taken.ratio(name, SORT).spread]
        for name in jobs if name != SORT
    ]  # fmt: skip
    text = (
        f"AUC of {MODELS} models on the same {rows:,} rows, with the covariance of all of them, per model, in sorts; "
        "the middle half is that of all models together."
    )
    return Section(f"{MODELS} models together", text, ["what", "sorts a model", "middle half"], lines), []


def _binned(effort: Effort) -> tuple[Section, list[Target]]:
    lines: list[list[Cell]] = []
    targets = []
    for size in BINNED if effort.big else BINNED[:1]:
        rows = effort.rows(size)
        done = subprocess.run([sys.executable, __file__, str(rows)], check=True, capture_output=True, text=True)
        one = json.loads(done.stdout)
        lines.append([f"{rows:,}", one["cpu"], one["nanoseconds"], one["megabytes"], one["auc_bound"] / one["se"]])
        targets.append(Target(f"{rows:,} scores binned in DuckDB: megabytes", one["megabytes"], MEGABYTES))
    text = (
        "`hs.histogram` of a DuckDB relation in 65,536 bins, the rows made by `range()` and a hash within the query, "
        "one thread, peak memory of the whole process. The last column is the certificate of AUC in standard errors: "
        "how far binning can have moved it."
    )
    columns = ["rows", "CPU seconds", "nanoseconds a row", "megabytes", "certificate, standard errors"]
    return Section("Binned by an engine", text, columns, lines), targets


def binned(rows: int) -> dict[str, float]:
    """Return time, memory and certificate of rows that DuckDB makes and bins."""
    import duckdb

    connection = duckdb.connect(config={"threads": 1, "memory_limit": "300MB"})
    begun = time.process_time()
    held = hs.histogram(connection.sql(ROWS.format(rows=rows)), truth="y", scores="p", bins=65_536)
    cpu = time.process_time() - begun
    auc, bound = hs.estimate(held.table(), "auc"), held.certificate()
    if held.counts["p"].sum() != rows:
        raise SystemExit(f"{held.counts['p'].sum():g} rows were counted of {rows}")
    return {
        "cpu": cpu, "nanoseconds": cpu / rows * 1e9, "auc": auc.value, "se": auc.se, "auc_bound": bound.auc,
        "ap_width": bound.average_precision[1] - bound.average_precision[0],
        "megabytes": peak_megabytes(),
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(binned(int(float(sys.argv[1])))))

"""The cost of intervals: from arrays against other packages, and a million at once against plain formulas."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from clock import in_turn
from others import ask, installed
from record import Cell, Effort, Section, Target
from sklearn.metrics import f1_score

import howsure as hs
from howsure.studies.papers import lam2024

Z = 1.959963984540054
MANY = 1_000_000


def measure(effort: Effort) -> tuple[list[Section], list[Target]]:
    """Measure one interval from arrays, a million from counts, and a study."""
    at_once, targets = many(effort)
    study, target = exact_study(effort)
    return [one(effort), at_once, study], [*targets, target]


def one(effort: Effort) -> Section:
    """Compare one interval, from arrays to limits, with each package's own."""
    sizes = (1_000, 100_000)
    names = ["howsure", "confidenceinterval", "prob_conf_mat", "MLstatkit"]
    found = {
        (rows, metric): from_arrays(rows, metric, names, effort) for rows in sizes for metric in ("f1", "macro_f1")
    }
    lines: list[list[Cell]] = [[name, *(cost.get(name) for cost in found.values())] for name in ["f1_score", *names]]
    lines[0][0] = "scikit-learn, no interval"
    lines[1][0] = "howsure, default method"
    text = (
        "From two int64 arrays to a value with its interval, in units of scikit-learn's `f1_score` on the same "
        "arrays; two classes for F1, five for macro F1. MLstatkit draws 1000 resamples of the rows (its default) and "
        "has no macro F1 of more than two classes. It is the one row here that is not measured in turn: it runs once, "
        "after the others, at 1,000 rows only, and its time is divided by the median of `f1_score` in their rounds. "
        "prob_conf_mat draws 10,000 posterior samples."
    )
    heads = [f"{metric}, {rows:,} rows" for rows, metric in found]
    return Section("One interval from arrays", text, ["", *heads], lines)


def from_arrays(rows: int, metric: str, names: list[str], effort: Effort) -> dict[str, float]:
    """Return the cost of each package in units of scikit-learn's point estimate."""
    random = np.random.default_rng(9)
    classes = 2 if metric == "f1" else 5
    truth = random.integers(0, classes, rows)
    guess = np.where(random.random(rows) < 0.8, truth, random.integers(0, classes, rows))
    average = "binary" if metric == "f1" else "macro"
    matrix = np.zeros((classes, classes), dtype=int)
    np.add.at(matrix, (truth, guess), 1)
    jobs: dict[str, Callable[[], object]] = {"f1_score": lambda: f1_score(truth, guess, average=average)}
    jobs["howsure"] = lambda: hs.estimate(hs.table(truth, guess), metric)
    if installed("confidenceinterval"):
        import confidenceinterval

        jobs["confidenceinterval"] = lambda: confidenceinterval.f1_score(truth, guess, average=average)
    if installed("prob_conf_mat"):
        jobs["prob_conf_mat"] = lambda: (np.bincount(truth * classes + guess), ask("prob_conf_mat", matrix, metric))
    rounds = in_turn(jobs, budget=effort.budget(10), least=5)
    found = {name: rounds.ratio(name, "f1_score").value for name in jobs}
    if "MLstatkit" in names and installed("MLstatkit") and metric == "f1" and rows <= 1000:
        slow = in_turn(
            {"f1_score": jobs["f1_score"], "MLstatkit": lambda: ask("MLstatkit", matrix, metric)}, least=1, most=1
        )
        found["MLstatkit"] = slow.median("MLstatkit") / rounds.median("f1_score")
    return found


def many(effort: Effort) -> tuple[Section, list[Target]]:
    """Compare a million intervals in one call with the bare formula of the simplest one, and with statsmodels."""
    size = effort.rows(MANY)
    drawn = np.random.default_rng(0).multinomial(833, [0.09, 0.05, 0.02, 0.84], size=size)
    tp, fp, fn, tn = drawn.T.astype(float).copy()

    def batch(metric: str, method: str) -> Callable[[], object]:
        return lambda: hs.batch_intervals(metric, tp=tp, fp=fp, fn=fn, tn=tn, method=method)

    jobs = {
        "bare": lambda: plain_wald(tp, fp, fn),
        **{f"F1, {method}": batch("f1", method) for method in ("wald", "wilson", "wilson-direct", "clopper-pearson")},
        "precision, wilson": batch("precision", "wilson"),
        "precision, clopper-pearson": batch("precision", "clopper-pearson"),
    }
    rounds = in_turn(jobs, budget=effort.budget(30))
    lines: list[list[Cell]] = [[name, rounds.ratio(name, "bare").value, None, None] for name in list(jobs)[1:]]
    if installed("statsmodels, Wilson by hand"):
        for line, method in zip(lines[-2:], ("wilson", "beta"), strict=True):
            line[2:] = against_statsmodels(tp, fp, batch("precision", str(line[0]).split(", ")[1]), method, effort)
    text = (
        f"{size:,} tables of 833 rows in one call of `hs.batch_intervals`, in units of Wald's formula for F1 written "
        "out in numpy; and, for precision, against `statsmodels.stats.proportion.proportion_confint` on the same "
        "arrays with the greatest difference of any limit."
    )
    columns = ["metric and method", "ours / bare Wald", "statsmodels / ours", "greatest difference"]
    targets = [
        Target(f"{size:,} intervals, {name} / bare Wald of F1", rounds.ratio(name, "bare").value, 40)
        for name in ("F1, wilson", "F1, wilson-direct")
    ]
    return Section("A million intervals at once", text, columns, lines), targets


def plain_wald(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Wald limits of F1 from the closed formula (Lam et al. 2024, eq. 29): the floor."""
    relevant = tp + fp + fn
    f1 = 2 * tp / (relevant + tp)
    half = Z * (2 - f1) * np.sqrt(f1 * (1 - f1) / (2 * relevant))
    return f1 - half, f1 + half


def against_statsmodels(
    tp: np.ndarray, fp: np.ndarray, ours: Callable[[], object], method: str, effort: Effort
) -> list[Cell]:
    """Return the ratio of times and the greatest difference of the limits."""
    from statsmodels.stats.proportion import proportion_confint

    def theirs() -> tuple[np.ndarray, np.ndarray]:
        return proportion_confint(tp, tp + fp, method=method)

    ratio = in_turn({"ours": ours, "theirs": theirs}, budget=effort.budget(8)).ratio("theirs", "ours").value
    found = ours()
    low, high = found.low, found.high
    apart = np.nanmax(np.abs(np.stack([low, high]) - np.stack(theirs())))
    return [ratio, f"{apart:.0e}"]


def exact_study(effort: Effort) -> tuple[Section, Target]:
    """Compare Lam's Tables 3 to 6 by enumeration with 10⁵ simulated samples each."""
    replicates = effort.times(100_000)
    jobs = {
        "exact": lambda: lam2024.simulation_study(),
        "simulated": lambda: lam2024.simulation_study(exact=False, replicates=replicates),
    }
    ratio = in_turn(jobs, budget=effort.budget(20)).ratio("exact", "simulated")
    name = f"Lam's Tables 3 to 6, exact / simulated with {replicates:,} samples"
    text = "The 18 conditions of Lam's simulation, every sample enumerated, against simulating; both by `hs.study`."
    lines: list[list[Cell]] = [[name, ratio.value, ratio.spread]]
    return Section("A study of coverage", text, ["", "ratio", "middle half"], lines), Target(
        name, ratio.value, 1, spread=ratio.spread
    )

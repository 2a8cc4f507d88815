"""Study every comparison method for the picture of its reference page.

    python scripts/pair_coverage.py

Writes docs/reference/comparisons/coverage.json: a series per question, method and n, over pairs of models that agree
more and more. Three questions: does the interval hold the true difference of accuracy, and of F1; and does the test
keep its 5 % where both models are equally good. Accuracy is exact: every table is enumerated but for the unlikeliest,
which together have less than ``LEFT_OUT``. F1 and the bootstrap are simulated; ``se`` is then the largest Monte-Carlo
error of the series. Takes six CPU minutes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

import howsure as hs
from howsure.comparisons.catalogue import PairFindings, named_pair_method
from howsure.comparisons.compare import paired
from howsure.estimates.tail import Tail
from howsure.studies.joint_coverage import table_of_cells

TARGET = Path(__file__).resolve().parents[1] / "docs" / "reference" / "comparisons" / "coverage.json"
SIZES = (50, 100)
AGREEMENTS = (0.0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.98)
ACCURACIES = (0.80, 0.85)
EQUAL = (0.80, 0.80)
PREVALENCE, FIRST, SECOND = 0.3, (0.80, 0.10), (0.75, 0.08)
LEVEL, LEFT_OUT = 0.95, 1e-4
REPLICATES, FEWER = 3_000, 300
OUTCOMES = np.array([[1, 1, 0], [1, 0, 1], [1, 1, 1], [1, 0, 0]])  # truth, a, b: only a right, only b, both, neither
CELLS = np.array(list(np.ndindex(2, 2, 2)))
EXACT = ("mover", "wald", "tango", "bayes")
TESTS = ("mover", "wald", "tango", "mcnemar", "mid-p", "mcnemar-cc", "permutation")
APART = TESTS[3:]  # their p-value is not that of their interval
DRAWN: dict[str, Any] = {"bootstrap": hs.Bootstrap(n_resamples=999), "bayes": hs.Bayes(draws=2000)}
Series = dict[str, Any]
Answer = Callable[[PairFindings], float]


def alike(a: float, b: float, agreement: float) -> np.ndarray:
    """Return the shares of rows (only a says yes, only b, both, neither).

    On the share ``agreement`` of rows both answer from the same random number, elsewhere independently.
    """
    apart = np.array([a * (1 - b), (1 - a) * b, a * b, (1 - a) * (1 - b)])
    joined = np.array([max(a - b, 0), max(b - a, 0), min(a, b), 1 - max(a, b)])
    return np.asarray((1 - agreement) * apart + agreement * joined)


def paired_shares(agreement: float) -> np.ndarray:
    """Return the shares of the cells (truth, a, b) of two models given by true and false positive rates."""
    shares = np.zeros((2, 2, 2))
    for truth, weight in ((1, PREVALENCE), (0, 1 - PREVALENCE)):
        only_a, only_b, both, neither = alike(FIRST[1 - truth], SECOND[1 - truth], agreement)
        shares[truth] = weight * np.array([[neither, only_b], [only_a, both]])
    return shares


def f1_of(shares: np.ndarray) -> float:
    """Return F1 of a matrix of shares, truth in rows."""
    return float(2 * shares[1, 1] / (shares[1].sum() + shares[:, 1].sum()))


def found_in(cells: np.ndarray, counts: np.ndarray, metric: str, method: Any) -> PairFindings:
    """Return what a method says of one table."""
    table = table_of_cells(cells, counts.astype(float), ("a", "b"))
    return named_pair_method(method)(paired(table, metric, "a", "b"), Tail(LEVEL))


# --- accuracy: every table ----------------------------------------------------------------------------------------


def every_outcome(n: int) -> np.ndarray:
    """Return all (only a, only b, both, neither) that sum to n."""
    size = n + 1
    only_a, only_b, both = (part.ravel() for part in np.meshgrid(*3 * [np.arange(size)], indexing="ij"))
    kept = only_a + only_b + both <= n
    rest = n - only_a[kept] - only_b[kept] - both[kept]
    return np.stack([only_a[kept], only_b[kept], both[kept], rest], axis=1)


def chances(outcomes: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the multinomial probability of each outcome."""
    n = outcomes[0].sum()
    return np.asarray(np.exp(gammaln(n + 1) - gammaln(outcomes + 1).sum(1) + xlogy(outcomes, shares).sum(1)))


def likely(chance: np.ndarray) -> np.ndarray:
    """Return which outcomes to keep: those left out have less than LEFT_OUT together."""
    order = np.argsort(chance)
    kept = np.ones(len(chance), dtype=bool)
    kept[order[np.cumsum(chance[order]) < LEFT_OUT]] = False
    return kept


def exact_series(question: str, method: str, rates: tuple[float, float], n: int, answer: Answer) -> Series:
    """Return how often the answer is right, over the agreements; a table's answer serves all of them."""
    outcomes = every_outcome(n)
    all_chances = [chances(outcomes, alike(*rates, agreement)) for agreement in AGREEMENTS]
    kept = np.logical_or.reduce([likely(chance) for chance in all_chances])
    # Of these methods only mover asks how many rows both models got right.
    keys = outcomes[kept] if method == "mover" else outcomes[kept][:, :2]
    distinct, places = np.unique(keys, axis=0, return_inverse=True)
    right, lengths = np.zeros(len(distinct)), np.zeros(len(distinct))
    for place, key in enumerate(distinct):
        counts = key if len(key) == 4 else np.array([*key, n - key.sum(), 0])
        found = found_in(OUTCOMES, counts, "accuracy", method)
        right[place], lengths[place] = answer(found), found.high - found.low
    places = places.ravel()
    weights = [chance[kept] for chance in all_chances]
    return told(
        question, method, n, [float(one @ right[places]) for one in weights],
        [float(one @ lengths[places]) for one in weights], 0.0,
    )  # fmt: skip


def told(question: str, method: str, n: int, coverage: list[float], length: list[float], se: float) -> Series:
    """Return one series as it is stored."""
    return {
        "question": question, "method": method, "n": n, "exact": se == 0.0, "se": round(se, 5),
        "agreement": list(AGREEMENTS), "coverage": [round(one, 5) for one in coverage],
        "length": [round(one, 5) for one in length],
    }  # fmt: skip


def holds(true: float) -> Answer:
    """Return whether an interval holds the true difference; one without limits misses."""
    return lambda found: float(found.low <= true + 1e-12 and true - 1e-12 <= found.high)


def not_rejected(found: PairFindings) -> float:
    """Return whether the test of no difference keeps it at 5 %."""
    return float(found.p(0.0, "two-sided") > 1 - LEVEL)


# --- simulated ----------------------------------------------------------------------------------------------------


def simulated_series(question: str, name: str, method: Any, n: int, replicates: int) -> Series:
    """Return the coverage of a method from samples; those in which a metric is undefined are left out."""
    metric = question
    coverage, lengths, errors = [], [], []
    for place, agreement in enumerate(AGREEMENTS):
        draw = np.random.default_rng([n, place])
        if metric == "f1":
            shares = paired_shares(agreement)
            cells, true = CELLS, f1_of(shares.sum(1)) - f1_of(shares.sum(2))
        else:
            shares, cells, true = alike(*ACCURACIES, agreement), OUTCOMES, ACCURACIES[1] - ACCURACIES[0]
        drawn = draw.multinomial(n, shares.ravel(), replicates)
        distinct, times = np.unique(drawn, axis=0, return_counts=True)
        rows = [found_in(cells, one, metric, method) if _defined(metric, one) else None for one in distinct]
        weight = np.array([0 if row is None else time for row, time in zip(rows, times, strict=True)])
        right = np.array([0.0 if row is None else holds(true)(row) for row in rows])
        size = np.array([0.0 if row is None else row.high - row.low for row in rows])
        ended = np.isfinite(size)
        coverage.append(float(weight @ right / weight.sum()))
        lengths.append(float(weight[ended] @ size[ended] / weight[ended].sum()))
        errors.append(math.sqrt(coverage[-1] * (1 - coverage[-1]) / weight.sum()))
    return told(question, name, n, coverage, lengths, max(*errors, 1 / replicates))


def simulated_test_series(name: str, n: int, replicates: int) -> Series:
    """Return how often equal precisions are not rejected; samples in which one model calls nothing are left out."""
    kept, errors = [], []
    for place, agreement in enumerate(AGREEMENTS):
        shares = np.zeros((2, 2, 2))
        for truth, weight in ((1, PREVALENCE), (0, 1 - PREVALENCE)):
            only_a, only_b, both, neither = alike(FIRST[1 - truth], FIRST[1 - truth], agreement)
            shares[truth] = weight * np.array([[neither, only_b], [only_a, both]])
        drawn = np.random.default_rng([n, place]).multinomial(n, shares.ravel(), replicates)
        called = [one for one in drawn if all(one.reshape(2, 2, 2).sum((0, axis))[1] > 0 for axis in (1, 2))]
        right = [not_rejected(found_in(CELLS, one, "precision", name)) for one in called]
        kept.append(float(np.mean(right)))
        errors.append(math.sqrt(kept[-1] * (1 - kept[-1]) / len(right)))
    return told("precision", name, n, kept, [0.0] * len(kept), max(*errors, 1 / replicates))


def _defined(metric: str, counts: np.ndarray) -> bool:
    """Say whether F1 of both models is defined: some row is positive or called so."""
    if metric != "f1":
        return True
    table = counts.reshape(2, 2, 2)
    return all(one[1].sum() + one[:, 1].sum() > 0 for one in (table.sum(2), table.sum(1)))


def every_series() -> Iterator[Series]:
    """Yield all series."""
    for n in SIZES:
        for method in EXACT:
            print("accuracy", method, n, flush=True)
            yield exact_series("accuracy", method, ACCURACIES, n, holds(ACCURACIES[1] - ACCURACIES[0]))
        for method in TESTS:
            print("equal", method, n, flush=True)
            answer = not_rejected if method in APART else holds(0.0)  # the others' p is their interval's
            yield exact_series("equal", method, EQUAL, n, answer)
        for name in ("kosinski", "mover"):
            print("precision", name, n, flush=True)
            yield simulated_test_series(name, n, REPLICATES // 2)
        for name in ("mover", "wald"):
            print("f1", name, n, flush=True)
            yield simulated_series("f1", name, name, n, REPLICATES)
        for name, method in DRAWN.items():
            print("f1", name, n, flush=True)
            yield simulated_series("f1", name, method, n, FEWER)
        yield simulated_series("accuracy", "bootstrap", DRAWN["bootstrap"], n, FEWER)


def main() -> None:
    """Run the studies and write the series, one to a line."""
    lines = ",\n".join(json.dumps(one) for one in every_series())
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()

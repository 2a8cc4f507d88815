"""How often intervals over tasks hold the mean difference of their population: the table of docs/how-to/tasks.md.

Run: python scripts/task_coverage.py [--samples N]. Tasks are drawn from a population of mean difference 0.02 (accuracy
of two models on the same rows); "linked" tasks differ more the larger they are. Prints the lowest and the mean coverage
over the spreads of tasks, and how often tests reject and the Bayesian signed rank is 97.5 % sure where the mean is 0.
--populations computes the 72 of tests/studies/new_task_study.py, the mean and one new task; --page keeps them in
docs/how-to/tasks-like-these.json.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from howsure.estimates.tail import Tail
from howsure.numerics.pooling.random_effects import fixed_effect, hartung_knapp
from howsure.numerics.pooling.ranks import bayesian_signed_rank, signed_rank
from howsure.tables.tasks.task_values import TaskValues, pooled_spread
from howsure.types import Array
from studies.new_task_study import computed, wanted

TAIL, MEAN, SPREADS, TASKS = Tail(0.95), 0.02, (0.0, 0.02, 0.05), (5, 10, 20)
PAGE = Path(__file__).resolve().parents[1] / "docs" / "how-to" / "tasks-like-these.json"
METHODS = ("t", "hartung-knapp", "fixed-effect", "rows alone", "signed-rank", "bayesian-signed-rank")


def drawn(rng: np.random.Generator, tasks: int, spread: float, *, linked: bool, mean: float) -> TaskValues:
    """Return the differences of accuracy in tasks of 50 to 2 000 rows; linked, larger tasks have larger ones."""
    size = rng.uniform(size=tasks)
    rows = np.rint(50 * 40**size)
    pull = (size - 0.5) * math.sqrt(12) if linked else rng.normal(size=tasks)
    apart = rng.uniform(0.15, 0.3, size=tasks)
    true = np.clip(mean + spread * pull, -apart, apart)
    shares = np.stack([(apart + true) / 2, (apart - true) / 2, 1 - apart], axis=1)
    counts = np.array([rng.multinomial(int(n), share) for n, share in zip(rows, shares, strict=True)])
    difference = (counts[:, 0] - counts[:, 1]) / rows
    variance = np.maximum(((counts[:, 0] + counts[:, 1]) / rows - difference**2) / (rows - 1), 1e-9)
    return TaskValues(tuple(map(str, range(tasks))), difference, variance, np.full(tasks, 1 / tasks), rows)


def missed(rng: np.random.Generator, tasks: int, spread: float, *, linked: bool) -> Array:
    """Return which methods miss the mean in one sample; tests, whether they reject or are sure at a mean of 0."""
    held = drawn(rng, tasks, spread, linked=linked, mean=MEAN)
    pools = [(pooled.mean, pooled_spread(pooled, held)) for pooled in (
        pool(held.values, held.variances) for pool in (hartung_knapp, fixed_effect)
    )]  # fmt: skip
    ends = [(held.mean, held.spread.half(TAIL)), *((mean, one.half(TAIL)) for mean, one in pools)]
    ends.append((held.mean, held.through_rows.half(TAIL)))
    none = drawn(rng, tasks, spread, linked=linked, mean=0.0)
    ranks = signed_rank(none.values)
    sure = bayesian_signed_rank(none.values, rope=0.0, prior=0.5, draws=2000, seed=int(rng.integers(1 << 30)))
    tests = [2 * min(ranks.at_least, ranks.at_most) < 0.05, max(sure[0], sure[2]) > 0.975]
    return np.array([*(abs(mean - MEAN) > half for mean, half in ends), *tests], dtype=float)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=4000)
    parser.add_argument("--populations", action="store_true", help="of the mean and of one new task, by shape")
    parser.add_argument("--page", action="store_true", help="keep the populations beside the page of the documentation")
    asked = parser.parse_args()
    if asked.populations:
        populations(asked.samples, page=asked.page)
    else:
        methods(asked.samples)


def populations(samples: int, *, page: bool) -> None:
    """Print the lowest and the mean share of samples that hold the mean, and one new task."""
    lines = [computed(cell, samples) for cell in wanted()]
    for what in ("held", "predicted"):
        worst = min(lines, key=lambda line: float(line[what]))
        print(what, worst[what], worst["cell"], round(float(np.mean([line[what] for line in lines])), 4))
    if page:
        PAGE.write_text("[\n" + ",\n".join(map(json.dumps, lines)) + "\n]\n", encoding="utf-8")


def methods(samples: int) -> None:
    """Print the table of methods."""
    print("tasks linked", *METHODS, sep=" | ")
    for linked in (False, True):
        for tasks in TASKS:
            rng = np.random.default_rng([tasks, linked])
            cells = np.array([
                np.mean([missed(rng, tasks, spread, linked=linked) for _ in range(samples)], axis=0)
                for spread in SPREADS
            ])  # fmt: skip
            held, found = 1 - cells[:, :4], cells[:, 4:]
            shown = [f"{low:.3f}/{mean:.3f}" for low, mean in zip(held.min(0), held.mean(0), strict=True)]
            shown += [f"{most:.3f}/{mean:.3f}" for most, mean in zip(found.max(0), found.mean(0), strict=True)]
            print(tasks, linked, *shown, sep=" | ", flush=True)


if __name__ == "__main__":
    main()

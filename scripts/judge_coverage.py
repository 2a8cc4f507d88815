"""Coverage of intervals with a judge, on populations that played no part in choosing them; people alone beside it.

python scripts/judge_coverage.py build/judges.jsonl                   # resumable: one line a population, metric and n
python scripts/judge_coverage.py build/judges.jsonl --samples 400     # a smaller one; a file holds one size
python scripts/judge_coverage.py build/judges.jsonl --show            # the table of docs/explanation/judges.md

Samples of independent rows are computed many at a time: λ and gain from cells (truth, judge, prediction) as in
tests/tables/kinds/test_judge_gain.py, the interval from the library's own methods at n · gain rows. Differences, groups
and weights go through ``hs.compare`` and ``hs.estimate``, one sample at a time.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import howsure as hs
from howsure.estimates.catalogue import default_method, interval
from howsure.estimates.evidence import evidence_of_matrices
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import embed, gradient_of, value_of, view
from howsure.metrics.metric import Metric, cells_for
from howsure.metrics.names import named
from howsure.types import Array

POPULATIONS, SAMPLES = 60, 4000
SIZES = (25, 50, 100, 200, 500)
METRICS = (("accuracy", 2), ("recall", 2), ("precision", 2), ("f1", 2), ("mcc", 2), ("macro_f1", 3), ("macro_f1", 5))
PAIRED = (("accuracy", 2), ("f1", 2), ("macro_f1", 3))
ONE_BY_ONE = 40  # samples of independent rows for one through the library
Line = dict[str, Any]


class Population:
    """Shares of (truth, judge, prediction a, prediction b): a judge that errs alone, and sometimes echoes model a."""

    def __init__(self, number: int, labels: int) -> None:
        rng = np.random.default_rng([20251118, labels, number])
        share = np.array([1 - rng.uniform(0.05, 0.7)]) if labels == 2 else rng.dirichlet(np.full(labels, 4.0))
        truth = np.array([share[0], 1 - share[0]]) if labels == 2 else share
        first, second, judge = (self._answers(rng, labels) for _ in range(3))
        if labels == 2:
            first, second = (self._binary(rng, 0.5, 0.97, 0.01, 0.3) for _ in range(2))
            judge = self._binary(rng, 0.5, 0.99, 0.01, 0.5)
        echo = rng.uniform(0, 0.4)
        said = np.einsum("tj,a->tja", judge, np.ones(labels)) * (1 - echo) + echo * np.eye(labels)[None]
        self.labels, self.pool = labels, float(rng.uniform(5, 100))
        self.shares = np.einsum("t,ta,tb,tja->tjab", truth, first, second, said)

    @staticmethod
    def _answers(rng: np.random.Generator, labels: int) -> Array:
        right = rng.uniform(0.5, 0.97)
        return np.asarray(right * np.eye(labels) + (1 - right) * rng.dirichlet(np.ones(labels), size=labels))

    @staticmethod
    def _binary(rng: np.random.Generator, low: float, high: float, least: float, most: float) -> Array:
        hit, alarm = rng.uniform(low, high), rng.uniform(least, most)
        return np.array([[1 - alarm, alarm], [1 - hit, hit]])


def slopes(metric: Metric, tables: Array, selection: Any) -> tuple[Array, Array]:
    """Return the value and the influence by cell of many tables."""
    cells = view(cells_for(metric, tables)[0], selection)
    with np.errstate(all="ignore"):
        found = embed(gradient_of(metric, cells, "nan"), tables.shape[-1], selection).by_cell
        value = value_of(metric, cells, "nan")
    return value, found


def spread(values: Array, shares: Array, axes: tuple[int, ...]) -> Array:
    """Return the variance of values under shares."""
    with np.errstate(all="ignore"):
        return np.asarray((values**2 * shares).sum(axes) - (values * shares).sum(axes) ** 2)


def weights(metric: Metric, x: Array, u: Array, selection: Any) -> Array:
    """Return λ of each sample."""
    n, rest = x.sum((1, 2, 3)), u.sum((1, 2))
    found = slopes(metric, x.sum(2) / n[:, None, None], selection)[1]
    a, b, share = found[:, :, None, :] + 0 * x, found[:, None] + 0 * x, x / n[:, None, None, None]
    pool = (u + x.sum(1)) / (n + rest)[:, None, None]
    both = (a * b * share).sum((1, 2, 3)) - (a * share).sum((1, 2, 3)) * (b * share).sum((1, 2, 3))
    with np.errstate(all="ignore"):
        return np.nan_to_num(np.clip(both / ((1 + n / rest) * spread(found, pool, (1, 2))), 0, 1))


def moved(x: Array, u: Array, lam: Array) -> Array:
    """Return table(λ) of each sample, negative cells cut off."""
    n, rest = x.sum((1, 2, 3))[:, None, None], u.sum((1, 2))[:, None, None]
    table = np.maximum(x.sum(2) / n + lam[:, None, None] * (u / rest - x.sum(1) / n), 0)
    return np.asarray(table / table.sum((1, 2))[:, None, None])


def gains(metric: Metric, x: Array, u: Array, selection: Any) -> Array:
    """Return the smaller gain of two smoothed copies."""
    labels = x.shape[1]
    n, rest = x.sum((1, 2, 3)), u.sum((1, 2))
    pool = (u + x.sum(1)) / (n + rest)[:, None, None]
    found = []
    for copy in (x + 1.9207 * pool[:, None] / labels, x + 4 / labels**3):
        size, lam = copy.sum((1, 2, 3)), weights(metric, copy, u, selection)
        grad = slopes(metric, moved(copy, u, lam), selection)[1]
        residual = grad[:, :, None, :] - lam[:, None, None, None] * grad[:, None]
        judged = spread(residual, copy / size[:, None, None, None], (1, 2, 3)) / (size - 2)
        judged += lam**2 * spread(grad, u / rest[:, None, None], (1, 2)) / rest
        people = copy.sum(2) / size[:, None, None]
        found.append(spread(slopes(metric, people, selection)[1], people, (1, 2)) / (size - 1) / judged)
    most = (n + rest) / n
    return np.clip(np.nan_to_num(np.minimum(*found), nan=1.0), 1, most)


def limits(metric: Metric, tables: Array, selection: Any) -> tuple[Array, Array]:
    """Return the default interval of many tables of counts."""
    evidence = evidence_of_matrices(metric, tables, selection=selection)
    with np.errstate(all="ignore"):
        found = interval(evidence, default_method(metric, evidence), Tail(0.95))
    return np.asarray(found.low), np.asarray(found.high)


def rows_at_once(name: str, population: Population, n: int, samples: int, seed: int) -> Line:
    """Return the coverage of one metric of one model with independent rows."""
    metric, labels = named(name), population.labels
    selection = 1 if labels == 2 and metric.over == "class" and metric.share != named("accuracy").share else None
    shares = population.shares.sum(3)
    rng = np.random.default_rng([seed, n, labels])
    x = rng.multinomial(n, shares.ravel(), size=samples).reshape(-1, labels, labels, labels).astype(float)
    u = rng.multinomial(round(population.pool * n), shares.sum(0).ravel(), size=samples).reshape(-1, labels, labels)
    true = float(slopes(metric, shares.sum(1)[None], selection)[0][0])
    human, u = x.sum(2), u.astype(float)
    defined = np.isfinite(slopes(metric, human, selection)[0])
    x, u, human = x[defined], u[defined], human[defined]
    lam, gain = weights(metric, x, u, selection), gains(metric, x, u, selection)
    if n < 20:
        lam, gain = 0 * lam, 0 * gain + 1
    gain = np.where(lam > 0, gain, 1.0)
    tables = moved(x, u, lam) * (n * gain)[:, None, None]
    found = {"human": limits(metric, human, selection), "gain": limits(metric, tables, selection)}
    return _line(found | {"wald": published(metric, x, u, selection)}, true, gain)


def published(metric: Metric, x: Array, u: Array, selection: Any) -> tuple[Array, Array]:
    """Return the limits of PPI++: value ± 1.96 √V(λ), the cells as they come."""
    n, rest, lam = x.sum((1, 2, 3)), u.sum((1, 2)), weights(metric, x, u, selection)
    sizes, others = n[:, None, None], u / rest[:, None, None]
    table = x.sum(2) / sizes + lam[:, None, None] * (others - x.sum(1) / sizes)
    value = slopes(metric, table, selection)[0]
    grad = slopes(metric, moved(x, u, lam), selection)[1]
    residual = grad[:, :, None, :] - lam[:, None, None, None] * grad[:, None]
    variance = spread(residual, x / n[:, None, None, None], (1, 2, 3)) / n
    variance += lam**2 * spread(grad, others, (1, 2)) / rest
    half = 1.959963984540054 * np.sqrt(np.maximum(variance, 0))
    return value - half, value + half


def _line(found: dict[str, tuple[Array, Array]], true: float, gain: Array) -> Line:
    line: Line = {"true": true, "worth": float(np.mean(gain)), "samples": len(gain)}
    for who, (low, high) in found.items():
        line[who] = float(np.mean((low <= true) & (true <= high)))
        line[f"{who}_length"] = float(np.mean(high - low))
    return line


def drawn(population: Population, rows: int, rng: np.random.Generator) -> tuple[Array, ...]:
    """Return truth, judge and two predictions of so many rows."""
    codes = rng.choice(population.shares.size, rows, p=population.shares.ravel())
    return np.unravel_index(codes, population.shares.shape)


def one_by_one(kind: str, name: str, population: Population, n: int, samples: int, seed: int) -> Line:
    """Return the coverage of a difference, or of a metric with groups or weights, through the library."""
    rng = np.random.default_rng([seed, n, population.labels, len(kind)])
    metric, table = named(name), population.shares.sum(1)
    selection = 1 if population.labels == 2 and name == "f1" else None
    values = [float(slopes(metric, table.sum(axis)[None], selection)[0][0]) for axis in (2, 1)]
    true = values[1] - values[0] if kind == "pair" else values[0]
    ends: dict[str, list[tuple[float, float]]] = {"human": [], "gain": []}
    gain = []
    for _ in range(samples):
        made = _sample(kind, population, n, rng)
        for use in ends:
            judge = "ignore" if use == "human" else "gain"
            if kind == "pair":
                found: Any = hs.compare(made, name, "a", "b", judge=judge)
            else:
                found = hs.estimate(made, name, model="a", judge=judge)
                gain += [found.gain] if use == "gain" else []
            ends[use].append((found.low, found.high))
    both = {use: (np.array(pairs)[:, 0], np.array(pairs)[:, 1]) for use, pairs in ends.items()}
    return _line(both, true, np.array(gain or [np.nan] * samples))


def _sample(kind: str, population: Population, n: int, rng: np.random.Generator) -> Any:
    """Return a judged table: groups of four alike rows, half of them labelled by group; weights of 1 to 4 by row."""
    rows = n + round(min(population.pool, 20) * n)
    if kind != "groups":
        truth, judge, a, b = drawn(population, rows, rng)
        weight = None
        if kind == "weights":  # rows drawn in inverse proportion to their weight, whatever they hold
            weight = rng.integers(1, 5, rows)
        label = np.where(np.arange(rows) < n, truth.astype(float), np.nan)
        return hs.table(
            label, {"a": a, "b": b}, judge=judge, sample_weight=weight, labels=list(range(population.labels))
        )
    groups = np.arange(rows) // 4
    alike = rng.random(rows) < 0.4  # such rows are as the first of their group
    own = np.stack(drawn(population, rows, rng))
    held = np.where(alike, own[:, groups * 4], own)
    label = np.where(groups < n // 4, held[0].astype(float), np.nan)
    pair = {"a": held[2], "b": held[3]}
    return hs.table(label, pair, judge=held[1], groups=groups, labels=list(range(population.labels)))


def cells() -> Iterator[tuple[str, str, int, int, int]]:
    """Yield kind, metric, number of labels, n and population of every line; the costly ones last."""
    for n in SIZES:
        for name, labels in METRICS:
            yield from (("rows", name, labels, n, number) for number in range(POPULATIONS))
    for kind, named_metrics in (("pair", PAIRED), ("groups", PAIRED[:2]), ("weights", PAIRED[:2])):
        for n in SIZES[1:4]:
            for name, labels in named_metrics:
                yield from ((kind, name, labels, n, number) for number in range(POPULATIONS))


def run(path: Path, samples: int, kinds: list[str]) -> None:
    """Compute what the file lacks."""
    done = {json.dumps(line["cell"]) for line in lines_of(path)}
    with path.open("a", encoding="utf-8") as file:
        for cell in cells():
            if json.dumps(list(cell)) in done or cell[0] not in kinds:
                continue
            kind, name, labels, n, number = cell
            population = Population(number, labels)
            if kind == "rows":
                line = rows_at_once(name, population, n, samples, number)
            else:
                line = one_by_one(kind, name, population, n, max(samples // ONE_BY_ONE, 10), number)
            file.write(json.dumps({"cell": cell, **line}) + "\n")
            file.flush()


def lines_of(path: Path) -> list[Line]:
    """Return the finished lines; a torn one is ignored."""
    found = []
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(text))
        except ValueError:
            continue
    return found


def summary(lines: list[Line]) -> list[Line]:
    """Return one line a metric and n: lowest and mean coverage over the populations, mean length beside people's."""
    found = []
    for key in dict.fromkeys(tuple(line["cell"][:4]) for line in lines):
        own = [line for line in lines if tuple(line["cell"][:4]) == key]
        line: Line = dict(zip(("kind", "metric", "classes", "n"), key, strict=True))
        line |= {"populations": len(own), "samples": int(np.median([one["samples"] for one in own]))}
        for who in ("human", "gain", "wald"):
            covered = [one[who] for one in own if who in one]
            line |= {who: [round(min(covered), 4), round(float(np.mean(covered)), 4)]} if covered else {}
        with np.errstate(all="ignore"):
            ratios = np.array([one["gain_length"] / one["human_length"] for one in own])
        worth = np.array([one["worth"] for one in own])
        line["length"] = round(float(np.mean(ratios[np.isfinite(ratios)])), 3)
        line |= {"worth": round(float(worth.mean()), 3)} if np.isfinite(worth).all() else {}
        found.append(line)
    return found


def show(lines: list[Line]) -> None:
    """Print the summary as the table of the page."""
    heads = ("people alone: lowest, mean", "with the judge: lowest, mean", "PPI++: lowest, mean", "length", "worth")
    print(f"| metric | n | {' | '.join(heads)} |")
    print("|---|---|---|---|---|---|---|")
    for line in summary(lines):
        several = f", {line['classes']} classes" if line["classes"] > 2 else ""
        kind = "" if line["kind"] == "rows" else f" ({line['kind']})"
        cells = ["{:.3f}, {:.3f}".format(*line[who]) if who in line else "–" for who in ("human", "gain", "wald")]
        worth = f"{line['worth']:.2f}" if "worth" in line else "–"
        name = line["metric"].replace("_", " ")
        print(f"| {name}{several}{kind} | {line['n']} | {' | '.join(cells)} | {line['length']:.2f} | {worth} |")


def main() -> None:
    """Run what is missing, or show what there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--kind", action="append", choices=("rows", "pair", "groups", "weights"))
    parser.add_argument("--show", action="store_true", help="only what is in the file")
    parser.add_argument(
        "--summary", type=Path, help="write one line a metric and n, such as docs/explanation/judges.json"
    )
    asked = parser.parse_args()
    if not asked.show:
        run(asked.file, asked.samples, asked.kind or ["rows", "pair", "groups", "weights"])
    lines = lines_of(asked.file)
    if asked.summary:
        rows = ",\n".join(json.dumps(line) for line in summary(lines))
        asked.summary.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    show(lines)


if __name__ == "__main__":
    sys.exit(main())

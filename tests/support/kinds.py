"""One frame with columns for every kind of data, and what each is asked for: an engine must give the same table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs

N = 400


def columns() -> dict[str, list[Any]]:
    """Return the columns: labels, scores, numbers, sums, indicators, a judge, runs, tasks, groups, all as lists."""
    rng = np.random.default_rng(41)
    truth = (rng.random(N) < 0.4).astype(int)
    found = {"y": truth, "g": rng.integers(0, 25, N), "task": rng.integers(0, 3, N)}
    found |= {f"run{at}": np.where(rng.random(N) < 0.8, truth, 1 - truth) for at in (1, 2)}
    found |= {name: np.round(rng.random(N) * 0.7 + 0.3 * truth, 1) for name in ("bert", "svm")}
    found |= {"judged": np.where(rng.random(N) < 0.85, truth, 1 - truth), "unit": rng.integers(0, 30, N)}
    found |= {"errors": rng.integers(0, 3, N), "words": rng.integers(3, 9, N)}
    found |= {f"{label}_{who}": rng.integers(0, 2, N) for who in ("gold", "said") for label in ("cat", "dog")}
    people = [int(one) if seen else None for one, seen in zip(truth, rng.random(N) < 0.5, strict=True)]
    rated = [float(one) if seen else None for one, seen in zip(found["bert"], rng.random(N) < 0.5, strict=True)]
    return {name: column.tolist() for name, column in found.items()} | {"people": people, "rated": rated}


KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "labels": ({"truth": "y", "predictions": ["run1", "run2"], "group": "g"}, "f1"),
    "label sets": ({"truth": "*_gold", "predictions": "*_said"}, "micro_f1"),
    "scores": ({"truth": "y", "scores": ["bert", "svm"]}, "auc"),
    "scores of groups": ({"truth": "y", "scores": "bert", "group": "g"}, "average_precision"),
    "values": ({"value": ["bert", "svm"], "range": (0, 1)}, "mean"),
    "values with a judge": ({"value": "rated", "judge": "svm", "range": (0, 1)}, "mean"),
    "sums": ({"unit": "unit", "sums": ["errors", "words"]}, "errors/words"),
    "judge": ({"truth": "people", "predictions": "run1", "judge": "judged"}, "accuracy"),
    "runs": ({"truth": "y", "predictions": {"model": ["run1", "run2"]}}, "accuracy"),
    "tasks": ({"truth": "y", "predictions": ["run1", "run2"], "task": "task"}, "accuracy"),
}


LONG: dict[str, tuple[dict[str, Any], str]] = {
    "long labels": ({"truth": "y", "predictions": "said", "model": "model", "id": "id"}, "f1"),
    "long answers": ({"correct": "right", "model": "model", "id": "id"}, "accuracy"),
    "long values": ({"value": "score", "model": "model", "id": "id", "range": (0, 1)}, "mean"),
    "long tasks": ({"correct": "right", "model": "model", "task": "task", "id": "id"}, "accuracy"),
    "long runs": ({"truth": "y", "predictions": "said", "model": "model", "run": "run", "id": "id"}, "accuracy"),
}


def long_columns(runs: int) -> dict[str, list[Any]]:
    """Return a row for each item, model and run."""
    held, places = columns(), range(N)
    shape = [(at, model, run) for run in range(runs) for model in ("a", "b") for at in places]
    rng = np.random.default_rng(43)
    found: dict[str, list[Any]] = {
        name: list(part) for name, part in zip(("id", "model", "run"), zip(*shape, strict=True), strict=True)
    }
    found |= {name: [held[name][at] for at in found["id"]] for name in ("y", "task")}
    found |= {name: rng.integers(0, 2, len(shape)).tolist() for name in ("said", "right")}
    return found | {"score": np.round(rng.random(len(shape)), 1).tolist()}


def check_same(kind: str, engine: Any, memory: Any) -> hs.Table:
    """Hold the table of an engine against that of a frame in memory, to the last count; return the first."""
    how, metric = (KINDS | LONG)[kind]
    found, whole = hs.read(engine, **how), hs.read(memory, **how)
    assert (found.n, found.models, found.labels) == (whole.n, whole.models, whole.labels)
    one, other = found.merged(), whole.merged()
    assert np.array_equal(one.contents.keys(), other.contents.keys())
    sampled = [np.column_stack([table.counts, table.weights, *table.design.keys()]) for table in (one, other)]
    assert np.array_equal(*sampled)
    for model in found.models:
        first, second = (hs.estimate(each, metric, model=model) for each in (found, whole))
        assert (first.value, first.low, first.high) == pytest.approx((second.value, second.low, second.high), rel=1e-9)
    return found


def check_scores(engine: Any, memory: Any) -> None:
    """Hold scores of an engine against those in memory: distinct rows, bins, and the sums of a second pass."""
    for kind in ("scores", "scores of groups"):
        check_same(kind, engine, memory)
    how: dict[str, Any] = {"truth": "y", "scores": ["bert", "svm"], "bins": 7}
    found, whole = hs.histogram(engine, **how), hs.histogram(memory, **how)
    for model in ("bert", "svm"):
        np.testing.assert_array_equal(found.counts[model], whole.counts[model])
    for group in (None, "g"):
        one, other = (held.covariance(source, truth="y", group=group).matrix
                      for held, source in ((found, engine), (whole, memory)))  # fmt: skip
        np.testing.assert_allclose(one, other, rtol=1e-11)

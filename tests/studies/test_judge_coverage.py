"""The study of intervals with a judge: its short cut is the library's way, and what it found is what the page says."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs

ROOT = Path(__file__).resolve().parents[2]
SCRIPT, STORED = ROOT / "scripts" / "judge_coverage.py", ROOT / "docs" / "explanation" / "judges.json"

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the source archive comes without scripts")


@pytest.fixture(scope="module")
def study() -> Any:
    spec = importlib.util.spec_from_file_location("judge_coverage", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["judge_coverage"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("name", "labels"), [("accuracy", 2), ("f1", 2), ("recall", 2), ("mcc", 2), ("macro_f1", 3)])
def test_many_samples_at_once_are_as_one_by_one(study: Any, name: str, labels: int) -> None:
    population = study.Population(3, labels)
    shares, rng = population.shares.sum(3), np.random.default_rng(1)
    metric = study.named(name)
    selection = 1 if name in ("f1", "recall") else None
    x = rng.multinomial(60, shares.ravel(), size=4).reshape(-1, labels, labels, labels).astype(float)
    u = rng.multinomial(400, shares.sum(0).ravel(), size=4).reshape(-1, labels, labels).astype(float)
    lam, gain = study.weights(metric, x, u, selection), study.gains(metric, x, u, selection)
    gain = np.where(lam > 0, gain, 1.0)
    low, high = study.limits(metric, study.moved(x, u, lam) * (60 * gain)[:, None, None], selection)
    for at in range(4):
        rows = np.argwhere(x[at] >= 0).repeat(x[at].ravel().astype(int), axis=0)
        others = np.argwhere(u[at] >= 0).repeat(u[at].ravel().astype(int), axis=0)
        truth = np.concatenate([rows[:, 0].astype(float), np.full(len(others), np.nan)])
        judge, model = (np.concatenate([rows[:, 1 + side], others[:, side]]) for side in (0, 1))
        found = hs.estimate(hs.table(truth, model, judge=judge, labels=list(range(labels))), name)
        assert found.gain == pytest.approx(gain[at], rel=1e-9)
        near = 0.01 if labels > 2 else 1e-6  # a mean of classes joins limits otherwise where rows are no plain rows
        assert found.interval == pytest.approx((low[at], high[at]), abs=near, nan_ok=True)


def test_what_was_found_keeps_to_what_was_asked() -> None:
    """Mean coverage no lower than people's less 0.01, lowest no lower than people's lowest less 0.03."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    assert {line["metric"] for line in stored} >= {"accuracy", "recall", "f1", "mcc", "macro_f1"}
    for line in stored:
        (lowest, mean), (people_lowest, people_mean) = line["gain"], line["human"]
        assert mean >= people_mean - 0.01, line
        assert line["length"] < 1
        if line["samples"] >= 500:  # fewer tell nothing of one population
            assert lowest >= people_lowest - 0.031, line

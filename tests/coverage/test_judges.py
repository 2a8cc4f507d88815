"""The slow lane: the worst populations of the stored studies with a judge and of agreement, drawn again.

docs/explanation/judges.json, judge-cases.json and agreement.json hold what was found; scripts/judge_coverage.py,
judge_cases.py and agreement_coverage.py make them. Here each lowest figure is made again from its population and must
hold less three standard errors.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studies import agreement_study, judge_cases, judge_study, label_study

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "explanation"
AGAIN = 1000


def stored(name: str) -> list[dict[str, Any]]:
    """Return the lines of a stored study."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def least(covered: float, samples: int) -> float:
    """Return a figure less three standard errors."""
    return covered - 3 * float(np.sqrt(max(covered * (1 - covered), 0.02) / samples))


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(judge_study.SIZES))
def test_labels_with_a_judge(kind: str) -> None:
    own = [line for line in stored("judges") if line["kind"] == kind]
    cells = {(kind, line["classes"], line["n"], line["worst"]) for line in own}
    for cell in sorted(cells):
        found = judge_study.computed(cell, AGAIN)["metrics"]
        for line in own:
            if (kind, line["classes"], line["n"], line["worst"]) == cell:
                here = found[line["metric"]]
                assert here["gain"] >= least(line["gain"][0], here["samples"]), (line, here)


@pytest.mark.slow
def test_row_values_and_strata_with_a_judge() -> None:
    makers = {"values": judge_cases.of_values, "strata": judge_cases.of_strata}
    for line in stored("judge-cases"):
        here = makers[line["kind"]](line["worst"]["number"], line["n"], 300)
        assert here["gain"] >= least(line["gain"][0], here["samples"]), (line, here)


@pytest.mark.slow
def test_agreement() -> None:
    for line in stored("agreement"):
        here = agreement_study.computed(line["coefficient"], line["scale"], line["worst"]["number"], 300)
        assert here["coverage"] >= least(line["lowest"], here["samples"]), (line, here)


@pytest.mark.slow
def test_chosen_labels_of_real_answers(shared_data: Path) -> None:
    """Asked: fewer labels for the same width, and coverage of 0.92 or more."""
    for pool in label_study.pandalm(shared_data / "judge-pandalm"):
        here = label_study.line(pool, 200, 300, first=100_000)
        for way, covered in zip(label_study.WAYS, here["covered"], strict=True):
            assert covered >= least(0.92, 300), (pool.name, way)
        assert min(here["width"][2:]) > 1.1

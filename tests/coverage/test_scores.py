"""Coverage of the default intervals of scores on populations that had no part in their choice.

What scripts/score_study.py stored is held against what is promised; the slow lane draws the populations again, with
other samples. Every bound is asserted less three standard errors of a cell.
"""

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
SCRIPT, STORED = ROOT / "scripts" / "score_study.py", ROOT / "docs" / "explanation" / "scores.json"
# The least coverage that is claimed of each family, and the largest mean.
PROMISED = {
    "auc": (0.93, 0.985),
    "average_precision": (0.91, 1.0),
    "auc, weights": (0.93, 1.0),
    "auc, groups": (0.93, 1.0),
    "auc, paired": (0.93, 1.0),
    "average_precision, weights": (0.91, 1.0),
    "average_precision, groups": (0.91, 1.0),
    "average_precision, paired": (0.93, 1.0),
    "recall@specificity>=0.9": (0.93, 1.0),
    "partial_auc[fpr<=0.2]": (0.93, 1.0),
    "f1@best": (0.93, 1.0),
}
FEWER = 400  # samples in the slow lane, of families that are looked at one sample after the other

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the source archive comes without scripts")


def study() -> Any:
    spec = importlib.util.spec_from_file_location("score_study", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["score_study"] = module
    spec.loader.exec_module(module)
    return module


def error(rows: list[dict[str, Any]]) -> float:
    """Return three standard errors of the coverage of one population."""
    return 3 * float(np.sqrt(0.07 * 0.93 / rows[0]["samples"]))


def check(family: str, rows: list[dict[str, Any]]) -> None:
    if family == "threshold":
        assert max(row["wrong"] for row in rows) <= 0.05 + error(rows)
        return
    least, most = PROMISED[family]
    found = np.array([row["coverage"] for row in rows])
    assert found.min() >= least - error(rows), rows[int(found.argmin())]
    assert found.mean() <= most


def stored() -> dict[str, list[dict[str, Any]]]:
    return json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}


@pytest.mark.parametrize("family", [*PROMISED, "threshold"])
def test_what_was_found_is_what_is_promised(family: str) -> None:
    rows = stored().get(family)
    if rows is None:
        pytest.skip("not stored")
    check(family, rows)


@pytest.mark.parametrize(
    ("family", "stream", "laws"), [("auc", 1, "FRESH_LAWS"), ("average_precision", 8, "OTHER_LAWS")]
)
def test_the_populations_of_the_study_are_those_that_are_stored(family: str, stream: int, laws: str) -> None:
    """The script makes the same populations again."""
    made = study()
    worlds = list(made.worlds(330, stream, laws=getattr(made, laws)))
    assert [[row["population"], row["n"]] for row in stored()[family]] == [list(one) for one in worlds]
    assert {world["shape"] for world, _ in worlds} == set(getattr(made, laws))


@pytest.mark.parametrize("metric", ["auc", "average_precision"])
def test_differences_of_many_samples_are_those_of_compare(metric: str) -> None:
    """Ties, the same ranking twice and a perfect one among them."""
    rng = np.random.default_rng(3)
    truth = rng.random((6, 40)) < 0.3
    a = rng.standard_normal(truth.shape) + 2.5 * truth
    b = np.round(0.6 * a + rng.standard_normal(truth.shape) + truth, 1)
    b[0], b[1] = a[0], truth[1] + rng.random(40) / 2
    low, high = study().limits_of_differences(metric, truth, a, b)
    for at in range(len(truth)):
        made = hs.compare(hs.table(truth[at], scores={"a": a[at], "b": b[at]}), metric)
        assert (low[at], high[at]) == pytest.approx((made.low, made.high), abs=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("family", [*PROMISED, "threshold"])
def test_the_populations_drawn_again(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = study()
    monkeypatch.setattr(made, "SEED_OF_SAMPLES", made.SEED_OF_SAMPLES + 1)
    monkeypatch.setattr(made, "EACH", FEWER)
    check(family, list(made.families(str(tmp_path))[family]()))

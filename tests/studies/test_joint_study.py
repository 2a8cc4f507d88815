"""hs.study with joint=True: several metrics and models; interruption; the share that a normal limit predicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import howsure as hs

RNG = np.random.default_rng(8)
TRUTH = RNG.integers(0, 2, 2000)
RULES = {name: np.where(RNG.random(2000) < share, TRUTH, 1 - TRUTH) for name, share in (("x", 0.8), ("y", 0.7))}
WORLD = hs.table(TRUTH, RULES)
MEASURES = ["f1", "accuracy"]


def test_joint_intervals_hold_together_and_single_ones_do_not() -> None:
    found = hs.study(MEASURES, None, WORLD, n=[400], joint=True, replicates=4000)
    held = {row.method: row for row in found}
    assert list(held) == ["default", "default, single", "wald", "wald, single", "blurred", "blurred, single"]
    for method in ("default", "wald", "blurred"):
        # Choice II is conservative (erratum Y12); the other two keep the level at n = 400.
        assert held[method].coverage == pytest.approx(0.97 if method == "blurred" else 0.95, abs=0.015)
        assert held[f"{method}, single"].coverage < 0.9
        assert held[f"{method}, single"].length < held[method].length
    assert held["wald"].metric == "2 models × f1, accuracy"
    assert "the true value" not in str(found.write("text"))


def test_the_length_is_that_of_a_report_at_the_true_shares() -> None:
    (row,) = hs.study(MEASURES, "wald", WORLD, n=2000, joint=True, replicates=500)[:1]
    made = hs.report(WORLD, MEASURES, joint=True, method="wald")
    assert row.length == pytest.approx(np.mean([one.high - one.low for one in made]), rel=0.01)


def test_one_model_one_metric_is_the_plain_study() -> None:
    one = WORLD.pick("x")
    joint = hs.study("f1", "wald", one, n=50, joint=True, replicates=6000)[0]
    plain = hs.study("f1", "wald", one, n=50)[0]
    # The joint interval divides by n − 1, which widens it by one per cent here.
    assert joint.coverage == pytest.approx(plain.coverage, abs=3 * joint.se + 0.006)
    assert joint.length == pytest.approx(plain.length * np.sqrt(50 / 49), rel=0.01)


def test_a_study_goes_on_from_a_folder(tmp_path: Path) -> None:
    asked = {"n": [100, 200], "joint": True, "replicates": 6000, "checkpoint": tmp_path}
    first = hs.study(MEASURES, "blurred", WORLD, **asked)
    seen: list[tuple[int, int]] = []
    again = hs.study(
        MEASURES, "blurred", WORLD, **asked, progress=lambda done, everything: seen.append((done, everything))
    )
    assert seen == []
    assert again.to_dicts() == first.to_dicts()
    spread = hs.study(MEASURES, "blurred", WORLD, **(asked | {"checkpoint": None, "jobs": 2}))
    assert spread.to_dicts() == first.to_dicts()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}}, "must be a Table"),
        ({"population": WORLD, "methods": ["tango"]}, "joint studies know"),
        ({"population": WORLD, "side": "lower"}, "two-sided and simulated"),
        ({"population": hs.table(TRUTH, RULES, groups=np.arange(2000) // 2)}, "independent rows"),
    ],
)
def test_refusals(options: dict[str, object], message: str) -> None:
    with pytest.raises(hs.HowsureError, match=message):
        hs.study(MEASURES, joint=True, n=50, **options)  # type: ignore[arg-type]


def test_several_metrics_without_joint_are_refused() -> None:
    with pytest.raises(hs.InputError, match="several with joint=True"):
        hs.study(MEASURES, "wald", WORLD, n=50)

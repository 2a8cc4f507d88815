"""What hs.study refuses, and what it says then."""

from __future__ import annotations

from pathlib import Path

import pytest

import howsure as hs
from studies.populations import HALF


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"population": None}, "population is missing; give dict"),
        ({"population": {"tp": 0.5, "fp": 0.5}}, "population has the keys 'fp', 'tp'"),
        ({"population": {**HALF, "tp": 0.5}}, "sum to 1.1; they must sum to 1"),
        ({"population": {**HALF, "tp": -0.4, "tn": 1.2}}, "negative"),
        ({"population": [0.5, 0.5]}, "has the shape"),
        ({"population": {"prevalence": 0.9, "recall": 0.9, "precision": 0.5}}, "precision must be at least 0.89"),
        ({"population": {"prevalence": 0.9, "recall": 1.9, "precision": 0.5}}, "recall 1.9; rates lie between"),
        ({"population": hs.counts(tp=1, fp=1, fn=1)}, "every cell"),
        ({"population": {"tp": 0, "fp": 0, "fn": 0, "tn": 1}}, "metric 'f1' is 0/0 in the population"),
        ({"n": 0}, "n is 0; it must be"),
        ({"n": [10, 2.5]}, "whole numbers"),
        ({"n": []}, "one or more"),
        ({"level": 95}, "level is 95"),
        ({"replicates": 0}, "replicates is 0"),
        ({"methods": "log"}, "method 'log' cannot serve metric 'f1'"),
        ({"methods": "wld"}, "Did you mean 'wald'"),
    ],
)
def test_refusals_say_what_to_do(changes: dict[str, object], words: str) -> None:
    given = {"methods": "wald", "population": HALF, "n": 10} | changes
    with pytest.raises(hs.HowsureError) as caught:
        hs.study("f1", **given)
    assert words in str(caught.value)


@pytest.mark.parametrize("metric", ["exact_match", "samples_f1"])
def test_metrics_of_rows_with_several_labels_are_refused(metric: str) -> None:
    with pytest.raises(hs.MetricError, match="rows with several labels"):
        hs.study(metric, "wald", HALF, n=10)
    with pytest.raises(hs.MetricError, match="rows with several labels"):
        hs.batch_intervals(metric, tp=1, fp=1, fn=1, tn=1)


def test_checkpoint_must_be_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(hs.InputError, match="name a folder"):
        hs.study("f1", "wald", HALF, n=10, checkpoint=file)

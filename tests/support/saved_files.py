"""What version 0.1 saved: rows, and the calls that wrote tests/samples/saved. Later versions must read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import howsure as hs

FOLDER = Path(__file__).parents[1] / "samples" / "saved"
LABELS, MODELS = ("cat", "dog", "eel"), ("a", "b")
TRUTH = ("cat", "dog", "dog", "eel", "cat", "dog", "eel", "eel")
PREDICTIONS = {
    "a": ("cat", "dog", "cat", "eel", "cat", "dog", "dog", "eel"),
    "b": ("cat", "dog", "dog", "eel", "dog", "dog", "eel", "cat"),
}
WEIGHTS = (1.0, 2.0, 1.5, 0.5, 3.0, 1.0, 1.0, 2.5)
GROUPS = ("x", "x", "y", "y", "z", "z", "z", "x")
STUDY: dict[str, Any] = {
    "methods": ["wald", "wilson"], "population": {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}, "n": [10, 25],
}  # fmt: skip
DRAWN = STUDY | {"methods": ["logit"], "exact": False, "replicates": 2_000, "seed": 3}


def plain_counter() -> hs.Counter:
    """Return the counter that was saved as counter-0.1.npz."""
    counter = hs.Counter(LABELS, MODELS)
    counter.update(TRUTH, PREDICTIONS)
    return counter


def grouped_counter() -> hs.Counter:
    """Return the counter that was saved as counter-grouped-0.1.npz."""
    counter = hs.Counter(LABELS, MODELS, pos_label="dog")
    counter.update(TRUTH, PREDICTIONS, sample_weight=WEIGHTS, groups=GROUPS)
    return counter


def write() -> None:
    """Save the counters and the checkpoint of two studies; run once, with the version that they are named after."""
    FOLDER.mkdir(exist_ok=True)
    plain_counter().save(FOLDER / "counter-0.1.npz")
    grouped_counter().save(FOLDER / "counter-grouped-0.1.npz")
    for asked in (STUDY, DRAWN):
        hs.study("f1", **asked, checkpoint=FOLDER / "checkpoint-0.1")

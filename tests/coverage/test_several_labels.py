"""The slow lane: averages over labels where a row holds several, on populations that played no part in the choice."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "study_of_labels.py"
POPULATIONS, SAMPLES = 8, 250
MACRO = ("macro_f1", "macro_recall")  # their default is mover-gamma; that of sums over labels is the logit itself


def four_errors(share: float, samples: int) -> float:
    """Return four standard errors of a share counted among so many samples."""
    return float(4 * np.sqrt(share * (1 - share) / samples))


@pytest.mark.slow
@pytest.mark.parametrize(("n", "lowest"), [(50, 0.81), (100, 0.89), (300, 0.90)])
def test_defaults_of_several_labels(n: int, lowest: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claimed: coverage of 0.94 or more on average over populations, of ``lowest`` or more in each of them.

    ``lowest`` is what docs/how-to/multilabel.md found in 15 other populations, 1000 samples each.

    What is counted may fall short of a claim by four standard errors of the count: at 0.94 in 8 times 250 samples
    0.021, at 0.81, 0.89 and 0.90 in 250 samples 0.099, 0.079 and 0.076. A quarter of the samples is enough for a
    population to count (the others are 0/0); the band is then as much wider. For macro averages and up to
    100 rows the logit alone, which knows of no error that was not seen, falls short of the default by ten points or
    more in some population, and by three or more on average; sums over labels have the logit as their default.
    """
    spec = importlib.util.spec_from_file_location("study_of_labels", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    study = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, study)  # dataclasses look for their module there
    spec.loader.exec_module(study)
    found = study.coverage(20_261, POPULATIONS, SAMPLES, n)
    for metric in study.METRICS:
        held, logit = (np.array(found[metric, method])[:, 0] for method in ("default", "logit"))
        assert len(held) == len(logit) == POPULATIONS, metric
        assert held.mean() >= 0.94 - four_errors(0.94, POPULATIONS * SAMPLES), metric
        assert held.min() >= lowest - four_errors(lowest, SAMPLES), metric
        if metric in MACRO and n <= 100:
            assert (held - logit).max() >= 0.10, metric
            assert held.mean() - logit.mean() >= 0.03, metric
        elif metric not in MACRO:
            assert np.array_equal(held, logit), metric

"""Populations that the tests of hs.study share."""

from __future__ import annotations

HALF = {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}
THREE = [[0.40, 0.05, 0.05], [0.10, 0.15, 0.05], [0.02, 0.03, 0.15]]

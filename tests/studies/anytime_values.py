"""Streams of one model, looked at every 25 rows: how often limits at any time ever miss the true value.

Populations are drawn by number: those of two classes are one model's part of ``anytime_study``; those of "several" have
three to six classes, rare ones of 2 % among them. The library's own limits, on confusion matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.estimates.evidence import evidence_of_matrices
from howsure.estimates.methods.anytime import ANYTIME
from howsure.estimates.tail import Tail
from howsure.metrics.gradient import values_of
from howsure.metrics.names import named
from studies.anytime_study import EVERY, FIRST, MOST
from studies.anytime_study import population as of_two_models

KINDS = ("two", "several")
METRICS = ("macro_f1", "mcc", "balanced_accuracy", "kappa")
STREAMS, TAIL = 1000, Tail(0.95)
Line = dict[str, Any]


def population(kind: str, number: int) -> np.ndarray:
    """Return the shares [truth, prediction] of a population."""
    if kind == "two":
        return np.asarray(of_two_models("apart", number).sum(-1))
    draw = np.random.default_rng([number, 5])
    classes = int(draw.integers(3, 7))
    prevalence = np.maximum(draw.dirichlet(np.full(classes, draw.choice([0.5, 1.0, 3.0]))), 0.02)
    right = np.clip(draw.choice([0.6, 0.8, 0.95]) + draw.normal(0, 0.05, classes), 0.3, 0.99)
    said = np.diag(right)
    said[~np.eye(classes, dtype=bool)] = (draw.dirichlet(np.ones(classes - 1), classes) * (1 - right)[:, None]).ravel()
    return np.asarray(said * (prevalence / prevalence.sum())[:, None])


def line(kind: str, number: int, *, streams: int = STREAMS, most: int = MOST) -> Line:
    """Return in what share of the streams of a population the limits of each metric ever missed."""
    shares, draw = population(kind, number), np.random.default_rng([number, KINDS.index(kind), 2])
    counts, wrong = np.zeros((streams, *shares.shape)), np.zeros((len(METRICS), streams), dtype=bool)
    true = [float(values_of(named(metric), shares[None], None)[0]) for metric in METRICS]
    for n in range(EVERY, most + 1, EVERY):
        counts += draw.multinomial(EVERY, shares.ravel(), streams).reshape(counts.shape)
        if n >= FIRST:
            wrong |= [_misses(metric, counts, value) for metric, value in zip(METRICS, true, strict=True)]
    return {"kind": kind, "number": number, "streams": streams, "most": most,
            "wrong": dict(zip(METRICS, wrong.mean(1).tolist(), strict=True))}  # fmt: skip


def _misses(metric: str, counts: np.ndarray, true: float) -> np.ndarray:
    ends = ANYTIME[-1].limits(evidence_of_matrices(named(metric), counts), TAIL)
    return np.asarray((ends.low > true) | (ends.high < true))

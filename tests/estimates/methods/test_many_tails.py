"""Methods that take many tails at once give the limits of each tail alone."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import howsure as hs
from howsure.estimates.catalogue import METHODS, interval, named_method
from howsure.estimates.evidence import evidence_of
from howsure.estimates.tail import tail_at
from howsure.tables.covariance import linearise
from howsure.tables.linearised import Linearised, metric_on
from howsure.tables.table import Table

Z = np.array([0.01, 0.5, 1.2, 1.9599, 1.9601, 2.6, 4.0, 8.9])
METRICS = (
    "accuracy",
    "f1",
    "f2",
    "max_f1",
    "mcc",
    "kappa",
    "macro_f1",
    "balanced_accuracy",
    "lr_plus",
    "macro_f1_star",
)


def tables() -> dict[str, Table]:
    random = np.random.default_rng(11)
    truth = random.integers(0, 2, 90)
    guess = np.where(random.random(90) < 0.85, truth, 1 - truth)
    kinds, three = random.integers(0, 3, 80), random.integers(0, 3, 80)
    return {
        "plain": hs.table(truth, guess),
        "perfect": hs.table(truth, truth),
        "groups": hs.table(truth, guess, groups=np.arange(90) // 6),
        "weights": hs.table(truth, guess, sample_weight=random.integers(1, 5, 90)),
        "three classes": hs.table(kinds, np.where(random.random(80) < 0.8, kinds, three)),
    }


TABLES = tables()


def on(name: str, metric: str) -> Linearised | None:
    table = TABLES[name]
    try:
        return linearise(table, metric_on(table, metric), table.models[0])
    except hs.HowsureError:
        return None


@pytest.mark.parametrize("method", [entry.name for entry in METHODS if entry.tails])
def test_many_tails_are_each_alone(method: str) -> None:
    entry, served = named_method(method), 0
    for name, metric in product(TABLES, METRICS):
        linear = on(name, metric)
        if linear is None or entry.missing(evidence_of(linear)) is not None:
            continue
        evidence, served = evidence_of(linear), served + 1
        together = interval(evidence, entry, tail_at(Z))
        alone = [interval(evidence, entry, tail_at(float(z))) for z in Z]
        for found, end in ((together.low, "low"), (together.high, "high")):
            wanted = [float(getattr(one, end)) for one in alone]
            assert np.broadcast_to(found, Z.shape) == pytest.approx(wanted, rel=1e-12, abs=1e-300, nan_ok=True), (
                name,
                metric,
            )
    assert served >= 4


def test_the_default_methods_of_labels_take_many_tails() -> None:
    for name in TABLES:
        for metric in ("accuracy", "f1", "mcc", "macro_f1"):
            linear = on(name, metric)
            if linear is not None:
                assert named_method(hs.estimate(TABLES[name], metric).method).tails, (name, metric)

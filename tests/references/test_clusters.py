"""Against R's clubSandwich: CR2 of groups and its degrees of freedom; clusters_make.R made the table."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.covariance import linearise
from howsure.tables.sampling.rule import GroupSums
from references.stored import stored

ROWS = {name: np.array([row[name] for row in stored("design_rows")]) for name in stored("design_rows")[0]}


def four_of_each() -> np.ndarray:
    """Return the first four rows of each group that has four."""
    kept = [np.flatnonzero(ROWS["group"] == group)[:4] for group in np.unique(ROWS["group"])]
    return np.sort(np.concatenate([rows for rows in kept if len(rows) == 4]))


def groups_of(row: dict[str, str]) -> tuple[GroupSums, float]:
    """Return the groups of one line of the table, and the weight of all rows."""
    kept = np.arange(len(ROWS["truth"])) if row["set"] == "unequal" else four_of_each()
    weight, group = np.ones(len(kept)), ROWS["group"][kept]
    if row["weighted"] == "1":
        weight = np.array([ROWS["weight"][kept][group == one][0] for one in group]).astype(float)
    table = hs.table(ROWS["truth"][kept], ROWS["a"][kept], groups=group, sample_weight=weight)
    linear = linearise(table, named(row["metric"]))
    codes = np.unique(np.asarray(table.groups), return_inverse=True)[1]
    total = np.bincount(codes, weights=table.weights)
    sums = np.bincount(codes, weights=table.weights * linear.influence)
    share = total / total.sum()

    def of(values: np.ndarray) -> np.ndarray:
        return np.atleast_1d(values.sum())

    return GroupSums(sums - share * sums.sum(), share, of), float(total.sum())


def satterthwaite(share: np.ndarray, variances: np.ndarray) -> float:
    """Return (tr M)²/tr M² of Σ S²/(1 − h), where the sums of groups have some variances before their mean is taken."""
    residual = np.eye(len(share)) - np.outer(share, np.ones(len(share)))
    form = residual.T @ np.diag(1 / (1 - share)) @ residual * np.sqrt(np.outer(variances, variances))
    return float(np.trace(form) ** 2 / np.trace(form @ form))


@pytest.mark.parametrize("row", stored("clusters_errors"), ids=lambda row: "-".join(list(row.values())[:3]))
def test_the_sum_of_squares_is_cr2(row: dict[str, str]) -> None:
    groups, total = groups_of(row)
    assert np.sqrt(groups.variances().sum()) / total == pytest.approx(float(row["se"]), rel=1e-9)


@pytest.mark.parametrize("row", stored("clusters_errors"), ids=lambda row: "-".join(list(row.values())[:3]))
def test_degrees_of_freedom(row: dict[str, str]) -> None:
    """clubSandwich takes rows as independent, so that the sum of a group has a variance that goes with its weight h.

    The rule takes the means of groups as exchangeable, as where rows of a group are alike: a variance of h². For equal
    groups both are G − 1.
    """
    groups, _ = groups_of(row)
    share = groups.share
    assert satterthwaite(share, share) == pytest.approx(float(row["degrees"]), rel=1e-9)
    assert groups.degrees().item() == pytest.approx(satterthwaite(share, share**2), rel=1e-9)
    if np.ptp(share) < 1e-12:
        assert groups.degrees().item() == pytest.approx(len(share) - 1, rel=1e-9)

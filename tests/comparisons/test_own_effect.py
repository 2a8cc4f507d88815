"""A difference has a design effect of its own: the same in every verb, and right where models share what is hard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs


def two_models(design: str, *, n: int = 240) -> hs.Table:
    """Return two models that share hard groups, of which they fail half of the rows, and differ elsewhere by chance."""
    random = np.random.default_rng(11)
    group = np.arange(n) // 12
    truth = random.integers(0, 2, n)
    hard = (group % 4 == 0) & (random.random(n) < 0.5)
    said = {name: np.where(hard ^ (random.random(n) < 0.05), 1 - truth, truth) for name in "abc"}
    if design == "strata":
        return hs.stratified(truth, said, strata=group % 3, shares={0: 0.5, 1: 0.3, 2: 0.2}, pos_label=1)
    more: dict[str, Any] = {"groups": group} if design == "groups" else {"sample_weight": random.lognormal(0, 1, n)}
    return hs.table(truth, said, pos_label=1, **more)


@pytest.mark.parametrize("design", ["weights", "strata", "groups"])
@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc", "macro_f1"])
def test_many_pairs_are_compared_as_two_are(design: str, metric: str) -> None:
    table = two_models(design)
    for row in hs.compare_all(table, metric, adjust="none"):
        alone = hs.compare(table, metric, a=row.a, b=row.b)
        assert (row.low, row.high, row.se) == pytest.approx((alone.low, alone.high, alone.se), rel=1e-9)
        assert row.p_value == pytest.approx(alone.p_value, rel=1e-5, abs=1e-9)


def test_what_both_models_share_does_not_make_their_difference_uncertain() -> None:
    """Hard groups move both values alike: the difference is known as from independent rows, the values are not."""
    grouped = two_models("groups")
    found = hs.compare(grouped, "accuracy", a="a", b="b")
    plain = hs.compare(grouped.without_groups(), "accuracy", a="a", b="b")
    assert found.high - found.low < 1.25 * (plain.high - plain.low)
    single, alone = (hs.estimate(one, "accuracy", model="a") for one in (grouped, grouped.without_groups()))
    assert single.high - single.low > 1.5 * (alone.high - alone.low)


@pytest.mark.parametrize("design", ["weights", "strata", "groups"])
def test_models_that_agree_throughout_have_an_interval_with_width(design: str) -> None:
    table = two_models(design)
    truth, same = table.contents.truth, table.contents.predictions[:, 0]
    how: dict[str, Any] = {"groups": np.arange(len(truth)) // 8} if design == "groups" else {}
    if design == "weights":
        how = {"sample_weight": np.arange(1.0, len(truth) + 1)}
    made = hs.table(truth, {"a": same, "b": same}, labels=[0, 1], **how)
    found = hs.compare(made, "accuracy")
    assert found.low < 0 < found.high
    assert found.p_value == 1.0


def test_ratio_and_difference_decide_alike() -> None:
    table = two_models("groups")
    assert hs.compare(table, "accuracy", a="a", b="b", kind="ratio").p_value == pytest.approx(
        hs.compare(table, "accuracy", a="a", b="b").p_value, rel=1e-5
    )

"""Labels drawn in strata beside a judge on all rows: by enumeration of all draws, by hand, from choice to report."""

from __future__ import annotations

import csv
import json
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.metrics.names import named
from howsure.tables.kinds.judges.judge_copy import Contrast, Copy
from howsure.tables.kinds.judges.judge_gain import variance_with
from howsure.tables.kinds.judges.judge_settle import moving, psi_covariance
from howsure.tables.labels import Labels
from support.command_line import run

# A pool of two strata, from which three and two rows are labelled.
STRATA = np.array(list("aaaaaabbbbb"))
TRUTH = np.array([1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1])
MODEL = np.array([1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0])
JUDGE = np.array([1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0])
DRAWS = [[*first, *second] for first, second in product(combinations(range(6), 3), combinations(range(6, 11), 2))]


def drawn(labelled: Any, **more: Any) -> hs.Table:
    """Return the pool with the labels of some rows."""
    known = np.full(len(TRUTH), np.nan)
    known[labelled] = TRUTH[labelled]
    return hs.stratified(known, {"m": MODEL}, judge=JUDGE, strata=STRATA, labels=[0, 1], **more)


def right(rows: Any) -> np.ndarray:
    """Return whether the model is right, the influence of accuracy but for its mean."""
    assert isinstance(rows, Labels)
    return np.asarray(rows.truth == rows.predictions[:, 0], dtype=float)


@pytest.mark.parametrize("lam", [0.0, 0.3, 0.8])
def test_the_variance_is_that_over_all_draws(lam: float) -> None:
    """Labels drawn without replacement: the mean of the estimated variances over all 200 draws is the exact one."""
    weight, values, told, summed = np.array([lam]), [], [], []
    phi, answer = (TRUTH == MODEL).astype(float), (JUDGE == MODEL).astype(float)
    for labelled in DRAWS:
        free = np.setdiff1d(np.arange(11), labelled)
        value = 0.0
        for name, share in (("a", 6 / 11), ("b", 5 / 11)):
            own, rest = (np.array([row for row in rows if STRATA[row] == name]) for rows in (labelled, free))
            value += share * (phi[own].mean() + lam * (answer[rest].mean() - answer[own].mean()))
        values.append(value)
        table = drawn(labelled)
        judged: Any = table.contents
        copy = Copy(judged, Contrast(named("accuracy"), ("m",), (0,), (1.0,), "nan"), table.design)
        told.append(variance_with(copy.parts_at(right), weight, lost=1.0))
        psi = moving(judged.labelled, right(judged.people), weight @ judged.answers_moved(right), table.design)
        summed.append(psi_covariance(judged.labelled, psi[None], table.design)[0, 0])
        rows, shares = copy.moved(weight)
        assert shares @ right(rows) == pytest.approx(value)
    assert np.mean(told) == pytest.approx(np.var(values), rel=1e-12)
    assert np.mean(summed) == pytest.approx(np.var(values), rel=1e-12)


def pool(seed: int = 3, size: int = 900) -> dict[str, np.ndarray]:
    """Return a pool with two models, a judge, and three sites of which two are seldom labelled."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(size) < 0.4).astype(int)
    first, second, judge = (np.where(rng.random(size) < rate, truth, 1 - truth) for rate in (0.85, 0.8, 0.92))
    site = rng.choice(["x", "y", "z"], size, p=[0.2, 0.5, 0.3])
    known = np.full(size, np.nan)
    for name, labels in (("x", 40), ("y", 50), ("z", 35)):
        rows = rng.choice(np.flatnonzero(site == name), labels, replace=False)
        known[rows] = truth[rows]
    return {"truth": known, "a": first, "b": second, "judge": judge, "site": site}


def joined(data: dict[str, np.ndarray], **more: Any) -> hs.Table:
    """Return the pool as hs.stratified counts it with its judge."""
    models = {"a": data["a"], "b": data["b"]}
    return hs.stratified(data["truth"], models, judge=data["judge"], strata=data["site"], labels=[0, 1], **more)


def test_value_and_weight_by_hand() -> None:
    """λ = Σ W²/n cov / Σ W²/n (1 + n/N) var, and the value from it, from the rows themselves."""
    data = pool()
    found = hs.estimate(joined(data), "accuracy", model="a")
    phi, answer = data["truth"] == data["a"], (data["judge"] == data["a"]).astype(float)
    seen, top, bottom, parts = ~np.isnan(data["truth"]), 0.0, 0.0, []
    for name in "xyz":
        here = data["site"] == name
        own, rest = here & seen, here & ~seen
        scale = here.mean() ** 2 / own.sum()
        top += scale * np.cov(phi[own], answer[own], bias=True)[0, 1]
        bottom += scale * (1 + own.sum() / rest.sum()) * np.var(answer[here])
        parts.append((here.mean(), phi[own].mean(), answer[rest].mean() - answer[own].mean()))
    lam = top / bottom
    assert found.lam == pytest.approx((lam,), rel=1e-9)
    assert found.value == pytest.approx(sum(share * (mean + lam * gap) for share, mean, gap in parts), rel=1e-9)
    assert found.gain > 1.2
    assert found.high - found.low < found.human.high - found.human.low


def test_every_verb_takes_strata_and_a_judge() -> None:
    made = joined(pool())
    gap, alone = (hs.compare(made, "f1", "a", "b", judge=how) for how in ("gain", "ignore"))
    assert gap.high - gap.low < alone.high - alone.low
    report = hs.report(made, ["accuracy", "f1", "recall"], joint=True)
    assert all(one.low < one.value < one.high for one in report)
    assert hs.gate(made, "accuracy", at_least=0.5, model="a").verdict == "pass"
    assert hs.compare_all(made, "accuracy")[0].difference == pytest.approx(
        hs.estimate(made, "accuracy", model="b").value - hs.estimate(made, "accuracy", model="a").value
    )


def test_what_tells_nothing_changes_nothing() -> None:
    """A judge that is the stratum, and one in strata of which every row is labelled."""
    data = pool()
    same = hs.stratified(data["truth"], data["a"], judge=data["judge"], strata=2 * data["judge"] + data["a"])
    found = hs.estimate(same, "f1")
    assert (found.gain, found.lam) == (1.0, (0.0,))
    assert (found.low, found.high) == pytest.approx((found.human.low, found.human.high), abs=1e-12)
    full = data | {"truth": np.where(data["site"] == "x", data["a"], data["truth"])}
    held = hs.estimate(joined(full), "accuracy", model="a")
    seen = full["site"] == "x"
    rest = {name: column[~seen] for name, column in full.items()}
    others = hs.estimate(joined(rest), "accuracy", model="a")
    assert held.value == pytest.approx(seen.mean() + (~seen).mean() * others.value, rel=1e-9)


def test_pool_shares_and_weights_say_the_same() -> None:
    data = pool()
    sizes = {name: int((data["site"] == name).sum()) for name in "xyz"}
    seen = ~np.isnan(data["truth"])
    labels = {name: int((seen & (data["site"] == name)).sum()) for name in "xyz"}
    weight = [sizes[name] / labels[name] if known else 1.0 for name, known in zip(data["site"], seen, strict=True)]
    of_rows, of_pool, of_weights = joined(data), joined(data, pool=sizes), joined(data, sample_weight=weight)
    ends = [(found.low, found.high) for found in (hs.estimate(one, "f1", model="a") for one in (of_rows, of_pool))]
    assert ends[0] == ends[1]
    found = hs.estimate(of_weights, "f1", model="a")
    assert (found.low, found.high) == pytest.approx(ends[0], rel=1e-12)
    empty = data | {"truth": np.where(data["site"] == "x", np.nan, data["truth"])}
    with pytest.raises(hs.InputError, match="stratum 'x' has no labelled row"):
        joined(empty)


def test_from_choice_to_report(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    truth = (rng.random(600) < 0.3).astype(int)
    bert, gpt, other = (np.where(rng.random(600) < rate, truth, 1 - truth) for rate in (0.85, 0.85, 0.95))
    source, written = tmp_path / "preds.csv", tmp_path / "pool.csv"
    with source.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["id", "gpt", "other", "bert"])
        out.writerows((f"m{row}", gpt[row], other[row], bert[row]) for row in range(600))
    asked = ["choose", source, "--judge", "gpt", "--pred", "bert", "--id", "id", "-n", 90, "-m", "f1"]
    run(*asked, "--every", "--with", "bert", "--with", "other", "--output", written)
    with written.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 600
    assert sum(int(row["chosen"]) for row in rows) == 90
    for place, row in enumerate(rows):
        row["human"] = str(truth[place]) if row["chosen"] == "1" else ""
    with written.open("w", newline="", encoding="utf-8") as file:
        lines = csv.DictWriter(file, list(rows[0]))
        lines.writeheader()
        lines.writerows(rows)
    report = ["report", written, "--truth", "human", "--judge", "other", "--pred", "bert", "--strata", "stratum"]
    made = json.loads(run(*report, "-m", "f1", "--format", "json").stdout)["rows"][0]
    choice = hs.choose(judge={"gpt": gpt}, predictions={"bert": bert}, n=90, metric="f1")
    known = np.full(600, np.nan)
    known[list(choice.rows)] = truth[list(choice.rows)]
    found = hs.estimate(hs.stratified(known, bert, strata=choice.every.strata, judge=other), "f1")
    assert (made["low"], made["high"]) == pytest.approx((found.low, found.high))
    assert found.gain > 1.1  # a second judge tells more than the one that made the strata

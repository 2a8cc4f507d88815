"""Tasks against other programs: metafor's meta-analyses, baycomp's Bayesian signed rank."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.numerics.pooling.random_effects import fixed_effect, hartung_knapp, heterogeneity, paule_mandel
from howsure.numerics.pooling.ranks import bayesian_signed_rank
from references.stored import grouped, stored

STUDIES = grouped(stored("metafor_studies"), "case")
POOLED = grouped(stored("metafor_pooled"), "case")
RANKS = stored("baycomp_ranks")


def pooled(case: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Return what metafor found of a case, by model."""
    return {
        row["model"]: {name: float(value) for name, value in row.items() if name not in ("case", "model")}
        for row in POOLED[case]
    }


@pytest.mark.parametrize("case", STUDIES, ids=lambda case: case[0])
def test_pooled_means_are_those_of_metafor(case: tuple[str, ...]) -> None:
    values, variances = (np.array([float(row[name]) for row in STUDIES[case]]) for name in ("yi", "vi"))
    theirs, common, random = pooled(case), fixed_effect(values, variances), hartung_knapp(values, variances)
    assert (common.mean, common.variance**0.5) == pytest.approx((theirs["common"]["mean"], theirs["common"]["se"]))
    # metafor finds τ² by a root finder of its own
    assert paule_mandel(values, variances) == pytest.approx(theirs["random"]["tau2"], rel=1e-6, abs=1e-9)
    assert (random.mean, random.variance**0.5) == pytest.approx(
        (theirs["random"]["mean"], theirs["random"]["se"]), rel=1e-6
    )
    unlike = heterogeneity(values, variances)
    assert (unlike.q, unlike.p_value) == pytest.approx((theirs["common"]["q"], theirs["common"]["p"]), rel=1e-9)
    assert unlike.i_squared == pytest.approx(theirs["common"]["i2"], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("case", [case for case in STUDIES if case[0] != "3"], ids=lambda case: case[0])
def test_the_public_answers_are_those_of_metafor(case: tuple[str, ...]) -> None:
    """Accuracy of one model in several studies: common value, random effects, means by weights, and Student's t."""
    held = {
        row["study"]: hs.counts(tp=int(row["right"]), fp=int(row["n"]) - int(row["right"]), fn=0, tn=0)
        for row in STUDIES[case]
    }
    theirs = pooled(case)
    for method, name in (("fixed-effect", "common"), ("hartung-knapp", "random")):
        found = hs.estimate(hs.tasks(held), "accuracy", method=method)
        wanted = theirs[name]
        assert (found.value, found.se) == pytest.approx((wanted["mean"], wanted["se"]), rel=1e-6)
        assert found.low == pytest.approx(wanted["low"], abs=2e-6)
        assert found.high == pytest.approx(wanted["high"], abs=2e-6)
    for weights in ("equal", "size"):
        found = hs.estimate(hs.tasks(held, weights=weights), "accuracy", method="wald")
        assert (found.value, found.se) == pytest.approx((theirs[weights]["mean"], theirs[weights]["se"]), rel=1e-9)
    student = hs.estimate(hs.tasks(held, tasks="random"), "accuracy", method="wald")
    assert (student.value, student.se) == pytest.approx((theirs["student"]["mean"], theirs["student"]["se"]), rel=1e-9)
    assert (student.low, student.high) == pytest.approx((theirs["student"]["low"], theirs["student"]["high"]), rel=1e-9)
    forest = hs.forest(hs.tasks(held), "accuracy")
    assert forest["random"].low == pytest.approx(theirs["random"]["low"], abs=2e-6)
    assert forest["common"].high == pytest.approx(theirs["common"]["high"], rel=1e-6)
    assert forest.heterogeneity.q == pytest.approx(theirs["common"]["q"], rel=1e-9)


def test_studies_of_one_variance_have_student_s_t() -> None:
    """Hartung & Knapp's is then t over the studies: metafor's two rows agree, and so do ours."""
    values, variances = (np.array([float(row[name]) for row in STUDIES[("3",)]]) for name in ("yi", "vi"))
    theirs, ours = pooled(("3",)), hartung_knapp(values, variances)
    assert theirs["random"]["se"] == pytest.approx(theirs["student"]["se"])
    assert ours.variance**0.5 == pytest.approx(theirs["student"]["se"])


@pytest.mark.parametrize("row", RANKS, ids=lambda row: f"{row['case']} rope {row['rope']}")
def test_the_bayesian_signed_rank_is_that_of_baycomp(row: dict[str, str]) -> None:
    values = np.array([float(one) for one in row["differences"].split()])
    found = bayesian_signed_rank(values, rope=float(row["rope"]), prior=0.5, draws=100_000, seed=0)
    # two Monte-Carlo errors of at most 0.0016 and 0.0011
    assert found == pytest.approx([float(row[name]) for name in ("left", "equal", "right")], abs=0.006)

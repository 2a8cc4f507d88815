"""hs.study of scores: true values of populations, many samples at once as one by one, resumption, refusals, shell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import expit, ndtri

import howsure as hs
from howsure.estimates.catalogue import interval, named_method
from howsure.estimates.tail import Tail
from howsure.metrics.names import named
from howsure.studies.scored.many import ManyScores
from howsure.studies.scored.populations import LAWS, Probabilities, ShiftedScores
from support.command_line import rows_of, run


def true_value(metric: str, **population: object) -> float:
    return hs.study(metric, "wald", population, 40, replicates=1)[0].truth


# --- true values


@pytest.mark.parametrize("shape", sorted(LAWS))
def test_the_auc_of_a_population_is_the_one_asked_for(shape: str) -> None:
    assert true_value("auc", auc=0.87, prevalence=0.3, shape=shape, spread=1.4) == pytest.approx(0.87, abs=3e-4)
    assert true_value("auc", auc=0.87, prevalence=0.3, shape=shape, hidden=0.2) == pytest.approx(0.87, abs=3e-4)


def test_the_average_precision_of_exponential_scores_in_closed_form() -> None:
    """Above every score of a positive lie e^m times more positives than negatives, m the shift, e^m = 1/(2 − 2·AUC)."""
    share, area = 0.3, 0.9
    wanted = share / (share + (1 - share) * 2 * (1 - area))
    got = true_value("average_precision", auc=area, prevalence=share, shape="exponential")
    assert got == pytest.approx(wanted, abs=2e-4)


def test_levels_tie_and_their_auc_is_a_sum_over_levels() -> None:
    move = np.sqrt(2) * ndtri(0.9)
    cuts = ndtri(np.arange(1, 5) / 5) + move / 2
    first, second = (np.diff(stats.norm.cdf(cuts, at), prepend=0, append=1) for at in (0, move))
    wanted = float(second @ (np.cumsum(first) - first / 2))
    assert true_value("auc", auc=0.9, prevalence=0.4, levels=5) == pytest.approx(wanted, abs=1e-4)


def test_a_mirrored_population_has_the_same_auc_and_the_other_tail() -> None:
    plain, turned = (
        ShiftedScores(auc=0.9, prevalence=0.5, shape="exponential", mirrored=flag) for flag in (False, True)
    )
    y, s, w = plain.points
    y2, s2, w2 = turned.points
    assert np.sort(s2[y2]) == pytest.approx(np.sort(-s[~y]))
    assert true_value("auc", auc=0.9, prevalence=0.5, shape="exponential", mirrored=True) == pytest.approx(
        0.9, abs=2e-4
    )
    assert w.sum() == pytest.approx(1) == w2.sum()


def test_brier_and_the_calibration_line_of_probabilities() -> None:
    def inside(z: float) -> float:
        p, true = expit(-1 + 1.5 * z), expit(0.3 + 0.7 * (-1 + 1.5 * z))
        return (true * (1 - p) ** 2 + (1 - true) * p**2) * stats.norm.pdf(z)

    line = {"slope": 0.7, "intercept": 0.3, "mean": -1.0, "spread": 1.5}
    assert true_value("brier", **line) == pytest.approx(integrate.quad(inside, -9, 9)[0], abs=1e-5)
    assert true_value("calibration_slope", **line) == pytest.approx(0.7, abs=1e-6)
    assert true_value("calibration_intercept", **line) == pytest.approx(0.3, abs=1e-6)


def test_samples_are_those_of_the_population() -> None:
    rng = np.random.default_rng(3)
    truth, scores, weight = ShiftedScores(auc=0.8, prevalence=0.3, per_group=3, icc=0.5, weights=0.5).draw(rng, 400, 60)
    assert truth.mean() == pytest.approx(0.3, abs=0.02)
    assert (truth.reshape(400, 20, 3).std(2) == 0).all()
    inside = (scores - truth * np.sqrt(2) * ndtri(0.8)).reshape(-1, 3)
    assert np.corrcoef(inside[:, 0], inside[:, 1])[0, 1] == pytest.approx(0.5, abs=0.03)
    assert np.log(weight).std() == pytest.approx(0.5, abs=0.01)
    truth, stated, _ = Probabilities(slope=1, intercept=0).draw(rng, 200, 200)
    assert truth.mean() == pytest.approx(stated.mean(), abs=0.01)


# --- many samples at once


@pytest.mark.parametrize("metric", ["auc", "average_precision"])
@pytest.mark.parametrize("population", [{}, {"levels": 4}, {"shape": "exponential", "mirrored": True}])
def test_many_samples_are_judged_as_one_by_one(metric: str, population: dict[str, object]) -> None:
    truth, scores, _ = ShiftedScores(auc=0.93, prevalence=0.25, **population).draw(np.random.default_rng(5), 60, 24)
    many = ManyScores(named(metric), truth, scores)
    for name in ("wald", "wilson", "mid-p") if metric == "auc" else ("wald", "wilson"):
        found = interval(many, named_method(name), Tail(0.95))
        for at, (y, s) in enumerate(zip(truth, scores, strict=True)):
            if not y.any():
                assert np.isnan(found.low[at])
                continue
            one = hs.estimate(hs.table(y, scores=s), metric, method=name)
            got = [many.value[at], found.low[at], found.high[at]]
            assert got == pytest.approx([one.value, one.low, one.high], abs=1e-9, nan_ok=True)


def test_a_study_counts_what_estimates_do() -> None:
    """Each part has its own stream, so the samples can be drawn again and judged by hand."""
    world = {"auc": 0.9, "prevalence": 0.4, "per_group": 2, "icc": 0.3}
    (row,) = hs.study("auc", "default", world, 30, replicates=25, seed=4)
    truth, scores, _ = ShiftedScores(**world).draw(np.random.default_rng([4, 30, 0]), 25, 30)
    groups = np.arange(30) // 2
    made = [hs.estimate(hs.table(y, scores=s, groups=groups), "auc") for y, s in zip(truth, scores, strict=True)]
    assert row.coverage == pytest.approx(np.mean([one.low <= row.truth <= one.high for one in made]))
    assert row.length == pytest.approx(np.mean([one.high - one.low for one in made]))
    assert (row.method, row.exact, row.replicates) == ("mid-p", False, 25)


def test_the_f1_at_the_best_threshold_is_held_against_the_true_one_there() -> None:
    (row,) = hs.study("f1@best", "wald", {"auc": 0.8, "prevalence": 0.3}, 40, replicates=30)
    assert row.above > row.below  # the naive interval is too high: it was chosen for being high


def test_samples_without_a_class_are_left_out() -> None:
    (row,) = hs.study("auc", "wilson", {"auc": 0.8, "prevalence": 0.05}, 20, replicates=2000)
    assert row.undefined == pytest.approx(0.95**20, abs=0.04)


# --- running


def test_a_stopped_study_goes_on_and_names_its_populations(tmp_path: Path) -> None:
    worlds = {"binormal": {"auc": 0.8, "prevalence": 0.3}, "skewed": {"auc": 0.8, "prevalence": 0.3, "shape": "gumbel"}}
    asked = {"population": worlds, "n": [20, 40], "replicates": 50}
    first = hs.study("auc", ["wilson", "mid-p"], checkpoint=tmp_path, **asked)
    assert [row.population for row in first] == ["binormal"] * 4 + ["skewed"] * 4
    assert len(list(tmp_path.iterdir())) == 2
    again = hs.study("auc", ["wilson", "mid-p"], checkpoint=tmp_path, **asked)
    assert again.to_dicts() == first.to_dicts() == hs.study("auc", ["wilson", "mid-p"], **asked).to_dicts()
    assert {row.method for row in hs.study("auc", population=worlds["skewed"], n=20, replicates=5)} >= {"wald", "mid-p"}


@pytest.mark.parametrize(
    ("population", "words"),
    [
        ({"auc": 1.2, "prevalence": 0.3}, "auc 1.2; it must lie strictly between 0 and 1"),
        ({"auc": 0.96, "prevalence": 0.3, "hidden": 0.1}, "between 0.05 and 0.95 with hidden 0.1"),
        ({"auc": 0.9, "prevalence": 0.3, "shape": "cauchy"}, "shape is 'cauchy'"),
        ({"auc": 0.9, "prevalence": 1.3}, "prevalence 1.3"),
        ({"auc": 0.9, "prevalence": 0.3, "colour": 1}, "'colour'"),
        ({"auc": "high", "prevalence": 0.3}, "auc 'high'; it must be a number"),
        ({"auc": 0.9, "prevalence": 0.3, "icc": 1.0}, "icc 1"),
    ],
)
def test_a_population_that_cannot_be_is_refused(population: dict[str, object], words: str) -> None:
    with pytest.raises(hs.InputError, match=r"population|shape") as caught:
        hs.study("auc", population=population, n=30, replicates=5)
    assert words in str(caught.value)


def test_what_only_label_populations_take_is_refused() -> None:
    with pytest.raises(hs.InputError, match="leave exact and undefined out"):
        hs.study("auc", population={"auc": 0.9, "prevalence": 0.3}, exact=True)
    with pytest.raises(hs.MethodError, match=r"clopper-pearson.*cannot serve"):
        hs.study("auc", "clopper-pearson", {"auc": 0.9, "prevalence": 0.3}, n=30, replicates=5)


def test_the_shell_takes_populations_of_scores() -> None:
    typed = "easy:auc=0.9,prevalence=0.3,shape=chi-square,levels=9,mirrored=true"
    asked = ["study", "auc", "--population", typed, "--n", 40, "--replicates", 40, "--method"]
    (row,) = rows_of(*asked, "default")
    world = {"easy": {"auc": 0.9, "prevalence": 0.3, "shape": "chi-square", "levels": 9, "mirrored": True}}
    assert row["coverage"] == hs.study("auc", "default", world, 40, replicates=40)[0].coverage
    assert row["population"] == "easy"
    assert "mirrored=true" in run("study", "auc", "--population", "auc=0.9,mirrored=perhaps", code=2).stderr
    assert "'colour'" in run("study", "auc", "--population", "auc=0.9,colour=1", code=2).stderr

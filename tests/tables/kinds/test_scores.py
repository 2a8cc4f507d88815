"""Scores as a kind of data: its door and traps, labels made of them, and everything that serves it at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

import howsure as hs

RNG = np.random.default_rng(17)
TRUTH = (RNG.random(120) < 0.4).astype(int)
GOOD = 1 / (1 + np.exp(-(RNG.normal(size=120) + 1.6 * TRUTH)))
FAIR = np.round(1 / (1 + np.exp(-(RNG.normal(size=120) + 0.8 * TRUTH))), 2)
PATIENT = np.repeat(np.arange(40), 3)


def table(**more: object) -> hs.Table:
    return hs.table(TRUTH, scores={"good": GOOD, "fair": FAIR}, **more)


# --- the door


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([0.1, float("nan"), 0.3, None], r'scores "model" is missing in 2 of 4 rows \(row 1, 3, counting from 0\)'),
        ([0.1, float("inf"), 0.3, 0.4], r'is no finite number in 1 of 4 rows \(row 1'),
        (["a", "b", "c", "d"], "scores must be numbers"),
        ([0.1, 0.2, 0.3], r'truth has 4 rows but scores "model" has 3'),
        (np.ones((4, 3)) / 3, "has 3 columns, but the labels are 0, 1"),
        (np.array([[0.5, 0.5], [0.9, 0.3], [0.2, 0.8], [1, 0]]), "sums to 1.2 in row 1"),
    ],
)  # fmt: skip
def test_scores_that_cannot_be_used_are_refused_by_row(scores: object, words: str) -> None:
    with pytest.raises(hs.InputError, match=words):
        hs.table([0, 1, 1, 0], scores=scores)


def test_what_belongs_to_the_other_kind_is_refused() -> None:
    with pytest.raises(hs.InputError, match="given beside scores"):
        hs.table([0, 1], [0, 1], scores=[0.2, 0.7])
    with pytest.raises(hs.InputError, match="goes with scores="):
        hs.table([0, 1], [0, 1], threshold=0.5)
    with pytest.raises(hs.InputError, match="pos_label is missing"):
        hs.table(["a", "b"], scores=[0.2, 0.7])
    with pytest.raises(hs.InputError, match="holds one score a row, and the truth has the labels"):
        hs.table([0, 1, 2], scores=[0.2, 0.7, 0.1], pos_label=1)


def test_a_missing_score_may_be_the_lowest() -> None:
    made = hs.table([0, 1, 1, 0], scores=[0.4, np.nan, 0.6, 0.5], abstain="lowest")
    assert float(hs.estimate(made, "auc")) == pytest.approx(0.5)
    with pytest.raises(hs.MetricError, match="needs probabilities between 0 and 1"):
        hs.estimate(made, "brier")


def test_signs_of_zero_and_rounding_tie_only_when_asked() -> None:
    assert float(hs.estimate(hs.table([0, 1], scores=[-0.0, 0.0]), "auc")) == 0.5
    near = [0.3, 0.1 + 0.2]  # 0.30000000000000004
    assert float(hs.estimate(hs.table([0, 1], scores=near), "auc")) == 1.0
    assert float(hs.estimate(hs.table([0, 1], scores=near, decimals=6), "auc")) == 0.5


def test_two_columns_of_probabilities_are_those_of_the_positive() -> None:
    both = np.column_stack([1 - GOOD, GOOD])
    assert hs.estimate(hs.table(TRUTH, scores=both), "auc").same(hs.estimate(hs.table(TRUTH, scores=GOOD), "auc"))
    named = hs.table(np.where(TRUTH == 1, "ill", "well"), scores=GOOD, pos_label="ill")
    assert float(hs.estimate(named, "auc")) == pytest.approx(
        float(hs.estimate(table(), "auc", model="good")), abs=1e-15
    )


@pytest.mark.parametrize("kind", ["list", "pandas", "polars", "arrow", "torch"])
def test_columns_of_any_library(kind: str) -> None:
    expected = hs.estimate(table(), "auc", model="good")
    column: object = GOOD.tolist()
    if kind != "list":
        library = pytest.importorskip({"arrow": "pyarrow"}.get(kind, kind))
        column = {"pandas": lambda: library.Series(GOOD), "polars": lambda: library.Series(GOOD),
                  "arrow": lambda: library.array(GOOD), "torch": lambda: library.tensor(GOOD)}[kind]()  # fmt: skip
    assert float(hs.estimate(hs.table(TRUTH, scores=column), "auc")) == float(expected)


# --- labels made of scores


def test_at_a_threshold_stands_an_ordinary_table() -> None:
    cut = table().at(0.5)
    plain = hs.table(TRUTH, {"good": (GOOD >= 0.5).astype(int), "fair": (FAIR >= 0.5).astype(int)})
    assert [hs.estimate(cut, "f1", model=name).same(hs.estimate(plain, "f1", model=name)) for name in cut.models] == [
        True
    ] * 2
    one = hs.estimate(table().at({"good": 0.4, "fair": 0.6}), "recall", model="fair")
    assert float(one) == float(hs.estimate(table(), "recall@0.6", model="fair"))
    with pytest.raises(hs.InputError, match="only scores can be cut"):
        plain.at(0.5)


def test_a_bare_label_metric_needs_a_threshold() -> None:
    with pytest.raises(hs.MetricError, match="say the threshold"):
        hs.estimate(table(), "f1", model="good")
    made = hs.estimate(table(threshold={"good": 0.5, "fair": 0.6}), "f1", model="fair")
    assert float(made) == float(hs.estimate(table(), "f1@0.6", model="fair"))
    assert made.threshold == 0.6


def test_metrics_of_scores_on_labels_are_refused_with_the_way() -> None:
    labels = hs.table([0, 1, 1], [0, 1, 0])
    with pytest.raises(hs.MetricError, match=r"is about scores, and this table holds labels; .*scores="):
        hs.estimate(labels, "auc")
    with pytest.raises(hs.MetricError, match="or ask for 'f1'"):
        hs.estimate(labels, "f1@0.5")


# --- everything serves it


def test_labels_and_scores_stand_jointly() -> None:
    made = hs.report(table(), ["auc", "average_precision", "brier", "f1@0.5"], joint=True)
    assert 1.96 < made.critical_value < 2.73  # Bonferroni's for 8
    correlation = made.covariance.matrix / np.sqrt(np.outer(*[np.diagonal(made.covariance.matrix)] * 2))
    assert correlation[0, 1] > 0.8  # AUC and average precision of one model
    assert correlation[0, 2] < -0.6  # AUC and Brier score


def test_groups_of_single_rows_add_only_their_own_factor() -> None:
    alone = hs.estimate(table(groups=np.arange(120)), "brier", model="good", method="wald")
    plain = hs.estimate(table(), "brier", model="good", method="wald")
    assert alone.se**2 == pytest.approx(plain.se**2 * 120 / 119, rel=1e-12)


def test_clustered_variance_by_hand() -> None:
    from howsure.metrics.names import named
    from howsure.tables.covariance import linearise

    made = linearise(table(groups=PATIENT), named("auc"), "good").as_textbook()
    sums = np.bincount(PATIENT, weights=made.influence)
    assert made.variance == pytest.approx((sums**2).sum() / 120**2 * 40 / 39, rel=1e-12)


def test_doubled_weights_change_nothing_and_doubled_rows_do() -> None:
    doubled, plain = (hs.estimate(one, "auc", model="good", method="wald") for one in
                      (table(sample_weight=np.full(120, 2.0)), table()))  # fmt: skip
    assert (doubled.value, doubled.se) == pytest.approx((plain.value, plain.se), rel=1e-12)
    twice = hs.table(np.tile(TRUTH, 2), scores=np.tile(GOOD, 2))
    assert float(hs.estimate(twice, "auc")) == pytest.approx(
        float(hs.estimate(table(), "auc", model="good")), abs=1e-14
    )
    assert hs.estimate(twice, "auc").se < hs.estimate(table(), "auc", model="good").se


def test_tables_add_up() -> None:
    first = hs.table(TRUTH[:50], scores=GOOD[:50]) + hs.table(TRUTH[50:], scores=GOOD[50:])
    whole = hs.table(TRUTH, scores=GOOD)
    for metric in ("auc", "ap", "brier", "f1@0.5"):
        one, other = hs.estimate(first, metric), hs.estimate(whole, metric)
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-12)


def test_comparisons_gates_and_bootstrap_serve_it() -> None:
    made = hs.compare(table(), "auc")
    assert made.low < made.difference < made.high
    assert hs.compare_all(table(), "average_precision").ranks == {"good": 1, "fair": 2}
    assert hs.gate(table(), "auc", at_least=0.6, model="good").verdict == "pass"
    drawn = hs.estimate(table(), "auc", model="good", method=hs.Bootstrap(n_resamples=999))
    wald = hs.estimate(table(), "auc", model="good", method="wald")
    assert drawn.high - drawn.low == pytest.approx(wald.high - wald.low, rel=0.25)


def test_the_same_ranking_is_no_difference() -> None:
    same = hs.table(TRUTH, scores={"a": GOOD, "b": GOOD**3})
    for method in ("mover", "wald"):
        made = hs.compare(same, "auc", method=method)
        assert (made.difference, made.p_value) == (0.0, 1.0)


def test_one_class_alone_is_undefined_and_said() -> None:
    made = hs.estimate(hs.table([1, 1, 1], scores=[0.2, 0.4, 0.9]), "auc")
    assert np.isnan(made.value)
    assert "no row is truly 0" in str(made.notes)


def test_one_positive_has_an_interval_but_no_delong_variance() -> None:
    one = hs.table([1] + [0] * 20, scores=[0.55, *np.linspace(0, 1, 20)])
    made = hs.estimate(one, "auc")
    assert 0 < made.low < made.value < made.high < 1
    assert np.isnan(hs.estimate(one, "auc", method="wald").se)
    assert any(note.kind == "few rows" for note in made.notes)


def test_a_ranking_worse_than_chance_is_said_and_never_turned() -> None:
    made = hs.estimate(hs.table(TRUTH, scores=1 - GOOD), "auc")
    assert made.value < 0.5
    assert any(note.kind == "direction" for note in made.notes)
    assert any(note.kind == "labels" for note in hs.estimate(hs.table(TRUTH, scores=(GOOD > 0.5) * 1.0), "auc").notes)


def test_log_loss_names_the_rows_that_make_it_infinite() -> None:
    made = hs.estimate(hs.table([1, 0, 1], scores=[0.9, 0.2, 0.0]), "log_loss")
    assert made.value == np.inf
    assert "row 2, counting from 0" in str(made.notes[0])
    clipped = hs.estimate(hs.table([1, 0, 1], scores=[0.9, 0.2, 0.0]), "log_loss[clip=0.01]")
    assert float(clipped) == pytest.approx(-(np.log(0.9) + np.log(0.8) + np.log(0.01)) / 3)


def test_the_line_needs_probabilities_off_the_ends() -> None:
    with pytest.raises(hs.MetricError, match="1 of 3 rows have exactly 0 or 1"):
        hs.estimate(hs.table([1, 0, 1], scores=[0.9, 0.2, 1.0]), "calibration_slope")
    apart = hs.estimate(hs.table([0, 0, 1, 1], scores=[0.1, 0.2, 0.8, 0.9]), "calibration_slope")
    assert np.isnan(apart.value)


# --- files, frames


def test_files_and_frames_give_the_same_table(tmp_path: object) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"y": TRUTH, "good": GOOD, "fair": FAIR, "patient": PATIENT, "w": np.full(120, 1.5)})
    path = f"{tmp_path}/scores.csv"
    frame.write_csv(path)
    expected = hs.estimate(table(groups=PATIENT, sample_weight=np.full(120, 1.5)), "auc", model="fair")
    for source in (path, frame, frame.lazy()):
        made = hs.read(source, truth="y", scores=["good", "fair"], group="patient", weight="w")
        found = hs.estimate(made, "auc", model="fair")
        assert (found.value, found.low, found.high) == pytest.approx(
            (expected.value, expected.low, expected.high), abs=1e-12
        )
    slices = hs.read_slices(path, by="patient", truth="y", scores="good")
    assert sum(part.n for part in slices.values()) == 120


def test_columns_of_scores_are_found_or_refused() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(
        {"y": [0, 1, 2], "net_0": [0.8, 0.1, 0.1], "net_1": [0.1, 0.8, 0.2], "net_2": [0.1, 0.1, 0.7]}
    )
    made = hs.read(frame, truth="y", scores=["net=net_*"])
    assert made.models == ("net",)
    assert float(hs.estimate(made, "top1_accuracy")) == 1.0
    with pytest.raises(hs.InputError, match="does not have"):
        hs.read(frame, truth="y", scores=["nett"])
    with pytest.raises(hs.InputError, match="truth must be named"):
        hs.read(frame, scores=["net_0"])


def test_a_joint_report_of_scores_uses_their_correlation(shared_data: Path) -> None:
    """Four models by four metrics that rise and fall together: q is about 2.70, where sixteen apart take 2.96."""
    models = ["logistic", "bayes", "forest", "neighbours"]
    cancer = hs.read(shared_data / "scores-cancer" / "scores.csv", truth="malignant", scores=models)
    made = hs.report(cancer, ["auc", "average_precision", "brier", "f1@0.5"], joint=True)
    assert len(made) == 16
    assert made.critical_value == pytest.approx(2.70, abs=0.03)
    assert made.critical_value < ndtri(1 - 0.025 / 16) - 0.2

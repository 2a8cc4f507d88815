"""Many models at once: simultaneous intervals, adjusted p-values, ties with the best, ranks, family size."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr, ndtri

import howsure as hs
from howsure.comparisons.against_best import against_best, may_be_best
from howsure.comparisons.compare import holm
from howsure.comparisons.contrasts import Contrasts, Reaches
from howsure.metrics.names import named
from howsure.numerics.max_normal_sampled import max_law
from howsure.tables.covariance import family_of

REFERENCES = Path(__file__).parents[1] / "references"
Z = 1.959963984540054


def reference_table() -> hs.Table:
    with (REFERENCES / "compare_models.csv").open() as file:
        header, *lines = csv.reader(file)
    data = dict(zip(header, np.array(lines, dtype=int).T, strict=True))
    return hs.table(data.pop("truth"), data)


def several(count: int, n: int = 300, *, seed: int = 0, step: float = 0.01, classes: int = 2, **more) -> hs.Table:
    random = np.random.default_rng(seed)
    truth, shared = random.integers(0, classes, n), random.random(n)
    predictions = {
        f"m{place}": np.where(
            0.6 * shared + 0.4 * random.random(n) < 0.5 + step * place, truth, random.integers(0, classes, n)
        )
        for place in range(count)
    }
    return hs.table(truth, predictions, **more)


# ---- against R


@pytest.mark.parametrize("metric", ["accuracy", "f1"])
@pytest.mark.parametrize("type_", ["Tukey", "Dunnett"])
def test_simultaneous_differences_against_multcomp(metric: str, type_: str) -> None:
    """Estimates, standard errors, single-step and Holm p-values, and intervals (R's quantile is good to 1e-3)."""
    baseline = None if type_ == "Tukey" else "a"
    joint = hs.compare_all(reference_table(), metric, baseline=baseline, method="wald")
    stepped = hs.compare_all(reference_table(), metric, baseline=baseline, method="wald", adjust="holm")
    with (REFERENCES / "compare_pairs.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if (row["metric"], row["type"]) == (metric, type_)]
    assert len(rows) == len(joint)
    for row in rows:
        ours = joint[row["a"], row["b"]]
        assert ours.difference == pytest.approx(float(row["difference"]), abs=1e-12)
        assert ours.se == pytest.approx(float(row["se"]), rel=1e-10)
        assert (ours.low, ours.high) == pytest.approx((float(row["low"]), float(row["high"])), abs=2e-3 * ours.se)
        assert ours.p_value == pytest.approx(float(row["joint"]), rel=2e-3, abs=1e-5)
        assert stepped[row["a"], row["b"]].p_value == pytest.approx(float(row["holm"]), rel=1e-9)


# ---- control


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=12))
def test_holm_rejects_step_by_step(p_values: list[float]) -> None:
    """At any level: from the smallest p-value on, as long as p < level / (number left)."""
    adjusted = holm(np.array(p_values))
    for level in (0.01, 0.05, 0.3):
        rejected, left = set(), sorted(range(len(p_values)), key=lambda place: p_values[place])
        while left and p_values[left[0]] * len(left) < level:
            rejected.add(left.pop(0))
        assert {place for place, p in enumerate(adjusted) if p < level} == rejected


def test_holm_leaves_undefined_out() -> None:
    found = holm(np.array([0.02, math.nan, 0.01]))
    assert found[[0, 2]] == pytest.approx([0.02, 0.02])
    assert math.isnan(found[1])


def test_two_models_are_a_single_comparison() -> None:
    table = several(2)
    made = hs.compare_all(table, "f1")
    alone = hs.compare(table, "f1")
    assert len(made) == 1
    assert (made[0].low, made[0].high) == pytest.approx((alone.low, alone.high), abs=1e-9)
    assert made[0].p_value == pytest.approx(alone.p_value, abs=1e-8)
    assert made.critical_value == pytest.approx(Z, abs=1e-9)


@pytest.mark.parametrize("metric", ["f1", "accuracy", "mcc", "lift"])
@pytest.mark.parametrize("grouped", [False, True])
def test_without_adjustment_every_row_is_a_comparison(metric: str, grouped: bool) -> None:
    more = {"groups": np.arange(300) % 37} if grouped else {}
    table = several(4, **more)
    made = hs.compare_all(table, metric, adjust="none")
    assert len(made) == 6
    for row in made:
        alone = hs.compare(table, metric, row.a, row.b)
        assert (row.low, row.high) == pytest.approx((alone.low, alone.high), abs=1e-12)
        # many p-values come from polynomials fitted to the limits: good to four digits where a limit has a kink
        assert row.p_value == pytest.approx(alone.p_value, rel=3e-4)
        assert row.probability_better == pytest.approx(alone.probability_better, abs=1e-4)
    assert "6 comparisons without adjustment" in made.notes[0]


@pytest.mark.parametrize("method", ["mover", "wald"])
@pytest.mark.parametrize("baseline", [None, "m1"])
def test_intervals_and_adjusted_p_values_agree(method: str, baseline: str | None) -> None:
    for metric in ("accuracy", "f1"):
        made = hs.compare_all(several(5, step=0.03), metric, method=method, baseline=baseline)
        single = hs.compare_all(several(5, step=0.03), metric, method=method, baseline=baseline, adjust="none")
        for row, alone in zip(made, single, strict=True):
            assert row.p_value >= alone.p_value - 1e-12
            assert row.p_value <= min(len(made) * alone.p_value, 1) + 1e-9
            assert row.low <= alone.low
            assert row.high >= alone.high
            if abs(row.p_value - 0.05) > 1e-3:
                assert row.decided == (row.p_value < 0.05)
        assert Z < made.critical_value < ndtri(1 - 0.025 / len(made))
        assert f"so that all {len(made)} hold together" in made.notes[0]


def test_holm_settles_by_p_value() -> None:
    made = hs.compare_all(several(5, step=0.03), "accuracy", adjust="holm")
    assert all(row.decided == (row.p_value < 0.05) for row in made)
    assert made.notes[0].kind == "holm"


def test_a_copy_of_a_model_changes_nothing_for_the_others() -> None:
    table = several(3, step=0.05)
    truth = np.repeat(table.rows.truth, table.counts.astype(int))
    columns = np.repeat(table.rows.predictions, table.counts.astype(int), axis=0)
    names = {f"m{place}": columns[:, place] for place in range(3)}
    once = hs.compare_all(hs.table(truth, names), "accuracy")
    twice = hs.compare_all(hs.table(truth, names | {"copy": columns[:, 2]}), "accuracy")
    assert twice.critical_value == pytest.approx(once.critical_value, abs=1e-4)
    assert twice["m2", "copy"].p_value == 1
    assert twice["m2", "copy"].difference == 0
    assert any(note.kind == "identical" for note in twice.notes)
    assert twice["m0", "copy"].p_value == pytest.approx(twice["m0", "m2"].p_value, rel=1e-6)


def test_undefined_models_are_kept_and_said() -> None:
    truth = [1, 0, 1, 0, 1, 0] * 20
    table = hs.table(truth, {"never": [0] * 120, "x": [1, 0, 0, 0, 1, 1] * 20, "y": [1, 0, 1, 0, 1, 1] * 20})
    made = hs.compare_all(table, "precision")
    assert math.isnan(made["never", "x"].low)
    assert math.isnan(made["never", "x"].p_value)
    assert made.critical_value == pytest.approx(1.959963984540054, abs=1e-6)  # one comparison, so a single interval's
    assert made["x", "y"].low == pytest.approx(hs.compare(table, "precision", a="x", b="y").low, abs=1e-6)
    assert "never" not in made.tied_with_best
    assert "never" not in made.ranks
    assert any("undefined for never" in note for note in made.notes)
    best = hs.compare_all(table, "precision", versus="best")
    assert len(best) == 2


# ---- with the best


def test_best_of_two_is_a_one_sided_comparison() -> None:
    """Hsu's interval for two models: d ± z with z at one-sided 95 %, cut at 0."""
    table = several(2, 400, step=0.08)
    family = family_of(table, [named("accuracy")])
    found = against_best(Reaches(family), better="higher", level=0.95, method="wald")
    pair = hs.compare(table, "accuracy", method="wald")
    assert found.critical == pytest.approx([1.6448536269514722] * 2, abs=1e-9)
    reach = 1.6448536269514722 * pair.se
    assert found.low[1] == pytest.approx(min(0, pair.difference - reach), abs=1e-12)
    assert found.high[1] == pytest.approx(max(0, pair.difference + reach), abs=1e-12)
    assert found.p_value[0] == pytest.approx(ndtr(-pair.difference / pair.se), rel=1e-6)


def test_best_of_equal_models_has_dunnetts_critical_value() -> None:
    """Exchangeable models: differences to one of them have correlation ½; one-sided Dunnett, 3 rivals: 2.062."""
    size, n = 4, 4000
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, n)
    table = hs.table(truth, {f"m{i}": np.where(random.random(n) < 0.7, truth, 1 - truth) for i in range(size)})
    found = against_best(Reaches(family_of(table, [named("accuracy")])), better="higher", level=0.95)
    assert found.critical == pytest.approx([2.062] * size, abs=0.01)


@pytest.mark.parametrize("metric", ["accuracy", "error_rate"])
def test_comparisons_with_the_best(metric: str) -> None:
    table = several(5, 500, step=0.04, seed=3)
    made = hs.compare_all(table, metric, versus="best")
    assert made.versus == "best"
    assert len(made) == 5
    sign = 1 if metric == "accuracy" else -1
    values = {row.b: row.value_b for row in made}
    for row in made:
        others = [sign * value for name, value in values.items() if name != row.b]
        assert sign * row.value_a == max(others)
        assert row.low <= 0 <= row.high
        assert (row.b in made.tied_with_best) == ((row.high if sign > 0 else -row.low) > 0)
        assert row.decided == (row.p_value < 0.05 or made.tied_with_best == (row.b,))
    best = max(values, key=lambda name: sign * values[name])
    assert made.tied_with_best[0] == best
    assert set(made.tied_with_best) == set(hs.compare_all(table, metric).tied_with_best)


@settings(max_examples=12)
@given(st.integers(0, 1000), st.sampled_from(["mover", "wald"]))
def test_the_quick_set_is_the_full_one(seed: int, method: str) -> None:
    family = family_of(several(4, 250, seed=seed, step=0.05), [named("f1")])
    full = against_best(Reaches(family), better="higher", level=0.9, method=method).possible
    quick = may_be_best(Reaches(family), better="higher", level=0.9, method=method)
    assert quick.tolist() == full.tolist()


def test_ranks_share_places() -> None:
    made = hs.compare_all(several(6, 600, step=0.05, seed=5), "accuracy")
    values = {row.model: float(row) for row in made.estimates}
    assert made.ranks == {name: 1 + sum(other > value for other in values.values()) for name, value in values.items()}
    for name, (low, high) in made.rank_ranges.items():
        beaten = sum(row.winner is not None and name in (row.a, row.b) and row.winner != name for row in made)
        won = sum(row.winner == name for row in made)
        assert (low, high) == (1 + beaten, 6 - won)
        assert low <= made.ranks[name] <= high


# ---- the machinery of many differences


@pytest.mark.parametrize("models", [3, 5, 20])
def test_directions_give_the_studentised_range(models: int) -> None:
    """All pairs of equal models: q·√2 is the studentised range with infinite degrees of freedom."""
    first, second = np.triu_indices(models, 1)
    contrast = np.zeros((len(first), models))
    contrast[np.arange(len(first)), first], contrast[np.arange(len(first)), second] = -1, 1
    basis = np.linalg.svd(np.eye(models) - 1 / models)[0][:, : models - 1]
    law = max_law(contrast @ basis / math.sqrt(2))
    q = law.quantile(0.95)
    truth = stats.studentized_range.ppf(0.95, models, np.inf) / math.sqrt(2)
    assert abs(q.value - truth) < q.error < 0.02
    at = np.array([2.0, 3.5, 5.0])
    chance, error = law.tail(at)
    truth = stats.studentized_range.sf(at * math.sqrt(2), models, np.inf)
    assert (np.abs(chance - truth) < 2 * error + 1e-12).all()
    far, _ = law.tail(np.array([12.0]))
    assert far[0] == pytest.approx(len(first) * 2 * ndtr(-12.0), rel=0.3)


def test_directions_one_sided() -> None:
    law = max_law(np.eye(4), side="upper")
    q = law.quantile(0.95)
    assert q.value == pytest.approx(ndtri(0.95 ** (1 / 4)), abs=0.01)
    density = 4 * stats.norm.cdf(q.value) ** 3 * stats.norm.pdf(q.value)
    assert q.error == pytest.approx(float(law.tail(np.array([q.value]))[1][0]) / density, rel=0.05)


def test_many_differences_by_directions() -> None:
    """Above two hundred differences the critical value comes from drawn directions: the same within its error."""
    table = several(6, 800, step=0.01)
    family = family_of(table, [named("accuracy")])
    first, second = np.triu_indices(6, 1)
    exact = Contrasts(family, first, second, Reaches(family))
    drawn = Contrasts(family, first, second, Reaches(family), many=0)
    assert float(drawn.critical(0.95)) == pytest.approx(float(exact.critical(0.95)), abs=0.01)
    z = np.array([1.0, 2.5, 4.0])
    assert drawn.tails(z) == pytest.approx(exact.tails(z), rel=0.05)


def test_two_perfect_models_by_directions() -> None:
    """A difference without variance counts as one more independent direction."""
    truth = np.array([0, 1] * 50)
    wrong = np.where(np.arange(100) < 8, 1 - truth, truth)
    other = np.where(np.arange(100) > 88, 1 - truth, truth)
    table = hs.table(truth, {"p": truth, "q": truth, "r": wrong, "s": other})
    family = family_of(table, [named("accuracy")])
    first, second = np.triu_indices(4, 1)
    exact, drawn = (Contrasts(family, first, second, Reaches(family), many=many) for many in (200, 0))
    assert float(drawn.critical(0.95)) == pytest.approx(float(exact.critical(0.95)), abs=0.02)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"versus": "all"}, "versus is 'all'; it must be one of"),
        ({"adjust": "bonferroni"}, "adjust is 'bonferroni'"),
        ({"versus": "baseline"}, "name a baseline"),
        ({"versus": "pairs", "baseline": "m0"}, "versus is 'pairs' and baseline is 'm0'"),
        ({"versus": "best", "adjust": "holm"}, "joint by its nature"),
        ({"baseline": "m9"}, "model 'm9' is not in the table"),
        ({"models": ["m0"]}, "a comparison needs two or more"),
        ({"models": ["m0", "m0", "m1"]}, "names a model twice"),
        ({"method": "bootstrap", "adjust": "joint"}, "two models at a time"),
    ],
)
def test_refusals(arguments: dict, message: str) -> None:
    with pytest.raises(hs.HowsureError, match=message):
        hs.compare_all(several(3), "accuracy", **arguments)


def test_no_best_without_a_direction() -> None:
    assert hs.compare_all(several(3), "predicted_prevalence").tied_with_best == ()
    with pytest.raises(hs.InputError, match="no better direction"):
        hs.compare_all(several(3), "predicted_prevalence", versus="best")


def test_one_of_the_models_is_chosen() -> None:
    made = hs.compare_all(several(5), "accuracy", models=["m3", "m1"], baseline="m0")
    assert [(row.a, row.b) for row in made] == [("m0", "m3"), ("m0", "m1")]
    with pytest.raises(KeyError, match=r"pairs are \(a, b\) for b − a"):
        made["m1", "m3"]


def test_as_data() -> None:
    made = hs.compare_all(several(3), "accuracy")
    assert len(made.to_frame()) == 3
    assert [row["family"] for row in made.to_dicts()] == [3, 3, 3]
    assert "tied_with_best" in made.to_json()
    for text in (made.to_markdown(), made.to_latex(), made.to_html(), made[0].to_markdown()):
        assert "m1" in text


# ---- real data


def read(path: Path) -> dict[str, list[str]]:
    with path.open() as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_image_classifiers(shared_data: Path) -> None:
    """Ten models, ten classes: the best stands out and two pairs cannot be told apart."""
    data = read(shared_data / "cifar10-models" / "predictions.csv")
    truth = data.pop("label")
    data.pop("image")
    made = hs.compare_all(hs.table(truth, data), "macro_f1")
    assert made.tied_with_best == ("shake_shake_26_2x64d_SSI",)
    assert len(made) == 45
    assert sum(row.decided for row in made) >= 40
    assert made.rank_ranges["densenet_BC_100_12"] == made.rank_ranges["wrn_28_10"] == (2, 3)


def test_systems_that_never_predict_the_positive_class(shared_data: Path) -> None:
    data = read(shared_data / "semeval2019-9a" / "predictions.csv")
    truth = [int(value) for value in data.pop("gold")]
    data.pop("id")
    table = hs.table(truth, {name: list(map(int, column)) for name, column in data.items()})
    assert hs.compare_all(table, "f1").tied_with_best == ("adv_tuned_3ep", "adv_tuned_10ep")
    precision = hs.compare_all(table, "precision")
    assert sum(math.isnan(row.difference) for row in precision) == 9
    report = hs.report(table, ["accuracy", "precision", "recall", "f1"], joint=True)
    silent = report[("adv_frozen_3ep", "recall")]
    assert silent.value == 0
    assert silent.low == 0
    assert 0.05 < silent.high < 0.15


def test_language_models_with_missing_answers(shared_data: Path) -> None:
    """A missing answer is an answer of its own, and wrong."""
    data = read(shared_data / "mmlu-pro-models" / "predictions.csv")
    truth = data.pop("answer")
    for name in ("question", "category", "n_options"):
        data.pop(name)
    table = hs.table(truth, {name: [answer or "none" for answer in column] for name, column in data.items()})
    made = hs.compare_all(table, "accuracy")
    assert made.tied_with_best == ("llama31_8b_instruct",)
    assert (
        made.rank_ranges["mistral_7b"][1] >= made.rank_ranges["mistral_7b_instruct"][0]
        or made["mistral_7b", "mistral_7b_instruct"].decided
    )


def test_a_pair_that_holm_settles_alone_is_not_said_to_be_farther_apart_than_its_interval() -> None:
    """Holm's p-value may settle what Bonferroni's interval does not: the gap then begins below 0, and is said so."""
    models = {name: (np.arange(400) >= wrong).astype(int) for name, wrong in (("a", 20), ("b", 25), ("c", 120))}
    made = hs.compare_all(hs.table(np.ones(400, dtype=int), models, labels=[0, 1]), "accuracy", adjust="holm")
    row = made["a", "b"]
    assert row.decided
    assert row.low < 0 < row.high
    assert "better than b, the next, by −0.002 to 0.030" in made.sentence

"""Every message about the arguments of a call, word for word: which argument, what came, the rule, the remedy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure import scores
from support.refusals import refusal

BINARY = hs.counts(tp=7, fp=2, fn=1, tn=5)
TWO = hs.table([1, 1, 1, 0, 0, 0], {"a": [1, 0, 1, 0, 1, 0], "b": [1, 1, 1, 0, 0, 1]})
SIX = hs.folds([(9, 1, 2), (8, 2, 3)] * 3)
HALF = {"tp": 0.4, "fp": 0.1, "fn": 0.1, "tn": 0.4}


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "level": (
        lambda: hs.estimate(BINARY, "f1", level=95),
        "level is 95; it must lie strictly between 0 and 1, such as 0.95",
    ),
    "level that is no number": (
        lambda: hs.estimate(BINARY, "f1", level="0.95"),  # type: ignore[arg-type]
        "level is '0.95'; it must lie strictly between 0 and 1, such as 0.95",
    ),
    "side": (
        lambda: hs.estimate(BINARY, "f1", side="left"),  # type: ignore[arg-type]
        "side is 'left'; it must be one of 'both', 'lower', 'upper'",
    ),
    "undefined": (
        lambda: hs.estimate(BINARY, "f1", undefined="drop"),  # type: ignore[arg-type]
        "undefined is 'drop'; it must be one of 'nan', 'skip', 'zero'",
    ),
    "not a table": (
        lambda: hs.estimate([[1, 2], [3, 4]], "f1"),  # type: ignore[arg-type]
        "table is of type list; make a Table first: howsure.table(y_true, y_pred), "
        "howsure.counts(tp=…, fp=…, fn=…), howsure.matrix(…, rows=…) or howsure.read(file)",
    ),
    "no metrics": (
        lambda: hs.report(BINARY, []),
        "metrics is empty; name at least one, or leave it out for the usual ones",
    ),
    "weights of kappa": (
        lambda: scores.cohen_kappa_score([0, 1], [0, 1], weights="cubic"),
        "weights is 'cubic'; it must be one of None, 'linear', 'quadratic'",
    ),
    "labels of kappa": (
        lambda: scores.cohen_kappa_score([0, 1], [0, 1], labels=[5, 6]),
        "labels is [5, 6]; at least one must be among the true labels 0, 1",
    ),
    "average": (
        lambda: scores.f1_score([0, 1], [0, 1], average="mean"),
        "average is 'mean'; it must be one of None, 'binary', 'micro', 'macro', 'weighted', 'samples'",
    ),
    "samples of one label": (
        lambda: scores.f1_score([0, 1], [0, 1], average="samples"),
        "average is 'samples', which is for multi-label input; each row here has one label",
    ),
    "binary of three": (
        lambda: scores.f1_score([0, 1, 2], [0, 1, 1]),
        "average is 'binary', but the data are 3 labels (0, 1, 2); choose average='macro', 'micro', 'weighted' or None",
    ),
    "binary of sets": (
        lambda: scores.f1_score(np.eye(2), np.eye(2)),
        "average is 'binary', but the data are multi-label; choose average='macro', 'micro', 'weighted' or None",
    ),
    "positive label": (
        lambda: scores.f1_score(["no", "yes"], ["no", "no"]),
        "pos_label is 1, which is not among the labels 'no', 'yes'; pass one of them",
    ),
    "zero division": (
        lambda: scores.f1_score([0, 1], [0, 1], zero_division=0.5),
        "zero_division is 0.5; it must be 'warn', 0, 1 or nan",
    ),
    "target names": (
        lambda: scores.classification_report([0, 1], [0, 1], target_names=["zero"]),
        "target_names has 1 names but there are 2 labels; give one name per label",
    ),
    "joint estimate at another level": (
        lambda: hs.report(BINARY, ["precision", "recall"], joint=True)[0].at(0.9),
        "level is 0.9, and this estimate is one of several that hold together: none can be asked again alone; "
        "ask for all of them, report(…, joint=True, level=0.9)",
    ),
    "joint estimate by another method": (
        lambda: hs.report(BINARY, ["precision", "recall"], joint=True)[0].by("wald"),
        "method is 'wald', and this estimate is one of several that hold together: none can be asked again alone; "
        "ask for all of them, report(…, joint=True, method='wald')",
    ),
    "draws of a test": (
        lambda: hs.bayes_test(TWO, metric="f1", method="monte-carlo", draws=0),
        "draws is 0; it must be a whole number, 1000 or larger; 1000000 are usual",
    ),
    "draws of a posterior": (
        lambda: hs.posterior(BINARY, "mcc", draws="a"),  # type: ignore[arg-type]
        "draws is 'a'; it must be a whole number, 2 or larger; 100000 are usual",
    ),
    "draws of an interval": (
        lambda: hs.Bayes(draws="a"),  # type: ignore[arg-type]
        "draws is 'a'; it must be a whole number, 1000 or larger; leave it out for 100000",
    ),
    "resamples": (
        lambda: hs.Bootstrap(n_resamples=99),
        "n_resamples is 99; it must be a whole number, 100 or larger; 9999 is usual",
    ),
    "threshold in quotes": (
        lambda: hs.gate(BINARY, "f1", at_least="0.8"),  # type: ignore[arg-type]
        "at_least is '0.8'; it must be a number in the range of 'f1', such as 0.8",
    ),
    "margin of a gate": (
        lambda: hs.gate(TWO, "f1", baseline="a", margin="x"),  # type: ignore[arg-type]
        "margin is 'x'; it must be a finite number, and belongs to baseline=",
    ),
    "margin": (
        lambda: hs.compare(TWO, "f1", margin="x"),  # type: ignore[arg-type]
        "margin is 'x'; it must be a finite number, zero or larger",
    ),
    "rope": (
        lambda: hs.compare(TWO, "f1", rope="x"),  # type: ignore[arg-type]
        "rope is 'x'; it must be a finite number, zero or larger",
    ),
    "rope of a test": (
        lambda: hs.bayes_test(TWO, metric="f1", rope="x"),  # type: ignore[arg-type]
        "rope is 'x'; it must be a finite number, zero or larger, such as 0.01",
    ),
    "prior": (
        lambda: hs.Bayes(prior="x"),  # type: ignore[arg-type]
        "prior is 'x'; it must be a positive number, such as 0.5 (Jeffreys) or 1",
    ),
    "no sentences": (lambda: hs.spans([], []), "gold holds no sentences; give at least one, a list of tags."),
    "no predictions of sentences": (
        lambda: hs.spans([["B-A"]], None),  # type: ignore[arg-type]
        "predictions has None for the model 'model'; it must be a list of sentences, each a list of tags.",
    ),
    "gold that is none": (
        lambda: hs.spans(3, [["B-A"]]),  # type: ignore[arg-type]
        "gold is 3; it must be a list of sentences, each a list of tags.",
    ),
    "folds that are none": (
        lambda: hs.folds(3),  # type: ignore[arg-type]
        "tables is 3; it must be a list with a table, or counts (tp, fp, fn), for each fold",
    ),
    "one correlation": (
        lambda: hs.folds([(9, 1, 2)] * 6, correlations=(0.1,)),  # type: ignore[arg-type]
        "correlations is (0.1,); it must be None, 'conservative' or a pair (rho1, rho2); the default is None.",
    ),
    "repeats": (
        lambda: hs.effective_factor("a"),  # type: ignore[arg-type]
        "repeats is 'a'; it must be a whole number, 1 or larger; the usual choice is 3",
    ),
    "correlations of a test": (
        lambda: hs.blocked_three_by_two_t([0.1] * 6, correlations="ab"),  # type: ignore[arg-type]
        "correlations is 'ab'; it must be None or a pair (rho1, rho2); the default is None.",
    ),
    "differences of text": (
        lambda: hs.five_by_two_t("a"),
        "differences is 'a'; it must be numbers: the score of b less that of a in each fold",
    ),
    "rows to train on": (
        lambda: hs.corrected_resampled_t([0.1, 0.2], n_train="a", n_test=3),  # type: ignore[arg-type]
        "n_train is 'a'; it must be positive; give the number of rows per fold.",
    ),
    "rows of a study": (
        lambda: hs.study("f1", ["wald"], HALF, n=25.5),  # type: ignore[arg-type]
        "n is 25.5; it must be one or more whole numbers, 1 or larger",
    ),
    "no methods": (
        lambda: hs.study("f1", [], HALF, n=25),
        "methods is empty; name at least one, or leave it out for every one that serves the metric",
    ),
    "no processes": (
        lambda: hs.study("f1", ["wald"], HALF, n=25, jobs=0),
        "jobs is 0; it must be a whole number other than zero: 1 works in this process, -1 on every core",
    ),
    "population of text": (
        lambda: hs.study("f1", ["wald"], "x", n=25),
        "population is 'x'; give dict(tp=…, fp=…, fn=…, tn=…), dict(prevalence=…, recall=…, precision=… or "
        "specificity=…), a K×K matrix of shares or counts with truth in rows, or a Table",
    ),
    "share of a population": (
        lambda: hs.study("f1", ["wald"], HALF | {"tp": "a"}, n=25),
        "population has tp 'a'; it must be a number from 0 to 1",
    ),
    "rate of a population": (
        lambda: hs.study("f1", ["wald"], {"prevalence": 0.5, "recall": 0.5, "specificity": 2}, n=25),
        "population has specificity 2; rates lie between 0 and 1",
    ),
    "difference to plan for": (
        lambda: hs.plan_comparison("f1", difference="a", prevalence=0.1, precision=0.8, recall=0.7),  # type: ignore[arg-type]
        "difference is 'a'; it must be a finite number other than 0",
    ),
    "power": (
        lambda: hs.plan_comparison("f1", difference=0.1, power="a"),  # type: ignore[arg-type]
        "power is 'a'; it must lie strictly between 0 and 1, such as 0.8",
    ),
    "assurance": (
        lambda: hs.plan("f1", half_width=0.1, prevalence=0.1, assurance="a"),  # type: ignore[arg-type]
        "assurance is 'a'; it must lie from 0.5 to below 1 and goes with half_width=",
    ),
    "size of a cluster": (
        lambda: hs.plan("f1", half_width=0.1, prevalence=0.1, cluster_size="a", icc=0.1),  # type: ignore[arg-type]
        "cluster_size is 'a'; it must be 1 or larger",
    ),
    "correlation in a cluster": (
        lambda: hs.plan("f1", half_width=0.1, prevalence=0.1, cluster_size=5, icc="a"),  # type: ignore[arg-type]
        "icc is 'a'; it must lie between 0 and 1",
    ),
    "pilot of two models": (
        lambda: hs.plan("f1", half_width=0.1, pilot=TWO),
        "pilot holds 2 models: 'a', 'b'; a plan is made from one: pick it with table.pick(name)",
    ),
    "labelled rows of two models": (
        lambda: hs.still_needed(TWO, "f1", half_width=0.1),
        "pilot holds 2 models: 'a', 'b'; a plan is made from one: pick it with table.pick(name)",
    ),
    "pilot of other counts": (
        lambda: hs.plan("f1", half_width=0.1, pilot={"tp": 3, "hits": 2}),
        "pilot has the keys 'tp', 'hits'; counts are tp, fp, fn and perhaps tn: give a Table, a file of predictions, "
        "dict(tp=…, fp=…, fn=…, tn=…), or a K×K matrix with truth in rows",
    ),
    "pilot that is none": (
        lambda: hs.plan("f1", half_width=0.1, pilot=3),
        "pilot has the shape (); give a Table, a file of predictions, dict(tp=…, fp=…, fn=…, tn=…), or a K×K matrix "
        "with truth in rows",
    ),
    "pool of text": (
        lambda: hs.stratified([1, 1, 0, 0], [1, 1, 0, 0], pool={1: "a", 0: 90}),  # type: ignore[dict-item]
        "pool has 'a' for stratum 1; each needs a finite number larger than 0",
    ),
    "shares without names": (
        lambda: hs.stratified([1, 1, 0, 0], [1, 1, 0, 0], shares=[0.1, 0.9]),  # type: ignore[arg-type]
        "shares is [0.1, 0.9]; it must map each stratum to a number, as in {'a': 0.1, 'b': 0.9}",
    ),
    "counts of a batch": (
        lambda: hs.batch_intervals("f1", tp="a", fp=1, fn=1),
        "tp is 'a'; it must be a number, or an array of counts, a number for each table",
    ),
    "counts of a batch in quotes": (
        lambda: hs.batch_intervals("f1", tp=["7"], fp=[1], fn=[1]),
        "tp is ['7']; it must be a number, or an array of counts, a number for each table",
    ),
    "matrices of a batch": (
        lambda: hs.batch_intervals("accuracy", matrices=[[["a", 1], [2, 3]]]),  # type: ignore[list-item]
        "matrices is [[['a', 1], [2, 3]]]; it must be an array of counts, K rows of K for each table",
    ),
    "one model of many": (
        lambda: hs.compare_all(TWO, "f1", models="a"),
        "models holds only 'a'; a comparison needs two or more",
    ),
    "one model of a test": (
        lambda: hs.bayes_test(TWO, metric="f1", models="a"),
        "models is ('a',); it must name two different models of 'a', 'b': A first, then B",
    ),
    "models that are none": (
        lambda: hs.report(TWO, "f1", models=3),  # type: ignore[arg-type]
        "models is 3; it must be one or more names of 'a', 'b'",
    ),
    "no models": (
        lambda: hs.report(TWO, "f1", models=[]),
        "models is empty; name at least one of 'a', 'b', or leave it out for all",
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_call_message(case: str) -> None:
    call, message = CALLS[case]
    assert refusal(call, hs.InputError) == message


# Every place that takes a seed; also where this question draws nothing.
SEEDED: dict[str, Callable[[Any], object]] = {
    "bootstrap": lambda seed: hs.Bootstrap(seed=seed),
    "credible interval": lambda seed: hs.Bayes(seed=seed),
    "Bayes test": lambda seed: hs.bayes_test(SIX, SIX, method="monte-carlo", seed=seed),
    "paired Bayes test": lambda seed: hs.bayes_test(TWO, seed=seed),
    "exact Bayes test": lambda seed: hs.bayes_test(SIX, SIX, seed=seed),
    "posterior by draws": lambda seed: hs.posterior(BINARY, "mcc", seed=seed),
    "posterior in closed form": lambda seed: hs.posterior(BINARY, "f1", seed=seed),
    "draws of a posterior": lambda seed: hs.posterior(BINARY, "f1").sample(3, seed=seed),
    "draws of draws": lambda seed: hs.posterior(BINARY, "mcc", draws=100).sample(3, seed=seed),
    "critical value": lambda seed: hs.critical_value(np.eye(2), seed=seed),
    "study": lambda seed: hs.study("f1", ["wald"], HALF, n=25, exact=False, replicates=10, seed=seed),
    "exact study": lambda seed: hs.study("f1", ["wald"], HALF, n=5, seed=seed),
    "plan": lambda seed: hs.plan("f1", half_width=0.1, prevalence=0.5, seed=seed),
    "labelled rows": lambda seed: hs.still_needed(BINARY, "f1", se=0.2, seed=seed),
    "splitter": lambda seed: hs.BlockedCV(3, seed=seed),
}


@pytest.mark.parametrize("seed", [-1, 1.5, "a", None, True])
@pytest.mark.parametrize("place", SEEDED)
def test_a_seed_is_a_whole_number(place: str, seed: object) -> None:
    said = refusal(lambda: SEEDED[place](seed), hs.InputError)
    assert said == f"seed is {seed!r}; it must be a whole number, zero or larger; the default is 0"


@pytest.mark.parametrize("place", SEEDED)
def test_numpy_counts_seeds_too(place: str) -> None:
    assert repr(SEEDED[place](np.int64(3))) == repr(SEEDED[place](3))


@pytest.mark.parametrize("method", [["wald", "wilson"], {"f1": "wald"}, 3])
@pytest.mark.parametrize(
    "asked",
    [
        lambda method: hs.report(BINARY, method=method),
        lambda method: hs.report(BINARY, joint=True, method=method),
        lambda method: hs.compare(TWO, "f1", method=method),
    ],
)
def test_a_method_is_one(asked: Callable[[Any], object], method: object) -> None:
    said = refusal(lambda: asked(method), hs.MethodError)
    assert said.startswith(
        f"method is {method!r} of type {type(method).__name__}; it must be one name, or an object with options such "
        "as howsure.Bootstrap(…); ask once for each method. Known: '"
    )


def test_one_name_is_one_model() -> None:
    assert [row.model for row in hs.report(TWO, "f1", models="a")] == ["a"]
    (row,) = hs.compare_all(TWO, "f1", baseline="a", models="b")
    assert (row.a, row.b) == ("a", "b")
    sliced = hs.slices([1, 0, 1, 0], {"first": [1, 0, 0, 0], "second": [1, 1, 1, 0]}, by=["x", "x", "y", "y"])
    assert len(sliced.report("accuracy", models="first")) == 2


def test_as_many_draws_as_asked() -> None:
    """20,000 unless asked otherwise, where one cell of each draw is integrated exactly."""
    assert hs.bayes_test(TWO, metric="f1").draws == 20_000
    assert hs.bayes_test(TWO, metric="f1", draws=50_000).draws == 50_000
    assert hs.bayes_test(TWO, metric="mcc", draws=2_000).draws == 2_000


def test_a_model_of_counts_has_a_name() -> None:
    assert hs.counts(tp=1, fp=1, fn=1, model=3).models == ("3",)  # type: ignore[arg-type]


def test_unknown_method_suggests_the_nearest() -> None:
    with pytest.raises(hs.MethodError) as caught:
        hs.estimate(BINARY, "f1", method="wold")
    assert str(caught.value).startswith("method 'wold' is not known. Did you mean 'wald'? Known: ")


def test_every_error_is_a_value_error() -> None:
    for error in (hs.HowsureError, hs.InputError, hs.MetricError, hs.MethodError):
        assert issubclass(error, ValueError)

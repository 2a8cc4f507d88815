"""The catalogue of methods: what each entry says of itself, what is refused, what is the default."""

from __future__ import annotations

import pytest

import howsure as hs
from estimates.methods.tables import TABLE
from howsure.estimates.catalogue import METHODS, applicable, default_method, named_method
from howsure.estimates.evidence import evidence_of
from howsure.metrics.names import named
from howsure.tables.covariance import linearise

NAMES = [entry.name for entry in METHODS]


def test_names_and_aliases_are_unique() -> None:
    everything = [name for entry in METHODS for name in (entry.name, *entry.aliases)]
    assert len(everything) == len(set(everything))
    assert all(name == name.lower() and " " not in name for name in everything)


@pytest.mark.parametrize("entry", METHODS, ids=NAMES)
def test_every_entry_says_what_it_is_and_when_not_to_use_it(entry: hs.IntervalMethod) -> None:
    assert entry.text
    assert entry.avoid
    assert any(character.isdigit() for character in entry.citation), "a citation has a year or a section"
    assert entry.meaning in ("confidence", "credible")


@pytest.mark.parametrize("entry", METHODS, ids=NAMES)
def test_every_name_and_alias_is_found_in_any_spelling(entry: hs.IntervalMethod) -> None:
    for name in (entry.name, *entry.aliases):
        for spelling in (name, name.upper(), name.replace("-", "_"), f" {name} "):
            assert named_method(spelling) is entry


@pytest.mark.parametrize(
    ("promised", "entry"),
    [
        ("wilson-indirect", "wilson"),
        ("score", "wilson"),
        ("exact", "clopper-pearson"),
        ("wilson-direct", "wilson-direct"),
    ],
)
def test_promised_names(promised: str, entry: str) -> None:
    assert named_method(promised).name == entry


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(hs.MethodError, match=r"'wilsn' is not known\. Did you mean 'wilson'"):
        hs.estimate(TABLE, "f1", method="wilsn")


@pytest.mark.parametrize(
    ("metric", "method", "why"),
    [
        ("mcc", "wilson", "a share of rows or a Tversky index"),
        ("mcc", "clopper-pearson", "a share of rows"),
        ("f2", "beta", "a share of rows"),
        ("recall", "wilson-direct", "made for F1 alone"),
        ("f1", "log", "from 0 upwards"),
        ("f1", "atanh", "between −1 and 1"),
        ("lift", "logit", "between 0 and 1"),
    ],
)
def test_an_impossible_pair_is_refused_with_the_possible_ones(metric: str, method: str, why: str) -> None:
    with pytest.raises(hs.MethodError) as caught:
        hs.estimate(TABLE, metric, method=method)
    text = str(caught.value)
    assert why in text
    assert "These can: 'wald'" in text


def test_hs_intervals_shows_every_applicable_method() -> None:
    for metric in ("f1", "f2", "mcc", "lift", "accuracy"):
        evidence = evidence_of(linearise(TABLE, named(metric)))
        found = hs.intervals(TABLE, metric)
        assert [row.method for row in found] == [entry.name for entry in applicable(evidence)]


@pytest.mark.parametrize(
    ("metric", "method"),
    [
        ("accuracy", "mid-p"), ("precision", "mid-p"), ("recall", "mid-p"), ("specificity", "mid-p"),
        ("npv", "mid-p"), ("micro_f1", "mid-p"), ("f1", "mid-p"), ("f0.5", "mid-p"), ("f2", "mid-p"),
        ("jaccard", "mid-p"), ("tversky(0.3,1.2)", "mid-p"), ("lr_plus", "koopman"), ("lr_minus", "koopman"),
        ("odds_ratio", "log"), ("lift", "log"), ("overlap", "mid-p"),
    ],
)  # fmt: skip
def test_documented_defaults(metric: str, method: str) -> None:
    assert hs.estimate(TABLE, metric).method == method
    assert default_method(named(metric), evidence_of(linearise(TABLE, named(metric)))).name == method


def test_an_estimate_can_be_asked_again() -> None:
    first = hs.estimate(TABLE, "f1")
    assert first.at(0.99).low == hs.estimate(TABLE, "f1", level=0.99).low
    assert first.by("wald").high == hs.estimate(TABLE, "f1", method="wald").high
    assert first.by(hs.Bayes(prior=1.0)).low == hs.estimate(TABLE, "f1", method=hs.Bayes(prior=1.0)).low
    assert first.at(0.9).by("beta").level == 0.9

"""What hs.plan refuses, and in which words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import howsure as hs
from support.refusals import refusal

RATES = {"prevalence": 0.1, "precision": 0.8, "recall": 0.7}
TWO = hs.counts(tp=77, fp=44, fn=10, tn=702)
REFUSALS: dict[str, tuple[Callable[[], object], str]] = {
    "no goal": (
        lambda: hs.plan("f1", prevalence=0.1),
        "give exactly one of half_width=, se= and n=: what should be reached, or the rows there are",
    ),
    "half-width": (
        lambda: hs.plan("f1", half_width=0.5, prevalence=0.1),
        "half_width is 0.5; it must lie strictly between 0 and 0.5, half the range of f1",
    ),
    "se": (
        lambda: hs.plan("f1", se=0, prevalence=0.1),
        "se is 0; it must lie strictly between 0 and 0.5, half the range of f1",
    ),
    "n": (lambda: hs.plan("f1", n=2.5, prevalence=0.1), "n is 2.5; it must be a whole number, 1 or larger"),
    "prevalence": (
        lambda: hs.plan("f1", se=0.01, prevalence=1),
        "prevalence is 1; it must lie strictly between 0 and 1",
    ),
    "no prevalence": (
        lambda: hs.plan("f1", se=0.01, prevalence=0.0),
        "prevalence is 0.0; it must lie strictly between 0 and 1",
    ),
    "recall": (
        lambda: hs.plan("f1", se=0.01, prevalence=0.1, recall=1.2, precision=0.5),
        "recall is 1.2; it must lie above 0 and be at most 1",
    ),
    "impossible": (
        lambda: hs.plan("f1", se=0.01, prevalence=0.5, recall=0.9, precision=0.3),
        "no classifier has prevalence 0.5 and precision 0.3 and recall 0.9: the share of true negatives would be "
        "-0.55; change one of them, or leave one out",
    ),
    "contradiction": (
        lambda: hs.plan("f1", se=0.01, prevalence=0.5, recall=0.9, precision=0.6, specificity=0.9),
        "no classifier has prevalence 0.5 and precision 0.6 and recall 0.9 and specificity 0.9: they contradict each "
        "other; change one of them, or leave one out",
    ),
    "incomplete": (
        lambda: hs.plan("f1", se=0.01, prevalence=0.5, recall=0.9),
        "the performance you expect is not complete: 'prevalence', 'recall' leave it open; give prevalence, recall and "
        "precision, or add one of 'predicted', 'precision', 'specificity', 'npv'",
    ),
    "assurance": (
        lambda: hs.plan("f1", half_width=0.05, assurance=0.3, **RATES),
        "assurance is 0.3; it must lie from 0.5 to below 1 and goes with half_width=",
    ),
    "no worst case": (
        lambda: hs.plan("mcc", half_width=0.05, prevalence=0.1),
        "metric 'mcc' has no worst case over all classifiers; give the performance you expect (precision=, recall=, "
        "prevalence=) or a pilot table (pilot=)",
    ),
    "precision from prevalence": (
        lambda: hs.plan("precision", half_width=0.05, prevalence=0.1),
        "metric 'precision' needs predicted for its worst case, or the performance you expect",
    ),
    "bound": (
        lambda: hs.plan("f1", half_width=0.05, prevalence=0.1, bound="tight"),
        "bound is 'tight'; it must be one of 'jiang', 'sharp'",
    ),
    "pilot and rates": (
        lambda: hs.plan("f1", half_width=0.05, pilot=TWO, recall=0.7),
        "pilot and recall were both given; the pilot says what to expect, so leave recall out",
    ),
    "icc alone": (
        lambda: hs.plan("f1", half_width=0.05, prevalence=0.1, icc=0.1),
        "cluster_size and icc go together: rows per cluster, and the correlation within one",
    ),
    "icc": (
        lambda: hs.plan("f1", half_width=0.05, prevalence=0.1, icc=1.1, cluster_size=3),
        "icc is 1.1; it must lie between 0 and 1",
    ),
    "random method": (
        lambda: hs.plan("f1", half_width=0.05, method="bootstrap", **RATES),
        "method is 'bootstrap', which draws at random for one table at a time and cannot be planned for; choose a "
        "method without draws",
    ),
    "a method for the worst case": (
        lambda: hs.plan("f1", half_width=0.05, prevalence=0.1, method="exact"),
        "method is 'clopper-pearson', but the worst case over all classifiers is a bound on the standard error, for "
        "'wald' alone; give the performance you expect (precision=, recall=) or a pilot to plan for "
        "'clopper-pearson', or leave method out",
    ),
    "a bound for what one expects": (
        lambda: hs.plan("f1", half_width=0.05, bound="sharp", **RATES),
        "bound is 'sharp', which is about the worst case of all classifiers, but the performance is given; leave bound "
        "out, or plan with prevalence= (or predicted=) alone",
    ),
    "a bound for a pilot": (
        lambda: hs.plan("f1", half_width=0.05, bound="tight", pilot=TWO),
        "bound is 'tight'; it must be one of 'jiang', 'sharp'",
    ),
    "a sharp bound on positives": (
        lambda: hs.plan("f1", half_width=0.05, bound="sharp"),
        "bound is 'sharp', which needs prevalence= or predicted=; give one, or leave bound out",
    ),
}  # fmt: skip


def test_the_method_of_the_worst_case_may_be_named() -> None:
    named, unnamed = (hs.plan("f1", half_width=0.05, prevalence=0.1, method=name) for name in ("delta", None))
    assert (named.n, named.method) == (unnamed.n, "wald")


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    call, message = REFUSALS[name]
    assert refusal(call) == message

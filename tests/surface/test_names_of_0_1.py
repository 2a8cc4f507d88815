"""What version 0.1 made public is still there under its name."""

from __future__ import annotations

import howsure as hs
import howsure.scores
from howsure.web import api

NAMES = """
    Balance BatchIntervals Bayes BayesTest BlockedCV Bootstrap Comparison ComparisonPlan Comparisons Counter
    Coverage CoverageRow CriticalValue CvTest Estimate Folds Gate HowsureError InputError IntervalMethod
    MethodError Metric MetricError Note Plan Report SampledPosterior Share SharePosterior Slices StrataPlan
    Table __version__ batch_intervals bayes_test blocked_three_by_two_t chunk_frequencies compare compare_all
    corrected_resampled_t counts critical_value cross_validate effective_factor estimate f_beta five_by_two_f
    five_by_two_t folds gate intervals macro matrix micro npv_at of_class plan plan_comparison plan_strata
    posterior ppv_at read read_folds read_slices report samples slices smaller spans still_needed stratified
    study table tversky weighted
"""
SCORES = """
    accuracy_score balanced_accuracy_score matthews_corrcoef cohen_kappa_score precision_score recall_score
    f1_score fbeta_score jaccard_score classification_report
"""
TABLE = """
    n n_groups weighted multilabel model model_index pick merged scaled without_groups matrix binary relabel
    with_labels tp fn fp tn labels models rows counts weights squares groups group_labels pos_label negatives
    pooled notes strata ordered implied
"""


def test_public_names() -> None:
    assert set(NAMES.split()) <= set(hs.__all__)
    assert [name for name in NAMES.split() if not hasattr(hs, name)] == []


def test_scores_and_the_api() -> None:
    assert [name for name in SCORES.split() if not callable(getattr(howsure.scores, name, None))] == []
    assert callable(api.intervals)


def test_attributes_of_a_table() -> None:
    table = hs.table([0, 1, 1], {"a": [0, 1, 0]})
    assert [name for name in TABLE.split() if not hasattr(table, name)] == []

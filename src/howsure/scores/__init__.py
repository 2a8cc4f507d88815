"""Drop-in functions with scikit-learn's signatures: each score is the float that scikit-learn gives, with its interval.

Beyond scikit-learn's arguments each takes ``groups``, ``level`` and ``method``. Nothing else is to be seen here:
``dir(howsure.scores)`` lists the scores.

May import: comparisons, estimates, sources, tables, numerics, results, metrics, errors, types.
"""

from typing import Any

from howsure.scores.averaged import (
    f1_score,
    fbeta_score,
    jaccard_score,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
)
from howsure.scores.matrix import confusion_matrix
from howsure.scores.ranked import (
    average_precision_score,
    brier_score_loss,
    log_loss,
    roc_auc_score,
    top_k_accuracy_score,
)
from howsure.scores.report import classification_report
from howsure.scores.whole import (
    accuracy_score,
    balanced_accuracy_score,
    class_likelihood_ratios,
    cohen_kappa_score,
    hamming_loss,
    matthews_corrcoef,
    zero_one_loss,
)

__all__ = [
    "accuracy_score",
    "average_precision_score",
    "balanced_accuracy_score",
    "brier_score_loss",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "log_loss",
    "matthews_corrcoef",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "roc_auc_score",
    "top_k_accuracy_score",
    "zero_one_loss",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """Return the class of warnings, which is scikit-learn's own where that is installed: loaded when asked for."""
    if name == "UndefinedMetricWarning":
        from howsure.scores.undefined import undefined_warning

        return undefined_warning()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

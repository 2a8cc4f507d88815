"""howsure: how sure are you of that score? A sound error bar for every classification metric."""

from howsure.bayes import Bayes
from howsure.errors import HowsureError, InputError, MethodError, MetricError
from howsure.estimates import estimate, intervals, report
from howsure.intervals import IntervalMethod
from howsure.metric import Metric, Share
from howsure.metrics import f_beta, npv_at, ppv_at, smaller, tversky
from howsure.naming import macro, micro, of_class, samples, weighted
from howsure.resampling import Bootstrap
from howsure.results import Estimate, Note, Report
from howsure.sources.tables import table
from howsure.sources.typed import counts, matrix
from howsure.table import Table
from howsure.version import __version__

__all__ = [
    "Bayes",
    "Bootstrap",
    "Estimate",
    "HowsureError",
    "InputError",
    "IntervalMethod",
    "MethodError",
    "Metric",
    "MetricError",
    "Note",
    "Report",
    "Share",
    "Table",
    "__version__",
    "counts",
    "estimate",
    "f_beta",
    "intervals",
    "macro",
    "matrix",
    "micro",
    "npv_at",
    "of_class",
    "ppv_at",
    "report",
    "samples",
    "smaller",
    "table",
    "tversky",
    "weighted",
]

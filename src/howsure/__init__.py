"""howsure: how sure are you of that score? A sound error bar for every classification metric.

The public names are loaded when first asked for, so that importing the package (and starting its command line)
costs next to nothing. ``__init__.pyi`` lists the same names for editors and type checkers.
"""

import sys
from importlib import import_module
from types import ModuleType

from howsure.version import __version__ as __version__

_HOMES = {
    "batch": ("BatchIntervals", "batch_intervals"),
    "bayes": ("Bayes",),
    "bayes_test": ("BayesTest", "bayes_test"),
    "compare": ("compare",),
    "counter": ("Counter",),
    "coverage": ("Coverage", "CoverageRow"),
    "critical": ("CriticalValue", "critical_value"),
    "cross_validation": ("chunk_frequencies", "cross_validate"),
    "cvtests": ("CvTest", "blocked_three_by_two_t", "corrected_resampled_t", "five_by_two_f", "five_by_two_t"),
    "designs": ("Balance", "BlockedCV", "effective_factor"),
    "errors": ("HowsureError", "InputError", "MethodError", "MetricError"),
    "estimates": ("estimate", "intervals", "report"),
    "folds": ("Folds", "folds", "read_folds"),
    "gate": ("gate",),
    "intervals": ("IntervalMethod",),
    "many": ("compare_all",),
    "metric": ("Metric", "Share"),
    "metric_posterior": ("posterior",),
    "metrics": ("f_beta", "npv_at", "ppv_at", "smaller", "tversky"),
    "naming": ("macro", "micro", "of_class", "samples", "weighted"),
    "plan": ("plan", "still_needed"),
    "plan_comparison": ("plan_comparison",),
    "plan_strata": ("StrataPlan", "plan_strata"),
    "plans": ("ComparisonPlan", "Plan"),
    "resampling": ("Bootstrap",),
    "results": ("Estimate", "Note", "Report"),
    "sampled": ("SampledPosterior",),
    "shares": ("SharePosterior",),
    "slices": ("Slices", "slices"),
    "sources.read": ("read", "read_slices"),
    "sources.spans": ("spans",),
    "sources.tables": ("table",),
    "sources.typed": ("counts", "matrix"),
    "stratified": ("stratified",),
    "study": ("study",),
    "table": ("Table",),
    "verdicts": ("Comparison", "Comparisons", "Gate"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("scores",)

__all__ = sorted([*_HOME_OF, "__version__"])


def __getattr__(name: str) -> object:
    if name in _HOME_OF:
        value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})


class _Package(ModuleType):
    """Where a function and its module share a name (compare, study), the attribute is the function."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in _HOME_OF):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

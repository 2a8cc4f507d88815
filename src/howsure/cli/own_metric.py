"""A user's own metric in the shell: package.module:name, imported."""

from __future__ import annotations

import re
import sys
from importlib import import_module

from howsure.cli.loading import load_arrays
from howsure.errors import MetricError
from howsure.errors.messages import cli as messages
from howsure.metrics.cuts import cut_by
from howsure.metrics.metric import Metric
from howsure.metrics.names import named


def own_metric(text: str) -> str | Metric:
    """Return the metric of a text such as "package.module:metric", which is imported; any other text as it is.

    The current folder is searched too. A plain function of the cells becomes a metric of its name. A threshold may
    follow, as in "package.module:metric@0.5".
    """
    parts = re.fullmatch(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)(?:@(.+))?", text)
    if parts is None:
        return text
    found = _imported(text, parts[1], parts[2])
    return found if parts[3] is None else cut_by(found, parts[3].strip(), named)


def name_of(metric: str | Metric) -> str:
    """Return the name of a metric, or the name that it is already."""
    return metric if isinstance(metric, str) else metric.name


def _imported(text: str, module: str, name: str) -> Metric:
    if "" not in sys.path:
        sys.path.insert(0, "")
    load_arrays()
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise MetricError(messages.METRIC_CANNOT_BE_LOADED(text=text, error=error)) from None
    if isinstance(found, Metric):
        return found
    if not callable(found):
        raise MetricError(messages.METRIC_HOWSURE_METRIC_OR_FUNCTION(text=text, found=found))
    return Metric(name, found)
